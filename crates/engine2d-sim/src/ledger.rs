//! The energy ledger: where the kinetic energy went.
//!
//! The power of each force law, of compliant contact and of constraint forces is integrated with the state, by the
//! same method and to the same tolerance; impulses and projections are booked when they happen. What is left between
//! the change of kinetic energy and the sum of the entries is the integrator's error.

use crate::system::{PER_BODY, System};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The books of a running world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// Work of each force law, then of compliant contact, then of constraint forces.
    pub(crate) work: Vec<f64>,
    /// Kinetic energy when the books were opened.
    start: f64,
    /// Kinetic energy given by impulses.
    impulses: f64,
    /// Kinetic energy given by projections onto constraints.
    corrections: f64,
}

/// Entries besides those of the force laws.
const OTHERS: usize = 2;

/// What has changed the kinetic energy since the ledger was opened (energies; losses are negative).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Work of each force law, by kind and in the order of the laws.
    pub force_laws: Vec<(String, f64)>,
    /// Work of compliant contacts, elastic and dissipated.
    pub compliant_contacts: f64,
    /// Work of contact forces and joints: zero but for extra acceleration and moving constraints.
    pub constraint_forces: f64,
    /// Energy given by impulses of collisions.
    pub impulses: f64,
    /// Energy given by projections onto joints.
    pub corrections: f64,
    /// Change of the kinetic energy.
    pub kinetic_change: f64,
    /// What the entries leave unexplained: the error of the integration.
    pub integration_error: f64,
}

impl fmt::Display for EnergyLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, work) in &self.force_laws {
            writeln!(f, "{name:24} {work:+.9}")?;
        }
        writeln!(f, "{:24} {:+.9}", "compliant contacts", self.compliant_contacts)?;
        writeln!(f, "{:24} {:+.9}", "constraint forces", self.constraint_forces)?;
        writeln!(f, "{:24} {:+.9}", "impulses", self.impulses)?;
        writeln!(f, "{:24} {:+.9}", "corrections", self.corrections)?;
        writeln!(f, "{:24} {:+.3e}", "integration error", self.integration_error)?;
        write!(f, "{:24} {:+.9}", "kinetic energy", self.kinetic_change)
    }
}

impl System {
    /// Opens the books anew at the present state, or closes them, as the settings have it.
    pub(crate) fn open_ledger(&mut self) {
        self.ledger = self.settings.energy_ledger.then(|| Ledger {
            work: vec![0.0; self.laws.len() + OTHERS],
            start: self.energy().kinetic(),
            ..Ledger::default()
        });
    }

    /// Whether the books fit the laws there are.
    pub(crate) fn ledger_fits(&self) -> bool {
        match &self.ledger {
            Some(ledger) => self.settings.energy_ledger && ledger.work.len() == self.laws.len() + OTHERS,
            None => !self.settings.energy_ledger,
        }
    }

    /// The books as they stand.
    pub(crate) fn read_ledger(&self) -> Option<EnergyLedger> {
        let ledger = self.ledger.as_ref()?;
        let kinetic_change = self.energy().kinetic() - ledger.start;
        let booked: f64 = ledger.work.iter().sum::<f64>() + ledger.impulses + ledger.corrections;
        let laws = self.laws.len().min(ledger.work.len() - OTHERS);
        let name = |k: usize| self.laws[k].kind().to_owned();
        Some(EnergyLedger {
            force_laws: (0..laws).map(|k| (name(k), ledger.work[k])).collect(),
            compliant_contacts: ledger.work[laws],
            constraint_forces: ledger.work[laws + 1],
            impulses: ledger.impulses,
            corrections: ledger.corrections,
            kinetic_change,
            integration_error: kinetic_change - booked,
        })
    }

    /// Does `work`, and books the kinetic energy that it gives as an impulse or a correction.
    pub(crate) fn booked<T>(&mut self, correction: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.ledger.is_none() {
            return work(self);
        }
        let before = self.energy().kinetic();
        let result = work(self);
        let given = self.energy().kinetic() - before;
        if let Some(ledger) = &mut self.ledger {
            let entry = if correction { &mut ledger.corrections } else { &mut ledger.impulses };
            *entry += given;
        }
        result
    }

    /// Power of the accelerations in `rates` (six per body): `Σ m v·a + I ω α`.
    pub(crate) fn power(&self, rates: &[f64]) -> f64 {
        let bodies = self.data.iter().zip(&self.bodies).zip(rates.chunks_exact(PER_BODY));
        bodies
            .filter(|((data, _), _)| data.is_movable())
            .map(|((data, b), r)| {
                data.mass * (b.velocity.x * r[1] + b.velocity.y * r[3])
                    + data.moment * b.angular_velocity * r[5]
            })
            .sum()
    }
}
