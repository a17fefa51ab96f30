//! How far bodies go within a step: farther than was looked for contacts, or through thin ones.

use super::detect::Detector;
use super::line::{Change, Line};
use super::near::Near;
use super::shared::Shared;
use crate::model::Model;
use crate::road::{Row, Source, rate_of, reach_of};
use crate::state::{PER_BODY, State};
use engine2d_constraint::RowKind;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Depth of a contact in the middle or at the end of a step, in the thickness of the body that has the side, from which the step is taken in
/// halves: beyond half of the thickness the other side is the nearer one, and the body would come out there.
pub(super) const THROUGH: f64 = 0.25;

/// Energy that putting bodies back on joints may give, in that of their motion, before a step is taken in halves: light links under a large
/// force swing faster than long steps can follow, and what they gain from step to step throws everything about.
const GIFT: f64 = 1e-3;

/// The same in what forces do on a way of the size of the bodies: of what hardly moves any more steps need not be short.
const LEAST_GIFT: f64 = 1e-6;

/// Whether putting bodies back on joints gave them more energy than a step of length `h` may, with the changes of velocity that forces make.
pub(super) fn gives(
    model: &Model,
    state: &State,
    changes: &[Change],
    (gift, moving, h): (f64, f64, f64),
) -> bool {
    let holds = !(model.joints.is_empty() && model.ties.is_empty());
    if !holds || gift <= GIFT * moving {
        return false;
    }
    let own = state.focus.bodies(state.bodies.len()).filter(|&k| model.data[k].is_movable());
    let forced = own.map(|k| {
        let (data, [x, y, _]) = (&model.data[k], changes[k]);
        data.mass * x.hypot(y) / h * reach_of(&state.bodies[k])
    });
    gift > GIFT * moving + LEAST_GIFT * forced.sum::<f64>()
}

/// Whether a body goes farther, from the velocities before, than was looked for contacts; then there is more room.
pub(super) fn went_too_far(shared: &mut Shared, state: &State, before: &[Change], h: f64) -> bool {
    let Shared { memory, detector, .. } = shared;
    let mut too_far = false;
    for k in state.focus.bodies(state.bodies.len()).filter(|&k| !state.bodies[k].fixed) {
        let way = way_of(k, state, (before, detector), h);
        if way > memory.ways[k] {
            (memory.ways[k], too_far) = (2.0 * way, true);
        }
    }
    too_far
}

/// How far a point of a body goes in a step, from the velocities before.
fn way_of(k: usize, state: &State, (before, detector): (&[Change], &Detector), h: f64) -> f64 {
    let (body, [x, y, w]) = (&state.bodies[k], before[k]);
    let turns = (w + body.angular_velocity).abs() * detector.reaches[k];
    0.5 * h * ((Vec2::new(x, y) + body.velocity).norm() + turns)
}

/// Whether bodies that stand in the middle of a step of length `h` meet by its end by a row that is not `known`.
pub(super) fn meets_more(lines: &[Line], known: &[Line], bodies: &[CollisionBody], h: f64) -> bool {
    let mut sources: Vec<Source> = known.iter().map(|line| line.row.source).collect();
    sources.order();
    let meets = |Line { row, .. }: &Line| {
        row.kind == RowKind::Unilateral && row.error + 0.5 * h * rate_of(&row.row, bodies) < 0.0
    };
    let is_new = |line: &&Line| sources.binary_search(&line.row.source).is_err();
    lines.iter().filter(is_new).any(meets)
}

/// Whether bodies that went so far in a step are deep in others where it ends, as places found there tell; `went` has the
/// velocities before.
pub(super) fn comes_deep(state: &State, shared: &Shared, went: &[Change], h: f64) -> bool {
    let Shared { memory, detector, .. } = shared;
    let moved = |k: u32| match state.bodies.get(k as usize) {
        Some(body) if !body.fixed => way_of(k as usize, state, (went, detector), h),
        _ => 0.0,
    };
    memory.near.iter().any(|near| {
        let [a, b] = near.pair();
        let most = deepest(near, detector);
        moved(a) + moved(b) > most && near.row(&state.bodies).error < -most
    })
}

/// Whether some bodies are deep in others.
pub(super) fn is_deep(state: &State, shared: &Shared) -> bool {
    let Shared { memory, detector, .. } = shared;
    memory.near.iter().any(|near| near.row(&state.bodies).error < -deepest(near, detector))
}

/// Depth up to which two bodies come out where they came in.
fn deepest(near: &Near, detector: &Detector) -> f64 {
    let thickness = |k: &u32| detector.thicknesses.get(*k as usize).copied().unwrap_or(f64::INFINITY);
    THROUGH * near.pair().iter().map(thickness).fold(f64::INFINITY, f64::min)
}

/// Whether bodies that were left to bounce in the next step are beyond each other where this one of length `h` ends: so deep in a side
/// that they would come out behind it, or there already.
fn passes_through(state: &State, left: &[Near], detector: &Detector, h: f64) -> bool {
    left.iter().any(|near| {
        let (row, most) = (near.row(&state.bodies), deepest(near, detector));
        row.error < -most && row.error - h * row.rate >= -most
    })
}

/// The state in the middle of a step of length `h` from `start` at the velocities there.
pub(super) fn go_half_way(state: &State, (start, h): (&[f64], f64), middle: &mut Vec<f64>) {
    middle.clear();
    middle.extend_from_slice(start);
    middle[0] += 0.5 * h;
    let own = state.focus.bodies(state.bodies.len());
    for (k, v) in own.zip(middle[1..].chunks_exact_mut(PER_BODY)) {
        if !state.bodies[k].fixed {
            (v[0], v[2], v[4]) = (v[0] + 0.5 * h * v[1], v[2] + 0.5 * h * v[3], v[4] + 0.5 * h * v[5]);
        }
    }
}

/// Moves the bodies through half of a step of length `h`.
pub(super) fn advance(state: &mut State, h: f64) {
    let State { bodies, focus, .. } = state;
    for k in focus.bodies(bodies.len()) {
        let body = &mut bodies[k];
        if !body.fixed {
            body.translate(body.velocity * (0.5 * h));
            body.pose.set_angle(body.pose.angle() + 0.5 * h * body.angular_velocity);
        }
    }
}

/// Whether bodies went through others: by turning where they are near, or because they were left to bounce; asked is what may be so.
pub(super) fn went_through(
    state: &State,
    (near, left): (&[Near], &[Near]),
    [may_turn, may_pass]: [bool; 2],
    (detector, h): (&Detector, f64),
) -> bool {
    may_turn && turns_through(state, near, detector, h)
        || may_pass && passes_through(state, left, detector, h)
}

/// Whether bodies turn so far in the second half of a step that they end that deep, although the rows, which are those of its
/// middle, keep them apart.
fn turns_through(state: &State, near: &[Near], detector: &Detector, h: f64) -> bool {
    let bodies = &state.bodies;
    // How far a point goes beside its tangent.
    let bulge = |k: u32| {
        bodies
            .get(k as usize)
            .map_or(0.0, |body| detector.reaches[k as usize] * (0.5 * h * body.angular_velocity).powi(2))
    };
    near.iter().any(|near| {
        let [a, b] = near.pair();
        let side = near.id.normal_body.index();
        side.is_some_and(|side| {
            let most = -THROUGH * detector.thicknesses[side];
            bulge(a) + bulge(b) > -most && comes_to(&near.row(bodies), most, h)
        })
    })
}

/// Whether a row comes to so negative a gap within half of a step.
fn comes_to(row: &Row, most: f64, h: f64) -> bool {
    row.error < most && row.error - 0.5 * h * row.rate >= most
}

/// Whether bodies come so deep in the first half of a step that another side may be the nearer one; what was as deep before comes
/// out no sooner in parts.
pub(super) fn goes_through(lines: &[Line], detector: &Detector, h: f64) -> bool {
    lines.iter().filter(|line| line.row.error < 0.0).any(|Line { row, .. }| {
        let side = row.source.contact().and_then(|id| id.normal_body.index());
        side.is_some_and(|body| comes_to(row, -THROUGH * detector.thicknesses[body], h))
    })
}
