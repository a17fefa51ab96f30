//! Prescribed motion of bodies.

use crate::point::{Point, is_default};
use engine2d_math::trig;
use engine2d_sim::Led;
use schemars::JsonSchema;
use serde::Serialize;
use std::f64::consts::TAU;

/// A prescribed motion of a body, from where it starts: nothing that pushes it changes it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Moving {
    /// With constant velocities.
    Steady {
        /// Velocity of the centre of mass (length/time). Default `[0, 0]`.
        #[serde(default, skip_serializing_if = "is_default")]
        velocity: Point,
        /// Angular velocity (radians/time, counter-clockwise). Default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        angular_velocity: f64,
    },
    /// To and fro as a sine: `amplitude · (sin(2π t / period + phase) − sin phase)` from the start.
    Oscillation {
        /// Amplitude of the centre of mass (length). Default `[0, 0]`.
        #[serde(default, skip_serializing_if = "is_default")]
        amplitude: Point,
        /// Amplitude of the angle (radians). Default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        turn: f64,
        /// Time of one oscillation (time, > 0).
        period: f64,
        /// Where in the oscillation it starts (radians). Default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        phase: f64,
    },
    /// From stop to stop, without a jolt: velocity and acceleration are zero at each.
    Stops {
        /// The stops in order of their times, at least one; the start is one at time 0.
        stops: Vec<Stop>,
        /// Begin anew after the last stop, which must then be where the body started. Default false: it stays there.
        #[serde(default, skip_serializing_if = "is_default")]
        again: bool,
    },
}

/// A stop of a body that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Time since the start of the scene (time, > 0, later than the stop before).
    pub time: f64,
    /// How far from its start the centre of mass is (length). Default `[0, 0]`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: Point,
    /// How far from its start it is turned (radians). Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn: f64,
}

impl Stop {
    fn place(&self) -> [f64; 3] {
        [self.by[0], self.by[1], self.turn]
    }
}

impl Moving {
    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &["steady", "oscillation", "stops"];

    /// Displacement of x, y and angle at a time since the start, each with rate and acceleration.
    pub(crate) fn displacement(&self, time: f64) -> Led {
        match self {
            Self::Steady { velocity: [x, y], angular_velocity } => {
                [*x, *y, *angular_velocity].map(|v| [v * time, v, 0.0])
            }
            Self::Oscillation { amplitude: [x, y], turn, period, phase } => {
                let rate = TAU / period;
                let ((sin, cos), from) = (trig::sin_cos(rate * time + phase), trig::sin_cos(*phase).0);
                [*x, *y, *turn].map(|a| [a * (sin - from), a * rate * cos, -a * rate * rate * sin])
            }
            Self::Stops { stops, again } => {
                let last = stops.last().map_or(0.0, |stop| stop.time);
                let time = if *again && last > 0.0 { time.rem_euclid(last) } else { time };
                let next = stops.partition_point(|stop| stop.time <= time);
                let rest = |place: [f64; 3]| place.map(|at| [at, 0.0, 0.0]);
                let Some(to) = stops.get(next) else {
                    return rest(stops.last().map_or([0.0; 3], Stop::place));
                };
                let start = Stop { time: 0.0, by: [0.0; 2], turn: 0.0 };
                let from = if next == 0 { &start } else { &stops[next - 1] };
                between(from, to, time)
            }
        }
    }
}

/// The smoothest way between two rests: the polynomial of degree five.
fn between(from: &Stop, to: &Stop, time: f64) -> Led {
    let (a, b, span) = (from.place(), to.place(), to.time - from.time);
    let u = (time - from.time) / span;
    let part = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    let rate = 30.0 * u * u * (1.0 - u) * (1.0 - u) / span;
    let bend = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (span * span);
    [0, 1, 2].map(|k| {
        let way = b[k] - a[k];
        [a[k] + way * part, way * rate, way * bend]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_way() {
        let stops = vec![
            Stop { time: 1.0, by: [2.0, 0.5], turn: 0.3 },
            Stop { time: 3.0, by: [2.0, -1.0], turn: 0.0 },
            Stop { time: 4.0, by: [0.0, 0.0], turn: 0.0 },
        ];
        let ways = [
            Moving::Steady { velocity: [1.0, -2.0], angular_velocity: 0.5 },
            Moving::Oscillation { amplitude: [1.0, 0.3], turn: 0.2, period: 1.7, phase: 0.4 },
            Moving::Stops { stops: stops.clone(), again: false },
            Moving::Stops { stops, again: true },
        ];
        for way in &ways {
            assert!(way.displacement(0.0).iter().all(|of| of[0].abs() < 1e-15), "{way:?} starts where it is");
            for k in 0..60 {
                let (t, h) = (0.1 * f64::from(k) + 0.037, 1e-4);
                let [before, now, after] = [t - h, t, t + h].map(|t| way.displacement(t));
                for ((b, n), a) in before.iter().zip(now).zip(after) {
                    assert!(((a[0] - b[0]) / (2.0 * h) - n[1]).abs() < 1e-5, "{way:?} at {t}");
                    assert!(((a[1] - b[1]) / (2.0 * h) - n[2]).abs() < 1e-5, "{way:?} at {t}");
                }
            }
        }
    }

    #[test]
    fn stops_are_rests() {
        let stops = vec![Stop { time: 2.0, by: [3.0, 0.0], turn: 1.0 }];
        let way = Moving::Stops { stops, again: false };
        for t in [2.0, 5.0] {
            assert_eq!(way.displacement(t), [[3.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0]]);
        }
    }
}
