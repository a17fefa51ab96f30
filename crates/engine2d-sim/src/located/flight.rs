//! A disc in free flight under a constant force: its motion in closed form, and when it meets another disc.
//!
//! The motion is told from the last event on, not from step to step: where steps end leaves no trace in it.

use super::way::distance_of_segment;
use crate::state::{PER_BODY, State, place};
use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// How far a disc goes before it looks around again, in its radii: farther there are more to look at, nearer there are more looks.
const ROAM: f64 = 9.0;

/// Longest step (time): of what moves slowly.
const LONGEST: f64 = 1.0;

/// A disc in flight; whoever looks at it reads two lines of memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[repr(align(64))]
pub(super) struct Flight {
    /// Time of the last event.
    /// By it others see whether what they know of it is over.
    since: f64,
    position: Vec2,
    velocity: Vec2,
    acceleration: Vec2,
    angle: f64,
    angular_velocity: f64,
    radius: f64,
    /// Where its step begins and ends.
    pub(super) from: f64,
    pub(super) until: f64,
    /// What happens at its end.
    pub(super) meets: Option<Meeting>,
}

/// A meeting at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Meeting {
    pub(super) other: u32,
    /// Time of the last event of the other one when this was found.
    pub(super) since: f64,
    pub(super) place: MeetingPlace,
}

/// What of the other body is met.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MeetingPlace {
    /// It is a disc.
    Disc,
    /// An edge of it.
    Side(u32),
    /// A vertex of it.
    Corner(u32),
}

/// How another disc in flight passes one, from the beginning of its step on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    /// Place and velocity of the one against the other.
    between: Vec2,
    velocity: Vec2,
    /// Sum of the radii.
    reach: f64,
    /// Time of the last event of the other one.
    pub(super) since: f64,
    /// When the first of the two steps ends.
    until: f64,
    /// Where one of them is bent against the other: its place then, and how far it strays from a straight way.
    bent: Option<(Vec2, f64)>,
}

/// What is known of a meeting of two bodies in a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Foreseen {
    Never,
    At(f64, MeetingPlace),
    /// They may meet, at a time that has no closed form here.
    Perhaps,
}

impl Flight {
    /// The flight of a disc from where it is.
    pub(super) fn begin(body: &CollisionBody, time: f64, acceleration: Vec2) -> Self {
        let radius = body.shape.disc().map_or(0.0, |(_, radius)| radius);
        let (position, angle) = (body.pose.position(), body.pose.angle());
        let (velocity, angular_velocity) = (body.velocity, body.angular_velocity);
        Self {
            since: time,
            position,
            velocity,
            acceleration,
            angle,
            angular_velocity,
            radius,
            from: time,
            until: time,
            meets: None,
        }
    }

    /// Goes on from another place with another velocity: what an event does.
    pub(super) fn turn(&mut self, body: &CollisionBody, time: f64) {
        *self = Self::begin(body, time, self.acceleration);
    }

    /// Whether it can be in a file: all numbers are finite and in order.
    pub(super) fn is_sound(&self) -> bool {
        let [p, v, a] = [self.position, self.velocity, self.acceleration];
        let own = [self.since, self.from, self.until, self.angle, self.angular_velocity, self.radius];
        own.into_iter().chain([p.x, p.y, v.x, v.y, a.x, a.y]).all(f64::is_finite)
            && self.since <= self.from
            && self.from <= self.until
    }

    /// Time of its last event.
    pub(super) fn since(&self) -> f64 {
        self.since
    }

    /// Whether it has flown since its last event.
    pub(super) fn has_flown(&self) -> bool {
        self.until > self.since
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn acceleration(&self) -> Vec2 {
        self.acceleration
    }

    /// Where its centre is at a time.
    pub(super) fn at(&self, time: f64) -> Vec2 {
        let t = time - self.since;
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// Its velocity at a time.
    pub(super) fn velocity_at(&self, time: f64) -> Vec2 {
        self.velocity + self.acceleration * (time - self.since)
    }

    /// Its variables in the state vector at a time.
    fn variables(&self, time: f64) -> [f64; PER_BODY] {
        let (p, v) = (self.at(time), self.velocity_at(time));
        let angle = self.angle + self.angular_velocity * (time - self.since);
        [p.x, v.x, p.y, v.y, angle, self.angular_velocity]
    }

    /// Moves its body to where it is at a time.
    pub(super) fn show(&self, body: u32, time: f64, state: &mut State) {
        place(&mut state.bodies[body as usize], &self.variables(time));
    }

    /// Begins the next step, as long as it may be.
    pub(super) fn set_out(&mut self) {
        self.from = self.until;
        let (speed, pull) = (self.velocity_at(self.from).norm(), self.acceleration.norm());
        let way = ROAM * self.radius;
        // speed t + pull t²/2 = way
        let root = (speed * speed + 2.0 * pull * way).sqrt();
        let length = if speed + root > 0.0 { (2.0 * way / (speed + root)).min(LONGEST) } else { LONGEST };
        self.until = self.from + length;
    }

    /// Where its outline goes in its step.
    pub(super) fn bounds(&self) -> Bounds {
        let (a, b) = (self.at(self.from), self.at(self.until));
        let ways = Bounds { min: a, max: a }.union(&Bounds { min: b, max: b });
        ways.inflated(self.radius + self.bend(self.from, self.until))
    }

    /// How far its way strays from a straight one between two times.
    fn bend(&self, from: f64, until: f64) -> f64 {
        self.acceleration.norm() * (until - from) * (until - from) / 8.0
    }

    /// Gap to another disc in flight at a time.
    pub(super) fn gap(&self, other: &Self, time: f64) -> f64 {
        (self.at(time) - other.at(time)).norm() - (self.radius + other.radius)
    }

    /// How another disc in flight passes it.
    pub(super) fn passage(&self, other: &Self) -> Passage {
        let (from, until) = (self.from, self.until.min(other.until));
        let bent = (self.acceleration != other.acceleration).then(|| {
            let bend = self.bend(from, until) + other.bend(from, until);
            (self.at(until) - other.at(until), bend)
        });
        Passage {
            between: self.at(from) - other.at(from),
            velocity: self.velocity_at(from) - other.velocity_at(from),
            reach: self.radius + other.radius,
            since: other.since,
            until,
            bent,
        }
    }

    /// When it meets another disc in flight while both are in their steps; discs deeper in each other than `touch` were placed so.
    pub(super) fn meeting(&self, other: &Passage, touch: f64) -> Foreseen {
        let &Passage { between, velocity, reach, until, bent, .. } = other;
        if let Some((end, bend)) = bent {
            let near = distance_of_segment(between, end) <= reach + bend + touch;
            return if near { Foreseen::Perhaps } else { Foreseen::Never };
        }
        match meeting_of_circles(between, velocity, reach, touch) {
            Passing::Apart => Foreseen::Never,
            Passing::Within => Foreseen::Perhaps,
            Passing::Meeting(after) if self.from + after > until => Foreseen::Never,
            Passing::Meeting(after) => Foreseen::At(self.from + after, MeetingPlace::Disc),
        }
    }

    /// When it meets a circle at rest in its step.
    pub(super) fn meeting_with_circle(
        &self,
        (center, radius): (Vec2, f64),
        until: f64,
        touch: f64,
        place: MeetingPlace,
    ) -> Foreseen {
        let between = self.at(self.from) - center;
        let reach = self.radius + radius;
        if self.acceleration != Vec2::zeros() {
            let near = distance_of_segment(between, self.at(until) - center);
            let near = near <= reach + self.bend(self.from, until) + touch;
            return if near { Foreseen::Perhaps } else { Foreseen::Never };
        }
        match meeting_of_circles(between, self.velocity, reach, touch) {
            Passing::Apart => Foreseen::Never,
            Passing::Within => Foreseen::Perhaps,
            Passing::Meeting(after) if self.from + after > until => Foreseen::Never,
            Passing::Meeting(after) => Foreseen::At(self.from + after, place),
        }
    }
}

/// How two circles pass each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Passing {
    /// They do not meet.
    Apart,
    /// They overlap.
    Within,
    /// They meet after a time.
    Meeting(f64),
}

/// When two circles meet whose centres are `between` apart and move by `velocity` against each other.
fn meeting_of_circles(between: Vec2, velocity: Vec2, reach: f64, touch: f64) -> Passing {
    let distance = between.norm();
    let gap = distance - reach;
    if gap < -touch {
        return Passing::Within;
    }
    let approach = -between.dot(&velocity);
    if approach <= 0.0 {
        return Passing::Apart;
    }
    // |between|² − reach², without the loss of digits.
    let apart = (gap * (distance + reach)).max(0.0);
    let chord = approach * approach - velocity.norm_squared() * apart;
    if chord < 0.0 {
        return Passing::Apart;
    }
    let after = apart / (approach + chord.sqrt());
    // Once more by Newton's method: the root loses digits where they graze.
    let then = between + velocity * after;
    let rate = then.dot(&velocity) / then.norm();
    let correction = if rate < 0.0 { (then.norm() - reach) / rate } else { 0.0 };
    Passing::Meeting(if correction.abs() < after { after - correction } else { after })
}

/// The first time at which `gap + rate t + acceleration t²/2` falls through zero; a gap that is none and falls does so at once.
pub(super) fn falls_to_zero(gap: f64, rate: f64, acceleration: f64) -> Option<f64> {
    let gap = gap.max(0.0);
    let squared = rate * rate - 2.0 * acceleration * gap;
    if rate < 0.0 {
        return (squared >= 0.0).then(|| 2.0 * gap / (squared.sqrt() - rate));
    }
    (acceleration < 0.0).then(|| (rate + squared.sqrt()) / -acceleration)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use std::sync::Arc;

    /// A disc of radius 0.5 that flies for a second at most.
    pub(in crate::located) fn disc([x, y]: [f64; 2], [u, v]: [f64; 2], pull: f64) -> Flight {
        let mut body = CollisionBody::new(Arc::new(PathShape::ball(0.5).expect("a ball")));
        body.translate(Vec2::new(x, y));
        body.velocity = Vec2::new(u, v);
        let mut flight = Flight::begin(&body, 0.0, Vec2::new(0.0, -pull));
        flight.set_out();
        flight
    }

    #[test]
    fn discs_meet_where_their_distance_is_the_sum_of_their_radii() {
        for (k, pull) in [(0, 0.0), (1, 9.81), (2, 9.81), (3, 0.0)] {
            let aside = 0.3 * f64::from(k);
            let a = disc([-1.5, aside], [3.0, 0.0], pull);
            let b = disc([1.5, 0.0], [-1.0, 0.1], pull);
            let Foreseen::At(time, MeetingPlace::Disc) = a.meeting(&a.passage(&b), 1e-10) else {
                panic!("{k}: none")
            };
            assert!(time > 0.4 && a.gap(&b, time).abs() < 1e-15, "{k}: {:e} at {time}", a.gap(&b, time));
            assert!(a.gap(&b, time - 1e-3) > 0.0);
        }
        let [a, b] = [disc([-1.5, 1.2], [3.0, 0.0], 0.0), disc([1.5, 0.0], [-1.0, 0.0], 0.0)];
        assert_eq!(a.meeting(&a.passage(&b), 1e-10), Foreseen::Never, "past each other");
        let after = disc([-5.0, 0.0], [3.0, 0.0], 0.0);
        assert_eq!(after.meeting(&after.passage(&b), 1e-10), Foreseen::Never, "after the steps");
        let within = disc([1.0, 0.0], [0.0, 0.0], 0.0);
        assert_eq!(within.meeting(&within.passage(&b), 1e-10), Foreseen::Perhaps, "overlap");
        let falling = disc([-1.5, 0.0], [3.0, 0.0], 1.0);
        assert_eq!(
            falling.meeting(&falling.passage(&b), 1e-10),
            Foreseen::Perhaps,
            "one falls and the other does not"
        );
    }

    #[test]
    fn what_has_just_met_does_not_meet_again() {
        let [a, b] = [disc([-0.5, 0.0], [-1.0, 0.0], 0.0), disc([0.5 - 1e-16, 0.0], [1.0, 0.0], 0.0)];
        assert_eq!(a.meeting(&a.passage(&b), 1e-10), Foreseen::Never);
        let [a, b] = [disc([-0.5, 0.0], [1.0, 0.0], 0.0), disc([0.5 - 1e-16, 0.0], [-1.0, 0.0], 0.0)];
        assert_eq!(
            a.meeting(&a.passage(&b), 1e-10),
            Foreseen::At(0.0, MeetingPlace::Disc),
            "unless it approaches"
        );
    }

    #[test]
    fn a_gap_falls_through_zero_once() {
        let is =
            |found: Option<f64>, time: f64| found.is_some_and(|t| (t - time).abs() < 1e-15 * time.max(1.0));
        assert!(is(falls_to_zero(2.0, -4.0, 0.0), 0.5));
        assert_eq!(falls_to_zero(2.0, 4.0, 0.0), None);
        // 3 t − 5 t² = −2: up and down again.
        assert!(is(falls_to_zero(2.0, 3.0, -10.0), 1.0));
        // 2 − 4 t + t²: the first of two zeros, and none where it turns before.
        assert!(is(falls_to_zero(2.0, -4.0, 2.0), 2.0 - 2.0_f64.sqrt()));
        assert_eq!(falls_to_zero(2.0, -1.0, 2.0), None);
        // From the floor: not at the beginning, but where it comes down.
        assert!(is(falls_to_zero(-1e-17, 5.0, -10.0), 1.0));
        assert_eq!(falls_to_zero(0.0, 0.0, -10.0), Some(0.0));
        assert_eq!(falls_to_zero(0.0, 0.0, 0.0), None);
    }

    #[test]
    fn a_box_holds_the_whole_way() {
        let thrown = disc([0.0, 0.0], [1.0, 3.0], 9.81);
        for k in 0..=20 {
            let time = thrown.until * f64::from(k) / 20.0;
            let outline = Bounds::of_circle(thrown.at(time), 0.5);
            assert!(thrown.bounds().contains(&outline), "at {time}");
        }
        let straight = disc([0.0, 0.0], [3.0, 4.0], 0.0);
        let way = (straight.at(straight.until) - straight.at(0.0)).norm();
        assert!((way - ROAM * 0.5).abs() < 1e-12, "{way}");
    }
}
