//! A chain of hinged links.

use engine2d_constraint::{BodyId, Mass, Mechanism, Revolute};
use engine2d_math::Pose;

/// A horizontal chain under gravity, its first end pinned: two rows a link.
pub(crate) fn chain(links: usize) -> Mechanism {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -9.81]).unwrap();
    let mut before = (BodyId::GROUND, [0.0, 0.0]);
    for k in 0..links {
        let link = m.add_body(Mass::new(1.0, 0.1), Pose::new(k as f64 + 0.5, 0.0, 0.0)).unwrap();
        m.add(Revolute::new(link, [-0.5, 0.0], before.0, before.1)).unwrap();
        before = (link, [0.5, 0.0]);
    }
    m
}
