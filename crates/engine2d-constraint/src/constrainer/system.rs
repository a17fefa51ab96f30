//! The rows of all constrainers of a system, checked against each other.

use super::{Constrainer, RowInfo};
use crate::equation::Motions;
use engine2d_math::SparseBlockMatrix;
use engine2d_math::sparse_block::BlockError;

/// A constrainer that breaks the contract.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstrainerError {
    /// An operation moved the running index by another number of rows than was announced.
    #[error("constrainer {constrainer}: {operation} counted {got} rows, its sizes announce {announced}")]
    Rows {
        /// Place in the list.
        constrainer: usize,
        /// The operation.
        operation: &'static str,
        /// Rows counted.
        got: usize,
        /// Rows announced.
        announced: usize,
    },
    /// A block does not fit.
    #[error("constrainer {constrainer}: {source}")]
    Block {
        /// Place in the list.
        constrainer: usize,
        /// What does not fit.
        source: BlockError,
    },
    /// A row is not finite.
    #[error("constrainer {constrainer} wrote a row that is not finite")]
    NotFinite {
        /// Place in the list.
        constrainer: usize,
    },
}

/// `Gᵀ` or `Nᵀ` with its velocity-product terms and infos.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The transposed Jacobian: a block row of height 3 for each body.
    pub transposed: SparseBlockMatrix,
    /// Velocity-product terms.
    pub rate: Vec<f64>,
    /// Infos.
    pub info: Vec<RowInfo>,
}

/// Collects the bilateral or unilateral rows of `constrainers` over `bodies` bodies.
///
/// # Errors
/// [`ConstrainerError`] with the place of the constrainer that breaks the contract.
pub fn assemble_rows(
    constrainers: &mut [Box<dyn Constrainer>],
    motions: Motions<'_>,
    bodies: usize,
    unilateral: bool,
) -> Result<Assembled, ConstrainerError> {
    let mut announced = Vec::with_capacity(constrainers.len());
    let mut sizes = Vec::new();
    for c in constrainers.iter() {
        sizes.clear();
        if unilateral {
            c.unilateral_sizes(&mut sizes)
        } else {
            c.bilateral_sizes(&mut sizes)
        }
        announced.push(sizes.iter().sum::<usize>());
    }
    let total: usize = announced.iter().sum();
    let mut out = Assembled {
        transposed: SparseBlockMatrix::new(std::iter::repeat_n(3, bodies)),
        rate: vec![0.0; total],
        info: vec![RowInfo::default(); total],
    };
    let (mut index, mut info_index) = (0, 0);
    for (constrainer, (c, &announced)) in constrainers.iter_mut().zip(&announced).enumerate() {
        let added = if unilateral {
            c.add_unilateral(motions, &mut out.transposed, &mut out.rate, index)
        } else {
            c.add_bilateral(motions, &mut out.transposed, &mut out.rate, index)
        };
        let next = added.map_err(|source| ConstrainerError::Block { constrainer, source })?;
        let next_info = if unilateral {
            c.unilateral_info(&mut out.info, info_index)
        } else {
            c.bilateral_info(&mut out.info, info_index)
        };
        let counts = [
            ("adding rows", next.wrapping_sub(index)),
            ("adding columns", out.transposed.columns().wrapping_sub(index)),
            ("writing infos", next_info.wrapping_sub(info_index)),
        ];
        for (operation, got) in counts {
            if got != announced {
                return Err(ConstrainerError::Rows { constrainer, operation, got, announced });
            }
        }
        let range = index..next;
        let finite = out.rate[range.clone()].iter().all(|r| r.is_finite())
            && out.info[range].iter().all(|i| i.distance.is_finite());
        if !finite {
            return Err(ConstrainerError::NotFinite { constrainer });
        }
        (index, info_index) = (next, next_info);
    }
    Ok(out)
}
