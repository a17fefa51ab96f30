//! The engine2d scene file format: reading, validation, JSON Schema and a catalogue of scenes.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod assembly;
mod body;
pub mod catalogue;
mod check;
mod choice;
mod compliant;
mod connector;
mod curve_table;
mod expand;
mod force_law;
mod formula;
pub mod joint;
mod limits;
mod live;
mod material;
mod material_pair;
mod mistake;
mod moment;
mod names;
mod outline;
mod piece;
mod placed;
mod plausible;
mod point;
mod pulley;
mod read;
mod reference;
mod scene;
mod schema;
mod settings;
mod shape;
mod shelf;
mod simulate;
mod special;
mod suggestion;
mod tree;
mod warning;
mod write;

pub use body::{Body, BodyRef, EdgeRange, Friction, Origin};
pub use compliant::{Compliant, CompliantDamping};
pub use connector::{Connector, Curve, Line};
pub use force_law::{ForceLaw, Frame, Thruster};
pub use limits::Limits;
pub use live::LiveScene;
pub use material::Material;
pub use material_pair::MaterialPair;
pub use mistake::{Mistake, MistakeKind, Mistakes, SceneError};
pub use moment::{Moment, Then};
pub use piece::Piece;
pub use point::Point;
pub use reference::reference;
pub use scene::{FORMAT, Scene, VERSION, View};
pub use schema::json_schema;
pub use settings::{
    AdaptiveSolver, Clock, ClockKind, ClockSettings, CollisionHandling, ContactModel, EventLocator,
    ExtraAcceleration, Fidelity, FixedSolver, FrictionRule, ImpactLaw, PreciseMethod, PreciseSolver, Profile,
    Settings, Sleeping, Solver, SteppingSolver,
};
pub use shape::{Edge, FillRule, Path, Shape, Side};
pub use special::{Moving, Stop};
pub use suggestion::nearest;
pub use warning::{Warning, WarningKind};
