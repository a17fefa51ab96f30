//! Forces and states that a constrainer stores and returns.

use super::Violation;
use crate::constrainer::contract::Constrainer;

/// Compares a count with what is announced.
pub(super) fn count(
    name: &str,
    operation: &'static str,
    got: usize,
    expected: usize,
) -> Result<(), Violation> {
    if got == expected {
        return Ok(());
    }
    Err(Violation::Count { name: name.to_owned(), operation, got, expected })
}

/// Which forces and states are stored and read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Bilateral,
    Unilateral,
    Friction,
}

/// An operation that stores forces, reads them, stores states or reads them: its name and what it returns.
type Counted = (&'static str, usize);

impl Values {
    fn set_forces(self, c: &mut dyn Constrainer, values: &[f64], scale: f64, index: usize) -> Counted {
        match self {
            Self::Bilateral => ("set_bilateral_forces", c.set_bilateral_forces(values, scale, index)),
            Self::Unilateral => ("set_unilateral_forces", c.set_unilateral_forces(values, scale, index)),
            Self::Friction => ("set_friction_forces", c.set_friction_forces(values, scale, index)),
        }
    }

    fn forces(self, c: &dyn Constrainer, values: &mut [f64], index: usize) -> Counted {
        match self {
            Self::Bilateral => ("bilateral_forces", c.bilateral_forces(values, index)),
            Self::Unilateral => ("unilateral_forces", c.unilateral_forces(values, index)),
            Self::Friction => ("friction_forces", c.friction_forces(values, index)),
        }
    }

    /// States; bilateral rows have none.
    fn set_states(self, c: &mut dyn Constrainer, states: &[u8], index: usize) -> Option<Counted> {
        match self {
            Self::Bilateral => None,
            Self::Unilateral => Some(("set_unilateral_state", c.set_unilateral_state(states, index))),
            Self::Friction => Some(("set_friction_state", c.set_friction_state(states, index))),
        }
    }

    fn states(self, c: &dyn Constrainer, states: &mut [u8], index: usize) -> Option<Counted> {
        match self {
            Self::Bilateral => None,
            Self::Unilateral => Some(("unilateral_state", c.unilateral_state(states, index))),
            Self::Friction => Some(("friction_state", c.friction_state(states, index))),
        }
    }
}

/// Place in the vectors at which the constrainer's values start, so that a running index that is not used is seen.
const FIRST: usize = 2;

/// Checks that forces come back scaled, states as they were, from their places and nowhere else, and that forces can be
/// set to zero.
pub(super) fn check_values(
    name: &str,
    c: &mut dyn Constrainer,
    rows: usize,
    which: Values,
) -> Result<(), Violation> {
    let counted = |(operation, end): Counted| count(name, operation, end.wrapping_sub(FIRST), rows);
    let compare = |operation, read: &[f64], expected: &dyn Fn(usize) -> f64| {
        let differs = (0..read.len()).find(|&k| read[k] != expected(k));
        differs.map_or(Ok(()), |k| {
            let (name, row) = (name.to_owned(), k.wrapping_sub(FIRST));
            Err(Violation::Force { name, operation, row, got: read[k], expected: expected(k) })
        })
    };
    let mine = |k: usize| (FIRST..FIRST + rows).contains(&k);
    let size = rows + FIRST + 1;
    let stored: Vec<f64> = (0..size).map(|k| 1.5 + k as f64).collect();
    let mut read = vec![-1.0; size];
    counted(which.set_forces(c, &stored, 2.0, FIRST))?;
    let (operation, end) = which.forces(c, &mut read, FIRST);
    counted((operation, end))?;
    compare(operation, &read, &|k| if mine(k) { 2.0 * stored[k] } else { -1.0 })?;
    let states: Vec<u8> = (0..size).map(|k| (k % 3) as u8).collect();
    let mut states_read = vec![u8::MAX; size];
    if let Some(set) = which.set_states(c, &states, FIRST) {
        counted(set)?;
    }
    if let Some((operation, end)) = which.states(c, &mut states_read, FIRST) {
        counted((operation, end))?;
        let read: Vec<f64> = states_read.iter().map(|s| f64::from(*s)).collect();
        compare(operation, &read, &|k| f64::from(if mine(k) { states[k] } else { u8::MAX }))?;
    }
    c.zero_forces();
    which.forces(c, &mut read, FIRST);
    compare("zero_forces", &read, &|k| if mine(k) { 0.0 } else { -1.0 })
}
