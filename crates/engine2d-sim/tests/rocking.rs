//! A block that rocks from corner to corner \[Housner 1963\].
//!
//! With the half diagonal `R` at the angle `α` from the upright and the moment `I = 4 m R²/3` about a corner, a block let go
//! leaning by `θ₀` falls by energy, `½ I θ'² = m g R (cos(α − θ₀) − cos(α − θ))`, in
//!
//! ```text
//! T(θ₀) = ∫₀^θ₀ dθ / √(2 k (cos(α − θ₀) − cos(α − θ))) ,   k = m g R/I = 3 g/(4 R)
//! ```
//!
//! The other corner then meets the floor without bounce and without slip, and the first one leaves. The angular momentum about
//! the new corner stays, so that `ω⁺ = r ω⁻` with `r = 1 − (3/2) sin² α`, and the next lean `θ₁` follows from
//! `cos(α − θ₁) = cos α + ω⁺²/(2 k)`. From one impact to the next it takes `2 T`.

use engine2d_sim::{Body, Event, Settings, World};

const G: f64 = 9.81;

/// `T` by Simpson's rule in `s = √(θ₀ − θ)`, which takes the root out of the integrand.
fn fall(lean: f64, alpha: f64, k: f64) -> f64 {
    const PARTS: u32 = 2_000;
    let from = alpha - lean;
    let f = |s: f64| {
        let half = 0.5 * s * s;
        // 2 s/√(2 k · 2 sin(a + s²/2) sin(s²/2)), with its limit at 0.
        let root = if s == 0.0 { 0.5 } else { half.sin() / (s * s) };
        2.0 / (4.0 * k * (from + half).sin() * root).sqrt()
    };
    let h = lean.sqrt() / f64::from(PARTS);
    let weight = |i: u32| {
        if i == 0 || i == PARTS {
            1.0
        } else if i % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    (0..=PARTS).map(|i| weight(i) * f(h * f64::from(i))).sum::<f64>() * h / 3.0
}

#[test]
fn the_first_impacts_of_a_rocking_block() {
    for (half_width, half_height, lean) in [(0.25_f64, 1.0_f64, 0.15_f64), (0.2, 1.2, 0.1)] {
        let (alpha, r) = ((half_width / half_height).atan(), half_width.hypot(half_height));
        let (sin, cos) = lean.sin_cos();
        let at = [half_width * cos - half_height * sin, half_width * sin + half_height * cos];
        let block = Body::block(2.0 * half_width, 2.0 * half_height).at(at[0], at[1]).angle(lean);
        let floor = Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(1.0).restitution(0.0);
        let mut w = World::builder()
            .settings(Settings { energy_ledger: true, ..Settings::default() })
            .gravity(G)
            .body(floor)
            .body(block.friction(1.0).restitution(0.0))
            .build()
            .expect("a sound scene");
        let k = 0.75 * G / r;
        let keeps = 1.0 - 1.5 * alpha.sin().powi(2);
        let (mut lean, mut side, mut impact) = (lean, 1.0, fall(lean, alpha, k));
        for number in 1..=6 {
            // Up to shortly before the impact, and past it.
            let report = w.advance(impact - 1e-3 - w.time()).expect("it rocks");
            assert!(!report.events().iter().any(|e| matches!(e, Event::Collision { .. }) && e.time() > 0.0));
            let report = w.advance(2e-3).expect("an impact");
            let told = report.events().iter().find(|e| matches!(e, Event::Collision { .. }));
            let time =
                told.unwrap_or_else(|| panic!("no impact {number} at {impact}: {:?}", report.events()));
            assert!((time.time() - impact).abs() < 1e-6, "impact {number}: {} {impact}", time.time());
            let omega = keeps * (2.0 * k * ((alpha - lean).cos() - alpha.cos())).sqrt();
            lean = alpha - (alpha.cos() + omega * omega / (2.0 * k)).acos();
            side = -side;
            // The greatest lean is half way to the next impact.
            let half = fall(lean, alpha, k);
            w.advance(impact + half - w.time()).expect("it rocks");
            let angle = w.body(1).expect("a block").angle();
            assert!((angle - side * lean).abs() < 1e-6, "lean {number}: {angle} {}", side * lean);
            impact += 2.0 * half;
        }
        let ledger = w.inspect().energy_ledger().expect("books");
        assert!(ledger.integration_error.abs() < 1e-9, "{ledger}");
    }
}
