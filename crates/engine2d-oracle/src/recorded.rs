//! Recorded bodies, laws and connectors as engine2d's own.

mod connector;
mod geometry;

pub(crate) use geometry::RecordedGeometry;

use connector::{RecordedConnector, connectors};
use engine2d_geometry::{BodyRef, IgnoredEdges, Tolerances};
use engine2d_math::Vec2;
use engine2d_sim::{
    Attachment, Body, CollisionHandling, ExtraAcceleration, Fidelity, FixedStepMethod, ForceLaw, Frame,
    OdeMethod, Profile, Settings, Thruster, World,
};
use serde::Deserialize;
use serde_json::Value;

/// Why a recording could not be turned into a world.
pub(crate) type Reason = String;

fn reason(error: impl std::fmt::Display) -> Reason {
    error.to_string()
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
            .restitution(self.elasticity)
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
            limits: defaults.limits,
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
        let mut names = std::collections::HashSet::new();
        for (index, (body, state)) in self.bodies.iter().zip(state).enumerate() {
            // Some recordings give two bodies one name, which a world does not take.
            let name = match names.insert(body.name.to_lowercase()) {
                true => body.name.clone(),
                false => format!("{} of {index}", body.name),
            };
            builder = builder.body(body.body(state)?.named(name));
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
