//! Simulation of planar rigid bodies: forces, contacts, collisions, joints, time.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod adaptive;
mod after_move;
mod backtracking;
mod body;
mod by_pair;
pub mod compliant;
mod connector;
mod constrained_euler;
mod contact_force;
mod energy;
mod error;
mod evaluate;
mod force;
mod friction;
mod generator;
mod impact_law;
mod instrument;
mod joint;
mod lcp;
mod ledger;
mod located;
mod model;
pub mod name;
mod named;
mod one_way;
mod parallel;
mod preset;
mod report;
mod resistance;
mod road;
mod scope;
mod settings;
mod spans;
mod stages;
mod state;
mod strength;
mod surface;
mod time_stepping;
pub mod tolerance;
mod watched;
mod work;
mod world;

pub use adaptive::{AdaptiveError, AdaptiveSettings, Crossing, CrossingLocator, Direction, DormandPrince};
pub use after_move::{MoveCause, Moved};
pub use backtracking::GroupView;
pub use body::Body;
pub use body::motion::Led;
pub use body::view::BodyView;
pub use connector::Connector;
pub use constrained_euler::{ConstrainedEuler, StepError};
pub use contact_force::ContactForce;
pub use energy::Energy;
pub use engine2d_constraint::{Joint, Reaction};
pub use engine2d_geometry::{BodyRef, CollisionFilter, ContactId, Features};
pub use engine2d_math::{Pose, Vec2};
pub use error::SimError;
pub use force::{Attachment, BodySet, Force, ForceLaw, Forces, Frame, Thruster, UserForce};
pub use friction::{Friction, FrictionRule};
pub use generator::Generator;
pub use impact_law::ImpactLaw;
pub use lcp::{Conflict, LcpStatistics};
pub use ledger::EnergyLedger;
pub use preset::Preset;
pub use report::{Event, StepReport, Totals};
pub use settings::{
    Aids, ClockKind, CollisionHandling, CompliantContact, ContactModel, EventLocator, ExtraAcceleration,
    Fidelity, FixedStepMethod, Limits, OdeMethod, Profile, Settings, Sleeping, SteppingSolver, TimeStepping,
};
pub use stages::{Clock, Stage, StageStatistics, StageWork};
pub use surface::{SurfacePair, SurfaceTable};
pub use world::World;
pub use world::builder::WorldBuilder;
pub use world::change::Edit;
pub use world::edit::Removed;
pub use world::force_network::{ForceNetwork, LoadedIsland};
pub use world::identity::{BodyId, BodyKey, ConstraintId, ConstraintKey, ForceId, ForceKey, Key};
pub use world::impact::{ImpactOutcome, ImpactRecord};
pub use world::inspect::{AppliedForce, ContactIsland, Inspect};
pub use world::pair_force::{ContactLoad, ContactMode, PairForce};
pub use world::probe::Probe;
pub use world::query::{Hit, Near, Query};
pub use world::snapshot::Snapshot;
pub use world::user_event::UserEvent;
