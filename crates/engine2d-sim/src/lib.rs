//! Simulation of planar rigid bodies: forces, contacts, collisions, joints, time.
#![doc = include_str!("../README.md")]

mod adaptive;
mod after_move;
mod backtracking;
mod body;
pub mod compliant;
mod connector;
mod constrained_euler;
mod contact_force;
mod display;
mod energy;
mod error;
mod evaluate;
mod force;
mod friction;
mod generator;
mod history;
mod instrument;
mod joint;
mod lcp;
mod ledger;
mod located;
mod model;
mod name;
mod observer;
mod parameter;
mod report;
mod road;
mod scope;
mod settings;
mod stages;
mod state;
pub mod tolerance;
mod watched;
mod work;
mod world;

pub use adaptive::{AdaptiveError, AdaptiveSettings, Crossing, CrossingLocator, Direction, DormandPrince};
pub use after_move::{MoveCause, Moved};
pub use backtracking::GroupView;
pub use body::Body;
pub use body::view::BodyView;
pub use connector::Connector;
pub use constrained_euler::{ConstrainedEuler, StepError};
pub use contact_force::ContactForce;
pub use display::{DisplayItem, ForceSource, Shown};
pub use energy::Energy;
pub use engine2d_constraint::{Joint, Reaction};
pub use engine2d_geometry::{BodyRef, ContactId, Features};
pub use error::SimError;
pub use force::{Attachment, BodySet, Force, ForceLaw, Forces, Frame, Thruster, UserForce};
pub use friction::{Friction, FrictionRule};
pub use generator::Generator;
pub use history::{History, HistoryRow};
pub use lcp::{Conflict, LcpStatistics};
pub use ledger::EnergyLedger;
pub use observer::{Changes, Notification, Observer, ObserverId, TextObserver};
pub use parameter::{Parameter, ParameterKind, ParameterValue};
pub use report::{Event, StepReport, Totals};
pub use settings::{
    Aids, CollisionHandling, CompliantContact, ContactModel, EventLocator, ExtraAcceleration, Fidelity,
    FixedStepMethod, Limits, OdeMethod, Profile, Settings,
};
pub use stages::{Clock, Stage, StageStatistics, StageWork};
pub use world::World;
pub use world::builder::WorldBuilder;
pub use world::edit::Removed;
pub use world::impact::{ImpactOutcome, ImpactRecord};
pub use world::observe::Silenced;
pub use world::snapshot::Snapshot;
pub use world::user_event::UserEvent;
pub use world::watch::ContactIsland;
