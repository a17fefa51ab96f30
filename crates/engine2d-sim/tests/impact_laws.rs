//! The laws of impacts with friction, in worlds.

use engine2d_sim::{Body, Event, ImpactLaw, Settings, World};

const LAWS: [ImpactLaw; 3] = [ImpactLaw::Poisson, ImpactLaw::Newton, ImpactLaw::Stronge];

fn world(law: ImpactLaw, bodies: impl IntoIterator<Item = Body>) -> World {
    let mut builder = World::builder().settings(Settings { impact_law: law, ..Settings::default() });
    for body in bodies {
        builder = builder.body(body);
    }
    builder.build().expect("a sound scene")
}

fn floor(mu: f64) -> Body {
    Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(mu).restitution(1.0)
}

/// A rod falls on its end along its slope: the end slides, sticks within compression, and leaves with what the law gives back.
///
/// With the arm `(x, y)` from the centre to the end, the normal up, the tangent to the left: `C = 1/m + x²/I`, `A = 1/m + y²/I`,
/// `B = x y/I`. Slopes of `u_n`: `s₁ = C − μσB` while it slides, `s₂ = C − B²/A` while it sticks. It sticks after
/// `p₁ = |u_t|/(μA − σB)`, with `u_n = u₁`; compression ends at `p_c = p₁ + |u₁|/s₂` with the work `W_c`. So
///
/// ```text
/// Newton u⁺ = e |u⁻| ,  Poisson u⁺ = s₂ e p_c ,  Stronge u⁺ = e √(2 s₂ |W_c|) ,  |W_c| = (u⁻² − u₁²)/(2 s₁) + u₁²/(2 s₂)
/// ```
#[test]
fn a_rod_leaves_as_its_law_says() {
    let (length, m, mu, e): (f64, f64, f64, f64) = (2.0, 1.5, 0.9, 0.5);
    let (angle, down, along): (f64, f64, f64) = (1.1, 3.0, -0.4);
    let width = 0.05;
    // The lower left corner of the block.
    let local = [-0.5 * width, -0.5 * length];
    let tilt = angle - std::f64::consts::FRAC_PI_2;
    let (ts, tc) = tilt.sin_cos();
    let corners = [local, [0.5 * width, -0.5 * length]].map(|[x, y]| [tc * x - ts * y, ts * x + tc * y]);
    let [x, y] = if corners[0][1] < corners[1][1] { corners[0] } else { corners[1] };
    let moment = m * length * length / 12.0;
    let (c, b, a) = (1.0 / m + x * x / moment, x * y / moment, 1.0 / m + y * y / moment);
    let (approach, slip) = (-down, -along);
    let side = slip.signum();
    let (s1, s2) = (c - mu * side * b, c - b * b / a);
    let p1 = slip.abs() / (mu * a - side * b);
    let u1 = approach + s1 * p1;
    assert!(b.abs() <= mu * a && s1 > 0.0 && u1 < 0.0, "it slides, then sticks, within compression");
    let (p_c, work) = (p1 - u1 / s2, (approach * approach - u1 * u1) / (2.0 * s1) + u1 * u1 / (2.0 * s2));
    for (law, expected) in [
        (ImpactLaw::Newton, e * down),
        (ImpactLaw::Poisson, s2 * e * p_c),
        (ImpactLaw::Stronge, e * (2.0 * s2 * work).sqrt()),
    ] {
        let rod = Body::block(width, length).mass(m).moment(moment).at(0.0, -y + 0.3).angle(tilt);
        let rod = rod.velocity(along, -down).friction(mu).restitution(e);
        let mut w = world(law, [floor(mu), rod]);
        w.advance(0.2).unwrap();
        let body = w.body(1).unwrap();
        let (v, turning) = (body.velocity(), body.spin());
        assert!(v.y > -down, "it has met the floor: {v:?}");
        // The end as it was at the impact, which did not turn before.
        let up = v.y + turning * x;
        let sideways = v.x - turning * y;
        assert!((up - expected).abs() < 1e-9, "{law:?}: {up} {expected}");
        assert!(sideways.abs() < 1e-9, "{law:?}: it sticks, {sideways}");
    }
}

/// Random rods, balls and blocks that fall flat, alone and in heaps of three, under each law, one by one and all at once.
#[test]
fn no_impact_gains_energy() {
    let mut state = 7_u64;
    let mut next = |low: f64, high: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let kinetic = |w: &World| -> f64 {
        let of = |k: usize| {
            let b = w.body(k).expect("a body");
            0.5 * b.mass() * b.velocity().norm_squared() + 0.5 * b.moment() * b.spin() * b.spin()
        };
        (1..w.bodies().len()).map(of).sum()
    };
    let (mut met, mut reduced) = (0, 0);
    for trial in 0..300 {
        let mu = next(0.05, 1.5);
        let count = 1 + trial % 3;
        let flat = trial % 2 == 0;
        let mut bodies = vec![floor(mu)];
        for k in 0..count {
            let mut at = Body::block(next(0.1, 1.0), next(0.5, 2.0));
            if next(0.0, 1.0) < 0.3 {
                at = Body::ball(next(0.3, 0.8));
            }
            let angle = if flat { 0.0 } else { next(-3.0, 3.0) };
            let at = at.at(0.2 * next(-1.0, 1.0), 1.2 + 2.6 * f64::from(k)).angle(angle).mass(next(0.3, 3.0));
            let turning = if flat { 0.0 } else { next(-3.0, 3.0) };
            let at = at.velocity(next(-2.0, 2.0), -next(1.0, 4.0) - f64::from(k)).spin(turning);
            let rolls = if trial % 5 == 0 { next(0.0, 0.1) } else { 0.0 };
            bodies.push(at.friction(mu).restitution(next(0.0, 1.0)).rolling_resistance(rolls));
        }
        for law in LAWS {
            let mut w = world(law, bodies.clone());
            if trial % 4 == 0 {
                let simultaneous = engine2d_sim::CollisionHandling::Simultaneous;
                let settings = Settings { collision_handling: simultaneous, ..w.settings().clone() };
                w.edit().set_settings(settings).unwrap();
            }
            let mut before = kinetic(&w);
            for _ in 0..20 {
                let report = w.advance(0.05).expect("impacts");
                met += report.counters.collisions;
                for event in report.events() {
                    if let Event::RestitutionReduced { share, contact, .. } = event {
                        assert!((0.0..=1.0).contains(share) && contact.primary != contact.normal_body);
                        assert!(law != ImpactLaw::Poisson || *share < 1.0);
                        reduced += usize::from(law == ImpactLaw::Newton);
                    }
                }
                let after = kinetic(&w);
                assert!(after <= before * (1.0 + 1e-9), "{trial} {law:?}: {before} {after}");
                before = after;
            }
        }
    }
    assert!(met > 1_000, "{met}");
    assert!(reduced > 0, "Newton's law gains energy, and it is told: {reduced}");
}

/// A rod whose end slides as it falls: where Newton's law would gain energy the rod leaves as by Poisson's, and the event names it.
#[test]
fn an_impact_that_would_gain_energy_is_poissons_and_told() {
    let fallen = |law: ImpactLaw, angle: f64, along: f64| {
        let rod = Body::block(2.0, 0.05).angle(angle).at(0.0, 1.2).velocity(along, -3.0);
        let mut w = world(law, [floor(0.8), rod.friction(0.8).restitution(0.9)]);
        let report = w.advance(0.5).expect("an impact");
        let told: Vec<Event> =
            report.events().iter().filter(|e| e.kind() == "restitution_reduced").cloned().collect();
        let body = w.body(1).expect("a rod");
        (told, [body.velocity().x, body.velocity().y, body.spin()])
    };
    let mut seen = 0;
    for angle in [0.6, 0.8, 1.0, 1.2] {
        for along in [-6.0, -3.0, -1.0, 1.0, 3.0, 6.0] {
            let (told, by_newton) = fallen(ImpactLaw::Newton, angle, along);
            let Some(event) = told.first() else { continue };
            let (none, by_poisson) = fallen(ImpactLaw::Poisson, angle, along);
            assert!(none.is_empty() && event.involves(engine2d_geometry::BodyRef::Body(1)));
            assert!(event.point().is_some_and(|point| point.y.abs() < 1e-9), "{event}");
            let off = (0..3).map(|k| (by_newton[k] - by_poisson[k]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{angle} {along}: {by_newton:?} {by_poisson:?}");
            seen += 1;
        }
    }
    assert!(seen > 0, "Newton's law gains energy somewhere");
}

#[test]
fn another_law_needs_the_located_clock() {
    for law in [ImpactLaw::Newton, ImpactLaw::Stronge] {
        for settings in [Settings::time_stepping(), Settings::backtracking()] {
            let settings = Settings { impact_law: law, ..settings };
            let built = World::builder().settings(settings.clone()).body(Body::ball(1.0)).build();
            let refused = built.unwrap_err().to_string();
            assert!(
                refused.contains("settings.impact_law") && refused.contains("located clock"),
                "{refused}"
            );
            let mut running = World::builder().body(Body::ball(1.0)).build().unwrap();
            assert!(running.edit().set_settings(settings).is_err());
        }
    }
}
