//! Work against precision: error of the time of an event against evaluations of the equations of motion, for both
//! locators; and the restitution that compliant impacts return.

use crate::plot::{Chart, Series};
use crate::{TaskError, say, workspace};
use clap::Args;
use engine2d_sim::compliant::{DampingLaw, MaterialTable, PairMaterial};
use engine2d_sim::{
    Attachment, Body, CompliantContact, Connector, ContactModel, Event, EventLocator, Frame, OdeMethod,
    Settings, World,
};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Gravity of all cases (length/time²).
const G: f64 = 9.81;

#[derive(Args)]
pub(crate) struct Options {
    /// Folder for the figures.
    #[arg(long, default_value = "docs")]
    out: PathBuf,
}

/// A case: its world under given settings, the time of its first event, and a time safely beyond.
struct Case {
    name: &'static str,
    build: fn(Settings) -> World,
    time: f64,
}

fn cases() -> [Case; 3] {
    let quarter = {
        let (mut a, mut g) = (1.0, (0.5 * 0.3f64).cos());
        for _ in 0..8 {
            (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
        }
        ((0.5 * 0.01 + 1.0) / G).sqrt() * std::f64::consts::FRAC_PI_2 / a
    };
    [
        Case { name: "ball drop", build: ball, time: (4.0f64 / G).sqrt() },
        Case { name: "pendulum on wall", build: pendulum, time: quarter },
        Case { name: "rope taut", build: rope, time: (1.5f64 / G).sqrt() },
    ]
}

fn ball(settings: Settings) -> World {
    let builder = World::builder().gravity(G).settings(settings).body(Body::wall(10.0, 1.0).at(0.0, -0.5));
    finish(builder.body(Body::ball(0.5).at(0.0, 2.5)))
}

fn pendulum(settings: Settings) -> World {
    let (sin, cos) = 0.3f64.sin_cos();
    let mut builder = World::builder()
        .gravity(G)
        .settings(settings)
        .body(Body::ball(0.1).at(sin, -cos).angle(0.3))
        .body(Body::block(0.2, 2.0).fixed().at(-0.2, -1.0));
    for joint in Connector::pin(Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 1.0]), Frame::World)
    {
        builder = builder.connector(joint);
    }
    finish(builder)
}

fn rope(settings: Settings) -> World {
    let ends = [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])];
    let builder = World::builder().gravity(G).settings(settings).body(Body::ball(0.1).at(0.0, -0.5));
    finish(builder.connector(Connector::Rope { ends, length: 1.25 }))
}

#[allow(clippy::expect_used, reason = "the cases are written above")]
fn finish(builder: engine2d_sim::WorldBuilder) -> World {
    builder.build().expect("a sound case")
}

/// Error of the first event's time and the evaluations until then.
fn measure(case: &Case, settings: Settings, step: f64) -> Result<[f64; 2], TaskError> {
    let mut world = (case.build)(settings);
    let mut evaluations = 0;
    while world.time() < 3.0 * case.time {
        let report = world.advance(step)?;
        evaluations += report.evaluations;
        let approached =
            |e: &&Event| matches!(e, Event::Collision { velocity_before, .. } if *velocity_before < -1e-9);
        if let Some(event) = report.events.iter().find(approached) {
            return Ok([evaluations as f64, (event.time() - case.time).abs().max(1e-16)]);
        }
    }
    Err(format!("{}: no event was found", case.name).into())
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let mut series = Vec::new();
    say(&format!("{:20} {:34} {:>12} {:>12}", "case", "locator", "evaluations", "time error"));
    for case in &cases() {
        let mut add = |locator: &str, runs: Vec<(String, [f64; 2])>| {
            for (name, [work, error]) in &runs {
                say(&format!("{:20} {name:34} {work:12.0} {error:12.3e}", case.name));
            }
            let points = runs.into_iter().map(|(_, point)| point).collect();
            series.push(Series { label: format!("{}, {locator}", case.name), points });
        };
        let mut runs = Vec::new();
        for exponent in 2..=6 {
            // The target gap is part of the answer: the tolerance shrinks with the step.
            let tolerance = 10f64.powi(-exponent);
            let mut settings = Settings::default();
            settings.tolerances.distance = tolerance;
            let step = 0.05 * 0.5f64.powi(exponent - 2);
            runs.push((format!("backtracking, tolerance {tolerance:.0e}"), measure(case, settings, step)?));
        }
        add("backtracking", runs);
        let mut runs = Vec::new();
        for exponent in [4, 6, 8, 10, 12] {
            let settings = Settings {
                method: OdeMethod::dormand_prince(10f64.powi(-exponent)),
                event_locator: EventLocator::ZeroCrossing,
                ..Settings::default()
            };
            runs.push((format!("zero crossing, tolerance 1e-{exponent}"), measure(case, settings, 0.05)?));
        }
        add("zero crossing", runs);
    }
    let chart = Chart {
        title: "Time of the first event: error against work",
        axes: ["evaluations of the equations of motion", "error of the time (s)"],
        logarithmic: true,
        series: &series,
    };
    let folder = workspace().join(&options.out);
    fs::write(folder.join("precision.svg"), chart.to_svg())?;
    fs::write(folder.join("restitution.svg"), restitution()?)?;
    Ok(ExitCode::SUCCESS)
}

/// Effective against nominal restitution, as a chart.
fn restitution() -> Result<String, TaskError> {
    let mut series = Vec::new();
    say(&format!("\n{:12} {:>8} {:>8} {:>10}", "damping", "speed", "nominal", "effective"));
    let laws =
        [("common", DampingLaw::Common { max: 1e9 }), ("calibrated", DampingLaw::Calibrated { max: 1e9 })];
    for (name, law) in laws {
        for speed in [0.1, 1.0, 10.0] {
            let mut points = Vec::new();
            for k in 1..=10 {
                let nominal = 0.1 * f64::from(k);
                let effective = impact(nominal, speed, law)?;
                say(&format!("{name:12} {speed:8.1} {nominal:8.1} {effective:10.5}"));
                points.push([nominal, effective]);
            }
            series.push(Series { label: format!("{name}, {speed} m/s"), points });
        }
    }
    let chart = Chart {
        title: "Compliant impact: restitution returned",
        axes: ["nominal coefficient of restitution", "effective"],
        logarithmic: false,
        series: &series,
    };
    Ok(chart.to_svg())
}

/// The restitution of a disc of 1 kg and 5 cm on an immovable one, without gravity.
fn impact(nominal: f64, speed: f64, damping: DampingLaw) -> Result<f64, TaskError> {
    let mut materials = MaterialTable::default();
    materials.set_pair("wood", "wood", PairMaterial { restitution: nominal, ..PairMaterial::default() });
    let settings = Settings {
        method: OdeMethod::dormand_prince(1e-10),
        contact_model: ContactModel::Compliant(CompliantContact {
            z_eps: 1e-12,
            damping,
            default_material: "wood".to_owned(),
        }),
        materials,
        ..Settings::default()
    };
    let mut world = World::builder()
        .settings(settings)
        .body(Body::ball(10.0).fixed().at(0.0, -10.0))
        .body(Body::ball(0.05).mass(1.0).at(0.0, 0.06).velocity(0.0, -speed))
        .build()?;
    world.advance(0.05 / speed)?;
    Ok(world.body(1)?.velocity().y / speed)
}
