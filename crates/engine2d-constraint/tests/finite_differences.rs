//! Every constraint's rows against finite differences: the rate of the position error is the velocity error, the rate
//! of the velocity error is the acceleration error, at states assembled onto the constraint; and what each constraint's
//! forces do: action equals reaction, no power, the same in every frame.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::Pose;

use super::table::cases::{At, for_each_case};

/// Step of the differences; their error is of the order of its square.
const STEP: f64 = 1e-5;
/// Agreement with differences.
const NEAR: f64 = 2e-8;

fn moved(m: &Mechanism, udot: &[f64], t: f64) -> (Vec<f64>, Vec<f64>) {
    let (q, u) = (m.coordinates(), m.velocities());
    let q = (0..q.len()).map(|i| q[i] + u[i] * t + 0.5 * udot[i] * t * t).collect();
    (q, u.iter().zip(udot).map(|(u, a)| u + a * t).collect())
}

#[test]
fn rows_are_the_derivatives_of_their_errors() {
    let mut checked = 0;
    for_each_case(0.0, |name, mut m, equations, at, _| {
        if at == At::Assembled {
            m.assemble().unwrap();
        }
        m.realize(Stage::Velocity).unwrap();
        let here = equations(&m);
        // Accelerations that stay on the constraint, as the second derivative of an assembled motion does.
        let mut udot = vec![0.4, -1.2, 0.7, 0.3, 1.5, -0.9];
        if at == At::Assembled {
            udot = tangent_accelerations(&here, &udot);
        }
        let mut side = |t: f64| {
            let (q, u) = moved(&m, &udot, t);
            let keep = (m.coordinates(), m.velocities());
            m.set_time(t).unwrap();
            m.set_coordinates(&q).unwrap();
            m.set_velocities(&u).unwrap();
            m.realize(Stage::Velocity).unwrap();
            let there = equations(&m);
            m.set_time(0.0).unwrap();
            m.set_coordinates(&keep.0).unwrap();
            m.set_velocities(&keep.1).unwrap();
            there
        };
        let (before, after) = (side(-STEP), side(STEP));
        for (k, e) in here.iter().enumerate() {
            let difference =
                |value: fn(&Equation) -> f64| (value(&after[k]) - value(&before[k])) / (2.0 * STEP);
            if e.level == Level::Position {
                let rate = difference(|e| e.position_error);
                assert!((rate - e.velocity_error).abs() < NEAR, "{name} {k}: {rate} {}", e.velocity_error);
            }
            let row: f64 = e
                .row
                .bodies
                .iter()
                .zip(&e.row.jacobian)
                .map(|(b, j)| b.index().map_or(0.0, |b| (0..3).map(|i| j[i] * udot[3 * b + i]).sum()))
                .sum();
            let error = row + e.acceleration_bias;
            if e.level == Level::Acceleration {
                assert_eq!(e.acceleration_bias, -0.2);
                continue;
            }
            let rate = difference(|e| e.velocity_error);
            assert!((rate - error).abs() < NEAR * error.abs().max(1.0), "{name} {k}: {rate} {error}");
            checked += 1;
        }
    });
    assert!(checked >= 40, "{checked}");
}

/// The accelerations nearest to `udot` with vanishing acceleration errors of the bilateral equations.
fn tangent_accelerations(equations: &[Equation], udot: &[f64]) -> Vec<f64> {
    let rows: Vec<(Vec<f64>, f64)> = equations
        .iter()
        .filter(|e| e.kind == RowKind::Bilateral)
        .map(|e| {
            let mut full = vec![0.0; 6];
            for (b, j) in e.row.bodies.iter().zip(&e.row.jacobian) {
                if let Some(b) = b.index() {
                    (0..3).for_each(|i| full[3 * b + i] += j[i]);
                }
            }
            (full, -e.acceleration_bias)
        })
        .collect();
    let identity: Vec<f64> = (0..36).map(|k| f64::from(u8::from(k % 7 == 0))).collect();
    let j: Vec<f64> = rows.iter().flat_map(|(r, _)| r.clone()).collect();
    let c: Vec<f64> = rows.iter().map(|(_, c)| *c).collect();
    engine2d_math::kkt::solve(&identity, &j, udot, &c, 1e-10).unwrap().q
}

/// Force and torque about the world's origin of a row's unit multiplier on both bodies.
fn totals(e: &Equation, m: &Mechanism) -> [f64; 3] {
    let mut total = [0.0; 3];
    for (&b, j) in e.row.bodies.iter().zip(&e.row.jacobian) {
        let p = m.motions().of(b).pose.position();
        total[0] += j[0];
        total[1] += j[1];
        total[2] += j[2] + p.x * j[1] - p.y * j[0];
    }
    total
}

#[test]
fn action_equals_reaction() {
    for_each_case(0.0, |name, mut m, equations, at, ideal| {
        if at == At::Assembled {
            m.assemble().unwrap();
        }
        m.realize(Stage::Velocity).unwrap();
        if !ideal && name != "slider in the world" && !name.contains("motor") && !name.contains("along") {
            return;
        }
        for (k, e) in equations(&m).iter().enumerate() {
            let [fx, fy, torque] = totals(e, &m);
            assert!(fx.abs() < 1e-14 && fy.abs() < 1e-14, "{name} {k}");
            // A direction fixed in the world pushes apart points that are apart: a couple about their distance.
            if name != "slider in the world" {
                assert!(torque.abs() < 1e-12, "{name} {k}: {torque}");
            }
        }
    });
}

#[test]
fn ideal_constraints_have_no_power_on_an_assembled_motion() {
    for_each_case(0.0, |name, mut m, equations, _, ideal| {
        m.assemble().unwrap();
        m.realize(Stage::Velocity).unwrap();
        for e in equations(&m).iter().filter(|e| ideal && e.kind == RowKind::Bilateral) {
            // The power of a unit multiplier is J u.
            assert!(e.velocity_error.abs() < 1e-12, "{name}: {}", e.velocity_error);
        }
    });
}

#[test]
fn errors_are_the_same_in_a_turned_frame() {
    let mut upright: Vec<(String, Vec<Equation>)> = Vec::new();
    for_each_case(0.0, |name, mut m, equations, _, _| {
        m.realize(Stage::Velocity).unwrap();
        upright.push((name.to_owned(), equations(&m)));
    });
    let mut k = 0;
    for_each_case(0.8, |name, mut m, equations, _, ideal| {
        m.realize(Stage::Velocity).unwrap();
        let turned = equations(&m);
        let (_, straight) = &upright[k];
        k += 1;
        // World axes are part of these.
        let of_measure = name.contains("along") || name.contains("motor");
        if !(ideal || of_measure) || ["revolute", "weld", "contact"].contains(&name) {
            return;
        }
        for (a, b) in straight.iter().zip(&turned) {
            assert!((a.position_error - b.position_error).abs() < 1e-11, "{name}");
            assert!((a.velocity_error - b.velocity_error).abs() < 1e-11, "{name}");
            assert!((a.acceleration_bias - b.acceleration_bias).abs() < 1e-10, "{name}");
        }
    });
}

/// The recorded row of no slip takes the accelerations of the material points, which is the derivative of its velocity
/// error where friction wheels are: axles fixed in the case, direction square to the line of the axles.
#[test]
fn no_slip_between_wheels_on_fixed_axles() {
    let mut m = Mechanism::new();
    let a = m.add_body(Mass::disc(1.0, 0.5), Pose::new(0.0, 0.0, 0.2)).unwrap();
    let b = m.add_body(Mass::disc(2.0, 1.0), Pose::new(1.5, 0.0, 0.7)).unwrap();
    let id = m.add(NoSlip::new(BodyRef::Ground, [0.5, 0.0], [0.0, 1.0], a, b)).unwrap();
    let udot = [0.0, 0.0, 0.7, 0.0, 0.0, -1.1];
    let errors = |m: &Mechanism, t: f64| {
        m.velocity_errors_at(id, &[0.0, 0.0, 2.0 + udot[2] * t, 0.0, 0.0, 0.3 + udot[5] * t]).unwrap()[0]
    };
    let rate = (errors(&m, STEP) - errors(&m, -STEP)) / (2.0 * STEP);
    m.set_velocities(&[0.0, 0.0, 2.0, 0.0, 0.0, 0.3]).unwrap();
    assert!((rate - m.acceleration_errors_at(id, &udot).unwrap()[0]).abs() < NEAR);
    m.add(Revolute::to_ground(a, [0.0, 0.0])).unwrap();
    m.add(Revolute::to_ground(b, [1.5, 0.0])).unwrap();
    // Without slip the speeds are in the ratio of the radii, the other way round.
    m.assemble().unwrap();
    let u = m.velocities();
    assert!((u[2] * 0.5 + u[5] * 1.0).abs() < 1e-12);
}
