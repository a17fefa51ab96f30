//! Joints that are open, put together at the end of a step.

use super::super::positions::{EXACT, ROUNDS};
use super::pins::Pins;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Direct, Road, Row, exactness, look};
use crate::state::State;

/// Share of the errors that a factor was made at, up to which it does for what is left of them: bodies that move by so little turn the
/// rows by as little.
const SETTLED: f64 = 1e-4;

/// Scratch of putting joints together.
#[derive(Clone, Debug, Default)]
pub(super) struct Join {
    rows: Vec<Row>,
    active: Vec<u32>,
    rhs: Vec<f64>,
    shifts: Vec<f64>,
    /// What a round moves of each body.
    moves: Vec<[f64; 3]>,
}

impl Join {
    /// Puts joints together, all at once and round by round; contacts are not looked at.
    pub(super) fn join(
        &mut self,
        (model, state): (&Model, &mut State),
        pins: &mut Pins,
        (road, direct): (&mut Road, &mut Direct),
    ) -> Result<(), SimError> {
        let Self { rows, active, rhs, shifts, moves } = self;
        let (mut factored, mut at) = (0, 0.0);
        for round in 0..ROUNDS {
            if pins.are_alone() {
                pins.place(&state.bodies);
                pins.write(rows, state.time)?;
            } else {
                look(model, state, road)?;
                rows.clear();
                rows.extend(road.rows.acting.iter().filter(|row| row.holonomic && row.is_bilateral()));
            }
            let exact = exactness(state).max(EXACT * state.touch);
            let worst = rows.iter().fold(0.0, |most: f64, row| most.max(row.error.abs()));
            if worst <= exact {
                break;
            }
            active.clear();
            active.extend(0..rows.len() as u32);
            rhs.clear();
            rhs.extend(rows.iter().map(|row| -row.error));
            if round == 0 || rows.len() != factored || worst > SETTLED * at {
                if !direct.factor(rows, active, &model.masses) {
                    break;
                }
                (factored, at) = (rows.len(), worst);
            }
            // What rounding leaves the next round takes.
            direct.answer(rhs, shifts);
            moves.clear();
            moves.resize(state.bodies.len(), [0.0; 3]);
            direct.apply(shifts, rows.len(), |index, shift| {
                let own = &mut moves[index];
                *own = [own[0] + shift[0], own[1] + shift[1], own[2] + shift[2]];
            });
            let moved = state.bodies.iter_mut().zip(&*moves).filter(|(_, shift)| **shift != [0.0; 3]);
            for (body, &[x, y, turn]) in moved {
                body.translate([x, y]);
                body.pose.set_angle(body.pose.angle() + turn);
            }
        }
        Ok(())
    }
}
