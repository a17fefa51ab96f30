//! The `engine2d` command line.

mod chrome;
mod folder;
mod forces;
mod import;
mod interrupt;
mod lcp;
mod limits;
mod network;
mod output;
mod part;
mod plot;
mod progress;
mod recording;
mod render;
mod run;
mod scenes;
mod snapshot;
mod source;
mod sweep;
mod tables;
mod tracing_options;
mod validate;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exact 2D rigid-body physics: run, validate and picture scenes.
///
/// Without a command the built-in pile is run.
#[derive(Parser)]
#[command(name = "engine2d", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::RunArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scene and write trajectory.csv, events.jsonl, summary.json, timing.json and replay.html.
    Run(run::RunArguments),
    /// Tell every mistake of a scene, with exit code 2 if there is one, and what is most likely not meant.
    Validate(validate::ValidateArguments),
    /// List the built-in scenes, or save one as a file.
    Scenes(scenes::ScenesArguments),
    /// Solve a complementarity problem given as a file.
    Lcp(lcp::LcpArguments),
    /// Compare a folder of scenes with how they moved when that was committed, or accept how they move now.
    Snapshot(snapshot::SnapshotArguments),
    /// Draw a scene at a moment.
    Render(render::RenderArguments),
    /// Plot a run as SVG or PNG: energy, trajectory, phase, contacts, forces or events.
    Plot(plot::PlotArguments),
    /// Make a scene of a file of another program: planar MJCF, R.U.B.E. (Box2D), object layers of Tiled.
    Import(import::ImportArguments),
    /// Run many runs of one scene, as a sweep file tells, and write their table.
    Sweep(sweep::SweepArguments),
}

/// How a command ended.
pub(crate) enum Failure {
    /// The scene is not usable: exit code 2.
    BadScene(String),
    /// The command line asks for what does not go together: exit code 2.
    Usage(String),
    /// Ctrl-C: exit code 130, with what there is.
    Interrupted(String),
    /// Anything else went wrong: exit code 1.
    Other(String),
}

impl Failure {
    /// What is told of it.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::BadScene(message)
            | Self::Usage(message)
            | Self::Interrupted(message)
            | Self::Other(message) => message,
        }
    }

    /// The exit code.
    fn code(&self) -> u8 {
        match self {
            Self::BadScene(_) | Self::Usage(_) => BAD_SCENE,
            Self::Interrupted(_) => interrupt::INTERRUPTED,
            Self::Other(_) => 1,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Other(error.to_string())
    }
}

/// Exit code of a scene with mistakes; the same as that of a wrong command line.
const BAD_SCENE: u8 = 2;

/// Says what is wrong with the command line. A first word that is neither command nor scene is likely a mistyped command, of which
/// the parser, which takes it for a scene, says nothing that helps.
fn refuse(error: &clap::Error) -> ExitCode {
    let first = std::env::args_os().nth(1);
    match first.as_deref().filter(|_| error.use_stderr()).and_then(source::no_command) {
        Some(message) => {
            output::complain(&format!("error: {message}"));
            ExitCode::from(BAD_SCENE)
        }
        None => error.exit(),
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let outcome = match arguments.command.unwrap_or(Command::Run(arguments.run)) {
        Command::Run(arguments) => run::run(&arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
        Command::Lcp(arguments) => lcp::lcp(&arguments),
        Command::Snapshot(arguments) => snapshot::snapshot(&arguments),
        Command::Render(arguments) => render::render(&arguments),
        Command::Plot(arguments) => plot::plot(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
    };
    match outcome.and_then(|()| output::said()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&format!("error: {}", failure.message()));
            ExitCode::from(failure.code())
        }
    }
}
