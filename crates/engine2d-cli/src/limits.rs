//! How much a command takes on: generous for what people write, so that it ends in time on what nobody vouches for.

use crate::Failure;
use engine2d::record::RunLimits;
use engine2d::scene::Limits;
use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

/// Most steps of a run.
const STEPS: u64 = 1_000_000_000;
/// Most events of a run.
const EVENTS: u64 = 100_000_000;
/// Most contacts at the end of a step.
const CONTACTS: usize = 2_000_000;
/// Longest run (seconds): a month.
const WALL_TIME: f64 = 30.0 * 86_400.0;
/// Most memory (bytes).
const MEMORY: f64 = 16e9;

/// Limits other than the usual ones.
#[derive(clap::Args)]
pub(crate) struct LimitArguments {
    /// Raise or lower a limit, as `bodies=1e6`: bytes, values, bodies or vertices of the scene, steps, events, contacts,
    /// wall_time (seconds) or memory (bytes) of the run. May be given several times; `inf` is none.
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit)]
    limits: Vec<(Limited, f64)>,
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limited {
    Bytes,
    Values,
    Bodies,
    Vertices,
    Steps,
    Events,
    Contacts,
    WallTime,
    Memory,
}

/// The names of what is limited.
const NAMES: [(&str, Limited); 9] = [
    ("bytes", Limited::Bytes),
    ("values", Limited::Values),
    ("bodies", Limited::Bodies),
    ("vertices", Limited::Vertices),
    ("steps", Limited::Steps),
    ("events", Limited::Events),
    ("contacts", Limited::Contacts),
    ("wall_time", Limited::WallTime),
    ("memory", Limited::Memory),
];

/// Reads a limit of the command line.
fn limit(text: &str) -> Result<(Limited, f64), String> {
    let (name, value) = text.split_once('=').ok_or("a name, = and a number are needed, as bodies=1e6")?;
    let Some((_, what)) = NAMES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no limit of {name:?}: {}", known.join(", ")));
    };
    match value.parse::<f64>() {
        Ok(value) if value >= 0.0 => Ok((*what, value)),
        _ => Err(format!("a limit is a number of 0 or more, or inf, and not {value:?}")),
    }
}

impl LimitArguments {
    /// The last value given for a limit.
    fn given(&self, what: Limited) -> Option<f64> {
        self.limits.iter().rev().find(|(which, _)| *which == what).map(|(_, value)| *value)
    }

    /// A whole number; what is more than there are numbers is no limit.
    fn whole(&self, what: Limited, usual: u64) -> u64 {
        self.given(what).map_or(usual, |value| value as u64)
    }

    /// What a scene may hold.
    pub(crate) fn of_scenes(&self) -> Limits {
        let usual = Limits::default();
        let count = |what, usual: usize| self.whole(what, usual as u64) as usize;
        Limits {
            bytes: self.whole(Limited::Bytes, usual.bytes),
            values: count(Limited::Values, usual.values),
            bodies: count(Limited::Bodies, usual.bodies),
            vertices: count(Limited::Vertices, usual.vertices),
            steps: self.given(Limited::Steps).unwrap_or(usual.steps),
        }
    }

    /// What a run may take.
    pub(crate) fn of_runs(&self) -> RunLimits {
        RunLimits {
            steps: self.whole(Limited::Steps, STEPS),
            events: self.whole(Limited::Events, EVENTS),
            contacts: self.whole(Limited::Contacts, CONTACTS as u64) as usize,
            wall_time: self.given(Limited::WallTime).unwrap_or(WALL_TIME),
            memory: self.given(Limited::Memory).unwrap_or(MEMORY),
            clock: Some(|| Some(now())),
            memory_in_use: Some(memory_in_use),
        }
    }

    /// Whether so many steps may be taken.
    pub(crate) fn check_steps(&self, duration: f64, time_step: f64) -> Result<(), Failure> {
        let (steps, most) = (duration / time_step, self.whole(Limited::Steps, STEPS) as f64);
        if steps <= most {
            return Ok(());
        }
        Err(Failure::Other(format!(
            "the run would take {steps:.3e} steps, {most:e} are allowed: choose a nearer end, or raise --limit steps={steps:.0e}"
        )))
    }
}

/// Seconds since the first call.
pub(crate) fn now() -> f64 {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Bytes that the program has in use, where the system tells.
fn memory_in_use() -> Option<f64> {
    const KILOBYTE: f64 = 1024.0;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| KILOBYTE * kilobytes)
}
