//! What one exact step hands from stage to stage.

use super::books::Books;
use super::bounce::Bounce;
use super::ended::Ended;
use super::known::KnownRows;
use super::line::{Change, Line};
use super::near::Near;
use super::solve::Answer;
use super::turning::Turning;
use crate::road::Row;

/// The rows of a step, its answers, and the velocities around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) lines: Vec<Line>,
    pub(super) answer: Answer,
    pub(super) placing: Answer,
    pub(super) rows: Vec<Row>,
    pub(super) y: Vec<f64>,
    pub(super) middle: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) changes: Vec<Change>,
    pub(super) before: Vec<Change>,
    pub(super) pressed: Vec<bool>,
    pub(super) pushes: Vec<Change>,
    pub(super) turning: Turning,
    /// The rows of this step, then those of the one before.
    pub(super) closed: KnownRows,
    pub(super) bounces: Vec<Bounce>,
    pub(super) left_to_bounce: Vec<Near>,
    pub(super) ended: Ended,
    pub(super) books: Books,
}

impl Scratch {
    /// The velocities before the step, and what forces change of them.
    pub(super) fn went(&self) -> (&[Change], &[Change]) {
        (&self.before, &self.changes)
    }
}
