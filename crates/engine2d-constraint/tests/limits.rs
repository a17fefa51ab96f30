//! Rows with limits joined with the complementarity solver: contacts lift off, rest and slip, ropes pull, motors stall,
//! springs follow their closed forms.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::Pose;

const G: f64 = 9.81;

fn accelerate(m: &mut Mechanism) -> Answer {
    let mut problem = Problem::new();
    m.acceleration_problem(&mut problem).unwrap();
    let forces = problem.solve().unwrap();
    m.answer(&problem, &forces).unwrap()
}

/// A disc of mass 2 and radius 0.5 on the x axis with friction 0.3, pushed by a wrench.
fn disc(wrench: [f64; 3]) -> (Mechanism, BodyId, ConstraintId<CircleOnLine>) {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let disc = m.add_body(Mass::disc(2.0, 0.5), Pose::new(0.0, 0.5, 0.0)).unwrap();
    m.set_applied(disc, wrench).unwrap();
    let contact = CircleOnLine::new(BodyRef::Ground, Line::x_axis(), disc, [0.0, 0.0], 0.5);
    let id = m.add(contact.unilateral().with_friction(0.3)).unwrap();
    (m, disc, id)
}

#[test]
fn a_contact_rests_lifts_off_and_slips() {
    // Rest.
    let (mut m, body, id) = disc([0.0; 3]);
    let answer = accelerate(&mut m);
    // In one call it is the same.
    assert_eq!(m.solve_accelerations().unwrap(), answer);
    assert!(answer.acceleration(body).unwrap().iter().all(|a| a.abs() < 1e-12));
    assert!((m.force_on(id, body, &answer).unwrap()[1] - 2.0 * G).abs() < 1e-12);
    // Lift-off: pulled up by more than its weight, it is free.
    let (mut m, body, id) = disc([0.0, 3.0 * G, 0.0]);
    let answer = accelerate(&mut m);
    assert!((answer.acceleration(body).unwrap()[1] - 0.5 * G).abs() < 1e-12);
    assert_eq!(m.force_on(id, body, &answer).unwrap(), [0.0; 3]);
    // Pushed gently it rolls: F = 2/3 of the force goes into its translation, friction is a third of it backwards.
    let (mut m, body, id) = disc([3.0, 0.0, 0.0]);
    let answer = accelerate(&mut m);
    let [ax, _, alpha] = answer.acceleration(body).unwrap();
    assert!((ax - 1.0).abs() < 1e-12 && (alpha + 2.0).abs() < 1e-12);
    assert!((m.force_on(id, body, &answer).unwrap()[0] + 1.0).abs() < 1e-12);
    // Pushed hard friction ends at its limit and it slips.
    let (mut m, body, id) = disc([60.0, 0.0, 0.0]);
    let answer = accelerate(&mut m);
    let limit = 0.3 * 2.0 * G;
    assert!((answer.acceleration(body).unwrap()[0] - (60.0 - limit) / 2.0).abs() < 1e-12);
    assert!((m.force_on(id, body, &answer).unwrap()[0] + limit).abs() < 1e-12);
}

#[test]
fn sliding_friction_opposes_the_slip_at_both_levels() {
    let (mut m, body, contact) = disc([0.0; 3]);
    m.set_velocities(&[1.0, 0.0, 0.0]).unwrap();
    let answer = m.solve_accelerations().unwrap();
    let [ax, ay, alpha] = answer.acceleration(body).unwrap();
    assert!(
        (ax + 0.3 * G).abs() < 1e-12
            && ay.abs() < 1e-12
            && (alpha + 0.3 * 2.0 * G * 0.5 / 0.25).abs() < 1e-12
    );
    let pressed = m.multipliers(contact, &answer).unwrap();
    assert!((pressed[1] + 0.3 * pressed[0]).abs() < 1e-12);
    let mut problem = Problem::new();
    let h = 0.01;
    m.velocity_problem(h, &mut problem).unwrap();
    let impulses = problem.solve().unwrap();
    m.apply_impulses(&problem, &impulses).unwrap();
    let u = m.velocities();
    assert!((u[0] - (1.0 - 0.3 * G * h)).abs() < 1e-12 && u[1].abs() < 1e-12);
    assert!((u[2] + 0.3 * 2.0 * G * 0.5 / 0.25 * h).abs() < 1e-12);
    // The impulse problem is not one of forces.
    assert!(matches!(m.answer(&problem, &impulses), Err(MechanismError::ForeignId { .. })));
    assert_eq!(body, BodyRef::Body(0));
}

#[test]
fn an_approaching_contact_closes_its_gap_within_the_step_and_no_more() {
    let (mut m, _, _) = disc([0.0; 3]);
    m.set_coordinates(&[0.0, 0.52, 0.0]).unwrap();
    m.set_velocities(&[0.0, -10.0, 0.0]).unwrap();
    let mut problem = Problem::new();
    m.velocity_problem(0.01, &mut problem).unwrap();
    let impulses = problem.solve().unwrap();
    m.apply_impulses(&problem, &impulses).unwrap();
    assert!((m.velocities()[1] + 2.0).abs() < 1e-12);
}

#[test]
fn a_taut_rope_pulls_and_a_slack_one_does_not() {
    for (length, force) in [(1.0, G), (1.1, 0.0)] {
        let mut m = Mechanism::new();
        m.set_gravity([0.0, -G]).unwrap();
        let bob = m.add_body(Mass::new(1.0, 1.0), Pose::new(0.0, -1.0, 0.0)).unwrap();
        let rope = m.add(Rope::new(bob, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], length)).unwrap();
        let answer = accelerate(&mut m);
        assert!((m.multipliers(rope, &answer).unwrap()[0] - force).abs() < 1e-12);
    }
}

#[test]
fn a_motor_keeps_its_speed_until_it_stalls() {
    for (load, alpha) in [(-3.0, 0.0), (-8.0, -3.0 / 0.5)] {
        let mut m = Mechanism::new();
        let wheel = m.add_body(Mass::new(1.0, 0.5), Pose::IDENTITY).unwrap();
        m.set_velocities(&[0.0, 0.0, 2.0]).unwrap();
        m.set_applied(wheel, [0.0, 0.0, load]).unwrap();
        let motor =
            m.add(Motor::rotary(wheel, BodyRef::Ground, SpeedDrive { speed: 2.0, limit: 5.0 })).unwrap();
        let answer = accelerate(&mut m);
        assert!((answer.acceleration(wheel).unwrap()[2] - alpha).abs() < 1e-12);
        assert!(m.power(motor, &answer).unwrap() > 0.0);
        // Too slow, it pushes with all it has; no solver is needed.
        m.set_velocities(&[0.0, 0.0, 1.0]).unwrap();
        let answer = m.solve_accelerations().unwrap();
        assert!((m.multipliers(motor, &answer).unwrap()[0] - 5.0).abs() < 1e-12);
    }
}

#[test]
fn a_limit_holds_at_its_bound() {
    let mut m = Mechanism::new();
    let door = m.add_body(Mass::new(1.0, 0.5), Pose::new(0.0, 0.0, 0.5)).unwrap();
    m.set_applied(door, [0.0, 0.0, 2.0]).unwrap();
    let stop = m.add(AngleLimit::new(door, BodyRef::Ground, -0.5, 0.5)).unwrap();
    let answer = accelerate(&mut m);
    assert_eq!(answer.acceleration(door).unwrap()[2], 0.0);
    assert_eq!(m.multipliers(stop, &answer).unwrap(), [0.0, 2.0]);
}

#[test]
fn a_soft_constraint_is_a_spring_with_a_damper() {
    let mut m = Mechanism::new();
    let bob = m.add_body(Mass::new(2.0, 1.0), Pose::new(1.3, 0.0, 0.0)).unwrap();
    m.set_velocities(&[0.5, 0.0, 0.0]).unwrap();
    let rod = m.add(Rod::new(bob, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], 1.0)).unwrap();
    m.set_compliance(rod, SpringDamper { compliance: 0.01, damping: 4.0 }).unwrap();
    let answer = m.solve_accelerations().unwrap();
    let force = -(0.3 / 0.01 + 4.0 * 0.5);
    assert!((answer.acceleration(bob).unwrap()[0] - force / 2.0).abs() < 1e-12);
    // Implicitly over a step: v⁺ = v + λ/m and v⁺ + R λ + s x = 0.
    let h = 0.02;
    let (c, d) = (0.01, 4.0);
    let s = 1.0 / (0.5 * h + d * c);
    let r = s * c / h;
    let mut problem = Problem::new();
    m.velocity_problem(h, &mut problem).unwrap();
    let impulses = problem.solve().unwrap();
    let expected = -(0.5 + s * 0.3) / (1.0 / 2.0 + r);
    assert!((impulses[0] - expected).abs() < 1e-12);
    m.apply_impulses(&problem, &impulses).unwrap();
    assert!((m.velocities()[0] - (0.5 + expected / 2.0)).abs() < 1e-12);
}

/// The nonlinear law of a row: `a = 1/(h/(2 c) + d)` replaces the linear coefficients, with the tangent compliance `c`.
#[test]
fn nonlinear_compliance_follows_its_closed_form() {
    // A cubic spring f = k x³: tangent stiffness 3 k x², compliance its inverse.
    let (k, x, d, h) = (500.0, 0.2_f64, 3.0, 0.01);
    let info = constrainer::RowInfo {
        distance: x,
        compliance: 1.0 / (3.0 * k * x * x),
        damping: d,
        force: k * x * x * x,
        ..constrainer::RowInfo::default()
    };
    let (r, term) = info.regularization(h);
    // One degree of freedom: v + term + R λ = 0 with m (v − v0) = λ gives the implicit midpoint of the tangent law.
    let (m, v0) = (2.0, 0.7);
    let impulse = -(v0 + term) / (1.0 / m + r);
    let v = v0 + impulse / m;
    let tangent = 3.0 * k * x * x;
    let force = -(k * x * x * x + (0.5 * h * tangent + d) * v);
    assert!((impulse / h - force).abs() < 1e-10, "{} {force}", impulse / h);
}

#[test]
fn the_kkt_form_has_the_answer_of_the_reduced_system() {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let bar = m.add_body(Mass::new(1.5, 0.3).centered_at([0.4, 0.1]), Pose::new(0.0, 0.0, 0.3)).unwrap();
    let tip = m.add_body(Mass::new(0.5, 0.1), Pose::new(1.0, 0.4, 0.1)).unwrap();
    m.set_velocities(&[0.0, 0.0, 1.0, 0.1, 0.9, -0.4]).unwrap();
    m.add(Revolute::to_ground(bar, [0.0, 0.0])).unwrap();
    m.add(Revolute::new(tip, [0.0, 0.0], bar, [1.1, 0.0])).unwrap();
    m.assemble().unwrap();
    let answer = m.solve_accelerations().unwrap();
    let mut problem = Problem::new();
    m.acceleration_problem(&mut problem).unwrap();
    let kkt = m.kkt(&problem).unwrap();
    let dense = kkt.to_dense();
    let unknowns: Vec<f64> = answer.accelerations().iter().chain(answer.multipliers()).copied().collect();
    for (row, right) in dense.iter().zip(&kkt.right) {
        let left: f64 = row.iter().zip(&unknowns).map(|(a, x)| a * x).sum();
        assert!((left - right).abs() < 1e-11);
    }
    let sparse = kkt.to_faer().unwrap();
    assert_eq!((sparse.nrows(), sparse.compute_nnz()), (10, kkt.entries.len()));
    let gt = problem.jacobian_transposed(|kind| kind == RowKind::Bilateral).unwrap();
    assert_eq!(gt.to_dense_transposed()[0], dense[6][..6]);
}
