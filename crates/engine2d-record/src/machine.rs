//! Pictures of joints of the library, and what acts in them.

use engine2d_constraint::{Compliance, FrameMotion, Joint, Motions, Stroke};
use engine2d_math::{Pose, Vec2};
use engine2d_sim::World;

/// A joint as it is drawn at a moment.
pub(crate) struct Drawn {
    /// Where it acts.
    pub(crate) anchor: Vec2,
    /// Force on its first body that is not the ground.
    pub(crate) force: Vec2,
    /// Torque on that body about the anchor.
    pub(crate) torque: f64,
    pub(crate) strokes: Vec<Stroke>,
}

/// Whether a joint is drawn: those that lead a body are not.
pub(crate) fn is_drawn(world: &World, joint: &Joint) -> bool {
    let led = |body: engine2d_sim::BodyRef| {
        body.index().and_then(|place| world.body(place).ok()).is_some_and(|body| body.is_led())
    };
    !(joint.bodies().len() == 1 && joint.bodies().into_iter().all(led))
}

/// The joints of a world as they are now, with their places; those that do not act are left out.
pub(crate) fn drawn(world: &World) -> Vec<(usize, Drawn)> {
    if world.inspect().joints().is_empty() {
        return Vec::new();
    }
    let frames: Vec<FrameMotion> = world
        .bodies()
        .map(|body| {
            let origin = body.collision_body().to_world(Vec2::zeros());
            FrameMotion { pose: Pose::new(origin.x, origin.y, body.angle()), ..FrameMotion::default() }
        })
        .collect();
    let motions = Motions::new(&frames).at_time(world.time());
    let acting = world.inspect().joints().iter().enumerate();
    let acting = acting.filter(|(_, joint)| joint.is_enabled() && is_drawn(world, joint));
    acting
        .map(|(place, joint)| {
            let mut strokes = Vec::new();
            joint.any().draw(motions, &mut strokes);
            let (force, torque) = world
                .reaction(place)
                .map_or((Vec2::zeros(), 0.0), |reaction| (reaction.force, reaction.torque));
            (place, Drawn { anchor: joint.anchor(motions), force, torque, strokes })
        })
        .collect()
}

/// What the picture of a joint says of its kind.
pub(crate) fn sort(joint: &Joint) -> &'static str {
    match joint.kind() {
        "motor" | "servo" => "motor",
        _ if !matches!(joint.compliance(), Compliance::Rigid) => "spring",
        _ => "joint",
    }
}
