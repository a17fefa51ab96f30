//! Where each body may be while its island is moved on: boxes in a grid, so that a look around costs the same in every world.

use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Side of the cells in mean diameters of the movable bodies.
const CELL: f64 = 4.0;

/// Most cells that a box is listed in; larger ones are looked at by everybody.
const CELLS: i64 = 64;

/// Bodies that a bucket holds beside its count, in one line of a cache.
const AT_HAND: usize = 8;

/// The boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    boxes: Vec<Bounds>,
    /// The cells, of a square that repeats itself: those side by side are so in memory.
    buckets: Vec<Bucket>,
    /// Binary logarithm of the side of that square.
    side: u32,
    large: Vec<u32>,
    cell: f64,
    /// In which search each body was found last.
    found: Vec<u64>,
    search: u64,
}

/// The bodies listed in a cell, and in those that share its place.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    count: u32,
    first: [u32; AT_HAND],
    rest: Vec<u32>,
}

impl Bucket {
    fn push(&mut self, body: u32) {
        match self.first.get_mut(self.count as usize) {
            Some(place) => {
                *place = body;
                self.count += 1;
            }
            None => self.rest.push(body),
        }
    }

    /// Takes out one entry of a body.
    fn remove(&mut self, body: u32) {
        let first = &mut self.first[..self.count as usize];
        let Some(place) = first.iter().position(|&b| b == body) else {
            if let Some(place) = self.rest.iter().position(|&b| b == body) {
                self.rest.swap_remove(place);
            }
            return;
        };
        match self.rest.pop() {
            Some(last) => first[place] = last,
            None => {
                self.count -= 1;
                first[place] = first[self.count as usize];
            }
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.rest.clear();
    }
}

/// The cells that a box covers.
#[derive(Clone, Copy)]
struct Cells {
    low: [i64; 2],
    high: [i64; 2],
}

impl Cells {
    fn each(self, mut visit: impl FnMut([i64; 2])) {
        for y in self.low[1]..=self.high[1] {
            for x in self.low[0]..=self.high[0] {
                visit([x, y]);
            }
        }
    }
}

impl Claims {
    /// Lists the bodies of a world with their boxes.
    pub(super) fn open(&mut self, bodies: &[CollisionBody], boxes: impl Iterator<Item = Bounds>) {
        let movable = bodies.iter().filter(|b| !b.fixed);
        let (count, sum) =
            movable.fold((0.0, 0.0), |(count, sum), b| (count + 1.0, sum + 2.0 * b.shape.outline_circle().1));
        self.cell = if sum > 0.0 { CELL * sum / count } else { 1.0 };
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.large.clear();
        self.found.clear();
        self.found.resize(self.boxes.len(), 0);
        self.search = 0;
        self.buckets.iter_mut().for_each(Bucket::clear);
        // A cell for each body, at least.
        self.side = bodies.len().max(1).ilog2() / 2 + 1;
        self.buckets.resize_with(1 << (2 * self.side), Bucket::default);
        for body in 0..self.boxes.len() as u32 {
            self.list(body);
        }
    }

    /// All boxes, body by body.
    pub(super) fn boxes(&self) -> &[Bounds] {
        &self.boxes
    }

    /// The box of a body.
    pub(super) fn of(&self, body: usize) -> &Bounds {
        &self.boxes[body]
    }

    /// Replaces the box of a body.
    pub(super) fn set(&mut self, body: usize, bounds: Bounds) {
        match self.cells(&self.boxes[body]) {
            Some(cells) => cells.each(|cell| self.buckets[place_of(cell, self.side)].remove(body as u32)),
            None => self.large.retain(|&b| b != body as u32),
        }
        self.boxes[body] = bounds;
        self.list(body as u32);
    }

    /// The bodies whose boxes overlap that of a body, without itself, in ascending order.
    pub(super) fn around(&mut self, body: usize, out: &mut Vec<u32>) {
        self.overlapping(&self.boxes[body].clone(), body as u32, out);
        out.order();
    }

    /// The bodies whose boxes overlap one, without one body, in any order.
    pub(super) fn overlapping(&mut self, own: &Bounds, without: u32, out: &mut Vec<u32>) {
        out.clear();
        let Some(cells) = self.cells(own) else {
            let others = (0..self.boxes.len() as u32).filter(|&b| b != without);
            out.extend(others.filter(|&b| self.boxes[b as usize].overlaps(own)));
            return;
        };
        self.search += 1;
        let Self { boxes, buckets, large, found, search, side, .. } = self;
        found[without as usize] = *search;
        let mut look = |list: &[u32]| {
            for &other in list {
                let known = &mut found[other as usize];
                if *known != *search {
                    *known = *search;
                    if boxes[other as usize].overlaps(own) {
                        out.push(other);
                    }
                }
            }
        };
        look(large);
        for y in cells.low[1]..=cells.high[1] {
            for x in cells.low[0]..=cells.high[0] {
                let bucket = &buckets[place_of([x, y], *side)];
                look(&bucket.first[..bucket.count as usize]);
                if !bucket.rest.is_empty() {
                    look(&bucket.rest);
                }
            }
        }
    }

    fn list(&mut self, body: u32) {
        match self.cells(&self.boxes[body as usize]) {
            Some(cells) => cells.each(|cell| self.buckets[place_of(cell, self.side)].push(body)),
            None => self.large.push(body),
        }
    }

    /// The cells that a box covers; `None` if there are too many.
    fn cells(&self, bounds: &Bounds) -> Option<Cells> {
        let number = |p: Vec2| [p.x, p.y].map(|x| whole_below(x / self.cell));
        let (low, high) = (number(bounds.min), number(bounds.max));
        let count = (high[0] - low[0] + 1).saturating_mul(high[1] - low[1] + 1);
        (count <= CELLS).then_some(Cells { low, high })
    }
}

/// The largest whole number not above one, far from all limits.
fn whole_below(x: f64) -> i64 {
    let whole = x.clamp(-1e15, 1e15) as i64;
    whole - i64::from(x < whole as f64)
}

/// Place of a cell in a square of cells that repeats itself; boxes of cells that share one are told apart by their overlap.
fn place_of([x, y]: [i64; 2], side: u32) -> usize {
    let mask = (1_i64 << side) - 1;
    (((y & mask) << side) | (x & mask)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;

    #[test]
    fn what_overlaps_is_found_and_nothing_else() {
        let ball = CollisionBody::new(std::sync::Arc::new(PathShape::ball(0.5).expect("a ball")));
        let bodies = vec![ball; 60];
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1_u64 << 24) as f64
        };
        let mut any = || {
            let center = Vec2::new(20.0 * random() - 10.0, 20.0 * random() - 10.0);
            let size = if random() < 0.1 { 9.0 } else { 1.5 * random() };
            Bounds::of_circle(center, size)
        };
        let mut claims = Claims::default();
        let mut boxes: Vec<Bounds> = (0..60).map(|_| any()).collect();
        boxes[7] = Bounds::EVERYTHING;
        claims.open(&bodies, boxes.iter().copied());
        let mut found = Vec::new();
        for round in 0..300 {
            let body = round % 60;
            boxes[body] = any();
            claims.set(body, boxes[body]);
            claims.around(body, &mut found);
            let expected = |&b: &u32| b != body as u32 && boxes[b as usize].overlaps(&boxes[body]);
            assert_eq!(found, (0..60).filter(expected).collect::<Vec<u32>>(), "round {round}");
        }
    }
}
