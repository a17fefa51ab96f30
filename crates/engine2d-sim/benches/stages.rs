//! The stages of an advance under each clock, and whole steps: a pyramid at rest, a falling pile, discs that fly and a chain.
//!
//! The time of a stage is what the world's own meter charges to it, in the same steps that are timed as a whole. Each measurement begins
//! from the same state, so that one stage or scene does not depend on what was measured before.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use engine2d_constraint::Revolute;
use engine2d_math::trig;
use engine2d_sim::{
    Body, BodyRef, Settings, SimError, Snapshot, Stage, SteppingSolver, TimeStepping, World, WorldBuilder,
};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Length of a step (time).
const STEP: f64 = 1.0 / 60.0;

/// Steps before anything is measured: what begins is not typical.
const WARM_UP: usize = 30;

/// Steps measured from one state, after which the world is put back there.
const WINDOW: u64 = 30;

/// Stages that are measured on their own: places that may meet, rows, impulses, positions.
const STAGES: [(&str, Stage); 4] = [
    ("detect", Stage::Detection),
    ("rows", Stage::Assembly),
    ("solve", Stage::Complementarity),
    ("positions", Stage::Projection),
];

/// Seconds since the first call.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn floor(width: f64) -> WorldBuilder {
    World::builder().gravity(9.81).body(Body::block(width, 1.0).fixed().at(0.0, -0.5).friction(0.5))
}

fn pyramid(rows: u32) -> WorldBuilder {
    let mut builder = floor(100.0);
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 1.1 * (f64::from(k) - 0.5 * f64::from(rows - row - 1));
            builder = builder.body(Body::block(1.0, 1.0).at(x, f64::from(row) + 0.5).friction(0.5));
        }
    }
    builder
}

/// Smooth blocks and balls that fall beside and onto each other.
fn pile(count: u32) -> WorldBuilder {
    const COLUMNS: u32 = 10;
    let mut builder = floor(100.0);
    for k in 0..count {
        let (column, row) = (f64::from(k % COLUMNS), f64::from(k / COLUMNS));
        let shape = if k % 2 == 0 { Body::block(0.8, 0.6) } else { Body::ball(0.4) };
        let lean = 0.2 * trig::sin(row + column);
        builder = builder.body(shape.at(1.1 * column + lean, 0.6 + 1.1 * row).angle(lean).friction(0.0));
    }
    builder
}

/// Discs that fly freely, a few of which meet.
fn gas(count: u32) -> WorldBuilder {
    const COLUMNS: u32 = 40;
    let mut builder = World::builder();
    for k in 0..count {
        let (x, y) = (f64::from(k % COLUMNS), f64::from(k / COLUMNS));
        let (vx, vy) = (trig::sin(1.7 * f64::from(k)), trig::cos(2.3 * f64::from(k)));
        builder = builder.body(Body::ball(0.3).at(1.5 * x, 1.5 * y).velocity(vx, vy).restitution(1.0));
    }
    builder
}

fn chain(links: u32) -> WorldBuilder {
    let mut builder = World::builder().gravity(9.81);
    let mut before = (BodyRef::Ground, [0.0, 0.0]);
    for k in 0..links {
        builder = builder.body(Body::block(1.0, 0.2).at(f64::from(k) + 0.5, 0.0));
        let link = BodyRef::Body(k);
        builder = builder.joint(Revolute::new(link, [-0.5, 0.0], before.0, before.1));
        before = (link, [0.5, 0.0]);
    }
    builder
}

/// A world with a clock, after its first steps.
fn warm(builder: WorldBuilder, settings: Settings) -> Result<(World, Snapshot), SimError> {
    let mut world = builder.settings(settings).build()?;
    for _ in 0..WARM_UP {
        world.advance(STEP)?;
    }
    world.probe().set_clock(now);
    let start = world.snapshot();
    Ok((world, start))
}

/// Time of so many steps: all of it, or what one stage takes.
fn time(world: &mut World, start: &Snapshot, steps: u64, stage: Option<Stage>) -> Result<Duration, SimError> {
    let mut taken = 0.0;
    let mut left = steps;
    while left > 0 {
        world.restore(start)?;
        world.probe().reset_stage_statistics();
        for _ in 0..left.min(WINDOW) {
            world.advance(STEP)?;
        }
        left -= left.min(WINDOW);
        let work = world.inspect().stage_statistics();
        taken += stage.map_or_else(|| work.seconds(), |stage| work.of(stage).seconds);
    }
    Ok(Duration::from_secs_f64(taken))
}

/// What makes the scenes.
type Builder = fn() -> WorldBuilder;

fn stages(criterion: &mut Criterion) {
    let settings = |stepping: Option<SteppingSolver>| match stepping {
        None => Settings::default(),
        Some(solver) => {
            let own = TimeStepping { solver, ..TimeStepping::default() };
            Settings { time_step: STEP, time_stepping: Some(own), ..Settings::time_stepping() }
        }
    };
    let clocks = [
        ("exact", settings(Some(SteppingSolver::Exact))),
        ("iterative", settings(Some(SteppingSolver::Iterative))),
        ("located", settings(None)),
    ];
    let scenes: [(&str, Builder); 4] = [
        ("pyramid 10", || pyramid(10)),
        ("pile 40", || pile(40)),
        ("gas 400", || gas(400)),
        ("chain 30", || chain(30)),
    ];
    for (scene, builder) in scenes {
        let mut group = criterion.benchmark_group(scene);
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        for (clock, settings) in &clocks {
            let Ok((mut world, start)) = warm(builder(), settings.clone()) else { continue };
            let all = STAGES.into_iter().map(|(name, stage)| (name, Some(stage)));
            for (name, stage) in [("step", None)].into_iter().chain(all) {
                // A stage that has no work in this scene is not measured.
                let works = time(&mut world, &start, WINDOW, stage).is_ok_and(|taken| !taken.is_zero());
                if !works {
                    continue;
                }
                group.bench_function(BenchmarkId::new(name, clock), |bench| {
                    // What could be stepped before can be stepped again: a restored world does the same.
                    bench.iter_custom(|steps| time(&mut world, &start, steps, stage).unwrap_or_default());
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
