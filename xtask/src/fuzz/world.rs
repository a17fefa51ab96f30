//! Worlds of random bodies for a hundred steps, under each clock: they go on to the end; nothing sinks in, gains energy or ceases
//! to be a number, as the instruments tell.

use super::bytes::Bytes;
use super::verdict::Verdict;
use engine2d_sim::{Body, Friction, Settings, SteppingSolver, TimeStepping, World};

/// Steps of each world.
const STEPS: usize = 100;

/// Length of a step (time).
const STEP: f64 = 1.0 / 60.0;

/// Distance of neighbouring bodies at the start; none is larger.
const CELL: f64 = 2.2;

/// Diagonal (length) of the largest body.
const LARGEST: f64 = 1.4 * std::f64::consts::SQRT_2;

/// Rise of the energy in a step beyond what the report books for bodies put back in place, relative to the energy at the start, by
/// clock; not judged where the method does not bound it.
const GAINS: [f64; 4] = [1e-6, f64::INFINITY, 1e-9, f64::INFINITY];

/// Energy that may be booked for that in a step, relative to the energy at the start: a light body between heavy ones that turns by
/// a radian in a step is put out of them at the cost of lifting them.
const BOOKED: f64 = 0.1;

/// Depths (length) from which an overlap counts, by clock: located events and exact steps keep bodies apart to rounding,
/// backtracking to its distance tolerance, soft contacts as [`Yielding`] has it.
const DEPTHS: [f64; 4] = [1e-8, 0.02, 1e-6, 0.0];

/// The clock whose contacts are soft.
const ITERATIVE: usize = 3;

/// Frequency of soft contacts (radians/time): 30 oscillations of the lighter body.
const SOFT: f64 = 30.0 * std::f64::consts::TAU;

fn settings(choice: usize) -> Settings {
    match choice {
        0 => Settings::default(),
        1 => Settings::backtracking(),
        2 => Settings::time_stepping(),
        _ => {
            let soft = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
            Settings { time_stepping: Some(soft), ..Settings::time_stepping() }
        }
    }
}

/// How deep bodies may sink into each other where contacts are soft.
struct Yielding {
    /// All mass, and the least on which it may press.
    all: f64,
    least: f64,
    gravity: f64,
    /// Largest kinetic energy and angular speed (radians/time) till now.
    kinetic: f64,
    turning: f64,
}

impl Yielding {
    fn of(world: &World, gravity: f64) -> Self {
        let masses = || world.bodies().filter(|body| !body.is_fixed()).map(|body| body.mass());
        Self {
            all: masses().sum(),
            least: masses().fold(f64::INFINITY, f64::min),
            gravity,
            kinetic: 0.0,
            turning: 0.0,
        }
    }

    fn note(&mut self, world: &World) {
        self.kinetic = self.kinetic.max(world.energy().kinetic());
        self.turning = world.bodies().map(|body| body.angular_velocity().abs()).fold(self.turning, f64::max);
    }

    /// A mass `M` that comes with the energy `K` onto a spring of stiffness `k = m ω²` goes down by `s + √(s² + 2 K/k)`, where
    /// `s = M g/k` is its sag; damping takes of that. A corner that turns strays from its way, which a step takes for straight,
    /// or each of at most four stretches of the step that turn half a radian or more.
    fn depth(&self) -> f64 {
        let stiffness = self.least * SOFT * SOFT;
        let sag = self.all * self.gravity / stiffness;
        let turn = self.turning * STEP;
        let turn = turn.min((0.25 * turn).max(0.5)).min(std::f64::consts::FRAC_PI_2);
        let stray = 0.5 * LARGEST * (1.0 - turn.cos());
        sag + (sag * sag + 2.0 * self.kinetic / stiffness).sqrt() + stray
    }
}

pub(super) fn judge(bytes: &mut Bytes<'_>) -> Verdict {
    let choice = bytes.below(4);
    let rough = choice != 1 && bytes.byte().is_multiple_of(2);
    let friction = Friction::of(if rough { bytes.between(0.0, 1.0) } else { 0.0 });
    let (columns, rows) = (1 + bytes.below(3), 1 + bytes.below(2));
    let gravity = [0.0, 1.0, 9.81, 30.0][bytes.below(4)];
    let mut builder = World::builder()
        .settings(settings(choice))
        .gravity(gravity)
        .body(Body::wall(60.0, 1.0).at(0.0, -0.5).friction(friction));
    for k in 0..columns * rows {
        let (x, y) = ((k % columns) as f64 * CELL, 1.3 + (k / columns) as f64 * CELL);
        let (width, height) = (bytes.between(0.3, 1.4), bytes.between(0.3, 1.4));
        let shape = match bytes.byte() % 3 {
            0 => Body::ball(0.5 * width),
            _ => Body::block(width, height),
        };
        let body = shape
            .at(x, y)
            .angle(bytes.between(-3.0, 3.0))
            .velocity(bytes.between(-5.0, 5.0), bytes.between(-5.0, 5.0))
            .mass([0.1, 1.0, 1.0, 50.0][bytes.below(4)])
            .restitution([0.0, 0.3, 0.8, 1.0][bytes.below(4)])
            .friction(friction);
        builder = builder.body(body);
    }
    let mut world = match builder.build() {
        Ok(world) => world,
        Err(_) => return Verdict::Refused("not built"),
    };
    let mut yielding = Yielding::of(&world, gravity);
    let start = world.energy();
    let (mut before, size) = (start.total(), (start.kinetic() + start.potential.abs()).max(1.0));
    for step in 0..STEPS {
        yielding.note(&world);
        let report = match world.advance(STEP) {
            Ok(report) => report,
            Err(error) => return Verdict::Wrong(format!("clock {choice}, step {step}: {error}")),
        };
        if world.state().iter().any(|value| !value.is_finite()) || !report.energy.is_finite() {
            return Verdict::Wrong(format!("clock {choice}, step {step}: numbers that are none"));
        }
        let depth = if choice == ITERATIVE { yielding.depth() } else { DEPTHS[choice] };
        if report.penetration > depth {
            return Verdict::Wrong(format!(
                "clock {choice}, step {step}: {:e} deep, where {depth:e} is accepted",
                report.penetration
            ));
        }
        if report.corrections > BOOKED * size {
            return Verdict::Wrong(format!(
                "clock {choice}, step {step}: {:e} of {size:e} to put bodies back in place",
                report.corrections
            ));
        }
        if report.energy > before + report.corrections.max(0.0) + GAINS[choice] * size {
            return Verdict::Wrong(format!(
                "clock {choice}, step {step}: the energy rises by {:e} of {size:e}",
                report.energy - before
            ));
        }
        before = report.energy;
    }
    Verdict::Sound
}
