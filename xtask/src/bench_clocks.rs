//! `cargo xtask bench sim`: what the clocks cost and how exact they are, on worlds made here, in one run.

use crate::measure::{clock, median};
use crate::{TaskError, bench_steps, say};
use clap::Args;
use engine2d_sim::{Body, Settings, World};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Options {
    /// File for the rows, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Runs of each; the median of their times counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Leaves out what takes more than some seconds.
    #[arg(long)]
    quick: bool,
    /// Runs only scenes with this in their name.
    #[arg(long)]
    only: Option<String>,
    /// Runs only clocks, solvers and peers with this in their name.
    #[arg(long)]
    engine: Option<String>,
}

/// Gravity of the piles and stacks.
const GRAVITY: f64 = 9.81;

/// Time between two reports.
const STEP: f64 = 1.0 / 60.0;

/// Golden ratio less 1: its multiples are spread evenly, the same on every machine.
const EVEN: f64 = 0.618_033_988_749_894_9;

/// A world to run.
struct Case {
    scene: String,
    build: fn(Settings, u32) -> Result<World, TaskError>,
    /// Number of bodies that move.
    count: u32,
    /// Simulated seconds, and those between two reports.
    seconds: f64,
    every: f64,
    /// Whether backtracking ends within some seconds too, and whether it takes more than some.
    backtracking: bool,
    long: bool,
}

/// A line of the table.
#[derive(Serialize)]
struct Line {
    scene: String,
    #[serde(rename = "engine")]
    clock: &'static str,
    /// Processor time per simulated second (milliseconds).
    ms: f64,
    collisions: u64,
    /// Processor time per collision (microseconds).
    us_per_collision: f64,
    /// Deepest overlap in any report (length).
    penetration: f64,
    /// Largest energy above that of the start, relative to it.
    energy_rise: f64,
    /// Worst certificate.
    certificate: f64,
    /// Why the run ended early.
    error: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    say(&format!(
        "{:16}{:>14}{:>12}{:>12}{:>12}{:>14}{:>13}{:>13}",
        "scene", "clock", "ms / s", "collisions", "us / coll.", "penetration", "energy rise", "certificate"
    ));
    let mut lines = Vec::new();
    for case in cases() {
        let left_out = options.only.as_ref().is_some_and(|part| !case.scene.contains(part.as_str()));
        if (options.quick && case.long) || left_out {
            continue;
        }
        for (clock, settings) in
            [("located", Settings::default()), ("backtracking", Settings::backtracking())]
        {
            let unwanted = options.engine.as_ref().is_some_and(|part| !clock.contains(part.as_str()));
            if unwanted || (clock == "backtracking" && !case.backtracking) {
                continue;
            }
            let line = measure(&case, clock, &settings, options.runs.max(1))?;
            say(&format!(
                "{:16}{:>14}{:>12.3}{:>12}{:>12.1}{:>14.1e}{:>13.1e}{:>13.1e}{}",
                line.scene,
                line.clock,
                line.ms,
                line.collisions,
                line.us_per_collision,
                line.penetration,
                line.energy_rise,
                line.certificate,
                line.error.as_ref().map_or(String::new(), |error| format!("  {error}"))
            ));
            lines.push(line);
        }
    }
    let rows = bench_steps::run(options.quick, [options.only.as_deref(), options.engine.as_deref()])?;
    if let Some(path) = &options.json {
        let mut all = Vec::new();
        for line in &lines {
            all.push(serde_json::to_value(line)?);
        }
        for row in &rows {
            all.push(serde_json::to_value(row)?);
        }
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(case: &Case, name: &'static str, settings: &Settings, runs: usize) -> Result<Line, TaskError> {
    let mut times = Vec::new();
    let mut line = None;
    for _ in 0..runs {
        let mut world = (case.build)(settings.clone(), case.count)?;
        let start = world.energy().total();
        let (mut penetration, mut highest, mut certificate) = (0.0_f64, start, 0.0_f64);
        let mut error = None;
        let begin = clock();
        while world.time() < case.seconds {
            match world.advance(case.every) {
                Ok(report) => {
                    penetration = penetration.max(report.penetration);
                    highest = highest.max(report.highest_energy);
                    certificate = certificate.max(report.certificate);
                }
                Err(failed) => {
                    error = Some(failed.to_string());
                    break;
                }
            }
        }
        times.push(clock() - begin);
        let own = Line {
            scene: case.scene.clone(),
            clock: name,
            ms: 0.0,
            collisions: world.inspect().totals().collisions,
            us_per_collision: 0.0,
            penetration,
            energy_rise: (highest - start) / start.abs().max(f64::MIN_POSITIVE),
            certificate,
            error,
        };
        // Every run is the same but for its time.
        line = Some((own, world.time()));
    }
    let (mut line, simulated): (Line, f64) = line.ok_or("no runs")?;
    let us = median(&mut times);
    (line.ms, line.us_per_collision) = (us / 1e3 / simulated, us / line.collisions.max(1) as f64);
    Ok(line)
}

fn cases() -> impl Iterator<Item = Case> {
    let gases = [(100, 10.0), (1_000, 2.0), (10_000, 1.0)].map(|(count, seconds)| Case {
        scene: format!("gas {count}"),
        build: gas,
        count,
        seconds,
        every: STEP,
        backtracking: count <= 100,
        long: false,
    });
    // What the motion costs by itself: a report costs as much as there are bodies.
    let alone = [(100, 60.0), (1_000, 20.0), (10_000, 10.0)].map(|(count, seconds)| Case {
        scene: format!("gas {count} alone"),
        build: gas,
        count,
        seconds,
        every: 1.0,
        backtracking: false,
        long: false,
    });
    let piles = [10, 25, 50].map(|count| Case {
        scene: format!("pile {count}"),
        build: pile,
        count,
        seconds: 3.0,
        every: STEP,
        backtracking: true,
        long: count > 25,
    });
    let stacks = [10, 50, 100].map(|count| Case {
        scene: format!("stack {count}"),
        build: stack,
        count,
        seconds: 20.0,
        every: STEP,
        backtracking: count <= 10,
        long: false,
    });
    gases.into_iter().chain(alone).chain(piles).chain(stacks)
}

/// Elastic discs of radius 0.2 in a box, a quarter of a disc per unit of area, at speed 5.
fn gas(settings: Settings, count: u32) -> Result<World, TaskError> {
    let rows = f64::from(count).sqrt().ceil();
    let half = f64::from(count).sqrt();
    let mut builder = World::builder().settings(settings);
    for (x, y) in [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)] {
        let (w, h) = if x == 0.0 { (2.0 * half + 20.0, 5.0) } else { (5.0, 2.0 * half + 20.0) };
        builder =
            builder.body(Body::block(w, h).fixed().at(x * (half + 2.5), y * (half + 2.5)).restitution(1.0));
    }
    let spacing = 2.0 * half / rows;
    for k in 0..count {
        let (column, row) = (f64::from(k) % rows, (f64::from(k) / rows).floor());
        let angle = std::f64::consts::TAU * (f64::from(k) * EVEN).fract();
        let (x, y) = (spacing * (column + 0.5) - half, spacing * (row + 0.5) - half);
        let ball = Body::ball(0.2).at(x, y).velocity(5.0 * angle.cos(), 5.0 * angle.sin());
        builder = builder.body(ball.restitution(1.0));
    }
    Ok(builder.build()?)
}

/// Balls and blocks that fall into a box, without friction.
fn pile(settings: Settings, count: u32) -> Result<World, TaskError> {
    let mut builder = World::builder()
        .gravity(GRAVITY)
        .settings(settings)
        .body(Body::block(26.0, 5.0).fixed().at(0.0, -2.5))
        .body(Body::block(5.0, 40.0).fixed().at(-5.5, 20.0))
        .body(Body::block(5.0, 40.0).fixed().at(5.5, 20.0));
    for k in 0..count {
        let number = |n: u32| (f64::from(5 * k + n) * EVEN).fract();
        let (x, y) = (1.2 * f64::from(k % 5) - 2.4, 0.8 + 1.2 * f64::from(k / 5));
        let size = 0.4 + 0.4 * number(1);
        let body = if k % 2 == 0 { Body::block(size, 0.4 + 0.4 * number(2)) } else { Body::ball(0.5 * size) };
        let body = body.at(x + 0.1 * number(3), y).angle(std::f64::consts::TAU * number(4));
        builder = builder.body(body.mass(size).restitution(0.2));
    }
    Ok(builder.build()?)
}

/// Unit blocks one upon the other.
fn stack(settings: Settings, count: u32) -> Result<World, TaskError> {
    let mut builder = World::builder()
        .gravity(GRAVITY)
        .settings(settings)
        .body(Body::block(10.0, 1.0).fixed().at(0.0, -0.5));
    for k in 0..count {
        builder = builder.body(Body::block(1.0, 1.0).at(0.0, 0.5 + f64::from(k)));
    }
    Ok(builder.build()?)
}
