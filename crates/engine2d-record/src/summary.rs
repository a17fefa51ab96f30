//! The figures of a run.

use crate::digest::digest;
use engine2d_scene::Scene;
use engine2d_sim::{LcpStatistics, Stage, StageStatistics, StepReport, Totals, World};
use engine2d_watch::Observer;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::io;

/// How long a run took by the wall clock (seconds): what differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// All of it; given by the caller.
    pub wall_s: f64,
    /// In the complementarity solver, if the world has a clock.
    pub lcp_s: f64,
    /// In each stage of the simulation and in no stage within it, if the world has a clock.
    pub stages: BTreeMap<&'static str, f64>,
}

/// The figures of a run: equal runs have equal ones. Times in simulated seconds, energies and lengths in the scene's
/// units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Simulated time covered.
    pub simulated_s: f64,
    /// Time steps asked for.
    pub time_steps: u64,
    /// Integrator steps attempted.
    pub steps: u64,
    /// Returns to the state before a step.
    pub backups: u64,
    /// Collisions resolved.
    pub collisions: u64,
    /// Simultaneous impulse problems solved.
    pub impulses: u64,
    /// Collisions reached by bisection for want of an estimate.
    pub searches: u64,
    /// Most resting contacts at the end of a time step.
    pub contacts_max: usize,
    /// Total energy at the start.
    pub energy_start: f64,
    /// Total energy at the end.
    pub energy_end: f64,
    /// Highest total energy at the end of any accepted step.
    pub energy_max: f64,
    /// Kinetic energy at the end.
    pub kinetic_energy_end: f64,
    /// Largest certificate of any answer of the complementarity solver: scaled violation of its conditions.
    pub worst_certificate: f64,
    /// Deepest penetration at the end of any step (length).
    pub worst_penetration: f64,
    /// Largest gap of any joint or rod at the end of any time step (length).
    pub worst_joint_error: f64,
    /// Complementarity problems solved.
    pub lcp_solves: u64,
    /// Rows of the largest one.
    pub lcp_size_max: usize,
    /// Calls of each stage of the simulation.
    #[serde(deserialize_with = "stage_names")]
    pub stages: BTreeMap<&'static str, u64>,
    /// Fingerprint of the final state.
    pub digest: String,
    /// Name of the event that ended the run, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// Why the run ended early, if it did; given by the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took; a file of its own.
    #[serde(skip)]
    pub timing: Timing,
}

/// Collects a [`Summary`] of what happens from its start on, whatever the world has counted before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SummaryObserver {
    summary: Summary,
    start_time: f64,
    /// The figures when the world's counters stood at `base`.
    carried: Box<Summary>,
    #[serde(skip)]
    base: Base,
}

/// Counters of a world at a moment.
#[derive(Clone, Debug, Default)]
struct Base {
    totals: Totals,
    lcp: LcpStatistics,
    stages: StageStatistics,
}

impl Base {
    fn of(world: &World) -> Self {
        let inspect = world.inspect();
        Self { totals: inspect.totals(), lcp: inspect.lcp_statistics(), stages: inspect.stage_statistics() }
    }
}

/// Reads calls of stages by their names.
fn stage_names<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<&'static str, u64>, D::Error> {
    let told = BTreeMap::<String, u64>::deserialize(from)?;
    let known = |name: &str| Stage::ALL.iter().map(|stage| stage.name()).find(|known| *known == name);
    let known = |(name, calls): (String, u64)| {
        known(&name)
            .map(|known| (known, calls))
            .ok_or_else(|| serde::de::Error::custom(format!("no stage is named {name:?}")))
    };
    told.into_iter().map(known).collect()
}

impl SummaryObserver {
    /// A summary of a run of `scene`, still empty.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let scene = scene.name.clone().unwrap_or_else(|| "scene".to_owned());
        Self { summary: Summary { scene, ..Summary::default() }, ..Self::default() }
    }

    /// Goes on after a resume: what `world` has counted until now is not of this run.
    #[must_use]
    pub fn resumed(mut self, world: &World) -> Self {
        self.carried = Box::new(self.summary.clone());
        self.base = Base::of(world);
        self
    }

    /// The figures so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    fn update(&mut self, world: &World) {
        let (energy, now, Base { totals, lcp, stages }) = (world.energy(), Base::of(world), &self.base);
        let (s, before) = (&mut self.summary, &self.carried);
        s.simulated_s = world.time() - self.start_time;
        s.energy_end = energy.total();
        s.kinetic_energy_end = energy.kinetic();
        s.energy_max = s.energy_max.max(energy.total());
        s.steps = before.steps + now.totals.steps - totals.steps;
        s.backups = before.backups + now.totals.backups - totals.backups;
        s.collisions = before.collisions + now.totals.collisions - totals.collisions;
        s.impulses = before.impulses + now.totals.impulses - totals.impulses;
        s.searches = before.searches + now.totals.searches - totals.searches;
        s.lcp_solves = before.lcp_solves + now.lcp.solves - lcp.solves;
        s.lcp_size_max = before.lcp_size_max.max(now.lcp.largest);
        for (stage, work) in now.stages.iter() {
            let (name, past) = (stage.name(), stages.of(stage));
            let carried = before.stages.get(name).copied().unwrap_or(0);
            s.stages.insert(name, carried + work.calls - past.calls);
            s.timing.stages.insert(name, work.seconds - past.seconds);
        }
        s.timing.lcp_s = s.timing.stages.get(Stage::Complementarity.name()).copied().unwrap_or(0.0);
        s.digest = digest(world);
    }
}

impl Observer for SummaryObserver {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let energy = world.energy().total();
        self.base = Base::of(world);
        self.start_time = world.time();
        (self.summary.energy_start, self.summary.energy_max) = (energy, energy);
        self.update(world);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        let s = &mut self.summary;
        s.time_steps += 1;
        let contacts = report.contacts.iter().filter(|c| !c.bilateral).count();
        s.contacts_max = s.contacts_max.max(contacts + world.inspect().compliant_forces().len());
        s.energy_max = s.energy_max.max(report.highest_energy);
        s.worst_certificate = s.worst_certificate.max(report.certificate);
        s.worst_penetration = s.worst_penetration.max(report.penetration);
        s.worst_joint_error = s.worst_joint_error.max(report.joint_error);
        s.stopped_by.clone_from(&report.stopped_by);
        self.update(world);
        Ok(())
    }
}

impl Summary {
    /// Simulated time by wall-clock time; `None` before the caller gave the latter.
    #[must_use]
    pub fn real_time_factor(&self) -> Option<f64> {
        (self.timing.wall_s > 0.0).then(|| self.simulated_s / self.timing.wall_s)
    }
}

impl fmt::Display for Summary {
    /// An aligned table of labels, values and remarks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<(&str, String, String)> = Vec::new();
        let mut row = |label, value: String, remark: String| rows.push((label, value, remark));
        row("simulated", format!("{:.3} s", self.simulated_s), format!("in {} time steps", self.time_steps));
        if let Some(speed) = self.real_time_factor() {
            let Timing { wall_s, lcp_s, .. } = self.timing;
            // Below real time the digits behind the point count.
            let digits = usize::from(speed < 10.0);
            row("wall clock", format!("{wall_s:.3} s"), format!("{speed:.digits$} x real time"));
            let share = 100.0 * lcp_s / wall_s;
            row("solver time", format!("{lcp_s:.3} s"), format!("{share:.0} % of wall clock"));
        }
        row("integrator steps", self.steps.to_string(), format!("{} backed up", self.backups));
        row("collisions", self.collisions.to_string(), format!("{} impulse problems", self.impulses));
        row("contacts", self.contacts_max.to_string(), "at most at a time".to_owned());
        row("contact problems", self.lcp_solves.to_string(), format!("largest {} rows", self.lcp_size_max));
        row("energy", figure(self.energy_end), format!("{} at the start", figure(self.energy_start)));
        row("kinetic energy", format!("{:.2e}", self.kinetic_energy_end), String::new());
        row("worst certificate", format!("{:.1e}", self.worst_certificate), String::new());
        row("worst penetration", format!("{:.1e}", self.worst_penetration), String::new());
        row("worst joint error", format!("{:.1e}", self.worst_joint_error), String::new());
        row("digest", self.digest.clone(), String::new());
        writeln!(f, "{}", self.scene)?;
        let width = rows.iter().map(|(_, value, _)| value.len()).max().unwrap_or(0);
        for (label, value, remark) in &rows {
            let line = format!("  {label:<18} {value:>width$}   {remark}");
            writeln!(f, "{}", line.trim_end())?;
        }
        if let Some(name) = &self.stopped_by {
            writeln!(f, "  stopped by the event {name:?}")?;
        }
        if let Some(error) = &self.error {
            writeln!(f, "  ended early: {error}")?;
        }
        Ok(())
    }
}

/// A number in fixed digits while these stay readable.
fn figure(value: f64) -> String {
    const READABLE: f64 = 1e9;
    if value.abs() < READABLE { format!("{value:.6}") } else { format!("{value:.6e}") }
}
