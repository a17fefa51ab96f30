//! What bounces in exact steps of a fixed length: speeds after impacts with what is led, energies, ropes.

use engine2d_sim::{
    Attachment, Body, Connector, Event, Settings, StepReport, SteppingSolver, TimeStepping, World,
    WorldBuilder,
};

const H: f64 = 1.0 / 60.0;

fn builder(step: f64) -> WorldBuilder {
    World::builder().settings(Settings { time_step: step, ..Settings::time_stepping() })
}

fn run(world: &mut World, steps: usize, mut look: impl FnMut(&World, &StepReport)) {
    let step = world.settings().time_step;
    for _ in 0..steps {
        let report = world.advance(step).expect("a step");
        look(world, &report);
    }
}

fn velocity(world: &World, name: &str) -> [f64; 2] {
    let velocity = world.body(name).expect("a body").velocity();
    [velocity.x, velocity.y]
}

/// `v = V + e (V − u)`: what is led works on what it strikes.
#[test]
fn a_wall_that_is_led_throws_back_by_its_own_speed_too() {
    for step in [H, 1e-3] {
        for (wall, share) in [(0.1, 0.0), (1.0, -1.0), (1.0, -3.0), (20.0, 0.0), (100.0, -0.5)] {
            for restitution in [0.5, 1.0] {
                let speed = share * wall;
                let pad = Body::block(0.1, 1.0).moving([wall, 0.0], 0.0).restitution(1.0);
                let start = 0.15 + 3.3 * step * (wall - speed);
                let ball = Body::ball(0.1).mass(1.0).at(start, 0.0).velocity(speed, 0.0).named("ball");
                let scene = builder(step).body(pad).body(ball.restitution(restitution));
                let mut world = scene.build().expect("a world");
                run(&mut world, 10, |_, _| {});
                let [found, across] = velocity(&world, "ball");
                let expected = wall + restitution * (wall - speed);
                let error = (found - expected).abs().max(across.abs());
                assert!(error <= 1e-9 * expected, "{found} instead of {expected}, {wall} {step}");
            }
        }
    }
}

/// The paddle turns at 2 rad/s into a ball at rest: its face meets it at a known angle and arm, to the first order of the step.
#[test]
fn a_paddle_that_is_led_throws_a_ball_by_twice_its_speed_there() {
    let (x, y): (f64, f64) = (0.7, 0.5);
    let angle = y.atan2(x) - (0.15 / x.hypot(y)).asin();
    let (sin, cos) = angle.sin_cos();
    let speed = 2.0 * 2.0 * (x * cos + y * sin);
    for step in [4e-3, 1e-3] {
        let pad = Body::block(2.0, 0.1).moving([0.0, 0.0], 2.0).restitution(1.0);
        let ball = Body::ball(0.1).mass(1.0).at(x, y).restitution(1.0).named("ball");
        let mut world = builder(step).body(pad).body(ball).build().expect("a world");
        run(&mut world, (0.6 / step) as usize, |_, _| {});
        let [vx, vy] = velocity(&world, "ball");
        let error = (vx + speed * sin).hypot(vy - speed * cos);
        assert!(error <= 5.0 * step * speed, "[{vx}, {vy}], {speed} at {angle}");
    }
}

#[test]
fn what_is_thrown_back_in_full_keeps_its_energy() {
    for step in [H, 1e-3] {
        for speed in [3.0, 20.0, 77.7, 200.0] {
            let pad = Body::block(0.1, 1.0).fixed().restitution(1.0);
            let start = 0.15 + 3.3 * step * speed;
            let ball = Body::ball(0.1).mass(1.0).at(start, 0.03).velocity(-speed, 0.0).named("ball");
            let mut world = builder(step).body(pad).body(ball.restitution(1.0)).build().expect("a world");
            run(&mut world, 10, |_, _| {});
            let [found, across] = velocity(&world, "ball");
            assert!((found - speed).abs() + across.abs() <= 1e-9 * speed, "{found} after {speed}, {step}");
        }
    }
}

/// Six discs in a box of 8 by 8, the fastest with `speed`.
fn gas(speed: f64) -> World {
    let wall = |w: f64, h: f64, x: f64, y: f64| Body::block(w, h).fixed().at(x, y).restitution(1.0);
    let scene = builder(H).body(wall(0.2, 8.0, -4.0, 0.0)).body(wall(0.2, 8.0, 4.0, 0.0));
    let mut scene = scene.body(wall(8.0, 0.2, 0.0, -4.0)).body(wall(8.0, 0.2, 0.0, 4.0));
    for k in 0..6_u32 {
        let place = (-2.0 + 0.7 * f64::from(k), 0.3 * f64::from(k % 3));
        let (sin, cos) = (2.4 * f64::from(k)).sin_cos();
        let speed = speed * (1.0 - 0.07 * f64::from(k));
        let ball = Body::ball(0.1).mass(1.0).at(place.0, place.1).velocity(speed * cos, speed * sin);
        scene = scene.body(ball.restitution(1.0));
    }
    scene.build().expect("a gas")
}

/// Nothing makes energy or takes it.
#[test]
fn a_fast_gas_of_elastic_discs_keeps_its_energy() {
    let mut world = gas(30.0);
    let (start, mut hits) = (world.energy().total(), 0);
    run(&mut world, 120, |_, report| {
        hits += report.counters.collisions;
        assert!((report.energy - start).abs() <= 1e-9 * start, "{} of {start}", report.energy);
    });
    assert!(hits > 50, "{hits} collisions");
}

/// A ball on a rope from the ground at a place beside it; the rope's anchor is the origin.
fn on_rope(step: f64, [x, y]: [f64; 2], [vx, vy]: [f64; 2], length: f64, restitution: f64) -> World {
    let ball = Body::ball(0.1).mass(1.0).at(x, y).velocity(vx, vy).restitution(restitution).named("ball");
    let rope =
        Connector::Rope { ends: [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])], length };
    builder(step).body(ball).connector(rope).build().expect("a world")
}

/// A rope does nothing before the step in which it comes taut, however fast its direction turns.
#[test]
fn a_slack_rope_leaves_its_ball_alone() {
    for step in [H, 1.0 / 240.0] {
        for (place, speed, length) in [
            ([0.0, 0.0], [3.0, 0.0], 1.0),
            ([-0.1, -0.2], [50.0, 5.0], 2.0),
            ([-0.3, 0.001], [20.0, 0.0], 2.0),
            ([-0.1, -0.2], [300.0, 30.0], 2.0),
        ] {
            let mut world = on_rope(step, place, speed, length, 1.0);
            let way = f64::hypot(speed[0], speed[1]) * step;
            let mut before = speed;
            let (mut far, mut turns) = (0.0, 0);
            run(&mut world, 100, |world, report| {
                let now = velocity(world, "ball");
                if now != before {
                    turns += 1;
                    assert!(far >= length - 1.01 * way, "a rope of {length} turns a ball at {far} in {step}");
                }
                let at = world.body("ball").expect("the ball").position();
                (before, far) = (now, at.norm());
                assert!(report.penetration <= 1e-9 && far <= length + 1e-9, "{far} at a rope of {length}");
                let energy = 0.5 * (speed[0] * speed[0] + speed[1] * speed[1]);
                assert!((report.energy - energy).abs() <= 1e-9 * energy, "{} of {energy}", report.energy);
            });
            assert!(turns > 0, "a rope of {length} came never taut");
        }
    }
}

/// Discs that are struck into a wall within a step, or between two that they would meet a hundred times in it, do not pass through.
#[test]
fn what_is_fast_stays_in_its_box() {
    for speed in [60.0, 90.0, 150.0] {
        let mut world = gas(speed);
        let start = world.energy().total();
        run(&mut world, 240, |world, report| {
            let discs = world.bodies().filter(|body| !body.is_fixed()).map(|body| body.position());
            let far = discs.map(|at| at.x.abs().max(at.y.abs())).fold(0.0, f64::max);
            assert!(far <= 3.8 + 1e-9, "a disc of {speed} at {far}, {}", report.time);
            assert!(report.energy <= start * (1.0 + 1e-9), "{} of {start}", report.energy);
        });
    }
    for [speed, free] in [[50.0, 0.01], [3.0, 0.002], [200.0, 0.2]] {
        let wall = |side: f64| Body::block(0.1, 1.0).fixed().at(side * (0.15 + free), 0.0).restitution(1.0);
        let ball = Body::ball(0.1).mass(1.0).velocity(speed, 0.0).restitution(1.0).named("ball");
        let mut world = builder(H).body(wall(-1.0)).body(wall(1.0)).body(ball).build().expect("a world");
        run(&mut world, 30, |world, report| {
            let at = world.body("ball").expect("the ball").position();
            assert!(at.x.abs() <= free + 1e-9 && at.y.abs() <= 1e-9, "{at:?}, {speed}");
            assert!(report.energy <= 0.5 * speed * speed * (1.0 + 1e-9), "{} of {speed}", report.energy);
        });
    }
}

/// What lands without bouncing and slides is slowed by the whole blow, `μ (u_n + g t)` as from the moment of its landing on, wherever in a
/// step that is.
#[test]
fn what_lands_sliding_is_slowed_by_the_whole_blow() {
    let (mu, g): (f64, f64) = (0.2, 9.81);
    for step in [4e-3, 1e-3] {
        for height in [1.0, 1.001, 1.0023, 1.004, 1.0057] {
            let floor = Body::block(50.0, 1.0).at(0.0, -0.5).fixed().friction(mu).restitution(0.0);
            let block = Body::block(0.5, 0.2).mass(1.0).at(0.0, 0.1 + height).velocity(10.0, 0.0);
            let block = block.friction(mu).restitution(0.0).named("block");
            let scene = builder(step).gravity(g).body(floor).body(block);
            let mut world = scene.build().expect("a world");
            let mut told = 0.0;
            run(&mut world, (0.6 / step).round() as usize, |_, report| {
                told += report
                    .events
                    .iter()
                    .map(|event| match event {
                        Event::Collision { impulse, .. } => *impulse,
                        _ => 0.0,
                    })
                    .sum::<f64>();
            });
            let (fall, [found, sinks]) = ((2.0 * height / g).sqrt(), velocity(&world, "block"));
            let expected = 10.0 - mu * (g * fall + g * (0.6 - fall));
            assert!(
                (found - expected).abs() <= 2.0 * mu * g * step && sinks.abs() < 1e-9,
                "{found}, {expected} at {step}"
            );
            assert!((told - g * fall).abs() <= 2.0 * g * step, "{told}, {} at {step}", g * fall);
        }
    }
}

fn iterative() -> Settings {
    let choice = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
    Settings { time_stepping: Some(choice), ..Settings::time_stepping() }
}

/// The corner of a bar that lands sliding, with what the blow makes of its sliding: by the impulses of one blow, with friction by the
/// velocities behind it, wherever in a step it lands.
#[test]
fn a_corner_that_lands_has_one_blow_with_all_its_friction() {
    let (half, mass, fall): ([f64; 2], f64, f64) = ([0.05, 1.0], 1.0, 2.0);
    let inertia = mass * (half[0] * half[0] + half[1] * half[1]) / 3.0;
    let mut turned = 0;
    let cases =
        [(0.7_f64, 0.1, 0.4), (0.7, 0.1, -0.4), (0.7, 0.3, -0.4), (0.4, 0.2, -0.1), (1.0, 0.05, -0.3)];
    for (angle, mu, slide) in cases {
        // From the middle to the corner that is lowest.
        let (sin, cos) = angle.sin_cos();
        let [x, y] = [-half[0] * cos + half[1] * sin, -half[0] * sin - half[1] * cos];
        let [nn, nt, tt] = [1.0 / mass + x * x / inertia, -x * y / inertia, 1.0 / mass + y * y / inertia];
        let determinant = nn * tt - nt * nt;
        let sticking = [(tt * fall + nt * slide) / determinant, -(nn * slide + nt * fall) / determinant];
        let blow = if sticking[1].abs() <= mu * sticking[0] {
            sticking
        } else {
            let share = mu * sticking[1].signum();
            let p = fall / (nn + share * nt);
            [p, share * p]
        };
        let after = slide + nt * blow[0] + tt * blow[1];
        assert!(after * blow[1] <= 1e-12, "{after} against {}", blow[1]);
        turned += usize::from(after * slide < -1e-9);
        let expected = [slide + blow[1] / mass, blow[0] / mass - fall, (x * blow[0] - y * blow[1]) / inertia];
        for (step, exact) in [(4e-4, true), (1e-4, true), (4e-4, false), (1e-4, false)] {
            for phase in [0.0, 0.2, 0.37, 0.5, 0.71, 0.93] {
                let settings = if exact { Settings::time_stepping() } else { iterative() };
                let settings = Settings { time_step: step, ..settings };
                let builder = World::builder().settings(settings);
                let floor = Body::block(50.0, 1.0).at(0.0, -0.5).fixed().friction(mu).restitution(0.0);
                let bar = Body::block(2.0 * half[0], 2.0 * half[1]).mass(mass).moment(inertia).angle(angle);
                let bar = bar.at(0.0, fall * step * (20.0 + phase) - y).velocity(slide, -fall);
                let bar = bar.friction(mu).restitution(0.0).named("bar");
                let mut world = builder.body(floor).body(bar).build().expect("a world");
                run(&mut world, 24, |_, _| {});
                let allowed = if exact { 1e-9 } else { 2.0 * step };
                let [vx, vy] = velocity(&world, "bar");
                let spin = world.body("bar").expect("a bar").angular_velocity();
                for (found, expected) in [vx, vy, spin].into_iter().zip(expected) {
                    assert!(
                        (found - expected).abs() <= allowed,
                        "{found}, {expected}: {angle} {mu} {slide} {phase}"
                    );
                }
            }
        }
    }
    assert!(turned >= 2, "{turned} turn their sliding round");
}
