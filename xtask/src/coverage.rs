//! `cargo xtask coverage`: how many lines of the library crates their tests run, counted by the compiler's own instrumentation. Lines of
//! tests are not counted. Only the crates of the workspace are compiled anew: this program stands in for the compiler there.

mod lines;

use crate::{TaskError, say, workspace};
use lines::Lines;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Crates that are no library: programs, tools, and what only runs within Python.
const NOT_LIBRARIES: [&str; 3] = ["engine2d-cli", "engine2d-oracle", "engine2d-python"];

/// One that has no tests, and whose dependencies ask for most features of those that all share: with it what is compiled for any of the
/// crates is what the whole workspace needs too.
const FOR_FEATURES: &str = "engine2d-python";

/// Set where this program is called in the place of the compiler.
const AS_COMPILER: &str = "ENGINE2D_COVERAGE";

/// Files named with `--files`.
const FILES: usize = 40;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these crates, separated by commas: their tests, and their lines.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    crates: Vec<String>,
    /// Count anew what the last run left, without running tests.
    #[arg(long)]
    again: bool,
    /// Name the files in which most lines are not run.
    #[arg(long)]
    files: bool,
    /// Fail if of any crate fewer lines are run than this share (%) of its own.
    #[arg(long, value_name = "PERCENT")]
    least: Option<f64>,
    /// Write the table to this file too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Compiles with counters if cargo called this program in the place of the compiler.
pub(crate) fn as_compiler() -> Option<ExitCode> {
    std::env::var_os(AS_COMPILER)?;
    let mut arguments = std::env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next()?);
    let status = compiler.args(arguments).args(["-C", "instrument-coverage"]).status();
    Some(if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let tools = tools()?;
    let folder = workspace().join("target/coverage");
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let crates = if options.crates.is_empty() { libraries()? } else { options.crates.clone() };
    if !options.again {
        test(&folder, &crates)?;
    }
    let profile = folder.join("merged.profdata");
    let raw = files_of(&folder.join("profiles"), "profraw")?;
    if raw.is_empty() {
        return Err(format!("{} has no profiles: run it without --again", folder.display()).into());
    }
    let list = folder.join("profiles.txt");
    std::fs::write(&list, raw.iter().map(|path| format!("{}\n", path.display())).collect::<String>())?;
    let merge = [OsString::from("merge"), "-sparse".into(), "-f".into(), list.into(), "-o".into()];
    output(Command::new(tools.join("llvm-profdata")).args(merge).arg(&profile))?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "-format=lcov"]).arg(format!("-instr-profile={}", profile.display()));
    for object in objects(&std::fs::read_to_string(folder.join("build.json"))?) {
        export.arg("-object").arg(object);
    }
    let files = lines::read(&output(&mut export)?, &workspace().canonicalize()?);
    tell(options, &crates, &files)
}

/// Runs the tests of the crates with counters in every line.
fn test(folder: &Path, crates: &[String]) -> Result<(), TaskError> {
    let profiles = folder.join("profiles");
    if profiles.exists() {
        std::fs::remove_dir_all(&profiles)?;
    }
    // A copy, as the build may replace this program while it works.
    let this = folder.join(format!("compiler{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(std::env::current_exe()?, &this)?;
    // All at once: each crate is built once, with the features that any of the others asks for, as in `cargo test --workspace`.
    let packages =
        crates.iter().map(String::as_str).chain([FOR_FEATURES]).flat_map(|name| ["--package", name]);
    let cargo = |more: &str| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(workspace()).args(["test", "--tests", "--locked", more]).args(packages.clone());
        command.env("RUSTC_WORKSPACE_WRAPPER", &this).env(AS_COMPILER, "1").env("CARGO_INCREMENTAL", "0");
        command.env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        command
    };
    let built = output(cargo("--no-run").arg("--message-format=json").stderr(Stdio::inherit()))?;
    if !cargo("--no-fail-fast").status()?.success() {
        // What they ran is counted all the same, and the slower build may end tests of times.
        say("some tests failed");
    }
    std::fs::write(folder.join("build.json"), built)?;
    Ok(())
}

/// One line for each crate, and one for all.
fn tell(
    options: &Options,
    crates: &[String],
    files: &BTreeMap<String, Lines>,
) -> Result<ExitCode, TaskError> {
    let mut rows: Vec<(&str, Lines)> = crates.iter().map(|name| (name.as_str(), Lines::default())).collect();
    let mut worst = Vec::new();
    for (path, lines) in files {
        let owner = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next());
        let Some(row) = rows.iter_mut().find(|row| Some(row.0) == owner) else { continue };
        row.1.add(lines);
        worst.push((lines.all - lines.run, path));
    }
    let few = below(&rows, options.least);
    let mut total = Lines::default();
    rows.iter().for_each(|row| total.add(&row.1));
    if total.all == 0 {
        return Err("no line of these crates was measured".into());
    }
    rows.push(("all", total));
    say(&format!("{:20} {:>7} {:>7} {:>7}", "crate", "lines", "run", "%"));
    for (name, lines) in &rows {
        let mark = if few.contains(name) { "  too few" } else { "" };
        say(&format!("{name:20} {:>7} {:>7} {:>7.2}{mark}", lines.all, lines.run, lines.percent()));
    }
    if options.files {
        worst.sort_by_key(|row| std::cmp::Reverse(row.0));
        worst.iter().take(FILES).for_each(|(missed, path)| {
            say(&format!("{missed:>5} of {:>5}: {path} {}", files[*path].all, files[*path].missed()));
        });
    }
    if let Some(path) = &options.json {
        let table: Vec<Value> = rows
            .iter()
            .map(|(name, lines)| json!({ "crate": name, "lines": lines.all, "run": lines.run }))
            .collect();
        std::fs::write(path, format!("{}\n", serde_json::to_string_pretty(&table)?))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(match options.least {
        Some(least) if !few.is_empty() => {
            say(&format!("fewer than {least} % of the lines are run of: {}", few.join(", ")));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    })
}

/// The crates of whose lines fewer than the share are run. One that only names what is in others has no lines, and enough are run.
fn below<'a>(rows: &[(&'a str, Lines)], least: Option<f64>) -> Vec<&'a str> {
    let Some(least) = least else { return Vec::new() };
    let few = rows.iter().filter(|(_, lines)| lines.percent() < least);
    few.map(|row| row.0).collect()
}

/// The folder of LLVM's tools that belong to the compiler.
fn tools() -> Result<PathBuf, TaskError> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = output(Command::new(rustc).args(["--print", "target-libdir"]))?;
    let tools = Path::new(libraries.trim()).parent().map(|folder| folder.join("bin")).unwrap_or_default();
    let name = format!("llvm-cov{}", std::env::consts::EXE_SUFFIX);
    if tools.join(name).is_file() {
        return Ok(tools);
    }
    Err("the compiler's llvm-cov and llvm-profdata are not installed: rustup component add llvm-tools".into())
}

/// The library crates of the workspace.
fn libraries() -> Result<Vec<String>, TaskError> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(workspace().join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !NOT_LIBRARIES.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The programs in what cargo says of a build.
fn objects(messages: &str) -> Vec<String> {
    let read = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(message.get("executable")?.as_str()?.to_owned())
    };
    messages.lines().filter_map(read).collect()
}

fn files_of(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, TaskError> {
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            files.extend((path.extension().is_some_and(|own| own == extension)).then_some(path));
        }
    }
    files.sort();
    Ok(files)
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, TaskError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}", complaint.lines().last().unwrap_or("it failed without a word")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crate_needs_the_share_of_its_own_lines() {
        let lines = |all, run| Lines { all, run, missed: Vec::new() };
        let rows = [
            ("large", lines(1000, 990)),
            ("small", lines(10, 8)),
            ("just", lines(10, 9)),
            ("names", lines(0, 0)),
        ];
        assert_eq!(below(&rows, Some(90.0)), ["small"]);
        assert!(below(&rows, None).is_empty());
    }
}
