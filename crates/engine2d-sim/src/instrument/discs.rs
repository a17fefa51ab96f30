//! Worlds of discs: which of them overlap, by a grid made anew for each look. Two discs need nothing that is known from before.

use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;

/// Discs from which there is a grid, and most bodies beside them: each of these is compared with all others.
const MANY: usize = 64;
const MOST_OTHERS: usize = 32;

/// Radius up to which a disc lies in the grid, in mean radii: a cell is as wide as the largest one.
const LARGEST: f64 = 2.0;

/// Binary logarithm of the least side of the square of cells: each has eight neighbours.
const LEAST_SIDE: u32 = 2;

/// Rounding of a distance, in the largest coordinate.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A disc where it is now.
#[derive(Clone, Copy, Debug, Default)]
struct Disc {
    center: Vec2,
    radius: f64,
    body: u32,
}

/// The discs of a world of little else, and the bodies beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Discs {
    /// In the order of the bodies.
    own: Vec<Disc>,
    others: Vec<u32>,
    cell: f64,
    /// Binary logarithm of the side of the square of cells, which repeats itself.
    side: u32,
    /// The discs of each cell, one behind the other.
    starts: Vec<u32>,
    listed: Vec<Disc>,
}

impl Discs {
    /// Takes up other bodies.
    pub(super) fn take_up(&mut self, bodies: &[CollisionBody]) {
        let Self { own, others, .. } = self;
        own.clear();
        others.clear();
        let disc_of = |body: &CollisionBody| {
            body.shape.disc().filter(|(center, _)| *center == body.center_of_mass).map(|(_, radius)| radius)
        };
        let radii = || bodies.iter().filter_map(disc_of);
        let largest = LARGEST * radii().sum::<f64>() / radii().count() as f64;
        for (body, number) in bodies.iter().zip(0..) {
            match disc_of(body).filter(|radius| *radius <= largest) {
                Some(radius) => own.push(Disc { center: Vec2::zeros(), radius, body: number }),
                None => others.push(number),
            }
        }
        if own.len() < MANY || others.len() > MOST_OTHERS {
            own.clear();
            others.clear();
        }
        self.cell = own.iter().fold(0.0, |most: f64, disc| most.max(2.0 * disc.radius));
        // A cell for each disc, at least.
        self.side = (own.len().max(1).ilog2() / 2 + 1).max(LEAST_SIDE);
    }

    /// Whether nearly all bodies are in the grid.
    pub(super) fn are_many(&self) -> bool {
        !self.own.is_empty()
    }

    /// The bodies that are not in the grid.
    pub(super) fn others(&self) -> &[u32] {
        &self.others
    }

    /// Lists the discs where they are, which are finite places.
    pub(super) fn list(&mut self, place_of: impl Fn(u32) -> Vec2) {
        self.own.iter_mut().for_each(|disc| disc.center = place_of(disc.body));
        let (mut starts, mut listed) = (std::mem::take(&mut self.starts), std::mem::take(&mut self.listed));
        starts.clear();
        starts.resize((1 << (2 * self.side)) + 1, 0);
        let cell_of = |disc: &Disc| self.at(self.cell_at(disc.center));
        self.own.iter().for_each(|disc| starts[cell_of(disc) + 1] += 1);
        (1..starts.len()).for_each(|cell| starts[cell] += starts[cell - 1]);
        listed.resize(self.own.len(), Disc::default());
        for disc in &self.own {
            let next = &mut starts[cell_of(disc)];
            listed[*next as usize] = *disc;
            *next += 1;
        }
        // Each start has become the next one's.
        starts.rotate_right(1);
        starts[0] = 0;
        (self.starts, self.listed) = (starts, listed);
    }

    /// Calls for each two discs that overlap or nearly do, with a bound of their depth.
    #[inline]
    pub(super) fn each_overlap(&self, mut visit: impl FnMut([u32; 2], f64)) {
        let mut look = |a: &Disc, b: &Disc| {
            let between = a.center - b.center;
            let reach = a.radius + b.radius;
            let reach = reach + ROUNDING * (a.center.amax() + b.center.amax() + reach);
            let squared = between.norm_squared();
            if squared < reach * reach {
                visit([a.body.min(b.body), a.body.max(b.body)], reach - squared.sqrt());
            }
        };
        let side = 1_i64 << self.side;
        for y in 0..side {
            for x in 0..side {
                let own = self.discs_at([x, y]);
                for (k, a) in own.iter().enumerate() {
                    own[k + 1..].iter().for_each(|b| look(a, b));
                }
                // The other four neighbours look at this one.
                for next in [[x + 1, y], [x - 1, y + 1], [x, y + 1], [x + 1, y + 1]] {
                    let there = self.discs_at(next);
                    own.iter().for_each(|a| there.iter().for_each(|b| look(a, b)));
                }
            }
        }
    }

    /// Calls for each disc whose box overlaps one.
    pub(super) fn each_within(&self, bounds: &Bounds, mut visit: impl FnMut(u32)) {
        let mut look = |disc: &Disc| {
            if Bounds::of_circle(disc.center, disc.radius).overlaps(bounds) {
                visit(disc.body);
            }
        };
        let room = Vec2::new(self.cell, self.cell);
        let (low, high) = (self.cell_at(bounds.min - room), self.cell_at(bounds.max + room));
        let side = 1_i64 << self.side;
        if [0, 1].into_iter().any(|k| high[k] - low[k] >= side) {
            return self.own.iter().for_each(look);
        }
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                self.discs_at([x, y]).iter().for_each(&mut look);
            }
        }
    }

    /// The cell in which a place lies; far from all limits.
    fn cell_at(&self, place: Vec2) -> [i64; 2] {
        [place.x, place.y].map(|x| {
            let x = (x / self.cell).clamp(-1e15, 1e15);
            let whole = x as i64;
            whole - i64::from(x < whole as f64)
        })
    }

    /// Place of a cell in the square.
    fn at(&self, [x, y]: [i64; 2]) -> usize {
        let mask = (1_i64 << self.side) - 1;
        (((y & mask) << self.side) | (x & mask)) as usize
    }

    fn discs_at(&self, cell: [i64; 2]) -> &[Disc] {
        let cell = self.at(cell);
        &self.listed[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use std::sync::Arc;

    #[test]
    fn all_discs_that_overlap_are_found_wherever_they_are() {
        let ball = |radius: f64| Arc::new(PathShape::ball(radius).expect("a ball"));
        let shapes = [ball(0.3), ball(0.5), ball(0.55)];
        let bodies: Vec<_> = (0..150).map(|k| CollisionBody::new(shapes[k % 3].clone())).collect();
        let mut discs = Discs::default();
        discs.take_up(&bodies);
        assert!(discs.are_many() && discs.others().is_empty());
        for (spread, far) in [(6.0, 0.0), (40.0, 1e6), (0.5, -3.0), (1e9, 0.0)] {
            let number = |k: u32, n: u32| f64::from((k * (7919 + 3010 * n)) % 1009) / 1009.0 - 0.5;
            let place_of = |k: u32| Vec2::new(far + spread * number(k, 1), spread * number(k, 2) - far);
            discs.list(place_of);
            let radius = |k: u32| [0.3, 0.5, 0.55][k as usize % 3];
            let depth = |a: u32, b: u32| radius(a) + radius(b) - (place_of(a) - place_of(b)).norm();
            let mut found = Vec::new();
            discs.each_overlap(|[a, b], bound| {
                assert!(bound >= depth(a, b) && bound < depth(a, b) + 1e-8, "{bound:e}");
                found.push([a, b]);
            });
            found.sort_unstable();
            let pairs = (0..150).flat_map(|a| (a + 1..150).map(move |b| [a, b]));
            let expected: Vec<[u32; 2]> = pairs.filter(|&[a, b]| depth(a, b) > 0.0).collect();
            assert!(expected.iter().all(|pair| found.binary_search(pair).is_ok()), "spread {spread}");
            let bounds = Bounds::of_circle(Vec2::new(far, -far), 0.2 * spread);
            let mut within = Vec::new();
            discs.each_within(&bounds, |body| within.push(body));
            within.sort_unstable();
            let box_of = |k: &u32| Bounds::of_circle(place_of(*k), radius(*k));
            assert_eq!(within, (0..150).filter(|k| box_of(k).overlaps(&bounds)).collect::<Vec<u32>>());
        }
    }
}
