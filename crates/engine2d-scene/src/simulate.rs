//! From a scene to a world that can be advanced.

mod settings;
mod special;

use crate::assembly::Assembly;
use crate::body::{Body, BodyRef};
use crate::connector::{Connector, Curve, Line};
use crate::force_law::{ForceLaw, Frame};
use crate::joint::Coordinate;
use crate::material::Material;
use crate::mistake::{Mistake, MistakeKind, SceneError};
use crate::moment::{Moment, Then};
use crate::names::Names;
use crate::point::Point;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::shelf::Shelf;
use engine2d_constraint::FrameMotion;
use engine2d_geometry::{IgnoredEdges, PathShape, ShapeError, Tolerances};
use engine2d_math::Vec2;
use engine2d_math::sampled_curve::SampledCurve;
use engine2d_sim as sim;
pub(crate) use special::free_name;
use std::collections::HashSet;
use std::sync::Arc;

/// Elasticity of a wall that does not say.
const WALL_ELASTICITY: f64 = 1.0;

/// Elasticity of any other body that does not say.
const BODY_ELASTICITY: f64 = 0.8;

impl Scene {
    /// The world that the scene describes, at its start.
    ///
    /// # Errors
    /// [`SceneError::Invalid`] with every mistake, or [`SceneError::NotSimulable`].
    pub fn to_world(&self) -> Result<sim::World, SceneError> {
        self.check().map_err(SceneError::Invalid)?;
        let names = Names::new(self);
        let mut builder = sim::World::builder().settings(self.sim_settings()).time(self.start_time);
        if self.allow_overlap {
            builder = builder.allow_overlap();
        }
        let groups = self.groups();
        let (mut taken, mut shelf) = (HashSet::new(), Shelf::default());
        for index in 0..self.bodies.len() {
            let name = free_name(&mut taken, self.body_name(index));
            let body = self.sim_body(index, &names, &mut shelf)?.named(name);
            builder = builder.body(self.with_special(index, body, &groups, self.start_time));
        }
        taken.clear();
        for (k, law) in self.force_laws.iter().enumerate() {
            builder = builder.force_law(sim_law(&format!("force_laws[{k}]"), law, &names)?);
        }
        let frames = self.frames()?;
        let assembly = Assembly { names: &names, frames: &frames };
        for (k, connector) in self.connectors.iter().enumerate() {
            let path = format!("connectors[{k}]");
            for joint in assembly.joints(k, connector).map_err(|kind| mistake(&path, kind))? {
                let name = joint.name().map(|name| free_name(&mut taken, name.to_owned()));
                builder = builder.joint(match name {
                    Some(name) => joint.named(name),
                    None => joint,
                });
            }
            for part in self.sim_connectors(&path, connector, &names)? {
                builder = builder.connector(part);
            }
        }
        let mut world = builder.build()?;
        for (k, moment) in self.events.iter().enumerate() {
            world.add_event(user_event(k, moment, &names)?)?;
        }
        Ok(world)
    }

    /// The frames of the bodies at the start, if a joint of the library asks for them.
    pub(crate) fn frames(&self) -> Result<Vec<FrameMotion>, SceneError> {
        if !self.connectors.iter().any(Connector::needs_located_clock) {
            return Ok(Vec::new());
        }
        let frame = |(index, body): (usize, &Body)| {
            let shape = build(&format!("bodies[{index}].shape"), &body.shape)?;
            Ok(FrameMotion { pose: body.frame(&shape), ..FrameMotion::default() })
        };
        self.bodies.iter().enumerate().map(frame).collect()
    }

    pub(crate) fn sim_body<'a>(
        &'a self,
        index: usize,
        names: &Names,
        shelf: &mut Shelf<'a>,
    ) -> Result<sim::Body, SceneError> {
        let body = &self.bodies[index];
        let path = format!("bodies[{index}]");
        let shape = shelf
            .outline(&body.shape, || body.shape.build())
            .map_err(|error| shape_mistake(&format!("{path}.shape"), &error))?;
        let start = body.start(&shape);
        let [vx, vy] = body.velocity;
        let mut built = sim::Body::new(shape)
            .at(start.x, start.y)
            .angle(body.angle)
            .velocity(vx, vy)
            .angular_velocity(body.angular_velocity)
            .restitution(self.restitution(body));
        built = self.with_surface(index, built);
        if !body.pieces.is_empty() {
            let mut pieces = Vec::new();
            for (k, piece) in body.pieces.iter().enumerate() {
                pieces.extend(piece.build().map_err(|e| shape_mistake(&format!("{path}.pieces[{k}]"), &e))?);
            }
            built = built.pieces(pieces);
        }
        if let Some(mass) = body.mass.filter(|_| !body.fixed) {
            built = built.mass(mass);
            if let Some(moment) = body.moment {
                built = built.moment(moment);
            }
        } else {
            built = built.fixed();
        }
        if let Some([x, y]) = body.center_of_mass {
            built = built.center_of_mass(x, y);
        }
        if let Some(level) = body.zero_energy_level {
            built = built.zero_level(level);
        }
        if let Some(height) = body.min_height {
            built = built.min_height(height);
        }
        built = built.tolerances(Tolerances {
            distance: body.distance_tolerance.unwrap_or(self.settings.distance_tolerance),
            velocity: body.velocity_tolerance.unwrap_or(self.settings.velocity_tolerance),
            accuracy: body.collision_accuracy.unwrap_or(self.settings.collision_accuracy),
        });
        for (k, other) in body.no_collide.iter().enumerate() {
            let place = format!("{path}.no_collide[{k}]");
            if let Some(other) = resolve(&place, other, names)? {
                built = built.ignoring_bodies([other]);
            }
        }
        for (k, range) in body.no_collide_edges.iter().enumerate() {
            let body = resolve_body(&format!("{path}.no_collide_edges[{k}].body"), &range.body, names)?;
            built = built.ignoring_edges(IgnoredEdges { body, first: range.first, last: range.last });
        }
        Ok(built)
    }

    /// A body's elasticity: its own, else its material's, else its shape's.
    fn restitution(&self, body: &Body) -> f64 {
        let material = body.material.as_ref().and_then(|name| self.materials.get(name)).copied();
        let Material { elasticity, .. } = material.unwrap_or_default();
        let of_shape =
            if matches!(body.shape, Shape::Wall { .. }) { WALL_ELASTICITY } else { BODY_ELASTICITY };
        body.elasticity.or(elasticity).unwrap_or(of_shape)
    }

    pub(crate) fn sim_connectors(
        &self,
        path: &str,
        connector: &Connector,
        names: &Names,
    ) -> Result<Vec<sim::Connector>, SceneError> {
        let end = |field: &str, body: &BodyRef, point: Point| {
            attach(&format!("{path}.{field}"), body, point, names)
        };
        if connector.needs_located_clock() {
            return Ok(Vec::new());
        }
        Ok(match connector {
            Connector::Joint { body_a, point_a, body_b, point_b, normal, frame } => {
                vec![sim::Connector::Joint {
                    ends: [end("body_a", body_a, *point_a)?, end("body_b", body_b, *point_b)?],
                    normal: Vec2::from(*normal).normalize(),
                    frame: sim_frame(*frame),
                }]
            }
            Connector::Pin { body_a, point_a, body_b, point_b, frame, .. } => {
                let (a, b) = (end("body_a", body_a, *point_a)?, end("body_b", body_b, *point_b)?);
                sim::Connector::pin(a, b, sim_frame(*frame)).into()
            }
            Connector::Rod(line) => {
                let (ends, length) = self.sim_line(path, line, 0.0, names)?;
                vec![sim::Connector::Rod { ends, length }]
            }
            Connector::Rope(line) => {
                let (ends, length) = self.sim_line(path, line, self.target_gap(line, names), names)?;
                vec![sim::Connector::Rope { ends, length }]
            }
            Connector::PathJoint { body, point, curve } => {
                let path = self.sim_curve(&format!("{path}.curve"), curve)?;
                vec![sim::Connector::PathJoint { attachment: end("body", body, *point)?, path }]
            }
            Connector::PathEndStop { body, point, curve, limit, upper } => {
                let path = self.sim_curve(&format!("{path}.curve"), curve)?;
                let attachment = end("body", body, *point)?;
                vec![sim::Connector::PathEndStop { attachment, path, limit: *limit, upper: *upper }]
            }
            _ => Vec::new(),
        })
    }

    /// The ends of a rod or rope, and its length: its own, else that with which it is assembled at the start
    /// with a gap.
    fn sim_line(
        &self,
        path: &str,
        line: &Line,
        gap: f64,
        names: &Names,
    ) -> Result<([sim::Attachment; 2], f64), SceneError> {
        let ends = [
            attach(&format!("{path}.body_a"), &line.body_a, line.point_a, names)?,
            attach(&format!("{path}.body_b"), &line.body_b, line.point_b, names)?,
        ];
        let length = match line.length {
            Some(length) => length,
            None => (self.place(&ends[0])? - self.place(&ends[1])?).norm() + gap,
        };
        Ok((ends, length))
    }

    /// Where an attachment is at the start.
    fn place(&self, end: &sim::Attachment) -> Result<Vec2, SceneError> {
        let Some(index) = end.body.index() else { return Ok(end.point) };
        let body = &self.bodies[index];
        let shape = build(&format!("bodies[{index}].shape"), &body.shape)?;
        Ok(body.frame(&shape).transform(end.point))
    }

    /// The gap that a resting contact or taut rope between two bodies keeps: half the distance tolerance.
    pub(crate) fn target_gap(&self, line: &Line, names: &Names) -> f64 {
        let of = |body: &BodyRef| match names.resolve(body) {
            Ok(Some(index)) => {
                self.bodies[index].distance_tolerance.unwrap_or(self.settings.distance_tolerance)
            }
            _ => 0.0,
        };
        0.5 * of(&line.body_a).max(of(&line.body_b))
    }

    fn sim_curve(&self, path: &str, name: &str) -> Result<Arc<SampledCurve>, SceneError> {
        let curve: Option<&Curve> = self.curves.get(name);
        let table = curve.map(|curve| SampledCurve::from_points(&curve.points(), curve.is_closed()));
        match table {
            Some(Ok(table)) => Ok(Arc::new(table)),
            Some(Err(error)) => Err(mistake(path, MistakeKind::Shape { reason: error.to_string() })),
            None => Err(mistake(path, MistakeKind::Missing { expected: "the name of a curve".to_owned() })),
        }
    }
}

/// The event at place `k` of a scene's list.
pub(crate) fn user_event(k: usize, moment: &Moment, names: &Names) -> Result<sim::UserEvent, SceneError> {
    let body = resolve_body(&format!("events[{k}].body"), &moment.body, names)? as usize;
    let (coordinate, crosses) = (moment.coordinate, moment.crosses);
    let event = sim::UserEvent::new(moment.name.as_str(), move |bodies| {
        bodies.get(body).map_or(f64::INFINITY, |body| {
            crosses_by(coordinate, [body.position().x, body.position().y, body.angle()], crosses)
        })
    });
    Ok(if moment.then == Then::Stop { event.stopping() } else { event })
}

/// How far a coordinate is above a value.
fn crosses_by(coordinate: Coordinate, [x, y, angle]: [f64; 3], value: f64) -> f64 {
    let found = match coordinate {
        Coordinate::X => x,
        Coordinate::Y => y,
        Coordinate::Angle => angle,
    };
    found - value
}

pub(crate) fn mistake(path: &str, kind: MistakeKind) -> SceneError {
    SceneError::Invalid(Mistake { path: path.to_owned(), kind }.into())
}

fn build(path: &str, shape: &Shape) -> Result<Arc<PathShape>, SceneError> {
    shape.build().map(Arc::new).map_err(|error| shape_mistake(path, &error))
}

fn shape_mistake(path: &str, error: &ShapeError) -> SceneError {
    mistake(path, MistakeKind::Shape { reason: error.to_string() })
}

/// The index of a body, `None` for the ground.
fn resolve(path: &str, reference: &BodyRef, names: &Names) -> Result<Option<u32>, SceneError> {
    names.resolve(reference).map(|index| index.map(|i| i as u32)).map_err(|kind| mistake(path, kind))
}

/// The index of a body that is not the ground.
fn resolve_body(path: &str, reference: &BodyRef, names: &Names) -> Result<u32, SceneError> {
    resolve(path, reference, names)?
        .ok_or_else(|| mistake(path, MistakeKind::Missing { expected: "a body".to_owned() }))
}

fn attach(path: &str, body: &BodyRef, point: Point, names: &Names) -> Result<sim::Attachment, SceneError> {
    Ok(match resolve(path, body, names)? {
        Some(index) => sim::Attachment::body(index, point),
        None => sim::Attachment::ground(point),
    })
}

fn sim_frame(frame: Frame) -> sim::Frame {
    match frame {
        Frame::Body => sim::Frame::Body,
        Frame::World => sim::Frame::World,
    }
}

pub(crate) fn sim_law(path: &str, law: &ForceLaw, names: &Names) -> Result<sim::ForceLaw, SceneError> {
    let one = |body: &BodyRef| resolve_body(&format!("{path}.body"), body, names);
    let many = |bodies: &Option<Vec<BodyRef>>| -> Result<Option<Vec<u32>>, SceneError> {
        let place = format!("{path}.bodies");
        bodies
            .as_ref()
            .map(|list| list.iter().map(|body| resolve_body(&place, body, names)).collect())
            .transpose()
    };
    Ok(match law {
        ForceLaw::Gravity { strength, zero_energy_level, bodies } => sim::ForceLaw::Gravity {
            strength: *strength,
            zero_level: *zero_energy_level,
            bodies: many(bodies)?,
        },
        ForceLaw::InverseSquareGravity { strength, bodies } => {
            sim::ForceLaw::InverseSquareGravity { strength: *strength, bodies: many(bodies)? }
        }
        ForceLaw::Damping { coefficient, rotate_ratio, bodies } => sim::ForceLaw::Damping {
            damping: *coefficient,
            rotate_ratio: *rotate_ratio,
            bodies: many(bodies)?,
        },
        ForceLaw::Spring {
            body_a,
            point_a,
            body_b,
            point_b,
            rest_length,
            stiffness,
            damping,
            compress_only,
            ..
        } => sim::ForceLaw::Spring {
            ends: [
                attach(&format!("{path}.body_a"), body_a, *point_a, names)?,
                attach(&format!("{path}.body_b"), body_b, *point_b, names)?,
            ],
            rest_length: *rest_length,
            stiffness: *stiffness,
            damping: *damping,
            compress_only: *compress_only,
        },
        ForceLaw::ConstantForce { body, location, location_frame, force, force_frame, torque } => {
            sim::ForceLaw::ConstantForce {
                body: one(body)?,
                location: (*location).into(),
                location_frame: sim_frame(*location_frame),
                force: (*force).into(),
                force_frame: sim_frame(*force_frame),
                torque: *torque,
            }
        }
        ForceLaw::Thrusters { body, magnitude, thrusters } => sim::ForceLaw::Thrusters {
            body: one(body)?,
            magnitude: *magnitude,
            thrusters: thrusters
                .iter()
                .map(|t| sim::Thruster {
                    location: t.location.into(),
                    direction: t.direction.into(),
                    active: t.active,
                })
                .collect(),
        },
        ForceLaw::RotatingForce { body, location, magnitude, rate } => sim::ForceLaw::RotatingForce {
            body: one(body)?,
            location: (*location).into(),
            magnitude: *magnitude,
            rate: *rate,
        },
    })
}
