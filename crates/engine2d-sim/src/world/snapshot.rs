//! The complete state of a world: saved, restored, written to a file.

use super::World;
use super::company::Presence;
use crate::connector::Place;
use crate::error::SimError;
use crate::generator::Generator;
use crate::lcp::KnownSets;
use crate::ledger::Ledger;
use crate::located::LocatedState;
use crate::report::Totals;
use crate::settings::ClockKind;
use crate::state::PER_BODY;
use crate::time_stepping::Memory;
use engine2d_constraint::Joint;
use engine2d_geometry::{ContactId, OldPose};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Everything about a world that changes while it runs: a world of the same bodies, laws and connectors that
/// restores it goes on exactly, bit for bit, as the one that saved it.
///
/// ```
/// use engine2d_sim::{Body, SimError, World};
///
/// let mut world = World::builder().gravity(9.81).body(Body::ball(1.0)).build()?;
/// let start = world.snapshot();
/// world.advance(0.1)?;
/// let after = world.state();
/// world.restore(&start)?;
/// world.advance(0.1)?;
/// assert_eq!(world.state(), after);
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Time, then six numbers per body.
    state: Vec<f64>,
    /// Which places have a body.
    taken: Vec<bool>,
    old_poses: Vec<Option<OldPose>>,
    path_positions: Vec<Place>,
    resting: Vec<(ContactId, Vec2)>,
    totals: Totals,
    max_force: f64,
    current_step: f64,
    known_sets: KnownSets,
    generator: Generator,
    placed: bool,
    ledger: Option<Ledger>,
    /// The integration with located events; nothing where events are found by backtracking.
    located: Option<Box<LocatedState>>,
    /// Which joints act: a joint that broke acts no more. Empty in states saved without.
    #[serde(default)]
    acting: Vec<bool>,
    /// What fixed steps remember.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stepping: Option<Memory>,
    /// Who is in a sensor: bodies that came since the last advance are not yet. Nothing in states saved without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    presence: Presence,
}

impl Snapshot {
    /// Simulated time at which it was taken.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.first().copied().unwrap_or(0.0)
    }

    /// Number of places for bodies of the world it was taken from.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.old_poses.len()
    }
}

impl World {
    /// The complete state now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let (mut now, clock) = (Cow::Borrowed(&self.state), self.model.clock());
        let mut resting = self.backtracking.resting().to_vec();
        if !self.departed.is_empty() {
            // As it will be when their places are given anew.
            now.to_mut().held.retain(|held| !held.source.is_of_any(|body| self.is_gone(body)));
            resting.retain(|(id, _)| !self.is_gone(id.primary) && !self.is_gone(id.normal_body));
        }
        let now = &*now;
        let mut state = Vec::new();
        now.read(&mut state);
        state.truncate(1 + PER_BODY * now.bodies.len());
        Snapshot {
            state,
            taken: self.bodies.taken().collect(),
            old_poses: now.bodies.iter().map(|b| b.old).collect(),
            path_positions: now.places.clone(),
            resting,
            totals: self.totals,
            max_force: self.work.forces.largest,
            current_step: self.backtracking.step_length(),
            known_sets: self.work.lcp.known_sets(),
            generator: now.generator.clone(),
            placed: now.placed,
            ledger: now.ledger.clone(),
            located: (clock == ClockKind::Located).then(|| Box::new(self.located.save(now))),
            acting: self.model.joints.iter().map(Joint::is_enabled).collect(),
            stepping: (clock == ClockKind::TimeStepping).then(|| self.time_stepping.memory().clone()),
            presence: self.presence.clone(),
        }
    }

    /// Returns to a state saved before, of this world or one made of the same parts.
    ///
    /// # Errors
    /// [`SimError::Value`] when the numbers of bodies or connectors differ or a value is not finite; the world is
    /// then as before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        self.settle_departures();
        let state = &mut self.state;
        let mismatch = |path: &str, value: usize, allowed: &'static str| {
            Err(SimError::Value { path: path.to_owned(), value: value as f64, allowed })
        };
        let count = state.bodies.len();
        let saved = snapshot.old_poses.len();
        let same_places = saved == count;
        // Places that were added since and are vacant again make no difference.
        let mut taken = self.bodies.taken();
        let alike =
            taken.by_ref().take(saved).eq(snapshot.taken.iter().copied()) && !taken.any(|taken| taken);
        if saved > count || snapshot.state.len() != 1 + PER_BODY * saved {
            let allowed = "the snapshot must be of a world with the same bodies";
            return mismatch("snapshot.bodies", snapshot.old_poses.len(), allowed);
        }
        if !alike {
            let allowed = "the snapshot must be of a world with bodies at the same places";
            return mismatch("snapshot.bodies", snapshot.old_poses.len(), allowed);
        }
        if snapshot.path_positions.len() != state.places.len() {
            let allowed = "the snapshot must be of a world with the same connectors";
            return mismatch("snapshot.connectors", snapshot.path_positions.len(), allowed);
        }
        if let Some(i) = snapshot.state.iter().position(|v| !v.is_finite()) {
            let (path, allowed) = (format!("snapshot.state[{i}]"), "must be a finite number");
            return Err(SimError::Value { path, value: snapshot.state[i], allowed });
        }
        if same_places && snapshot.stepping.as_ref().is_some_and(|memory| !memory.fits(count)) {
            let allowed = "the contacts of the snapshot must be of bodies of this world";
            return mismatch("snapshot.stepping", count, allowed);
        }
        self.standing = None;
        self.presence = snapshot.presence.clone().filter(|_| same_places);
        if snapshot.acting.len() == self.model.joints.len() {
            let joints = self.model.joints.iter_mut().zip(&snapshot.acting);
            joints.for_each(|(joint, acts)| joint.set_enabled(*acts));
        }
        let mut now = Vec::new();
        state.read(&mut now);
        now[..snapshot.state.len()].copy_from_slice(&snapshot.state);
        state.write(&now);
        state.ledger.clone_from(&snapshot.ledger);
        for (body, old) in state.bodies.iter_mut().zip(&snapshot.old_poses) {
            body.old = *old;
        }
        state.places.clone_from(&snapshot.path_positions);
        state.generator = snapshot.generator.clone();
        state.placed = snapshot.placed;
        self.work.forces.largest = snapshot.max_force;
        self.work.forces.last.clear();
        self.work.lcp.set_known(&snapshot.known_sets);
        self.backtracking.set_step_length(snapshot.current_step);
        self.backtracking.set_resting(&snapshot.resting);
        self.totals = snapshot.totals;
        match &snapshot.located {
            Some(located) if same_places => self.located.load(located, &self.model, state)?,
            _ => {
                state.forget_contacts();
                self.located.invalidate();
            }
        }
        match &snapshot.stepping {
            Some(memory) if same_places => self.time_stepping.load(memory, &mut self.state),
            _ => self.time_stepping.invalidate(),
        }
        Ok(())
    }

    /// Returns to a state saved before as [`restore`](Self::restore), with counters at zero and connectors aligned. The
    /// generator goes on where it is.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub(crate) fn restart(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        let generator = self.state.generator.clone();
        self.restore(snapshot)?;
        self.state.generator = generator;
        self.state.erase_old_poses();
        self.reset_totals();
        self.align_connectors();
        Ok(())
    }
}
