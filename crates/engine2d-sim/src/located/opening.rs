//! Closed rows that open within a step, and joints that break: what shows in forces, not in positions.
//!
//! Within a step the forces of closed rows are solutions of the complementarity problem at every stage, so that a row
//! that opens simply ceases to push; only from then on it must be watched by its gap. The step is therefore ended where
//! its multiplier less its acceleration changes sign.

use super::pending::Pending;
use crate::adaptive::DormandPrince;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Road, Source, evaluate};
use crate::state::State;
use crate::strength::{overloaded, strength_left};
use crate::work::Work;
use engine2d_constraint::RowKind;

/// Width (time, relative to the larger of 1 and the time) to which the moment is bracketed.
const WIDTH: f64 = 1e-13;

/// Most evaluations of the search.
const ROUNDS: usize = 60;

/// What happens at the end of a step, seen from the last evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Opening {
    /// A closed row parts.
    Row(Source),
    /// A motor cannot hold its speed, or surfaces that stick begin to slide.
    Loose(Source),
    /// A joint is beyond its strength.
    Joint(u32),
}

impl Opening {
    /// The first row that opens, or joint that breaks, at the last evaluation.
    pub(super) fn at_end(model: &Model, state: &State, road: &Road) -> Option<Self> {
        let row = road.states().find_map(|state| match state.kind {
            RowKind::Unilateral => (state.closure() < 0.0).then_some(Self::Row(state.source)),
            RowKind::Boxed { .. } | RowKind::Friction { .. } => {
                (state.holding() < 0.0).then_some(Self::Loose(state.source))
            }
            _ => None,
        });
        row.or_else(|| overloaded(model, state, road).map(Self::Joint))
    }

    /// The function whose sign tells, at the last evaluation.
    fn value(self, model: &Model, state: &State, road: &Road) -> f64 {
        match self {
            Self::Row(source) => road.states().find(|s| s.source == source).map_or(1.0, |s| s.closure()),
            Self::Loose(source) => road.states().find(|s| s.source == source).map_or(1.0, |s| s.holding()),
            Self::Joint(joint) => strength_left(model, state, road, joint),
        }
    }

    /// The moment within the last step, by bisection and secants on the interpolant.
    pub(super) fn locate(
        self,
        (model, state, road, work): (&Model, &mut State, &mut Road, &mut Work),
        integrator: &DormandPrince,
        y: &mut Vec<f64>,
        rates: &mut Vec<f64>,
    ) -> Result<f64, SimError> {
        let held = state.held.clone();
        let mut at = |time: f64| -> Result<f64, SimError> {
            integrator.interpolate(time, y);
            evaluate(model, state, road, work, y, rates)?;
            Ok(self.value(model, state, road))
        };
        let (mut lo, mut hi) = (integrator.last_time(), integrator.time());
        let (mut g_lo, mut g_hi) = (at(lo)?, at(hi)?);
        if g_lo < 0.0 {
            // It was open from the start: nothing is gained by a shorter step.
            state.held = held;
            return Ok(hi);
        }
        let width = WIDTH * hi.abs().max(1.0);
        for round in 0..ROUNDS {
            if hi - lo <= width {
                break;
            }
            let secant = hi - g_hi * (hi - lo) / (g_hi - g_lo);
            let inside = secant > lo && secant < hi && round % 3 != 2;
            let t = if inside { secant } else { 0.5 * (lo + hi) };
            let g = at(t)?;
            if g < 0.0 {
                (hi, g_hi) = (t, g);
            } else {
                (lo, g_lo) = (t, g);
            }
        }
        state.held = held;
        Ok(hi)
    }

    pub(super) fn event(self, time: f64) -> Pending {
        match self {
            Self::Row(_) | Self::Loose(_) => Pending::Rigid(time),
            Self::Joint(joint) => Pending::Break(time, joint),
        }
    }
}
