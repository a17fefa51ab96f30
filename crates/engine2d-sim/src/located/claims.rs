//! Where each body may be while its island is moved on: boxes in a grid, so that a look around costs the same in every world.

use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;

/// Side of the cells in mean diameters of the movable bodies.
const CELL: f64 = 4.0;

/// Most cells that a box is listed in; larger ones are looked at by everybody.
const CELLS: i64 = 64;

/// Buckets per body.
const BUCKETS: usize = 4;

/// The boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    boxes: Vec<Bounds>,
    buckets: Vec<Vec<u32>>,
    large: Vec<u32>,
    cell: f64,
    /// In which search each body was found last.
    found: Vec<u64>,
    search: u64,
}

/// The cells that a box covers.
#[derive(Clone, Copy)]
struct Cells {
    low: [i64; 2],
    high: [i64; 2],
}

impl Cells {
    fn each(self) -> impl Iterator<Item = [i64; 2]> {
        (self.low[0]..=self.high[0]).flat_map(move |x| (self.low[1]..=self.high[1]).map(move |y| [x, y]))
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
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with((BUCKETS * bodies.len()).next_power_of_two(), Vec::new);
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
            Some(cells) => cells.each().for_each(|cell| {
                let bucket = self.bucket(cell);
                self.buckets[bucket].retain(|&b| b != body as u32);
            }),
            None => self.large.retain(|&b| b != body as u32),
        }
        self.boxes[body] = bounds;
        self.list(body as u32);
    }

    /// The bodies whose boxes overlap that of a body, without itself, in ascending order.
    pub(super) fn around(&mut self, body: usize, out: &mut Vec<u32>) {
        out.clear();
        let own = self.boxes[body];
        self.search += 1;
        let mut found = std::mem::take(&mut self.found);
        found[body] = self.search;
        let mut look = |list: &[u32]| {
            for &other in list {
                if found[other as usize] != self.search {
                    found[other as usize] = self.search;
                    if self.boxes[other as usize].overlaps(&own) {
                        out.push(other);
                    }
                }
            }
        };
        match self.cells(&own) {
            Some(cells) => {
                look(&self.large);
                cells.each().for_each(|cell| look(&self.buckets[self.bucket(cell)]));
            }
            None => {
                let others = (0..self.boxes.len() as u32).filter(|&b| b != body as u32);
                out.extend(others.filter(|&b| self.boxes[b as usize].overlaps(&own)));
            }
        }
        self.found = found;
        out.sort_unstable();
    }

    fn list(&mut self, body: u32) {
        match self.cells(&self.boxes[body as usize]) {
            Some(cells) => cells.each().for_each(|cell| {
                let bucket = self.bucket(cell);
                self.buckets[bucket].push(body);
            }),
            None => self.large.push(body),
        }
    }

    /// The cells that a box covers; `None` if there are too many.
    fn cells(&self, bounds: &Bounds) -> Option<Cells> {
        let number = |p: Vec2| [p.x, p.y].map(|x| (x / self.cell).floor().clamp(-1e15, 1e15) as i64);
        let (low, high) = (number(bounds.min), number(bounds.max));
        let count = (high[0] - low[0] + 1).saturating_mul(high[1] - low[1] + 1);
        (count <= CELLS).then_some(Cells { low, high })
    }

    fn bucket(&self, [x, y]: [i64; 2]) -> usize {
        // Any mixture will do: boxes of other cells in a bucket are told apart by their overlap.
        let mixed =
            (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed ^ (mixed >> 29)) as usize & (self.buckets.len() - 1)
    }
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
