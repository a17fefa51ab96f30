//! What a `tracing` subscriber sees of an advance: spans with times, sizes and statuses, and events. Without a subscriber they cost a
//! look at a flag, without the feature `trace` nothing, and never have they influence on the motion.

#[cfg(not(feature = "trace"))]
mod hidden;
#[cfg(feature = "trace")]
mod shown;

#[cfg(not(feature = "trace"))]
pub(crate) use hidden::{Span, begin, end, impact, island, solve, stage, step};
#[cfg(feature = "trace")]
pub(crate) use shown::{Span, begin, end, impact, island, solve, stage, step};

/// Tells an event: its level, its fields and what it is, as the macros of `tracing` take them.
macro_rules! tell {
    ($level:ident, $($told:tt)*) => {
        #[cfg(feature = "trace")]
        tracing::$level!($($told)*)
    };
}
pub(crate) use tell;

/// Writes down how it ended.
pub(crate) fn ended<T, E>(span: &Span, result: &Result<T, E>) {
    span.record("status", if result.is_ok() { "done" } else { "failed" });
}

/// Writes down what the complementarity solver said.
pub(crate) fn answered(span: &Span, solution: &engine2d_lcp::Solution) {
    if !span.is_disabled() {
        span.record("pivots", solution.stats.pivots as u64);
        span.record("certificate", solution.certificate.residual);
        span.record("status", format_args!("{:?}", solution.status));
    }
}
