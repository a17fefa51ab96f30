//! Joints of the library in a world: reactions, motors, limits with restitution, breaking.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::{AngleLimit, Mass, Measure, Mechanism, Motor, Revolute, SpeedDrive, Weld};
use engine2d_math::{Pose, Vec2};
use engine2d_sim::{Body, BodyRef, Event, Joint, Settings, SimError, World};

const G: f64 = 9.81;

/// Two bars, hinged to the ground and to each other, at the angles given and turning.
fn double_pendulum(angles: [f64; 2], speeds: [f64; 2]) -> (World, Mechanism) {
    let place = |k: usize, from: [f64; 2]| {
        let (sin, cos) = angles[k].sin_cos();
        ([from[0] + sin, from[1] - cos], [from[0] + 2.0 * sin, from[1] - 2.0 * cos])
    };
    let (first, knee) = place(0, [0.0, 0.0]);
    let (second, _) = place(1, knee);
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let inertia = 2.0 * (0.1 * 0.1 + 2.0 * 2.0) / 12.0;
    let bodies = [(first, angles[0]), (second, angles[1])]
        .map(|([x, y], angle)| m.add_body(Mass::new(2.0, inertia), Pose::new(x, y, angle)).unwrap());
    let pins = [
        m.add(Revolute::new(bodies[0], [0.0, 1.0], BodyRef::Ground, [0.0, 0.0])).unwrap(),
        m.add(Revolute::new(bodies[1], [0.0, 1.0], bodies[0], [0.0, -1.0])).unwrap(),
    ];
    // Velocities of the centres: the first turns about the pin, the second about the knee.
    let turn = |r: [f64; 2], omega: f64| [-omega * r[1], omega * r[0]];
    let v1 = turn(first, speeds[0]);
    let vk = turn(knee, speeds[0]);
    let from_knee = turn([second[0] - knee[0], second[1] - knee[1]], speeds[1]);
    let v2 = [vk[0] + from_knee[0], vk[1] + from_knee[1]];
    m.set_velocities(&[v1[0], v1[1], speeds[0], v2[0], v2[1], speeds[1]]).unwrap();
    let _ = pins;
    let bar = |[x, y]: [f64; 2], angle: f64, v: [f64; 2], omega: f64| {
        Body::block(0.1, 2.0).mass(2.0).moment(inertia).at(x, y).angle(angle).velocity(v[0], v[1]).spin(omega)
    };
    let world = World::builder()
        .gravity(G)
        .body(bar(first, angles[0], v1, speeds[0]))
        .body(bar(second, angles[1], v2, speeds[1]))
        .joint(Revolute::new(BodyRef::Body(0), [0.0, 1.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(Revolute::new(BodyRef::Body(1), [0.0, 1.0], BodyRef::Body(0), [0.0, -1.0]))
        .build()
        .unwrap();
    (world, m)
}

#[test]
fn a_world_and_a_mechanism_have_the_same_accelerations_and_reactions() {
    for (angles, speeds) in [([0.4, 0.9], [0.0, 0.0]), ([0.4, -1.2], [1.5, -2.0])] {
        let (mut world, mut mechanism) = double_pendulum(angles, speeds);
        let answer = mechanism.solve_accelerations().unwrap();
        let found = world.probe().accelerations(0.0, &mut |_| {}).unwrap();
        for (a, expected) in found.as_flattened().iter().zip(answer.accelerations()) {
            assert!((a - expected).abs() < 1e-9, "{found:?} {:?}", answer.accelerations());
        }
        // Multipliers: x and y of each pin on its first body, whatever the sign of the rows.
        let reaction = world.reaction(0).unwrap();
        let [fx, fy] = [answer.multipliers()[0], answer.multipliers()[1]];
        let size = (reaction.force.x.hypot(reaction.force.y) - fx.hypot(fy)).abs();
        assert!(size < 1e-9, "{reaction:?} {fx} {fy}");
        assert!(reaction.torque.abs() < 1e-9, "a pin has no torque: {reaction:?}");
    }
}

#[test]
fn a_motor_of_limited_torque_takes_its_time_and_holds_its_speed() {
    let wheel = BodyRef::Body(0);
    let mut world = World::builder()
        .body(Body::ball(0.5).mass(2.0))
        .joint(Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(
            Joint::new(Motor::rotary(wheel, BodyRef::Ground, SpeedDrive { speed: 6.0, limit: 1.5 }))
                .named("drive"),
        )
        .build()
        .unwrap();
    // I = m r²/2 = 1/4: the torque makes 6 per second in one second.
    world.advance(0.5).unwrap();
    assert!((world.body(0).unwrap().spin() - 3.0).abs() < 1e-9);
    let drive = world.joint("drive").unwrap();
    assert!((world.reaction(drive).unwrap().torque.abs() - 1.5).abs() < 1e-9);
    world.advance(0.5).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.body(0).unwrap().spin() - 6.0).abs() < 1e-9);
    assert!(world.reaction(drive).unwrap().torque.abs() < 1e-9, "nothing brakes it");
    world.edit_joint(drive, |motor: &mut Motor| motor.set_speed(-6.0)).unwrap();
    world.advance(1.0).unwrap();
    assert!(world.body(0).unwrap().spin().abs() < 1e-9, "half way back");
}

#[test]
fn a_limit_gives_back_what_its_restitution_says() {
    let bar = BodyRef::Body(0);
    let mut world = World::builder()
        .body(Body::block(1.0, 0.2).spin(2.0))
        .joint(Revolute::new(bar, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(Joint::new(AngleLimit::new(bar, BodyRef::Ground, -1.0, 1.0)).restitution(0.5))
        .build()
        .unwrap();
    // At 1 after half a second, back with half the speed.
    world.advance(1.5).unwrap();
    let body = world.body(0).unwrap();
    assert!(
        (body.spin() + 1.0).abs() < 1e-9 && body.angle().abs() < 1e-9,
        "{} {}",
        body.spin(),
        body.angle()
    );
}

#[test]
fn a_joint_breaks_at_its_strength_and_says_so() {
    let build = |strength: f64| {
        World::builder()
            .gravity(G)
            .body(Body::block(1.0, 0.2).mass(3.0).at(0.5, 0.0))
            .joint(
                Joint::new(Weld::new(
                    (BodyRef::Body(0), Vec2::new(-0.5, 0.0), 0.0),
                    (BodyRef::Ground, Vec2::zeros(), 0.0),
                ))
                .named("bracket")
                .break_force(strength),
            )
            .build()
            .unwrap()
    };
    let mut strong = build(3.0 * G * 1.001);
    assert!(strong.advance(1.0).unwrap().events().is_empty());
    let reaction = strong.reaction(0).unwrap();
    assert!(
        (reaction.force.y - 3.0 * G).abs() < 1e-9 && (reaction.torque - 1.5 * G).abs() < 1e-9,
        "{reaction:?}"
    );
    let mut weak = build(3.0 * G * 0.999);
    let report = weak.advance(1.0).unwrap();
    let broken =
        report.events().iter().find(|e| matches!(e, Event::Broken { name, .. } if name == "bracket"));
    assert!(broken.is_some(), "{:?}", report.events());
    assert!(weak.body(0).unwrap().position().y < -4.0, "it falls from then on");
}

#[test]
fn joints_need_located_events() {
    let error = World::builder()
        .settings(Settings::backtracking())
        .body(Body::ball(0.5))
        .joint(Revolute::new(BodyRef::Body(0), [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .build()
        .unwrap_err();
    assert!(matches!(&error, SimError::Unsupported { path, .. } if path == "joints[0]"), "{error}");
}

/// A motor that has driven its body against a stop goes on pushing with all its force.
#[test]
fn a_motor_pushes_against_the_stop_that_it_meets() {
    for start in [-0.5, 0.0] {
        let mut world = World::builder()
            .body(Body::block(1.0, 1.0).angle(start))
            .joint(Revolute::new(BodyRef::Body(0), [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
            .joint(Motor::rotary(BodyRef::Body(0), BodyRef::Ground, SpeedDrive { speed: 1.0, limit: 5.0 }))
            .joint(AngleLimit::new(BodyRef::Body(0), BodyRef::Ground, -10.0, 0.0))
            .build()
            .unwrap();
        world.advance(1.0).unwrap();
        assert!(world.body(0).unwrap().angle().abs() < 1e-9);
        let (motor, stop) = (world.reaction(1).unwrap(), world.reaction(2).unwrap());
        assert!((motor.torque - 5.0).abs() < 1e-9, "from {start}: {motor:?}");
        assert!((stop.torque + 5.0).abs() < 1e-9, "from {start}: {stop:?}");
    }
}

/// A joint that holds less than it bears from the start breaks at the start.
#[test]
fn an_overloaded_joint_breaks_at_once() {
    let mut world = World::builder()
        .gravity(9.81)
        .body(Body::block(1.0, 1.0).at(0.5, 3.0))
        .joint(
            Joint::new(Weld::new(
                (BodyRef::Body(0), Vec2::zeros(), 0.0),
                (BodyRef::Ground, Vec2::new(0.5, 3.0), 0.0),
            ))
            .break_force(9.7),
        )
        .build()
        .unwrap();
    let report = world.advance(0.5).unwrap();
    let broken = report.events().iter().find(|e| matches!(e, Event::Broken { .. })).unwrap();
    assert_eq!(broken.time(), 0.0);
    assert!((world.body(0).unwrap().position().y - (3.0 - 0.5 * 9.81 * 0.25)).abs() < 1e-9);
}

/// What demands what cannot be stops the run with the bodies that are concerned, whatever it is that is demanded twice.
#[test]
fn contradictions_are_told() {
    let (turning, free) = (BodyRef::Body(0), f64::INFINITY);
    let drive = |speed| Motor::rotary(turning, BodyRef::Ground, SpeedDrive { speed, limit: free });
    let driven = || {
        let body = World::builder().body(Body::block(1.0, 1.0));
        body.joint(Revolute::new(turning, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0])).joint(drive(2.0))
    };
    let stopped = driven().joint(AngleLimit::new(turning, BodyRef::Ground, -0.1, 0.1));
    for scene in [driven().joint(drive(1.0)), stopped] {
        let mut world = scene.build().unwrap();
        match world.advance(1.0) {
            Err(SimError::Unsolved { bodies, .. }) => assert!(bodies.contains(&turning), "{bodies:?}"),
            other => panic!("{other:?}"),
        }
    }
}

/// A motor that pulls a mass of 2 to a point with 0.5 m/s and at most 30 N keeps it there: what goes through it has the opposite rate, and
/// is back after the way `v²/2a` and the time `2 v/a`.
#[test]
fn a_motor_that_draws_to_a_point_holds_there() {
    let ball = BodyRef::Body(0);
    for limit in [30.0, 300.0] {
        let point = Measure::distance((ball, [0.0, 0.0]), (BodyRef::Ground, [0.0, 3.0]));
        let drive = Motor::new(point, SpeedDrive { speed: -0.5, limit });
        let mut world = World::builder().body(Body::ball(0.2).mass(2.0)).joint(drive).build().unwrap();
        world.advance(5.0).unwrap();
        assert!((world.body(0).unwrap().position().y - (2.5 - 0.25 / limit)).abs() < 1e-9);
        world.advance(1.0).unwrap();
        let farthest = 0.25 / (2.0 * 0.5 * limit);
        for _ in 0..200 {
            world.advance(0.01).unwrap();
            let ball = world.body(0).unwrap();
            let off = (ball.position().y - 3.0).abs();
            assert!(off <= farthest + 1e-6 && ball.velocity().y.abs() <= 0.5 + 1e-6, "{limit}: {off}");
        }
    }
}
