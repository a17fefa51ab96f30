//! Adaptive integration with dense output, and the location of events on it.

mod crossing;
mod dormand_prince;
mod event;
mod settings;

pub use crossing::{Crossing, Direction};
pub use dormand_prince::DormandPrince;
pub use event::CrossingLocator;
pub(crate) use event::{Interval, Watched};
pub use settings::{AdaptiveError, AdaptiveSettings};
