//! A body of a world, as it is now.

use super::BodyData;
use crate::world::identity::BodyId;
use engine2d_geometry::{CollisionBody, PathShape};
use engine2d_math::Vec2;
use std::fmt;
use std::sync::Arc;

/// A body of a world, as it is now.
#[derive(Clone, Copy)]
pub struct BodyView<'a> {
    pub(crate) index: usize,
    pub(crate) data: &'a BodyData,
    pub(crate) collision: &'a CollisionBody,
}

impl<'a> BodyView<'a> {
    /// All bodies of a system in order.
    pub(crate) fn all(
        data: &'a [BodyData],
        bodies: &'a [CollisionBody],
    ) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        let left = data.iter().filter(|d| d.id.is_some()).count();
        Bodies { data, bodies, next: 0, left }
    }

    /// Identity in the world; it stays the same whatever else comes and goes.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.data.id.expect("a body that is shown has an identity")
    }

    /// Whether the body is a sensor: it collides with nothing.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.data.senses.is_some()
    }

    /// Whether the motion of the body is prescribed.
    #[must_use]
    pub fn is_led(&self) -> bool {
        self.data.motion.is_some()
    }

    /// Factor of the uniform gravity on the body.
    #[must_use]
    pub fn gravity_scale(&self) -> f64 {
        self.data.gravity_scale
    }

    /// Place in the world.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Name, unique only if chosen so.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.data.name
    }

    /// Shape.
    #[must_use]
    pub fn shape(&self) -> &'a Arc<PathShape> {
        &self.collision.shape
    }

    /// Geometry, pose and velocity as collision detection sees them.
    #[must_use]
    pub fn collision_body(&self) -> &'a CollisionBody {
        self.collision
    }

    /// Mass; infinite for an immovable body.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.data.mass
    }

    /// Moment of inertia about the centre of mass.
    #[must_use]
    pub fn moment(&self) -> f64 {
        self.data.moment
    }

    /// Coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.data.restitution
    }

    /// Name of the material, if one was given.
    #[must_use]
    pub fn material(&self) -> Option<&'a str> {
        self.data.material.as_deref()
    }

    /// Whether the body is immovable.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.collision.fixed
    }

    /// World position of the centre of mass.
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.collision.pose.position()
    }

    /// Angle (radians, unwrapped).
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.collision.pose.angle()
    }

    /// Velocity of the centre of mass.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.collision.velocity
    }

    /// Angular velocity (radians/time, counter-clockwise).
    #[must_use]
    pub fn angular_velocity(&self) -> f64 {
        self.collision.angular_velocity
    }

    /// The same as [`angular_velocity`](Self::angular_velocity).
    #[must_use]
    pub fn spin(&self) -> f64 {
        self.angular_velocity()
    }

    /// Momentum and angular momentum about the world's origin; zero for an immovable body.
    #[must_use]
    pub fn momentum(&self) -> (Vec2, f64) {
        if self.is_fixed() {
            return (Vec2::zeros(), 0.0);
        }
        let p = self.velocity() * self.mass();
        let about_origin = engine2d_math::cross(self.position(), p);
        (p, self.moment() * self.spin() + about_origin)
    }
}

impl fmt::Display for BodyView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (p, v) = (self.position(), self.velocity());
        write!(
            f,
            "{}: x = {:.6}, vx = {:.6}, y = {:.6}, vy = {:.6}, angle = {:.6}, spin = {:.6}",
            self.name(),
            p.x,
            v.x,
            p.y,
            v.y,
            self.angle(),
            self.spin()
        )
    }
}

/// The bodies at the places that are taken.
struct Bodies<'a> {
    data: &'a [BodyData],
    bodies: &'a [CollisionBody],
    next: usize,
    left: usize,
}

impl<'a> Iterator for Bodies<'a> {
    type Item = BodyView<'a>;

    fn next(&mut self) -> Option<BodyView<'a>> {
        loop {
            let index = self.next;
            let (data, collision) = (self.data.get(index)?, self.bodies.get(index)?);
            self.next += 1;
            if data.id.is_some() {
                self.left -= 1;
                return Some(BodyView { index, data, collision });
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Bodies<'_> {}
