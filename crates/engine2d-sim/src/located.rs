//! The advance with located events: an adaptive integration that runs on by itself, events at the zeros of
//! functions along its dense output, results at the times asked for.
//!
//! The integrator's steps do not depend on where results are wanted: a state in between is read off the
//! interpolant, and the integration goes on from where it was. Between events closed contacts are held at their gap;
//! every other pair of bodies that could meet in a step is watched by its signed gap.

mod claims;
mod compliant;
mod graze;
mod island;
mod opening;
mod pending;
mod step;
mod track;
mod watch;

pub(crate) use opening::joint_place;

use crate::adaptive::{AdaptiveError, AdaptiveSettings};
use crate::after_move::MoveCause;
use crate::compliant::ContactLaw;
use crate::connector::Place;
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::haste::Haste;
use crate::road::held::HeldSet;
use crate::road::{Road, evaluate, measure, project, report_forces, root, settle, unjam};
use crate::scope::Scope;
use crate::settings::{ContactModel, OdeMethod};
use crate::state::{PER_BODY, State};
use crate::work::Work;
use engine2d_geometry::{Bounds, ContactHandler};
use island::{Island, groups};
use opening::overloaded;
use pending::Pending;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use step::{Scratch, Sea, Stepped, step};

/// Longest step of the integrator (time): functions of the user's are looked at several times in it.
const LONGEST_STEP: f64 = 1.0;

/// How often a step is tried shorter when forces cannot be found within it.
const RETRIES: u32 = 8;

/// An integration with events in progress: islands with clocks of their own.
///
/// The island that is behind the others takes the next step, so that all others stand in or at the end of a step that
/// covers its moment. A step in which bodies leave the boxes their island has claimed looks around; islands whose boxes meet
/// there become one, at the moment at which that step begins, and one whose bodies' boxes are apart falls apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Located {
    /// By the number of their first body.
    islands: BTreeMap<u32, Box<Island>>,
    queue: BinaryHeap<Reverse<Turn>>,
    /// Nothing where the world is one island.
    sea: Option<Sea>,
    running: bool,
    /// Energy of all islands, each at its own time.
    energy: f64,
    scratch: Scratch,
    places: Vec<Place>,
    /// Events that are known and have not happened yet.
    announced: Vec<Event>,
}

/// The part of an integration with events that a snapshot keeps.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct LocatedState {
    islands: BTreeMap<u32, Box<Island>>,
    boxes: Option<Vec<Bounds>>,
    running: bool,
    touches: Option<(ContactHandler, Vec<ContactLaw>)>,
    held: HeldSet,
    haste: Vec<Haste>,
    lengths: [f64; 2],
    announced: Vec<Event>,
}

/// An island's place in the queue: the earliest first, events before steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    time: f64,
    waits: bool,
    island: u32,
}

impl Eq for Turn {}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Turn {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then(self.waits.cmp(&other.waits))
            .then(self.island.cmp(&other.island))
    }
}

impl Turn {
    fn of(island: &Island, number: u32) -> Self {
        Self { time: island.time(), waits: island.pending.is_none(), island: number }
    }
}

impl Located {
    /// Makes the next advance start anew from the state of the world.
    pub(crate) fn invalidate(&mut self) {
        self.running = false;
        self.islands.clear();
        self.queue.clear();
        self.sea = None;
        self.announced.clear();
    }

    /// The rows of the last evaluation.
    pub(crate) fn road(&self) -> &Road {
        &self.scratch.road
    }

    /// What a snapshot keeps.
    pub(crate) fn save(&self, state: &State) -> LocatedState {
        LocatedState {
            islands: self.islands.clone(),
            boxes: self.sea.as_ref().map(|sea| sea.claims.boxes().to_vec()),
            running: self.running,
            touches: state.compliant.save(),
            held: state.held.clone(),
            haste: state.haste.clone(),
            lengths: [state.touch, state.exact],
            announced: self.announced.clone(),
        }
    }

    /// Goes on from a snapshot; the bodies are already where they were.
    pub(crate) fn load(
        &mut self,
        saved: &LocatedState,
        model: &Model,
        state: &mut State,
    ) -> Result<(), SimError> {
        self.invalidate();
        self.islands.clone_from(&saved.islands);
        self.queue.extend(self.islands.iter().map(|(&number, island)| Reverse(Turn::of(island, number))));
        self.running = saved.running;
        state.forget_contacts();
        if let (ContactModel::Compliant(compliant), Some(touches)) =
            (&model.settings.contact_model, &saved.touches)
        {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
            state.compliant.load(touches.clone());
        }
        state.held.clone_from(&saved.held);
        state.haste.clone_from(&saved.haste);
        [state.touch, state.exact] = saved.lengths;
        self.announced.clone_from(&saved.announced);
        if let (Some(boxes), Some(groups)) = (&saved.boxes, groups(model, state)) {
            let mut sea = Sea::new(groups);
            sea.claims.open(&state.bodies, boxes.iter().copied());
            self.islands.iter().for_each(|(&number, island)| sea.own(island, number));
            self.sea = Some(sea);
        }
        Ok(())
    }

    /// Advances to time `target`, or to an event of the user's, whose index is returned.
    pub(crate) fn run_to(
        &mut self,
        (model, state, work): (&mut Model, &mut State, &mut Work),
        target: f64,
        report: &mut StepReport,
    ) -> Result<Option<usize>, SimError> {
        let settings = tolerances(model)?;
        let known = report.events.len();
        if !self.running {
            begin(model, state, &mut self.scratch.road, work, report)?;
            self.divide(model, state);
            self.running = true;
        }
        self.energy = energy(model, state).total();
        work.shares = self.islands.len().max(1) as u64;
        while let Some(&Reverse(turn)) = self.queue.peek() {
            let due = turn.time < target || turn.time == target && !turn.waits;
            if !due {
                break;
            }
            self.queue.pop();
            // Places of islands that have moved on or are gone.
            let Some(mut island) = self.islands.remove(&turn.island) else { continue };
            if Turn::of(&island, turn.island) != turn {
                self.islands.insert(turn.island, island);
                continue;
            }
            island.enter(state);
            let moved = self.turn((model, state, work), &mut island, settings, report);
            island.leave(state);
            match moved {
                Ok(Stepped::Taken) => self.put(island, turn.island),
                Ok(Stepped::Meets(others)) => self.join((model, state, work), island, &others)?,
                Ok(Stepped::Parts) => {
                    island.stand(state);
                    self.part((model, state), &island);
                }
                Ok(Stepped::Stopped(index)) => {
                    self.put(island, turn.island);
                    self.place(state, turn.time);
                    return Ok(Some(index));
                }
                Err(error) => {
                    self.put(island, turn.island);
                    self.place(state, turn.time);
                    return Err(error);
                }
            }
        }
        self.show(model, state, work, target)?;
        self.announce((&mut report.events, known), target);
        Ok(None)
    }

    /// Brings the events from `known` on in the order of their times, with those that were announced and happen until `target`;
    /// what is known of later ones waits.
    fn announce(&mut self, (events, known): (&mut Vec<Event>, usize), target: f64) {
        events.append(&mut self.announced);
        // A contact that has been torn apart before has no last bounce.
        let torn = |events: &[Event], e: &Event| match e {
            Event::Accumulation { time, contact, since, .. } => events.iter().any(|end| {
                let ends = matches!(end, Event::ContactEnd { contact: other, .. } if other == contact);
                ends && *since < end.time() && end.time() < *time
            }),
            _ => false,
        };
        let mut place = known;
        while place < events.len() {
            if torn(&events[known..], &events[place]) {
                events.remove(place);
            } else {
                place += 1;
            }
        }
        self.announced.extend(events.extract_if(known.., |e| e.time() > target));
        events[known..].sort_by(|a, b| a.time().total_cmp(&b.time()));
    }

    /// The islands at the beginning: what always moves together and what touches.
    fn divide(&mut self, model: &Model, state: &mut State) {
        self.invalidate();
        let mut all = Island::whole(state);
        match groups(model, state) {
            None => {
                all.pending = broken(model, state, &self.scratch.road);
                self.put(Box::new(all), 0);
            }
            Some(groups) => {
                let mut sea = Sea::new(groups);
                sea.open(&state.bodies, state.touch);
                // Its first look around tells what is near each part.
                all.scope = Some(Scope { fixed: Vec::new(), ..Scope::whole(model, &state.bodies) });
                let broken = broken(model, state, &self.scratch.road);
                self.sea = Some(sea);
                self.part((model, state), &all);
                if let Some(Pending::Break(_, joint)) = broken {
                    let body = model.joints[joint as usize].bodies().into_iter().filter_map(|b| b.index());
                    let owner = body.filter(|&b| !state.bodies[b].fixed).map(|b| self.owner(b)).next();
                    if let Some(mut island) = owner.and_then(|owner| self.islands.remove(&owner)) {
                        island.pending = broken;
                        let number = island.number();
                        self.put(island, number);
                    }
                }
            }
        }
    }

    fn owner(&self, body: usize) -> u32 {
        self.sea.as_ref().map_or(0, |sea| sea.owners[body])
    }

    /// Puts an island back, and in the queue.
    fn put(&mut self, island: Box<Island>, number: u32) {
        self.queue.push(Reverse(Turn::of(&island, number)));
        self.islands.insert(number, island);
    }

    /// What an island does when it is behind all others: an event, or a step.
    fn turn(
        &mut self,
        (model, state, work): (&mut Model, &mut State, &mut Work),
        island: &mut Island,
        settings: AdaptiveSettings,
        report: &mut StepReport,
    ) -> Result<Stepped, SimError> {
        if let Some(event) = island.pending.take() {
            tracing::debug!(?event, "event located");
            state.write(island.integrator.state());
            if let Pending::User(hit) = event {
                self.running = false;
                report.events.push(model.watched[hit.index].event(hit));
                return Ok(Stepped::Stopped(hit.index));
            }
            let Scratch { road, y, .. } = &mut self.scratch;
            happen(model, state, road, work, event, report)?;
            work.moved(model, state, MoveCause::Handling);
            state.read(y);
            island.integrator.resume(state.time, y);
            island.pending = broken(model, state, road);
            return Ok(Stepped::Taken);
        }
        let stepped = {
            let Self { sea, islands, scratch, .. } = self;
            step(island, (sea.as_mut(), islands), scratch, (model, state, work), settings, report)
        };
        let stepped = match stepped {
            Err(error @ SimError::Unsolved { .. }) => {
                jam(island, &mut self.scratch, (model, state, work), report)?.then_some(()).ok_or(error)?;
                Stepped::Taken
            }
            other => other?,
        };
        if stepped == Stepped::Taken {
            let now = energy(model, state).total();
            self.energy += if self.sea.is_some() { now - island.energy } else { now - self.energy };
            island.energy = now;
            report.highest_energy = report.highest_energy.max(self.energy);
        }
        Ok(stepped)
    }

    /// Makes one island of several, at the moment at which the first stands.
    fn join(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        mut island: Box<Island>,
        others: &[u32],
    ) -> Result<(), SimError> {
        let time = island.time();
        let mut length = island.integrator.next_step();
        island.stand(state);
        for number in others {
            let Some(mut other) = self.islands.remove(number) else { continue };
            other.enter(state);
            let came = other.retreat(time, &mut self.scratch, (model, &mut *state, &mut *work));
            state.write(other.integrator.state());
            other.energy = energy(model, state).total();
            other.leave(state);
            came?;
            length = length.min(other.integrator.next_step());
            island.join(*other);
        }
        island.since = time;
        island.enter(state);
        state.read(&mut self.scratch.y);
        island.integrator.start_with(time, &self.scratch.y, length);
        island.leave(state);
        let number = island.number();
        if let Some(sea) = &mut self.sea {
            sea.own(&island, number);
        }
        self.put(island, number);
        Ok(())
    }

    /// Makes islands of the parts of one, at the moment at which it and its bodies stand.
    fn part(&mut self, (model, state): (&Model, &mut State), island: &Island) {
        let Some(sea) = &mut self.sea else { return };
        let time = island.time();
        for &body in island.scope.iter().flat_map(|scope| &scope.bodies) {
            sea.parts[body as usize] = root(&mut sea.parts, body);
        }
        let parts = island.parts(model, |body| sea.parts[body as usize]);
        parts.iter().for_each(|(&part, own)| sea.own(own, part));
        for (part, mut own) in parts {
            own.enter(state);
            state.read(&mut self.scratch.y);
            own.since = time;
            own.energy = energy(model, state).total();
            own.integrator.start_with(time, &self.scratch.y, island.integrator.next_step());
            own.leave(state);
            self.put(own, part);
        }
    }

    /// Moves all bodies to where they are at a time within the last steps of their islands.
    fn place(&mut self, state: &mut State, time: f64) {
        for island in self.islands.values_mut() {
            island.enter(state);
            island.integrator.interpolate(time, &mut self.scratch.y);
            self.scratch.y[0] = time;
            state.write(&self.scratch.y);
            island.leave(state);
        }
        state.time = time;
        state.held.clear();
        for held in self.islands.values().flat_map(|island| island.held.iter()) {
            state.held.insert(*held);
        }
    }

    /// Moves the bodies to `target`, for those who look; the integration stays where it is.
    fn show(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        target: f64,
    ) -> Result<(), SimError> {
        self.place(state, target);
        // Forces of this moment, without a trace in what comes after.
        let Self { islands, scratch, places, .. } = self;
        places.clone_from(&state.places);
        let Scratch { road, y, rates, .. } = scratch;
        if islands.values().any(|island| island.time() != target) {
            project(model, state, road, &mut work.stages)?;
        }
        state.read(y);
        evaluate(model, state, road, work, y, rates)?;
        show_forces(state, road, work);
        state.places.clone_from(places);
        Ok(())
    }

    /// Accelerations of all bodies at the present state, `[a_x, a_y, α]` each, with what touches as it would settle; the
    /// state stays as it is.
    pub(crate) fn accelerations_now(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
    ) -> Result<Vec<[f64; 3]>, SimError> {
        let (mut before, mut y, mut rates) = (Vec::new(), Vec::new(), Vec::new());
        let road = &mut self.scratch.road;
        state.read(&mut before);
        let (held, haste) = (state.held.clone(), state.haste.clone());
        let began = begin(model, state, road, work, &mut StepReport::default());
        state.read(&mut y);
        let evaluated = began.and_then(|()| evaluate(model, state, road, work, &y, &mut rates));
        show_forces(state, road, work);
        state.write(&before);
        (state.held, state.haste) = (held, haste);
        evaluated?;
        Ok(rates[1..1 + PER_BODY * state.bodies.len()]
            .chunks_exact(PER_BODY)
            .map(|r| [r[1], r[3], r[5]])
            .collect())
    }
}

/// A joint that is beyond its strength from this moment on.
fn broken(model: &Model, state: &State, road: &Road) -> Option<Pending> {
    overloaded(model, state, road).map(|joint| Pending::Break(state.time, joint))
}

/// Where forces have no answer ahead: ends sliding that jams; returns whether there was any.
fn jam(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<bool, SimError> {
    state.write(island.integrator.state());
    let held = state.held.clone();
    let jammed = unjam(model, state, &mut scratch.road, work, report, held)?;
    state.read(&mut scratch.y);
    island.integrator.resume(state.time, &scratch.y);
    Ok(jammed)
}

/// The start of an integration: contacts as they are, collisions at this very moment resolved.
fn begin(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    report: &mut StepReport,
) -> Result<(), SimError> {
    state.erase_old_poses();
    measure(state);
    if let ContactModel::Compliant(compliant) = &model.settings.contact_model {
        if !state.compliant.is_prepared() {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
        }
        compliant::touch(model, state, report)?;
    }
    if model.has_constraints() {
        booked(model, state, true, |state| project(model, state, road, &mut work.stages))?;
    }
    settle(model, state, road, work, true, report)
}

/// Puts the forces of the last evaluation where reports find them.
fn show_forces(state: &State, road: &Road, work: &mut Work) {
    report_forces(state, road, &mut work.forces.last);
    let largest = work.forces.last.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    work.forces.note(largest);
}

/// What an event does.
fn happen(
    model: &mut Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    event: Pending,
    report: &mut StepReport,
) -> Result<(), SimError> {
    match event {
        Pending::Compliant(_) => return compliant::touch(model, state, report),
        Pending::Break(_, joint) => opening::break_joint(model, state, road, joint, report),
        Pending::Rigid(_) | Pending::User(_) => {}
    }
    settle(model, state, road, work, false, report)
}

/// The tolerances of the adaptive method, which located events need.
fn tolerances(model: &Model) -> Result<AdaptiveSettings, SimError> {
    match model.settings.method {
        OdeMethod::DormandPrince { relative_tolerance, absolute_tolerance } => {
            // A stage far ahead may lie where forces have no answer, though the motion does not go there.
            let rest = AdaptiveSettings { retries: RETRIES, ..AdaptiveSettings::default() };
            Ok(AdaptiveSettings { relative_tolerance, absolute_tolerance, ..rest })
        }
        _ => Err(SimError::Unsupported {
            path: "settings.method".to_owned(),
            problem: "located events and compliant contact need the Dormand-Prince method",
        }),
    }
}

fn flatten(error: AdaptiveError<SimError>) -> SimError {
    match error {
        AdaptiveError::Rates(error) => error,
        AdaptiveError::StepTooSmall { time, step } => SimError::StepTooSmall { time, limit: step },
        AdaptiveError::TooManySteps { time, steps } => {
            SimError::WorkLimit { what: "steps", limit: steps, time }
        }
    }
}
