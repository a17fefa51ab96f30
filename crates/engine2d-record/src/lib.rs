//! Observers that record a run: CSV, JSON Lines, summary, digest, SVG and a replay page.
#![doc = include_str!("../README.md")]

mod digest;
mod events;
mod machine;
mod outline;
mod palette;
pub mod picture;
mod replay;
mod summary;
mod svg;
mod trajectory;
mod view;

pub use digest::digest;
pub use engine2d_watch::{Observer, WatchError, run};
pub use events::EventWriter;
pub use replay::ReplayRecorder;
pub use summary::{Summary, SummaryObserver};
pub use svg::{SvgOptions, write_svg};
pub use trajectory::TrajectoryWriter;
