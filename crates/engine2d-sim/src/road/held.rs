//! Which unilateral rows are closed, and how motors are: what a world remembers of its constraints between events.

use super::row::Source;
use crate::friction::Friction;
use engine2d_geometry::{BodyRef, ContactId};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// How a row that is remembered acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// A closed contact, a taut rope, a limit at its stop: its gap is kept as long as its multiplier presses.
    #[default]
    Closed,
    /// A motor that cannot hold its speed: it pushes with its upper or lower limit.
    Pushing {
        /// Whether with the upper one.
        upwards: bool,
    },
}

/// How the surfaces of a closed contact with friction move along each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grip {
    pub(crate) friction: Friction,
    /// Speed of both surfaces along their outlines together, which the tangential velocity is less by (length/time).
    pub(crate) surface: f64,
    /// Sign of the sliding velocity of the first body over the second along the tangent; 0 while they stick.
    pub(crate) slides: f64,
}

impl Grip {
    pub(crate) fn sticks(self) -> bool {
        self.slides == 0.0
    }
}

/// How the bodies of a closed contact with rolling resistance turn against each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Roll {
    /// Largest torque per normal force (length).
    pub(crate) resistance: f64,
    /// Sign of the angular velocity of the first body against the second; 0 while they do not turn.
    pub(crate) turns: f64,
}

impl Roll {
    pub(crate) fn holds(self) -> bool {
        self.turns == 0.0
    }
}

/// A row that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) source: Source,
    /// The gap it came to rest with, which it keeps (length or radians).
    pub(crate) target: f64,
    pub(crate) mode: Mode,
    /// Whether it pressed when last solved: where the next solve begins.
    pub(crate) pressing: bool,
    /// The normal of two corners at one place, which they keep while they stay there.
    pub(crate) normal: Option<Vec2>,
    /// Sticking or sliding, of contacts with friction.
    pub(crate) grip: Option<Grip>,
    /// Turning or not, of contacts with rolling resistance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) roll: Option<Roll>,
}

/// The remembered rows, sorted by identity.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct HeldSet(Vec<Held>);

impl Clone for HeldSet {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    // The derived one allocates anew.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl HeldSet {
    /// Whether all rows can be those of a world of so many bodies, connectors and joints.
    pub(crate) fn fits(&self, counts: [usize; 3]) -> bool {
        self.0.iter().all(|held| held.source.fits(counts))
    }

    pub(crate) fn get(&self, source: Source) -> Option<&Held> {
        self.0.binary_search_by_key(&source, |h| h.source).ok().map(|k| &self.0[k])
    }

    pub(crate) fn get_mut(&mut self, source: Source) -> Option<&mut Held> {
        self.0.binary_search_by_key(&source, |h| h.source).ok().map(|k| &mut self.0[k])
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Changes each row; its source stays.
    pub(crate) fn for_each_mut(&mut self, mut change: impl FnMut(Source, &mut Held)) {
        self.0.iter_mut().for_each(|held| change(held.source, held));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, source: Source) -> bool {
        self.get(source).is_some()
    }

    /// Adds a row, or replaces what was remembered of it.
    pub(crate) fn insert(&mut self, held: Held) {
        match self.0.binary_search_by_key(&held.source, |h| h.source) {
            Ok(k) => self.0[k] = held,
            Err(k) => self.0.insert(k, held),
        }
    }

    pub(crate) fn retain(&mut self, keep: impl FnMut(&Held) -> bool) {
        self.0.retain(keep);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Held> {
        self.0.iter()
    }

    /// The closed contacts of one pair of bodies in the roles given.
    pub(crate) fn of_pair(
        &self,
        primary: BodyRef,
        normal_body: BodyRef,
    ) -> impl Iterator<Item = (ContactId, &Held)> {
        let key = |h: &Held| match h.source {
            Source::Contact(id) => Some((id.primary, id.normal_body)),
            _ => None,
        };
        let pair = Some((primary, normal_body));
        let first = self.0.partition_point(|h| key(h) < pair);
        self.0[first..].iter().take_while(move |h| key(h) == pair).filter_map(|h| match h.source {
            Source::Contact(id) => Some((id, h)),
            _ => None,
        })
    }

    /// Whether some contact of two bodies is closed.
    pub(crate) fn has_pair(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(BodyRef::Body);
        self.of_pair(a, b).chain(self.of_pair(b, a)).next().is_some()
    }

    /// Forgets the rows of a constraint of the library; those behind it move up by one.
    pub(crate) fn remove_constraint(&mut self, place: u32) {
        self.0.retain_mut(|h| h.source.stays_without(place));
    }

    /// The closed contacts that slide.
    pub(crate) fn sliding(&self) -> impl Iterator<Item = (ContactId, &Held, Grip)> {
        self.contacts().filter_map(|(id, h)| Some((id, h, h.grip.filter(|g| !g.sticks())?)))
    }

    /// The closed contacts with rolling resistance whose bodies turn against each other.
    pub(crate) fn turning(&self) -> impl Iterator<Item = (ContactId, Roll)> {
        self.contacts().filter_map(|(id, h)| Some((id, h.roll.filter(|r| !r.holds())?)))
    }

    /// The closed contacts between bodies.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = (ContactId, &Held)> {
        self.0.iter().filter_map(|h| match h.source {
            Source::Contact(id) => Some((id, h)),
            _ => None,
        })
    }
}
