//! A sparse factorization `P K Pᵀ = L U` of matrices without symmetry whose pattern is symmetric, in a fixed order.
//!
//! **Conditions.** The pattern is symmetric and its diagonal entries carry weight: rows are not interchanged, and a pivot
//! that vanishes beside its diagonal entry ends the attempt ([`SparseLu::factor`] tells). Rows come in groups that are
//! linked to the same others, such as the rows of one contact. **Method.** Minimum degree on the groups; neighbouring groups
//! with the same later neighbours are one block [George, Liu 1981, §5; Demmel et al. 1999]. Row by row, each row takes in
//! the blocks before it, up to four of their rows at once. **Stability.** That of elimination without interchanges:
//! check what comes out, refine.

use crate::minimum_degree::MinimumDegree;

/// Pivot, relative to the diagonal entry of the matrix, below which rows would have to be interchanged.
const VANISHING: f64 = 1e-10;
/// Rows of a block at most.
const WIDEST: usize = 16;

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
    /// Of the analysis: numbers of rows, first places.
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
    work: &'w mut [f64],
    place: &'w [u32],
}

impl Entries<'_> {
    /// Adds to the entry in this column.
    #[inline]
    pub fn add(&mut self, column: usize, value: f64) {
        self.work[self.place[column] as usize] += value;
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
        let n = group.len();
        for (v, length) in [(&mut self.work, n), (&mut self.inverse, n)] {
            v.clear();
            v.resize(length, 0.0);
        }
        let (mut upper, mut lower) = (0, 0);
        for k in 0..self.blocks.len() {
            let heads = &self.heads[self.blocks[k].head.0..self.blocks[k].head.1];
            let row = heads.iter().map(|&h| self.blocks[h as usize].width).sum();
            let block = &mut self.blocks[k];
            (block.upper, block.lower) = (upper, (lower, row));
            upper += block.width * block.stride();
            lower += block.width * row;
        }
        self.upper.resize(upper, 0.0);
        self.lower.resize(lower, 0.0);
    }

    /// Numbers the rows in the order of their groups and finds the blocks.
    fn number_rows(&mut self, group: &[usize], groups: usize) {
        // Rows of each group, by counting.
        let first = &mut self.scratch;
        first.clear();
        first.resize(groups + 1, 0);
        group.iter().for_each(|&g| first[g + 1] += 1);
        let size = |first: &[usize], g: usize| first[g + 1];
        self.blocks.clear();
        let mut next = 0;
        let mut before: Option<usize> = None;
        let starts = &mut self.firsts;
        starts.clear();
        starts.resize(groups, 0);
        for &g in self.graph.order() {
            let g = g as usize;
            let rows = size(first, g);
            starts[g] = next;
            let joined = before.is_some_and(|b| same_later(&self.graph, b, g))
                && self.blocks.last().is_some_and(|block| block.width + rows <= WIDEST);
            match self.blocks.last_mut() {
                Some(block) if joined => block.width += rows,
                _ => self.blocks.push(Block { begin: next, width: rows, ..Block::default() }),
            }
            next += rows;
            before = Some(g);
        }
        self.place.clear();
        self.place.resize(group.len(), 0);
        self.order.clear();
        self.order.resize(group.len(), 0);
        for (i, &g) in group.iter().enumerate() {
            self.place[i] = starts[g] as u32;
            self.order[starts[g]] = i as u32;
            starts[g] += 1;
        }
    }

    /// The places after each block where it has entries: those of the groups its last group was linked to.
    fn find_tails(&mut self, group: &[usize]) {
        self.tails.clear();
        // Rows of a group follow each other, so its first place and size say all.
        let (begin, size) = (&mut self.firsts, &mut self.scratch);
        for v in [&mut *begin, &mut *size] {
            v.clear();
            v.resize(self.graph.order().len(), 0);
        }
        for (k, &i) in self.order.iter().enumerate().rev() {
            begin[group[i as usize]] = k;
            size[group[i as usize]] += 1;
        }
        for block in &mut self.blocks {
            let from = self.tails.len();
            if block.width > 0 {
                let last = group[self.order[block.begin + block.width - 1] as usize];
                for g in self.graph.later(last) {
                    self.tails.extend(begin[g] as u32..(begin[g] + size[g]) as u32);
                }
            }
            self.tails[from..].sort_unstable();
            block.tail = (from, self.tails.len());
        }
    }

    /// The blocks in whose tails each block has rows.
    fn find_heads(&mut self) {
        let owner = &mut self.scratch;
        owner.clear();
        for (k, block) in self.blocks.iter().enumerate() {
            owner.extend(std::iter::repeat_n(k, block.width));
        }
        // The entries of tails come by block; counted and filled in by owner, the blocks of a list increase.
        let counts = &mut self.firsts;
        counts.clear();
        counts.resize(self.blocks.len() + 1, 0);
        let each = |visit: &mut dyn FnMut(usize, usize)| {
            for (k, block) in self.blocks.iter().enumerate() {
                let mut last = usize::MAX;
                for &place in &self.tails[block.tail.0..block.tail.1] {
                    let to = owner[place as usize];
                    if to != last {
                        visit(to, k);
                        last = to;
                    }
                }
            }
        };
        each(&mut |to, _| counts[to + 1] += 1);
        for k in 0..self.blocks.len() {
            counts[k + 1] += counts[k];
        }
        self.heads.clear();
        self.heads.resize(counts[self.blocks.len()], 0);
        let heads = &mut self.heads;
        each(&mut |to, k| {
            heads[counts[to]] = k as u32;
            counts[to] += 1;
        });
        let mut from = 0;
        for (block, &end) in self.blocks.iter_mut().zip(&*counts) {
            block.head = (from, end);
            from = end;
        }
    }

    /// Number of stored entries.
    #[must_use]
    pub fn fill(&self) -> usize {
        self.upper.len() + self.lower.len()
    }

    /// Factors the matrix whose row `i` is what `fill(i, entries)` adds, within the pattern analysed; `false` if a pivot
    /// vanishes or is not finite.
    pub fn factor(&mut self, mut fill: impl FnMut(usize, &mut Entries<'_>)) -> bool {
        let Self { order, place, blocks, tails, heads, upper, lower, inverse, work, .. } = self;
        work.fill(0.0);
        for (b, block) in blocks.iter().enumerate() {
            let stride = block.stride();
            let (before, rest) = upper.split_at_mut(block.upper);
            let own = &mut rest[..block.width * stride];
            let tail = &tails[block.tail.0..block.tail.1];
            for r in 0..block.width {
                let k = block.begin + r;
                fill(order[k] as usize, &mut Entries { work, place });
                let diagonal = work[k].abs();
                let mut target = block.lower.0 + r * block.lower.1;
                for &h in &heads[block.head.0..block.head.1] {
                    let head = &blocks[h as usize];
                    debug_assert!((h as usize) < b);
                    let values = &mut lower[target..target + head.width];
                    target += head.width;
                    let part = &mut work[head.begin..head.begin + head.width];
                    if part.iter().all(|v| *v == 0.0) {
                        values.fill(0.0);
                        continue;
                    }
                    let rows = &before[head.upper..head.upper + head.width * head.stride()];
                    divide(rows, head.stride(), &inverse[head.begin..], part);
                    values.copy_from_slice(part);
                    part.fill(0.0);
                    subtract(rows, head.stride(), values, &tails[head.tail.0..head.tail.1], work);
                }
                // Within the block.
                let (done, this) = own.split_at_mut(r * stride);
                let this = &mut this[..stride];
                this[..block.width].copy_from_slice(&work[k - r..k - r + block.width]);
                work[k - r..k - r + block.width].fill(0.0);
                for (value, &c) in this[block.width..].iter_mut().zip(tail) {
                    *value = std::mem::take(&mut work[c as usize]);
                }
                for (s, row) in done.chunks_exact(stride).enumerate() {
                    if this[s] != 0.0 {
                        let factor = this[s] * inverse[block.begin + s];
                        this[s] = factor;
                        crate::kernel::axpy(-factor, &row[s + 1..], &mut this[s + 1..]);
                    }
                }
                if !(this[r].abs() > VANISHING * diagonal && this[r].is_finite()) {
                    work.fill(0.0);
                    return false;
                }
                inverse[k] = 1.0 / this[r];
            }
        }
        true
    }

    /// `x ← K⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { order, blocks, tails, heads, upper, lower, inverse, work, .. } = self;
        for (y, &i) in work.iter_mut().zip(&*order) {
            *y = x[i as usize];
        }
        for block in &*blocks {
            let stride = block.stride();
            for r in 0..block.width {
                let k = block.begin + r;
                let mut value = work[k];
                let mut at = block.lower.0 + r * block.lower.1;
                for &h in &heads[block.head.0..block.head.1] {
                    let head = &blocks[h as usize];
                    for (l, y) in lower[at..at + head.width].iter().zip(&work[head.begin..]) {
                        value -= l * y;
                    }
                    at += head.width;
                }
                let own = &upper[block.upper + r * stride..][..r];
                value -= crate::kernel::dot(own, &work[block.begin..k]);
                work[k] = value;
            }
        }
        for block in blocks.iter().rev() {
            let stride = block.stride();
            for r in (0..block.width).rev() {
                let k = block.begin + r;
                let row = &upper[block.upper + r * stride..][..stride];
                let mut value = work[k];
                for (u, &c) in row[block.width..].iter().zip(&tails[block.tail.0..block.tail.1]) {
                    value -= u * work[c as usize];
                }
                value -=
                    crate::kernel::dot(&row[r + 1..block.width], &work[k + 1..block.begin + block.width]);
                work[k] = value * inverse[k];
            }
        }
        for (y, &i) in work.iter().zip(&*order) {
            x[i as usize] = *y;
        }
        work.fill(0.0);
    }
}

/// Whether group `b`, eliminated right after `a`, was linked to the same later groups.
fn same_later(graph: &MinimumDegree, a: usize, b: usize) -> bool {
    let linked = graph.row(a)[b / 64] >> (b % 64) & 1 == 1;
    linked
        && graph.row(a).iter().zip(graph.row(b)).enumerate().all(|(k, (x, y))| {
            let own = if k == b / 64 { 1 << (b % 64) } else { 0 };
            x & !own == *y
        })
}

/// `x ← x U⁻¹` for the triangle at the start of `rows`.
#[inline]
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

/// Takes `factors` times the tails of `rows` away from `work`, up to four rows in one pass.
#[inline]
fn subtract(rows: &[f64], stride: usize, factors: &[f64], tail: &[u32], work: &mut [f64]) {
    let width = factors.len();
    let row = |s: usize| &rows[s * stride + width..][..tail.len()];
    let (fours, rest) = factors.as_chunks::<4>();
    for (q, l) in fours.iter().enumerate() {
        let (r0, r1, r2, r3) = (row(4 * q), row(4 * q + 1), row(4 * q + 2), row(4 * q + 3));
        for (i, &c) in tail.iter().enumerate() {
            work[c as usize] -= (l[0] * r0[i] + l[1] * r1[i]) + (l[2] * r2[i] + l[3] * r3[i]);
        }
    }
    let done = 4 * fours.len();
    let (twos, one) = rest.as_chunks::<2>();
    for l in twos {
        let (r0, r1) = (row(done), row(done + 1));
        for (i, &c) in tail.iter().enumerate() {
            work[c as usize] -= l[0] * r0[i] + l[1] * r1[i];
        }
    }
    for l in one {
        for (u, &c) in row(width - 1).iter().zip(tail) {
            work[c as usize] -= l * u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    /// A matrix of groups of one to three rows on a ring with some chords, diagonally heavy; its groups and its links.
    fn example(groups: usize, rng: &mut Lcg32) -> (Vec<usize>, Vec<(usize, usize)>, Vec<f64>) {
        let mut group: Vec<usize> = (0..groups).flat_map(|g| std::iter::repeat_n(g, 1 + g % 3)).collect();
        group.rotate_left(groups / 2);
        let links: Vec<(usize, usize)> = (0..groups)
            .map(|g| (g, (g + 1) % groups))
            .chain([(0, groups / 2), (groups - 1, groups / 3)])
            .collect();
        let n = group.len();
        let linked = |a: usize, b: usize| a == b || links.contains(&(a, b)) || links.contains(&(b, a));
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                if linked(group[i], group[j]) {
                    a[i * n + j] = rng.next_unit() - 0.5 + if i == j { 6.0 } else { 0.0 };
                }
            }
        }
        (group, links, a)
    }

    #[test]
    fn systems_of_one_pattern_are_solved_one_after_the_other() {
        let mut rng = Lcg32::new(8);
        let mut lu = SparseLu::default();
        for groups in [1, 2, 5, 30, 90] {
            let (group, links, a) = example(groups, &mut rng);
            let n = group.len();
            lu.analyse(&group, |link| links.iter().for_each(|&(a, b)| link(a, b)));
            for scale in [1.0, -3.0] {
                assert!(lu.factor(|i, row| (0..n).for_each(|j| {
                    if a[i * n + j] != 0.0 {
                        row.add(j, scale * a[i * n + j]);
                    }
                })));
                let expected: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
                let mut x: Vec<f64> =
                    (0..n).map(|i| (0..n).map(|j| scale * a[i * n + j] * expected[j]).sum()).collect();
                lu.solve(&mut x);
                assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10 * e), "{groups}: {x:?}");
            }
            assert!(lu.fill() <= n * n + n);
        }
    }

    #[test]
    fn a_vanishing_pivot_is_told_and_leaves_nothing_behind() {
        let mut lu = SparseLu::default();
        lu.analyse(&[0, 1], |link| link(0, 1));
        let matrix = |last: f64| {
            move |i: usize, row: &mut Entries<'_>| {
                row.add(0, 1.0);
                row.add(1, if i == 0 { 1.0 } else { last });
            }
        };
        assert!(!lu.factor(matrix(1.0)));
        assert!(lu.factor(matrix(2.0)));
        let mut x = [3.0, 5.0];
        lu.solve(&mut x);
        assert_eq!(x, [1.0, 2.0]);
    }
}
