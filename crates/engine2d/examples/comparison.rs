//! The figures of this engine in `docs/comparison.md`: scenes on which other engines were measured, under three clocks.
//!
//! `cargo run --release -p engine2d --example comparison`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d::math::random::Lcg32;
use engine2d::prelude::*;
use engine2d::sim::{SteppingSolver, TimeStepping};

const G: f64 = 9.81;
const STEP: f64 = 1.0 / 60.0;

type Outcome = Result<String, SimError>;
/// What is measured of a scene under a clock.
type Measured = fn(Settings) -> Outcome;

fn clocks() -> [(&'static str, Settings); 3] {
    let exact = Settings { time_step: STEP, ..Settings::time_stepping() };
    let soft = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
    let iterative = Settings { time_stepping: Some(soft), ..exact.clone() };
    [("located", Settings::default()), ("exact", exact), ("iterative", iterative)]
}

fn main() {
    let scenes: [(&str, Measured); 8] = [
        ("cradle: speeds of five discs in a row, of the first one's before", cradle),
        ("bounce: restitution 1, energy after 60 s, relative change", bounce),
        ("gas: 100 elastic discs, energy after 60 s, relative change", gas),
        ("mass: 10,000 kg on 1 kg for 5 s, deepest overlap (m)", mass_ratio),
        ("pendulum: double, from 0.5 rad, largest energy error in 10 s", |s| pendulum(s, 0.5)),
        ("pendulum: double, from π/2, largest energy error in 10 s", |s| {
            pendulum(s, std::f64::consts::FRAC_PI_2)
        }),
        ("slope: 0.5 % above the angle of friction, relative error of the acceleration", slope),
        ("roll: a thrown disc, relative error of its speed after 5 s", roll),
    ];
    for (name, scene) in scenes {
        println!("{name}");
        for (clock, settings) in clocks() {
            let told = scene(settings).unwrap_or_else(|error| format!("error: {error}"));
            println!("  {clock:10} {told}");
        }
    }
}

/// Advances by steps of a sixtieth of a second.
fn pass(world: &mut World, seconds: f64, mut look: impl FnMut(&World)) -> Result<f64, SimError> {
    let mut deepest = 0.0_f64;
    for _ in 0..(seconds / STEP).round() as usize {
        deepest = deepest.max(world.advance(STEP)?.penetration);
        look(world);
    }
    Ok(deepest)
}

fn cradle(settings: Settings) -> Outcome {
    let disc = |x: f64| Body::ball(0.5).restitution(1.0).at(x, 0.0);
    let mut builder = World::builder().settings(settings).body(disc(-2.5).velocity(2.0, 0.0));
    for k in 0..4_u32 {
        builder = builder.body(disc(f64::from(k)));
    }
    let mut world = builder.build()?;
    pass(&mut world, 1.5, |_| ())?;
    let speeds: Vec<String> = world.bodies().map(|b| format!("{:.3}", b.velocity().x / 2.0)).collect();
    Ok(speeds.join(" "))
}

fn bounce(settings: Settings) -> Outcome {
    let mut world = World::builder()
        .settings(settings)
        .gravity(G)
        .body(Body::block(20.0, 1.0).fixed().restitution(1.0).at(0.0, -0.5))
        .body(Body::ball(0.1).restitution(1.0).at(0.0, 1.1))
        .build()?;
    let rest = G * 0.1;
    let start = world.energy().total() - rest;
    pass(&mut world, 60.0, |_| ())?;
    Ok(format!("{:.1e}", (world.energy().total() - rest) / start - 1.0))
}

fn gas(settings: Settings) -> Outcome {
    let mut random = Lcg32::new(7);
    let wall = |w: f64, h: f64| Body::block(w, h).fixed().restitution(1.0);
    let mut builder = World::builder()
        .settings(settings)
        .body(wall(22.0, 1.0).at(0.0, -10.5))
        .body(wall(22.0, 1.0).at(0.0, 10.5))
        .body(wall(1.0, 20.0).at(-10.5, 0.0))
        .body(wall(1.0, 20.0).at(10.5, 0.0));
    for k in 0..100_u32 {
        let (x, y) = (f64::from(k % 10) * 1.9 - 8.55, f64::from(k / 10) * 1.9 - 8.55);
        let (sin, cos) = engine2d::math::trig::sin_cos(std::f64::consts::TAU * random.next_unit());
        builder = builder.body(Body::ball(0.2).restitution(1.0).at(x, y).velocity(5.0 * cos, 5.0 * sin));
    }
    let mut world = builder.build()?;
    let start = world.energy().total();
    pass(&mut world, 60.0, |_| ())?;
    Ok(format!("{:.1e}", world.energy().total() / start - 1.0))
}

fn mass_ratio(settings: Settings) -> Outcome {
    let block = |y: f64| Body::block(1.0, 1.0).restitution(0.0).friction(0.6).at(0.0, y);
    let mut world = World::builder()
        .settings(settings)
        .gravity(G)
        .body(Body::block(40.0, 1.0).fixed().friction(0.6).at(0.0, -0.5))
        .body(block(0.5).mass(1.0))
        .body(block(1.5).mass(1e4))
        .build()?;
    Ok(format!("{:.1e}", pass(&mut world, 5.0, |_| ())?))
}

fn pendulum(settings: Settings, angle: f64) -> Outcome {
    let (s, c) = engine2d::math::trig::sin_cos(angle);
    let rod = |l: f64| Body::block(0.05, 1.0).mass(1.0).at(l * s, -l * c).angle(angle);
    let (first, second) = (BodyRef::Body(0), BodyRef::Body(1));
    let mut world = World::builder()
        .settings(settings)
        .gravity(G)
        .body(rod(0.5))
        .body(rod(1.5))
        .joint(Revolute::new(first, [0.0, 0.5], BodyRef::Ground, [0.0, 0.0]))
        .joint(Revolute::new(second, [0.0, 0.5], first, [0.0, -0.5]))
        .build()?;
    let (start, range) = (world.energy().total(), 2.0 * G * (1.0 - c));
    let mut worst = 0.0_f64;
    pass(&mut world, 10.0, |w| worst = worst.max((w.energy().total() - start).abs() / range))?;
    Ok(format!("{worst:.1e}"))
}

fn slope(settings: Settings) -> Outcome {
    let mu = 0.5_f64;
    let alpha = mu.atan() * 1.005;
    let (s, c) = engine2d::math::trig::sin_cos(alpha);
    let mut world = World::builder()
        .settings(settings)
        .gravity(G)
        .body(Body::block(40.0, 1.0).fixed().friction(mu).angle(-alpha))
        .body(Body::block(1.0, 0.5).restitution(0.0).friction(mu).angle(-alpha).at(0.75 * s, 0.75 * c))
        .build()?;
    pass(&mut world, 1.0, |_| ())?;
    let before = world.body(1)?.velocity().norm();
    pass(&mut world, 4.0, |_| ())?;
    let found = (world.body(1)?.velocity().norm() - before) / 4.0;
    Ok(format!("{:.1e}", found / (G * (s - mu * c)) - 1.0))
}

fn roll(settings: Settings) -> Outcome {
    let mut world = World::builder()
        .settings(settings)
        .gravity(G)
        .body(Body::block(400.0, 1.0).fixed().friction(0.5).at(0.0, -0.5))
        .body(Body::ball(0.5).restitution(0.0).friction(0.5).at(-100.0, 0.5).velocity(10.0, 0.0))
        .build()?;
    pass(&mut world, 5.0, |_| ())?;
    Ok(format!("{:.1e}", world.body(1)?.velocity().x / (20.0 / 3.0) - 1.0))
}
