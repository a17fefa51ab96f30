//! Bodies placed in touch, where events are found by backtracking: no contact rests at gap zero there.

use crate::error::SimError;
use crate::road::part_placed;
use crate::settings::{Fidelity, Profile};
use crate::system::System;

impl System {
    /// Sets bodies that were placed in touch, to within rounding, off by
    /// [`PLACED_GAP`](crate::tolerance::PLACED_GAP). The recorded rules leave them as they are.
    pub(crate) fn part_placed(&mut self) -> Result<(), SimError> {
        let placed = std::mem::take(&mut self.placed);
        if !placed
            || self.is_located()
            || self.settings.fidelity == Fidelity::Free
            || self.settings.profile == Profile::Reference
        {
            return Ok(());
        }
        self.road.measure(&self.bodies);
        self.erase_old_poses();
        part_placed(self)
    }

    /// Moves the bodies onto their joints, positions and velocities, after a step that was accepted. The recorded rules
    /// leave it to the extra acceleration.
    pub(crate) fn project_joints(&mut self) -> Result<(), SimError> {
        if self.settings.profile == Profile::Reference
            || self.settings.fidelity != Fidelity::Contacts
            || !self.connectors.iter().any(|c| c.connector.is_bilateral())
        {
            return Ok(());
        }
        if self.road.touch == 0.0 {
            self.road.measure(&self.bodies);
        }
        self.booked(true, crate::road::project).map(|_| ())
    }
}
