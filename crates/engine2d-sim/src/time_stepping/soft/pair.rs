//! The one or two points at which bodies meet, as sweeps need them: impulses along the normal, friction after them.
//!
//! A gap `g ≤ 0` is driven to zero as a damped spring would, by what it leaves of an implicit step \[Catto 2011, "Soft
//! constraints"\]: `K λ + γ Σλ = −(u_n + β g)`, `β = ω/(2ζ + h ω)`, `γ = K/(h ω (2ζ + h ω))`; an open one may close, not more:
//! `u_n + g/h ≥ 0`. The two points of a face are one complementarity problem, compliance included, tried case by case.
//!
//! Everything that does not change in a step is here in numbers of its own, both points side by side: a sweep reads one pair
//! after the other and looks up nothing but the bodies.

use super::motion::Motion;
use engine2d_constraint::InverseMass;

/// Fastest that bodies are pushed apart (length/time).
const PUSH: f64 = 3.0;

/// Share of the normal impulses of the substep before by which they fall if they were an impact's, and the friction with them too.
const FELL: f64 = 0.5;

/// Determinant of two points' matrix, relative to the product of its diagonal, below which they are solved one by one.
const SINGULAR: f64 = 1e-6;

/// How contacts yield.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compliance {
    /// Rate per gap (1/time).
    bias: f64,
    /// Compliance, in the inverse mass of the row.
    compliance: f64,
}

impl Compliance {
    /// That of a spring of the given frequency (1/time) and damping ratio in steps of `h`.
    pub(super) fn new(frequency: f64, damping: f64, h: f64) -> Self {
        let omega = std::f64::consts::TAU * frequency;
        let a = 2.0 * damping + h * omega;
        Self { bias: omega / a, compliance: 1.0 / (h * omega * a) }
    }
}

/// Velocities of the two bodies.
pub(super) type Ends = [[f64; 3]; 2];

/// `N` points of two bodies, `a` and `b`: 1 or 2. Of two numbers the first is of the normal, the second of the tangent: the normal
/// turned a quarter to the left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<const N: usize> {
    pub(super) bodies: [u32; 2],
    /// Whether one of the bodies does not move.
    pub(super) standing: bool,
    pub(super) masses: [InverseMass; 2],
    /// From body a to body b: components along x of all points, then along y.
    pub(super) normal: [[f64; N]; 2],
    /// Moments of the normal and of the tangent about the centres of mass, of body a and of body b.
    pub(super) turns: [[f64; N]; 2],
    pub(super) slides: [[f64; N]; 2],
    /// How far the points, or the middles of discs, are from the centres of mass along the normal.
    pub(super) leans: [[f64; N]; 2],
    /// Gap at the beginning of the step, and where the bodies are now.
    pub(super) start: [f64; N],
    pub(super) gap: [f64; N],
    /// Rate of the gap per impulse, and tangential impulse per rate.
    pub(super) inverse_mass: [f64; N],
    pub(super) slide_mass: [f64; N],
    /// Rate of one point per impulse of the other, along normals and along tangents.
    pub(super) coupling: [f64; 2],
    /// Rate along the tangent of a point per impulse along the normals of each.
    pub(super) across: [[f64; N]; N],
    pub(super) mu: [f64; N],
    /// Impulses of a substep, the sums of them over the step, and the largest along the normal.
    pub(super) impulse: [[f64; N]; 2],
    pub(super) total: [[f64; N]; 2],
    pub(super) most: [f64; N],
    /// Speed of the surfaces along the tangent.
    pub(super) surface: f64,
    /// Largest rate along the normals that a unit of friction makes, over `AGREES` times the smallest that a unit along them makes.
    pub(super) lever: f64,
    /// Rate of a gap below which an open point is left to bounce.
    pub(super) spared: f64,
}

/// A number of each point.
pub(super) fn each<const N: usize, T>(of: impl Fn(usize) -> T) -> [T; N] {
    std::array::from_fn(of)
}

/// The sum over the points.
pub(super) fn sum<const N: usize>(of: impl Fn(usize) -> f64) -> f64 {
    (1..N).fold(of(0), |sum, i| sum + of(i))
}

/// One instruction each, which `f64::max` is not: it has to look for what is no number. Of that the second is taken here.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

impl<const N: usize> Pair<N> {
    /// The bodies' places in lists.
    pub(super) fn places(&self) -> [usize; 2] {
        self.bodies.map(|body| body as usize)
    }

    /// Rates of the gaps.
    #[inline]
    pub(super) fn rates(&self, [a, b]: &Ends) -> [f64; N] {
        let (d, [x, y], [p, q]) = ([b[0] - a[0], b[1] - a[1]], &self.normal, &self.turns);
        each(|i| (d[0] * x[i] + d[1] * y[i]) + (b[2] * q[i] - a[2] * p[i]))
    }

    /// Rates along the tangents.
    #[inline]
    pub(super) fn slips(&self, [a, b]: &Ends) -> [f64; N] {
        let (d, [x, y], [p, q]) = ([b[0] - a[0], b[1] - a[1]], &self.normal, &self.slides);
        each(|i| (d[1] * x[i] - d[0] * y[i]) + (b[2] * q[i] - a[2] * p[i]))
    }

    /// Gives the bodies impulses along the normals.
    #[inline]
    pub(super) fn push(&self, [a, b]: &mut Ends, p: [f64; N]) {
        let ([x, y], [ta, tb], [ma, mb]) = (&self.normal, &self.turns, &self.masses);
        let (px, py) = (sum::<N>(|i| x[i] * p[i]), sum::<N>(|i| y[i] * p[i]));
        *a = [a[0] - ma.linear * px, a[1] - ma.linear * py, a[2] - ma.angular * sum::<N>(|i| ta[i] * p[i])];
        *b = [b[0] + mb.linear * px, b[1] + mb.linear * py, b[2] + mb.angular * sum::<N>(|i| tb[i] * p[i])];
    }

    /// Gives the bodies impulses along the normals and along the tangents.
    #[inline]
    pub(super) fn apply(&self, [a, b]: &mut Ends, p: [f64; N], f: [f64; N]) {
        let ([x, y], [ma, mb]) = (&self.normal, &self.masses);
        let ([ta, tb], [sa, sb]) = (&self.turns, &self.slides);
        let (px, py) = (sum::<N>(|i| x[i] * p[i] - y[i] * f[i]), sum::<N>(|i| y[i] * p[i] + x[i] * f[i]));
        let (qa, qb) = (sum::<N>(|i| ta[i] * p[i] + sa[i] * f[i]), sum::<N>(|i| tb[i] * p[i] + sb[i] * f[i]));
        *a = [a[0] - ma.linear * px, a[1] - ma.linear * py, a[2] - ma.angular * qa];
        *b = [b[0] + mb.linear * px, b[1] + mb.linear * py, b[2] + mb.angular * qb];
    }

    /// The sums of the impulses of the points, in the world.
    pub(super) fn given(&self) -> [[f64; 2]; N] {
        let ([x, y], [p, f]) = (&self.normal, &self.total);
        each(|i| [x[i] * p[i] - y[i] * f[i], y[i] * p[i] + x[i] * f[i]])
    }

    /// Sets them.
    pub(super) fn book(&mut self, given: [[f64; 2]; N]) {
        let [x, y] = &self.normal;
        self.total = [
            each(|i| x[i] * given[i][0] + y[i] * given[i][1]),
            each(|i| x[i] * given[i][1] - y[i] * given[i][0]),
        ];
    }

    /// The gaps after the bodies have moved: `n·(R r − r) = (cos − 1) n·r + sin (r × n)` of either arm.
    #[inline]
    pub(super) fn gaps(&self, a: &Motion, b: &Motion) -> [f64; N] {
        let ([x, y], [la, lb], [ta, tb]) = (&self.normal, &self.leans, &self.turns);
        let d = [b.way[0] - a.way[0], b.way[1] - a.way[1]];
        let ([ca, sa], [cb, sb]) = (a.rotation, b.rotation);
        let (ca, cb) = (ca - 1.0, cb - 1.0);
        each(|i| {
            let turned = (cb * lb[i] + sb * tb[i]) - (ca * la[i] + sa * ta[i]);
            self.start[i] + ((d[0] * x[i] + d[1] * y[i]) + turned)
        })
    }

    /// A pass with the push-out: `rate` is that of the substeps (1/time).
    #[inline]
    pub(super) fn push_out(&mut self, v: &mut Ends, soft: Compliance, rate: f64) {
        let (gap, k) = (&self.gap, &self.inverse_mass);
        let wanted = each(|i| if gap[i] > 0.0 { rate * gap[i] } else { larger(soft.bias * gap[i], -PUSH) });
        let yields = each(|i| if gap[i] > 0.0 { 0.0 } else { soft.compliance * k[i] });
        let before = self.impulse[0];
        let more = self.press(self.rates(v), wanted, yields);
        if sum::<N>(|i| more[i]) < -FELL * sum::<N>(|i| before[i]) {
            *v = self.forget_friction(*v, before, (wanted, yields));
            return;
        }
        self.push(v, more);
    }

    /// A pass without it: impulses along the normals, then friction. What the first do to the second is known beforehand, so that
    /// the velocities are changed once.
    #[inline]
    pub(super) fn relax(&mut self, v: &mut Ends, rate: f64) {
        let (gap, rates) = (&self.gap, self.rates(v));
        // What is open and has not met closes in the substep in which it does: a blow in two parts would have friction of its own in each.
        let idle = |i: usize| if gap[i] > 0.0 && self.impulse[0][i] == 0.0 { -rates[i] } else { 0.0 };
        let mut wanted = each(|i| larger(rate * gap[i], idle(i)));
        if (0..N).any(|i| rates[i] < self.spared) {
            // Its impulses stay: what is still open bounces when it meets.
            wanted = each(|i| if rates[i] < self.spared && gap[i] > 0.0 { -rates[i] } else { wanted[i] });
        }
        let (slips, before) = (self.slips(v), self.impulse);
        let mut more = self.press(rates, wanted, [0.0; N]);
        let dragged = each(|i| slips[i] + sum::<N>(|j| self.across[i][j] * more[j]));
        let mut rubbed = self.rub(dragged);
        if self.may_disagree(rubbed) {
            [more, rubbed] = self.agree(before, [rates, slips], wanted);
        }
        self.apply(v, more, rubbed);
        for i in 0..N {
            self.total[0][i] += self.impulse[0][i];
            self.total[1][i] += self.impulse[1][i];
            self.most[i] = larger(self.impulse[0][i], self.most[i]);
        }
    }

    /// Changes the normal impulses, by the rates there are, those that are to be zero or more with them, and the compliances; returns
    /// by how much.
    #[inline(always)]
    pub(super) fn press(&mut self, rates: [f64; N], wanted: [f64; N], yields: [f64; N]) -> [f64; N] {
        let (k, c, before) = (self.inverse_mass, self.coupling[0], self.impulse[0]);
        let own: [f64; N] = each(|i| k[i] + yields[i]);
        let (first, last) = (0, N - 1);
        let determinant = own[first] * own[last] - c * c;
        if N == 1 || determinant <= SINGULAR * own[first] * own[last] {
            return self.press_singly(rates, wanted, yields);
        }
        let q = [
            rates[first] + wanted[first] - k[first] * before[first] - c * before[last],
            rates[last] + wanted[last] - k[last] * before[last] - c * before[first],
        ];
        let x = complementary([own[first], own[last]], c, determinant, q);
        self.impulse[0] = each(|i| x[i]);
        each(|i| x[i] - before[i])
    }

    /// Normal impulses that leave no rate below zero, with the given ones before them.
    pub(super) fn complement(&self, q: [f64; N]) -> [f64; N] {
        let (k, c) = (self.inverse_mass, self.coupling[0]);
        let (first, last) = (0, N - 1);
        let determinant = k[first] * k[last] - c * c;
        if N > 1 && determinant > SINGULAR * k[first] * k[last] {
            let x = complementary([k[first], k[last]], c, determinant, [q[first], q[last]]);
            return each(|i| x[i]);
        }
        // Points so close together are as good as one.
        let lowest = if q[last] < q[first] { last } else { first };
        each(|i| if i == lowest { larger(-q[i] / k[i], 0.0) } else { 0.0 })
    }

    #[inline(always)]
    fn press_singly(&mut self, mut rates: [f64; N], wanted: [f64; N], yields: [f64; N]) -> [f64; N] {
        let mut more = [0.0; N];
        for i in 0..N {
            let before = self.impulse[0][i];
            let rate = rates[i] + wanted[i] + yields[i] * before;
            let next = larger(before - rate * (1.0 / (self.inverse_mass[i] + yields[i])), 0.0);
            self.impulse[0][i] = next;
            more[i] = next - before;
            // What the first does to the second.
            rates[N - 1] += self.coupling[0] * more[i];
        }
        more
    }

    /// Changes the impulses of friction by the rates along the tangents, one point after the other; returns by how much.
    #[inline(always)]
    pub(super) fn rub(&mut self, mut slips: [f64; N]) -> [f64; N] {
        let mut more = [0.0; N];
        for i in 0..N {
            let (before, most) = (self.impulse[1][i], self.mu[i] * self.impulse[0][i]);
            let next = before - (slips[i] - self.surface) * self.slide_mass[i];
            let next = larger(smaller(next, most), -most);
            self.impulse[1][i] = next;
            more[i] = next - before;
            slips[N - 1] += self.coupling[1] * more[i];
        }
        more
    }

    /// Largest violation of the conditions by velocities, and the largest speed that the points change; of those that press.
    #[inline]
    pub(super) fn residual(&self, v: &Ends, rates: &[f64; N]) -> (f64, f64) {
        let slips = self.slips(v);
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for i in (0..N).filter(|&i| self.most[i] > 0.0) {
            let [n, t] = [self.impulse[0][i], self.impulse[1][i]];
            let [pressing, free] = [n * self.inverse_mass[i], t / self.slide_mass[i]];
            let most = self.mu[i] * n / self.slide_mass[i];
            let rubbed = (free - (slips[i] - self.surface)).min(most).max(-most);
            worst = worst.max(rates[i].min(pressing).abs()).max((free - rubbed).abs());
            scale = scale.max(pressing);
        }
        (worst, scale)
    }
}

/// Solves `A x + q ≥ 0`, `x ≥ 0`, complementary, for a positive definite `A` of diagonal `own` and off-diagonal `c`.
#[inline]
fn complementary(own: [f64; 2], c: f64, determinant: f64, q: [f64; 2]) -> [f64; 2] {
    let inverse = 1.0 / determinant;
    let both = [(c * q[1] - own[1] * q[0]) * inverse, (c * q[0] - own[0] * q[1]) * inverse];
    if both[0] >= 0.0 && both[1] >= 0.0 {
        return both;
    }
    let first = -q[0] / own[0];
    if first >= 0.0 && c * first + q[1] >= 0.0 {
        return [first, 0.0];
    }
    let second = -q[1] / own[1];
    if second >= 0.0 && c * second + q[0] >= 0.0 {
        return [0.0, second];
    }
    [0.0, 0.0]
}
