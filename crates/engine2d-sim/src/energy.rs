//! The energy report.

use std::fmt;

/// Energies of a state. Immovable bodies have no kinetic energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// `Σ ½ m |v|²`.
    pub translational: f64,
    /// `Σ ½ I ω²`.
    pub rotational: f64,
    /// Potential energy of all force laws, plus the offset of the settings.
    pub potential: f64,
}

impl Energy {
    /// Translational plus rotational energy.
    #[must_use]
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.potential + self.translational + self.rotational
    }
}

impl fmt::Display for Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "energy {:.9} (kinetic {:.9} = translational {:.9} + rotational {:.9}, potential {:.9})",
            self.total(),
            self.kinetic(),
            self.translational,
            self.rotational,
            self.potential
        )
    }
}
