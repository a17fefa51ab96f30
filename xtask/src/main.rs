//! Automation of the workspace: `cargo xtask --help` lists the commands.

mod bench_clocks;
mod bench_friction;
mod bench_geometry;
mod bench_lcp;
mod bench_orders;
mod bench_precision;
mod bench_rough;
mod bench_sim;
mod bench_stability;
mod bench_steps;
mod coverage;
mod dependencies;
mod determinism;
mod first_chapter;
mod fuzz;
mod gallery;
mod lab;
mod measure;
mod oracle;
mod packages;
mod plot;
mod readme;
mod schema;
mod snapshots;
mod tidy;

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Automation of the engine2d workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recorded answers of other systems: run every case and judge it.
    Oracle(oracle::Options),
    /// Measurements.
    Bench {
        #[command(subcommand)]
        bench: Bench,
    },
    /// Times the recorded scenes in both profiles.
    BenchSim(bench_sim::Options),
    /// Lines of the library crates that their tests run; needs the component `llvm-tools` of rustup.
    Coverage(coverage::Options),
    /// What the workspace is built from: licences, dependencies that nothing names, packages in several versions, reasons.
    Dependencies(dependencies::Options),
    /// Every built-in scene, under each clock, in every way in which it can be run: twice, resumed, traced, debug and release, 1 and
    /// 2 threads, WebAssembly. One table of digests, all equal.
    Determinism(determinism::Options),
    /// The first chapter of the book by copy and paste: the installed command in an empty folder, the program in an empty crate.
    FirstChapter(first_chapter::Options),
    /// Random inputs for scenes, state files, complementarity problems and worlds, each judged independently.
    Fuzz(fuzz::Options),
    /// Every built-in scene as a page in `target/gallery/`: picture, replay, energies, text, figures.
    Gallery(gallery::Options),
    /// The lab in `target/lab/`: the engine in the browser; built and served.
    Lab(lab::Options),
    /// The packages as a registry hands them out: packed, unpacked elsewhere and tested there.
    PackageCheck(packages::Options),
    /// The JSON Schema of scene files in `docs/`.
    Schema {
        #[command(subcommand)]
        action: Action,
    },
    /// The built-in scenes against their snapshots: final state, events, energy, solver statistics.
    Snapshots {
        #[command(subcommand)]
        action: Action,
    },
    /// Layers, circles of imports, words, bare numbers, long files: `bless` lowers the ratchet, never raises it.
    Tidy {
        #[command(subcommand)]
        action: Action,
    },
}

/// What to measure.
#[derive(Subcommand)]
enum Bench {
    /// Scenes whose end is known, under the three clocks and beside rapier.
    Exactness,
    /// Problems with Coulomb friction, cold, warm and at rest.
    Friction(bench_friction::Options),
    /// Queries of convex shapes, detection between path bodies, and the broad phase.
    Geometry(bench_geometry::Options),
    /// The solvers on contact problems.
    Lcp(bench_lcp::Options),
    /// The forces of redundant problems over many orders of rows.
    Orders(bench_orders::Options),
    /// Work against precision of both event locators, and effective against nominal restitution; draws the figures.
    Precision(bench_precision::Options),
    /// Piles with friction on the located clock, beside the same ones without.
    Rough(bench_rough::Options),
    /// Gas, piles and stacks on both clocks: processor time, overlap, energy, certificates.
    Sim(bench_clocks::Options),
    /// The shortest stable time of each mode of the extra acceleration; draws the figure.
    Stability(bench_stability::Options),
}

/// What to do with a generated file.
#[derive(Clone, Copy, Subcommand)]
pub(crate) enum Action {
    /// Fail if the committed file differs from what would be generated.
    Check,
    /// Write the generated file.
    Bless,
}

/// Why a task could not be done.
pub(crate) type TaskError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    if let Some(code) = coverage::as_compiler() {
        return code;
    }
    let outcome = match Arguments::parse().command {
        Command::Oracle(options) => oracle::run(&options),
        Command::Bench { bench: Bench::Exactness } => bench_steps::exactness::run(),
        Command::Bench { bench: Bench::Friction(options) } => bench_friction::run(&options),
        Command::Bench { bench: Bench::Geometry(options) } => bench_geometry::run(&options),
        Command::Bench { bench: Bench::Lcp(options) } => bench_lcp::run(&options),
        Command::Bench { bench: Bench::Orders(options) } => bench_orders::run(&options),
        Command::Bench { bench: Bench::Precision(options) } => bench_precision::run(&options),
        Command::Bench { bench: Bench::Rough(options) } => bench_rough::run(&options),
        Command::Bench { bench: Bench::Sim(options) } => bench_clocks::run(&options),
        Command::Bench { bench: Bench::Stability(options) } => bench_stability::run(&options),
        Command::BenchSim(options) => bench_sim::run(&options),
        Command::Coverage(options) => coverage::run(&options),
        Command::Dependencies(options) => dependencies::run(&options),
        Command::Determinism(options) => determinism::run(&options),
        Command::FirstChapter(options) => first_chapter::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Gallery(options) => gallery::run(&options),
        Command::Lab(options) => lab::run(&options),
        Command::PackageCheck(options) => packages::run(&options),
        Command::Schema { action } => schema::run(action),
        Command::Snapshots { action } => snapshots::run(action),
        Command::Tidy { action } => tidy::run(action),
    };
    outcome.unwrap_or_else(|error| {
        complain(&format!("error: {error}"));
        ExitCode::FAILURE
    })
}

/// The folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Prints a line of the result.
#[expect(clippy::print_stdout, reason = "a command prints its result")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Prints a line of complaint.
#[expect(clippy::print_stderr, reason = "a command prints its errors")]
pub(crate) fn complain(line: &str) {
    eprintln!("{line}");
}
