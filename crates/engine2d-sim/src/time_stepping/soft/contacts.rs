//! Contacts of the iterative solver: normal impulses of up to two points of a pair at a time, friction after them.
//!
//! A gap `g ≤ 0` is driven to zero as a damped spring would, by what it leaves of an implicit step \[Catto 2011, "Soft
//! constraints"\]: `K λ + γ Σλ = −(u_n + β g)`, `β = ω/(2ζ + h ω)`, `γ = K/(h ω (2ζ + h ω))`; an open one may close, not more:
//! `u_n + g/h ≥ 0`. The two points of a face are one complementarity problem, compliance included, tried case by case.

use super::super::memory::Near;
use super::motion::Motion;
use super::point::{Point, cross, dot, velocity};
use crate::model::Model;
use crate::road::resistance_of;
use engine2d_constraint::InverseMass;
use engine2d_geometry::{BodyRef, CollisionBody};

/// Frequency of soft contacts (1/time); never above the share of the substeps' that they can follow.
const FREQUENCY: f64 = 30.0;

/// Most that the frequency is of that of the substeps.
const SHARE: f64 = 0.125;

/// Damping ratio of soft contacts.
const DAMPING: f64 = 10.0;

/// Fastest that bodies are pushed apart (length/time).
const PUSH: f64 = 3.0;

/// Approach, in what forces add to it in the step, above which bodies bounce.
const BOUNCES: f64 = 2.0;

/// Determinant of two points' matrix, relative to the product of its diagonal, below which they are solved one by one.
const SINGULAR: f64 = 1e-6;

/// The points of a pair that are solved together.
#[derive(Clone, Copy, Debug)]
struct Pair {
    bodies: [u32; 2],
    points: [Point; 2],
    /// Places in the list of what is near.
    places: [u32; 2],
    count: u8,
    /// Whether one of the bodies does not move.
    standing: bool,
    /// Rate of one point per impulse of the other.
    coupling: f64,
    surface: f64,
    restitution: f64,
    /// Approach above which it bounces.
    threshold: f64,
}

/// How contacts yield.
#[derive(Clone, Copy, Debug, Default)]
struct Compliance {
    /// Rate per gap (1/time).
    bias: f64,
    /// Compliance, in the inverse mass of the row.
    compliance: f64,
}

impl Compliance {
    fn new(frequency: f64, h: f64) -> Self {
        let omega = std::f64::consts::TAU * frequency;
        let a = 2.0 * DAMPING + h * omega;
        Self { bias: omega / a, compliance: 1.0 / (h * omega * a) }
    }
}

/// What a step tells of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    /// Place in the list of what is near.
    pub(super) place: usize,
    pub(super) presses: bool,
    /// Sums of normal and tangential impulses.
    pub(super) total: [f64; 2],
    /// Sum of the impulses of rolling resistance on the second body.
    pub(super) rolled: f64,
    /// Gap at the end.
    pub(super) gap: f64,
    /// Rates of the gap before and after.
    pub(super) rates: [f64; 2],
}

/// All contacts of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pairs: Vec<Pair>,
    soft: [Compliance; 2],
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
        self.soft = [Compliance::new(frequency, part), Compliance::new(2.0 * frequency, part)];
        self.pairs.clear();
        let mut place = 0;
        while place < near.len() {
            let ends = near[place].pair();
            let mut pair = Pair::new(model, bodies, &near[place..], (ends, place));
            pair.threshold = threshold(model, &pair, changes);
            place += usize::from(pair.count);
            self.pairs.push(pair);
        }
    }

    /// Gives the bodies the impulses that are known.
    pub(super) fn warm_start(&self, motions: &mut [Motion], masses: &[InverseMass]) {
        for pair in &self.pairs {
            let [a, b] = [pair.bodies[0] as usize, pair.bodies[1] as usize];
            let (mut va, mut vb) = (motions[a].v, motions[b].v);
            let m = [masses[a], masses[b]];
            for point in pair.points() {
                point.push(&m, (&mut va, &mut vb), point.impulse);
                point.turn(&m, (&mut va, &mut vb), point.rolling);
            }
            (motions[a].v, motions[b].v) = (va, vb);
        }
    }

    /// One sweep over all pairs.
    pub(super) fn solve(&mut self, motions: &mut [Motion], masses: &[InverseMass], (h, bias): (f64, bool)) {
        for pair in &mut self.pairs {
            let [a, b] = [pair.bodies[0] as usize, pair.bodies[1] as usize];
            let (ma, mb) = (motions[a], motions[b]);
            let m = [masses[a], masses[b]];
            let (mut va, mut vb) = (ma.v, mb.v);
            let soft = self.soft[usize::from(pair.standing)];
            pair.press((&ma, &mb), &m, (&mut va, &mut vb), (h, bias, soft));
            if !bias {
                pair.rub(&m, (&mut va, &mut vb));
                pair.points[..usize::from(pair.count)]
                    .iter_mut()
                    .for_each(|p| p.roll(&m, (&mut va, &mut vb)));
            }
            (motions[a].v, motions[b].v) = (va, vb);
        }
    }

    /// Books the impulses of a substep.
    pub(super) fn book(&mut self) {
        for pair in &mut self.pairs {
            for point in &mut pair.points[..usize::from(pair.count)] {
                point.total = [point.total[0] + point.impulse[0], point.total[1] + point.impulse[1]];
                point.rolled += point.rolling;
                point.most = point.most.max(point.impulse[0]);
            }
        }
    }

    /// Gives back what bounces; returns whether anything does.
    pub(super) fn bounce(&mut self, motions: &mut [Motion], masses: &[InverseMass]) -> bool {
        let mut any = false;
        for pair in self.pairs.iter_mut().filter(|pair| pair.restitution > 0.0) {
            let [a, b] = [pair.bodies[0] as usize, pair.bodies[1] as usize];
            let m = [masses[a], masses[b]];
            let (mut va, mut vb) = (motions[a].v, motions[b].v);
            for point in &mut pair.points[..usize::from(pair.count)] {
                if point.rate >= -pair.threshold || point.most == 0.0 {
                    continue;
                }
                any = true;
                let rate = point.rate_of((&va, &vb));
                // Not for the next step to begin with.
                let more =
                    (-(rate + pair.restitution * point.rate) / point.inverse_mass[0]).max(-point.impulse[0]);
                point.total[0] += more;
                point.push(&m, (&mut va, &mut vb), [more, 0.0]);
            }
            (motions[a].v, motions[b].v) = (va, vb);
        }
        any
    }

    /// Notes the impulses where they are looked for in the next step.
    pub(super) fn keep(&self, near: &mut [Near]) {
        for pair in &self.pairs {
            for (point, place) in pair.points().iter().zip(pair.places) {
                near[place as usize].impulse = point.impulse;
                near[place as usize].rolling = point.rolling;
            }
        }
    }

    /// Shows what is told of each point.
    pub(super) fn tell(&self, motions: &[Motion], mut show: impl FnMut(Told)) {
        for pair in &self.pairs {
            let [a, b] = [&motions[pair.bodies[0] as usize], &motions[pair.bodies[1] as usize]];
            for (point, place) in pair.points().iter().zip(pair.places) {
                show(Told {
                    place: place as usize,
                    presses: point.most > 0.0,
                    total: point.total,
                    rolled: point.rolled,
                    gap: point.gap_of((a, b)),
                    rates: [point.rate, point.rate_of((&a.v, &b.v))],
                });
            }
        }
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.pairs.iter().map(|pair| usize::from(pair.count)).sum()
    }

    /// Largest violation of the conditions of contact by velocities, in the largest speed that contacts change: by the smaller of
    /// rate and impulse of each row.
    pub(super) fn residual(&self, motions: &[Motion], masses: &[InverseMass]) -> f64 {
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for pair in &self.pairs {
            let [a, b] = pair.bodies.map(|i| motions[i as usize].v);
            for point in pair.points().iter().filter(|point| point.most > 0.0) {
                let [n, t] = point.impulse;
                let pressing = n * point.inverse_mass[0];
                let rate = point.rate_of((&a, &b));
                worst = worst.max(rate.min(pressing).abs());
                let slip = point.slip_of((&a, &b)) - pair.surface;
                let free = t * point.inverse_mass[1];
                let most = point.mu * n * point.inverse_mass[1];
                worst = worst.max((free - (free - slip).clamp(-most, most)).abs());
                worst = worst.max(point.rolling_residual(&pair.bodies.map(|i| masses[i as usize]), (&a, &b)));
                scale = scale.max(pressing).max(point.rate.abs());
            }
        }
        if scale > 0.0 { worst / scale } else { 0.0 }
    }
}

/// Approach above which a pair bounces.
fn threshold(model: &Model, pair: &Pair, changes: &[[f64; 3]]) -> f64 {
    if pair.restitution == 0.0 {
        return f64::INFINITY;
    }
    let point = &pair.points[0];
    let still = [0.0; 3];
    // What rests on what rests is pressed by forces that change no rate.
    let [a, b] = pair.bodies.map(|i| &changes[i as usize]);
    let change = point.rate_of((a, &still)).abs().max(point.rate_of((&still, b)).abs());
    (BOUNCES * change).max(model.settings.rest_speed)
}

impl Pair {
    /// Takes the first one or two of the places that follow, which are of one pair.
    fn new(model: &Model, bodies: &[CollisionBody], near: &[Near], (ends, place): ([u32; 2], usize)) -> Self {
        let ends_ref = ends.map(BodyRef::Body);
        let friction = model.friction_between(ends_ref);
        let mut pair = Self {
            bodies: ends,
            points: [Point::default(); 2],
            places: [place as u32; 2],
            count: 0,
            standing: ends.iter().any(|&i| bodies[i as usize].fixed),
            coupling: 0.0,
            surface: model.surface_speed(ends_ref),
            restitution: model.restitution_between(ends_ref),
            threshold: f64::INFINITY,
        };
        let m = ends.map(|i| model.masses[i as usize]);
        for (k, near) in near.iter().take(2).enumerate() {
            if near.pair() != ends {
                break;
            }
            let mut point = Point::of(near, ends, bodies);
            let inverse = |axis: [f64; 2]| {
                let turns = point.arms.map(|arm| cross(arm, axis));
                m[0].linear
                    + m[1].linear
                    + m[0].angular * turns[0] * turns[0]
                    + m[1].angular * turns[1] * turns[1]
            };
            point.inverse_mass = [inverse(point.normal), inverse([-point.normal[1], point.normal[0]])];
            let v = ends.map(|i| velocity(&bodies[i as usize]));
            point.rate = point.rate_of((&v[0], &v[1]));
            let sticks = near.impulse[1].abs() < friction.at_rest * near.impulse[0];
            point.mu = if sticks { friction.at_rest } else { friction.kinetic };
            point.resistance = resistance_of(model, near.id).unwrap_or(0.0);
            pair.points[k] = point;
            pair.places[k] = (place + k) as u32;
            pair.count += 1;
        }
        if pair.count == 2 {
            let [p, q] = &pair.points;
            let turns = |k: usize| m[k].angular * cross(p.arms[k], p.normal) * cross(q.arms[k], q.normal);
            pair.coupling = (m[0].linear + m[1].linear) * dot(p.normal, q.normal) + turns(0) + turns(1);
        }
        pair
    }

    fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.count)]
    }

    /// Normal impulses.
    fn press(
        &mut self,
        moved: (&Motion, &Motion),
        m: &[InverseMass; 2],
        (va, vb): (&mut [f64; 3], &mut [f64; 3]),
        (h, bias, soft): (f64, bool, Compliance),
    ) {
        let count = usize::from(self.count);
        // Rate that is to be zero or more, and the compliance of each point.
        let mut wanted = [[0.0; 2]; 2];
        for (point, wanted) in self.points[..count].iter().zip(&mut wanted) {
            let gap = point.gap_of(moved);
            *wanted = if gap > 0.0 {
                [gap / h, 0.0]
            } else if bias {
                [(soft.bias * gap).max(-PUSH), soft.compliance * point.inverse_mass[0]]
            } else {
                [0.0, 0.0]
            };
        }
        let before = [self.points[0].impulse[0], self.points[1].impulse[0]];
        if count == 2 {
            let k = [self.points[0].inverse_mass[0], self.points[1].inverse_mass[0]];
            let c = self.coupling;
            let own = [k[0] + wanted[0][1], k[1] + wanted[1][1]];
            let determinant = own[0] * own[1] - c * c;
            if determinant > SINGULAR * own[0] * own[1] {
                let rates = [
                    self.points[0].rate_of((va, vb)) + wanted[0][0],
                    self.points[1].rate_of((va, vb)) + wanted[1][0],
                ];
                let q = [
                    rates[0] - k[0] * before[0] - c * before[1],
                    rates[1] - c * before[0] - k[1] * before[1],
                ];
                let x = complementary(own, c, determinant, q);
                for i in 0..2 {
                    self.points[i].impulse[0] = x[i];
                    self.points[i].push(m, (va, vb), [x[i] - before[i], 0.0]);
                }
                return;
            }
        }
        for (point, wanted) in self.points[..count].iter_mut().zip(&wanted) {
            let rate = point.rate_of((va, vb)) + wanted[0] + wanted[1] * point.impulse[0];
            let next = (point.impulse[0] - rate / (point.inverse_mass[0] + wanted[1])).max(0.0);
            let more = next - point.impulse[0];
            point.impulse[0] = next;
            point.push(m, (va, vb), [more, 0.0]);
        }
    }

    /// Impulses of friction.
    fn rub(&mut self, m: &[InverseMass; 2], (va, vb): (&mut [f64; 3], &mut [f64; 3])) {
        let (count, surface) = (usize::from(self.count), self.surface);
        for point in self.points[..count].iter_mut().filter(|point| point.mu > 0.0) {
            let slip = point.slip_of((va, vb)) - surface;
            let most = point.mu * point.impulse[0];
            let next = (point.impulse[1] - slip / point.inverse_mass[1]).clamp(-most, most);
            let more = next - point.impulse[1];
            point.impulse[1] = next;
            point.push(m, (va, vb), [0.0, more]);
        }
    }
}

/// Solves `A x + q ≥ 0`, `x ≥ 0`, complementary, for a positive definite `A` of diagonal `own` and off-diagonal `c`.
fn complementary(own: [f64; 2], c: f64, determinant: f64, q: [f64; 2]) -> [f64; 2] {
    let both = [(c * q[1] - own[1] * q[0]) / determinant, (c * q[0] - own[0] * q[1]) / determinant];
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
