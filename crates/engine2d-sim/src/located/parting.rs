//! Bodies that touch to within rounding, set off from each other.
//!
//! Detection knows no gaps of zero, and a function that is not positive has no sign to change: what touches and is
//! not held is moved apart by twice the gap at which contacts are held, together with joints and held contacts, which
//! stay as they are.

use crate::collision::Collision;
use crate::error::SimError;
use crate::settings::Profile;
use crate::system::System;
use crate::tolerance::{EVENT_GAP, HELD_GAP, PLACED_GAP};
use engine2d_constraint::ConstraintRow;
use engine2d_geometry::BodyRef;

/// Sweeps over touching pairs: what is moved apart may come to touch others.
const PARTING_ROUNDS: usize = 16;

impl System {
    /// Sets pairs of pieces that touch off from each other. Penetration beyond `deepest` is left. Returns the smallest
    /// distance found, infinite if nothing touched.
    pub(super) fn part_touching(&mut self, deepest: f64) -> Result<f64, SimError> {
        let mut worst = f64::INFINITY;
        let gap = self.located.gap;
        let mut near = std::mem::take(&mut self.located.near);
        near.clear();
        for _ in 0..PARTING_ROUNDS {
            let located = &self.located;
            // What was moved apart stays in the list: moving others must not bring it together again.
            let smallest = located.candidates.collect_near(&self.bodies, (-deepest, gap), &mut near);
            if smallest == f64::INFINITY {
                break;
            }
            worst = worst.min(smallest);
            self.located.near = near;
            let projected = self.project_joints();
            near = std::mem::take(&mut self.located.near);
            projected?;
        }
        near.clear();
        self.located.near = near;
        Ok(worst)
    }

    /// Sets free contacts whose gap has shrunk to nothing off again, before a step. Returns whether bodies were
    /// moved.
    pub(super) fn clear_free_gaps(&mut self, penetration: &mut f64) -> Result<bool, SimError> {
        if !self.has_rigid_contacts() {
            return Ok(false);
        }
        // Whatever was overlooked in the last step is mended here, and reported.
        let nearest = self.part_touching(f64::INFINITY)?;
        *penetration = penetration.max(-nearest);
        self.erase_old_poses();
        let parted = self.part_records(f64::INFINITY)?;
        Ok(parted || nearest.is_finite())
    }

    /// Sets what detection finds nearer than the held gap, and not held, off from each other; penetration beyond
    /// `deepest` is left. Returns whether there was anything.
    pub(super) fn part_records(&mut self, deepest: f64) -> Result<bool, SimError> {
        let mut records = std::mem::take(&mut self.located.records);
        let found = self.find_located(0.0, &mut records);
        let located = &mut self.located;
        let limit = located.gap;
        let mut parting = std::mem::take(&mut located.parting);
        parting.clear();
        let free = |r: &&Collision| {
            let c = &r.contact;
            !c.bilateral && c.distance <= limit && c.distance >= -deepest && !located.is_held(c.id)
        };
        parting.extend(records.iter().filter(free));
        located.records = records;
        located.parting = parting;
        let moved = !self.located.parting.is_empty();
        let result = found.and_then(|()| if moved { self.project_joints() } else { Ok(()) });
        self.located.parting.clear();
        result.map(|()| moved)
    }

    /// Sets bodies that were placed in touch, to within rounding, and ropes of exactly their length off by
    /// [`PLACED_GAP`]: where events are found by backtracking, no contact rests at gap zero. The recorded rules leave
    /// them as they are.
    pub(crate) fn part_placed(&mut self) -> Result<(), SimError> {
        let placed = std::mem::take(&mut self.placed);
        // Located events set off what they hold.
        if !placed
            || self.is_located()
            || !self.has_rigid_contacts()
            || self.settings.profile == Profile::Reference
        {
            return Ok(());
        }
        self.prepare_rigid()?;
        self.located.gap *= PLACED_GAP / HELD_GAP;
        self.erase_old_poses();
        let result = self.part_touching(EVENT_GAP).and_then(|_| self.part_records(EVENT_GAP));
        // Nothing is held at a gap from here on.
        self.located.gap = 0.0;
        self.located.forget();
        result.map(|_| ())
    }

    /// The row of the distance of a pair of pieces and the distance; `None` where none is defined.
    pub(crate) fn spacing_row(&self, k: usize) -> Option<(ConstraintRow, f64)> {
        let pair = self.located.near[k];
        let view = self.located.candidates.view(pair, &self.bodies)?;
        let [a, b] = self.located.candidates.owners(pair);
        let arm = |body: u32| view.point - self.bodies[body as usize].pose.position();
        // The normal points out of the first body.
        let bodies = [BodyRef::Body(b), BodyRef::Body(a)];
        Some((ConstraintRow::separation(bodies, view.normal, arm(b), arm(a)), view.distance))
    }
}
