//! Friction that turns round within a step.
//!
//! A place that slides has its friction `p` by the rate `u⁺` after the step, and `p (u⁻ + u⁺)/2` is what `p` does to the energy. Where other
//! impulses turn the rate round, from `u⁻ > 0` to `u⁺ ≤ 0`, friction that acts against the end alone, `p > 0`, may push along the way that
//! the place goes on the mean: it would make energy of itself. Within a step that goes through `u = 0` friction is on both sides of it by
//! turns; what no such part can have is work above zero. So the law is taken of both ends, `r` being `μ` times the normal impulse:
//!
//! | rate after the step | friction |
//! |---|---|
//! | `u⁺ > 0` | `−r` |
//! | `u⁺ = 0` | from `−r` to 0 |
//! | `−u⁻ < u⁺ < 0` | 0 |
//! | `u⁺ = −u⁻` | from 0 to `r` |
//! | `u⁺ < −u⁻` | `r` |
//!
//! which falls as the rate grows, so that the problem stays one of complementarity: the sum of two rows, one of `u⁺` with the limits
//! `−r, 0`, and one of `u⁺ + u⁻` with `0, r`. Neither does work above zero. For `u⁻ < 0` all signs change.
//!
//! Where bodies strike each other it is the blow that turns the rate round, and the law is that of the end alone, as of every impact: what its
//! normal row takes is more than what friction gives.
//!
//! It has a price. What slides up a slope and stops there goes back for some steps before it sticks, first with what gravity gives in a step: a
//! way of `(g h)²` over twice what friction brakes it with, which is short but near the angle of friction.

use super::line::{Change, Line, add_changes, rate_along};
use super::memory::Memory;
use super::solve::{Answer, EXACT, Impulses};
use crate::error::SimError;
use crate::road::{Row, Source};
use engine2d_constraint::{InverseMass, RowKind};
use engine2d_lcp::Set;

/// How often friction that turns round is looked for: what is taken apart may turn others.
const TURNS: usize = 4;

/// Work above zero that counts, relative to what all rows of the step exchange: what is left of an answer may do as much.
const ABOVE_ZERO: f64 = EXACT;

/// The rows of friction that are taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// The line of each, with its kind; its second row is as many behind the first `count` lines as it is behind the first here.
    turned: Vec<(usize, RowKind)>,
    /// Lines of the step without second rows.
    count: usize,
    /// The answer before the last ones were taken apart, and how many there were.
    before: (Answer, usize),
    changes: Vec<Change>,
    /// What all rows of each contact do, at the place of its normal one: twice its work.
    works: Vec<f64>,
}

impl Turning {
    /// Finds the impulses of the lines of a step, from those of the step before or `again` from those of the answer, with friction that turns
    /// round. Forces change the velocities by `changes`.
    pub(super) fn solve(
        &mut self,
        (lines, answer): (&mut Vec<Line>, &mut Answer),
        (changes, masses, time): (&[Change], &[InverseMass], f64),
        memory: &Memory,
        impulses: &mut Impulses,
        again: bool,
    ) -> Result<(), SimError> {
        if again {
            impulses.solve_again(lines, masses, time, answer)?;
        } else {
            impulses.solve(lines, |k| memory.start(lines[k].row.source), masses, time, answer)?;
        }
        let solve = |lines: &[Line], answer: &mut Answer| impulses.solve_again(lines, masses, time, answer);
        self.turn((lines, answer), (changes, masses), |source| memory.is_closed(source), solve)
    }

    /// Asks `solve` for other answers of the lines of a step while one has friction that does work above zero. It gets the one before as
    /// what to start from.
    fn turn(
        &mut self,
        (lines, answer): (&mut Vec<Line>, &mut Answer),
        (forces, masses): (&[Change], &[InverseMass]),
        sticks: impl Fn(Source) -> bool,
        mut solve: impl FnMut(&[Line], &mut Answer) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        self.turned.clear();
        self.count = lines.len();
        for _ in 0..TURNS {
            let was_solved = answer.solved;
            if !self.take_apart(lines, answer, (forces, masses), &sticks) {
                break;
            }
            solve(lines, answer)?;
            if was_solved && !answer.solved {
                self.undo(lines, answer);
                break;
            }
        }
        self.join(lines, answer);
        Ok(())
    }

    /// Takes apart what slides and has friction that does work above zero by an answer; whether there was any. Forces change the
    /// velocities by `forces`; what sticks has its friction by the mean rate, and none of it works.
    fn take_apart(
        &mut self,
        lines: &mut Vec<Line>,
        answer: &mut Answer,
        (forces, masses): (&[Change], &[InverseMass]),
        sticks: &impl Fn(Source) -> bool,
    ) -> bool {
        let Self { turned, count, before: kept, changes, works } = self;
        let may_turn = |(line, &p): (&Line, &f64)| is_friction(line) && p * line.row.rate > 0.0;
        if !lines[..*count].iter().zip(&answer.impulses).any(may_turn) {
            return false;
        }
        changes.clear();
        changes.extend_from_slice(forces);
        add_changes(lines, &answer.impulses, masses, changes);
        let ends = |line: &Line| (line.row.rate, line.row.rate + rate_along(&line.row, changes));
        let exchanged = |(line, p): (&Line, &f64)| {
            let (before, after) = ends(line);
            p.abs() * (before.abs() + after.abs() + rate_along(&line.row, forces).abs())
        };
        let least = ABOVE_ZERO * lines.iter().zip(&answer.impulses).map(exchanged).sum::<f64>();
        let work = |(line, p): (&Line, &f64)| {
            let (before, after) = ends(line);
            p * (before + after)
        };
        works.clear();
        works.resize(lines.len(), 0.0);
        for (k, (line, p)) in lines.iter().zip(&answer.impulses).enumerate() {
            works[line.row.kind.normal().unwrap_or(k)] += work((line, p));
        }
        let known = turned.len();
        for (k, (line, p)) in lines[..*count].iter().zip(&answer.impulses).enumerate() {
            let RowKind::Friction { normal, .. } = line.row.kind else { continue };
            if work((line, p)) > least && works[normal] > least && !sticks(line.row.source) {
                turned.push((k, line.row.kind));
            }
        }
        if turned.len() == known {
            return false;
        }
        kept.0.clone_from(answer);
        kept.1 = known;
        for &(k, kind) in &turned[known..] {
            let RowKind::Friction { normal, mu } = kind else { unreachable!("friction of a contact") };
            let limits = |mu_minus, mu_plus| RowKind::FrictionLimits { normal, mu_minus, mu_plus };
            let (first, second) = (limits(mu, 0.0), limits(0.0, mu));
            // Without the friction that pushed it, it most likely ends between: neither row has a force.
            let (kinds, sets) = if lines[k].row.rate > 0.0 {
                ((first, second), (Set::Upper, Set::Lower))
            } else {
                ((second, first), (Set::Lower, Set::Upper))
            };
            (answer.impulses[k], answer.sets[k]) = (0.0, sets.0);
            answer.impulses.push(0.0);
            answer.sets.push(sets.1);
            let Line { row, bias, .. } = lines[k];
            lines[k].row.kind = kinds.0;
            lines.push(Line { row: Row { kind: kinds.1, ..row }, bias: bias + row.rate, ..lines[k] });
        }
        true
    }

    /// Puts together what was taken apart last, with the answer that it had then.
    fn undo(&mut self, lines: &mut Vec<Line>, answer: &mut Answer) {
        let Self { turned, count, before: (kept, known), .. } = self;
        turned.drain(*known..).for_each(|(k, kind)| lines[k].row.kind = kind);
        lines.truncate(*count + *known);
        answer.clone_from(kept);
    }

    /// Makes one row of each two again.
    fn join(&self, lines: &mut Vec<Line>, answer: &mut Answer) {
        for (&(k, kind), second) in self.turned.iter().zip(self.count..) {
            // A place that came to rest sticks. One that goes on, to whichever side, does not, and keeps the kind that says so.
            if answer.impulses[k] != 0.0 {
                lines[k].row.kind = kind;
            } else {
                answer.sets[k] =
                    if answer.impulses[second] == 0.0 { Set::Clamped } else { answer.sets[second] };
            }
            answer.impulses[k] += answer.impulses[second];
        }
        lines.truncate(self.count);
        answer.impulses.truncate(self.count);
        answer.sets.truncate(self.count);
    }
}

fn is_friction(line: &Line) -> bool {
    matches!(line.row.kind, RowKind::Friction { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_constraint::ConstraintRow;
    use engine2d_geometry::{BodyRef, ContactId, Features};
    use engine2d_math::Vec2;

    /// Most friction: a normal impulse of 1 with this coefficient.
    const MU: f64 = 0.1;

    const ID: ContactId = ContactId {
        primary: BodyRef::Body(0),
        normal_body: BodyRef::Ground,
        features: Features::VertexEdge { vertex: 0, edge: 0 },
    };

    /// A row of a body on the ground along a direction.
    fn line(direction: Vec2, source: Source, kind: RowKind, (rate, bias): (f64, f64)) -> Line {
        let zero = Vec2::zeros();
        let bodies = [BodyRef::Body(0), BodyRef::Ground];
        let row = ConstraintRow::separation(bodies, direction, zero, zero);
        let row = Row { source, row, kind, error: 0.0, rate, bias: 0.0, holonomic: true, point: zero };
        Line { row, bias, compliance: 0.0, restitution: 0.0 }
    }

    /// Friction and rate after a step of a body of mass 1 that is pressed on the ground by an impulse of 1 and slides at the rate
    /// `before`, where forces change that by `change`; whether the row is one of friction again.
    fn slide(before: f64, change: f64) -> (f64, f64, bool) {
        let friction = RowKind::Friction { normal: 0, mu: MU };
        let mut lines = vec![
            line(Vec2::y(), Source::Contact(ID), RowKind::Unilateral, (0.0, -1.0)),
            line(Vec2::x(), Source::Friction(ID), friction, (before, before + change)),
        ];
        let masses = [InverseMass::new(1.0, 1.0)];
        let (mut impulses, mut answer) = (Impulses::default(), Answer::default());
        let mut solve = |lines: &[Line], answer: &mut Answer| {
            answer.impulses.resize(lines.len(), 0.0);
            answer.sets.resize(lines.len(), Set::Untreated);
            impulses.solve_again(lines, &masses, 0.0, answer)
        };
        solve(&lines, &mut answer).expect("an answer");
        let mut turning = Turning::default();
        let forces = [[change, -1.0, 0.0]];
        turning.turn((&mut lines, &mut answer), (&forces, &masses), |_| false, solve).expect("an answer");
        assert!(answer.solved && lines.len() == 2 && answer.impulses.len() == 2 && answer.sets.len() == 2);
        let friction = answer.impulses[1];
        (friction, before + change + friction, is_friction(&lines[1]))
    }

    #[test]
    fn friction_is_that_of_both_ends_of_the_step() {
        // The rate without friction, the friction, and the rate with it, of what came at 1: the five lines of the law.
        for (free, friction) in [(0.5, -MU), (0.06, -0.06), (-0.4, 0.0), (-1.06, 0.06), (-1.5, MU)] {
            for sign in [1.0, -1.0] {
                let (found, after, whole) = slide(sign, sign * (free - 1.0));
                assert!((found - sign * friction).abs() <= 1e-12, "{found} at {free}");
                assert!((after - sign * (free + friction)).abs() <= 1e-12, "{after} at {free}");
                assert!(found * (sign + after) <= 1e-12, "work above zero at {free}");
                // What came to rest may stick; what goes on must not be taken for that.
                assert_eq!(whole, free > -0.5 && friction != 0.0 || free < -1.2, "{free}");
            }
        }
    }

    #[test]
    fn what_has_no_other_answer_keeps_the_one_it_has() {
        let kind = RowKind::Friction { normal: 0, mu: MU };
        let mut lines = vec![line(Vec2::x(), Source::Friction(ID), kind, (1.0, -0.05))];
        let before =
            Answer { impulses: vec![0.05], sets: vec![Set::Clamped], solved: true, ..Answer::default() };
        let mut answer = before.clone();
        let fails = |lines: &[Line], answer: &mut Answer| {
            assert_eq!(lines.len(), 2, "it is asked for another one");
            *answer = Answer {
                impulses: vec![9.0; 2],
                sets: vec![Set::Lower; 2],
                residual: 1.0,
                ..Answer::default()
            };
            Ok(())
        };
        let masses = [InverseMass::new(1.0, 1.0)];
        let forces = [[-1.05, 0.0, 0.0]];
        Turning::default()
            .turn((&mut lines, &mut answer), (&forces, &masses), |_| false, fails)
            .expect("turned");
        assert!(lines.len() == 1 && is_friction(&lines[0]));
        assert_eq!((answer.impulses, answer.sets), (before.impulses, before.sets));
    }
}
