//! Scenes from other programs' files: planar MJCF, R.U.B.E. JSON, object layers of Tiled.
#![doc = include_str!("../README.md")]

mod assembly;
mod element;
mod error;
mod fields;
mod format;
mod mjcf;
mod options;
mod outline;
mod plane;
mod report;
mod rigid;
mod rube;
mod surface;
mod tiled;

pub use error::ImportError;
pub use format::{Format, import};
pub use options::Options;
pub use report::{Import, Note, NoteKind};
