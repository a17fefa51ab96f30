//! What can be drawn of a world: its parts, and objects that stay for a while.
//!
//! Nothing here has any influence on the motion.

use crate::contact_force::ContactForce;
use crate::model::Model;
use crate::report::Event;
use crate::state::State;
use crate::tolerance::{DISPLAY_SIMILARITY, SHOWN_CIRCLE, SHOWN_IMPULSE};
use engine2d_geometry::ContactId;
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// Where a force shown comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForceSource {
    /// A contact or joint.
    Contact(ContactId),
    /// The force law of this index.
    Law(usize),
}

/// Something to draw. World coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shown {
    /// The body of this index.
    Body(usize),
    /// The connector of this index.
    Connector(usize),
    /// The spring that is the force law of this index.
    Spring(usize),
    /// A force.
    Force {
        /// What exerts it.
        source: ForceSource,
        /// Where it acts.
        point: Vec2,
        /// The force; of a contact, the one on its primary body.
        vector: Vec2,
    },
    /// An impulse of a collision.
    Impulse {
        /// The contact.
        contact: ContactId,
        /// Where it acted.
        point: Vec2,
        /// Unit direction on the primary body.
        direction: Vec2,
        /// Its size (impulse).
        size: f64,
    },
    /// A circle of the user's.
    Circle {
        /// Centre.
        center: Vec2,
        /// Radius (length).
        radius: f64,
    },
    /// A line of the user's.
    Line {
        /// Its ends.
        ends: [Vec2; 2],
    },
}

impl Shown {
    /// Whether two objects look the same: of one kind and one source, every measure within
    /// [`DISPLAY_SIMILARITY`].
    #[must_use]
    pub fn is_similar(&self, other: &Self) -> bool {
        let near = |a: Vec2, b: Vec2| (a - b).norm() <= DISPLAY_SIMILARITY;
        let close = |a: f64, b: f64| (a - b).abs() <= DISPLAY_SIMILARITY;
        match (self, other) {
            (
                Self::Force { source, point, vector },
                Self::Force { source: other_source, point: other_point, vector: other_vector },
            ) => source == other_source && near(*point, *other_point) && near(*vector, *other_vector),
            (
                Self::Impulse { contact, point, direction, size },
                Self::Impulse { contact: id, point: place, direction: way, size: strength },
            ) => contact == id && near(*point, *place) && near(*direction, *way) && close(*size, *strength),
            (Self::Circle { center, radius }, Self::Circle { center: place, radius: size }) => {
                near(*center, *place) && close(*radius, *size)
            }
            (Self::Line { ends: [a, b] }, Self::Line { ends: [p, q] }) => near(*a, *p) && near(*b, *q),
            _ => self == other,
        }
    }
}

/// An object with the time until which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisplayItem {
    /// What is shown.
    pub shown: Shown,
    /// Simulated time after which it goes; infinite for what stays.
    pub expires: f64,
}

/// The objects that stay for a while.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisplayList {
    items: Vec<DisplayItem>,
}

impl DisplayList {
    /// Adds an object. One that expires takes the place of all similar ones; one that does not is added once.
    pub(crate) fn add(&mut self, shown: Shown, expires: f64) {
        if expires.is_finite() {
            self.items.retain(|item| !item.shown.is_similar(&shown));
        } else if self.items.iter().any(|item| item.shown == shown) {
            return;
        }
        self.items.push(DisplayItem { shown, expires });
    }

    /// Removes what has expired before `time`.
    pub(crate) fn purge(&mut self, time: f64) {
        self.items.retain(|item| item.expires >= time);
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    pub(crate) fn items(&self) -> &[DisplayItem] {
        &self.items
    }

    /// Adds the forces of this moment and the impulses of the last advance.
    pub(crate) fn record(&mut self, model: &Model, state: &State, forces: &[ContactForce], events: &[Event]) {
        let now = state.time;
        for event in events {
            if let Event::Collision { time, contact, point, normal, impulse, .. } = *event {
                let shown = Shown::Impulse { contact, point, direction: normal, size: impulse };
                self.add(shown, time + SHOWN_IMPULSE);
            }
        }
        for &ContactForce { id, point, normal, force, .. } in forces {
            let source = ForceSource::Contact(id);
            self.add(Shown::Force { source, point, vector: normal * force }, now);
        }
        let context = model.at(state);
        for (index, law) in model.laws.iter().enumerate() {
            context.visit_applied(law, |_, point, vector, _| {
                self.add(Shown::Force { source: ForceSource::Law(index), point, vector }, now);
            });
        }
    }
}

/// How long a circle of the user's is shown unless told otherwise.
pub(crate) fn circle_expiry(now: f64) -> f64 {
    now + SHOWN_CIRCLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_objects_replace_similar_ones_and_expire() {
        let mut list = DisplayList::default();
        let circle = |x: f64| Shown::Circle { center: Vec2::new(x, 0.0), radius: 1.0 };
        list.add(circle(0.0), 1.0);
        list.add(circle(0.5 * DISPLAY_SIMILARITY), 2.0);
        list.add(circle(3.0 * DISPLAY_SIMILARITY), 1.5);
        assert_eq!(list.items().len(), 2, "the second took the place of the first");
        list.purge(1.5);
        assert_eq!(list.items().len(), 2, "what expires now is still shown");
        list.purge(1.6);
        assert_eq!(list.items(), [DisplayItem { shown: circle(0.5 * DISPLAY_SIMILARITY), expires: 2.0 }]);
    }

    #[test]
    fn permanent_objects_are_added_once() {
        let mut list = DisplayList::default();
        let line = Shown::Line { ends: [Vec2::zeros(), Vec2::new(1.0, 0.0)] };
        list.add(line, f64::INFINITY);
        list.add(line, f64::INFINITY);
        list.purge(1e9);
        assert_eq!(list.items().len(), 1);
    }
}
