//! What the friction solver knows of an earlier answer.

use crate::Set;

/// How good an answer has to be.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    /// Violation at which it is one, in the scales of its rows.
    pub(super) tolerance: f64,
    /// Smaller violation that it is improved to where that is cheap.
    pub(super) aim: f64,
}

impl Goal {
    /// What is asked for, and no more.
    pub(super) fn of(tolerance: f64) -> Self {
        Self { tolerance, aim: tolerance }
    }
}

/// What a solve starts from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start<'s> {
    /// Sets of an earlier answer.
    pub(crate) sets: Option<&'s [Set]>,
    /// Its forces: of many answers the nearest is preferred.
    pub(crate) forces: Option<&'s [f64]>,
    /// What the answer is improved to.
    pub(crate) aim: Option<f64>,
}

impl<'s> Start<'s> {
    /// What is known of some rows, gathered in the given buffers.
    pub(crate) fn of(self, rows: &[usize], sets: &'s mut Vec<Set>, forces: &'s mut Vec<f64>) -> Self {
        sets.clear();
        forces.clear();
        if let Some(all) = self.sets {
            sets.extend(rows.iter().map(|&i| all[i]));
        }
        if let Some(all) = self.forces {
            forces.extend(rows.iter().map(|&i| all[i]));
        }
        Self { sets: self.sets.map(|_| &sets[..]), forces: self.forces.map(|_| &forces[..]), aim: self.aim }
    }
}
