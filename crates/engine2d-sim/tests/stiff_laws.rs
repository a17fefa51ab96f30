//! Springs and dampers that are too stiff for explicit steps, in steps of a fixed length: bounded, right at rest, and of second order where
//! they are followed.

use crate::rig::pile;
use engine2d_math::Vec2;
use engine2d_sim::{
    Attachment, Body, BodySet, Event, Force, ForceLaw, Forces, Settings, SimError, SteppingSolver,
    TimeStepping, World,
};

const H: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

fn exact(step: f64) -> Settings {
    Settings { time_step: step, ..Settings::time_stepping() }
}

fn iterative() -> Settings {
    let choice = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

fn spring(ends: [Attachment; 2], rest_length: f64, stiffness: f64, damping: f64) -> ForceLaw {
    ForceLaw::Spring { ends, rest_length, stiffness, damping, compress_only: false }
}

fn ball(name: &str) -> Body {
    Body::ball(0.1).mass(1.0).named(name)
}

fn height(world: &World) -> f64 {
    world.body("ball").expect("a body").position().y
}

/// A ball falls onto a spring of `ω h` up to 527: it swings between where it is and `2 g/ω²` below, by the midpoint rule with the energy it had.
#[test]
fn a_spring_however_stiff_swings_no_farther_than_its_load_takes_it() {
    for (settings, farther) in [(exact(H), 1e-6), (iterative(), 1.0)] {
        for stiffness in [2e4, 1e6, 1e9] {
            let law = spring(
                [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
                1.0,
                stiffness,
                0.0,
            );
            let body = ball("ball").at(0.0, -1.0);
            let most = 2.0 * G / stiffness;
            let world = World::builder().settings(settings.clone()).gravity(G).body(body);
            let mut world = world.force_law(law).build().expect("a world");
            let mut lowest = 0.0_f64;
            for _ in 0..600 {
                world.advance(H).expect("a step");
                let below = -1.0 - height(&world);
                assert!(below >= -farther * most - 1e-12, "{below} above its start, of {stiffness}");
                lowest = lowest.max(below);
            }
            assert!(lowest <= most * (1.0 + farther) + 1e-12, "{lowest} instead of {most}");
            assert!(lowest >= 0.5 * most, "{lowest} instead of {most}");
        }
    }
}

/// Damped bodies fall at `m g/c` in the end, whatever `c h/m`.
#[test]
fn what_is_damped_comes_to_its_speed_without_turning_round() {
    for settings in [exact(H), iterative()] {
        for damping in [0.5, 30.0, 200.0, 1e5] {
            let world =
                World::builder().settings(settings.clone()).gravity(G).body(ball("ball").velocity(1.0, 0.0));
            let mut world = world.force_law(ForceLaw::damping(damping)).build().expect("a world");
            let mut sideways = 1.0;
            for _ in 0..1200 {
                world.advance(H).expect("a step");
                let velocity = world.body("ball").expect("a body").velocity();
                assert!((-1e-12..=sideways + 1e-12).contains(&velocity.x), "{} after {sideways}", velocity.x);
                sideways = velocity.x.max(0.0);
            }
            let (speed, end) = (world.body("ball").expect("a body").velocity().y, -G / damping);
            assert!((speed / end - 1.0).abs() <= 1e-4, "{speed} instead of {end}");
        }
    }
}

/// Two balls between which a damper acts in every direction keep their momentum, and move as one in the end.
#[test]
fn a_stiff_damper_takes_relative_motion_and_no_momentum() {
    for settings in [exact(H), iterative()] {
        let ends = [Attachment::body(0, [0.0, 0.0]), Attachment::body(1, [0.0, 0.0])];
        let (a, b) = (ball("a").velocity(1.0, 0.5), ball("b").at(1.0, 0.0).velocity(-0.5, 0.0));
        let world = World::builder().settings(settings).body(a).body(b);
        let mut world = world.force_law(spring(ends, 1.0, 0.0, 1e4)).build().expect("a world");
        for _ in 0..60 {
            world.advance(H).expect("a step");
        }
        let [a, b] = ["a", "b"].map(|name| world.body(name).expect("a body").velocity());
        assert!((a + b - Vec2::new(0.5, 0.5)).norm() <= 1e-12, "{a} {b}");
        assert!((a - b).norm() <= 1e-3, "{a} {b}");
    }
}

/// `x'' + 2 δ x' + ω² x = 0`, in steps of 0.02 and 0.01.
#[test]
fn damped_swings_are_of_second_order() {
    let (stiffness, damping) = (40.0, 1.5);
    let of = |step: f64| {
        let law = spring(
            [Attachment::ground([-1.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
            1.0,
            stiffness,
            damping,
        );
        let mut world = World::builder()
            .settings(exact(step))
            .body(ball("ball").at(0.2, 0.0))
            .force_law(law)
            .build()
            .expect("a world");
        for _ in 0..(1.0 / step).round() as usize {
            world.advance(step).expect("a step");
        }
        let decay: f64 = 0.5 * damping;
        let rate = (stiffness - decay * decay).sqrt();
        let expected = 0.2 * (-decay).exp() * (rate.cos() + decay / rate * rate.sin());
        (world.body("ball").expect("a body").position().x - expected).abs()
    };
    let (coarse, fine) = (of(0.02), of(0.01));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}: {coarse} {fine}");
    assert!(fine <= 1e-4, "{fine}");
}

/// A ball on the ground is pressed by a spring of `ω h = 5` and damped: it rests, and the ground bears `m g` and what the spring gives.
#[test]
fn what_stiff_laws_press_on_the_ground_rests() {
    let ends = [Attachment::ground([0.0, 1.0]), Attachment::body(1, [0.0, 0.0])];
    let ground = Body::block(4.0, 1.0).fixed().at(0.0, -0.5);
    let world = World::builder().settings(exact(H)).gravity(G).body(ground);
    let world = world.body(ball("ball").at(0.0, 0.3).restitution(0.0));
    let world = world.force_law(spring(ends, 1.0, 1e5, 20.0)).force_law(ForceLaw::damping(50.0));
    let mut world = world.build().expect("a world");
    for _ in 0..600 {
        world.advance(H).expect("a step");
    }
    let force: f64 = world.contact_forces().iter().map(|contact| contact.force).sum();
    let expected = G + 1e5 * height(&world);
    assert!((force / expected - 1.0).abs() <= 1e-9, "{force} instead of {expected}");
}

/// A pile on the located clock with its bodies damped and two of them sprung together: in fixed steps the books know what the laws did.
#[test]
fn books_close_over_fixed_steps_with_damping() {
    let settings = Settings { energy_ledger: true, ..Settings::default() };
    let mut world = pile::pile(settings, 20, 0.5, 2);
    let ends = [Attachment::body(5, [0.0, 0.0]), Attachment::body(6, [0.0, 0.0])];
    world.add_force_law(spring(ends, 0.3, 1e3, 5.0)).expect("a spring");
    world.add_force_law(ForceLaw::damping(0.5)).expect("damping");
    let (mut moved, mut fixed) = (1.0_f64, 0.0);
    while world.time() < 2.5 {
        let report = world.advance(0.02).expect("an advance");
        for event in &report.events {
            fixed += if let Event::FixedSteps { time, since, .. } = event { time - since } else { 0.0 };
        }
        let books = world.inspect().energy_ledger().expect("books");
        moved = moved.max(books.force_laws[0].1.abs());
        assert!(books.integration_error.abs() <= 1e-7 * moved, "{books}");
    }
    assert!(fixed > 0.1, "fixed steps for {fixed}");
}

/// A ball under gravity and a spring of length 1 to the origin that only presses, by the classical Runge–Kutta method in 200,000 steps.
fn follow(mut state: [f64; 4], stiffness: f64, time: f64) -> [f64; 4] {
    let rates = |[x, y, vx, vy]: [f64; 4]| {
        let length = x.hypot(y);
        let push = if length < 1.0 { stiffness * (1.0 - length) / length } else { 0.0 };
        [vx, vy, push * x, push * y - G]
    };
    let go = |s: [f64; 4], r: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| s[i] + h * r[i]);
    let h = time / 2e5;
    for _ in 0..200_000 {
        let a = rates(state);
        let b = rates(go(state, a, 0.5 * h));
        let c = rates(go(state, b, 0.5 * h));
        let d = rates(go(state, c, h));
        let mean = [0, 1, 2, 3].map(|i| (a[i] + 2.0 * (b[i] + c[i]) + d[i]) / 6.0);
        state = go(state, mean, h);
    }
    state
}

/// Balls that fall onto a spring that only presses, and balls so fast that a step of free flight goes past all of it.
#[test]
fn springs_that_only_press_are_not_passed_by() {
    for (stiffness, x, speed) in [(1e2, 0.3, 0.0), (1e4, 0.01, 0.0), (1e2, 0.3, 30.0), (1e2, 0.9, 100.0)] {
        let ends = [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])];
        let law = ForceLaw::Spring { ends, rest_length: 1.0, stiffness, damping: 0.0, compress_only: true };
        for start in [2.0, 5.0, 9.0] {
            let body = ball("ball").at(x, start).velocity(0.0, -speed);
            let world = World::builder().gravity(G).body(body);
            let mut world = world.force_law(law.clone()).build().expect("a world");
            let time = 1.5;
            world.advance(time).expect("an advance");
            let found = world.body("ball").expect("a body").position();
            let expected = follow([x, start, 0.0, -speed], stiffness, time);
            let error = (found.x - expected[0]).hypot(found.y - expected[1]);
            assert!(error <= 1e-6, "{found} instead of {expected:?}, {stiffness} {x} {speed} {start}");
        }
    }
}

/// A ball falls onto a spring that only presses, or runs into another with one before it: however stiff, in exact steps it has the energy that it
/// came with when it leaves, to what a 64th of the step makes of the kink.
#[test]
fn springs_that_only_press_throw_back_what_they_took_in_steps() {
    for stiffness in [1e2, 1e4, 1e5, 1e6] {
        let ends = [Attachment::body(0, [0.0, 0.0]), Attachment::body(1, [0.0, 0.0])];
        let law = ForceLaw::Spring { ends, rest_length: 0.5, stiffness, damping: 0.0, compress_only: true };
        let (runs, stands) = (ball("runs").velocity(2.0, 0.0), ball("stands").at(2.0, 0.0));
        let world = World::builder().settings(exact(H)).body(runs).body(stands);
        let mut world = world.force_law(law).build().expect("a world");
        let start = world.energy().total();
        for _ in 0..180 {
            world.advance(H).expect("a step");
        }
        let error = world.energy().total() / start - 1.0;
        assert!(error.abs() <= 0.01, "{error} of the energy at {stiffness}");
        let [a, b] = ["runs", "stands"].map(|name| world.body(name).expect("a body").velocity().x);
        assert!(b - a > 1.9, "{a} {b}");
    }
}

/// Pulls back what is between 2 and 3.
#[derive(Debug)]
struct Strip(f64);

impl Force for Strip {
    fn name(&self) -> &str {
        "strip"
    }
    fn apply(&self, bodies: &BodySet<'_>, forces: &mut Forces<'_>) -> Result<(), SimError> {
        for body in bodies.iter().filter(|body| (2.0..3.0).contains(&body.position().x)) {
            forces.push(body.index(), body.position(), Vec2::new(-self.0, 0.0));
        }
        Ok(())
    }
}

/// The strip takes its force times its width, however fast the ball comes; where the force jumps is found by the integrator's tolerance.
#[test]
fn laws_that_act_in_some_places_only_are_not_passed_by() {
    for speed in [3.0, 10.0, 100.0] {
        let body = ball("ball").at(-1.0, 0.0).velocity(speed, 0.0);
        let mut world =
            World::builder().body(body).force_law(ForceLaw::user(Strip(3.0))).build().expect("a world");
        world.advance(8.0 / speed).expect("an advance");
        let found = world.body("ball").expect("a body").velocity().x;
        let expected = (speed * speed - 6.0_f64).sqrt();
        assert!((found / expected - 1.0).abs() <= 1e-5, "{found} instead of {expected}");
    }
}
