//! Discs on discs, the strength of joints, energies and springs of other laws, by their closed forms.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2, trig};

const G: f64 = 9.81;
/// Radii of a disc of mass 2 and the fixed one it lies on.
const RADII: [f64; 2] = [0.5, 1.5];
/// Share to which forces and places agree with their closed forms.
const CLOSED_FORM: f64 = 1e-12;

/// A disc at rest on a fixed one, beside its top by an angle.
fn disc_on_disc(angle: f64, mu: f64) -> (Mechanism, BodyId, ConstraintId<CircleOnCircle>) {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let (sin, cos) = trig::sin_cos(angle);
    let apart = RADII[0] + RADII[1];
    let disc = m.add_body(Mass::disc(2.0, RADII[0]), Pose::new(apart * sin, apart * cos, 0.0)).unwrap();
    let contact =
        CircleOnCircle::new((disc, Vec2::zeros(), RADII[0]), (BodyRef::Ground, Vec2::zeros(), RADII[1]));
    let id = m.add(contact.unilateral().with_friction(mu)).unwrap();
    (m, disc, id)
}

#[test]
fn a_disc_rolls_from_another_one_or_slips() {
    let angle = 0.6;
    let (sin, cos) = trig::sin_cos(angle);
    // It rolls if friction can hold a third of the pull along the slope, and slips otherwise.
    for (mu, friction, turning) in [
        (1.0, 2.0 * G * sin / 3.0, 2.0 * G * sin / 3.0 / RADII[0]),
        (0.1, 0.1 * 2.0 * G * cos, 2.0 * 0.1 * G * cos / RADII[0]),
    ] {
        let (mut m, disc, id) = disc_on_disc(angle, mu);
        let answer = m.solve_accelerations().unwrap();
        let [fx, fy, _] = m.force_on(id, disc, &answer).unwrap();
        let [tangent, normal] = m.constraint(id).unwrap().axes(m.motions());
        let force = Vec2::new(fx, fy);
        assert!((force.dot(&normal) - 2.0 * G * cos).abs() < CLOSED_FORM, "{mu}: {force}");
        assert!((force.dot(&tangent).abs() - friction).abs() < CLOSED_FORM, "{mu}: {force}");
        // Clockwise, down the slope to the right.
        assert!((answer.acceleration(disc).unwrap()[2] + turning).abs() < CLOSED_FORM * 100.0, "{mu}");
    }
}

#[test]
fn the_contact_of_two_circles_is_on_their_line_of_centres() {
    let (mut m, disc, id) = disc_on_disc(0.6, 0.0);
    m.realize(Stage::Velocity).unwrap();
    let (sin, cos) = trig::sin_cos(0.6);
    let contact = m.constraint(id).unwrap();
    assert_eq!(contact.circle_bodies(), [disc, BodyId::GROUND]);
    assert!(contact.separation(m.motions()).abs() < CLOSED_FORM);
    let point = contact.contact_point(m.motions());
    assert!((point - Vec2::new(1.5 * sin, 1.5 * cos)).norm() < CLOSED_FORM, "{point}");
    let [tangent, normal] = contact.axes(m.motions());
    assert!((normal - Vec2::new(sin, cos)).norm() < CLOSED_FORM && tangent.dot(&normal).abs() < CLOSED_FORM);
    let mut strokes = Vec::new();
    contact.draw(m.motions(), &mut strokes);
    assert!(strokes.contains(&Stroke::Circle { center: Vec2::zeros(), radius: RADII[1] }), "{strokes:?}");
    // Where the centres coincide there is no line: up it is.
    m.edit(id, |c| *c = CircleOnCircle::new((disc, Vec2::zeros(), 0.5), (disc, Vec2::zeros(), 0.5)))
        .unwrap_err();
    let same = CircleOnCircle::new((disc, Vec2::zeros(), 0.5), (disc, Vec2::zeros(), 0.25));
    assert_eq!(same.axes(m.motions())[1], Vec2::new(0.0, 1.0));
    assert!((same.separation(m.motions()) + 0.75).abs() < CLOSED_FORM);
}

#[test]
fn a_joint_breaks_by_the_larger_share_of_its_strength() {
    let pin = Revolute::new(BodyId::GROUND, [0.0, 0.0], BodyId::GROUND, [0.0, 0.0]);
    let lasting = Joint::new(pin.clone());
    let joint = Joint::new(pin).break_force(10.0).break_torque(4.0);
    assert_eq!(joint.strength(), [10.0, 4.0]);
    assert!(joint.is_breakable() && !lasting.is_breakable());
    let under =
        |fx: f64, fy: f64, torque: f64| Reaction { point: Vec2::zeros(), force: Vec2::new(fx, fy), torque };
    for (reaction, left) in [
        (under(0.0, 0.0, 0.0), 1.0),
        (under(3.0, 4.0, 0.0), 0.5),
        (under(3.0, 4.0, -3.0), 0.25),
        (under(0.0, 0.0, -5.0), -0.25),
        (under(12.0, 0.0, 1.0), -0.2),
    ] {
        assert!((joint.strength_left(&reaction) - left).abs() < CLOSED_FORM, "{reaction:?}");
        assert_eq!(joint.breaks_under(&reaction), left < 0.0, "{reaction:?}");
        assert!(!lasting.breaks_under(&reaction), "it has no strength to lose");
    }
}

#[test]
fn the_mass_matrix_has_the_kinetic_energy() {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    // A rod about its end: its centre is away from the origin of the body.
    let rod = Mass { center: Vec2::new(0.7, 0.0), ..Mass::new(3.0, 0.2) };
    m.add_body(rod, Pose::new(0.3, 1.1, 0.4)).unwrap();
    m.add_body(Mass::disc(2.0, 0.5), Pose::new(-2.0, 0.5, 0.0)).unwrap();
    let u = [0.4, -1.2, 2.5, 3.0, 0.1, -0.6];
    m.set_velocities(&u).unwrap();
    let matrix = m.mass_matrix();
    let product = |row: &Vec<f64>| row.iter().zip(u).map(|(a, u)| a * u).sum::<f64>();
    let twice: f64 = matrix.iter().zip(u).map(|(row, u)| product(row) * u).sum();
    assert!((m.kinetic_energy() - 0.5 * twice).abs() < CLOSED_FORM, "{}", m.kinetic_energy());
    for (i, row) in matrix.iter().enumerate() {
        assert!((0..6).all(|j| row[j] == matrix[j][i]), "row {i} is not that of a symmetric matrix");
    }
    let height = 1.1 + 0.7 * trig::sin_cos(0.4).0;
    assert!((m.potential_energy() - G * (3.0 * height + 2.0 * 0.5)).abs() < 10.0 * CLOSED_FORM);
}

#[test]
fn the_stiffness_of_a_law_is_the_slope_of_its_force() {
    let laws: [&dyn ForceLaw; 3] = [
        &CubicSpring { linear: 20.0, cubic: 300.0 },
        &CubicSpring { linear: 20.0, cubic: -5.0 },
        &PowerSpring { coefficient: 40.0, exponent: 1.5 },
    ];
    for law in laws {
        for x in [-0.3, -0.02, 0.1, 0.4] {
            let h = 1e-5;
            let slope = (law.at(x + h).force - law.at(x - h).force) / (2.0 * h);
            // Central differences are exact to the square of their step times the third derivative.
            assert!((law.at(x).stiffness - slope).abs() < 1e-5, "{law:?} at {x}: {slope}");
            assert!((law.at(x).force + law.at(-x).force).abs() < CLOSED_FORM, "{law:?} at {x}");
        }
        assert_eq!(law.at(0.0).force, 0.0);
    }
    assert!((laws[2].at(0.25).force - 40.0 * 0.125).abs() < CLOSED_FORM, "Hertz");
}

#[test]
fn what_a_compliance_cannot_be_is_refused() {
    let mut m = Mechanism::new();
    let bar = m.add_body(Mass::new(1.0, 0.1), Pose::IDENTITY).unwrap();
    let pin = Revolute::to_ground(bar, [0.0, 0.0]);
    for compliance in [
        Compliance::from(SpringDamper { compliance: -1e-3, damping: 0.0 }),
        Compliance::from(SpringDamper { compliance: 1e-3, damping: f64::INFINITY }),
        Compliance::law(CubicSpring { linear: 1.0, cubic: 0.0 }, -1.0),
    ] {
        let error = m.add_joint(Joint::new(pin.clone()).compliant(compliance.clone())).unwrap_err();
        assert!(matches!(error, MechanismError::Value { .. }), "{compliance:?}: {error}");
    }
}
