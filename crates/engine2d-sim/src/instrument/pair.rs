//! A pair of bodies as the instrument knows it: a bound of its depth, where it was taken, and the measurement itself.

use super::axis;
use super::parts::Parts;
use crate::one_way::passes;
use crate::road::{may_meet, reach_of};
use crate::tolerance::PLACED_DEPTH;
use engine2d_geometry::{CollisionBody, PathWorkspace};
use engine2d_math::Vec2;
use std::collections::BTreeMap;

/// How far apart outlines are measured, relative to the smaller body: until they have come as near again they need no look.
const AHEAD: f64 = 0.02;

/// Rounding of a distance of outlines, relative to the bodies.
const DISTANCE_ROUNDING: f64 = 1e-12;

/// Rounding of the sum of a bound and ways, in the largest coordinate.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The deepest overlap of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Overlap {
    /// Depth (length): the largest distance of a point of one body within the other from its outline.
    pub(crate) depth: f64,
    pub(crate) bodies: [u32; 2],
}

/// Where a body is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) position: Vec2,
    pub(super) angle: f64,
    /// Largest distance of a point from the centre of mass; 0 for a body without bounds.
    pub(super) reach: f64,
    unbounded: bool,
}

pub(super) const NOWHERE: Spot =
    Spot { position: Vec2::new(0.0, 0.0), angle: 0.0, reach: 0.0, unbounded: false };

impl Spot {
    /// Takes up where its body is, which may be another one.
    pub(super) fn follow(&mut self, body: &CollisionBody, same: bool) {
        if !same {
            self.unbounded = body.shape.is_unbounded();
            self.reach = if self.unbounded { 0.0 } else { reach_of(body) };
        }
        (self.position, self.angle) = (body.pose.position(), body.pose.angle());
    }

    /// How far a point may have gone since the body was elsewhere.
    pub(super) fn way_from(&self, position: Vec2, angle: f64) -> f64 {
        (self.position - position).norm() + self.reach * (self.angle - angle).abs()
    }
}

/// A pair whose boxes overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) bodies: [u32; 2],
    /// A direction that showed how little they overlap, if one was looked for.
    axis: Option<Vec2>,
    /// Whether no direction parts them though they are apart, as bodies that are not convex: none is looked for then.
    is_nested: bool,
    /// The bound of the depth, with the place of the first body seen from the second, and the angles, when it was taken.
    bound: f64,
    apart: Vec2,
    angles: [f64; 2],
}

impl Known {
    pub(super) fn new(bodies: [u32; 2]) -> Self {
        Self {
            bodies,
            axis: None,
            is_nested: false,
            bound: f64::INFINITY,
            apart: Vec2::zeros(),
            angles: [0.0; 2],
        }
    }

    /// Notes a bound of the depth.
    fn set(&mut self, bound: f64, a: &Spot, b: &Spot) {
        (self.bound, self.apart, self.angles) = (bound, a.position - b.position, [a.angle, b.angle]);
    }

    /// The bound of the depth now.
    #[inline]
    pub(super) fn bound(&self, a: &Spot, b: &Spot) -> f64 {
        let way = (a.position - b.position - self.apart).norm();
        // Of a body without bounds what is near the other turns.
        let near = (a.position - b.position).norm() + way + a.reach + b.reach;
        let arm = |spot: &Spot| if spot.unbounded { near } else { spot.reach };
        let turns = arm(a) * (a.angle - self.angles[0]).abs() + arm(b) * (b.angle - self.angles[1]).abs();
        let size = self.bound.abs() + a.position.amax() + b.position.amax();
        self.bound + way + turns + ROUNDING * size
    }

    /// Measures the pair as far as it may be deeper than the deepest, and notes what was found.
    pub(super) fn examine(
        &mut self,
        (bodies, parts, spots): (&[CollisionBody], &BTreeMap<[u32; 2], Parts>, &[Spot]),
        workspace: &mut PathWorkspace,
        worst: &mut Overlap,
    ) {
        let [a, b] = self.bodies;
        if !may_meet(bodies, a, b) || passes(bodies, a, b, PLACED_DEPTH) {
            return;
        }
        let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
        let at = [a, b].map(|k| &spots[k as usize]);
        let is_deeper = |bound: f64| bound > 0.0 && bound >= worst.depth;
        if let Some(axis) = self.axis {
            let bound = axis::bound(first, second, axis);
            self.set(bound, at[0], at[1]);
            if !is_deeper(bound) {
                return;
            }
        }
        if !self.is_nested {
            let (axis, bound) = axis::search(first, second);
            self.axis = Some(axis);
            self.set(bound, at[0], at[1]);
            if !is_deeper(bound) {
                return;
            }
        }
        let size = at.map(|spot| if spot.unbounded { f64::INFINITY } else { spot.reach });
        let (small, large) = (size[0].min(size[1]), at[0].reach.max(at[1].reach));
        let reach = if small.is_finite() { AHEAD * small } else { 0.0 };
        let found = Parts::distance(parts.get(&[a, b]), [first, second], reach, workspace);
        let gap = found.map_or(reach, |found| found.gap);
        self.set(DISTANCE_ROUNDING * large - gap, at[0], at[1]);
        self.is_nested = gap > 0.0;
        let depth = (-gap).max(0.0);
        if depth > worst.depth || (depth == worst.depth && depth > 0.0 && [a, b] < worst.bodies) {
            *worst = Overlap { depth, bodies: [a, b] };
        }
    }
}
