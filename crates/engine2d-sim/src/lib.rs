//! Simulation of planar rigid bodies: forces, contacts, collisions, joints, time.
#![doc = include_str!("../README.md")]

mod adaptive;
mod advance;
mod after_move;
mod body;
mod collision;
pub mod compliant;
mod connector;
mod constrained_euler;
mod contact_force;
mod corner;
mod display;
mod energy;
mod error;
mod force;
mod generator;
mod history;
mod impact;
mod impulse;
mod instrument;
mod joint;
mod lcp;
mod ledger;
mod located;
mod observer;
mod ode;
mod placed;
mod report;
mod road;
mod settings;
mod stages;
mod system;
pub mod tolerance;
mod world;

pub use adaptive::{AdaptiveError, AdaptiveSettings, Crossing, CrossingLocator, Direction, DormandPrince};
pub use after_move::{MoveCause, Moved};
pub use body::{Body, BodyView};
pub use connector::Connector;
pub use constrained_euler::{ConstrainedEuler, StepError};
pub use contact_force::{ContactForce, GroupView};
pub use display::{DisplayItem, ForceSource, Shown};
pub use energy::Energy;
pub use engine2d_constraint::{Joint, Reaction};
pub use engine2d_geometry::{BodyRef, ContactId, Features};
pub use error::SimError;
pub use force::{Attachment, BodySet, Force, ForceLaw, Forces, Frame, Thruster, UserForce};
pub use generator::Generator;
pub use history::{History, HistoryRow};
pub use impact::{ImpactOutcome, ImpactRecord};
pub use lcp::{Conflict, LcpStatistics};
pub use ledger::EnergyLedger;
pub use located::UserEvent;
pub use observer::{Changes, Notification, Observer, ObserverId, TextObserver};
pub use report::{Event, StepReport, Totals};
pub use settings::{
    Aids, CollisionHandling, CompliantContact, ContactModel, EventLocator, ExtraAcceleration, Fidelity,
    FixedStepMethod, Limits, OdeMethod, Profile, Settings,
};
pub use stages::{Clock, Stage, StageStatistics, StageWork};
pub use world::{
    ContactIsland, Parameter, ParameterKind, ParameterValue, Removed, Silenced, Snapshot, World, WorldBuilder,
};
