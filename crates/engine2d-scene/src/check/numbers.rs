//! Judging numbers.

use crate::mistake::{Log, MistakeKind};
use crate::point::Point;
use std::fmt::{Display, Formatter, Result};

/// Largest number of a scene, either way: products of three of them are numbers. Far above anything in any units.
const LARGEST: f64 = 1e100;

/// What a number may be. Every number must be finite, and at most [`LARGEST`].
#[derive(Clone, Copy)]
pub(super) enum Range {
    /// Any.
    Any,
    /// More than 0.
    Positive,
    /// 0 or more.
    AtLeastZero,
    /// From 0 to 1.
    Unit,
    /// More than 0, at most 1.
    Fraction,
    /// At least and at most.
    Between(f64, f64),
}

impl Range {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => value > 0.0,
            Self::AtLeastZero => value >= 0.0,
            Self::Unit => (0.0..=1.0).contains(&value),
            Self::Fraction => value > 0.0 && value <= 1.0,
            Self::Between(low, high) => (low..=high).contains(&value),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Any => "must be a finite number".to_owned(),
            Self::Positive => "must be > 0".to_owned(),
            Self::AtLeastZero => "must be ≥ 0".to_owned(),
            Self::Unit => "must lie between 0 and 1".to_owned(),
            Self::Fraction => "must be > 0 and ≤ 1".to_owned(),
            Self::Between(low, high) => format!("must lie between {low:?} and {high:?}"),
        }
    }
}

/// A field of a place, written only when there is something to say of it: most numbers of most scenes are sound.
#[derive(Clone, Copy)]
pub(super) struct At<'a>(pub(super) &'a str, pub(super) &'a str);

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self(place, field) = self;
        write!(f, "{place}.{field}")
    }
}

/// Notes mistakes; passes over the not-a-numbers that the reader left where it noted one.
pub(super) struct Judge<'a> {
    log: &'a mut Log,
    placeholders: bool,
}

impl<'a> Judge<'a> {
    /// A judge that adds to a log. Text cannot contain a number that is not finite: if the log has entries,
    /// those met are the reader's placeholders.
    pub(super) fn new(log: &'a mut Log) -> Self {
        let placeholders = !log.is_empty();
        Self { log, placeholders }
    }

    pub(super) fn note(&mut self, path: impl Display, kind: MistakeKind) {
        self.log.note(path.to_string(), kind);
    }

    pub(super) fn not_allowed(&mut self, path: impl Display, value: String, allowed: String) {
        self.note(path, MistakeKind::NotAllowed { value, allowed });
    }

    /// Whether nothing at a place or below has a mistake.
    pub(super) fn is_clean(&self, path: impl Display) -> bool {
        self.log.is_empty() || !self.log.touches(&path.to_string())
    }

    /// Judges one number, named by the last part of its path.
    pub(super) fn number(&mut self, path: impl Display, value: f64, range: Range) {
        self.number_with(path, value, range, "");
    }

    /// Judges one number; `advice` is added to the message.
    pub(super) fn number_with(&mut self, path: impl Display, value: f64, range: Range, advice: &str) {
        if !value.is_finite() {
            if !self.placeholders {
                let path = path.to_string();
                let allowed = format!("{} {}", field(&path), Range::Any.words());
                self.not_allowed(path, format!("{value:?}"), allowed);
            }
        } else if value.abs() > LARGEST {
            let path = path.to_string();
            let allowed = format!("{} must lie between {:?} and {LARGEST:?}", field(&path), -LARGEST);
            self.not_allowed(path, format!("{value:?}"), allowed);
        } else if !range.holds(value) {
            let path = path.to_string();
            let allowed = format!("{} {}{advice}", field(&path), range.words());
            self.not_allowed(path, format!("{value:?}"), allowed);
        }
    }

    /// Judges a number that may be absent.
    pub(super) fn number_if(&mut self, path: impl Display, value: Option<f64>, range: Range) {
        if let Some(value) = value {
            self.number(path, value, range);
        }
    }

    /// Judges both coordinates of a point.
    pub(super) fn point(&mut self, path: impl Display, point: Point) {
        self.number(format_args!("{path}[0]"), point[0], Range::Any);
        self.number(format_args!("{path}[1]"), point[1], Range::Any);
    }
}

/// The name of a field in words: `bodies[3].distance_tolerance` is the distance tolerance.
fn field(path: &str) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    match last.find('[') {
        Some(_) => "it".to_owned(),
        None => last.replace('_', " "),
    }
}
