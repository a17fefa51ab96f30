//! Where a body goes in the last step of its island, for those who might meet it.

use super::flight::Flight;
use super::way::distance_of_segment;
use crate::adaptive::DormandPrince;
use crate::state::PER_BODY;
use engine2d_math::Vec2;

/// Straight pieces into which the time that two steps share is cut.
const PIECES: usize = 4;

/// How much more than the bend seen between pieces a way may deviate from them.
const BEND: f64 = 0.5;

/// The centre of mass of a body along the last step of its island.
#[derive(Clone, Copy, Debug)]
pub(super) enum Track<'a> {
    /// Of an integrator, at a place in its state vector.
    Step { integrator: &'a DormandPrince, slot: usize },
    /// In closed form.
    Flight(&'a Flight),
}

impl Track<'_> {
    fn at(&self, time: f64) -> Vec2 {
        match self {
            Self::Step { integrator, slot } => {
                let first = 1 + PER_BODY * slot;
                Vec2::new(integrator.component(first, time), integrator.component(first + 2, time))
            }
            Self::Flight(flight) => flight.at(time),
        }
    }

    /// When its step begins and ends.
    fn times(&self) -> (f64, f64) {
        match self {
            Self::Step { integrator, .. } => (integrator.last_time(), integrator.time()),
            Self::Flight(flight) => (flight.from, flight.until),
        }
    }

    /// Whether the distance of two bodies can fall to `room` in the time that both steps cover.
    pub(super) fn meets(&self, other: &Self, room: f64) -> bool {
        let ((from, until), (since, end)) = (self.times(), other.times());
        let (from, to) = (from.max(since), until.min(end));
        let apart: [Vec2; PIECES + 1] = std::array::from_fn(|k| {
            let time = from + (to - from).max(0.0) * k as f64 / PIECES as f64;
            self.at(time) - other.at(time)
        });
        let bend = apart.windows(3).map(|r| (r[0] + r[2] - r[1] * 2.0).norm()).fold(0.0, f64::max);
        let nearest = apart.windows(2).map(|r| distance_of_segment(r[0], r[1])).fold(f64::INFINITY, f64::min);
        nearest - BEND * bend <= room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that flies straight, in a state vector of one body, for a second from `start`.
    fn flight(start: f64, [x, v_x, y, v_y]: [f64; 4]) -> DormandPrince {
        let mut integrator = DormandPrince::default();
        integrator.start_with(start, &[start, x, v_x, y, v_y, 0.0, 0.0], 1.0);
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), std::fmt::Error> {
            dy.copy_from_slice(&[1.0, y[2], 0.0, y[4], 0.0, y[6], 0.0]);
            Ok(())
        };
        integrator.step(&mut rates, start + 1.0).expect("a flight");
        integrator
    }

    #[test]
    fn ways_that_cross_at_one_time_meet_and_at_different_times_do_not() {
        let along = flight(0.0, [-1.0, 4.0, 0.0, 0.0]);
        let together = flight(0.0, [0.0, 0.0, -1.0, 4.0]);
        let later = flight(0.0, [0.0, 0.0, -3.0, 4.0]);
        let after = flight(0.6, [0.0, 0.0, -0.1, 4.0]);
        let track = |integrator| Track::Step { integrator, slot: 0 };
        assert!(track(&along).meets(&track(&together), 0.1));
        assert!(!track(&along).meets(&track(&later), 0.1), "0.5 s too late");
        assert!(!track(&along).meets(&track(&after), 0.1), "gone when it comes");
        assert!(track(&along).meets(&track(&later), 1.5));
    }
}
