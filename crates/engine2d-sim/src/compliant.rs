//! Compliant contact: force from the depth of penetration and its rate.

mod law;
mod material;

pub use law::{ContactLaw, ContactMotion, ContactResponse, DampingLaw, regularized};
pub use material::{ContactSurface, Curvature, Material, MaterialError, MaterialTable, PairMaterial};
