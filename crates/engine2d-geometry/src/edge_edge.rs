//! Edges against edges where at least one is an arc: arc on line, arc on arc, arc within a concave arc.

use crate::body::{BodyRef, CollisionBody};
use crate::circular::CircularEdge;
use crate::contact::{Contact, ContactGeometry, ContactId, Features};
use crate::edge::{Curve, Edge};
use crate::intersection::segment_segment;
use crate::rules::{Judging, Rules};
use crate::similarity::submit;
use crate::straight::StraightEdge;
use crate::tolerance::BOUND_ROUNDING;
use engine2d_math::Vec2;

/// Edges of the second body whose proximity centres are placed once for all edges of the first.
const PLACED_EDGES: usize = 16;

/// The edges of body `first` against the edges of body `second`.
pub(crate) fn edges_against_edges<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    [first, second]: [u32; 2],
    time: f64,
    rules: &Rules,
    records: &mut Vec<R>,
) {
    let (a, b) = (&bodies[first as usize], &bodies[second as usize]);
    if !a.shape.has_arcs() && !b.shape.has_arcs() {
        return;
    }
    let (of_a, of_b) = (a.tolerances.distance, b.tolerances.distance);
    let tolerance = rules.tolerance(of_a, of_b);
    let (radii_a, radii_b) = (a.shape.search_circles(rules.judging), b.shape.search_circles(rules.judging));
    let (around_a, around_b) = (Surroundings::new(a, tolerance), Surroundings::new(b, tolerance));
    // Of most bodies the centres of all edges fit here, those near no edge of the first at infinity; others are
    // placed again for each edge of the first.
    let mut placed = [Vec2::repeat(f64::INFINITY); PLACED_EDGES];
    let center_of = |edge: &Edge| b.to_world(edge.proximity_center);
    for ((place, edge), [.., radius]) in placed.iter_mut().zip(b.shape.edges()).zip(radii_b) {
        let center = center_of(edge);
        if !around_a.excludes(center, *radius) {
            *place = center;
        }
    }
    // Of a one-sided wall only the active edge takes part.
    let takes_part = |body: &CollisionBody, edge: usize| {
        rules.judging == Judging::Curves || body.shape.one_sided_edge().is_none_or(|e| e as usize == edge)
    };
    for (i, edge_a) in a.shape.edges().iter().enumerate() {
        if b.ignores_edge(first, i as u32) || !takes_part(a, i) {
            continue;
        }
        let center_a = a.to_world(edge_a.proximity_center);
        if around_b.excludes(center_a, radii_a[i][2]) {
            continue;
        }
        for (j, edge_b) in b.shape.edges().iter().enumerate() {
            if edge_a.is_straight() && edge_b.is_straight()
                || a.ignores_edge(second, j as u32)
                || !takes_part(b, j)
            {
                continue;
            }
            let reach = radii_a[i][2] + radii_b[j][2] + tolerance;
            let center_b = placed.get(j).copied().unwrap_or_else(|| center_of(edge_b));
            let apart = center_b - center_a;
            if apart.norm_squared() >= reach * reach {
                continue;
            }
            let at_a = EdgeRef { body: a, index: first, edge: i as u32 };
            let at_b = EdgeRef { body: b, index: second, edge: j as u32 };
            let found = match (&edge_a.curve, &edge_b.curve) {
                (Curve::Circular(arc), Curve::Straight(line)) => {
                    arc_on_line(at_a, arc, at_b, line, rules.tolerance(of_b, of_a))
                }
                (Curve::Straight(line), Curve::Circular(arc)) => {
                    arc_on_line(at_b, arc, at_a, line, rules.tolerance(of_a, of_b))
                }
                (Curve::Circular(arc_a), Curve::Circular(arc_b)) => {
                    let found = match (arc_a.is_convex(), arc_b.is_convex()) {
                        (true, true) => arc_on_arc(at_a, arc_a, at_b, arc_b, rules.tolerance(of_b, of_a)),
                        (true, false) => {
                            arc_within_arc(at_a, arc_a, at_b, arc_b, rules.tolerance(of_b, of_a))
                        }
                        (false, true) => {
                            arc_within_arc(at_b, arc_b, at_a, arc_a, rules.tolerance(of_b, of_a))
                        }
                        (false, false) => None,
                    };
                    found.filter(|g| rules.judging == Judging::Curves || is_within(g, at_a, at_b))
                }
                (Curve::Straight(_), Curve::Straight(_)) => None,
            };
            if let Some(geometry) = found {
                submit(records, &Contact::new(&geometry, bodies, time), bodies);
            }
        }
    }
}

/// The circle (world) beyond which no proximity circle meets one of a body's edges.
struct Surroundings {
    center: Vec2,
    reach: f64,
}

impl Surroundings {
    fn new(body: &CollisionBody, tolerance: f64) -> Self {
        let center = body.world_centroid();
        let reach = body.shape.edge_reach + tolerance;
        Self { center, reach: reach + BOUND_ROUNDING * (reach + center.norm()) }
    }

    /// Whether the exact test of all edges would say no.
    fn excludes(&self, center: Vec2, radius: f64) -> bool {
        let limit = self.reach + radius * (1.0 + BOUND_ROUNDING);
        (center - self.center).norm_squared() > limit * limit
    }
}

/// An edge of a body, by index.
#[derive(Clone, Copy)]
struct EdgeRef<'a> {
    body: &'a CollisionBody,
    index: u32,
    edge: u32,
}

impl EdgeRef<'_> {
    /// A circle's centre relative to the body's centre of mass, in world axes.
    fn center_offset(&self, arc: &CircularEdge) -> Vec2 {
        self.body.to_world(arc.center()) - self.body.pose.position()
    }
}

fn edge_record(primary: EdgeRef<'_>, normal: EdgeRef<'_>) -> ContactGeometry {
    let mut geometry = ContactGeometry::straight(ContactId {
        primary: BodyRef::Body(primary.index),
        normal_body: BodyRef::Body(normal.index),
        features: Features::EdgeEdge { edge: primary.edge, other: normal.edge },
    });
    geometry.primary_curved = true;
    geometry
}

/// Whether two arcs that penetrate by their circles do so as parts of the outlines: the deepest point of one lies within
/// the other solid. Where the circles overlap, but not the arcs, other edges are between.
fn is_within(geometry: &ContactGeometry, a: EdgeRef<'_>, b: EdgeRef<'_>) -> bool {
    if geometry.distance >= 0.0 {
        return true;
    }
    let (p, n) = if geometry.id.primary == BodyRef::Body(a.index) { (a, b) } else { (b, a) };
    let on_normal = geometry.point;
    let on_primary = on_normal + geometry.normal * geometry.distance;
    n.body.shape.is_within(n.body.to_body(on_primary)) || p.body.shape.is_within(p.body.to_body(on_normal))
}

/// A convex arc against a straight edge: near it, or having crossed it during the step.
fn arc_on_line(
    p: EdgeRef<'_>,
    arc: &CircularEdge,
    n: EdgeRef<'_>,
    line: &StraightEdge,
    tolerance: f64,
) -> Option<ContactGeometry> {
    if !arc.is_convex() {
        return None;
    }
    let (pb, nb) = (p.body, n.body);
    let center_world = pb.to_world(arc.center());
    let center = nb.to_body(center_world);
    let deepest = center - line.normal() * arc.radius();
    let distance = line.line_distance(deepest);
    let mut geometry = ContactGeometry {
        distance,
        normal: nb.pose.rotate(line.normal()),
        primary_center: Some(center_world - pb.pose.position()),
        ..edge_record(p, n)
    };
    let touches_arc = || arc.contains_direction(pb.to_body(nb.to_world(deepest)));
    if distance > 0.0 {
        let foot = line.foot(deepest);
        if distance > tolerance || !line.spans(foot) || !touches_arc() {
            return None;
        }
        geometry.point = nb.to_world(foot);
        geometry.primary_radius = Some(arc.radius() + distance);
        return Some(geometry);
    }
    let (Some(p_old), Some(n_old)) = (&pb.old, &nb.old) else { return None };
    if !touches_arc() {
        return None;
    }
    let old_center = nb.old_to_body(n_old, pb.old_to_world(p_old, arc.center()));
    let old_deepest = old_center - line.normal() * arc.radius();
    let on_arc = arc.nearest_direction(pb.old_to_body(p_old, nb.old_to_world(n_old, old_deepest)));
    let start = nb.old_to_body(n_old, pb.old_to_world(p_old, on_arc));
    if line.line_distance(start) < 0.0 {
        return None;
    }
    segment_segment(line.start(), line.end(), deepest, start)?;
    geometry.point = nb.to_world(deepest);
    geometry.primary_radius = Some(arc.radius());
    Some(geometry)
}

/// Two convex arcs; `p` belongs to the first body of the pair, `n` to the second.
fn arc_on_arc(
    p: EdgeRef<'_>,
    p_arc: &CircularEdge,
    n: EdgeRef<'_>,
    n_arc: &CircularEdge,
    tolerance: f64,
) -> Option<ContactGeometry> {
    let p_center_in_n = n.body.to_body(p.body.to_world(p_arc.center()));
    let n_center_in_p = p.body.to_body(n.body.to_world(n_arc.center()));
    if !p_arc.contains_direction(n_center_in_p) || !n_arc.contains_direction(p_center_in_n) {
        return None;
    }
    let apart = p_center_in_n - n_arc.center();
    let distance = apart.norm() - (p_arc.radius() + n_arc.radius());
    if distance > tolerance || distance < -p_arc.depth().max(n_arc.depth()) {
        return None;
    }
    arc_record(p, p_arc, n, n_arc, apart, distance)
}

/// A convex arc within a concave one, which defines the normal.
fn arc_within_arc(
    p: EdgeRef<'_>,
    convex: &CircularEdge,
    n: EdgeRef<'_>,
    concave: &CircularEdge,
    tolerance: f64,
) -> Option<ContactGeometry> {
    if convex.radius() > concave.radius() {
        return None;
    }
    let convex_center_in_n = n.body.to_body(p.body.to_world(convex.center()));
    let concave_center_in_p = p.body.to_body(n.body.to_world(concave.center()));
    if !convex.contains_reflected_direction(concave_center_in_p)
        || !concave.contains_direction(convex_center_in_n)
    {
        return None;
    }
    let apart = convex_center_in_n - concave.center();
    let distance = concave.radius() - convex.radius() - apart.norm();
    if distance > tolerance || distance < -convex.depth() {
        return None;
    }
    arc_record(p, convex, n, concave, apart, distance)
}

/// The record of two arcs whose centres are `apart` (from the normal arc's, in its body frame).
fn arc_record(
    p: EdgeRef<'_>,
    p_arc: &CircularEdge,
    n: EdgeRef<'_>,
    n_arc: &CircularEdge,
    apart: Vec2,
    distance: f64,
) -> Option<ContactGeometry> {
    let length = apart.norm();
    if length < crate::tolerance::DEGENERATE_LENGTH {
        return None;
    }
    let direction = apart / length;
    let normal = if n_arc.is_convex() { direction } else { -direction };
    // Half the gap goes to each signed radius while there is one.
    let share = if distance > 0.0 { distance / 2.0 } else { 0.0 };
    Some(ContactGeometry {
        distance,
        normal: n.body.pose.rotate(normal),
        point: n.body.to_world(n_arc.center() + direction * n_arc.radius()),
        normal_curved: true,
        primary_radius: Some(p_arc.signed_radius() + share),
        normal_radius: n_arc.signed_radius() + share,
        primary_center: Some(p.center_offset(p_arc)),
        normal_center: Some(n.center_offset(n_arc)),
        ..edge_record(p, n)
    })
}
