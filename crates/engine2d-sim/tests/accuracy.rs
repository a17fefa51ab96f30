//! Accuracy of the default profile against analytic results and conservation laws.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Attachment, Body, Connector, Frame, OdeMethod, Settings, SimError, World};

const GRAVITY: f64 = 9.81;

/// A rod of 0.05 × 1 m hung from a point of the world at its upper end.
fn hung_rods(count: usize, angle: f64, settings: Settings) -> World {
    let mut builder = World::builder().gravity(GRAVITY).settings(settings);
    let mut top = (0.0, 0.0);
    let mut previous: Option<u32> = None;
    for i in 0..count {
        let (sin, cos) = angle.sin_cos();
        builder = builder.body(Body::block(0.05, 1.0).at(top.0 + 0.5 * sin, top.1 - 0.5 * cos).angle(angle));
        let upper = Attachment::body(i as u32, [0.0, 0.5]);
        let anchor = match previous {
            Some(p) => Attachment::body(p, [0.0, -0.5]),
            None => Attachment::ground([0.0, 0.0]),
        };
        for joint in Connector::pin(anchor, upper, Frame::World) {
            builder = builder.connector(joint);
        }
        previous = Some(i as u32);
        top = (top.0 + sin, top.1 - cos);
    }
    builder.build().expect("a sound double pendulum")
}

fn precise() -> Settings {
    Settings { method: OdeMethod::dormand_prince(1e-12), ..Settings::default() }
}

#[test]
fn a_double_pendulum_keeps_its_energy_and_its_joints() {
    for angle in [0.5, std::f64::consts::FRAC_PI_2] {
        let mut world = hung_rods(2, angle, precise());
        let start = world.energy().total();
        // Lowest state: both rods straight down.
        let lowest = -GRAVITY * (0.5 + 1.5);
        let mut joint_error = 0.0_f64;
        for _ in 0..400 {
            joint_error = joint_error.max(world.advance(0.025).unwrap().joint_error);
        }
        let drift = (world.energy().total() - start).abs() / (start - lowest);
        assert!(joint_error <= 1e-10, "joint error {joint_error:e}");
        assert!(drift <= 1e-9, "energy drift {drift:e} from {angle}");
    }
}

/// Angles and rates of a double pendulum of two rods in its two angles, by Lagrange's equations: independent of
/// joints, contacts and this crate's integrators. Extrapolated midpoint rule (Gragg, order 16) with small steps.
mod reference {
    use super::GRAVITY;

    const INERTIA: f64 = (0.05 * 0.05 + 1.0) / 12.0;

    fn rates([a, b, u, v]: [f64; 4]) -> [f64; 4] {
        // M (u̇, v̇) = q; rods of mass 1 and length 1 with their centres at one half.
        let (m11, m22, m12) = (INERTIA + 0.25 + 1.0, INERTIA + 0.25, 0.5 * (a - b).cos());
        let q1 = -0.5 * (a - b).sin() * v * v - 1.5 * GRAVITY * a.sin();
        let q2 = 0.5 * (a - b).sin() * u * u - 0.5 * GRAVITY * b.sin();
        let d = m11 * m22 - m12 * m12;
        [u, v, (q1 * m22 - q2 * m12) / d, (q2 * m11 - q1 * m12) / d]
    }

    fn sum(y: [f64; 4], h: f64, k: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| y[i] + h * k[i])
    }

    /// One step of the modified midpoint rule with `n` substeps.
    fn midpoint(y: [f64; 4], h: f64, n: u32) -> [f64; 4] {
        let s = h / f64::from(n);
        let (mut last, mut now) = (y, sum(y, s, rates(y)));
        for _ in 1..n {
            (last, now) = (now, sum(last, 2.0 * s, rates(now)));
        }
        std::array::from_fn(|i| 0.5 * (now[i] + last[i] + s * rates(now)[i]))
    }

    /// The state after `h`.
    pub(super) fn step(y: [f64; 4], h: f64) -> [f64; 4] {
        let mut table: Vec<[f64; 4]> = (1..=8).map(|k| midpoint(y, h, 2 * k)).collect();
        for level in 1..table.len() {
            for k in (level..table.len()).rev() {
                let ratio = ((k + 1) as f64 / (k + 1 - level) as f64).powi(2) - 1.0;
                table[k] = std::array::from_fn(|i| table[k][i] + (table[k][i] - table[k - 1][i]) / ratio);
            }
        }
        table[7]
    }
}

#[test]
fn a_double_pendulum_follows_its_equations_with_few_evaluations() {
    // Runge and Kutta at 1 kHz.
    let allowed = 4 * 10_000;
    for (angle, limit) in [(0.5, 1e-9), (std::f64::consts::FRAC_PI_2, 1e-6)] {
        let mut world = hung_rods(2, angle, precise());
        let start = world.energy().total();
        let scale = start + GRAVITY * (0.5 + 1.5);
        let mut truth = [angle, angle, 0.0, 0.0];
        let (mut worst, mut joints, mut drift, mut evaluations) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
        for _ in 0..100 {
            let report = world.advance(0.1).unwrap();
            evaluations += report.evaluations;
            joints = joints.max(report.joint_error);
            drift = drift.max((world.energy().total() - start).abs() / scale);
            for _ in 0..20 {
                truth = reference::step(truth, 0.005);
            }
            for (k, expected) in truth[..2].iter().enumerate() {
                worst = worst.max((world.body(k).unwrap().angle() - expected).abs());
            }
        }
        println!(
            "from {angle}: angle {worst:e}, joints {joints:e}, energy {drift:e}, {evaluations} evaluations"
        );
        assert!(worst <= limit, "angle error {worst:e} from {angle}");
        assert!(joints <= 1e-10 && drift <= 1e-10, "joints {joints:e}, energy {drift:e}");
        assert!(evaluations < allowed, "{evaluations} evaluations");
    }
}

#[test]
fn a_physical_pendulum_has_the_period_of_the_elliptic_integral() {
    let angle: f64 = 1.0;
    let mut world = hung_rods(1, angle, precise());
    // T = 4 √(I_p / (m g l)) K(sin(θ/2)), by the arithmetic–geometric mean.
    let inertia = (0.05f64.powi(2) + 1.0) / 12.0 + 0.25;
    let (mut a, mut g) = (1.0, (angle / 2.0).cos());
    for _ in 0..8 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    let period = 4.0 * (inertia / (GRAVITY * 0.5)).sqrt() * std::f64::consts::FRAC_PI_2 / a;
    let steps = 200;
    for _ in 0..steps {
        world.advance(period / f64::from(steps)).unwrap();
    }
    let body = world.body(0).unwrap();
    assert!((body.angle() - angle).abs() < 1e-9, "{}", body.angle() - angle);
    assert!(body.spin().abs() < 1e-8, "{}", body.spin());
}

#[test]
fn joints_hold_with_runge_kutta_whatever_the_extra_acceleration() {
    use engine2d_sim::ExtraAcceleration::{None, Velocity, VelocityAndDistanceJoints};
    for extra_acceleration in [None, Velocity, VelocityAndDistanceJoints] {
        let mut world = hung_rods(3, 1.2, Settings { extra_acceleration, ..Settings::default() });
        for _ in 0..200 {
            let report = world.advance(0.01).unwrap();
            assert!(report.joint_error <= 1e-10, "{extra_acceleration:?}: {:e}", report.joint_error);
        }
    }
}

#[test]
fn a_projectile_follows_its_parabola() {
    let mut world =
        World::builder().gravity(GRAVITY).body(Body::ball(0.1).velocity(3.0, 4.0)).build().unwrap();
    for _ in 0..40 {
        world.advance(0.025).unwrap();
    }
    let p = world.body(0).unwrap().position();
    assert!((p.x - 3.0).abs() < 1e-12 && (p.y - (4.0 - 0.5 * GRAVITY)).abs() < 1e-12);
}

#[test]
fn discs_exchange_momentum_elastically() {
    let mut world = World::builder()
        .body(Body::ball(0.5).mass(2.0).at(-2.0, 0.0).velocity(3.0, 0.0).restitution(1.0))
        .body(Body::ball(0.5).mass(1.0).at(1.0, 0.0).restitution(1.0))
        .build()
        .unwrap();
    let before = (world.inspect().momentum(), world.energy().total());
    for _ in 0..80 {
        world.advance(0.025).unwrap();
    }
    // v1' = (m1 − m2)/(m1 + m2) v, v2' = 2 m1/(m1 + m2) v.
    assert!((world.body(0).unwrap().velocity().x - 1.0).abs() < 1e-12);
    assert!((world.body(1).unwrap().velocity().x - 4.0).abs() < 1e-12);
    assert!(((world.inspect().momentum().0 - before.0.0).norm()) < 1e-12);
    assert!((world.energy().total() - before.1).abs() < 1e-12);
}

/// How a stack of unit blocks stands after 20 s: farthest way of the top block, deepest overlap ever, kinetic energy at
/// the end.
fn stand(count: usize, mass: impl Fn(usize) -> f64, width: impl Fn(usize) -> f64) -> (f64, f64, f64) {
    let mut builder = World::builder().gravity(GRAVITY).body(Body::wall(10.0, 1.0).at(0.0, -0.5));
    for i in 0..count {
        let body = Body::block(width(i), 1.0).mass(mass(i)).restitution(0.0);
        builder = builder.body(body.at(0.0, 0.5 + i as f64));
    }
    let mut world = builder.build().unwrap();
    let top = |world: &World| world.body(count).unwrap().position();
    let (start, mut way, mut depth) = (top(&world), 0.0_f64, 0.0_f64);
    for _ in 0..200 {
        let report = world.advance(0.1).unwrap();
        way = way.max((top(&world) - start).norm());
        depth = depth.max(report.penetration);
    }
    (way, depth, world.energy().kinetic())
}

#[test]
fn stacks_rest_where_they_were_placed() {
    // Flush sides, narrower upwards, sides that differ by rounding.
    for taper in [0.0, 0.002, 1e-12] {
        for count in [10, 20, 50, 100] {
            let (way, depth, kinetic) = stand(count, |_| 1.0, |i| 1.0 - taper * i as f64);
            assert!(way <= 1e-8, "{count} blocks, taper {taper}: top moved {way:e}");
            assert!(depth <= 1e-9, "{count} blocks, taper {taper}: depth {depth:e}");
            assert!(kinetic <= 1e-18, "{count} blocks, taper {taper}: kinetic energy {kinetic:e}");
        }
    }
}

#[test]
fn a_million_to_one_rests_too() {
    for heavy in [0, 1, 4] {
        let (way, depth, kinetic) = stand(5, |i| if i == heavy { 1e6 } else { 1.0 }, |_| 1.0);
        assert!(way <= 1e-8 && depth <= 1e-9, "heavy block {heavy}: top moved {way:e}, depth {depth:e}");
        assert!(kinetic <= 1e-18, "heavy block {heavy}: kinetic energy {kinetic:e}");
    }
}

/// A chain of links that hangs from the ground at one end and carries a ball at the other, let go horizontally.
fn chain(links: u32, ball: f64) -> World {
    let all: Vec<u32> = (0..=links).collect();
    let mut builder = World::builder().gravity(GRAVITY);
    for k in 0..links {
        let link = Body::block(0.1, 0.5).mass(1.0).at(0.25 + 0.5 * f64::from(k), 0.0);
        builder = builder.body(link.angle(std::f64::consts::FRAC_PI_2).ignoring_bodies(all.clone()));
    }
    let end = 0.5 * f64::from(links);
    builder = builder.body(Body::ball(0.5).mass(ball).at(end, 0.0).ignoring_bodies(all));
    for k in 0..=links {
        let first =
            if k == 0 { Attachment::ground([0.0, 0.0]) } else { Attachment::body(k - 1, [0.0, -0.25]) };
        let point = if k == links { [0.0, 0.0] } else { [0.0, 0.25] };
        for joint in Connector::pin(first, Attachment::body(k, point), Frame::World) {
            builder = builder.connector(joint);
        }
    }
    builder.build().unwrap()
}

#[test]
fn chains_swing_and_whip_without_coming_apart() {
    for (links, ball, time) in [(5, 100.0, 10.0), (5, 1.0, 10.0), (20, 100.0, 3.0)] {
        let mut world = chain(links, ball);
        let start = world.energy().total();
        // The fall of the ball by the length of the chain.
        let scale = GRAVITY * 0.5 * f64::from(links) * (ball + 0.5 * f64::from(links));
        while world.time() < time {
            let report = world.advance(1.0 / 60.0).unwrap();
            assert!(
                report.joint_error <= 1e-10,
                "{links} links: {:e} at {}",
                report.joint_error,
                report.time
            );
            let drift = (report.energy - start).abs() / scale;
            assert!(drift <= 1e-6, "{links} links, ball {ball}: energy {drift:e} at {}", report.time);
        }
    }
}

#[test]
fn newtons_cradle_passes_the_speed_on() {
    for gap in [0.0, 1e-3] {
        let mut builder =
            World::builder().body(Body::ball(0.5).at(-2.5, 0.0).velocity(2.0, 0.0).restitution(1.0));
        for k in 0..4 {
            builder = builder.body(Body::ball(0.5).at((1.0 + gap) * f64::from(k), 0.0).restitution(1.0));
        }
        let mut world = builder.build().unwrap();
        let start = world.energy().total();
        world.advance(1.5).unwrap();
        let speeds: Vec<f64> = world.bodies().map(|b| b.velocity().x).collect();
        let expected = [0.0, 0.0, 0.0, 0.0, 2.0];
        assert!(speeds.iter().zip(expected).all(|(v, e)| (v - e).abs() < 1e-9), "gap {gap}: {speeds:?}");
        assert!((world.energy().total() - start).abs() <= 1e-12, "gap {gap}");
    }
}

#[test]
fn equal_runs_give_equal_bits() {
    let run = || {
        let mut world = hung_rods(3, 1.0, Settings::default());
        for _ in 0..100 {
            world.advance(0.025).unwrap();
        }
        world.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn descriptions_with_mistakes_are_typed_errors() {
    let bad = |body: Body| World::builder().body(body).build().unwrap_err();
    assert!(matches!(bad(Body::ball(-1.0)), SimError::Shape { index: 0, .. }));
    assert!(matches!(bad(Body::ball(1.0).mass(-2.0)), SimError::Value { .. }));
    assert!(matches!(bad(Body::ball(1.0).at(f64::NAN, 0.0)), SimError::Value { .. }));
    let mut world = World::builder().body(Body::ball(1.0)).build().unwrap();
    assert!(matches!(world.advance(-1.0), Err(SimError::Value { .. })));
    assert!(matches!(world.advance(f64::NAN), Err(SimError::Value { .. })));
    assert!(matches!(world.body("rod").err(), Some(SimError::UnknownName { .. })));
}
