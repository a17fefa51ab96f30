//! From flights to islands and back, and the turn of a flight.

use super::Located;
use super::archipelago::Archipelago;
use super::course::{Course, look_ahead, meet};
use super::flight::Flight;
use super::island::Island;
use super::pending::Pending;
use super::queue::Turn;
use super::step::Scratch;
use crate::after_move::MoveCause;
use crate::energy::energy;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::may_meet;
use crate::stages::Stage;
use crate::state::State;
use crate::work::{Work, check_limit};

impl Located {
    /// Lets a flight have its turn; on an error all bodies stand at that moment.
    pub(super) fn fly(
        &mut self,
        parts: (&Model, &mut State, &mut Work),
        turn: Turn,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let Self { archipelago, scratch, .. } = self;
        let (model, state, work) = parts;
        match archipelago.fly((model, &mut *state, work), turn, scratch, report) {
            Ok(gained) => self.energy += gained,
            Err(error) => {
                archipelago.place(state, turn.time, &mut scratch.y);
                return Err(error);
            }
        }
        report.highest_energy = report.highest_energy.max(self.energy);
        Ok(())
    }
}

impl Archipelago {
    /// All flights, with their bodies.
    pub(super) fn flights(&self) -> Vec<(u32, Flight)> {
        let all = self.sea.iter().flat_map(|sea| sea.flights.iter());
        all.map(|(body, flight)| (body, flight.clone())).collect()
    }

    /// How many parts of the world have a clock of their own.
    pub(super) fn clocks(&self) -> usize {
        self.islands.len() + self.sea.as_ref().map_or(0, |sea| sea.flights.count())
    }

    /// Moves a flight on: what it meets, or its next step. Returns the energy that was won by it.
    fn fly(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        turn: Turn,
        scratch: &mut Scratch,
        report: &mut StepReport,
    ) -> Result<f64, SimError> {
        let Self { sea: Some(sea), islands, .. } = self else { return Ok(0.0) };
        let body = turn.island;
        let meeting = sea.flights.get(body).and_then(|flight| flight.meets);
        // One that has had another event since is elsewhere.
        let current = meeting.filter(|meeting| {
            let there = sea.flights.get(meeting.other);
            there.map_or(state.bodies[meeting.other as usize].fixed, |there| there.since() == meeting.since)
        });
        let mut gained = 0.0;
        let course = if let Some(meeting) = current {
            crate::spans::tell!(debug, time = turn.time, body, meeting.other, "flights meet");
            let before = work.stages.enter(Stage::Impacts);
            let course = meet(sea, (model, &mut *state), (body, meeting), report);
            work.stages.leave(before);
            if let Course::On { won, .. } = course {
                gained = won;
                work.moved(model, state, MoveCause::Handling);
            }
            course
        } else {
            report.counters.steps += 1;
            check_limit(
                "steps",
                report.counters.steps,
                work.shares * model.settings.limits.steps,
                turn.time,
            )?;
            work.check_deadline(turn.time)?;
            let course = look_ahead((sea, islands), (&state.bodies, state.touch), body);
            if let (Some(flight), Some(_)) = (sea.flights.get(body), work.after_move.look()) {
                flight.show(body, flight.until, state);
                state.time = flight.until;
                work.moved(model, state, MoveCause::Step);
            }
            course
        };
        match course {
            Course::On { other, .. } => {
                for body in std::iter::once(body).chain(other) {
                    if let Some(flight) = self.sea.as_ref().and_then(|sea| sea.flights.get(body)) {
                        self.queue.push(Turn::of_flight(flight, body));
                    }
                }
            }
            Course::Lands(others) => {
                let Some(mut island) = self.land((model, &mut *state), (body, turn.time)) else {
                    return Ok(gained);
                };
                if current.is_some() {
                    island.pending = Some(Pending::Rigid(turn.time));
                }
                if others.is_empty() {
                    self.put(island, body);
                } else {
                    self.join((model, state, work), island, &others, scratch)?;
                }
            }
        }
        Ok(gained)
    }

    /// Makes an island of a flight, at a time within its step; its body stands there.
    pub(super) fn land(
        &mut self,
        (model, state): (&Model, &mut State),
        (body, time): (u32, f64),
    ) -> Option<Box<Island>> {
        let sea = self.sea.as_mut()?;
        sea.flights.end(body)?.show(body, time, state);
        state.time = time;
        // Whom it would have passed in flight is within its box: it looks around before its first step.
        sea.crowded[body as usize] = true;
        let mut fixed = Vec::new();
        sea.claims.around(body as usize, &mut fixed);
        let bodies = &state.bodies;
        fixed.retain(|&other| bodies[other as usize].fixed && may_meet(bodies, body, other));
        let mut island = Box::new(Island::landed(body, fixed, (model, state)));
        island.enter(state);
        island.energy = energy(model, state).total();
        island.leave(state);
        Some(island)
    }

    /// Lets the body of an island fly from where it is, if it is alone and all that moves it has a closed form.
    pub(super) fn take_off(&mut self, state: &mut State, island: &mut Island) -> bool {
        let (Some(sea), Some(scope)) = (&mut self.sea, &island.scope) else { return false };
        let busy = island.pending.is_some() || island.chatter.is_some() || !island.held.is_empty();
        let [body] = scope.bodies[..] else { return false };
        if busy || !sea.flights.may_fly(body, &scope.fixed) {
            return false;
        }
        island.stand(state);
        let flight = sea.flights.begin(body, state, island.time());
        self.queue.push(Turn::of_flight(flight, body));
        true
    }
}
