//! Linkages on their way through a singular position: bars in line, a crank at its dead centre with another one beside it.
//!
//! There a velocity `v` of the joints' rows `J` appears that they say nothing of, `σ = |J v|/|v| → 0`, and with it another branch of motion.
//! Their accelerations hold `σ v̇ = −σ̇ v`, so that what rounding leaves of `σ v` is a velocity that grows as `1/σ`, and no step of the
//! integration is short enough \[Bayo, Avello 1994\]. Rows of velocities hold `σ v = 0` itself, at the middle of each
//! step, which is beside the position: a few short steps lead through it on the branch on which the linkage came.

use super::bridge::{may_chatter, start_with};
use super::island::Island;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::road::{Road, joints_left, locked};
use crate::state::State;
use crate::work::Work;

/// Turn of the fastest body in a step (radians) up to which it is asked whether the joints are what makes it short, and of the steps through
/// their singular position. What such a step is wrong by goes with its cube; what the rounding of positions leaves of velocities goes
/// with the inverse square of how near to the singular position the middle of one is.
const TURN: f64 = 1e-3;

/// Longest of these steps (time): of what hardly turns.
const LONGEST: f64 = 1e-3;

/// Share of a row that is left beside the others below which joints are near a singular position: `σ²` of a few short steps beside it.
const NEAR: f64 = 1e-4;

/// Share at which a passage that began within that is over: a thousandth of a radian beside the position, where accelerations are sound again.
const PAST: f64 = 1e-6;

/// Share in that of a step before from which on they come nearer: what light links leave of heavy ones stays as it is.
const NEARER: f64 = 0.8;

/// Whether an island has joints and may go on in fixed steps.
fn has_joints(model: &Model, state: &State) -> bool {
    let ties = state.focus.ties(model.ties.len()).next();
    may_chatter(model) && ties.or(state.focus.joints(model.joints.len()).next()).is_some()
}

/// Lets an island, which is what stages work on, go on in fixed steps if the last step that it has taken was as short as it was because its
/// joints come to a singular position: no longer than that one, until it is as far beside the position again. Where
/// demands have contradicted each other, [`check_locked`] is asked first.
pub(super) fn go_through(
    island: &mut Island,
    (model, state, work): (&Model, &mut State, &mut Work),
    road: &mut Road,
) -> Result<(), SimError> {
    let integrator = &island.integrator;
    if std::mem::take(&mut work.lcp.contradicted) && island.pending.is_none() {
        state.write(integrator.state());
        check_locked((model, &mut *state, work), road)?;
    }
    let length = integrator.time() - integrator.last_time();
    let goes_on = island.chatter.is_some() || island.pending.is_some();
    if goes_on || !(length < longest(state)) || !has_joints(model, state) {
        return Ok(());
    }
    state.write(integrator.last_state());
    let before = joints_left(model, state, road)?;
    state.write(integrator.state());
    let now = joints_left(model, state, road)?;
    if now < NEAR && now < NEARER * before {
        begin(island, (model, state), length, now);
    }
    Ok(())
}

/// As [`go_through`], of an island whose integration has found no step from where it stands: what its last ones were tells nothing. Returns
/// whether it goes on so: not where forces that may grow beyond every bound themselves could be the reason.
pub(super) fn leave(
    island: &mut Island,
    (model, state): (&Model, &mut State),
    road: &mut Road,
) -> Result<bool, SimError> {
    let is_smooth =
        |law: &ForceLaw| !matches!(law, ForceLaw::InverseSquareGravity { .. } | ForceLaw::User(_));
    if !has_joints(model, state) || !model.laws.iter().all(is_smooth) {
        return Ok(false);
    }
    state.write(island.integrator.state());
    let share = joints_left(model, state, road)?;
    if share < NEAR {
        begin(island, (model, state), f64::INFINITY, share);
    }
    Ok(share < NEAR)
}

/// Ends an advance in which joints lock what forces or velocities push: forces that grow without bound are looked for in vain.
pub(super) fn check_locked(
    (model, state, work): (&Model, &mut State, &mut Work),
    road: &mut Road,
) -> Result<(), SimError> {
    match locked(model, state, road, work)? {
        None => Ok(()),
        Some(bodies) => {
            let bodies = bodies.into_iter().map(|k| model.data[k].name.clone()).collect();
            Err(SimError::Locked { time: state.time, bodies })
        }
    }
}

fn begin(island: &mut Island, (model, state): (&Model, &mut State), last: f64, share: f64) {
    let length = longest(state).min(last);
    start_with(island, (model, state), length);
    if let Some(chatter) = &mut island.chatter {
        chatter.passage = Some(share.max(PAST));
    }
}

/// Longest step through a singular position.
fn longest(state: &State) -> f64 {
    let own = state.focus.bodies(state.bodies.len());
    let spin = own.fold(0.0, |most: f64, k| most.max(state.bodies[k].angular_velocity.abs()));
    (TURN / spin).min(LONGEST)
}
