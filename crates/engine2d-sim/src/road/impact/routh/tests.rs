//! Routh's phases against the impact equations integrated step by step, which know nothing of phases.

use super::SingleContact;
use crate::impact_law::ImpactLaw;

const LAWS: [ImpactLaw; 3] = [ImpactLaw::Poisson, ImpactLaw::Newton, ImpactLaw::Stronge];

/// Numbers between 0 and 1 (\[Knuth, The Art of Computer Programming 2, §3.3.4\], line 26 of the table).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A contact of a body of unit mass and gyration `k` at an arm, its velocities, and its restitution.
    fn impact(&mut self) -> (SingleContact, [f64; 2], f64) {
        let (x, y, k) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(0.2, 1.0));
        // Normal along y, tangent along −x: the arm turns as u_n = x ω and u_t = y ω.
        let matrix = [1.0 + x * x / (k * k), x * y / (k * k), 1.0 + y * y / (k * k)];
        let contact = SingleContact { rows: [0, 1], matrix, mu: self.between(0.0, 2.0) };
        (contact, [-self.between(0.1, 2.0), self.between(-2.0, 2.0)], self.between(0.0, 1.0))
    }
}

/// Velocities, tangential impulse and work of the normal impulse.
type Point = [f64; 4];

/// A small step of the normal impulse from a point, with the friction that Coulomb's law has there.
fn step(contact: &SingleContact, at: Point, h: f64) -> Point {
    let ([c, b, a], [u_n, u_t, p_t, work]) = (contact.matrix, at);
    let with = |friction: f64| (c + friction * b, b + friction * a, friction);
    let (up, down) = (with(-contact.mu), with(contact.mu));
    let (normal, tangential, friction) = if u_t > 0.0 {
        up
    } else if u_t < 0.0 {
        down
    } else if up.1 > 0.0 {
        up
    } else if down.1 < 0.0 {
        down
    } else {
        // What holds the surfaces, by bisection.
        let (mut low, mut high) = (-contact.mu, contact.mu);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if with(middle).1 > 0.0 { high = middle } else { low = middle }
        }
        let held = with(0.5 * (low + high));
        (held.0, 0.0, held.2)
    };
    // Velocities are linear within the step, so that the trapezoid of the work is exact.
    let next = u_n + normal * h;
    [next, u_t + tangential * h, p_t + friction * h, work + 0.5 * (u_n + next) * h]
}

/// Impulses of an impact by steps of the normal impulse, halved before whatever changes sign.
fn integrated(contact: &SingleContact, law: ImpactLaw, [approach, slip]: [f64; 2], e: f64) -> [f64; 2] {
    let (mut at, mut p) = ([approach, slip, 0.0, 0.0], 0.0);
    let mut compression: Option<(f64, f64)> = None;
    loop {
        let mut h = 1.0 / 64.0;
        loop {
            let next = step(contact, at, h);
            let turns = at[1] != 0.0 && next[1] * at[1] < 0.0;
            let ended = |next: &Point, p: f64| match (compression, law) {
                (None, _) => next[0] >= 0.0,
                (Some(_), ImpactLaw::Newton) => next[0] >= -e * approach,
                (Some((most, _)), ImpactLaw::Poisson) => p >= (1.0 + e) * most,
                (Some((_, work)), ImpactLaw::Stronge) => next[3] - work >= -e * e * work,
            };
            if (turns || ended(&next, p + h)) && h > 1e-13 {
                h *= 0.5;
                continue;
            }
            (at, p) = (next, p + h);
            if turns {
                at[1] = 0.0;
            }
            if ended(&at, p) {
                if compression.is_some() {
                    return [p, at[2]];
                }
                compression = Some((p, at[3]));
            }
            break;
        }
    }
}

#[test]
fn phases_are_the_integral_of_the_impact_equations() {
    let mut numbers = Numbers(1);
    let (mut stuck, mut reversed) = (0, 0);
    for k in 0..5_000 {
        let (contact, speeds, e) = numbers.impact();
        for law in LAWS {
            let (found, expected) = (contact.impulses(law, speeds, e), integrated(&contact, law, speeds, e));
            let off = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(off < 1e-10, "{k} {law:?} {contact:?} {speeds:?} {e}: {found:?} {expected:?}");
            let [c, b, a] = contact.matrix;
            let after = [speeds[0] + c * found[0] + b * found[1], speeds[1] + b * found[0] + a * found[1]];
            stuck += i32::from(after[1].abs() < 1e-12);
            reversed += i32::from(after[1] * speeds[1] < 0.0 && after[1].abs() > 1e-12);
        }
    }
    assert!(stuck > 1_000 && reversed > 100, "all kinds are tried: {stuck} {reversed}");
}

/// Works of both impulses: `½ p·(u⁻ + u⁺)`.
fn gain(contact: &SingleContact, speeds: [f64; 2], p: [f64; 2]) -> f64 {
    let [c, b, a] = contact.matrix;
    let after = [speeds[0] + c * p[0] + b * p[1], speeds[1] + b * p[0] + a * p[1]];
    0.5 * (p[0] * (speeds[0] + after[0]) + p[1] * (speeds[1] + after[1]))
}

#[test]
fn poisson_and_stronge_never_gain_energy_and_newton_does() {
    let mut numbers = Numbers(2);
    let mut gains = [0; 3];
    for _ in 0..200_000 {
        let (contact, speeds, e) = numbers.impact();
        for (law, gains) in LAWS.into_iter().zip(&mut gains) {
            *gains += i32::from(gain(&contact, speeds, contact.impulses(law, speeds, e)) > 1e-12);
        }
    }
    assert_eq!((gains[0], gains[2]), (0, 0), "{gains:?}");
    assert!(gains[1] > 1_000, "what the guard is for: {gains:?}");
}

/// Without coupling of the directions the three laws are one.
#[test]
fn the_laws_agree_on_central_impacts() {
    let contact = SingleContact { rows: [0, 1], matrix: [2.0, 0.0, 6.0], mu: 0.3 };
    for slip in [-9.0, 0.5] {
        let all = LAWS.map(|law| contact.impulses(law, [-1.0, slip], 0.6));
        for found in all {
            let most = 0.3 * 0.8;
            let expected = [0.8, (-slip / 6.0).clamp(-most, most)];
            let off = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(off < 1e-15, "{found:?} {expected:?}");
        }
    }
}
