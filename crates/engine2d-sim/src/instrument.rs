//! What a report says of a state, measured on that state alone: how deep bodies are in each other, how far joints are
//! open, energy and momentum. Nothing here knows how the state was made.

mod axis;
mod discs;
mod overlaps;
mod pair;
mod parts;
mod track;

pub(crate) use axis::circle_of;
pub(crate) use pair::Overlap;

use crate::body::BodyData;
use crate::error::SimError;
use crate::model::Model;
use crate::one_way::passes;
use crate::road::{frame_motions, may_meet};
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use engine2d_constraint::{Equation, FrameMotion, Level, Motions, RowKind};
use engine2d_geometry::{CollisionBody, PathWorkspace};
use engine2d_math::{Vec2, cross};
use overlaps::Overlaps;
use parts::Parts;

/// Scratch of the measurements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instrument {
    overlaps: Overlaps,
    workspace: PathWorkspace,
    motions: Vec<FrameMotion>,
    equations: Vec<Equation>,
    /// The deepest overlap of the state at the end of an advance, if it was measured beside its last step.
    measured: Option<Overlap>,
}

impl Instrument {
    /// The deepest overlap of bodies that can collide; depth 0 if there is none.
    pub(crate) fn deepest(&mut self, bodies: &[CollisionBody]) -> Overlap {
        self.overlaps.deepest(bodies, &mut self.workspace)
    }

    /// Measures that ahead of the report.
    pub(crate) fn measure(&mut self, bodies: &[CollisionBody]) {
        self.measured = Some(self.deepest(bodies));
    }

    /// What was measured ahead, once.
    pub(crate) fn take_measured(&mut self) -> Option<Overlap> {
        self.measured.take()
    }

    /// The deepest overlap of one body with those of a list.
    pub(crate) fn deepest_of(&mut self, bodies: &[CollisionBody], place: usize, near: &[u32]) -> Overlap {
        let mut worst = Overlap::default();
        let own = place as u32;
        let (center, radius) = circle_of(&bodies[place]);
        for &other in near.iter().filter(|&&other| other != own) {
            let (middle, reach) = circle_of(&bodies[other as usize]);
            let apart = (center - middle).norm() > radius + reach;
            if apart || !may_meet(bodies, own, other) || passes(bodies, own, other, PLACED_DEPTH) {
                continue;
            }
            let parts = Parts::new(bodies, [own, other]);
            let pair = [&bodies[place], &bodies[other as usize]];
            if let Some(found) = Parts::distance(parts.as_ref(), pair, 0.0, &mut self.workspace)
                && -found.gap > worst.depth
            {
                worst = Overlap { depth: -found.gap, bodies: [other, own] };
            }
        }
        worst
    }
}

/// Largest deviation of a bilateral connector or a rigid joint from its position (length or radians).
pub(crate) fn joint_error(
    model: &Model,
    state: &State,
    instrument: &mut Instrument,
) -> Result<f64, SimError> {
    if !model.has_constraints() {
        return Ok(0.0);
    }
    let State { bodies, places, time, .. } = state;
    let mut worst = 0.0_f64;
    for (tie, place) in model.ties.iter().zip(places).filter(|(tie, _)| tie.connector.is_bilateral()) {
        worst = worst.max(tie.normal_distance(*place, bodies, *time)?.abs());
    }
    if model.joints.is_empty() {
        return Ok(worst);
    }
    let Instrument { motions, equations, .. } = instrument;
    frame_motions(bodies, motions);
    for joint in model.joints.iter().filter(|joint| joint.is_enabled()) {
        equations.clear();
        joint.equations(Motions::new(motions).at_time(*time), equations);
        let rigid = equations
            .iter()
            .filter(|e| e.level == Level::Position && e.kind == RowKind::Bilateral && e.spring.is_rigid());
        worst = rigid.map(|e| e.position_error.abs()).fold(worst, f64::max);
    }
    Ok(worst)
}

/// Momentum and angular momentum about the origin of the movable bodies.
pub(crate) fn momentum(data: &[BodyData], bodies: &[CollisionBody]) -> (Vec2, f64) {
    let movable = data.iter().zip(bodies).filter(|(data, _)| data.is_movable());
    movable.fold((Vec2::zeros(), 0.0), |(p, l), (data, b)| {
        let own = b.velocity * data.mass;
        (p + own, l + cross(b.pose.position(), own) + data.moment * b.angular_velocity)
    })
}
