//! Whether what users hand to a mechanism makes sense.

use crate::body::{BodyId, Mass};
use crate::constraint::{BadValue, Constraint};
use crate::equation::RowKind;
use crate::error::MechanismError;
use crate::motion::Motions;
use engine2d_geometry::BodyRef;

/// An error for a value that is not finite.
pub(crate) fn finite(what: impl FnOnce() -> String, values: &[f64]) -> Result<(), MechanismError> {
    match values.iter().find(|v| !v.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(MechanismError::Value { what: what(), value, allowed: "must be finite" }),
    }
}

pub(crate) fn check_length(what: &'static str, got: usize, expected: usize) -> Result<(), MechanismError> {
    if got == expected { Ok(()) } else { Err(MechanismError::Length { what, got, expected }) }
}

pub(crate) fn check_mass(index: usize, mass: Mass) -> Result<(), MechanismError> {
    for (what, value) in [("mass", mass.mass), ("inertia", mass.inertia)] {
        if !(value > 0.0 && value.is_finite()) {
            let what = format!("{what} of body {index}");
            return Err(MechanismError::Value { what, value, allowed: "must be > 0 and finite" });
        }
    }
    finite(|| format!("centre of mass of body {index}"), &[mass.center.x, mass.center.y])
}

/// The place that an id names in the mechanism of this number with `count` bodies.
pub(crate) fn check_home(
    what: &'static str,
    body: BodyId,
    number: u32,
    count: usize,
) -> Result<BodyRef, MechanismError> {
    if body.mechanism.is_some_and(|m| m != number) {
        return Err(MechanismError::ForeignBody { what, body });
    }
    let place = BodyRef::from(body);
    if place.index().is_some_and(|b| b >= count) {
        return Err(MechanismError::UnknownBody { constraint: what, body: place, count });
    }
    Ok(place)
}

/// Checks that a constraint names bodies of the mechanism of this number, each once.
pub(crate) fn check_bodies(
    constraint: &dyn Constraint,
    number: u32,
    count: usize,
) -> Result<(), MechanismError> {
    let bodies = constraint.bodies();
    for (i, &id) in bodies.iter().enumerate() {
        let body = check_home(constraint.kind(), id, number, count)?;
        if bodies[..i].iter().any(|b| *b == body) {
            return Err(MechanismError::SameBody { constraint: constraint.kind(), body });
        }
    }
    Ok(())
}

/// Checks that the rows of a constraint are finite and their limits make sense.
pub(crate) fn check_rows(
    name: &str,
    constraint: &dyn Constraint,
    motions: Motions<'_>,
) -> Result<(), MechanismError> {
    constraint.check().map_err(|bad| bad.of(name))?;
    let mut equations = Vec::new();
    constraint.equations(motions, &mut equations);
    for (i, e) in equations.iter().enumerate() {
        if !e.is_finite() {
            return Err(not_finite(name, i, constraint, motions));
        }
        let presses = |normal: usize| {
            equations.get(normal).is_some_and(|n| matches!(n.kind, RowKind::Unilateral | RowKind::Bilateral))
        };
        let (what, value, allowed) = match (e.kind, e.kind.normal()) {
            (RowKind::Boxed { lo, hi }, _) if !(lo <= hi) => {
                ("limits", hi, "the upper limit must be ≥ the lower")
            }
            (RowKind::Friction { mu, .. }, _) if !is_coefficient(mu) => {
                ("coefficient of friction", mu, "must be ≥ 0 and finite")
            }
            (RowKind::FrictionLimits { .. } | RowKind::Sliding { .. }, _) => (
                "kind",
                i as f64,
                "friction of a constraint is RowKind::Friction: how it slides follows from its rate",
            ),
            (_, Some(normal)) if !presses(normal) => {
                let allowed = "must be a unilateral or bilateral row of the constraint";
                ("normal row of friction", normal as f64, allowed)
            }
            _ => continue,
        };
        return Err(BadValue { what, value, allowed }.of(name));
    }
    Ok(())
}

fn is_coefficient(mu: f64) -> bool {
    mu >= 0.0 && mu.is_finite()
}

/// The error for an equation that is not finite: the constraint's own reason if it has one.
pub(crate) fn not_finite(
    name: &str,
    row: usize,
    constraint: &dyn Constraint,
    motions: Motions<'_>,
) -> MechanismError {
    match constraint.fault(motions) {
        Some(reason) => MechanismError::Broken { constraint: name.to_owned(), reason },
        None => BadValue { what: "an equation", value: f64::NAN, allowed: "must be finite" }
            .of(&format!("row {row} of {name}")),
    }
}

impl BadValue {
    /// The same as an error of the constraint of this name.
    pub(crate) fn of(self, name: &str) -> MechanismError {
        let Self { what, value, allowed } = self;
        MechanismError::Value { what: format!("{what} of {name}"), value, allowed }
    }
}
