//! What force laws do otherwise because velocities change within a step.
//!
//! The forces of a step are those in its middle, `q⁻ + h v⁻/2`, with the velocities before it. The implicit midpoint rule has them at
//! the means `(q⁻ + q⁺)/2` and `(v⁻ + v⁺)/2`, which are off by `h (v⁺ − v⁻)/4` and `(v⁺ − v⁻)/2`. Along a direction with the rate
//! `u`, in which a force has stiffness `k` and damping `c`, that is another impulse
//!
//! ```text
//! p = −γ (u⁺ − u⁻),   γ = h² k/4 + h c/2,
//! ```
//!
//! a row of compliance `1/γ`: of second order in the step, and bounded whatever the step, stiffness and damping \[Hairer, Lubich,
//! Wanner 2006, "Geometric Numerical Integration", II.1\]. What damps a body alone, the same in all directions, is as if it had the mass `m + γ`.
//!
//! Undamped springs as soft as steps follow need none of it. A damper that takes out more than all of a rate in a step, `z = h c w > 2`
//! with the rate `w` that an impulse makes, would turn it round at its mean: its share `θ = 1 − 1/z` of the end, instead of one half,
//! makes it 0.

use super::line::{Change, Line, rate_along};
use crate::force::{Attachment, ForceLaw};
use crate::model::Model;
use crate::resistance::Resistance;
use crate::road::{Row, Source, rate_of};
use crate::state::State;
use engine2d_constraint::{ConstraintRow, InverseMass, RowKind, coupling};
use engine2d_math::Vec2;

/// Bound of `(ω h)²/4` of the springs on a body from which they are implicit: explicit ones are stable up to 1, and as exact as implicit ones
/// where they are soft.
const STIFF: f64 = 0.25;

/// `(ω h)²` of a spring that only presses from which a step in which it begins or ends is taken in halves: what it makes of the energy of the
/// motion is of the order of `(ω h)³`.
const BENDS: f64 = 1e-4;

/// What a row may change of a rate, relative to it, that is left out: its square is what the step is off by.
const SLIGHT: f64 = 1e-6;

/// Scratch of the implicit part of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Implicit {
    /// Masses and moments as they resist in a step, where some are damped.
    masses: Vec<InverseMass>,
    /// Bounds of `(ω h)²/4` of the springs on each body.
    stiff: Vec<f64>,
    /// Springs that only press and are so stiff that a step must not go across where they begin to: law, whether it presses.
    pressing: Vec<(usize, bool)>,
}

impl Implicit {
    /// Takes up the bodies for a step of length `h`.
    pub(super) fn begin(&mut self, model: &Model, state: &State, h: f64) {
        let laws = state.focus.laws(model.laws.len());
        let stiff = laws.filter(|&law| h * h * swing_of_press(model, law) > BENDS);
        self.pressing.clear();
        self.pressing.extend(stiff.map(|law| (law, presses(model, state, law))));
        self.masses.clear();
        if damps(model) {
            let of = |(k, mass): (usize, &InverseMass)| {
                let [linear, angular] = dampings(model, state, k);
                let heavier =
                    |inverse: f64, c: f64| inverse / (1.0 + share_at_end(h * c * inverse) * h * c * inverse);
                InverseMass { linear: heavier(mass.linear, linear), angular: heavier(mass.angular, angular) }
            };
            self.masses.extend(model.masses.iter().enumerate().map(of));
        }
    }

    /// Whether a spring that only presses has begun or ended to within the step: the mean of its force is that of neither end, and makes energy.
    pub(super) fn bends(&self, model: &Model, state: &State) -> bool {
        self.pressing.iter().any(|&(law, pressed)| presses(model, state, law) != pressed)
    }

    /// The masses with which bodies resist impulses that last for the step.
    pub(super) fn masses<'a>(&'a self, model: &'a Model) -> &'a [InverseMass] {
        if self.masses.is_empty() { &model.masses } else { &self.masses }
    }

    /// Makes changes of velocities those of bodies that resist so.
    pub(super) fn temper(&self, model: &Model, changes: &mut [Change]) {
        for ((change, own), mass) in changes.iter_mut().zip(&self.masses).zip(&model.masses) {
            let share = |own: f64, mass: f64| if mass > 0.0 { own / mass } else { 1.0 };
            *change = scaled(*change, share(own.linear, mass.linear), share(own.angular, mass.angular));
        }
    }

    /// Adds the rows of springs and dampers in the middle of a step of length `h`, in which forces make such changes.
    pub(super) fn add_rows(
        &mut self,
        (model, state): (&Model, &State),
        (changes, h): (&[Change], f64),
        lines: &mut Vec<Line>,
    ) {
        let Self { masses, stiff, pressing } = self;
        let masses = if masses.is_empty() { &model.masses } else { &*masses };
        bound((model, state), masses, |spring, number| 0.25 * h * h * spring.stiffness[number], stiff);
        for (law, spring) in springs(model, state) {
            // Explicit steps keep energy only where all are of one length.
            let in_parts = pressing.iter().any(|&(other, _)| other == law as usize);
            let on_stiff = spring.bodies.iter().any(|body| body.index().is_some_and(|k| stiff[k] > STIFF));
            let is_stiff = in_parts || on_stiff;
            for (axis, number) in spring.axes.into_iter().zip(0..) {
                let row = row_along(&spring, axis, state);
                let rate = coupling(&row, &row, masses);
                let stiffness = if is_stiff { spring.stiffness[number as usize] } else { 0.0 };
                let damped = h * spring.damping;
                let resists = 0.25 * h * h * stiffness + share_at_end(damped * rate) * damped;
                if resists * rate < SLIGHT {
                    continue;
                }
                // What is pressed only can be let go, not pulled.
                let kind = match spring.push {
                    Some(push) if number == 0 => RowKind::Boxed { lo: -h * push.max(0.0), hi: f64::INFINITY },
                    _ => RowKind::Bilateral,
                };
                let source = Source::Law { law, axis: number };
                let (rate, point) = (rate_of(&row, &state.bodies), spring.points[0]);
                let row = Row { source, row, kind, error: 0.0, rate, bias: 0.0, holonomic: false, point };
                let bias = rate_along(&row, changes);
                lines.push(Line { row, bias, compliance: 1.0 / resists, restitution: 0.0 });
            }
        }
    }
}

/// Whether a spring that only presses does.
fn presses(model: &Model, state: &State, law: usize) -> bool {
    model.at(state).slack(&model.laws[law]).is_some_and(|slack| slack < 0.0)
}

/// How fast a spring that only presses swings its bodies at least (1/time²); 0 for other laws.
fn swing_of_press(model: &Model, law: usize) -> f64 {
    let ForceLaw::Spring { ends, stiffness, compress_only: true, .. } = &model.laws[law] else { return 0.0 };
    let mass = |end: &Attachment| end.body.index().map_or(0.0, |k| model.masses[k].linear);
    stiffness * ends.iter().map(mass).sum::<f64>()
}

/// Which share of the velocity at the end of a step a damping force has that takes the share `z` out of it.
fn share_at_end(z: f64) -> f64 {
    if z > 2.0 { 1.0 - 1.0 / z } else { 0.5 }
}

/// Work in a step of length `h` of what a damping law does otherwise, from the velocities before and after it.
pub(super) fn work_of_damping(
    (model, state, law): (&Model, &State, usize),
    [before, after]: [&[Change]; 2],
    h: f64,
) -> f64 {
    let of = |k: usize| {
        let ([linear, angular], [own, turning], mass) =
            (dampings(model, state, k), damping_of(model, law, k), model.masses[k]);
        let work = |i: usize| 0.5 * (after[k][i] + before[k][i]) * (after[k][i] - before[k][i]);
        let resists = |all: f64, own: f64, inverse: f64| share_at_end(h * all * inverse) * h * own;
        resists(linear, own, mass.linear) * (work(0) + work(1))
            + resists(angular, turning, mass.angular) * work(2)
    };
    -state.focus.bodies(state.bodies.len()).filter(|&k| model.data[k].is_movable()).map(of).sum::<f64>()
}

fn damps(model: &Model) -> bool {
    model.laws.iter().any(|law| matches!(law, ForceLaw::Damping { damping, .. } if *damping != 0.0))
}

/// Linear and angular damping of a body by all laws of the scope (mass/time, mass·length²/time).
fn dampings(model: &Model, state: &State, body: usize) -> [f64; 2] {
    let laws = state.focus.laws(model.laws.len()).map(|law| damping_of(model, law, body));
    laws.fold([0.0; 2], |sum, own| [sum[0] + own[0], sum[1] + own[1]])
}

fn damping_of(model: &Model, law: usize, body: usize) -> [f64; 2] {
    match &model.laws[law] {
        ForceLaw::Damping { damping, rotate_ratio, bodies }
            if bodies.as_ref().is_none_or(|list| list.contains(&(body as u32))) =>
        {
            [*damping, damping * rotate_ratio]
        }
        _ => [0.0; 2],
    }
}

/// The springs of the scope with the number of their law.
fn springs<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = (u32, Resistance)> + 'a {
    let laws = state.focus.laws(model.laws.len());
    laws.filter_map(|law| Some((law as u32, model.at(state).resistance(&model.laws[law])?)))
}

fn row_along(spring: &Resistance, axis: Vec2, state: &State) -> ConstraintRow {
    let arm = |end: usize| {
        let body = spring.bodies[end].index();
        spring.points[end] - body.map_or(Vec2::zeros(), |k| state.bodies[k].pose.position())
    };
    ConstraintRow::separation(spring.bodies, axis, arm(0), arm(1))
}

/// Bounds what the springs on each body make of its rates, with a weight along each of their axes: the largest eigenvalue of `M⁻¹ Jᵀ c J`
/// is at most the sum of the traces of a body's own blocks, twice those of what moves two bodies.
fn bound(
    (model, state): (&Model, &State),
    masses: &[InverseMass],
    weigh: impl Fn(&Resistance, usize) -> f64,
    out: &mut Vec<f64>,
) {
    out.clear();
    out.resize(masses.len(), 0.0);
    for (_, spring) in springs(model, state) {
        let own = || spring.bodies.iter().zip([0, 1]).filter_map(|(body, end)| Some((body.index()?, end)));
        let times = own().filter(|&(k, _)| masses[k].is_movable()).count() as f64;
        for number in 0..spring.axes.len() {
            let (row, weight) = (row_along(&spring, spring.axes[number], state), weigh(&spring, number));
            for (k, end) in own() {
                let ([x, y, turn], mass) = (row.jacobian[end], masses[k]);
                out[k] += times * weight * ((x * x + y * y) * mass.linear + turn * turn * mass.angular);
            }
        }
    }
}

/// How fast springs swing bodies at most, and dampers slow them (1/time², as a swing).
pub(super) fn swing_of_laws(model: &Model, state: &State) -> f64 {
    if !model.laws.iter().any(|law| matches!(law, ForceLaw::Spring { .. })) {
        return 0.0;
    }
    let (mut swings, mut slows) = (Vec::new(), Vec::new());
    bound((model, state), &model.masses, |spring, number| spring.stiffness[number], &mut swings);
    bound((model, state), &model.masses, |spring, _| spring.damping, &mut slows);
    swings.into_iter().chain(slows.into_iter().map(|rate| rate * rate)).fold(0.0, f64::max)
}

/// Makes changes of velocities in an explicit step, of which `part` is one, those of damped bodies that come to rest where damping would turn
/// them round.
pub(super) fn temper_explicit((model, state): (&Model, &State), part: f64, changes: &mut [Change]) {
    if !damps(model) {
        return;
    }
    for (k, change) in changes.iter_mut().enumerate() {
        let [linear, angular] = dampings(model, state, k);
        let share = |c: f64, inverse: f64| (part * c * inverse).max(1.0).recip();
        let mass = &model.masses[k];
        *change = scaled(*change, share(linear, mass.linear), share(angular, mass.angular));
    }
}

/// Shares of the linear and the angular part of a change.
fn scaled([x, y, turn]: Change, linear: f64, angular: f64) -> Change {
    [linear * x, linear * y, angular * turn]
}
