//! A planetary train: sun, planet on a moving carrier, ring; Willis' equation, tooth forces, many turns.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_math::{Pose, Vec2, trig};

const SUN: f64 = 0.3;
const PLANET: f64 = 0.2;
const RING: f64 = SUN + 2.0 * PLANET;

struct Train {
    m: Mechanism,
    sun: BodyId,
    carrier: BodyId,
    planet: BodyId,
    meshes: [ConstraintId<GearMesh>; 2],
}

/// A train whose carrier stands at `angle`; the ring is the ground.
fn train(angle: f64) -> Train {
    let mut m = Mechanism::new();
    let (sin, cos) = trig::sin_cos(angle);
    let reach = SUN + PLANET;
    let sun = m.add_body(Mass::disc(2.0, SUN), Pose::new(0.0, 0.0, 0.4)).unwrap();
    let carrier = m.add_body(Mass::new(1.0, 0.1), Pose::new(0.0, 0.0, angle)).unwrap();
    let planet = m.add_body(Mass::disc(0.5, PLANET), Pose::new(reach * cos, reach * sin, -1.1)).unwrap();
    m.add(Revolute::to_ground(sun, [0.0, 0.0])).unwrap();
    m.add(Revolute::to_ground(carrier, [0.0, 0.0])).unwrap();
    m.add(Revolute::new(planet, [0.0, 0.0], carrier, [reach, 0.0])).unwrap();
    let zero = Vec2::zeros();
    let outer = GearMesh::external((sun, zero, SUN), (planet, zero, PLANET)).meshed_at(m.motions());
    let inner =
        GearMesh::internal((planet, zero, PLANET), (BodyId::GROUND, zero, RING)).meshed_at(m.motions());
    let meshes = [m.add(outer).unwrap(), m.add(inner).unwrap()];
    Train { m, sun, carrier, planet, meshes }
}

#[test]
fn speeds_follow_the_equation_of_willis() {
    let Train { mut m, sun, .. } = train(0.7);
    assert_eq!(m.mobility().unwrap().degrees_of_freedom, 1);
    m.add(Prescribed::speed((sun, Coordinate::Angle), 3.0)).unwrap();
    m.assemble().unwrap();
    let u = m.velocities();
    // With the ring at rest: ω_c = ω_s r_s / (r_s + r_r), and the planet rolls in the ring.
    let carrier = 3.0 * SUN / (SUN + RING);
    assert!((u[5] - carrier).abs() < 1e-12);
    assert!((u[8] + carrier * (RING - PLANET) / PLANET).abs() < 1e-12);
}

#[test]
fn torque_on_the_sun_accelerates_what_the_train_reduces() {
    let Train { mut m, sun, carrier, planet, meshes } = train(-0.4);
    m.set_applied(sun, [0.0, 0.0, 1.5]).unwrap();
    m.assemble().unwrap();
    let answer = m.solve_accelerations().unwrap();
    // Reduced inertia at the sun, by kinetic energy per ω_s².
    let ratio = SUN / (SUN + RING);
    let angular_velocity = ratio * (RING - PLANET) / PLANET;
    let speed = ratio * (SUN + PLANET);
    let reduced = 2.0 * SUN * SUN / 2.0
        + 0.1 * ratio * ratio
        + 0.5 * PLANET * PLANET / 2.0 * angular_velocity * angular_velocity
        + 0.5 * speed * speed;
    let alpha = 1.5 / reduced;
    assert!((answer.acceleration(sun).unwrap()[2] - alpha).abs() < 1e-11);
    assert!((answer.acceleration(carrier).unwrap()[2] - ratio * alpha).abs() < 1e-11);
    // The tooth force turns the planet together with the one at the ring.
    let [a, b] = meshes.map(|id| m.multipliers(id, &answer).unwrap()[0]);
    let spun = 0.5 * PLANET * PLANET / 2.0 * answer.acceleration(planet).unwrap()[2];
    assert!(((a + b) * PLANET - spun).abs() < 1e-11);
    assert!(meshes.iter().all(|&id| m.power(id, &answer).unwrap().abs() < 1e-12));
}

#[test]
fn the_train_stays_in_mesh_over_turns_of_the_carrier() {
    let Train { mut m, meshes, .. } = train(0.0);
    let ratio = SUN / (SUN + RING);
    let start = m.coordinates();
    for k in 0..200 {
        let turned = f64::from(k) * 0.37;
        let (carrier, reach) = (turned * ratio, SUN + PLANET);
        let (sin, cos) = trig::sin_cos(carrier);
        let mut q = start.clone();
        q[2] += turned;
        q[5] += carrier;
        (q[6], q[7]) = (reach * cos, reach * sin);
        q[8] -= carrier * (RING - PLANET) / PLANET;
        m.set_coordinates(&q).unwrap();
        m.realize(Stage::Position).unwrap();
        for id in meshes {
            assert!(m.position_errors(id).unwrap()[0].abs() < 1e-12, "turn {turned}");
        }
    }
    // Half a tooth of slip is an error, and no gear has a radius of 0.
    let mut q = m.coordinates();
    q[2] += 0.1;
    m.set_coordinates(&q).unwrap();
    m.realize(Stage::Position).unwrap();
    assert!((m.position_errors(meshes[0]).unwrap()[0] - 0.1 * SUN).abs() < 1e-12);
    let flat = GearMesh::external((BodyId::GROUND, Vec2::zeros(), 0.0), (m_body(), Vec2::zeros(), 1.0));
    assert!(matches!(m.add(flat), Err(MechanismError::Value { .. })));
    let hollow = GearMesh::external((BodyId::GROUND, Vec2::zeros(), 1.0), (m_body(), Vec2::zeros(), -2.0));
    assert!(matches!(m.add(hollow), Err(MechanismError::Value { value: -2.0, .. })));
    let narrow = GearMesh::internal((m_body(), Vec2::zeros(), 2.0), (BodyId::GROUND, Vec2::zeros(), 2.0));
    assert!(matches!(m.add(narrow), Err(MechanismError::Value { value: 2.0, .. })));
}

/// Teeth press at the pitch point, which is between outer gears and beyond the centre of one within a ring: there is no torque
/// about it.
#[test]
fn the_force_of_teeth_is_at_the_pitch_point() {
    for (is_internal, angle) in [(false, 0.0), (false, 2.1), (true, 0.0), (true, 2.1)] {
        let mut m = Mechanism::new();
        let gear = m.add_body(Mass::new(1.0, 0.2), Pose::IDENTITY).unwrap();
        let (sin, cos) = trig::sin_cos(angle);
        let reach = if is_internal { -1.5 } else { 2.5 };
        let wheel = m.add_body(Mass::new(3.0, 4.0), Pose::new(reach * cos, reach * sin, 0.0)).unwrap();
        m.add(Revolute::to_ground(gear, [0.0, 0.0])).unwrap();
        m.add(Revolute::new(wheel, [0.0, 0.0], BodyId::GROUND, [reach * cos, reach * sin])).unwrap();
        let (first, second) = ((gear, Vec2::zeros(), 0.5), (wheel, Vec2::zeros(), 2.0));
        let mesh =
            if is_internal { GearMesh::internal(first, second) } else { GearMesh::external(first, second) };
        let mesh = mesh.meshed_at(m.motions());
        let mesh = m.add(mesh).unwrap();
        m.set_applied(gear, [0.0, 0.0, 7.0]).unwrap();
        let answer = m.solve_accelerations().unwrap();
        let teeth = m.reaction(mesh, &answer).unwrap();
        assert!((teeth.point - Vec2::new(0.5 * cos, 0.5 * sin)).norm() < 1e-15, "{is_internal} {teeth:?}");
        // 7 − 0.5 F = 0.2 α and 2 F = 4 α / 4.
        let force = 7.0 / (0.5 + 0.2 * 2.0);
        assert!((teeth.force.norm() - force).abs() < 1e-12 && teeth.torque.abs() < 1e-12, "{teeth:?}");
    }
}

/// The first body of any mechanism, by its place.
fn m_body() -> BodyId {
    engine2d_geometry::BodyRef::Body(0).into()
}
