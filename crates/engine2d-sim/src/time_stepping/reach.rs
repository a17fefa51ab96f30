//! The impulses of an impact where it reaches.
//!
//! Of all that touches in a heap an impact moves little. Rows that no impulse of the others makes approach have none themselves: the
//! answer of the rows about what is struck, with nothing elsewhere, is that of all rows once none of these approaches. Those that do
//! are taken in, with what is near them, and it is solved again.

use super::line::{Change, Line, add_changes, rate_along};
use super::solve::{Answer, Impulses};
use crate::error::SimError;
use engine2d_constraint::{InverseMass, RowKind};
use engine2d_lcp::Set;
use engine2d_math::order::Order;

/// Rows from which it pays to ask some of them only, where there is friction: without it all are solved as quickly.
const MANY: usize = 64;

/// Least rows of the first part, and how many times more the next one has at least: all parts together then cost no more than a few
/// times the last.
const FIRST: usize = 24;
const GROWTH: f64 = 2.0;

/// Share of the rows from which all are asked.
const MOST: f64 = 0.8;

/// Rate at which a row that is left out approaches, or a joint opens, relative to the fastest: a tenth of what an answer may leave.
const STILL: f64 = 1e-10;

/// The solver of impacts with the scratch of the search for what they reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) impulses: Impulses,
    /// The lines of each movable body, one behind the other.
    starts: Vec<u32>,
    lines_of: Vec<u32>,
    inside: Vec<bool>,
    /// Lines taken in, in the order in which they were.
    taken: Vec<u32>,
    /// The same in ascending order, and the place of each line in it.
    chosen: Vec<u32>,
    places: Vec<u32>,
    part: Vec<Line>,
    changes: Vec<Change>,
    found: Answer,
    /// From which set and impulse each line begins: what the last part had, which is nearly right for the next.
    begin: Vec<(Set, f64)>,
}

impl Reach {
    /// As [`Impulses::solve`], or `afresh` as [`Impulses::solve_afresh`], for lines most of which have no impulse.
    pub(super) fn solve(
        &mut self,
        lines: &[Line],
        start: impl Fn(usize) -> (Set, f64),
        masses: &[InverseMass],
        (time, afresh): (f64, bool),
        answer: &mut Answer,
    ) -> Result<(), SimError> {
        let is_rough = lines.iter().any(|line| line.row.kind.normal().is_some());
        if lines.len() < MANY || !is_rough {
            return if afresh {
                self.impulses.solve_afresh(lines, start, masses, time, answer)
            } else {
                self.impulses.solve(lines, start, masses, time, answer)
            };
        }
        self.open(lines, masses);
        self.begin.clear();
        self.begin.extend((0..lines.len()).map(start));
        let fastest = lines.iter().filter(|line| line.row.kind.normal().is_none());
        let still = STILL * fastest.fold(0.0, |most: f64, line| most.max(line.bias.abs()));
        while self.take_in(lines, still) {
            self.spread(lines, masses);
            let many = self.taken.len() as f64 > MOST * lines.len() as f64;
            if many || !self.solve_part(lines, (masses, time))? {
                let Self { impulses, begin, .. } = self;
                return impulses.solve(lines, |k| begin[k], masses, time, answer);
            }
        }
        self.tell(answer);
        Ok(())
    }

    /// Solves for the impulses of the lines taken in, and what these change; whether there is an answer.
    fn solve_part(
        &mut self,
        lines: &[Line],
        (masses, time): (&[InverseMass], f64),
    ) -> Result<bool, SimError> {
        self.cut(lines);
        let Self { impulses, chosen, part, found, changes, begin, .. } = self;
        impulses.solve(part, |at| begin[chosen[at] as usize], masses, time, found)?;
        if !found.solved {
            return Ok(false);
        }
        for (&k, known) in chosen.iter().zip(found.sets.iter().copied().zip(found.impulses.iter().copied())) {
            begin[k as usize] = known;
        }
        changes.iter_mut().for_each(|change| *change = [0.0; 3]);
        add_changes(part, &found.impulses, masses, changes);
        Ok(true)
    }

    /// Begins with nothing taken in, and notes which lines each body has.
    fn open(&mut self, lines: &[Line], masses: &[InverseMass]) {
        let Self { starts, lines_of, inside, taken, chosen, changes, found, .. } = self;
        starts.clear();
        starts.resize(masses.len() + 1, 0);
        lines.iter().flat_map(|line| movable(line, masses)).for_each(|body| starts[body + 1] += 1);
        (1..starts.len()).for_each(|body| starts[body] += starts[body - 1]);
        lines_of.clear();
        lines_of.resize(starts[masses.len()] as usize, 0);
        for (k, line) in lines.iter().enumerate() {
            for body in movable(line, masses) {
                lines_of[starts[body] as usize] = k as u32;
                starts[body] += 1;
            }
        }
        // Each start has become the next one's.
        starts.rotate_right(1);
        starts[0] = 0;
        inside.clear();
        inside.resize(lines.len(), false);
        taken.clear();
        chosen.clear();
        changes.clear();
        changes.resize(masses.len(), [0.0; 3]);
        *found = Answer { solved: true, ..Answer::default() };
    }

    /// Takes in the lines whose demand is not met by the velocities as they are changed; returns whether there are any.
    fn take_in(&mut self, lines: &[Line], still: f64) -> bool {
        let Self { inside, taken, changes, begin, .. } = self;
        let known = taken.len();
        for (k, line) in lines.iter().enumerate() {
            if inside[k] {
                continue;
            }
            let rate = || line.bias + rate_along(&line.row, changes);
            let asks = match line.row.kind {
                RowKind::Unilateral => rate() < -still,
                // No friction where nothing presses.
                RowKind::Friction { .. } => false,
                _ => rate().abs() > still,
            };
            if asks {
                take(lines, k, (inside, taken));
                begin[k].0 = Set::Clamped;
            }
        }
        taken.len() > known
    }

    /// Takes in what is next to what was taken in last, and next to that, until there are enough more.
    fn spread(&mut self, lines: &[Line], masses: &[InverseMass]) {
        let Self { starts, lines_of, inside, taken, chosen, .. } = self;
        let mut first = chosen.len();
        let enough = FIRST.max((GROWTH * first as f64) as usize);
        while taken.len() < enough && first < taken.len() {
            let ring = first..taken.len();
            first = ring.end;
            for at in ring {
                for body in movable(&lines[taken[at] as usize], masses) {
                    for &next in &lines_of[starts[body] as usize..starts[body + 1] as usize] {
                        let next = next as usize;
                        if !inside[next] {
                            let contact = lines[next].row.kind.normal().unwrap_or(next);
                            take(lines, contact, (inside, taken));
                        }
                    }
                }
            }
        }
    }

    /// The lines taken in as a problem of their own: those of friction follow their contacts to the new places.
    fn cut(&mut self, lines: &[Line]) {
        let Self { taken, chosen, places, part, .. } = self;
        chosen.clone_from(taken);
        chosen.order();
        places.resize(lines.len(), 0);
        chosen.iter().zip(0..).for_each(|(&k, at)| places[k as usize] = at);
        part.clear();
        part.extend(chosen.iter().map(|&k| {
            let mut line = lines[k as usize];
            if let RowKind::Friction { normal, mu } = line.row.kind {
                line.row.kind = RowKind::Friction { normal: places[normal] as usize, mu };
            }
            line
        }));
    }

    /// The answer of all lines: what is left out has no impulse.
    fn tell(&self, answer: &mut Answer) {
        let Self { chosen, found, begin, inside, .. } = self;
        answer.sets.clear();
        answer.sets.extend(begin.iter().map(|(set, _)| *set));
        answer.impulses.clear();
        answer.impulses.resize(inside.len(), 0.0);
        chosen.iter().zip(&found.impulses).for_each(|(&k, &p)| answer.impulses[k as usize] = p);
        (answer.residual, answer.solved) = (found.residual, found.solved);
        answer.refuted.clear();
        answer.refuted.extend(found.refuted.iter().map(|&at| chosen[at as usize]));
    }
}

/// The movable bodies of a line.
fn movable<'a>(line: &'a Line, masses: &'a [InverseMass]) -> impl Iterator<Item = usize> + 'a {
    let bodies = line.row.row.bodies.iter().filter_map(|body| body.index());
    bodies.filter(|&body| masses[body].is_movable())
}

/// Takes in a line with those of its friction and rolling resistance, which follow it.
fn take(lines: &[Line], k: usize, (inside, taken): (&mut [bool], &mut Vec<u32>)) {
    let follows = |at: &usize| lines[*at].row.kind.normal() == Some(k);
    for at in std::iter::once(k).chain((k + 1..lines.len()).take_while(follows)) {
        if !inside[at] {
            inside[at] = true;
            taken.push(at as u32);
        }
    }
}

#[cfg(test)]
mod tests;
