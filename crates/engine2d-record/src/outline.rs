//! Outlines of bodies as points, and the drawn parts of connectors and springs.

use engine2d_math::Vec2;
use engine2d_sim::{Attachment, BodyView, Connector, ForceLaw, World};

/// Largest distance of a drawn chord from its arc, as a part of the body's size.
const CHORD_ERROR: f64 = 5e-4;

/// The closed paths of a body's outline, relative to its centre of mass (body coordinates).
pub(crate) fn outline(body: &BodyView<'_>) -> Vec<Vec<Vec2>> {
    let collision = body.collision_body();
    let bounds = collision.shape.bounds();
    let size = bounds.width().max(bounds.height());
    let mut paths = collision.shape.outlines(CHORD_ERROR * size);
    for point in paths.iter_mut().flatten() {
        *point -= collision.center_of_mass;
    }
    paths
}

/// A line drawn between two attachments, or a pin at one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TieKind {
    Rod,
    Rope,
    Spring,
    Pin,
}

/// The drawn part of a connector or spring.
pub(crate) struct Tie {
    pub(crate) kind: TieKind,
    pub(crate) ends: [Attachment; 2],
    /// Length of the taut rope or rod, or of the relaxed spring.
    pub(crate) length: f64,
}

impl Tie {
    /// World positions of both ends now.
    pub(crate) fn positions(&self, world: &World) -> [Vec2; 2] {
        self.ends.map(|end| {
            let body = end.body.index().and_then(|index| world.body(index).ok());
            body.map_or(end.point, |body| body.collision_body().to_world(end.point))
        })
    }
}

/// Everything drawn between bodies. Several joints at one point are one pin.
pub(crate) fn ties(world: &World) -> Vec<Tie> {
    let mut ties: Vec<Tie> = Vec::new();
    for connector in world.inspect().connectors() {
        let tie = match connector {
            Connector::Joint { ends, .. } => Tie { kind: TieKind::Pin, ends: *ends, length: 0.0 },
            Connector::Rope { ends, length } => Tie { kind: TieKind::Rope, ends: *ends, length: *length },
            Connector::Rod { ends, length } => Tie { kind: TieKind::Rod, ends: *ends, length: *length },
            Connector::PathJoint { attachment, .. } | Connector::PathEndStop { attachment, .. } => {
                Tie { kind: TieKind::Pin, ends: [*attachment; 2], length: 0.0 }
            }
        };
        let known = ties.iter().any(|other| other.kind == TieKind::Pin && other.ends == tie.ends);
        if !(tie.kind == TieKind::Pin && known) {
            ties.push(tie);
        }
    }
    for law in world.inspect().force_laws() {
        if let ForceLaw::Spring { ends, rest_length, .. } = law {
            ties.push(Tie { kind: TieKind::Spring, ends: *ends, length: *rest_length });
        }
    }
    ties
}

/// The curves that path joints follow, each once.
pub(crate) fn curves(world: &World) -> Vec<Vec<Vec2>> {
    let mut seen: Vec<*const engine2d_math::sampled_curve::SampledCurve> = Vec::new();
    let mut curves = Vec::new();
    for connector in world.inspect().connectors() {
        if let Connector::PathJoint { path, .. } | Connector::PathEndStop { path, .. } = connector {
            let pointer = std::sync::Arc::as_ptr(path);
            if !seen.contains(&pointer) {
                seen.push(pointer);
                let points: Vec<Vec2> = path.points().collect();
                let stride = points.len().div_ceil(POINTS_OF_A_CURVE);
                let mut drawn: Vec<Vec2> = points.iter().copied().step_by(stride).collect();
                drawn.extend(points.last());
                curves.push(drawn);
            }
        }
    }
    curves
}

/// Points that suffice to draw a curve.
const POINTS_OF_A_CURVE: usize = 400;
