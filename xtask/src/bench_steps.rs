//! The second part of `cargo xtask bench sim`: scenes of many bodies in steps of a sixtieth of a second, with both solvers of
//! fixed steps and, with the feature `peers`, with rapier in both precisions, in the same run.
//!
//! Every engine is judged by the poses and velocities it reports, by one measurement that knows none of them.

mod engine;
pub(crate) mod exactness;
mod judge;
mod own;
#[cfg(feature = "peers")]
mod rapier;
mod scene;

use crate::measure::clock;
use crate::{TaskError, say};
use engine::Engine;
use judge::{Judgement, judge};
use scene::{Scene, scenes};
use serde::Serialize;

/// A line of the table.
#[derive(Serialize)]
pub(crate) struct Row {
    scene: String,
    engine: &'static str,
    /// Processor time of a step in the settled window (milliseconds).
    ms_p10: f64,
    ms_median: f64,
    /// Median before that window.
    ms_falling: f64,
    #[serde(flatten)]
    judgement: Judgement,
    /// Steps taken, and those that were wanted.
    steps: [usize; 2],
    error: Option<String>,
}

/// Most processor time of a run (microseconds); what takes more is told as far as it came.
const BUDGET: f64 = 40e6;

/// Runs all engines on all scenes, or those with these in their names.
pub(crate) fn run(quick: bool, [only, engine]: [Option<&str>; 2]) -> Result<Vec<Row>, TaskError> {
    say(&format!(
        "\n{:16}{:>14}{:>10}{:>10}{:>10}{:>11}{:>12}{:>10}{:>10}{:>10}",
        "scene",
        "engine",
        "ms p10",
        "median",
        "falling",
        "approach",
        "penetration",
        "drift",
        "energy",
        "joint gap"
    ));
    let mut rows = Vec::new();
    for scene in scenes() {
        if (quick && scene.is_large()) || only.is_some_and(|part| !scene.name.contains(part)) {
            continue;
        }
        for (name, make) in engines() {
            let unwanted = engine.is_some_and(|part| !name.contains(part));
            if unwanted || (name == "exact" && !scene.is_for_exact()) {
                continue;
            }
            let row = time(&scene, name, make(&scene)?)?;
            let j = &row.judgement;
            say(&format!(
                "{:16}{:>14}{:>10.3}{:>10.3}{:>10.3}{:>11.1e}{:>12.1e}{:>10.1e}{:>10.1e}{:>10.1e}{}",
                row.scene,
                row.engine,
                row.ms_p10,
                row.ms_median,
                row.ms_falling,
                j.residual,
                j.penetration,
                j.drift,
                j.energy,
                j.joint_gap,
                row.error.as_ref().map_or(String::new(), |error| format!("  {error}"))
            ));
            rows.push(row);
        }
    }
    Ok(rows)
}

type Make = fn(&Scene) -> Result<Box<dyn Engine>, TaskError>;

fn engines() -> Vec<(&'static str, Make)> {
    #[cfg(not(feature = "peers"))]
    return vec![("exact", own::exact as Make), ("iterative", own::iterative)];
    #[cfg(feature = "peers")]
    vec![
        ("exact", own::exact as Make),
        ("iterative", own::iterative),
        ("rapier f64", rapier::double),
        ("rapier f32", rapier::single),
    ]
}

fn time(scene: &Scene, engine: &'static str, mut world: Box<dyn Engine>) -> Result<Row, TaskError> {
    let start = world.states();
    let (mut times, mut error, mut total) = (Vec::with_capacity(scene.steps), None, 0.0);
    let mut highest = f64::NEG_INFINITY;
    for _ in 0..scene.steps {
        let begin = clock();
        let result = world.step();
        let taken = clock() - begin;
        if let Err(failed) = result {
            error = Some(failed.to_string());
            break;
        }
        times.push(taken / 1e3);
        total += taken;
        highest = highest.max(scene.energy(&world.states()));
        if total > BUDGET {
            error = Some(format!("stopped after {} of {} steps", times.len(), scene.steps));
            break;
        }
    }
    let window = scene.settled.min(times.len() / 2).max(1);
    let (falling, settled) = times.split_at(times.len().saturating_sub(window));
    let at = |list: &[f64], share: f64| {
        let mut sorted = list.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get((share * sorted.len() as f64) as usize).copied().unwrap_or(0.0)
    };
    Ok(Row {
        scene: scene.name.clone(),
        engine,
        ms_p10: at(settled, 0.1),
        ms_median: at(settled, 0.5),
        ms_falling: at(falling, 0.5),
        judgement: judge(scene, &start, &world.states(), highest)?,
        steps: [times.len(), scene.steps],
        error,
    })
}
