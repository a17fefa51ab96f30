//! Tables of runs: columns with units, Arrow record batches, Parquet.
#![doc = include_str!("../README.md")]

mod column;
mod contacts;
mod error;
mod events;
mod file;
mod group;
mod read;
mod table;
mod trajectory;

pub use column::{Column, Values};
pub use contacts::ContactTable;
pub use error::TableError;
pub use events::EventTable;
pub use file::ParquetFile;
pub use table::Table;
pub use trajectory::TrajectoryTable;
