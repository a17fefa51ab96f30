//! Digests of other processes: builds of other kinds, pools of threads, WebAssembly.

use super::rows::Row;
use crate::lab::target;
use crate::{TaskError, workspace};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the scenes in Node; `ENGINE` and `SCENES`, the file with them, are filled in.
const SCRIPT: &str = r#"
const { Lab } = require(ENGINE);
for (const { name, text, until } of JSON.parse(require("fs").readFileSync(SCENES, "utf8"))) {
  const lab = new Lab(text);
  let ended = false;
  try { lab.run_until(until); } catch { ended = true; }
  console.log(name, ended ? "!" + lab.digest().slice(1) : lab.digest());
  lab.free();
}
"#;

/// The digests of another process, or why there are none.
pub(super) struct Elsewhere {
    pub(super) name: &'static str,
    pub(super) skipped: Option<String>,
    digests: BTreeMap<String, String>,
}

impl Elsewhere {
    /// The digest of a scene.
    pub(super) fn digest(&self, scene: &str) -> Option<String> {
        self.digests.get(scene).cloned()
    }

    fn new(name: &'static str, told: Result<String, String>) -> Self {
        let text = told.as_deref().unwrap_or("");
        let pair = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.trim().to_owned()));
        Self { name, digests: text.lines().filter_map(pair).collect(), skipped: told.err() }
    }
}

/// All that can be run on this machine.
///
/// # Errors
/// When the folder for what is handed over cannot be written.
pub(super) fn all(rows: &[Row], horizon: f64, scenes: &[String]) -> Result<Vec<Elsewhere>, TaskError> {
    let ours = |kind: &[&str], threads: Option<&str>| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(workspace()).args(["run", "--quiet", "--package", "xtask"]).args(kind);
        command.args(["--", "determinism", "--digests", "--horizon", &horizon.to_string()]);
        if !scenes.is_empty() {
            command.args(["--scenes", &scenes.join(",")]);
        }
        if let Some(threads) = threads {
            command.env("RAYON_NUM_THREADS", threads);
        }
        told(&mut command)
    };
    let parallel = ["--release", "--features", "parallel"];
    Ok(vec![
        Elsewhere::new("debug", ours(&[], None)),
        Elsewhere::new("release", ours(&["--release"], None)),
        Elsewhere::new("1 thread", ours(&parallel, Some("1"))),
        Elsewhere::new("2 threads", ours(&parallel, Some("2"))),
        Elsewhere::new("WebAssembly", web(rows)?),
    ])
}

/// What a command prints.
fn told(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(complaint.lines().last().unwrap_or("it failed without a word").to_owned())
}

/// The engine for WebAssembly, in Node: what it printed, or why it did not run.
fn web(rows: &[Row]) -> Result<Result<String, String>, TaskError> {
    let out = target().join("determinism");
    std::fs::create_dir_all(&out)?;
    let mut scenes = Vec::new();
    for Row { name, scene, until } in rows {
        scenes.push(json!({ "name": name, "text": scene.to_json()?, "until": until }));
    }
    let list = out.join("scenes.json");
    std::fs::write(&list, serde_json::to_string(&scenes)?)?;
    Ok(node(&out, &list))
}

fn node(out: &Path, list: &Path) -> Result<String, String> {
    const WASM: &str = "wasm32-unknown-unknown";
    let root = workspace();
    let bindgen = target().join("tools/bin/wasm-bindgen");
    let bindgen = if bindgen.is_file() { bindgen } else { PathBuf::from("wasm-bindgen") };
    told(Command::new("node").arg("--version")).map_err(|_| "Node is not there".to_owned())?;
    told(Command::new(&bindgen).arg("--version")).map_err(|_| "wasm-bindgen is not there".to_owned())?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let package = ["build", "--quiet", "--release", "--target", WASM, "--package", "engine2d-web"];
    told(Command::new(cargo).current_dir(&root).args(package))?;
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or_else(target, PathBuf::from);
    let module = built.join(WASM).join("release/engine2d_web.wasm");
    let made = ["--target", "nodejs", "--no-typescript", "--out-dir"];
    told(Command::new(&bindgen).args(made).arg(out).arg(module))?;
    let quoted = |path: PathBuf| json!(path.to_string_lossy()).to_string();
    let script = SCRIPT
        .replace("ENGINE", &quoted(out.join("engine2d_web.js")))
        .replace("SCENES", &quoted(list.to_owned()));
    told(Command::new("node").args(["-e", &script]))
}
