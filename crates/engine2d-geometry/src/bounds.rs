//! Axis-aligned boxes and what can be said of two of them.

use engine2d_math::Vec2;

/// An axis-aligned box by its corners; sides may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bounds {
    /// Least x and y.
    pub min: Vec2,
    /// Largest x and y.
    pub max: Vec2,
}

impl Bounds {
    /// The box that contains nothing: the union with it changes no box.
    pub const EMPTY: Self = Self {
        min: Vec2::new(f64::INFINITY, f64::INFINITY),
        max: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box that contains everything.
    pub const EVERYTHING: Self = Self { min: Self::EMPTY.max, max: Self::EMPTY.min };

    /// The box of the circle of `radius` about `center`.
    #[must_use]
    pub fn of_circle(center: impl Into<Vec2>, radius: f64) -> Self {
        let center: Vec2 = center.into();
        let reach = Vec2::repeat(radius);
        Self { min: center - reach, max: center + reach }
    }

    /// The smallest box of all `points`.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| b.union(&Self { min: p, max: p }))
    }

    /// Extent along x.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.max.x - self.min.x
    }

    /// Extent along y.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.max.y - self.min.y
    }

    /// Centre of the box.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        Vec2::new(self.min.x + self.width() / 2.0, self.min.y + self.height() / 2.0)
    }

    /// The smallest box that contains both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: Vec2::new(least(self.min.x, other.min.x), least(self.min.y, other.min.y)),
            max: Vec2::new(-least(-self.max.x, -other.max.x), -least(-self.max.y, -other.max.y)),
        }
    }

    /// The box with each side moved outwards by `margin` (length).
    #[must_use]
    pub fn inflated(&self, margin: f64) -> Self {
        let reach = Vec2::repeat(margin);
        Self { min: self.min - reach, max: self.max + reach }
    }

    /// Whether the boxes share a point; touching sides count.
    #[inline(always)]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without short cuts: the four comparisons are cheaper than a mispredicted branch.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// Whether `inner` lies within this box; touching sides count.
    #[inline]
    #[must_use]
    pub fn contains(&self, inner: &Self) -> bool {
        self.contains_point(inner.min) && self.contains_point(inner.max)
    }

    /// Whether the point lies in the box or on its sides.
    #[inline]
    #[must_use]
    pub fn contains_point(&self, p: impl Into<Vec2>) -> bool {
        let p: Vec2 = p.into();
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }

    /// Whether all four sides are finite numbers.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        [self.min.x, self.min.y, self.max.x, self.max.y].iter().all(|x| x.is_finite())
    }

    /// Euclidean distance of the boxes, 0 when they overlap: a lower bound on the distance of what they
    /// contain.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let dx = (other.min.x - self.max.x).max(self.min.x - other.max.x).max(0.0);
        let dy = (other.min.y - self.max.y).max(self.min.y - other.max.y).max(0.0);
        Vec2::new(dx, dy).norm()
    }

    /// The interval of `t` in `[0, limit]` during which `origin + t · direction` is in the box, given the
    /// reciprocals of the direction's components.
    #[inline]
    pub(crate) fn ray_interval(&self, origin: Vec2, reciprocal: Vec2, limit: f64) -> Option<(f64, f64)> {
        let (mut enter, mut leave) = (0.0_f64, limit);
        for k in 0..2 {
            let (a, b) =
                ((self.min[k] - origin[k]) * reciprocal[k], (self.max[k] - origin[k]) * reciprocal[k]);
            if reciprocal[k].is_infinite() {
                // Parallel to this pair of sides: within them or never.
                if origin[k] < self.min[k] || origin[k] > self.max[k] {
                    return None;
                }
                continue;
            }
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some((enter, leave))
    }
}

/// The smaller of two numbers, of which neither is NaN.
#[inline]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(x: f64, y: f64, w: f64, h: f64) -> Bounds {
        Bounds { min: Vec2::new(x, y), max: Vec2::new(x + w, y + h) }
    }

    #[test]
    fn distance_is_that_of_the_nearest_sides_or_corners() {
        let a = bounds(0.0, 0.0, 1.0, 1.0);
        for (b, expected) in [
            (bounds(2.0, 0.5, 1.0, 1.0), 1.0),
            (bounds(4.0, 5.0, 1.0, 1.0), 5.0),
            (bounds(-4.0, -5.0, 1.0, 1.0), 5.0),
            (bounds(1.0, 1.0, 1.0, 1.0), 0.0),
            (Bounds::EVERYTHING, 0.0),
        ] {
            assert_eq!(a.distance(&b), expected);
            assert_eq!(b.distance(&a), expected);
            assert_eq!(a.overlaps(&b), expected == 0.0);
        }
    }

    #[test]
    fn the_empty_box_is_neutral() {
        let a = bounds(-1.0, 2.0, 3.0, 4.0);
        assert_eq!(a.union(&Bounds::EMPTY), a);
        assert_eq!(Bounds::EMPTY.union(&a), a);
        assert!(!Bounds::EMPTY.overlaps(&a) && Bounds::EVERYTHING.contains(&a));
        assert_eq!(Bounds::of_points([]), Bounds::EMPTY);
    }
}
