//! A body pulled by a soft spring, as by a hand.

use engine2d_math::Vec2;
use engine2d_sim::{SimError, World};

/// Frequency of the pull (radians/time): a body follows the pointer within a fifth of a second.
const PULL_FREQUENCY: f64 = 12.0;

/// Damping of the pull as a part of the critical one.
const PULL_DAMPING: f64 = 0.8;

/// Largest acceleration that the pull gives (length/time²): thirty times that of the Earth, so that a hand can break
/// through nothing that holds.
const LARGEST_PULL: f64 = 300.0;

/// A body held at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drag {
    /// Place of the body.
    pub(crate) body: usize,
    /// The point held, from the centre of mass (body axes).
    pub(crate) arm: Vec2,
    /// Where it is pulled to (world).
    pub(crate) target: Vec2,
}

impl Drag {
    /// Takes a body at a world point; `None` where there is no body that can be moved.
    pub(crate) fn take(world: &World, body: usize, point: Vec2) -> Option<Self> {
        let view = world.body(body).ok().filter(|body| !body.is_fixed() && !body.is_led())?;
        let (sin, cos) = engine2d_math::trig::sin_cos(view.angle());
        let arm = point - view.position();
        let arm = Vec2::new(arm.x * cos + arm.y * sin, arm.y * cos - arm.x * sin);
        Some(Self { body, arm, target: point })
    }

    /// Where the point held is now (world).
    pub(crate) fn point(&self, world: &World) -> Option<Vec2> {
        let view = world.body(self.body).ok()?;
        let (sin, cos) = engine2d_math::trig::sin_cos(view.angle());
        let arm = Vec2::new(self.arm.x * cos - self.arm.y * sin, self.arm.x * sin + self.arm.y * cos);
        Some(view.position() + arm)
    }

    /// Lets the pull act during the next advance.
    pub(crate) fn pull(&self, world: &mut World) -> Result<(), SimError> {
        let view = world.body(self.body)?;
        let (velocity, turning, mass) = (view.velocity(), view.angular_velocity(), view.mass());
        let center = view.position();
        let Some(point) = self.point(world) else { return Ok(()) };
        let arm = point - center;
        let velocity = velocity + turning * Vec2::new(-arm.y, arm.x);
        let mut pull = PULL_FREQUENCY * PULL_FREQUENCY * (self.target - point)
            - 2.0 * PULL_DAMPING * PULL_FREQUENCY * velocity;
        let size = pull.norm();
        if size > LARGEST_PULL {
            pull *= LARGEST_PULL / size;
        }
        world.apply_force(self.body, mass * pull, point)
    }
}
