//! The simulation façade.

mod arrival;
pub(crate) mod builder;
mod drive;
pub(crate) mod edit;
pub(crate) mod identity;
pub(crate) mod impact;
mod joints;
mod push;
pub(crate) mod query;
mod sensors;
pub(crate) mod snapshot;
mod standing;
pub(crate) mod user_event;
pub(crate) mod watch;

use crate::backtracking::{Backtracking, GroupView};
use crate::body::view::BodyView;
use crate::compliant::CompliantForce;
use crate::connector::Connector;
use crate::contact_force::ContactForce;
use crate::energy::{Energy, energy, open_ledger, read_ledger};
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::instrument::Instrument;
use crate::lcp::LcpStatistics;
use crate::ledger::EnergyLedger;
use crate::located::Located;
use crate::model::Model;
use crate::report::Totals;
use crate::settings::Settings;
use crate::state::State;
use crate::work::Work;
use engine2d_geometry::Contact;
use engine2d_math::Vec2;
use identity::{BodyKey, BodyRegistry, ForceId, Serials};
use standing::Standing;
use std::fmt;
use std::sync::Arc;

/// What a user does at an event.
#[derive(Clone)]
pub(crate) struct Action(pub(crate) Arc<ActionFunction>);

type ActionFunction = dyn Fn(&mut World) -> Result<(), SimError> + Send + Sync;

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Action")
    }
}

/// What follows at an event: what is done, and whether the advance ends there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequence {
    pub(crate) action: Option<Action>,
    pub(crate) stops: bool,
}

/// A simulation: bodies, force laws and connectors, advanced in time.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) work: Work,
    pub(crate) located: Located,
    pub(crate) backtracking: Backtracking,
    pub(crate) instrument: Instrument,
    /// Work since the start or the last reset of the counters.
    pub(crate) totals: Totals,
    /// What is done at the zeros of the functions watched, in their order.
    pub(crate) actions: Vec<Consequence>,
    pub(crate) bodies: BodyRegistry,
    pub(crate) joints: Serials,
    pub(crate) forces: Serials,
    /// Whether bodies may be placed inside each other.
    pub(crate) allow_overlap: bool,
    /// Whether all bodies of the description are there, so that those added watch all others.
    pub(crate) is_watching: bool,
    /// Where bodies stand, since something moved last; made when a body arrives.
    pub(crate) standing: Option<Standing>,
    /// Places of the sensors and one-way platforms.
    pub(crate) watchers: Vec<usize>,
    /// Places of bodies that are gone, of which contacts are still remembered: they are not given anew yet.
    pub(crate) departed: Vec<u32>,
    /// Identities of the laws that act until the next advance ends.
    pub(crate) passing: Vec<ForceId>,
}

impl World {
    /// Forces of compliant contacts at the last evaluation.
    #[must_use]
    pub fn compliant_forces(&self) -> &[CompliantForce] {
        &self.state.compliant.forces
    }

    /// Simulated time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.model.settings
    }

    /// The bodies in order.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyView<'_>> {
        BodyView::all(&self.model.data, &self.state.bodies)
    }

    /// A body by its identity, its name (upper and lower case, spaces, hyphens and underscores are
    /// not told apart) or its place: `world.body(id)`, `world.body("ball")`, `world.body(0)`. It takes the same time however
    /// many bodies there are.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`] or [`SimError::UnknownBody`].
    pub fn body<'k>(&self, body: impl Into<BodyKey<'k>>) -> Result<BodyView<'_>, SimError> {
        let index = self.bodies.find(body.into())?;
        Ok(BodyView { index, data: &self.model.data[index], collision: &self.state.bodies[index] })
    }

    /// The force laws in order.
    #[must_use]
    pub fn force_laws(&self) -> &[ForceLaw] {
        &self.model.laws
    }

    /// The connectors in order.
    pub fn connectors(&self) -> impl ExactSizeIterator<Item = &Connector> {
        self.model.ties.iter().map(|c| &c.connector)
    }

    /// The energies now.
    #[must_use]
    pub fn energy(&self) -> Energy {
        energy(&self.model, &self.state)
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
        read_ledger(&self.model, &self.state)
    }

    /// Opens the ledger anew at the present state.
    pub fn open_ledger(&mut self) {
        open_ledger(&self.model, &mut self.state);
        self.located.invalidate();
    }

    /// Total momentum and angular momentum about the origin of the movable bodies.
    #[must_use]
    pub fn momentum(&self) -> (Vec2, f64) {
        crate::instrument::momentum(&self.model.data, &self.state.bodies)
    }

    /// Work done since the start or the last reset of the counters.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Sets the counters back to zero and forgets which contacts were resting.
    pub fn reset_totals(&mut self) {
        self.totals = Totals::default();
        self.backtracking.forget_contacts();
        self.state.forget_contacts();
        self.located.invalidate();
    }

    /// What the complementarity solver has been asked since the start.
    #[must_use]
    pub fn lcp_statistics(&self) -> LcpStatistics {
        self.work.lcp.statistics
    }

    /// Forces of the last evaluation.
    #[must_use]
    pub fn contact_forces(&self) -> &[ContactForce] {
        &self.work.forces.last
    }

    /// The generator of random choices.
    #[must_use]
    pub fn generator(&self) -> &Generator {
        &self.state.generator
    }

    /// Moves bodies so that all connectors hold, in their order.
    pub fn align_connectors(&mut self) {
        let State { bodies, places, placed, .. } = &mut self.state;
        for (tie, place) in self.model.ties.iter().zip(places) {
            tie.align(place, bodies);
        }
        *placed = true;
        self.standing = None;
        self.located.invalidate();
    }

    /// The gap of each connector (length).
    ///
    /// # Errors
    /// [`SimError::TooShort`] for a rope or rod of no length.
    pub fn connector_distances(&self) -> Result<Vec<f64>, SimError> {
        let State { bodies, places, time, .. } = &self.state;
        let ties = self.model.ties.iter().zip(places);
        ties.map(|(tie, place)| tie.normal_distance(*place, bodies, *time)).collect()
    }

    /// The contacts, collisions and connector rows at the present state, in the order of detection.
    ///
    /// # Errors
    /// [`SimError`] for connectors without direction or values that are not finite.
    pub fn find_contacts(&mut self) -> Result<Vec<Contact>, SimError> {
        self.backtracking.contacts_now(&self.model, &mut self.state, &mut self.work)
    }

    /// Replaces the state: six numbers per place of a body (x, v_x, y, v_y, angle, angular velocity), vacant ones included.
    ///
    /// # Errors
    /// [`SimError::Value`] for a wrong number of values or values that are not finite.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), SimError> {
        let expected = 6 * self.state.bodies.len();
        if state.len() != expected {
            let (value, allowed) = (state.len() as f64, "six values for each body are needed");
            return Err(SimError::Value { path: "state length".to_owned(), value, allowed });
        }
        if let Some(i) = state.iter().position(|v| !v.is_finite()) {
            let allowed = "must be a finite number";
            return Err(SimError::Value { path: format!("state[{i}]"), value: state[i], allowed });
        }
        let mut y = vec![self.state.time];
        y.extend_from_slice(state);
        self.state.write(&y);
        self.standing = None;
        open_ledger(&self.model, &mut self.state);
        self.state.placed = true;
        self.state.erase_old_poses();
        self.work.lcp.forget();
        self.state.forget_contacts();
        self.located.invalidate();
        Ok(())
    }

    /// The state: six numbers per place of a body, vacant ones included.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        let mut y = Vec::new();
        self.state.read(&mut y);
        y.truncate(1 + 6 * self.state.bodies.len());
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
        let Self { model, state, work, .. } = self;
        work.evaluations = 0;
        if model.is_located() {
            return self.located.accelerations_now(model, state, work);
        }
        self.backtracking.accelerations_now((model, state, work), stage_offset, observer)
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
