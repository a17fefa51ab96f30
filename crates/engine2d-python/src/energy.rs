//! The energies of a state.

use pyo3::prelude::*;

/// Energies of a state, in the unit mass · length² / time².
#[pyclass(frozen, get_all, module = "engine2d._native")]
#[derive(Clone, Copy)]
pub(crate) struct Energy {
    /// Kinetic energy of the motion of the centres of mass.
    translational: f64,
    /// Kinetic energy of the rotation about them.
    rotational: f64,
    /// Potential energy of all force laws.
    potential: f64,
    /// Translational plus rotational energy.
    kinetic: f64,
    /// All of it.
    total: f64,
}

impl From<engine2d_sim::Energy> for Energy {
    fn from(energy: engine2d_sim::Energy) -> Self {
        Self {
            translational: energy.translational,
            rotational: energy.rotational,
            potential: energy.potential,
            kinetic: energy.kinetic(),
            total: energy.total(),
        }
    }
}

#[pymethods]
impl Energy {
    fn __repr__(&self) -> String {
        format!("Energy(total={}, kinetic={}, potential={})", self.total, self.kinetic, self.potential)
    }
}
