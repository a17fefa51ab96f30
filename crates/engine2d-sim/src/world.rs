//! The simulation façade.

mod arrival;
pub(crate) mod builder;
pub(crate) mod change;
pub(crate) mod company;
mod drive;
pub(crate) mod edit;
pub(crate) mod force_network;
pub(crate) mod identity;
pub(crate) mod impact;
pub(crate) mod inspect;
mod joints;
pub(crate) mod meeting;
pub(crate) mod pair_force;
mod presence;
pub(crate) mod probe;
mod push;
pub(crate) mod query;
mod rare;
mod sensors;
pub(crate) mod snapshot;
mod standing;
pub(crate) mod user_event;

use crate::backtracking::Backtracking;
use crate::body::view::BodyView;
use crate::connector::Connector;
use crate::contact_force::ContactForce;
use crate::energy::{Energy, energy, open_ledger};
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::instrument::Instrument;
use crate::located::Located;
use crate::model::Model;
use crate::report::Totals;
use crate::road::Road;
use crate::settings::{ClockKind, Settings};
use crate::state::State;
use crate::time_stepping::TimeStepping;
use crate::work::Work;
use company::{Predicate, Presence};
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
    pub(crate) time_stepping: TimeStepping,
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
    /// Who is in a sensor.
    pub(crate) presence: Presence,
    /// Says of bodies that come with whom they collide.
    pub(crate) predicate: Option<Predicate>,
    /// Places of bodies that are gone, of which contacts are still remembered: they are not given anew yet.
    pub(crate) departed: Vec<u32>,
    /// Identities of the laws that act until the next advance ends.
    pub(crate) passing: Vec<ForceId>,
}

impl World {
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
    pub(crate) fn force_laws(&self) -> &[ForceLaw] {
        &self.model.laws
    }

    /// The connectors in order.
    pub(crate) fn connectors(&self) -> impl ExactSizeIterator<Item = &Connector> {
        self.model.ties.iter().map(|c| &c.connector)
    }

    /// The energies now.
    #[must_use]
    pub fn energy(&self) -> Energy {
        energy(&self.model, &self.state)
    }

    /// Opens the ledger anew at the present state.
    pub(crate) fn open_ledger(&mut self) {
        open_ledger(&self.model, &mut self.state);
        self.forget_motion();
    }

    /// Sets the counters back to zero and forgets which contacts were resting.
    pub(crate) fn reset_totals(&mut self) {
        self.totals = Totals::default();
        self.backtracking.forget_contacts();
        self.state.forget_contacts();
        self.forget_motion();
    }

    /// Forces of the last evaluation.
    #[must_use]
    pub fn contact_forces(&self) -> &[ContactForce] {
        &self.work.forces.last
    }

    /// Moves bodies so that all connectors hold, in their order.
    pub(crate) fn align_connectors(&mut self) {
        let State { bodies, places, placed, .. } = &mut self.state;
        for (tie, place) in self.model.ties.iter().zip(places) {
            tie.align(place, bodies);
        }
        *placed = true;
        self.standing = None;
        self.forget_motion();
    }

    /// Makes the next advance start anew from the state there is.
    pub(crate) fn forget_motion(&mut self) {
        self.located.invalidate();
        self.time_stepping.invalidate();
    }

    /// The rows of the last evaluation with their forces.
    pub(crate) fn road(&self) -> &Road {
        match self.model.clock() {
            ClockKind::TimeStepping => self.time_stepping.road(),
            _ => self.located.road(),
        }
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
        self.forget_motion();
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
