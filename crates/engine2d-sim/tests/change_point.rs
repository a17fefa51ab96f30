//! A parallelogram passes its change points, where its constraints are dependent and a crossed linkage branches off, on
//! its own branch: as the pendulum that it is.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::{BodyId, Mass, Mechanism, MechanismError, Revolute};
use engine2d_math::{Pose, trig};
use engine2d_sim::{AdaptiveSettings, DormandPrince};
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;
const SPIN: f64 = -0.42;
const END: f64 = 2.0;

fn integrator() -> DormandPrince {
    let settings = AdaptiveSettings {
        relative_tolerance: 1e-12,
        absolute_tolerance: 1e-12,
        ..AdaptiveSettings::default()
    };
    DormandPrince::new(settings)
}

/// Crank angle and speed at the end, of the pendulum with the linkage's reduced inertia.
fn pendulum() -> [f64; 2] {
    let inertia = 2.0 * (0.02 + 0.5 * 0.25 * 0.25) + 0.5 * 0.5;
    let moment = 2.0 * 0.5 * 0.25 + 0.5;
    let mut integrator = integrator();
    integrator.start(0.0, &[FRAC_PI_2, SPIN]);
    while integrator.time() < END {
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), MechanismError> {
            dy[0] = y[1];
            dy[1] = -moment * G * trig::cos(y[0]) / inertia;
            Ok(())
        };
        integrator.step(&mut rates, END).unwrap();
    }
    [integrator.state()[0], integrator.state()[1]]
}

#[test]
fn a_parallelogram_passes_its_change_points() {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let crank = m.add_body(Mass::new(0.5, 0.02), Pose::new(0.0, 0.25, FRAC_PI_2)).unwrap();
    let coupler = m.add_body(Mass::new(1.0, 0.1), Pose::new(0.5, 0.5, 0.0)).unwrap();
    let rocker = m.add_body(Mass::new(0.5, 0.02), Pose::new(1.0, 0.25, FRAC_PI_2)).unwrap();
    let across = -0.25 * SPIN;
    m.set_velocities(&[across, 0.0, SPIN, 2.0 * across, 0.0, 0.0, across, 0.0, SPIN]).unwrap();
    m.add(Revolute::new(crank, [-0.25, 0.0], BodyId::GROUND, [0.0, 0.0])).unwrap();
    m.add(Revolute::new(coupler, [-0.5, 0.0], crank, [0.25, 0.0])).unwrap();
    m.add(Revolute::new(rocker, [0.25, 0.0], coupler, [0.5, 0.0])).unwrap();
    m.add(Revolute::new(rocker, [-0.25, 0.0], BodyId::GROUND, [1.0, 0.0])).unwrap();
    let mut integrator = integrator();
    integrator.start(0.0, &m.state());
    let (mut steps, mut lowest) = (0, FRAC_PI_2);
    while integrator.time() < END {
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| m.rates(y, dy);
        integrator.step(&mut rates, END).unwrap();
        m.set_state(integrator.state()).unwrap();
        m.project().unwrap();
        let time = integrator.time();
        integrator.adjust(time, &m.state());
        lowest = f64::min(lowest, m.coordinates()[2]);
        steps += 1;
    }
    // Both change points lie behind it, and the integrator did not creep through them.
    assert!(lowest < -std::f64::consts::PI - 1.0, "{lowest}");
    assert!(steps < 4000, "{steps}");
    let [angle, spin] = pendulum();
    let (q, u) = (m.coordinates(), m.velocities());
    for crank in [2, 8] {
        assert!((q[crank] - angle).abs() < 1e-9, "{} {angle}", q[crank]);
        assert!((u[crank] - spin).abs() < 1e-9, "{} {spin}", u[crank]);
    }
    assert!(q[5].abs() < 1e-9 && u[5].abs() < 1e-9);
}
