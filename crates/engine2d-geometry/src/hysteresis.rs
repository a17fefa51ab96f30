//! Contact bookkeeping with hysteresis: which pairs are in contact between events, and the two
//! zero-crossing functions that announce the next event.
//!
//! A pair is in contact from an event at which its distance is below `−z_eps` until an event at which it
//! is not. Between events the flag is held, and distances of separated pairs are raised by `2 z_eps`: right
//! after an event every distance is at least `z_eps` away from zero, so that a restarted integrator never
//! meets the event again. Contact starts when the plain distance falls to `−2 z_eps` and ends when it rises
//! to 0.

use engine2d_math::order::Order;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Default half width of the hysteresis (length).
pub const Z_EPS: f64 = 1e-8;

/// Number of a pair of shapes, the same in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId(pub u64);

impl PairId {
    /// The number of the pair of shapes `a` and `b`.
    #[must_use]
    pub fn of(a: u32, b: u32) -> Self {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        Self(u64::from(high) << 32 | u64::from(low))
    }

    /// The two shapes of a number made by [`of`](Self::of), in increasing order.
    #[must_use]
    pub fn shapes(self) -> (u32, u32) {
        (self.0 as u32, (self.0 >> 32) as u32)
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pair {}", self.0)
    }
}

/// What is measured of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSample {
    /// Signed distance (length), without hysteresis.
    pub distance: f64,
    /// Normal velocity (length/time), remembered when contact starts.
    pub normal_velocity: f64,
}

/// A pair in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackedContact {
    /// The pair.
    pub pair: PairId,
    /// Normal velocity when contact started; kept across events while the pair stays in contact.
    pub start_velocity: f64,
    /// Distance with hysteresis at the last evaluation: the plain distance, since the pair is in contact.
    pub distance: f64,
}

/// The zero-crossing functions: contact changes when one of them changes sign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrossingFunctions {
    /// Largest distance with hysteresis of pairs in contact; `None` without any. Rises through zero when
    /// a contact ends.
    pub z1: Option<f64>,
    /// Smallest distance with hysteresis of pairs not in contact; `None` without any. Falls through zero
    /// when a contact starts.
    pub z2: Option<f64>,
}

/// What an event changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactChange {
    /// Pairs whose contact started, in order.
    pub started: Vec<PairId>,
    /// Pairs whose contact ended, in order.
    pub ended: Vec<PairId>,
    /// Zero-crossing functions right after the event.
    pub crossing: CrossingFunctions,
}

/// Tracks which of its candidate pairs are in contact.
///
/// ```
/// use engine2d_geometry::{ContactHandler, PairId, PairSample};
///
/// let ball_on_ground = PairId::of(0, 1);
/// let mut handler = ContactHandler::new([ball_on_ground]);
/// let change = handler.on_event(|_| PairSample { distance: -3e-8, normal_velocity: -2.0 });
/// assert_eq!(change.started, [ball_on_ground]);
/// assert_eq!(handler.contacts()[0].start_velocity, -2.0);
/// // It ends at distance 0, not where it started.
/// let z = handler.crossing_functions(|_| PairSample { distance: -1e-9, normal_velocity: 1.0 });
/// assert!(z.z1.unwrap() < 0.0);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactHandler {
    z_eps: f64,
    /// Candidate pairs, sorted.
    pairs: Vec<PairId>,
    /// Pairs in contact, sorted: the dictionary.
    contacts: Vec<TrackedContact>,
    /// The dictionary before the last event.
    last_contacts: Vec<TrackedContact>,
}

impl ContactHandler {
    /// A handler of the candidate pairs, none in contact before the first event.
    #[must_use]
    pub fn new(pairs: impl IntoIterator<Item = PairId>) -> Self {
        let mut pairs: Vec<PairId> = pairs.into_iter().collect();
        pairs.order();
        pairs.dedup();
        Self { z_eps: Z_EPS, pairs, contacts: Vec::new(), last_contacts: Vec::new() }
    }

    /// Sets the half width of the hysteresis (length, ≥ 0).
    #[must_use]
    pub fn with_z_eps(mut self, z_eps: f64) -> Self {
        self.z_eps = z_eps;
        self
    }

    /// The candidate pairs in order.
    #[must_use]
    pub fn pairs(&self) -> &[PairId] {
        &self.pairs
    }

    /// The pairs in contact, in order.
    #[must_use]
    pub fn contacts(&self) -> &[TrackedContact] {
        &self.contacts
    }

    /// The contact of a pair, if it is in contact.
    #[must_use]
    pub fn contact(&self, pair: PairId) -> Option<&TrackedContact> {
        self.contacts.binary_search_by_key(&pair, |c| c.pair).ok().map(|i| &self.contacts[i])
    }

    /// Distance with hysteresis of a pair at plain distance `distance`.
    #[must_use]
    pub fn distance_with_hysteresis(&self, pair: PairId, distance: f64) -> f64 {
        if self.contact(pair).is_some() { distance } else { distance + 2.0 * self.z_eps }
    }

    /// An event: evaluates all candidate pairs and rebuilds the dictionary. Pairs that stay in contact keep
    /// their start velocity.
    pub fn on_event(&mut self, mut evaluate: impl FnMut(PairId) -> PairSample) -> ContactChange {
        std::mem::swap(&mut self.contacts, &mut self.last_contacts);
        self.contacts.clear();
        let mut change = ContactChange::default();
        let mut nearest: Option<f64> = None;
        for &pair in &self.pairs {
            let sample = evaluate(pair);
            let before = self.last_contacts.binary_search_by_key(&pair, |c| c.pair).ok();
            if sample.distance < -self.z_eps {
                let start_velocity = match before {
                    Some(i) => self.last_contacts[i].start_velocity,
                    None => {
                        change.started.push(pair);
                        sample.normal_velocity
                    }
                };
                self.contacts.push(TrackedContact { pair, start_velocity, distance: sample.distance });
            } else {
                if before.is_some() {
                    change.ended.push(pair);
                }
                nearest = smaller(nearest, sample.distance + 2.0 * self.z_eps);
            }
        }
        change.crossing = CrossingFunctions { z1: self.largest(), z2: nearest };
        change
    }

    /// The zero-crossing functions at the present state: evaluates all candidate pairs, flags held.
    pub fn crossing_functions(
        &mut self,
        mut evaluate: impl FnMut(PairId) -> PairSample,
    ) -> CrossingFunctions {
        let mut nearest: Option<f64> = None;
        let mut next_contact = 0;
        for &pair in &self.pairs {
            let distance = evaluate(pair).distance;
            // Both lists are sorted: the next contact is the only one that can match.
            match self.contacts.get_mut(next_contact) {
                Some(contact) if contact.pair == pair => {
                    contact.distance = distance;
                    next_contact += 1;
                }
                _ => nearest = smaller(nearest, distance + 2.0 * self.z_eps),
            }
        }
        CrossingFunctions { z1: self.largest(), z2: nearest }
    }

    /// Any other evaluation (integrator stage, communication point): only pairs in contact.
    pub fn update(&mut self, mut evaluate: impl FnMut(PairId) -> PairSample) {
        for contact in &mut self.contacts {
            contact.distance = evaluate(contact.pair).distance;
        }
    }

    fn largest(&self) -> Option<f64> {
        self.contacts.iter().map(|c| c.distance).reduce(f64::max)
    }
}

fn smaller(a: Option<f64>, b: f64) -> Option<f64> {
    Some(a.map_or(b, |a| a.min(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(distance: f64) -> PairSample {
        PairSample { distance, normal_velocity: 0.0 }
    }

    #[test]
    fn the_initial_flag_needs_strictly_more_than_z_eps() {
        let pair = PairId::of(2, 1);
        let mut handler = ContactHandler::new([pair]);
        assert!(handler.on_event(|_| at(-Z_EPS)).started.is_empty());
        assert_eq!(handler.on_event(|_| at(-1.000001 * Z_EPS)).started, [pair]);
        assert_eq!(handler.on_event(|_| at(-Z_EPS)).ended, [pair]);
        assert_eq!(pair.shapes(), (1, 2));
    }

    #[test]
    fn after_an_event_no_distance_is_near_zero() {
        for k in -40..=40 {
            let distance = f64::from(k) * 0.1 * Z_EPS;
            let mut handler = ContactHandler::new([PairId(7)]);
            let crossing = handler.on_event(|_| at(distance)).crossing;
            let z = crossing.z1.or(crossing.z2).unwrap();
            assert!(z.abs() >= Z_EPS * (1.0 - 1e-12), "{distance:e}: {z:e}");
        }
    }

    #[test]
    fn the_dictionary_changes_only_at_events() {
        let (a, b) = (PairId(1), PairId(2));
        let mut handler = ContactHandler::new([b, a]);
        handler.on_event(|p| if p == a { at(-1.0) } else { at(1.0) });
        handler.crossing_functions(|_| at(-1.0));
        assert_eq!(handler.contacts().len(), 1);
        let mut asked = Vec::new();
        handler.update(|p| {
            asked.push(p);
            at(-0.5)
        });
        assert_eq!(asked, [a]);
        assert_eq!(handler.contacts()[0].distance, -0.5);
    }

    #[test]
    fn the_start_velocity_is_kept_while_in_contact() {
        let pair = PairId(3);
        let mut handler = ContactHandler::new([pair]);
        let moving = |v: f64, d: f64| PairSample { distance: d, normal_velocity: v };
        handler.on_event(|_| moving(-2.0, -1e-6));
        handler.on_event(|_| moving(1.0, -1e-6));
        assert_eq!(handler.contacts()[0].start_velocity, -2.0);
        handler.on_event(|_| moving(1.0, 1e-6));
        handler.on_event(|_| moving(-1.5, -1e-6));
        assert_eq!(handler.contacts()[0].start_velocity, -1.5);
    }
}
