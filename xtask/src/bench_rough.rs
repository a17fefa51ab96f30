//! `cargo xtask bench rough`: what friction costs on the located clock, beside the same pile without.

use crate::measure::clock;
use crate::{TaskError, say};
use clap::Args;
use engine2d_sim::{Body, Settings, World};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Options {
    /// Coefficient of friction of all bodies and the box.
    #[arg(long, default_value_t = 0.5)]
    friction: f64,
    /// Numbers of bodies.
    #[arg(long, value_delimiter = ',', default_values_t = [20, 100])]
    counts: Vec<u32>,
    /// Simulated seconds: the pile falls and settles.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Processor time after which a run is given up (seconds); what is told is then that of the time simulated until then.
    #[arg(long, default_value_t = 60.0)]
    patience: f64,
}

const GRAVITY: f64 = 9.81;

/// Microseconds of the processor's clock, in seconds and in milliseconds.
const SECOND: f64 = 1e6;
const MILLISECOND: f64 = 1e3;

/// Time between two reports.
const STEP: f64 = 1.0 / 60.0;

/// Golden ratio less 1: its multiples are spread evenly, the same on every machine.
const EVEN: f64 = 0.618_033_988_749_894_9;

/// What a pile is made of: discs alone, boxes alone, which do not bounce, or both by turns, which do.
#[derive(Clone, Copy, PartialEq)]
enum Shapes {
    Discs,
    Boxes,
    Both,
}

/// Restitution of those that bounce.
const BOUNCE: f64 = 0.3;

/// Bodies that fall into a box, several above each other.
fn pile(count: u32, shapes: Shapes, friction: f64) -> Result<World, TaskError> {
    let restitution = if shapes == Shapes::Both { BOUNCE } else { 0.0 };
    let columns = f64::from(count).sqrt().ceil();
    let (width, height) = (1.2 * columns, 4.0 * columns + 20.0);
    let rough = |body: Body| body.friction(friction).restitution(restitution);
    let wall = |x: f64| rough(Body::block(5.0, height).fixed().at(x, 0.5 * height));
    let mut builder = World::builder()
        .settings(Settings::default())
        .gravity(GRAVITY)
        .body(rough(Body::block(width + 20.0, 5.0).fixed().at(0.0, -2.5)))
        .body(wall(-0.5 * width - 2.5))
        .body(wall(0.5 * width + 2.5));
    for k in 0..count {
        let at = f64::from(k);
        let (column, row) = (at % columns, (at / columns).floor());
        let (x, size) = ((column + 0.5) * 1.2 - 0.5 * width, 0.3 + 0.15 * (at * EVEN).fract());
        let is_disc = shapes == Shapes::Discs || shapes == Shapes::Both && k % 2 == 0;
        let body = if is_disc { Body::ball(size) } else { Body::block(1.6 * size, 1.4 * size) };
        let shift = 0.1 * (at * EVEN * 2.0).fract() - 0.05;
        builder = builder.body(rough(body.at(x + shift, 1.2 * row + 0.8)));
    }
    Ok(builder.build()?)
}

/// Processor time per simulated second (milliseconds), the simulated time, and how many fixed steps the clock took refuge in.
fn cost(mut world: World, options: &Options) -> Result<(f64, f64, usize), TaskError> {
    let start = clock();
    let mut refuges = 0;
    while world.time() < options.seconds && clock() - start < SECOND * options.patience {
        let report = world.advance(STEP)?;
        refuges += report.events().iter().filter(|event| event.kind() == "fixed_steps").count();
    }
    Ok(((clock() - start) / (MILLISECOND * world.time()), world.time(), refuges))
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    say(&format!(
        "{:>8}{:>8}{:>16}{:>16}{:>8}{:>14}{:>14}",
        "bodies", "of", "smooth ms / s", "rough ms / s", "ratio", "rough until", "fixed steps"
    ));
    for &count in &options.counts {
        for (name, shapes) in [("discs", Shapes::Discs), ("boxes", Shapes::Boxes), ("both", Shapes::Both)] {
            let (smooth, ..) = cost(pile(count, shapes, 0.0)?, options)?;
            let (rough, until, refuges) = cost(pile(count, shapes, options.friction)?, options)?;
            let ratio = rough / smooth;
            say(&format!("{count:8}{name:>8}{smooth:16.2}{rough:16.2}{ratio:8.2}{until:14.3}{refuges:14}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}
