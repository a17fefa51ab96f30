//! Vertices of one body against edges of another: path crossings, vertices near edges, corners near corners.

use crate::body::{BodyRef, CollisionBody};
use crate::circular::CircularEdge;
use crate::contact::{Contact, ContactGeometry, ContactId, Features};
use crate::edge::{Curve, Vertex};
use crate::edge_circles::GROUP;
use crate::intersection::{segment_arc, segment_segment};
use crate::rules::{Judging, Rules};
use crate::shape::PathShape;
use crate::similarity::submit;
use crate::tolerance::{BOUND_ROUNDING, CORNER_FRACTION, CORNER_MIN, FACING, MIN_TRAVEL};
use engine2d_math::Vec2;

/// The vertices of body `v_index` against the edges of body `e_index`, which becomes the normal body.
pub(crate) fn vertices_against_edges<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    [v_index, e_index]: [u32; 2],
    time: f64,
    rules: &Rules,
    records: &mut Vec<R>,
) {
    let distance_of = |index: u32| bodies[index as usize].tolerances.distance;
    let test = VertexTest {
        bodies,
        vertex_body: &bodies[v_index as usize],
        edge_body: &bodies[e_index as usize],
        v_index,
        e_index,
        time,
        auxiliary_contacts: rules.auxiliary_contacts,
        judging: rules.judging,
        active_edge: active_edge(&bodies[e_index as usize], rules),
        tolerance: rules.tolerance(distance_of(e_index), distance_of(v_index)),
    };
    let (v, e) = (test.vertex_body, test.edge_body);
    let tolerance = test.tolerance;
    // The edge body's enclosing circle and special normal, in the vertex body's frame.
    let centroid = v.to_body(e.world_centroid());
    let special = e.shape.searched_edge(rules.judging).map(|s| {
        let edge = &e.shape.edges()[s.edge as usize];
        let normal = edge.normal(edge.proximity_center).unwrap_or_else(Vec2::zeros);
        v.pose.rotate_inverse(e.pose.rotate(normal))
    });
    let reach = e.shape.search_radius(rules.judging) + tolerance;
    let ignores_edges = !e.ignored_edges.is_empty();
    let farthest = reach + test.most_travel();
    let active_vertices = active_edge(v, rules);
    for (index, vertex) in v.shape.vertices().iter().enumerate() {
        // Of a one-sided wall the ends of its active edge take part.
        if active_vertices.is_some_and(|edge| edge != vertex.previous_edge && edge != vertex.next_edge) {
            continue;
        }
        let is_ignored =
            || e.ignores_edge(v_index, vertex.previous_edge) && e.ignores_edge(v_index, vertex.next_edge);
        let offset = vertex.point - centroid;
        let square = offset.norm_squared();
        // Outside the circle at any travel: the exact test would say the same.
        if special.is_none() && square > farthest * farthest || ignores_edges && is_ignored() {
            continue;
        }
        let motion = test.motion_of(vertex);
        let outside_circle = match special {
            None => square > (reach + motion.travel) * (reach + motion.travel),
            Some(normal) => offset.dot(&normal) > reach,
        };
        if outside_circle || test.outside_box(&motion, tolerance) {
            continue;
        }
        test.vertex_against_edges(index as u32, vertex, &motion, records);
    }
}

/// A vertex now and at the beginning of the step, in the edge body's frame.
struct Motion {
    now: Vec2,
    before: Vec2,
    travel: f64,
    is_dynamic: bool,
}

struct VertexTest<'a> {
    bodies: &'a [CollisionBody],
    vertex_body: &'a CollisionBody,
    edge_body: &'a CollisionBody,
    v_index: u32,
    e_index: u32,
    time: f64,
    auxiliary_contacts: bool,
    judging: Judging,
    /// The only edge that takes part, of a one-sided wall.
    active_edge: Option<u32>,
    /// Distance tolerance by which contacts are found (length).
    tolerance: f64,
}

impl VertexTest<'_> {
    #[inline]
    fn motion_of(&self, vertex: &Vertex) -> Motion {
        let (v, e) = (self.vertex_body, self.edge_body);
        let now = e.to_body(v.to_world(vertex.point));
        let (Some(v_old), Some(e_old)) = (&v.old, &e.old) else {
            return Motion { now, before: now, travel: MIN_TRAVEL, is_dynamic: false };
        };
        let before = e.old_to_body(e_old, v.old_to_world(v_old, vertex.point));
        let squared = (now - before).norm_squared();
        let travel = if squared > MIN_TRAVEL * MIN_TRAVEL { squared.sqrt() } else { MIN_TRAVEL };
        Motion { now, before, travel, is_dynamic: true }
    }

    /// At least the travel of any vertex: that of the centre of mass, and as far as the turn between the bodies
    /// moves the outermost vertex about it.
    fn most_travel(&self) -> f64 {
        let (v, e) = (self.vertex_body, self.edge_body);
        if v.shape.searched_edge(self.judging).is_some() {
            return f64::INFINITY;
        }
        let (Some(v_old), Some(e_old)) = (&v.old, &e.old) else { return MIN_TRAVEL };
        let center = v.center_of_mass;
        let travel = e.to_body(v.pose.position()) - e.old_to_body(e_old, v_old.position);
        let axis = Vec2::new(1.0, 0.0);
        let now = e.pose.rotate_inverse(v.pose.rotate(axis));
        let turn = now - e_old.rotate_inverse(v_old.rotate(axis));
        let outermost = v.shape.search_radius(self.judging) + (v.shape.centroid() - center).norm();
        let size = v.pose.position().norm() + e.pose.position().norm() + outermost;
        (travel.norm() + turn.norm() * outermost + BOUND_ROUNDING * size).max(MIN_TRAVEL)
    }

    /// Whether the vertex was and is beyond one side of the edge body's box.
    #[inline]
    fn outside_box(&self, m: &Motion, tolerance: f64) -> bool {
        let b = self.edge_body.shape.bounds();
        (m.now.x < b.min.x - tolerance && m.before.x < b.min.x)
            || (m.now.x > b.max.x + tolerance && m.before.x > b.max.x)
            || (m.now.y < b.min.y - tolerance && m.before.y < b.min.y)
            || (m.now.y > b.max.y + tolerance && m.before.y > b.max.y)
    }

    fn vertex_against_edges<R: AsRef<Contact> + From<Contact>>(
        &self,
        index: u32,
        vertex: &Vertex,
        motion: &Motion,
        records: &mut Vec<R>,
    ) {
        let tolerance = self.tolerance;
        // The crossing nearest to where the vertex came from, over all edges.
        let mut crossing: Option<(u32, Vec2)> = None;
        let mut nearest = f64::INFINITY;
        let ignores_edges = !self.vertex_body.ignored_edges.is_empty();
        let shape = &self.edge_body.shape;
        let is_far = |[x, y, radius]: &[f64; 3]| {
            let reach = radius + tolerance + motion.travel;
            Vec2::new(x - motion.now.x, y - motion.now.y).norm_squared() > reach * reach
        };
        let groups = shape.search_groups(self.judging);
        // Far from a group, far from each of its edges.
        let circles = shape.search_circles(self.judging).chunks(GROUP).enumerate();
        let near_groups = circles.filter(|(group, _)| !groups.get(*group).is_some_and(is_far));
        let edges = near_groups.flat_map(|(group, circles)| (group * GROUP..).zip(circles));
        for (edge_index, _) in edges.filter(|(_, circle)| !is_far(circle)) {
            let edge = &shape.edges()[edge_index];
            let edge_index = edge_index as u32;
            if self.active_edge.is_some_and(|active| active != edge_index) {
                continue;
            }
            if ignores_edges && self.vertex_body.ignores_edge(self.e_index, edge_index) {
                continue;
            }
            let points = if motion.is_dynamic {
                match &edge.curve {
                    Curve::Straight(line) => {
                        [segment_segment(line.start(), line.end(), motion.now, motion.before), None]
                    }
                    Curve::Circular(arc) => segment_arc(arc, motion.now, motion.before),
                }
            } else {
                [None, None]
            };
            let mut crossed = false;
            for point in points.into_iter().flatten() {
                crossed = true;
                let distance = (point - motion.before).norm();
                if distance < nearest {
                    nearest = distance;
                    crossing = Some((edge_index, point));
                }
            }
            if !crossed
                && (vertex.end_point || self.auxiliary_contacts)
                && let Some(contact) = self.vertex_near_edge(index, vertex, edge_index, motion.now)
            {
                submit(records, &contact, self.bodies);
            }
        }
        if let Some((edge_index, point)) = crossing
            && let Some(contact) = self.crossing_record(index, vertex, edge_index, point, motion)
        {
            submit(records, &contact, self.bodies);
        }
    }

    fn id(&self, features: Features) -> ContactId {
        ContactId { primary: BodyRef::Body(self.v_index), normal_body: BodyRef::Body(self.e_index), features }
    }

    /// The centre of a curved normal edge relative to its body's centre of mass, in world axes.
    fn normal_center(&self, edge_index: u32) -> Option<Vec2> {
        match &self.edge_body.shape.edges()[edge_index as usize].curve {
            Curve::Straight(_) => None,
            Curve::Circular(arc) => {
                Some(self.edge_body.to_world(arc.center()) - self.edge_body.pose.position())
            }
        }
    }

    /// A vertex whose path crossed the edge at `point`; the gap is that of its present position.
    fn crossing_record(
        &self,
        index: u32,
        vertex: &Vertex,
        edge_index: u32,
        point: Vec2,
        motion: &Motion,
    ) -> Option<Contact> {
        let e = self.edge_body;
        let edge = &e.shape.edges()[edge_index as usize];
        let normal_radius = edge.curvature_radius();
        let distance = match (&edge.curve, self.judging) {
            (Curve::Circular(arc), Judging::Outlines) => self.gap_behind_arc(arc, motion),
            _ => edge.line_distance(motion.now),
        };
        let geometry = ContactGeometry {
            distance,
            normal: e.pose.rotate(edge.normal(point)?),
            point: e.to_world(point),
            primary_radius: Some(vertex.curvature_radius),
            normal_radius,
            normal_curved: normal_radius.is_finite(),
            normal_center: self.normal_center(edge_index),
            ..self.blank(Features::VertexEdge { vertex: index, edge: edge_index })
        };
        Some(Contact::new(&geometry, self.bodies, self.time))
    }

    /// The gap of a vertex that has crossed an arc. Its distance from the circle rises beyond the centre and is positive
    /// again once it is through the circle: within the solid it counts as deep as it is. If it is out again the gap is
    /// minus the depth to which its way cut the circle, unless that is within the tolerance, as of one that
    /// brushes past.
    fn gap_behind_arc(&self, arc: &CircularEdge, motion: &Motion) -> f64 {
        let gap = arc.line_distance(motion.now);
        let shape = &self.edge_body.shape;
        if shape.is_within(motion.now) {
            return gap.min(-shape.outline_distance(motion.now));
        }
        if gap < 0.0 {
            return gap;
        }
        let way = motion.now - motion.before;
        let square = way.norm_squared();
        if !arc.is_convex() || square == 0.0 {
            return gap;
        }
        let t = ((arc.center() - motion.before).dot(&way) / square).clamp(0.0, 1.0);
        let depth = arc.radius() - (motion.before + way * t - arc.center()).norm();
        if depth > self.tolerance { -depth } else { gap }
    }

    /// A vertex within the distance tolerance of an edge it did not cross.
    fn vertex_near_edge(&self, index: u32, vertex: &Vertex, edge_index: u32, now: Vec2) -> Option<Contact> {
        let e = self.edge_body;
        let tolerance = self.tolerance;
        let edge = &e.shape.edges()[edge_index as usize];
        let features = Features::VertexEdge { vertex: index, edge: edge_index };
        match &edge.curve {
            Curve::Straight(line) => {
                let foot = line.foot(now);
                if !line.spans(foot) {
                    return self.corner_near_corner(index, edge_index, now);
                }
                let distance = line.line_distance(now);
                if !(0.0..=tolerance).contains(&distance) {
                    return None;
                }
                let geometry = ContactGeometry {
                    distance,
                    normal: e.pose.rotate(line.normal()),
                    point: e.to_world(foot),
                    primary_radius: Some(vertex.curvature_radius),
                    ..self.blank(features)
                };
                Some(Contact::new(&geometry, self.bodies, self.time))
            }
            Curve::Circular(arc) => {
                if !arc.contains_direction(now) {
                    return match self.judging {
                        Judging::Outlines => self.corner_near_corner(index, edge_index, now),
                        Judging::Curves => None,
                    };
                }
                let distance = arc.line_distance(now);
                if !(0.0..=tolerance).contains(&distance) {
                    return None;
                }
                let normal = arc.normal(now)?;
                let normal_radius = arc.signed_radius() + distance;
                let geometry = ContactGeometry {
                    distance,
                    normal: e.pose.rotate(normal),
                    point: e.to_world(arc.center() + normal * normal_radius),
                    primary_radius: Some(vertex.curvature_radius),
                    normal_radius,
                    normal_curved: true,
                    normal_center: self.normal_center(edge_index),
                    ..self.blank(features)
                };
                Some(Contact::new(&geometry, self.bodies, self.time))
            }
        }
    }

    /// A slow vertex beyond the end of an edge, near the vertex there.
    fn corner_near_corner(&self, index: u32, edge_index: u32, now: Vec2) -> Option<Contact> {
        let e = self.edge_body;
        let edge = &e.shape.edges()[edge_index as usize];
        let range = CORNER_MIN..=CORNER_FRACTION * self.tolerance;
        let (start, end) = edge.ends();
        let ends = [(edge.start_vertex, start), (edge.end_vertex, end)];
        let (other, corner) = ends.into_iter().find(|(_, p)| range.contains(&(now - p).norm()))?;
        let is_faced = || {
            let toward = self.vertex_body.pose.rotate_inverse(e.pose.rotate(now - corner));
            faces(&self.vertex_body.shape, index, toward) && faces(&e.shape, other, corner - now)
        };
        if !edge.is_straight() && !is_faced() {
            return None;
        }
        let offset = now - corner;
        let distance = offset.norm();
        let geometry = ContactGeometry {
            distance,
            normal: e.pose.rotate(offset / distance),
            point: e.to_world(corner),
            primary_radius: None,
            normal_radius: distance,
            normal_curved: true,
            ..self.blank(Features::VertexVertex { vertex: index, other })
        };
        let contact = Contact::new(&geometry, self.bodies, self.time);
        contact.is_contact().then_some(contact)
    }

    fn blank(&self, features: Features) -> ContactGeometry {
        ContactGeometry::straight(self.id(features))
    }
}

/// The only edge of a one-sided wall that takes part.
fn active_edge(body: &CollisionBody, rules: &Rules) -> Option<u32> {
    body.shape.one_sided_edge().filter(|_| rules.judging == Judging::Outlines)
}

/// Whether both edges at a vertex lead away along `direction` (body coordinates), so that the vertex is foremost in the
/// reverse of it.
fn faces(shape: &PathShape, vertex: u32, direction: Vec2) -> bool {
    let slack = FACING * direction.norm();
    shape.leaving(vertex).iter().all(|way| way.dot(&direction) >= -slack)
}
