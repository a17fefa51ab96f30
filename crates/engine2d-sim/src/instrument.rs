//! What a report says of a state, measured on that state alone: how deep bodies are in each other, how far joints are
//! open, energy and momentum. Nothing here knows how the state was made.

mod axis;

pub(crate) use axis::circle_of;

use crate::body::BodyData;
use crate::error::SimError;
use crate::model::Model;
use crate::one_way::passes;
use crate::road::{frame_motions, may_meet};
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use engine2d_constraint::{Equation, FrameMotion, Level, Motions, RowKind};
use engine2d_geometry::{
    Bounds, BroadPhase, CollisionBody, CollisionFilter, PathWorkspace, ProxyId, path_distance,
};
use engine2d_math::{Vec2, cross};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Scratch of the measurements.
#[derive(Clone, Debug)]
pub(crate) struct Instrument {
    broad_phase: BroadPhase,
    workspace: PathWorkspace,
    motions: Vec<FrameMotion>,
    equations: Vec<Equation>,
    /// The pairs, in ascending order, with a direction that showed how little they overlap.
    axes: Vec<Known>,
    known: Vec<Known>,
    queue: BinaryHeap<Bounded>,
}

/// A direction that bounds the depth of a pair.
#[derive(Clone, Copy, Debug)]
struct Known {
    bodies: [u32; 2],
    axis: Vec2,
}

/// A pair that may overlap, the deepest bound first.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    bound: f64,
    place: usize,
    /// Whether no better direction is known.
    searched: bool,
}

impl Ord for Bounded {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Bounded {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Bounded {}

impl Default for Instrument {
    fn default() -> Self {
        Self {
            broad_phase: BroadPhase::with_margin(0.0),
            workspace: PathWorkspace::default(),
            motions: Vec::new(),
            equations: Vec::new(),
            axes: Vec::new(),
            known: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }
}

/// The deepest overlap of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Overlap {
    /// Depth (length): the largest distance of a point of one body within the other from its outline.
    pub(crate) depth: f64,
    pub(crate) bodies: [u32; 2],
}

impl Instrument {
    /// The deepest overlap of bodies that can collide; depth 0 if there is none. By the exact signed distance of their
    /// outlines, which shares nothing with the detection of contacts.
    pub(crate) fn deepest(&mut self, bodies: &[CollisionBody]) -> Overlap {
        if self.broad_phase.len() != bodies.len() {
            self.broad_phase.clear();
        }
        for (index, body) in bodies.iter().enumerate() {
            let bounds = if body.shape.is_unbounded() { Bounds::EVERYTHING } else { box_of(body) };
            let proxy = index as ProxyId;
            let placed = if index < self.broad_phase.len() {
                self.broad_phase.set_bounds(proxy, bounds)
            } else {
                self.broad_phase.insert(bounds, CollisionFilter::default()).map(|_| ())
            };
            if placed.is_err() {
                // A place that is no number is an error of whoever made it.
                return Overlap { depth: f64::NAN, bodies: [proxy; 2] };
            }
        }
        self.broad_phase.update();
        self.bound(bodies);
        let mut worst = Overlap::default();
        while let Some(Bounded { bound, place, searched }) = self.queue.pop() {
            if bound <= worst.depth {
                break;
            }
            let known = &mut self.axes[place];
            let [a, b] = known.bodies;
            let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
            if !searched {
                let (axis, bound) = axis::search(first, second);
                known.axis = axis;
                self.queue.push(Bounded { bound, place, searched: true });
                continue;
            }
            if let Some(found) = path_distance(&first.placed(), &second.placed(), 0.0, &mut self.workspace)
                && -found.gap > worst.depth
            {
                worst = Overlap { depth: -found.gap, bodies: [a, b] };
            }
        }
        self.queue.clear();
        worst
    }
}

impl Instrument {
    /// Bounds the depth of all pairs that can collide by the directions that bounded it before, and queues those that may overlap.
    fn bound(&mut self, bodies: &[CollisionBody]) {
        std::mem::swap(&mut self.axes, &mut self.known);
        self.axes.clear();
        self.queue.clear();
        let mut known = self.known.iter().peekable();
        for &(a, b) in self.broad_phase.pairs() {
            if !may_meet(bodies, a, b) || passes(bodies, a, b, PLACED_DEPTH) {
                continue;
            }
            while known.next_if(|known| known.bodies < [a, b]).is_some() {}
            let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
            let before = known.next_if(|known| known.bodies == [a, b]);
            let (axis, bound) = match before {
                Some(before) => (before.axis, axis::bound(first, second, before.axis)),
                None => axis::search(first, second),
            };
            let place = self.axes.len();
            self.axes.push(Known { bodies: [a, b], axis });
            if bound > 0.0 {
                self.queue.push(Bounded { bound, place, searched: before.is_none() });
            }
        }
    }

    /// The deepest overlap of one body with those of a list.
    pub(crate) fn deepest_of(&mut self, bodies: &[CollisionBody], place: usize, near: &[u32]) -> Overlap {
        let mut worst = Overlap::default();
        let own = place as u32;
        let (center, radius) = circle_of(&bodies[place]);
        for &other in near.iter().filter(|&&other| other != own) {
            let (middle, reach) = circle_of(&bodies[other as usize]);
            let apart = (center - middle).norm() > radius + reach;
            if apart || !may_meet(bodies, own, other) || passes(bodies, own, other, PLACED_DEPTH) {
                continue;
            }
            let (first, second) = (bodies[place].placed(), bodies[other as usize].placed());
            if let Some(found) = path_distance(&first, &second, 0.0, &mut self.workspace)
                && -found.gap > worst.depth
            {
                worst = Overlap { depth: -found.gap, bodies: [other, own] };
            }
        }
        worst
    }
}

/// A box that contains a body (world).
fn box_of(body: &CollisionBody) -> Bounds {
    let Bounds { min, max } = body.shape.bounds();
    let corners = [min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)];
    Bounds::of_points(corners.map(|corner| body.to_world(corner)))
}

/// Largest deviation of a bilateral connector or a rigid joint from its position (length or radians).
pub(crate) fn joint_error(
    model: &Model,
    state: &State,
    instrument: &mut Instrument,
) -> Result<f64, SimError> {
    if !model.has_constraints() {
        return Ok(0.0);
    }
    let State { bodies, places, time, .. } = state;
    let mut worst = 0.0_f64;
    for (tie, place) in model.ties.iter().zip(places).filter(|(tie, _)| tie.connector.is_bilateral()) {
        worst = worst.max(tie.normal_distance(*place, bodies, *time)?.abs());
    }
    if model.joints.is_empty() {
        return Ok(worst);
    }
    let Instrument { motions, equations, .. } = instrument;
    frame_motions(bodies, motions);
    for joint in model.joints.iter().filter(|joint| joint.is_enabled()) {
        equations.clear();
        joint.equations(Motions::new(motions).at_time(*time), equations);
        let rigid = equations
            .iter()
            .filter(|e| e.level == Level::Position && e.kind == RowKind::Bilateral && e.spring.is_rigid());
        worst = rigid.map(|e| e.position_error.abs()).fold(worst, f64::max);
    }
    Ok(worst)
}

/// Momentum and angular momentum about the origin of the movable bodies.
pub(crate) fn momentum(data: &[BodyData], bodies: &[CollisionBody]) -> (Vec2, f64) {
    let movable = data.iter().zip(bodies).filter(|(data, _)| data.is_movable());
    movable.fold((Vec2::zeros(), 0.0), |(p, l), (data, b)| {
        let own = b.velocity * data.mass;
        (p + own, l + cross(b.pose.position(), own) + data.moment * b.angular_velocity)
    })
}
