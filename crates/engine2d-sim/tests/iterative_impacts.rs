//! Impacts in steps of the iterative solver: of fast bodies, of blocks that land flat, of ropes and limits.

use engine2d_constraint::{AngleLimit, Joint, Revolute, SlideLimit};
use engine2d_math::Vec2;
use engine2d_sim::{
    Attachment, Body, BodyRef, Connector, Event, Settings, StepReport, SteppingSolver, TimeStepping, World,
    WorldBuilder,
};

const G: f64 = 9.81;
const H: f64 = 1.0 / 60.0;

fn solved_by(solver: SteppingSolver, step: f64) -> WorldBuilder {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    World::builder().settings(Settings {
        time_step: step,
        time_stepping: Some(choice),
        ..Settings::default()
    })
}

fn builder(step: f64) -> WorldBuilder {
    solved_by(SteppingSolver::Iterative, step)
}

fn run(world: &mut World, steps: usize, mut look: impl FnMut(&World, &StepReport)) {
    let step = world.settings().time_step;
    for _ in 0..steps {
        let report = world.advance(step).expect("a step");
        look(world, &report);
    }
}

/// Six elastic balls of radius 0.1 at such a speed in a box of 7.8 by 7.8.
fn gas(speed: f64) -> World {
    let mut scene = builder(H);
    for (x, y) in [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)] {
        let (w, h) = if x == 0.0 { (8.2, 0.2) } else { (0.2, 8.2) };
        scene = scene.body(Body::block(w, h).fixed().at(4.0 * x, 4.0 * y).restitution(1.0));
    }
    for (k, angle) in [0.8_f64, 3.9, 0.6, 5.4, 0.7, 4.9].into_iter().enumerate() {
        let (x, y) = (-2.0 + 0.7 * k as f64, 0.3 * (k % 3) as f64);
        let v = speed * (1.0 - 0.1 * k as f64);
        let ball = Body::ball(0.1).mass(1.0).at(x, y).velocity(v * angle.cos(), v * angle.sin());
        scene = scene.body(ball.restitution(1.0).friction(0.0));
    }
    scene.build().expect("a gas")
}

#[test]
fn a_fast_elastic_gas_keeps_its_energy_and_its_box() {
    for speed in [10.0, 60.0, 200.0] {
        let mut world = gas(speed);
        let start = world.energy().total();
        let mut collisions = 0;
        run(&mut world, 240, |world, report| {
            collisions += report.counters.collisions;
            let change = world.energy().total() / start - 1.0;
            assert!(change.abs() <= 1e-9, "{change:e} of the energy at speed {speed}");
            for ball in world.bodies().skip(4) {
                let p = ball.position();
                assert!(p.x.abs().max(p.y.abs()) <= 3.8 + 1e-6, "{p:?} at {} s, speed {speed}", world.time());
            }
        });
        assert!(collisions as f64 >= 3.0 * speed, "{collisions} collisions");
    }
}

/// Who passes far to the side is not struck.
#[test]
fn a_fast_ball_flies_past_what_is_beside_its_way() {
    let mut world = builder(H)
        .body(Body::ball(0.1).mass(1.0).velocity(200.0, 0.0).restitution(1.0))
        .body(Body::ball(0.5).mass(1.0).at(1.5, 0.7).restitution(1.0))
        .body(Body::block(1.0, 1.0).mass(1.0).at(4.0, -0.7).restitution(0.0))
        .build()
        .expect("balls");
    run(&mut world, 3, |_, report| assert!(report.events.is_empty(), "{:?}", report.events));
    assert_eq!(world.body(0).expect("the ball").velocity().x, 200.0);
}

/// Without gravity `v_x` loses `μ (1 + e) v_y`: the impulses at front and rear corner keep the block from turning.
#[test]
fn a_block_that_slides_and_lands_flat_does_not_rebound() {
    for step in [H, 1.0 / 240.0, 1e-3] {
        for restitution in [0.0, 0.5] {
            let block = Body::block(0.3, 0.2).mass(1.0).at(0.0, 0.6).velocity(3.0, -2.0);
            let mut world = builder(step)
                .body(Body::wall(20.0, 1.0).at(0.0, -0.5).friction(0.3).restitution(restitution))
                .body(block.friction(0.3).restitution(restitution))
                .build()
                .expect("a block");
            run(&mut world, (0.4 / step) as usize, |_, _| {});
            let block = world.body(1).expect("the block");
            let (v, spin) = (block.velocity(), block.angular_velocity());
            let expected = [3.0 - 0.3 * (1.0 + restitution) * 2.0, restitution * 2.0];
            let error = (v.x - expected[0]).abs().max((v.y - expected[1]).abs()).max(0.1 * spin.abs());
            assert!(error <= 0.02, "{v:?}, {spin} instead of {expected:?}, step {step}");
        }
    }
}

/// Falls are exact under gravity, and so are the moments of impacts.
#[test]
fn an_elastic_block_that_falls_flat_keeps_its_energy() {
    for step in [H, 1e-3] {
        for body in [Body::block(0.3, 0.2), Body::ball(0.1)] {
            let mut world = builder(step)
                .gravity(G)
                .body(Body::wall(20.0, 1.0).at(0.0, -0.5).restitution(1.0))
                .body(body.mass(1.0).at(0.0, 1.1).restitution(1.0))
                .build()
                .expect("a block");
            let (start, mut hits) = (world.energy().total(), 0);
            run(&mut world, (5.0 / step) as usize, |world, report| {
                hits += report.counters.collisions;
                let change = (world.energy().total() - start) / G;
                assert!((-1e-9..=1e-12).contains(&change), "{change:e} of m g H, step {step}");
            });
            // A flight takes √(8 H / g); a block has two points.
            assert_eq!(hits, if world.body(1).expect("a body").moment() > 0.006 { 12 } else { 6 });
            assert!(world.body(1).expect("the block").angular_velocity().abs() <= 1e-9);
        }
    }
}

/// A bar that turns about its left end, at the origin.
fn bar_with(width: f64) -> Body {
    Body::block(1.0, width).at(0.5, 0.0).velocity(0.0, 1.0).angular_velocity(2.0)
}

#[test]
fn ropes_and_limits_throw_back() {
    let ground = |at: [f64; 2]| Attachment::ground(at);
    for restitution in [0.0, 0.7, 1.0] {
        let rope =
            Connector::Rope { ends: [ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])], length: 1.0 };
        let ball = Body::ball(0.1).velocity(3.0, 0.0).restitution(restitution);
        let mut world = builder(1.0 / 240.0).body(ball).connector(rope).build().expect("a rope");
        run(&mut world, 120, |_, _| {});
        let found = world.body(0).expect("the ball").velocity().x;
        let expected = -3.0 * restitution;
        assert!((found - expected).abs() <= 1e-9, "{found} instead of {expected}");
        // From the taut rope on it goes back: 1/3 s to there, 1/6 s since.
        let x = world.body(0).expect("the ball").position().x;
        assert!((x - 1.0 - expected / 6.0).abs() <= 1e-9, "{x}");

        let limit = {
            let ends = [BodyRef::Ground, BodyRef::Body(0)].map(|body| (body, Vec2::zeros()));
            SlideLimit::new(ends[0], ends[1], [1.0, 0.0], [-1.0, 1.0])
        };
        let mut world = builder(0.01)
            .body(Body::block(1.0, 0.1).velocity(2.0, 0.0))
            .joint(Joint::new(limit).restitution(restitution))
            .build()
            .expect("a slide");
        run(&mut world, 80, |_, _| {});
        let found = world.body(0).expect("the slide").velocity().x;
        assert!((found + 2.0 * restitution).abs() <= 1e-9, "{found}");

        let bar = BodyRef::Body(0);
        let mut world = builder(0.01)
            .body(bar_with(0.1))
            .joint(Revolute::new(bar, [-0.5, 0.0], BodyRef::Ground, [0.0, 0.0]))
            .joint(Joint::new(AngleLimit::new(bar, BodyRef::Ground, -1.0, 1.0)).restitution(restitution))
            .build()
            .expect("a bar");
        run(&mut world, 80, |_, report| assert!(report.joint_error <= 1e-9));
        let found = world.body(0).expect("the bar").angular_velocity();
        assert!((found + 2.0 * restitution).abs() <= 0.01, "{found} with {restitution}");

        // Its tip strikes what stands: `ω⁺ = −e ω` about the pin.
        let mut world = builder(0.01)
            .body(bar_with(0.05).restitution(restitution))
            .body(Body::ball(0.1).at(0.9, 0.6).fixed().restitution(restitution))
            .joint(Revolute::new(bar, [-0.5, 0.0], BodyRef::Ground, [0.0, 0.0]))
            .build()
            .expect("a bar and a stop");
        run(&mut world, 60, |_, report| assert!(report.joint_error <= 1e-9));
        let found = world.body(0).expect("the bar").angular_velocity();
        assert!((found + 2.0 * restitution).abs() <= 0.02, "{found} with {restitution}");
    }
}

#[test]
fn a_sensor_is_crossed_at_any_speed() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        for (speed, steps) in [(20.0, 30), (500.0, 2), (5e4, 1)] {
            let mut world = solved_by(solver, H)
                .body(Body::ball(0.02).velocity(speed, 0.0))
                .body(Body::block(0.05, 1.0).at(5.0, 0.0).fixed().sensor())
                .build()
                .expect("a gate");
            let mut times = Vec::new();
            run(&mut world, steps, |_, report| {
                times.extend(report.events.iter().map(|event| match event {
                    Event::SensorBegin { time, .. } | Event::SensorEnd { time, .. } => *time,
                    other => panic!("{other:?}"),
                }));
            });
            assert_eq!(times.len(), 2, "at {speed}");
            for (time, way) in times.into_iter().zip([5.0 - 0.045, 5.0 + 0.045]) {
                assert!((time * speed - way).abs() <= 1e-6, "{time} at {speed}");
            }
        }
    }
}
