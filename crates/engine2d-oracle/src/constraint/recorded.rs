//! Recorded mechanisms as engine2d's own.

use engine2d_constraint::{
    Answer, BodyId, CircleOnCircle, CircleOnLine, ConstantAngle, Constraint, ConstraintId, Coordinate,
    Coupler, Equation, Level, Line, Mass, Mechanism, MechanismError, NoSlip, PointOnLine, Prescribed,
    Revolute, Rod, Weld,
};
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RecordedBody {
    mass: f64,
    com: Vec2,
    inertia_com: f64,
    q: [f64; 3],
    u: [f64; 3],
    applied: [f64; 3],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum RecordedConstraint {
    Ball {
        body1: i64,
        point1: Vec2,
        body2: i64,
        point2: Vec2,
    },
    Rod {
        body1: i64,
        point1: Vec2,
        body2: i64,
        point2: Vec2,
        length: f64,
    },
    Weld {
        body1: i64,
        frame1_origin: Vec2,
        frame1_angle: f64,
        body2: i64,
        frame2_origin: Vec2,
        frame2_angle: f64,
    },
    SphereOnPlane {
        plane_body: i64,
        plane_origin: Vec2,
        plane_normal: Vec2,
        sphere_body: i64,
        sphere_center: Vec2,
        radius: f64,
        rolling: bool,
    },
    PointInPlane {
        plane_body: i64,
        plane_normal: Vec2,
        plane_height: f64,
        follower_body: i64,
        follower_point: Vec2,
    },
    PointOnPlaneContact {
        plane_body: i64,
        plane_origin: Vec2,
        plane_normal: Vec2,
        follower_body: i64,
        follower_point: Vec2,
    },
    SphereOnSphere {
        body_f: i64,
        center_f: Vec2,
        radius_f: f64,
        body_b: i64,
        center_b: Vec2,
        radius_b: f64,
        rolling: bool,
    },
    #[serde(rename = "no_slip_1d")]
    NoSlip {
        case_body: i64,
        contact_point: Vec2,
        direction: Vec2,
        moving_body0: i64,
        moving_body1: i64,
    },
    ConstantCoordinate {
        body: i64,
        coord: usize,
        value: f64,
    },
    ConstantSpeed {
        body: i64,
        coord: usize,
        value: f64,
    },
    ConstantAcceleration {
        body: i64,
        coord: usize,
        value: f64,
    },
    ConstantAngle {
        base_body: i64,
        base_axis_angle: f64,
        follower_body: i64,
        follower_axis_angle: f64,
        angle: f64,
    },
    CoordinateCoupler {
        body_a: i64,
        coord_a: usize,
        body_b: i64,
        coord_b: usize,
        coef_a: f64,
        coef_b: f64,
        constant: f64,
    },
    SpeedCoupler {
        body_a: i64,
        coord_a: usize,
        body_b: i64,
        coord_b: usize,
        coef_a: f64,
        coef_b: f64,
        constant: f64,
    },
}

fn body(index: i64) -> BodyRef {
    u32::try_from(index).map_or(BodyRef::Ground, BodyRef::Body)
}

fn coordinate(index: usize) -> Result<Coordinate, String> {
    let all = [Coordinate::X, Coordinate::Y, Coordinate::Angle];
    all.get(index).copied().ok_or_else(|| format!("there is no coordinate {index}"))
}

/// An id whose kind only matters for circles.
pub(super) enum AnyId {
    CircleOnLine(ConstraintId<CircleOnLine>),
    CircleOnCircle(ConstraintId<CircleOnCircle>),
    Other(Box<dyn Access>),
}

/// What is asked of a constraint whatever its kind.
pub(super) trait Access {
    fn equations<'m>(&self, m: &'m Mechanism) -> Result<&'m [Equation], MechanismError>;
    fn multipliers(&self, m: &Mechanism, answer: &Answer) -> Result<Vec<f64>, MechanismError>;
    fn force_on(&self, m: &Mechanism, body: BodyId, answer: &Answer) -> Result<[f64; 3], MechanismError>;
    fn transposed(&self, m: &Mechanism, level: Level) -> Result<Vec<Vec<f64>>, MechanismError>;
    fn acceleration_errors(&self, m: &Mechanism) -> Result<Vec<f64>, MechanismError>;
    fn index(&self) -> usize;
}

impl<C> Access for ConstraintId<C> {
    fn equations<'m>(&self, m: &'m Mechanism) -> Result<&'m [Equation], MechanismError> {
        m.equations(*self)
    }

    fn multipliers(&self, m: &Mechanism, answer: &Answer) -> Result<Vec<f64>, MechanismError> {
        m.multipliers(*self, answer).map(<[f64]>::to_vec)
    }

    fn force_on(&self, m: &Mechanism, body: BodyId, answer: &Answer) -> Result<[f64; 3], MechanismError> {
        m.force_on(*self, body, answer)
    }

    fn transposed(&self, m: &Mechanism, level: Level) -> Result<Vec<Vec<f64>>, MechanismError> {
        m.matrix_transposed(*self, level)
    }

    fn acceleration_errors(&self, m: &Mechanism) -> Result<Vec<f64>, MechanismError> {
        m.acceleration_errors(*self)
    }

    fn index(&self) -> usize {
        ConstraintId::index(*self)
    }
}

impl AnyId {
    fn access(&self) -> &dyn Access {
        match self {
            Self::CircleOnLine(id) => id,
            Self::CircleOnCircle(id) => id,
            Self::Other(access) => access.as_ref(),
        }
    }

    pub(super) fn equations<'m>(&self, m: &'m Mechanism) -> Result<&'m [Equation], String> {
        self.access().equations(m).map_err(|e| e.to_string())
    }

    pub(super) fn multipliers(&self, m: &Mechanism, answer: &Answer) -> Result<Vec<f64>, String> {
        self.access().multipliers(m, answer).map_err(|e| e.to_string())
    }

    pub(super) fn force_on(
        &self,
        m: &Mechanism,
        body: impl Into<BodyId>,
        answer: &Answer,
    ) -> Result<[f64; 3], String> {
        self.access().force_on(m, body.into(), answer).map_err(|e| e.to_string())
    }

    pub(super) fn transposed(&self, m: &Mechanism, level: Level) -> Result<Vec<Vec<f64>>, String> {
        self.access().transposed(m, level).map_err(|e| e.to_string())
    }

    pub(super) fn acceleration_errors(&self, m: &Mechanism) -> Result<Vec<f64>, String> {
        self.access().acceleration_errors(m).map_err(|e| e.to_string())
    }

    /// Place in the list of constraints.
    pub(super) fn index(&self) -> usize {
        self.access().index()
    }

    /// The body of a circle and the body that it touches.
    pub(super) fn circle(&self, m: &Mechanism) -> Result<Option<(BodyId, BodyId)>, String> {
        let text = |e: MechanismError| e.to_string();
        Ok(match self {
            Self::CircleOnLine(id) => {
                let circle = m.constraint(*id).map_err(text)?;
                Some((circle.circle_body(), circle.line_body()))
            }
            Self::CircleOnCircle(id) => {
                let [first, second] = m.constraint(*id).map_err(text)?.circle_bodies();
                Some((first, second))
            }
            Self::Other(_) => None,
        })
    }
}

fn add<C: Constraint + Clone + 'static>(m: &mut Mechanism, constraint: C) -> Result<AnyId, String> {
    m.add(constraint).map(|id| AnyId::Other(Box::new(id))).map_err(|e| e.to_string())
}

impl RecordedConstraint {
    pub(super) fn add_to(&self, m: &mut Mechanism) -> Result<AnyId, String> {
        match *self {
            // The recorded error is that of the second body's point relative to the first's.
            Self::Ball { body1, point1, body2, point2 } => {
                add(m, Revolute::new(body(body2), point2, body(body1), point1))
            }
            Self::Rod { body1, point1, body2, point2, length } => {
                add(m, Rod::new(body(body2), point2, body(body1), point1, length))
            }
            Self::Weld { body1, frame1_origin, frame1_angle, body2, frame2_origin, frame2_angle } => add(
                m,
                Weld::new(
                    (body(body2), frame2_origin, frame2_angle),
                    (body(body1), frame1_origin, frame1_angle),
                ),
            ),
            Self::SphereOnPlane {
                plane_body,
                plane_origin,
                plane_normal,
                sphere_body,
                sphere_center,
                radius,
                rolling,
            } => {
                let line = Line::new(plane_origin, plane_normal);
                let contact =
                    CircleOnLine::new(body(plane_body), line, body(sphere_body), sphere_center, radius);
                let contact = if rolling { contact.rolling() } else { contact };
                m.add(contact).map(AnyId::CircleOnLine).map_err(|e| e.to_string())
            }
            Self::PointInPlane { plane_body, plane_normal, plane_height, follower_body, follower_point } => {
                let line = Line::new(plane_normal * plane_height, plane_normal);
                add(m, PointOnLine::new(body(plane_body), line, body(follower_body), follower_point))
            }
            Self::PointOnPlaneContact {
                plane_body,
                plane_origin,
                plane_normal,
                follower_body,
                follower_point,
            } => {
                let line = Line::new(plane_origin, plane_normal);
                add(
                    m,
                    PointOnLine::new(body(plane_body), line, body(follower_body), follower_point).sticking(),
                )
            }
            Self::SphereOnSphere { body_f, center_f, radius_f, body_b, center_b, radius_b, rolling } => {
                let contact = CircleOnCircle::new(
                    (body(body_b), center_b, radius_b),
                    (body(body_f), center_f, radius_f),
                );
                let contact = if rolling { contact.rolling() } else { contact };
                m.add(contact).map(AnyId::CircleOnCircle).map_err(|e| e.to_string())
            }
            Self::NoSlip { case_body, contact_point, direction, moving_body0, moving_body1 } => add(
                m,
                NoSlip::new(
                    body(case_body),
                    contact_point,
                    direction,
                    body(moving_body1),
                    body(moving_body0),
                ),
            ),
            Self::ConstantCoordinate { body: b, coord, value } => {
                add(m, Prescribed::position((body(b), coordinate(coord)?), value))
            }
            Self::ConstantSpeed { body: b, coord, value } => {
                add(m, Prescribed::speed((body(b), coordinate(coord)?), value))
            }
            Self::ConstantAcceleration { body: b, coord, value } => {
                add(m, Prescribed::acceleration((body(b), coordinate(coord)?), value))
            }
            Self::ConstantAngle { base_body, base_axis_angle, follower_body, follower_axis_angle, angle } => {
                add(
                    m,
                    ConstantAngle::new(
                        (body(base_body), base_axis_angle),
                        (body(follower_body), follower_axis_angle),
                        angle,
                    ),
                )
            }
            Self::CoordinateCoupler { body_a, coord_a, body_b, coord_b, coef_a, coef_b, constant } => {
                let terms = [
                    (body(body_a), coordinate(coord_a)?, coef_a),
                    (body(body_b), coordinate(coord_b)?, coef_b),
                ];
                add(m, Coupler::positions(terms, constant))
            }
            Self::SpeedCoupler { body_a, coord_a, body_b, coord_b, coef_a, coef_b, constant } => {
                let terms = [
                    (body(body_a), coordinate(coord_a)?, coef_a),
                    (body(body_b), coordinate(coord_b)?, coef_b),
                ];
                add(m, Coupler::speeds(terms, constant))
            }
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RecordedMechanism {
    gravity: Vec2,
    bodies: Vec<RecordedBody>,
    #[serde(default)]
    constraints: Vec<RecordedConstraint>,
}

impl RecordedMechanism {
    pub(super) fn velocities(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(|b| b.u).collect()
    }

    pub(super) fn build(&self) -> Result<(Mechanism, Vec<AnyId>), String> {
        let text = |e: MechanismError| e.to_string();
        let mut m = Mechanism::new();
        m.set_gravity(self.gravity).map_err(text)?;
        for b in &self.bodies {
            let mass = Mass::new(b.mass, b.inertia_com).centered_at(b.com);
            let id = m.add_body(mass, Pose::new(b.q[0], b.q[1], b.q[2])).map_err(text)?;
            m.set_applied(id, b.applied).map_err(text)?;
        }
        m.set_velocities(&self.velocities()).map_err(text)?;
        let ids = self.constraints.iter().map(|c| c.add_to(&mut m)).collect::<Result<_, _>>()?;
        Ok((m, ids))
    }
}
