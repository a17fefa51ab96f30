//! Pairs that are swept one after the other: all of a world, those of a range of bodies, or those across the borders of ranges.
//!
//! Bodies that meet at one point and at two are in lists of their own, but are swept together in the order of the bodies: with those
//! of two points first a pile of 5,000 discs and blocks overlaps twice as deep.

use super::super::near::Near;
use super::motion::Motion;
use super::pair::{Compliance, Ends, Pair};
use super::rolling::Rollings;
use super::shapes::Formed;
use super::take::{Rest, rest, take};
use crate::model::Model;
use engine2d_constraint::InverseMass;
use engine2d_math::Vec2;
use std::ops::Range;

/// How a body moves that does not.
const STILL: Motion = Motion { v: [0.0; 3], way: [0.0; 2], turn: 0.0, rotation: [1.0, 0.0] };

/// All pairs that meet at `N` points.
#[derive(Clone, Debug)]
pub(super) struct List<const N: usize> {
    pub(super) pairs: Vec<Pair<N>>,
    pub(super) rests: Vec<Rest<N>>,
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
    /// Whether it was struck and bounced.
    pub(super) struck: bool,
    /// Out of the body with the lower number.
    pub(super) normal: Vec2,
}

/// What a pair is taken up from: model, masses as contacts see them, bodies, what forces change of their velocities, what is near.
pub(super) type Parts<'a> = (&'a Model, &'a [InverseMass], Formed<'a>, &'a [[f64; 3]], &'a [Near]);

/// Pairs that are swept one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) singles: List<1>,
    pub(super) doubles: List<2>,
    /// In the order of the pairs: ends of the stretches of pairs of one point, each with that of the pairs of two points after it.
    runs: Vec<[u32; 2]>,
    /// Place of the first point of each pair in the list of what is near, and whether it has two.
    places: Vec<(u32, bool)>,
    /// How many of these have one point, and two.
    counts: [u32; 2],
    pub(super) bounces: bool,
}

impl Group {
    /// Forgets the pairs.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.counts = [0; 2];
    }

    /// Notes a pair that is to be taken up; returns its number among those of as many points.
    pub(super) fn note(&mut self, place: usize, both: bool) -> u32 {
        self.places.push((place as u32, both));
        let count = &mut self.counts[usize::from(both)];
        *count += 1;
        *count - 1
    }

    /// Takes up the pairs that were noted.
    pub(super) fn fill(&mut self, (model, masses, bodies, changes, near): Parts<'_>) {
        self.singles.clear();
        self.doubles.clear();
        self.runs.clear();
        self.bounces = false;
        let parts = (model, masses, bodies, changes);
        for k in 0..self.places.len() {
            let (place, both) = self.places[k];
            let at = place as usize;
            let ends = near[at].pair();
            let restitution = if both {
                self.doubles.take(parts, [&near[at], &near[at + 1]], (ends, at))
            } else {
                self.singles.take(parts, [&near[at]], (ends, at))
            };
            self.bounces |= restitution > 0.0;
            self.extend_runs(both);
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

    /// Gives the bodies the impulses that are known; the motions are those from that of body `first` on.
    pub(super) fn warm_start(&self, (motions, first): (&mut [Motion], usize)) {
        self.doubles.warm_start((motions, first));
        self.singles.warm_start((motions, first));
    }

    /// A sweep with the push-out, at a rate of substeps.
    pub(super) fn push_out(
        &mut self,
        (motions, first): (&mut [Motion], usize),
        (soft, rate): (&[Compliance; 2], f64),
    ) {
        let mut from = [0; 2];
        for &[one, two] in &self.runs {
            self.singles.push_out(from[0]..one as usize, (motions, first), (soft, rate));
            self.doubles.push_out(from[1]..two as usize, (motions, first), (soft, rate));
            from = [one as usize, two as usize];
        }
    }

    /// A sweep without it.
    pub(super) fn relax(&mut self, (motions, first): (&mut [Motion], usize), rate: f64) {
        let mut from = [0; 2];
        for &[one, two] in &self.runs {
            self.singles.relax(from[0]..one as usize, (motions, first), rate);
            self.doubles.relax(from[1]..two as usize, (motions, first), rate);
            from = [one as usize, two as usize];
        }
    }

    /// Adds the impulses of the step to what loads each body.
    pub(super) fn add_loads(&self, loads: &mut [[f64; 3]]) {
        self.singles.add_loads(loads);
        self.doubles.add_loads(loads);
    }

    /// Normal impulse of a point in the last substep: of a pair with two points or one, by its number among those.
    pub(super) fn pressing(&self, (both, number, lane): (bool, usize, usize)) -> f64 {
        if both {
            self.doubles.pairs[number].impulse[0][lane]
        } else {
            self.singles.pairs[number].impulse[0][lane]
        }
    }

    /// Shows a pair by its number among those of as many points; returns its largest violation and the largest speed that it changes.
    pub(super) fn tell(
        &self,
        (both, number): (bool, usize),
        motions: &[Motion],
        rollings: &Rollings,
        show: &mut impl FnMut(Told),
    ) -> (f64, f64) {
        if both {
            self.doubles.tell(number, motions, rollings, show)
        } else {
            self.singles.tell(number, motions, rollings, show)
        }
    }
}

/// Velocities of the bodies of a pair, of the motions from those of body `first` on. Who is not among them does not move.
#[inline]
fn ends<const N: usize>(pair: &Pair<N>, (motions, first): (&[Motion], usize)) -> Ends {
    pair.places().map(|k| motions.get(k.wrapping_sub(first)).map_or([0.0; 3], |motion| motion.v))
}

/// Sets them; those of bodies that do not move stay, so that pairs with one of them do not wait for each other.
#[inline]
fn set_ends<const N: usize>(pair: &Pair<N>, v: Ends, (motions, first): (&mut [Motion], usize)) {
    let [a, b] = pair.places().map(|k| k.wrapping_sub(first));
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

    /// Takes up a pair; returns its restitution.
    fn take(
        &mut self,
        (model, masses, bodies, changes): (&Model, &[InverseMass], Formed<'_>, &[[f64; 3]]),
        near: [&Near; N],
        (ends, place): ([u32; 2], usize),
    ) -> f64 {
        let mut pair = take((model, masses, bodies), near, ends);
        let rest = rest((model, bodies.0, changes), &pair, place);
        pair.spared = -rest.threshold;
        self.pairs.push(pair);
        self.rests.push(rest);
        rest.restitution
    }

    fn warm_start(&self, (motions, first): (&mut [Motion], usize)) {
        for pair in &self.pairs {
            let mut v = ends(pair, (motions, first));
            pair.apply(&mut v, pair.impulse[0], pair.impulse[1]);
            set_ends(pair, v, (motions, first));
        }
    }

    fn push_out(
        &mut self,
        range: Range<usize>,
        (motions, first): (&mut [Motion], usize),
        (soft, rate): (&[Compliance; 2], f64),
    ) {
        for pair in &mut self.pairs[range] {
            let mut v = ends(pair, (motions, first));
            pair.push_out(&mut v, soft[usize::from(pair.standing)], rate);
            set_ends(pair, v, (motions, first));
        }
    }

    fn relax(&mut self, range: Range<usize>, (motions, first): (&mut [Motion], usize), rate: f64) {
        for pair in &mut self.pairs[range] {
            let [a, b] = pair.places().map(|k| motions.get(k.wrapping_sub(first)).unwrap_or(&STILL));
            pair.gap = pair.gaps(a, b);
            let mut v = [a.v, b.v];
            pair.relax(&mut v, rate);
            set_ends(pair, v, (motions, first));
        }
    }

    fn add_loads(&self, loads: &mut [[f64; 3]]) {
        let unit = InverseMass { linear: 1.0, angular: 1.0 };
        for pair in &self.pairs {
            let mut given = [[0.0; 3]; 2];
            Pair { masses: [unit; 2], ..*pair }.apply(&mut given, pair.total[0], pair.total[1]);
            for (k, given) in pair.places().into_iter().zip(given) {
                loads[k] = std::array::from_fn(|i| loads[k][i] + given[i]);
            }
        }
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
        let v = ends(pair, (motions, 0));
        let rates = pair.rates(&v);
        let (violation, mut speed) = pair.residual(&v, &rates);
        for (i, &rate) in rates.iter().enumerate() {
            let presses = pair.most[i] > 0.0;
            if presses {
                speed = speed.max(rest.rates[i].abs()).max(rest.pushed);
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
                rates: [rest.rates[i], rest.after[i].unwrap_or(rate)],
                struck: rest.after[i].is_some(),
                normal: Vec2::new(pair.normal[0][i], pair.normal[1][i]),
            });
        }
        (violation, speed)
    }
}
