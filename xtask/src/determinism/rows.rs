//! The rows of the table: built-in scenes under each clock that takes them, and scenes so large that threads have work.

use engine2d_scene::catalogue::{CATALOGUE, pyramid};
use engine2d_scene::{Clock, ClockKind, ClockSettings, Scene, SteppingSolver};

/// Rows of a pyramid of more bodies and pairs than one thread takes for itself.
const LARGE: u32 = 100;

/// How long the large scene is run (simulated time), if the horizon is not shorter.
const LARGE_HORIZON: f64 = 0.5;

/// A scene, and when its run ends.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) scene: Scene,
    pub(super) until: f64,
}

impl Row {
    /// A scene under a clock instead of its own; nothing if that clock refuses it.
    fn under(name: &str, scene: &Scene, clock: (&str, Clock), horizon: f64) -> Option<Self> {
        let mut scene = scene.clone();
        scene.settings.clock = Some(clock.1);
        scene.to_world().ok()?;
        let until = until(&scene, horizon);
        Some(Self { name: format!("{name}/{}", clock.0), scene, until })
    }
}

/// Steps of a fixed length, by soft contacts.
fn iterative() -> Clock {
    Clock::Own(ClockSettings::stepping(SteppingSolver::Iterative))
}

/// The rows of the built-in scenes with one of these names, or of all.
pub(super) fn all(names: &[String], horizon: f64) -> Vec<Row> {
    let asked = |name: &str| names.is_empty() || names.iter().any(|one| one == name);
    let mut rows = Vec::new();
    for entry in CATALOGUE.iter().filter(|entry| asked(entry.name)) {
        let scene = entry.scene();
        rows.push(Row { name: entry.name.to_owned(), until: until(&scene, horizon), scene: scene.clone() });
        for clock in [("exact", Clock::Kind(ClockKind::TimeStepping)), ("iterative", iterative())] {
            rows.extend(Row::under(entry.name, &scene, clock, horizon));
        }
    }
    let large = format!("pyramid_{LARGE}");
    if asked(&large) {
        let clock = ("iterative", iterative());
        rows.extend(Row::under(&large, &pyramid(LARGE), clock, horizon.min(LARGE_HORIZON)));
    }
    rows
}

/// When a run of a scene ends.
fn until(scene: &Scene, horizon: f64) -> f64 {
    scene.start_time + scene.duration.min(horizon)
}
