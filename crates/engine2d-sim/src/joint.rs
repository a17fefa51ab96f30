//! What a world demands of a constraint of the library before it takes it in.

use crate::error::SimError;
use engine2d_constraint::{Equation, Joint, Motions, RowKind};

/// Checks bodies, numbers and the equations at a state.
pub(crate) fn check(joint: &Joint, path: &str, count: usize, motions: Motions<'_>) -> Result<(), SimError> {
    let bodies = joint.bodies();
    for (k, body) in bodies.iter().enumerate() {
        if let Some(index) = body.index().filter(|&i| i >= count) {
            return Err(SimError::UnknownBody { path: format!("{path}.bodies[{k}]"), index, count });
        }
        if bodies[..k].contains(body) {
            let problem = "a constraint cannot connect a body with itself: name two bodies";
            return Err(SimError::Unsupported { path: format!("{path}.bodies[{k}]"), problem });
        }
    }
    if let Err(bad) = joint.check() {
        let path = format!("{path}.{}", bad.what);
        return Err(SimError::Value { path, value: bad.value, allowed: bad.allowed });
    }
    let mut equations = Vec::new();
    joint.any().equations(motions, &mut equations);
    for (k, e) in equations.iter().enumerate() {
        check_equation(&format!("{path}.equations[{k}]"), e)?;
    }
    Ok(())
}

fn check_equation(path: &str, e: &Equation) -> Result<(), SimError> {
    let numbers = [e.position_error, e.velocity_error, e.acceleration_bias];
    if let Some(&value) = numbers.iter().chain(e.row.jacobian.as_flattened()).find(|v| !v.is_finite()) {
        return Err(SimError::Value { path: path.to_owned(), value, allowed: "must be a finite number" });
    }
    match e.kind {
        RowKind::Boxed { lo, hi } if !(lo <= 0.0 && 0.0 <= hi) => {
            let allowed = "the limits of a force must include 0";
            Err(SimError::Value { path: path.to_owned(), value: if lo > 0.0 { lo } else { hi }, allowed })
        }
        RowKind::Friction { .. } => {
            let problem = "friction rows are not solved in a world yet: use a mechanism";
            Err(SimError::Unsupported { path: path.to_owned(), problem })
        }
        _ => Ok(()),
    }
}
