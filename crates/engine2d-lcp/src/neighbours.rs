//! An order of rows that keeps neighbours close, so that the factors have long runs of leading zeros.
//!
//! What is found out about a pattern is kept for the next problem with the same one. The pattern must be the same to the
//! entry: an answer depends on the problem alone, not on what was solved before.

mod unformed;

use crate::dense::Dense;
use crate::problem::Matrix;
use crate::tolerance::{FULL_SHARE, MANY_LINKS, MANY_ROWS, NARROW, NEIGHBOUR_ROWS, THIN_ROWS};

/// Entries looked at between two looks at how many are not zero.
const PART: usize = 4096;

/// Which rows meet, and an order by it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    /// The cheap order of rows; empty if it is that of their numbers.
    pub(crate) sequence: Vec<usize>,
    /// Rows that meet row `i`, by number: `links[start[i]..start[i + 1]]`. As `sequence`, empty for small or dense problems.
    links: Vec<u32>,
    start: Vec<usize>,
    /// The entries of `A` there.
    values: Vec<f64>,
    /// Whether rows meet only near neighbours in the order, and all are connected.
    pub(crate) narrow: bool,
    seen: Vec<bool>,
    /// The place of each row in `sequence`.
    pub(crate) places: Vec<usize>,
    entries: unformed::Entries,
}

impl Neighbours {
    /// Breadth-first order [Cuthill, McKee 1969] from a row with few neighbours; the order of the numbers for
    /// small or dense problems.
    pub(crate) fn find(&mut self, p: Dense<'_>) {
        let n = p.b.len();
        let count = if n < NEIGHBOUR_ROWS { None } else { Self::count(p) };
        let Some(count) = count else {
            self.sequence.clear();
            self.links.clear();
            self.start.clear();
            self.narrow = false;
            return;
        };
        if !self.known(p, count) {
            self.link(p);
            self.arrange(n);
        }
    }

    /// As [`Neighbours::find`] for the matrix of a Jacobian most of whose rows do not meet; `false` for all others.
    pub(crate) fn find_unformed(&mut self, matrix: &Matrix<'_>) -> bool {
        let Matrix::Jacobian { jacobian, inverse_mass, compliance } = matrix else { return false };
        let n = jacobian.rows();
        let full = jacobian.value.len() as f64 > FULL_SHARE * (n * inverse_mass.len()) as f64;
        if n < NEIGHBOUR_ROWS || full {
            return false;
        }
        let mut entries = std::mem::take(&mut self.entries);
        if n > THIN_ROWS && (n > MANY_ROWS || entries.pairs(jacobian, inverse_mass) > MANY_LINKS * n) {
            self.entries = entries;
            return false;
        }
        entries.work_out(jacobian, inverse_mass, compliance);
        let few = entries.mirror(n, &mut self.values);
        if few && (self.sequence.len() != n || entries.links != self.links || entries.start != self.start) {
            self.links.clone_from(&entries.links);
            self.start.clone_from(&entries.start);
            self.arrange(n);
        }
        self.entries = entries;
        few
    }

    /// Finds the order for another pattern.
    fn arrange(&mut self, n: usize) {
        self.order(n);
        let profile = self.profile();
        self.narrow = self.narrow && profile <= NARROW * n;
    }

    /// The rows that meet row `i` and the entries of `A` there, where they are known.
    #[inline]
    pub(crate) fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.links[range.clone()], &self.values[range])
    }

    /// `Σ_j A_ij f_j` over those.
    #[inline]
    pub(crate) fn product(&self, i: usize, f: &[f64]) -> f64 {
        let (links, values) = self.row(i);
        links.iter().zip(values).fold(0.0, |sum, (&j, a)| sum + a * f[j as usize])
    }

    /// Number of entries that are not zero; `None` if there are many.
    fn count(p: Dense<'_>) -> Option<usize> {
        let limit = (FULL_SHARE * p.a.len() as f64) as u64;
        let mut count = 0;
        for part in p.a.chunks(PART) {
            count += part.iter().map(|a| u64::from(*a != 0.0)).sum::<u64>();
            if count > limit {
                return None;
            }
        }
        Some(count as usize)
    }

    /// Whether the pattern is the one known: as many entries, and none of those known is zero. If so, takes over the entries.
    fn known(&mut self, p: Dense<'_>, count: usize) -> bool {
        let n = p.b.len();
        if self.sequence.len() != n || self.links.len() != count {
            return false;
        }
        let mut full = true;
        for i in 0..n {
            let range = self.start[i]..self.start[i + 1];
            let row = p.row(i);
            for (value, &j) in self.values[range.clone()].iter_mut().zip(&self.links[range]) {
                *value = row[j as usize];
                full &= *value != 0.0;
            }
        }
        full
    }

    /// Collects the entries that are not zero.
    fn link(&mut self, p: Dense<'_>) {
        self.links.clear();
        self.values.clear();
        self.start.clear();
        self.start.push(0);
        for i in 0..p.b.len() {
            for (j, a) in p.row(i).iter().enumerate() {
                if *a != 0.0 {
                    self.links.push(j as u32);
                    self.values.push(*a);
                }
            }
            self.start.push(self.links.len());
        }
    }

    fn order(&mut self, n: usize) {
        self.sequence.clear();
        self.seen.clear();
        self.seen.resize(n, false);
        let degree = |i: usize| self.start[i + 1] - self.start[i];
        let mut parts = 0;
        for root in 0..n {
            if self.seen[root] {
                continue;
            }
            parts += 1;
            // A row far from this one is a better root: the last of a first breadth-first pass.
            let mark = self.sequence.len();
            visit(&self.links, &self.start, root, &mut self.seen, &mut self.sequence);
            let far = self.sequence[mark..]
                .iter()
                .rev()
                .take(8)
                .copied()
                .min_by_key(|&i| degree(i))
                .unwrap_or(root);
            for &i in &self.sequence[mark..] {
                self.seen[i] = false;
            }
            self.sequence.truncate(mark);
            visit(&self.links, &self.start, far, &mut self.seen, &mut self.sequence);
        }
        self.narrow = parts == 1;
    }

    /// Sum over the rows of the distance to their first neighbour in the order.
    fn profile(&mut self) -> usize {
        self.places.clear();
        self.places.resize(self.sequence.len(), 0);
        for (place, &i) in self.sequence.iter().enumerate() {
            self.places[i] = place;
        }
        let places = &self.places;
        let first = |i: usize| {
            let links = &self.links[self.start[i]..self.start[i + 1]];
            links.iter().map(|&j| places[j as usize]).fold(places[i], usize::min)
        };
        (0..places.len()).map(|i| places[i] - first(i)).sum()
    }
}

/// Appends what is connected to `root`, nearest first.
fn visit(links: &[u32], start: &[usize], root: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    let mut next = order.len();
    order.push(root);
    seen[root] = true;
    while let Some(&i) = order.get(next) {
        next += 1;
        for &j in &links[start[i]..start[i + 1]] {
            let j = j as usize;
            if !seen[j] {
                seen[j] = true;
                order.push(j);
            }
        }
    }
}
