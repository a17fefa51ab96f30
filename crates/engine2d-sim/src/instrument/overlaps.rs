//! The deepest overlap of all bodies, measured anew only where it may have become the deepest.
//!
//! An overlap grows by no more than points of one body move against the other. So each pair keeps a bound of its depth, and how
//! its bodies lay to each other then: `depth ≤ bound + |Δ(p_a − p_b)| + R_a |Δφ_a| + R_b |Δφ_b|`, with `R` the largest distance of
//! a point from the centre of mass. Only where that is above the deepest overlap found is the bound taken anew, first along a
//! direction, then by the exact signed distance of the outlines. Whatever is known from before, the answer is the same. Two discs of a
//! world of discs have a bound that is as good as the answer, and are not kept.

use super::discs::Discs;
use super::pair::{Known, NOWHERE, Overlap, Spot};
use super::parts::Parts;
use super::track::{Track, room_for};
use engine2d_geometry::{Bounds, BroadPhase, CollisionBody, CollisionFilter, PathWorkspace, ProxyId};
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use std::collections::BTreeMap;

/// The pairs that may overlap, and what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Overlaps {
    broad_phase: BroadPhase,
    /// Nearly all bodies, where these are discs: no pair of them is in the list then.
    discs: Discs,
    /// The boxes of the others there.
    boxes: Vec<Bounds>,
    near: Vec<[u32; 2]>,
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
            discs: Discs::default(),
            boxes: Vec::new(),
            near: Vec::new(),
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
        if self.discs.are_many() {
            let Self { discs, parts, spots, .. } = self;
            discs.each_overlap(|pair, bound| {
                if bound >= worst.depth {
                    let mut known = Known::new(pair);
                    known.examine((bodies, &*parts, &*spots), workspace, &mut worst);
                }
            });
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
            self.discs.take_up(bodies);
        }
        self.spots.resize(bodies.len(), NOWHERE);
        if self.discs.are_many() {
            return self.follow_discs(bodies, same);
        }
        let mut any = !same;
        for (index, ((track, spot), body)) in
            self.tracks.iter_mut().zip(&mut self.spots).zip(bodies).enumerate()
        {
            let since = *spot;
            spot.follow(body, same);
            // Not a number is not within it either.
            if same && spot.way_from(track.position, track.angle) <= track.room {
                continue;
            }
            any = true;
            let way = if same { spot.way_from(since.position, since.angle) } else { 0.0 };
            let room = room_for(way, spot.reach);
            track.room = room;
            (track.position, track.angle) = (spot.position, spot.angle);
            let bounds = whole_box_of(body, room);
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

    /// The same where nearly all bodies are discs: those are listed in their grid, all others by their boxes.
    fn follow_discs(&mut self, bodies: &[CollisionBody], same: bool) -> Result<(), ProxyId> {
        let Self { discs, boxes, near, spots, .. } = self;
        for ((index, spot), body) in spots.iter_mut().enumerate().zip(bodies) {
            spot.follow(body, same);
            let is_somewhere = spot.position.x.is_finite() && spot.position.y.is_finite();
            if !(is_somewhere && spot.angle.is_finite()) {
                return Err(index as ProxyId);
            }
        }
        discs.list(|body| spots[body as usize].position);
        let others = discs.others();
        boxes.clear();
        boxes.extend(others.iter().map(|&k| whole_box_of(&bodies[k as usize], 0.0)));
        near.clear();
        for (k, (&a, own)) in others.iter().zip(&*boxes).enumerate() {
            let rest = others.iter().zip(&*boxes).skip(k + 1);
            near.extend(rest.filter(|(_, other)| own.overlaps(other)).map(|(&b, _)| [a, b]));
            discs.each_within(own, |b| near.push([a.min(b), a.max(b)]));
        }
        near.order();
        self.note_pairs();
        Ok(())
    }

    /// Lists the pairs whose boxes overlap, with what is known of them.
    fn pair_up(&mut self) {
        self.near.clear();
        self.near.extend(self.broad_phase.update().iter().map(|&(a, b)| [a, b]));
        self.note_pairs();
    }

    /// Takes the pairs that are near, in ascending order, for those that are listed; what is known of them stays.
    fn note_pairs(&mut self) {
        let Self { near, pairs, before, .. } = self;
        std::mem::swap(pairs, before);
        pairs.clear();
        let mut known = before.iter().peekable();
        for &bodies in &*near {
            while known.next_if(|known| known.bodies < bodies).is_some() {}
            let same = known.next_if(|known| known.bodies == bodies);
            pairs.push(same.copied().unwrap_or(Known::new(bodies)));
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
        pairs[place].examine((bodies, parts, spots), workspace, worst);
    }
}

/// As [`box_of`] of any body.
fn whole_box_of(body: &CollisionBody, room: f64) -> Bounds {
    if body.shape.is_unbounded() { Bounds::EVERYTHING } else { box_of(body, room) }
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

    fn of_all_pairs(bodies: &[CollisionBody], workspace: &mut PathWorkspace) -> Overlap {
        let mut expected = Overlap::default();
        for a in 0..bodies.len() {
            for b in a + 1..bodies.len() {
                let found = path_distance(&bodies[a].placed(), &bodies[b].placed(), 0.0, workspace);
                let depth = found.map_or(0.0, |found| -found.gap);
                if depth > expected.depth {
                    expected = Overlap { depth, bodies: [a as u32, b as u32] };
                }
            }
        }
        expected
    }

    /// Worlds of discs have a grid; what else is there is not forgotten, nor a disc that is far larger than the others.
    #[test]
    fn the_deepest_of_many_discs_and_a_few_others_is_found() {
        let shapes =
            [PathShape::ball(0.3), PathShape::ball(0.5), PathShape::ball(1.2), PathShape::block(3.0, 0.5)];
        let shapes = shapes.map(|shape| Arc::new(shape.unwrap()));
        let (mut overlaps, mut workspace) = (Overlaps::default(), PathWorkspace::default());
        let kind = |k: usize| if k % 40 == 39 { 2 + k / 40 % 2 } else { k % 2 };
        let mut bodies: Vec<_> = (0..120).map(|k| CollisionBody::new(shapes[kind(k)].clone())).collect();
        let (mut kinds, mut seed) = ([0; 3], 1_u64);
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1_u64 << 24) as f64 - 0.5
        };
        for step in 0..120_u32 {
            let spread = [30.0, 60.0, 120.0][step as usize % 3];
            for body in &mut bodies {
                body.pose = Pose::new(spread * random(), spread * random(), 6.0 * random());
            }
            let expected = of_all_pairs(&bodies, &mut workspace);
            // Of two as deep but for rounding it may be either.
            let found = overlaps.deepest(&bodies, &mut workspace);
            assert!(
                (found.depth - expected.depth).abs() < 1e-13 * spread,
                "step {step}: {found:?} {expected:?}"
            );
            if expected.depth > 0.0 {
                let others = expected.bodies.iter().filter(|k| kind(**k as usize) > 1).count();
                kinds[others] += 1;
            }
        }
        assert!(kinds[0] > 10 && kinds[1] > 10, "{kinds:?}");
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
            let expected = of_all_pairs(&bodies, &mut workspace);
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
