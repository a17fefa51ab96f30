//! Contacts that end within a fixed step, where a body slides off the end of an edge.

use engine2d_geometry::PathShape;
use engine2d_sim::{Body, Event, Settings, SteppingSolver, TimeStepping, World, WorldBuilder};

const G: f64 = 9.81;
/// Radius of the ball, and of the circle on which its middle slides.
const R: f64 = 0.1;
const L: f64 = 1.0 - R;

fn builder(step: f64) -> WorldBuilder {
    let settings = Settings { time_step: step, ..Settings::time_stepping() };
    World::builder().settings(settings).gravity(G)
}

/// A quarter of a circle of radius 1 about the origin of the body, from its left to its lowest point, where it ends.
fn ramp() -> Body {
    let shape = PathShape::from_svg_path("M-1.2 0 H-1 A1 1 0 0 0 0 1 V1.2 H-1.2 Z").expect("a ramp");
    Body::new(shape).restitution(0.0).named("ramp")
}

/// A ball at rest on the ramp, `angle` below the level of its middle.
fn ball(angle: f64) -> Body {
    let ball = Body::ball(R).mass(1.0).restitution(0.0).named("ball");
    ball.at(-L * angle.cos(), -L * angle.sin())
}

/// The velocity with which the ball has left the ramp, as it was at the lip: after that it falls.
fn leave(world: &mut World, lip: impl Fn(&World) -> f64) -> [f64; 2] {
    let step = world.settings().time_step;
    loop {
        world.advance(step).expect("a step");
        let ball = world.body("ball").expect("the ball");
        let (beyond, v) = (ball.position().x - lip(world), ball.velocity());
        let speed = v.x - world.body("ramp").expect("the ramp").velocity().x;
        if beyond > 0.0 {
            return [v.x, v.y + G * beyond / speed];
        }
        assert!(world.time() < 2.0, "it has not left");
    }
}

/// It comes down by `L (1 − sin φ)` and leaves level, wherever in a step that is. Until then it is pressed with `3 m g` and more, which
/// would be `3 g h` of speed in a step.
#[test]
fn a_ball_leaves_a_concave_arc_level() {
    for step in [4e-3, 1e-3] {
        let mut worst = [0.0_f64; 2];
        for k in 0..25 {
            let angle = 0.3 + 5e-3 * f64::from(k);
            let mut world = builder(step)
                .body(ramp().center_of_mass(0.0, 0.0).fixed())
                .body(ball(angle))
                .build()
                .expect("a world");
            let [x, y] = leave(&mut world, |_| 0.0);
            let speed = (2.0 * G * L * (1.0 - angle.sin())).sqrt();
            worst = [worst[0].max((x - speed).abs()), worst[1].max(y.abs())];
        }
        let [along, across] = worst.map(|error| error / (3.0 * G * step));
        // Where a step ends just before the lip the corner presses in it, and the arc in the next one to the end.
        assert!(along <= 0.1 && across <= 0.6, "{along} and {across} of 3 g h at {step}");
    }
}

/// `m v + M V = 0` and `m v² + M V² = 2 m g L (1 − sin φ)`.
#[test]
fn a_ball_leaves_a_ramp_that_gives_way_without_an_impact() {
    let (mass, angle) = (3.0, 0.3_f64);
    for step in [4e-3, 2e-3, 1e-3] {
        let floor = Body::block(20.0, 1.0).at(0.0, -1.7).fixed().restitution(0.0);
        let scene = builder(step)
            .body(floor)
            .body(ramp().mass(mass).center_of_mass(-0.6, -0.9).at(-0.6, -0.9))
            .body(ball(angle));
        let mut world = scene.build().expect("a world");
        let lip = |world: &World| world.body("ramp").expect("the ramp").position().x + 0.6;
        let mut copy = world.clone();
        let [x, y] = leave(&mut world, lip);
        let speed = (2.0 * G * L * (1.0 - angle.sin()) * mass / (1.0 + mass)).sqrt();
        assert!((x - speed).abs() <= 0.01 * speed && y.abs() <= 0.1 * 3.0 * G * step, "[{x}, {y}] at {step}");
        while copy.time() < world.time() + 10.0 * step {
            let report = copy.advance(step).expect("a step");
            let hit = report.events.iter().find(|event| matches!(event, Event::Collision { .. }));
            assert!(hit.is_none(), "{hit:?} at {step}");
        }
    }
}

/// Soft contacts let the ball sink in by millimetres, so that the corner at the lip is deep in it before it gets there.
#[test]
fn a_ball_leaves_a_concave_arc_level_in_iterative_steps_too() {
    for step in [4e-3, 2e-3, 1e-3, 5e-4] {
        let mut worst = 0.0_f64;
        let choice = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
        for k in 0..25 {
            let angle = 0.3 + 5e-3 * f64::from(k);
            let settings = Settings { time_step: step, time_stepping: Some(choice), ..Settings::default() };
            let scene = World::builder().settings(settings).gravity(G);
            let mut world = scene
                .body(ramp().center_of_mass(0.0, 0.0).fixed())
                .body(ball(angle))
                .build()
                .expect("a world");
            worst = worst.max(leave(&mut world, |_| 0.0)[1].abs());
        }
        // Of the first order in the step: `3 g` for less than half of it.
        assert!(worst <= 15.0 * step, "{worst} at {step}");
    }
}

/// What follows bears: tiles that lie side by side, whose corners the ball passes without a kick.
#[test]
fn a_ball_goes_on_over_what_follows() {
    for step in [4e-3, 1e-3] {
        let tile = |k: i32| Body::block(0.37, 0.2).at(0.37 * f64::from(k), -0.1).fixed().restitution(0.0);
        let ball = Body::ball(R).mass(1.0).restitution(0.0).at(0.0, R).velocity(3.0, 0.0).named("ball");
        let scene = (0..12).fold(builder(step), |scene, k| scene.body(tile(k)));
        let mut world = scene.body(ball).build().expect("a world");
        while world.time() < 1.2 {
            world.advance(step).expect("a step");
            let ball = world.body("ball").expect("the ball");
            let (along, across) = (ball.velocity().x - 3.0, ball.velocity().y);
            assert!(along.abs() <= 2e-3 && across.abs() <= 1e-3, "{along} and {across} at {step}");
        }
    }
}
