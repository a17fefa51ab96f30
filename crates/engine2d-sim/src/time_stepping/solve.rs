//! Impulses of rows: the complementarity problem `w = J M⁻¹ Jᵀ r + b` of a whole step, given by its Jacobian, island by island.

use super::known::{Known, KnownRows};
use super::line::Line;
use super::sweeps::Sweeps;
use crate::error::SimError;
use crate::road::{Asked, Row, problem_by_bodies};
use crate::spans;
use engine2d_constraint::{InverseMass, RowKind};
use engine2d_geometry::BodyRef;
use engine2d_lcp::{Set, Solver, Status, Stepper};
use engine2d_math::order::Order;

/// Scaled violation of the conditions that is promised.
pub(super) const EXACT: f64 = 1e-9;
/// Violation that is aimed at from step to step: what is left moves what rests. Most answers are exact to rounding; in piles
/// some are not, and are not looked for longer.
const AIM: f64 = 1e-11;

/// Sliding, in the rate that it had or would have had without friction, up to which it is what an answer leaves of none.
pub(super) const AT_REST: f64 = 10.0 * EXACT;

/// Scaled violation from which conditions that contradict each other, by a proof, are more than what rounding or a singular position does.
const CONTRADICTION: f64 = 1e-3;

/// What a factorization and a pivot take for each row of a problem (milliseconds of a machine of 2026): how much work it was, the
/// same on every machine.
const FACTORIZATION: f64 = 2.2e-4;
const PIVOT: f64 = 1.1e-5;

/// An answer: impulses, sets and how good it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) impulses: Vec<f64>,
    pub(super) sets: Vec<Set>,
    /// Largest scaled violation of the conditions.
    pub(super) residual: f64,
    /// Whether the solver said that it is one.
    pub(super) solved: bool,
    /// The rows in the proof that there is none; empty without a proof.
    pub(super) refuted: Vec<u32>,
}

impl Answer {
    /// Where nothing satisfies the conditions of the lines, by a proof and by far: the contradiction.
    pub(super) fn contradiction(&self, lines: &[Line], time: f64) -> Option<SimError> {
        if self.refuted.is_empty() || self.residual <= CONTRADICTION {
            return None;
        }
        // Lines gathered anew behind the answer may be fewer.
        let refuted = self.refuted.iter().filter_map(|&row| lines.get(row as usize));
        let mut bodies: Vec<BodyRef> = refuted.flat_map(|line| line.row.row.bodies).collect();
        bodies.order();
        bodies.dedup();
        let (status, size) = (format!("{:?}", Status::Infeasible), lines.len());
        Some(SimError::Unsolved { what: "impulses", time, size, status, violation: self.residual, bodies })
    }
}

/// The solver with what it keeps from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Impulses {
    sets: Vec<Set>,
    forces: Vec<f64>,
    /// The solver with its scratch, and the violation it is to reach. Nothing of an answer stays in it.
    stepper: Option<(f64, Stepper)>,
    sweeps: Sweeps,
    /// What the solves took since it was last taken (nominal milliseconds).
    pub(super) cost: f64,
}

impl Impulses {
    /// Solves for the impulses of lines, from the set and the impulse that `start` gives for each.
    pub(super) fn solve(
        &mut self,
        lines: &[Line],
        start: impl Fn(usize) -> (Set, f64),
        masses: &[InverseMass],
        time: f64,
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        self.begin((0..lines.len()).map(start));
        self.run(&mut lines.iter().map(Line::asked), masses, (time, EXACT, false), answer)
    }

    /// As [`Self::solve`], from the sets and impulses of an answer.
    pub(super) fn solve_again(
        &mut self,
        lines: &[Line],
        masses: &[InverseMass],
        time: f64,
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        self.sets.clone_from(&answer.sets);
        self.forces.clone_from(&answer.impulses);
        self.run(&mut lines.iter().map(Line::asked), masses, (time, EXACT, false), answer)
    }

    /// As [`Self::solve`] where the start is of other demands: without friction a better one is looked for.
    pub(super) fn solve_afresh(
        &mut self,
        lines: &[Line],
        start: impl Fn(usize) -> (Set, f64),
        masses: &[InverseMass],
        time: f64,
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        self.begin((0..lines.len()).map(start));
        self.run(&mut lines.iter().map(Line::asked), masses, (time, EXACT, true), answer)
    }

    /// Takes up the set and the impulse of each row to start from.
    fn begin(&mut self, start: impl Iterator<Item = (Set, f64)>) {
        self.sets.clear();
        self.forces.clear();
        for (set, force) in start {
            self.sets.push(set);
            self.forces.push(force);
        }
    }

    /// Solves for the multipliers of rows, from nothing, to a scaled violation of `exact`.
    pub(super) fn project<'a>(
        &mut self,
        rows: &mut dyn ExactSizeIterator<Item = Asked<'a>>,
        masses: &[InverseMass],
        (time, exact): (f64, f64),
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        self.begin((0..rows.len()).map(|_| (Set::Untreated, 0.0)));
        self.run(rows, masses, (time, exact, true), answer)
    }

    fn run<'a>(
        &mut self,
        rows: &mut dyn ExactSizeIterator<Item = Asked<'a>>,
        masses: &[InverseMass],
        (time, exact, afresh): (f64, f64, bool),
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        let count = rows.len();
        if count == 0 {
            *answer = Answer { solved: true, ..Answer::default() };
            return Ok(());
        }
        let malformed =
            |e: engine2d_lcp::Error| SimError::Problem { time, message: format!("impulses: {e}") };
        let problem = problem_by_bodies(rows, masses).map_err(malformed)?;
        if afresh {
            self.sweeps.guess(&problem, &mut self.sets, &mut self.forces);
        }
        // Nothing but the memory goes from step to step, so that a run that is resumed has the same bits: what the stepper knows
        // of the last answer is forgotten with its problem.
        let stepper = match &mut self.stepper {
            Some((reached, stepper)) if *reached == exact => {
                stepper.set_problem(problem);
                stepper
            }
            kept => {
                let stepper = Stepper::with(problem, Solver::auto().portable().tolerance(exact).aim(AIM));
                &mut kept.insert((exact, stepper)).1
            }
        };
        if self.sets.iter().any(|set| *set != Set::Untreated) {
            stepper.start_from(&self.sets, &self.forces).map_err(malformed)?;
        }
        let span = spans::solve("impulses", time, count);
        let solution = span.in_scope(|| stepper.solve()).map_err(malformed)?;
        spans::answered(&span, solution);
        let (factorizations, pivots) = (solution.stats.factorizations as f64, solution.stats.pivots as f64);
        self.cost += count as f64 * (FACTORIZATION * factorizations + PIVOT * pivots);
        answer.impulses.clone_from(&solution.f);
        answer.sets.clone_from(&solution.sets);
        answer.residual = solution.certificate.residual;
        answer.solved = solution.status == Status::Solved;
        answer.refuted.clear();
        if solution.status == Status::Infeasible {
            answer.refuted.extend((0..).zip(&solution.ray).filter(|(_, v)| **v != 0.0).map(|(row, _)| row));
        }
        Ok(())
    }
}

/// Notes which rows of a step are closed at its end, by the velocities that it changed. A place at the limit of its friction sticks too if
/// it does not slide: how bodies share a tangential force among their places is not determined.
pub(super) fn note_closed(
    (lines, answer): (&[Line], &Answer),
    changed: impl Fn(&Row) -> f64,
    out: &mut KnownRows,
) {
    let slides = |Line { row, bias, .. }: &Line| {
        (row.rate + changed(row)).abs() > AT_REST * (row.rate.abs() + bias.abs())
    };
    out.set(lines.iter().zip(answer.impulses.iter().zip(&answer.sets)).map(|(line, (&impulse, &set))| {
        let closed = match line.row.kind {
            RowKind::Bilateral => true,
            // An answer that is exact but for its tolerance has traces of force where bodies are apart.
            RowKind::Unilateral => impulse > 0.0 && set != Set::Lower,
            RowKind::Friction { normal, mu } => {
                let pressing = answer.impulses[normal];
                pressing > 0.0 && (impulse.abs() < mu * pressing || !slides(line))
            }
            _ => false,
        };
        Known { source: line.row.source, impulse, set, closed }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::road::{Source, point_row};
    use engine2d_geometry::{BodyRef, ContactId, Features};
    use engine2d_math::Vec2;

    #[test]
    fn traces_of_force_close_nothing() {
        let of = |vertex: u32| {
            let features = Features::VertexEdge { vertex, edge: 0 };
            ContactId { primary: BodyRef::Ground, normal_body: BodyRef::Ground, features }
        };
        let lines = [0, 1].map(|k| {
            let row = point_row(of(k), Vec2::y(), Vec2::zeros(), &[]);
            Line { row, bias: 4e3, compliance: 0.0, restitution: 0.0 }
        });
        let sets = vec![Set::Clamped, Set::Lower];
        let answer = Answer { impulses: vec![2e-10, 5e-10], sets, solved: true, ..Answer::default() };
        let mut known = KnownRows::default();
        note_closed((&lines, &answer), |_| 0.0, &mut known);
        assert!(known.is_closed(Source::Contact(of(0))), "what presses is closed, however little");
        assert!(!known.is_closed(Source::Contact(of(1))), "what is apart is not");
    }
}
