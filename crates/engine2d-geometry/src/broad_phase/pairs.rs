//! The pairs of a broad phase: all of them anew, or only those of the boxes that moved, in ascending order.

use super::{BroadPhase, Proxy};
use crate::filter::NonCollidingPairs;
use engine2d_math::order::Order;

impl BroadPhase {
    pub(super) fn find_all_pairs(&mut self) {
        let meeting = Meeting { proxies: &self.proxies, never: &self.never };
        self.found.clear();
        let found = &mut self.found;
        self.tree.overlapping_pairs(|i, j| meeting.push(i, j, found));
        for &u in &self.unbounded {
            for j in 0..self.proxies.len() as u32 {
                // Of two unbounded ones the larger number reports the pair.
                let other = &self.proxies[j as usize];
                let ours = other.used && j != u && (!other.unbounded || j < u);
                if ours && self.boxes[u as usize].overlaps(&self.boxes[j as usize]) {
                    meeting.push(u, j, found);
                }
            }
        }
        self.sort_found();
    }

    pub(super) fn replace_pairs_of_moved(&mut self) {
        let meeting = Meeting { proxies: &self.proxies, never: &self.never };
        self.found.clear();
        let still = |i: u32| !self.proxies[i as usize].moved;
        self.found.extend(self.pairs.iter().filter(|&&(i, j)| still(i) && still(j)));
        let found = &mut self.found;
        for &m in &self.moved {
            let bounds = &self.boxes[m as usize];
            self.tree.overlapping(bounds, |j| {
                // Of two that moved the larger number reports the pair.
                if j != m && (still(j) || j < m) {
                    meeting.push(m, j, found);
                }
            });
            for &u in &self.unbounded {
                if self.boxes[u as usize].overlaps(bounds) {
                    meeting.push(m, u, found);
                }
            }
        }
        self.sort_found();
    }

    /// Sorts what was found into `pairs`: by the first number with counts, then within each group.
    fn sort_found(&mut self) {
        self.starts.clear();
        self.starts.resize(self.proxies.len() + 1, 0);
        for &(i, _) in &self.found {
            self.starts[i as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.pairs.clear();
        self.pairs.resize(self.found.len(), (0, 0));
        for &pair in &self.found {
            let place = &mut self.starts[pair.0 as usize];
            self.pairs[*place as usize] = pair;
            *place += 1;
        }
        // Each start has moved to where its group ends.
        let mut begin = 0;
        for &end in &self.starts {
            let end = (end as usize).max(begin);
            if end > begin + 1 {
                self.pairs[begin..end].order();
            }
            begin = end;
        }
    }
}

/// What decides whether an overlapping pair is reported.
#[derive(Clone, Copy)]
struct Meeting<'a> {
    proxies: &'a [Proxy],
    never: &'a NonCollidingPairs,
}

impl Meeting<'_> {
    #[inline]
    fn push(&self, i: u32, j: u32, found: &mut Vec<(u32, u32)>) {
        let (a, b) = (&self.proxies[i as usize], &self.proxies[j as usize]);
        if a.filter.meets(&b.filter) && !self.never.contains(i, j) {
            found.push((i.min(j), i.max(j)));
        }
    }
}
