//! Whether a constraint makes sense where it stands.

use super::finite;
use crate::equation::{Motions, RowKind};
use crate::error::MechanismError;
use crate::library::{BadValue, Constraint};

/// Checks that the rows of a constraint are finite and their limits make sense.
pub(super) fn check_rows(
    name: &str,
    constraint: &dyn Constraint,
    motions: Motions<'_>,
) -> Result<(), MechanismError> {
    constraint.check().map_err(|bad| bad.of(name))?;
    let mut equations = Vec::new();
    constraint.equations(motions, &mut equations);
    for (i, e) in equations.iter().enumerate() {
        finite(|| format!("row {i} of {name}"), &e.row.jacobian.concat())?;
        let errors = [e.position_error, e.velocity_error, e.acceleration_bias];
        finite(|| format!("error {i} of {name}"), &errors)?;
        let (what, value, allowed) = match e.kind {
            RowKind::Boxed { lo, hi } if !(lo <= hi) => ("limits", hi, "the upper limit must be ≥ the lower"),
            RowKind::Friction { mu, .. } if !(mu >= 0.0 && mu.is_finite()) => {
                ("coefficient of friction", mu, "must be ≥ 0 and finite")
            }
            RowKind::Friction { normal, .. }
                if equations
                    .get(normal)
                    .is_none_or(|n| n.kind != RowKind::Unilateral && n.kind != RowKind::Bilateral) =>
            {
                (
                    "normal row of friction",
                    normal as f64,
                    "must be a unilateral or bilateral row of the constraint",
                )
            }
            _ => continue,
        };
        return Err(BadValue { what, value, allowed }.of(name));
    }
    Ok(())
}

impl BadValue {
    /// The same as an error of the constraint of this name.
    pub(super) fn of(self, name: &str) -> MechanismError {
        let Self { what, value, allowed } = self;
        MechanismError::Value { what: format!("{what} of {name}"), value, allowed }
    }
}
