//! Digests of other processes: builds of other kinds, pools of threads, WebAssembly.

use crate::lab::target;
use crate::workspace;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// Runs the scenes in Node; `ENGINE`, `HORIZON` and `SCENES` are filled in.
const SCRIPT: &str = r#"
const { Lab } = require(ENGINE);
const asked = SCENES, horizon = HORIZON;
for (const { name } of JSON.parse(Lab.catalogue())) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const text = Lab.catalogue_text(name), scene = JSON.parse(text);
  const lab = new Lab(text);
  lab.run_until((scene.start_time ?? 0) + Math.min(scene.duration ?? 10, horizon));
  console.log(name, lab.digest());
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
pub(super) fn all(horizon: f64, scenes: &[String]) -> Vec<Elsewhere> {
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
    vec![
        Elsewhere::new("debug", ours(&[], None)),
        Elsewhere::new("release", ours(&["--release"], None)),
        Elsewhere::new("1 thread", ours(&parallel, Some("1"))),
        Elsewhere::new("2 threads", ours(&parallel, Some("2"))),
        Elsewhere::new("WebAssembly", web(horizon, scenes)),
    ]
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

/// The engine for WebAssembly, in Node.
fn web(horizon: f64, scenes: &[String]) -> Result<String, String> {
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
    let out = target().join("determinism");
    let module = built.join(WASM).join("release/engine2d_web.wasm");
    told(
        Command::new(&bindgen)
            .args(["--target", "nodejs", "--no-typescript", "--out-dir"])
            .arg(&out)
            .arg(module),
    )?;
    let engine = out.join("engine2d_web.js").to_string_lossy().into_owned();
    let json = |value: serde_json::Value| value.to_string();
    let script = SCRIPT
        .replace("ENGINE", &json(engine.into()))
        .replace("HORIZON", &json(horizon.into()))
        .replace("SCENES", &json(scenes.into()));
    told(Command::new("node").args(["-e", &script]))
}
