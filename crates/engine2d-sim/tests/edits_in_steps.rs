//! Changes between fixed steps: what is known of bodies that they do not concern stays.

use engine2d_constraint::{AngleLimit, Motor, Revolute, SpeedDrive};
use engine2d_sim::{Body, BodyRef, Settings, SteppingSolver, TimeStepping, World};

const H: f64 = 1.0 / 60.0;

fn settings(solver: SteppingSolver) -> Settings {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

/// A stack of 12 blocks at rest.
fn stack(solver: SteppingSolver) -> World {
    let floor = Body::block(20.0, 2.0).fixed().at(0.0, -1.0).friction(0.6);
    let mut scene = World::builder().settings(settings(solver)).gravity(9.81).body(floor);
    for k in 0..12 {
        scene = scene.body(Body::block(1.0, 1.0).at(0.0, 0.5 + f64::from(k)).friction(0.6));
    }
    let mut world = scene.build().expect("a stack");
    (0..600).for_each(|_| {
        world.advance(H).expect("a step");
    });
    world
}

/// Farthest way and largest residual of the stack in steps between which something else is changed.
fn disturbance(world: &mut World, mut change: impl FnMut(&mut World, u32)) -> [f64; 2] {
    let before = world.state();
    let mut worst = [0.0_f64; 2];
    for k in 0..40 {
        change(world, k);
        let report = world.advance(H).expect("a step");
        let moved =
            world.state()[..6 * 13].iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        worst = [worst[0].max(moved), worst[1].max(report.certificate)];
    }
    worst
}

#[test]
fn a_stack_at_rest_is_not_stirred_by_what_comes_and_goes_elsewhere() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let mut world = stack(solver);
        let comes_and_goes = |world: &mut World, k: u32| {
            let shape = if k.is_multiple_of(2) { Body::ball(0.3) } else { Body::block(0.5, 0.2) };
            let name = format!("guest {k}");
            world.add_body(shape.at(50.0 + f64::from(k), 3.0).named(&name)).expect("a body");
            if k >= 3 {
                world.remove_body(format!("guest {}", k - 3).as_str()).expect("a body");
            }
        };
        let [moved, residual] = disturbance(&mut world, comes_and_goes);
        assert!(moved <= 1e-9 && residual <= 1e-9, "{solver:?}: {moved} {residual}");
        world.add_body(Body::ball(0.3).at(-50.0, 3.0).named("far")).expect("a body");
        let pushed = |world: &mut World, k: u32| {
            world.apply_force("far", [1.0, f64::from(k)], [-50.0, 3.0]).expect("a force");
            world.set_velocity("far", [0.0, f64::from(k % 3)], 0.1).expect("a velocity");
        };
        let [moved, residual] = disturbance(&mut world, pushed);
        assert!(moved <= 1e-9 && residual <= 1e-9, "{solver:?}, pushed: {moved} {residual}");
    }
}

#[test]
fn what_is_under_goes_and_another_shape_takes_its_place() {
    for (solver, exact) in [(SteppingSolver::Exact, 1e-9), (SteppingSolver::Iterative, 0.02)] {
        let mut world = stack(solver);
        world.remove_body(1).expect("the lowest block");
        world.add_body(Body::ball(0.25).at(4.0, 0.25).named("ball").restitution(0.0)).expect("a ball");
        assert_eq!(world.body("ball").expect("the ball").id().index(), 1, "the place of the block");
        let mut deepest = 0.0_f64;
        for _ in 0..180 {
            deepest = deepest.max(world.advance(H).expect("a step").penetration);
        }
        let height = |place: usize| world.body(place).expect("a body").position().y;
        assert!((height(2) - 0.5).abs() <= exact && (height(1) - 0.25).abs() <= exact, "{}", height(2));
        assert!(deepest <= 2.0 * exact, "{deepest}");
    }
}

/// A body that hangs is pushed: its joint takes the push out along the rod, and does not turn it round.
#[test]
fn a_joint_takes_a_push_as_it_is() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let pin = Revolute::new(BodyRef::Ground, [0.0, 0.0], BodyRef::Body(0), [0.0, 1.0]);
        let scene = World::builder()
            .settings(settings(solver))
            .body(Body::ball(0.2).mass(2.0).at(0.0, -1.0).named("bob"));
        let mut world = scene.joint(pin).build().expect("a world");
        world.advance(10.0 * H).expect("steps");
        world.set_velocity("bob", [0.0, -1.0], 0.0).expect("a velocity");
        world.advance(H).expect("a step");
        let velocity = world.body("bob").expect("the bob").velocity();
        assert!(velocity.norm() <= 1e-9, "{solver:?}: {velocity}");
        // The momentum of the push, within the step.
        let force = world.reaction(0).expect("a reaction").force.norm();
        assert!((force - 2.0 / H).abs() <= 1e-6, "{solver:?}: {force}");
    }
}

/// Joints elsewhere are changed, taken away and made anew, as a controller does it.
#[test]
fn a_stack_at_rest_is_not_stirred_by_joints_elsewhere() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let mut world = stack(solver);
        world.add_body(Body::ball(0.3).at(50.0, 3.0).named("wheel")).expect("a body");
        let wheel = BodyRef::Body(13);
        let pin = || Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [50.0, 3.0]);
        world.add_joint(pin()).expect("a pin");
        let drive = SpeedDrive { speed: 1.0, limit: 10.0 };
        world.add_joint(Motor::rotary(wheel, BodyRef::Ground, drive)).expect("a motor");
        let [moved, residual] = disturbance(&mut world, |world, k| {
            world.edit_joint(1, |motor: &mut Motor| motor.set_speed(f64::from(k))).expect("a motor");
            if k % 5 == 4 {
                let motor = world.remove_joint(1).expect("the motor");
                world.add_joint(motor).expect("the motor again");
            }
        });
        assert!(moved <= 1e-9 && residual <= 1e-9, "{solver:?}: {moved} {residual}");
    }
}

/// A body goes whose pin stands before a pin and a limit of another: the limit, not reached yet, does not take the pin's place.
#[test]
fn what_is_known_of_a_joint_moves_up_with_it() {
    let swing = |guest: bool| {
        let bar = BodyRef::Body(0);
        let mut scene = World::builder()
            .settings(settings(SteppingSolver::Exact))
            .gravity(9.81)
            // It turns back in the second step.
            .body(Body::block(1.0, 0.2).at(0.5, 0.0).velocity(0.0, 0.14).spin(0.28).named("bar"))
            .body(Body::ball(0.2).at(-5.0, 0.0).named("guest"));
        if guest {
            scene = scene.joint(Revolute::new(BodyRef::Ground, [-5.0, 0.0], BodyRef::Body(1), [0.0, 0.0]));
        }
        let scene = scene.joint(Revolute::new(BodyRef::Ground, [0.0, 0.0], bar, [-0.5, 0.0]));
        let mut world =
            scene.joint(AngleLimit::new(bar, BodyRef::Ground, -0.1, 0.5)).build().expect("a bar that swings");
        world.advance(H).expect("a step");
        world.remove_body("guest").expect("the guest");
        world.advance(H).expect("a step");
        let bar = world.body("bar").expect("the bar");
        [bar.angle(), bar.spin()]
    };
    let (with, without) = (swing(true), swing(false));
    assert!(without[1] < -0.1, "it falls: {}", without[1]);
    assert!(with.iter().zip(without).all(|(a, b)| (a - b).abs() <= 1e-12), "{with:?} {without:?}");
}

/// A pendulum whose last joint goes: it falls freely, and nothing holds it any more.
#[test]
fn the_last_joint_goes() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let pin = Revolute::new(BodyRef::Ground, [0.0, 0.0], BodyRef::Body(0), [0.0, 1.0]);
        let scene = World::builder().settings(settings(solver)).gravity(9.81);
        let mut world = scene.body(Body::ball(0.2).at(0.0, -1.0)).joint(pin).build().expect("a pendulum");
        world.advance(10.0 * H).expect("steps");
        world.remove_joint(0).expect("the pin");
        let report = world.advance(10.0 * H).expect("steps");
        assert!(report.contacts.is_empty() && report.joint_error == 0.0);
        let velocity = world.body(0).expect("the bob").velocity();
        assert!((velocity.y + 9.81 * 10.0 * H).abs() <= 1e-12, "{solver:?}: {velocity}");
    }
}

/// A state saved after a body has come and before the next step is taken back as any other, and goes on with the same bits.
#[test]
fn a_state_with_a_body_that_has_just_come_is_restored() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let mut world = stack(solver);
        world.add_body(Body::ball(0.3).at(3.0, 5.0).named("guest")).expect("a body");
        let saved = world.snapshot();
        let run = |world: &mut World| {
            (0..60).for_each(|_| _ = world.advance(H).expect("a step"));
            world.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>()
        };
        let whole = run(&mut world);
        world.restore(&saved).expect("the state before");
        assert!(run(&mut world) == whole, "{solver:?}");
    }
}

/// A body that was led falls once the joints that led it are switched off or taken away, and lands; by the iterative solver it fell through the floor.
#[test]
fn what_is_led_no_longer_lands() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        for takes in [false, true] {
            let floor = Body::block(20.0, 2.0).fixed().at(0.0, -1.0);
            let led =
                Body::block(0.6, 0.2).at(0.0, 1.0).moving([0.0, 0.0], 0.0).restitution(0.0).named("led");
            let scene = World::builder().settings(settings(solver)).gravity(9.81).body(floor).body(led);
            let mut world = scene.build().expect("a led body");
            (0..10).for_each(|_| drop(world.advance(H).expect("a step")));
            let height = |world: &World| world.body("led").expect("a body").position().y;
            assert!((height(&world) - 1.0).abs() < 1e-9, "it is held at {}", height(&world));
            for k in (0..3).rev() {
                if takes {
                    world.remove_joint(k).expect("a joint");
                } else {
                    world.edit().enable_joint(k, false).expect("a joint");
                }
            }
            (0..120).for_each(|_| drop(world.advance(H).expect("a step")));
            assert!((height(&world) - 0.1).abs() < 5e-3, "{solver:?} {takes}: it is at {}", height(&world));
        }
    }
}
