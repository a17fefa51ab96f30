//! The gap of a pair of features as a smooth function of the two poses, and how it changes.
//!
//! A vertex is a circle of radius 0, an arc a circle of positive (convex) or negative (concave) radius, a straight edge
//! a line. The gap of a circle and a line is `n·(c − p) − ρ` with the normal `n` fixed in the line's body; that of two
//! circles `±(|c_1 − c_2| − …)`. Both are smooth as long as the centres stay apart, whether or not the foot lies on the
//! features: [`margin`] says how far it is from their ends.

use super::row::{Row, Source, centripetal_at, coriolis, rate_of, velocity_at};
use engine2d_constraint::{ConstraintRow, RowKind};
use engine2d_geometry::tolerance::{SAME_DIRECTION, SAME_POINT};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Curve, Features};
use engine2d_math::{Vec2, cross, perp, trig};

/// How far beyond the end of an edge a contact has left it, in the slack within which the search for contacts still finds it there: what
/// joins the edge must be found in its place.
const LEFT: f64 = 2.0;

/// Distance of two centres below which a normal has no direction (length).
const COINCIDENT: f64 = 1e-12;

/// One side of a pair, in body coordinates.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// A vertex or an arc.
    Round { center: Vec2, radius: f64 },
    /// A straight edge: a point of it and the normal out of the material.
    Flat { point: Vec2, normal: Vec2 },
}

/// The gap of a pair of features at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureGap {
    /// Signed gap (length).
    pub(crate) gap: f64,
    /// Unit normal out of the normal body, towards the primary one (world).
    pub(crate) normal: Vec2,
    /// Nearest point on the primary body (world).
    pub(crate) point: Vec2,
    /// Acceleration of the gap when all accelerations vanish.
    pub(crate) bias: f64,
}

fn sides(id: ContactId, bodies: &[CollisionBody]) -> Option<[Side; 2]> {
    let body = |body: BodyRef| body.index().map(|i| &bodies[i]);
    let (primary, normal) = (body(id.primary)?, body(id.normal_body)?);
    let vertex = |body: &CollisionBody, k: u32| {
        let vertex = body.shape.vertices().get(k as usize)?;
        Some(Side::Round { center: vertex.point(), radius: 0.0 })
    };
    let edge = |body: &CollisionBody, k: u32| {
        Some(match body.shape.edges().get(k as usize)?.curve() {
            Curve::Straight(line) => Side::Flat { point: line.start(), normal: line.normal() },
            Curve::Circular(arc) => Side::Round { center: arc.center(), radius: arc.signed_radius() },
        })
    };
    Some(match id.features {
        Features::VertexEdge { vertex: v, edge: e } => [vertex(primary, v)?, edge(normal, e)?],
        Features::VertexVertex { vertex: v, other } => [vertex(primary, v)?, vertex(normal, other)?],
        Features::EdgeEdge { edge: e, other } => [edge(primary, e)?, edge(normal, other)?],
        Features::Connector(_) | Features::Joint(_) => return None,
    })
}

/// The gap of a pair of features; `None` where its normal has no direction (concentric circles) or the features are
/// two straight edges.
pub(crate) fn feature_gap(id: ContactId, bodies: &[CollisionBody]) -> Option<FeatureGap> {
    let (p, n) = (&bodies[id.primary.index()?], &bodies[id.normal_body.index()?]);
    match sides(id, bodies)? {
        [Side::Round { center, radius }, Side::Flat { point, normal }] => {
            let (c, foot, normal) = (p.to_world(center), n.to_world(point), n.pose.rotate(normal));
            let gap = normal.dot(&(c - foot)) - radius;
            let bias = flat_bias(normal, c, [id.primary, id.normal_body], bodies);
            Some(FeatureGap { gap, normal, point: c - normal * radius, bias })
        }
        [Side::Flat { point, normal }, Side::Round { center, radius }] => {
            let (c, foot, out) = (n.to_world(center), p.to_world(point), p.pose.rotate(normal));
            let gap = out.dot(&(c - foot)) - radius;
            let bias = flat_bias(out, c, [id.normal_body, id.primary], bodies);
            let on_round = c - out * radius;
            Some(FeatureGap { gap, normal: -out, point: on_round - out * gap, bias })
        }
        [Side::Round { center: c1, radius: r1 }, Side::Round { center: c2, radius: r2 }] => {
            let (a, b) = (p.to_world(c1), n.to_world(c2));
            let apart = a - b;
            let distance = apart.norm();
            if distance < COINCIDENT {
                return None;
            }
            // A concave arc holds the other circle inside: the gap is what is left of its radius.
            let inside = r1 < 0.0 || r2 < 0.0;
            let sign = if inside { -1.0 } else { 1.0 };
            let normal = apart * (sign / distance);
            let gap = sign * distance - r1 - r2;
            let (ra, rb) = (a - p.pose.position(), b - n.pose.position());
            let slip = velocity_at(id.primary, ra, bodies) - velocity_at(id.normal_body, rb, bodies);
            let along = normal.dot(&slip);
            let turning = sign * (slip.norm_squared() - along * along) / distance;
            let centripetal =
                centripetal_at(id.primary, ra, bodies) - centripetal_at(id.normal_body, rb, bodies);
            Some(FeatureGap { gap, normal, point: a - normal * r1, bias: normal.dot(&centripetal) + turning })
        }
        [Side::Flat { .. }, Side::Flat { .. }] => None,
    }
}

/// Acceleration, but for accelerations of the bodies, of a point of the first body over a line of the second, along the
/// line's normal: seen from the second, which turns.
fn flat_bias(normal: Vec2, point: Vec2, [first, second]: [BodyRef; 2], bodies: &[CollisionBody]) -> f64 {
    let arm = |body: BodyRef| body.index().map_or(point, |i| point - bodies[i].pose.position());
    let (r1, r2) = (arm(first), arm(second));
    let slip = velocity_at(first, r1, bodies) - velocity_at(second, r2, bodies);
    let relative = centripetal_at(first, r1, bodies) - centripetal_at(second, r2, bodies);
    normal.dot(&(relative - coriolis(second, slip, bodies)))
}

/// The gap of two corners at one place along a normal that stays as it is: between points that coincide, the direction
/// from one to the other says nothing.
fn corner_gap(id: ContactId, normal: Vec2, bodies: &[CollisionBody]) -> Option<FeatureGap> {
    let [a, b] = corners_of(id, bodies)?;
    let centripetal = |body: BodyRef, p: Vec2| {
        let arm = body.index().map_or(Vec2::zeros(), |i| p - bodies[i].pose.position());
        centripetal_at(body, arm, bodies)
    };
    let bias = normal.dot(&(centripetal(id.primary, a) - centripetal(id.normal_body, b)));
    Some(FeatureGap { gap: normal.dot(&(a - b)), normal, point: a, bias })
}

/// The places (world) of two corners.
fn corners_of(id: ContactId, bodies: &[CollisionBody]) -> Option<[Vec2; 2]> {
    let Features::VertexVertex { vertex, other } = id.features else { return None };
    let place = |body: BodyRef, k: u32| {
        let body = &bodies[body.index()?];
        Some(body.to_world(body.shape.vertices().get(k as usize)?.point()))
    };
    Some([place(id.primary, vertex)?, place(id.normal_body, other)?])
}

/// The row of a contact held at the gap `target`; two corners at one place have a `fixed` normal.
pub(crate) fn contact_row(
    id: ContactId,
    fixed: Option<Vec2>,
    target: f64,
    bodies: &[CollisionBody],
) -> Option<Row> {
    let found = match fixed {
        Some(normal) => corner_gap(id, normal, bodies),
        None => feature_gap(id, bodies),
    };
    let FeatureGap { gap, normal, point, bias } = found?;
    let arm = |body: BodyRef| body.index().map_or(point, |i| point - bodies[i].pose.position());
    let row =
        ConstraintRow::separation([id.primary, id.normal_body], normal, arm(id.primary), arm(id.normal_body));
    let rate = rate_of(&row, bodies);
    let source = Source::Contact(id);
    Some(Row {
        source,
        row,
        kind: RowKind::Unilateral,
        error: gap - target,
        rate,
        bias,
        holonomic: true,
        point,
    })
}

/// Velocity of the first body's surface over the second's at a contact, along the tangent of its friction.
pub(crate) fn sliding_speed(
    id: ContactId,
    fixed: Option<Vec2>,
    surface: f64,
    bodies: &[CollisionBody],
) -> f64 {
    let row = contact_row(id, fixed, 0.0, bodies);
    row.map_or(0.0, |row| friction_row(&row, RowKind::Bilateral, surface, bodies).rate)
}

/// The row of the friction of a contact, whose own row is given: the velocity of the first body's material over the
/// second's at the point of contact, along the normal turned a quarter to the left, less the speed `surface` of belts.
///
/// While the surfaces stick, both the wandering of the point of contact and the turning of the tangent drop out of the
/// acceleration: `ω × w t` is normal to `t`, and `ṫ` meets a relative velocity along `t`.
pub(crate) fn friction_row(contact: &Row, kind: RowKind, surface: f64, bodies: &[CollisionBody]) -> Row {
    let [a, b] = contact.row.bodies;
    let [x, y, _] = contact.row.jacobian[0];
    let tangent = perp(Vec2::new(x, y));
    let arm =
        |body: BodyRef| body.index().map_or(contact.point, |i| contact.point - bodies[i].pose.position());
    let row = ConstraintRow::separation([a, b], tangent, arm(a), arm(b));
    let bias = tangent.dot(&(centripetal_at(a, arm(a), bodies) - centripetal_at(b, arm(b), bodies)));
    let source = match contact.source {
        Source::Contact(id) => Source::Friction(id),
        other => other,
    };
    Row {
        source,
        row,
        kind,
        error: 0.0,
        rate: rate_of(&row, bodies) - surface,
        bias,
        holonomic: false,
        ..*contact
    }
}

/// How far (length) the nearest points of a pair are from the ends of its features, along them; negative when they
/// have slid off one, so far that it is not found there any more. Infinite for complete circles. Of two corners, which have a `fixed` normal, how far they are past
/// each other, negative.
pub(crate) fn margin(id: ContactId, fixed: Option<Vec2>, bodies: &[CollisionBody]) -> f64 {
    if let (Some(normal), Some([a, b])) = (fixed, corners_of(id, bodies)) {
        return -cross(normal, a - b).abs();
    }
    let Some(FeatureGap { normal, point, .. }) = feature_gap(id, bodies) else { return -1.0 };
    let radius = |body: BodyRef| body.index().map_or(0.0, |index| bodies[index].shape.outline_circle().1);
    let same = SAME_POINT * (radius(id.primary) + radius(id.normal_body));
    let end = |body: BodyRef, edge: u32, out: Vec2| {
        let Some(index) = body.index() else { return f64::INFINITY };
        edge_margin(&bodies[index], edge, point, out) + LEFT * same
    };
    match id.features {
        Features::VertexEdge { vertex, edge } => {
            let sides = id.primary.index().map_or(f64::INFINITY, |i| {
                let arc = id.normal_body.index().and_then(|k| bodies[k].shape.edges().get(edge as usize));
                // On a straight side both corners of a side meet at once.
                if arc.is_some_and(|arc| !arc.is_straight()) {
                    corner_margin(&bodies[i], vertex, normal)
                } else {
                    f64::INFINITY
                }
            });
            sides.min(end(id.normal_body, edge, normal))
        }
        Features::EdgeEdge { edge, other } => {
            end(id.primary, edge, -normal).min(end(id.normal_body, other, normal))
        }
        Features::VertexVertex { .. } | Features::Connector(_) | Features::Joint(_) => f64::INFINITY,
    }
}

/// Whether a side of a corner is nearer to an arc that faces the corner: only when it has moved on may it meet that.
pub(crate) fn is_beside_corner(id: ContactId, bodies: &[CollisionBody]) -> bool {
    let Features::VertexEdge { vertex, edge } = id.features else { return false };
    let Some((primary, normal)) = id.primary.index().zip(id.normal_body.index()) else { return false };
    let is_arc = bodies[normal].shape.edges().get(edge as usize).is_some_and(|edge| !edge.is_straight());
    is_arc && feature_gap(id, bodies).is_some_and(|f| corner_margin(&bodies[primary], vertex, f.normal) < 0.0)
}

/// By how much (length at the body's size) the sides of a corner stay off a surface of unit normal `normal` that the
/// corner touches; negative when one of them comes down to it.
fn corner_margin(body: &CollisionBody, vertex: u32, normal: Vec2) -> f64 {
    let Some(corner) = body.shape.vertices().get(vertex as usize) else { return -1.0 };
    let leaving = |edge: usize, starts: bool| {
        let edge = &body.shape.edges()[edge];
        let direction = match edge.curve() {
            Curve::Straight(line) => {
                let way = line.end() - line.start();
                if starts { way } else { -way }
            }
            Curve::Circular(arc) => {
                let out = if starts { arc.start() - arc.center() } else { arc.end() - arc.center() };
                let along = if arc.clockwise() { -perp(out) } else { perp(out) };
                if starts { along } else { -along }
            }
        };
        body.pose.rotate(direction / direction.norm()).dot(&normal)
    };
    let least = leaving(corner.previous_edge(), false).min(leaving(corner.next_edge(), true));
    least * body.shape.outline_circle().1
}

/// How far a world point is from the ends of an edge, along it, for an arc with room for what counts as its direction there; `out` is the normal out of the edge's body there.
fn edge_margin(body: &CollisionBody, edge: u32, point: Vec2, out: Vec2) -> f64 {
    let Some(edge) = body.shape.edges().get(edge as usize) else { return -1.0 };
    match edge.curve() {
        Curve::Straight(line) => {
            let (start, end) = (body.to_world(line.start()), body.to_world(line.end()));
            let along = end - start;
            let length = along.norm();
            let at = along.dot(&(point - start)) / length;
            at.min(length - at)
        }
        Curve::Circular(arc) if arc.is_complete() => f64::INFINITY,
        Curve::Circular(arc) => {
            let (low, high) = arc.interval();
            let (sin, cos) = trig::sin_cos(0.5 * (low + high));
            let middle = body.pose.rotate(Vec2::new(cos, sin));
            let direction = if arc.is_convex() { out } else { -out };
            let angle = trig::atan2(cross(middle, direction), middle.dot(&direction));
            arc.radius() * (0.5 * (high - low) - angle.abs() + LEFT * SAME_DIRECTION)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use engine2d_math::Pose;
    use std::sync::Arc;

    /// The row and the bias of every pair of features against differences of the gap along a motion.
    #[test]
    fn rates_and_biases_are_the_derivatives_of_the_gap() {
        let block = Arc::new(PathShape::block(1.0, 2.0).unwrap());
        let ball = Arc::new(PathShape::ball(0.7).unwrap());
        let pose = |t: f64, k: usize| {
            let s = 1.0 + k as f64;
            Pose::new(
                0.3 * s + s * t + 0.4 * t * t,
                1.2 * s - 0.7 * t - 0.2 * s * t * t,
                0.4 * s + (1.1 - 0.6 * s) * t + 0.3 * t * t,
            )
        };
        let at = |t: f64, shapes: [&Arc<PathShape>; 2]| {
            let h = 1e-5;
            [0, 1].map(|k| {
                let mut body = CollisionBody::new(shapes[k].clone());
                body.pose = pose(t, k);
                let (after, before) = (pose(t + h, k), pose(t - h, k));
                body.velocity = (after.position() - before.position()) / (2.0 * h);
                body.angular_velocity = (after.angle() - before.angle()) / (2.0 * h);
                body
            })
        };
        let cases = [
            (Features::VertexEdge { vertex: 1, edge: 2 }, [&block, &block]),
            (Features::VertexVertex { vertex: 1, other: 2 }, [&block, &block]),
            (Features::EdgeEdge { edge: 0, other: 1 }, [&ball, &block]),
            (Features::EdgeEdge { edge: 1, other: 0 }, [&block, &ball]),
            (Features::EdgeEdge { edge: 0, other: 0 }, [&ball, &ball]),
        ];
        for (features, shapes) in cases {
            let id = ContactId { primary: BodyRef::Body(0), normal_body: BodyRef::Body(1), features };
            let gap = |t: f64| feature_gap(id, &at(t, shapes)).unwrap().gap;
            let (t, h) = (0.3, 1e-4);
            let row = contact_row(id, None, 0.0, &at(t, shapes)).unwrap();
            let rate = (gap(t + h) - gap(t - h)) / (2.0 * h);
            assert!((row.rate - rate).abs() < 1e-6, "{features:?}: {} {rate}", row.rate);
            let second = (gap(t + h) - 2.0 * gap(t) + gap(t - h)) / (h * h);
            let mut rates = vec![0.0; 12];
            for k in 0..2 {
                let s = 1.0 + k as f64;
                (rates[6 * k + 1], rates[6 * k + 3], rates[6 * k + 5]) = (0.8, -0.4 * s, 0.6);
            }
            let found = super::super::row::acceleration_of(&row.row, &rates) + row.bias;
            assert!((found - second).abs() < 1e-5, "{features:?}: {found} {second}");
        }
    }
}
