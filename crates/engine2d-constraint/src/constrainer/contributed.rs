//! A constrainer as a constraint, so that it can stand in a mechanism or a world.

use super::contract::{Constrainer, Update};
use super::info::{FrictionInfo, RowInfo};
use super::system::{ConstrainerError, Fault, assemble_friction, assemble_rows};
use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::{Equation, RowKind, SpringDamper};
use crate::motion::{FrameMotion, Motions, moved};
use crate::row::{ConstraintRow, rate};
use crate::tolerance::DIFFERENCE_STEP;
use engine2d_geometry::BodyRef;
use engine2d_math::SparseBlockMatrix;
use std::fmt;

/// A [`Constrainer`] of your own as a [`Constraint`]: the rows of `G`, then the engaged ones of `N`, then friction, as
/// they are at a state. Every evaluation works on a fresh copy, so that equations depend on the state alone; whether a row
/// is engaged is what a first [`Update::Compute`] there says.
///
/// A row may act on two bodies at most. The interface has no velocity-product terms of friction rows: they are taken by
/// differences along the motion. Creep and compliance of sticking friction belong to its steps and are left out, as
/// are warm starts. In a world that locates events the unilateral rows of a constrainer are seen once they are engaged, not
/// before: their impacts are located to the penetration at which they engage.
#[derive(Clone)]
pub struct Contributed<C> {
    constrainer: C,
}

impl<C: Constrainer> fmt::Debug for Contributed<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contributed").field("constrainer", &self.constrainer.name()).finish()
    }
}

impl<C: Constrainer + Clone + Send + Sync + 'static> Contributed<C> {
    /// The constraint that a constrainer makes.
    #[must_use]
    pub fn new(constrainer: C) -> Self {
        Self { constrainer }
    }

    /// The constrainer, as it was given.
    #[must_use]
    pub fn constrainer(&self) -> &C {
        &self.constrainer
    }

    /// The constrainer, to change it.
    pub fn constrainer_mut(&mut self) -> &mut C {
        &mut self.constrainer
    }

    fn collect(&self, motions: Motions<'_>, out: &mut Vec<Equation>) -> Result<(), ConstrainerError> {
        let mut list: [Box<dyn Constrainer>; 1] = [Box::new(self.constrainer.clone())];
        let blame =
            |fault| ConstrainerError { constrainer: 0, name: self.constrainer.name().to_owned(), fault };
        let bodies = motions.bodies().len();
        list[0].update(motions, motions.time(), Update::Compute);
        let mut counts = [0; 2];
        for (part, kind) in [RowKind::Bilateral, RowKind::Unilateral].into_iter().enumerate() {
            let rows = assemble_rows(&mut list, motions, bodies, part == 1)?;
            counts[part] = rows.info.len();
            let columns = columns(&rows.transposed).map_err(blame)?;
            for ((row, info), bias) in columns.into_iter().zip(&rows.info).zip(&rows.rate) {
                out.push(equation(row, info, *bias, motions).with_kind(kind));
            }
        }
        let sets = assemble_friction(&mut list, motions, bodies, counts, false)?;
        let mut rates = [-DIFFERENCE_STEP, DIFFERENCE_STEP].map(|t| {
            let there = moved(motions, t);
            friction_rates(&mut list, Motions::new(&there).at_time(motions.time() + t), counts)
        });
        let columns = columns(&sets.transposed).map_err(blame)?;
        for (k, (row, set)) in columns.into_iter().zip(&sets.sets).enumerate() {
            let FrictionInfo { mu, contact, second, bilateral, limits, speed, .. } = *set;
            let kind = match limits {
                Some([lo, hi]) => RowKind::Boxed { lo, hi },
                None if second.is_some() => return Err(blame(Fault::TwoPressing { set: k })),
                None => {
                    RowKind::Friction { normal: if bilateral { contact } else { counts[0] + contact }, mu }
                }
            };
            let [before, after] = &mut rates;
            let differences = before
                .as_mut()
                .map_err(|e| e.clone())?
                .get(k)
                .zip(after.as_mut().map_err(|e| e.clone())?.get(k));
            let bias = differences.map_or(0.0, |(b, a)| (a - b) / (2.0 * DIFFERENCE_STEP));
            out.push(Equation::nonholonomic(row, speed, bias, motions).with_kind(kind));
        }
        Ok(())
    }
}

/// Rates of the friction rows at motions, with the same contacts engaged.
fn friction_rates(
    list: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    counts: [usize; 2],
) -> Result<Vec<f64>, ConstrainerError> {
    list[0].update(motions, motions.time(), Update::Refresh);
    let bodies = motions.bodies().len();
    for unilateral in [false, true] {
        assemble_rows(list, motions, bodies, unilateral)?;
    }
    let friction = assemble_friction(list, motions, bodies, counts, false)?;
    let u = motions.bodies().iter().flat_map(FrameMotion::rates).collect::<Vec<f64>>();
    Ok(friction.transposed.transposed_product(&u))
}

/// The columns of a transposed Jacobian as rows between two bodies.
fn columns(transposed: &SparseBlockMatrix) -> Result<Vec<ConstraintRow>, Fault> {
    let empty = ConstraintRow { bodies: [BodyRef::Ground; 2], jacobian: [[0.0; 3]; 2] };
    let mut rows = vec![empty; transposed.columns()];
    let mut crowded: Option<usize> = None;
    transposed.for_each_entry(|velocity, column, value| {
        let (row, body) = (&mut rows[column], BodyRef::Body((velocity / 3) as u32));
        let place = row.bodies.iter().position(|b| *b == body || *b == BodyRef::Ground);
        match place {
            Some(side) => {
                row.bodies[side] = body;
                row.jacobian[side][velocity % 3] = value;
            }
            None => crowded = crowded.or(Some(column)),
        }
    });
    crowded.map_or(Ok(rows), |row| Err(Fault::Crowded { row }))
}

fn equation(row: ConstraintRow, info: &RowInfo, bias: f64, motions: Motions<'_>) -> Equation {
    if let Some(speed) = info.drive {
        return Equation::nonholonomic(row, speed, bias, motions);
    }
    let RowInfo { distance, compliance, damping, force, .. } = *info;
    Equation {
        spring: SpringDamper { compliance, damping },
        force: (force != 0.0).then_some(force),
        velocity_error: rate(&row, motions) - info.rate,
        ..Equation::holonomic(row, distance, bias, motions)
    }
}

impl<C: Constrainer + Clone + Send + Sync + 'static> Constraint for Contributed<C> {
    fn kind(&self) -> &'static str {
        "constrainer"
    }

    fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.constrainer.components(&mut bodies);
        bodies.into_iter().map(BodyId::from).collect()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let first = out.len();
        if self.collect(motions, out).is_err() {
            // What breaks the contract must not pass for a constraint without rows: whoever reads asks `fault`.
            out.truncate(first);
            let row = ConstraintRow { bodies: [BodyRef::Ground; 2], jacobian: [[f64::NAN; 3]; 2] };
            out.push(Equation::holonomic(row, f64::NAN, f64::NAN, motions));
        }
    }

    fn fault(&self, motions: Motions<'_>) -> Option<String> {
        self.collect(motions, &mut Vec::new()).err().map(|e| e.to_string())
    }
}
