//! The iterative solver of fixed steps: as good as soft contacts are, with joints that do not stretch, and told as what it is.

use crate::rig::pile::pile;
use engine2d_constraint::{AngleLimit, Joint, Motor, Revolute, SpeedDrive};
use engine2d_math::{Vec2, perp};
use engine2d_sim::{
    Body, BodyRef, Event, ForceLaw, Settings, SimError, Snapshot, StepReport, SteppingSolver, TimeStepping,
    World, WorldBuilder,
};

const G: f64 = 9.81;
const H: f64 = 1.0 / 60.0;

fn iterative(step: f64) -> Settings {
    let choice = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
    Settings { time_step: step, time_stepping: Some(choice), ..Settings::default() }
}

fn builder(step: f64) -> WorldBuilder {
    World::builder().settings(iterative(step))
}

fn run(world: &mut World, steps: usize, mut look: impl FnMut(&StepReport)) {
    let step = world.settings().time_step;
    for _ in 0..steps {
        look(&world.advance(step).expect("a step"));
    }
}

fn stack(count: u32) -> World {
    let mut scene = builder(H).gravity(G).body(Body::block(20.0, 2.0).fixed().at(0.0, -1.0).friction(0.6));
    for k in 0..count {
        scene = scene.body(Body::block(1.0, 1.0).at(0.0, 0.5 + f64::from(k)).friction(0.6));
    }
    scene.build().expect("a stack")
}

/// Soft contacts sag by what they carry: `g = N γ/β` a contact of two points, half of it between blocks and ground. That is what
/// the peers with these parameters show too: 13 mm at the bottom of 20 blocks, 0.133 m at the top.
#[test]
fn a_stack_sags_as_soft_contacts_do_and_stands() {
    let mut world = stack(20);
    run(&mut world, 1200, |_| {});
    let top = world.body(20).expect("the top").position();
    assert!((top.y - 19.5 + 0.133).abs() <= 2e-3, "{}", top.y - 19.5);
    assert!(top.x.abs() <= 1e-8, "{}", top.x);
    let report = world.advance(H).expect("a step");
    assert!((report.penetration - 0.0131).abs() <= 3e-4, "{}", report.penetration);
    let ground: f64 = report
        .contacts
        .iter()
        .filter(|c| [c.id.primary, c.id.normal_body].contains(&BodyRef::Body(0)))
        .map(|c| c.force)
        .sum();
    assert!((ground - 20.0 * G).abs() <= 1e-9 * ground, "{ground}");
    assert!(
        report.certificate <= 1e-9,
        "at rest the velocities satisfy the conditions: {}",
        report.certificate
    );
}

/// What is not solved is told: while a pile falls the residual is large, at rest it is small.
#[test]
fn the_residual_is_measured() {
    let mut world = pile(iterative(H), 40, 0.5, 3);
    let (mut falling, mut deep) = (0.0_f64, 0.0_f64);
    run(&mut world, 120, |report| {
        falling = falling.max(report.certificate);
        deep = deep.max(report.penetration);
    });
    assert!((1e-3..2.0).contains(&falling) && (1e-4..0.3).contains(&deep), "{falling} {deep}");
    run(&mut world, 900, |_| {});
    let report = world.advance(H).expect("a step");
    assert!(report.certificate <= 0.1 * falling, "{} after {falling}", report.certificate);
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above_it() {
    for share in [-0.005, 0.005_f64] {
        let friction: f64 = 0.5;
        let angle = friction.atan() * (1.0 + share);
        let (sin, cos) = angle.sin_cos();
        let mut world = builder(H)
            .gravity(G)
            .body(Body::block(200.0, 2.0).fixed().angle(-angle).friction(friction))
            .body(Body::block(1.0, 0.5).angle(-angle).at(1.25 * sin, 1.25 * cos).friction(friction))
            .build()
            .expect("a slope");
        run(&mut world, 60, |_| {});
        let before = world.body(1).expect("the block").velocity().norm();
        run(&mut world, 240, |_| {});
        let gained = (world.body(1).expect("the block").velocity().norm() - before) / 4.0;
        let expected = (G * (sin - friction * cos)).max(0.0);
        assert!((gained - expected).abs() <= 1e-9, "{gained} instead of {expected}");
    }
}

#[test]
fn bounces_give_back_their_share() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut world = builder(1e-3)
            .gravity(G)
            .body(Body::block(10.0, 2.0).fixed().at(0.0, -1.0).restitution(1.0))
            .body(Body::ball(0.5).at(0.0, 1.5).restitution(restitution))
            .build()
            .expect("a ball");
        let mut hits = 0;
        run(&mut world, 600, |report| {
            hits += report.events.iter().filter(|e| matches!(e, Event::Collision { .. })).count();
        });
        let speed = world.body(1).expect("the ball").velocity().y;
        let fall = (2.0 / G).sqrt();
        let expected = if restitution > 0.0 { restitution * G * fall - G * (0.6 - fall) } else { 0.0 };
        assert!((speed - expected).abs() <= 0.05, "{speed} instead of {expected} with {restitution}");
        assert!(hits >= 1);
    }
}

#[test]
fn motors_limits_and_springs_act() {
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
    assert!((world.body(0).expect("the wheel").angular_velocity() - 3.0).abs() <= 1e-9);

    let mut world = builder(H)
        .gravity(G)
        .body(Body::block(1.0, 0.1).at(0.5, 0.0))
        .joint(Revolute::new(wheel, [-0.5, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(AngleLimit::new(wheel, BodyRef::Ground, -0.3, 0.3))
        .build()
        .expect("a flap");
    run(&mut world, 360, |report| assert!(report.joint_error <= 1e-9));
    let angle = world.body(0).expect("the flap").angle();
    assert!((angle + 0.3).abs() <= 1e-6, "{angle}");
}

#[test]
fn what_is_saved_goes_on_bit_for_bit() {
    let mut world = pile(iterative(H), 30, 0.4, 9);
    run(&mut world, 90, |_| {});
    let text = serde_json::to_string(&world.snapshot()).expect("text");
    let mut other = pile(iterative(H), 30, 0.4, 9);
    let saved: Snapshot = serde_json::from_str(&text).expect("a snapshot");
    other.restore(&saved).expect("the same bodies");
    run(&mut world, 60, |_| {});
    run(&mut other, 60, |_| {});
    assert_eq!(world.state(), other.state());
}

#[test]
fn no_substeps_are_refused() {
    let choice = TimeStepping { substeps: 0, ..TimeStepping::default() };
    let settings = Settings { time_stepping: Some(choice), ..Settings::default() };
    let error = World::builder().settings(settings).build().expect_err("refused");
    assert!(
        matches!(&error, SimError::Value { path, .. } if path.ends_with("time_stepping.substeps")),
        "{error}"
    );
}

/// With too little time the exact solver gives way, and comes back; either way joints hold and nothing is thrown about.
#[test]
fn auto_is_exact_where_that_is_cheap() {
    let auto = |budget_ms: f64| {
        let choice = TimeStepping { solver: SteppingSolver::Auto, budget_ms, ..TimeStepping::default() };
        Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
    };
    for (budget, exact) in [(1e9, 200), (0.2, 20)] {
        let mut world = pile(auto(budget), 25, 0.5, 5);
        let (start, mut certified) = (world.energy().total(), 0);
        run(&mut world, 200, |report| {
            certified += usize::from(report.certificate <= 1e-9);
            assert!(report.energy <= start * 1.001, "{} of {start}", report.energy);
            assert!(report.penetration <= 0.1, "{}", report.penetration);
        });
        let all = exact == 200;
        assert!(
            if all { certified == 200 } else { (exact..190).contains(&certified) },
            "{budget}: {certified}"
        );
    }
    let mut world = pile(auto(0.2), 25, 0.5, 5);
    run(&mut world, 90, |_| {});
    let text = serde_json::to_string(&world.snapshot()).expect("text");
    let mut other = pile(auto(0.2), 25, 0.5, 5);
    other.restore(&serde_json::from_str(&text).expect("a snapshot")).expect("the same bodies");
    run(&mut world, 60, |_| {});
    run(&mut other, 60, |_| {});
    assert_eq!(world.state(), other.state());
}

/// Impulses of before are given pair by pair where there are joints, else by what they changed in the substep before: it is the same.
#[test]
fn a_joint_elsewhere_changes_nothing() {
    let heap = |joint: bool| {
        let mut scene =
            builder(H).gravity(G).body(Body::block(40.0, 2.0).fixed().at(0.0, -1.0).friction(0.6));
        for k in 0..12 {
            let at = (f64::from(k % 4) * 0.9 - 1.0, 0.6 + 1.05 * f64::from(k / 4));
            let body =
                if k % 3 == 0 { Body::ball(0.45).rolling_resistance(0.02) } else { Body::block(0.8, 0.9) };
            scene = scene.body(body.at(at.0, at.1).friction(0.4));
        }
        scene = scene.body(Body::block(0.5, 0.1).at(15.25, 5.0));
        if joint {
            let (bar, end) = (BodyRef::Body(13), [-0.25, 0.0]);
            scene = scene.joint(Revolute::new(bar, end, BodyRef::Ground, [15.0, 5.0]));
        }
        let mut world = scene.build().expect("a heap");
        run(&mut world, 45, |_| {});
        world.state()
    };
    let (with, without) = (heap(true), heap(false));
    for (k, (a, b)) in with.iter().zip(&without).enumerate().take(6 * 13) {
        assert!((a - b).abs() <= 1e-8, "variable {k}: {a} and {b}");
    }
    assert!((with[6 * 13 + 2] - without[6 * 13 + 2]).abs() > 0.5, "the bar hangs or falls");
}

/// Rows of pins alone are written down by how bodies have moved, those of all other joints by the general look: it is the same, in a
/// ring, a rope, at a body that is held, with forces that change on the way, and when joints come and go.
#[test]
fn pins_alone_move_as_beside_another_joint() {
    let tangle = |other: bool, damping: f64| {
        let b = BodyRef::Body;
        let bar = || Body::block(1.0, 0.1).center_of_mass(0.2, 0.03);
        let post = || Body::block(0.1, 1.0);
        let held = Body::ball(0.1).fixed().angle(0.4).at(-(0.4_f64.cos()), -(0.4_f64.sin()));
        let mut scene = builder(H)
            .gravity(G)
            .body(held)
            .body(bar().at(0.7, 0.03))
            .body(post().at(1.0, -0.5))
            .body(bar().at(0.7, -0.97))
            .body(post().at(0.0, -0.5))
            .body(bar().at(1.2, -1.27))
            .body(bar().at(2.2, -1.27))
            .body(bar().at(10.7, 0.03))
            .body(Body::ball(0.3).at(40.0, 0.0))
            .joint(Revolute::new(b(0), [1.0, 0.0], b(1), [-0.5, 0.0]))
            .joint(Revolute::new(b(1), [0.5, 0.0], b(2), [0.0, 0.5]))
            .joint(Revolute::new(b(2), [0.0, -0.5], b(3), [0.5, 0.0]))
            .joint(Revolute::new(b(3), [-0.5, 0.0], b(4), [0.0, -0.5]))
            .joint(Revolute::new(b(4), [0.0, 0.5], b(1), [-0.5, 0.0]))
            .joint(Revolute::new(b(3), [0.0, -0.3], b(5), [-0.5, 0.0]))
            .joint(Revolute::new(b(5), [0.5, 0.0], b(6), [-0.5, 0.0]))
            .joint(Revolute::new(BodyRef::Ground, [10.0, 0.0], b(7), [-0.5, 0.0]));
        if damping > 0.0 {
            scene = scene.force_law(ForceLaw::Damping { damping, rotate_ratio: 0.1, bodies: None });
        }
        if other {
            scene = scene.joint(AngleLimit::new(b(8), BodyRef::Ground, -1.0, 1.0));
        }
        let mut world = scene.build().expect("a tangle");
        run(&mut world, 20, |report| assert!(report.joint_error <= 1e-10, "{}", report.joint_error));
        world.remove_joint(6).expect("the end of the rope");
        run(&mut world, 10, |_| {});
        world.edit().enable_joint(0, false).expect("what all hangs on");
        run(&mut world, 10, |report| assert!(report.joint_error <= 1e-10, "{}", report.joint_error));
        world.state()
    };
    for damping in [0.0, 0.3] {
        let (alone, beside) = (tangle(false, damping), tangle(true, damping));
        for (k, (a, b)) in alone.iter().zip(&beside).enumerate() {
            assert!((a - b).abs() <= 1e-8, "variable {k}: {a} and {b}");
        }
    }
}

#[test]
fn steps_allocate_nothing_once_warm() {
    let mut scene = builder(H).gravity(G).body(Body::block(40.0, 2.0).fixed().at(0.0, -1.0).friction(0.6));
    for k in 0..20 {
        let body = if k % 4 == 0 { Body::ball(0.5) } else { Body::block(1.0, 1.0) };
        scene = scene.body(body.at(1.5 * f64::from(k % 5), 0.5 + f64::from(k / 5)).friction(0.6));
    }
    for k in 0..10 {
        scene = scene.body(Body::block(0.5, 0.1).at(-5.0 - 0.5 * f64::from(k), 8.0));
        let (bar, end) = (BodyRef::Body(21 + k), [0.25, 0.0]);
        let (to, at) =
            if k == 0 { (BodyRef::Ground, [-4.75, 8.0]) } else { (BodyRef::Body(20 + k), [-0.25, 0.0]) };
        scene = scene.joint(Revolute::new(bar, end, to, at));
    }
    // A bar that turns by a radian in a step, near the ground: steps in stretches.
    scene = scene.body(Body::block(0.5, 0.1).at(15.0, 0.3).angular_velocity(60.0));
    scene = scene.joint(Revolute::new(BodyRef::Body(31), [0.0, 0.0], BodyRef::Ground, [15.0, 0.3]));
    let mut world = scene.build().expect("a heap beside a chain");
    let mut report = StepReport::default();
    let mut steps = |count: usize| {
        for _ in 0..count {
            world.probe().advance_into(H, &mut report).expect("a step");
        }
    };
    steps(600);
    let counted = allocation_counter::measure(|| steps(60));
    assert_eq!(counted.count_total, 0);
    assert!(world.body(31).expect("the bar").angular_velocity() > 55.0);
}

/// A light block, `turning` (radians/time), between the floor and a heavy one.
fn spinner(turning: f64, friction: f64) -> World {
    let scene = builder(H).gravity(G).body(Body::block(40.0, 2.0).fixed().at(0.0, -1.0).friction(friction));
    let light = Body::block(1.4, 0.4).at(0.0, 0.75).angular_velocity(turning).mass(0.1).friction(friction);
    let heavy = Body::block(1.4, 1.4).at(0.2, 2.2).velocity(0.0, -2.0).mass(50.0).friction(friction);
    scene.body(light).body(heavy).build().expect("a block that turns")
}

/// It turns by 0.6 to 1.5 radians a step: the corner that comes down within a step is none of what is near when the step begins. By that
/// alone it gets up to 0.16 deep; the heavy one falls by 0.033 in a step.
#[test]
fn a_corner_that_comes_down_within_a_step_is_met() {
    for turning in [36.0, 48.0, 60.0, 90.0, -48.0] {
        let mut world = spinner(turning, 0.0);
        let mut deepest: f64 = 0.0;
        run(&mut world, 120, |report| deepest = deepest.max(report.penetration));
        assert!(deepest <= 0.08, "{deepest} deep at {turning}");
    }
}

/// What a step tells of forces is what changed the momenta, in however many stretches it went.
#[test]
fn the_forces_told_of_a_step_are_what_changed_the_momenta() {
    let mut contacts = 0;
    for (turning, friction) in [(5.0, 0.4), (48.0, 0.4), (-90.0, 0.2), (60.0, 0.0)] {
        let mut world = spinner(turning, friction);
        let momentum = |world: &World, k: u32| {
            let body = world.body(k as usize).expect("a body");
            body.velocity() * body.mass()
        };
        for _ in 0..120 {
            let before = [1, 2].map(|k| momentum(&world, k));
            let report = world.advance(H).expect("a step");
            contacts += report.contacts.len();
            for (k, before) in [1, 2].into_iter().zip(before) {
                let force = Vec2::new(0.0, -G * world.body(k as usize).expect("a body").mass());
                let force = report.contacts.iter().fold(force, |sum, contact| {
                    let push = contact.normal * contact.force + perp(contact.normal) * contact.friction;
                    let sign =
                        [contact.id.primary, contact.id.normal_body].map(|body| body == BodyRef::Body(k));
                    sum + push * (f64::from(u8::from(sign[0])) - f64::from(u8::from(sign[1])))
                });
                let missing = (momentum(&world, k) - before - force * H).norm();
                assert!(missing <= 1e-10, "{missing} of body {k} at {turning}, {}", report.time);
            }
        }
    }
    assert!(contacts > 120, "{contacts} contacts");
}
