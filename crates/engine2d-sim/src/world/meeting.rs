//! Who meets whom, and what two bodies do to each other: by pairs of bodies instead of by each of them.

use super::World;
use super::builder::WorldBuilder;
use super::company::Predicate;
use crate::body::view::BodyView;
use crate::report::Event;
use std::sync::Arc;

impl World {
    /// Ends the contacts of two bodies, which are found anew.
    pub(super) fn let_go_of_pair(&mut self, a: u32, b: u32) {
        let of_pair = |body: engine2d_geometry::BodyRef| {
            body.index().is_some_and(|k| k == a as usize || k == b as usize)
        };
        self.state.held.retain(|held| !held.source.is_of_both(of_pair));
        self.changed();
    }

    /// Asks the predicate of the world about a body that comes and those that are there.
    pub(super) fn ask_predicate(&mut self, place: usize) {
        let Some(Predicate(asked)) = self.predicate.clone() else { return };
        let view = |index: usize| BodyView {
            index,
            data: &self.model.data[index],
            collision: &self.state.bodies[index],
        };
        let others =
            (0..self.state.bodies.len()).filter(|&other| other != place && self.bodies.is_taken(other));
        let passed: Vec<u32> =
            others.filter(|&other| !asked(&view(other), &view(place))).map(|other| other as u32).collect();
        if !passed.is_empty() {
            self.model.ignoring.insert(place as u32);
            self.state.bodies[place].ignored_bodies.extend(passed);
        }
    }

    /// The bodies that an event concerns, as they are now: of a contact the primary one first. `None` for the ground and for
    /// a body that is gone; no bodies for an event of the user's.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let mut world = World::builder()
    ///     .body(Body::ball(0.5).velocity(1.0, 0.0).named("cue"))
    ///     .body(Body::ball(0.5).at(3.0, 0.0).named("eight"))
    ///     .build()?;
    /// let report = world.advance(3.0)?;
    /// let told = &report.events()[0];
    /// let names = world.parties(told).map(|body| body.map(|body| (body.id(), body.name().to_owned())));
    /// assert!(names.iter().flatten().any(|(_, name)| name == "eight"));
    /// assert!((told.point().expect("a place").x - 2.5).abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn parties(&self, event: &Event) -> [Option<BodyView<'_>>; 2] {
        let view = |body: engine2d_geometry::BodyRef| self.body(body.index()?).ok();
        event.bodies().map_or([None, None], |bodies| bodies.map(view))
    }
}

impl WorldBuilder {
    /// Lets bodies collide only where a function of both says so. It is asked once for each pair, when the later body comes,
    /// also with [`World::add_body`]; [`Edit::set_colliding`](crate::Edit::set_colliding) changes a pair later.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let mut world = World::builder()
    ///     .body(Body::ball(0.5).velocity(1.0, 0.0).named("red 1"))
    ///     .body(Body::ball(0.5).at(3.0, 0.0).named("red 2"))
    ///     .colliding_if(|a, b| a.name().split(' ').next() != b.name().split(' ').next())
    ///     .build()?;
    /// assert!(world.advance(5.0)?.events().is_empty(), "reds pass each other");
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn colliding_if(
        mut self,
        asked: impl Fn(&BodyView<'_>, &BodyView<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.predicate = Some(Predicate(Arc::new(asked)));
        self
    }
}
