//! Bringing a record up to date after its bodies have moved.

use crate::body::CollisionBody;
use crate::circular::CircularEdge;
use crate::contact::{Contact, Features};
use crate::edge::Curve;
use crate::tolerance::DEGENERATE_LENGTH;
use engine2d_math::Vec2;

impl Contact {
    /// Recomputes gap, normal, impact point, lever arms and velocity from the present poses of `bodies`;
    /// radii, tolerances and detection data stay. Edge and arc limits are not checked.
    ///
    /// When the record is `must_handle`, or not a contact, and approaching, the estimated collision time
    /// is refined from the motion between `time` and the detection; else it is forgotten.
    ///
    /// Connector rows are left alone: their owner updates them with
    /// [`update_connector`](Self::update_connector).
    pub fn update(&mut self, bodies: &[CollisionBody], time: f64, must_handle: bool) {
        let (Some(p), Some(n)) = (self.id.primary.index(), self.id.normal_body.index()) else { return };
        let (p, n) = (&bodies[p], &bodies[n]);
        let mut primary_center = None;
        let mut normal_center = None;
        match self.id.features {
            Features::VertexEdge { vertex, edge } => {
                let x = n.to_body(p.to_world(p.shape.vertices()[vertex as usize].point));
                let edge = &n.shape.edges()[edge as usize];
                self.distance = edge.line_distance(x);
                if let Some(normal) = edge.normal(x) {
                    self.normal = n.pose.rotate(normal);
                }
                let nearest = match &edge.curve {
                    Curve::Straight(line) => line.foot(x),
                    Curve::Circular(arc) => {
                        normal_center = Some(n.to_world(arc.center()) - n.pose.position());
                        match edge.normal(x) {
                            Some(normal) => arc.center() + normal * arc.signed_radius(),
                            None => x,
                        }
                    }
                };
                self.set_point(n.to_world(nearest));
            }
            Features::VertexVertex { vertex, other } => {
                let at = p.to_world(p.shape.vertices()[vertex as usize].point);
                let corner = n.to_world(n.shape.vertices()[other as usize].point);
                let offset = at - corner;
                self.distance = offset.norm();
                if self.distance >= DEGENERATE_LENGTH {
                    self.normal = offset / self.distance;
                }
                self.set_point(corner);
            }
            Features::EdgeEdge { edge, other } => {
                let (curve, other) =
                    (&p.shape.edges()[edge as usize].curve, &n.shape.edges()[other as usize].curve);
                let Curve::Circular(arc) = curve else { return };
                let center = p.to_world(arc.center());
                primary_center = Some(center - p.pose.position());
                match other {
                    Curve::Straight(line) => {
                        let center = n.to_body(center);
                        let deepest = center - line.normal() * arc.radius();
                        let was_contact = self.is_contact();
                        self.distance = line.line_distance(deepest);
                        self.normal = n.pose.rotate(line.normal());
                        let nearest = if was_contact { line.foot(center) } else { deepest };
                        self.set_point(n.to_world(nearest));
                    }
                    Curve::Circular(base) => {
                        normal_center = Some(n.to_world(base.center()) - n.pose.position());
                        self.update_arcs(arc, base, n, center);
                    }
                }
            }
            Features::Connector(_) | Features::Joint(_) => return,
        }
        self.refresh_kinematics(primary_center, normal_center, bodies);
        self.finish_update(time, must_handle);
    }

    /// Replaces the geometry of a connector row by a freshly made one, keeping detection data and
    /// tolerances.
    pub fn update_connector(
        &mut self,
        fresh: &crate::ContactGeometry,
        bodies: &[CollisionBody],
        time: f64,
        must_handle: bool,
    ) {
        self.distance = fresh.distance;
        self.normal = fresh.normal;
        self.point = fresh.point;
        self.normal_point = fresh.normal_point.unwrap_or(fresh.point);
        self.normal_radius = fresh.normal_radius;
        self.normal_rate = fresh.normal_rate;
        self.refresh_kinematics(None, None, bodies);
        self.finish_update(time, must_handle);
    }

    fn finish_update(&mut self, time: f64, must_handle: bool) {
        if (must_handle || !self.is_contact()) && self.velocity < 0.0 {
            self.refine_estimate(time);
        } else {
            self.estimate = None;
        }
    }

    fn set_point(&mut self, point: Vec2) {
        self.point = point;
        self.normal_point = point;
    }

    fn update_arcs(&mut self, arc: &CircularEdge, base: &CircularEdge, n: &CollisionBody, center: Vec2) {
        let apart = n.to_body(center) - base.center();
        let length = apart.norm();
        self.distance = if base.is_convex() {
            length - (arc.radius() + base.radius())
        } else {
            base.radius() - arc.radius() - length
        };
        if length >= DEGENERATE_LENGTH {
            let direction = apart / length;
            self.normal = n.pose.rotate(if base.is_convex() { direction } else { -direction });
            self.set_point(n.to_world(base.center() + direction * base.radius()));
        }
    }
}
