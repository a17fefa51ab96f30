//! A single contact with friction through its impact, phase by phase \[Routh 1860; Wang, Mason 1992\].
//!
//! With the normal impulse `p` in the place of time, `C`, `B`, `A` the rates of `u_n` and `u_t` per normal and tangential impulse,
//! and `σ` the sign of `u_t`:
//!
//! ```text
//! slides   du_t/dp = B − μσA ,  du_n/dp = C − μσB ,  dp_t/dp = −μσ
//! sticks   du_t/dp = 0 ,        du_n/dp = C − B²/A , dp_t/dp = −B/A      if |B| ≤ μA, else it slides on with σ = sign B
//! ```
//!
//! All are constant within a phase, and a phase ends where `u_t` vanishes; after that there is but one. Compression ends at
//! `u_n = 0`, and the impact where its law says. In expansion `u_n` always grows: a phase in which it falls is one of
//! compression, and the last one has `C − B²/A > 0`, or `C − μ|B| > C − B²/A`.

use crate::impact_law::ImpactLaw;

/// Determinant of the matrix of a contact, relative to the product of its diagonal, below which it is singular.
const SINGULAR: f64 = 1e-12;

/// A contact and its friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleContact {
    /// Places of its row and of that of its friction.
    pub(super) rows: [usize; 2],
    /// `C`, `B`, `A`: rates per impulse, normal, mixed, tangential (1/mass).
    pub(super) matrix: [f64; 3],
    pub(super) mu: f64,
}

/// What changes per normal impulse.
#[derive(Clone, Copy, Debug)]
struct Phase {
    normal: f64,
    tangential: f64,
    /// Tangential impulse.
    friction: f64,
}

impl SingleContact {
    /// Whether a matrix lets the contact move both ways.
    pub(super) fn is_regular([c, b, a]: [f64; 3]) -> bool {
        c > 0.0 && a > 0.0 && a * c - b * b > SINGULAR * a * c
    }

    /// The phase in which the tangential velocity is `u_t`.
    fn phase(&self, u_t: f64) -> Phase {
        let [c, b, a] = self.matrix;
        if u_t == 0.0 && b.abs() <= self.mu * a {
            return Phase { normal: c - b * b / a, tangential: 0.0, friction: -b / a };
        }
        let friction = -self.mu * if u_t == 0.0 { b.signum() } else { u_t.signum() };
        Phase { normal: c + friction * b, tangential: b + friction * a, friction }
    }

    /// Normal and tangential impulse of an impact with the velocities `[u_n, u_t]`, `u_n < 0`, before it.
    pub(super) fn impulses(&self, law: ImpactLaw, [approach, slip]: [f64; 2], e: f64) -> [f64; 2] {
        let (mut u_n, mut u_t, mut p, mut p_t) = (approach, slip, 0.0, 0.0);
        // Works of the normal impulse: that of compression, and what expansion still gives back.
        let (mut work, mut left, mut compression) = (0.0, 0.0, None);
        // Compression and expansion end in one phase each, and one ends where sliding stops.
        for _ in 0..3 {
            let phase = self.phase(u_t);
            let stops = if u_t * phase.tangential < 0.0 { -u_t / phase.tangential } else { f64::INFINITY };
            let ends = match compression {
                None if phase.normal > 0.0 => -u_n / phase.normal,
                None => f64::INFINITY,
                Some(at) => match law {
                    ImpactLaw::Newton => (-e * approach - u_n) / phase.normal,
                    ImpactLaw::Poisson => (1.0 + e) * at - p,
                    ImpactLaw::Stronge => {
                        let speed = u_n + (u_n * u_n + 2.0 * phase.normal * left).sqrt();
                        if speed > 0.0 { 2.0 * left / speed } else { 0.0 }
                    }
                },
            };
            let over = stops.min(ends).max(0.0);
            let done = over * (u_n + 0.5 * phase.normal * over);
            (p, p_t) = (p + over, p_t + phase.friction * over);
            u_n += phase.normal * over;
            u_t = if stops <= ends { 0.0 } else { u_t + phase.tangential * over };
            if stops < ends {
                (work, left) = if compression.is_none() { (work + done, left) } else { (work, left - done) };
            } else if compression.is_none() {
                (compression, u_n) = (Some(p), 0.0);
                left = -e * e * (work + done);
            } else {
                break;
            }
        }
        [p, p_t]
    }
}

#[cfg(test)]
mod tests;
