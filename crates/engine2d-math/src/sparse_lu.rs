//! A sparse factorization `P K Pᵀ = L U` of matrices without symmetry whose pattern is symmetric, in a fixed order.
//!
//! **Conditions.** The pattern is symmetric and its diagonal entries carry weight: rows are not interchanged, and a pivot
//! that vanishes beside its diagonal entry ends the attempt ([`SparseLu::factor`] tells). Rows come in groups that are
//! linked to the same others, such as the rows of one contact. **Method.** Minimum degree on the groups; neighbouring groups
//! with the same later neighbours are one block [George, Liu 1981, §5; Demmel et al. 1999]. Each block takes in
//! the blocks before it, four of its rows at a time, in the widest vectors of the processor; the bits are the same in all. **Stability.** That of elimination without interchanges:
//! check what comes out, refine.

mod analysis;
mod loops;

use crate::minimum_degree::MinimumDegree;

/// Pivot, relative to the diagonal entry of the matrix, below which rows would have to be interchanged.
const VANISHING: f64 = 1e-10;
/// Rows of a block at most.
const WIDEST: usize = 16;

/// Where what is loaded counts: loops for one row and for three, of which bodies have as many, are enough. The bits are the same.
const WEB: bool = cfg!(target_arch = "wasm32");

/// Rows that are taken at a time.
const MOST_ROWS: usize = if WEB { 3 } else { 4 };

/// Analysis and values of a factorization; storage only grows.
#[derive(Clone, Debug, Default)]
pub struct SparseLu {
    graph: MinimumDegree,
    /// Row at each place of the order, and the place of each row.
    order: Vec<u32>,
    place: Vec<u32>,
    blocks: Vec<Block>,
    /// Places after a block where its rows have entries.
    tails: Vec<u32>,
    /// Blocks before a block in whose tails it has rows.
    heads: Vec<u32>,
    /// For each block its rows over its own places, then its tail: `U`, and `L` within the block.
    upper: Vec<f64>,
    /// For each row of a block `L` over the rows of its heads.
    lower: Vec<f64>,
    inverse: Vec<f64>,
    work: Vec<f64>,
    /// Of the block that is factored: where the entry of each place stands in a row, and its rows.
    local: Vec<u32>,
    panel: Vec<f64>,
    /// Where the entries of a head's tail stand in it.
    targets: Vec<u32>,
    /// Which blocks are to be factored again.
    stale: Vec<bool>,
    /// Of the analysis.
    scratch: Vec<usize>,
    firsts: Vec<usize>,
}

/// Where the parts of a block are.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// First place, and number of rows.
    begin: usize,
    width: usize,
    /// Part of `tails`.
    tail: (usize, usize),
    /// Part of `heads`.
    head: (usize, usize),
    /// Start in `upper`.
    upper: usize,
    /// Start in `lower`, and length of one row there.
    lower: (usize, usize),
}

impl Block {
    /// Length of a row in `upper`.
    fn stride(&self) -> usize {
        self.width + self.tail.1 - self.tail.0
    }
}

/// Where [`SparseLu::factor`] takes the entries of a row.
#[derive(Debug)]
pub struct Entries<'w> {
    row: &'w mut [f64],
    place: &'w [u32],
    local: &'w [u32],
}

impl Entries<'_> {
    /// Adds to the entry in this column.
    #[inline(always)]
    pub fn add(&mut self, column: usize, value: f64) {
        self.row[self.local[self.place[column] as usize] as usize] += value;
    }
}

impl SparseLu {
    /// Analyses a pattern: `group[i]` is the group of row `i`, numbered from 0; `links` calls back with each pair of linked
    /// groups, in either or both orders.
    pub fn analyse(&mut self, group: &[usize], links: impl FnOnce(&mut dyn FnMut(usize, usize))) {
        let groups = group.iter().fold(0, |m, &g| m.max(g + 1));
        self.graph.reset(groups);
        links(&mut |a, b| self.graph.join(a, b));
        self.graph.eliminate();
        self.number_rows(group, groups);
        self.find_tails(group);
        self.find_heads();
        self.make_room(group.len());
    }

    /// Number of stored entries.
    #[must_use]
    pub fn fill(&self) -> usize {
        self.upper.len() + self.lower.len()
    }

    /// Factors the matrix whose row `i` is what `fill(i, entries)` adds, within the pattern analysed; `false` if a pivot
    /// vanishes or is not finite.
    pub fn factor(&mut self, mut fill: impl FnMut(usize, &mut Entries<'_>)) -> bool {
        self.stale.clear();
        self.stale.resize(self.blocks.len(), true);
        self.factor_stale(&mut fill)
    }

    /// As [`SparseLu::factor`] where nothing but rows and columns of the groups that hold the rows `changed` is new: only the
    /// blocks that depend on them are factored again, to the same bits. The last factorization of this pattern must have
    /// succeeded.
    pub fn update(
        &mut self,
        changed: impl IntoIterator<Item = usize>,
        mut fill: impl FnMut(usize, &mut Entries<'_>),
    ) -> bool {
        self.stale.clear();
        self.stale.resize(self.blocks.len(), false);
        for row in changed {
            let place = self.place[row] as usize;
            let after = self.blocks.partition_point(|block| block.begin <= place);
            self.stale[after - 1] = true;
        }
        self.factor_stale(&mut fill)
    }

    /// Factors the stale blocks and those that depend on them.
    #[inline(always)]
    fn factor_blocks(&mut self, fill: &mut dyn FnMut(usize, &mut Entries<'_>)) -> bool {
        for b in 0..self.blocks.len() {
            let heads = self.blocks[b].head;
            if !self.stale[b] && !self.heads[heads.0..heads.1].iter().any(|&h| self.stale[h as usize]) {
                continue;
            }
            self.stale[b] = true;
            self.load_block(b, fill);
            self.take_heads(b);
            if !self.factor_block(b) {
                return false;
            }
        }
        true
    }

    /// Takes the entries of the matrix in the rows of a block into the panel: those over its heads, then those over its own
    /// places and its tail.
    fn load_block(&mut self, b: usize, fill: &mut dyn FnMut(usize, &mut Entries<'_>)) {
        let Self { order, place, local, panel, blocks, tails, heads, work, .. } = self;
        let block = &blocks[b];
        let mut next = 0;
        let mut stand = |place: usize| {
            local[place] = next;
            next += 1;
        };
        for &h in &heads[block.head.0..block.head.1] {
            let head = &blocks[h as usize];
            (head.begin..head.begin + head.width).for_each(&mut stand);
        }
        (block.begin..block.begin + block.width).for_each(&mut stand);
        tails[block.tail.0..block.tail.1].iter().for_each(|&place| stand(place as usize));
        let (before, length) = (block.lower.1, block.lower.1 + block.stride());
        panel.clear();
        panel.resize(block.width * length, 0.0);
        for (r, row) in panel.chunks_exact_mut(length).enumerate() {
            fill(order[block.begin + r] as usize, &mut Entries { row, place, local });
            // The diagonal entry, beside which the pivot must not vanish.
            work[block.begin + r] = row[before + r].abs();
        }
    }

    /// Divides the panel by the triangles of the heads of its block and takes their tails away from it.
    #[inline(always)]
    fn take_heads(&mut self, b: usize) {
        let Self { blocks, tails, heads, upper, inverse, local, panel, targets, .. } = self;
        let block = &blocks[b];
        let (length, end) = (block.lower.1 + block.stride(), block.begin + block.width);
        let mut at = 0;
        for &h in &heads[block.head.0..block.head.1] {
            let head = &blocks[h as usize];
            let head_rows = &upper[head.upper..head.upper + head.width * head.stride()];
            let tail = &tails[head.tail.0..head.tail.1];
            targets.clear();
            targets.extend(tail.iter().map(|&place| local[place as usize]));
            // The rows of the block that are in the tail of the head; the others have nothing there.
            let from = tail.partition_point(|&place| (place as usize) < block.begin);
            let mut rest = &tail[from..];
            while let Some(&first) = rest.first().filter(|&&place| (place as usize) < end) {
                // Rows that follow each other, up to so many.
                let follows = |k: &usize| {
                    rest.get(*k).is_some_and(|&next| next == first + *k as u32 && (next as usize) < end)
                };
                let count = 1 + (1..MOST_ROWS).take_while(follows).count();
                rest = &rest[count..];
                let rows = &mut panel[(first as usize - block.begin) * length..][..count * length];
                let mut zero = true;
                for row in rows.chunks_exact_mut(length) {
                    let part = &mut row[at..at + head.width];
                    divide(head_rows, head.stride(), &inverse[head.begin..], part);
                    zero &= part.iter().all(|v| *v == 0.0);
                }
                if !zero {
                    let head = (at, head_rows, head.width);
                    match count {
                        MOST_ROWS => subtract::<MOST_ROWS>(rows, head, targets),
                        _ if WEB => {
                            rows.chunks_exact_mut(length).for_each(|row| subtract::<1>(row, head, targets));
                        }
                        1 => subtract::<1>(rows, head, targets),
                        2 => subtract::<2>(rows, head, targets),
                        _ => subtract::<3>(rows, head, targets),
                    }
                }
            }
            at += head.width;
        }
    }

    /// Eliminates within the panel of a block and keeps it; `false` if a pivot vanishes.
    #[inline(always)]
    fn factor_block(&mut self, b: usize) -> bool {
        let Self { blocks, upper, lower, inverse, work, panel, .. } = self;
        let block = &blocks[b];
        let (before, stride) = (block.lower.1, block.stride());
        for r in 0..block.width {
            let (done, this) = panel.split_at_mut(r * (before + stride));
            let this = &mut this[before..before + stride];
            for (s, row) in done.chunks_exact(before + stride).enumerate() {
                if this[s] != 0.0 {
                    let factor = this[s] * inverse[block.begin + s];
                    this[s] = factor;
                    crate::kernel::axpy(-factor, &row[before + s + 1..], &mut this[s + 1..]);
                }
            }
            let diagonal = std::mem::take(&mut work[block.begin + r]);
            if !(this[r].abs() > VANISHING * diagonal && this[r].is_finite()) {
                work.fill(0.0);
                return false;
            }
            inverse[block.begin + r] = 1.0 / this[r];
        }
        for (r, row) in panel.chunks_exact(before + stride).enumerate() {
            lower[block.lower.0 + r * before..][..before].copy_from_slice(&row[..before]);
            upper[block.upper + r * stride..][..stride].copy_from_slice(&row[before..]);
        }
        true
    }

    /// `x ← K⁻¹ x`.
    #[inline(always)]
    fn solve_blocks(&mut self, x: &mut [f64]) {
        let Self { order, blocks, tails, heads, upper, lower, inverse, work, panel: row, .. } = self;
        for (y, &i) in work.iter_mut().zip(&*order) {
            *y = x[i as usize];
        }
        for block in &*blocks {
            row.clear();
            for &h in &heads[block.head.0..block.head.1] {
                let head = &blocks[h as usize];
                row.extend_from_slice(&work[head.begin..head.begin + head.width]);
            }
            let (stride, length) = (block.stride(), block.lower.1);
            for r in 0..block.width {
                let k = block.begin + r;
                let left = &lower[block.lower.0 + r * length..][..length];
                let own = &upper[block.upper + r * stride..][..r];
                work[k] -= crate::kernel::dot(left, row) + crate::kernel::dot(own, &work[block.begin..k]);
            }
        }
        for block in blocks.iter().rev() {
            let (stride, end) = (block.stride(), block.begin + block.width);
            row.clear();
            row.extend(tails[block.tail.0..block.tail.1].iter().map(|&c| work[c as usize]));
            for r in (0..block.width).rev() {
                let k = block.begin + r;
                let (own, right) = upper[block.upper + r * stride..][..stride].split_at(block.width);
                let known =
                    crate::kernel::dot(right, row) + crate::kernel::dot(&own[r + 1..], &work[k + 1..end]);
                work[k] = (work[k] - known) * inverse[k];
            }
        }
        for (y, &i) in work.iter().zip(&*order) {
            x[i as usize] = *y;
        }
        work.fill(0.0);
    }
}

/// `x ← x U⁻¹` for the triangle at the start of `rows`.
#[inline(always)]
fn divide(rows: &[f64], stride: usize, inverse: &[f64], x: &mut [f64]) {
    for s in 0..x.len() {
        let factor = x[s] * inverse[s];
        x[s] = factor;
        if factor != 0.0 {
            for (x, u) in x[s + 1..].iter_mut().zip(&rows[s * stride + s + 1..]) {
                *x -= factor * u;
            }
        }
    }
}

/// Takes the tail of a head, of so many rows, whose entries stand at `targets`, away from `N` rows of a panel, times their
/// entries over the head, which start at `at`.
#[inline(always)]
fn subtract<const N: usize>(panel: &mut [f64], (at, head, width): (usize, &[f64], usize), targets: &[u32]) {
    let mut rows = panel.chunks_exact_mut(panel.len() / N);
    let mut rows: [&mut [f64]; N] = std::array::from_fn(|_| rows.next().unwrap_or_default());
    let mut factors = [[0.0; N]; WIDEST];
    let stride = width + targets.len();
    // A single group may be wider.
    for first in (0..width).step_by(WIDEST) {
        let factors = &mut factors[..WIDEST.min(width - first)];
        for (s, factors) in factors.iter_mut().enumerate() {
            *factors = std::array::from_fn(|n| rows[n][at + first + s]);
        }
        let (fours, rest) = targets.as_chunks::<4>();
        let mut column = first * stride + width;
        for targets in fours {
            let sums = products::<N, 4>(factors, &head[column..], stride);
            // Mostly they stand side by side.
            let first = targets[0] as usize;
            if targets[3] == targets[0] + 3 {
                for (row, sum) in rows.iter_mut().zip(&sums) {
                    row[first..first + 4].iter_mut().zip(sum).for_each(|(entry, sum)| *entry -= sum);
                }
            } else {
                for (row, sum) in rows.iter_mut().zip(&sums) {
                    targets.iter().zip(sum).for_each(|(&c, sum)| row[c as usize] -= sum);
                }
            }
            column += 4;
        }
        for &c in rest {
            let sums = products::<N, 1>(factors, &head[column..], stride);
            rows.iter_mut().zip(&sums).for_each(|(row, sum)| row[c as usize] -= sum[0]);
            column += 1;
        }
    }
}

/// The products of `N` rows of factors with `M` columns at the start of rows that are so far apart; the sums stay in registers.
#[inline(always)]
fn products<const N: usize, const M: usize>(
    factors: &[[f64; N]],
    head: &[f64],
    stride: usize,
) -> [[f64; M]; N] {
    let mut sums = [[0.0; M]; N];
    for (s, l) in factors.iter().enumerate() {
        let Some(u) = head[s * stride..].first_chunk::<M>() else { continue };
        for n in 0..N {
            for m in 0..M {
                sums[n][m] += l[n] * u[m];
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests;
