//! Random scenes: whatever is put together, a run ends, with finite figures or with a typed error.
//!
//! `cargo test --release -p engine2d --features long-tests --test random_scenes`
#![expect(clippy::print_stdout, reason = "what it finds is its result")]

use engine2d::math::random::{Lcg32, pick};
use engine2d::record::{SummaryObserver, WatchError, run};
use engine2d::scene::{
    Body, CollisionHandling, Connector, ExtraAcceleration, FixedSolver, ForceLaw, Frame, Line, Profile,
    Scene, Settings, Shape, Side, Solver, Thruster,
};
use engine2d::sim::{SimError, World};
use std::fmt;

/// How many scenes, and how long each (simulated seconds).
const SCENES: u32 = 1000;
const DURATION: f64 = 5.0;

/// What of the runs of one clock counts, and how many of them may have it: these numbers may only fall.
struct Limits {
    /// Runs that end early.
    stopped: usize,
    /// Depth (length) from which an overlap counts, and runs that have one.
    overlapping: (f64, usize),
    /// Runs whose energy rises by more than [`GAIN`] though nothing drives them.
    gaining: usize,
    /// Error (length) from which a joint counts as open, and runs that have one.
    open: (f64, usize),
}

/// Rise of the energy, relative to the largest of the run, that is rounding.
const GAIN: f64 = 1e-8;

const BACKTRACKING: Limits = Limits { stopped: 79, overlapping: (1e-6, 5), gaining: 149, open: (1e-6, 190) };

const LOCATED: Limits = Limits { stopped: 0, overlapping: (1e-9, 0), gaining: 1, open: (1e-9, 0) };

// Masses, damping and steps stay where explicit integrators are stable.

/// Distance of neighbouring bodies at the start; none is larger.
const CELL: f64 = 2.2;

struct Source(Lcg32);

impl Source {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.next_unit()
    }

    fn chance(&mut self, part: f64) -> bool {
        self.0.next_unit() < part
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[pick(items.len(), &mut self.0)]
    }

    fn point(&mut self, reach: f64) -> [f64; 2] {
        [self.between(-reach, reach), self.between(-reach, reach)]
    }

    fn shape(&mut self) -> Shape {
        let (width, height) = (self.between(0.2, 1.4), self.between(0.2, 1.4));
        match pick(9, &mut self.0) {
            0 | 1 => Shape::Ball { radius: 0.7 * width },
            2 | 3 => Shape::Block { width, height },
            4 => Shape::RandomPolygon {
                sides: 3 + pick(6, &mut self.0) as u32,
                radius: 1.0,
                seed: self.0.state(),
            },
            5 => Shape::RoundBlock { width: width.min(height), height: width.max(height) },
            6 => Shape::RoundCornerBlock { width, height, radius: 0.3 * width.min(height) },
            7 => Shape::Frame { width: 1.3, height: 1.2, thickness: 0.2 },
            _ => Shape::Hexagon { side: 0.5 * width },
        }
    }

    fn scene(&mut self) -> Scene {
        let mut scene = Scene::new("random");
        let s = &mut scene.settings;
        s.time_step = self.one_of(&[0.005, 0.01, 0.025]);
        s.seed = self.0.state();
        s.profile = self.one_of(&[Profile::Engine2d, Profile::Engine2d, Profile::Reference]);
        s.collision_handling = self.one_of(&[
            CollisionHandling::Simultaneous,
            CollisionHandling::Hybrid,
            CollisionHandling::SerialGrouped,
            CollisionHandling::SerialGroupedLastPass,
            CollisionHandling::SerialSeparate,
            CollisionHandling::SerialSeparateLastPass,
        ]);
        s.extra_acceleration = self.one_of(&[
            ExtraAcceleration::None,
            ExtraAcceleration::Velocity,
            ExtraAcceleration::VelocityJoints,
            ExtraAcceleration::VelocityAndDistance,
            ExtraAcceleration::VelocityAndDistanceJoints,
        ]);
        s.solver = self.one_of(&[
            Solver::Fixed(FixedSolver::RungeKutta4),
            Solver::Fixed(FixedSolver::RungeKutta4),
            Solver::Fixed(FixedSolver::ModifiedEuler),
            Solver::Fixed(FixedSolver::Euler),
        ]);
        s.joint_small_impacts = self.chance(0.3);
        let columns = 1 + pick(4, &mut self.0);
        let rows = 1 + pick(3, &mut self.0);
        let (width, height) = (CELL * columns as f64 + 1.0, CELL * rows as f64 + 3.0);
        self.push_walls(&mut scene, width, height);
        for row in 0..rows {
            for column in 0..columns {
                let x = (column as f64 + 0.5) * CELL - 0.5 * CELL * columns as f64;
                let y = (row as f64 + 0.5) * CELL + 0.2;
                let name = format!("body{row}_{column}");
                let body = Body::new(self.shape()).named(name).at(x, y).angle(self.between(-3.0, 3.0));
                let [vx, vy] = self.point(3.0);
                let mut body = body.velocity(vx, vy).turning(self.between(-3.0, 3.0));
                body.mass = Some(self.one_of(&[0.3, 1.0, 1.0, 5.0, 100.0]));
                body.elasticity = Some(self.one_of(&[0.0, 0.3, 0.8, 1.0]));
                scene.bodies.push(body);
            }
        }
        self.push_laws(&mut scene);
        self.push_connectors(&mut scene);
        scene
    }

    fn push_walls(&mut self, scene: &mut Scene, width: f64, height: f64) {
        let (w, h) = (0.5 * width + 0.5, height);
        for (name, width, height, side, x, y) in [
            ("floor", width + 2.0, 1.0, Side::Top, 0.0, -0.5),
            ("right", 1.0, height + 2.0, Side::Left, w, 0.5 * h),
            ("ceiling", width + 2.0, 1.0, Side::Bottom, 0.0, h + 0.5),
            ("left", 1.0, height + 2.0, Side::Right, -w, 0.5 * h),
        ] {
            scene.bodies.push(Body::new(Shape::Wall { width, height, side }).named(name).fixed().at(x, y));
        }
    }

    fn push_laws(&mut self, scene: &mut Scene) {
        let last = scene.bodies.len() - 1;
        let name = scene.body_name(last);
        if self.chance(0.8) {
            scene.force_laws.push(ForceLaw::gravity(self.one_of(&[1.0, 9.81, 30.0])));
        }
        if self.chance(0.5) {
            scene.force_laws.push(ForceLaw::Damping {
                coefficient: self.one_of(&[0.0, 0.1, 0.3]),
                rotate_ratio: 0.15,
                bodies: None,
            });
        }
        if self.chance(0.3) {
            scene.force_laws.push(ForceLaw::Spring {
                name: None,
                body_a: "ground".into(),
                point_a: [0.0, 3.0],
                body_b: name.as_str().into(),
                point_b: self.point(0.3),
                rest_length: self.between(0.0, 2.0),
                stiffness: self.one_of(&[1.0, 30.0]),
                damping: self.one_of(&[0.0, 1.0]),
                compress_only: self.chance(0.3),
            });
        }
        if self.chance(0.2) {
            let thrusters = vec![Thruster { location: self.point(0.5), direction: [0.0, 1.0], active: true }];
            scene.force_laws.push(ForceLaw::Thrusters {
                body: name.as_str().into(),
                magnitude: 5.0,
                thrusters,
            });
        }
        if self.chance(0.2) {
            scene.force_laws.push(ForceLaw::RotatingForce {
                body: name.as_str().into(),
                location: self.point(0.5),
                magnitude: 3.0,
                rate: 2.0,
            });
        }
    }

    fn push_connectors(&mut self, scene: &mut Scene) {
        let walls = 4;
        for index in walls..scene.bodies.len() {
            if self.chance(0.7) {
                continue;
            }
            let name = scene.body_name(index);
            let position = scene.bodies[index].position;
            let built = scene.bodies[index].shape.build();
            let center = built.map_or([0.0, 0.0], |shape| shape.center_of_mass().into());
            let other = if index > walls && self.chance(0.6) {
                scene.body_name(index - 1)
            } else {
                "ground".to_owned()
            };
            let connector = match pick(4, &mut self.0) {
                0 => Connector::Rod(Line::new(other.as_str(), [0.0, 0.0], name.as_str(), [0.0, 0.1])),
                1 => Connector::Rope(Line::new(other.as_str(), [0.0, 0.0], name.as_str(), [0.0, 0.1])),
                2 => Connector::Joint {
                    body_a: "ground".into(),
                    point_a: position,
                    body_b: name.as_str().into(),
                    point_b: center,
                    normal: self.one_of(&[[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
                    frame: self.one_of(&[Frame::World, Frame::Body]),
                },
                _ => Connector::pin("ground", position, name.as_str(), center),
            };
            scene.connectors.push(connector);
        }
    }
}

/// A run that ended early, and under which rules.
struct Stop(String);

impl Stop {
    fn new(number: u32, scene: &Scene, world: &World, error: &SimError) -> Self {
        let s = &scene.settings;
        let solver = match s.solver {
            Solver::Fixed(solver) => solver.to_string(),
            Solver::Adaptive(_) => "adaptive".to_owned(),
            Solver::Precise(precise) => precise.method.to_string(),
        };
        let rules = [
            s.profile.to_string(),
            s.collision_handling.to_string(),
            s.extra_acceleration.to_string(),
            solver,
        ];
        Self(format!("scene {number} at {:.3} ({}): {error}", world.time(), rules.join(", ")))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[test]
fn runs_end_with_finite_figures_or_typed_errors() {
    judge(|_| {}, &BACKTRACKING);
}

#[test]
fn located_runs_end_without_overlap_gain_or_open_joints() {
    let located = |scene: &mut Scene| {
        let Settings { time_step, seed, .. } = scene.settings;
        scene.settings = Settings { time_step, seed, ..Settings::default() };
    };
    judge(located, &LOCATED);
}

/// Runs all scenes, changed by `with`, and counts what goes wrong.
fn judge(with: impl Fn(&mut Scene), limits: &Limits) {
    let mut source = Source(Lcg32::new(2026));
    let (mut finished, mut refused, mut stopped) = (0, 0, Vec::new());
    let (mut overlapping, mut gaining, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..SCENES {
        let mut scene = source.scene();
        with(&mut scene);
        let Ok(mut world) = scene.to_world() else {
            refused += 1;
            continue;
        };
        let mut observer = SummaryObserver::new(&scene);
        match run(&mut world, DURATION, scene.settings.time_step, &mut [&mut observer]) {
            Ok(()) => finished += 1,
            Err(WatchError::Simulation(error)) => stopped.push(Stop::new(number, &scene, &world, &error)),
            Err(other) => panic!("scene {number}: {other}"),
        }
        let s = observer.summary();
        assert!(s.energy_end.is_finite() && s.worst_certificate.is_finite(), "scene {number}");
        if s.worst_penetration > limits.overlapping.0 {
            overlapping.push((number, s.worst_penetration));
        }
        if s.worst_joint_error > limits.open.0 {
            open.push((number, s.worst_joint_error));
        }
        let driven =
            |law: &ForceLaw| matches!(law, ForceLaw::Thrusters { .. } | ForceLaw::RotatingForce { .. });
        let scale = s.energy_start.abs().max(s.energy_max.abs());
        if !scene.force_laws.iter().any(driven) && s.energy_max > s.energy_start + GAIN * scale {
            gaining.push((number, (s.energy_max - s.energy_start) / scale));
        }
    }
    println!("{finished} finished, {refused} refused, {} stopped", stopped.len());
    for (what, list) in [("deep", &overlapping), ("gained", &gaining), ("open", &open)] {
        println!("{} {what}", list.len());
        list.iter().for_each(|(number, value)| println!("  scene {number}: {value:e} {what}"));
    }
    stopped.iter().for_each(|stop| println!("  {stop}"));
    assert!(refused < SCENES / 10, "{refused} scenes are not sound");
    assert!(stopped.len() <= limits.stopped, "{} runs stopped", stopped.len());
    assert!(overlapping.len() <= limits.overlapping.1, "{} runs had overlaps", overlapping.len());
    assert!(gaining.len() <= limits.gaining, "{} runs gained energy", gaining.len());
    assert!(open.len() <= limits.open.1, "{} runs opened joints", open.len());
}
