//! The rows of all constrainers of a system, checked against each other.

use super::contract::Constrainer;
use super::info::{FrictionInfo, RowInfo};
use crate::motion::Motions;
use engine2d_math::SparseBlockMatrix;
use engine2d_math::sparse_block::BlockError;

/// A constrainer that breaks the contract.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("constrainer {constrainer} ({name}): {fault}")]
pub struct ConstrainerError {
    /// Place in the list.
    pub constrainer: usize,
    /// Its name.
    pub name: String,
    /// What it did.
    pub fault: Fault,
}

/// How a constrainer breaks the contract.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An operation moved the running index by another number of rows than was announced.
    #[error("{operation} counted {got} rows, its sizes announce {announced}")]
    Rows {
        /// The operation.
        operation: &'static str,
        /// Rows counted.
        got: usize,
        /// Rows announced.
        announced: usize,
    },
    /// A block column is not as wide as announced.
    #[error("its block column {column} has width {got}, its sizes announce {announced}")]
    Width {
        /// Place among its block columns.
        column: usize,
        /// The width; 0 if there is no such column.
        got: usize,
        /// Width announced; 0 if none was.
        announced: usize,
    },
    /// A block does not fit.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// A row is not finite.
    #[error("it wrote a row that is not finite")]
    NotFinite,
    /// More friction sets than it announced.
    #[error("it added {got} friction sets, at most {most} are announced")]
    Sets {
        /// Sets added.
        got: usize,
        /// Largest number announced.
        most: usize,
    },
    /// A friction set that names another column than the one added for it.
    #[error("its friction set {set} names a block column that it did not add as the next one, of width 1")]
    FrictionColumn {
        /// Place among its sets.
        set: usize,
    },
    /// A friction set pressed by a row that is not there.
    #[error("its friction set {set} is pressed by row {row}, but there are {rows}")]
    Contact {
        /// Place among its sets.
        set: usize,
        /// The row named.
        row: usize,
        /// Number of rows.
        rows: usize,
    },
    /// A row that acts on more bodies than a row of a mechanism can.
    #[error("its row {row} acts on more than two bodies, which a constrainer may and a mechanism may not")]
    Crowded {
        /// Place among its rows.
        row: usize,
    },
    /// A friction set with two pressing rows, which a mechanism does not have.
    #[error("its friction set {set} is pressed by two rows: give it one, or fixed limits")]
    TwoPressing {
        /// Place among its sets.
        set: usize,
    },
    /// A friction set whose numbers make no limits.
    #[error("its friction set {set} has a number that is not finite, negative, or limits in the wrong order")]
    Friction {
        /// Place among its sets.
        set: usize,
    },
}

/// `Gᵀ` or `Nᵀ` with its velocity-product terms and infos. Keep one: its storage is reused.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The transposed Jacobian: a block row of height 3 for each body.
    pub transposed: SparseBlockMatrix,
    /// Velocity-product terms.
    pub rate: Vec<f64>,
    /// Infos.
    pub info: Vec<RowInfo>,
    /// Widths of all block columns announced.
    sizes: Vec<usize>,
    /// For each constrainer the end of its block columns.
    ends: Vec<usize>,
}

/// Names the constrainer that is at fault.
fn blame(constrainers: &[Box<dyn Constrainer>], constrainer: usize, fault: Fault) -> ConstrainerError {
    let name = constrainers.get(constrainer).map_or_else(String::new, |c| c.name().to_owned());
    ConstrainerError { constrainer, name, fault }
}

/// Collects the bilateral or unilateral rows of `constrainers` over `bodies` bodies.
///
/// # Errors
/// As [`assemble_rows_into`].
pub fn assemble_rows(
    constrainers: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    bodies: usize,
    unilateral: bool,
) -> Result<Assembled, ConstrainerError> {
    let mut out = Assembled::default();
    assemble_rows_into(constrainers, motions, bodies, unilateral, &mut out)?;
    Ok(out)
}

/// Collects the bilateral or unilateral rows of `constrainers` over `bodies` bodies into `out`; nothing is allocated once
/// it has held a system of this size.
///
/// # Errors
/// [`ConstrainerError`] with the name of the constrainer that breaks the contract.
pub fn assemble_rows_into(
    constrainers: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    bodies: usize,
    unilateral: bool,
    out: &mut Assembled,
) -> Result<(), ConstrainerError> {
    out.announce(constrainers, bodies, unilateral);
    let (mut index, mut info_index, mut column) = (0, 0, 0);
    for k in 0..constrainers.len() {
        let announced: usize = out.sizes[column..out.ends[k]].iter().sum();
        let c = &mut constrainers[k];
        let before = out.transposed.columns();
        let added = if unilateral {
            c.add_unilateral(motions, &mut out.transposed, &mut out.rate, index)
        } else {
            c.add_bilateral(motions, &mut out.transposed, &mut out.rate, index)
        };
        let next = added.map_err(|e| blame(constrainers, k, e.into()))?;
        let c = &constrainers[k];
        let next_info = if unilateral {
            c.unilateral_info(&mut out.info, info_index)
        } else {
            c.bilateral_info(&mut out.info, info_index)
        };
        let counts = [
            ("adding rows", next.wrapping_sub(index)),
            ("adding columns", out.transposed.columns() - before),
            ("writing infos", next_info.wrapping_sub(info_index)),
        ];
        if let Some((operation, got)) = counts.into_iter().find(|(_, got)| *got != announced) {
            return Err(blame(constrainers, k, Fault::Rows { operation, got, announced }));
        }
        out.check_widths(column..out.ends[k]).map_err(|fault| blame(constrainers, k, fault))?;
        (index, info_index, column) = (next, next_info, out.ends[k]);
    }
    out.check_finite().map_err(|k| blame(constrainers, k, Fault::NotFinite))
}

impl Assembled {
    /// Empties the matrix and asks for the sizes of all blocks.
    fn announce(&mut self, constrainers: &[Box<dyn Constrainer>], bodies: usize, unilateral: bool) {
        self.sizes.clear();
        self.ends.clear();
        for c in constrainers {
            if unilateral {
                c.unilateral_sizes(&mut self.sizes);
            } else {
                c.bilateral_sizes(&mut self.sizes);
            }
            self.ends.push(self.sizes.len());
        }
        let total = self.sizes.iter().sum();
        self.transposed.reset(std::iter::repeat_n(3, bodies));
        self.rate.clear();
        self.rate.resize(total, 0.0);
        self.info.clear();
        self.info.resize(total, RowInfo::default());
    }

    /// Compares the widths of block columns with those announced.
    fn check_widths(&self, columns: std::ops::Range<usize>) -> Result<(), Fault> {
        let more = self.transposed.block_columns().max(columns.end);
        let wrong = (columns.start..more).find_map(|column| {
            let got = self.transposed.column_width(column).unwrap_or(0);
            let announced = if column < columns.end { self.sizes[column] } else { 0 };
            (got != announced).then_some(Fault::Width { column: column - columns.start, got, announced })
        });
        wrong.map_or(Ok(()), Err)
    }

    /// Checks all numbers; the place of a constrainer that wrote one that is not finite.
    fn check_finite(&self) -> Result<(), usize> {
        let mut offender = None;
        let owner_of_column = |column: usize| self.ends.partition_point(|end| *end <= column);
        self.transposed.for_each_block(|_, column, values| {
            if offender.is_none() && !values.iter().all(|v| v.is_finite()) {
                offender = Some(owner_of_column(column));
            }
        });
        let numbers = self.rate.iter().zip(&self.info);
        let bad = numbers
            .map(|(rate, i)| [*rate, i.distance, i.compliance, i.damping, i.force, i.drive.unwrap_or(0.0)]);
        if let Some(row) = bad.into_iter().position(|n| !n.iter().all(|x| x.is_finite())) {
            let mut end = 0;
            let column = self.sizes.iter().position(|size| {
                end += size;
                row < end
            });
            offender = offender.or(column.map(owner_of_column));
        }
        offender.map_or(Ok(()), Err)
    }
}

/// `Dᵀ` with an info for every friction set, pruned ones among them. Keep one: its storage is reused.
#[derive(Clone, Debug, Default)]
pub struct AssembledFriction {
    /// The transposed friction directions: a block row of height 3 for each body, a column for each set that is not
    /// pruned.
    pub transposed: SparseBlockMatrix,
    /// Infos of all sets.
    pub sets: Vec<FrictionInfo>,
}

/// Collects the friction sets of `constrainers` over `bodies` bodies.
///
/// # Errors
/// As [`assemble_friction_into`].
pub fn assemble_friction(
    constrainers: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    bodies: usize,
    rows: [usize; 2],
    prune: bool,
) -> Result<AssembledFriction, ConstrainerError> {
    let mut out = AssembledFriction::default();
    assemble_friction_into(constrainers, motions, bodies, rows, prune, &mut out)?;
    Ok(out)
}

/// Collects the friction sets of `constrainers` over `bodies` bodies into `out`, after the bilateral and unilateral rows,
/// of which there are `rows`; nothing is allocated once `out` has held a system of this size.
///
/// # Errors
/// [`ConstrainerError`] with the name of the constrainer that breaks the contract.
pub fn assemble_friction_into(
    constrainers: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    bodies: usize,
    rows: [usize; 2],
    prune: bool,
    out: &mut AssembledFriction,
) -> Result<(), ConstrainerError> {
    out.transposed.reset(std::iter::repeat_n(3, bodies));
    out.sets.clear();
    for k in 0..constrainers.len() {
        let (first, column) = (out.sets.len(), out.transposed.block_columns());
        let added = constrainers[k].add_friction(motions, &mut out.transposed, &mut out.sets, prune);
        added.map_err(|e| blame(constrainers, k, e.into()))?;
        let (got, most) = (out.sets.len() - first, constrainers[k].max_friction_sets());
        if got > most {
            return Err(blame(constrainers, k, Fault::Sets { got, most }));
        }
        out.check(first, column, rows).map_err(|fault| blame(constrainers, k, fault))?;
    }
    Ok(())
}

impl AssembledFriction {
    /// Checks the sets from `first` on, whose block columns start at `column`.
    fn check(&self, first: usize, mut column: usize, rows: [usize; 2]) -> Result<(), Fault> {
        for (set, info) in self.sets[first..].iter().enumerate() {
            if let Some(block) = info.block {
                if block != column || self.transposed.column_width(column) != Some(1) {
                    return Err(Fault::FrictionColumn { set });
                }
                column += 1;
            }
            let rows = if info.bilateral { rows[0] } else { rows[1] };
            let pressing = [Some(info.contact), info.second].into_iter().flatten();
            if let (None, Some(row)) = (info.limits, pressing.into_iter().find(|r| *r >= rows)) {
                return Err(Fault::Contact { set, row, rows });
            }
            let positive = [info.mu, info.creep, info.compliance].iter().all(|x| *x >= 0.0 && x.is_finite());
            let ordered = info.limits.is_none_or(|[lo, hi]| lo <= hi);
            if !(positive && ordered && info.speed.is_finite() && info.displacement.is_finite()) {
                return Err(Fault::Friction { set });
            }
        }
        if column == self.transposed.block_columns() {
            Ok(())
        } else {
            Err(Fault::FrictionColumn { set: self.sets.len() - first })
        }
    }
}
