//! Sweeps over the contacts by bodies: each contact in turn to its own solution, normal and tangent together, with the motion of
//! the bodies kept up to date. A sweep costs a few dozen nanoseconds a contact; what is wrong locally it mends at once, what is
//! wrong over long distances hardly ever.

use super::Friction;
use super::bodies::Bodies;
use super::contacts::Contact;
use crate::tolerance::{CLEARLY, ROUNDING};
use crate::{Lcp, Row};

impl Friction {
    /// So many sweeps over all rows from the forces `f`.
    pub(super) fn sweep_contacts(&mut self, problem: &Lcp<'_>, sweeps: usize) {
        let Self { bodies, contacts, diagonal, f, .. } = self;
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
            for contact in contacts.iter() {
                let Some(n) = contact.normal.map(|n| n as usize) else {
                    slide((bodies, f), contact, problem.bias(), diagonal, 1.0);
                    continue;
                };
                let own = diagonal[n].max(f64::MIN_POSITIVE);
                let normal = bodies.acceleration(n) + problem.bias()[n];
                if let [t] = *contact.tangents() {
                    let (i, shares) = (t.row as usize, [t.lo, t.hi]);
                    let along = bodies.acceleration(i) + problem.bias()[i];
                    let (cross, tangent) = (bodies.weight(n, i), bodies.weight(i, i));
                    let without = [normal - own * f[n] - cross * f[i], along - cross * f[n] - tangent * f[i]];
                    let [to_n, to_t] = one_contact([own, cross, tangent], without, shares);
                    change((bodies, f), n, to_n);
                    change((bodies, f), i, to_t);
                    continue;
                }
                let pressed = (f[n] - normal / own).max(0.0);
                change((bodies, f), n, pressed);
                slide((bodies, f), contact, problem.bias(), diagonal, pressed);
            }
        }
    }
}

/// The rows of friction of a contact that presses with a force, each in turn to the force that makes its acceleration zero, or to the nearer
/// limit.
fn slide(
    (bodies, f): (&mut Bodies, &mut [f64]),
    contact: &Contact,
    bias: &[f64],
    diagonal: &[f64],
    pressed: f64,
) {
    for t in contact.tangents() {
        let i = t.row as usize;
        let along = bodies.acceleration(i) + bias[i];
        let to = f[i] - along / diagonal[i].max(f64::MIN_POSITIVE);
        change((bodies, f), i, to.clamp(t.lo * pressed, t.hi * pressed));
    }
}

/// Changes the force on a row, and the motion with it.
fn change((bodies, f): (&mut Bodies, &mut [f64]), i: usize, to: f64) {
    let by = to - f[i];
    if by != 0.0 {
        f[i] = to;
        bodies.push_by(i, by);
    }
}

/// The forces of a single contact with the matrix `[[w0, w1], [w1, w2]]` and friction between two shares of the normal force: open, stick or
/// slip.
fn one_contact(w: [f64; 3], bias: [f64; 2], [lo, hi]: [f64; 2]) -> [f64; 2] {
    if !(bias[0] < 0.0) {
        return [0.0; 2];
    }
    let determinant = w[0] * w[2] - w[1] * w[1];
    let mut share = if bias[1] > 0.0 { lo } else { hi };
    if determinant > ROUNDING * w[0] * w[2] {
        let normal = (w[1] * bias[1] - w[2] * bias[0]) / determinant;
        let along = (w[1] * bias[0] - w[0] * bias[1]) / determinant;
        if normal >= 0.0 && lo * normal <= along && along <= hi * normal {
            return [normal, along];
        }
        share = if along > 0.0 { hi } else { lo };
    }
    let mut weight = w[0] + share * w[1];
    if !(weight > CLEARLY * w[0]) {
        weight = w[0];
    }
    let normal = -bias[0] / weight;
    [normal, share * normal]
}
