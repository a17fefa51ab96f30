//! The advance in fixed steps at the level of velocities: one complementarity problem a step, whatever happens within it.
//!
//! ```text
//! middle      q_m = q + h/2 v                      geometry and forces are those of the middle of the step
//! lines       rows of joints, springs, contacts ahead    what each demands of the velocities before and after
//! solve       v⁺ = v + h M⁻¹ F + M⁻¹ Jᵀ r           impulses to a certificate; what bounces gets back its share
//! positions   q⁺ = q_m + h/2 v⁺                    back onto joints and contacts, velocities untouched
//! ```
//!
//! What persists is demanded of the mean velocity `(v + v⁺)/2`: `T⁺ − T = v̄·(h F + Jᵀ r)` then says that its forces do no work,
//! whatever the geometry \[Acary 2016; Jean, Moreau 1987 with θ = ½\]. Second order where nothing is hit, first order with impacts.

mod bounce;
mod detect;
mod exact;
mod known;
mod line;
mod lines;
mod memory;
mod part;
mod positions;
mod shared;
mod soft;
mod solve;
mod tell;
mod velocities;

pub(crate) use exact::Exact;
pub(crate) use memory::Memory;
pub(crate) use part::PartSteps;

use crate::after_move::MoveCause;
use crate::energy::energy;
use crate::error::SimError;

use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Road, measure};
use crate::settings::SteppingSolver;
use crate::state::State;
use crate::strength::{break_joint, overloaded};
use crate::work::{Work, check_limit};
use shared::Shared;
use soft::Soft;

/// A step is taken for one of the full length if it is shorter by no more than this share.
const WHOLE: f64 = 1e-9;

/// The strategy's memory between steps and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeStepping {
    shared: Shared,
    exact: Exact,
    soft: Soft,
}

impl TimeStepping {
    /// Makes the next step look at everything anew.
    pub(crate) fn invalidate(&mut self) {
        self.shared.memory = Memory::default();
    }

    /// The rows of the last step with their mean forces.
    pub(crate) fn road(&self) -> &Road {
        &self.shared.road
    }

    /// What a snapshot keeps.
    pub(crate) fn memory(&self) -> &Memory {
        &self.shared.memory
    }

    /// Goes on from a snapshot; the bodies are already where they were.
    pub(crate) fn load(&mut self, memory: &Memory, state: &mut State) {
        let Shared { memory: own, detector, .. } = &mut self.shared;
        own.clone_from(memory);
        if memory.valid {
            state.held.clear();
            detector.begin(state);
            measure(state);
        }
    }

    /// Advances by `requested`, in equal steps no longer than `longest`.
    pub(crate) fn advance(
        &mut self,
        (model, state, work): (&mut Model, &mut State, &mut Work),
        (requested, longest): (f64, f64),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        work.evaluations = 0;
        let count = (requested / longest - WHOLE).ceil().max(0.0);
        work.check_deadline(state.time)?;
        check_limit("steps", count as u64, model.settings.limits.steps, state.time)?;
        let (start, step) = (state.time, requested / count.max(1.0));
        let choice = model.settings.time_stepping.unwrap_or_default();
        for k in 0..count as u64 {
            let end = if k + 1 == count as u64 { start + requested } else { start + step * (k + 1) as f64 };
            if !self.shared.memory.valid {
                self.shared.begin(model, state, end - state.time)?;
            }
            let soft = match choice.solver {
                SteppingSolver::Exact => false,
                SteppingSolver::Iterative => true,
                SteppingSolver::Auto => self.shared.memory.pause[0] > 0,
            };
            if soft {
                let parts = (&*model, &mut *state, &mut *work);
                self.soft.step(&mut self.shared, parts, (end, choice.substeps), report)?;
            } else {
                self.shared.allow_overlaps(state);
                let parts = (&*model, &mut *state, &mut *work);
                self.exact.step(&mut self.shared, parts, end, report)?;
            }
            let cost = self.exact.take_cost();
            self.shared.memory.note_step(soft, cost > choice.budget_ms);
            self.shared.memory.fresh = false;
            while let Some(joint) = overloaded(model, state, &self.shared.road) {
                break_joint(model, state, &self.shared.road, joint, report);
            }
            report.counters.steps += 1;
            report.highest_energy = report.highest_energy.max(energy(model, state).total());
            work.moved(model, state, MoveCause::Step);
        }
        Ok(())
    }
}
