//! Mechanisms of the library stepped through the `Constrainer` trait alone, against their direct solution.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::constrainer::{Constrainer, LibraryConstrainer, RowInfo, Update};
use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};
use engine2d_sim::{ConstrainedEuler, StepError};

const G: f64 = 9.81;

/// A cart on a track, a pendulum on the cart through a soft joint, a wheel in mesh with another on the pendulum, a speed
/// held, a point on a path: bilateral rows of every level.
fn machine() -> Mechanism {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let cart = m.add_body(Mass::new(2.0, 0.5), Pose::new(0.1, 0.0, 0.0)).unwrap();
    let bar = m.add_body(Mass::new(1.0, 0.2).centered_at([0.5, 0.1]), Pose::new(0.1, 0.0, -0.8)).unwrap();
    let wheel = m.add_body(Mass::disc(0.4, 0.2), Pose::new(0.8, -0.7, 0.3)).unwrap();
    let free = m.add_body(Mass::new(0.7, 0.1), Pose::new(2.0, 1.0, 0.2)).unwrap();
    m.set_velocities(&[0.4, 0.0, 0.0, 0.4, 0.0, 1.1, 1.0, 0.8, -0.5, 0.3, 0.1, 0.9]).unwrap();
    m.set_applied(cart, [3.0, 0.0, 0.0]).unwrap();
    m.add(Prismatic::new(cart, [0.0, 0.0], BodyId::GROUND, [0.0, 0.0], [1.0, 0.0], 0.0)).unwrap();
    m.add(Revolute::new(bar, [0.0, 0.0], cart, [0.0, 0.0])).unwrap();
    m.add(Revolute::new(wheel, [0.0, 0.0], bar, [1.0, 0.0])).unwrap();
    m.add(GearMesh::external((wheel, Vec2::zeros(), 0.2), (cart, Vec2::zeros(), 0.8)).meshed_at(m.motions()))
        .unwrap();
    m.add(Prescribed::speed((free, Coordinate::Angle), 1.2)).unwrap();
    m.add(Prescribed::acceleration((free, Coordinate::X), -0.7)).unwrap();
    let soft = m.add(Rod::new(free, [0.1, 0.0], bar, [0.5, 0.0], 1.5)).unwrap();
    m.set_compliance(soft, SpringDamper { compliance: 2e-3, damping: 1.5 }).unwrap();
    let spring = m.add(Rod::new(free, [0.0, 0.2], BodyId::GROUND, [2.0, 3.0], 1.4)).unwrap();
    m.set_compliance(spring, Compliance::law(CubicSpring { linear: 20.0, cubic: 300.0 }, 0.8)).unwrap();
    let off = m.add(Revolute::to_ground(free, [5.0, 5.0])).unwrap();
    m.set_enabled(off, false).unwrap();
    m
}

/// The velocities after `h` by the mechanism's own problem and a solver.
fn direct(m: &mut Mechanism, h: f64) -> Vec<f64> {
    let mut problem = Problem::new();
    m.velocity_problem(h, &mut problem).unwrap();
    let impulses = problem.solve().unwrap();
    m.apply_impulses(&problem, &impulses).unwrap();
    m.velocities()
}

fn velocities(system: &ConstrainedEuler) -> Vec<f64> {
    system.motions().iter().flat_map(|m| [m.velocity.x, m.velocity.y, m.angular_velocity]).collect()
}

fn near(a: &[f64], b: &[f64], within: f64) {
    assert_eq!(a.len(), b.len());
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= within * b.abs().max(1.0), "{k}: {a} {b}");
    }
}

#[test]
fn a_step_through_the_trait_is_the_step_of_the_mechanism() {
    let mut m = machine();
    m.assemble().unwrap();
    let h = 5e-3;
    let mut system = ConstrainedEuler::of_mechanism(&m);
    system.step(h).unwrap();
    near(&velocities(&system), &direct(&mut m, h), 1e-12);
}

#[test]
fn small_steps_have_the_accelerations_and_forces_of_the_direct_solution() {
    let mut m = machine();
    m.assemble().unwrap();
    let answer = m.solve_accelerations().unwrap();
    let h = 1e-7;
    let mut system = ConstrainedEuler::of_mechanism(&m);
    let before = m.velocities();
    system.step(h).unwrap();
    let rates: Vec<f64> = velocities(&system).iter().zip(&before).map(|(a, b)| (a - b) / h).collect();
    near(&rates, answer.accelerations(), 1e-5);
    // The forces stored in the constrainers are the multipliers.
    let mut forces = vec![0.0; answer.multipliers().len()];
    let mut index = 0;
    for c in system.constrainers() {
        index = c.bilateral_forces(&mut forces, index);
    }
    assert_eq!(index, forces.len());
    near(&forces, answer.multipliers(), 1e-5);
}

#[test]
fn positions_stay_on_the_constraints_over_many_steps() {
    let mut m = machine();
    m.assemble().unwrap();
    let mut system = ConstrainedEuler::of_mechanism(&m);
    let soft = 2..4;
    for _ in 0..500 {
        system.step(2e-3).unwrap();
    }
    let q: Vec<f64> = system
        .motions()
        .iter()
        .flat_map(|m| [m.pose.position().x, m.pose.position().y, m.pose.angle()])
        .collect();
    m.set_coordinates(&q).unwrap();
    m.realize(Stage::Position).unwrap();
    let rigid = |e: &&Equation| e.level == Level::Position && e.spring.is_rigid();
    m.realize(Stage::Velocity).unwrap();
    let equations = m.all_equations().unwrap();
    for e in equations.iter().filter(rigid) {
        assert!(e.position_error.abs() < 2e-4, "{}", e.position_error);
    }
    assert_eq!(
        equations.iter().filter(|e| e.level == Level::Position && !e.spring.is_rigid()).count(),
        soft.len()
    );
    assert!((system.time() - 1.0).abs() < 1e-9);
}

/// A disc of mass 2 on the ground, with friction.
fn disc(y: f64, velocity: [f64; 3], mu: f64) -> Mechanism {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let disc = m.add_body(Mass::disc(2.0, 0.5), Pose::new(0.0, y, 0.0)).unwrap();
    m.set_velocities(&velocity).unwrap();
    let contact = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), disc, [0.0, 0.0], 0.5);
    m.add(contact.unilateral().with_friction(mu)).unwrap();
    m
}

#[test]
fn contacts_of_the_library_fall_rest_slip_and_roll() {
    for implicit in [false, true] {
        // It falls for a while, then rests.
        let mut system = ConstrainedEuler::of_mechanism(&disc(0.8, [0.0; 3], 0.3));
        if implicit {
            system = system.with_implicit_friction();
        }
        system.step(1e-3).unwrap();
        assert_eq!(system.penetration(), None);
        (0..400).for_each(|_| system.step(1e-3).unwrap());
        assert!(system.penetration().is_some_and(|depth| (0.0..2e-4).contains(&depth)));
        let rest = system.motions()[0];
        assert!((rest.pose.position().y - 0.5).abs() <= 1.1e-4 && rest.velocity.norm() < 1e-9);
        let mut force = [0.0];
        system.constrainers()[0].unilateral_forces(&mut force, 0);
        assert!((force[0] - 2.0 * G).abs() < 1e-9);
        // Thrown flat it slips, then rolls with 2/3 of its speed.
        let mut system = ConstrainedEuler::of_mechanism(&disc(0.5, [1.5, 0.0, 0.0], 0.3));
        if implicit {
            system = system.with_implicit_friction();
        }
        let h = 1e-3;
        system.step(h).unwrap();
        system.step(h).unwrap();
        let slowed = 1.5 - 2.0 * 0.3 * G * h;
        assert!((system.motions()[0].velocity.x - slowed).abs() < 1e-9);
        (0..300).for_each(|_| system.step(h).unwrap());
        let rolling = system.motions()[0];
        assert!((rolling.velocity.x - 1.0).abs() < 5e-3, "{}", rolling.velocity.x);
        assert!((rolling.velocity.x + 0.5 * rolling.angular_velocity).abs() < 1e-9);
    }
}

#[test]
fn a_bead_rubs_on_its_wire_on_either_side() {
    // Pressed on the wire from above or below, friction is μ times the force of the bilateral row.
    for (gravity, implicit) in [(-G, false), (G, false), (-G, true), (G, true)] {
        let mut m = Mechanism::new();
        m.set_gravity([0.0, gravity]).unwrap();
        let bead = m.add_body(Mass::new(0.3, 1.0), Pose::IDENTITY).unwrap();
        m.set_velocities(&[2.0, 0.0, 0.0]).unwrap();
        m.add(Prescribed::position((bead, Coordinate::Angle), 0.0)).unwrap();
        let wire = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), bead, [0.0, 0.0], 0.0);
        m.add(wire.with_friction(0.2)).unwrap();
        let mut system = ConstrainedEuler::of_mechanism(&m);
        if implicit {
            system = system.with_implicit_friction();
        }
        (0..10).for_each(|_| system.step(0.01).unwrap());
        assert!((system.motions()[0].velocity.x - (2.0 - 0.2 * G * 0.1)).abs() < 1e-9);
        (0..200).for_each(|_| system.step(0.01).unwrap());
        assert!(system.motions()[0].velocity.norm() < 1e-9);
    }
}

#[test]
fn a_motor_of_limited_torque_reaches_its_speed_and_holds_it() {
    let mut m = Mechanism::new();
    let wheel = m.add_body(Mass::new(1.0, 0.5), Pose::IDENTITY).unwrap();
    m.add(Revolute::to_ground(wheel, [0.0, 0.0])).unwrap();
    m.add(Motor::rotary(wheel, BodyId::GROUND, SpeedDrive { speed: 2.0, limit: 5.0 })).unwrap();
    let mut system = ConstrainedEuler::of_mechanism(&m);
    system.step(0.1).unwrap();
    // 5 / 0.5 · 0.1, with all it has.
    assert!((system.motions()[0].angular_velocity - 1.0).abs() < 1e-12);
    (0..5).for_each(|_| system.step(0.1).unwrap());
    assert!((system.motions()[0].angular_velocity - 2.0).abs() < 1e-12);
    // Against a load it can bear it keeps the speed, against a larger one it stalls.
    system.set_applied(BodyRef::Body(0), [0.0, 0.0, -4.0]).unwrap();
    system.step(0.1).unwrap();
    assert!((system.motions()[0].angular_velocity - 2.0).abs() < 1e-12);
    system.set_applied(BodyRef::Body(0), [0.0, 0.0, -7.0]).unwrap();
    system.step(0.1).unwrap();
    assert!((system.motions()[0].angular_velocity - (2.0 - 2.0 / 0.5 * 0.1)).abs() < 1e-12);
}

#[test]
fn a_controller_changes_its_motor_and_the_motion_goes_on() {
    let mut m = Mechanism::new();
    let wheel = m.add_body(Mass::new(1.0, 0.5), Pose::IDENTITY).unwrap();
    m.add(Revolute::to_ground(wheel, [0.0, 0.0])).unwrap();
    let motor = m.add(Motor::rotary(wheel, BodyId::GROUND, SpeedDrive { speed: 2.0, limit: 50.0 })).unwrap();
    let mut system = ConstrainedEuler::of_mechanism(&m);
    (0..5).for_each(|_| system.step(0.1).unwrap());
    let turned = system.motions()[0].pose.angle();
    assert!((turned - 1.0).abs() < 1e-12);
    m.edit(motor, |motor| motor.set_speed(-1.0)).unwrap();
    m.set_applied(wheel, [0.0, 0.0, -4.0]).unwrap();
    system.follow(&m).unwrap();
    system.step(0.1).unwrap();
    assert!((system.motions()[0].angular_velocity + 1.0).abs() < 1e-12);
    assert!(
        (system.motions()[0].pose.angle() - (turned - 0.1)).abs() < 1e-12
            && (system.time() - 0.6).abs() < 1e-12
    );
    // With the motor off, what is applied there acts here.
    m.set_enabled(motor, false).unwrap();
    system.follow(&m).unwrap();
    system.step(0.1).unwrap();
    assert!((system.motions()[0].angular_velocity + 1.8).abs() < 1e-12);
    m.add_body(Mass::new(1.0, 0.5), Pose::IDENTITY).unwrap();
    assert_eq!(system.follow(&m), Err(StepError::OtherBodies { found: 2, count: 1 }));
}

#[test]
fn a_compliant_stick_carries_its_load_and_creeps() {
    // Friction holds a block of mass 1 against a pull of a tenth of its weight; with creep it moves at creep · force.
    for (creep, compliance) in [(0.0, 1e-3), (0.05, 0.0), (0.05, 1e-3)] {
        let mut m = Mechanism::new();
        m.set_gravity([G * 0.1, -G]).unwrap();
        let block = m.add_body(Mass::new(1.0, 1.0), Pose::IDENTITY).unwrap();
        m.add(Prescribed::position((block, Coordinate::Angle), 0.0)).unwrap();
        let contact = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), block, [0.0, 0.0], 0.0);
        let stick = LibraryConstrainer::new(contact.unilateral().with_friction(0.5));
        let mut constrainers = m.constrainers();
        constrainers.push(Box::new(stick.with_stiction_creep(creep).with_stiction_compliance(compliance)));
        let mut system =
            ConstrainedEuler::new(m.bodies(), constrainers, m.gravity()).with_implicit_friction();
        (0..2000).for_each(|_| system.step(5e-3).unwrap());
        let mut phi = [0.0];
        system.constrainers()[1].friction_forces(&mut phi, 0);
        assert!((phi[0] + G * 0.1).abs() < 1e-9, "{}", phi[0]);
        assert!((system.motions()[0].velocity.x - creep * G * 0.1).abs() < 1e-9);
    }
}

#[test]
fn requests_that_make_no_sense_are_errors() {
    let m = disc(0.5, [0.0; 3], 0.3);
    let mut system = ConstrainedEuler::of_mechanism(&m);
    assert!(matches!(system.step(0.0), Err(StepError::Step { .. })));
    assert!(matches!(system.step(f64::NAN), Err(StepError::Step { .. })));
    assert!(matches!(system.set_applied(BodyRef::Ground, [0.0; 3]), Err(StepError::UnknownBody { .. })));
    let nan = system.set_applied(BodyRef::Body(0), [f64::NAN, 0.0, 0.0]);
    assert!(matches!(nan, Err(StepError::Value { .. })));
    let mut stray = ConstrainedEuler::new([], m.constrainers(), [0.0, 0.0]);
    assert!(matches!(stray.step(0.1), Err(StepError::UnknownBody { count: 0, .. })));
    let weightless = [(Mass::new(0.0, 1.0), FrameMotion::default())];
    let mut weightless = ConstrainedEuler::new(weightless, Vec::new(), [0.0, 0.0]);
    assert!(matches!(weightless.assemble(), Err(StepError::Value { .. })));
}

/// The law of a row through the trait gives the implicit step of its tangent, in closed form.
#[test]
fn a_force_law_steps_by_its_closed_form() {
    let (k1, k3, d, x, v0, mass, h) = (20.0, 300.0, 0.8, 0.25, -0.3, 2.0, 0.01);
    let mut m = Mechanism::new();
    let bob = m.add_body(Mass::new(mass, 1.0), Pose::new(1.0 + x, 0.0, 0.0)).unwrap();
    m.set_velocities(&[v0, 0.0, 0.0]).unwrap();
    let rod = m.add(Rod::new(bob, [0.0, 0.0], BodyId::GROUND, [0.0, 0.0], 1.0)).unwrap();
    m.set_compliance(rod, Compliance::law(CubicSpring { linear: k1, cubic: k3 }, d)).unwrap();
    // The force itself, without a step.
    let force = (k1 + k3 * x * x) * x;
    let answer = m.solve_accelerations().unwrap();
    assert!((answer.acceleration(bob).unwrap()[0] + (force + d * v0) / mass).abs() < 1e-12);
    let mut system = ConstrainedEuler::of_mechanism(&m);
    system.step(h).unwrap();
    // m (v − v0) = −h (f(x) + (h/2 f′(x) + d) v).
    let tangent = k1 + 3.0 * k3 * x * x;
    let v = (mass * v0 - h * force) / (mass + h * (0.5 * h * tangent + d));
    assert!((system.motions()[0].velocity.x - v).abs() < 1e-12);
    near(&direct(&mut m, h)[..1], &[v], 1e-12);
    // Where a law is flat, or silent, it pushes nothing.
    let rod = Joint::new(Rod::new(bob, [0.0, 0.0], BodyId::GROUND, [0.0, 0.0], 1.0));
    let law = Compliance::law(PowerSpring { coefficient: 5.0, exponent: 1.5 }, 0.0);
    let mut quiet = LibraryConstrainer::new(rod.compliant(law));
    let at = [FrameMotion { pose: Pose::new(1.0, 0.0, 0.0), ..FrameMotion::default() }];
    quiet.update(Motions::new(&at), 0.0, Update::Compute);
    let mut info = [RowInfo::default()];
    quiet.bilateral_info(&mut info, 0);
    let (r, term) = info[0].regularization(h);
    assert!(r.is_finite() && r > 1e9 && term == 0.0);
}

#[test]
fn steps_allocate_nothing_once_warm() {
    let mut chain = Mechanism::new();
    chain.set_gravity([0.0, -G]).unwrap();
    let mut before = (BodyId::GROUND, [0.0, 3.0]);
    for k in 0..12 {
        let link = chain.add_body(Mass::new(1.0, 0.1), Pose::new(f64::from(k) + 0.5, 3.0, 0.0)).unwrap();
        chain.add(Revolute::new(link, [-0.5, 0.0], before.0, before.1)).unwrap();
        before = (link, [0.5, 0.0]);
    }
    let resting = disc(0.5, [1.5, 0.0, 0.0], 0.3);
    for (name, mechanism) in [("machine", machine()), ("chain", chain), ("disc", resting)] {
        for implicit in [false, true] {
            let mut system = ConstrainedEuler::of_mechanism(&mechanism);
            if implicit {
                system = system.with_implicit_friction();
            }
            (0..20).for_each(|_| system.step(1e-3).unwrap());
            let info = allocation_counter::measure(|| system.step(1e-3).unwrap());
            assert_eq!(info.count_total, 0, "{name}: {info:?}");
        }
    }
}
