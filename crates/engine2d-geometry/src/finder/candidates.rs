//! The pairs a detection pass has to judge, in order: all of few bodies, those of the broad phase of many.
//!
//! The pair test of a pass is part of its rules; the candidates are a superset of the pairs it accepts, so
//! that the records are the same to the bit whichever way the candidates were found.

use super::Proximity;
use crate::body::CollisionBody;
use crate::bounds::Bounds;
use crate::broad_phase::BroadPhase;
use crate::filter::CollisionFilter;
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Number of bodies up to which looking at all pairs costs less than keeping a tree.
const FEW_BODIES: usize = 24;

/// Relative growth of the boxes and of the speed rule, far above the rounding of the exact pair test and
/// far below anything that would admit more pairs.
const SAFETY: f64 = 1e-9;

/// Finds the candidate pairs of a pass; keeps its tree from pass to pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    phase: BroadPhase,
    /// Excess over its share of the speed limit, largest first, of bodies that have any motion.
    excess: Vec<(f64, u32)>,
    pairs: Vec<(u32, u32)>,
}

impl Candidates {
    /// Calls `visit(i, j)` with `i < j` in ascending order, for at least all pairs that the pair test of
    /// a pass accepts and that are not both fixed.
    pub(super) fn visit(
        &mut self,
        bodies: &[CollisionBody],
        proximity: &[Proximity],
        step: f64,
        tolerance: f64,
        mut visit: impl FnMut(usize, usize),
    ) {
        let n = bodies.len();
        if n <= FEW_BODIES || !self.follow(bodies, proximity, tolerance) {
            for i in 0..n {
                for j in i + 1..n {
                    if !(bodies[i].fixed && bodies[j].fixed) {
                        visit(i, j);
                    }
                }
            }
            return;
        }
        self.phase.update();
        let pairs = if self.add_speeding(bodies, proximity, step) {
            self.pairs.extend_from_slice(self.phase.pairs());
            self.pairs.order();
            self.pairs.dedup();
            &self.pairs
        } else {
            self.phase.pairs()
        };
        pairs.iter().for_each(|&(i, j)| visit(i as usize, j as usize));
    }

    /// Brings the boxes of the bodies up to date; `false` if a body has none (it is not finite).
    fn follow(&mut self, bodies: &[CollisionBody], proximity: &[Proximity], tolerance: f64) -> bool {
        if self.phase.len() != bodies.len() {
            self.phase.clear();
        }
        for (i, (body, p)) in bodies.iter().zip(proximity).enumerate() {
            // A wall may meet whatever is before its surface or behind it.
            let bounds = if p.special_normal.is_some() {
                Bounds::EVERYTHING
            } else {
                let reach = (p.radius + tolerance / 2.0) * (1.0 + SAFETY);
                let rounding = SAFETY * (p.centroid.x.abs() + p.centroid.y.abs());
                Bounds::of_circle(p.centroid, reach + rounding)
            };
            // Fixed bodies do not meet one another.
            let filter = if body.fixed {
                CollisionFilter { categories: 0b10, mask: 0b01 }
            } else {
                CollisionFilter { categories: 0b01, mask: 0b11 }
            };
            let proxy = i as u32;
            let followed = if i < self.phase.len() {
                self.phase.set_bounds(proxy, bounds).and_then(|()| self.phase.set_filter(proxy, filter))
            } else {
                self.phase.insert(bounds, filter).map(|_| ())
            };
            if followed.is_err() {
                self.phase.clear();
                return false;
            }
        }
        true
    }

    /// Collects the pairs that are judged because of their speed, whatever their distance; whether there
    /// are any.
    ///
    /// A pair is fast when `s_i + s_j > 2 (h_i + h_j)/step`: when the sum of the excesses
    /// `s − 2 h/step` is positive, for which one of them must be.
    fn add_speeding(&mut self, bodies: &[CollisionBody], proximity: &[Proximity], step: f64) -> bool {
        self.pairs.clear();
        self.excess.clear();
        for (i, (body, p)) in bodies.iter().zip(proximity).enumerate() {
            let allowed = 2.0 * body.min_height / step;
            let excess = p.speed * (1.0 + SAFETY) - allowed * (1.0 - SAFETY);
            // With a step of 0 nothing is fast: the excess is −∞ or undefined.
            if excess > f64::NEG_INFINITY {
                self.excess.push((excess, i as u32));
            }
        }
        if self.excess.iter().all(|&(e, _)| e <= 0.0) {
            return false;
        }
        self.excess.order_distinct_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (rank, &(excess, i)) in self.excess.iter().enumerate() {
            if excess <= 0.0 {
                break;
            }
            for &(_, j) in self.excess[rank + 1..].iter().take_while(|&&(e, _)| e + excess > 0.0) {
                if !(bodies[i as usize].fixed && bodies[j as usize].fixed) {
                    self.pairs.push((i.min(j), i.max(j)));
                }
            }
        }
        true
    }
}

impl Proximity {
    /// Whether the pair's enclosing circles (or the half plane before a wall's surface) may overlap.
    #[inline]
    pub(super) fn is_near(&self, other: &Self, tolerance: f64) -> bool {
        let apart: Vec2 = other.centroid - self.centroid;
        let reach = self.radius + other.radius + tolerance;
        if let Some(n) = self.special_normal {
            apart.dot(&n) < reach
        } else if let Some(n) = other.special_normal {
            -apart.dot(&n) < reach
        } else {
            apart.norm_squared() < reach * reach
        }
    }
}
