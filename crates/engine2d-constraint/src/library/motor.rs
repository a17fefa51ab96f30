//! Motors: a relative speed or place, kept as long as a limit of force allows; and brakes, which keep still.

use super::measure::{Measure, of_measure};
use super::prescribed::{Shared, Trajectory};
use crate::body::BodyId;
use crate::constraint::{BadValue, Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use engine2d_math::Vec2;

/// What a motor does as far as its force allows.
#[derive(Clone, Debug)]
enum Demand {
    Speed(f64),
    Place(f64),
    Trajectory(Shared),
}

/// What a motor of constant speed is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedDrive {
    /// The rate of the measure it keeps (length/time, or radians/time for an angle).
    pub speed: f64,
    /// The largest force (or torque, for an angle) it has, either way (≥ 0).
    pub limit: f64,
}

/// What a position servo is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Servo {
    /// The value it moves the measure to (length, or radians for an angle).
    pub place: f64,
    /// Speed per deviation (1/time, ≥ 0).
    pub gain: f64,
    /// The largest force (or torque, for an angle) it has, either way (≥ 0).
    pub limit: f64,
}

/// What a servo after a moving place is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracking {
    /// Speed per deviation (1/time, ≥ 0).
    pub gain: f64,
    /// The largest force (or torque, for an angle) it has, either way (≥ 0).
    pub limit: f64,
}

/// Drives a measure with a force (or torque) of at most `limit` either way: at a speed, or towards a place.
///
/// A place `x*` is approached at the rate `v = ẋ* + gain (x* − x)`, no faster than the top speed beyond that of the
/// target: the deviation falls off as `exp(−gain t)` while the force suffices.
///
/// ```
/// use engine2d_constraint::{BodyId, Mass, Measure, Mechanism, Motor, Pose, Servo};
///
/// let mut m = Mechanism::new();
/// let arm = m.add_body(Mass::new(1.0, 0.5), Pose::new(0.0, 0.0, 0.2))?;
/// let servo = m.add(Motor::servo(Measure::angle(arm, BodyId::GROUND), Servo { place: 0.5, gain: 10.0, limit: 40.0 }))?;
/// m.set_velocities(&[0.0, 0.0, 3.0])?; // what the servo asks for: 10 · (0.5 − 0.2)
/// let answer = m.solve_accelerations()?;
/// assert!((answer.acceleration(arm)?[2] + 10.0 * 3.0).abs() < 1e-12);
/// assert!((m.multipliers(servo, &answer)?[0] + 15.0).abs() < 1e-12);
/// # Ok::<(), engine2d_constraint::MechanismError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Motor {
    measure: Measure,
    demand: Demand,
    gain: f64,
    top_speed: f64,
    limit: f64,
}

impl Motor {
    /// Keeps the rate of a measure at a speed as far as the limit of force or torque allows: a velocity servo.
    #[must_use]
    pub fn new(measure: impl Into<Measure>, drive: SpeedDrive) -> Self {
        let SpeedDrive { speed, limit } = drive;
        let (measure, demand) = (measure.into(), Demand::Speed(speed));
        Self { measure, demand, gain: 0.0, top_speed: f64::INFINITY, limit }
    }

    /// Turns `body_1` against `body_2`.
    #[must_use]
    pub fn rotary(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, drive: SpeedDrive) -> Self {
        Self::new(Measure::angle(body_1, body_2), drive)
    }

    /// Drives `point` of `body_1` along the unit `axis` of `body_2`.
    #[must_use]
    pub fn linear(
        body_1: impl Into<BodyId>,
        point: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        axis: impl Into<Vec2>,
        drive: SpeedDrive,
    ) -> Self {
        Self::new(Measure::travel((body_1, point), (body_2, Vec2::zeros()), axis), drive)
    }

    /// Moves a measure to a place: a position servo.
    #[must_use]
    pub fn servo(measure: impl Into<Measure>, servo: Servo) -> Self {
        let Servo { place, gain, limit } = servo;
        Self { demand: Demand::Place(place), gain, ..Self::new(measure, SpeedDrive { speed: 0.0, limit }) }
    }

    /// As [`servo`](Self::servo) after a moving place.
    #[must_use]
    pub fn following(
        measure: impl Into<Measure>,
        trajectory: impl Trajectory + 'static,
        tracking: Tracking,
    ) -> Self {
        let Tracking { gain, limit } = tracking;
        let demand = Demand::Trajectory(Shared::new(trajectory));
        Self { demand, ..Self::servo(measure, Servo { place: 0.0, gain, limit }) }
    }

    /// Dry friction of a joint: it holds a measure still up to the force or torque `limit` (≥ 0), and resists its motion
    /// with that much.
    #[doc(alias = "friction")]
    #[must_use]
    pub fn brake(measure: impl Into<Measure>, limit: f64) -> Self {
        Self::new(measure, SpeedDrive { speed: 0.0, limit })
    }

    /// Sets the largest speed (≥ 0) at which a servo approaches its target; without limit by default.
    #[must_use]
    pub fn with_top_speed(mut self, top_speed: f64) -> Self {
        self.top_speed = top_speed;
        self
    }

    /// Changes the speed; a servo becomes a motor of that speed.
    pub fn set_speed(&mut self, speed: f64) {
        self.demand = Demand::Speed(speed);
    }

    /// Changes the place that a servo moves to.
    pub fn set_place(&mut self, place: f64) {
        self.demand = Demand::Place(place);
    }

    /// Changes the largest force or torque.
    pub fn set_limit(&mut self, limit: f64) {
        self.limit = limit;
    }

    /// Speed and acceleration asked for where the measure has that value and rate.
    fn demanded(&self, value: f64, rate: f64, time: f64) -> [f64; 2] {
        let [place, speed, acceleration] = match &self.demand {
            Demand::Speed(speed) => return [*speed, 0.0],
            Demand::Place(place) => [*place, 0.0, 0.0],
            Demand::Trajectory(trajectory) => trajectory.at(time),
        };
        let approach = self.gain * (place - value);
        if approach.abs() < self.top_speed {
            [speed + approach, acceleration + self.gain * (speed - rate)]
        } else {
            [speed + self.top_speed.copysign(approach), acceleration]
        }
    }
}

impl Constraint for Motor {
    of_measure!(|me| if matches!(me.demand, Demand::Speed(_)) { "motor" } else { "servo" });

    fn check(&self) -> Result<(), BadValue> {
        for (what, value) in [("limit", self.limit), ("top speed", self.top_speed), ("gain", self.gain)] {
            if !(value >= 0.0) || (what == "gain" && value.is_infinite()) {
                return Err(BadValue { what, value, allowed: "must be ≥ 0, a gain finite" });
            }
        }
        self.measure.check()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let measured = self.measure.at(motions);
        let rate = crate::row::rate(&measured.row, motions);
        let demand = self.demanded(measured.value, rate, motions.time());
        let kind = RowKind::Boxed { lo: -self.limit, hi: self.limit };
        out.push(measured.driven(demand, motions).with_kind(kind));
    }
}
