//! Exact planar collision geometry.
#![doc = include_str!("../README.md")]

mod body;
mod bounds;
mod broad_phase;
mod builder;
mod circular;
mod company;
mod constructors;
mod contact;
mod convert;
mod convex;
mod edge;
mod edge_circles;
mod edge_edge;
mod enclosing_circle;
mod error;
mod filter;
mod finder;
pub mod hysteresis;
mod intersection;
mod mass_properties;
mod path_impact;
mod path_pair;
mod path_query;
mod rules;
mod shape;
mod similarity;
pub mod sizes;
mod straight;
mod time_of_impact;
pub mod tolerance;
mod update;
mod vertex_edge;

pub use body::{BodyRef, CollisionBody, OldPose, Tolerances};
pub use bounds::Bounds;
pub use broad_phase::{BroadPhase, BroadPhaseError, MARGIN, ProxyId};
pub use builder::PathBuilder;
pub use circular::CircularEdge;
pub use company::{Company, NearPath, PathHit, PathPair};
pub use constructors::fill::FillRule;
pub use constructors::svg_file::{SvgError, SvgPicture, SvgShape, svg_shapes};
pub use constructors::svg_path::SvgOptions;
pub use constructors::{RoomWall, Side};
pub use contact::{Contact, ContactGeometry, ContactId, Detection, Features};
pub use convex::{
    ConvexContactId, Distance, FeaturePair, PointDistance, Portal, QueryError, Ray, RayHit, Shape,
    ShapeFeature, convex_hull, distance, mpr,
};
pub use edge::{Curve, Edge, Vertex};
pub use error::ShapeError;
pub use filter::{CollisionFilter, IgnoredEdges, NonCollidingPairs};
pub use finder::{FinderWorkspace, find_contacts, test_pair, test_pair_with};
pub use hysteresis::{ContactChange, ContactHandler, CrossingFunctions, PairId, PairSample, TrackedContact};
pub use intersection::{distance_to_line, segment_arc, segment_segment};
pub use mass_properties::AreaProperties;
pub use path_impact::{PathImpact, path_cast, path_time_of_impact};
pub use path_pair::{
    ContactBand, ContactCurve, NormalMotion, PathContact, PathDistance, PathFeature, PathFeatures,
    PathWorkspace, PlacedPath, corner_normals, path_contacts, path_distance,
};
pub use rules::{Judging, Pass, Rules};
pub use shape::{PathShape, SpecialEdge};
pub use similarity::nearness;
pub use straight::StraightEdge;
pub use time_of_impact::{Approach, Impact, Motion, SeparationBound, time_of_impact};

pub use engine2d_math::{Pose, Vec2};
