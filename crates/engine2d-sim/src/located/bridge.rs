//! Islands whose events follow each other faster than they can matter: piles that settle, blocks that rattle. They go on in fixed
//! steps at the level of velocities, each one complementarity problem whatever happens within it, until they are calm.
//!
//! The steps begin where the island stands and are as long as its bodies tell, so that they do not depend on where results are wanted:
//! for a result within a step a shorter one is taken from its beginning, without a trace.

use super::chatter::{Chatter, Pace};
use super::cut::{Reported, cut};
use super::drives::given;
use super::instant::{begin, broken};
use super::island::Island;
use super::pending::Pending;
use super::sea::{Islands, Met, Sea, look_around};
use super::step::{Scratch, Stepped};
use crate::adaptive::DormandPrince;
use crate::after_move::MoveCause;
use crate::contact_force::ContactForce;
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::{joints_left, reach_of};
use crate::settings::ContactModel;
use crate::state::{PER_BODY, State};
use crate::strength::overloaded;
use crate::time_stepping::{Exact, PartSteps};
use crate::work::{Work, check_limit};
use engine2d_geometry::ContactId;
use engine2d_math::Vec2;

/// Way that forces alone take a body within a step, relative to its radius: a step takes the geometry of its middle for all of it,
/// which is wrong by about as much.
const FALL: f64 = 2e-3;

/// Way that a body goes within a step, relative to its radius: sides that pass each other are found in the middle of the step.
const WAY: f64 = 0.1;

/// Longest step (time). It and its halves divide the usual times between results, so that these need no steps of their own.
const LONGEST: f64 = 1.0 / 120.0;

/// Halvings of it.
const HALVINGS: i32 = 20;

/// Share of a step that is none.
const NOTHING: f64 = 1e-6;

/// Closed contacts from which events are looked at so: series of bounces of a body or two are followed to their end.
const CROWD: usize = 6;

/// How often a step is taken again, with more immovable bodies near it or shorter.
const LOOKS: usize = 6;

/// Energy that a step may gain where bodies are put back on contacts and joints, relative to that of the motion and of a fall by
/// the radius; where it gains more it is taken again at half its length.
const GIFT: f64 = 1e-7;

/// Whether fixed steps know all that the world asks for.
pub(super) fn may_chatter(model: &Model) -> bool {
    model.settings.contact_model == ContactModel::Rigid && model.collides() && model.has_constraints()
}

/// Length of the fixed steps of the scope: by its smallest way to go and its fastest body.
/// Also the energy with which forces let each body fall by its radius, but for those that are led: their mass is nobody's.
fn length_of(
    model: &Model,
    state: &mut State,
    work: &mut Work,
    Scratch { y, rates, .. }: &mut Scratch,
) -> Result<(f64, f64), SimError> {
    state.read(y);
    free_rates(model, state, work, y, rates)?;
    let own = state.focus.bodies(state.bodies.len()).filter(|&k| !state.bodies[k].fixed);
    let (most, weight) = own.fold((LONGEST, 0.0), |(length, weight), k| {
        let (body, r) = (&state.bodies[k], &rates[1 + PER_BODY * k..]);
        let reach = reach_of(body);
        let acceleration = r[1].hypot(r[3]) + r[5].abs() * reach;
        let speed = body.velocity.norm() + body.angular_velocity.abs() * reach;
        let length = length.min((2.0 * FALL * reach / acceleration).sqrt()).min(WAY * reach / speed);
        let falls = if model.data[k].led.is_none() { model.data[k].mass * acceleration * reach } else { 0.0 };
        (length, weight + falls)
    });
    let halvings = (0..HALVINGS).find(|&n| LONGEST * 0.5_f64.powi(n) <= most).unwrap_or(HALVINGS);
    Ok((LONGEST * 0.5_f64.powi(halvings), weight))
}

/// The end of a step from `time` on: the next multiple of its length.
fn end_of_step(time: f64, length: f64) -> f64 {
    (time / length + 1.0 + NOTHING).floor() * length
}

/// Notes an event of an island; returns whether they follow each other too closely.
pub(super) fn note_event(
    pace: &mut Pace,
    (model, state, work): (&Model, &mut State, &mut Work),
    scratch: &mut Scratch,
) -> Result<bool, SimError> {
    let stalls = pace.stalls(state.time);
    if state.held.len() < CROWD {
        return Ok(stalls && may_chatter(model));
    }
    if pace.is_new() {
        pace.measure_by(length_of(model, state, work, scratch)?.0);
    }
    Ok(pace.note(state.time) && may_chatter(model))
}

/// Notes a step of an island; returns whether its surfaces slide and hardly get on any more.
pub(super) fn crawls(island: &mut Island, model: &Model, state: &State) -> bool {
    island.chatter.is_none()
        && island.pending.is_none()
        && state.held.sliding().next().is_some()
        && island.pace.crawls(island.time())
        && may_chatter(model)
}

/// Lets an island go on in fixed steps from where it stands; it is what stages work on.
pub(super) fn start(
    island: &mut Island,
    (model, state, work): (&Model, &mut State, &mut Work),
    scratch: &mut Scratch,
) -> Result<(), SimError> {
    state.write(island.integrator.state());
    let (length, _) = length_of(model, state, work, scratch)?;
    start_with(island, (model, state), length);
    Ok(())
}

/// As [`start`], in steps of a length, from where the bodies stand.
pub(super) fn start_with(island: &mut Island, (model, state): (&Model, &mut State), length: f64) {
    crate::spans::tell!(debug, time = state.time, length, "fixed steps");
    let steps = PartSteps::of_held(&state.held);
    state.held.clear();
    let began = (state.time, energy(model, state).total());
    island.chatter = Some(Box::new(Chatter::new(steps, length, began)));
    island.pending = None;
}

/// Takes a fixed step. The bodies stand at its end, and so does the integration.
pub(super) fn step(
    island: &mut Island,
    (mut sea, others): (Option<&mut Sea>, &Islands),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<Stepped, SimError> {
    report.counters.steps += 1;
    let limit = work.shares * model.settings.limits.steps;
    check_limit("steps", report.counters.steps, limit, island.time())?;
    let Island { chatter, integrator, .. } = island;
    let chatter = chatter.as_mut().expect("an island in fixed steps");
    let mut end = end_of_step(integrator.time(), chatter.length);
    state.write(integrator.state());
    let weight = match chatter.weight {
        Some(weight) => weight,
        None => length_of(model, state, work, scratch)?.1,
    };
    chatter.weight = Some(weight);
    let before = energy(model, state);
    let most = before.total() + GIFT * (weight + before.kinetic());
    let Scratch { watch, around, y, exact, .. } = &mut *scratch;
    let reported = Reported::of(report);
    for look in 1..=LOOKS {
        state.write(integrator.state());
        if look > 1 {
            chatter.steps.look(state)?;
        }
        chatter.steps.step(exact, (model, &mut *state, &mut *work), end, report)?;
        state.read(y);
        integrator.take(end, y);
        watch.measure_ways(state, integrator);
        let gives = report.corrections > reported.corrections
            && energy(model, state).total() > most + given(model, state, chatter, integrator);
        let near = state.focus.fixed().to_vec();
        let may_part = chatter.may_part() && integrator.last_time() > island.since;
        let met = sea.as_deref_mut().map_or(Met::Nobody, |sea| {
            look_around(state, watch, (sea, others), integrator, may_part, around)
        });
        if met == Met::Nobody && (!gives && state.focus.fixed() == near || look == LOOKS) {
            break;
        }
        reported.put_back(report);
        chatter.steps.take_back();
        integrator.rewind();
        match met {
            Met::Nobody if gives => end = 0.5 * (integrator.time() + end),
            Met::Nobody => {}
            Met::Islands(numbers) => return Ok(Stepped::Meets(numbers)),
            Met::Apart => return Ok(Stepped::Parts),
        }
    }
    if integrator.state().iter().any(|v| !v.is_finite()) {
        let what = "the state after a step".to_owned();
        return Err(SimError::NotFinite { what, time: integrator.last_time() });
    }
    let parts = (model, &mut *state, &mut *work);
    let crossing = cut((&mut *chatter, &mut *integrator), scratch, parts, reported, report)?;
    chatter.note_step(report.events.len() - reported.events);
    // A joint beyond its strength at a function's zero breaks when all begins anew there.
    island.pending = crossing.map(Pending::User).or_else(|| {
        let joint = overloaded(model, state, chatter.steps.road())?;
        Some(Pending::Break(integrator.time(), joint))
    });
    work.moved(model, state, MoveCause::Step);
    Ok(Stepped::Taken)
}

/// Goes back to located events where few events come, else on in steps as long as the bodies tell now; they stand where the island
/// does.
pub(super) fn look_whether_calm(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<(), SimError> {
    let chatter = island.chatter.as_mut().expect("an island in fixed steps");
    if chatter.is_calm() {
        if chatter.passage.is_some()
            && chatter.passes(state.time, joints_left(model, state, &mut scratch.road)?)
        {
            return Ok(());
        }
        return finish(island, scratch, (model, state, work), report);
    }
    let (length, weight) = length_of(model, state, work, scratch)?;
    (chatter.length, chatter.weight) = (length, Some(weight));
    Ok(())
}

/// Ends fixed steps where the island stands, if forces can be found there.
pub(super) fn finish(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<(), SimError> {
    let Scratch { road, y, .. } = scratch;
    let told = report.events.len();
    match begin(model, state, road, work, report) {
        Ok(()) => {}
        Err(SimError::Unsolved { .. }) => {
            state.held.clear();
            state.write(island.integrator.state());
            report.events.truncate(told);
            return Ok(());
        }
        Err(other) => return Err(other),
    }
    state.read(y);
    let Some(chatter) = island.chatter.take() else { return Ok(()) };
    island.integrator.start_with(state.time, y, chatter.length);
    island.pace = Pace::default();
    if island.pending.is_none() {
        island.pending = broken(model, state, road);
    }
    let (time, since) = (state.time, chatter.since);
    let energy = chatter.energy - energy(model, state).total();
    let movable = state.focus.bodies(state.bodies.len()).filter(|&k| !state.bodies[k].fixed);
    let bodies = movable.filter_map(|k| model.data[k].id).collect();
    report.events.push(Event::FixedSteps { time, since, energy, bodies });
    Ok(())
}

/// Takes an island back to a time within its last fixed step.
pub(super) fn retreat(
    island: &mut Island,
    time: f64,
    Scratch { exact, y, .. }: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
) -> Result<(), SimError> {
    let Island { chatter: Some(chatter), integrator, .. } = island else { return Ok(()) };
    if time >= integrator.time() {
        return Ok(());
    }
    chatter.steps.take_back();
    integrator.rewind();
    state.write(integrator.state());
    if time > integrator.time() {
        chatter.steps.step(exact, (model, &mut *state, work), time, &mut StepReport::default())?;
        state.read(y);
        integrator.take(time, y);
    }
    Ok(())
}

/// A closed contact with its gap and the normal of two corners.
pub(super) type Closed = (ContactId, f64, Option<Vec2>);

/// What islands in fixed steps tell at a moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The contacts that are closed, where the forces of the moment are to be found with those of joints.
    pub(super) closed: Vec<Closed>,
    /// Mean forces of the steps on the contacts of the others.
    pub(super) forces: Vec<ContactForce>,
}

impl Told {
    /// Forgets all of it.
    pub(super) fn clear(&mut self) {
        self.closed.clear();
        self.forces.clear();
    }
}

/// Gives the bodies of the scope, which a shorter step has moved to a time within the last one, velocities a share of the way from those
/// before it to those after it, if their energy is nearer to that share of the way then: what the shorter step does to them may be
/// something else than what the whole one does.
fn keep_between(
    integrator: &DormandPrince,
    share: f64,
    (model, state): (&Model, &mut State),
    shown: &mut Vec<f64>,
) {
    state.read(shown);
    let told = energy(model, state).total();
    let ends = [integrator.last_state(), integrator.state()];
    let energies = ends.map(|end| {
        state.write(end);
        energy(model, state).total()
    });
    let meant = energies[0] + share * (energies[1] - energies[0]);
    state.write(shown);
    booked(model, state, false, |state| go_over(state, model, ends, share));
    if (energy(model, state).total() - meant).abs() >= (told - meant).abs() {
        state.write(shown);
    }
}

/// Gives the bodies of the scope velocities a share of the way from those of one state to those of another.
fn go_over(state: &mut State, model: &Model, [before, after]: [&[f64]; 2], share: f64) {
    let State { bodies, focus, .. } = state;
    let count = bodies.len();
    for k in focus.bodies(count).filter(|&k| model.data[k].led.is_none()) {
        let (body, Some(slot)) = (&mut bodies[k], focus.slot(k)) else { continue };
        let at = |i: usize| {
            let i = 1 + PER_BODY * slot + i;
            before[i] + share * (after[i] - before[i])
        };
        if !body.fixed {
            (body.velocity, body.angular_velocity) = (Vec2::new(at(1), at(3)), at(5));
        }
    }
}

/// Moves the bodies of an island, which is what stages work on, to a time within its last fixed step, without a trace, and tells of
/// its contacts there.
///
/// Their forces are those of the step: at the level of velocities there always are some, which at a moment of a pile with friction
/// takes long to find, or cannot be found at all [Lötstedt 1981].
pub(super) fn show(
    (chatter, integrator): (&Chatter, &DormandPrince),
    (time, shown): (f64, &mut PartSteps),
    (exact, y): (&mut Exact, &mut Vec<f64>),
    (model, state, work): (&Model, &mut State, &mut Work),
    told: &mut Told,
) -> Result<(), SimError> {
    shown.clone_from(&chatter.steps);
    let slack = NOTHING * chatter.length;
    let at_end = (time - integrator.time()).abs() <= slack;
    let at_start = !at_end && time - integrator.last_time() <= slack;
    let is_between = !(at_end || at_start);
    if is_between || shown.has_begun() && !shown.has_forces() {
        let end = if is_between { time } else { integrator.time() };
        shown.take_back();
        state.write(integrator.last_state());
        shown.step(exact, (model, &mut *state, work), end, &mut StepReport::default())?;
    }
    if is_between {
        let share = (time - integrator.last_time()) / (integrator.time() - integrator.last_time());
        keep_between(integrator, share, (model, &mut *state), y);
    } else if at_end {
        state.write(integrator.state());
    } else if at_start {
        state.write(integrator.last_state());
    }
    let holds = state.focus.joints(model.joints.len()).next().is_some();
    if holds || state.focus.ties(model.ties.len()).next().is_some() {
        if at_start {
            shown.take_back();
        }
        told.closed.extend(shown.closed(state));
    } else {
        shown.forces(state, &mut told.forces);
    }
    Ok(())
}
