//! What few programs do to a world, and look at, by its views.

use super::builder::WorldBuilder;
use super::change::Edit;
use super::identity::{ConstraintKey, ForceKey};
use super::inspect::Inspect;
use super::probe::Probe;
use super::snapshot::Snapshot;
use crate::connector::Connector;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::report::StepReport;
use crate::settings::Settings;
use engine2d_constraint::Joint;

impl WorldBuilder {
    /// Makes a world in which a [`Snapshot`] is restored before anything else: bodies may start inside each other, as it places
    /// them. Those that come later may not.
    #[must_use]
    pub fn to_restore(mut self) -> Self {
        self.to_restore = true;
        self
    }
}

impl Edit<'_> {
    /// Replaces the settings. Tolerances are given to every body when they change; the generator starts anew when
    /// its seed or the profile changes.
    ///
    /// # Errors
    /// [`SimError::Value`] for a value that is not allowed, [`SimError::Unsupported`] for a clock that does not know the
    /// friction of the bodies; the settings are then as before.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SimError> {
        self.world.set_settings(settings)
    }

    /// Removes a force law, by its identity or place.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`], [`SimError::Value`] for a place beyond the laws.
    pub fn remove_force_law<'a>(&mut self, force: impl Into<ForceKey<'a>>) -> Result<ForceLaw, SimError> {
        self.world.remove_force_law(force)
    }

    /// Adds a connector behind the others; returns its index. Nothing is moved: see
    /// [`align_connectors`](Self::align_connectors).
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the connector.
    pub fn add_connector(&mut self, connector: Connector) -> Result<usize, SimError> {
        self.world.add_connector(connector)
    }

    /// Removes the connector of that index. Bodies that it kept from colliding still ignore each other.
    ///
    /// # Errors
    /// [`SimError::Value`] for an index beyond the connectors.
    pub fn remove_connector(&mut self, index: usize) -> Result<Connector, SimError> {
        self.world.remove_connector(index)
    }

    /// Lets a joint act or not.
    ///
    /// # Errors
    /// [`SimError`] for a joint that is not there.
    pub fn enable_joint<'a>(
        &mut self,
        joint: impl Into<ConstraintKey<'a>>,
        on: bool,
    ) -> Result<(), SimError> {
        self.world.enable_joint(joint, on)
    }

    /// Returns to a state saved before as [`World::restore`](crate::World::restore), with counters at zero and connectors aligned. The
    /// generator goes on where it is.
    ///
    /// # Errors
    /// As [`World::restore`](crate::World::restore).
    pub fn restart(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        self.world.restart(snapshot)
    }
}

impl<'w> Inspect<'w> {
    /// The force laws in order.
    #[must_use]
    pub fn force_laws(&self) -> &'w [ForceLaw] {
        self.world.force_laws()
    }

    /// The connectors in order.
    pub fn connectors(&self) -> impl ExactSizeIterator<Item = &'w Connector> {
        self.world.connectors()
    }

    /// The joints in order.
    #[must_use]
    pub fn joints(&self) -> &'w [Joint] {
        self.world.joints()
    }
}

impl Probe<'_> {
    /// As [`World::advance`](crate::World::advance), into a report whose storage is used again: once everything has been seen,
    /// nothing is allocated.
    ///
    /// # Errors
    /// As [`World::advance`](crate::World::advance).
    pub fn advance_into(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        self.world.advance_into(step, report)
    }
}
