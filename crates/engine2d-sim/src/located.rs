//! The advance with located events: an adaptive integration that runs on by itself, events at the zeros of functions along it, results when asked for.
//!
//! The integrator's steps do not depend on where results are wanted: a state in between is read off the
//! interpolant, and the integration goes on from where it was. Between events closed contacts are held at their gap;
//! every other pair of bodies that could meet in a step is watched by its signed gap.

mod announced;
mod archipelago;
mod bridge;
mod chatter;
mod claims;
mod compliant;
mod course;
mod cut;
mod drives;
mod flight;
mod flights;
mod graze;
mod instant;
mod island;
mod landing;
mod opening;
mod pending;
mod queue;
mod saved;
mod sea;
mod singular;
mod step;
mod track;
mod unsolved;
mod wall;
mod watch;
mod way;

use crate::adaptive::AdaptiveSettings;
use crate::after_move::MoveCause;
use crate::connector::Place;
use crate::contact_force::ContactForce;
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::ledger::Entry;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::{Road, Source, evaluate, hold, project, report_forces};
use crate::settings::ContactModel;
use crate::state::{PER_BODY, State};
use crate::time_stepping::PartSteps;
use crate::work::Work;
use announced::announce;
use archipelago::{Archipelago, Mover};
use bridge::Told;
use instant::{begin, broken};
use island::Island;
use pending::Pending;
pub(crate) use saved::LocatedState;
use saved::unfit;
use step::{Scratch, Stepped, step, tolerances};
use unsolved::{begin_or_chatter, happen_or_chatter, jam_or_chatter};

/// An integration with events in progress: islands with clocks of their own.
///
/// The island that is behind the others takes the next step, so that all others stand in or at the end of a step that
/// covers its moment. A step in which bodies leave the boxes their island has claimed looks around; islands whose boxes meet
/// there become one, at the moment at which that step begins, and one whose bodies' boxes are apart falls apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Located {
    archipelago: Archipelago,
    running: bool,
    /// Energy of all islands, each at its own time.
    energy: f64,
    scratch: Scratch,
    places: Vec<Place>,
    /// Fixed steps to where results are wanted.
    shown: PartSteps,
    told: Told,
    /// Events that are known and have not happened yet.
    announced: Vec<Event>,
}

impl Located {
    /// Makes the next advance start anew from the state of the world.
    pub(crate) fn invalidate(&mut self) {
        self.running = false;
        self.archipelago = Archipelago::default();
        self.announced.clear();
    }

    /// The rows of the last evaluation.
    pub(crate) fn road(&self) -> &Road {
        &self.scratch.road
    }

    /// What a snapshot keeps.
    pub(crate) fn save(&self, state: &State) -> LocatedState {
        LocatedState {
            islands: self.archipelago.islands.clone(),
            flights: self.archipelago.flights(),
            boxes: self.archipelago.sea.as_ref().map(|sea| {
                let boxes = sea.claims.boxes().iter();
                boxes.map(|bounds| bounds.is_finite().then_some(*bounds)).collect()
            }),
            running: self.running,
            touches: state.compliant.save(),
            held: state.held.clone(),
            haste: state.haste.clone(),
            touch: state.touch,
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
        let entries = state.ledger.as_ref().map_or(0, |ledger| ledger.work.len());
        let count = state.bodies.len();
        let counts = [count, model.ties.len(), model.joints.len()];
        let mut islands = saved.islands.values();
        let fits = (entries == 0 || entries == model.laws.len() + Entry::COUNT)
            && islands.all(|island| island.fits(model, entries) && island.held.fits(counts))
            && saved.held.fits(counts)
            && saved.boxes.as_ref().is_none_or(|boxes| boxes.len() == count);
        if !fits {
            return Err(unfit("snapshot.located"));
        }
        self.running = saved.running;
        state.forget_contacts();
        if let (ContactModel::Compliant(compliant), Some(touches)) =
            (&model.settings.contact_model, &saved.touches)
        {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
            if !state.compliant.load(touches.clone()) {
                return Err(unfit("snapshot.located.touches"));
            }
        }
        state.held.clone_from(&saved.held);
        state.haste.clone_from(&saved.haste);
        state.touch = saved.touch;
        self.announced.clone_from(&saved.announced);
        let movers = (&saved.islands, &saved.flights[..]);
        self.archipelago = Archipelago::load(movers, saved.boxes.as_deref(), model, state)
            .ok_or_else(|| unfit("snapshot.located.flights"))?;
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
            let parts = (&*model, &mut *state, &mut *work);
            let chatters = begin_or_chatter(&mut self.scratch, parts, report)?;
            self.invalidate();
            let Self { archipelago, scratch, .. } = self;
            archipelago.divide((model, state), scratch);
            if chatters {
                archipelago.chatter((model, state, work), scratch)?;
            }
            self.running = true;
        }
        self.energy = energy(model, state).total();
        work.shares = self.archipelago.clocks().max(1) as u64;
        while let Some((turn, mover)) = self.archipelago.behind(target) {
            let mut island = match mover {
                Mover::Island(island) => island,
                Mover::Flight => {
                    self.fly((model, &mut *state, &mut *work), turn, report)?;
                    continue;
                }
            };
            // Not sooner, where the others still look at the step that ends here; and not right after an event: how fast they
            // follow each other is not forgotten.
            if island.has_stepped() && self.archipelago.take_off(state, &mut island) {
                continue;
            }
            island.enter(state);
            let moved = self.turn((model, state, work), &mut island, settings, report);
            island.leave(state);
            let Self { archipelago, scratch, .. } = self;
            match moved {
                Ok(Stepped::Taken) => archipelago.put(island, turn.island),
                Ok(Stepped::Meets(others)) => {
                    archipelago.join((model, state, work), island, &others, scratch)?;
                }
                Ok(Stepped::Parts) => {
                    island.stand(state);
                    archipelago.part((model, state), &island, &mut scratch.y);
                }
                Ok(Stepped::Stopped(index)) => {
                    archipelago.put(island, turn.island);
                    archipelago.place(state, turn.time, &mut scratch.y);
                    return Ok(Some(index));
                }
                Err(error) => {
                    archipelago.put(island, turn.island);
                    archipelago.place(state, turn.time, &mut scratch.y);
                    return Err(error);
                }
            }
        }
        self.show(model, state, work, target)?;
        announce(&mut self.announced, (&mut report.events, known), target);
        Ok(None)
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
            crate::spans::tell!(debug, ?event, "event located");
            state.write(island.integrator.state());
            if let Pending::User(hit) = event {
                report.events.extend(model.watched[hit.index].event(hit));
                return Ok(Stepped::Stopped(hit.index));
            }
            if let Pending::Kink(time) = event {
                // A step as long as the last one could go past all that acts behind the kink.
                let state = island.integrator.state().to_vec();
                island.integrator.start(time, &state);
                return Ok(Stepped::Taken);
            }
            if island.chatter.is_some() {
                let parts = (&*model, &mut *state, &mut *work);
                bridge::finish(island, &mut self.scratch, parts, report)?;
            }
            let parts = (&mut *model, &mut *state, &mut *work);
            if happen_or_chatter(island, event, &mut self.scratch, parts, report)? {
                return Ok(Stepped::Taken);
            }
            let Scratch { road, y, .. } = &mut self.scratch;
            // Where every step ends in an event, none of them puts the bodies back on their joints.
            booked(model, state, true, |state| project(model, state, road, &mut work.stages))?;
            work.moved(model, state, MoveCause::Handling);
            state.read(y);
            island.integrator.resume(state.time, y);
            island.pending = broken(model, state, road);
            let parts = (&*model, &mut *state, &mut *work);
            // What could not leave its fixed steps goes on in them, with contacts of their own.
            if island.chatter.is_some()
                || bridge::note_event(&mut island.pace, parts, &mut self.scratch)? && island.pending.is_none()
            {
                bridge::start(island, (model, state, work), &mut self.scratch)?;
            }
            return Ok(Stepped::Taken);
        }
        let time = island.time();
        let stepped = {
            let Self { archipelago: Archipelago { sea, islands, .. }, scratch, .. } = self;
            if island.chatter.as_ref().is_some_and(|chatter| chatter.is_to_be_looked_at()) {
                state.write(island.integrator.state());
                bridge::look_whether_calm(island, scratch, (&*model, &mut *state, &mut *work), report)?;
                return Ok(Stepped::Taken);
            }
            let (sea, parts) = ((sea.as_mut(), &*islands), (&*model, &mut *state, &mut *work));
            match island.chatter {
                Some(_) => bridge::step(island, sea, scratch, parts, report),
                None => step(island, sea, scratch, parts, settings, report),
            }
        };
        let stepped = match stepped {
            Ok(stepped) => stepped,
            Err(error) => {
                let parts = (&*model, &mut *state, &mut *work);
                let goes_on = jam_or_chatter(island, (&error, time), &mut self.scratch, parts, report)?;
                if goes_on { Stepped::Taken } else { return Err(error) }
            }
        };
        if stepped == Stepped::Taken {
            let Self { archipelago, scratch, energy: whole, .. } = self;
            singular::go_through(island, (&*model, &mut *state, &mut *work), &mut scratch.road)?;
            if bridge::crawls(island, model, state) {
                bridge::start(island, (&*model, &mut *state, work), scratch)?;
            }
            let now = energy(model, state).total();
            *whole += now - if archipelago.sea.is_some() { island.energy } else { *whole };
            island.energy = now;
            report.highest_energy = report.highest_energy.max(*whole);
        }
        Ok(stepped)
    }

    /// Moves the bodies to `target`, for those who look; the integration stays where it is.
    fn show(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        target: f64,
    ) -> Result<(), SimError> {
        let Self { archipelago, scratch, places, shown, told, .. } = self;
        told.clear();
        // Forces of this moment, without a trace in what comes after.
        places.clone_from(&state.places);
        let Scratch { road, y, rates, exact, .. } = scratch;
        archipelago.place(state, target, y);
        for island in archipelago.islands.values_mut() {
            if island.chatter.is_none() && island.time() == target {
                continue;
            }
            island.enter(state);
            let Island { chatter, integrator, .. } = &**island;
            let moved = match chatter {
                Some(chatter) => {
                    let parts = (model, &mut *state, &mut *work);
                    let way = (&mut *exact, &mut *y);
                    bridge::show((chatter, integrator), (target, &mut *shown), way, parts, told)
                }
                None => project(model, state, road, &mut work.stages).map(|_| ()),
            };
            island.leave(state);
            moved?;
        }
        state.time = target;
        told.closed.iter().for_each(|&(id, gap, normal)| hold(model, state, id, (gap, normal)));
        state.read(y);
        match evaluate(model, state, road, work, y, rates) {
            // Fixed steps have impulses where this moment has no forces.
            Err(SimError::Unsolved { .. }) if !told.closed.is_empty() => {
                let of_steps = |source| told.closed.iter().any(|&(id, ..)| source == Source::Contact(id));
                state.held.retain(|h| !of_steps(h.source));
                evaluate(model, state, road, work, y, rates)?;
            }
            other => other?,
        }
        show_forces(state, road, &told.forces, work);
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
        show_forces(state, road, &[], work);
        state.write(&before);
        (state.held, state.haste) = (held, haste);
        evaluated?;
        Ok(rates[1..1 + PER_BODY * state.bodies.len()]
            .chunks_exact(PER_BODY)
            .map(|r| [r[1], r[3], r[5]])
            .collect())
    }
}

/// Puts the forces of the last evaluation where reports find them, and those of fixed steps.
fn show_forces(state: &State, road: &Road, of_steps: &[ContactForce], work: &mut Work) {
    work.forces.last.clear();
    report_forces(state, road, &mut work.forces.last);
    work.forces.last.extend_from_slice(of_steps);
    let largest = work.forces.last.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    work.forces.note(largest);
}
