//! Normal impulses and friction of a pair where each makes much of the other: impacts of bodies that slide.
//!
//! Friction off the centre of mass turns a body, so that one point of its side comes down and the other rises. A sweep takes the normal
//! impulses first and friction after them, and the sweeps of a body at rest agree soon; but what is left when a body has landed is the
//! rebound. There they are taken by turns until they agree.

use super::pair::{Ends, Pair, each, larger, smaller, sum};

/// Rate that friction makes along the normals, in what the normal impulses make, up to which they agree.
pub(super) const AGREES: f64 = 0.01;

/// Most rounds; where friction throws a body over they do not agree.
const ROUNDS: usize = 16;

/// Rounding of energies, relative to what was exchanged.
const ROUNDING: f64 = 1e-13;

impl<const N: usize> Pair<N> {
    /// Rates along the normals that impulses along the tangents make.
    fn lifts(&self, f: [f64; N]) -> [f64; N] {
        each(|i| sum::<N>(|j| self.across[j][i] * f[j]))
    }

    /// Rates along the normals, and along the tangents, that impulses along both make.
    fn makes(&self, p: [f64; N], f: [f64; N]) -> [[f64; N]; 2] {
        let ([c, d], lifts) = (self.coupling, self.lifts(f));
        // The other of two points; of one alone there is none.
        let other = |x: [f64; N], i: usize| if N > 1 { x[N - 1 - i] } else { 0.0 };
        let rates = each(|i| self.inverse_mass[i] * p[i] + c * other(p, i) + lifts[i]);
        let drags: [f64; N] = each(|i| sum::<N>(|j| self.across[i][j] * p[j]));
        [rates, each(|i| drags[i] + f[i] / self.slide_mass[i] + d * other(f, i))]
    }

    /// Whether changes of friction may make too much along the normals beside what presses there: a bound of it, without products.
    #[inline]
    pub(super) fn may_disagree(&self, f: [f64; N]) -> bool {
        sum::<N>(|i| f[i].abs()) * self.lever > sum::<N>(|i| self.impulse[0][i])
    }

    /// From impulses `p` and `f` of before, with the rates there were, to ones that agree; returns the changes of both.
    #[cold]
    pub(super) fn agree(
        &mut self,
        [p, f]: [[f64; N]; 2],
        [rates, slips]: [[f64; N]; 2],
        wanted: [f64; N],
    ) -> [[f64; N]; 2] {
        let more = |own: &Self| [each(|i| own.impulse[0][i] - p[i]), each(|i| own.impulse[1][i] - f[i])];
        for _ in 0..ROUNDS {
            let [n, t] = more(self);
            let [made, _] = self.makes(n, t);
            self.press(each(|i| rates[i] + made[i]), wanted, [0.0; N]);
            let [n, t] = more(self);
            let [_, made] = self.makes(n, t);
            let rubbed = self.rub(each(|i| slips[i] + made[i]));
            if !self.may_disagree(rubbed) {
                break;
            }
        }
        more(self)
    }

    /// Forgets the friction that went with normal impulses which were those of an impact, `before`, and takes the normal ones again.
    #[cold]
    pub(super) fn forget_friction(
        &mut self,
        mut v: Ends,
        before: [f64; N],
        (wanted, yields): ([f64; N], [f64; N]),
    ) -> Ends {
        let back = self.impulse[1].map(|f| -f);
        let (rates, lifts) = (self.rates(&v), self.lifts(back));
        self.impulse = [before, [0.0; N]];
        let more = self.press(each(|i| rates[i] + lifts[i]), wanted, yields);
        self.apply(&mut v, more, back);
        v
    }

    /// A blow at the points that have one, to take what is `lacking` out of their rates, of which `met` is that when they meet, and
    /// friction with it: both together, or where that made energy one after the other.
    pub(super) fn strike(&mut self, v: &mut Ends, lacks: [Option<f64>; N], met: [f64; N]) {
        let slips = self.slips(v);
        let (mut p, mut f) = (self.blow(lacks, [0.0; N]), [0.0; N]);
        let alone = [p, self.friction_of_blow(slips, p)];
        for _ in 0..ROUNDS {
            let next = self.friction_of_blow(slips, p);
            let moved: [f64; N] = each(|i| next[i] - f[i]);
            f = next;
            let lifts = self.lifts(moved);
            let size = ROUNDING * sum::<N>(|i| self.inverse_mass[i] * p[i]);
            if (0..N).all(|i| lifts[i].abs() <= size) {
                break;
            }
            p = self.blow(lacks, self.lifts(f));
        }
        if self.gains([p, f], [met, slips]) {
            [p, f] = alone;
        }
        self.apply(v, p, f);
        for i in 0..N {
            self.total[0][i] += p[i];
            self.total[1][i] += f[i];
            self.most[i] = larger(p[i], self.most[i]);
        }
    }

    /// The normal impulses of a blow, where friction lifts the points.
    fn blow(&self, lacks: [Option<f64>; N], lifts: [f64; N]) -> [f64; N] {
        // What has no blow is far from having one.
        let lacks = each(|i| lacks[i].map_or(f64::MAX, |lack| lack + lifts[i]));
        self.complement(lacks)
    }

    fn friction_of_blow(&self, slips: [f64; N], p: [f64; N]) -> [f64; N] {
        let [_, dragged] = self.makes(p, [0.0; N]);
        let mut slips: [f64; N] = each(|i| slips[i] + dragged[i]);
        let mut f = [0.0; N];
        for i in 0..N {
            let most = self.mu[i] * p[i];
            f[i] = larger(smaller((self.surface - slips[i]) * self.slide_mass[i], most), -most);
            slips[N - 1] += self.coupling[1] * f[i];
        }
        f
    }

    /// Whether impulses make energy: `Σ p (u + ½ Δu)`, but for the work of surfaces that run.
    fn gains(&self, [p, f]: [[f64; N]; 2], [rates, slips]: [[f64; N]; 2]) -> bool {
        let [made, dragged] = self.makes(p, f);
        let normal = |i: usize| p[i] * (rates[i] + 0.5 * made[i]);
        let along = |i: usize| f[i] * (slips[i] - self.surface + 0.5 * dragged[i]);
        let size = sum::<N>(|i| p[i] * made[i].abs() + (f[i] * dragged[i]).abs());
        sum::<N>(|i| normal(i) + along(i)) > ROUNDING * size
    }
}
