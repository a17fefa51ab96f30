//! Joints that break: the share of its strength that each has left, and what its breaking does.

use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::{Road, Source, frame_motions, reaction};
use crate::state::State;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// The first joint that is beyond its strength at the last evaluation.
pub(crate) fn overloaded(model: &Model, state: &State, road: &Road) -> Option<u32> {
    let mut joints = state.focus.joints(model.joints.len()).map(|k| k as u32);
    joints.find(|&k| strength_left(model, state, road, k) < 0.0)
}

/// Share of its strength that a joint has left, negative when it breaks.
pub(crate) fn strength_left(model: &Model, state: &State, road: &Road, joint: u32) -> f64 {
    let part = &model.joints[joint as usize];
    if !(part.is_enabled() && part.is_breakable()) {
        return 1.0;
    }
    let (body, about) = joint_place(model, state, joint);
    part.strength_left(&reaction(state, road, joint, body, about))
}

/// The first body of a joint that is not the ground, and the joint's point.
pub(crate) fn joint_place(model: &Model, state: &State, joint: u32) -> (BodyRef, Vec2) {
    let part = &model.joints[joint as usize];
    let mut motions = Vec::new();
    frame_motions(&state.bodies, &mut motions);
    let about = part.anchor(engine2d_constraint::Motions::new(&motions).at_time(state.time));
    let bodies = part.bodies();
    let body = bodies.iter().copied().find(|b| *b != BodyRef::Ground).unwrap_or(BodyRef::Ground);
    (body, about)
}

/// Disables a joint and reports that it broke.
pub(crate) fn break_joint(
    model: &mut Model,
    state: &mut State,
    road: &Road,
    joint: u32,
    report: &mut StepReport,
) {
    let (body, about) = joint_place(model, state, joint);
    let reaction = reaction(state, road, joint, body, about);
    let part = &mut model.joints[joint as usize];
    part.set_enabled(false);
    report.events.push(Event::Broken {
        time: state.time,
        joint,
        name: part.name().map_or_else(|| format!("{} {joint}", part.kind()), str::to_owned),
        force: reaction.force,
        torque: reaction.torque,
    });
    let of_joint =
        |source: Source| matches!(source, Source::Equation { constraint, .. } if constraint == joint);
    state.held.retain(|h| !of_joint(h.source));
}
