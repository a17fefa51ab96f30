//! `cargo xtask bench-sim DIR`: CPU time per simulated second of the recorded scenes, in both profiles.

use crate::measure::{clock, median};
use crate::{TaskError, say};
use engine2d_oracle::recorded_world;
use engine2d_sim::{Profile, World};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Scenes with the recorded engine's CPU milliseconds per simulated second.
const SCENES: [(&str, &str, f64); 4] = [
    ("six blocks", "cases/StraightStraight/087_six_blocks_settle.json", 58.0),
    ("clock with gears", "cases/Miscellany/026_clock_with_gears.json", 106.0),
    ("pile of 10", "cases/Pile/073_pile_10_random_blocks.json", 126.0),
    ("pile of 20", "cases/Pile/114_pile_20_random_blocks.json", 1365.0),
];

/// What to time.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of the recorded scenarios.
    dir: PathBuf,
    /// Runs of each; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Only the scenes whose names hold this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    say(&format!(
        "{:<18}{:>12}{:>12}{:>12}  ms per simulated second",
        "scene", "recorded", "reference", "engine2d"
    ));
    for (name, path, recorded) in SCENES.into_iter().filter(|scene| scene.0.contains(&options.only)) {
        let scenario: Value = serde_json::from_slice(&std::fs::read(options.dir.join(path))?)?;
        let mut medians = Vec::new();
        for profile in [Profile::Reference, Profile::Engine2d] {
            let mut times = Vec::new();
            for _ in 0..options.runs.max(1) {
                let world = recorded_world(&scenario, 0, profile)?;
                times.push(time(world)?);
            }
            medians.push(median(&mut times));
        }
        say(&format!("{name:<18}{recorded:>12.1}{:>12.3}{:>12.3}", medians[0], medians[1]));
    }
    Ok(ExitCode::SUCCESS)
}

/// Milliseconds of processor time per simulated second of 10 simulated seconds.
fn time(mut world: World) -> Result<f64, TaskError> {
    let step = world.settings().time_step;
    let seconds = 10.0;
    let start = clock();
    let begin = world.time();
    while world.time() < begin + seconds - 1e-7 {
        world.advance(step)?;
    }
    Ok((clock() - start) / 1e3 / seconds)
}
