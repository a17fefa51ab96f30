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

mod ahead;
mod arrivals;
mod books;
mod bounce;
mod detect;
mod ended;
mod equal_steps;
mod exact;
mod far;
mod implicit;
mod known;
mod line;
mod lines;
mod memory;
mod near;
mod part;
mod positions;
mod reach;
mod scratch;
mod shared;
mod sleep;
mod soft;
mod solve;
mod still;
mod sweeps;
mod tell;
mod turning;
mod velocities;
mod watch;

pub(crate) use equal_steps::EqualSteps;
pub(crate) use exact::Exact;
pub(crate) use memory::Memory;
pub(crate) use part::PartSteps;

use crate::after_move::MoveCause;
use crate::energy::energy;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::instrument::Instrument;

use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Road, Source, measure};
use crate::settings::SteppingSolver;
use crate::state::State;
use crate::strength::{break_joint, overloaded};
use crate::work::Work;
use known::Known;
use shared::Shared;
use sleep::Islands;
use soft::Soft;
use still::{Still, StillStep};
use watch::Watch;

/// The strategy's memory between steps and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeStepping {
    shared: Shared,
    exact: Exact,
    still: Still,
    soft: Soft,
    watch: Watch,
    islands: Islands,
}

impl TimeStepping {
    /// Makes the next step look at everything anew.
    pub(crate) fn invalidate(&mut self) {
        self.shared.memory = Memory::default();
        self.watch.forget();
    }

    /// Makes the next step look at a body anew that came, went or was moved.
    pub(crate) fn disturb(&mut self, body: u32) {
        let memory = &mut self.shared.memory;
        if memory.valid {
            memory.changed.push(body);
            memory.sleep.disturb(body);
        }
        self.forget_watched();
    }

    /// Wakes what a force law acts on that came, went or changed.
    pub(crate) fn disturb_by(&mut self, law: &ForceLaw) {
        self.shared.memory.sleep.disturb_by(law);
    }

    /// The bodies that sleep, in ascending order.
    pub(crate) fn asleep(&self) -> &[u32] {
        self.shared.memory.sleep.asleep()
    }

    /// Forgets the rows of a joint that has changed: what they pressed with is none of the new one's.
    pub(crate) fn forget_joint(&mut self, joint: u32) {
        let is_other = |known: &mut Known| !matches!(known.source, Source::Equation { constraint, .. } if constraint == joint);
        self.shared.memory.rows.retain(is_other);
        self.forget_watched();
    }

    /// Takes note that a joint goes and those behind it move up by one.
    pub(crate) fn remove_joint(&mut self, joint: u32) {
        self.shared.memory.rows.retain(|known| known.source.stays_without(joint));
        self.forget_watched();
    }

    /// Forgets the functions watched and on which side of zero they were.
    pub(crate) fn forget_watched(&mut self) {
        self.shared.memory.sides.clear();
        self.watch.forget();
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
        self.watch.forget();
        let Shared { memory: own, detector, .. } = &mut self.shared;
        own.clone_from(memory);
        if memory.valid {
            state.held.clear();
            detector.begin(state);
            measure(state);
        }
    }

    /// Takes one step of length `h` to time `end`, and notes which functions watched crossed zero in it; `beside` may measure the state at its
    /// end meanwhile.
    pub(crate) fn step(
        &mut self,
        (model, state, work): (&mut Model, &mut State, &mut Work),
        (end, h): (f64, f64),
        beside: Option<&mut Instrument>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        work.check_deadline(state.time)?;
        let choice = model.settings.time_stepping.unwrap_or_default();
        if !self.shared.memory.valid {
            self.shared.begin(model, state, h)?;
        }
        self.watch.begin((&*model, &*state), watch::ROOM, &mut self.shared.memory.sides);
        let changed = !self.shared.memory.changed.is_empty();
        self.wake(state, choice.sleeping.is_none());
        let soft = match choice.solver {
            SteppingSolver::Exact => false,
            SteppingSolver::Iterative => true,
            SteppingSolver::Auto => self.shared.memory.pause[0] > 0,
        };
        if changed {
            self.shared.renew(model, state, h);
            if !soft && model.collides() {
                self.shared.detect(state)?;
                self.shared.note_new_depths(state);
                let Memory { sleep, near, .. } = &mut self.shared.memory;
                sleep::leave_out(sleep, near, &state.bodies);
                self.wake(state, false);
            }
        }
        sleep::lay_down(&self.shared.memory.sleep, model, state, true);
        let moved = self.move_on(
            soft.then_some(choice.substeps),
            (&*model, &mut *state, &mut *work),
            (end, h),
            beside,
            report,
        );
        sleep::lay_down(&self.shared.memory.sleep, model, state, false);
        moved?;
        work.forces.last.extend_from_slice(self.shared.memory.sleep.forces());
        if let Some(rule) = choice.sleeping {
            let Shared { memory, detector, .. } = &mut self.shared;
            let Memory { sleep, near, rows, .. } = memory;
            let looks = (&work.forces.last[..], &detector.reaches[..]);
            let islands = &mut self.islands;
            sleep::fall_asleep(sleep, (near, rows), islands, (&*model, &mut *state), (rule, h), looks);
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
        self.watch.look((model, state), watch::ROOM, &mut self.shared.memory.sides);
        self.watch.end(model, report);
        Ok(())
    }

    /// Wakes what a moving body may meet and what was disturbed, or everything.
    fn wake(&mut self, state: &State, everything: bool) {
        let Memory { sleep, near, rows, .. } = &mut self.shared.memory;
        sleep::wake(sleep, (near, rows), &mut self.islands, &state.bodies, everything);
    }

    /// The step of what does not sleep, by the iterative solver in so many substeps or by the exact one.
    fn move_on(
        &mut self,
        substeps: Option<u32>,
        parts: (&Model, &mut State, &mut Work),
        (end, h): (f64, f64),
        beside: Option<&mut Instrument>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if let Some(substeps) = substeps {
            // Overlaps of what sleeps are measured too, and so afterwards.
            let beside = beside.filter(|_| self.asleep().is_empty());
            self.soft.step(&mut self.shared, parts, (end, substeps), beside, report)
        } else {
            self.shared.allow_overlaps(parts.1);
            self.exact_step(parts, (end, h), report)
        }
    }

    /// A step of the exact solver, which is not taken again where it would change nothing.
    fn exact_step(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        (end, length): (f64, f64),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let Self { shared, exact, still, .. } = self;
        // One evaluation too many is told by the step itself.
        let left = (work.shares * model.settings.limits.evaluations).saturating_sub(work.evaluations);
        let known = still.step((model, &*state, &shared.memory), length);
        if let Some(step) = known.filter(|step| step.evaluations <= left) {
            exact.tell_again(shared, (state, work), end, step);
            return Ok(());
        }
        let may_be_still = still.begin(model, state, &shared.memory);
        let (counted, stages, cost) = (work.evaluations, work.stages.statistics, exact.cost());
        let told = (work.lcp.statistics.solves, report.events.len());
        exact.step(shared, (model, &mut *state, &mut *work), (end, length), report)?;
        // One that tells of something has changed what is known.
        let is_plain = (work.lcp.statistics.solves, report.events.len()) == (told.0 + 1, told.1);
        if may_be_still && is_plain {
            let step = StillStep {
                length,
                evaluations: work.evaluations - counted,
                calls: work.stages.statistics.calls_since(&stages),
                residual: exact.residual(),
                cost: exact.cost() - cost,
            };
            still.end((model, state, &shared.memory), step);
        }
        Ok(())
    }

    /// The functions of the user's that crossed zero in the last step, by their numbers, in the order of time.
    pub(crate) fn crossed(&self) -> &[usize] {
        self.watch.crossed()
    }
}
