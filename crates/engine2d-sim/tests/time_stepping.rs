//! Steps of a fixed length at the level of velocities: what they promise, against closed forms and measured states.

use crate::rig::pile::{Numbers, blocks, pile};
use engine2d_constraint::{Joint, Motor, Revolute, SpeedDrive};
use engine2d_sim::{
    Body, BodyRef, Event, ForceLaw, Settings, SimError, Snapshot, StepReport, World, WorldBuilder,
};

const G: f64 = 9.81;
const H: f64 = 1.0 / 60.0;

fn steps_of(step: f64) -> Settings {
    Settings { time_step: step, ..Settings::time_stepping() }
}

fn builder(step: f64) -> WorldBuilder {
    World::builder().settings(steps_of(step))
}

fn run(world: &mut World, steps: usize, mut look: impl FnMut(&StepReport)) {
    let step = world.settings().time_step;
    for _ in 0..steps {
        look(&world.advance(step).expect("a step"));
    }
}

#[test]
fn heaps_keep_the_laws() {
    for (count, friction, seed, steps) in
        [(12, 0.0, 1, 240), (12, 0.5, 2, 240), (25, 0.0, 3, 240), (20, 0.5, 4, 180)]
    {
        let mut world = pile(steps_of(H), count, friction, seed);
        let (mut energy, mut lifted) = (world.energy().total(), 0.0);
        let start = energy;
        run(&mut world, steps, |report| {
            assert!(
                report.penetration <= 1e-9,
                "{count} {friction}: {} deep at {}",
                report.penetration,
                report.time
            );
            assert!(report.certificate <= 1e-9, "{count} {friction}: {}", report.certificate);
            // What slides has its friction by the velocity after the step; where it turns it does not push along the mean.
            let share = if friction == 0.0 { 1e-12 } else { 1e-10 };
            let allowed = energy + report.corrections + share * energy;
            assert!(report.energy <= allowed, "{} after {energy} and {}", report.energy, report.corrections);
            lifted += report.corrections.max(0.0);
            energy = report.energy;
        });
        assert!(energy < 0.6 * start && lifted < 0.05 * start, "{energy} of {start}, lifted by {lifted}");
    }
}

#[test]
fn a_heap_of_many_keeps_its_certificate() {
    let mut world = pile(steps_of(H), 100, 0.5, 4);
    let start = world.energy().total();
    run(&mut world, 300, |report| {
        assert!(report.certificate <= 1e-9, "{} at {}", report.certificate, report.time);
        assert!(report.penetration <= 1e-9, "{} deep at {}", report.penetration, report.time);
    });
    // A disc may still roll.
    let energy = world.energy();
    assert!(energy.kinetic() < 1e-3 * (start - energy.total()), "{energy:?} of {start}");
}

/// What came to rest stays where it is: contacts that are pulled together do not part others, in turns and for ever. Discs may
/// still roll: that nothing drives it is what the energy tells.
#[test]
fn a_heap_at_rest_does_not_creep() {
    let places = |world: &World| blocks(world).map(|b| (b.position(), b.angle())).collect::<Vec<_>>();
    let mut rested = 0;
    for seed in 1..=10 {
        let mut world = pile(steps_of(H), 40, 0.5, seed);
        // In some, blocks rock for ever on discs that roll, which nothing damps.
        let rests = |world: &World| {
            blocks(world).all(|b| b.velocity().norm().max(b.angular_velocity().abs()) <= 1e-9)
        };
        if !(0..20).any(|_| {
            run(&mut world, 100, |_| {});
            rests(&world)
        }) {
            continue;
        }
        rested += 1;
        let (before, energy) = (places(&world), world.energy());
        run(&mut world, 100, |_| {});
        let now = places(&world);
        let ways = before.iter().zip(&now).map(|(a, b)| (b.0 - a.0).norm().max((b.1 - a.1).abs()));
        let way = ways.fold(0.0, f64::max);
        assert!(way <= 1e-9, "{way} of {seed}");
        // One that rolls to and fro in a hollow has more at its bottom.
        let now = world.energy();
        assert!(now.total() <= energy.total() * (1.0 + 1e-14), "{now} after {energy} of {seed}");
    }
    assert!(rested >= 7, "{rested} heaps of ten came to rest");
}

#[test]
fn a_stack_stands_where_it_was_put() {
    for (count, heavy) in [(20, 1.0), (50, 1.0), (2, 1e4)] {
        let mut scene =
            builder(H).gravity(G).body(Body::block(20.0, 2.0).fixed().at(0.0, -1.0).friction(0.6));
        for k in 0..count {
            let mass = if k + 1 == count { heavy } else { 1.0 };
            scene = scene.body(Body::block(1.0, 1.0).at(0.0, 0.5 + f64::from(k)).mass(mass).friction(0.6));
        }
        let mut world = scene.build().expect("a stack");
        run(&mut world, 600, |report| assert!(report.penetration <= 1e-10 && report.events.len() <= 500));
        let top = world.body(count as usize).expect("the top");
        let moved = (top.position().x.abs(), (top.position().y - f64::from(count) + 0.5).abs());
        assert!(moved.0 <= 1e-9 && moved.1 <= 1e-9, "{count}: {moved:?}");
        let force =
            world.contact_forces().iter().filter(|c| c.id.normal_body == BodyRef::Body(0)).map(|c| c.force);
        let weight = G * (f64::from(count) - 1.0 + heavy);
        assert!((force.sum::<f64>() - weight).abs() <= 1e-9 * weight);
    }
}

/// A block on a slope whose angle differs from the one of friction by a share.
fn on_slope(friction: f64, share: f64) -> (World, f64) {
    let slope = friction.atan() * (1.0 + share);
    let (sin, cos) = slope.sin_cos();
    let world = builder(H)
        .gravity(G)
        .body(Body::block(100.0, 2.0).fixed().angle(-slope).friction(friction))
        .body(
            Body::block(1.0, 1.0).angle(-slope).at(1.5 * sin, 1.5 * cos).friction(friction).restitution(0.0),
        )
        .build()
        .expect("a slope");
    (world, G * (sin - friction * cos))
}

/// Friction that turns round in the step in which a block stops does no work: the block goes back for some steps before it sticks, with
/// what gravity gives it in one step against what friction brakes more.
#[test]
fn a_block_that_stops_on_its_way_up_moves_back_by_little_and_sticks() {
    for share in [0.02, 0.1, 0.4, 0.8] {
        let (sin, cos) = (0.6_f64.atan() * (1.0 - share)).sin_cos();
        let angle = -sin.atan2(cos);
        for k in 1..=20 {
            let speed = 0.5 + 0.05 * f64::from(k);
            let block = Body::block(1.0, 1.0).angle(angle).at(1.5 * sin, 1.5 * cos);
            let mut world = builder(H)
                .gravity(G)
                .body(Body::block(100.0, 2.0).fixed().angle(angle).friction(0.6))
                .body(block.velocity(-speed * cos, speed * sin).friction(0.6).restitution(0.0))
                .build()
                .expect("a slope");
            let along = |world: &World| {
                let at = world.body(1).expect("the block").position();
                at.y * sin - at.x * cos
            };
            let (mut most, mut energy) = (along(&world), world.energy().total());
            for _ in 0..240 {
                let report = world.advance(H).expect("a step");
                assert!(report.energy <= energy + report.corrections.max(0.0) + 1e-11, "{share}, {speed}");
                (most, energy) = (most.max(along(&world)), report.energy);
            }
            let rest = along(&world);
            let (given, braked) = (G * H * sin, G * (0.6 * cos - sin));
            assert!(
                most - rest <= given * given / (2.0 * braked) + G * H * H,
                "{share}, {speed}: back by {}",
                most - rest
            );
            run(&mut world, 10, |_| {});
            assert!((along(&world) - rest).abs() <= 1e-11, "{share}, {speed}: it does not stick");
        }
    }
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above_it() {
    for friction in [0.1, 0.5, 0.9] {
        let (mut world, _) = on_slope(friction, -1e-3);
        let before = world.body(1).expect("the block").position();
        run(&mut world, 600, |_| {});
        let way = (world.body(1).expect("the block").position() - before).norm();
        assert!(way <= 1e-12, "it creeps by {way}");
        let (mut world, acceleration) = on_slope(friction, 1e-3);
        run(&mut world, 300, |_| {});
        let speed = world.body(1).expect("the block").velocity().norm();
        let expected = acceleration * world.time();
        assert!((speed - expected).abs() <= 1e-6 * expected, "{speed} instead of {expected}");
    }
}

/// Largest deviation of the energy of a double pendulum over ten seconds, and the largest error of its joints.
fn pendulum(step: f64) -> (f64, f64) {
    let angle: f64 = 0.5;
    let (sin, cos) = angle.sin_cos();
    let rod = |r: f64| Body::block(0.1, 1.0).at(r * sin, -r * cos).angle(angle);
    let pin = |body: u32, to: BodyRef, at: [f64; 2]| Revolute::new(BodyRef::Body(body), [0.0, 0.5], to, at);
    let mut world = builder(step)
        .gravity(G)
        .body(rod(0.5))
        .body(rod(1.5))
        .joint(pin(0, BodyRef::Ground, [0.0, 0.0]))
        .joint(pin(1, BodyRef::Body(0), [0.0, -0.5]))
        .build()
        .expect("a pendulum");
    let start = world.energy().total();
    let (mut drift, mut open) = (0.0_f64, 0.0_f64);
    run(&mut world, (10.0 / step).round() as usize, |report| {
        drift = drift.max((report.energy - start).abs());
        open = open.max(report.joint_error);
    });
    (drift / (2.0 * G * (1.0 - cos)), open)
}

#[test]
fn the_energy_of_a_pendulum_converges_with_the_square_of_the_step() {
    let (coarse, open) = pendulum(H);
    let (fine, closed) = pendulum(0.25 * H);
    assert!(open <= 1e-10 && closed <= 1e-10, "{open} {closed}");
    assert!(coarse <= 1e-3, "{coarse}");
    let order = (coarse / fine).log(4.0);
    assert!((1.8..2.3).contains(&order), "{coarse} {fine}: order {order}");
}

#[test]
fn a_chain_with_a_heavy_ball_whips_and_stays_together() {
    let links = 20;
    let mut scene = builder(H).gravity(G);
    for k in 0..links {
        scene = scene.body(Body::block(0.5, 0.1).at(0.25 + 0.5 * f64::from(k), 0.0));
        let (to, at) =
            if k == 0 { (BodyRef::Ground, [0.0, 0.0]) } else { (BodyRef::Body(k - 1), [0.25, 0.0]) };
        scene = scene.joint(Revolute::new(BodyRef::Body(k), [-0.25, 0.0], to, at));
    }
    let last = BodyRef::Body(links - 1);
    let mut world = scene
        .body(Body::ball(0.3).mass(100.0).at(0.5 * f64::from(links), 0.0))
        .joint(Revolute::new(BodyRef::Body(links), [0.0, 0.0], last, [0.25, 0.0]))
        .build()
        .expect("a chain");
    let start = world.energy().total();
    run(&mut world, 600, |report| {
        assert!(report.joint_error <= 1e-10, "{} at {}", report.joint_error, report.time);
        assert!(report.penetration <= 1e-9);
        assert!(report.energy <= start + 1.0, "{}", report.energy);
    });
}

#[test]
fn bounces_give_back_their_share() {
    for restitution in [0.0, 0.5, 0.9, 1.0] {
        let mut world = builder(1e-3)
            .gravity(G)
            .body(Body::block(10.0, 2.0).fixed().at(0.0, -1.0).restitution(1.0))
            .body(Body::ball(0.5).at(0.0, 1.5).restitution(restitution))
            .build()
            .expect("a ball");
        let mut bounces = Vec::new();
        run(&mut world, 1000, |report| {
            let hits = report.events.iter().filter_map(|event| match event {
                Event::Collision { velocity_before, velocity_after, .. } => {
                    Some(-velocity_after / velocity_before)
                }
                _ => None,
            });
            bounces.extend(hits);
        });
        let first = bounces[0];
        assert!((first - restitution).abs() <= 1e-2, "{first} instead of {restitution}");
    }
}

#[test]
fn a_gas_of_elastic_discs_keeps_its_energy() {
    let mut numbers = Numbers(777);
    let wall = |w: f64, h: f64, x: f64, y: f64| Body::block(w, h).fixed().at(x, y).restitution(1.0);
    let mut scene = builder(H);
    for [w, h, x, y] in
        [[24.0, 2.0, 0.0, -1.0], [24.0, 2.0, 0.0, 21.0], [2.0, 24.0, -11.0, 10.0], [2.0, 24.0, 11.0, 10.0]]
    {
        scene = scene.body(wall(w, h, x, y));
    }
    for k in 0..60_u32 {
        let (sin, cos) = (std::f64::consts::TAU * numbers.next()).sin_cos();
        let (x, y) = (f64::from(k % 10) * 1.9 - 8.5, f64::from(k / 10) * 1.9 + 1.2);
        scene = scene.body(Body::ball(0.2).at(x, y).velocity(5.0 * cos, 5.0 * sin).restitution(1.0));
    }
    let mut world = scene.build().expect("a gas");
    let (start, mut hits) = (world.energy().total(), 0);
    run(&mut world, 600, |report| {
        hits += report.counters.collisions;
        assert!((report.energy - start).abs() <= 1e-9 * start, "{} of {start}", report.energy);
        assert!(report.penetration <= 1e-9);
    });
    assert!(hits > 100, "{hits} collisions");
}

#[test]
fn a_motor_of_limited_torque_speeds_up_and_holds() {
    let wheel = BodyRef::Body(0);
    let mut world = builder(H)
        .body(Body::ball(1.0).mass(2.0))
        .joint(Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(Joint::from(Motor::rotary(wheel, BodyRef::Ground, SpeedDrive { speed: 3.0, limit: 0.5 })))
        .build()
        .expect("a wheel");
    // ω = τ t / I with I = ½ m r² = 1.
    run(&mut world, 120, |_| {});
    let speed = world.body(0).expect("the wheel").angular_velocity();
    assert!((speed - 0.5 * world.time()).abs() <= 1e-9, "{speed}");
    assert!((world.reaction(1).expect("the motor").torque - 0.5).abs() <= 1e-9);
    run(&mut world, 600, |_| {});
    let speed = world.body(0).expect("the wheel").angular_velocity();
    assert!((speed - 3.0).abs() <= 1e-9, "{speed}");
}

#[test]
fn what_is_saved_goes_on_bit_for_bit() {
    let mut world = pile(steps_of(H), 16, 0.4, 9);
    run(&mut world, 90, |_| {});
    let text = serde_json::to_string(&world.snapshot()).expect("text");
    let mut other = pile(steps_of(H), 16, 0.4, 9);
    let saved: Snapshot = serde_json::from_str(&text).expect("a snapshot");
    other.restore(&saved).expect("the same bodies");
    run(&mut world, 60, |_| {});
    run(&mut other, 60, |_| {});
    assert_eq!(world.state(), other.state());
}

#[test]
fn what_it_cannot_do_is_refused() {
    let refused = |settings: Settings, path: &str| {
        let error = World::builder().settings(settings).build().expect_err("refused");
        assert!(matches!(&error, SimError::Unsupported { path: at, .. } if at == path), "{error}");
    };
    refused(Settings { energy_ledger: true, ..Settings::time_stepping() }, "settings.energy_ledger");
    let compliant = engine2d_sim::ContactModel::Compliant(engine2d_sim::CompliantContact::default());
    refused(Settings { contact_model: compliant, ..Settings::time_stepping() }, "settings.time_stepping");
    let world = builder(H).force_law(ForceLaw::gravity(1.0)).body(Body::ball(1.0)).build();
    assert!(world.is_ok());
}

/// The face of a block that turns comes nearer to a disc by its turning alone: that is no bounce, and the disc presses it away.
#[test]
fn what_turns_on_a_disc_is_pressed_away_and_keeps_its_energy() {
    let disc = Body::ball(0.5).fixed().restitution(0.5).at(0.0, 0.0);
    let block = Body::block(1.2, 0.4).mass(2.0).restitution(0.5).at(0.0, 0.7).spin(10.0);
    let mut world =
        World::builder().settings(steps_of(1.0 / 300.0)).body(disc).body(block).build().expect("a world");
    let energy = world.energy().total();
    run(&mut world, 10, |report| assert!(report.corrections.abs() <= 1e-6, "{}", report.corrections));
    let speed = world.bodies().nth(1).map_or(0.0, |block| block.velocity().norm());
    assert!(speed > 0.5, "{speed} m/s");
    assert!(
        (world.energy().total() - energy).abs() <= 5e-3 * energy,
        "{} of {energy}",
        world.energy().total()
    );
}

/// Balls between others strike each other by turns; what they give back fades, and so do they.
#[test]
fn no_contact_bounces_on_for_ever_within_a_step() {
    let floor = Body::block(4.0, 1.0).fixed().restitution(0.3).at(0.0, -0.5);
    let scene = World::builder().settings(steps_of(1.0 / 120.0)).gravity(9.81).body(floor);
    let ball =
        |k: u32| Body::ball(0.25).restitution(0.3).at(0.0, 0.45 + 0.5001 * f64::from(k)).velocity(0.0, -5.0);
    let mut world = (0..20).map(ball).fold(scene, WorldBuilder::body).build().expect("a world");
    run(&mut world, 60, |report| {
        let mut struck = std::collections::BTreeMap::new();
        for event in &report.events {
            if let Event::Collision { contact, .. } = event {
                *struck.entry(contact.primary.max(contact.normal_body)).or_insert(0) += 1;
            }
        }
        let most = struck.values().copied().max().unwrap_or(0);
        assert!(most <= 5, "{most} impacts of one contact at {}", report.time);
    });
}

/// In half a step the ends of the bars go farther than the bars are thick, or turn as far.
#[test]
fn bars_do_not_go_through_each_other() {
    // Speed, and place and angle of each bar that falls.
    let sloping = [0.5, 1.0, 1.5].map(|y| [0.1, y, y]);
    let upright = [[0.156, 0.6, 1.616], [-0.193, 1.5, 1.5566], [-0.026, 2.4, 0.5275]];
    for (speed, falling) in [(3.0, sloping), (5.0, sloping), (8.0, sloping), (9.57, upright)] {
        let bar = |x: f64, y: f64| Body::block(0.8, 0.02).mass(1.0).friction(0.2).restitution(0.0).at(x, y);
        let floor = Body::block(10.0, 5.0).fixed().friction(0.2).at(0.0, -2.5);
        let lying = [0.01, 0.03, 0.05].map(|y| bar(0.0, y));
        let falling = falling.map(|[x, y, angle]| bar(x, y).angle(angle).velocity(0.0, -speed));
        let scene = World::builder().settings(steps_of(0.025)).gravity(9.81).body(floor);
        let scene = lying.into_iter().chain(falling).fold(scene, WorldBuilder::body);
        let mut world = scene.build().expect("a world");
        run(&mut world, 80, |report| {
            let (depth, time) = (report.penetration, report.time);
            assert!(depth <= 1e-9, "{depth} deep at {time}, {speed} m/s");
        });
    }
}
