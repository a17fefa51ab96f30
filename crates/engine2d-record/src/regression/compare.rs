//! The first difference of two motions.

use super::motion::{FIELDS, MotionRecord, Told};
use std::fmt;

/// Where two motions part: the first time, and there body and field.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Simulated time; `None` for what has none.
    pub time: Option<f64>,
    /// Whose: a body, the events, what was counted.
    pub whose: String,
    /// Which field of it.
    pub field: String,
    /// What the committed motion has there.
    pub expected: String,
    /// What was found there.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = self.time {
            write!(f, "at t = {time}, ")?;
        }
        write!(f, "{}, {}: expected {}, found {}", self.whose, self.field, self.expected, self.found)
    }
}

/// The first difference: in samples and events by their times, then in what was counted, then in bits. Where `tolerance` is
/// not 0, values may differ by `tolerance · (1 + |value|)`, and counts and bits are not compared; neither are they where
/// `found` ends before `expected`, nor anything after that.
#[must_use]
pub fn compare(expected: &MotionRecord, found: &MotionRecord, tolerance: f64) -> Option<Difference> {
    let other = |whose: &str, field: &str, a: String, b: String| {
        Some(Difference {
            time: None,
            whose: whose.to_owned(),
            field: field.to_owned(),
            expected: a,
            found: b,
        })
    };
    if expected.bodies != found.bodies {
        let [a, b] = [expected, found].map(|record| record.bodies.join(", "));
        return other("the scene", "bodies", a, b);
    }
    let whole = found.until >= expected.until;
    let first = [samples(expected, found, tolerance, whole), events(expected, found, tolerance, whole)];
    let time = |difference: &Difference| difference.time.unwrap_or(f64::INFINITY);
    let first = first.into_iter().flatten().min_by(|a, b| time(a).total_cmp(&time(b)));
    if first.is_some() || !whole || tolerance > 0.0 {
        return first;
    }
    let none = "nothing".to_owned();
    let most = expected.statistics.len().max(found.statistics.len());
    for k in 0..most {
        let [a, b] = [expected, found].map(|record| record.statistics.get(k));
        if a != b {
            let name = a.or(b).map_or("", |(name, _)| name);
            let [a, b] = [a, b].map(|each| each.map_or(none.clone(), |(_, value)| value.clone()));
            return other("counts", name, a, b);
        }
    }
    let bits = expected.bits.iter().zip(&found.bits).zip(&expected.bodies);
    let ((a, b), name) = bits.into_iter().find(|((a, b), _)| a != b)?;
    other(&format!("body {name:?}"), "bits of all steps", a.clone(), b.clone())
}

/// Whether two values are the same within a tolerance.
fn alike(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn samples(expected: &MotionRecord, found: &MotionRecord, tolerance: f64, whole: bool) -> Option<Difference> {
    let at = |time: f64, whose: String, field: &str, a: String, b: String| {
        Some(Difference { time: Some(time), whose, field: field.to_owned(), expected: a, found: b })
    };
    for (k, a) in expected.samples.iter().enumerate() {
        let Some(b) = found.samples.get(k) else {
            let last = found.samples.last().map_or(0.0, |last| last.time);
            return whole.then(|| {
                at(last, "the run".to_owned(), "end", "it goes on".to_owned(), "it ends".to_owned())
            })?;
        };
        if !whole && b.time >= found.until {
            // The last sample is taken at the end, wherever that is.
            return None;
        }
        if !alike(a.time, b.time, tolerance) {
            return at(b.time, "the samples".to_owned(), "time", a.time.to_string(), b.time.to_string());
        }
        for (name, (a_state, b_state)) in expected.bodies.iter().zip(a.bodies.iter().zip(&b.bodies)) {
            for (field, (x, y)) in FIELDS.iter().zip(a_state.iter().zip(b_state)) {
                if !alike(*x, *y, tolerance) {
                    return at(a.time, format!("body {name:?}"), field, x.to_string(), y.to_string());
                }
            }
        }
    }
    let more = found.samples.get(expected.samples.len())?;
    at(more.time, "the run".to_owned(), "end", "it ends".to_owned(), "it goes on".to_owned())
}

fn events(expected: &MotionRecord, found: &MotionRecord, tolerance: f64, whole: bool) -> Option<Difference> {
    let words = |event: Option<&Told>| match event {
        None => "no event".to_owned(),
        Some(Told { what, time, size: None }) => format!("{what} at {time}"),
        Some(Told { what, time, size: Some(size) }) => format!("{what} at {time} of {size}"),
    };
    let within = |event: &&Told| whole || event.time < found.until;
    let (a, b) = (expected.events.iter().filter(within), found.events.iter().filter(within));
    let (a, b): (Vec<_>, Vec<_>) = (a.collect(), b.collect());
    for k in 0..a.len().max(b.len()) {
        let (a, b) = (a.get(k).copied(), b.get(k).copied());
        if let (Some(x), Some(y)) = (a, b)
            && x.what == y.what
            && alike(x.time, y.time, tolerance)
            && x.size.zip(y.size).map_or(x.size == y.size, |(x, y)| alike(x, y, tolerance))
        {
            continue;
        }
        let time = [a, b].into_iter().flatten().map(|event| event.time).fold(f64::INFINITY, f64::min);
        let (field, whose) = (format!("number {}", k + 1), "the events".to_owned());
        return Some(Difference { time: Some(time), whose, field, expected: words(a), found: words(b) });
    }
    None
}
