//! Bodies that sleep: what has been slow for a while, with all that it touches, is left out of steps until something comes near it or is
//! changed.
//!
//! An island of bodies that are near each other falls asleep when each of them has been slower than a speed for a time. It then takes
//! part as immovable bodies do, without velocity; what was known of its contacts is put aside with the forces of its last step, and is
//! taken up again when it wakes: before a step in which a moving body may meet one of it, or after one of its bodies, one that it
//! touches, or a force on it changed.

use super::known::{Known, KnownRows};
use super::near::Near;
use crate::contact_force::ContactForce;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::named::named;
use crate::road::Source;
use crate::settings::Sleeping;
use crate::state::State;
use engine2d_constraint::{Forest, InverseMass, Joint};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use serde::{Deserialize, Serialize};

/// Which bodies sleep, and what is put aside of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sleep {
    /// For how long each body has been slow (time).
    slow: Vec<f64>,
    /// The bodies that sleep, in ascending order.
    asleep: Vec<u32>,
    /// Their places near each other and near immovable bodies, in the order of the pairs.
    near: Vec<Near>,
    rows: Vec<Known>,
    /// The forces of their last step.
    forces: Vec<ContactForce>,
    /// Bodies that were changed, or that a force which changed acts on.
    disturbed: Vec<u32>,
}

impl Sleep {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The bodies that sleep, in ascending order.
    pub(super) fn asleep(&self) -> &[u32] {
        &self.asleep
    }

    fn has(&self, body: u32) -> bool {
        self.asleep.binary_search(&body).is_ok()
    }

    /// The forces on what sleeps.
    pub(super) fn forces(&self) -> &[ContactForce] {
        &self.forces
    }

    /// Wakes a body, and all that lies near it, before the next step.
    pub(super) fn disturb(&mut self, body: u32) {
        if !self.asleep.is_empty() {
            self.disturbed.push(body);
        }
    }

    /// Wakes everything a force law acts on before the next step.
    pub(super) fn disturb_by(&mut self, law: &ForceLaw) {
        match named(law) {
            Some(bodies) => bodies.iter().filter_map(|b| b.index()).for_each(|k| self.disturb(k as u32)),
            None => self.disturbed.extend_from_slice(&self.asleep),
        }
    }

    /// Whether it can be one of a world of so many bodies: what a file says need not be.
    pub(super) fn fits(&self, bodies: usize) -> bool {
        let is_body = |body: &u32| (*body as usize) < bodies;
        let places = self.near.iter().map(|near| near.id).chain(self.forces.iter().map(|force| force.id));
        self.slow.len() <= bodies
            && self.asleep.is_sorted_by(|a, b| a < b)
            && self.asleep.iter().chain(&self.disturbed).all(is_body)
            && places
                .flat_map(|id| [id.primary, id.normal_body])
                .filter_map(BodyRef::index)
                .all(|k| k < bodies)
    }
}

/// Whether forces of a law stay as they are while the bodies it acts on rest.
fn is_steady(law: &ForceLaw) -> bool {
    matches!(
        law,
        ForceLaw::Gravity { .. }
            | ForceLaw::Damping { .. }
            | ForceLaw::ConstantForce { .. }
            | ForceLaw::Thrusters { .. }
    )
}

/// Marks the bodies that never sleep: those that joints or connectors hold, and those of forces that may change by themselves.
fn mark_restless(model: &Model, out: &mut Vec<bool>) {
    out.clear();
    out.resize(model.data.len(), false);
    let held = model.joints.iter().flat_map(Joint::bodies);
    let tied = model.ties.iter().flat_map(|tie| tie.connector.bodies());
    held.chain(tied).filter_map(BodyRef::index).for_each(|k| out[k] = true);
    for law in model.laws.iter().filter(|law| !is_steady(law)) {
        match named(law) {
            Some(bodies) => bodies.into_iter().filter_map(BodyRef::index).for_each(|k| out[k] = true),
            None => out.fill(true),
        }
    }
}

/// Scratch of who hangs together with whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    forest: Forest,
    /// Of each body that is the first of its island, whether that is told from the others.
    marked: Vec<bool>,
    /// Bodies that wake or fall asleep, in ascending order.
    chosen: Vec<u32>,
}

impl Islands {
    /// Joins the bodies of pairs of which both are of those that are meant.
    fn join(&mut self, near: &[Near], count: usize, is_meant: impl Fn(u32) -> bool) {
        self.forest.reset(count);
        for pair in near.iter().map(Near::pair).filter(|pair| pair.iter().all(|&body| is_meant(body))) {
            self.forest.join(pair.map(BodyRef::Body));
        }
    }

    /// Marks the island of a body.
    fn mark(&mut self, body: u32) {
        let root = self.forest.root(body as usize);
        self.marked[root] = true;
    }

    /// Chooses the bodies whose islands are marked, or those whose are not.
    fn choose(&mut self, bodies: impl Iterator<Item = u32>, marked: bool) {
        let Self { forest, marked: marks, chosen } = self;
        chosen.clear();
        chosen.extend(bodies.filter(|&body| marks[forest.root(body as usize)] == marked));
    }
}

/// Wakes what was disturbed, and what a moving body may meet in the step to come, each with all that lies near it.
pub(super) fn wake(
    sleep: &mut Sleep,
    (near, rows): (&mut Vec<Near>, &mut KnownRows),
    islands: &mut Islands,
    bodies: &[CollisionBody],
    everything: bool,
) {
    let mut from = std::mem::take(&mut sleep.disturbed);
    if sleep.asleep.is_empty() {
        return;
    }
    if everything {
        from.extend_from_slice(&sleep.asleep);
    }
    let moves = |body: u32| bodies.get(body as usize).is_some_and(|body| !body.fixed);
    for [a, b] in near.iter().map(Near::pair) {
        match [a, b].map(|body| sleep.has(body)) {
            [true, false] if moves(b) => from.push(a),
            [false, true] if moves(a) => from.push(b),
            _ => {}
        }
    }
    if from.is_empty() {
        return;
    }
    from.order();
    islands.join(&sleep.near, bodies.len(), |body| sleep.has(body));
    islands.marked.clear();
    islands.marked.resize(bodies.len(), false);
    // What is disturbed may be what sleepers lie on.
    let is_from = |body: u32| from.binary_search(&body).is_ok();
    let beside = sleep.near.iter().map(Near::pair).filter(|pair| pair.iter().any(|&body| is_from(body)));
    let all = from.iter().copied().chain(beside.flatten());
    all.filter(|&body| sleep.has(body)).for_each(|body| islands.mark(body));
    islands.choose(sleep.asleep.iter().copied(), true);
    let wakes = |body: u32| islands.chosen.binary_search(&body).is_ok();
    sleep.asleep.retain(|&body| !wakes(body));
    for (body, slow) in (0..).zip(&mut sleep.slow) {
        *slow = if wakes(body) { 0.0 } else { *slow };
    }
    let of_woken = |body: BodyRef| body.index().is_some_and(|k| wakes(k as u32));
    near.extend(sleep.near.extract_if(.., |near| near.pair().into_iter().any(wakes)));
    near.order_by_key(Near::pair);
    let known = sleep.rows.extract_if(.., |known| known.source.is_of_any(of_woken));
    let all: Vec<Known> = rows.iter().copied().chain(known).collect();
    rows.set(all);
    sleep.forces.retain(|force| !Source::Contact(force.id).is_of_any(of_woken));
}

/// Forgets the places that were found among what sleeps and what does not move: they are put aside already.
pub(super) fn leave_out(sleep: &Sleep, near: &mut Vec<Near>, bodies: &[CollisionBody]) {
    let rests = |body: u32| sleep.has(body) || bodies.get(body as usize).is_none_or(|body| body.fixed);
    near.retain(|near| !near.pair().into_iter().all(rests));
}

/// Lets what sleeps take part in a step as immovable bodies do, or no longer.
pub(super) fn lay_down(sleep: &Sleep, model: &mut Model, state: &mut State, down: bool) {
    for &body in &sleep.asleep {
        let k = body as usize;
        state.bodies[k].fixed = down;
        model.masses[k] =
            if down { InverseMass::new(f64::INFINITY, f64::INFINITY) } else { model.data[k].inverse_mass() };
    }
}

/// Looks which bodies were slow in a step of length `h`, and lets islands of those that have been for long fall asleep; `forces` are
/// those of the step, `reaches` the largest distances from the centres of mass. Islands are looked for when a body has been slow for the
/// time of the rule once more: what cannot sleep then is asked again after as long.
pub(super) fn fall_asleep(
    sleep: &mut Sleep,
    (near, rows): (&mut Vec<Near>, &mut KnownRows),
    islands: &mut Islands,
    (model, state): (&Model, &mut State),
    (rule, h): (Sleeping, f64),
    (forces, reaches): (&[ContactForce], &[f64]),
) {
    let count = state.bodies.len();
    sleep.slow.resize(count, 0.0);
    let mut again = false;
    for (k, (body, slow)) in (0..).zip(state.bodies.iter().zip(&mut sleep.slow)) {
        let speed = body.velocity.norm() + body.angular_velocity.abs() * reaches[k as usize];
        let before = *slow;
        *slow = if body.fixed || speed > rule.speed { 0.0 } else { before + h };
        let times = [before, *slow].map(|slow| (slow / rule.time).floor());
        again |= times[1] > times[0] && sleep.asleep.binary_search(&k).is_err();
    }
    if !again {
        return;
    }
    let moves = |body: u32| state.bodies.get(body as usize).is_some_and(|body| !body.fixed);
    islands.join(near, count, moves);
    mark_restless(model, &mut islands.marked);
    for k in 0..count as u32 {
        if sleep.slow[k as usize] < rule.time || islands.marked[k as usize] {
            islands.mark(k);
        }
    }
    islands.choose((0..count as u32).filter(|&k| !sleep.has(k) && moves(k)), false);
    let falls = |body: u32| islands.chosen.binary_search(&body).is_ok();
    for &body in &islands.chosen {
        let body = &mut state.bodies[body as usize];
        (body.velocity, body.angular_velocity) = (Vec2::zeros(), 0.0);
    }
    let of_fallen = |body: BodyRef| body.index().is_some_and(|k| falls(k as u32));
    sleep.near.extend(near.extract_if(.., |near| near.pair().into_iter().any(falls)));
    sleep.near.order_by_key(Near::pair);
    sleep.rows.extend(rows.iter().filter(|known| known.source.is_of_any(of_fallen)));
    rows.retain(|known| !known.source.is_of_any(of_fallen));
    sleep.forces.extend(forces.iter().filter(|force| Source::Contact(force.id).is_of_any(of_fallen)));
    sleep.asleep.extend_from_slice(&islands.chosen);
    sleep.asleep.order();
}
