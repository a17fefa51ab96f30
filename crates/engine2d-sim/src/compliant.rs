//! Compliant contact: force from the depth of penetration and its rate.

pub(crate) mod law;
pub(crate) mod material;
pub(crate) mod piece;
mod pieces;
mod stage;

pub use law::{ContactLaw, ContactMotion, ContactResponse, DampingLaw, regularized};
pub use material::{ContactSurface, Curvature, Material, MaterialError, MaterialTable, PairMaterial};
pub use piece::Piece;
pub use stage::CompliantForce;
pub(crate) use stage::{CompliantStage, Touch};
