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

use super::line::{Change, Line, add_changes, rate_along};
use super::solve::{Answer, EXACT};
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
}

impl Turning {
    /// Asks `solve` for other answers of the lines of a step while one has friction that does work above zero.
    pub(super) fn turn(
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
        answer: &Answer,
        (forces, masses): (&[Change], &[InverseMass]),
        sticks: &impl Fn(Source) -> bool,
    ) -> bool {
        let Self { turned, count, before: kept, changes } = self;
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
        let known = turned.len();
        for (k, (line, p)) in lines[..*count].iter().zip(&answer.impulses).enumerate() {
            let (before, after) = ends(line);
            if is_friction(line) && p * (before + after) > least && !sticks(line.row.source) {
                turned.push((k, line.row.kind));
            }
        }
        for &(k, kind) in &turned[known..] {
            let RowKind::Friction { normal, mu } = kind else { unreachable!("friction of a contact") };
            let limits = |mu_minus, mu_plus| RowKind::FrictionLimits { normal, mu_minus, mu_plus };
            let (first, second) = if lines[k].row.rate > 0.0 {
                (limits(mu, 0.0), limits(0.0, mu))
            } else {
                (limits(0.0, mu), limits(mu, 0.0))
            };
            let Line { row, bias, .. } = lines[k];
            lines[k].row.kind = first;
            lines.push(Line { row: Row { kind: second, ..row }, bias: bias + row.rate, ..lines[k] });
        }
        if turned.len() > known {
            kept.0.clone_from(answer);
            kept.1 = known;
        }
        turned.len() > known
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
