//! Adaptive integration with dense output, and the location of events on it.

mod dormand_prince;
mod event;

pub use dormand_prince::{AdaptiveError, AdaptiveSettings, DormandPrince};
pub use event::{Crossing, CrossingLocator, Direction};
