//! What only some bodies have: gravity and damping of their own, groups, sensing, one-way sides, pieces and rigid surfaces, prescribed
//! motion.

use super::Body;
use super::motion::{Led, Motion};
use crate::compliant::Piece;
use engine2d_geometry::CollisionFilter;
use engine2d_math::Vec2;
use std::sync::Arc;

impl Body {
    /// Sets the coefficient of tangential restitution in `[0, 1]`: the share of the sliding speed that an impact turns round, as far as
    /// friction holds. A pair has the smaller of both; default none, and none without friction. Needs the located clock, which has none
    /// of it where it goes on in fixed steps. A ball of 1 and restitution 1 is a superball (\[Garwin 1969\]): with enough friction
    /// `u_t⁺ = −u_t`, and no energy is lost.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let superball = |body: Body| body.restitution(1.0).tangential_restitution(1.0).friction(2.0);
    /// let mut world = World::builder()
    ///     .body(superball(Body::block(20.0, 1.0).fixed().at(0.0, -0.5)))
    ///     .body(superball(Body::ball(0.5).at(0.0, 1.0).velocity(1.0, -1.0)))
    ///     .build()?;
    /// world.advance(1.0)?;
    /// let ball = world.body(1)?;
    /// // A disc: k = I/(m r²) = 1/2, and v⁺ = v (1 − k)/(1 + k).
    /// assert!((ball.velocity().x + 1.0 / 3.0 - 2.0 / 3.0).abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn tangential_restitution(mut self, share: f64) -> Self {
        self.tangential_restitution = share;
        self
    }

    /// Sets the rolling resistance (length, ≥ 0): where an arc rolls on another body, a torque of up to that length times the
    /// normal force acts against their turning. A pair has the larger of both; default none. A disc of radius `r` keeps still
    /// on a slope of up to `atan(c/r)`, and rolls to a stop with the deceleration `c g/(r (1 + k))`, `k = I/(m r²)`.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let (r, c, v) = (0.5, 0.01, 1.0);
    /// let mut world = World::builder()
    ///     .gravity(10.0)
    ///     .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.4))
    ///     .body(Body::ball(r).at(0.0, r).velocity(v, 0.0).spin(-v / r).friction(0.4).rolling_resistance(c))
    ///     .build()?;
    /// world.advance(10.0)?;
    /// let deceleration = c * 10.0 / (r * 1.5);
    /// assert!((world.body(1)?.position().x - v * v / (2.0 * deceleration)).abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn rolling_resistance(mut self, length: f64) -> Self {
        self.rolling_resistance = length;
        self
    }

    /// Scales the uniform gravity that acts on the body: 0 floats, −1 rises. Default 1.
    #[must_use]
    pub fn gravity_scale(mut self, scale: f64) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Damps this body alone (mass/time, ≥ 0), as a force law of its own: [`ForceLaw::damping`](crate::ForceLaw::damping).
    #[must_use]
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Sets the groups that the body is of and those that it collides with, as bits: two bodies collide if each is of a
    /// group that the other collides with. Default: all of both.
    ///
    /// ```
    /// use engine2d_sim::{Body, CollisionFilter};
    ///
    /// let (player, debris) = (0b01, 0b10);
    /// let spark = Body::ball(0.1).collides(CollisionFilter { categories: debris, mask: !player });
    /// ```
    #[must_use]
    pub fn collides(mut self, filter: CollisionFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Makes the body a sensor: it collides with nothing, and tells of bodies that come into it and leave it
    /// ([`Event::SensorBegin`](crate::Event::SensorBegin), [`Event::SensorEnd`](crate::Event::SensorEnd)), of those groups
    /// that it would collide with. It needs the located clock or fixed steps.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// Makes the body a platform that others pass from all sides but one: a body collides with it only while it is wholly
    /// before the side that faces `normal` (body coordinates, any length), or rests on it. It needs the located clock or fixed steps.
    #[must_use]
    pub fn one_way(mut self, normal: impl Into<Vec2>) -> Self {
        self.one_way = Some(normal.into());
        self
    }

    /// Sets the convex pieces that compliant contact sees instead of the shape. Discs and convex polygons have
    /// them by default; other outlines need them.
    #[must_use]
    pub fn pieces(mut self, pieces: impl IntoIterator<Item = Piece>) -> Self {
        self.pieces = Some(pieces.into_iter().collect());
        self
    }

    /// Keeps the surface rigid where contact is compliant: two such bodies meet with impulses and complementarity, friction and
    /// rolling resistance of the bodies as everywhere else; of a rigid and a compliant surface the compliant one yields.
    /// Where contact is rigid anyway this changes nothing.
    #[must_use]
    pub fn rigid(mut self) -> Self {
        self.rigid = true;
        self
    }

    /// Leads the body with constant velocity (length/time) and angular velocity (radians/time), whatever pushes it: a
    /// moving platform. It needs the located clock or fixed steps; its mass plays no part.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let mut world = World::builder()
    ///     .gravity(10.0)
    ///     .body(Body::block(4.0, 1.0).at(0.0, -0.5).moving([0.0, 0.5], 0.0))
    ///     .body(Body::block(1.0, 1.0).at(0.0, 0.5))
    ///     .build()?;
    /// world.advance(2.0)?;
    /// assert!((world.body(1)?.position().y - 1.5).abs() < 1e-9, "it is lifted");
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn moving(mut self, velocity: impl Into<Vec2>, angular_velocity: f64) -> Self {
        self.motion = Some(Motion::Steady { velocity: velocity.into(), angular_velocity });
        self
    }

    /// Leads the body along a path: x and y of its centre of mass and its angle by simulated time, each with its first and
    /// second derivative. It needs the located clock or fixed steps; its mass plays no part.
    #[must_use]
    pub fn led_by(mut self, path: impl Fn(f64) -> Led + Send + Sync + 'static) -> Self {
        self.motion = Some(Motion::Path(Arc::new(path)));
        self
    }
}
