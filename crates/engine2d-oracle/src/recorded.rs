//! Recorded bodies, laws and connectors as engine2d's own.

use engine2d_geometry::{BodyRef, IgnoredEdges, PathBuilder, PathShape, Tolerances};
use engine2d_math::Vec2;
use engine2d_math::sampled_curve::SampledCurve;
use engine2d_math::trig;
use engine2d_sim::{
    Attachment, Body, CollisionHandling, Connector, ExtraAcceleration, Fidelity, FixedStepMethod, ForceLaw,
    Frame, OdeMethod, Profile, Settings, Thruster, World,
};
use serde::Deserialize;
use serde_json::Value;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

/// Why a recording could not be turned into a world.
pub(crate) type Reason = String;

fn reason(error: impl std::fmt::Display) -> Reason {
    error.to_string()
}

#[derive(Deserialize)]
pub(crate) struct RecordedVertex {
    p: Vec2,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum RecordedEdge {
    Straight { p2: Vec2, v1: usize, outside_is_up: bool },
    Circular { v1: usize, v2: usize, center: Vec2, clockwise: bool, outside_is_out: bool },
}

#[derive(Deserialize)]
pub(crate) struct RecordedGeometry {
    vertices: Vec<RecordedVertex>,
    edges: Vec<RecordedEdge>,
    paths: Vec<Vec<usize>>,
    special_edge: Option<u32>,
    centroid_radius: f64,
    /// Present in files that keep shapes apart from bodies.
    pub(crate) cm: Option<Vec2>,
}

impl RecordedGeometry {
    pub(crate) fn shape(&self) -> Result<PathShape, Reason> {
        let mut builder = PathBuilder::new();
        for path in &self.paths {
            for (k, &index) in path.iter().enumerate() {
                let edge = &self.edges[index];
                let (RecordedEdge::Straight { v1, .. } | RecordedEdge::Circular { v1, .. }) = edge;
                if k == 0 {
                    builder.start(self.vertices[*v1].p).map_err(reason)?;
                }
                match edge {
                    RecordedEdge::Straight { p2, outside_is_up, .. } => builder.line_to(*p2, *outside_is_up),
                    RecordedEdge::Circular { v2, center, clockwise, outside_is_out, .. } => {
                        builder.arc_to(self.vertices[*v2].p, *center, *clockwise, *outside_is_out)
                    }
                }
                .map_err(reason)?;
            }
            builder.close().map_err(reason)?;
        }
        let shape = builder.finish().map_err(reason)?;
        if shape.vertices().len() != self.vertices.len() {
            return Err(format!("{} vertices, recorded {}", shape.vertices().len(), self.vertices.len()));
        }
        Ok(match self.special_edge {
            Some(edge) => shape.with_special_edge(edge, self.centroid_radius),
            None => shape,
        })
    }
}

#[derive(Deserialize)]
struct RecordedIgnoredEdges {
    body: u32,
    begin: u32,
    end: u32,
}

#[derive(Deserialize)]
struct RecordedBody {
    name: String,
    mass: Option<f64>,
    moment: Option<f64>,
    cm: Vec2,
    zero_energy_level: Option<f64>,
    elasticity: f64,
    distance_tol: f64,
    velocity_tol: f64,
    accuracy: f64,
    min_height: f64,
    non_collide_bodies: Vec<u32>,
    non_collide_edges: Option<Vec<RecordedIgnoredEdges>>,
    geometry: RecordedGeometry,
}

impl RecordedBody {
    fn body(&self, state: &[f64; 6]) -> Result<Body, Reason> {
        let [x, vx, y, vy, angle, spin] = *state;
        let mut body = Body::new(self.geometry.shape()?)
            .named(&self.name)
            .mass(self.mass.unwrap_or(f64::INFINITY))
            .center_of_mass(self.cm.x, self.cm.y)
            .at(x, y)
            .angle(angle)
            .velocity(vx, vy)
            .spin(spin)
            .elasticity(self.elasticity)
            .min_height(self.min_height)
            .tolerances(Tolerances {
                distance: self.distance_tol,
                velocity: self.velocity_tol,
                accuracy: self.accuracy,
            })
            .ignoring_bodies(self.non_collide_bodies.iter().copied());
        if let Some(moment) = self.moment {
            body = body.moment(moment);
        }
        if let Some(level) = self.zero_energy_level {
            body = body.zero_level(level);
        }
        for edges in self.non_collide_edges.iter().flatten() {
            body =
                body.ignoring_edges(IgnoredEdges { body: edges.body, first: edges.begin, last: edges.end });
        }
        Ok(body)
    }
}

#[derive(Deserialize)]
struct RecordedSim {
    kind: String,
    collision_handling: Option<String>,
    distance_tol: Option<f64>,
    velocity_tol: Option<f64>,
    collision_accuracy: Option<f64>,
    random_seed: Option<u32>,
    extra_accel: Option<String>,
    extra_accel_time_step: Option<f64>,
    subset_collisions: Option<bool>,
    #[serde(default)]
    potential_offset: f64,
}

#[derive(Deserialize)]
struct RecordedSolverOptions {
    inner_solver: String,
    tolerance: f64,
    second_difference: bool,
}

#[derive(Deserialize)]
pub(crate) struct RecordedAdvance {
    solver: String,
    pub(crate) time_step: f64,
    joint_small_impacts: Option<bool>,
    solver_options: Option<RecordedSolverOptions>,
}

/// The set-up part of a segment.
#[derive(Deserialize)]
pub(crate) struct RecordedSetup {
    pub(crate) start_time: f64,
    sim: RecordedSim,
    pub(crate) advance: RecordedAdvance,
    bodies: Vec<RecordedBody>,
    initial_state: Vec<[f64; 6]>,
    force_laws: Vec<RecordedLaw>,
    connectors: Vec<RecordedConnector>,
}

#[derive(Deserialize)]
struct RecordedThruster {
    location: Vec2,
    direction_unscaled: Vec2,
    active: bool,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RecordedLaw {
    Gravity {
        gravity: f64,
        zero_energy_level: Option<f64>,
        bodies: Vec<u32>,
    },
    GravityInverseSquare {
        gravity: f64,
        bodies: Vec<u32>,
    },
    Damping {
        damping: f64,
        rotate_ratio: f64,
        bodies: Vec<u32>,
    },
    Spring {
        body1: i64,
        attach1: Vec2,
        body2: i64,
        attach2: Vec2,
        rest_length: f64,
        stiffness: f64,
        damping: f64,
        compress_only: bool,
    },
    Thrusters {
        body: u32,
        magnitude: f64,
        thrusters: Vec<RecordedThruster>,
    },
    RotatingForce {
        body: u32,
        location: Vec2,
        magnitude: f64,
        rotation_rate: f64,
    },
    ConstantForce {
        body: u32,
        location: Vec2,
        location_coords: Frame,
        direction: Vec2,
        direction_coords: Frame,
        torque: f64,
    },
}

#[derive(Deserialize)]
struct RecordedPath {
    name: String,
    length: f64,
    closed_loop: bool,
    table_length: usize,
    points_p_x_y: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RecordedConnector {
    Joint { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, normal: Vec2, normal_coords: Frame },
    Rope { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, rest_length: f64 },
    Rod { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, rest_length: f64 },
    PathJoint { body: i64, attach: Vec2, path: RecordedPath },
    PathEndPoint { body: i64, attach: Vec2, path_name: String, limit: f64, upper_limit: bool },
}

fn attachment(body: i64, point: Vec2) -> Attachment {
    let body = u32::try_from(body).map_or(BodyRef::Ground, BodyRef::Body);
    Attachment { body, point }
}

impl RecordedLaw {
    fn law(self) -> ForceLaw {
        match self {
            Self::Gravity { gravity, zero_energy_level, bodies } => ForceLaw::Gravity {
                strength: gravity,
                zero_level: zero_energy_level.unwrap_or(0.0),
                bodies: Some(bodies),
            },
            Self::GravityInverseSquare { gravity, bodies } => {
                ForceLaw::InverseSquareGravity { strength: gravity, bodies: Some(bodies) }
            }
            Self::Damping { damping, rotate_ratio, bodies } => {
                ForceLaw::Damping { damping, rotate_ratio, bodies: Some(bodies) }
            }
            Self::Spring {
                body1,
                attach1,
                body2,
                attach2,
                rest_length,
                stiffness,
                damping,
                compress_only,
            } => ForceLaw::Spring {
                ends: [attachment(body1, attach1), attachment(body2, attach2)],
                rest_length,
                stiffness,
                damping,
                compress_only,
            },
            Self::Thrusters { body, magnitude, thrusters } => ForceLaw::Thrusters {
                body,
                magnitude,
                thrusters: thrusters
                    .into_iter()
                    .map(|t| Thruster {
                        location: t.location,
                        direction: t.direction_unscaled,
                        active: t.active,
                    })
                    .collect(),
            },
            Self::RotatingForce { body, location, magnitude, rotation_rate } => {
                ForceLaw::RotatingForce { body, location, magnitude, rate: rotation_rate }
            }
            Self::ConstantForce { body, location, location_coords, direction, direction_coords, torque } => {
                ForceLaw::ConstantForce {
                    body,
                    location,
                    location_frame: location_coords,
                    force: direction,
                    force_frame: direction_coords,
                    torque,
                }
            }
        }
    }
}

impl RecordedPath {
    /// The named curves from their formulas, others from the recorded samples.
    fn curve(&self) -> Result<Arc<SampledCurve>, Reason> {
        let curve = match self.name.as_str() {
            "HUMP" => {
                let at = |t: f64| Vec2::new(t, 3.0 + t * t * (-7.0 + t * t) / 6.0);
                SampledCurve::new(at, -3.0, 3.0, self.table_length, self.closed_loop)
            }
            "CIRCLE" => {
                // The recorded length is the sum of the table's chords.
                let chords = (self.table_length - 1) as f64;
                let r = self.length / (2.0 * chords * trig::sin(TAU / (2.0 * chords)));
                let at = move |t: f64| Vec2::new(r * trig::cos(t), r * trig::sin(t));
                SampledCurve::new(at, -3.0 * FRAC_PI_2, FRAC_PI_2, self.table_length, self.closed_loop)
            }
            _ => {
                let points: Vec<Vec2> = self.points_p_x_y.iter().map(|&[_, x, y]| Vec2::new(x, y)).collect();
                SampledCurve::from_points(&points, self.closed_loop)
            }
        };
        curve.map(Arc::new).map_err(reason)
    }
}

fn connectors(recorded: Vec<RecordedConnector>) -> Result<Vec<Connector>, Reason> {
    let mut curves: Vec<(String, Arc<SampledCurve>)> = Vec::new();
    for c in &recorded {
        if let RecordedConnector::PathJoint { path, .. } = c {
            curves.push((path.name.clone(), path.curve()?));
        }
    }
    let curve_named = |name: &str| {
        let found = curves.iter().find(|(n, _)| n == name).map(|(_, c)| c.clone());
        found.ok_or_else(|| format!("no path is named {name}"))
    };
    recorded
        .into_iter()
        .map(|c| {
            Ok(match c {
                RecordedConnector::Joint { body1, attach1, body2, attach2, normal, normal_coords } => {
                    Connector::Joint {
                        ends: [attachment(body1, attach1), attachment(body2, attach2)],
                        normal,
                        frame: normal_coords,
                    }
                }
                RecordedConnector::Rope { body1, attach1, body2, attach2, rest_length } => Connector::Rope {
                    ends: [attachment(body1, attach1), attachment(body2, attach2)],
                    length: rest_length,
                },
                RecordedConnector::Rod { body1, attach1, body2, attach2, rest_length } => Connector::Rod {
                    ends: [attachment(body1, attach1), attachment(body2, attach2)],
                    length: rest_length,
                },
                RecordedConnector::PathJoint { body, attach, path } => Connector::PathJoint {
                    attachment: attachment(body, attach),
                    path: curve_named(&path.name)?,
                },
                RecordedConnector::PathEndPoint { body, attach, path_name, limit, upper_limit } => {
                    Connector::PathEndStop {
                        attachment: attachment(body, attach),
                        path: curve_named(&path_name)?,
                        limit,
                        upper: upper_limit,
                    }
                }
            })
        })
        .collect()
}

pub(crate) fn handling(name: &str) -> Result<CollisionHandling, Reason> {
    Ok(match name {
        "simultaneous" => CollisionHandling::Simultaneous,
        "hybrid" => CollisionHandling::Hybrid,
        "serial grouped" => CollisionHandling::SerialGrouped,
        "serial grouped lastpass" => CollisionHandling::SerialGroupedLastPass,
        "serial separate" => CollisionHandling::SerialSeparate,
        "serial separate lastpass" => CollisionHandling::SerialSeparateLastPass,
        other => return Err(format!("unknown collision handling {other:?}")),
    })
}

pub(crate) fn extra_acceleration(name: &str) -> Result<ExtraAcceleration, Reason> {
    Ok(match name {
        "none" => ExtraAcceleration::None,
        "velocity" => ExtraAcceleration::Velocity,
        "velocity_joints" => ExtraAcceleration::VelocityJoints,
        "velocity_and_distance" => ExtraAcceleration::VelocityAndDistance,
        "velocity_and_distance_joints" => ExtraAcceleration::VelocityAndDistanceJoints,
        other => return Err(format!("unknown extra acceleration {other:?}")),
    })
}

fn fixed_method(name: &str) -> Result<FixedStepMethod, Reason> {
    Ok(match name {
        "RungeKutta" => FixedStepMethod::RungeKutta4,
        "ModifiedEuler" => FixedStepMethod::ModifiedEuler,
        "EulersMethod" => FixedStepMethod::Euler,
        other => return Err(format!("unknown solver {other:?}")),
    })
}

impl RecordedSetup {
    pub(crate) fn parse(value: &Value) -> Result<Self, Reason> {
        Self::deserialize(value).map_err(reason)
    }

    fn settings(&self) -> Result<Settings, Reason> {
        let sim = &self.sim;
        let defaults = Settings::default();
        let tolerances = Tolerances {
            distance: sim.distance_tol.unwrap_or(defaults.tolerances.distance),
            velocity: sim.velocity_tol.unwrap_or(defaults.tolerances.velocity),
            accuracy: sim.collision_accuracy.unwrap_or(defaults.tolerances.accuracy),
        };
        let method = match &self.advance.solver_options {
            Some(options) => OdeMethod::EnergyAdaptive {
                inner: fixed_method(&options.inner_solver)?,
                tolerance: options.tolerance,
                second_difference: options.second_difference,
            },
            None => OdeMethod::Fixed(fixed_method(&self.advance.solver)?),
        };
        Ok(Settings {
            fidelity: match sim.kind.as_str() {
                "RigidBodySim" => Fidelity::Free,
                "ImpulseSim" => Fidelity::Collisions,
                "ContactSim" => Fidelity::Contacts,
                other => return Err(format!("unknown simulation kind {other:?}")),
            },
            profile: Profile::Reference,
            tolerances,
            collision_handling: sim
                .collision_handling
                .as_deref()
                .map_or(Ok(defaults.collision_handling), handling)?,
            extra_acceleration: sim
                .extra_accel
                .as_deref()
                .map_or(Ok(defaults.extra_acceleration), extra_acceleration)?,
            extra_acceleration_step: sim.extra_accel_time_step,
            method,
            seed: sim.random_seed.unwrap_or(0),
            time_step: self.advance.time_step,
            joint_small_impacts: self.advance.joint_small_impacts.unwrap_or(false),
            potential_offset: sim.potential_offset,
            independent_groups: sim.subset_collisions.unwrap_or(true),
            ..Settings::default()
        })
    }

    /// The world at the start of the segment, or at `state` with generator state `seed`.
    pub(crate) fn world(self, at: Option<(f64, &[[f64; 6]], u32)>) -> Result<World, Reason> {
        self.world_with(at, |_| {})
    }

    pub(crate) fn world_with(
        self,
        at: Option<(f64, &[[f64; 6]], u32)>,
        adjust: impl FnOnce(&mut Settings),
    ) -> Result<World, Reason> {
        let mut settings = self.settings()?;
        let (time, state) = match at {
            Some((time, state, seed)) => {
                settings.seed = seed;
                (time, state)
            }
            None => (self.start_time, self.initial_state.as_slice()),
        };
        adjust(&mut settings);
        let mut builder = World::builder().settings(settings).time(time);
        for (body, state) in self.bodies.iter().zip(state) {
            builder = builder.body(body.body(state)?);
        }
        for law in self.force_laws {
            builder = builder.force_law(law.law());
        }
        for connector in connectors(self.connectors)? {
            builder = builder.connector(connector);
        }
        builder.build().map_err(reason)
    }
}
