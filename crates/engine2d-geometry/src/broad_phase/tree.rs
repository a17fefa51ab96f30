//! A balanced tree of boxes in one array: built by median splits, kept up to date by refitting.
//!
//! Nodes lie in depth-first order and each knows where its subtree ends, so that a search is one walk along
//! the array that jumps over what it need not see: no stack, no allocation. Moving boxes only stretches the
//! nodes above them; when the stretching makes searches too long the tree is built anew.

use crate::bounds::Bounds;
use engine2d_math::Vec2;

/// Growth of the nodes' summed perimeter since the last building that calls for the next one: a search then
/// visits about this factor more nodes than it need.
const STRETCH: f64 = 1.4;

/// No item: an inner node.
const INNER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Index after the last node of the subtree.
    end: u32,
    /// The item of a leaf.
    item: u32,
}

/// A tree over boxes of items that are numbered from 0; not every number need be in it.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    /// Node of each item.
    leaf_of: Vec<u32>,
    /// Items in the order of the leaves.
    order: Vec<u32>,
    perimeter: f64,
    perimeter_built: f64,
}

impl BoxTree {
    /// Builds the tree of the items with the given boxes, which are finite.
    pub(super) fn build(&mut self, items: impl Iterator<Item = u32>, boxes: &[Bounds]) {
        self.order.clear();
        self.order.extend(items);
        self.nodes.clear();
        self.leaf_of.clear();
        self.leaf_of.resize(boxes.len(), INNER);
        let mut order = std::mem::take(&mut self.order);
        if !order.is_empty() {
            self.split(&mut order, boxes);
        }
        self.order = order;
        self.refit();
        self.perimeter_built = self.perimeter;
    }

    /// Appends the subtree of `items`: halves by the median of the centres along the longer side.
    fn split(&mut self, items: &mut [u32], boxes: &[Bounds]) {
        let at = self.nodes.len();
        if let [item] = *items {
            self.leaf_of[item as usize] = at as u32;
            self.nodes.push(Node { bounds: boxes[item as usize], end: at as u32 + 1, item });
            return;
        }
        // Twice the centre orders as well as the centre.
        let center = |item: u32| boxes[item as usize].min + boxes[item as usize].max;
        let spread = Bounds::of_points(items.iter().map(|&i| center(i)));
        let axis = usize::from(spread.height() > spread.width());
        let middle = items.len() / 2;
        // Equal centres are told apart by number, so that the order is unique.
        items.select_nth_unstable_by(middle, |&i, &j| {
            center(i)[axis].total_cmp(&center(j)[axis]).then(i.cmp(&j))
        });
        self.nodes.push(Node { bounds: Bounds::EMPTY, end: 0, item: INNER });
        let (left, right) = items.split_at_mut(middle);
        self.split(left, boxes);
        self.split(right, boxes);
        self.nodes[at].end = self.nodes.len() as u32;
    }

    /// Moves the box of an item of the tree; [`refit`](Self::refit) must follow.
    #[inline]
    pub(super) fn set(&mut self, item: u32, bounds: Bounds) {
        self.nodes[self.leaf_of[item as usize] as usize].bounds = bounds;
    }

    /// Recomputes the inner nodes.
    pub(super) fn refit(&mut self) {
        self.perimeter = 0.0;
        for i in (0..self.nodes.len()).rev() {
            if self.nodes[i].item != INNER {
                continue;
            }
            // In depth-first order the children come after the node: the left one next, the right one where
            // the left one's subtree ends.
            let left = &self.nodes[i + 1];
            let bounds = left.bounds.union(&self.nodes[left.end as usize].bounds);
            self.perimeter += bounds.width() + bounds.height();
            self.nodes[i].bounds = bounds;
        }
    }

    /// Whether searches would be noticeably shorter in a tree built anew.
    pub(super) fn is_stretched(&self) -> bool {
        self.perimeter > STRETCH * self.perimeter_built
    }

    /// Calls `visit` with each item whose box overlaps `bounds`.
    #[inline]
    pub(super) fn overlapping(&self, bounds: &Bounds, visit: impl FnMut(u32)) {
        self.walk(0, bounds, visit);
    }

    /// Calls `visit` with each pair of items whose boxes overlap, once for each pair.
    pub(super) fn overlapping_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        for (i, node) in self.nodes.iter().enumerate() {
            if node.item != INNER {
                // Everything that comes later in the array: the pair was met if it comes earlier.
                self.walk(i + 1, &node.bounds, |other| visit(node.item, other));
            }
        }
    }

    #[inline]
    fn walk(&self, start: usize, bounds: &Bounds, mut visit: impl FnMut(u32)) {
        let mut i = start;
        while let Some(node) = self.nodes.get(i) {
            if !node.bounds.overlaps(bounds) {
                i = node.end as usize;
                continue;
            }
            if node.item != INNER {
                visit(node.item);
            }
            i += 1;
        }
    }

    /// Calls `visit` with each item whose box the ray meets within the limit that the last visit returned.
    pub(super) fn along_ray(
        &self,
        origin: Vec2,
        direction: Vec2,
        mut limit: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let reciprocal = Vec2::new(1.0 / direction.x, 1.0 / direction.y);
        let mut i = 0;
        while let Some(node) = self.nodes.get(i) {
            if node.bounds.ray_interval(origin, reciprocal, limit).is_none() {
                i = node.end as usize;
                continue;
            }
            if node.item != INNER {
                limit = visit(node.item, limit);
            }
            i += 1;
        }
    }
}
