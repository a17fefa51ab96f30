//! How long bodies that go far in a step may go before what is near them is looked for anew.
//!
//! Contacts are those of the place where they were found: who passes a body far to the side would hit the line through that place, and who has
//! bounced flies where nothing was looked for. Bodies as far apart as a gap `g` do not meet before `g / |v|`; from there they are looked
//! at again, closer and closer, until what they go beside the normal before they meet is little.

use super::super::near::Near;
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{Vec2, perp};

/// Way in a step, in the size of a body, from which it is a far one.
const FAR: f64 = 1.0;

/// Way beside the normal until bodies meet, in their size, that turns the normal little.
const BESIDE: f64 = 0.25;

/// Share of a gap that bodies go before the next look: what is left of it they could still go in a substep of that length, so that nothing
/// stops them.
const NEARER: f64 = 0.4;

/// Most stretches of a step by this.
const MOST: f64 = 64.0;

/// Room beyond the time at which bodies meet, relative to it, so that they do meet before its end.
const BEYOND: f64 = 1e-3;

/// Length of the next stretch, at most `rest`, of a step of length `h`; `sizes` are the largest distances of the bodies' points from their
/// centres of mass.
pub(super) fn stretch(
    near: &[Near],
    (bodies, sizes): (&[CollisionBody], &[f64]),
    (rest, h): (f64, f64),
) -> f64 {
    let goes_far =
        |(body, size): (&CollisionBody, &f64)| !body.fixed && body.velocity.norm() * rest > FAR * size;
    if !bodies.iter().zip(sizes).any(goes_far) {
        return rest;
    }
    near.iter()
        .fold(rest, |most, near| most.min(until(near, (bodies, sizes), rest)))
        .max((h / MOST).min(rest))
}

/// How long a pair does without a look.
fn until(near: &Near, (bodies, sizes): (&[CollisionBody], &[f64]), rest: f64) -> f64 {
    let ends = near.pair().map(|k| k as usize);
    let moves = ends.into_iter().filter(|&k| bodies.get(k).is_some_and(|body| !body.fixed));
    let size = moves.map(|k| sizes[k]).fold(f64::INFINITY, f64::min);
    let (point, gap) = near.meeting(bodies);
    let at = |body: BodyRef| {
        body.index().map_or(Vec2::zeros(), |k| {
            let arm = point - bodies[k].pose.position();
            bodies[k].velocity + perp(arm) * bodies[k].angular_velocity
        })
    };
    let v = at(near.id.primary) - at(near.id.normal_body);
    let (speed, rate) = (v.norm(), near.normal.dot(&v));
    if speed * rest <= FAR * size || rate >= 0.0 {
        return rest;
    }
    let (gap, least) = (gap.max(0.0), BESIDE * size / speed);
    let meet = gap / -rate;
    let beside = meet * perp(near.normal).dot(&v).abs();
    let until = if beside > BESIDE * size { NEARER * gap / speed } else { (1.0 + BEYOND) * meet };
    until.max(least).min(rest)
}
