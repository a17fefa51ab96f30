//! Automation of the workspace: `cargo xtask --help` lists the commands.

mod oracle;

use clap::{Parser, Subcommand};
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
}

/// Why a task could not be done.
pub(crate) type TaskError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Oracle(options) => oracle::run(&options),
    };
    outcome.unwrap_or_else(|error| {
        complain(&format!("error: {error}"));
        ExitCode::FAILURE
    })
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
