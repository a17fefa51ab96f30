//! What a step leaves to the next: which rows pressed, and with what impulse.

use super::known::{Known, KnownRows};
use super::near::Near;
use super::sleep::Sleep;
use crate::model::Model;
use crate::road::Source;
use crate::road::held::{Grip, HeldSet, Mode, Roll};
use engine2d_geometry::{BodyRef, ContactId};
use engine2d_lcp::Set;
use engine2d_math::order::Order;
use serde::{Deserialize, Serialize};

/// What is known when a step begins: all that a bit-equal resume needs besides the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(super) rows: KnownRows,
    /// In the order of the pairs of bodies.
    pub(super) near: Vec<Near>,
    /// How far each body may go in the step to come (length).
    pub(super) ways: Vec<f64>,
    /// Whether it is of the present bodies.
    pub(super) valid: bool,
    /// Whether no step has been made with it yet.
    #[serde(default)]
    pub(super) fresh: bool,
    /// Steps that the iterative solver still takes before the exact one is tried again, and how many they were the last time.
    #[serde(default)]
    pub(super) pause: [u32; 2],
    /// Whether the last step was the iterative solver's.
    #[serde(default)]
    pub(super) soft: bool,
    /// Bodies that came, went or were moved by others since the last step: what was known of them is none of theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) changed: Vec<u32>,
    /// On which side of zero each function watched was last: −1, 1, or 0 where it has been on none yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sides: Vec<i8>,
    /// How fast joints let bodies swing under the forces of the last step (1/time²), for the iterative solver.
    #[serde(default, skip_serializing_if = "crate::contact_force::is_zero")]
    pub(super) swing: f64,
    /// What sleeps.
    #[serde(default, skip_serializing_if = "Sleep::is_empty")]
    pub(super) sleep: Sleep,
}

/// Steps that the iterative solver takes when the exact one took too long: at first, and at most.
const PAUSE: [u32; 2] = [4, 256];

impl Memory {
    /// Notes a step: one of the exact solver that took too long is followed by a pause, twice as long as the one before.
    pub(super) fn note_step(&mut self, soft: bool, too_long: bool) {
        self.soft = soft;
        let [left, last] = self.pause;
        self.pause = if soft {
            [left.saturating_sub(1), last]
        } else if too_long {
            let next = (2 * last).clamp(PAUSE[0], PAUSE[1]);
            [next, next]
        } else {
            [0, last / 2]
        };
    }

    /// Whether nothing has been stepped since the bodies were taken up.
    pub(super) fn fresh(&self) -> bool {
        self.fresh
    }

    /// Whether it can be one of a world of so many bodies.
    pub(crate) fn fits(&self, bodies: usize) -> bool {
        let known = |id: &ContactId| {
            [id.primary, id.normal_body].into_iter().all(|body| body.index().is_none_or(|k| k < bodies))
        };
        let near = self.near.iter().all(|near| known(&near.id));
        // Bodies that came since the last step have no way yet.
        let has_come = |k: usize| self.changed.contains(&(k as u32));
        let ways = self.ways.len() <= bodies && (self.ways.len()..bodies).all(has_come);
        (!self.valid || ways) && near && self.sleep.fits(bodies)
    }

    /// What is known of rows that are held at a moment: they are closed, and where they press is found when a step begins.
    pub(super) fn of_held(held: &HeldSet) -> Self {
        let closed = |source| Known { source, impulse: 0.0, set: Set::Clamped, closed: true };
        let mut rows = KnownRows::default();
        rows.set(held.iter().filter(|held| held.mode == Mode::Closed).flat_map(|held| {
            let of_contact = |own: fn(ContactId) -> Source| held.source.contact().map(own);
            let sticks = of_contact(Source::Friction).filter(|_| held.grip.is_some_and(Grip::sticks));
            let rests = of_contact(Source::Rolling).filter(|_| held.roll.is_some_and(Roll::holds));
            std::iter::once(held.source).chain(sticks).chain(rests).map(closed)
        }));
        Self { rows, ..Self::default() }
    }

    /// Takes in what is known of other bodies: before a step with all of them everything is looked for anew.
    pub(super) fn take_in(&mut self, other: &Self) {
        let own = std::mem::take(&mut self.rows);
        self.rows.set(own.iter().chain(other.rows.iter()).copied());
        self.near.extend_from_slice(&other.near);
        self.near.order_by_key(Near::pair);
        self.valid = false;
    }

    /// What of it is of rows that belong to some of the bodies: before a step with these everything is looked for anew.
    pub(super) fn of_part(&self, belongs: impl Fn(Source) -> bool) -> Self {
        let mut rows = KnownRows::default();
        rows.set(self.rows.iter().filter(|known| belongs(known.source)).copied());
        let near = self.near.iter().filter(|near| belongs(Source::Contact(near.id))).copied().collect();
        Self { rows, near, ..Self::default() }
    }

    /// Forgets what is known of the bodies that changed, sorted; all else stays.
    pub(super) fn forget(&mut self, model: &Model, changed: &[u32]) {
        let is_changed = |body: u32| changed.binary_search(&body).is_ok();
        self.near.retain(|near| !near.pair().into_iter().any(is_changed));
        let of_changed = |body: &BodyRef| body.index().is_some_and(|k| is_changed(k as u32));
        self.rows.retain(|known| match known.source {
            // What held the velocity of before would demand that it turns round.
            Source::Connector(k) => {
                let tie = model.ties.get(k as usize);
                tie.is_some_and(|tie| !tie.connector.bodies().iter().any(of_changed))
            }
            Source::Equation { constraint, .. } => {
                let joint = model.joints.get(constraint as usize);
                joint.is_some_and(|joint| !joint.bodies().iter().any(of_changed))
            }
            source => !source.is_of_any(|body| of_changed(&body)),
        });
    }

    /// Whether places of two bodies, the lower number first, are known.
    pub(super) fn is_near(&self, pair: [u32; 2]) -> bool {
        self.near.binary_search_by_key(&pair, Near::pair).is_ok()
    }

    pub(super) fn get(&self, source: Source) -> Option<&Known> {
        self.rows.get(source)
    }

    /// From which set and impulse the search for a row's impulse begins.
    pub(super) fn start(&self, source: Source) -> (Set, f64) {
        self.get(source).map_or((Set::Untreated, 0.0), |known| (known.set, known.impulse))
    }

    /// Marks the bodies that others press, of so many.
    pub(super) fn mark_pressed(&self, bodies: usize, out: &mut Vec<bool>) {
        out.clear();
        out.resize(bodies, false);
        for near in self.near.iter().filter(|near| self.is_closed(Source::Contact(near.id))) {
            let pair = [near.id.primary, near.id.normal_body];
            pair.into_iter().filter_map(BodyRef::index).for_each(|k| out[k] = true);
        }
    }

    /// Whether a row was closed when the last step ended.
    pub(super) fn is_closed(&self, source: Source) -> bool {
        self.rows.is_closed(source)
    }
}
