//! A harness for constraints of third parties: are the equations of a [`Constraint`] what they say they are?

use crate::constraint::Constraint;
use crate::equation::{Equation, Level, RowKind};
use crate::motion::{FrameMotion, Motions, moved};
use crate::tolerance::{DIFFERENCE_AGREEMENT, DIFFERENCE_STEP};
use engine2d_geometry::BodyRef;

/// What is wrong with the equations of a constraint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A value that the constraint itself refuses.
    #[error("{what} is {value}: {allowed}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A body named twice, or that is not there.
    #[error("it names {body} twice, or there is no such body")]
    Body {
        /// The body.
        body: BodyRef,
    },
    /// An equation that acts on a body the constraint does not name.
    #[error("equation {row} acts on {body}, which is not among its bodies")]
    Stray {
        /// The equation.
        row: usize,
        /// The body.
        body: BodyRef,
    },
    /// An equation that is not finite.
    #[error("equation {row} is not finite")]
    NotFinite {
        /// The equation.
        row: usize,
    },
    /// Levels or rows in the wrong order: position level first, friction after the row that presses it.
    #[error("equation {row} stands in the wrong order: positions first, then velocities, then accelerations")]
    Order {
        /// The equation.
        row: usize,
    },
    /// Another number of equations at another state.
    #[error("it has {got} equations at one state and {expected} at another close to it")]
    Count {
        /// Equations there.
        got: usize,
        /// Equations here.
        expected: usize,
    },
    /// A number that differences of another do not confirm.
    #[error("the {what} of equation {row} is {got}, differences make it {expected}")]
    Derivative {
        /// Which quantity.
        what: &'static str,
        /// The equation.
        row: usize,
        /// What the equation says.
        got: f64,
        /// What differences say.
        expected: f64,
    },
}

/// Checks the equations of a constraint at motions that satisfy it in position and velocity (rows that hold away from it
/// are confirmed anywhere), by differences along the motion and its time: the rate of the position error is the velocity
/// error, the Jacobian is the velocity error's derivative by the velocities, and the bias its rate without accelerations.
/// Move all bodies, in all coordinates, or terms escape.
///
/// ```
/// use engine2d_constraint::{BodyRef, FrameMotion, Motions, Pose, Rod, Vec2, conformance::check_constraint};
///
/// let moving = |x: f64| FrameMotion {
///     pose: Pose::new(x, 0.3 * x, 0.4),
///     velocity: Vec2::new(0.2 - x, 0.7),
///     angular_velocity: 1.5 - x,
/// };
/// let rod = Rod::new(BodyRef::Body(0), [0.3, 0.1], BodyRef::Body(1), [0.0, 0.5], 1.0);
/// check_constraint(&rod, Motions::new(&[moving(0.0), moving(1.0)]))?;
/// # Ok::<(), engine2d_constraint::conformance::Flaw>(())
/// ```
///
/// # Errors
/// The first [`Flaw`] found.
pub fn check_constraint(constraint: &dyn Constraint, motions: Motions<'_>) -> Result<(), Flaw> {
    constraint.check().map_err(|bad| Flaw::Value {
        what: bad.what,
        value: bad.value,
        allowed: bad.allowed,
    })?;
    let bodies = constraint.bodies().into_iter().map(BodyRef::from).collect::<Vec<_>>();
    for (k, &body) in bodies.iter().enumerate() {
        if bodies[..k].contains(&body) || body.index().is_some_and(|i| i >= motions.bodies().len()) {
            return Err(Flaw::Body { body });
        }
    }
    let mut here = Vec::new();
    constraint.equations(motions, &mut here);
    check_order(&here, &bodies)?;
    let at = |motions: &[FrameMotion], time: f64| equations_like(constraint, motions, time, here.len());
    let t = motions.time();
    let before = at(&moved(motions, -DIFFERENCE_STEP), t - DIFFERENCE_STEP)?;
    let after = at(&moved(motions, DIFFERENCE_STEP), t + DIFFERENCE_STEP)?;
    let slope = |row: usize, value: fn(&Equation) -> f64| {
        (value(&after[row]) - value(&before[row])) / (2.0 * DIFFERENCE_STEP)
    };
    for (row, e) in here.iter().enumerate() {
        if e.level == Level::Position {
            confirm("velocity error", row, e.velocity_error, slope(row, |e| e.position_error))?;
        }
        if e.level != Level::Acceleration {
            confirm("bias", row, e.acceleration_bias, slope(row, |e| e.velocity_error))?;
        }
    }
    for body in bodies.iter().filter_map(|b| b.index()) {
        for k in 0..3 {
            let mut faster = motions.bodies().to_vec();
            let m = &mut faster[body];
            match k {
                0 => m.velocity.x += 1.0,
                1 => m.velocity.y += 1.0,
                _ => m.angular_velocity += 1.0,
            }
            for (row, (e, there)) in here.iter().zip(at(&faster, t)?).enumerate() {
                if e.level != Level::Acceleration {
                    let ends = e.row.bodies.iter().zip(&e.row.jacobian);
                    let got = ends.filter(|(b, _)| b.index() == Some(body)).map(|(_, j)| j[k]).sum();
                    confirm("Jacobian", row, got, there.velocity_error - e.velocity_error)?;
                }
            }
        }
    }
    Ok(())
}

fn equations_like(
    constraint: &dyn Constraint,
    motions: &[FrameMotion],
    time: f64,
    expected: usize,
) -> Result<Vec<Equation>, Flaw> {
    let mut there = Vec::new();
    constraint.equations(Motions::new(motions).at_time(time), &mut there);
    if there.len() == expected { Ok(there) } else { Err(Flaw::Count { got: there.len(), expected }) }
}

fn check_order(equations: &[Equation], bodies: &[BodyRef]) -> Result<(), Flaw> {
    for (row, e) in equations.iter().enumerate() {
        if !e.is_finite() {
            return Err(Flaw::NotFinite { row });
        }
        let stray = |b: &&BodyRef| **b != BodyRef::Ground && !bodies.contains(b);
        if let Some(&body) = e.row.bodies.iter().find(stray) {
            return Err(Flaw::Stray { row, body });
        }
        let late = row > 0 && equations[row - 1].level > e.level;
        let normal = matches!(e.kind, RowKind::Friction { normal, .. } if normal >= row);
        if late || normal {
            return Err(Flaw::Order { row });
        }
    }
    Ok(())
}

fn confirm(what: &'static str, row: usize, got: f64, expected: f64) -> Result<(), Flaw> {
    if (got - expected).abs() <= DIFFERENCE_AGREEMENT * expected.abs().max(1.0) {
        Ok(())
    } else {
        Err(Flaw::Derivative { what, row, got, expected })
    }
}
