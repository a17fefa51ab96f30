//! The pairs of bodies that may meet within a step.

use crate::body::BodyData;
use crate::collision::Collision;
use crate::compliant::{PairView, PieceSet, may_meet};
use engine2d_geometry::{BodyRef, Bounds, BroadPhase, CollisionBody, CollisionFilter, PairId, ProxyId};
use engine2d_math::Vec2;
use std::ops::Range;

/// Depth (length) of pieces at a held contact that says that it is no longer theirs: a corner has handed it over to a
/// side, say. The gap of a contact that is held rightly drifts by far less within a step.
const HELD_DEPTH: f64 = 1e-7;

/// Distance within which pieces meet at the same place as a contact, relative to the size of a body.
const SAME_POINT: f64 = 1e-5;

/// Two bodies that may meet, and the pairs of their convex pieces.
#[derive(Clone, Debug)]
struct Candidate {
    bodies: [u32; 2],
    /// Places in the list of pairs; empty if a body has no pieces or all of them are held.
    free: Range<usize>,
    /// Places of those pairs that meet at a held contact.
    held: Range<usize>,
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

    /// Finds the pairs that may meet while every body goes no farther than `way`, but for pairs of pieces that meet at
    /// a held contact already.
    pub(super) fn collect(
        &mut self,
        data: &[BodyData],
        bodies: &[CollisionBody],
        held: &[Collision],
        way: f64,
    ) {
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
        self.broad_phase.update();
        for &(a, b) in self.broad_phase.pairs() {
            if may_meet(bodies, a, b) {
                let start = self.pairs.len();
                self.pieces.pairs_of(a, b, &mut self.pairs);
                let kept = held_last(&self.pieces, (&mut self.pairs, start), [a, b], bodies, held);
                let (free, held) = (start..kept, kept..self.pairs.len());
                self.list.push(Candidate { bodies: [a, b], free, held });
            }
        }
    }

    /// Number of pairs of bodies.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether one of the two bodies has no pieces, or all of them are held.
    pub(super) fn has_no_pieces(&self, k: usize) -> bool {
        self.list[k].free.is_empty()
    }

    /// The place of two bodies in the list.
    pub(super) fn find(&self, a: u32, b: u32) -> Option<usize> {
        self.list.binary_search_by_key(&[a.min(b), a.max(b)], |c| c.bodies).ok()
    }

    /// Distance of two bodies by their pieces, or a lower bound if they are clearly apart; `None` if one has no
    /// pieces. Pieces at a held contact count by how much deeper they are than [`HELD_DEPTH`].
    pub(super) fn gap(&self, k: usize, bodies: &[CollisionBody]) -> Option<f64> {
        let Candidate { free, held, .. } = &self.list[k];
        let gap = |pair: &PairId| self.pieces.gap(*pair, bodies);
        let free = self.pairs[free.clone()].iter().map(gap);
        let held = self.pairs[held.clone()].iter().map(|pair| gap(pair) + HELD_DEPTH);
        free.chain(held).reduce(f64::min)
    }

    /// The bodies of a pair of pieces.
    pub(super) fn owners(&self, pair: PairId) -> [u32; 2] {
        self.pieces.owners(pair)
    }

    /// Where the pieces of a pair are nearest, or deepest. `None` where no distance is defined.
    pub(super) fn view(&self, pair: PairId, bodies: &[CollisionBody]) -> Option<PairView> {
        self.pieces.view(pair, bodies)
    }

    /// Adds the pairs of pieces to a list whose distance is within limits; returns the
    /// smallest distance of them, infinite without any.
    pub(super) fn collect_near(
        &self,
        bodies: &[CollisionBody],
        (low, high): (f64, f64),
        near: &mut Vec<PairId>,
    ) -> f64 {
        let mut smallest = f64::INFINITY;
        for Candidate { free, held, .. } in &self.list {
            let free = self.pairs[free.clone()].iter().map(|&pair| (pair, high));
            let held = self.pairs[held.clone()].iter().map(|&pair| (pair, -0.5 * HELD_DEPTH));
            for (pair, high) in free.chain(held) {
                if self.pieces.far_apart(pair, bodies).is_some() {
                    continue;
                }
                let Some(view) = self.pieces.view(pair, bodies) else { continue };
                if view.distance >= low && view.distance <= high {
                    smallest = smallest.min(view.distance);
                    if !near.contains(&pair) {
                        near.push(pair);
                    }
                }
            }
        }
        smallest
    }
}

/// Sorts those of the pairs of pieces from `start` on that are nearest at a held contact of the two bodies to the end;
/// returns where they begin.
fn held_last(
    pieces: &PieceSet,
    (pairs, start): (&mut Vec<PairId>, usize),
    [a, b]: [u32; 2],
    bodies: &[CollisionBody],
    held: &[Collision],
) -> usize {
    let of_pair = |record: &&Collision| {
        let owners = [record.contact.id.primary, record.contact.id.normal_body];
        owners == [BodyRef::Body(a), BodyRef::Body(b)] || owners == [BodyRef::Body(b), BodyRef::Body(a)]
    };
    if !held.iter().any(|record| of_pair(&record)) {
        return pairs.len();
    }
    let size = bodies[a as usize].shape.centroid_radius();
    let at_held = |pair: PairId| {
        let here =
            |p: Vec2| held.iter().filter(of_pair).any(|r| (r.contact.point - p).norm() <= SAME_POINT * size);
        pieces.far_apart(pair, bodies).is_none()
            && pieces.view(pair, bodies).is_some_and(|view| here(view.point))
    };
    let mut kept = start;
    for k in start..pairs.len() {
        if !at_held(pairs[k]) {
            pairs.swap(kept, k);
            kept += 1;
        }
    }
    kept
}
