//! Bodies that meet within a step.
//!
//! A gap may close by the end of the step, not more: the row of a contact leaves the approach `u⁺ = −2 g/h` that closes it, and bodies go on
//! at that. Behind it the approach is over. Without friction it is all the same whether the blow is one or falls into two parts, the
//! second of which [`steady`](super::positions::steady) ends. With friction it is not: an impulse that turns sliding round has another
//! direction in the second part, and how the parts share the blow is the chance of where the step begins. So the velocities are those of one
//! blow, `u⁺ ≥ 0` with all friction by the velocities behind it, as of a located impact without restitution.

use super::known::KnownRows;
use super::line::{Change, Line, rate_along};
use super::memory::Memory;
use super::solve::Answer;
use crate::road::{Row, Source};
use engine2d_constraint::RowKind;

/// Makes the rows of contacts that close in the step faster than a speed demand that their approach ends; whether there are any, and friction
/// with it. Forces change the velocities by `changes`.
pub(super) fn end_approaches(
    (lines, answer): (&mut [Line], &Answer),
    changes: &[Change],
    memory: &Memory,
    speed: f64,
) -> bool {
    if !lines.iter().any(|line| line.row.source.is_friction()) {
        return false;
    }
    let mut any = false;
    for (line, _) in lines.iter_mut().zip(&answer.impulses).filter(|(_, p)| **p > 0.0) {
        let row = &line.row;
        let meets = row.kind == RowKind::Unilateral && matches!(row.source, Source::Contact(_));
        if !meets || memory.is_closed(row.source) {
            continue;
        }
        let free = row.rate + rate_along(row, changes);
        if line.bias - free > speed {
            (line.bias, any) = (free, true);
        }
    }
    any
}

/// Adds what ended the approach of contacts that were not closed before, by the rows of [`steady`], to the impulses of the
/// step, of which what is known `now` has the rows one by one.
pub(super) fn add_arrivals(
    (rows, steadied): (&[Row], &Answer),
    (before, now): (&KnownRows, &KnownRows),
    answer: &mut Answer,
) {
    let arrived = |row: &Row| match row.source {
        Source::Contact(id) => !before.is_closed(Source::Contact(id)),
        _ => false,
    };
    for (row, more) in rows.iter().zip(&steadied.impulses).filter(|(row, more)| **more != 0.0 && arrived(row))
    {
        if let Some(line) = now.place(row.source) {
            answer.impulses[line] += more;
        }
    }
}
