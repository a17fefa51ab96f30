//! Surfaces and who meets whom, as the formats tell of them.

/// How a surface behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    /// Coulomb coefficient (≥ 0).
    pub(crate) friction: f64,
    /// Part of the normal speed that a collision gives back, 0 to 1.
    pub(crate) restitution: f64,
}

impl Surface {
    /// An order of surfaces, and whether two are the same.
    pub(crate) fn key(self) -> [u64; 2] {
        [self.friction.to_bits(), self.restitution.to_bits()]
    }
}

/// Whom a part meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// All others.
    All,
    /// By the bits of Box2D: groups above 0 always, below 0 never, else each category must be in the other's mask.
    Box2d { category: u32, mask: u32, group: i32 },
    /// By the bits of MuJoCo: one's type must be in the other's affinity.
    Mujoco { kind: u32, affinity: u32 },
}

impl Filter {
    /// Whether two parts may meet.
    pub(crate) fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::Box2d { category, mask, group }, Self::Box2d { category: c, mask: m, group: g }) => {
                if group == g && group != 0 {
                    group > 0
                } else {
                    mask & c != 0 && category & m != 0
                }
            }
            (Self::Mujoco { kind, affinity }, Self::Mujoco { kind: k, affinity: a }) => {
                kind & a != 0 || k & affinity != 0
            }
            _ => true,
        }
    }
}
