//! Which rows close within a step that begins at some velocities.
//!
//! The turning of a normal at the beginning tells what it does in the step as long as it turns little. Where a rope's ends lie close
//! together it would have it taut at any speed, so that the gap is asked where free flight ends.

use super::line::{Pushes, rate_along};
use crate::model::Model;
use crate::road::{Road, Row, Source, look, restitution_of};
use crate::state::State;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// How bodies fly through a step of length `h`, in which forces do `pushes`.
#[derive(Clone, Copy)]
pub(super) struct Flight<'a> {
    pub(super) pushes: Pushes<'a>,
    pub(super) h: f64,
}

impl Flight<'_> {
    /// The gap of a row at the end by its rate and forces.
    fn straight(&self, row: &Row) -> f64 {
        row.error + self.h * (row.rate + 0.5 * rate_along(row, self.pushes.changes))
    }

    /// Whether only the turning of its normal makes a row close.
    fn turns_closed(&self, row: &Row) -> bool {
        let straight = self.straight(row);
        straight >= 0.0 && straight + 0.5 * self.h * self.h * row.bias.min(0.0) < 0.0
    }

    /// Whether a row closes; by the turning of its normal only if the gap at the end, where it is known, says so too.
    pub(super) fn closes(&self, row: &Row, gap: impl Fn() -> Option<f64>) -> bool {
        self.straight(row) < 0.0 || self.turns_closed(row) && gap().is_none_or(|gap| gap < 0.0)
    }

    /// The gaps at the end of what is open, if some of it that bounces asks for them.
    pub(super) fn open_gaps(&self, model: &Model, state: &mut State, road: &mut Road) -> Vec<(Source, f64)> {
        let asks = |row: &Row| self.turns_closed(row) && restitution_of(model, row) > 0.0;
        if !road.rows.open.iter().any(asks) {
            return Vec::new();
        }
        let rows = std::mem::take(&mut road.rows);
        let (time, places) = (state.time, state.places.clone());
        let flown = self.flown(&state.bodies);
        let bodies = std::mem::replace(&mut state.bodies, flown);
        state.time += self.h;
        // Joints are not held on this way, so that there need be no rows at its end.
        let found = look(model, state, road).is_ok();
        (state.time, state.places, state.bodies) = (time, places, bodies);
        let there = std::mem::replace(&mut road.rows, rows);
        there.open.iter().filter(|_| found).map(|row| (row.source, row.error)).collect()
    }

    /// The bodies at the end.
    pub(super) fn flown(&self, bodies: &[CollisionBody]) -> Vec<CollisionBody> {
        let mut flown = bodies.to_vec();
        let way = |v: f64, change: f64| self.h * (v + 0.5 * change);
        for (body, [x, y, w]) in flown.iter_mut().zip(self.pushes.changes).filter(|(body, _)| !body.fixed) {
            let (velocity, spin) = (body.velocity, body.angular_velocity);
            body.translate(Vec2::new(way(velocity.x, *x), way(velocity.y, *y)));
            body.pose.set_angle(body.pose.angle() + way(spin, *w));
        }
        flown
    }
}
