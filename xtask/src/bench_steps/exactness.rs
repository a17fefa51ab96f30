//! `cargo xtask bench exactness`: scenes whose end is known, in steps of a sixtieth of a second, under the three clocks and, with the
//! feature `peers`, in rapier. They are those of `xtask/peers/comparison.py`.

use super::engine::Engine;
use super::own;
use super::scene::{Form, GRAVITY, Item, Numbers, Pin, Scene, fixed, scene};
use crate::{TaskError, say};
use std::process::ExitCode;

const STEP: f64 = 1.0 / 60.0;

type Make = fn(&Scene) -> Result<Box<dyn Engine>, TaskError>;

/// A scene and what is measured of it.
struct Known {
    title: &'static str,
    scene: Scene,
    measured: fn(&mut Course<'_>) -> Result<String, TaskError>,
}

/// A scene that an engine has taken up.
struct Course<'a> {
    scene: &'a Scene,
    engine: Box<dyn Engine>,
}

impl Course<'_> {
    /// Takes steps, each followed by a look.
    fn pass(&mut self, seconds: f64, mut look: impl FnMut(&[[f64; 6]])) -> Result<(), TaskError> {
        for _ in 0..(seconds / STEP).round() as usize {
            self.engine.step()?;
            look(&self.engine.states());
        }
        Ok(())
    }
}

pub(crate) fn run() -> Result<ExitCode, TaskError> {
    for known in [cradle(), bounce(), gas(), mass_ratio(), pendulum(false), pendulum(true), slope(), roll()] {
        say(known.title);
        for (name, make) in engines() {
            let mut course = Course { scene: &known.scene, engine: make(&known.scene)? };
            let told = (known.measured)(&mut course).unwrap_or_else(|error| format!("error: {error}"));
            say(&format!("  {name:10} {told}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn engines() -> Vec<(&'static str, Make)> {
    vec![
        ("located", own::located as Make),
        ("exact", own::exact),
        ("iterative", own::iterative),
        #[cfg(feature = "peers")]
        ("rapier f64", super::rapier::double),
    ]
}

fn unnamed(items: Vec<Item>, friction: f64, restitution: f64, gravity: f64) -> Scene {
    Scene { restitution, gravity, ..scene(String::new(), items, friction, (0, 0)) }
}

fn disc(radius: f64, at: [f64; 2], velocity: [f64; 2]) -> Item {
    Item { mass: 1.0, velocity, ..fixed(Form::Disc(radius), at) }
}

/// Energy at the end, as a change of that of the start above a least one.
fn kept(course: &mut Course<'_>, least: f64) -> Result<String, TaskError> {
    let energy = |course: &Course<'_>| course.scene.energy(&course.engine.states()) - least;
    let start = energy(course);
    course.pass(60.0, |_| ())?;
    Ok(format!("{:+.1e}", energy(course) / start - 1.0))
}

fn cradle() -> Known {
    let at = |x: f64, v: f64| disc(0.5, [x, 0.0], [v, 0.0]);
    let items = vec![at(-2.5, 2.0), at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0), at(3.0, 0.0)];
    Known {
        title: "cradle: speeds of five discs in a row, of the first one's before",
        scene: unnamed(items, 0.0, 1.0, 0.0),
        measured: |course| {
            course.pass(1.5, |_| ())?;
            let speeds = course.engine.states().into_iter().map(|s| format!("{:.3}", s[3] / 2.0));
            Ok(speeds.collect::<Vec<_>>().join(" "))
        },
    }
}

fn bounce() -> Known {
    let items = vec![fixed(Form::Block(10.0, 0.5), [0.0, -0.5]), disc(0.1, [0.0, 1.1], [0.0; 2])];
    Known {
        title: "bounce: restitution 1, energy after 60 s, relative change",
        scene: unnamed(items, 0.0, 1.0, GRAVITY),
        measured: |course| kept(course, GRAVITY * 0.1),
    }
}

fn gas() -> Known {
    let mut numbers = Numbers(7);
    let mut items = vec![
        fixed(Form::Block(11.0, 0.5), [0.0, -10.5]),
        fixed(Form::Block(11.0, 0.5), [0.0, 10.5]),
        fixed(Form::Block(0.5, 10.0), [-10.5, 0.0]),
        fixed(Form::Block(0.5, 10.0), [10.5, 0.0]),
    ];
    for k in 0..100_u32 {
        let at = [f64::from(k % 10) * 1.9 - 8.55, f64::from(k / 10) * 1.9 - 8.55];
        let (sin, cos) = (std::f64::consts::TAU * numbers.next()).sin_cos();
        items.push(disc(0.2, at, [5.0 * cos, 5.0 * sin]));
    }
    Known {
        title: "gas: 100 elastic discs, energy after 60 s, relative change",
        scene: unnamed(items, 0.0, 1.0, 0.0),
        measured: |course| kept(course, 0.0),
    }
}

fn mass_ratio() -> Known {
    let block = |y: f64, mass: f64| Item { mass, ..fixed(Form::Block(0.5, 0.5), [0.0, y]) };
    let items = vec![fixed(Form::Block(20.0, 0.5), [0.0, -0.5]), block(0.5, 1.0), block(1.5, 1e4)];
    Known {
        title: "mass: 10,000 kg on 1 kg for 5 s, deepest overlap (m)",
        scene: unnamed(items, 0.6, 0.0, GRAVITY),
        measured: |course| {
            let mut deepest = 0.0_f64;
            course.pass(5.0, |states| {
                let [low, high] = [states[1], states[2]];
                let above = (high[0] - low[0]).abs() < 0.9;
                deepest = deepest.max(0.5 - low[1]).max(if above { 1.0 + low[1] - high[1] } else { 0.0 });
            })?;
            Ok(format!("{deepest:.1e}"))
        },
    }
}

/// Two rods in a row, let go at an angle from straight down: half a radian, or a right angle.
fn pendulum(wide: bool) -> Known {
    let angle = if wide { std::f64::consts::FRAC_PI_2 } else { 0.5 };
    let (s, c) = angle.sin_cos();
    let rod = |l: f64| Item { mass: 1.0, angle, ..fixed(Form::Block(0.025, 0.5), [l * s, -l * c]) };
    let pin = |bodies, from| Pin { bodies, points: [from, [0.0, 0.5]] };
    // What holds them is out of their way.
    let far = fixed(Form::Disc(0.01), [100.0, 0.0]);
    let mut scene = unnamed(vec![far, rod(0.5), rod(1.5)], 0.0, 0.0, GRAVITY);
    scene.pins = vec![pin([0, 1], [-100.0, 0.0]), pin([1, 2], [0.0, -0.5])];
    Known {
        title: if wide {
            "pendulum: double, from π/2, largest energy error in 10 s"
        } else {
            "pendulum: double, from 0.5 rad, largest energy error in 10 s"
        },
        scene,
        measured: |course| {
            let start = course.scene.energy(&course.engine.states());
            // At rest straight down: m g (-0.5 - 1.5).
            let range = start + 2.0 * GRAVITY;
            let mut worst = 0.0_f64;
            let scene = course.scene;
            course.pass(10.0, |states| worst = worst.max((scene.energy(states) - start).abs() / range))?;
            Ok(format!("{worst:.1e}"))
        },
    }
}

fn slope() -> Known {
    const MU: f64 = 0.5;
    const ALPHA: f64 = 1.005;
    let alpha = MU.atan() * ALPHA;
    let (s, c) = alpha.sin_cos();
    let plane = Item { angle: -alpha, ..fixed(Form::Block(20.0, 0.5), [0.0, 0.0]) };
    let block = Item { mass: 1.0, angle: -alpha, ..fixed(Form::Block(0.5, 0.25), [0.75 * s, 0.75 * c]) };
    Known {
        title: "slope: 0.5 % above the angle of friction, relative error of the acceleration",
        scene: unnamed(vec![plane, block], MU, 0.0, GRAVITY),
        measured: |course| {
            let speed = |course: &Course<'_>| {
                let state = course.engine.states()[1];
                state[3].hypot(state[4])
            };
            course.pass(1.0, |_| ())?;
            let before = speed(course);
            course.pass(4.0, |_| ())?;
            let (s, c) = (MU.atan() * ALPHA).sin_cos();
            Ok(format!("{:+.1e}", (speed(course) - before) / 4.0 / (GRAVITY * (s - MU * c)) - 1.0))
        },
    }
}

fn roll() -> Known {
    let ground = fixed(Form::Block(200.0, 0.5), [0.0, -0.5]);
    Known {
        title: "roll: a thrown disc, relative error of its speed after 5 s",
        scene: unnamed(vec![ground, disc(0.5, [-100.0, 0.5], [10.0, 0.0])], 0.5, 0.0, GRAVITY),
        measured: |course| {
            course.pass(5.0, |_| ())?;
            Ok(format!("{:+.1e}", course.engine.states()[1][3] / (20.0 / 3.0) - 1.0))
        },
    }
}
