//! Whose turn is next, of any number of parts of a world.
//!
//! Turns lie in bins by their times, and only those of the earliest are in order. So a turn costs the same in every world, where
//! one heap of all reads a line of memory for each of its levels.

use super::flight::Flight;
use super::island::Island;
use engine2d_math::order::Order;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Turns that a bin holds on average: fewer cost more bins, more cost more levels of order.
const TO_A_BIN: usize = 16;

/// Turns among which the middle one is looked for.
const SAMPLE: usize = 32;

/// An island's place in the queue: the earliest first, events before steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) time: f64,
    pub(super) waits: bool,
    pub(super) island: u32,
}

impl Eq for Turn {}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Turn {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then(self.waits.cmp(&other.waits))
            .then(self.island.cmp(&other.island))
    }
}

impl Turn {
    pub(super) fn of(island: &Island, number: u32) -> Self {
        Self { time: island.time(), waits: island.pending.is_none(), island: number }
    }

    pub(super) fn of_flight(flight: &Flight, body: u32) -> Self {
        Self { time: flight.until, waits: flight.meets.is_none(), island: body }
    }
}

/// The turns that are to come.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Those of the bins that are open, first of all.
    near: BinaryHeap<Reverse<Turn>>,
    /// The bins, in which turns have no order. Each is a piece of time.
    bins: Vec<Vec<Turn>>,
    /// How many are open.
    open: usize,
    /// Where the first begins, and how many there are in a unit of time.
    begin: f64,
    density: f64,
    /// How many bins there are; more were needed before.
    count: usize,
    /// What comes after all bins, without order, and room for it.
    far: Vec<Turn>,
    room: Vec<Turn>,
}

impl Queue {
    pub(super) fn push(&mut self, turn: Turn) {
        let bin = self.bin_of(turn);
        if bin >= self.count {
            self.far.push(turn);
        } else if bin >= self.open {
            self.bins[bin].push(turn);
        } else {
            self.near.push(Reverse(turn));
        }
    }

    /// The first of all turns, which stays.
    pub(super) fn first(&mut self) -> Option<Turn> {
        loop {
            if let Some(&Reverse(turn)) = self.near.peek() {
                return Some(turn);
            }
            if self.open < self.count {
                self.near.extend(self.bins[self.open].drain(..).map(Reverse));
                self.open += 1;
            } else if self.far.is_empty() {
                return None;
            } else {
                self.spread();
            }
        }
    }

    /// Takes the first of all turns away.
    pub(super) fn pop(&mut self) {
        if self.first().is_some() {
            self.near.pop();
        }
    }

    /// The bin of a turn, if it has one: of a later turn no earlier one.
    fn bin_of(&self, turn: Turn) -> usize {
        // The conversion keeps below the first and above the last.
        ((turn.time - self.begin) * self.density) as usize
    }

    /// Puts about half of what is far into bins, and that in the same time after it. All bins are open, and empty.
    fn spread(&mut self) {
        std::mem::swap(&mut self.far, &mut self.room);
        let far = std::mem::take(&mut self.room);
        let first = far.iter().map(|turn| turn.time).fold(f64::INFINITY, f64::min);
        // Some times, each with its number, so that no two are equal.
        let mut some = [(0.0, 0); SAMPLE];
        let mut seen = 0;
        for (place, turn) in some.iter_mut().zip(far.iter().step_by(far.len().div_ceil(SAMPLE))) {
            *place = (turn.time, seen);
            seen += 1;
        }
        some[..seen].order_distinct_by(|(a, k), (b, n)| a.total_cmp(b).then(k.cmp(n)));
        let half = some[seen / 2].0 - first;
        self.count = if half > 0.0 { far.len() / TO_A_BIN + 1 } else { 1 };
        self.begin = first;
        // What are at one time have a bin of their own.
        self.density = (self.count as f64 / (2.0 * half)).min(f64::MAX);
        self.open = 0;
        if self.bins.len() < self.count {
            self.bins.resize_with(self.count, Vec::new);
        }
        far.iter().for_each(|&turn| self.push(turn));
        self.room = far;
        self.room.clear();
    }
}

impl FromIterator<Turn> for Queue {
    fn from_iter<T: IntoIterator<Item = Turn>>(turns: T) -> Self {
        Self { far: turns.into_iter().collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue beside a heap of all, while turns come and go: `later` tells how much later than the first a new one is.
    fn comes_in_order(count: u32, rounds: u32, mut later: impl FnMut(u32) -> f64) {
        let turn = |time: f64, k: u32| Turn { time, waits: k.is_multiple_of(3), island: k % 7 };
        let mut queue: Queue = (0..count).map(|k| turn(0.0, k)).collect();
        let mut heap: BinaryHeap<Reverse<Turn>> = (0..count).map(|k| Reverse(turn(0.0, k))).collect();
        for k in 0..rounds {
            let Some(Reverse(expected)) = heap.pop() else { break };
            assert_eq!(queue.first(), Some(expected), "round {k}");
            queue.pop();
            // Some have two, some none.
            for n in 0..[1, 2, 0, 1][k as usize % 4] {
                let new = turn(expected.time + later(k + n), k);
                queue.push(new);
                heap.push(Reverse(new));
            }
        }
        while let Some(Reverse(expected)) = heap.pop() {
            assert_eq!(queue.first(), Some(expected));
            queue.pop();
        }
        assert_eq!(queue.first(), None);
    }

    #[test]
    fn turns_come_in_the_order_of_a_heap_of_all() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1_u64 << 24) as f64
        };
        comes_in_order(300, 20_000, |_| random());
        comes_in_order(2, 5_000, |_| random());
        // Of all sizes, some at once, some as good as never.
        comes_in_order(100, 20_000, |k| match k % 5 {
            0 => 0.0,
            1 => 1e-300,
            2 => 1e12 * random(),
            _ => 10.0_f64.powf(12.0 * random() - 12.0),
        });
        comes_in_order(50, 1_000, |_| 0.0);
        comes_in_order(50, 1_000, |_| f64::INFINITY);
        comes_in_order(0, 0, |_| 0.0);
    }

    #[test]
    fn few_are_in_order_at_a_time() {
        let mut queue = Queue::default();
        let mut most = 0;
        for k in 0..10_000 {
            queue.push(Turn { time: f64::from(k * 7_919 % 10_000), waits: true, island: 0 });
        }
        for k in 0..50_000_u64 {
            let first = queue.first().expect("a turn");
            queue.pop();
            most = most.max(queue.near.len());
            queue.push(Turn { time: first.time + (k * 104_729 % 20_000) as f64, ..first });
        }
        assert!(most < 8 * TO_A_BIN, "{most}");
    }
}
