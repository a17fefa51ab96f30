//! Continuous collision of convex shapes under rigid motion, by conservative advancement with its proof.
//!
//! At any time the shapes are apart by `d` along the unit vector `n`. Along that fixed vector no point of A
//! approaches any point of B faster than `rate = −n·(v_A − v_B) + |ω_A| r_A + |ω_B| r_B`, with `r` the reach of
//! a shape about its origin. So the gap along `n` stays above the target until `(d − target)/rate` later, and
//! that time is safe to skip \[Mirtich 1996, Impulse-based Dynamic Simulation, §2.3\]. Each skipped interval is
//! recorded with its vector, distance and rate: the intervals cover the motion without a hole, which anyone
//! can check.

use crate::convex::{QueryError, Shape, distance};
use engine2d_math::{Pose, Vec2};

/// Advances after which the answer is given as unfinished.
pub(crate) const MAX_ADVANCES: usize = 1000;

/// Default tolerance of an approach (length).
const TOLERANCE: f64 = 1e-9;

/// A shape's uniform motion: its frame at time 0, velocity of the frame's origin, angular velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Frame at time 0.
    pub start: Pose,
    /// Velocity of the frame's origin (length/time).
    pub velocity: Vec2,
    /// Angular velocity (radians/time, counter-clockwise).
    pub angular_velocity: f64,
}

impl Motion {
    /// The frame at `time`.
    #[must_use]
    pub fn at(&self, time: f64) -> Pose {
        let p = self.start.position() + self.velocity * time;
        Pose::new(p.x, p.y, self.start.angle() + self.angular_velocity * time)
    }
}

/// Proof that the shapes stay apart during an interval: along `normal` they are `distance` apart at `from`
/// and approach by no more than `rate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparationBound {
    /// Beginning of the interval.
    pub from: f64,
    /// End of the interval.
    pub to: f64,
    /// Unit vector out of B into A that separates the shapes.
    pub normal: Vec2,
    /// Gap along it at the beginning (length).
    pub distance: f64,
    /// Largest speed at which that gap can shrink (length/time); negative if it grows.
    pub rate: f64,
}

/// How a motion ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impact {
    /// The shapes stay further apart than the target.
    Clear,
    /// They come within target and tolerance at `time`, not before.
    At {
        /// When.
        time: f64,
        /// Gap then (length).
        distance: f64,
        /// Unit normal out of B into A then.
        normal: Vec2,
    },
    /// They stay apart until `time`; what follows was not decided within the limit of advances.
    Unfinished {
        /// How far the proof reaches.
        time: f64,
    },
}

/// What is looked for in a time of impact.
///
/// ```
/// use engine2d_geometry::{Approach, Impact, Motion, Pose, Shape, Vec2, time_of_impact};
///
/// let (ball, wall) = (Shape::circle(0.5)?, Shape::rectangle(0.1, 2.0)?);
/// let flight = Motion { start: Pose::IDENTITY, velocity: Vec2::new(2.0, 0.0), angular_velocity: 0.0 };
/// let rest = Motion { start: Pose::new(3.0, 0.0, 0.0), velocity: Vec2::zeros(), angular_velocity: 0.0 };
/// let within = Approach { duration: 2.0, ..Approach::default() };
/// let found = time_of_impact((&ball, &flight), (&wall, &rest), &within, &mut Vec::new())?;
/// assert!(matches!(found, Impact::At { time, .. } if (time - 1.2).abs() < 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// How long the motion is followed (time, ≥ 0). Default 1.
    pub duration: f64,
    /// The gap at which the shapes have met (length, ≥ 0). Default 0.
    pub target: f64,
    /// How much larger the gap at the answer may be (length, > 0). Default 1e-9.
    pub tolerance: f64,
}

impl Default for Approach {
    fn default() -> Self {
        Self { duration: 1.0, target: 0.0, tolerance: TOLERANCE }
    }
}

impl Approach {
    /// # Errors
    /// [`QueryError::Approach`].
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        let Self { duration, target, tolerance } = *self;
        let faults = [
            ("duration", duration, duration >= 0.0, "at least 0"),
            ("target", target, target >= 0.0, "at least 0"),
            ("tolerance", tolerance, tolerance > 0.0, "above 0"),
        ];
        match faults.into_iter().find(|(_, value, sound, _)| !(*sound && value.is_finite())) {
            Some((field, value, _, allowed)) => Err(QueryError::Approach { field, value, allowed }),
            None => Ok(()),
        }
    }
}

/// When two shapes first come within the target of an [`Approach`] of each other, found to its tolerance. `proof` is filled
/// with the intervals during which they are certainly further apart than the target.
///
/// # Errors
/// Those of [`distance`]; [`QueryError::Unbounded`] for a turning half plane, whose points have any speed;
/// [`QueryError::Approach`].
pub fn time_of_impact(
    (a, motion_a): (&Shape, &Motion),
    (b, motion_b): (&Shape, &Motion),
    within: &Approach,
    proof: &mut Vec<SeparationBound>,
) -> Result<Impact, QueryError> {
    within.check()?;
    let Approach { duration, target, tolerance } = *within;
    proof.clear();
    let turning = swing(a, motion_a)? + swing(b, motion_b)?;
    // Half the tolerance is kept against rounding, and makes each advance one of at least that length.
    let aim = target + 0.5 * tolerance;
    let mut from = 0.0;
    for _ in 0..MAX_ADVANCES {
        let gap = distance(a, &motion_a.at(from), b, &motion_b.at(from))?;
        if gap.distance <= target + tolerance {
            return Ok(Impact::At { time: from, distance: gap.distance, normal: gap.normal });
        }
        let rate = turning - gap.normal.dot(&(motion_a.velocity - motion_b.velocity));
        if !rate.is_finite() {
            return Err(QueryError::Range);
        }
        let safe = if rate > 0.0 { from + (gap.distance - aim) / rate } else { duration };
        let to = safe.min(duration);
        proof.push(SeparationBound { from, to, normal: gap.normal, distance: gap.distance, rate });
        if to >= duration {
            return Ok(Impact::Clear);
        }
        if to == from {
            break;
        }
        from = to;
    }
    Ok(Impact::Unfinished { time: from })
}

/// Largest speed of a point of the shape relative to its frame's origin.
fn swing(shape: &Shape, motion: &Motion) -> Result<f64, QueryError> {
    if motion.angular_velocity == 0.0 {
        return Ok(0.0);
    }
    if shape.is_unbounded() {
        return Err(QueryError::Unbounded);
    }
    Ok(motion.angular_velocity.abs() * shape.reach())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving(x: f64, y: f64, vx: f64, vy: f64, w: f64) -> Motion {
        Motion { start: Pose::new(x, y, 0.3), velocity: Vec2::new(vx, vy), angular_velocity: w }
    }

    fn within(duration: f64, target: f64, tolerance: f64) -> Approach {
        Approach { duration, target, tolerance }
    }

    #[test]
    fn what_is_looked_for_makes_sense() {
        let disc = Shape::circle(1.0).unwrap();
        let fall = moving(0.0, 5.0, 0.0, -1.0, 0.0);
        for (bad, name) in [
            (within(-1.0, 0.0, 1e-9), "duration"),
            (within(1.0, f64::NAN, 1e-9), "target"),
            (within(1e-9, 0.0, 0.0), "tolerance"),
        ] {
            let found = time_of_impact((&disc, &fall), (&disc, &fall), &bad, &mut Vec::new());
            assert!(matches!(found, Err(QueryError::Approach { field, .. }) if field == name), "{found:?}");
        }
    }

    /// The bounds cover `[0, end]` and each holds where it is sampled.
    fn check_proof(a: (&Shape, &Motion), b: (&Shape, &Motion), proof: &[SeparationBound], end: f64) {
        let mut covered = 0.0;
        for bound in proof {
            assert_eq!(bound.from, covered);
            covered = bound.to;
            for k in 0..=8 {
                let t = bound.from + (bound.to - bound.from) * f64::from(k) / 8.0;
                let gap = distance(a.0, &a.1.at(t), b.0, &b.1.at(t)).unwrap();
                assert!(gap.distance >= bound.distance - bound.rate * (t - bound.from) - 1e-9);
            }
        }
        assert_eq!(covered, end);
    }

    #[test]
    fn bullets_of_a_kilometre_a_second_do_not_pass_walls_of_a_centimetre() {
        let wall = Shape::rectangle(0.005, 1.0).unwrap();
        let bullets = [
            Shape::circle(0.004).unwrap(),
            Shape::rectangle(0.01, 0.002).unwrap(),
            Shape::ellipse(0.01, 0.004).unwrap(),
        ];
        let mut proof = Vec::new();
        for bullet in &bullets {
            for k in 0..50 {
                let start = -3.0 - 0.21 * f64::from(k);
                let flight = moving(start, 0.01 * f64::from(k), 1000.0, 0.0, 40.0 * f64::from(k % 5));
                let stand = Motion { start: Pose::IDENTITY, velocity: Vec2::zeros(), angular_velocity: 0.0 };
                let (a, b) = ((bullet, &flight), (&wall, &stand));
                let found = time_of_impact(a, b, &within(1.0 / 60.0, 0.0, 1e-6), &mut proof).unwrap();
                let Impact::At { time, distance, .. } = found else { panic!("{bullet}: {found:?}") };
                assert!((0.0..=1e-6).contains(&distance));
                let nose = (-0.005 - start) / 1000.0;
                assert!(time < nose && time > nose - 0.012 / 1000.0);
                check_proof(a, b, &proof, time);
            }
        }
    }

    #[test]
    fn spinning_shapes_that_miss_are_proved_to_miss() {
        let (plank, disc) = (Shape::rectangle(1.0, 0.05).unwrap(), Shape::circle(0.2).unwrap());
        let spin = moving(0.0, 0.0, 0.0, 0.0, 9.0);
        let pass = moving(-5.0, 1.3, 10.0, 0.0, 0.0);
        let mut proof = Vec::new();
        let (a, b) = ((&plank, &spin), (&disc, &pass));
        assert_eq!(time_of_impact(a, b, &within(1.0, 0.0, 1e-9), &mut proof), Ok(Impact::Clear));
        check_proof(a, b, &proof, 1.0);
        // A target gap is kept as well.
        let found = time_of_impact(a, b, &within(1.0, 0.5, 1e-9), &mut proof).unwrap();
        let Impact::At { distance, .. } = found else { panic!("{found:?}") };
        assert!((0.5..=0.5 + 1e-9).contains(&distance));
        check_proof(a, b, &proof, proof.last().unwrap().to);
    }

    #[test]
    fn a_turning_half_plane_has_no_bound() {
        let (plane, disc) = (Shape::half_plane(), Shape::circle(1.0).unwrap());
        let (turn, fall) = (moving(0.0, 0.0, 0.0, 0.0, 1.0), moving(0.0, 5.0, 0.0, -1.0, 0.0));
        let result = time_of_impact((&plane, &turn), (&disc, &fall), &Approach::default(), &mut Vec::new());
        assert_eq!(result, Err(QueryError::Unbounded));
    }
}
