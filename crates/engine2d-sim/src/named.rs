//! Which bodies a force law names.

use crate::force::ForceLaw;
use engine2d_geometry::BodyRef;

/// The bodies a law acts on by name, the ground for what is none; nothing where it acts on whatever there is, or on a list.
pub(crate) fn named(law: &ForceLaw) -> Option<[BodyRef; 2]> {
    match law {
        ForceLaw::Spring { ends, .. } => Some([ends[0].body, ends[1].body]),
        ForceLaw::ConstantForce { body, .. }
        | ForceLaw::Thrusters { body, .. }
        | ForceLaw::RotatingForce { body, .. } => Some([BodyRef::Body(*body), BodyRef::Ground]),
        _ => None,
    }
}
