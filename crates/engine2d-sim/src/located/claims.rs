//! Where each body may be while its island is moved on: boxes in a grid, so that a look around costs the same in every world.

use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Side of the cells in mean diameters of the movable bodies.
const CELL: f64 = 4.0;

/// Most cells that a box is listed in; larger ones are looked at by everybody.
const CELLS: i64 = 64;

/// Bodies that a bucket holds beside its count: two buckets are a line of a cache.
const AT_HAND: usize = 7;

/// The boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    boxes: Vec<Bounds>,
    /// The cells, of a square that repeats itself: those side by side are so in memory.
    buckets: Vec<Bucket>,
    /// What does not fit into each.
    rest: Vec<Vec<u32>>,
    /// Binary logarithm of the side of that square.
    side: u32,
    large: Vec<u32>,
    cell: f64,
    /// In which search each body was found last.
    found: Vec<u32>,
    search: u32,
}

/// The bodies listed in a cell, and in those that share its place.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Bucket {
    count: u32,
    first: [u32; AT_HAND],
}

impl Bucket {
    fn push(&mut self, body: u32, rest: &mut Vec<u32>) {
        match self.first.get_mut(self.count as usize) {
            Some(place) => *place = body,
            None => rest.push(body),
        }
        self.count += 1;
    }

    /// Takes out one entry of a body.
    fn remove(&mut self, body: u32, rest: &mut Vec<u32>) {
        let first = &mut self.first[..AT_HAND.min(self.count as usize)];
        if let Some(place) = first.iter().position(|&b| b == body) {
            first[place] = if self.count as usize > AT_HAND { rest.pop() } else { first.last().copied() }
                .expect("an entry beside that of the body, or that one");
        } else {
            let place = rest.iter().position(|&b| b == body).expect("a body that is listed");
            rest.swap_remove(place);
        }
        self.count -= 1;
    }

    /// Those at hand, and whether there are more.
    fn at_hand(&self) -> (&[u32], bool) {
        let count = self.count as usize;
        (&self.first[..AT_HAND.min(count)], count > AT_HAND)
    }
}

/// The cells that a box covers.
#[derive(Clone, Copy)]
struct Cells {
    low: [i64; 2],
    high: [i64; 2],
}

impl Cells {
    fn has(&self, cell: [i64; 2]) -> bool {
        (0..2).all(|k| (self.low[k]..=self.high[k]).contains(&cell[k]))
    }

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
        self.rest.iter_mut().for_each(Vec::clear);
        // A cell for each body, at least.
        self.side = bodies.len().max(1).ilog2() / 2 + 1;
        self.buckets.clear();
        self.buckets.resize(1 << (2 * self.side), Bucket::default());
        self.rest.resize_with(self.buckets.len(), Vec::new);
        for body in 0..self.boxes.len() as u32 {
            self.list(body, self.cells(&self.boxes[body as usize]), None);
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
        let (old, new) = (self.cells(&self.boxes[body]), self.cells(&bounds));
        self.boxes[body] = bounds;
        let body = body as u32;
        match old {
            Some(cells) => cells.each(|cell| {
                if !new.is_some_and(|new| new.has(cell)) {
                    let place = place_of(cell, self.side);
                    self.buckets[place].remove(body, &mut self.rest[place]);
                }
            }),
            None => self.large.retain(|&b| b != body),
        }
        self.list(body, new, old);
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
        if self.search == u32::MAX {
            self.found.fill(0);
            self.search = 0;
        }
        self.search += 1;
        let Self { boxes, buckets, rest, large, found, search, side, .. } = self;
        found[without as usize] = *search;
        let mut count = 0;
        // Without branches on what is read: where memory is far, one look need not wait for the one before.
        let mut look = |list: &[u32]| {
            out.resize(out.len().max(count + list.len()), 0);
            for &other in list {
                let known = std::mem::replace(&mut found[other as usize], *search) == *search;
                out[count] = other;
                count += usize::from(!known & boxes[other as usize].overlaps(own));
            }
        };
        look(large);
        for y in cells.low[1]..=cells.high[1] {
            for x in cells.low[0]..=cells.high[0] {
                let place = place_of([x, y], *side);
                let (at_hand, more) = buckets[place].at_hand();
                look(at_hand);
                if more {
                    look(&rest[place]);
                }
            }
        }
        out.truncate(count);
    }

    /// Lists a body in cells, but for those in which it is already.
    fn list(&mut self, body: u32, cells: Option<Cells>, already: Option<Cells>) {
        match cells {
            Some(cells) => cells.each(|cell| {
                if !already.is_some_and(|already| already.has(cell)) {
                    let place = place_of(cell, self.side);
                    self.buckets[place].push(body, &mut self.rest[place]);
                }
            }),
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
