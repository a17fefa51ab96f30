//! One step of an island's integration, up to an event if there is one in it.

use super::claims::Claims;
use super::graze::Graze;
use super::island::Island;
use super::opening::Opening;
use super::track::Track;
use super::watch::{Functions, Moving, Watch};
use super::{LONGEST_STEP, flatten};
use crate::adaptive::{AdaptiveSettings, CrossingLocator, DormandPrince};
use crate::after_move::MoveCause;
use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Road, evaluate, may_meet, project, reach_of, root};
use crate::state::State;
use crate::work::{Work, check_limit};
use engine2d_geometry::{Bounds, CollisionBody};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Room about the way of a body within which it needs no look around (relative to its radius).
const ROOM: f64 = 0.1;

/// Gap within which bodies belong to one island, in touching gaps.
const AROUND: f64 = 8.0;

/// Scratch of steps, of use to every island.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    locator: CrossingLocator,
    watch: Watch,
    graze: Graze,
    pub(super) road: Road,
    pub(super) y: Vec<f64>,
    pub(super) rates: Vec<f64>,
    around: Around,
}

/// What a look around finds.
#[derive(Clone, Debug, Default)]
struct Around {
    near: Vec<u32>,
    fixed: Vec<u32>,
    islands: Vec<u32>,
}

/// All islands but the one at work, by their numbers.
pub(super) type Islands = BTreeMap<u32, Box<Island>>;

/// How a step has ended.
#[derive(Debug, PartialEq)]
pub(super) enum Stepped {
    /// It was taken.
    Taken,
    /// It was not: in it, bodies may meet those of islands of these numbers.
    Meets(Vec<u32>),
    /// A function of the user's of this number has crossed zero.
    Stopped(usize),
    /// It was not: the island falls apart, into the parts that the sea has noted.
    Parts,
}

/// The boxes of all islands, and whose each body is.
#[derive(Clone, Debug, Default)]
pub(super) struct Sea {
    pub(super) claims: Claims,
    /// Number of the island of each movable body.
    pub(super) owners: Vec<u32>,
    /// Part of each body of an island that falls apart.
    pub(super) parts: Vec<u32>,
    /// The bodies that always move together: by the first one.
    pub(super) groups: Vec<u32>,
    /// Whether the box of each body overlaps those of other islands that it passes at other times.
    crowded: Vec<bool>,
}

impl Sea {
    /// Of a world whose bodies always move together as `groups` says.
    pub(super) fn new(groups: Vec<u32>) -> Self {
        let count = groups.len();
        Self {
            parts: groups.clone(),
            owners: vec![0; count],
            crowded: vec![true; count],
            groups,
            ..Self::default()
        }
    }

    /// Claims the places where the bodies are, and notes which belong together.
    pub(super) fn open(&mut self, bodies: &[CollisionBody], touch: f64) {
        let around = |body: &CollisionBody| {
            if body.shape.is_unbounded() {
                return Bounds::EVERYTHING;
            }
            let reach = reach_of(body);
            let room = if body.fixed { 0.0 } else { ROOM * reach };
            Bounds::of_circle(body.pose.position(), reach + room + AROUND * touch)
        };
        self.claims.open(bodies, bodies.iter().map(around));
        let mut met = Vec::new();
        for k in (0..bodies.len()).filter(|&k| !bodies[k].fixed) {
            self.claims.around(k, &mut met);
            for &other in met.iter().filter(|&&other| !bodies[other as usize].fixed) {
                if may_meet(bodies, k as u32, other) {
                    let [a, b] = [k as u32, other].map(|body| root(&mut self.parts, body));
                    self.parts[a.max(b) as usize] = a.min(b);
                }
            }
        }
    }

    /// Notes whose the bodies of an island are.
    pub(super) fn own(&mut self, island: &Island, number: u32) {
        for &body in island.scope.iter().flat_map(|scope| &scope.bodies) {
            self.owners[body as usize] = number;
        }
    }
}

/// Takes a step. The bodies stand at its end, the integration just past an event if there is one.
pub(super) fn step(
    island: &mut Island,
    (sea, others): (Option<&mut Sea>, &Islands),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    settings: AdaptiveSettings,
    report: &mut StepReport,
) -> Result<Stepped, SimError> {
    report.counters.steps += 1;
    let limit = work.shares * model.settings.limits.steps;
    check_limit("steps", report.counters.steps, limit, island.time())?;
    state.write(island.integrator.state());
    let roams = sea.is_some();
    let longest = scratch.watch.longest_step(model, state).min(LONGEST_STEP).min(island.stride());
    let longest = if roams { longest.min(island.longest_step(state)) } else { longest };
    island.integrator.configure(AdaptiveSettings { max_step: longest, ..settings });
    let Scratch { locator, watch, graze, road, rates, around, .. } = scratch;
    let shared = RefCell::new(Moving { model, state: &mut *state, road, work: &mut *work, rates });
    let failure: RefCell<Option<SimError>> = RefCell::new(None);
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
        if let Some(error) = failure.borrow_mut().take() {
            return Err(error);
        }
        let Moving { model, state, road, work, rates } = &mut *shared.borrow_mut();
        evaluate(model, state, road, work, y, rates)?;
        state.gather(rates, dy);
        Ok(())
    };
    let integrator = &mut island.integrator;
    integrator.step(&mut rates, f64::INFINITY).map_err(flatten)?;
    watch.measure_ways(shared.borrow().state, integrator);
    if let Some(sea) = sea {
        let Moving { state, .. } = &mut *shared.borrow_mut();
        let may_part = integrator.last_time() > island.since;
        let stepped = look_around(state, watch, (sea, others), integrator, may_part, around);
        if stepped != Stepped::Taken {
            integrator.rewind();
            island.roamed(matches!(stepped, Stepped::Meets(_)));
            return Ok(stepped);
        }
        island.roamed(false);
    }
    let integrator = &mut island.integrator;
    loop {
        let samples = {
            let Moving { model, state, road, .. } = &mut *shared.borrow_mut();
            watch.prepare(model, state, road)?
        };
        if let Some(samples) = samples {
            if watch.is_empty() {
                break;
            }
            watch.direct(locator, shared.borrow().road.pairs.offsets());
            let mut crossing = Functions { watch, graze, shared: &shared, failure: &failure };
            let hit = locator.search(integrator, &mut rates, &mut crossing, samples).map_err(flatten)?;
            island.pending = hit.map(|hit| watch.event(hit));
            break;
        }
        // Too far for the looks a step has: a shorter one.
        let half = 0.5 * (integrator.time() - integrator.last_time());
        integrator.redo(&mut rates, half).map_err(flatten)?;
        watch.measure_ways(shared.borrow().state, integrator);
    }
    if let Some(error) = failure.into_inner() {
        return Err(error);
    }
    if integrator.state().iter().any(|v| !v.is_finite()) {
        let what = "the state after a step".to_owned();
        return Err(SimError::NotFinite { what, time: integrator.last_time() });
    }
    if island.pending.is_none() {
        open(island, scratch, (model, &mut *state, &mut *work))?;
    }
    island.advanced();
    state.write(island.integrator.state());
    work.moved(model, state, MoveCause::Step);
    let Scratch { road, y, .. } = scratch;
    if island.pending.is_none()
        && booked(model, state, true, |state| project(model, state, road, &mut work.stages))?
    {
        state.read(y);
        island.integrator.adjust(island.integrator.time(), y);
    }
    Ok(Stepped::Taken)
}

/// Where a closed row opens within the last step, or a joint breaks, the step ends there.
fn open(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
) -> Result<(), SimError> {
    let Scratch { road, y, rates: all, .. } = scratch;
    let integrator = &mut island.integrator;
    let Some(opening) = Opening::at_end(model, state, road) else { return Ok(()) };
    let time = opening.locate((model, state, road, work), integrator, y, all)?;
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
        evaluate(model, state, road, work, y, all)?;
        state.gather(all, dy);
        Ok(())
    };
    if time < integrator.time() {
        integrator.go_back(&mut rates, time).map_err(flatten)?;
    }
    island.pending = Some(opening.event(integrator.time()));
    Ok(())
}

/// Whether all bodies of an island stay within their boxes in the step just taken. Where one does not, all get new ones,
/// and what is met there decides; an island falls apart no sooner than a step after it has become what it is.
fn look_around(
    state: &mut State,
    watch: &Watch,
    (sea, others): (&mut Sea, &Islands),
    integrator: &DormandPrince,
    may_part: bool,
    Around { near, fixed, islands }: &mut Around,
) -> Stepped {
    let State { bodies, focus, touch, .. } = state;
    let own = || focus.bodies(bodies.len());
    let Sea { claims, owners, parts, groups, crowded } = sea;
    let bounds = |k: usize| watch.bounds(k).inflated(reach_of(&bodies[k]) + AROUND * *touch);
    let stays = own().all(|k| claims.of(k).contains(&bounds(k)));
    if stays && own().all(|k| !crowded[k]) {
        return Stepped::Taken;
    }
    for k in own() {
        if !stays {
            claims.set(k, bounds(k).inflated(ROOM * reach_of(&bodies[k])));
        }
        (parts[k], crowded[k]) = (k as u32, false);
    }
    let mut join = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|body| root(parts, body));
        parts[a.max(b) as usize] = a.min(b);
    };
    own().for_each(|k| join(k as u32, groups[k]));
    fixed.clear();
    islands.clear();
    for k in own() {
        claims.around(k, near);
        for &other in near.iter().filter(|&&other| may_meet(bodies, k as u32, other)) {
            if bodies[other as usize].fixed {
                fixed.push(other);
            } else {
                let (other, number) = (other as usize, owners[other as usize]);
                let room = reach_of(&bodies[k]) + reach_of(&bodies[other]) + AROUND * *touch;
                let own = |body: usize| focus.slot(body).map(|slot| Track { integrator, slot });
                let (track, foreign) = (own(k), own(other).or_else(|| others.get(&number)?.track(other)));
                let meet = track.zip(foreign).is_none_or(|(a, b)| a.meets(&b, room));
                if !meet {
                    // In the next step they might.
                    (crowded[k], crowded[other]) = (true, true);
                } else if number == owners[k] {
                    join(k as u32, other as u32);
                } else {
                    islands.push(number);
                }
            }
        }
    }
    let whole = own().map(|k| root(parts, k as u32)).is_sorted_by(|a, b| a == b);
    focus.set_fixed(fixed);
    if !islands.is_empty() {
        islands.sort_unstable();
        islands.dedup();
        return Stepped::Meets(islands.clone());
    }
    if whole || stays || !may_part { Stepped::Taken } else { Stepped::Parts }
}
