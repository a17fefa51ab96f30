//! A planar curve by a table of points over arc length: evaluation, nearest point, point at a distance.

mod spline;

use crate::Vec2;

/// Relative slope of a tangent below which it is exactly vertical or horizontal.
const AXIS_SLOPE: f64 = 1e-12;

/// Derivative of a coordinate below which a table normal is exactly vertical or horizontal.
const AXIS_RATE: f64 = 1e-16;

/// Step of arc length at which the nearest-point search ends (length): the accuracy of arc positions.
const SEARCH_STEP: f64 = 1e-6;

/// Accuracy of a prescribed straight distance between two points of the curve (length).
const CHORD_ACCURACY: f64 = 1e-10;

/// Default number of points of a table.
pub const DEFAULT_TABLE_LENGTH: usize = 9000;

/// Why a curve cannot be tabulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// Too few points to interpolate cubically.
    #[error("a curve needs at least 4 table points, got {got}")]
    TooFewPoints {
        /// Number of points given.
        got: usize,
    },
    /// A point is not finite, or equals its neighbour.
    #[error("table point {index} is not finite or does not advance along the curve")]
    BadPoint {
        /// Index of the point.
        index: usize,
    },
    /// No point of the curve is at the distance asked for.
    #[error("no point of the curve is {distance} from the given one")]
    NoPointAtDistance {
        /// The distance asked for.
        distance: f64,
    },
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    s: f64,
    point: Vec2,
    /// `dx/ds`, `dy/ds`.
    rate: Vec2,
    /// Derivative of the unit normal by arc length.
    normal_rate: Vec2,
    /// Second derivative of the spline by `s`, and its arc length up to here.
    bend: Vec2,
    length: f64,
}

/// A curve tabulated over arc length, open or closed.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledCurve {
    rows: Vec<Row>,
    closed: bool,
}

/// A place on a curve, remembered between searches.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CurvePosition {
    /// Arc length from the start; continuous over laps of a closed curve.
    pub s: f64,
    /// Index of the table point at or before it, from which a local search starts; `None` before the first.
    pub index: Option<u32>,
}

/// A curve evaluated at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position.
    pub point: Vec2,
    /// Unit tangent towards increasing arc length.
    pub tangent: Vec2,
    /// Unit normal: the tangent turned by a quarter counter-clockwise.
    pub normal: Vec2,
    /// Derivative of the normal by arc length.
    pub normal_rate: Vec2,
}

impl SampledCurve {
    /// Tabulates `curve(t)` at `count` equal steps of `t` from `t0` to `t1`.
    ///
    /// # Errors
    /// [`CurveError`] for fewer than 4 points, points that are not finite or coincide.
    pub fn new(
        curve: impl Fn(f64) -> Vec2,
        t0: f64,
        t1: f64,
        count: usize,
        closed: bool,
    ) -> Result<Self, CurveError> {
        let step = (t1 - t0) / (count.max(2) - 1) as f64;
        let mut t = t0;
        let mut points = Vec::with_capacity(count);
        for _ in 0..count {
            points.push(curve(t));
            t += step;
        }
        Self::from_points(&points, closed)
    }

    /// Tabulates given points; arc lengths are sums of chords.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_points(points: &[Vec2], closed: bool) -> Result<Self, CurveError> {
        if points.len() < 4 {
            return Err(CurveError::TooFewPoints { got: points.len() });
        }
        let mut s: Vec<f64> = Vec::with_capacity(points.len());
        for (index, p) in points.iter().enumerate() {
            let next = if index == 0 { 0.0 } else { s[index - 1] + (p - points[index - 1]).norm() };
            if !next.is_finite() || (index > 0 && next <= s[index - 1]) {
                return Err(CurveError::BadPoint { index });
            }
            s.push(next);
        }
        let rates = three_point_derivatives(&s, points);
        let normals: Vec<Vec2> = rates.iter().map(|&r| table_normal(r)).collect();
        let normal_rates = three_point_derivatives(&s, &normals);
        let rows = (0..points.len())
            .map(|k| Row {
                s: s[k],
                point: points[k],
                rate: rates[k],
                normal_rate: normal_rates[k],
                bend: Vec2::zeros(),
                length: 0.0,
            })
            .collect();
        let mut curve = Self { rows, closed };
        curve.smoothen();
        Ok(curve)
    }

    /// Whether the end joins the start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Total arc length.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.rows.last().map_or(0.0, |r| r.s) - self.start()
    }

    /// The table points, for pictures.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        self.rows.iter().map(|r| r.point)
    }

    fn start(&self) -> f64 {
        self.rows[0].s
    }

    fn end(&self) -> f64 {
        self.rows[self.rows.len() - 1].s
    }

    /// Arc length used for look-up: within one lap for a closed curve.
    fn wrapped(&self, s: f64) -> f64 {
        if self.closed && !(self.start()..=self.end()).contains(&s) {
            let lap = self.length();
            let turns = ((s - self.start()) / lap).floor();
            s - turns * lap
        } else {
            s
        }
    }

    /// Index `k` of the table interval `[s_k, s_{k+1})` that contains `s`, clamped to the table.
    fn interval(&self, s: f64) -> usize {
        let after = self.rows.partition_point(|r| r.s <= s);
        after.clamp(1, self.rows.len() - 1) - 1
    }

    /// Cubic interpolation of a column at `s`, through the four points around its interval.
    fn interpolate(&self, s: f64, column: impl Fn(&Row) -> f64) -> f64 {
        let first = (self.interval(s).max(1) - 1).min(self.rows.len() - 4);
        let rows = &self.rows[first..first + 4];
        let mut sum = 0.0;
        for i in 0..4 {
            let mut weight = 1.0;
            for j in 0..4 {
                if i != j {
                    weight *= (s - rows[j].s) / (rows[i].s - rows[j].s);
                }
            }
            sum += weight * column(&rows[i]);
        }
        sum
    }

    /// The curve at arc length `s`. Beyond the end of an open curve it goes on straight.
    #[must_use]
    pub fn at(&self, s: f64) -> CurvePoint {
        let s = self.wrapped(s);
        let inside = s.clamp(self.start(), self.end());
        let rate = Vec2::new(self.interpolate(inside, |r| r.rate.x), self.interpolate(inside, |r| r.rate.y));
        let mut point =
            Vec2::new(self.interpolate(inside, |r| r.point.x), self.interpolate(inside, |r| r.point.y));
        let (tangent, normal) = directions(rate);
        if s != inside {
            // The extension assumes that x grows along the curve.
            let slope = rate.y / rate.x;
            let dx = (s - inside) / (1.0 + slope * slope).sqrt();
            point += Vec2::new(dx, slope * dx);
        }
        let normal_rate = Vec2::new(
            self.interpolate(inside, |r| r.normal_rate.x),
            self.interpolate(inside, |r| r.normal_rate.y),
        );
        CurvePoint { point, tangent, normal, normal_rate }
    }

    fn at_table(&self, index: usize) -> CurvePosition {
        CurvePosition { s: self.rows[index].s, index: Some(index as u32) }
    }

    /// The table point nearest to `target`; the first of equals.
    #[must_use]
    pub fn nearest_table_point(&self, target: impl Into<Vec2>) -> CurvePosition {
        let target: Vec2 = target.into();
        let mut best = 0;
        let mut least = f64::INFINITY;
        for (i, row) in self.rows.iter().enumerate() {
            let distance = (row.point - target).norm_squared();
            if distance < least {
                (best, least) = (i, distance);
            }
        }
        self.at_table(best)
    }

    /// The place nearest to `target` that a pattern search from `from` reaches: first over table points with
    /// a halving stride, then along the interpolated curve down to steps of 1e-6.
    #[must_use]
    pub fn nearest_local(&self, target: impl Into<Vec2>, from: CurvePosition) -> CurvePosition {
        let target: Vec2 = target.into();
        let count = self.rows.len();
        let last = count - 1;
        let mut k = from.index.map_or(if self.closed { last } else { 0 }, |i| i as usize);
        let shifted = |k: usize, by: isize| -> usize {
            let moved = k as isize + by;
            if self.closed {
                moved.rem_euclid(count as isize) as usize
            } else {
                moved.clamp(0, last as isize) as usize
            }
        };
        let squared = |p: Vec2| (p - target).norm_squared();
        let mut stride = (count / 20).max(1) as isize;
        while stride > 1 {
            let (left, right) = (shifted(k, -stride), shifted(k, stride));
            let d_left = squared(self.rows[left].point);
            let d_here = squared(self.rows[k].point);
            let d_right = squared(self.rows[right].point);
            if d_left < d_here && d_left < d_right {
                k = left;
            } else if d_right < d_here {
                k = right;
            } else {
                stride /= 2;
            }
        }
        let s = self.refine(target, k, shifted(k, -1), shifted(k, 1));
        let index = self.interval(self.wrapped(s));
        CurvePosition { s: self.continued(s, from.s), index: Some(index as u32) }
    }

    /// Pattern search on the interpolated curve about table point `k`.
    fn refine(&self, target: Vec2, k: usize, left: usize, right: usize) -> f64 {
        let mut s = self.rows[k].s;
        let spacing = (self.rows[right].s - self.rows[left].s).abs();
        let mut step =
            if spacing > self.length() / 2.0 { self.length() / self.rows.len() as f64 } else { spacing };
        let squared = |s: f64| (self.at(s).point - target).norm_squared();
        let mut here = squared(s);
        while step > SEARCH_STEP {
            let (d_left, d_right) = (squared(s - step), squared(s + step));
            if d_left < here && d_left < d_right {
                s -= step;
                here = d_left;
            } else if d_right < here {
                s += step;
                here = d_right;
            } else {
                step /= 2.0;
            }
        }
        s
    }

    /// Adds whole laps to `s` so that it continues from `before` across the seam of a closed curve.
    fn continued(&self, s: f64, before: f64) -> f64 {
        if !self.closed {
            return s;
        }
        let lap = self.length();
        let within = self.wrapped(s) - self.start();
        let previous = self.wrapped(before) - self.start();
        let mut laps = ((before - self.start() - previous) / lap).round();
        if within > lap * 5.0 / 6.0 && previous < lap / 6.0 {
            laps -= 1.0;
        } else if within < lap / 6.0 && previous > lap * 5.0 / 6.0 {
            laps += 1.0;
        }
        self.start() + within + laps * lap
    }

    /// The place at straight distance `distance` from the curve point at `from`, on the side of `guess`.
    ///
    /// # Errors
    /// [`CurveError::NoPointAtDistance`] when the iteration does not settle.
    pub fn at_distance(
        &self,
        from: CurvePosition,
        guess: CurvePosition,
        distance: f64,
    ) -> Result<CurvePosition, CurveError> {
        let origin = self.at(from.s).point;
        let mut offset = guess.s - from.s;
        if offset.abs() < SEARCH_STEP {
            offset = distance;
        }
        for _ in 0..200 {
            let s = from.s + offset;
            let straight = (self.at(s).point - origin).norm();
            if (straight - distance).abs() <= CHORD_ACCURACY {
                let index = self.interval(self.wrapped(s));
                return Ok(CurvePosition { s, index: Some(index as u32) });
            }
            if !(straight > 0.0) {
                break;
            }
            offset *= distance / straight;
        }
        Err(CurveError::NoPointAtDistance { distance })
    }
}

/// Derivatives of a column by the quadratic through three neighbours, one-sided at the ends.
fn three_point_derivatives(s: &[f64], values: &[Vec2]) -> Vec<Vec2> {
    let n = s.len();
    (0..n)
        .map(|k| {
            let m = k.clamp(1, n - 2);
            let (a, b, c) = (s[m - 1], s[m], s[m + 1]);
            let x = s[k];
            values[m - 1] * ((2.0 * x - b - c) / ((a - b) * (a - c)))
                + values[m] * ((2.0 * x - a - c) / ((b - a) * (b - c)))
                + values[m + 1] * ((2.0 * x - a - b) / ((c - a) * (c - b)))
        })
        .collect()
}

fn table_normal(rate: Vec2) -> Vec2 {
    if rate.x.abs() < AXIS_RATE {
        Vec2::new(-rate.y.signum(), 0.0)
    } else if rate.y.abs() < AXIS_RATE {
        Vec2::new(0.0, rate.x.signum())
    } else {
        Vec2::new(-rate.y, rate.x) / rate.norm()
    }
}

/// Unit tangent and normal of a curve whose coordinates change at `rate`.
fn directions(rate: Vec2) -> (Vec2, Vec2) {
    if rate.x.abs() < AXIS_SLOPE {
        let up = rate.y.signum();
        return (Vec2::new(0.0, up), Vec2::new(-up, 0.0));
    }
    let slope = rate.y / rate.x;
    let sign = rate.x.signum();
    let length = (1.0 + slope * slope).sqrt();
    let tangent = Vec2::new(sign / length, sign * slope / length);
    if slope.abs() <= AXIS_SLOPE {
        return (tangent, Vec2::new(0.0, sign));
    }
    (tangent, Vec2::new(-tangent.y, tangent.x))
}

#[cfg(test)]
mod tests;
