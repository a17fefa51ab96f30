//! Coulomb friction on the located clock, against closed forms.

use crate::rig::pile;
use crate::rig::slope::{G, slope};
use engine2d_math::Vec2;
use engine2d_sim::{Body, Event, ForceLaw, Frame, Friction, Settings, World};

fn floor(mu: f64) -> Body {
    Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(mu)
}

fn world(bodies: impl IntoIterator<Item = Body>, angle: f64) -> World {
    let mut builder = World::builder().settings(Settings { energy_ledger: true, ..Settings::default() });
    builder = builder.force_law(slope(angle));
    for body in bodies {
        builder = builder.body(body);
    }
    builder.build().expect("a sound scene")
}

fn x(world: &World, k: usize) -> f64 {
    world.body(k).expect("a body").position().x
}

fn run(world: &mut World, time: f64, step: f64) {
    let steps = (time / step).round() as usize;
    for _ in 0..steps {
        world.advance(step).expect("forces");
    }
}

/// Kinetic energy is what the laws, friction and impulses have given: the books close.
fn books_close(world: &World) {
    let ledger = world.inspect().energy_ledger().expect("books");
    assert!(ledger.friction <= 1e-12, "friction gives energy: {ledger}");
    let moved = 1.0 + ledger.impulses.abs() + ledger.friction.abs();
    assert!(ledger.integration_error.abs() < 1e-9 * moved, "{ledger}");
}

#[test]
fn a_block_stays_on_a_slope_below_the_angle_of_friction_and_slides_above_it() {
    let mu: f64 = 0.5;
    let limit = mu.atan();
    for body in [Body::block(2.0, 1.0).at(0.0, 0.5), Body::block(1.0, 1.0).at(3.0, 0.5)] {
        let start = 0.0;
        let mut w = world([floor(mu), body.clone().friction(mu)], limit - 1e-6);
        let at = x(&w, 1);
        run(&mut w, 10.0, 0.1);
        assert!((x(&w, 1) - at - start).abs() <= 1e-9, "moved by {}", x(&w, 1) - at);
        for more in [1e-6, 1e-3, 0.2] {
            let angle = limit + more;
            let mut w = world([floor(mu), body.clone().friction(mu)], angle);
            run(&mut w, 2.0, 0.1);
            let expected = -0.5 * G * (angle.sin() - mu * angle.cos()) * 4.0;
            assert!((x(&w, 1) - at - expected).abs() < 1e-9, "{more}: {} {expected}", x(&w, 1) - at);
            books_close(&w);
        }
    }
}

#[test]
fn a_sliding_block_stops_after_v2_over_2_mu_g() {
    for (v, mu) in [(2.0, 0.4), (-3.0, 0.25), (1.0, 0.05)] {
        let mut w = world([floor(mu), Body::block(3.0, 1.0).at(0.0, 0.5).velocity(v, 0.0).friction(mu)], 0.0);
        let time: f64 = f64::abs(v) / (mu * G);
        run(&mut w, time + 1.0, 0.05);
        let expected = v * f64::abs(v) / (2.0 * mu * G);
        assert!((x(&w, 1) - expected).abs() < 1e-9, "{} {expected}", x(&w, 1));
        assert!(w.body(1).unwrap().velocity().norm() < 1e-12);
        books_close(&w);
    }
}

#[test]
fn the_moment_of_sticking_is_an_event() {
    let mut w = world([floor(0.5), Body::block(3.0, 1.0).at(0.0, 0.5).velocity(2.0, 0.0).friction(0.5)], 0.0);
    let report = w.advance(1.0).unwrap();
    let times: Vec<f64> =
        report.events().iter().filter(|e| matches!(e, Event::Stick { .. })).map(Event::time).collect();
    let stop = 2.0 / (0.5 * G);
    assert!(times.iter().any(|t| (t - stop).abs() < 1e-9), "{times:?} {stop}");
}

/// A disc (or hoop, by its moment) thrown along a floor slides until it rolls: `k = I/(m r²)`.
#[test]
fn a_thrown_disc_rolls_after_sliding() {
    for (moment_factor, spin) in [(0.5, 0.0), (1.0, 0.0), (0.5, 12.0), (0.4, -3.0)] {
        let (r, v, mu, m): (f64, f64, f64, f64) = (0.5, 3.0, 0.2, 2.0);
        let moment = moment_factor * m * r * r;
        let ball = Body::ball(r).mass(m).moment(moment).at(0.0, r).velocity(v, 0.0).spin(spin).friction(mu);
        let mut w = world([floor(mu), ball], 0.0);
        // The surface moves at u = v + ω r; friction takes μ g (1 + 1/k) of it a second.
        let u = v + spin * r;
        let side = u.signum();
        let slide = u.abs() / (mu * G * (1.0 + 1.0 / moment_factor));
        let rolling = v - side * mu * G * slide;
        let time = slide + 1.0;
        run(&mut w, time, time / 40.0);
        let expected = v * slide - 0.5 * side * mu * G * slide * slide + rolling;
        let ball = w.body(1).unwrap();
        assert!((ball.position().x - expected).abs() < 1e-9, "{} {expected}", ball.position().x);
        assert!((ball.velocity().x - rolling).abs() < 1e-9);
        assert!((ball.spin() * r + rolling).abs() < 1e-9);
        books_close(&w);
    }
}

#[test]
fn a_disc_on_a_slope_rolls_below_three_times_the_coefficient_and_slides_above() {
    let mu: f64 = 0.2;
    for (angle, rolls) in [((3.0 * mu).atan() - 1e-4, true), ((3.0 * mu).atan() + 1e-4, false), (0.9, false)]
    {
        let mut w = world([floor(mu), Body::ball(0.5).at(0.0, 0.5).friction(mu)], angle);
        run(&mut w, 2.0, 0.1);
        let (sin, cos): (f64, f64) = (angle.sin(), angle.cos());
        let a = if rolls { G * sin / 1.5 } else { G * (sin - mu * cos) };
        let spin = if rolls { a * 2.0 / 0.5 } else { mu * G * cos / (0.5 * 0.5) * 2.0 };
        assert!((x(&w, 1) + 0.5 * a * 4.0).abs() < 1e-9, "{angle}: {} {}", x(&w, 1), -2.0 * a);
        assert!((w.body(1).unwrap().spin() - spin).abs() < 1e-9);
        books_close(&w);
    }
}

/// A static coefficient above the kinetic one: the block holds up to the first, and slides with the second.
#[test]
fn a_larger_coefficient_at_rest_holds_longer() {
    let friction = Friction { at_rest: 0.6, kinetic: 0.4 };
    let block = || Body::block(2.0, 1.0).at(0.0, 0.5).friction(friction);
    let floor = || Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(friction);
    let mut w = world([floor(), block()], f64::atan(0.6) - 1e-6);
    run(&mut w, 5.0, 0.1);
    assert!(x(&w, 1).abs() < 1e-9);
    let angle = f64::atan(0.6) + 1e-6;
    let mut w = world([floor(), block()], angle);
    run(&mut w, 1.0, 0.1);
    assert!((x(&w, 1) + 0.5 * G * (angle.sin() - 0.4 * angle.cos())).abs() < 1e-9, "{}", x(&w, 1));
}

/// A ball that falls with a spin: it leaves with the tangential impulse `min(μ (1 + e) m v, what stops its surface)`.
#[test]
fn a_spinning_ball_kicks_off() {
    for (spin, mu) in [(40.0, 0.2), (4.0, 0.9)] {
        let (r, m, e): (f64, f64, f64) = (0.3, 1.5, 0.6);
        let ball = Body::ball(r).mass(m).at(0.0, r + 1.0).spin(spin).restitution(e).friction(mu);
        let mut w = world([floor(mu).restitution(1.0), ball], 0.0);
        let fall = (2.0 / G).sqrt();
        w.advance(fall + 0.1).unwrap();
        let v = G * fall;
        let stops = spin * r / (3.0 / m);
        let impulse = f64::min(mu * (1.0 + e) * m * v, stops);
        let ball = w.body(1).unwrap();
        // A surface that moves to the right kicks to the left.
        assert!((ball.velocity().x + impulse / m).abs() < 1e-9, "{} {}", ball.velocity().x, impulse / m);
        assert!((ball.spin() - (spin - impulse * r / (0.5 * m * r * r))).abs() < 1e-9);
        assert!((ball.velocity().y - (e * v - G * 0.1)).abs() < 1e-9);
    }
}

#[test]
fn coefficients_are_checked_and_the_backtracking_clock_refuses_them() {
    let bad = World::builder().body(Body::ball(1.0).friction(-0.1)).build().unwrap_err();
    assert!(bad.to_string().contains("bodies[0].friction"), "{bad}");
    let backwards = Friction { at_rest: 0.1, kinetic: 0.3 };
    assert!(World::builder().body(Body::ball(1.0).friction(backwards)).build().is_err());
    // Nor while it runs.
    let mut running = World::builder().body(Body::ball(1.0).friction(0.1)).build().unwrap();
    assert!(running.add_body(Body::ball(1.0).at(5.0, 0.0).friction(f64::NAN)).is_err());
    assert!(running.edit().set_settings(Settings::backtracking()).is_err());
    assert!(running.settings().is_located(), "the settings are as before");
    let mut smooth = World::builder().settings(Settings::backtracking()).build().unwrap();
    assert!(smooth.add_body(Body::ball(1.0).friction(0.1)).is_err());
    let settings = Settings::backtracking();
    let other = World::builder().settings(settings).body(Body::ball(1.0).friction(0.1)).build().unwrap_err();
    assert!(other.to_string().contains("located"), "{other}");
}

/// A ladder of the length `l` and the thickness `w` against a smooth wall. Its foot is at `l cos θ` from the wall, its upper end
/// touches at the height `l sin θ`, and its centre of mass is `(l cos θ + w sin θ)/2` from the wall. The wall's force `N` is the
/// friction at the foot, and moments about that give
///
/// ```text
/// N l sin θ = m g (l cos θ − w sin θ)/2 ,   N ≤ μ m g   ⇔   tan θ ≥ 1/(2 μ + w/l)
/// ```
#[test]
fn a_ladder_stands_inside_its_limit_and_slips_outside() {
    let (mu, length, width): (f64, f64, f64) = (0.4, 2.0, 0.04);
    for (share, stands) in [(1.001, true), (0.999, false)] {
        let angle = (share / (2.0 * mu + width / length)).atan();
        let (sin, cos) = angle.sin_cos();
        let center = [0.5 * (length * cos + width * sin), 0.5 * (length * sin + width * cos)];
        let ladder = Body::block(length, width).angle(std::f64::consts::PI - angle).at(center[0], center[1]);
        let wall = Body::block(1.0, 20.0).fixed().at(-0.5, 10.0);
        let mut w = world([floor(mu), wall, ladder.friction(mu).restitution(0.0)], 0.0);
        run(&mut w, if stands { 10.0 } else { 3.0 }, 0.1);
        let moved = (x(&w, 2) - center[0]).abs();
        assert!(if stands { moved < 1e-8 } else { moved > 0.05 }, "{share}: moved by {moved}");
        books_close(&w);
    }
}

/// Bodies in a box with friction and bounce: nothing ends, sinks in or gains energy, and every answer has its certificate.
#[test]
fn piles_with_friction_settle() {
    for seed in 0..4_u64 {
        let mut lcg = engine2d_math::random::Lcg32::new(17 + seed as u32);
        let mut number = || lcg.next_unit();
        let mu = 0.1 + 0.2 * seed as f64;
        let side = |x: f64| Body::block(1.0, 20.0).fixed().at(x, 9.0).friction(mu);
        let mut bodies = vec![floor(mu), side(-3.0), side(3.0)];
        for k in 0..6 {
            let body = if number() < 0.5 {
                Body::ball(0.3 + 0.2 * number())
            } else {
                Body::block(0.5 + 0.5 * number(), 0.4 + 0.4 * number())
            };
            let body = body.at(3.0 * number() - 1.5, 1.0 + 1.3 * f64::from(k)).angle(6.0 * number());
            bodies.push(body.friction(mu).restitution(0.1 * seed as f64));
        }
        let settings = Settings { energy_ledger: true, ..Settings::default() };
        let builder = World::builder().settings(settings).gravity(G);
        let mut w = bodies.into_iter().fold(builder, |b, body| b.body(body)).build().unwrap();
        let start = w.energy().total();
        for _ in 0..60 {
            let report = w.advance(0.05).unwrap();
            assert!(report.penetration < 1e-9, "{}", report.penetration);
            let risen = report.highest_energy - start;
            assert!(
                risen < 1e-9,
                "seed {seed}: energy rises by {risen}: {}",
                w.inspect().energy_ledger().unwrap()
            );
            assert!(report.certificate < 1e-10, "{}", report.certificate);
        }
        books_close(&w);
    }
}

/// A belt takes a block along with `μ g` until both are equally fast.
#[test]
fn a_belt_takes_a_block_along() {
    let (mu, speed): (f64, f64) = (0.3, 2.0);
    // The top of a belt that goes round to the left on its underside runs to the right.
    let belt = || floor(mu).surface_speed(-speed);
    let mut w = world([belt(), Body::block(2.0, 1.0).at(0.0, 0.5).friction(mu)], 0.0);
    let slide = speed / (mu * G);
    run(&mut w, slide + 1.0, 0.1 * (slide + 1.0));
    let expected = 0.5 * speed * slide + speed;
    assert!((x(&w, 1) - expected).abs() < 1e-9, "{} {expected}", x(&w, 1));
    assert!((w.body(1).unwrap().velocity().x - speed).abs() < 1e-9);
}

/// A block on a spring on a belt: it is carried until the spring pulls `μ_s m g`, slides back with `μ_k`, and is caught again
/// where its speed is the belt's. With `a = (μ_s − μ_k) g`, `ω² = k/m` and the belt at `v`, sliding takes
/// `2 (π − atan(a/(v ω)))/ω` and sticking `2 a/(v ω²)`.
#[test]
fn a_block_on_a_spring_on_a_belt_sticks_and_slips() {
    let (friction, speed) = (Friction { at_rest: 0.5, kinetic: 0.3 }, 0.4);
    let (mass, stiffness): (f64, f64) = (1.5, 20.0);
    let belt = Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(friction).surface_speed(-speed);
    let block = Body::block(3.0, 1.0).mass(mass).at(0.0, 0.5).velocity(speed, 0.0).friction(friction);
    let mut w = World::builder()
        .gravity(G)
        .body(belt)
        .body(block.restitution(0.0))
        .force_law(engine2d_sim::ForceLaw::Spring {
            ends: [
                engine2d_sim::Attachment::ground([-50.0, 0.0]),
                engine2d_sim::Attachment::body(1, [0.0, -0.5]),
            ],
            rest_length: 50.0,
            stiffness,
            damping: 0.0,
            compress_only: false,
        })
        .build()
        .unwrap();
    let report = w.advance(12.0).unwrap();
    let times = |name: &str| -> Vec<f64> {
        let mut times: Vec<f64> = report
            .events()
            .iter()
            .filter(|e| e.kind() == name)
            .map(|e| e.time())
            .filter(|t| *t > 0.0)
            .collect();
        // Both contacts of the block tell.
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        times
    };
    let (sticks, slides) = (times("stick"), times("slide"));
    let omega = (stiffness / mass).sqrt();
    let a = (friction.at_rest - friction.kinetic) * G;
    let (slip, stick) = (
        2.0 * (std::f64::consts::PI - (a / (speed * omega)).atan()) / omega,
        2.0 * a / (speed * omega * omega),
    );
    assert!(slides.len() >= 3 && sticks.len() >= 3, "{sticks:?} {slides:?}");
    for k in 0..2 {
        assert!((sticks[k] - slides[k] - slip).abs() < 1e-8, "{} {slip}", sticks[k] - slides[k]);
        assert!((slides[k + 1] - sticks[k] - stick).abs() < 1e-8, "{} {stick}", slides[k + 1] - sticks[k]);
    }
}

/// Surfaces that are turned by an impact elsewhere, or by what is taken out of the velocities after it, slide the other way: their
/// friction never drives them.
#[test]
fn friction_never_drives_what_slides() {
    let mut world = pile::pile(Settings::default(), 10, 0.5, 5);
    let mut energy = world.energy().total();
    while world.time() < 4.0 {
        let report = world.advance(0.02).expect("an advance");
        assert!(
            report.energy <= energy + 1e-8 * energy,
            "{} after {energy} at {}",
            report.energy,
            report.time
        );
        energy = report.energy;
    }
}

/// Where rough surfaces jam so that no forces are an answer, and where events come too fast, fixed steps go on, and it is told.
#[test]
fn piles_that_jam_go_on() {
    let mut bridged = 0.0;
    for seed in 1..=2 {
        let mut world = pile::pile(Settings::default(), 8, 1.2, seed);
        let mut energy = world.energy().total();
        while world.time() < 2.5 {
            let report = world.advance(0.02).expect("an advance");
            assert!(report.penetration <= 1e-9 && report.certificate <= 1e-9);
            assert!(
                report.energy <= energy + 1e-7 * energy,
                "{} after {energy} with {}",
                report.energy,
                report.corrections
            );
            energy = report.energy;
            for event in &report.events {
                if let Event::FixedSteps { time, since, .. } = event {
                    bridged += time - since;
                }
            }
        }
    }
    assert!(bridged > 0.0 && bridged < 2.5, "{bridged} s of 5 in fixed steps");
}

/// A block on two corners, whose shares of a tangential force nothing determines, sticks up to `μ_s` of its weight in steps too, from the first
/// one on, and slides beyond with `μ_k`.
#[test]
fn a_block_sticks_up_to_its_static_friction_in_steps() {
    let step = 0.01;
    let rough = |body: Body| body.friction(Friction { at_rest: 0.6, kinetic: 0.3 });
    for (share, slides) in [(0.45, false), (0.599, false), (0.601, true)] {
        let settings = Settings { time_step: step, ..Settings::time_stepping() };
        let world = World::builder().settings(settings).gravity(G);
        let world = world.body(rough(Body::block(50.0, 1.0).fixed().at(0.0, -0.5)));
        let block = rough(Body::block(0.3, 0.2).mass(1.0).at(0.0, 0.1)).named("block");
        let pull = ForceLaw::ConstantForce {
            body: 1,
            location: Vec2::zeros(),
            location_frame: Frame::Body,
            force: Vec2::new(share * G, 0.0),
            force_frame: Frame::World,
            torque: 0.0,
        };
        let mut world = world.body(block).force_law(pull).build().expect("a world");
        for _ in 0..100 {
            world.advance(step).expect("a step");
        }
        let way = world.body("block").expect("a block").position().x;
        let expected = if slides { 0.5 * (share - 0.3) * G } else { 0.0 };
        assert!((way - expected).abs() <= 0.02 * expected + 1e-12, "{way} instead of {expected}");
    }
}
