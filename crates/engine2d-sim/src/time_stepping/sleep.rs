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
use crate::road::Source;
use crate::settings::Sleeping;
use crate::state::State;
use engine2d_constraint::{InverseMass, Joint};
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
        match bodies_of(law) {
            Some(bodies) => bodies.into_iter().for_each(|body| self.disturb(body)),
            None => self.disturbed.clone_from(&self.asleep),
        }
    }

    /// Whether it can be one of a world of so many bodies: what a file says need not be.
    pub(super) fn fits(&self, bodies: usize) -> bool {
        let is_body = |body: &u32| (*body as usize) < bodies;
        self.slow.len() <= bodies
            && self.asleep.is_sorted_by(|a, b| a < b)
            && self.asleep.iter().chain(&self.disturbed).all(is_body)
            && self.near.iter().flat_map(Near::pair).all(|body| body == u32::MAX || is_body(&body))
    }
}

/// The bodies a law acts on by name; none where it acts on whatever there is.
fn bodies_of(law: &ForceLaw) -> Option<Vec<u32>> {
    match law {
        ForceLaw::ConstantForce { body, .. }
        | ForceLaw::Thrusters { body, .. }
        | ForceLaw::RotatingForce { body, .. } => Some(vec![*body]),
        ForceLaw::Spring { ends, .. } => {
            Some(ends.iter().filter_map(|end| end.body.index()).map(|k| k as u32).collect())
        }
        _ => None,
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
        match bodies_of(law) {
            Some(bodies) => bodies.into_iter().for_each(|k| out[k as usize] = true),
            None => out.fill(true),
        }
    }
}

/// Wakes what was disturbed, and what a moving body may meet in the step to come, each with all that lies near it.
pub(super) fn wake(
    sleep: &mut Sleep,
    (near, rows): (&mut Vec<Near>, &mut KnownRows),
    bodies: &[CollisionBody],
    everything: bool,
) {
    let mut woken = std::mem::take(&mut sleep.disturbed);
    if sleep.asleep.is_empty() {
        return;
    }
    if everything {
        woken.clone_from(&sleep.asleep);
    }
    let moves = |body: u32| bodies.get(body as usize).is_some_and(|body| !body.fixed);
    for [a, b] in near.iter().map(Near::pair) {
        match [a, b].map(|body| sleep.has(body)) {
            [true, false] if moves(b) => woken.push(a),
            [false, true] if moves(a) => woken.push(b),
            _ => {}
        }
    }
    woken.order();
    woken.dedup();
    spread(sleep, &mut woken);
    if woken.is_empty() {
        return;
    }
    let wakes = |body: u32| woken.binary_search(&body).is_ok();
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

/// Adds to some bodies, sorted, those that sleep near them, and leaves those that sleep.
fn spread(sleep: &Sleep, woken: &mut Vec<u32>) {
    loop {
        let is_in = |body: u32| woken.binary_search(&body).is_ok();
        let pairs = sleep.near.iter().map(Near::pair);
        let more: Vec<u32> = pairs
            .flat_map(|[a, b]| [(a, b), (b, a)])
            .filter(|&(from, to)| is_in(from) && !is_in(to) && sleep.has(to))
            .map(|(_, to)| to)
            .collect();
        if more.is_empty() {
            break;
        }
        woken.extend(more);
        woken.order();
        woken.dedup();
    }
    woken.retain(|&body| sleep.has(body));
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
/// those of the step, `reaches` the largest distances from the centres of mass.
pub(super) fn fall_asleep(
    sleep: &mut Sleep,
    (near, rows): (&mut Vec<Near>, &mut KnownRows),
    (model, state): (&Model, &mut State),
    (rule, h): (Sleeping, f64),
    (forces, reaches): (&[ContactForce], &[f64]),
) {
    let count = state.bodies.len();
    sleep.slow.resize(count, 0.0);
    let mut long = false;
    for (k, body) in state.bodies.iter().enumerate() {
        let speed = body.velocity.norm() + body.angular_velocity.abs() * reaches[k];
        let slow = &mut sleep.slow[k];
        *slow = if body.fixed || speed > rule.speed { 0.0 } else { *slow + h };
        long |= *slow >= rule.time && sleep.asleep.binary_search(&(k as u32)).is_err();
    }
    if !long {
        return;
    }
    let mut restless = Vec::new();
    mark_restless(model, &mut restless);
    // An island has one root, which is restless if one of its bodies is.
    let mut roots: Vec<u32> = (0..count as u32).collect();
    let moves = |body: u32| state.bodies.get(body as usize).is_some_and(|body| !body.fixed);
    for [a, b] in near.iter().map(Near::pair).filter(|pair| pair.iter().all(|&body| moves(body))) {
        let (a, b) = (root(&mut roots, a), root(&mut roots, b));
        roots[a.max(b) as usize] = a.min(b);
    }
    for k in 0..count {
        if sleep.slow[k] < rule.time || restless[k] {
            let root = root(&mut roots, k as u32);
            restless[root as usize] = true;
        }
    }
    let falls = |&k: &u32| !sleep.has(k) && moves(k) && !restless[root(&mut roots, k) as usize];
    let fallen: Vec<u32> = (0..count as u32).filter(falls).collect();
    let falls = |body: u32| fallen.binary_search(&body).is_ok();
    for &body in &fallen {
        let body = &mut state.bodies[body as usize];
        (body.velocity, body.angular_velocity) = (Vec2::zeros(), 0.0);
    }
    let of_fallen = |body: BodyRef| body.index().is_some_and(|k| falls(k as u32));
    sleep.near.extend(near.extract_if(.., |near| near.pair().into_iter().any(falls)));
    sleep.near.order_by_key(Near::pair);
    sleep.rows.extend(rows.iter().filter(|known| known.source.is_of_any(of_fallen)));
    rows.retain(|known| !known.source.is_of_any(of_fallen));
    sleep.forces.extend(forces.iter().filter(|force| Source::Contact(force.id).is_of_any(of_fallen)));
    sleep.asleep.extend(fallen);
    sleep.asleep.order();
}

/// The least body of the island of a body, as far as its islands are joined.
fn root(roots: &mut [u32], mut body: u32) -> u32 {
    while roots[body as usize] != body {
        let above = roots[roots[body as usize] as usize];
        roots[body as usize] = above;
        body = above;
    }
    body
}
