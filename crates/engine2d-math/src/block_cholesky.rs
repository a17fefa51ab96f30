//! Sparse Cholesky factorization of matrices made of 3 × 3 blocks: one block row for each body of the plane.
//!
//! **Conditions.** Symmetric positive definite, sparse by blocks. The pattern is analysed once: minimum degree order of
//! the blocks, a ninth of the work of ordering coordinates; elimination tree and columns of the factor
//! [Davis 2006, §4]. The values are added into the place of the factor itself, so no permutation is carried
//! out. Numeric part: by columns, each gathering what earlier ones contribute. **Promise.** Allocates nothing after the
//! analysis; the order of additions is fixed. For factors with large dense blocks
//! [`crate::sparse_cholesky`] is faster: see [`BlockCholesky::updates`].

use crate::sparse_cholesky::SparseError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Rows and columns of a block.
pub const SIDE: usize = 3;

/// A block by columns: entry `(r, c)` is `block[c][r]`.
pub type Block = [[f64; SIDE]; SIDE];

const NONE: u32 = u32::MAX;
const EMPTY: Block = [[0.0; SIDE]; SIDE];

/// A factorization whose pattern is fixed.
#[derive(Debug)]
pub struct BlockCholesky {
    /// Position of each block row in the order of elimination.
    place: Vec<u32>,
    /// First block of each column of the factor, in the order of elimination.
    start: Vec<u32>,
    /// Position of the row of each block: the diagonal first, then increasing.
    row: Vec<u32>,
    /// The factor; diagonal blocks hold the inverse of theirs.
    factor: Vec<Block>,
    /// For each row its blocks left of the diagonal: where they are and where their columns end.
    before_start: Vec<u32>,
    before: Vec<[u32; 2]>,
    /// Where in the current column each row is.
    slot: Vec<u32>,
    work: Vec<[f64; SIDE]>,
}

/// Where the values of an off-diagonal block are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the block in [`BlockCholesky::values`].
    pub index: u32,
    /// Whether it is stored transposed.
    pub transposed: bool,
}

impl BlockCholesky {
    /// Analyses a pattern: for each block row the neighbours with larger index, increasing, in `neighbours[start[i]..start[i + 1]]`.
    ///
    /// # Errors
    /// [`SparseError::Symbolic`] if the pattern is too large.
    ///
    /// # Panics
    /// If the pattern is malformed.
    pub fn analyse(start: &[u32], neighbours: &[u32]) -> Result<Self, SparseError> {
        let n = start.len() - 1;
        let mut order = vec![0_u32; n];
        let mut place = vec![0_u32; n];
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, start, None, neighbours);
        let request = amd::order_scratch::<u32>(n, neighbours.len());
        let mut memory = MemBuffer::try_new(request).map_err(|_| SparseError::Symbolic)?;
        let stack = MemStack::new(&mut memory);
        amd::order(&mut order, &mut place, pattern, amd::Control::default(), stack)
            .map_err(|_| SparseError::Symbolic)?;
        let earlier = Earlier::new(start, neighbours, &place);
        let (parent, count) = earlier.tree();
        let total: usize = count.iter().map(|c| *c as usize).sum();
        if total > NONE as usize / 2 {
            return Err(SparseError::Symbolic);
        }
        let mut columns = vec![0_u32; n + 1];
        for j in 0..n {
            columns[j + 1] = columns[j] + count[j];
        }
        let mut this = Self {
            place,
            row: vec![0; total],
            factor: vec![EMPTY; total],
            before_start: Vec::with_capacity(n + 1),
            before: Vec::with_capacity(total - n),
            slot: vec![0; n],
            work: vec![[0.0; SIDE]; n],
            start: columns,
        };
        this.fill_columns(&earlier, &parent);
        Ok(this)
    }

    /// Rows of the columns, and the list of blocks of each row.
    fn fill_columns(&mut self, earlier: &Earlier, parent: &[u32]) {
        let n = self.place.len();
        let mut next = self.start.clone();
        let mut seen = vec![NONE; n];
        for j in 0..n {
            self.before_start.push(self.before.len() as u32);
            self.row[next[j] as usize] = j as u32;
            next[j] += 1;
            seen[j] = j as u32;
            for &i in earlier.of(j) {
                let mut k = i as usize;
                while seen[k] != j as u32 {
                    seen[k] = j as u32;
                    self.row[next[k] as usize] = j as u32;
                    self.before.push([next[k], self.start[k + 1]]);
                    next[k] += 1;
                    k = parent[k] as usize;
                }
            }
        }
        self.before_start.push(self.before.len() as u32);
    }

    /// Number of block rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// Products of blocks in a factorization.
    #[must_use]
    pub fn updates(&self) -> usize {
        self.before.iter().map(|[at, end]| (end - at) as usize).sum()
    }

    /// Index of a diagonal block in [`Self::values`].
    #[must_use]
    pub fn diagonal(&self, i: usize) -> u32 {
        self.start[self.place[i] as usize]
    }

    /// Where the block of rows `i` and columns `j` of the pattern is; `None` if it is not part of it.
    #[must_use]
    pub fn find(&self, i: usize, j: usize) -> Option<Place> {
        let (pi, pj) = (self.place[i], self.place[j]);
        let (column, row) = (pi.min(pj) as usize, pi.max(pj));
        let from = self.start[column];
        let rows = &self.row[from as usize..self.start[column + 1] as usize];
        let at = rows.binary_search(&row).ok()?;
        Some(Place { index: from + at as u32, transposed: pi < pj })
    }

    /// The blocks to add the matrix into before [`Self::factor`], all zero.
    pub fn values(&mut self) -> &mut [Block] {
        self.factor.fill(EMPTY);
        &mut self.factor
    }

    /// Factors the matrix whose lower triangle has been added into [`Self::values`].
    ///
    /// # Errors
    /// [`SparseError::NotPositiveDefinite`].
    pub fn factor(&mut self) -> Result<(), SparseError> {
        for j in 0..self.len() {
            let (from, to) = (self.start[j] as usize, self.start[j + 1] as usize);
            for (k, &i) in self.row[from..to].iter().enumerate() {
                self.slot[i as usize] = k as u32;
            }
            let (done, rest) = self.factor.split_at_mut(from);
            let column = &mut rest[..to - from];
            let before = self.before_start[j] as usize..self.before_start[j + 1] as usize;
            for &[at, end] in &self.before[before] {
                let (at, end) = (at as usize, end as usize);
                let right = done[at];
                // Where rows are absent, blocks of the pattern stay empty.
                if right == EMPTY {
                    continue;
                }
                for (left, &i) in done[at..end].iter().zip(&self.row[at..end]) {
                    subtract_product(&mut column[self.slot[i as usize] as usize], left, &right);
                }
            }
            let inverse = inverse_cholesky(&column[0]).ok_or(SparseError::NotPositiveDefinite)?;
            column[0] = inverse;
            for block in &mut column[1..] {
                *block = times_transposed_lower(block, &inverse);
            }
        }
        Ok(())
    }

    /// `x ← A⁻¹ x` with the last factorization.
    ///
    /// # Panics
    /// If `x` is shorter than the dimension.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.len();
        let (x, _) = x.as_chunks_mut::<SIDE>();
        for (x, &p) in x.iter().zip(&self.place) {
            self.work[p as usize] = *x;
        }
        for j in 0..n {
            let (from, to) = (self.start[j] as usize, self.start[j + 1] as usize);
            let y = lower_times(&self.factor[from], self.work[j]);
            self.work[j] = y;
            for (block, &i) in self.factor[from + 1..to].iter().zip(&self.row[from + 1..to]) {
                let w = &mut self.work[i as usize];
                for r in 0..SIDE {
                    w[r] -= block[0][r] * y[0] + block[1][r] * y[1] + block[2][r] * y[2];
                }
            }
        }
        for j in (0..n).rev() {
            let (from, to) = (self.start[j] as usize, self.start[j + 1] as usize);
            let mut y = self.work[j];
            for (block, &i) in self.factor[from + 1..to].iter().zip(&self.row[from + 1..to]) {
                let w = self.work[i as usize];
                for c in 0..SIDE {
                    y[c] -= block[c][0] * w[0] + block[c][1] * w[1] + block[c][2] * w[2];
                }
            }
            self.work[j] = transposed_lower_times(&self.factor[from], y);
        }
        for (x, &p) in x.iter_mut().zip(&self.place) {
            *x = self.work[p as usize];
        }
    }
}

/// For each position the neighbours that are eliminated before it.
struct Earlier {
    start: Vec<u32>,
    neighbour: Vec<u32>,
}

impl Earlier {
    fn new(start: &[u32], neighbours: &[u32], place: &[u32]) -> Self {
        let n = place.len();
        let mut first = vec![0_u32; n + 1];
        let pairs = || {
            (0..n).flat_map(|i| {
                let list = &neighbours[start[i] as usize..start[i + 1] as usize];
                list.iter().map(move |&j| {
                    let (a, b) = (place[i], place[j as usize]);
                    (a.max(b), a.min(b))
                })
            })
        };
        pairs().for_each(|(late, _)| first[late as usize + 1] += 1);
        for j in 0..n {
            first[j + 1] += first[j];
        }
        let mut next = first.clone();
        let mut neighbour = vec![0; neighbours.len()];
        for (late, early) in pairs() {
            let at = &mut next[late as usize];
            neighbour[*at as usize] = early;
            *at += 1;
        }
        Self { start: first, neighbour }
    }

    fn of(&self, j: usize) -> &[u32] {
        &self.neighbour[self.start[j] as usize..self.start[j + 1] as usize]
    }

    /// The elimination tree, and the number of blocks of each column of the factor.
    fn tree(&self) -> (Vec<u32>, Vec<u32>) {
        let n = self.start.len() - 1;
        let (mut parent, mut count, mut seen) = (vec![NONE; n], vec![1_u32; n], vec![NONE; n]);
        for j in 0..n {
            seen[j] = j as u32;
            for &i in self.of(j) {
                let mut k = i as usize;
                while seen[k] != j as u32 {
                    if parent[k] == NONE {
                        parent[k] = j as u32;
                    }
                    count[k] += 1;
                    seen[k] = j as u32;
                    k = parent[k] as usize;
                }
            }
        }
        (parent, count)
    }
}

/// `C ← C − A Bᵀ`.
#[inline]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for s in 0..SIDE {
        for r in 0..SIDE {
            c[s][r] -= a[0][r] * b[0][s] + a[1][r] * b[1][s] + a[2][r] * b[2][s];
        }
    }
}

/// `L⁻¹` of the Cholesky factor of a block, of which the lower triangle is read; `None` if it is not positive definite.
#[inline]
fn inverse_cholesky(a: &Block) -> Option<Block> {
    let root = |d: f64| if d > 0.0 && d < f64::INFINITY { Some(1.0 / d.sqrt()) } else { None };
    let i0 = root(a[0][0])?;
    let (l10, l20) = (a[0][1] * i0, a[0][2] * i0);
    let i1 = root(a[1][1] - l10 * l10)?;
    let l21 = (a[1][2] - l20 * l10) * i1;
    let i2 = root(a[2][2] - l20 * l20 - l21 * l21)?;
    let m10 = -l10 * i0 * i1;
    let m21 = -l21 * i1 * i2;
    let m20 = -(l20 * i0 + l21 * m10) * i2;
    Some([[i0, m10, m20], [0.0, i1, m21], [0.0, 0.0, i2]])
}

/// `A Lᵀ` for a lower triangular `L`.
#[inline]
fn times_transposed_lower(a: &Block, l: &Block) -> Block {
    let mut c = EMPTY;
    for r in 0..SIDE {
        c[0][r] = a[0][r] * l[0][0];
        c[1][r] = a[0][r] * l[0][1] + a[1][r] * l[1][1];
        c[2][r] = a[0][r] * l[0][2] + a[1][r] * l[1][2] + a[2][r] * l[2][2];
    }
    c
}

/// `L x`.
#[inline]
fn lower_times(l: &Block, x: [f64; SIDE]) -> [f64; SIDE] {
    [l[0][0] * x[0], l[0][1] * x[0] + l[1][1] * x[1], l[0][2] * x[0] + l[1][2] * x[1] + l[2][2] * x[2]]
}

/// `Lᵀ x`.
#[inline]
fn transposed_lower_times(l: &Block, x: [f64; SIDE]) -> [f64; SIDE] {
    [l[0][0] * x[0] + l[0][1] * x[1] + l[0][2] * x[2], l[1][1] * x[1] + l[1][2] * x[2], l[2][2] * x[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_with_a_chord_is_solved_twice_with_one_analysis() {
        let n = 9;
        // Each block row is linked to the next one, the last to the first, and row 2 to row 6.
        let mut pairs: Vec<(usize, usize)> = (0..n - 1).map(|i| (i, i + 1)).collect();
        pairs.extend([(0, n - 1), (2, 6)]);
        pairs.sort_unstable();
        let start: Vec<u32> = (0..=n).map(|i| pairs.iter().filter(|p| p.0 < i).count() as u32).collect();
        let neighbours: Vec<u32> = pairs.iter().map(|p| p.1 as u32).collect();
        let mut cholesky = BlockCholesky::analyse(&start, &neighbours).unwrap();
        assert_eq!(cholesky.len(), n);
        assert!(cholesky.updates() > 0 && cholesky.find(1, 5).is_none_or(|p| p.index > 0));
        for scale in [1.0, 4.0] {
            let value = |i: usize, j: usize, r: usize, c: usize| {
                let twist = ((7 * i + 3 * j + 5 * r + 2 * c) % 11) as f64 / 11.0 - 0.4;
                scale * twist
            };
            let mut dense = vec![vec![0.0; 3 * n]; 3 * n];
            let places: Vec<_> = pairs.iter().map(|&(i, j)| cholesky.find(i, j).unwrap()).collect();
            let diagonal: Vec<_> = (0..n).map(|i| cholesky.diagonal(i)).collect();
            let values = cholesky.values();
            for (&(i, j), place) in pairs.iter().zip(&places) {
                for r in 0..SIDE {
                    for c in 0..SIDE {
                        let v = value(i, j, r, c);
                        (dense[3 * i + r][3 * j + c], dense[3 * j + c][3 * i + r]) = (v, v);
                        let (row, column) = if place.transposed { (c, r) } else { (r, c) };
                        values[place.index as usize][column][row] += v;
                    }
                }
            }
            for (i, &at) in diagonal.iter().enumerate() {
                for r in 0..SIDE {
                    for c in 0..SIDE {
                        let v = scale * if r == c { 9.0 } else { 0.25 };
                        dense[3 * i + r][3 * i + c] = v;
                        values[at as usize][c][r] += v;
                    }
                }
            }
            cholesky.factor().unwrap();
            let expected: Vec<f64> = (0..3 * n).map(|k| (k as f64 * 0.7).sin()).collect();
            let mut x: Vec<f64> =
                dense.iter().map(|row| row.iter().zip(&expected).map(|(a, x)| a * x).sum()).collect();
            cholesky.solve(&mut x);
            assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-14), "{x:?}");
        }
        let at = cholesky.diagonal(4) as usize;
        cholesky.values()[at][0][0] = -1.0;
        assert_eq!(cholesky.factor(), Err(SparseError::NotPositiveDefinite));
    }
}
