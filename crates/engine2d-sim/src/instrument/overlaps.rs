//! The deepest overlap of all bodies, measured anew only where it may have become the deepest.
//!
//! An overlap grows by no more than points of one body move against the other. So each pair keeps a bound of its depth, and how
//! its bodies lay to each other then: `depth ≤ bound + |Δ(p_a − p_b)| + R_a |Δφ_a| + R_b |Δφ_b|`, with `R` the largest distance of
//! a point from the centre of mass. Only where that is above the deepest overlap found is the bound taken anew, first along a
//! direction, then by the exact signed distance of the outlines. Whatever is known from before, the answer is the same.

use super::axis;
use super::parts::Parts;
use super::track::{Track, room_for};
use crate::one_way::passes;
use crate::road::{may_meet, reach_of};
use crate::tolerance::PLACED_DEPTH;
use engine2d_geometry::{Bounds, BroadPhase, CollisionBody, CollisionFilter, PathWorkspace, ProxyId};
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
struct Spot {
    position: Vec2,
    angle: f64,
    /// Largest distance of a point from the centre of mass; 0 for a body without bounds.
    reach: f64,
    unbounded: bool,
}

const NOWHERE: Spot = Spot { position: Vec2::new(0.0, 0.0), angle: 0.0, reach: 0.0, unbounded: false };

impl Spot {
    /// How far a point may have gone since the body was elsewhere.
    fn way_from(&self, position: Vec2, angle: f64) -> f64 {
        (self.position - position).norm() + self.reach * (self.angle - angle).abs()
    }
}

/// A pair whose boxes overlap.
#[derive(Clone, Copy, Debug)]
struct Known {
    bodies: [u32; 2],
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
    fn new(bodies: [u32; 2]) -> Self {
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
    fn bound(&self, a: &Spot, b: &Spot) -> f64 {
        let way = (a.position - b.position - self.apart).norm();
        // Of a body without bounds what is near the other turns.
        let near = (a.position - b.position).norm() + way + a.reach + b.reach;
        let arm = |spot: &Spot| if spot.unbounded { near } else { spot.reach };
        let turns = arm(a) * (a.angle - self.angles[0]).abs() + arm(b) * (b.angle - self.angles[1]).abs();
        let size = self.bound.abs() + a.position.amax() + b.position.amax();
        self.bound + way + turns + ROUNDING * size
    }
}

/// The pairs that may overlap, and what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Overlaps {
    broad_phase: BroadPhase,
    tracks: Vec<Track>,
    /// Of the pairs of which not all edges collide.
    parts: BTreeMap<[u32; 2], Parts>,
    spots: Vec<Spot>,
    /// In ascending order.
    pairs: Vec<Known>,
    before: Vec<Known>,
    /// The pair that was deepest the last time: what is not deeper need not be looked at.
    last: [u32; 2],
}

impl Default for Overlaps {
    fn default() -> Self {
        Self {
            broad_phase: BroadPhase::with_margin(0.0),
            tracks: Vec::new(),
            parts: BTreeMap::new(),
            spots: Vec::new(),
            pairs: Vec::new(),
            before: Vec::new(),
            last: [0; 2],
        }
    }
}

impl Overlaps {
    /// The deepest overlap of bodies that can collide; depth 0 if there is none, of two as deep that of the lower numbers. By the
    /// exact signed distance of their outlines, which shares nothing with the detection of contacts.
    pub(super) fn deepest(&mut self, bodies: &[CollisionBody], workspace: &mut PathWorkspace) -> Overlap {
        if let Err(proxy) = self.follow(bodies) {
            // A place that is no number is an error of whoever made it.
            self.tracks.clear();
            return Overlap { depth: f64::NAN, bodies: [proxy; 2] };
        }
        let mut worst = Overlap::default();
        if let Ok(place) = self.pairs.binary_search_by_key(&self.last, |known| known.bodies) {
            self.examine(place, bodies, workspace, &mut worst);
        }
        for place in 0..self.pairs.len() {
            let known = &self.pairs[place];
            let [a, b] = known.bodies.map(|k| &self.spots[k as usize]);
            let bound = known.bound(a, b);
            if bound > 0.0 && bound >= worst.depth {
                self.examine(place, bodies, workspace, &mut worst);
            }
        }
        self.last = worst.bodies;
        worst
    }

    /// Takes up where the bodies are, and which of them are near each other; fails with one that is nowhere.
    fn follow(&mut self, bodies: &[CollisionBody]) -> Result<(), ProxyId> {
        let same = self.tracks.len() == bodies.len()
            && self.tracks.iter().zip(bodies).all(|(track, body)| track.is_of(body));
        if !same {
            self.broad_phase.clear();
            self.pairs.clear();
            self.tracks.clear();
            self.tracks.extend(bodies.iter().map(Track::new));
            self.parts = Parts::of_all(bodies);
        }
        self.spots.resize(bodies.len(), NOWHERE);
        let mut any = !same;
        for (index, ((track, spot), body)) in
            self.tracks.iter_mut().zip(&mut self.spots).zip(bodies).enumerate()
        {
            if !same {
                spot.unbounded = body.shape.is_unbounded();
                spot.reach = if spot.unbounded { 0.0 } else { reach_of(body) };
            }
            let since = *spot;
            (spot.position, spot.angle) = (body.pose.position(), body.pose.angle());
            // Not a number is not within it either.
            if same && spot.way_from(track.position, track.angle) <= track.room {
                continue;
            }
            any = true;
            let way = if same { spot.way_from(since.position, since.angle) } else { 0.0 };
            let room = room_for(way, spot.reach);
            track.room = room;
            (track.position, track.angle) = (spot.position, spot.angle);
            let bounds = if body.shape.is_unbounded() { Bounds::EVERYTHING } else { box_of(body, room) };
            let proxy = index as ProxyId;
            let placed = if index < self.broad_phase.len() {
                self.broad_phase.set_bounds(proxy, bounds)
            } else {
                self.broad_phase.insert(bounds, CollisionFilter::default()).map(|_| ())
            };
            placed.map_err(|_| proxy)?;
        }
        if any {
            self.pair_up();
        }
        Ok(())
    }

    /// Lists the pairs whose boxes overlap, with what is known of them.
    fn pair_up(&mut self) {
        let Self { broad_phase, pairs, before, .. } = self;
        std::mem::swap(pairs, before);
        pairs.clear();
        let mut known = before.iter().peekable();
        for &(a, b) in broad_phase.update() {
            while known.next_if(|known| known.bodies < [a, b]).is_some() {}
            let same = known.next_if(|known| known.bodies == [a, b]);
            pairs.push(same.copied().unwrap_or(Known::new([a, b])));
        }
    }

    /// Measures a pair as far as it may be deeper than the deepest, and notes what was found.
    fn examine(
        &mut self,
        place: usize,
        bodies: &[CollisionBody],
        workspace: &mut PathWorkspace,
        worst: &mut Overlap,
    ) {
        let Self { pairs, spots, parts, .. } = self;
        let known = &mut pairs[place];
        let [a, b] = known.bodies;
        if !may_meet(bodies, a, b) || passes(bodies, a, b, PLACED_DEPTH) {
            return;
        }
        let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
        let at = [a, b].map(|k| &spots[k as usize]);
        let is_deeper = |bound: f64| bound > 0.0 && bound >= worst.depth;
        if let Some(axis) = known.axis {
            let bound = axis::bound(first, second, axis);
            known.set(bound, at[0], at[1]);
            if !is_deeper(bound) {
                return;
            }
        }
        if !known.is_nested {
            let (axis, bound) = axis::search(first, second);
            known.axis = Some(axis);
            known.set(bound, at[0], at[1]);
            if !is_deeper(bound) {
                return;
            }
        }
        let size = at.map(|spot| if spot.unbounded { f64::INFINITY } else { spot.reach });
        let (small, large) = (size[0].min(size[1]), at[0].reach.max(at[1].reach));
        let reach = if small.is_finite() { AHEAD * small } else { 0.0 };
        let found = Parts::distance(parts.get(&[a, b]), [first, second], reach, workspace);
        let gap = found.map_or(reach, |found| found.gap);
        known.set(DISTANCE_ROUNDING * large - gap, at[0], at[1]);
        known.is_nested = gap > 0.0;
        let depth = (-gap).max(0.0);
        if depth > worst.depth || (depth == worst.depth && depth > 0.0 && [a, b] < worst.bodies) {
            *worst = Overlap { depth, bodies: [a, b] };
        }
    }
}

/// A box that contains a body (world) as long as no point of it goes farther than `room` (length).
fn box_of(body: &CollisionBody, room: f64) -> Bounds {
    let Bounds { min, max } = body.shape.bounds();
    let corners = [min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)];
    let Bounds { min, max } = Bounds::of_points(corners.map(|corner| body.to_world(corner)));
    let room = Vec2::new(room, room);
    Bounds { min: min - room, max: max + room }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::{PathBuilder, PathShape, path_distance};
    use engine2d_math::Pose;
    use std::sync::Arc;

    fn number(k: u32, n: u32) -> f64 {
        f64::from((k.wrapping_mul(7919).wrapping_add(n.wrapping_mul(104_729))) % 1000) / 1000.0
    }

    /// What is known from before does not change the answer: bodies creep, jump, and become others.
    #[test]
    fn the_deepest_of_all_pairs_is_found_however_bodies_have_moved() {
        let shapes = [
            Arc::new(PathShape::block(1.0, 0.4).unwrap()),
            Arc::new(PathShape::ball(0.5).unwrap()),
            Arc::new(PathShape::block(0.3, 0.3).unwrap()),
        ];
        let (mut overlaps, mut workspace) = (Overlaps::default(), PathWorkspace::default());
        let mut bodies: Vec<_> = (0..12).map(|k| CollisionBody::new(shapes[k % 3].clone())).collect();
        for (k, body) in (0..).zip(&mut bodies) {
            body.pose = Pose::new(2.0 * number(k, 1), 2.0 * number(k, 2), 6.0 * number(k, 3));
        }
        let mut deepest = 0;
        for step in 0..400_u32 {
            let size = [1e-9, 1e-3, 0.05, 2.0][step as usize / 7 % 4];
            for (k, body) in (0..).zip(&mut bodies).filter(|(k, _)| (k + step) % 3 > 0) {
                let by = |n: u32| size * (number(100 * step + k, n) - 0.5);
                body.translate([by(1), by(2)]);
                body.pose.set_angle(body.pose.angle() + by(3));
            }
            if step % 50 == 49 {
                bodies[step as usize % 12].shape = shapes[step as usize / 50 % 3].clone();
            }
            let mut expected = Overlap::default();
            for a in 0..bodies.len() {
                for b in a + 1..bodies.len() {
                    let (first, second) = (bodies[a].placed(), bodies[b].placed());
                    let found = path_distance(&first, &second, 0.0, &mut workspace);
                    let depth = found.map_or(0.0, |found| -found.gap);
                    if depth > expected.depth {
                        expected = Overlap { depth, bodies: [a as u32, b as u32] };
                    }
                }
            }
            assert_eq!(overlaps.deepest(&bodies, &mut workspace), expected, "step {step}");
            deepest += u32::from(expected.depth > 0.0);
        }
        assert!(deepest > 200, "{deepest}");
    }

    /// A drum is solid outside: as it turns its side comes up against what lies in it.
    #[test]
    fn a_drum_that_turns_is_measured_anew() {
        let mut outline = PathBuilder::new();
        outline.start([-2.0, -1.0]).unwrap();
        for (to, outside_is_up) in [([2.0, -1.0], true), ([2.0, 1.0], false), ([-2.0, 1.0], false)] {
            outline.line_to(to, outside_is_up).unwrap();
        }
        outline.line_to([-2.0, -1.0], true).unwrap();
        let drum = Arc::new(outline.finish().unwrap());
        assert!(drum.is_unbounded());
        let ball = Arc::new(PathShape::ball(0.5).unwrap());
        let mut bodies = [drum, ball.clone(), ball.clone(), ball].map(CollisionBody::new);
        // Two balls overlap a little all the time, so that no smaller bound is looked into.
        for (body, x) in bodies[1..].iter_mut().zip([1.4, 0.0, -0.95]) {
            body.pose = Pose::new(x, 0.0, 0.0);
        }
        let (mut overlaps, mut workspace) = (Overlaps::default(), PathWorkspace::default());
        for step in 0..=60 {
            bodies[0].pose.set_angle(0.02 * f64::from(step));
            let mut expected = 0.0_f64;
            for (a, first) in bodies.iter().enumerate() {
                for second in &bodies[a + 1..] {
                    let found = path_distance(&first.placed(), &second.placed(), 0.0, &mut workspace);
                    expected = expected.max(found.map_or(0.0, |found| -found.gap));
                }
            }
            assert_eq!(overlaps.deepest(&bodies, &mut workspace).depth, expected, "step {step}");
            assert!(step < 60 || expected > 0.1, "{expected}");
        }
    }

    #[test]
    fn a_body_that_is_nowhere_is_told_and_forgotten() {
        let shape = Arc::new(PathShape::ball(0.5).unwrap());
        let mut bodies: Vec<_> = (0..3).map(|_| CollisionBody::new(shape.clone())).collect();
        let (mut overlaps, mut workspace) = (Overlaps::default(), PathWorkspace::default());
        bodies[1].pose = Pose::new(f64::NAN, 0.0, 0.0);
        bodies[2].pose = Pose::new(0.9, 0.0, 0.0);
        assert!(overlaps.deepest(&bodies, &mut workspace).depth.is_nan());
        bodies[1].pose = Pose::new(5.0, 0.0, 0.0);
        let depth = overlaps.deepest(&bodies, &mut workspace).depth;
        assert!((depth - 0.1).abs() < 1e-12, "{depth}");
    }
}
