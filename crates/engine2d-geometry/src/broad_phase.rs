//! Broad phase: which pairs of many boxes may touch, kept up to date while the boxes move.
//!
//! Each box is stored with a margin; as long as the exact box stays within it nothing is recomputed. Boxes
//! that left theirs are stretched anew, the tree above is refitted, and only then are pairs looked for. The
//! pairs come in ascending order whatever the order of the changes, and nothing is allocated once the
//! buffers have grown to the size of the scene.

mod pairs;
mod tree;

use crate::bounds::Bounds;
use crate::filter::{CollisionFilter, NonCollidingPairs};
use engine2d_math::Vec2;
use tree::BoxTree;

/// Default margin of a stored box, relative to the longer side of the exact box: a body that moves by a
/// fiftieth of its size in a step is looked at anew every fifth step.
pub const MARGIN: f64 = 0.1;

/// Share of proxies that may have moved for their pairs to be replaced one by one; above it one search
/// over the whole tree is cheaper.
const FEW: usize = 8;

/// Number of a box in a [`BroadPhase`]. Numbers of removed boxes are used again.
pub type ProxyId = u32;

/// A box that the broad phase cannot hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BroadPhaseError {
    /// A side of the box is not a number, or its sides are exchanged.
    #[error("the box of proxy {proxy} is not one: each least coordinate must be at most the largest")]
    NotABox {
        /// The proxy.
        proxy: ProxyId,
    },
    /// There is no such proxy, or it was removed.
    #[error("there is no proxy {proxy}: insert it first")]
    Unknown {
        /// The number given.
        proxy: ProxyId,
    },
}

#[derive(Clone, Copy, Debug)]
struct Proxy {
    filter: CollisionFilter,
    /// Whether the number is in use.
    used: bool,
    /// Whether the box is infinite: such a proxy is near everything and not in the tree.
    unbounded: bool,
    /// Whether the stored box changed since the pairs were found.
    moved: bool,
}

/// Boxes, their filters, and the pairs of them that overlap.
///
/// ```
/// use engine2d_geometry::{Bounds, BroadPhase, CollisionFilter};
/// use engine2d_math::Vec2;
///
/// let mut phase = BroadPhase::new();
/// let at = |x: f64| Bounds::of_circle(Vec2::new(x, 0.0), 0.5);
/// let a = phase.insert(at(0.0), CollisionFilter::default())?;
/// let b = phase.insert(at(5.0), CollisionFilter::default())?;
/// assert!(phase.update().is_empty());
/// phase.set_bounds(b, at(0.9))?;
/// assert_eq!(phase.update(), [(a, b)]);
/// # Ok::<(), engine2d_geometry::BroadPhaseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BroadPhase {
    margin: f64,
    proxies: Vec<Proxy>,
    /// Stored boxes, margins included.
    boxes: Vec<Bounds>,
    free: Vec<ProxyId>,
    unbounded: Vec<ProxyId>,
    never: NonCollidingPairs,
    moved: Vec<ProxyId>,
    /// Whether proxies came, went or changed their kind since the tree was built.
    tree_is_stale: bool,
    tree: BoxTree,
    pairs: Vec<(ProxyId, ProxyId)>,
    found: Vec<(ProxyId, ProxyId)>,
    starts: Vec<u32>,
}

impl Default for BroadPhase {
    fn default() -> Self {
        Self::new()
    }
}

impl BroadPhase {
    /// No boxes, the default [`MARGIN`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_margin(MARGIN)
    }

    /// No boxes; `margin` (finite and ≥ 0, else 0) is relative to the longer side of each box. Larger margins save work on
    /// slow bodies and report more pairs that do not touch.
    #[must_use]
    pub fn with_margin(margin: f64) -> Self {
        Self {
            margin: if margin > 0.0 && margin.is_finite() { margin } else { 0.0 },
            proxies: Vec::new(),
            boxes: Vec::new(),
            free: Vec::new(),
            unbounded: Vec::new(),
            never: NonCollidingPairs::default(),
            moved: Vec::new(),
            tree_is_stale: false,
            tree: BoxTree::default(),
            pairs: Vec::new(),
            found: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.proxies.len() - self.free.len()
    }

    /// Whether there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a box. Proxies are numbered from 0 in the order of insertion; the last removed number is used
    /// first. A box with an infinite side pairs with every other one.
    ///
    /// # Errors
    /// [`BroadPhaseError::NotABox`].
    pub fn insert(&mut self, bounds: Bounds, filter: CollisionFilter) -> Result<ProxyId, BroadPhaseError> {
        let proxy = self.free.last().copied().unwrap_or(self.proxies.len() as ProxyId);
        check(proxy, &bounds)?;
        if self.free.pop().is_none() {
            self.proxies.push(Proxy { filter, used: true, unbounded: false, moved: false });
            self.boxes.push(Bounds::EMPTY);
        }
        let unbounded = !bounds.is_finite();
        self.proxies[proxy as usize] = Proxy { filter, used: true, unbounded, moved: false };
        self.boxes[proxy as usize] = stretched(&bounds, self.margin);
        if unbounded {
            self.unbounded.push(proxy);
        }
        self.tree_is_stale = true;
        Ok(proxy)
    }

    /// Removes a box and everything known of it.
    ///
    /// # Errors
    /// [`BroadPhaseError::Unknown`].
    pub fn remove(&mut self, proxy: ProxyId) -> Result<(), BroadPhaseError> {
        self.known(proxy)?;
        self.proxies[proxy as usize].used = false;
        self.unbounded.retain(|&p| p != proxy);
        self.never.forget(proxy);
        self.free.push(proxy);
        self.tree_is_stale = true;
        Ok(())
    }

    /// Removes all boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.proxies.clear();
        self.boxes.clear();
        self.free.clear();
        self.unbounded.clear();
        self.moved.clear();
        self.pairs.clear();
        self.never = NonCollidingPairs::default();
        self.tree_is_stale = true;
    }

    /// Moves a box: costs a comparison while it stays within the stored one.
    ///
    /// # Errors
    /// [`BroadPhaseError::Unknown`], [`BroadPhaseError::NotABox`].
    #[inline]
    pub fn set_bounds(&mut self, proxy: ProxyId, bounds: Bounds) -> Result<(), BroadPhaseError> {
        match self.proxies.get(proxy as usize) {
            Some(p) if p.used && !p.unbounded && self.boxes[proxy as usize].contains(&bounds) => Ok(()),
            _ => self.replace_bounds(proxy, bounds),
        }
    }

    fn replace_bounds(&mut self, proxy: ProxyId, bounds: Bounds) -> Result<(), BroadPhaseError> {
        self.known(proxy)?;
        check(proxy, &bounds)?;
        let p = &mut self.proxies[proxy as usize];
        let unbounded = !bounds.is_finite();
        let stored = stretched(&bounds, self.margin);
        if unbounded || p.unbounded {
            self.tree_is_stale |= stored != self.boxes[proxy as usize];
            if unbounded != p.unbounded {
                p.unbounded = unbounded;
                self.unbounded.retain(|&p| p != proxy);
                if unbounded {
                    self.unbounded.push(proxy);
                }
            }
        } else if !p.moved {
            p.moved = true;
            self.moved.push(proxy);
        }
        self.boxes[proxy as usize] = stored;
        Ok(())
    }

    /// Changes what a box meets.
    ///
    /// # Errors
    /// [`BroadPhaseError::Unknown`].
    pub fn set_filter(&mut self, proxy: ProxyId, filter: CollisionFilter) -> Result<(), BroadPhaseError> {
        self.known(proxy)?;
        if self.proxies[proxy as usize].filter != filter {
            self.proxies[proxy as usize].filter = filter;
            self.tree_is_stale = true;
        }
        Ok(())
    }

    /// Declares that two boxes never meet.
    pub fn ignore_pair(&mut self, a: ProxyId, b: ProxyId) {
        self.never.insert(a, b);
        let pair = (a.min(b), a.max(b));
        self.pairs.retain(|p| *p != pair);
    }

    /// Takes back [`ignore_pair`](Self::ignore_pair).
    pub fn allow_pair(&mut self, a: ProxyId, b: ProxyId) {
        self.tree_is_stale |= self.never.remove(a, b);
    }

    /// The stored box of a proxy, margin included; `None` if there is none.
    #[must_use]
    pub fn stored_bounds(&self, proxy: ProxyId) -> Option<&Bounds> {
        self.proxies.get(proxy as usize).filter(|p| p.used).map(|_| &self.boxes[proxy as usize])
    }

    /// Brings tree and pairs up to date. The pairs `(i, j)`, `i < j`, in ascending order: all whose exact
    /// boxes overlap and whose filters meet, and some whose margins only overlap.
    pub fn update(&mut self) -> &[(ProxyId, ProxyId)] {
        if self.tree_is_stale {
            self.rebuild();
            self.find_all_pairs();
        } else if !self.moved.is_empty() {
            for &m in &self.moved {
                self.tree.set(m, self.boxes[m as usize]);
            }
            self.tree.refit();
            if self.tree.is_stretched() {
                self.rebuild();
            }
            if self.moved.len() * FEW < self.len() {
                self.replace_pairs_of_moved();
            } else {
                self.find_all_pairs();
            }
        }
        for m in self.moved.drain(..) {
            self.proxies[m as usize].moved = false;
        }
        &self.pairs
    }

    /// The pairs of the last [`update`](Self::update).
    #[must_use]
    pub fn pairs(&self) -> &[(ProxyId, ProxyId)] {
        &self.pairs
    }

    /// Calls `visit` with each proxy whose stored box overlaps `region`, as of the last update.
    pub fn in_region(&self, region: &Bounds, mut visit: impl FnMut(ProxyId)) {
        for &u in &self.unbounded {
            if self.boxes[u as usize].overlaps(region) {
                visit(u);
            }
        }
        self.tree.overlapping(region, visit);
    }

    /// Calls `visit` with each proxy whose stored box contains `point`, as of the last update.
    pub fn at_point(&self, point: impl Into<Vec2>, visit: impl FnMut(ProxyId)) {
        let point: Vec2 = point.into();
        self.in_region(&Bounds { min: point, max: point }, visit);
    }

    /// Calls `visit(proxy, limit)` with each proxy whose stored box is met by the ray from `origin` along
    /// the unit vector `direction` within `limit` (length), which the visit returns anew: return the distance
    /// of a hit to see nothing beyond it, 0 to stop.
    pub fn along_ray(
        &self,
        origin: impl Into<Vec2>,
        direction: impl Into<Vec2>,
        mut limit: f64,
        mut visit: impl FnMut(ProxyId, f64) -> f64,
    ) {
        let (origin, direction): (Vec2, Vec2) = (origin.into(), direction.into());
        for &u in &self.unbounded {
            limit = visit(u, limit);
        }
        self.tree.along_ray(origin, direction, limit, visit);
    }

    fn known(&self, proxy: ProxyId) -> Result<(), BroadPhaseError> {
        match self.proxies.get(proxy as usize) {
            Some(p) if p.used => Ok(()),
            _ => Err(BroadPhaseError::Unknown { proxy }),
        }
    }

    fn rebuild(&mut self) {
        let in_tree = self.proxies.iter().enumerate().filter(|(_, p)| p.used && !p.unbounded);
        self.tree.build(in_tree.map(|(i, _)| i as u32), &self.boxes);
        self.tree_is_stale = false;
    }
}

/// The stored box of an exact one.
fn stretched(bounds: &Bounds, margin: f64) -> Bounds {
    if !bounds.is_finite() {
        return *bounds;
    }
    bounds.inflated(margin * bounds.width().max(bounds.height()))
}

fn check(proxy: ProxyId, bounds: &Bounds) -> Result<(), BroadPhaseError> {
    if bounds.min.x <= bounds.max.x && bounds.min.y <= bounds.max.y {
        Ok(())
    } else {
        Err(BroadPhaseError::NotABox { proxy })
    }
}
