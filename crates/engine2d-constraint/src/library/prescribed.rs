//! Prescribed motion: a measure, its rate or its acceleration held at a value, or led along a trajectory.

use super::measure::{Measure, of_measure};
use crate::body::BodyId;
use crate::constraint::{BadValue, Constraint, Stroke};
use crate::equation::{Equation, Level};
use crate::motion::Motions;
use engine2d_math::Vec2;
use std::fmt;
use std::sync::Arc;

/// A function of time with its two derivatives. Any `Fn(f64) -> [f64; 3]` that threads may share is one.
pub trait Trajectory: Send + Sync {
    /// Value, rate and acceleration at a time; finite.
    fn at(&self, time: f64) -> [f64; 3];
}

impl<F: Fn(f64) -> [f64; 3] + Send + Sync> Trajectory for F {
    fn at(&self, time: f64) -> [f64; 3] {
        self(time)
    }
}

/// A trajectory that constraints share.
#[derive(Clone)]
pub(super) struct Shared(Arc<dyn Trajectory>);

impl Shared {
    pub(super) fn new(trajectory: impl Trajectory + 'static) -> Self {
        Self(Arc::new(trajectory))
    }

    pub(super) fn at(&self, time: f64) -> [f64; 3] {
        self.0.at(time)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("trajectory")
    }
}

/// What a measure is led by.
#[derive(Clone, Debug)]
enum Target {
    Position(f64),
    Speed(f64),
    Acceleration(f64),
    Trajectory(Shared),
}

/// The motion of a body against another, or of a coordinate, prescribed: whatever force it takes.
///
/// ```
/// use engine2d_constraint::{Mass, Measure, Mechanism, Pose, Prescribed, Revolute};
///
/// // The forearm swings against the upper arm as 0.3 sin(2 t).
/// let mut m = Mechanism::new();
/// let upper = m.add_body(Mass::new(2.0, 0.1), Pose::IDENTITY)?;
/// let fore = m.add_body(Mass::new(1.0, 0.05), Pose::IDENTITY)?;
/// m.add(Revolute::to_ground(upper, [0.0, 0.0]))?;
/// m.add(Revolute::new(fore, [-0.5, 0.0], upper, [0.5, 0.0]))?;
/// let swing = |t: f64| [0.3 * (2.0 * t).sin(), 0.6 * (2.0 * t).cos(), -1.2 * (2.0 * t).sin()];
/// let elbow = m.add(Prescribed::trajectory(Measure::angle(fore, upper), swing))?;
/// m.set_time(0.4)?;
/// m.assemble()?;
/// let answer = m.solve_accelerations()?;
/// let [a, b] = [answer.acceleration(upper)?[2], answer.acceleration(fore)?[2]];
/// assert!((b - a - swing(0.4)[2]).abs() < 1e-12);
/// println!("torque at the elbow: {}", m.multipliers(elbow, &answer)?[0]);
/// # Ok::<(), engine2d_constraint::MechanismError>(())
/// ```
#[doc(alias = "ConstantCoordinate")]
#[doc(alias = "ConstantSpeed")]
#[doc(alias = "ConstantAcceleration")]
#[derive(Clone, Debug)]
pub struct Prescribed {
    measure: Measure,
    target: Target,
}

impl Prescribed {
    /// Holds a measure, or a coordinate of a body as `(body, Coordinate::X)`, at `value`.
    #[must_use]
    pub fn position(measure: impl Into<Measure>, value: f64) -> Self {
        Self { measure: measure.into(), target: Target::Position(value) }
    }

    /// Holds the rate of a measure at `value`: a motor without limit.
    #[must_use]
    pub fn speed(measure: impl Into<Measure>, value: f64) -> Self {
        Self { measure: measure.into(), target: Target::Speed(value) }
    }

    /// Holds the second derivative of a measure at `value`.
    #[must_use]
    pub fn acceleration(measure: impl Into<Measure>, value: f64) -> Self {
        Self { measure: measure.into(), target: Target::Acceleration(value) }
    }

    /// Leads a measure along a trajectory, in position, rate and acceleration, by the time of the
    /// [`Motions`](crate::Motions).
    #[must_use]
    pub fn trajectory(measure: impl Into<Measure>, trajectory: impl Trajectory + 'static) -> Self {
        Self { measure: measure.into(), target: Target::Trajectory(Shared::new(trajectory)) }
    }

    /// What it holds or leads.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// Changes the value held; a trajectory becomes that position.
    pub fn set_value(&mut self, value: f64) {
        self.target = match self.target {
            Target::Position(_) | Target::Trajectory(_) => Target::Position(value),
            Target::Speed(_) => Target::Speed(value),
            Target::Acceleration(_) => Target::Acceleration(value),
        };
    }
}

impl Constraint for Prescribed {
    of_measure!(|me| match me.target {
        Target::Position(_) => "prescribed position",
        Target::Speed(_) => "prescribed speed",
        Target::Acceleration(_) => "prescribed acceleration",
        Target::Trajectory(_) => "prescribed trajectory",
    });

    fn check(&self) -> Result<(), BadValue> {
        self.measure.check()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let measured = self.measure.at(motions);
        out.push(match &self.target {
            Target::Position(value) => measured.held([*value, 0.0, 0.0], motions),
            Target::Speed(value) => measured.driven([*value, 0.0], motions),
            Target::Acceleration(value) => {
                let e = measured.driven([0.0, *value], motions);
                Equation { level: Level::Acceleration, velocity_error: 0.0, ..e }
            }
            Target::Trajectory(trajectory) => measured.held(trajectory.at(motions.time()), motions),
        });
    }
}
