//! Stability of the extra acceleration: how short its time may be before gap and velocity grow instead of dying out.

use crate::plot::{Chart, Series};
use crate::{TaskError, say, workspace};
use clap::Args;
use engine2d_sim::{
    Attachment, Body, Connector, ExtraAcceleration, FixedStepMethod, OdeMethod, Profile, Settings, World,
};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Options {
    /// Folder for the figure.
    #[arg(long, default_value = "docs")]
    out: PathBuf,
}

/// How far from its place the body starts (length): so little that its growth over all steps stays within the gap.
const OFFSET: f64 = 1e-8;

/// Steps between which growth is measured for the figure, where it is strong.
const FEW: [u32; 2] = [4, 8];

/// Steps between which it is measured for the limits, where both modes of a critically damped motion show.
const MANY: [u32; 2] = [1, 400];

/// Step of the integrator (time); growth depends on its ratio to the time of the extra acceleration only.
const STEP: f64 = 0.01;

/// Halvings of the interval in which a limit lies.
const HALVINGS: u32 = 30;

/// A mode, and whether it is measured on a joint.
const MODES: [(&str, ExtraAcceleration, bool); 4] = [
    ("velocity", ExtraAcceleration::Velocity, false),
    ("velocity joints", ExtraAcceleration::VelocityJoints, true),
    ("velocity and distance", ExtraAcceleration::VelocityAndDistance, false),
    ("velocity and distance joints", ExtraAcceleration::VelocityAndDistanceJoints, true),
];

/// Finds the limits and draws the growth.
pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let methods =
        [("Runge-Kutta 4", FixedStepMethod::RungeKutta4), ("modified Euler", FixedStepMethod::ModifiedEuler)];
    let mut series = Vec::new();
    say(&format!("{:30} {:15} {:>22}", "mode", "method", "longest step / time"));
    for (label, mode, joint) in MODES {
        for (name, method) in methods {
            let (mut stable, mut unstable) = (0.5, 4.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (unstable + stable);
                // A motion that leaves the contact has grown.
                let grown = growth(middle, (method, mode, joint), MANY).unwrap_or(f64::INFINITY);
                if grown < 1.0 { stable = middle } else { unstable = middle }
            }
            say(&format!("{label:30} {name:15} {stable:22.4}"));
            if !joint {
                let mut points = Vec::new();
                for k in 1..=35 {
                    let ratio = 0.1 * f64::from(k);
                    points.push([ratio, growth(ratio, (method, mode, joint), FEW)?.min(2.0)]);
                }
                series.push(Series { label: format!("{label}, {name}"), points });
            }
        }
    }
    series.push(Series { label: "limit".to_owned(), points: vec![[0.0, 1.0], [3.5, 1.0]] });
    let chart = Chart {
        title: "Extra acceleration: growth of a disturbance in a step",
        axes: ["step of the integrator / time of the extra acceleration", "growth"],
        logarithmic: false,
        series: &series,
    };
    fs::write(workspace().join(&options.out).join("stability.svg"), chart.to_svg())?;
    Ok(ExitCode::SUCCESS)
}

/// By how much a step multiplies a small disturbance of a body at rest on a floor, or on a joint; `ratio` is that of
/// the step to the time of the extra acceleration.
fn growth(
    ratio: f64,
    (method, mode, joint): (FixedStepMethod, ExtraAcceleration, bool),
    steps: [u32; 2],
) -> Result<f64, TaskError> {
    let time = STEP / ratio;
    let settings = Settings {
        // The default profile projects joints and needs no extra acceleration there.
        profile: if joint { Profile::Reference } else { Profile::Engine2d },
        method: OdeMethod::Fixed(method),
        extra_acceleration: mode,
        extra_acceleration_step: Some(time),
        ..Settings::default()
    };
    let half = 0.5 * settings.tolerances.distance;
    // The weight keeps the contact pressed however strongly the extra acceleration pulls.
    let gravity = 1e7 * OFFSET / (time * time) + 10.0;
    let mut builder = World::builder().settings(settings).gravity(gravity);
    if joint {
        builder = builder.body(Body::ball(0.5).at(0.0, OFFSET)).connector(Connector::Joint {
            ends: [Attachment::body(0, [0.0, 0.0]), Attachment::ground([0.0, 0.0])],
            normal: [0.0, 1.0].into(),
            frame: engine2d_sim::Frame::World,
        });
    } else {
        let floor = Body::wall(10.0, 1.0).at(0.0, -0.5);
        builder = builder.body(floor).body(Body::ball(0.5).at(0.0, 0.5 + half + OFFSET));
    }
    let mut world = builder.build()?;
    let (index, place) = if joint { (0, 0.0) } else { (1, 0.5 + half) };
    let mut state = world.state();
    state[6 * index + 3] = OFFSET / STEP;
    world.set_state(&state)?;
    // The modes for velocity alone leave the gap where it is.
    let keeps_place =
        matches!(mode, ExtraAcceleration::VelocityAndDistance | ExtraAcceleration::VelocityAndDistanceJoints);
    let mut sizes = [0.0; 2];
    for step in 1..=steps[1] {
        world.advance(STEP)?;
        let body = world.body(index)?;
        let away = if keeps_place { (body.position().y - place).abs() } else { 0.0 };
        if let Some(k) = steps.iter().position(|&s| s == step) {
            sizes[k] = away.max(time * body.velocity().y.abs());
        }
    }
    Ok((sizes[1] / sizes[0]).powf(1.0 / f64::from(steps[1] - steps[0])))
}
