//! What can be drawn of a world: its parts, and objects that stay for a while.
//!
//! Nothing here has any influence on the motion.

use engine2d_geometry::ContactId;
use engine2d_math::Vec2;
use engine2d_sim::{Event, ForceLaw, StepReport, World};
use serde::{Deserialize, Serialize};

/// Distance, direction or size within which two objects of the display are the same (their own units): what an eye
/// would not tell apart.
pub const DISPLAY_SIMILARITY: f64 = 0.1;

/// How long an impulse is shown (time).
pub const SHOWN_IMPULSE: f64 = 0.1;

/// How long a circle of the user's is shown (time).
pub const SHOWN_CIRCLE: f64 = 0.05;

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
///
/// ```
/// use engine2d_math::Vec2;
/// use engine2d_sim::{Body, SimError, World};
/// use engine2d_watch::DisplayList;
///
/// let mut world = World::builder().body(Body::ball(1.0)).build()?;
/// let mut list = DisplayList::default();
/// list.show_circle(world.time(), Vec2::new(1.0, 2.0), 0.3);
/// assert_eq!(list.all(&world).count(), 2, "the ball and the circle");
/// for _ in 0..2 {
///     list.purge(world.time());
///     world.advance(0.1)?;
/// }
/// assert_eq!(list.all(&world).count(), 1, "the circle has expired");
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DisplayList {
    items: Vec<DisplayItem>,
}

impl DisplayList {
    /// Shows an object until the list is purged at a time after `expires`. One that expires takes the place of all similar
    /// ones ([`Shown::is_similar`]); one that does not (an infinite time) is added once.
    pub fn show(&mut self, shown: Shown, expires: f64) {
        if expires.is_finite() {
            self.items.retain(|item| !item.shown.is_similar(&shown));
        } else if self.items.iter().any(|item| item.shown == shown) {
            return;
        }
        self.items.push(DisplayItem { shown, expires });
    }

    /// Shows a circle for a short while ([`SHOWN_CIRCLE`]).
    pub fn show_circle(&mut self, now: f64, center: impl Into<Vec2>, radius: f64) {
        let center: Vec2 = center.into();
        self.show(Shown::Circle { center, radius }, now + SHOWN_CIRCLE);
    }

    /// Shows a line until the next moment.
    pub fn show_line(&mut self, now: f64, from: impl Into<Vec2>, to: impl Into<Vec2>) {
        let (from, to): (Vec2, Vec2) = (from.into(), to.into());
        self.show(Shown::Line { ends: [from, to] }, now);
    }

    /// Removes what has expired before `time`.
    pub fn purge(&mut self, time: f64) {
        self.items.retain(|item| item.expires >= time);
    }

    /// Removes what was shown for a while, or added.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The objects that stay for a while.
    #[must_use]
    pub fn items(&self) -> &[DisplayItem] {
        &self.items
    }

    /// All there is to draw now: bodies, connectors and springs for as long as they exist, and what stays for a while.
    pub fn all(&self, world: &World) -> impl Iterator<Item = DisplayItem> + '_ {
        let springs: Vec<usize> = (0..world.inspect().force_laws().len())
            .filter(|&k| matches!(world.inspect().force_laws()[k], ForceLaw::Spring { .. }))
            .collect();
        let bodies: Vec<usize> = world.bodies().map(|body| body.index()).collect();
        bodies
            .into_iter()
            .map(Shown::Body)
            .chain((0..world.inspect().connectors().len()).map(Shown::Connector))
            .chain(springs.into_iter().map(Shown::Spring))
            .map(|shown| DisplayItem { shown, expires: f64::INFINITY })
            .chain(self.items.iter().copied())
    }

    /// Adds the forces of this moment and the impulses of the last advance.
    pub fn record(&mut self, world: &World, report: &StepReport) {
        let now = world.time();
        for event in report.events() {
            if let Event::Collision { time, contact, point, normal, impulse, .. } = *event {
                let shown = Shown::Impulse { contact, point, direction: normal, size: impulse };
                self.show(shown, time + SHOWN_IMPULSE);
            }
        }
        for contact in world.contact_forces() {
            let source = ForceSource::Contact(contact.id);
            let vector = contact.normal * contact.force;
            self.show(Shown::Force { source, point: contact.point, vector }, now);
        }
        for applied in world.inspect().applied_forces() {
            let source = ForceSource::Law(applied.law);
            self.show(Shown::Force { source, point: applied.point, vector: applied.force }, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_objects_replace_similar_ones_and_expire() {
        let mut list = DisplayList::default();
        let circle = |x: f64| Shown::Circle { center: Vec2::new(x, 0.0), radius: 1.0 };
        list.show(circle(0.0), 1.0);
        list.show(circle(0.5 * DISPLAY_SIMILARITY), 2.0);
        list.show(circle(3.0 * DISPLAY_SIMILARITY), 1.5);
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
        list.show(line, f64::INFINITY);
        list.show(line, f64::INFINITY);
        list.purge(1e9);
        assert_eq!(list.items().len(), 1);
    }
}
