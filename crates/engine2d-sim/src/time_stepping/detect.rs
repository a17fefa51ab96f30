//! Which places of bodies may meet within a step.

use super::memory::Memory;
use super::near::{Near, bodies_of};
use crate::error::SimError;
use crate::one_way::passes;
use crate::parallel;
use crate::road::{Touch, WATCHED_TILT, may_meet, reach_of};
use crate::scope::Focus;
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use engine2d_geometry::{
    Bounds, BroadPhase, CollisionBody, CollisionFilter, ContactBand, ContactId, PathContact, PathWorkspace,
    ProxyId,
};
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Room of the boxes of the broad phase, relative to the smallest movable body: in it bodies move without being looked up
/// anew.
const ROOM: f64 = 0.2;

/// Room beyond the way that bodies go by themselves, relative to the smallest movable body: what pushes add.
const MARGIN: f64 = 0.02;

/// Fewest pairs for which the narrow phase goes side by side, and into how many stretches they are cut.
const MANY: usize = 4096;
const STRETCHES: usize = 16;

/// The narrow phase of a stretch of pairs.
#[derive(Clone, Debug, Default)]
struct Narrow {
    scratch: NarrowScratch,
    touches: Vec<Touch>,
}

/// What finding the places of a pair works with.
#[derive(Clone, Debug, Default)]
pub(super) struct NarrowScratch {
    pub(super) workspace: PathWorkspace,
    pub(super) contacts: Vec<PathContact>,
}

/// Broad phase from step to step, and the scratch of pairs.
#[derive(Clone, Debug)]
pub(super) struct Detector {
    broad_phase: BroadPhase,
    /// Largest distance of a point of each body from its centre of mass.
    pub(super) reaches: Vec<f64>,
    /// Area of each body by its diameter: how thick it is if it is long.
    pub(super) thicknesses: Vec<f64>,
    /// The bodies that have boxes in the broad phase, in its order.
    listed: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    narrows: Vec<Narrow>,
    /// A box of each body (world) that it does not leave.
    boxes: Vec<Bounds>,
    /// What was near before.
    known: Vec<Near>,
    /// Radius of the smallest movable body; 0 if there is none.
    smallest: f64,
}

impl Default for Detector {
    fn default() -> Self {
        Self {
            broad_phase: BroadPhase::with_margin(0.0),
            reaches: Vec::new(),
            thicknesses: Vec::new(),
            listed: Vec::new(),
            pairs: Vec::new(),
            narrows: Vec::new(),
            boxes: Vec::new(),
            known: Vec::new(),
            smallest: 0.0,
        }
    }
}

impl Detector {
    /// Takes up other bodies: those of the scope.
    pub(super) fn begin(&mut self, State { bodies, focus, .. }: &State) {
        let own = focus.bodies(bodies.len()).map(|k| &bodies[k]);
        let smallest =
            own.filter(|b| !b.fixed).map(|b| b.shape.outline_circle().1).fold(f64::INFINITY, f64::min);
        self.smallest = if smallest.is_finite() { smallest } else { 0.0 };
        self.listed.clear();
        self.reaches.clear();
        self.reaches.extend(bodies.iter().map(reach_of));
        self.thicknesses.clear();
        self.thicknesses.extend(bodies.iter().map(thickness_of));
    }

    /// Finds all places that may meet while no point of body `k` goes farther than `ways[k]` (length), in the order of the
    /// bodies, but of pairs of which one passes the other; `narrow` appends those of a pair within a band.
    pub(super) fn find(
        &mut self,
        (bodies, focus): (&[CollisionBody], &Focus),
        ways: &[f64],
        passes: impl Fn([u32; 2]) -> bool,
        narrow: impl Fn(&mut NarrowScratch, [u32; 2], &ContactBand, &mut Vec<Touch>) + Sync,
        out: &mut Vec<Touch>,
    ) -> Result<(), SimError> {
        let present = focus.present(bodies.len());
        if self.listed.is_empty() || !self.listed.iter().map(|&k| k as usize).eq(present.clone()) {
            self.broad_phase = BroadPhase::with_margin(ROOM * self.smallest);
            self.listed.clear();
            self.listed.extend(present.clone().map(|k| k as u32));
        }
        self.boxes.resize(bodies.len(), Bounds::EMPTY);
        for (proxy, index) in present.enumerate() {
            let bounds = bounds_of(&bodies[index], ways[index]);
            self.boxes[index] = bounds;
            let placed = if proxy < self.broad_phase.len() {
                self.broad_phase.set_bounds(proxy as ProxyId, bounds)
            } else {
                self.broad_phase.insert(bounds, CollisionFilter::default()).map(|_| ())
            };
            if placed.is_err() {
                let value = bodies[index].pose.position().x;
                let path = format!("bodies[{index}].position");
                return Err(SimError::Value {
                    path,
                    value,
                    allowed: "the place of a body must be a finite number",
                });
            }
        }
        self.pairs.clear();
        let Self { listed, boxes, .. } = self;
        let near = self.broad_phase.update().iter().map(|&(a, b)| [listed[a as usize], listed[b as usize]]);
        let near = near.map(|[a, b]| [a.min(b), a.max(b)]);
        // The boxes of the broad phase have more room.
        let reach = |[a, b]: [u32; 2]| ways[a as usize] + ways[b as usize];
        let meet = |[a, b]: [u32; 2]| boxes[a as usize].overlaps(&boxes[b as usize]);
        let near = near.filter(|&[a, b]| meet([a, b]) && may_meet(bodies, a, b));
        self.pairs.extend(near.filter(|&pair| !passes(pair)));
        self.pairs.order();
        let Self { pairs, narrows, reaches, .. } = self;
        let stretches = if parallel::is_wide() && pairs.len() >= MANY { STRETCHES } else { 1 };
        narrows.resize_with(stretches, Narrow::default);
        let size = pairs.len().div_ceil(stretches);
        parallel::each_range(narrows, pairs, size, 0, &|own: &mut Narrow, (pairs, _): (&mut [_], _)| {
            own.touches.clear();
            for &mut [a, b] in pairs {
                // A corner that cannot come down in this step lies at the end of the side below it, and may slide over that.
                let turn = |k: u32| ways[k as usize] / reaches[k as usize].max(f64::MIN_POSITIVE);
                let (reach, tilt) = (reach([a, b]), (turn(a) + turn(b)).min(WATCHED_TILT));
                narrow(
                    &mut own.scratch,
                    [a, b],
                    &ContactBand { depth: reach, reach, tilt },
                    &mut own.touches,
                );
            }
        });
        out.clear();
        match &mut narrows[..] {
            [one] => std::mem::swap(out, &mut one.touches),
            all => all.iter().for_each(|narrow| out.extend_from_slice(&narrow.touches)),
        }
        Ok(())
    }
}

/// Way along a body within which a place is taken for one that is known though its features are others, relative to the smallest
/// movable body: corners of blocks that lie flush are now one's, now the other's.
const SAME: f64 = 0.1;

/// Depth to which a body that rests on a one-way platform may sink in and still be held, relative to the smallest movable body: far
/// more than soft contacts yield.
const SUNK: f64 = 0.1;

/// Whether one of two bodies is a one-way platform that the other passes: it is not wholly before the solid side, and was not when
/// the step began.
fn passes_platform(
    (bodies, memory): (&[CollisionBody], &Memory),
    pair: [u32; 2],
    (touch, smallest): (f64, f64),
) -> bool {
    let [a, b] = pair;
    if pair.iter().all(|&k| bodies[k as usize].one_way.is_none()) {
        return false;
    }
    let slack = if memory.fresh() { PLACED_DEPTH } else { touch };
    passes(bodies, a, b, slack) && (!memory.is_near(pair) || passes(bodies, a, b, SUNK * smallest))
}

/// Finds the places that may meet at the present state, in the order of the pairs, with what is known of them.
pub(super) fn look_near(
    state: &State,
    memory: &mut Memory,
    detector: &mut Detector,
    touches: &mut Vec<Touch>,
    narrow: impl Fn(&mut NarrowScratch, [u32; 2], &ContactBand, &mut Vec<Touch>) + Sync,
) -> Result<(), SimError> {
    let (bodies, smallest) = (&state.bodies, detector.smallest);
    let passes_now = |pair| passes_platform((bodies, memory), pair, (state.touch, smallest));
    detector.find((bodies, &state.focus), &memory.ways, passes_now, narrow, touches)?;
    std::mem::swap(&mut memory.near, &mut detector.known);
    let Detector { known, smallest, .. } = detector;
    memory.near.clear();
    let (mut from, mut rest) = (0, &touches[..]);
    while let Some(first) = rest.first() {
        // Both lists are in the order of the pairs.
        let pair = bodies_of(first.id);
        let count = rest.iter().take_while(|touch| bodies_of(touch.id) == pair).count();
        let (of_pair, others) = rest.split_at(count);
        rest = others;
        from += known[from..].iter().take_while(|known| known.pair() < pair).count();
        let to = from + known[from..].iter().take_while(|known| known.pair() == pair).count();
        recall(of_pair, &mut known[from..to], (&state.bodies, SAME * *smallest), &mut memory.near);
        from = to;
    }
    Ok(())
}

/// Adds the places of a pair to those that are near, each once, with what was `known` of it or of one within `reach` (length).
fn recall(
    touches: &[Touch],
    known: &mut [Near],
    (bodies, reach): (&[CollisionBody], f64),
    out: &mut Vec<Near>,
) {
    let first = out.len();
    for touch in touches {
        if out[first..].iter().any(|other| other.id == touch.id) {
            continue;
        }
        let mut near = Near::new(touch, bodies);
        let same = known.iter().position(|known| known.id == near.id);
        if let Some(k) = same {
            near.depth = known[k].depth;
            near.presses = std::mem::take(&mut known[k].presses);
        }
        if let Some(k) = same.or_else(|| known.iter().position(|known| known.is_close_to(&near, reach))) {
            (near.impulse, near.rolling) = (known[k].impulse, known[k].rolling);
        }
        out.push(near);
    }
}

impl Detector {
    /// What pressed and is not near any more.
    pub(super) fn lost(&self) -> impl Iterator<Item = ContactId> + '_ {
        self.known.iter().filter(|near| near.presses).map(|near| near.id)
    }
}

/// How far each body may go in the step to come: as in the last one, with what forces add, and a margin.
pub(super) fn set_ways(
    state: &State,
    detector: &Detector,
    (before, changes): (&[[f64; 3]], &[[f64; 3]]),
    h: f64,
    ways: &mut Vec<f64>,
) {
    let margin = MARGIN * detector.smallest;
    ways.clear();
    ways.resize(state.bodies.len(), 0.0);
    for k in state.focus.bodies(state.bodies.len()).filter(|&k| !state.bodies[k].fixed) {
        let body = &state.bodies[k];
        let [x, y, w] = changes[k];
        // As fast as it came: so deep it may have met something.
        let came = before.get(k).map_or((0.0, 0.0), |v| (Vec2::new(v[0], v[1]).norm(), v[2].abs()));
        let linear = body.velocity.norm().max(came.0) + Vec2::new(x, y).norm();
        let angular = body.angular_velocity.abs().max(came.1) + w.abs();
        ways[k] = h * (linear + angular * detector.reaches[k]) + margin;
    }
}

fn thickness_of(body: &CollisionBody) -> f64 {
    let shape = &body.shape;
    let has_other_side = !shape.is_unbounded() && shape.special_edge().is_none();
    let area = shape.area_properties().area;
    if has_other_side && area > 0.0 { area / (2.0 * shape.outline_circle().1) } else { f64::INFINITY }
}

/// A box that contains a body as long as no point of it goes farther than `way` (length).
fn bounds_of(body: &CollisionBody, way: f64) -> Bounds {
    if body.shape.is_unbounded() {
        return Bounds::EVERYTHING;
    }
    let Bounds { min, max } = body.shape.bounds();
    let corners = [min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)];
    let Bounds { min, max } = Bounds::of_points(corners.map(|corner| body.to_world(corner)));
    let room = Vec2::new(way, way);
    Bounds { min: min - room, max: max + room }
}
