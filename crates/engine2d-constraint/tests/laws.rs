//! Closed forms of what mechanisms do: linkages, servos, dry friction of joints, led and bouncing joints.

use engine2d_constraint::*;
use engine2d_math::trig;

/// A slider-crank at constant crank speed: the piston's speed and acceleration, and the torque by the power of its
/// inertia.
#[test]
fn the_piston_of_a_slider_crank_follows_its_closed_form() {
    let (r, l, omega, mass) = (0.3, 1.1, 7.0, 2.5);
    for degrees in (0..360).step_by(7) {
        let angle = f64::from(degrees).to_radians();
        let (sin, cos) = trig::sin_cos(angle);
        let root = (l * l - r * r * sin * sin).sqrt();
        let x = r * cos + root;
        let rate = -r * sin * omega * (1.0 + r * cos / root);
        let slope = r * r * sin * cos / root;
        let acceleration = -r * cos * omega * omega
            - omega * omega * (r * r * (cos * cos - sin * sin) + slope * slope) / root;
        let mut m = Mechanism::new();
        let crank = m.add_body(Mass::new(0.4, 0.02), Pose::new(0.0, 0.0, angle)).unwrap();
        let tilt = trig::atan2(-r * sin, root);
        let rod = m.add_body(Mass::new(0.7, 0.1), Pose::new(r * cos, r * sin, tilt)).unwrap();
        let piston = m.add_body(Mass::new(mass, 1.0), Pose::new(x, 0.0, 0.0)).unwrap();
        m.add(Revolute::to_ground(crank, [0.0, 0.0])).unwrap();
        m.add(Revolute::new(rod, [0.0, 0.0], crank, [r, 0.0])).unwrap();
        m.add(Revolute::new(rod, [l, 0.0], piston, [0.0, 0.0])).unwrap();
        m.add(Prismatic::new(piston, [0.0, 0.0], BodyId::GROUND, [0.0, 0.0], [1.0, 0.0], 0.0)).unwrap();
        let drive = m.add(Prescribed::speed(Measure::angle(crank, BodyId::GROUND), omega)).unwrap();
        m.assemble().unwrap();
        let answer = m.solve_accelerations().unwrap();
        assert!((m.velocities()[6] - rate).abs() < 1e-11, "{degrees}");
        assert!((answer.acceleration(piston).unwrap()[0] - acceleration).abs() < 1e-9, "{degrees}");
        let torque = m.multipliers(drive, &answer).unwrap()[0];
        // The drive's power is the rate of the kinetic energy.
        let (u, a, inertias) =
            (m.velocities(), answer.accelerations(), [0.4, 0.4, 0.02, 0.7, 0.7, 0.1, mass, mass, 1.0]);
        let power: f64 = inertias.iter().zip(u).zip(a).map(|((i, u), a)| i * u * a).sum();
        assert!((torque * omega - power).abs() < 1e-9, "{degrees}: {torque}");
    }
}

/// Freudenstein's equation `k1 cos φ − k2 cos θ + k3 = cos(θ − φ)` of crank angle θ and rocker angle φ.
#[test]
fn a_four_bar_linkage_satisfies_the_equation_of_freudenstein() {
    let (a, b, c, d) = (0.3, 1.0, 0.8, 1.1);
    let light = Mass::new(1.0, 0.1);
    let mut m = Mechanism::new();
    let crank = m.add_body(light, Pose::IDENTITY).unwrap();
    let coupler = m.add_body(light, Pose::new(a, 0.0, 0.9)).unwrap();
    let rocker = m.add_body(light, Pose::new(d, 0.0, 1.9)).unwrap();
    m.add(Revolute::to_ground(crank, [0.0, 0.0])).unwrap();
    m.add(Revolute::new(coupler, [0.0, 0.0], crank, [a, 0.0])).unwrap();
    m.add(Revolute::new(coupler, [b, 0.0], rocker, [c, 0.0])).unwrap();
    m.add(Revolute::new(rocker, [0.0, 0.0], BodyId::GROUND, [d, 0.0])).unwrap();
    let angle = |t: f64| [2.0 * t, 2.0, 0.0];
    m.add(Prescribed::trajectory((crank, Coordinate::Angle), angle)).unwrap();
    let [k1, k2, k3] = [d / a, d / c, (a * a - b * b + c * c + d * d) / (2.0 * a * c)];
    for step in 0..200 {
        m.set_time(f64::from(step) * 0.02).unwrap();
        m.assemble().unwrap();
        let (theta, phi) = (m.coordinates()[2], m.coordinates()[8]);
        let residual = k1 * trig::cos(phi) - k2 * trig::cos(theta) + k3 - trig::cos(theta - phi);
        assert!(residual.abs() < 1e-11, "{step}: {residual}");
        assert!((m.velocities()[2] - 2.0).abs() < 1e-12);
    }
}

/// Two discs on one axle: an internal drive turns them against each other and leaves their momentum.
#[test]
fn a_led_relative_motion_leaves_the_momentum_of_the_pair() {
    let mut m = Mechanism::new();
    let a = m.add_body(Mass::new(1.0, 0.4), Pose::IDENTITY).unwrap();
    let b = m.add_body(Mass::new(1.0, 1.2), Pose::IDENTITY).unwrap();
    m.add(Revolute::new(a, [0.0, 0.0], b, [0.0, 0.0])).unwrap();
    let swing = |t: f64| [trig::sin(3.0 * t), 3.0 * trig::cos(3.0 * t), -9.0 * trig::sin(3.0 * t)];
    let drive = m.add(Prescribed::trajectory(Measure::angle(a, b), swing)).unwrap();
    for k in 0..10 {
        let t = 0.1 * f64::from(k);
        m.set_time(t).unwrap();
        m.assemble().unwrap();
        let answer = m.solve_accelerations().unwrap();
        let [alpha, beta] = [a, b].map(|body| answer.acceleration(body).unwrap()[2]);
        // Reduced inertia 0.4 · 1.2 / 1.6.
        let torque = 0.3 * swing(t)[2];
        assert!((alpha * 0.4 - torque).abs() < 1e-12 && (beta * 1.2 + torque).abs() < 1e-12);
        assert!((m.multipliers(drive, &answer).unwrap()[0] - torque).abs() < 1e-12);
        let [fa, fb] = [a, b].map(|body| m.force_on(drive, body, &answer).unwrap());
        assert!(fa.iter().zip(fb).all(|(x, y)| (x + y).abs() < 1e-12));
    }
}

/// A position servo follows `ẋ = g (x* − x)` exactly while its force suffices, and pushes with its limit while not.
#[test]
fn a_servo_approaches_exponentially_or_with_its_limit() {
    let (gain, inertia) = (8.0, 0.5);
    let mut m = Mechanism::new();
    let arm = m.add_body(Mass::new(1.0, inertia), Pose::IDENTITY).unwrap();
    let servo = m
        .add(Motor::servo(Measure::angle(arm, BodyId::GROUND), Servo { place: 1.0, gain, limit: 40.0 }))
        .unwrap();
    for x in [0.0, 0.4, 0.9, 1.3] {
        let rate = gain * (1.0 - x);
        m.set_coordinates(&[0.0, 0.0, x]).unwrap();
        m.set_velocities(&[0.0, 0.0, rate]).unwrap();
        let answer = m.solve_accelerations().unwrap();
        let wanted = (-gain * rate).max(-40.0 / inertia);
        assert!((answer.acceleration(arm).unwrap()[2] - wanted).abs() < 1e-12);
        // Slower than it should be, it pushes with all it has.
        m.set_velocities(&[0.0, 0.0, rate - 0.5]).unwrap();
        let answer = m.solve_accelerations().unwrap();
        assert_eq!(m.multipliers(servo, &answer).unwrap(), [40.0]);
    }
    // A step of velocities reaches what is asked for.
    m.set_coordinates(&[0.0, 0.0, 0.9]).unwrap();
    m.set_velocities(&[0.0, 0.0, 0.0]).unwrap();
    m.solve_velocities(0.05).unwrap();
    assert!((m.velocities()[2] - gain * 0.1).abs() < 1e-12);
    // Far away it asks for no more than its top speed, from either side.
    let slow = Motor::servo(Measure::angle(arm, BodyId::GROUND), Servo { place: 1.0, gain, limit: 40.0 })
        .with_top_speed(0.25);
    m.edit(servo, |motor: &mut Motor| *motor = slow).unwrap();
    for (x, speed) in [(-3.0, 0.25), (4.0, -0.25)] {
        m.set_coordinates(&[0.0, 0.0, x]).unwrap();
        m.set_velocities(&[0.0, 0.0, 0.0]).unwrap();
        m.solve_velocities(0.05).unwrap();
        assert!((m.velocities()[2] - speed).abs() < 1e-12);
    }
}

/// Dry friction in a pin: it holds up to its limit and resists the motion with that much beyond it.
#[test]
fn a_brake_holds_up_to_its_limit_and_slips_with_it() {
    let (g, l, mass, limit) = (9.81, 0.5, 2.0, 6.0);
    for (angle, omega) in [(1.3_f64, 0.0), (0.2, 0.0), (0.2, 2.0), (0.2, -2.0)] {
        let mut m = Mechanism::new();
        m.set_gravity([0.0, -g]).unwrap();
        let bob = Mass::new(mass, 0.1).centered_at([l, 0.0]);
        let bar = m.add_body(bob, Pose::new(0.0, 0.0, angle)).unwrap();
        m.add(Revolute::to_ground(bar, [0.0, 0.0])).unwrap();
        let brake = m.add(Motor::brake(Measure::angle(bar, BodyId::GROUND), limit)).unwrap();
        m.set_velocities(&[0.0, 0.0, omega]).unwrap();
        let load = -mass * g * l * trig::cos(angle);
        let friction = if omega == 0.0 { (-load).clamp(-limit, limit) } else { -limit * omega.signum() };
        let answer = m.solve_accelerations().unwrap();
        let alpha = (load + friction) / (0.1 + mass * l * l);
        assert!((answer.acceleration(bar).unwrap()[2] - alpha).abs() < 1e-11, "{angle} {omega}");
        assert!((m.multipliers(brake, &answer).unwrap()[0] - friction).abs() < 1e-11);
        assert!(m.power(brake, &answer).unwrap() <= 0.0);
    }
}

/// A bar of two bodies pinned at one end strikes a stop: momentum about the pin, and restitution at the stop.
#[test]
fn limits_bounce_with_their_restitution() {
    for e in [0.0, 0.4, 1.0] {
        let mut m = Mechanism::new();
        let slider = m.add_body(Mass::new(3.0, 1.0), Pose::new(0.7, 0.0, 0.0)).unwrap();
        let base = m.add_body(Mass::new(1.0, 1.0), Pose::IDENTITY).unwrap();
        m.add(Prismatic::new(slider, [0.0, 0.0], base, [0.0, 0.0], [1.0, 0.0], 0.0)).unwrap();
        let end = SlideLimit::new((slider, Vec2::zeros()), (base, Vec2::zeros()), [1.0, 0.0], [-0.7, 0.7]);
        m.add_joint(Joint::new(end).restitution(e)).unwrap();
        // In an instant a finite force does nothing.
        m.add(Motor::brake(Measure::angle(slider, base), 1e3)).unwrap();
        m.add(Motor::linear(slider, [0.0, 0.0], base, [1.0, 0.0], SpeedDrive { speed: -1.0, limit: 1e3 }))
            .unwrap();
        m.set_velocities(&[2.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let impulses = m.solve_impact().unwrap();
        let u = m.velocities();
        assert!((u[3] - u[0] - 2.0 * e).abs() < 1e-12 && (3.0 * u[0] + u[3] - 6.0).abs() < 1e-12);
        assert!((impulses[3] - (1.0 + e) * 2.0 * 0.75).abs() < 1e-12, "{impulses:?}");
        // What leaves a stop is let go.
        assert!(m.solve_impact().unwrap().iter().all(|i| i.abs() < 1e-12));
    }
}

/// A ball falls on a rough floor, spinning: the impulse of friction ends at `mu` times the normal one, or sticks.
#[test]
fn an_impact_with_friction_slips_or_sticks() {
    for (mu, rate) in [(0.1, 12.0), (2.0, 12.0)] {
        let (mass, r) = (2.0, 0.5);
        let mut m = Mechanism::new();
        let ball = m.add_body(Mass::disc(mass, r), Pose::new(0.0, r, 0.0)).unwrap();
        let floor = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), ball, [0.0, 0.0], r);
        m.add_joint(Joint::new(floor.unilateral().with_friction(mu)).restitution(0.5)).unwrap();
        m.set_velocities(&[0.0, -3.0, rate]).unwrap();
        let impulses = m.solve_impact().unwrap();
        let u = m.velocities();
        assert!((u[1] - 1.5).abs() < 1e-12 && (impulses[0] - mass * 4.5).abs() < 1e-12);
        // Without slip 2/3 of the surface's speed remain in the rotation: v = −ω r, m v (1 + 1/(1/2)) = ...
        let sticking = mass * rate * r / 3.0;
        let along = -(mu * mass * 4.5).min(sticking);
        assert!((u[0] - along / mass).abs() < 1e-12, "{u:?}");
        assert!((u[2] - (rate + along * r / (0.5 * mass * r * r))).abs() < 1e-11);
    }
}

/// Three rods hold a point, the third nearly along the first: its self-stress loads the second one by a thousandth, and so does what
/// cannot be known.
#[test]
fn a_rod_with_a_small_part_in_a_self_stress_is_undetermined() {
    for tilt in [0.5, 1e-2, 1e-3, 2e-4] {
        let mut m = Mechanism::new();
        let point = m.add_body(Mass::new(1.0, 1.0), Pose::IDENTITY).unwrap();
        let (sin, cos) = trig::sin_cos(tilt);
        for end in [[1.0, 0.0], [0.0, 1.0], [cos, sin]] {
            m.add(Rod::new(point, [0.0, 0.0], BodyId::GROUND, end, 1.0)).unwrap();
        }
        m.add(Rod::new(point, [0.0, 1.0], BodyId::GROUND, [1.0, 1.0], 1.0)).unwrap();
        assert_eq!(m.undetermined(), [0, 1, 2], "{tilt}");
    }
}
