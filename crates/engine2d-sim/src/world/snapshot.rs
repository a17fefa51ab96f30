//! The complete state of a world: saved, restored, written to a file.

use super::World;
use crate::error::SimError;
use crate::generator::Generator;
use crate::lcp::KnownSets;
use crate::ledger::Ledger;
use crate::located::LocatedState;
use crate::observer::Notification;
use crate::report::Totals;
use crate::system::PER_BODY;
use engine2d_geometry::{ContactId, OldPose};
use engine2d_math::Vec2;
use engine2d_math::sampled_curve::CurvePosition;
use serde::{Deserialize, Serialize};

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
    old_poses: Vec<Option<OldPose>>,
    path_positions: Vec<[Option<CurvePosition>; 2]>,
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
}

impl Snapshot {
    /// Simulated time at which it was taken.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.first().copied().unwrap_or(0.0)
    }

    /// Number of bodies of the world it was taken from.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.old_poses.len()
    }
}

impl World {
    /// The complete state now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let system = &self.system;
        let mut state = Vec::new();
        system.read_state(&mut state);
        state.truncate(1 + PER_BODY * system.bodies.len());
        Snapshot {
            state,
            old_poses: system.bodies.iter().map(|b| b.old).collect(),
            path_positions: system.connectors.iter().map(|c| [c.position, c.old_position]).collect(),
            resting: self.advance.resting().to_vec(),
            totals: self.advance.totals,
            max_force: system.contact_stage.max_force,
            current_step: system.current_step,
            known_sets: system.lcp.known_sets(),
            generator: system.generator.clone(),
            placed: system.placed,
            ledger: system.ledger.clone(),
            located: system.is_located().then(|| Box::new(self.located.save(system))),
        }
    }

    /// Returns to a state saved before, of this world or one made of the same parts.
    ///
    /// # Errors
    /// [`SimError::Value`] when the numbers of bodies or connectors differ or a value is not finite; the world is
    /// then as before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        let system = &mut self.system;
        let mismatch = |path: &str, value: usize, allowed: &'static str| {
            Err(SimError::Value { path: path.to_owned(), value: value as f64, allowed })
        };
        let count = system.bodies.len();
        if snapshot.old_poses.len() != count || snapshot.state.len() != 1 + PER_BODY * count {
            let allowed = "the snapshot must be of a world with the same bodies";
            return mismatch("snapshot.bodies", snapshot.old_poses.len(), allowed);
        }
        if snapshot.path_positions.len() != system.connectors.len() {
            let allowed = "the snapshot must be of a world with the same connectors";
            return mismatch("snapshot.connectors", snapshot.path_positions.len(), allowed);
        }
        if let Some(i) = snapshot.state.iter().position(|v| !v.is_finite()) {
            let (path, allowed) = (format!("snapshot.state[{i}]"), "must be a finite number");
            return Err(SimError::Value { path, value: snapshot.state[i], allowed });
        }
        system.write_state(&snapshot.state);
        system.ledger.clone_from(&snapshot.ledger);
        for (body, old) in system.bodies.iter_mut().zip(&snapshot.old_poses) {
            body.old = *old;
        }
        for (connector, [now, old]) in system.connectors.iter_mut().zip(&snapshot.path_positions) {
            (connector.position, connector.old_position) = (*now, *old);
        }
        system.contact_stage.max_force = snapshot.max_force;
        system.contact_stage.forces.clear();
        system.current_step = snapshot.current_step;
        system.lcp.set_known(&snapshot.known_sets);
        system.generator = snapshot.generator.clone();
        system.placed = snapshot.placed;
        self.advance.set_resting(&snapshot.resting);
        self.advance.totals = snapshot.totals;
        match &snapshot.located {
            Some(located) => self.located.load(located, system)?,
            None => {
                system.forget_located();
                self.located.invalidate();
            }
        }
        Ok(())
    }

    /// Makes the present state the one to which [`reset`](Self::reset) returns.
    pub fn save_initial_state(&mut self) {
        self.initial = Some(Box::new(self.snapshot()));
        self.observers.notify(self.system.time, &Notification::InitialStateSaved);
    }

    /// Returns to the state saved by [`save_initial_state`](Self::save_initial_state), counters at zero, connectors
    /// aligned. The generator goes on where it is.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] when none was saved or the bodies have been added to or removed since.
    pub fn reset(&mut self) -> Result<(), SimError> {
        let Some(initial) = self.initial.take() else {
            let problem = "no initial state was saved: call save_initial_state first";
            return Err(SimError::Unsupported { path: "reset".to_owned(), problem });
        };
        let generator = self.system.generator.clone();
        let result = self.restore(&initial);
        self.initial = Some(initial);
        result?;
        self.system.generator = generator;
        self.system.erase_old_poses();
        self.reset_totals();
        self.align_connectors();
        self.observers.notify(self.system.time, &Notification::Reset);
        Ok(())
    }
}
