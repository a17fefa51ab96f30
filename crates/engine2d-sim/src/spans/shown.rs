//! The spans as `tracing` has them.

pub(crate) use tracing::Span;
use tracing::field::Empty;

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

/// A stage of an advance.
pub(crate) fn stage(name: &'static str) -> Span {
    tracing::trace_span!("stage", name)
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

/// Enters a span that no scope of the program ends.
pub(crate) fn begin(span: &Span) {
    span.with_subscriber(|(id, subscriber)| subscriber.enter(id));
}

/// Leaves it.
pub(crate) fn end(span: &Span) {
    span.with_subscriber(|(id, subscriber)| subscriber.exit(id));
}
