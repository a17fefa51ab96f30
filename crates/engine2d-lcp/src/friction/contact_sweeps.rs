//! Sweeps over the contacts by bodies: each contact in turn to its own solution, normal and tangent together, with the motion of
//! the bodies kept up to date. A sweep costs a few dozen nanoseconds a contact; what is wrong locally it mends at once, what is
//! wrong over long distances hardly ever.

use super::Friction;
use crate::tolerance::{CLEARLY, ROUNDING};
use crate::{Lcp, Row};

impl Friction {
    /// So many sweeps over all rows from the forces `f`.
    pub(super) fn sweep_contacts(&mut self, problem: &Lcp<'_>, sweeps: usize) {
        let Self { bodies, cones, f, .. } = self;
        bodies.set_motion(f);
        for _ in 0..sweeps {
            for (i, kind) in problem.kinds().iter().enumerate() {
                if *kind == Row::Bilateral {
                    let weight = bodies.weight(i, i);
                    if weight > 0.0 {
                        let change = -(bodies.acceleration(i) + problem.bias()[i]) / weight;
                        f[i] += change;
                        bodies.push_by(i, change);
                    }
                }
            }
            for c in cones.iter() {
                let n = c.normal as usize;
                let normal = bodies.acceleration(n) + problem.bias()[n];
                let Some((t, mu)) = c.slip else {
                    let change = (f[n] - normal / c.diagonal).max(0.0) - f[n];
                    if change != 0.0 {
                        f[n] += change;
                        bodies.push_by(n, change);
                    }
                    continue;
                };
                let t = t as usize;
                let along = bodies.acceleration(t) + problem.bias()[t];
                let (cross, tangent) = (bodies.weight(n, t), bodies.weight(t, t));
                let without =
                    [normal - c.diagonal * f[n] - cross * f[t], along - cross * f[n] - tangent * f[t]];
                let [to_n, to_t] = one_contact([c.diagonal, cross, tangent], without, mu);
                for (i, to) in [(n, to_n), (t, to_t)] {
                    let change = to - f[i];
                    if change != 0.0 {
                        f[i] = to;
                        bodies.push_by(i, change);
                    }
                }
            }
        }
    }
}

/// The forces of a single contact with the matrix `[[w0, w1], [w1, w2]]`: open, stick or slip.
fn one_contact(w: [f64; 3], bias: [f64; 2], mu: f64) -> [f64; 2] {
    if !(bias[0] < 0.0) {
        return [0.0; 2];
    }
    let determinant = w[0] * w[2] - w[1] * w[1];
    let mut sign = if bias[1] > 0.0 { -1.0 } else { 1.0 };
    if determinant > ROUNDING * w[0] * w[2] {
        let normal = (w[1] * bias[1] - w[2] * bias[0]) / determinant;
        let along = (w[1] * bias[0] - w[0] * bias[1]) / determinant;
        if normal >= 0.0 && along.abs() <= mu * normal {
            return [normal, along];
        }
        sign = if along > 0.0 { 1.0 } else { -1.0 };
    }
    let mut weight = w[0] + sign * mu * w[1];
    if !(weight > CLEARLY * w[0]) {
        weight = w[0];
    }
    let normal = -bias[0] / weight;
    [normal, sign * mu * normal]
}
