//! A harness for constrainers of third parties: does an implementation keep the contract of [`Constrainer`]?
//!
//! It checks that every operation counts the rows that the sizes announce, that blocks fit and belong to the bodies
//! announced, that forces and states come back as they were stored, also those of friction, that pruned friction keeps its
//! places, and that rows are the derivatives of the distances they report
//! and velocity-product terms the derivatives of the rows, by finite differences.

mod values;

use super::contract::{Constrainer, Update};
use super::system::{Assembled, ConstrainerError, assemble_friction, assemble_rows};
use crate::motion::{FrameMotion, Motions, moved};
use crate::tolerance::{DIFFERENCE_AGREEMENT, DIFFERENCE_STEP};
use engine2d_geometry::BodyRef;
use engine2d_math::SparseBlockMatrix;
use values::{Values, check_values, count};

/// How a constrainer breaks its contract.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// Counts, blocks or values that do not fit.
    #[error("{name}: {source}")]
    Rows {
        /// Name given to the constrainer.
        name: String,
        /// What is wrong.
        source: ConstrainerError,
    },
    /// An operation on forces or states moved the index wrongly.
    #[error("{name}: {operation} counted {got} rows, {expected} are announced")]
    Count {
        /// Name given to the constrainer.
        name: String,
        /// The operation.
        operation: &'static str,
        /// Rows counted.
        got: usize,
        /// Rows announced.
        expected: usize,
    },
    /// A stored force does not come back, scaled.
    #[error("{name}: {operation} gave {got} for row {row}, {expected} was stored")]
    Force {
        /// Name given to the constrainer.
        name: String,
        /// The operation.
        operation: &'static str,
        /// The row.
        row: usize,
        /// Force given back.
        got: f64,
        /// Force stored.
        expected: f64,
    },
    /// A row acts on a body that the constrainer does not name.
    #[error("{name}: row {row} acts on body {body}, which is not among its components")]
    Component {
        /// Name given to the constrainer.
        name: String,
        /// The row.
        row: usize,
        /// The body.
        body: usize,
    },
    /// A row is not what finite differences give.
    #[error("{name}: the {what} of row {row} is {got}, finite differences give {expected}")]
    Derivative {
        /// Name given to the constrainer.
        name: String,
        /// Which quantity.
        what: &'static str,
        /// The row.
        row: usize,
        /// What the constrainer says.
        got: f64,
        /// What differences say.
        expected: f64,
    },
}

/// What to check of a constrainer besides its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Whether the rates of reported distances are the rows' rates: not so where corrections leave a slack.
    pub distances: bool,
    /// Whether velocity-product terms are the change of the rows' rates.
    pub products: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Self { distances: true, products: true }
    }
}

/// Checks a constrainer at a state on its constraint; `name` appears in the violation found first.
///
/// # Errors
/// [`Violation`].
pub fn check(
    name: &str,
    constrainer: Box<dyn Constrainer>,
    motions: &[FrameMotion],
    checks: Checks,
) -> Result<(), Violation> {
    let mut list = vec![constrainer];
    list[0].update(Motions::new(motions), 0.0, Update::Compute);
    let mut counts = [0; 2];
    for unilateral in [false, true] {
        let here = rows(name, &mut list, (motions, 0.0), unilateral)?;
        check_components(name, list[0].as_ref(), &here.transposed, motions.len())?;
        let which = if unilateral { Values::Unilateral } else { Values::Bilateral };
        check_values(name, list[0].as_mut(), here.info.len(), which)?;
        counts[usize::from(unilateral)] = here.info.len();
        let (before, after) =
            (moved(Motions::new(motions), -DIFFERENCE_STEP), moved(Motions::new(motions), DIFFERENCE_STEP));
        let back = rows(name, &mut list, (&before, -DIFFERENCE_STEP), unilateral)?;
        let forth = rows(name, &mut list, (&after, DIFFERENCE_STEP), unilateral)?;
        list[0].update(Motions::new(motions), 0.0, Update::Refresh);
        let rate = here.transposed.transposed_product(&rates(motions));
        let rate_back = back.transposed.transposed_product(&rates(&before));
        let rate_forth = forth.transposed.transposed_product(&rates(&after));
        for row in 0..here.info.len() {
            let driven = here.info[row].drive.is_some();
            let distance = (forth.info[row].distance - back.info[row].distance) / (2.0 * DIFFERENCE_STEP);
            // Moving targets take their rates with them.
            let left = |rates: &[f64], at: &Assembled| {
                rates[row] - at.info[row].rate - at.info[row].drive.unwrap_or(0.0)
            };
            let product = (left(&rate_forth, &forth) - left(&rate_back, &back)) / (2.0 * DIFFERENCE_STEP);
            let wanted = [
                ("rate", rate[row] - here.info[row].rate, distance, checks.distances && !driven),
                ("velocity-product term", here.rate[row], product, checks.products),
            ];
            for (what, got, expected, wanted) in wanted {
                if wanted && !((got - expected).abs() <= DIFFERENCE_AGREEMENT * expected.abs().max(1.0)) {
                    let name = name.to_owned();
                    return Err(Violation::Derivative { name, what, row, got, expected });
                }
            }
        }
    }
    // The rows of this state again: friction refers to them.
    for unilateral in [false, true] {
        rows(name, &mut list, (motions, 0.0), unilateral)?;
    }
    check_friction(name, &mut list, motions, counts)
}

/// The rows at motions, without a change of what is engaged.
fn rows(
    name: &str,
    list: &mut [Box<dyn Constrainer>],
    (motions, time): (&[FrameMotion], f64),
    unilateral: bool,
) -> Result<Assembled, Violation> {
    list[0].update(Motions::new(motions), time, Update::Refresh);
    assemble_rows(list, Motions::new(motions), motions.len(), unilateral)
        .map_err(|source| Violation::Rows { name: name.to_owned(), source })
}

fn rates(motions: &[FrameMotion]) -> Vec<f64> {
    motions.iter().flat_map(FrameMotion::rates).collect()
}

fn check_components(
    name: &str,
    constrainer: &dyn Constrainer,
    rows: &SparseBlockMatrix,
    bodies: usize,
) -> Result<(), Violation> {
    let mut components = Vec::new();
    constrainer.components(&mut components);
    let mut stray = None;
    rows.for_each_entry(|i, row, value| {
        let body = i / 3;
        let known = components.contains(&BodyRef::Body(body as u32)) && body < bodies;
        if value != 0.0 && !known && stray.is_none() {
            stray = Some((row, body));
        }
    });
    stray.map_or(Ok(()), |(row, body)| Err(Violation::Component { name: name.to_owned(), row, body }))
}

/// Friction sets, their directions, forces and states; pruned sets keep their places.
fn check_friction(
    name: &str,
    list: &mut [Box<dyn Constrainer>],
    motions: &[FrameMotion],
    rows: [usize; 2],
) -> Result<(), Violation> {
    let assembled = |list: &mut [Box<dyn Constrainer>], prune| {
        assemble_friction(list, Motions::new(motions), motions.len(), rows, prune)
            .map_err(|source| Violation::Rows { name: name.to_owned(), source })
    };
    let all = assembled(list, false)?;
    check_components(name, list[0].as_ref(), &all.transposed, motions.len())?;
    let sets = all.sets.len();
    count(name, "add_friction without pruning", all.transposed.columns(), sets)?;
    check_values(name, list[0].as_mut(), sets, Values::Friction)?;
    // Without forces every Coulomb set is pruned, and stays in the list.
    list[0].zero_forces();
    let pruned = assembled(list, true)?;
    count(name, "add_friction with pruning", pruned.sets.len(), sets)?;
    let kept = pruned.sets.iter().filter(|s| s.limits.is_some()).count();
    count(name, "columns of pruned friction", pruned.transposed.columns(), kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constrainer::info::RowInfo;
    use engine2d_math::sparse_block::BlockError;
    use engine2d_math::{Pose, Vec2};

    fn turning_bodies() -> Vec<FrameMotion> {
        let at = |x, y, angle| FrameMotion {
            pose: Pose::new(x, y, angle),
            velocity: Vec2::new(0.0, 0.0),
            angular_velocity: 0.8,
        };
        vec![at(0.0, 0.0, 0.3), at(2.0, -0.01, 0.1)]
    }

    /// A point of body 1 on the x axis, with a mistake of the given kind.
    struct Broken {
        mistake: u8,
        force: f64,
        distance: f64,
    }

    impl Constrainer for Broken {
        fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
            sizes.push(if self.mistake == 0 { 2 } else { 1 });
        }
        fn add_bilateral(
            &mut self,
            m: Motions<'_>,
            gt: &mut SparseBlockMatrix,
            dg: &mut [f64],
            index: usize,
        ) -> Result<usize, BlockError> {
            let arm = m.of(BodyRef::Body(1)).arm(Vec2::new(0.5, 0.0));
            let column = gt.append_column(1);
            let lever = if self.mistake == 1 { -arm.x } else { arm.x };
            gt.set(1, column, &[0.0, 1.0, lever])?;
            dg[index] =
                if self.mistake == 2 { 0.0 } else { m.of(BodyRef::Body(1)).acceleration_bias_at(arm).y };
            Ok(index + 1)
        }
        fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
            info[index] = RowInfo { distance: self.distance, ..RowInfo::default() };
            index + 1
        }
        fn set_bilateral_forces(&mut self, lambda: &[f64], scale: f64, index: usize) -> usize {
            self.force = lambda[index] * if self.mistake == 3 { 1.0 } else { scale };
            index + 1
        }
        fn bilateral_forces(&self, lambda: &mut [f64], index: usize) -> usize {
            lambda[index] = self.force;
            index + 1
        }
        fn zero_forces(&mut self) {
            self.force = 0.0;
        }
        fn update(&mut self, m: Motions<'_>, _: f64, _: Update) -> Option<f64> {
            self.distance = m.of(BodyRef::Body(1)).position(Vec2::new(0.5, 0.0)).y;
            Some(0.0)
        }
        fn components(&self, out: &mut Vec<BodyRef>) {
            out.push(BodyRef::Body(if self.mistake == 4 { 0 } else { 1 }));
        }
    }

    #[test]
    fn each_mistake_is_found_and_the_offender_named() {
        let of = |mistake| {
            let broken = Broken { mistake, force: 0.0, distance: 0.0 };
            check("mine", Box::new(broken), &turning_bodies(), Checks::default())
        };
        assert!(matches!(of(0), Err(Violation::Rows { .. })));
        assert!(matches!(of(1), Err(Violation::Derivative { what: "rate", .. })));
        assert!(matches!(of(2), Err(Violation::Derivative { what: "velocity-product term", .. })));
        assert!(matches!(of(3), Err(Violation::Force { .. })));
        assert!(matches!(of(4), Err(Violation::Component { body: 1, .. })));
        assert_eq!(of(5), Ok(()));
        assert!(of(3).unwrap_err().to_string().starts_with("mine: "));
    }
}
