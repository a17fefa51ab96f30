//! Observers that record a run: CSV, JSON Lines, summary, digest, SVG and a replay page.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod digest;
mod digits;
mod events;
mod machine;
mod network;
mod outline;
mod palette;
pub mod picture;
pub mod regression;
mod replay;
mod saved;
mod summary;
mod svg;
mod trajectory;
mod view;

pub use digest::digest;
pub use engine2d_watch::{Course, Ended, Observer, RunLimits, WatchError, run};
pub use events::{EventMemory, EventWriter};
pub use network::NetworkWriter;
pub use replay::{ReplayMemory, ReplayRecorder};
pub use saved::{Records, SavedRun, StateError};
pub use summary::{Summary, SummaryObserver};
pub use svg::{SvgOptions, write_svg};
pub use trajectory::TrajectoryWriter;
