//! Joints that are open, put together at the end of a step.

use super::super::positions::{EXACT, ROUNDS};
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Direct, Road, Row, exactness, look};
use crate::state::State;

/// Scratch of putting joints together.
#[derive(Clone, Debug, Default)]
pub(super) struct Join {
    rows: Vec<Row>,
    active: Vec<u32>,
    rhs: Vec<f64>,
    shifts: Vec<f64>,
}

impl Join {
    /// Puts joints together, all at once and round by round; contacts are not looked at.
    pub(super) fn join(
        &mut self,
        (model, state): (&Model, &mut State),
        (road, direct): (&mut Road, &mut Direct),
    ) -> Result<(), SimError> {
        let Self { rows, active, rhs, shifts } = self;
        for _ in 0..ROUNDS {
            look(model, state, road)?;
            rows.clear();
            rows.extend(road.rows.acting.iter().filter(|row| row.holonomic && row.is_bilateral()));
            let exact = exactness(state).max(EXACT * state.touch);
            if rows.iter().all(|row| row.error.abs() <= exact) {
                break;
            }
            active.clear();
            active.extend(0..rows.len() as u32);
            rhs.clear();
            rhs.extend(rows.iter().map(|row| -row.error));
            if !direct.factor(rows, active, &model.masses) {
                break;
            }
            // What rounding leaves the next round takes.
            direct.answer(rhs, shifts);
            direct.apply(shifts, rows.len(), |index, [x, y, turn]| {
                let body = &mut state.bodies[index];
                body.translate([x, y]);
                body.pose.set_angle(body.pose.angle() + turn);
            });
        }
        Ok(())
    }
}
