//! The exact solver of a fixed step: one complementarity problem a step, to a certificate.

use super::arrivals::{add_arrivals, end_approaches};
use super::bounce::bounce;
use super::far::{
    advance, comes_deep, gives, go_half_way, goes_through, is_deep, meets_more, went_through, went_too_far,
};
use super::implicit::Implicit;
use super::line::Pushes;
use super::lines::Middle;
use super::memory::Memory;
use super::positions;
use super::reach::Reach;
use super::scratch::Scratch;
use super::shared::Shared;
use super::solve::{Answer, Impulses, note_closed};
use super::still::StillStep;
use super::tell::{tell_changes, tell_forces, tell_impacts};
use super::velocities::{change_velocities, changes_of, rate_changed, set_velocities, take_velocities};
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Row, look};
use crate::stages::Stage;
use crate::state::State;
use crate::work::Work;

/// How often a step is tried with more room when bodies were struck and went farther than was looked.
const LOOKS: usize = 4;

/// How often a step is halved where bodies would come deep (to a 64th), and how often more where they would pass through each other.
const HALVINGS: u32 = 6;
const MORE: u32 = 4;

/// How far joints may stay open where bodies are put in place, in the touching gap, before a step is taken in halves.
const UNSETTLED: f64 = 1e3;

/// The scratch of exact steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exact {
    impulses: Impulses,
    impacts: Reach,
    projection: Impulses,
    steadying: Impulses,
    implicit: Implicit,
    scratch: Scratch,
}

impl Exact {
    /// What the solves took since it was last taken (nominal milliseconds).
    pub(super) fn cost(&self) -> f64 {
        let Self { impulses, impacts, projection, steadying, .. } = self;
        [impulses, &impacts.impulses, projection, steadying].into_iter().map(|solves| solves.cost).sum()
    }

    /// As [`Self::cost`], which is then nothing.
    pub(super) fn take_cost(&mut self) -> f64 {
        let Self { impulses, impacts, projection, steadying, .. } = self;
        let all = [impulses, &mut impacts.impulses, projection, steadying];
        all.into_iter().map(|solves| std::mem::take(&mut solves.cost)).sum()
    }

    /// Largest scaled violation of the conditions in the last step.
    pub(super) fn residual(&self) -> f64 {
        self.scratch.answer.residual
    }

    /// See [`Answer::contradiction`].
    pub(super) fn contradiction(&self, time: f64) -> Option<SimError> {
        self.scratch.answer.contradiction(&self.scratch.lines, time)
    }

    /// Tells of a step to time `end` that is the last one again but for its length.
    pub(super) fn tell_again(
        &mut self,
        shared: &mut Shared,
        (state, work): (&mut State, &mut Work),
        end: f64,
        step: StillStep,
    ) {
        let Scratch { lines, answer, .. } = &self.scratch;
        work.evaluations += step.evaluations;
        work.stages.statistics.repeat(step.calls);
        work.lcp.note(lines.len(), step.residual);
        self.impulses.cost += step.cost;
        state.time = end;
        tell_forces((lines, answer), state, &mut shared.road, work, step.length);
    }

    /// One step of length `h` to time `end`, in parts where bodies would go through thin ones.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        parts: (&Model, &mut State, &mut Work),
        (end, h): (f64, f64),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        self.step_or_halves(shared, parts, (end, h, HALVINGS + MORE), report)
    }

    fn step_or_halves(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (end, h, halvings): (f64, f64, u32),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let (start, time) = (&mut std::mem::take(&mut self.scratch.y), state.time);
        self.implicit.begin(model, state, h);
        self.scratch.ended.begin();
        self.bounce(shared, model, state, work, h)?;
        state.read(start);
        let mut fails = [halvings > MORE, halvings > 0];
        let whole = loop {
            if self.go(shared, (model, &mut *state, &mut *work), start, (end, h), fails)? {
                let Scratch { ended, lines, answer, .. } = &mut self.scratch;
                if !ended.stays(&shared.memory, (lines, answer), state, start) {
                    shared.look_ahead((model, state), self.scratch.went(), h)?;
                    continue;
                }
                self.end_blows(&shared.memory, (model, &mut *state, &mut *work), h)?;
                self.scratch.books.enter(state);
                let moving = energy(model, state).kinetic();
                let (gift, open) = self.place(shared, model, state, work)?;
                let swings = open > UNSETTLED * state.touch
                    || gives(model, state, &self.scratch.changes, (gift, moving, h));
                if !(fails[0] && swings) {
                    report.corrections += gift;
                    break true;
                }
            }
            state.write(start);
            shared.look_ahead((model, state), self.scratch.went(), h)?;
            // What was deep comes out no sooner in parts.
            if !fails[0] || !is_deep(state, shared) {
                break false;
            }
            fails[0] = false;
        };
        if !whole {
            self.scratch.y = std::mem::take(start);
            let (bounces, rows) = (&self.scratch.bounces, &shared.memory.rows);
            tell_impacts((model, state, time), bounces, (&[], &Answer::default()), rows, report);
            for end in [time + 0.5 * h, end] {
                let parts = (model, &mut *state, &mut *work);
                self.step_or_halves(shared, parts, (end, 0.5 * h, halvings - 1), report)?;
            }
            return shared.look_ahead((model, state), self.scratch.went(), h);
        }
        self.scratch.y = std::mem::take(start);
        self.remember(shared, model, state, report)?;
        let Scratch { bounces, lines, answer, closed: before, .. } = &self.scratch;
        tell_impacts((model, state, time), bounces, (lines, answer), before, report);
        tell_forces((lines, answer), state, &mut shared.road, work, h);
        Ok(())
    }

    /// Moves the bodies from `start` by a step of length `h` to the time `end` and looks what is near them there; whether they could be moved so, as far as
    /// that may fail: not deep into others, and not through them. Where the latter may not, what would bounce is stopped where it meets.
    fn go(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        start: &[f64],
        (end, h): (f64, f64),
        [fails_deep, fails_through]: [bool; 2],
    ) -> Result<bool, SimError> {
        let beyond = self.middle(shared, (model, &mut *state, &mut *work), start, h, !fails_through)?;
        if fails_through && beyond || fails_deep && goes_through(&self.scratch.lines, &shared.detector, h) {
            return Ok(false);
        }
        for _ in 0..LOOKS {
            self.solve(&shared.memory, model, (state, work), h, false)?;
            let Self { implicit, scratch: Scratch { lines, answer, before, changes, pushes, .. }, .. } = self;
            let parts = (&**before, &**changes, pushes);
            change_velocities((lines, answer), parts, implicit.masses(model), &mut state.bodies);
            if !went_too_far(shared, state, &self.scratch.before, h)
                || self.is_free(shared, (model, state, work), start, h, !fails_through)?
            {
                break;
            }
        }
        let Scratch { lines, answer, before, books, .. } = &mut self.scratch;
        books.find((model, &mut *state), (lines, &answer.impulses), before, h)?;
        advance(state, h);
        let places = (&shared.memory.near[..], &self.scratch.left_to_bounce[..]);
        if went_through(state, places, [fails_deep, fails_through], (&shared.detector, h)) {
            return Ok(false);
        }
        state.time = end;
        let entered = work.stages.enter(Stage::Detection);
        shared.look_ahead((model, state), self.scratch.went(), h)?;
        work.stages.leave(entered);
        let fails = self.implicit.bends(model, state) || comes_deep(state, shared, &self.scratch.before, h);
        Ok(!(fails_deep && fails))
    }

    /// Impacts at the beginning of the step.
    fn bounce(
        &mut self,
        shared: &mut Shared,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        h: f64,
    ) -> Result<(), SimError> {
        let Shared { memory, road, .. } = shared;
        let Self { impacts, implicit, scratch, .. } = self;
        let Scratch { rates, changes, placing, y, bounces, pressed, .. } = scratch;
        bounces.clear();
        memory.mark_pressed(state.bodies.len(), pressed);
        if !model.collides() && model.joints.is_empty() && model.ties.is_empty() {
            return Ok(());
        }
        state.read(y);
        free_rates(model, state, work, y, rates)?;
        changes_of(state, rates, h, changes);
        implicit.temper(model, changes);
        let near = if model.collides() { &memory.near[..] } else { &[] };
        let entered = work.stages.enter(Stage::Impacts);
        let parts = (&*memory, near, road);
        let pushes = Pushes { changes, pressed };
        let result = booked(model, state, false, |state| {
            bounce((model, state), parts, (pushes, h), (impacts, placing), bounces)
        });
        work.stages.leave(entered);
        result
    }

    /// Moves the bodies to the middle of the step, and gathers its rows there; returns whether a rope goes far beyond its length.
    fn middle(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        start: &[f64],
        h: f64,
        arrests: bool,
    ) -> Result<bool, SimError> {
        let Shared { memory, road, .. } = shared;
        let Self { implicit, scratch, .. } = self;
        let Scratch { middle, rates, changes, before, lines, left_to_bounce, pressed, ended, .. } = scratch;
        go_half_way(state, (start, h), middle);
        free_rates(model, state, work, middle, rates)?;
        changes_of(state, rates, h, changes);
        implicit.temper(model, changes);
        take_velocities(state, before);
        let entered = work.stages.enter(Stage::Assembly);
        if model.has_constraints() {
            look(model, state, road)?;
        }
        let rows = std::mem::take(&mut road.rows);
        let near = if model.collides() { &memory.near[..] } else { &[] };
        let pushes = Pushes { changes, pressed };
        let middle = Middle { model, bodies: &state.bodies, pushes, memory, step: h, arrests };
        let beyond = middle.lines(&rows, near, (lines, left_to_bounce));
        ended.bound(lines);
        implicit.add_rows((model, &*state), (changes, h), lines);
        road.rows = rows;
        work.stages.leave(entered);
        Ok(beyond)
    }

    /// Finds the impulses of the step, or `again` those of rows that ask for something else than before.
    fn solve(
        &mut self,
        memory: &Memory,
        model: &Model,
        (state, work): (&State, &mut Work),
        h: f64,
        again: bool,
    ) -> Result<(), SimError> {
        let Self { impulses, implicit, scratch, .. } = self;
        let Scratch { lines, answer, turning, changes, .. } = scratch;
        let entered = work.stages.enter(Stage::Complementarity);
        let parts = (&**changes, implicit.masses(model), state.time + 0.5 * h);
        let solved = turning.solve((lines, answer), parts, memory, impulses, again);
        work.stages.leave(entered);
        solved?;
        work.lcp.note(lines.len(), answer.residual);
        Ok(())
    }

    /// Ends what is left of the approach of bodies that have met in the step, with all friction, if that has an answer.
    fn end_blows(
        &mut self,
        memory: &Memory,
        (model, state, work): (&Model, &mut State, &mut Work),
        h: f64,
    ) -> Result<(), SimError> {
        let Scratch { lines, answer, changes, placing, .. } = &mut self.scratch;
        if !end_approaches((lines, answer), changes, memory, model.settings.rest_speed) {
            return Ok(());
        }
        placing.clone_from(answer);
        self.solve(memory, model, (state, work), h, true)?;
        let Self { implicit, scratch, .. } = self;
        let Scratch { lines, answer, placing: closing, before, changes, pushes, books, .. } = scratch;
        if closing.solved && !answer.solved {
            std::mem::swap(answer, closing);
            return Ok(());
        }
        books.begin_blow(state);
        let parts = (&**before, &**changes, pushes);
        change_velocities((lines, answer), parts, implicit.masses(model), &mut state.bodies);
        books.end_blow((model, state), lines, [&closing.impulses, &answer.impulses], h);
        Ok(())
    }

    /// Looks again for what may meet, as far as bodies that were struck go. If they meet nothing more than was known the step
    /// stays as it is; else its rows are gathered anew.
    fn is_free(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        start: &[f64],
        h: f64,
        arrests: bool,
    ) -> Result<bool, SimError> {
        let mut found = Vec::new();
        take_velocities(state, &mut found);
        let known = std::mem::take(&mut self.scratch.lines);
        let near = shared.memory.near.clone();
        state.write(start);
        shared.detect(state)?;
        self.middle(shared, (model, &mut *state, &mut *work), start, h, arrests)?;
        set_velocities(state, &found);
        if meets_more(&self.scratch.lines, &known, &state.bodies, h) {
            set_velocities(state, &self.scratch.before);
            return Ok(false);
        }
        self.scratch.lines = known;
        shared.memory.near = near;
        Ok(true)
    }

    /// Puts the bodies, which are where they are at the end of the step, on what persists; returns the energy that this gives them, and how far
    /// joints stay open.
    fn place(
        &mut self,
        shared: &mut Shared,
        model: &Model,
        state: &mut State,
        work: &mut Work,
    ) -> Result<(f64, f64), SimError> {
        let entered = work.stages.enter(Stage::Projection);
        let unplaced = energy(model, state).total();
        let Self { projection, scratch, .. } = self;
        let Scratch { rows, placing, closed, lines, answer, books, before, .. } = scratch;
        books.note_places(model, state);
        note_closed((lines, answer), |row| rate_changed(row, &state.bodies, before), closed);
        let presses = |row: &Row| closed.is_closed(row.source);
        let open = positions::place((model, state), shared, &presses, (projection, placing), rows)?;
        let gift = energy(model, state).total() - unplaced;
        books.book_places(model, state);
        work.stages.leave(entered);
        Ok((gift, open))
    }

    /// Takes what was found into the memory, against what was known before, and the rates of what persists out of the velocities.
    fn remember(
        &mut self,
        shared: &mut Shared,
        model: &Model,
        state: &mut State,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let Shared { memory, road, .. } = shared;
        let Self { steadying, scratch, .. } = self;
        let Scratch { closed, rows, placing, lines, answer, .. } = scratch;
        tell_changes(&memory.rows, closed, lines, state.time, report);
        std::mem::swap(&mut memory.rows, closed);
        if !model.has_constraints() {
            return Ok(());
        }
        positions::gather_closed((model, &mut *state), (road, memory), rows)?;
        booked(model, state, true, |state| positions::steady((model, state), rows, (steadying, placing)))?;
        add_arrivals((rows, placing), (closed, &memory.rows), answer);
        Ok(())
    }
}
