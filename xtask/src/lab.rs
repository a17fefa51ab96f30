//! `cargo xtask lab`: builds the lab into `target/lab/`, a folder that opens below any path and without network, and serves it.

mod scenes;
mod serve;

use crate::{TaskError, say, workspace};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The target of the engine.
const WASM: &str = "wasm32-unknown-unknown";

/// How the engine is compiled for it. What is put in line everywhere is most of what a reader has to load: with little of it the file is an
/// eighth smaller, and runs as fast, where the smallest functions of the innermost loops are put in line always; `#[inline]` is a hint with a
/// measure of its own, below which what calls them grows by as much. So does it without loops in vectors, which are a copy each beside the
/// plain loop. All browsers that are kept up have had vectors since 2023, used where operations stand side by side; sums keep their order,
/// so the bits are the same.
const FLAGS: &str = "-C llvm-args=-inline-threshold=10 -C llvm-args=-inlinehint-threshold=40 -C llvm-args=-unroll-threshold=50 \
    -C no-vectorize-loops -C target-feature=+simd128";

/// Least version of Node.
const NODE: u32 = 20;

/// What to build, and where it is served.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Builds the folder and ends.
    #[arg(long)]
    build_only: bool,
    /// Serves what was built before.
    #[arg(long, conflicts_with = "build_only")]
    serve_only: bool,
    /// Port of the address at which it is served; 0: any that is free.
    #[arg(long, default_value_t = 8020)]
    port: u16,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let out = target().join("lab");
    if !options.serve_only {
        build(&out)?;
    }
    if !options.build_only {
        serve::serve(&out, options.port)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of what is built.
pub(crate) fn target() -> PathBuf {
    let root = workspace();
    root.canonicalize().unwrap_or(root).join("target")
}

/// Builds the engine and the page.
fn build(out: &Path) -> Result<(), TaskError> {
    let version = bindgen_version()?;
    let missing = missing(&version);
    if !missing.is_empty() {
        return Err(format!("the lab cannot be built yet:\n{}", missing.join("\n")).into());
    }
    say("the engine, for the browser");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let package = [
        "--locked",
        "--profile",
        "web",
        "--target",
        WASM,
        "--package",
        "engine2d-web",
        "--no-default-features",
    ];
    let mut engine = Command::new(cargo);
    engine
        .arg("build")
        .args(package)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS)
        .current_dir(workspace());
    done(&mut engine, "cargo build")?;
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or_else(target, PathBuf::from);
    let engine = target().join("web-engine");
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--omit-default-module-path"]);
    bindgen.args(["--remove-name-section", "--remove-producers-section"]).arg("--out-dir").arg(&engine);
    bindgen.arg(built.join(WASM).join("web/engine2d_web.wasm")).current_dir(workspace());
    done(&mut bindgen, "wasm-bindgen")?;
    std::fs::write(engine.join("scenes.json"), scenes::texts()?)?;
    say("the page");
    let web = workspace().join("web");
    if !web.join("node_modules/vite").is_dir() {
        done(npm(&web).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]), "npm ci")?;
    }
    let mut page = npm(&web);
    page.args(["run", "--silent", "build"])
        .env("ENGINE2D_ENGINE", absolute(&engine)?)
        .env("ENGINE2D_LAB", absolute(out)?);
    done(&mut page, "npm run build")?;
    say(&format!("{} is a folder for any server, and index.html in it opens without one", out.display()));
    Ok(())
}

fn absolute(path: &Path) -> Result<PathBuf, TaskError> {
    std::fs::create_dir_all(path)?;
    Ok(path.canonicalize()?)
}

fn npm(web: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(web);
    npm
}

fn done(command: &mut Command, name: &str) -> Result<(), TaskError> {
    let status = command.status().map_err(|error| format!("{name} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed").into()) }
}

/// The version of wasm-bindgen that the crate is pinned to.
fn bindgen_version() -> Result<String, TaskError> {
    let manifest = std::fs::read_to_string(workspace().join("crates/engine2d-web/Cargo.toml"))?;
    pinned(&manifest).ok_or_else(|| "crates/engine2d-web/Cargo.toml does not pin wasm-bindgen".into())
}

fn pinned(manifest: &str) -> Option<String> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("wasm-bindgen = \"="))?;
    Some(line.trim_end().trim_end_matches('"').to_owned())
}

/// What is not there, with the way to get it.
fn missing(version: &str) -> Vec<String> {
    let mut missing = Vec::new();
    let says = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(workspace()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let library = says("rustc", &["--print", "target-libdir", "--target", WASM]);
    if !library.is_some_and(|folder| Path::new(&folder).is_dir()) {
        missing.push(format!("  the Rust target {WASM}: rustup target add {WASM}"));
    }
    let bindgen = says("wasm-bindgen", &["--version"]);
    if bindgen.as_deref().and_then(|said| said.split(' ').nth(1)) != Some(version) {
        missing.push(format!(
            "  wasm-bindgen {version} on the path{}: cargo install wasm-bindgen-cli --version {version}",
            bindgen.map_or(String::new(), |other| format!(" (there is {other})"))
        ));
    }
    let node = says("node", &["--version"]);
    if node.as_deref().and_then(major).is_none_or(|major| major < NODE) {
        let other = node.map_or(String::new(), |other| format!(" (there is {other})"));
        missing.push(format!(
            "  Node {NODE} or later{other}: https://nodejs.org, or the package nodejs of your system"
        ));
    }
    if says(if cfg!(windows) { "npm.cmd" } else { "npm" }, &["--version"]).is_none() {
        missing.push(
            "  npm, which comes with Node; some systems have it as a package of its own, npm".to_owned(),
        );
    }
    missing
}

/// The first number of a version like `v20.11.1`.
fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(major("v20.11.1"), Some(20));
        assert_eq!(major("nonsense"), None);
        assert_eq!(pinned("[x]\nwasm-bindgen = \"=0.2.100\"\n").as_deref(), Some("0.2.100"));
        assert_eq!(pinned("wasm-bindgen = \"0.2\""), None);
    }
}
