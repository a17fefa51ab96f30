//! Slopes drawn level, with gravity that is tilted.

use engine2d_sim::{BodySet, Force, ForceLaw, Forces, SimError};

/// Gravity (length/time²).
pub(crate) const G: f64 = 9.81;

/// Gravity as seen on a slope that falls to the left at an angle (radians).
pub(crate) fn slope(angle: f64) -> ForceLaw {
    ForceLaw::user(Tilted(angle))
}

#[derive(Debug)]
struct Tilted(f64);

impl Force for Tilted {
    fn name(&self) -> &str {
        "tilted gravity"
    }

    fn apply(&self, bodies: &BodySet<'_>, forces: &mut Forces<'_>) -> Result<(), SimError> {
        let (sin, cos) = engine2d_math::trig::sin_cos(self.0);
        for b in bodies.iter().filter(|b| !b.is_fixed()) {
            let weight = engine2d_math::Vec2::new(-sin, -cos) * (G * b.mass());
            forces.push(b.index(), b.position(), weight);
        }
        Ok(())
    }
}
