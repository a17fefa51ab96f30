//! The graph of rows and bodies: in which order rows are eliminated, and which are coupled.

use super::lean::NONE;
use engine2d_math::order::Order;

/// The order of elimination of rows that connect these bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// The bodies of each row that `order` is for.
    pattern: Vec<[u32; 2]>,
    /// The bodies that take part, in order, and the places of each row's among them.
    bodies: Vec<u32>,
    ends: Vec<[u32; 2]>,
    /// Rows in the order of elimination.
    pub(super) order: Vec<u32>,
    /// Place of each row in `order`.
    place: Vec<u32>,
    /// Row of the envelope up to which each row is coupled, exclusive.
    pub(super) reach: Vec<usize>,
    /// Rows of each body in the order of elimination, one list behind the other.
    body_rows: Vec<u32>,
    body_start: Vec<u32>,
    rank: Vec<u32>,
    queue: Vec<u32>,
    /// Which rows are coupled, row by row.
    pub(super) couplings: Vec<Coupling>,
}

/// Two rows that share a body, and on which side each has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    /// Place of the earlier row in the order of elimination, and how far behind it the later one comes.
    pub(super) row: u32,
    pub(super) beyond: u32,
    pub(super) sides: [u8; 2],
}

impl Graph {
    /// Arranges rows between these bodies, [`NONE`] on sides without a movable one; nothing is to do if they are those of before.
    pub(super) fn arrange(&mut self, pattern: &mut Vec<[u32; 2]>) {
        if *pattern == self.pattern && !self.body_start.is_empty() {
            return;
        }
        std::mem::swap(&mut self.pattern, pattern);
        let count = self.number_bodies();
        self.list_rows_of_bodies(count, None);
        self.rank_bodies(count);
        let Self { ends, rank, order, place, .. } = self;
        let key = |k: u32| {
            let [a, b] = ends[k as usize].map(|b| if b == NONE { NONE } else { rank[b as usize] });
            // By the later body first: what it closes follows what the earlier ones have among themselves.
            let last = if a == NONE {
                b
            } else if b == NONE {
                a
            } else {
                a.max(b)
            };
            (last, a.min(b), k)
        };
        order.clear();
        order.extend(0..ends.len() as u32);
        order.order_distinct_by_key(|&k| key(k));
        place.clear();
        place.resize(order.len(), 0);
        for (at, &k) in order.iter().enumerate() {
            place[k as usize] = at as u32;
        }
        self.list_rows_of_bodies(count, Some(()));
        self.reach.clear();
        for (at, &k) in self.order.iter().enumerate() {
            let mut reach = at + 1;
            for body in self.ends[k as usize].into_iter().filter(|&b| b != NONE) {
                let range =
                    self.body_start[body as usize] as usize..self.body_start[body as usize + 1] as usize;
                if let Some(&last) = self.body_rows[range].last() {
                    reach = reach.max(self.place[last as usize] as usize + 1);
                }
            }
            self.reach.push(reach);
        }
        self.couple();
    }

    /// Finds which rows are coupled in the order of elimination.
    fn couple(&mut self) {
        self.couplings.clear();
        for (at, &k) in self.order.iter().enumerate() {
            for body in distinct(self.ends[k as usize]) {
                let side = |k: u32| u8::from(self.ends[k as usize][0] != body);
                let range = self.body_start[body as usize]..self.body_start[body as usize + 1];
                // In the order of elimination: those before this row are coupled with it already.
                for &other in &self.body_rows[range.start as usize..range.end as usize] {
                    let place = self.place[other as usize] as usize;
                    if let Some(beyond) = place.checked_sub(at) {
                        let [row, beyond] = [at as u32, beyond as u32];
                        self.couplings.push(Coupling { row, beyond, sides: [side(k), side(other)] });
                    }
                }
            }
        }
    }

    /// Numbers the bodies that take part; returns how many there are.
    fn number_bodies(&mut self) -> usize {
        let Self { pattern, bodies, ends, .. } = self;
        bodies.clear();
        bodies.extend(pattern.iter().flatten().copied().filter(|&b| b != NONE));
        bodies.order();
        bodies.dedup();
        let number =
            |b: u32| if b == NONE { NONE } else { bodies.partition_point(|&other| other < b) as u32 };
        ends.clear();
        ends.extend(pattern.iter().map(|pair| pair.map(number)));
        bodies.len()
    }

    /// Lists the rows of each body: as they come, or in the order of elimination once there is one.
    fn list_rows_of_bodies(&mut self, bodies: usize, ordered: Option<()>) {
        let Self { ends, order, body_rows, body_start, .. } = self;
        body_start.clear();
        body_start.resize(bodies + 1, 0);
        for body in ends.iter().flat_map(|pair| distinct(*pair)) {
            body_start[body as usize + 1] += 1;
        }
        for b in 0..bodies {
            body_start[b + 1] += body_start[b];
        }
        body_rows.clear();
        body_rows.resize(body_start[bodies] as usize, 0);
        let mut put = |k: u32| {
            for body in distinct(ends[k as usize]) {
                body_rows[body_start[body as usize] as usize] = k;
                body_start[body as usize] += 1;
            }
        };
        match ordered {
            None => (0..ends.len() as u32).for_each(&mut put),
            Some(()) => order.iter().for_each(|&k| put(k)),
        }
        // Each start has moved on to the next body's.
        body_start.rotate_right(1);
        body_start[0] = 0;
    }

    /// Ranks of the bodies: breadth first from a body at the outside of each component, reversed.
    fn rank_bodies(&mut self, bodies: usize) {
        let mut rank = std::mem::take(&mut self.rank);
        rank.clear();
        rank.resize(bodies, NONE);
        self.queue.clear();
        for body in 0..bodies as u32 {
            let (start, end) = (self.body_start[body as usize], self.body_start[body as usize + 1]);
            if rank[body as usize] != NONE || start == end {
                continue;
            }
            // The last body of a first pass is at the outside.
            let first = self.queue.len();
            self.spread(body, &mut rank, first);
            let outermost = self.queue[self.queue.len() - 1];
            for &seen in &self.queue[first..] {
                rank[seen as usize] = NONE;
            }
            self.queue.truncate(first);
            self.spread(outermost, &mut rank, first);
        }
        let count = self.queue.len() as u32;
        for (at, &body) in self.queue.iter().enumerate() {
            rank[body as usize] = count - 1 - at as u32;
        }
        self.rank = rank;
    }

    /// Appends a component to the queue, breadth first.
    fn spread(&mut self, from: u32, rank: &mut [u32], first: usize) {
        self.queue.push(from);
        rank[from as usize] = 0;
        let mut next = first;
        while next < self.queue.len() {
            let body = self.queue[next] as usize;
            next += 1;
            for at in self.body_start[body]..self.body_start[body + 1] {
                let row = self.body_rows[at as usize];
                for other in self.ends[row as usize].into_iter().filter(|&b| b != NONE) {
                    if rank[other as usize] == NONE {
                        rank[other as usize] = 0;
                        self.queue.push(other);
                    }
                }
            }
        }
    }
}

fn distinct([a, b]: [u32; 2]) -> impl Iterator<Item = u32> {
    [a, if a == b { NONE } else { b }].into_iter().filter(|&body| body != NONE)
}
