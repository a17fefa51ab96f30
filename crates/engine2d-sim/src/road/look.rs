//! The rows of a state, gathered; and the scratch of located motion.

use super::gather::{Gathering, Parts, Rows, gather};
use super::impact::Impacts;
use super::multipliers::Multipliers;
use super::pairs::Pairs;
use super::project::Projector;
use super::row::{Row, Source};
use super::touch::Touch;
use crate::error::SimError;
use crate::model::Model;
use crate::state::State;
use engine2d_constraint::RowKind;

/// Gap that counts as touching, relative to the radius of the smallest movable body: far above what rounding and
/// projections leave, far below what can be seen.
const TOUCH: f64 = 1e-10;

/// Limits of that gap (length).
const TOUCH_RANGE: (f64, f64) = (1e-12, 1e-9);

/// Share of the touching gap up to which errors of position are left alone (length or radians): a block that leans by as
/// much slides off at a hundredth of a micrometre in a quarter of an hour.
const EXACT: f64 = 1e-3;

/// Rounding of positions: errors of this many units in the last place of the largest coordinate are left alone.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Acceleration of a row without multiplier above which it opens (length or radians per time²).
pub(super) const OPENING: f64 = 1e-9;

/// Deviation from its speed (length or radians per time) from which a motor that holds it has lost it: where a distance goes through zero it
/// grows again at once, while drift stays at the tolerance of the method.
const LOST: f64 = 1e-4;

/// The rows of the last look and what the stages need to work on them. Dropping it changes nothing but speed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Road {
    gathering: Gathering,
    pub(crate) rows: Rows,
    pub(super) multipliers: Multipliers,
    pub(super) impacts: Impacts,
    pub(super) projector: Projector,
    pub(crate) pairs: Pairs,
    pub(super) touches: Vec<Touch>,
    pub(super) bias: Vec<f64>,
    pub(super) pressing: Vec<bool>,
    /// Multiplier of each acting row at the last evaluation.
    pub(super) answer: Vec<f64>,
    /// Acceleration of each acting row there.
    pub(super) row_accelerations: Vec<f64>,
    /// Rate of each acting row there.
    pub(super) row_rates: Vec<f64>,
    /// Sum of the sizes of all parts of each body's acceleration.
    pub(super) sizes: Vec<[f64; 3]>,
    /// State vector and rates of an evaluation at an instant.
    pub(super) instant: (Vec<f64>, Vec<f64>),
}

/// How an acting row stands at an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowState {
    pub(crate) source: Source,
    pub(crate) kind: RowKind,
    pub(crate) multiplier: f64,
    pub(crate) acceleration: f64,
    rate: f64,
}

impl RowState {
    /// What is positive as long as a closed row stays closed: its multiplier less its acceleration, with room for
    /// rounding.
    pub(crate) fn closure(&self) -> f64 {
        self.multiplier - self.acceleration + OPENING
    }

    /// What is positive as long as a motor of limited force holds its speed, or surfaces stick.
    pub(crate) fn holding(&self) -> f64 {
        let holds = OPENING - self.acceleration.abs();
        if matches!(self.kind, RowKind::Boxed { .. }) { holds.min(LOST - self.rate.abs()) } else { holds }
    }
}

impl Road {
    /// Forgets the rows of the last look: there are none.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.answer.clear();
        self.row_accelerations.clear();
        self.row_rates.clear();
    }

    /// Takes rows with their forces as those of the last evaluation.
    pub(crate) fn set_answer(&mut self, rows: impl Iterator<Item = (Row, f64)>) {
        self.clear();
        for (row, force) in rows {
            self.rows.acting.push(row);
            self.answer.push(force);
        }
    }

    /// The acting rows with their forces.
    pub(crate) fn forces(&self) -> impl Iterator<Item = (&Row, f64)> + '_ {
        self.rows.acting.iter().zip(self.answer.iter().copied())
    }

    /// The acting rows at the last evaluation.
    pub(crate) fn states(&self) -> impl Iterator<Item = RowState> + '_ {
        debug_assert_eq!(
            self.answer.len(),
            self.rows.acting.len(),
            "multipliers of the rows of the last look"
        );
        let values = self.answer.iter().zip(&self.row_accelerations).zip(&self.row_rates);
        self.rows.acting.iter().zip(values).map(|(row, ((&multiplier, &acceleration), &rate))| RowState {
            source: row.source,
            kind: row.kind,
            multiplier,
            acceleration,
            rate,
        })
    }

    /// The rows that are open at the last look: error, rate, and whether they are motors.
    pub(crate) fn open_rows(&self) -> impl Iterator<Item = (f64, f64, bool)> + '_ {
        self.rows.open.iter().map(|r| (r.error, r.rate, matches!(r.kind, RowKind::Boxed { .. })))
    }
}

/// Measures the gap that counts as touching for the bodies there are.
pub(crate) fn measure(state: &mut State) {
    let bodies = &state.bodies;
    let radii = bodies.iter().filter(|b| !b.fixed).map(|b| b.shape.outline_circle().1);
    let smallest = radii.fold(f64::INFINITY, f64::min);
    state.touch = (TOUCH * smallest).clamp(TOUCH_RANGE.0, TOUCH_RANGE.1);
}

/// Error of position of the scope's rows that is left alone (length or radians).
pub(crate) fn exactness(state: &State) -> f64 {
    let own = state.focus.bodies(state.bodies.len());
    let farthest = own.map(|k| state.bodies[k].pose.position().amax()).fold(1.0, f64::max);
    (EXACT * state.touch).max(ROUNDING * farthest)
}

/// Gathers the rows of the present state.
pub(crate) fn look(model: &Model, state: &mut State, road: &mut Road) -> Result<(), SimError> {
    debug_assert_eq!(model.ties.len(), state.places.len(), "a place for each connector");
    let State { bodies, places, held, time, focus, .. } = state;
    let (ties, joints) =
        if model.has_constraints() { (&model.ties[..], &model.joints[..]) } else { (&[][..], &[][..]) };
    let mut parts = Parts { bodies, focus, ties, places, joints, time: *time };
    gather(&mut parts, held, &mut road.gathering, &mut road.rows)
}

/// Looks at the present state, and tells how much of one of the joints' rows is at least left beside the others: little near a singular
/// position of theirs.
pub(crate) fn joints_left(model: &Model, state: &mut State, road: &mut Road) -> Result<f64, SimError> {
    look(model, state, road)?;
    Ok(road.projector.least_share(&road.rows.acting, &Row::is_bilateral, &model.masses))
}
