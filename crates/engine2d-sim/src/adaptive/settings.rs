//! Tolerances and limits of adaptive integration, and how it fails.

/// Tolerances and limits of the integration.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AdaptiveSettings {
    /// Error per step relative to the size of each component. Default 1e-9.
    pub relative_tolerance: f64,
    /// Error per step of components near zero, in their own units. Default 1e-12.
    pub absolute_tolerance: f64,
    /// Longest step (time). Default unlimited.
    #[serde(with = "unlimited")]
    pub max_step: f64,
    /// Most steps between two calls of [`DormandPrince::start`](super::DormandPrince::start), rejected ones included. Default 10 million.
    pub max_steps: u64,
    /// How often a step whose rates fail within it is tried at a fifth of its length. Default 0: the failure is reported.
    #[serde(default)]
    pub retries: u32,
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self {
            relative_tolerance: 1e-9,
            absolute_tolerance: 1e-12,
            max_step: f64::INFINITY,
            max_steps: 10_000_000,
            retries: 0,
        }
    }
}

/// An unlimited step as `null`: formats such as JSON know no infinite number.
mod unlimited {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
    pub(super) fn serialize<S: Serializer>(step: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        step.is_finite().then_some(*step).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// Why an adaptive integration stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdaptiveError<E: std::error::Error> {
    /// The right-hand side failed.
    #[error(transparent)]
    Rates(E),
    /// The tolerance asks for steps that cannot advance the clock.
    #[error(
        "at t = {time} the tolerance needs a step of {step:e}: loosen it, or the problem is singular there"
    )]
    StepTooSmall {
        /// Time reached.
        time: f64,
        /// Step needed.
        step: f64,
    },
    /// The limit on steps was reached.
    #[error("{steps} steps were taken before t = {time}")]
    TooManySteps {
        /// Time reached.
        time: f64,
        /// The limit.
        steps: u64,
    },
}
