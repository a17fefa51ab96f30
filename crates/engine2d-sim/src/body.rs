//! Bodies: how they are described to a simulation, and how it shows them.

pub(crate) mod data;
pub(crate) mod motion;
mod special;
pub(crate) mod view;

use crate::compliant::piece::{Piece, pieces_of};
use crate::error::SimError;
use crate::friction::{Friction, check_surface};
pub(crate) use data::BodyData;
use engine2d_geometry::{
    CollisionBody, CollisionFilter, IgnoredEdges, PathShape, ShapeError, Side, Tolerances,
};
use engine2d_math::{Pose, Vec2};
use motion::Motion;
use std::sync::Arc;

/// Description of a body. Mistakes are reported when the world is built.
///
/// ```
/// use engine2d_sim::Body;
///
/// let plank = Body::block(1.0, 3.0).mass(2.0).at(0.0, 4.0).angle(0.3).named("plank");
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    shape: Result<Arc<PathShape>, ShapeError>,
    name: Option<String>,
    mass: f64,
    moment: Option<f64>,
    center_of_mass: Option<Vec2>,
    pose: Pose,
    velocity: Vec2,
    angular_velocity: f64,
    restitution: f64,
    friction: Friction,
    surface_speed: f64,
    rolling_resistance: f64,
    tangential_restitution: f64,
    zero_level: Option<f64>,
    tolerances: Option<Tolerances>,
    min_height: Option<f64>,
    ignored_bodies: Vec<u32>,
    ignored_edges: Vec<IgnoredEdges>,
    material: Option<String>,
    pieces: Option<Vec<Piece>>,
    gravity_scale: f64,
    damping: f64,
    filter: CollisionFilter,
    sensor: bool,
    one_way: Option<Vec2>,
    motion: Option<Motion>,
    rigid: bool,
}

impl Body {
    /// A body of the given shape: mass 1, restitution 0.8, at rest at the origin.
    #[must_use]
    pub fn new(shape: impl Into<Arc<PathShape>>) -> Self {
        Self::of(Ok(shape.into()))
    }

    fn of(shape: Result<Arc<PathShape>, ShapeError>) -> Self {
        Self {
            shape,
            name: None,
            mass: 1.0,
            moment: None,
            center_of_mass: None,
            pose: Pose::IDENTITY,
            velocity: Vec2::zeros(),
            angular_velocity: 0.0,
            restitution: 0.8,
            friction: Friction::NONE,
            surface_speed: 0.0,
            rolling_resistance: 0.0,
            tangential_restitution: 0.0,
            zero_level: None,
            tolerances: None,
            min_height: None,
            ignored_bodies: Vec::new(),
            ignored_edges: Vec::new(),
            material: None,
            pieces: None,
            gravity_scale: 1.0,
            damping: 0.0,
            filter: CollisionFilter::default(),
            sensor: false,
            one_way: None,
            motion: None,
            rigid: false,
        }
    }

    /// A disc of radius `r`.
    #[must_use]
    pub fn ball(r: f64) -> Self {
        Self::of(PathShape::ball(r).map(Arc::new))
    }

    /// A rectangle `w` × `h`.
    #[must_use]
    pub fn block(w: f64, h: f64) -> Self {
        Self::of(PathShape::block(w, h).map(Arc::new))
    }

    /// The polygon through `points`, in either winding.
    #[must_use]
    pub fn polygon<P: Into<Vec2> + Copy>(points: &[P]) -> Self {
        let points: Vec<Vec2> = points.iter().map(|&p| p.into()).collect();
        Self::of(PathShape::polygon(&points).map(Arc::new))
    }

    /// An immovable rectangle of restitution 1, solid from all sides (by the reference rules, reliably at its top alone).
    #[must_use]
    pub fn wall(w: f64, h: f64) -> Self {
        Self::wall_facing(w, h, Side::Top)
    }

    /// As [`wall`](Self::wall), with another `side` that collides by the reference rules.
    #[must_use]
    pub fn wall_facing(w: f64, h: f64, side: Side) -> Self {
        Self::of(PathShape::wall(w, h, side).map(Arc::new)).fixed().restitution(1.0)
    }

    /// Sets the mass (> 0); infinite means immovable.
    #[must_use]
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = mass;
        self
    }

    /// Makes the body immovable.
    #[must_use]
    pub fn fixed(self) -> Self {
        self.mass(f64::INFINITY)
    }

    /// Sets the moment of inertia about the centre of mass (mass·length²); by default the shape's moment
    /// factor times the mass.
    #[must_use]
    pub fn moment(mut self, moment: f64) -> Self {
        self.moment = Some(moment);
        self
    }

    /// Sets the centre of mass in body coordinates; by default the shape's.
    #[must_use]
    pub fn center_of_mass(mut self, x: f64, y: f64) -> Self {
        self.center_of_mass = Some(Vec2::new(x, y));
        self
    }

    /// Places the centre of mass.
    #[must_use]
    pub fn at(mut self, x: f64, y: f64) -> Self {
        self.pose.set_position(Vec2::new(x, y));
        self
    }

    /// Sets the angle (radians).
    #[must_use]
    pub fn angle(mut self, angle: f64) -> Self {
        self.pose.set_angle(angle);
        self
    }

    /// Sets the velocity of the centre of mass (length/time).
    #[must_use]
    pub fn velocity(mut self, vx: f64, vy: f64) -> Self {
        self.velocity = Vec2::new(vx, vy);
        self
    }

    /// Sets the angular velocity (radians/time, counter-clockwise).
    #[must_use]
    pub fn angular_velocity(mut self, angular_velocity: f64) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// The same as [`angular_velocity`](Self::angular_velocity), by its older word.
    #[must_use]
    pub fn spin(self, angular_velocity: f64) -> Self {
        self.angular_velocity(angular_velocity)
    }

    /// Sets the coefficient of restitution in `[0, 1]`; a pair uses the smaller one.
    #[must_use]
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// Sets the coefficients of friction: one number, or [`Friction`] with another at rest. A pair of bodies has friction
    /// by the coefficients of both ([`Settings::friction_rule`](crate::Settings::friction_rule)); default none.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// // A block slides to a stop after v²/(2 μ g).
    /// let mut world = World::builder()
    ///     .gravity(10.0)
    ///     .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.4))
    ///     .body(Body::block(1.0, 1.0).at(0.0, 0.5).velocity(2.0, 0.0).friction(0.4))
    ///     .build()?;
    /// world.advance(1.0)?;
    /// assert!((world.body(1)?.position().x - 0.5).abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn friction(mut self, friction: impl Into<Friction>) -> Self {
        self.friction = friction.into();
        self
    }

    /// Lets the surface run along the outline, counter-clockwise (length/time), as that of a belt does: what lies on a block
    /// of positive speed is drawn to the left. It acts by friction.
    #[must_use]
    pub fn surface_speed(mut self, speed: f64) -> Self {
        self.surface_speed = speed;
        self
    }

    /// Sets the height at which the body's potential energy of gravity is zero.
    #[must_use]
    pub fn zero_level(mut self, level: f64) -> Self {
        self.zero_level = Some(level);
        self
    }

    /// Sets tolerances of its own instead of the world's.
    #[must_use]
    pub fn tolerances(mut self, tolerances: Tolerances) -> Self {
        self.tolerances = Some(tolerances);
        self
    }

    /// Sets how low the centre of mass can be on a floor, instead of the shape's own figure.
    #[must_use]
    pub fn min_height(mut self, min_height: f64) -> Self {
        self.min_height = Some(min_height);
        self
    }

    /// Names the material, as the table of the settings has it; one that is not there is an error.
    #[must_use]
    pub fn material(mut self, name: impl Into<String>) -> Self {
        self.material = Some(name.into());
        self
    }

    /// Names the body.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The body never collides with the bodies of these indices.
    #[must_use]
    pub fn ignoring_bodies(mut self, indices: impl IntoIterator<Item = u32>) -> Self {
        self.ignored_bodies.extend(indices);
        self
    }

    /// The body never collides with these edges of another body.
    #[must_use]
    pub fn ignoring_edges(mut self, edges: IgnoredEdges) -> Self {
        self.ignored_edges.push(edges);
        self
    }

    /// Checks the description and splits it into what collision detection and what dynamics need.
    pub(crate) fn build(
        mut self,
        index: usize,
        default: Tolerances,
    ) -> Result<(BodyData, CollisionBody), SimError> {
        let shape = self.shape.map_err(|source| SimError::Shape { index, source })?;
        let check = |field: &str, value: f64, ok: bool, allowed: &'static str| {
            if ok {
                Ok(())
            } else {
                Err(SimError::Value { path: format!("bodies[{index}].{field}"), value, allowed })
            }
        };
        if self.motion.is_some() && self.mass.is_infinite() {
            // What is led needs a mass only so that its constraints have something to hold.
            self.mass = 1.0;
            self.moment = None;
        }
        check("mass", self.mass, self.mass > 0.0, "mass must be > 0 (infinite for an immovable body)")?;
        check(
            "restitution",
            self.restitution,
            (0.0..=1.0).contains(&self.restitution),
            "restitution must lie in [0, 1]",
        )?;
        let back = self.tangential_restitution;
        check("tangential_restitution", back, (0.0..=1.0).contains(&back), "restitution must lie in [0, 1]")?;
        let finite = "must be a finite number";
        let position = self.pose.position();
        for (field, value) in [
            ("x", position.x),
            ("y", position.y),
            ("angle", self.pose.angle()),
            ("velocity.x", self.velocity.x),
            ("velocity.y", self.velocity.y),
            ("angular_velocity", self.angular_velocity),
        ] {
            check(field, value, value.is_finite(), finite)?;
        }
        let moment = self.moment.unwrap_or_else(|| self.mass * shape.moment_factor());
        let moment_ok = moment > 0.0 && (moment.is_finite() || self.mass.is_infinite());
        check("moment", moment, moment_ok, "the moment of inertia must be > 0 and finite")?;
        let tolerances = self.tolerances.unwrap_or(default);
        check_tolerances(&format!("bodies[{index}].tolerances"), tolerances)?;
        let mut collision = CollisionBody::new(shape);
        if let Some(cm) = self.center_of_mass {
            check("center_of_mass", cm.x, cm.x.is_finite() && cm.y.is_finite(), finite)?;
            collision.center_of_mass = cm;
            collision.min_height = collision.shape.min_height(cm);
        }
        check_surface(self.friction, (self.surface_speed, self.rolling_resistance), check)?;
        if let Some(h) = self.min_height {
            check("min_height", h, h >= 0.0 && h.is_finite(), "must be >= 0")?;
            collision.min_height = h;
        }
        let scale = self.gravity_scale;
        check("gravity_scale", scale, scale.is_finite(), finite)?;
        check(
            "damping",
            self.damping,
            self.damping >= 0.0 && self.damping.is_finite(),
            "must be >= 0 and finite",
        )?;
        if let Some(normal) = self.one_way {
            let length = normal.norm();
            let sound = length > 0.0 && length.is_finite();
            check("one_way", length, sound, "the normal must be a finite vector with a length")?;
            collision.one_way = Some(normal / length);
        }
        let senses = self.sensor.then_some(self.filter);
        // A sensor collides with nothing.
        collision.filter = if self.sensor { CollisionFilter { categories: 0, mask: 0 } } else { self.filter };
        if let Some(motion) = &self.motion {
            collision.pose = self.pose;
            let path = motion.path(&collision, 0.0);
            let led = path(0.0);
            let bad = led.iter().flatten().find(|v| !v.is_finite());
            check("motion", bad.copied().unwrap_or(0.0), bad.is_none(), "the path must have finite numbers")?;
        }
        collision.pose = self.pose;
        collision.velocity = self.velocity;
        collision.angular_velocity = self.angular_velocity;
        collision.fixed = self.mass.is_infinite();
        if let Some(Motion::Steady { velocity, angular_velocity }) = &self.motion {
            (collision.velocity, collision.angular_velocity) = (*velocity, *angular_velocity);
        }
        let speed = collision.velocity.norm().max(collision.angular_velocity.abs());
        let still = !collision.fixed || speed == 0.0;
        check("velocity", speed, still, "an immovable body has no velocity: lead it by `moving` instead")?;
        collision.tolerances = tolerances;
        collision.ignored_bodies = self.ignored_bodies;
        collision.ignored_edges = self.ignored_edges;
        let data = BodyData {
            id: None,
            gravity_scale: self.gravity_scale,
            damping: self.damping,
            senses,
            motion: self.motion,
            led: None,
            name: self.name.unwrap_or_else(|| format!("body {index}")),
            mass: self.mass,
            moment,
            restitution: self.restitution,
            friction: self.friction,
            surface_speed: self.surface_speed,
            rolling_resistance: self.rolling_resistance,
            tangential_restitution: self.tangential_restitution,
            zero_level: self.zero_level,
            material: self.material,
            rigid: self.rigid,
            pieces: self.pieces.unwrap_or_else(|| pieces_of(&collision.shape)),
        };
        Ok((data, collision))
    }
}

pub(crate) fn check_tolerances(path: &str, t: Tolerances) -> Result<(), SimError> {
    let check = |field: &str, value: f64, ok: bool, allowed: &'static str| {
        if ok { Ok(()) } else { Err(SimError::Value { path: format!("{path}.{field}"), value, allowed }) }
    };
    let positive = |v: f64| v > 0.0 && v.is_finite();
    check("distance", t.distance, positive(t.distance), "must be > 0")?;
    check("velocity", t.velocity, positive(t.velocity), "must be > 0")?;
    check("accuracy", t.accuracy, t.accuracy > 0.0 && t.accuracy <= 1.0, "must lie in (0, 1]")
}
