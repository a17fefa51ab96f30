//! An elimination order with little fill, and the fill it makes, for graphs of up to some thousand nodes.
//!
//! **Method.** Minimum degree [Tinney, Walker 1967; George, Liu 1989]: the node with the fewest neighbours goes first,
//! its neighbours become neighbours of each other. Rows of bits make that a handful of word operations for each
//! neighbour. Graphs of many nodes are cut in halves first, again and again; what cuts goes last [George 1973]. **Cost.** `n/64` for each pair of
//! neighbours; `n²` bits of memory.

use crate::wide::{Loops, widest};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch and result of an ordering.
#[derive(Clone, Debug, Default)]
pub struct MinimumDegree {
    words: usize,
    /// Neighbours of each node among those not yet eliminated; after its elimination, those it had then.
    bits: Vec<u64>,
    degree: Vec<u32>,
    order: Vec<u32>,
    /// The nodes by when they go and their degree, the first on top, and what their degrees were.
    waiting: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// The row of the node that goes.
    gone: Vec<u64>,
    /// When a node goes: the first come those that cut nothing.
    turn: Vec<u32>,
    cuts: Cuts,
    /// Of the tree of elimination: place of each node, first child and next sibling, and the nodes on the way.
    place: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    way: Vec<u32>,
}

/// The search for the nodes that cut a graph in halves.
#[derive(Clone, Debug, Default)]
struct Cuts {
    /// The parts that are still to be cut, and those of the next round.
    parts: Vec<Vec<u32>>,
    halves: Vec<Vec<u32>>,
    /// The part of each node.
    part: Vec<u32>,
    /// Nodes by their distance from the first, and that distance.
    reached: Vec<u32>,
    distance: Vec<u32>,
}

/// Nodes from which cuts pay, and of a part that is not cut: below, minimum degree alone has as little fill.
const CUT_FROM: usize = 1000;
/// See [`CUT_FROM`].
const PART: usize = 100;
/// Share of a part that either half has at least.
const HALF: f64 = 0.2;
/// No node.
const NONE: u32 = u32::MAX;

/// Degree of a node that is gone.
const GONE: u32 = u32::MAX;

impl Cuts {
    /// Forgets what was reached.
    fn forget(&mut self) {
        let Self { reached, distance, .. } = self;
        reached.drain(..).for_each(|v| distance[v as usize] = NONE);
    }
}

impl MinimumDegree {
    /// Forgets everything and takes `nodes` nodes without edges.
    pub fn reset(&mut self, nodes: usize) {
        self.words = nodes.div_ceil(64);
        self.bits.clear();
        self.bits.resize(nodes * self.words, 0);
        self.degree.clear();
        self.degree.resize(nodes, 0);
        self.order.clear();
    }

    /// Joins two nodes; joining a node with itself does nothing.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        if a != b {
            self.bits[a * self.words + b / 64] |= 1 << (b % 64);
            self.bits[b * self.words + a / 64] |= 1 << (a % 64);
        }
    }

    /// Eliminates all nodes.
    pub fn eliminate(&mut self) {
        widest(Eliminate(self));
    }

    #[inline(always)]
    fn eliminate_all(&mut self) {
        let w = self.words;
        let count = |row: &[u64]| row.iter().map(|word| word.count_ones()).sum::<u32>();
        for (degree, row) in self.degree.iter_mut().zip(self.bits.chunks_exact(w.max(1))) {
            *degree = count(row);
        }
        self.find_turns();
        let mut row = std::mem::take(&mut self.gone);
        row.resize(w, 0);
        self.waiting.clear();
        let all = self.turn.iter().zip(&self.degree).zip(0..);
        self.waiting.extend(all.map(|((&turn, &degree), v)| Reverse((turn, degree, v))));
        while let Some(Reverse((_, degree, v))) = self.waiting.pop() {
            let v = v as usize;
            // It is listed anew with each degree it gets.
            if self.degree[v] != degree {
                continue;
            }
            self.order.push(v as u32);
            self.degree[v] = GONE;
            row.copy_from_slice(&self.bits[v * w..(v + 1) * w]);
            for u in members(&row) {
                let own = &mut self.bits[u * w..(u + 1) * w];
                own.iter_mut().zip(&row).for_each(|(own, other)| *own |= other);
                own[u / 64] &= !(1 << (u % 64));
                own[v / 64] &= !(1 << (v % 64));
                let degree = count(own);
                if self.degree[u] != degree {
                    self.degree[u] = degree;
                    self.waiting.push(Reverse((self.turn[u], degree, u as u32)));
                }
            }
        }
        self.gone = row;
        self.order_by_branches();
    }

    /// Cuts large graphs in halves and decides when each node goes.
    fn find_turns(&mut self) {
        let n = self.degree.len();
        self.turn.clear();
        self.turn.resize(n, 0);
        if n < CUT_FROM {
            return;
        }
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.part.clear();
        cuts.part.resize(n, 0);
        cuts.distance.clear();
        cuts.distance.resize(n, NONE);
        cuts.parts.clear();
        cuts.parts.push((0..n as u32).collect());
        let (mut round, mut number) = (0, 0);
        while !cuts.parts.is_empty() {
            round += 1;
            for part in std::mem::take(&mut cuts.parts) {
                number += 1;
                part.iter().for_each(|&v| cuts.part[v as usize] = number);
                self.cut(&part, round, &mut cuts);
            }
            std::mem::swap(&mut cuts.parts, &mut cuts.halves);
        }
        // Those of the last round cut least.
        self.turn.iter_mut().filter(|turn| **turn > 0).for_each(|turn| *turn = round + 1 - *turn);
        self.cuts = cuts;
    }

    /// Cuts a part at the fewest nodes of one distance from a node at its end; leaves it whole if no such cut is fair.
    fn cut(&mut self, part: &[u32], round: u32, cuts: &mut Cuts) {
        if part.len() <= PART {
            return;
        }
        self.reach(part[0], cuts);
        if cuts.reached.len() < part.len() {
            let (reached, rest): (Vec<u32>, Vec<u32>) =
                part.iter().partition(|&&v| cuts.distance[v as usize] != NONE);
            cuts.halves.extend([reached, rest]);
            return cuts.forget();
        }
        for _ in 0..2 {
            let end = *cuts.reached.last().unwrap_or(&part[0]);
            cuts.forget();
            self.reach(end, cuts);
        }
        let fair = (HALF * part.len() as f64) as usize;
        let (mut before, mut best) = (0, (usize::MAX, 0));
        for level in cuts.reached.chunk_by(|&u, &v| cuts.distance[u as usize] == cuts.distance[v as usize]) {
            let after = part.len() - before - level.len();
            if before.min(after) > fair && level.len() < best.0 {
                best = (level.len(), cuts.distance[level[0] as usize]);
            }
            before += level.len();
        }
        let (mut near, mut far) = (Vec::new(), Vec::new());
        if best.0 < usize::MAX {
            for &v in &cuts.reached {
                let beyond = |u: usize| cuts.part[u] == cuts.part[v as usize] && cuts.distance[u] > best.1;
                match cuts.distance[v as usize].cmp(&best.1) {
                    std::cmp::Ordering::Greater => far.push(v),
                    std::cmp::Ordering::Equal if self.later(v as usize).any(beyond) => {
                        self.turn[v as usize] = round;
                    }
                    _ => near.push(v),
                }
            }
            cuts.halves.extend([near, far]);
        }
        cuts.forget();
    }

    /// The nodes of a part by their distance from a node.
    fn reach(&self, from: u32, cuts: &mut Cuts) {
        let Cuts { part, reached, distance, .. } = cuts;
        reached.push(from);
        distance[from as usize] = 0;
        let mut k = 0;
        while let Some(&v) = reached.get(k) {
            k += 1;
            for u in self.later(v as usize).filter(|&u| part[u] == part[v as usize]) {
                if distance[u] == NONE {
                    distance[u] = distance[v as usize] + 1;
                    reached.push(u as u32);
                }
            }
        }
    }

    /// Takes the tree of elimination branch by branch: the same fill, but nodes with the same later neighbours follow each other
    /// [Liu 1990, §6].
    fn order_by_branches(&mut self) {
        let n = self.order.len();
        for (v, length) in [(&mut self.place, n), (&mut self.child, n + 1), (&mut self.sibling, n)] {
            v.clear();
            v.resize(length, NONE);
        }
        for (k, &v) in self.order.iter().enumerate() {
            self.place[v as usize] = k as u32;
        }
        // The last child is put first; the root of all is node n.
        for k in (0..n).rev() {
            let v = self.order[k];
            let next = self.later(v as usize).min_by_key(|&u| self.place[u]).unwrap_or(n);
            self.sibling[v as usize] = std::mem::replace(&mut self.child[next], v);
        }
        self.order.clear();
        self.way.clear();
        let mut next = self.child[n];
        loop {
            while next != NONE {
                self.way.push(next);
                next = self.child[next as usize];
            }
            let Some(v) = self.way.pop() else { break };
            self.order.push(v);
            next = self.sibling[v as usize];
        }
    }

    /// The nodes in the order of their elimination.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The later nodes that `node` was joined with when it went, as bits.
    #[must_use]
    pub fn row(&self, node: usize) -> &[u64] {
        &self.bits[node * self.words..(node + 1) * self.words]
    }

    /// The same as numbers, increasing.
    pub fn later(&self, node: usize) -> impl Iterator<Item = usize> {
        members(self.row(node))
    }
}

/// The loops of an elimination.
struct Eliminate<'a>(&'a mut MinimumDegree);

impl Loops for Eliminate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.eliminate_all();
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn members(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(k, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(64 * k + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nodes: usize, edges: &[(usize, usize)]) -> MinimumDegree {
        let mut graph = MinimumDegree::default();
        graph.reset(nodes);
        edges.iter().for_each(|&(a, b)| graph.join(a, b));
        graph.eliminate();
        graph
    }

    #[test]
    fn a_tree_is_eliminated_from_its_leaves_without_fill() {
        let edges: Vec<(usize, usize)> = (1..130).map(|i| ((i - 1) / 2, i)).collect();
        let graph = of(130, &edges);
        assert_eq!(
            graph.order().iter().map(|&v| graph.later(v as usize).count()).sum::<usize>(),
            edges.len()
        );
    }

    #[test]
    fn a_ring_gets_one_edge_for_each_node_but_three() {
        let edges: Vec<(usize, usize)> = (0..70).map(|i| (i, (i + 1) % 70)).collect();
        let graph = of(70, &edges);
        let fill: usize = graph.order().iter().map(|&v| graph.later(v as usize).count()).sum();
        assert_eq!(fill, 70 + 67);
    }

    #[test]
    fn a_large_grid_is_cut_in_halves_and_has_less_fill() {
        // Without cuts the fill of this grid is 27,600.
        let n = 45;
        let edges = (0..n * n).flat_map(|v| {
            let (right, down) =
                ((v % n + 1 < n).then_some((v, v + 1)), (v + n < n * n).then_some((v, v + n)));
            right.into_iter().chain(down)
        });
        let edges: Vec<(usize, usize)> = edges.collect();
        let graph = of(n * n, &edges);
        let fill: usize = graph.order().iter().map(|&v| graph.later(v as usize).count()).sum();
        assert!(fill < 27_000, "{fill}");
        let mut order = graph.order().to_vec();
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..(n * n) as u32));
    }

    #[test]
    fn what_goes_later_is_later_and_every_node_goes_once() {
        let graph = of(9, &[(0, 4), (4, 8), (8, 2), (2, 0), (3, 4), (5, 5)]);
        let mut place = [usize::MAX; 9];
        for (k, &v) in graph.order().iter().enumerate() {
            assert_eq!(std::mem::replace(&mut place[v as usize], k), usize::MAX);
        }
        assert!((0..9).all(|v| graph.later(v).all(|u| place[u] > place[v])));
        assert!(of(0, &[]).order().is_empty());
    }
}
