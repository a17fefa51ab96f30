//! Rows of a step, found by where they come from.

use crate::road::Source;
use engine2d_lcp::Set;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many rows are looked at from where one was found last, before they are looked up: the rows of one contact and the first of
/// the next.
const AHEAD: usize = 4;

/// A row of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) source: Source,
    /// Its impulse (momentum or angular momentum).
    pub(super) impulse: f64,
    /// Where the complementarity solver had it.
    pub(super) set: Set,
    /// Whether it is closed when the step ends: what it demands then is demanded of the mean velocity.
    pub(super) closed: bool,
}

/// Rows of a step in their order, each source once. They are mostly asked for in that order, so that one is found where the last one
/// was or next to it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Known>", into = "Vec<Known>")]
pub(super) struct KnownRows {
    rows: Vec<Known>,
    last: Last,
    /// Where each source is, once one was asked for out of order.
    places: OnceLock<FxHashMap<Source, u32>>,
}

/// Where a row was found last. It changes the time of a search, never what is found.
#[derive(Debug, Default)]
struct Last(AtomicUsize);

impl Clone for Last {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl From<Vec<Known>> for KnownRows {
    fn from(rows: Vec<Known>) -> Self {
        let mut known = Self::default();
        known.set(rows);
        known
    }
}

impl From<KnownRows> for Vec<Known> {
    fn from(known: KnownRows) -> Self {
        known.rows
    }
}

impl PartialEq for KnownRows {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl KnownRows {
    /// Takes rows instead of those it has; what has no room of its own is used again.
    pub(super) fn set(&mut self, rows: impl IntoIterator<Item = Known>) {
        self.rows.clear();
        self.rows.extend(rows);
        self.last = Last::default();
        self.places.take();
    }

    /// Keeps the rows that are wanted, under the sources they are given.
    pub(super) fn retain(&mut self, keep: impl FnMut(&mut Known) -> bool) {
        self.rows.retain_mut(keep);
        self.last = Last::default();
        self.places.take();
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Known> {
        self.rows.iter()
    }

    pub(super) fn get(&self, source: Source) -> Option<&Known> {
        self.place(source).map(|place| &self.rows[place])
    }

    /// Where a row is among them.
    pub(super) fn place(&self, source: Source) -> Option<usize> {
        let last = self.last.0.load(Ordering::Relaxed);
        let from = |start: usize| {
            let near = self.rows.get(start..)?.iter().take(AHEAD);
            near.zip(start..).find(|(known, _)| known.source == source).map(|(_, place)| place)
        };
        let place = from(last).or_else(|| from(0)).or_else(|| {
            let places = self.places.get_or_init(|| self.numbered());
            places.get(&source).map(|&place| place as usize)
        })?;
        self.last.0.store(place, Ordering::Relaxed);
        Some(place)
    }

    fn numbered(&self) -> FxHashMap<Source, u32> {
        self.rows.iter().zip(0..).map(|(known, place)| (known.source, place)).collect()
    }

    /// Whether a row is closed.
    pub(super) fn is_closed(&self, source: Source) -> bool {
        self.get(source).is_some_and(|known| known.closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_source_and_read_back_in_their_order() {
        let known = |k: u32| Known {
            source: Source::Connector(k),
            impulse: f64::from(k),
            set: Set::Clamped,
            closed: k < 6,
        };
        let mut rows = KnownRows::default();
        rows.set([5, 2, 8].map(known));
        rows.set([7, 4].map(known));
        assert!(rows.is_closed(Source::Connector(4)) && !rows.is_closed(Source::Connector(7)));
        assert!(rows.get(Source::Connector(2)).is_none(), "a row of a step before");
        let text = serde_json::to_string(&rows).expect("text");
        let read: KnownRows = serde_json::from_str(&text).expect("rows");
        assert_eq!(read, rows);
        assert_eq!(read.iter().map(|known| known.source).collect::<Vec<_>>(), [7, 4].map(Source::Connector));
        assert_eq!(read.get(Source::Connector(7)), Some(&known(7)));
    }
}
