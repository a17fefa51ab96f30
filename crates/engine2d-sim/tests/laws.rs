//! The world against the laws of mechanics: analytic motions, orders of convergence, the energy ledger, and what a
//! running simulation may allocate.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::Tolerances;
use engine2d_math::Vec2;
use engine2d_sim::{
    Attachment, Body, CollisionHandling, Connector, Event, ExtraAcceleration, Fidelity, FixedStepMethod,
    ForceLaw, Frame, OdeMethod, Settings, StepReport, World,
};

const G: f64 = 9.81;

fn run(world: &mut World, step: f64, count: usize) {
    for _ in 0..count {
        world.advance(step).unwrap();
    }
}

#[test]
fn a_block_slides_down_a_frictionless_ramp_with_g_sine() {
    let angle: f64 = 0.3;
    let (sin, cos) = angle.sin_cos();
    // At the target gap above the ramp, so that nothing but the slope moves it.
    let (along, above) = (3.0, 0.25 + 0.005);
    let mut world = World::builder()
        .gravity(G)
        .body(Body::wall(20.0, 1.0).at(0.5 * sin, -0.5 * cos).angle(angle))
        .body(Body::block(1.0, 0.5).at(along * cos - above * sin, along * sin + above * cos).angle(angle))
        .build()
        .unwrap();
    run(&mut world, 0.01, 100);
    let p = world.body(1).unwrap().position();
    let slid = along - (p.x * cos + p.y * sin);
    assert!((slid - 0.5 * G * sin).abs() < 1e-9, "{:e}", slid - 0.5 * G * sin);
    let normal: f64 = world.contact_forces().iter().map(|c| c.force).sum();
    assert!((normal - G * cos).abs() < 1e-8);
}

#[test]
fn a_taut_rope_carries_its_share_of_a_pull() {
    let (first, second, pull) = (2.0, 3.0, 10.0);
    let rope = |length| Connector::Rope {
        ends: [Attachment::body(0, [0.0, 0.0]), Attachment::body(1, [0.0, 0.0])],
        length,
    };
    let mut world = World::builder()
        .settings(Settings { extra_acceleration: ExtraAcceleration::None, ..Settings::default() })
        .body(Body::ball(0.1).mass(first).at(0.0, 0.0))
        .body(Body::ball(0.1).mass(second).at(1.995, 0.0))
        .connector(rope(2.0))
        .force_law(ForceLaw::ConstantForce {
            body: 1,
            location: [0.0, 0.0].into(),
            location_frame: Frame::Body,
            force: [pull, 0.0].into(),
            force_frame: Frame::World,
            torque: 0.0,
        })
        .build()
        .unwrap();
    run(&mut world, 0.01, 100);
    let tension = world.contact_forces()[0].force;
    assert!((tension - pull * first / (first + second)).abs() < 1e-9, "{tension}");
    let speed = world.body(0).unwrap().velocity().x;
    assert!((speed - pull / (first + second)).abs() < 1e-9, "{speed}");
}

/// Blocks flush on a floor and on each other, a ball beside them, a rope of exactly the distance of its ends.
#[test]
fn bodies_may_be_placed_in_touch() {
    for fidelity in [Fidelity::Collisions, Fidelity::Contacts] {
        for (vx, vy) in [(0.0, 0.0), (0.0, -2.0), (1.0, -1e-3)] {
            let mut builder = World::builder()
                .settings(Settings { fidelity, ..Settings::backtracking() })
                // Collisions alone cannot hold a weight.
                .gravity(if fidelity == Fidelity::Contacts { G } else { 0.0 })
                .body(Body::wall(20.0, 1.0).at(0.0, -0.5))
                .body(Body::block(1.0, 1.0).at(0.0, 0.5).velocity(vx, vy))
                .body(Body::block(0.9, 1.0).at(0.0, 1.5).velocity(vx, vy))
                .body(Body::ball(0.1 + 0.2).at(2.0, 0.3).velocity(vx, vy));
            if fidelity == Fidelity::Contacts {
                builder =
                    builder.body(Body::ball(0.1).at(-5.0, 2.0).velocity(vx, vy)).connector(Connector::Rope {
                        ends: [Attachment::ground([-5.0, 3.0]), Attachment::body(4, [0.0, 0.0])],
                        length: 1.0,
                    });
            }
            let mut world = builder.build().unwrap();
            world.edit().set_restitution(0.3).unwrap();
            run(&mut world, 0.025, 40);
            for (index, rest) in [(1, 0.5), (2, 1.5), (3, 0.3)] {
                let y = world.body(index).unwrap().position().y;
                assert!(y > rest && y < rest + 0.8, "{fidelity:?} {vx} {vy}: body {index} at {y}");
            }
            for gap in world.inspect().connector_distances().unwrap() {
                assert!(gap > 0.0, "{vx} {vy}: the rope keeps its length: {gap}");
            }
        }
    }
}

#[test]
fn rods_hit_off_centre_turn_as_the_impulse_says() {
    // A small disc hits a free rod at its end: j = (1 + e) v / (1/m + 1/M + a²/I).
    for e in [0.0, 0.5, 1.0] {
        let (m, big, length, speed) = (0.5, 2.0, 2.0, 3.0);
        let mut world = World::builder()
            .body(Body::block(0.1, length).mass(big).restitution(e))
            .body(Body::ball(0.05).mass(m).at(-1.0, 0.9).velocity(speed, 0.0).restitution(1.0))
            .build()
            .unwrap();
        let mut blow = None;
        for _ in 0..60 {
            let events = world.advance(0.01).unwrap().events;
            blow = blow.or(events.iter().find_map(|event| match event {
                Event::Collision { impulse, .. } => Some(*impulse),
                _ => None,
            }));
        }
        let inertia = big * (0.1f64.powi(2) + length * length) / 12.0;
        let j = (1.0 + e) * speed / (1.0 / m + 1.0 / big + 0.9 * 0.9 / inertia);
        assert!((blow.unwrap() - j).abs() < 1e-9, "e = {e}");
        if e == 0.0 {
            // They stay in touch and go on pushing each other.
            continue;
        }
        let (rod, ball) = (world.body(0).unwrap(), world.body(1).unwrap());
        assert!((rod.velocity().x - j / big).abs() < 1e-9, "e = {e}");
        assert!((rod.spin() + 0.9 * j / inertia).abs() < 1e-9, "e = {e}");
        assert!((ball.velocity().x - (speed - j / m)).abs() < 1e-9, "e = {e}");
    }
}

/// Five discs in a row, the first one moving.
/// Four discs at rest in line and a fifth that comes with 2 m/s. Discs resist each other over the distance tolerance:
/// it is a tenth of a millimetre here, so that gaps of one millimetre are gaps.
fn row(gap: f64, handling: CollisionHandling) -> World {
    let tolerances = Tolerances { distance: 1e-4, ..Tolerances::default() };
    let settings = Settings {
        collision_handling: handling,
        tolerances,
        // Touching discs stay where they are instead of being pushed to half the tolerance.
        extra_acceleration: ExtraAcceleration::Velocity,
        ..Settings::default()
    };
    let mut builder = World::builder().settings(settings);
    for k in 0..5 {
        let (x, speed) = if k == 0 { (-2.5, 2.0) } else { (f64::from(k - 1) * (1.0 + gap), 0.0) };
        builder = builder.body(Body::ball(0.5).mass(1.0).at(x, 0.0).velocity(speed, 0.0).restitution(1.0));
    }
    builder.build().unwrap()
}

#[test]
fn the_last_of_five_discs_takes_all_the_velocity() {
    use CollisionHandling::{
        Hybrid, SerialGrouped, SerialGroupedLastPass, SerialSeparate, SerialSeparateLastPass, Simultaneous,
    };
    let every =
        [Hybrid, SerialGrouped, SerialGroupedLastPass, SerialSeparate, SerialSeparateLastPass, Simultaneous];
    let cases = every.map(|mode| (1e-3, mode)).into_iter().chain([(0.0, SerialSeparate)]);
    for (gap, mode) in cases {
        let mut world = row(gap, mode);
        run(&mut world, 1.0 / 60.0, 90);
        let speeds: Vec<f64> = world.bodies().map(|b| b.velocity().x).collect();
        assert!((speeds[4] - 2.0).abs() < 1e-9, "{mode:?}, gap {gap}: {speeds:?}");
        assert!(speeds[..4].iter().all(|v| v.abs() < 1e-9), "{mode:?}, gap {gap}: {speeds:?}");
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy_for_a_minute() {
    let settings = Settings { method: OdeMethod::dormand_prince(1e-12), ..Settings::default() };
    let mut world = World::builder()
        .gravity(G)
        .settings(settings)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 2.5).restitution(1.0))
        .build()
        .unwrap();
    let start = world.energy().total();
    run(&mut world, 0.025, 2400);
    assert!(world.inspect().totals().collisions > 40);
    let drift = (world.energy().total() - start).abs() / start;
    assert!(drift <= 1e-9, "{drift:e}");
}

#[test]
fn every_fixed_step_method_converges_with_its_order() {
    // An oscillator: x = cos t.
    let error = |method, steps: u32| {
        let settings = Settings { method: OdeMethod::Fixed(method), ..Settings::default() };
        let mut world = World::builder()
            .settings(settings)
            .body(Body::ball(0.1).at(2.0, 0.0))
            .force_law(ForceLaw::Spring {
                ends: [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
                rest_length: 1.0,
                stiffness: 1.0,
                damping: 0.0,
                compress_only: false,
            })
            .build()
            .unwrap();
        run(&mut world, 2.0 / f64::from(steps), steps as usize);
        (world.body(0).unwrap().position().x - 1.0 - 2.0f64.cos()).abs()
    };
    for (method, order) in [
        (FixedStepMethod::Euler, 1.0),
        (FixedStepMethod::ModifiedEuler, 2.0),
        (FixedStepMethod::RungeKutta4, 4.0),
    ] {
        let measured = (error(method, 40) / error(method, 80)).log2();
        assert!((measured - order).abs() < 0.25, "{method:?}: {measured}");
    }
}

#[test]
fn the_ledger_explains_the_kinetic_energy() {
    let settings =
        Settings { energy_ledger: true, method: OdeMethod::dormand_prince(1e-12), ..Settings::default() };
    let mut builder = World::builder()
        .gravity(G)
        .damping(0.2)
        .settings(settings)
        .body(Body::block(0.1, 1.0).at(0.5, 0.0).angle(std::f64::consts::FRAC_PI_2));
    for joint in Connector::pin(Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.5]), Frame::World)
    {
        builder = builder.connector(joint);
    }
    let mut world = builder
        .body(Body::wall(10.0, 1.0).at(0.0, -3.0))
        .body(Body::ball(0.3).at(3.0, 0.0).restitution(0.6))
        .build()
        .unwrap();
    run(&mut world, 0.025, 80);
    let ledger = world.inspect().energy_ledger().unwrap();
    assert!(ledger.impulses < -1.0, "{ledger}");
    assert!(ledger.force_laws[1].1 < 0.0, "{ledger}");
    assert!(ledger.integration_error.abs() <= 1e-9 * world.energy().kinetic().max(10.0), "{ledger}");
    // Gravity's work is the potential energy lost.
    let fallen = -(world.energy().potential - 0.0);
    assert!((ledger.force_laws[0].1 - fallen).abs() < 1e-3 * fallen.abs(), "{ledger}");
}

#[test]
fn one_block_on_two_makes_the_five_by_five_pattern() {
    // Two blocks on the floor, each on two corners, and one across both; rows of bodies that share none are zero.
    let mut world = World::builder()
        .settings(Settings::backtracking())
        .gravity(G)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::block(1.0, 1.0).at(-1.0, 0.505))
        .body(Body::block(1.0, 1.0).at(1.0, 0.505))
        .body(Body::block(2.4, 1.0).at(0.0, 1.51))
        .build()
        .unwrap();
    let mut seen = 0;
    world
        .probe()
        .accelerations(0.0, &mut |group| {
            seen = group.contacts.len();
            let forces = group.forces;
            for i in 0..seen {
                let row = group.matrix.row(i);
                for (j, entry) in row.iter().enumerate() {
                    let bodies = |k: usize| {
                        let id = group.contacts[k].id;
                        [id.primary.index(), id.normal_body.index()].map(|b| b.filter(|&b| b != 0))
                    };
                    let shared = bodies(i).iter().flatten().any(|b| bodies(j).contains(&Some(*b)));
                    assert!(shared || *entry == 0.0, "rows {i} and {j}");
                }
                let a: f64 = row.iter().zip(forces).map(|(a, f)| a * f).sum::<f64>() + group.bias[i];
                assert!(a >= -1e-9 && (forces[i] == 0.0 || a.abs() < 1e-9));
            }
        })
        .unwrap();
    assert!(seen >= 5, "{seen} contacts");
}

#[test]
fn a_settled_world_allocates_nothing() {
    let mut builder = World::builder().gravity(G).body(Body::wall(10.0, 1.0).at(0.0, -0.5));
    for i in 0..4 {
        builder = builder.body(Body::block(1.0 - 0.05 * f64::from(i), 1.0).at(0.0, 0.5 + f64::from(i)));
    }
    let pin = Connector::pin(Attachment::ground([5.0, 3.0]), Attachment::body(5, [0.0, 0.5]), Frame::World);
    let mut world = builder
        .body(Body::block(0.1, 1.0).at(5.0, 2.5))
        .connector(pin[0].clone())
        .connector(pin[1].clone())
        .build()
        .unwrap();
    let mut report = StepReport::default();
    for _ in 0..40 {
        world.probe().advance_into(0.025, &mut report).unwrap();
    }
    let counted = allocation_counter::measure(|| {
        for _ in 0..40 {
            world.probe().advance_into(0.025, &mut report).unwrap();
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_thousand_bodies_need_little_memory() {
    let counted = allocation_counter::measure(|| {
        let mut builder = World::builder().gravity(G).body(Body::wall(200.0, 1.0).at(0.0, -0.5));
        for i in 0..1000_u32 {
            let (x, y) = (f64::from(i % 50) * 1.2 - 30.0, 0.605 + f64::from(i / 50) * 1.2);
            builder = builder.body(Body::ball(0.5).at(x, y).restitution(0.3));
        }
        let mut world = builder.build().unwrap();
        run(&mut world, 0.01, 3);
    });
    assert!(counted.bytes_max < 50_000_000, "{} bytes", counted.bytes_max);
}

/// A pulley with two weights on ropes that leave its rim upright, at the instant it is let go: `a = (m_1 − m_2) g /
/// (m_1 + m_2 + I/R²)`, tensions `m (g ∓ a)`.
#[test]
fn atwoods_machine_starts_with_its_acceleration() {
    let (m1, m2, radius, hang) = (3.0, 2.0, 0.5, 1.0);
    let gap = 0.002;
    let settings = Settings { extra_acceleration: ExtraAcceleration::None, ..Settings::backtracking() };
    let rope = |rim: f64, weight: u32| Connector::Rope {
        ends: [Attachment::body(0, [rim, 0.0]), Attachment::body(weight, [0.0, 0.0])],
        length: hang + gap,
    };
    let mut builder = World::builder()
        .gravity(G)
        .settings(settings)
        .body(Body::ball(radius).mass(1.5).at(0.0, 0.0))
        .body(Body::block(0.1, 0.1).mass(m1).at(-radius, -hang))
        .body(Body::block(0.1, 0.1).mass(m2).at(radius, -hang))
        .connector(rope(-radius, 1))
        .connector(rope(radius, 2));
    let axle = (Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0]));
    for joint in Connector::pin(axle.0, axle.1, Frame::World) {
        builder = builder.connector(joint);
    }
    let mut world = builder.build().unwrap();
    let inertia = world.body(0).unwrap().moment();
    let a = (m1 - m2) * G / (m1 + m2 + inertia / (radius * radius));
    let rates = world.probe().accelerations(0.0, &mut |_| {}).unwrap();
    assert!((rates[1][1] + a).abs() < 1e-12 && (rates[2][1] - a).abs() < 1e-12, "{rates:?}");
    assert!((rates[0][2] - a / radius).abs() < 1e-12);
    let mut tensions: Vec<f64> =
        world.contact_forces().iter().filter(|f| !f.bilateral).map(|f| f.force).collect();
    tensions.sort_by(f64::total_cmp);
    let expected = [m2 * (G + a), m1 * (G - a)];
    assert!(tensions.len() == 2, "{tensions:?}");
    assert!(tensions.iter().zip(expected).all(|(t, e)| (t - e).abs() < 1e-11), "{tensions:?} {expected:?}");
}

/// Where the ends of a spring without rest length meet, its force is zero and not without direction.
#[test]
fn a_spring_without_rest_length_swings_through_its_centre() {
    let tethered = |damping: f64, compress_only: bool| {
        let ends = [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])];
        let spring = ForceLaw::Spring { ends, rest_length: 0.0, stiffness: 25.0, damping, compress_only };
        let mut world = World::builder()
            .body(Body::ball(0.3).velocity(1.0, 0.0).named("ball"))
            .force_law(spring)
            .build()
            .expect("a world");
        world.advance(0.9).expect("an advance");
        world.body("ball").expect("the ball").position()
    };
    let close = |place: Vec2, x: f64| assert!((place - Vec2::new(x, 0.0)).norm() < 1e-8, "{place} for {x}");
    close(tethered(0.0, false), 4.5_f64.sin() / 5.0);
    close(tethered(10.0, false), 0.9 * (-4.5_f64).exp());
    close(tethered(10.0, true), 0.9);
}
