//! Meetings between two looks: bodies that touch and part again, or that one pair of features hides from another.
//!
//! The gap of two bodies is the least of the gaps of their features, and turns sharply where another becomes the least:
//! its values at two looks say little about what is between. The gap of one pair of features is smooth, so each is
//! followed by itself: through a change of sign, or down to where the tangents at both ends meet.

use crate::adaptive::{DormandPrince, Interval};
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Road, contact_row, exactness, look};
use crate::state::{PER_BODY, State, place};
use engine2d_geometry::{BodyRef, ContactId};
use engine2d_math::order::Order;

/// Most looks at one pair of features.
const ROUNDS: usize = 40;

/// Width of the search (share of the interval): the gap of the bodies is searched once more within.
const WIDTH: f64 = 1e-9;

/// Share of an interval over which the rate of a user's function is told by its difference: half of the digits.
const DIFFERENCE: f64 = 1e-6;

/// How much farther than on the average of a step two bodies may approach in a part of it.
const ROOM: f64 = 2.0;

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Graze {
    ids: Vec<ContactId>,
    /// Open rows at both ends of an interval.
    ends: [Vec<Look>; 2],
    y: Vec<f64>,
}

impl Graze {
    /// The earliest time in an interval at which a pair of bodies is seen to have met that stands apart at both its
    /// ends. The pairs' functions are the last `pairs` ones.
    pub(super) fn earliest(
        &mut self,
        state: &mut State,
        road: &mut Road,
        integrator: &DormandPrince,
        interval: &Interval<'_>,
        pairs: usize,
    ) -> Option<f64> {
        let (low, high) = interval.ends;
        let part = ROOM * (high - low) / (integrator.time() - integrator.last_time());
        let first = interval.values.0.len() - pairs;
        let mut earliest: Option<f64> = None;
        for k in 0..pairs {
            let offset = interval.offsets[first + k];
            let (a, b) = (interval.values.0[first + k] + offset, interval.values.1[first + k] + offset);
            let (bodies, reach) = road.pairs.candidate(k);
            if a <= 0.0 || b <= 0.0 || a.min(b) > part * reach {
                continue;
            }
            self.ids.clear();
            for time in [low, high] {
                place_at(state, integrator, bodies, time);
                let State { bodies, held, .. } = &*state;
                road.pairs.features(k, bodies, held, part * reach + a.max(b), &mut self.ids);
            }
            self.ids.order();
            self.ids.dedup();
            for &id in &self.ids {
                let end = earliest.unwrap_or(high);
                // The gap of the bodies, which has to say so too, is rounded otherwise than that of the features.
                let clearly = offset + exactness(state);
                let found = meeting(state, integrator, id, bodies, (low, end), clearly);
                if let Some(time) = found {
                    place_at(state, integrator, bodies, time);
                    if road.pairs.value(k, &state.bodies, &state.held) + offset <= 0.0 {
                        earliest = Some(time);
                    }
                }
            }
        }
        earliest
    }

    /// The earliest time in an interval at which one of some functions is seen on the other side of zero than at both its ends, where it has
    /// these values.
    pub(super) fn turned(
        &mut self,
        state: &mut State,
        function: impl Fn(usize, &State) -> f64,
        integrator: &DormandPrince,
        (low, high): (f64, f64),
        (before, after): (&[f64], &[f64]),
    ) -> Option<f64> {
        let Self { y, .. } = self;
        let apart = DIFFERENCE * (high - low);
        let mut earliest = None;
        for (k, (&left, &right)) in before.iter().zip(after).enumerate() {
            if left * right < 0.0 || right == 0.0 {
                continue;
            }
            let mut value = |time: f64| {
                integrator.interpolate(time, y);
                state.write(y);
                right.signum() * function(k, state)
            };
            // At zero it has no sign: it has crossed there, and may be back already.
            if left == 0.0 {
                if value(low + apart) < 0.0 {
                    earliest = Some(low + apart);
                }
                continue;
            }
            let mut at = |time: f64| {
                let gap = value(time);
                let beside = if time + apart <= high { apart } else { -apart };
                Some(Look { time, gap, rate: (value(time + beside) - gap) / beside })
            };
            earliest = below_zero(&mut at, (low, earliest.unwrap_or(high))).or(earliest);
        }
        earliest
    }

    /// The earliest time in an interval at which an open row (a rope, a limit) is seen beyond zero that is within it at both
    /// ends; `offset_of` tells how far below zero each must fall, `None` for rows that are none of these.
    pub(super) fn taut(
        &mut self,
        (model, state, road): (&Model, &mut State, &mut Road),
        integrator: &DormandPrince,
        (low, high): (f64, f64),
        offset_of: impl Fn(usize) -> Option<f64>,
    ) -> Result<Option<f64>, SimError> {
        let Self { ends, y, .. } = self;
        for (rows, time) in ends.iter_mut().zip([low, high]) {
            integrator.interpolate(time, y);
            state.write(y);
            look(model, state, road)?;
            rows.clear();
            rows.extend(road.open_rows().map(|(gap, rate, _)| Look { time, gap, rate }));
        }
        let mut earliest = None;
        for (row, (left, right)) in ends[0].iter().zip(&ends[1]).enumerate() {
            let Some(offset) = offset_of(row) else { continue };
            let [left, right] = [left, right].map(|l| Look { gap: l.gap + offset, ..*l });
            if left.gap <= 0.0 || right.gap <= 0.0 || left.lowest(&right).is_none() {
                continue;
            }
            let mut failure = None;
            let mut at = |time: f64| {
                integrator.interpolate(time, y);
                state.write(y);
                if let Err(error) = look(model, state, road) {
                    failure = Some(error);
                    return None;
                }
                let (error, rate, _) = road.open_rows().nth(row)?;
                Some(Look { time, gap: error + offset, rate })
            };
            earliest = below_zero(&mut at, (low, earliest.unwrap_or(high))).or(earliest);
            if let Some(error) = failure {
                return Err(error);
            }
        }
        Ok(earliest)
    }
}

/// Puts two bodies where they are at a time within the last step.
fn place_at(state: &mut State, integrator: &DormandPrince, bodies: [usize; 2], time: f64) {
    for body in bodies {
        let Some(slot) = state.focus.slot(body) else { continue };
        let first = 1 + PER_BODY * slot;
        let v: [f64; PER_BODY] = std::array::from_fn(|i| integrator.component(first + i, time));
        place(&mut state.bodies[body], &v);
    }
}

/// A time in an interval at which the gap of two features is negative, if it is positive at the beginning.
fn meeting(
    state: &mut State,
    integrator: &DormandPrince,
    id: ContactId,
    bodies: [usize; 2],
    interval: (f64, f64),
    offset: f64,
) -> Option<f64> {
    debug_assert!(bodies.iter().all(|&b| [id.primary, id.normal_body].contains(&BodyRef::Body(b as u32))));
    let mut at = |time: f64| {
        place_at(state, integrator, bodies, time);
        let row = contact_row(id, None, 0.0, &state.bodies)?;
        Some(Look { time, gap: row.error + offset, rate: row.rate })
    };
    below_zero(&mut at, interval)
}

/// A time in an interval at which a smooth function is negative, if it is positive at the beginning.
fn below_zero(at: &mut dyn FnMut(f64) -> Option<Look>, (low, high): (f64, f64)) -> Option<f64> {
    let (mut left, mut right) = (at(low)?, at(high)?);
    if left.gap <= 0.0 {
        return None;
    }
    let width = WIDTH * (high - low);
    for round in 0..ROUNDS {
        let crossed = right.gap < 0.0;
        if crossed && right.time - left.time <= width {
            break;
        }
        let time = if crossed { left.towards(&right, round) } else { left.lowest(&right)? };
        let look = at(time)?;
        if look.gap < 0.0 || !crossed && look.rate > 0.0 {
            right = look;
        } else {
            left = look;
        }
    }
    (right.gap < 0.0).then_some(right.time)
}

/// A gap at a time.
#[derive(Clone, Copy, Debug)]
struct Look {
    time: f64,
    gap: f64,
    rate: f64,
}

impl Look {
    /// A time up to a look of the other sign, by the secant or halfway.
    fn towards(&self, other: &Self, round: usize) -> f64 {
        let span = other.time - self.time;
        let secant = self.gap / (self.gap - other.gap);
        self.time + span * if round % 3 == 2 { 0.5 } else { secant.clamp(0.01, 0.99) }
    }

    /// Where the tangents here and at a later look meet, if the gap falls here, rises there, and a convex function with
    /// these tangents could be negative there.
    fn lowest(&self, other: &Self) -> Option<f64> {
        if !(self.rate < 0.0 && other.rate > 0.0) {
            return None;
        }
        let span = other.time - self.time;
        let along = (other.gap - other.rate * span - self.gap) / (self.rate - other.rate);
        let least = self.gap + self.rate * along;
        (along > 0.0 && along < span && least <= 0.0).then_some(self.time + along)
    }
}
