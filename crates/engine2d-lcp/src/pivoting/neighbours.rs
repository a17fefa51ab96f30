//! An order of rows that keeps neighbours close, so that the factors have long runs of leading zeros.

use super::{Dense, Pivoting};
use crate::tolerance::{NARROW, NEIGHBOUR_ROWS, NEIGHBOUR_SHARE};

impl Pivoting {
    /// Breadth-first order [Cuthill, McKee 1969] from a row with few neighbours; the order of the numbers for
    /// small or dense problems.
    pub(crate) fn order_neighbours(&mut self, p: Dense<'_>) {
        let n = p.b.len();
        self.sequence.clear();
        self.narrow = false;
        if n < NEIGHBOUR_ROWS {
            return;
        }
        self.links.clear();
        self.link_start.clear();
        self.link_start.push(0);
        for i in 0..n {
            let row = p.row(i);
            for (j, a) in row.iter().enumerate() {
                if *a != 0.0 {
                    self.links.push(j as u32);
                }
            }
            self.link_start.push(self.links.len());
            if self.links.len() as f64 > NEIGHBOUR_SHARE * (n * n) as f64 {
                return;
            }
        }
        self.treated.clear();
        self.treated.resize(n, false);
        let degree = |i: usize| self.link_start[i + 1] - self.link_start[i];
        let mut parts = 0;
        for root in 0..n {
            if self.treated[root] {
                continue;
            }
            parts += 1;
            // A row far from this one is a better root: the last of a first breadth-first pass.
            let mark = self.sequence.len();
            visit(&self.links, &self.link_start, root, &mut self.treated, &mut self.sequence);
            let far = self.sequence[mark..]
                .iter()
                .rev()
                .take(8)
                .copied()
                .min_by_key(|&i| degree(i))
                .unwrap_or(root);
            for &i in &self.sequence[mark..] {
                self.treated[i] = false;
            }
            self.sequence.truncate(mark);
            visit(&self.links, &self.link_start, far, &mut self.treated, &mut self.sequence);
        }
        self.narrow = parts == 1 && self.lo.iter().all(|lo| lo.is_finite()) && self.profile() <= NARROW * n;
    }
}

impl Pivoting {
    /// Sum over the rows of the distance to their first neighbour in the order.
    fn profile(&mut self) -> usize {
        self.permutation.clear();
        self.permutation.resize(self.sequence.len(), 0);
        for (place, &i) in self.sequence.iter().enumerate() {
            self.permutation[i] = place;
        }
        let places = &self.permutation;
        let first = |i: usize| {
            let links = &self.links[self.link_start[i]..self.link_start[i + 1]];
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
