//! Contacts that end within a step because they slide off the end of an edge, where nothing follows them.
//!
//! The impulse of a row is that of a force which acts through the whole step. A force that ends after the share `τ` of it has the impulse `τ r`, with
//! `r` that of a whole step; the other rows find theirs anew. They are sums over the step, and need not know when. As less of an impulse
//! leaves a lower mean rate `ū` of its row, `r ū ≤ 0`: no energy is made.
//!
//! Nothing follows where the two bodies are apart at the end of the step with `r` as with `τ r`, and nothing else bears nearby what the
//! contact gives less.

use super::line::Line;
use super::memory::Memory;
use super::near::{Near, bodies_of};
use super::solve::Answer;
use crate::road::{Source, margin};
use crate::state::State;
use engine2d_constraint::RowKind;
use engine2d_geometry::ContactId;
use engine2d_math::Vec2;

/// Share of what a contact gives less from which what presses nearby has followed it: a corner that it slides past may be met by the cube of the way.
const BEARS: f64 = 0.5;

/// How far off what follows a contact is, in the way of its place along the edge.
const NEXT: f64 = 2.0;

/// A contact that ends.
#[derive(Clone, Copy, Debug)]
struct End {
    id: ContactId,
    /// Where it is (world).
    point: Vec2,
    /// How far beyond the end of the edge it is where the step ends, and how far along the edge it goes in the step (length).
    beyond: f64,
    way: f64,
    /// What it gives less (momentum).
    less: f64,
}

/// How far the search for what ends has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Search {
    /// Nothing was looked for.
    #[default]
    Open,
    /// What ends has the impulses of its share of the step.
    Shared,
    /// It is known, and what ends presses through the step: something follows it.
    Done,
}

/// The contacts that end within a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended {
    search: Search,
    ends: Vec<End>,
    /// What the rows of these contacts give in the part of the step in which they act.
    given: Vec<(Source, f64)>,
    /// What pressed without them.
    pressing: Vec<Source>,
}

impl Ended {
    /// Begins another step.
    pub(super) fn begin(&mut self) {
        self.search = Search::Open;
        self.ends.clear();
        self.given.clear();
        self.pressing.clear();
    }

    /// Bounds what ends by what it gives.
    pub(super) fn bound(&self, lines: &mut [Line]) {
        for &(source, given) in &self.given {
            for line in lines.iter_mut().filter(|line| line.row.source == source) {
                line.row.kind = RowKind::Boxed { lo: given.min(0.0), hi: given.max(0.0) };
            }
        }
    }

    /// Whether a step that was taken from `start` by the impulses of these lines stays as it is. Else the bodies are put back to where it
    /// began, and what ends in it will be bounded otherwise.
    pub(super) fn stays(
        &mut self,
        memory: &Memory,
        (lines, answer): (&[Line], &Answer),
        state: &mut State,
        start: &[f64],
    ) -> bool {
        match self.search {
            Search::Open => self.find(memory, (lines, answer), state),
            Search::Shared if self.is_followed(memory, (lines, answer), state) => {
                self.search = Search::Done;
                self.given.clear();
                state.write(start);
                return false;
            }
            Search::Shared | Search::Done => return true,
        }
        if self.ends.is_empty() {
            return true;
        }
        state.write(start);
        self.search = Search::Shared;
        self.pressing.extend(pressing(lines, answer).map(|(line, _)| line.row.source));
        for end in &mut self.ends {
            let left = margin(end.id, None, &state.bodies).max(0.0);
            end.way = left + end.beyond;
            let share = left / end.way;
            let own = lines.iter().zip(&answer.impulses);
            let own = own.filter(|(line, _)| line.row.source.contact() == Some(end.id));
            for (line, impulse) in own {
                self.given.push((line.row.source, share * impulse));
                if line.row.kind == RowKind::Unilateral {
                    end.less = (1.0 - share) * impulse;
                }
            }
        }
        false
    }

    /// Finds what pressed before the step and in it, and is off its edge where the step ends, of bodies that do not touch there.
    fn find(&mut self, memory: &Memory, (lines, answer): (&[Line], &Answer), state: &State) {
        let touches = |near: &Near| near.row(&state.bodies).error <= state.touch;
        for (line, _) in pressing(lines, answer) {
            let Source::Contact(id) = line.row.source else { continue };
            let pair = bodies_of(id);
            let from = memory.near.partition_point(|near| near.pair() < pair);
            let mut own = memory.near[from..].iter().take_while(|near| near.pair() == pair);
            if !memory.is_closed(line.row.source) || own.any(|near| near.id == id || touches(near)) {
                continue;
            }
            let beyond = -margin(id, None, &state.bodies);
            if beyond > 0.0 {
                self.ends.push(End { id, point: line.row.point, beyond, way: 0.0, less: 0.0 });
            }
        }
    }

    /// Whether near a contact that ends bodies bear what it gives less, or overlap, where they did not press as long as it did.
    fn is_followed(&self, memory: &Memory, (lines, answer): (&[Line], &Answer), state: &State) -> bool {
        let is_new = |source: Source| !self.pressing.contains(&source);
        let presses = |source: Source| pressing(lines, answer).any(|(line, _)| line.row.source == source);
        self.ends.iter().any(|end| {
            let follows = |source: Source, point: Vec2| {
                let shares = source.is_of(end.id.primary) || source.is_of(end.id.normal_body);
                shares && is_new(source) && (point - end.point).norm() <= NEXT * end.way
            };
            let next = pressing(lines, answer).filter(|(line, _)| follows(line.row.source, line.row.point));
            let overlaps = |near: &Near| {
                let (row, source) = (near.row(&state.bodies), Source::Contact(near.id));
                row.error < -state.touch && follows(source, row.point) && !presses(source)
            };
            next.map(|(_, impulse)| impulse).sum::<f64>() > BEARS * end.less
                || memory.near.iter().any(overlaps)
        })
    }
}

/// The contacts that press, with their impulses.
fn pressing<'a>(lines: &'a [Line], answer: &'a Answer) -> impl Iterator<Item = (&'a Line, f64)> {
    let presses = |(line, impulse): &(&Line, &f64)| line.row.kind == RowKind::Unilateral && **impulse > 0.0;
    lines.iter().zip(&answer.impulses).filter(presses).map(|(line, impulse)| (line, *impulse))
}
