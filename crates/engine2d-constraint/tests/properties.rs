//! Properties over random states of a mechanism with many kinds of joints: constraint forces on everything, the ground
//! included, vanish together; ideal constraints do no work; nothing depends on the frame.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2, trig};
use proptest::prelude::*;

/// A pinned arm, a disc rolling on it, a block sliding on the arm, and a rod between block and ground point.
fn mechanism(q: &[f64], u: &[f64], turn: f64, shift: [f64; 2]) -> Mechanism {
    let (sin, cos) = trig::sin_cos(turn);
    let rotate = |x: f64, y: f64| [x * cos - y * sin, x * sin + y * cos];
    let mut m = Mechanism::new();
    m.set_gravity(rotate(0.0, -9.81)).unwrap();
    let masses = [Mass::new(2.0, 0.7).centered_at([0.4, 0.1]), Mass::disc(1.0, 0.3), Mass::new(0.8, 0.2)];
    let (mut velocities, mut bodies) = (Vec::new(), Vec::new());
    for (k, mass) in masses.into_iter().enumerate() {
        let [x, y] = rotate(q[3 * k], q[3 * k + 1]);
        bodies.push(m.add_body(mass, Pose::new(x + shift[0], y + shift[1], q[3 * k + 2] + turn)).unwrap());
        let [vx, vy] = rotate(u[3 * k], u[3 * k + 1]);
        velocities.extend([vx, vy, u[3 * k + 2]]);
    }
    m.set_velocities(&velocities).unwrap();
    let pin = rotate(0.1, -0.2);
    m.add(Revolute::to_ground(bodies[0], [pin[0] + shift[0], pin[1] + shift[1]])).unwrap();
    let top = Line::new([0.0, 0.2], [0.0, 1.0]);
    m.add(CircleOnLine::new(bodies[0], top, bodies[1], [0.0, 0.0], 0.3).rolling()).unwrap();
    m.add(Slider::along_body(bodies[2], [0.1, 0.0], bodies[0], [0.5, -0.3], [0.0, 1.0])).unwrap();
    let anchor = rotate(3.0, -1.0);
    let anchor = [anchor[0] + shift[0], anchor[1] + shift[1]];
    m.add(Rod::new(bodies[2], [0.0, 0.2], BodyRef::Ground, anchor, 2.5)).unwrap();
    m
}

fn state() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let q = prop::collection::vec(-0.3_f64..0.3, 9).prop_map(|d| {
        [0.1, -0.2, 0.1, 0.5, 0.4, 0.0, 0.9, -0.5, 0.2].iter().zip(d).map(|(q, d)| q + d).collect()
    });
    (q, prop::collection::vec(-2.0_f64..2.0, 9))
}

fn total(m: &Mechanism, wrenches: &[Wrench]) -> [f64; 3] {
    wrenches.iter().fold([0.0; 3], |t, w| {
        let p = m.motions().of(w.body).pose.position();
        let moment = w.torque + p.x * w.force.y - p.y * w.force.x;
        [t[0] + w.force.x, t[1] + w.force.y, t[2] + moment]
    })
}

proptest! {
    #[test]
    fn forces_of_an_assembled_mechanism_do_no_work_and_vanish_together((q, u) in state()) {
        let mut m = mechanism(&q, &u, 0.0, [0.0, 0.0]);
        prop_assume!(m.assemble().is_ok());
        let answer = m.solve_accelerations().unwrap();
        // The power of all constraint forces is the rate of the energy less that of gravity, which is in the energy.
        let mut power = 0.0;
        let scale = answer.multipliers().iter().fold(1.0, |s: f64, l| s.max(l.abs()));
        let bodies = [BodyRef::Ground, BodyRef::Body(0), BodyRef::Body(1), BodyRef::Body(2)];
        let mut wrenches = Vec::new();
        for body in bodies {
            let mut sum = Wrench { body, force: Vec2::zeros(), torque: 0.0 };
            for (e, &l) in m.all_equations().unwrap().iter().zip(answer.multipliers()) {
                for (b, j) in e.row.bodies.iter().zip(&e.row.jacobian) {
                    if *b == body {
                        sum.force += Vec2::new(j[0], j[1]) * l;
                        sum.torque += j[2] * l;
                    }
                }
            }
            let motion = m.motions().of(body);
            power += sum.force.dot(&motion.velocity) + sum.torque * motion.angular_velocity;
            wrenches.push(sum);
        }
        prop_assert!(power.abs() < 1e-10 * scale, "power {power}");
        for t in total(&m, &wrenches) {
            prop_assert!(t.abs() < 1e-10 * scale, "{t}");
        }
    }

    #[test]
    fn answers_turn_with_the_frame((q, u) in state(), turn in -3.0_f64..3.0, x in -5.0_f64..5.0, y in -5.0_f64..5.0) {
        let mut here = mechanism(&q, &u, 0.0, [0.0, 0.0]);
        let mut there = mechanism(&q, &u, turn, [x, y]);
        prop_assume!(here.assemble().is_ok() && there.assemble().is_ok());
        let (a, b) = (here.solve_accelerations().unwrap(), there.solve_accelerations().unwrap());
        let (sin, cos) = trig::sin_cos(turn);
        let scale = a.accelerations().iter().fold(1.0, |s: f64, l| s.max(l.abs()));
        for (p, t) in a.accelerations().chunks_exact(3).zip(b.accelerations().chunks_exact(3)) {
            let turned = [p[0] * cos - p[1] * sin, p[0] * sin + p[1] * cos, p[2]];
            for (p, t) in turned.iter().zip(t) {
                prop_assert!((p - t).abs() < 1e-8 * scale, "{p} {t}");
            }
        }
    }
}
