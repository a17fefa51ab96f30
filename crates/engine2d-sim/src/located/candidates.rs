//! The pairs of bodies that may meet within a step.

use crate::body::BodyData;
use crate::compliant::{PairView, PieceSet, may_meet};
use engine2d_geometry::{Bounds, BroadPhase, CollisionBody, CollisionFilter, PairId, ProxyId};
use std::ops::Range;

/// Two bodies that may meet, and the pairs of their convex pieces.
#[derive(Clone, Debug)]
struct Candidate {
    bodies: [u32; 2],
    /// Places in the list of pairs; empty if a body has no pieces.
    pairs: Range<usize>,
}

/// Candidate pairs by a broad phase over the places that the bodies can reach.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pieces: PieceSet,
    broad_phase: BroadPhase,
    /// Sorted by bodies.
    list: Vec<Candidate>,
    pairs: Vec<PairId>,
}

impl Default for Candidates {
    fn default() -> Self {
        Self {
            pieces: PieceSet::default(),
            // Without margins of its own, so that the candidates depend on the present alone.
            broad_phase: BroadPhase::with_margin(0.0),
            list: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

impl Candidates {
    /// Forgets all pairs and pieces.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Finds the pairs that may meet while every body goes no farther than `way`.
    pub(super) fn collect(&mut self, data: &[BodyData], bodies: &[CollisionBody], way: f64) {
        if self.pieces.body_count() != bodies.len() {
            self.pieces.place(data);
            self.broad_phase.clear();
        }
        for (index, body) in bodies.iter().enumerate() {
            let proxy = index as ProxyId;
            let reach = self.pieces.reach(proxy, body).max(body.shape.centroid_radius()) + way;
            let bounds = if reach.is_finite() {
                Bounds::of_circle(body.pose.position(), reach)
            } else {
                Bounds::EVERYTHING
            };
            // A body whose place is no number is an error elsewhere.
            let _ignored = if index < self.broad_phase.len() {
                self.broad_phase.set_bounds(proxy, bounds)
            } else {
                self.broad_phase.insert(bounds, CollisionFilter::default()).map(|_| ())
            };
        }
        self.list.clear();
        self.pairs.clear();
        for &(a, b) in self.broad_phase.update() {
            if may_meet(bodies, a, b) {
                let start = self.pairs.len();
                self.pieces.pairs_of(a, b, &mut self.pairs);
                self.list.push(Candidate { bodies: [a, b], pairs: start..self.pairs.len() });
            }
        }
    }

    /// Number of pairs of bodies.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The bodies of a pair.
    pub(super) fn bodies(&self, k: usize) -> [u32; 2] {
        self.list[k].bodies
    }

    /// Whether one of the two bodies has no pieces.
    pub(super) fn has_no_pieces(&self, k: usize) -> bool {
        self.list[k].pairs.is_empty()
    }

    /// The place of two bodies in the list.
    pub(super) fn find(&self, a: u32, b: u32) -> Option<usize> {
        self.list.binary_search_by_key(&[a.min(b), a.max(b)], |c| c.bodies).ok()
    }

    /// Distance of two bodies by their pieces, or a lower bound if they are clearly apart; `None` if one has no
    /// pieces.
    pub(super) fn gap(&self, k: usize, bodies: &[CollisionBody]) -> Option<f64> {
        let pairs = &self.pairs[self.list[k].pairs.clone()];
        let gaps = pairs.iter().map(|&pair| self.pieces.gap(pair, bodies));
        gaps.reduce(f64::min)
    }

    /// The bodies of a pair of pieces.
    pub(super) fn owners(&self, pair: PairId) -> [u32; 2] {
        self.pieces.owners(pair)
    }

    /// Where the pieces of a pair are nearest, or deepest. `None` where no distance is defined.
    pub(super) fn view(&self, pair: PairId, bodies: &[CollisionBody]) -> Option<PairView> {
        self.pieces.view(pair, bodies)
    }

    /// Lists the pairs of pieces whose distance is within limits and whose bodies pass the filter; returns the
    /// smallest distance of them, infinite without any.
    pub(super) fn collect_near(
        &self,
        bodies: &[CollisionBody],
        (low, high): (f64, f64),
        filter: impl Fn([u32; 2]) -> bool,
        near: &mut Vec<PairId>,
    ) -> f64 {
        near.clear();
        let mut smallest = f64::INFINITY;
        for candidate in self.list.iter().filter(|c| filter(c.bodies)) {
            for &pair in &self.pairs[candidate.pairs.clone()] {
                if self.pieces.far_apart(pair, bodies).is_some() {
                    continue;
                }
                let Some(view) = self.pieces.view(pair, bodies) else { continue };
                if view.distance >= low && view.distance <= high {
                    smallest = smallest.min(view.distance);
                    near.push(pair);
                }
            }
        }
        smallest
    }
}
