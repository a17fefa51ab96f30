//! Two path bodies: their exact signed distance, and all places where they are near. Not here: detection along
//! a motion (`finder`), convex shapes (`convex`).

mod cast;
mod contacts;
mod corner;
mod curve;
mod depth;
mod distance;
mod frame;
mod nearest;
mod placed;

pub(crate) use cast::first_touch;
pub use contacts::{ContactBand, ContactCurve, NormalMotion, PathContact, corner_normals, path_contacts};
pub use distance::{PathDistance, path_distance};
pub use frame::PlacedPath;
pub use placed::{PathFeature, PathFeatures, PathWorkspace};
