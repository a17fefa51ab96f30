//! Exact 2D rigid-body physics: certified contact forces, located collisions, exact joints.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use engine2d_constraint as constraint;
pub use engine2d_geometry as geometry;
pub use engine2d_lcp as lcp;
pub use engine2d_math as math;
pub use engine2d_record as record;
pub use engine2d_scene as scene;
pub use engine2d_sim as sim;
pub use engine2d_watch as watch;

pub use engine2d_math::nalgebra;

/// What most programs need: `use engine2d::prelude::*;`.
pub mod prelude {
    pub use engine2d_constraint::{
        AngleLimit, GearMesh, Measure, Motor, Prescribed, Prismatic, Revolute, Servo, SlideLimit, Slider,
        SpeedDrive, Tracking, Weld,
    };
    pub use engine2d_geometry::{Bounds, PathBuilder, PathShape, Side, sizes};
    pub use engine2d_math::{Pose, Vec2};
    pub use engine2d_record::{ReplayRecorder, SummaryObserver, run};
    pub use engine2d_scene::{Scene, SceneError};
    pub use engine2d_sim::compliant::{Material, PairMaterial};
    pub use engine2d_sim::{
        Attachment, Body, BodyId, BodyRef, CollisionFilter, CollisionHandling, CompliantContact, Connector,
        ConstraintId, ContactModel, Energy, Event, ExtraAcceleration, Fidelity, ForceId, ForceLaw, Frame,
        Friction, Joint, OdeMethod, Preset, Profile, Settings, SimError, Snapshot, StepReport, UserEvent,
        World,
    };
    pub use engine2d_watch::{History, News, Observer, ParameterValue, Session, WatchError};
}
