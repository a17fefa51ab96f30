//! Every operation of the circle on a line and of constraints in general, on a ball in motion on a moving ramp.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};

fn ball_on_ramp() -> (Mechanism, BodyId, BodyId, ConstraintId<CircleOnLine>) {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -9.81]).unwrap();
    let ramp = m.add_body(Mass::new(20.0, 3.0), Pose::new(0.0, 0.0, -0.3)).unwrap();
    let ball = m.add_body(Mass::disc(1.0, 0.5), Pose::new(0.2, 1.1, 0.0)).unwrap();
    m.set_velocities(&[0.0, 0.0, 0.4, 1.0, 0.2, -0.5]).unwrap();
    m.add(Revolute::to_ground(ramp, [0.0, 0.0])).unwrap();
    let contact = CircleOnLine::new(ramp, Line::x_axis(), ball, [0.1, 0.0], 0.5).rolling();
    let id = m.add(contact).unwrap();
    (m, ramp, ball, id)
}

#[test]
fn geometry_has_defaults_and_run_time_values() {
    let (mut m, ramp, ball, id) = ball_on_ramp();
    let circle = m.constraint(id).unwrap();
    assert_eq!((circle.line_body(), circle.circle_body(), circle.is_rolling()), (ramp, ball, true));
    m.realize(Stage::Acceleration).unwrap();
    m.edit(id, |c| c.set_radius(0.6)).unwrap();
    assert_eq!(m.stage(), Stage::Time);
    assert_eq!((m.constraint(id).unwrap().radius(), m.default_of(id).unwrap().radius()), (0.6, 0.5));
    m.realize(Stage::Position).unwrap();
    m.edit_default(id, |c| c.set_center([0.0, 0.1])).unwrap();
    assert_eq!(m.stage(), Stage::Topology);
    assert_eq!(m.constraint(id).unwrap().center(), Vec2::new(0.0, 0.1));
    m.edit(id, |c| c.set_line(Line::new([0.0, 0.2], [0.0, 1.0]))).unwrap();
    m.reset_to_defaults();
    assert_eq!(m.constraint(id).unwrap().line(), Line::x_axis());
    // Bodies are for life, and geometry must make sense.
    let other =
        m.edit(id, |c| *c = CircleOnLine::new(BodyRef::Ground, Line::x_axis(), ball, [0.0, 0.0], 1.0));
    assert!(matches!(other, Err(MechanismError::BodiesChanged { .. })));
    assert!(matches!(m.edit(id, |c| c.set_radius(f64::NAN)), Err(MechanismError::Value { .. })));
    assert_eq!(m.constraint(id).unwrap().radius(), 0.5);
}

#[test]
fn stages_are_needed_and_ids_are_at_home() {
    let (mut m, _, ball, id) = ball_on_ramp();
    assert_eq!(
        m.position_errors(id),
        Err(MechanismError::Stage { needed: Stage::Position, have: Stage::Topology })
    );
    m.realize(Stage::Position).unwrap();
    assert!(m.position_errors(id).is_ok());
    assert_eq!(
        m.velocity_errors(id),
        Err(MechanismError::Stage { needed: Stage::Velocity, have: Stage::Position })
    );
    m.realize(Stage::Velocity).unwrap();
    assert!(matches!(
        m.acceleration_errors(id),
        Err(MechanismError::Stage { needed: Stage::Acceleration, .. })
    ));
    let answer = m.solve_accelerations().unwrap();
    assert!(m.acceleration_errors(id).unwrap().iter().all(|e| e.abs() < 1e-10));
    let (other, _, _, foreign) = ball_on_ramp();
    assert_ne!(id, foreign);
    assert!(matches!(m.equations(foreign), Err(MechanismError::ForeignId { .. })));
    assert!(matches!(other.force_on(foreign, ball, &answer), Err(MechanismError::ForeignId { .. })));
    assert!(matches!(m.force_on(id, BodyRef::Body(9), &answer), Err(MechanismError::UnknownBody { .. })));
    assert!(answer.acceleration(BodyRef::Body(9)).is_err());
    // Bodies of another mechanism are not taken for those of this one, wherever an id is asked for.
    let (_, _, stranger, _) = ball_on_ramp();
    assert_ne!(stranger, ball);
    let foreign = |e: Result<(), MechanismError>| matches!(e, Err(MechanismError::ForeignBody { .. }));
    assert!(foreign(m.set_mass(stranger, Mass::new(1.0, 1.0))));
    assert!(foreign(m.set_applied(stranger, [0.0; 3])));
    assert!(foreign(m.force_on(id, stranger, &answer).map(|_| ())));
    assert!(foreign(answer.acceleration(stranger).map(|_| ())));
    assert!(foreign(m.add(Revolute::new(ball, [0.0, 0.0], stranger, [0.0, 0.0])).map(|_| ())));
    assert!(foreign(m.add(Coupler::gear(stranger, ball, Gearing { ratio: 1.0, phase: 0.0 })).map(|_| ())));
}

#[test]
fn a_disabled_constraint_has_no_equations_but_a_separation() {
    let (mut m, _, ball, id) = ball_on_ramp();
    m.set_disabled_by_default(id, true).unwrap();
    assert!(m.is_disabled_by_default(id).unwrap() && !m.is_enabled(id).unwrap());
    m.realize(Stage::Velocity).unwrap();
    assert_eq!(m.equations_in_use(id).unwrap(), EquationCounts::default());
    assert!(m.constraint(id).unwrap().separation(m.motions()).is_finite());
    m.set_enabled(id, true).unwrap();
    assert_eq!(m.stage(), Stage::Model);
    m.reset_to_defaults();
    assert!(!m.is_enabled(id).unwrap());
    m.set_conditional(id, true).unwrap();
    assert!(m.is_conditional(id).unwrap());
    let answer = m.solve_accelerations().unwrap();
    assert_eq!(m.force_on(id, ball, &answer).unwrap(), [0.0; 3]);
}

#[test]
fn indices_parts_and_matrices_agree() {
    let (mut m, _, _, id) = ball_on_ramp();
    m.realize(Stage::Velocity).unwrap();
    let counts = m.equations_in_use(id).unwrap();
    assert_eq!((counts.holonomic, counts.nonholonomic, counts.acceleration_only), (1, 1, 0));
    let ranges = m.index_ranges(id).unwrap();
    assert_eq!((ranges.multipliers, ranges.position_errors, ranges.velocity_errors), (2..4, 2..3, 2..4));
    let mut whole = vec![0.0; 4];
    m.set_part_of(id, &[5.0, 6.0], &mut whole).unwrap();
    assert_eq!(
        (whole.as_slice(), m.part_of(id, &whole).unwrap()),
        (&[0.0, 0.0, 5.0, 6.0][..], &[5.0, 6.0][..])
    );
    assert!(matches!(m.part_of(id, &whole[1..]), Err(MechanismError::Length { .. })));
    for (level, rows) in [(Level::Position, 1), (Level::Velocity, 1), (Level::Acceleration, 0)] {
        let (matrix, transposed) = (m.matrix(id, level).unwrap(), m.matrix_transposed(id, level).unwrap());
        assert_eq!(matrix.len(), rows);
        for (i, row) in matrix.iter().enumerate() {
            assert!(row.iter().zip(&transposed).all(|(a, b)| *a == b[i]));
        }
    }
    // Operators at other values leave the state alone, and q̇ = u makes P N⁻¹ the derivative of the errors by q.
    let (q, u) = (m.coordinates(), m.velocities());
    let p = m.matrix(id, Level::Position).unwrap();
    for k in 0..6 {
        let error = |h: f64| {
            let mut q = q.clone();
            q[k] += h;
            m.position_errors_at(id, &q).unwrap()[0]
        };
        assert!(((error(1e-6) - error(-1e-6)) / 2e-6 - p[0][k]).abs() < 1e-8);
    }
    assert_eq!(m.velocity_errors_at(id, &u).unwrap(), m.velocity_errors(id).unwrap());
    assert_eq!((m.coordinates(), m.velocities()), (q, u));
}

#[test]
fn forces_match_multipliers_and_vanish_together() {
    let (mut m, ramp, ball, id) = ball_on_ramp();
    m.assemble().unwrap();
    let answer = m.solve_accelerations().unwrap();
    let multipliers = m.multipliers(id, &answer).unwrap().to_vec();
    let [fx, fy, torque] = m.force_on(id, ball, &answer).unwrap();
    let circle = m.constraint(id).unwrap();
    // The multipliers of the original are the negative of the force on the circle in the line's frame, tangent first.
    let theirs = circle.multipliers(&multipliers);
    let [ft, fn_] = circle.in_line_frame(Vec2::new(fx, fy), m.motions());
    assert!((theirs[0] + ft).abs() < 1e-12 && (theirs[1] + fn_).abs() < 1e-12);
    assert!(fn_ > 0.0);
    let wrenches = m.wrenches(id, &multipliers).unwrap();
    let mut total = [0.0; 3];
    for w in &wrenches {
        let p = m.motions().of(w.body).pose.position();
        total[0] += w.force.x;
        total[1] += w.force.y;
        total[2] += w.torque + p.x * w.force.y - p.y * w.force.x;
    }
    assert!(total.iter().all(|t| t.abs() < 1e-12));
    let generalized = m.generalized_force(id, &multipliers).unwrap();
    assert_eq!(generalized[3..], [fx, fy, torque]);
    // An ideal contact: no power. Its reaction acts at the contact point without torque.
    assert!(m.power(id, &answer).unwrap().abs() < 1e-11);
    let reaction = m.reaction(id, &answer).unwrap();
    assert!(
        (reaction.point - circle.contact_point(m.motions())).norm() < 1e-15 && reaction.torque.abs() < 1e-12
    );
    assert_eq!(m.constrained_bodies(id).unwrap(), [ball, ramp]);
    assert_eq!(m.affected_bodies(id).unwrap(), [ramp, ball]);
}

#[test]
fn a_coupler_is_held_by_the_axes_of_the_ground() {
    let (mut m, _, ball, _) = ball_on_ramp();
    let id = m.add(Prescribed::position((ball, Coordinate::X), 0.0)).unwrap();
    m.realize(Stage::Velocity).unwrap();
    let wrenches = m.wrenches(id, &[2.0]).unwrap();
    assert_eq!(wrenches[1].body, BodyRef::Ground);
    assert_eq!((wrenches[1].force, wrenches[1].torque), (Vec2::new(-2.0, 0.0), 2.0 * 1.1));
}

#[test]
fn constraints_draw_themselves_and_physics_does_not_see_it() {
    let (mut m, _, _, id) = ball_on_ramp();
    assert_eq!(m.constraint(id).unwrap().display_half_width(), 1.0);
    let lines = |m: &Mechanism| m.draw().iter().filter(|s| matches!(s, Stroke::Segment { .. })).count();
    assert_eq!(lines(&m), 1);
    m.realize(Stage::Velocity).unwrap();
    let before = m.equations(id).unwrap().to_vec();
    m.edit(id, |c| c.set_display_half_width(0.0)).unwrap();
    assert_eq!(lines(&m), 0);
    m.realize(Stage::Velocity).unwrap();
    assert_eq!(m.equations(id).unwrap(), before);
}

#[test]
fn aligning_goes_through_the_list_and_moves_the_later_body() {
    let mut m = Mechanism::new();
    let a = m.add_body(Mass::new(1.0, 1.0), Pose::new(0.1, 0.0, 0.2)).unwrap();
    let b = m.add_body(Mass::new(1.0, 1.0), Pose::new(2.0, 0.5, 0.0)).unwrap();
    let first = m.add(Revolute::to_ground(a, [0.0, 0.0])).unwrap();
    let second = m.add(Revolute::new(a, [1.0, 0.0], b, [0.0, 0.0])).unwrap();
    m.align().unwrap();
    m.realize(Stage::Position).unwrap();
    for id in [first, second] {
        assert!(m.position_errors(id).unwrap().iter().all(|e| e.abs() < 1e-12));
    }
    // The pin moved body a alone, the joint then body b alone.
    assert!((m.coordinates()[2] - 0.2).abs() < 1e-12);
}
