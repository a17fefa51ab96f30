//! The simulation façade.

mod builder;
mod drive;
mod edit;
mod joints;
mod name;
mod observe;
mod parameters;
mod snapshot;
mod watch;

pub use builder::WorldBuilder;
pub use edit::Removed;
pub use observe::Silenced;
pub use parameters::{Parameter, ParameterKind, ParameterValue};
pub use snapshot::Snapshot;
pub use watch::ContactIsland;

use crate::advance::Advance;
use crate::body::BodyView;
use crate::compliant::CompliantForce;
use crate::connector::Connector;
use crate::contact_force::{ContactForce, GroupView};
use crate::display::DisplayList;
use crate::energy::Energy;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::lcp::LcpStatistics;
use crate::ledger::EnergyLedger;
use crate::located::{Located, UserEvent};
use crate::observer::Observers;
use crate::report::Totals;
use crate::settings::Settings;
use crate::system::{Outcome, System};
use engine2d_geometry::Contact;
use engine2d_math::Vec2;
use std::fmt;

/// A simulation: bodies, force laws and connectors, advanced in time.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) system: System,
    pub(crate) advance: Advance,
    pub(crate) located: Located,
    pub(crate) observers: Observers,
    pub(crate) display: DisplayList,
    /// Time of the last count of contacts told.
    pub(crate) counted: Option<f64>,
    /// Parameters that users have registered.
    pub(crate) own_parameters: Vec<Parameter>,
    /// The state to which [`reset`](World::reset) returns.
    pub(crate) initial: Option<Box<Snapshot>>,
}

impl World {
    /// A builder with default settings and nothing in it.
    #[must_use]
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Adds an event of the user's; it is found where events are located by zero crossings.
    pub fn add_event(&mut self, event: UserEvent) {
        self.located.invalidate();
        self.system.user_events.push(event);
    }

    /// Removes all events of that name; returns how many there were.
    pub fn remove_events(&mut self, name: &str) -> usize {
        let before = self.system.user_events.len();
        self.located.invalidate();
        self.system.user_events.retain(|event| event.name() != name);
        before - self.system.user_events.len()
    }

    /// Forces of compliant contacts at the last evaluation.
    #[must_use]
    pub fn compliant_forces(&self) -> &[CompliantForce] {
        &self.system.compliant.forces
    }

    /// Simulated time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.system.time
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.system.settings
    }

    /// The bodies in order.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyView<'_>> {
        BodyView::all(&self.system.data, &self.system.bodies)
    }

    /// The body of that index.
    ///
    /// # Errors
    /// [`SimError::UnknownBody`].
    pub fn body(&self, index: usize) -> Result<BodyView<'_>, SimError> {
        let count = self.system.bodies.len();
        self.bodies().nth(index).ok_or(SimError::UnknownBody { path: "index".to_owned(), index, count })
    }

    /// The first body of that name; upper and lower case, spaces, hyphens and underscores are not told apart.
    ///
    /// # Errors
    /// [`SimError::UnknownName`].
    pub fn body_named(&self, name: &str) -> Result<BodyView<'_>, SimError> {
        self.bodies()
            .find(|b| name::same(b.name(), name))
            .ok_or_else(|| SimError::UnknownName { name: name.to_owned() })
    }

    /// The force laws in order.
    #[must_use]
    pub fn force_laws(&self) -> &[ForceLaw] {
        &self.system.laws
    }

    /// The connectors in order.
    pub fn connectors(&self) -> impl ExactSizeIterator<Item = &Connector> {
        self.system.connectors.iter().map(|c| &c.connector)
    }

    /// The energies now.
    #[must_use]
    pub fn energy(&self) -> Energy {
        self.system.energy()
    }

    /// Where the kinetic energy went since the ledger was opened: at the first advance with
    /// [`Settings::energy_ledger`], and anew whenever force laws come or go or a state is set. `None` without it.
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
    /// let ledger = world.energy_ledger().unwrap();
    /// assert!(ledger.force_laws[1].1 < 0.0, "damping takes energy");
    /// assert!(ledger.integration_error.abs() < 1e-11);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn energy_ledger(&self) -> Option<EnergyLedger> {
        self.system.read_ledger()
    }

    /// Opens the ledger anew at the present state.
    pub fn open_ledger(&mut self) {
        self.system.open_ledger();
        self.located.invalidate();
    }

    /// Total momentum and angular momentum about the origin of the movable bodies.
    #[must_use]
    pub fn momentum(&self) -> (Vec2, f64) {
        crate::instrument::momentum(&self.system.data, &self.system.bodies)
    }

    /// Work done since the start or the last reset of the counters.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.advance.totals
    }

    /// Sets the counters back to zero and forgets which contacts were resting.
    pub fn reset_totals(&mut self) {
        self.advance.reset();
        self.system.forget_located();
        self.located.invalidate();
    }

    /// What the complementarity solver has been asked since the start.
    #[must_use]
    pub fn lcp_statistics(&self) -> LcpStatistics {
        self.system.lcp.statistics
    }

    /// Forces of the last evaluation.
    #[must_use]
    pub fn contact_forces(&self) -> &[ContactForce] {
        &self.system.contact_stage.forces
    }

    /// The generator of random choices.
    #[must_use]
    pub fn generator(&self) -> &Generator {
        &self.system.generator
    }

    /// Moves bodies so that all connectors hold, in their order.
    pub fn align_connectors(&mut self) {
        let system = &mut self.system;
        for connector in &mut system.connectors {
            connector.align(&mut system.bodies);
        }
        system.placed = true;
        self.located.invalidate();
    }

    /// The gap of each connector (length).
    ///
    /// # Errors
    /// [`SimError::TooShort`] for a rope or rod of no length.
    pub fn connector_distances(&self) -> Result<Vec<f64>, SimError> {
        let system = &self.system;
        system.connectors.iter().map(|c| c.clone().normal_distance(&system.bodies, system.time)).collect()
    }

    /// The contacts, collisions and connector rows at the present state, in the order of detection.
    ///
    /// # Errors
    /// [`SimError`] for connectors without direction or values that are not finite.
    pub fn find_contacts(&mut self) -> Result<Vec<Contact>, SimError> {
        let mut records = Vec::new();
        self.system.find_collisions(0.0, &mut records)?;
        Ok(records.into_iter().map(|r| r.contact).collect())
    }

    /// Replaces the state: six numbers per body (x, v_x, y, v_y, angle, angular velocity).
    ///
    /// # Errors
    /// [`SimError::Value`] for a wrong number of values or values that are not finite.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), SimError> {
        let expected = 6 * self.system.bodies.len();
        if state.len() != expected {
            let (value, allowed) = (state.len() as f64, "six values for each body are needed");
            return Err(SimError::Value { path: "state length".to_owned(), value, allowed });
        }
        if let Some(i) = state.iter().position(|v| !v.is_finite()) {
            let allowed = "must be a finite number";
            return Err(SimError::Value { path: format!("state[{i}]"), value: state[i], allowed });
        }
        let mut y = vec![self.system.time];
        y.extend_from_slice(state);
        self.system.write_state(&y);
        self.system.open_ledger();
        self.system.placed = true;
        self.system.erase_old_poses();
        self.system.lcp.forget();
        self.system.forget_located();
        self.located.invalidate();
        Ok(())
    }

    /// The state: six numbers per body.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        let mut y = Vec::new();
        self.system.read_state(&mut y);
        y.truncate(1 + 6 * self.system.bodies.len());
        y.remove(0);
        y
    }

    /// Accelerations of all bodies at the present state, `stage_offset` after the last complete one:
    /// `[a_x, a_y, α]` each; every group of contacts solved is shown to `observer` where events
    /// are found by backtracking. With located events what touches and does not part is taken as closed.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] when bodies penetrate, and what contact forces report.
    pub fn accelerations(
        &mut self,
        stage_offset: f64,
        observer: &mut dyn FnMut(&GroupView<'_>),
    ) -> Result<Vec<[f64; 3]>, SimError> {
        let mut y = Vec::new();
        self.system.evaluations = 0;
        if self.system.is_located() {
            return crate::located::accelerations_now(&mut self.system);
        }
        self.system.part_placed()?;
        self.system.read_state(&mut y);
        let (mut rates, mut records) = (Vec::new(), Vec::new());
        let outcome =
            self.system.evaluate_observed(&y, stage_offset, &mut rates, &mut records, Some(observer))?;
        if outcome == Outcome::Collided {
            return Err(SimError::Unsupported {
                path: "state".to_owned(),
                problem: "bodies penetrate: contact forces are defined only for separated bodies",
            });
        }
        Ok(rates[1..].chunks_exact(6).map(|r| [r[1], r[3], r[5]]).collect())
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t = {:.6}, {}", self.time(), self.energy())?;
        for body in self.bodies() {
            write!(f, "\n{body}")?;
        }
        Ok(())
    }
}
