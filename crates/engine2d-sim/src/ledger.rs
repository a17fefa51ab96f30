//! The energy ledger: where the kinetic energy went.
//!
//! The power of each force law, of compliant contact and of constraint forces is integrated with the state, by the
//! same method and to the same tolerance; impulses and projections are booked when they happen. What is left between
//! the change of kinetic energy and the sum of the entries is the integrator's error. Fixed steps have no power: they book what
//! each of their forces did in all.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The books of a running world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// Work of each force law, then of each [`Entry`]: variables of the state, so that a step that is taken back takes back its work.
    pub(crate) work: Vec<f64>,
    /// Kinetic energy when the books were opened.
    pub(crate) start: f64,
}

/// Entries behind those of the force laws, in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    Compliant,
    Constraints,
    Friction,
    /// Kinetic energy given by impulses.
    Impulses,
    /// Energy given by projections onto constraints.
    Corrections,
}

impl Entry {
    /// How many there are.
    pub(crate) const COUNT: usize = 5;

    /// Its place, behind the entries of so many laws.
    pub(crate) fn place(self, laws: usize) -> usize {
        laws + self as usize
    }
}

/// What has changed the kinetic energy since the ledger was opened (energies; losses are negative).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Work of each force law, by kind and in the order of the laws.
    pub force_laws: Vec<(String, f64)>,
    /// Work of compliant contacts, elastic and dissipated.
    pub compliant_contacts: f64,
    /// Work of contact forces and joints: zero but for extra acceleration and moving constraints.
    pub constraint_forces: f64,
    /// Work of friction of rigid contacts.
    #[serde(default)]
    pub friction: f64,
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
        writeln!(f, "{:24} {:+.9}", "friction", self.friction)?;
        writeln!(f, "{:24} {:+.9}", "impulses", self.impulses)?;
        writeln!(f, "{:24} {:+.9}", "corrections", self.corrections)?;
        writeln!(f, "{:24} {:+.3e}", "integration error", self.integration_error)?;
        write!(f, "{:24} {:+.9}", "kinetic energy", self.kinetic_change)
    }
}
