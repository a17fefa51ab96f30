//! Contacts of the iterative solver: what is near taken up as pairs, swept in substeps, and told of.
//!
//! Contacts are soft ([`pair`](super::pair)); restitution comes last, rolling resistance after friction. Bodies that meet at one
//! point and at two are in lists of their own, but are swept together in the order of the bodies: with those of two points first a pile
//! of 5,000 discs and blocks overlaps twice as deep.

use super::super::memory::Near;
use super::motion::Motion;
use super::pair::{Compliance, Ends, Pair};
use super::rolling::Rollings;
use super::take::{Rest, rest, take};
use crate::model::Model;
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;
use std::ops::Range;

/// Frequency of soft contacts (1/time); never above the share of the substeps' that they can follow.
const FREQUENCY: f64 = 30.0;

/// Most that the frequency is of that of the substeps.
const SHARE: f64 = 0.125;

/// Damping ratio of soft contacts.
const DAMPING: f64 = 10.0;

/// All pairs that meet at `N` points.
#[derive(Clone, Debug)]
struct List<const N: usize> {
    pairs: Vec<Pair<N>>,
    rests: Vec<Rest<N>>,
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { pairs: Vec::new(), rests: Vec::new() }
    }
}

/// What a step tells of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    /// Place in the list of what is near.
    pub(super) place: usize,
    pub(super) presses: bool,
    /// Normal and tangential impulse of the last substep, and the sums over the step.
    pub(super) impulse: [f64; 2],
    pub(super) total: [f64; 2],
    /// The same of rolling resistance on the second body.
    pub(super) rolling: [f64; 2],
    /// Gap at the end.
    pub(super) gap: f64,
    /// Rates of the gap before and after.
    pub(super) rates: [f64; 2],
}

/// All contacts of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    singles: List<1>,
    doubles: List<2>,
    /// In the order of the pairs: ends of the stretches of pairs of one point, each with that of the pairs of two points after it.
    runs: Vec<[u32; 2]>,
    rollings: Rollings,
    /// How contacts yield, and how those at bodies that do not move.
    soft: [Compliance; 2],
    bounces: bool,
    points: usize,
}

impl Contacts {
    /// Takes up what is near, pair after pair.
    pub(super) fn prepare(
        &mut self,
        model: &Model,
        bodies: &[CollisionBody],
        near: &[Near],
        changes: &[[f64; 3]],
        part: f64,
    ) {
        let frequency = FREQUENCY.min(SHARE / part);
        self.soft = [frequency, 2.0 * frequency].map(|f| Compliance::new(f, DAMPING, part));
        self.singles.clear();
        self.doubles.clear();
        self.runs.clear();
        self.rollings.clear();
        self.points = near.len();
        self.bounces = false;
        let mut place = 0;
        while place < near.len() {
            let ends = near[place].pair();
            let both = near.get(place + 1).is_some_and(|next| next.pair() == ends);
            let parts = (model, bodies, changes);
            let (restitution, number) = if both {
                self.doubles.take(parts, [&near[place], &near[place + 1]], (ends, place))
            } else {
                self.singles.take(parts, [&near[place]], (ends, place))
            };
            self.bounces |= restitution > 0.0;
            self.extend_runs(both);
            let count = 1 + usize::from(both);
            self.rollings.take((model, bodies), &near[place..place + count], place, (both, number));
            place += count;
        }
    }

    /// Adds the pair that was taken up last to the stretch it is of; one point after two begins anew.
    fn extend_runs(&mut self, both: bool) {
        let ends = [self.singles.pairs.len() as u32, self.doubles.pairs.len() as u32];
        let before = self.runs.len().checked_sub(2).map_or(0, |k| self.runs[k][1]);
        match self.runs.last_mut() {
            Some(run) if both || run[1] == before => *run = ends,
            _ => self.runs.push(ends),
        }
    }

    /// Gives the bodies the impulses that are known.
    pub(super) fn warm_start(&self, motions: &mut [Motion], masses: &[InverseMass]) {
        self.doubles.warm_start(motions);
        self.singles.warm_start(motions);
        self.rollings.warm_start(motions, masses);
    }

    /// A sweep with the push-out over all pairs, in a substep of length `h`.
    pub(super) fn push_out(&mut self, motions: &mut [Motion], h: f64) {
        let mut from = [0; 2];
        for &[one, two] in &self.runs {
            self.singles.push_out(from[0]..one as usize, motions, &self.soft, 1.0 / h);
            self.doubles.push_out(from[1]..two as usize, motions, &self.soft, 1.0 / h);
            from = [one as usize, two as usize];
        }
    }

    /// A sweep without it, after the bodies have moved: with it ends the substep.
    pub(super) fn relax(&mut self, motions: &mut [Motion], masses: &[InverseMass], h: f64) {
        let mut from = [0; 2];
        for &[one, two] in &self.runs {
            self.singles.relax(from[0]..one as usize, motions, 1.0 / h);
            self.doubles.relax(from[1]..two as usize, motions, 1.0 / h);
            from = [one as usize, two as usize];
        }
        let Self { singles, doubles, rollings, .. } = self;
        rollings.roll((motions, masses), |(both, number, lane)| {
            if both { doubles.pairs[number].impulse[0][lane] } else { singles.pairs[number].impulse[0][lane] }
        });
    }

    /// Gives back what bounces; returns whether anything does.
    pub(super) fn bounce(&mut self, motions: &mut [Motion]) -> bool {
        self.bounces && (self.doubles.bounce(motions) | self.singles.bounce(motions))
    }

    /// Shows what is told of each point, in the order of what is near. Returns the largest violation of the conditions of contact by
    /// velocities, in the largest speed that contacts change: by the smaller of rate and impulse of each row.
    pub(super) fn tell(&self, motions: &[Motion], mut show: impl FnMut(Told)) -> f64 {
        let (mut one, mut two, mut worst, mut scale) = (0, 0, 0.0_f64, 0.0_f64);
        while one + two < self.singles.pairs.len() + self.doubles.pairs.len() {
            let single = self.singles.rests.get(one).map_or(u32::MAX, |rest| rest.place);
            let double = self.doubles.rests.get(two).map_or(u32::MAX, |rest| rest.place);
            let (violation, speed) = if single < double {
                one += 1;
                self.singles.tell(one - 1, motions, &self.rollings, &mut show)
            } else {
                two += 1;
                self.doubles.tell(two - 1, motions, &self.rollings, &mut show)
            };
            worst = worst.max(violation);
            scale = scale.max(speed);
        }
        worst = worst.max(self.rollings.residual(motions, |at| self.pressing(at)));
        if scale > 0.0 { worst / scale } else { 0.0 }
    }

    /// Normal impulse of a point in the last substep.
    fn pressing(&self, (both, number, lane): (bool, usize, usize)) -> f64 {
        if both {
            self.doubles.pairs[number].impulse[0][lane]
        } else {
            self.singles.pairs[number].impulse[0][lane]
        }
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.points
    }
}

/// Velocities of the bodies of a pair.
#[inline]
fn ends<const N: usize>(pair: &Pair<N>, motions: &[Motion]) -> Ends {
    pair.places().map(|k| motions[k].v)
}

/// Sets them; those of bodies that do not move stay, so that pairs with one of them do not wait for each other.
#[inline]
fn set_ends<const N: usize>(pair: &Pair<N>, v: Ends, motions: &mut [Motion]) {
    let [a, b] = pair.places();
    if pair.masses[0].is_movable() {
        motions[a].v = v[0];
    }
    if pair.masses[1].is_movable() {
        motions[b].v = v[1];
    }
}

impl<const N: usize> List<N> {
    fn clear(&mut self) {
        self.pairs.clear();
        self.rests.clear();
    }

    /// Takes up a pair; returns its restitution and its number.
    fn take(
        &mut self,
        (model, bodies, changes): (&Model, &[CollisionBody], &[[f64; 3]]),
        near: [&Near; N],
        (ends, place): ([u32; 2], usize),
    ) -> (f64, usize) {
        let number = self.pairs.len();
        self.pairs.push(take((model, bodies), near, ends));
        let rest = rest((model, bodies, changes), &self.pairs[number], place);
        self.rests.push(rest);
        (rest.restitution, number)
    }

    fn warm_start(&self, motions: &mut [Motion]) {
        for pair in &self.pairs {
            let mut v = ends(pair, motions);
            pair.apply(&mut v, pair.impulse[0], pair.impulse[1]);
            set_ends(pair, v, motions);
        }
    }

    fn push_out(&mut self, range: Range<usize>, motions: &mut [Motion], soft: &[Compliance; 2], rate: f64) {
        for pair in &mut self.pairs[range] {
            let mut v = ends(pair, motions);
            pair.push_out(&mut v, soft[usize::from(pair.standing)], rate);
            set_ends(pair, v, motions);
        }
    }

    fn relax(&mut self, range: Range<usize>, motions: &mut [Motion], rate: f64) {
        for pair in &mut self.pairs[range] {
            let [a, b] = pair.places();
            pair.gap = pair.gaps(&motions[a], &motions[b]);
            let mut v = ends(pair, motions);
            pair.relax(&mut v, rate);
            set_ends(pair, v, motions);
        }
    }

    fn bounce(&mut self, motions: &mut [Motion]) -> bool {
        let mut any = false;
        for (pair, rest) in self.pairs.iter_mut().zip(&self.rests) {
            if rest.restitution == 0.0 {
                continue;
            }
            let mut v = ends(pair, motions);
            for i in 0..N {
                if rest.rates[i] >= -rest.threshold || pair.most[i] == 0.0 {
                    continue;
                }
                any = true;
                let rate = pair.rates(&v)[i];
                // Not for the next step to begin with.
                let more = (-(rate + rest.restitution * rest.rates[i]) / pair.inverse_mass[i])
                    .max(-pair.impulse[0][i]);
                pair.total[0][i] += more;
                pair.push(&mut v, std::array::from_fn(|j| if j == i { more } else { 0.0 }));
            }
            set_ends(pair, v, motions);
        }
        any
    }

    /// Shows a pair; returns its largest violation and the largest speed that it changes.
    fn tell(
        &self,
        k: usize,
        motions: &[Motion],
        rollings: &Rollings,
        show: &mut impl FnMut(Told),
    ) -> (f64, f64) {
        let (pair, rest) = (&self.pairs[k], &self.rests[k]);
        let v = ends(pair, motions);
        let rates = pair.rates(&v);
        let (violation, mut speed) = pair.residual(&v, &rates);
        for (i, &rate) in rates.iter().enumerate() {
            let presses = pair.most[i] > 0.0;
            if presses {
                speed = speed.max(rest.rates[i].abs());
            }
            let place = rest.place as usize + i;
            let rolling = rollings.at(place);
            show(Told {
                place,
                presses,
                impulse: [pair.impulse[0][i], pair.impulse[1][i]],
                total: [pair.total[0][i], pair.total[1][i]],
                rolling,
                gap: pair.gap[i],
                rates: [rest.rates[i], rate],
            });
        }
        (violation, speed)
    }
}
