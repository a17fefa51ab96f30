//! The energy ledger in fixed steps: what each force and each row of a step did.
//!
//! With the velocities `v⁻`, `v⁺` before and after it a step has `T⁺ − T⁻ = v̄·(h F + Jᵀ r)`, `v̄ = (v⁻ + v⁺)/2`, whatever the geometry:
//! the books close to rounding. What persists does no work; a contact that arrives, a limit that is reached, takes energy as an
//! impulse does.

use super::implicit::work_of_damping;
use super::line::{Change, Line, along, rate_along};
use super::velocities::{set_velocities, take_velocities};
use crate::error::SimError;
use crate::ledger::Entry;
use crate::model::Model;
use crate::road::Source;
use crate::state::{PER_BODY, State};
use engine2d_constraint::RowKind;

/// The entries of a step, and scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    work: Vec<f64>,
    rates: Vec<f64>,
    after: Vec<Change>,
    mean: Vec<Change>,
    /// Energy that each force law held.
    held: Vec<f64>,
}

impl Books {
    /// Finds the entries of a step of length `h` by its impulses. The bodies stand in its middle with their velocities after it;
    /// those before it are given.
    pub(super) fn find(
        &mut self,
        (model, state): (&Model, &mut State),
        (lines, impulses): (&[Line], &[f64]),
        before: &[Change],
        h: f64,
    ) -> Result<(), SimError> {
        let Self { work, rates, after, mean, .. } = self;
        work.clear();
        let Some(ledger) = &state.ledger else { return Ok(()) };
        work.resize(ledger.work.len(), 0.0);
        take_velocities(state, after);
        mean.clear();
        mean.extend(before.iter().zip(&*after).map(|(v, w)| [0, 1, 2].map(|i| 0.5 * (v[i] + w[i]))));
        // The forces are those that the step took.
        set_velocities(state, before);
        rates.resize(PER_BODY * state.bodies.len(), 0.0);
        let found = model.laws.iter().zip(&mut *work).enumerate().try_for_each(|(k, (law, work))| {
            rates.fill(0.0);
            model.at(state).apply(law, rates)?;
            let bodies = model.data.iter().zip(rates.chunks_exact(PER_BODY)).zip(&*mean);
            let powers = bodies.filter(|((data, _), _)| data.is_movable()).map(|((data, r), mean)| {
                along(&[data.mass * r[1], data.mass * r[3], data.moment * r[5]], mean)
            });
            *work = h * powers.sum::<f64>() + work_of_damping((model, &*state, k), [before, &*after], h);
            Ok(())
        });
        set_velocities(state, after);
        book_rows(model, lines, |k| impulses[k], mean, work);
        found
    }

    /// Notes the velocities before a blow at the end of the step.
    pub(super) fn begin_blow(&mut self, state: &State) {
        take_velocities(state, &mut self.after);
    }

    /// Finds the entries of a blow, by which the impulses of a step of length `h` become others.
    pub(super) fn end_blow(
        &mut self,
        (model, state): (&Model, &State),
        lines: &[Line],
        [before, after]: [&[f64]; 2],
        h: f64,
    ) {
        let Self { work, after: came, mean, .. } = self;
        if work.is_empty() {
            return;
        }
        take_velocities(state, mean);
        for (k, work) in work[..model.laws.len()].iter_mut().enumerate() {
            *work += work_of_damping((model, state, k), [&*came, &*mean], h);
        }
        for (mean, came) in mean.iter_mut().zip(&*came) {
            *mean = [0, 1, 2].map(|i| 0.5 * (came[i] + mean[i]));
        }
        book_rows(model, lines, |k| after[k] - before[k], mean, work);
    }

    /// Enters what was found.
    pub(super) fn enter(&self, state: &mut State) {
        if let Some(ledger) = &mut state.ledger {
            ledger.work.iter_mut().zip(&self.work).for_each(|(work, more)| *work += more);
        }
    }

    /// Notes what the force laws hold before the bodies are put in place.
    pub(super) fn note_places(&mut self, model: &Model, state: &State) {
        self.held.clear();
        if state.ledger.is_some() {
            self.held.extend(model.laws.iter().map(|law| model.at(state).potential_energy(law)));
        }
    }

    /// Books what the force laws hold more: it came from no work of theirs.
    pub(super) fn book_places(&self, model: &Model, state: &mut State) {
        let Some(mut ledger) = state.ledger.take() else { return };
        let corrections = Entry::Corrections.place(model.laws.len());
        for (k, (law, held)) in model.laws.iter().zip(&self.held).enumerate() {
            let more = model.at(state).potential_energy(law) - held;
            ledger.work[k] -= more;
            ledger.work[corrections] += more;
        }
        state.ledger = Some(ledger);
    }
}

/// Adds what impulses of rows do at mean velocities.
fn book_rows(
    model: &Model,
    lines: &[Line],
    impulse: impl Fn(usize) -> f64,
    mean: &[Change],
    work: &mut [f64],
) {
    for (k, line) in lines.iter().enumerate() {
        let done = impulse(k) * rate_along(&line.row, mean);
        if let Source::Law { law, .. } = line.row.source {
            work[law as usize] += done;
            continue;
        }
        let entry = match line.row.kind {
            _ if line.row.source.is_friction() => Entry::Friction,
            RowKind::Unilateral => Entry::Impulses,
            _ if matches!(line.row.source, Source::Contact(_)) => Entry::Impulses,
            _ => Entry::Constraints,
        };
        work[entry.place(model.laws.len())] += done;
    }
}
