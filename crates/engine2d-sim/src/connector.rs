//! Connectors: joints, ropes, rods, path joints and end stops, and the constraint rows they make.

use crate::error::SimError;
use crate::force::{Attachment, Frame};
use crate::tolerance::SHORTEST;
use engine2d_geometry::{BodyRef, CollisionBody, ContactGeometry, ContactId, Features, Tolerances};
use engine2d_math::Vec2;
use engine2d_math::sampled_curve::{CurvePoint, CurvePosition, SampledCurve};
use std::fmt;
use std::sync::Arc;

/// Distance from the normal line of an open path's end beyond which the path counts as straight (length).
const PATH_END_SLACK: f64 = 1e-4;

/// Separation below which a rope or rod is aligned straight down (length).
const ALIGN_DIRECTION: f64 = 0.01;

/// A connection between two bodies, or a body and the ground.
#[derive(Clone, Debug)]
pub enum Connector {
    /// Keeps `normal · (p_a − p_b) = 0`: one scalar constraint, a slider. Two of them with different normals
    /// at one point make a pin.
    Joint {
        /// The two attachment points; the first is the primary one.
        ends: [Attachment; 2],
        /// Unit normal.
        normal: Vec2,
        /// Whether the normal is constant in the world or fixed in the second body.
        frame: Frame,
    },
    /// Keeps the distance of two points at most `length`.
    Rope {
        /// The two attachment points; the second body must be movable.
        ends: [Attachment; 2],
        /// Length of the taut rope.
        length: f64,
    },
    /// Keeps the distance of two points at `length`.
    Rod {
        /// The two attachment points; the second body must be movable.
        ends: [Attachment; 2],
        /// Length.
        length: f64,
    },
    /// Keeps a body point on a curve of the world.
    PathJoint {
        /// The point.
        attachment: Attachment,
        /// The curve.
        path: Arc<SampledCurve>,
    },
    /// Stops a body point on a curve at an arc length.
    PathEndStop {
        /// The point.
        attachment: Attachment,
        /// The curve.
        path: Arc<SampledCurve>,
        /// Arc length of the stop.
        limit: f64,
        /// Whether larger arc lengths are forbidden (else smaller ones).
        upper: bool,
    },
}

impl Connector {
    /// The two joints of a pin at one point of each body, normals `(0, 1)` and `(1, 0)`.
    #[must_use]
    pub fn pin(first: Attachment, second: Attachment, frame: Frame) -> [Self; 2] {
        [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)].map(|normal| Self::Joint {
            ends: [first, second],
            normal,
            frame,
        })
    }

    /// Short name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Joint { .. } => "joint",
            Self::Rope { .. } => "rope",
            Self::Rod { .. } => "rod",
            Self::PathJoint { .. } => "path joint",
            Self::PathEndStop { .. } => "path end stop",
        }
    }

    /// The bodies connected: primary and normal body.
    #[must_use]
    pub fn bodies(&self) -> [BodyRef; 2] {
        match self {
            Self::Joint { ends, .. } | Self::Rope { ends, .. } | Self::Rod { ends, .. } => {
                [ends[0].body, ends[1].body]
            }
            Self::PathJoint { attachment, .. } | Self::PathEndStop { attachment, .. } => {
                [attachment.body, BodyRef::Ground]
            }
        }
    }

    /// Follows a renumbering of the bodies; returns whether both bodies still exist.
    pub(crate) fn renumber(&mut self, map: &dyn Fn(u32) -> Option<u32>) -> bool {
        match self {
            Self::Joint { ends, .. } | Self::Rope { ends, .. } | Self::Rod { ends, .. } => {
                ends.iter_mut().all(|end| end.renumber(map))
            }
            Self::PathJoint { attachment, .. } | Self::PathEndStop { attachment, .. } => {
                attachment.renumber(map)
            }
        }
    }

    /// Whether the row is held in both directions.
    #[must_use]
    pub fn is_bilateral(&self) -> bool {
        matches!(self, Self::Joint { .. } | Self::Rod { .. } | Self::PathJoint { .. })
    }
}

/// What a connector remembers between rows: nothing but for those on paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// Place on the path, for path joints and end stops.
    pub(crate) now: Option<CurvePosition>,
    /// Place of the old pose on the path, for end stops.
    pub(crate) old: Option<CurvePosition>,
}

/// A connector of a world.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    pub(crate) connector: Connector,
    /// Tolerances fixed when a rope or rod was attached.
    pub(crate) tolerances: Option<Tolerances>,
    /// Whether it is as the recorded rules have it: a joint whose normal turns with the second body pushes that body at its attachment
    /// point, instead of where the first body's point stands, and places on paths are those of the table, to steps of its search.
    pub(crate) recorded: bool,
}

impl Tie {
    pub(crate) fn new(connector: Connector, bodies: &[CollisionBody], recorded: bool) -> (Self, Place) {
        let now = match &connector {
            Connector::PathJoint { attachment, path } | Connector::PathEndStop { attachment, path, .. } => {
                Some(path.nearest_table_point(attachment.position(bodies)))
            }
            _ => None,
        };
        let tolerances = match &connector {
            Connector::Rope { ends, .. } | Connector::Rod { ends, .. } => {
                let of = |b: BodyRef| b.index().map_or(Tolerances::NONE, |i| bodies[i].tolerances);
                Some(of(ends[0].body).max(of(ends[1].body)))
            }
            _ => None,
        };
        (Self { connector, tolerances, recorded }, Place { now, old: now })
    }

    /// The geometry of the connector's row at the present poses; `number` identifies it in records.
    /// `None` when an end stop cannot be evaluated across a missing history.
    pub(crate) fn geometry(
        &self,
        on_path: &mut Place,
        number: u32,
        bodies: &[CollisionBody],
        time: f64,
    ) -> Result<ContactGeometry, SimError> {
        let [primary, normal_body] = self.connector.bodies();
        let mut row = ContactGeometry::straight(ContactId {
            primary,
            normal_body,
            features: Features::Connector(number),
        });
        row.bilateral = self.connector.is_bilateral();
        match &self.connector {
            Connector::Joint { ends, normal, frame } => {
                let (p1, p2) = (ends[0].position(bodies), ends[1].position(bodies));
                let turned = match (frame, ends[1].body.index()) {
                    (Frame::Body, Some(i)) => bodies[i].pose.rotate(*normal),
                    _ => *normal,
                };
                row.normal = turned;
                row.normal_fixed = *frame == Frame::World;
                row.distance = turned.dot(&(p1 - p2));
                row.point = p1;
                // What keeps `n · (p_1 − p_2)` is the second body's material at p_1 as `n` turns with that body.
                let at_first = *frame == Frame::Body && !self.recorded;
                row.normal_point = Some(if at_first { p1 } else { p2 });
            }
            Connector::Rope { ends, length } | Connector::Rod { ends, length } => {
                let (p1, p2) = (ends[0].position(bodies), ends[1].position(bodies));
                let e = p2 - p1;
                let apart = e.norm();
                // A slack rope needs no direction.
                let loose = !row.bilateral && *length > SHORTEST;
                if apart < SHORTEST && !loose {
                    let what = self.connector.kind().to_owned();
                    return Err(SimError::TooShort { what, time, distance: apart });
                }
                row.normal = if apart < SHORTEST { Vec2::x() } else { e / apart };
                row.distance = length - apart;
                row.point = p1;
                row.normal_point = Some(p2);
                row.primary_curved = true;
                row.normal_curved = true;
                row.primary_radius = Some(0.0);
                row.normal_radius = if row.bilateral { -length } else { -apart.max(SHORTEST) };
                row.tolerances = self.tolerances.map(|t| Tolerances {
                    // The accuracy is always that of the bodies as they are.
                    accuracy: accuracy_of(primary, bodies).max(accuracy_of(normal_body, bodies)),
                    ..t
                });
            }
            Connector::PathJoint { attachment, path } => {
                let p1 = attachment.position(bodies);
                let (at, _) = self.on_path(path, p1, &mut on_path.now);
                let speed = attachment.velocity(bodies).dot(&at.tangent);
                let beyond_end = !path.is_closed() && (p1 - at.point).dot(&at.tangent).abs() > PATH_END_SLACK;
                let rate = if beyond_end { Vec2::zeros() } else { at.normal_rate };
                row.normal = at.normal;
                row.distance = at.normal.dot(&(p1 - at.point));
                row.point = p1;
                row.normal_point = Some(at.point);
                row.normal_curved = true;
                row.normal_rate = Some(rate * speed);
            }
            Connector::PathEndStop { attachment, path, limit, upper } => {
                let p1 = attachment.position(bodies);
                let (at, length) = self.on_path(path, p1, &mut on_path.now);
                row.distance = if *upper { limit - length } else { length - limit };
                row.normal = if *upper { -at.tangent } else { at.tangent };
                row.point = p1;
                row.normal_point = Some(at.point);
            }
        }
        Ok(row)
    }

    /// The point of a path nearest to `p`, and its arc length.
    fn on_path(&self, path: &SampledCurve, p: Vec2, known: &mut Option<CurvePosition>) -> (CurvePoint, f64) {
        let from = known.unwrap_or_else(|| path.nearest_table_point(p));
        let place = if self.recorded { path.nearest_local(p, from) } else { path.smooth_nearest(p, from) };
        *known = Some(place);
        if self.recorded { (path.at(place.s), place.s) } else { path.smooth(place.s) }
    }

    /// Whether a freshly made row is reported: bilateral ones always, ropes when nearly taut, end stops
    /// when near and, once penetrating, only if the old pose was not.
    pub(crate) fn is_reported(
        &self,
        on_path: &mut Place,
        row: &ContactGeometry,
        bodies: &[CollisionBody],
    ) -> bool {
        match &self.connector {
            Connector::Joint { .. } | Connector::Rod { .. } | Connector::PathJoint { .. } => true,
            Connector::Rope { .. } => self.tolerances.is_some_and(|t| row.distance < t.distance),
            Connector::PathEndStop { attachment, path, limit, upper } => {
                let Some(index) = attachment.body.index() else { return false };
                let body = &bodies[index];
                if row.distance < 0.0 {
                    let Some(old) = &body.old else { return false };
                    let before = body.old_to_world(old, attachment.point);
                    let (_, length) = self.on_path(path, before, &mut on_path.old);
                    if (if *upper { limit - length } else { length - limit }) < 0.0 {
                        return false;
                    }
                }
                row.distance < body.tolerances.distance
            }
        }
    }

    /// Deviation from the connected position (length): the gap of joints, the excess length of ropes and
    /// rods.
    pub(crate) fn normal_distance(
        &self,
        mut on_path: Place,
        bodies: &[CollisionBody],
        time: f64,
    ) -> Result<f64, SimError> {
        Ok(self.geometry(&mut on_path, 0, bodies, time)?.distance)
    }

    /// Moves a body so that the connection holds: the second if it is movable, else the first; angles stay.
    pub(crate) fn align(&self, on_path: &mut Place, bodies: &mut [CollisionBody]) {
        match &self.connector {
            Connector::Joint { ends, .. } => {
                let gap = ends[0].position(bodies) - ends[1].position(bodies);
                let movable = |b: BodyRef| b.index().filter(|&i| !bodies[i].fixed);
                if let Some(i) = movable(ends[1].body) {
                    bodies[i].translate(gap);
                } else if let Some(i) = movable(ends[0].body) {
                    bodies[i].translate(-gap);
                }
            }
            Connector::Rope { ends, length } | Connector::Rod { ends, length } => {
                let e = ends[1].position(bodies) - ends[0].position(bodies);
                let apart = e.norm();
                let target = if self.connector.is_bilateral() {
                    *length
                } else {
                    length - self.tolerances.map_or(0.0, |t| t.distance) / 2.0
                };
                if !self.connector.is_bilateral() && apart <= target {
                    return;
                }
                let direction = if apart > ALIGN_DIRECTION { e / apart } else { Vec2::new(0.0, -1.0) };
                if let Some(i) = ends[1].body.index() {
                    bodies[i].translate(direction * target - e);
                }
            }
            Connector::PathJoint { attachment, path } => {
                let p = attachment.position(bodies);
                let place = path.nearest_table_point(p);
                let target = path.at(place.s).point;
                on_path.now = Some(place);
                if let Some(i) = attachment.body.index() {
                    bodies[i].translate(target - p);
                }
            }
            Connector::PathEndStop { .. } => {}
        }
    }
}

fn accuracy_of(body: BodyRef, bodies: &[CollisionBody]) -> f64 {
    body.index().map_or(0.0, |i| bodies[i].tolerances.accuracy)
}

impl fmt::Display for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.bodies();
        write!(f, "{} between {a} and {b}", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use engine2d_math::perp;

    #[test]
    fn a_pin_aligns_the_second_body_and_turns_its_normals_with_it() {
        let shape = Arc::new(PathShape::block(1.0, 2.0).unwrap());
        let mut bodies = vec![CollisionBody::new(shape.clone()), CollisionBody::new(shape)];
        bodies[1].pose = engine2d_math::Pose::new(5.0, 1.0, 0.4);
        let [up, right] =
            Connector::pin(Attachment::body(0, [0.5, 1.0]), Attachment::body(1, [-0.5, 1.0]), Frame::Body)
                .map(|c| Tie::new(c, &bodies, false).0);
        let mut place = Place::default();
        up.align(&mut place, &mut bodies);
        for joint in [&up, &right] {
            let row = joint.geometry(&mut place, 0, &bodies, 0.0).unwrap();
            assert!(row.distance.abs() < 1e-14);
        }
        let normal = up.geometry(&mut place, 0, &bodies, 0.0).unwrap().normal;
        assert!((normal - perp(bodies[1].pose.rotate(Vec2::new(1.0, 0.0)))).norm() < 1e-15);
    }

    #[test]
    fn a_slack_rope_makes_no_row_and_aligning_leaves_it() {
        let shape = Arc::new(PathShape::ball(0.5).unwrap());
        let mut bodies = vec![CollisionBody::new(shape)];
        let rope = Connector::Rope {
            ends: [Attachment::ground([0.0, 2.0]), Attachment::body(0, [0.0, 0.5])],
            length: 3.0,
        };
        let (rope, mut place) = Tie::new(rope, &bodies, false);
        let row = rope.geometry(&mut place, 0, &bodies, 0.0).unwrap();
        assert!((row.distance - 1.5).abs() < 1e-15);
        assert!(!rope.is_reported(&mut place, &row, &bodies));
        rope.align(&mut place, &mut bodies);
        assert_eq!(bodies[0].pose.position(), Vec2::zeros());
    }
}
