//! Where bodies stand, for those that arrive: a grid for each size of body, so that looking round costs the same in every
//! world.

use crate::instrument::circle_of;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use std::collections::{BTreeMap, HashMap};

/// A cell: the binary logarithm of its side, its column and row.
type Cell = (i16, i64, i64);

/// The bodies of a world by place, as they stand until something moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    cells: HashMap<Cell, Vec<u32>>,
    /// The bodies of each size.
    sizes: BTreeMap<i16, Vec<u32>>,
    /// Where each body is noted.
    noted: HashMap<u32, Noted>,
    /// Bodies without end.
    unbounded: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Noted {
    cell: Cell,
    /// Its number among the bodies of its size.
    slot: usize,
}

impl Standing {
    pub(crate) fn of(bodies: &[CollisionBody]) -> Self {
        let mut standing = Self::default();
        bodies.iter().enumerate().for_each(|(place, body)| standing.insert(place, body));
        standing
    }

    /// Notes a body, anew if it is noted.
    pub(crate) fn insert(&mut self, place: usize, body: &CollisionBody) {
        self.remove(place);
        let (center, radius) = circle_of(body);
        let place = place as u32;
        let Some(size) = size_of(radius) else { return self.unbounded.push(place) };
        let cell = cell_of(size, center);
        let of_size = self.sizes.entry(size).or_default();
        self.noted.insert(place, Noted { cell, slot: of_size.len() });
        of_size.push(place);
        self.cells.entry(cell).or_default().push(place);
    }

    pub(crate) fn remove(&mut self, place: usize) {
        let place = place as u32;
        let Some(Noted { cell, slot }) = self.noted.remove(&place) else {
            return self.unbounded.retain(|&other| other != place);
        };
        if let Some(list) = self.cells.get_mut(&cell) {
            list.retain(|&other| other != place);
            if list.is_empty() {
                self.cells.remove(&cell);
            }
        }
        let Some(of_size) = self.sizes.get_mut(&cell.0) else { return };
        of_size.swap_remove(slot);
        if let Some(noted) = of_size.get(slot).and_then(|moved| self.noted.get_mut(moved)) {
            noted.slot = slot;
        }
        if of_size.is_empty() {
            self.sizes.remove(&cell.0);
        }
    }

    /// The bodies that may touch one, in ascending order; itself among them if it is noted.
    pub(crate) fn near(&self, body: &CollisionBody) -> Vec<u32> {
        let (center, radius) = circle_of(body);
        let mut near = self.unbounded.clone();
        for (&size, of_size) in &self.sizes {
            let side = side_of(size);
            let reach = radius + side;
            let across = 2.0 * reach / side + 2.0;
            if !(across * across < of_size.len() as f64) {
                near.extend(of_size);
                continue;
            }
            let (_, left, bottom) = cell_of(size, center - Vec2::repeat(reach));
            let (_, right, top) = cell_of(size, center + Vec2::repeat(reach));
            let cells = (left..=right).flat_map(|x| (bottom..=top).map(move |y| (size, x, y)));
            near.extend(cells.filter_map(|cell| self.cells.get(&cell)).flatten());
        }
        near.order();
        near
    }
}

/// The size of a circle: the binary logarithm of the side of its cells, which are at least as long as its radius; `None`
/// for one without end.
fn size_of(radius: f64) -> Option<i16> {
    radius.is_finite().then(|| radius.max(f64::MIN_POSITIVE).log2().ceil() as i16)
}

fn side_of(size: i16) -> f64 {
    f64::from(size).exp2()
}

fn cell_of(size: i16, center: Vec2) -> Cell {
    let number = |at: f64| (at / side_of(size)).floor() as i64;
    (size, number(center.x), number(center.y))
}
