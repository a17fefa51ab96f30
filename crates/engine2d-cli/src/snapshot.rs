//! `engine2d snapshot`: a folder of scenes against their committed motions.

use crate::limits::LimitArguments;
use crate::output::{cannot, say};
use crate::part::write_whole;
use crate::{Failure, source};
use engine2d::record::regression::{CheckError, MotionRecord, check, reason, write_overlay};
use engine2d::scene::{Limits, Scene};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder of the scenes when none is named.
const DEFAULT_FOLDER: &str = "scenes";

/// Where the motions are, in the folder of the scenes.
const SNAPSHOTS: &str = "snapshots";

/// What to do with the motions.
#[derive(clap::Args)]
pub(crate) struct SnapshotArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Run every scene and compare it with its committed motion: exit code 1 if one differs, with a page that overlays both.
    Check(CheckArguments),
    /// Accept how the scenes move now, for a reason.
    Bless(BlessArguments),
}

/// What to compare, and how strictly.
#[derive(clap::Args)]
struct CheckArguments {
    /// Folder of scene files; their motions are in its folder `snapshots`.
    #[arg(default_value = DEFAULT_FOLDER)]
    folder: PathBuf,
    /// Accept values that differ by this, times one plus the value, instead of comparing all bits.
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = tolerance)]
    tolerance: f64,
    /// Compare until this simulated time only.
    #[arg(long, value_name = "SECONDS", value_parser = crate::run::seconds)]
    horizon: Option<f64>,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What to accept, and why.
#[derive(clap::Args)]
struct BlessArguments {
    /// Folder of scene files; their motions are in its folder `snapshots`.
    #[arg(default_value = DEFAULT_FOLDER)]
    folder: PathBuf,
    /// Why the motions are what they are now; it stands in the heading of each that changed.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// How long each scene is run (simulated time), instead of its duration.
    #[arg(long, value_name = "SECONDS", value_parser = crate::run::seconds)]
    horizon: Option<f64>,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Reads a tolerance of the command line.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("a number of 0 or more is needed".to_owned()),
    }
}

pub(crate) fn snapshot(arguments: &SnapshotArguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Check(arguments) => check_all(arguments),
        Action::Bless(arguments) => bless_all(arguments),
    }
}

/// A scene file and its motion.
struct Pair {
    name: String,
    scene: PathBuf,
    snapshot: PathBuf,
    page: PathBuf,
}

impl Pair {
    fn load(&self, limits: &Limits) -> Result<Scene, Failure> {
        // A path with its folder is never taken for the name of a built-in scene.
        source::load(&Path::new(".").join(&self.scene), limits).map_err(|failure| match failure {
            Failure::BadScene(told) => Failure::BadScene(format!("{}: {told}", self.scene.display())),
            other => other,
        })
    }
}

/// The scene files of a folder, in order, and the motions without one.
fn pairs(folder: &Path) -> Result<(Vec<Pair>, Vec<PathBuf>), Failure> {
    let mut scenes = files(folder, "json")?;
    let snapshots = folder.join(SNAPSHOTS);
    let mut orphans = if snapshots.is_dir() { files(&snapshots, "snap")? } else { Vec::new() };
    scenes.sort();
    orphans.sort();
    let pair = |scene: PathBuf| {
        let name = scene.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let snapshot = snapshots.join(format!("{name}.snap"));
        let page = snapshots.join(format!("{name}.difference.html"));
        Pair { name, scene, snapshot, page }
    };
    let pairs: Vec<Pair> = scenes.into_iter().map(pair).collect();
    orphans.retain(|file| pairs.iter().all(|pair| pair.snapshot != *file));
    if pairs.is_empty() {
        let told = format!("there is no scene, no file that ends with .json, in {}", folder.display());
        return Err(Failure::Other(told));
    }
    Ok((pairs, orphans))
}

/// The files of a folder with an extension.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: io::Error| cannot("read", folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|found| found == extension) && path.is_file() {
            found.push(path);
        }
    }
    Ok(found)
}

fn check_all(arguments: &CheckArguments) -> Result<(), Failure> {
    let (pairs, orphans) = pairs(&arguments.folder)?;
    let mut wrong = 0;
    for pair in &pairs {
        wrong += usize::from(!check_one(pair, arguments)?);
    }
    for orphan in &orphans {
        wrong += 1;
        say(&format!("{}  has no scene: remove it, or bless", orphan.display()));
    }
    if wrong > 0 {
        return Err(Failure::Other(format!(
            "{wrong} of {} snapshots differ: what is meant is accepted by `engine2d snapshot bless {} --reason TEXT`",
            pairs.len() + orphans.len(),
            arguments.folder.display()
        )));
    }
    say(&format!("{} scenes move as in their snapshots", pairs.len()));
    Ok(())
}

/// Compares one scene; returns whether it moves as it should.
fn check_one(pair: &Pair, arguments: &CheckArguments) -> Result<bool, Failure> {
    let name = &pair.name;
    let text = match fs::read_to_string(&pair.snapshot) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            say(&format!("{name}  has no snapshot yet: bless it"));
            return Ok(false);
        }
        Err(error) => return Err(cannot("read", &pair.snapshot, &error)),
    };
    let scene = pair.load(&arguments.limits.of_scenes())?;
    match check(&scene, &text, arguments.tolerance, arguments.horizon) {
        Ok(()) => {
            remove(&pair.page)?;
            say(&format!("{name}  ok"));
            Ok(true)
        }
        Err(CheckError::Different { difference, expected, found }) => {
            let told = io::Error::other;
            write_whole(&pair.page, |page| {
                write_overlay(page, &scene, (&expected, &found), &difference).map_err(told)
            })?;
            let why = reason(&text).map_or(String::new(), |why| format!("\n  blessed because: {why}"));
            say(&format!("{name}  {difference}{why}\n  both motions: {}", pair.page.display()));
            Ok(false)
        }
        Err(error) => Err(Failure::Other(format!("{}: {error}", pair.snapshot.display()))),
    }
}

fn bless_all(arguments: &BlessArguments) -> Result<(), Failure> {
    if arguments.reason.trim().is_empty() {
        return Err(Failure::Usage("a blessing needs a reason: --reason TEXT".to_owned()));
    }
    let (pairs, orphans) = pairs(&arguments.folder)?;
    let folder = arguments.folder.join(SNAPSHOTS);
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let mut changed = 0;
    for pair in &pairs {
        let scene = pair.load(&arguments.limits.of_scenes())?;
        let bad = |error: engine2d::scene::SceneError| {
            Failure::BadScene(format!("{}: {error}", pair.scene.display()))
        };
        let record = MotionRecord::of(&scene, arguments.horizon).map_err(bad)?;
        remove(&pair.page)?;
        let before = fs::read_to_string(&pair.snapshot).ok();
        if before.and_then(|text| MotionRecord::from_text(&text).ok()).as_ref() == Some(&record) {
            say(&format!("{}  as before", pair.name));
            continue;
        }
        changed += 1;
        let source =
            pair.scene.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let text = record.to_text(&source, &arguments.reason);
        write_whole(&pair.snapshot, |file| file.write_all(text.as_bytes()))?;
        say(&format!("{}  accepted", pair.name));
    }
    for orphan in &orphans {
        remove(orphan)?;
        say(&format!("{}  removed, it has no scene", orphan.display()));
    }
    say(&format!("{changed} of {} snapshots changed; commit them", pairs.len()));
    Ok(())
}

/// Removes a file if it is there.
fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot("remove", path, &error)),
        _ => Ok(()),
    }
}
