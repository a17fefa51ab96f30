//! What is known of a sparse factorization before its numbers: which rows make a block, and which blocks meet.

use super::{Block, SparseLu, WIDEST};
use crate::minimum_degree::MinimumDegree;
use crate::order::Order;

impl SparseLu {
    /// Numbers the rows in the order of their groups and finds the blocks.
    pub(super) fn number_rows(&mut self, group: &[usize], groups: usize) {
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
    pub(super) fn find_tails(&mut self, group: &[usize]) {
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
            self.tails[from..].order();
            block.tail = (from, self.tails.len());
        }
    }

    /// The blocks in whose tails each block has rows.
    pub(super) fn find_heads(&mut self) {
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

    /// Room for the numbers of `n` rows, and where those of each block start.
    pub(super) fn make_room(&mut self, n: usize) {
        for v in [&mut self.work, &mut self.inverse] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.local.clear();
        self.local.resize(n, 0);
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
