//! Looking closely: momentum, energy's ways, forces, work done.

use super::World;
use crate::compliant::CompliantForce;
use crate::energy::read_ledger;
use crate::error::SimError;
use crate::generator::Generator;
use crate::lcp::LcpStatistics;
use crate::ledger::EnergyLedger;
use crate::report::Totals;
use crate::stages::StageStatistics;
use crate::state::State;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use engine2d_math::eigen::condition;
use engine2d_math::order::Order;

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

/// A world looked at closely: [`World::inspect`]. Nothing changes by it.
#[derive(Clone, Copy, Debug)]
pub struct Inspect<'w> {
    pub(super) world: &'w World,
}

impl World {
    /// Figures beyond those that every program asks for.
    #[must_use]
    pub fn inspect(&self) -> Inspect<'_> {
        Inspect { world: self }
    }
}

impl<'w> Inspect<'w> {
    /// The bodies that sleep, by index in ascending order: see [`Sleeping`](crate::Sleeping).
    pub fn asleep(&self) -> impl Iterator<Item = usize> + 'w {
        self.world.time_stepping.asleep().iter().map(|&body| body as usize)
    }

    /// Forces of compliant contacts at the last evaluation.
    #[must_use]
    pub fn compliant_forces(&self) -> &'w [CompliantForce] {
        &self.world.state.compliant.forces
    }

    /// Where the kinetic energy went since the ledger was opened: at the first advance with
    /// [`Settings::energy_ledger`](crate::Settings::energy_ledger), and anew whenever force laws come or go or a state is set. `None` without it.
    ///
    /// ```
    /// use engine2d_sim::{Body, OdeMethod, Settings, SimError, World};
    ///
    /// let settings =
    ///     Settings { energy_ledger: true, method: OdeMethod::dormand_prince(1e-12), ..Settings::default() };
    /// let mut world = World::builder()
    ///     .settings(settings)
    ///     .gravity(9.81)
    ///     .damping(0.3)
    ///     .body(Body::ball(1.0).velocity(1.0, 3.0).spin(2.0))
    ///     .build()?;
    /// world.advance(1.0)?;
    /// let ledger = world.inspect().energy_ledger().unwrap();
    /// assert!(ledger.force_laws[1].1 < 0.0, "damping takes energy");
    /// assert!(ledger.integration_error.abs() < 1e-11);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn energy_ledger(&self) -> Option<EnergyLedger> {
        read_ledger(&self.world.model, &self.world.state)
    }

    /// Total momentum and angular momentum about the origin of the movable bodies.
    #[must_use]
    pub fn momentum(&self) -> (Vec2, f64) {
        crate::instrument::momentum(&self.world.model.data, &self.world.state.bodies)
    }

    /// Work done since the start or the last reset of the counters.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.world.totals
    }

    /// What the complementarity solver has been asked since the start.
    #[must_use]
    pub fn lcp_statistics(&self) -> LcpStatistics {
        self.world.work.lcp.statistics
    }

    /// The generator of random choices.
    #[must_use]
    pub fn generator(&self) -> &'w Generator {
        &self.world.state.generator
    }

    /// The gap of each connector (length).
    ///
    /// # Errors
    /// [`SimError::TooShort`] for a rope or rod of no length.
    pub fn connector_distances(&self) -> Result<Vec<f64>, SimError> {
        let State { bodies, places, time, .. } = &self.world.state;
        let ties = self.world.model.ties.iter().zip(places);
        ties.map(|(tie, place)| tie.normal_distance(*place, bodies, *time)).collect()
    }

    /// Largest contact or joint force found since the start.
    #[must_use]
    pub fn max_force(&self) -> f64 {
        self.world.work.forces.largest
    }

    /// Size of the largest group of contacts solved together in the last evaluation.
    #[must_use]
    pub fn contact_count(&self) -> usize {
        self.world.work.forces.largest_group
    }

    /// Largest force of each of the last four problems of contact forces, latest first.
    #[must_use]
    pub fn recent_largest_forces(&self) -> [f64; 4] {
        self.world.work.forces.recent
    }

    /// The contacts at the present state, island by island: how many, how large their largest force, and how well
    /// their Delassus matrix is conditioned. For those who look: the world stays as it is.
    ///
    /// # Errors
    /// As [`accelerations`](crate::Probe::accelerations).
    pub fn contact_islands(&self) -> Result<Vec<ContactIsland>, SimError> {
        let mut islands = Vec::new();
        self.world.clone().probe().accelerations(0.0, &mut |group| {
            let n = group.contacts.len();
            let mut bodies: Vec<BodyRef> =
                group.contacts.iter().flat_map(|c| [c.id.primary, c.id.normal_body]).collect();
            bodies.order();
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

    /// Where the work of all advances went.
    ///
    /// ```
    /// use engine2d_sim::{Body, Settings, SimError, Stage, World};
    ///
    /// let settings = Settings::backtracking();
    /// let mut world = World::builder().settings(settings).gravity(9.81).body(Body::ball(1.0)).build()?;
    /// world.advance(0.1)?;
    /// let work = world.inspect().stage_statistics();
    /// assert_eq!(work.of(Stage::ForceLaws).calls, 4, "four stages of Runge and Kutta");
    /// println!("{work}");
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn stage_statistics(&self) -> StageStatistics {
        self.world.work.stages.statistics
    }

    /// The forces that laws apply at given places of bodies now: constant forces, thrusters and rotating forces.
    #[must_use]
    pub fn applied_forces(&self) -> Vec<AppliedForce> {
        let context = self.world.model.at(&self.world.state);
        let mut applied = Vec::new();
        for (law, force_law) in self.world.model.laws.iter().enumerate() {
            context.visit_applied(force_law, |body, point, force, torque| {
                applied.push(AppliedForce { law, body, point, force, torque });
            });
        }
        applied
    }
}
