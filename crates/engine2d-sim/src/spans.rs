//! What a `tracing` subscriber sees of an advance: spans with times, sizes and statuses. Without a subscriber they cost a look at
//! a flag, and never have they influence on the motion.

use tracing::Span;
use tracing::field::{Empty, debug};

/// An advance by `length` from the time `time`.
pub(crate) fn step(time: f64, length: f64, bodies: usize) -> Span {
    tracing::debug_span!(
        "step",
        time,
        length,
        bodies,
        contacts = Empty,
        events = Empty,
        evaluations = Empty,
        solves = Empty,
        certificate = Empty,
        status = Empty
    )
}

/// Rows that hang together, solved for their multipliers.
pub(crate) fn island(what: &'static str, time: f64, rows: usize) -> Span {
    tracing::trace_span!("island", what, time, rows, status = Empty)
}

/// A question to the complementarity solver.
pub(crate) fn solve(what: &'static str, time: f64, rows: usize) -> Span {
    tracing::trace_span!("solve", what, time, rows, pivots = Empty, certificate = Empty, status = Empty)
}

/// Impacts at one moment: how many rows may bounce, and how many impulses were found.
pub(crate) fn impact(time: f64, rows: usize) -> Span {
    tracing::debug_span!("impact", time, rows, impulses = Empty, status = Empty)
}

/// Writes down how it ended.
pub(crate) fn ended<T, E>(span: &Span, result: &Result<T, E>) {
    span.record("status", if result.is_ok() { "done" } else { "failed" });
}

/// Writes down what the complementarity solver said.
pub(crate) fn answered(span: &Span, solution: &engine2d_lcp::Solution) {
    if !span.is_disabled() {
        span.record("pivots", solution.stats.pivots as u64);
        span.record("certificate", solution.certificate.residual);
        span.record("status", debug(&solution.status));
    }
}
