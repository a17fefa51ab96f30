//! Located events of the rigid model against analytic results.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::rig::{G, located, run};
use engine2d_sim::{
    Attachment, Body, Connector, Event, EventLocator, ForceLaw, Frame, Limits, OdeMethod, Settings, SimError,
    StepReport, UserEvent, World,
};

fn collision_times(events: &[Event]) -> Vec<f64> {
    // Joints take their part of an impulse without approaching.
    let approached =
        |e: &&Event| matches!(e, Event::Collision { velocity_before, .. } if *velocity_before < -1e-9);
    events.iter().filter(approached).map(Event::time).collect()
}

#[test]
fn a_dropped_ball_bounces_on_time() {
    let (height, e) = (2.0, 0.8);
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 0.5 + height).restitution(e))
        .build()
        .unwrap();
    let events = run(&mut world, 0.1, 40);
    let fall = f64::sqrt(2.0 * height / G);
    let mut expected = fall;
    for (k, time) in collision_times(&events).iter().enumerate() {
        assert!((time - expected).abs() < 1e-10, "bounce {k}: {:e}", time - expected);
        expected += 2.0 * fall * f64::powi(e, k as i32 + 1);
    }
    assert!(collision_times(&events).len() >= 4);
}

#[test]
fn a_pendulum_meets_a_wall_on_time() {
    // A rod hung at its end swings from 0.3 rad to a wall that it meets when vertical.
    let settings = located();
    let mut builder = World::builder().gravity(G).settings(settings);
    let angle: f64 = 0.3;
    let (sin, cos) = angle.sin_cos();
    builder = builder
        .body(Body::ball(0.1).at(sin, -cos).angle(angle).restitution(1.0))
        .body(Body::block(0.2, 2.0).fixed().at(-0.2, -1.0).restitution(1.0));
    for joint in Connector::pin(Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 1.0]), Frame::World)
    {
        builder = builder.connector(joint);
    }
    let mut world = builder.build().unwrap();
    let events = run(&mut world, 0.05, 40);
    // A quarter period of the physical pendulum, by the arithmetic-geometric mean; the disc's moment is r²/2.
    let inertia = 0.5 * 0.1f64.powi(2) + 1.0;
    let (mut a, mut g) = (1.0, (angle / 2.0).cos());
    for _ in 0..8 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    let quarter = (inertia / G).sqrt() * std::f64::consts::FRAC_PI_2 / a;
    let times = collision_times(&events);
    assert!((times[0] - quarter).abs() < 1e-10, "{:e}", times[0] - quarter);
    // Elastic: back again half a period later.
    assert!((times[1] - 3.0 * quarter).abs() < 1e-9, "{:e}", times[1] - 3.0 * quarter);
}

#[test]
fn a_rope_goes_taut_on_time() {
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::ball(0.1).at(0.0, -0.5).restitution(0.5))
        .connector(Connector::Rope {
            ends: [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
            length: 1.25,
        })
        .build()
        .unwrap();
    let events = run(&mut world, 0.05, 20);
    let expected = f64::sqrt(2.0 * 0.75 / G);
    let first = collision_times(&events)[0];
    assert!((first - expected).abs() < 1e-10, "{:e}", first - expected);
}

#[test]
fn inelastic_bodies_stay_down_and_bounces_end() {
    for e in [0.0, 0.5, 0.9] {
        let mut world = World::builder()
            .gravity(G)
            .settings(located())
            .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
            .body(Body::ball(0.5).at(0.0, 1.0).restitution(e))
            .build()
            .unwrap();
        let events = run(&mut world, 0.25, 40);
        assert!(events.iter().any(|event| matches!(event, Event::Sustained { .. })), "e = {e}");
        let ball = world.body(1).unwrap();
        assert!((ball.position().y - 0.5).abs() < 1e-9, "e = {e}: {:e}", ball.position().y - 0.5);
        assert!(ball.velocity().norm() < 1e-9);
        let weight = world.contact_forces()[0].force;
        assert!((weight - G).abs() < 1e-7, "e = {e}: {weight}");
    }
}

#[test]
fn a_block_rests_on_two_corners_and_tips_over_an_edge() {
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::block(1.0, 1.0).at(0.0, 1.0).angle(0.3).restitution(0.3))
        .build()
        .unwrap();
    run(&mut world, 0.1, 60);
    let block = world.body(1).unwrap();
    assert!((block.position().y - 0.5).abs() < 1e-9, "{}", block.position().y);
    assert!(block.angle().abs() < 1e-9);
    assert_eq!(world.contact_forces().len(), 2);
    let sum: f64 = world.contact_forces().iter().map(|c| c.force).sum();
    assert!((sum - G).abs() < 1e-6);
}

#[test]
fn a_ball_rolls_off_a_table_when_its_support_ends() {
    // A frictionless disc slides over the edge: the contact is with the top until the corner, then with the corner.
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::block(2.0, 1.0).fixed().at(-1.0, -0.5))
        .body(Body::ball(0.25).at(-0.5, 0.25).velocity(4.0, 0.0).restitution(0.0))
        .build()
        .unwrap();
    let events = run(&mut world, 0.05, 10);
    assert!(events.iter().any(|e| matches!(e, Event::ContactEnd { .. })), "{events:?}");
    let ball = world.body(1).unwrap();
    // It left the corner at speed 4 at t = 0.125: v²/r > g, so that it flies at once.
    let flight: f64 = 0.5 - 0.125;
    assert!((ball.position().y - (0.25 - 0.5 * G * flight * flight)).abs() < 1e-6, "{}", ball.position().y);
}

#[test]
fn a_contact_ends_when_its_force_is_spent() {
    // Weight 9.81 against a lift of 12 sin(t): contact ends at sin t = g/12.
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::wall(40.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 0.5).restitution(0.0))
        .force_law(ForceLaw::RotatingForce {
            body: 1,
            location: [0.0, 0.0].into(),
            magnitude: 12.0,
            rate: 1.0,
        })
        .build()
        .unwrap();
    let events = run(&mut world, 0.1, 11);
    let end = events.iter().find(|e| matches!(e, Event::ContactEnd { .. })).expect("it lifts off");
    let expected = f64::asin(G / 12.0);
    assert!((end.time() - expected).abs() < 1e-9, "{:e}", end.time() - expected);
}

#[test]
fn results_do_not_depend_on_where_they_are_wanted() {
    let scene = || {
        World::builder()
            .gravity(G)
            .settings(located())
            .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
            .body(Body::block(1.0, 0.5).at(0.0, 1.5).angle(0.4).restitution(0.6))
            .body(Body::ball(0.3).at(0.2, 3.0).restitution(0.7))
            .build()
            .unwrap()
    };
    let (mut coarse, mut fine) = (scene(), scene());
    run(&mut coarse, 0.5, 4);
    run(&mut fine, 0.03125, 64);
    let bits = |w: &World| w.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&coarse), bits(&fine));
}

#[test]
fn events_of_the_user_are_located_and_may_change_the_state() {
    let mut world =
        World::builder().settings(located()).body(Body::ball(0.1).velocity(1.0, 0.0)).build().unwrap();
    world
        .add_event(
            UserEvent::new("turn", |bodies| bodies.get(0).map_or(1.0, |b| b.position().x - 2.0)).with_action(
                |world| {
                    let mut state = world.state();
                    state[1] = -1.0;
                    world.set_state(&state)
                },
            ),
        )
        .unwrap();
    world.add_event(UserEvent::new("clock", |bodies| bodies.time() - 1.5)).unwrap();
    let mut report = StepReport::default();
    for _ in 0..3 {
        report.events.extend(world.advance(1.0).unwrap().events);
    }
    let times: Vec<f64> = report.events.iter().map(Event::time).collect();
    assert_eq!(times.len(), 2, "{:?}", report.events);
    assert!((times[0] - 1.5).abs() < 1e-12 && (times[1] - 2.0).abs() < 1e-12);
    assert!((world.body(0).unwrap().position().x - 1.0).abs() < 1e-12);
    assert_eq!(world.edit().remove_events("turn"), 1);
}

#[test]
fn a_fixed_step_method_is_refused() {
    let settings = Settings { event_locator: EventLocator::ZeroCrossing, ..Settings::backtracking() };
    let error = World::builder().settings(settings).body(Body::ball(1.0)).build().unwrap_err();
    assert!(matches!(&error, SimError::Unsupported { path, .. } if path == "settings.method"), "{error}");
}

/// Balls and blocks dropped into a box, from a small generator of numbers.
fn box_of_things(seed: u64) -> World {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut number = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let limits = Limits { evaluations: 50_000, ..Limits::default() };
    let settings = Settings { method: OdeMethod::dormand_prince(1e-8), limits, ..located() };
    let mut builder = World::builder()
        .gravity(G)
        .settings(settings)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::block(1.0, 10.0).fixed().at(-3.5, 5.0))
        .body(Body::block(1.0, 10.0).fixed().at(3.5, 5.0));
    for k in 0..5 {
        let size = 0.3 + 0.3 * number();
        let body = if number() < 0.5 { Body::ball(size) } else { Body::block(2.0 * size, 1.2 * size) };
        let body = body.at(-2.0 + number(), 1.2 + 1.8 * f64::from(k)).angle(number()).spin(number());
        builder = builder.body(body.velocity(4.0 * number() - 2.0, 0.0).restitution(0.8 * number()));
    }
    builder.build().unwrap()
}

/// Bodies that move by themselves, meet and part: neither where results are wanted nor a pause changes a bit.
#[test]
fn islands_move_alike_wherever_results_are_wanted() {
    for seed in 1..=12 {
        let start = box_of_things(seed);
        let run = |step: f64, pause: Option<f64>| {
            let mut world = start.clone();
            let mut events = Vec::new();
            while world.time() < 2.0 {
                if pause == Some(world.time()) {
                    let text = serde_json::to_string(&world.snapshot()).unwrap();
                    world = start.clone();
                    world.restore(&serde_json::from_str(&text).unwrap()).unwrap();
                }
                events.extend(world.advance(step).unwrap().events);
            }
            let bits: Vec<u64> = world.state().iter().map(|v| v.to_bits()).collect();
            let times: Vec<u64> = events.iter().map(|event| event.time().to_bits()).collect();
            (bits, times)
        };
        let expected = run(0.5, None);
        assert!(run(0.007_812_5, None) == expected, "seed {seed}, more results");
        assert!(run(0.125, Some(0.875)) == expected, "seed {seed}, saved and restored");
    }
}

/// Discs in a box that never touch more than two at a time: energy to rounding, whatever the number.
#[test]
fn a_gas_keeps_its_energy_and_its_walls() {
    let mut builder = World::builder().settings(located());
    for (x, y, w, h) in
        [(0.0, -6.5, 14.0, 1.0), (0.0, 6.5, 14.0, 1.0), (-6.5, 0.0, 1.0, 14.0), (6.5, 0.0, 1.0, 14.0)]
    {
        builder = builder.body(Body::block(w, h).fixed().at(x, y).restitution(1.0));
    }
    for k in 0..36 {
        let (x, y) = (f64::from(k % 6) * 2.0 - 5.0, f64::from(k / 6) * 2.0 - 5.0);
        let angle = 2.4 * f64::from(k);
        let ball = Body::ball(0.3).at(x, y).velocity(4.0 * angle.cos(), 4.0 * angle.sin());
        builder = builder.body(ball.restitution(1.0));
    }
    let mut world = builder.build().unwrap();
    let energy = world.energy().total();
    let mut collisions = 0;
    for _ in 0..50 {
        let report = world.advance(0.2).unwrap();
        assert!(report.penetration < 1e-12, "{:e}", report.penetration);
        assert!((report.energy / energy - 1.0).abs() < 1e-12, "{:e}", report.energy / energy - 1.0);
        assert!(report.highest_energy < energy * (1.0 + 1e-12));
        collisions += report.counters.collisions;
    }
    assert!(collisions > 400, "{collisions}");
    assert!(world.bodies().skip(4).all(|b| b.position().amax() < 5.7 + 1e-12));
}

/// Contacts of all kinds in a heap: closed, opened, handed over from feature to feature, thrown off, come to rest.
#[test]
fn boxes_of_things_settle_without_gaining_energy() {
    for seed in 1..=40 {
        let mut world = box_of_things(seed);
        let start = world.energy().total();
        for _ in 0..40 {
            let report = world.advance(0.1).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert!(report.highest_energy <= start * (1.0 + 1e-6), "seed {seed}: {}", report.highest_energy);
            assert!(report.certificate < 1e-8, "seed {seed}: {:e}", report.certificate);
            assert!(report.penetration < 1e-6, "seed {seed}: {:e}", report.penetration);
        }
        for body in world.bodies() {
            let p = body.position();
            assert!(p.x.abs() <= 3.6 && p.y > -0.6, "seed {seed}: {body}");
        }
    }
}

#[test]
fn a_run_resumed_from_a_file_repeats_every_bit() {
    for seed in 1..=8 {
        let mut whole = box_of_things(seed);
        let mut first = box_of_things(seed);
        for _ in 0..13 {
            whole.advance(0.1).unwrap();
            first.advance(0.1).unwrap();
        }
        let text = serde_json::to_string(&first.snapshot()).unwrap();
        let mut resumed = box_of_things(seed);
        resumed.restore(&serde_json::from_str(&text).unwrap()).unwrap();
        for _ in 0..7 {
            whole.advance(0.1).unwrap();
            resumed.advance(0.1).unwrap();
        }
        let bits = |w: &World| w.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&whole), bits(&resumed), "seed {seed}");
    }
}

#[test]
fn output_times_change_no_bit_of_a_heap() {
    for seed in 1..=8 {
        let (mut coarse, mut fine) = (box_of_things(seed), box_of_things(seed));
        run(&mut coarse, 0.25, 8);
        run(&mut fine, 0.03125, 64);
        let bits = |w: &World| w.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&coarse), bits(&fine), "seed {seed}");
    }
}
