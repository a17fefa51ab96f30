//! Looking closely: forces, stages, every move.

use super::World;
use crate::after_move::Moved;
use crate::error::SimError;
use crate::stages::{Clock, StageStatistics};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use engine2d_math::eigen::condition;

/// Contacts that hang together through movable bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactIsland {
    /// The bodies, immovable ones included.
    pub bodies: Vec<BodyRef>,
    /// Contacts and rows of connectors.
    pub contacts: usize,
    /// Largest force of a row.
    pub largest_force: f64,
    /// Condition number of the Delassus matrix, infinite where rows are redundant.
    pub condition: f64,
}

/// A force that a law applies at a place of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppliedForce {
    /// Place of the law among the force laws.
    pub law: usize,
    /// Index of the body.
    pub body: usize,
    /// Where it acts (world).
    pub point: Vec2,
    /// The force (world).
    pub force: Vec2,
    /// Torque besides that of the force.
    pub torque: f64,
}

impl World {
    /// Largest contact or joint force found since the start.
    #[must_use]
    pub fn max_force(&self) -> f64 {
        self.work.forces.largest
    }

    /// Size of the largest group of contacts solved together in the last evaluation.
    #[must_use]
    pub fn contact_count(&self) -> usize {
        self.work.forces.largest_group
    }

    /// Largest force of each of the last four problems of contact forces, latest first.
    #[must_use]
    pub fn recent_largest_forces(&self) -> [f64; 4] {
        self.work.forces.recent
    }

    /// The contacts at the present state, island by island: how many, how large their largest force, and how well
    /// their Delassus matrix is conditioned. For those who look: the world stays as it is.
    ///
    /// # Errors
    /// As [`accelerations`](Self::accelerations).
    pub fn contact_islands(&self) -> Result<Vec<ContactIsland>, SimError> {
        let mut islands = Vec::new();
        self.clone().accelerations(0.0, &mut |group| {
            let n = group.contacts.len();
            let mut bodies: Vec<BodyRef> =
                group.contacts.iter().flat_map(|c| [c.id.primary, c.id.normal_body]).collect();
            bodies.sort_unstable();
            bodies.dedup();
            islands.push(ContactIsland {
                bodies,
                contacts: n,
                largest_force: group.forces.iter().fold(0.0, |most, f| f.abs().max(most)),
                condition: condition(group.matrix.entries(), n),
            });
        })?;
        Ok(islands)
    }

    /// Gives the world a clock, so that [`stage_statistics`](Self::stage_statistics) tells the time spent.
    pub fn set_clock(&mut self, clock: Clock) {
        self.work.stages.clock = Some(clock);
    }

    /// Where the work of all advances went.
    ///
    /// ```
    /// use engine2d_sim::{Body, Settings, SimError, Stage, World};
    ///
    /// let settings = Settings::backtracking();
    /// let mut world = World::builder().settings(settings).gravity(9.81).body(Body::ball(1.0)).build()?;
    /// world.advance(0.1)?;
    /// let work = world.stage_statistics();
    /// assert_eq!(work.of(Stage::ForceLaws).calls, 4, "four stages of Runge and Kutta");
    /// println!("{work}");
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn stage_statistics(&self) -> StageStatistics {
        self.work.stages.statistics
    }

    /// Sets the counters of all stages back to zero.
    pub fn reset_stage_statistics(&mut self) {
        self.work.stages.statistics = StageStatistics::default();
    }

    /// Calls `look` each time the bodies have been moved within an advance: by a step, when one is taken back, when
    /// collisions were resolved. It takes the place of the one before; a clone of the world has none. With located events
    /// bodies that cannot meet move on by themselves: those of other islands stand at times of their own.
    pub fn set_after_move(&mut self, look: impl FnMut(&Moved<'_>) + Send + 'static) {
        self.work.after_move.0 = Some(Box::new(look));
    }

    /// Ends the calls after each move.
    pub fn clear_after_move(&mut self) {
        self.work.after_move.0 = None;
    }

    /// The forces that laws apply at given places of bodies now: constant forces, thrusters and rotating forces.
    #[must_use]
    pub fn applied_forces(&self) -> Vec<AppliedForce> {
        let context = self.model.at(&self.state);
        let mut applied = Vec::new();
        for (law, force_law) in self.model.laws.iter().enumerate() {
            context.visit_applied(force_law, |body, point, force, torque| {
                applied.push(AppliedForce { law, body, point, force, torque });
            });
        }
        applied
    }
}
