//! `cargo xtask bench geometry`: times of convex queries, of detection between path bodies, and of the broad
//! phase. With the feature `peers`, that is
//! `cargo run --release -p xtask --features peers -- bench geometry`, those of parry and rapier beside them.

mod broad;
mod convex;
mod paths;
#[cfg(feature = "peers")]
mod peers;

use crate::{TaskError, say};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only one part: `convex`, `paths` or `broad`.
    #[arg(long)]
    only: Option<Part>,
    /// Writes the measurements as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A part of the measurement.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Convex,
    Paths,
    Broad,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let mut records: Vec<Value> = Vec::new();
    let wanted = |part: Part| options.only.is_none_or(|only| only == part);
    if wanted(Part::Convex) {
        convex::run(&mut records)?;
    }
    if wanted(Part::Paths) {
        paths::run(&mut records)?;
    }
    if wanted(Part::Broad) {
        broad::run(&mut records)?;
    }
    if let Some(path) = &options.json {
        std::fs::write(path, serde_json::to_string_pretty(&records)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The columns of a peer's time and of ours relative to it, empty without one.
fn beside(ours: f64, peer: Option<f64>) -> String {
    peer.map_or(String::new(), |p| format!("{p:10.1}{:8.2}", ours / p))
}

/// Prints the heading of a table; the peer's columns only where it takes part.
fn say_heading(what: &str, unit: &str, peer: &str) {
    let columns = if cfg!(feature = "peers") { format!("{peer:>10}{:>8}", "ratio") } else { String::new() };
    say(&format!("\n{what:40}{unit:>10}{columns}"));
}
