//! Functions of the user's in fixed steps: a step in which one crosses zero ends there.
//!
//! The moment is first read off between the ends of the step, then found by steps of other lengths from the same beginning: the state in
//! which the event happens is one that the steps lead to.

use super::chatter::Chatter;
use super::step::Scratch;
use crate::adaptive::{Crossing, DormandPrince};
use crate::error::SimError;
use crate::force::BodySet;
use crate::model::Model;
use crate::report::{StepReport, Totals};
use crate::state::State;
use crate::work::Work;

/// Rounds of the search: each halves the interval at least every third time.
const ROUNDS: u32 = 60;

/// Share of a step to which the moment is found: what a body goes in it is less than rounding leaves of its place.
const EXACT: f64 = 1e-12;

/// Share of a step below which there is none: rates in it would be differences of what rounding leaves.
const SHORTEST: f64 = 1e-6;

/// What a report held before a step, which goes when the step is taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported {
    pub(super) events: usize,
    counters: Totals,
    pub(super) corrections: f64,
}

impl Reported {
    pub(super) fn of(report: &StepReport) -> Self {
        Self { events: report.events.len(), counters: report.counters, corrections: report.corrections }
    }

    pub(super) fn put_back(self, report: &mut StepReport) {
        report.events.truncate(self.events);
        (report.counters, report.corrections) = (self.counters, self.corrections);
    }
}

/// Ends the step just taken, since which the report holds what it tells, where a function of the user's first crosses zero, if one does.
/// Sensors in what is left of the step are told of.
pub(super) fn cut(
    (chatter, integrator): (&mut Chatter, &mut DormandPrince),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    reported: Reported,
    report: &mut StepReport,
) -> Result<Option<Crossing>, SimError> {
    let mut first = chatter.steps.look_watched((model, &mut *state));
    // Each time one is found sooner, which others may have crossed before.
    for _ in &model.watched {
        let Some(hit) = first else { break };
        let parts = (model, &mut *state, &mut *work);
        let time = moment((&mut *chatter, &mut *integrator), scratch, parts, hit)?;
        reported.put_back(report);
        let parts = (model, &mut *state, &mut *work);
        take((&mut *chatter, &mut *integrator), scratch, parts, time, report)?;
        first = Some(Crossing { time, ..hit });
        match chatter.steps.look_watched((model, &mut *state)) {
            Some(other) if other.index != hit.index => first = Some(other),
            _ => break,
        }
    }
    chatter.steps.tell_watched(model, report);
    Ok(first.map(|hit| Crossing { time: integrator.time(), ..hit }))
}

/// The moment at which a function has crossed zero within the step just taken; some shorter one is taken instead of that.
fn moment(
    (chatter, integrator): (&mut Chatter, &mut DormandPrince),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    hit: Crossing,
) -> Result<f64, SimError> {
    let beyond = if hit.rising { 1.0 } else { -1.0 };
    let value = |state: &State| {
        let set = BodySet { context: model.at(state) };
        beyond * (model.watched[hit.index].function)(&set)
    };
    let (mut a, mut b) = (integrator.last_time(), integrator.time());
    let mut at_b = value(state);
    state.write(integrator.last_state());
    let mut at_a = value(state);
    let shortest = a + SHORTEST * (b - a);
    let width = (EXACT * (b - a)).max(f64::EPSILON * b.abs());
    let mut next = hit.time;
    for round in 0..ROUNDS {
        if b - a <= width || b <= shortest {
            break;
        }
        // It may have been on the other side without a sign at the beginning.
        let time = if at_a <= 0.0 && next > a && next < b { next.max(shortest) } else { 0.5 * (a + b) };
        take(
            (&mut *chatter, &mut *integrator),
            scratch,
            (model, &mut *state, &mut *work),
            time,
            &mut StepReport::default(),
        )?;
        let found = value(state);
        // The state in which it happens is beyond: on zero itself it would cross once more.
        if found > 0.0 {
            (b, at_b, at_a) = (time, found, 0.5 * at_a);
        } else {
            (a, at_a, at_b) = (time, found, 0.5 * at_b);
        }
        let secant = a + (b - a) * at_a / (at_a - at_b);
        // An end that is exact to rounding is left only by a step beyond it.
        next = if round % 3 == 2 { 0.5 * (a + b) } else { secant.max(a + 0.4 * width).min(b - 0.4 * width) };
    }
    Ok(b)
}

/// Takes a step from the beginning of the last one to a time, instead of that one.
fn take(
    (chatter, integrator): (&mut Chatter, &mut DormandPrince),
    Scratch { exact, y, .. }: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    time: f64,
    report: &mut StepReport,
) -> Result<(), SimError> {
    chatter.steps.take_back();
    integrator.rewind();
    state.write(integrator.state());
    chatter.steps.step(exact, (model, &mut *state, work), time, report)?;
    state.read(y);
    integrator.take(time, y);
    Ok(())
}
