//! Bodies and their surfaces as plain data.

use crate::choice::choice;
use crate::piece::Piece;
use crate::point::{Point, is_default, is_one};
use crate::shape::Shape;
use crate::special::Moving;
use schemars::JsonSchema;
use serde::Serialize;

/// A rigid body: shape, mass, and how it starts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name by which laws, connectors and reports refer to it; `"ground"` is taken. Absent: `body0`, ….
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Outline, in body coordinates.
    pub shape: Shape,
    /// Mass (> 0). `null` means the same as `"fixed": true`.
    #[serde(default = "default_mass", skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// An immovable body: it pushes and is never pushed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fixed: bool,
    /// Moment of inertia about the centre of mass (mass·length², > 0); absent: by the shape. That is of a uniform body for balls, blocks, polygons,
    /// capsules, ellipses and SVG paths, and an estimate for frames, hexagons, rounded blocks, random polygons and `paths`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<f64>,
    /// Centre of mass in body coordinates; absent: by the shape. For `paths` that is the middle of their bounding box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center_of_mass: Option<Point>,
    /// Where the body starts, in the world: its centre of mass, or what `origin` says (length).
    #[serde(default)]
    pub position: Point,
    /// What `position` tells the place of. Default `centroid`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: Origin,
    /// Angle at the start (radians), turned about what `position` tells the place of.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle: f64,
    /// Velocity of the centre of mass at the start (length/time).
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Point,
    /// Angular velocity at the start (radians/time, counter-clockwise). Older scenes call it `spin`, which is read too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angular_velocity: f64,
    /// Name of an entry of `materials`; the body's own `elasticity` and `friction` go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Part of the normal speed that a collision gives back, 0 to 1; the lesser of two bodies counts.
    /// Absent: the material's, else 1 for walls and 0.8 for other shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elasticity: Option<f64>,
    /// Coulomb coefficient of friction (≥ 0), or one at rest and one sliding. A pair has that of both, by `friction_rule`
    /// of the settings. Needs the located clock or fixed steps. Absent: the material's, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Speed of the surface along the outline, counter-clockwise (length/time), as that of a belt: what lies on a block of
    /// positive speed is drawn to the left, by friction. Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub surface_speed: f64,
    /// Rolling resistance (length, ≥ 0): where an arc rolls on another body, the torque against it is that length times the
    /// normal force. A pair has the larger of both. Rigid contact only; needs the located clock or fixed steps. Absent: the
    /// material's, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<f64>,
    /// Part of the sliding speed that a collision turns round as far as friction holds, 0 to 1. A pair has the lesser of both. Rigid
    /// contact only; needs the located clock. Absent: the material's, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
    /// Prescribed motion, as that of a lift or a door, which nothing changes; the mass then plays no part. Needs the located
    /// clock or fixed steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moving: Option<Moving>,
    /// Factor on the uniform gravity that acts on the body: 0 floats, −1 rises. Default 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub gravity_scale: f64,
    /// Damping of this body alone, besides that of force laws (mass/time, ≥ 0). Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Collision groups that the body is of, by names of your own, at most 32 in a scene. Absent or empty: every group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Groups that the body collides with, where each of two is of a group that the other collides with. `[]`: none; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collides_with: Option<Vec<String>>,
    /// A sensor: it collides with nothing, and is told of in events `sensor_begin` and `sensor_end` when a body that it
    /// would collide with comes in or leaves. Needs the located clock or fixed steps.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sensor: bool,
    /// A platform that others pass from all sides but one: the direction, in body coordinates, in which its solid side faces.
    /// Needs the located clock or fixed steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_way: Option<Point>,
    /// Bodies that this one passes through; naming it on one of the two is enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_collide: Vec<BodyRef>,
    /// Edges of other bodies that this one passes through. Not in fixed steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_collide_edges: Vec<EdgeRange>,
    /// Height at which this body's potential energy is 0; absent: the gravity law's (length).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_energy_level: Option<f64>,
    /// Lowest height of the centre of mass above a floor (length, ≥ 0); absent: by the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_height: Option<f64>,
    /// This body's distance tolerance, if other than the scene's (length, > 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_tolerance: Option<f64>,
    /// This body's velocity tolerance, if other than the scene's (length/time, > 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_tolerance: Option<f64>,
    /// This body's collision accuracy, if other than the scene's (0 exclusive, 1 inclusive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collision_accuracy: Option<f64>,
    /// Points in body coordinates where a user may grab the body; no influence on the motion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drag_points: Vec<Point>,
    /// Convex pieces that compliant contact sees instead of the shape. Discs and convex polygons are pieces of their
    /// own; other shapes need some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// Where contact is compliant: two bodies with this meet as rigid ones all the same, with their friction; others yield.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rigid: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an optional field")]
fn default_mass() -> Option<f64> {
    Some(Body::DEFAULT_MASS)
}

fn one() -> f64 {
    1.0
}

impl Body {
    /// Mass of a body that does not say.
    pub const DEFAULT_MASS: f64 = 1.0;

    /// A body at rest at the origin, with mass 1 and defaults for the rest.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            mass: Some(Self::DEFAULT_MASS),
            fixed: false,
            moment: None,
            center_of_mass: None,
            position: [0.0; 2],
            origin: Origin::Centroid,
            angle: 0.0,
            velocity: [0.0; 2],
            angular_velocity: 0.0,
            material: None,
            elasticity: None,
            friction: None,
            surface_speed: 0.0,
            rolling_resistance: None,
            tangential_restitution: None,
            moving: None,
            gravity_scale: 1.0,
            damping: 0.0,
            groups: Vec::new(),
            collides_with: None,
            sensor: false,
            one_way: None,
            no_collide: Vec::new(),
            no_collide_edges: Vec::new(),
            zero_energy_level: None,
            min_height: None,
            distance_tolerance: None,
            velocity_tolerance: None,
            collision_accuracy: None,
            drag_points: Vec::new(),
            pieces: Vec::new(),
            rigid: false,
        }
    }

    /// The same body with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same body, immovable.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.fixed = true;
        self.mass = None;
        self
    }

    /// The same body with another mass.
    #[must_use]
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// The same body starting with its centre of mass at `(x, y)`.
    #[must_use]
    pub fn at(mut self, x: f64, y: f64) -> Self {
        self.position = [x, y];
        self
    }

    /// The same body starting at an angle (radians).
    #[must_use]
    pub fn angle(mut self, angle: f64) -> Self {
        self.angle = angle;
        self
    }

    /// The same body starting with a velocity (length/time).
    #[must_use]
    pub fn velocity(mut self, x: f64, y: f64) -> Self {
        self.velocity = [x, y];
        self
    }

    /// The same body starting with an angular velocity (radians/time).
    #[must_use]
    pub fn turning(mut self, angular_velocity: f64) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// The same body with another coefficient of restitution, 0 to 1.
    #[must_use]
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.elasticity = Some(restitution);
        self
    }

    /// Sets the coefficient of friction.
    #[must_use]
    pub fn friction(mut self, friction: impl Into<Friction>) -> Self {
        self.friction = Some(friction.into());
        self
    }

    /// The same body with another moment of inertia about its centre of mass.
    #[must_use]
    pub fn moment(mut self, moment: f64) -> Self {
        self.moment = Some(moment);
        self
    }

    /// The same body passing through another one.
    #[must_use]
    pub fn no_collide(mut self, other: impl Into<BodyRef>) -> Self {
        self.no_collide.push(other.into());
        self
    }

    /// The same body led by a prescribed motion.
    #[must_use]
    pub fn moving(mut self, moving: Moving) -> Self {
        self.moving = Some(moving);
        self
    }

    /// The same body as a sensor.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// The same body with a surface that is rigid also where contact is compliant.
    #[must_use]
    pub fn rigid(mut self) -> Self {
        self.rigid = true;
        self
    }

    /// The same body of a material of the scene.
    #[must_use]
    pub fn material(mut self, name: &str) -> Self {
        self.material = Some(name.to_owned());
        self
    }

    /// The same body with its centre of mass elsewhere, in body coordinates.
    #[must_use]
    pub fn center_of_mass(mut self, x: f64, y: f64) -> Self {
        self.center_of_mass = Some([x, y]);
        self
    }
}

choice! {
    /// What the position of a body tells the place of.
    #[derive(Default)]
    Origin {
        /// Its centre of mass.
        #[default]
        Centroid = "centroid",
        /// The origin of its coordinates, those of its shape: a shape given by points of the world stands there.
        Shape = "shape",
    }
}

/// A body by name or by place in the list of bodies; the name `"ground"` is the immovable background.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum BodyRef {
    /// Place in the list, from 0.
    Index(u32),
    /// Name of the body, or `"ground"`.
    Name(String),
}

impl BodyRef {
    /// The name of the immovable background.
    pub const GROUND: &'static str = "ground";

    /// The immovable background.
    #[must_use]
    pub fn ground() -> Self {
        Self::Name(Self::GROUND.to_owned())
    }

    /// Whether this is the immovable background.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        matches!(self, Self::Name(name) if name == Self::GROUND)
    }
}

impl From<&str> for BodyRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// Edges `first..=last` of a body, by their order in its shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeRange {
    /// The body whose edges are meant.
    pub body: BodyRef,
    /// First edge, from 0.
    pub first: u32,
    /// Last edge, inclusive.
    pub last: u32,
}

/// Coulomb friction: `|f_t| ≤ static · f_n` at rest, `|f_t| = kinetic · f_n` against the motion while sliding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Friction {
    /// One coefficient for both.
    Same(f64),
    /// One for each. Compliant contact uses the kinetic one.
    Both {
        /// Coefficient at rest, not below the kinetic one.
        #[serde(rename = "static")]
        at_rest: f64,
        /// Coefficient while sliding (≥ 0).
        kinetic: f64,
    },
}

impl Friction {
    /// The coefficients at rest and while sliding.
    #[must_use]
    pub fn coefficients(self) -> [f64; 2] {
        match self {
            Self::Same(both) => [both, both],
            Self::Both { at_rest, kinetic } => [at_rest, kinetic],
        }
    }
}

impl From<f64> for Friction {
    fn from(coefficient: f64) -> Self {
        Self::Same(coefficient)
    }
}
