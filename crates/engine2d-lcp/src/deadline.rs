//! When a solve is to end.

use std::time::{Duration, Instant};

/// Whether clocks can be read here: the bare target of browsers has none.
pub(crate) const CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The time at which a solve ends, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now; never without a limit, or with one beyond what a clock counts.
    pub(crate) fn after(limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// Whether it has come.
    #[inline]
    pub(crate) fn passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
