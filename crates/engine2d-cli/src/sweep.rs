//! `engine2d sweep`.

mod journal;

use crate::output::{cannot, complain, say};
use crate::part::PartFile;
use crate::{Failure, source};
use engine2d::scene::Limits;
use engine2d_sweep::{Row, Sweep, SweepError};
use indicatif::{ProgressBar, ProgressDrawTarget};
use journal::Journal;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What to run and where to write.
#[derive(clap::Args)]
pub(crate) struct SweepArguments {
    /// Sweep file.
    file: PathBuf,
    /// Only this part of the runs, as 2/5: the second of five.
    #[arg(long, value_name = "K/N", value_parser = shard, default_value = "1/1", hide_default_value = true)]
    shard: (u64, u64),
    /// Runs at a time; as many as the machine has processors if absent.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Go on where an earlier command ended, with the runs that are in the folder.
    #[arg(long)]
    resume: bool,
    /// Folder for the results; created if needed.
    #[arg(long, value_name = "DIR", default_value = "engine2d-sweep")]
    out: PathBuf,
}

/// Reads a shard of the command line.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(k, n)| (1..=*n).contains(k)).ok_or_else(|| "K/N is needed, K from 1 to N".to_owned())
}

/// Reads the sweep; a scene's path is beside that of the sweep.
fn read(path: &Path) -> Result<Sweep, Failure> {
    let text = fs::read_to_string(path).map_err(|error| cannot("read", path, &error))?;
    let scene = |name: &str| {
        let beside = path.parent().unwrap_or(Path::new("")).join(name);
        if beside.is_file() {
            let text = fs::read_to_string(&beside).map_err(|error| error.to_string())?;
            return serde_json::from_str(&text).map_err(|error| error.to_string());
        }
        let scene = source::load(Path::new(name), &Limits::default()).map_err(|f| f.message().to_owned())?;
        let text = scene.to_json().map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    };
    Sweep::read(&text, scene).map_err(|error| Failure::BadScene(error.to_string()))
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<(), Failure> {
    let sweep = read(&arguments.file)?;
    let (k, n) = arguments.shard;
    let runs: Vec<u64> = sweep.shard(k, n).map_err(|error| bad(&error))?.collect();
    fs::create_dir_all(&arguments.out).map_err(|error| cannot("create", &arguments.out, &error))?;
    let name = format!("part-{k}-of-{n}");
    let path = arguments.out.join(format!("{name}.jsonl"));
    if path.exists() && !arguments.resume {
        let there = path.display();
        return Err(Failure::Other(format!(
            "{there} is there already: --resume goes on with it, or remove it"
        )));
    }
    let known = if arguments.resume { journal::known(&arguments.out, &sweep)? } else { BTreeMap::new() };
    let open: Vec<u64> = runs.iter().copied().filter(|run| !known.contains_key(run)).collect();
    if arguments.resume {
        say(&format!("{} of {} runs are there", runs.len() - open.len(), runs.len()));
    }
    let journal = Journal::open(&path, &sweep)?;
    let rows = run_all(&sweep, &open, arguments.jobs, journal)?;
    let rows: Vec<Row> = runs.iter().filter_map(|run| known.get(run)).cloned().chain(rows).collect();
    let table = sweep.table(&rows).map_err(|error| bad(&error))?;
    let mut file = PartFile::create(&arguments.out.join(format!("{name}.parquet")))?;
    let facts = sweep.facts();
    let facts: Vec<(&str, &str)> = facts.iter().map(|(key, value)| (*key, value.as_str())).collect();
    table.write_parquet(&mut file, &facts).map_err(|error| Failure::Other(error.to_string()))?;
    file.finish()?;
    for row in rows.iter().filter(|row| row.error.is_some()) {
        complain(&format!("run {}: {}", row.run, row.error.as_deref().unwrap_or_default()));
    }
    let failed = rows.iter().filter(|row| row.error.is_some()).count();
    say(&format!("{} runs, {failed} failed, digest {}", rows.len(), Sweep::rows_digest(&rows)));
    Ok(())
}

/// The failure that a mistake in a sweep is.
fn bad(error: &SweepError) -> Failure {
    Failure::BadScene(error.to_string())
}

/// Runs side by side; each row is in the journal before the next run of its thread begins.
fn run_all(sweep: &Sweep, runs: &[u64], jobs: Option<u16>, journal: Journal) -> Result<Vec<Row>, Failure> {
    let jobs = jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let bar = ProgressBar::with_draw_target(Some(runs.len() as u64), ProgressDrawTarget::stderr());
    let (next, done) = (AtomicUsize::new(0), Mutex::new((journal, Vec::with_capacity(runs.len()))));
    let work = || -> Result<(), Failure> {
        while let Some(&run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = sweep.run(run).map_err(|error| bad(&error))?;
            let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            done.0.note(&row)?;
            done.1.push(row);
            bar.inc(1);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.min(runs.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => {
                Err(Failure::Other("a run ended in a fault of the engine: please report it".to_owned()))
            }
        })
    })?;
    bar.finish_and_clear();
    Ok(done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).1)
}
