//! Impacts that bounce: at the moment within a substep when bodies meet.
//!
//! ```text
//! meet      g + u t + ½ a t² = 0           gap, its rate, and what forces change of that
//! strike    p = −(1 + e) (u + a t) / K     once, of the approach there; friction up to μ p with it
//! place     q −= t M⁻¹ Jᵀ p                as if the bodies had come with their new velocities
//! ```
//!
//! So placed the bodies are at `t` where they met, and the substep goes on as if they had not. With `e = 1` nothing is lost in a uniform
//! field: what `a t` adds to the impulse the place takes. Of several that a body meets the earliest is first, and what is struck may
//! strike again: round after round until nothing meets any more. What approaches more slowly than a threshold is left to soft contacts.

use super::contacts::Contacts;
use super::group::{Group, List};
use super::linked::Links;
use super::manifold;
use super::meeting::{Meeting, STRUCK, strike};
use super::motion::Motion;
use super::pair::Pair;
use super::shapes::{Plain, Shapes};
use super::take::{Placed, Rest};
use crate::road::Touch;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};

/// Most rounds of a substep: a row of so many bodies passes on a blow in one. What still meets then is stopped by soft contacts.
pub(super) const ROUNDS: usize = 256;

/// Room, in the way of a substep, within which bodies meet that just do not: rounding may let them.
const MARGIN: f64 = 1e-6;

/// Time between the meetings of two points, in a substep, up to which they are one blow: a side that comes down flat.
const TOGETHER: f64 = 1e-3;

/// Most looks for the place where a pair meets, and the share of a substep to which its time is found.
const LOOKS: usize = 8;
const EXACT: f64 = 1e-9;

/// The substep: what forces change of the velocities in a step, the length of that, and of the substep.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) changes: &'a [[f64; 3]],
    pub(super) step: f64,
    pub(super) part: f64,
}

impl Contacts {
    /// Whether a pair may bounce.
    pub(super) fn bounces(&self) -> bool {
        self.groups.iter().any(|group| group.bounces)
    }

    /// Strikes what meets and bounces within a substep, velocities and places; `kept` are the velocities before impulses of the substep
    /// before. Returns whether anything did.
    pub(super) fn bounce(
        &mut self,
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        (mut places, mut links): (Places<'_>, Links<'_>),
        span: Span<'_>,
    ) -> bool {
        if !self.bounces() {
            return false;
        }
        let Self { groups, firsts, .. } = self;
        let mut any = false;
        for _ in 0..ROUNDS {
            firsts.clear();
            firsts.resize(motions.len(), f64::INFINITY);
            let mut meet = |group: &mut Group| group.meet(motions, firsts, (&mut places, span));
            let meets = groups.iter_mut().fold(false, |any, group| meet(group) | any);
            if !meets {
                break;
            }
            any = true;
            groups.iter_mut().for_each(|group| group.strike((motions, kept), firsts, (&mut links, span)));
        }
        if any {
            groups.iter_mut().for_each(|group| group.look(motions));
        }
        any
    }
}

impl Group {
    /// Notes when each body first meets another and bounces; returns whether any does.
    fn meet(
        &mut self,
        motions: &[Motion],
        firsts: &mut [f64],
        (places, span): (&mut Places<'_>, Span<'_>),
    ) -> bool {
        self.bounces
            && (self.doubles.meet(motions, firsts, (places, span))
                | self.singles.meet(motions, firsts, (places, span)))
    }

    /// Strikes what comes first for both of its bodies.
    fn strike(
        &mut self,
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        firsts: &mut [f64],
        (links, span): (&mut Links<'_>, Span<'_>),
    ) {
        if self.bounces {
            self.doubles.strike((motions, kept), firsts, (links, span));
            self.singles.strike((motions, kept), firsts, (links, span));
        }
    }

    /// Looks where the bodies are.
    fn look(&mut self, motions: &[Motion]) {
        self.singles.look(motions);
        self.doubles.look(motions);
    }
}

impl<const N: usize> List<N> {
    fn meet(
        &mut self,
        motions: &[Motion],
        firsts: &mut [f64],
        (places, span): (&mut Places<'_>, Span<'_>),
    ) -> bool {
        let mut any = false;
        for (pair, rest) in self.pairs.iter_mut().zip(&self.rests) {
            let found = meeting(pair, rest, motions, span);
            if let Some(meeting) =
                found.and_then(|found| places.look_closer(pair, (rest, found), motions, span))
            {
                any = true;
                for (k, mass) in pair.places().into_iter().zip(&pair.masses) {
                    if mass.is_movable() {
                        firsts[k] = firsts[k].min(meeting.first);
                    }
                }
            }
        }
        any
    }

    fn strike(
        &mut self,
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        firsts: &mut [f64],
        (links, span): (&mut Links<'_>, Span<'_>),
    ) {
        for (pair, rest) in self.pairs.iter_mut().zip(&mut self.rests) {
            let Some(found) = meeting(pair, rest, motions, span) else { continue };
            let Meeting { v, rates, pushes, times, first } = found;
            let movable = pair.masses.map(|mass| mass.is_movable());
            let ends = pair.places();
            let comes_first = (0..2).all(|i| !movable[i] || first <= firsts[ends[i]]);
            if !comes_first {
                continue;
            }
            if links.hold(ends) && links.strike((pair, rest), &found, (motions, kept), firsts) {
                continue;
            }
            let at = |i: usize| times[i].filter(|t| *t <= first + TOGETHER * span.part);
            let lacks =
                std::array::from_fn(|i| at(i).map(|t| (1.0 + rest.restitution) * (rates[i] + t * pushes[i])));
            let mut next = v;
            let met = std::array::from_fn(|i| rates[i] + times[i].unwrap_or(0.0) * pushes[i]);
            pair.strike(&mut next, lacks, met);
            let after = pair.rates(&next);
            for i in (0..N).filter(|&i| lacks[i].is_some()) {
                rest.rates[i] = rates[i];
                rest.after[i] = Some(after[i]);
            }
            for i in (0..2).filter(|&i| movable[i]) {
                let k = ends[i];
                let change = std::array::from_fn(|j| next[i][j] - v[i][j]);
                strike((motions, kept), k, change, first);
                firsts[k] = STRUCK;
            }
        }
    }

    fn look(&mut self, motions: &[Motion]) {
        for pair in &mut self.pairs {
            let [a, b] = pair.places();
            pair.gap = pair.gaps(&motions[a], &motions[b]);
        }
    }
}

/// Where bodies are within a step, to look at pairs more closely.
pub(super) struct Places<'a> {
    pub(super) shapes: &'a mut Shapes,
    /// At the beginning of the stretch.
    pub(super) poses: &'a [(Vec2, f64)],
    pub(super) touches: &'a mut Vec<Touch>,
}

impl Places<'_> {
    /// Looks at a pair where it meets, as far as was known until then, and takes up the place and the normal there, until these are those
    /// of the moment when it meets; none if it does not. Of pairs that are no discs and polygons, or meet at a side, the place stays.
    fn look_closer<const N: usize>(
        &mut self,
        pair: &mut Pair<N>,
        (rest, mut found): (&Rest<N>, Meeting<N>),
        motions: &[Motion],
        span: Span<'_>,
    ) -> Option<Meeting<N>> {
        for _ in 0..LOOKS {
            let Some((point, moved)) = self.look_at(pair, &found, motions, span) else { break };
            // What was given until here was given along the normal of before.
            let given = pair.given();
            pair.face(&[point; N]);
            pair.book(given);
            // From there back to where the bodies are.
            pair.start = pair.gaps(&moved[0], &moved[1]).map(|gap| 2.0 * point.gap - gap);
            let [a, b] = pair.places();
            pair.gap = pair.gaps(&motions[a], &motions[b]);
            let time = found.first;
            found = meeting(pair, rest, motions, span)?;
            if (found.first - time).abs() <= EXACT * span.part {
                break;
            }
        }
        Some(found)
    }

    /// The place of a pair when it meets, if it is the only one, and how the bodies have moved until then. Of what has corners and turns
    /// the place is one of the body, and stays.
    fn look_at<const N: usize>(
        &mut self,
        pair: &Pair<N>,
        found: &Meeting<N>,
        motions: &[Motion],
        span: Span<'_>,
    ) -> Option<(Placed, [Motion; 2])> {
        let turns = |k: u32| {
            let v = motions[k as usize].v[2] != 0.0 || motions[k as usize].turn != 0.0;
            v && !matches!(self.shapes.plain(k), Plain::Disc { .. })
        };
        if N > 1 || pair.bodies.iter().any(|&k| turns(k)) {
            return None;
        }
        let (ends, t) = (pair.places(), found.first);
        let moved = ends.map(|k| {
            let (mut motion, change) =
                (motions[k], span.changes[k].map(|change| 0.5 * t * change / span.step));
            let v = motion.v;
            motion.shift(std::array::from_fn(|i| v[i] + change[i]), t);
            motion
        });
        let centers = [0, 1].map(|i| self.poses[ends[i]].0 + Vec2::new(moved[i].way[0], moved[i].way[1]));
        for i in 0..2 {
            let pose = Pose::new(centers[i].x, centers[i].y, self.poses[ends[i]].1 + moved[i].turn);
            self.shapes.place_one(ends[i], &pose);
        }
        self.touches.clear();
        // No gap is larger.
        let reach = (centers[0] - centers[1]).norm();
        if !manifold::between(self.shapes, pair.bodies, reach, self.touches) {
            return None;
        }
        let [Touch { gap, normal, point, id }] = self.touches[..] else { return None };
        let across = point - normal * gap;
        let (normal, points) = if id.primary == BodyRef::Body(pair.bodies[1]) {
            (normal, [across, point])
        } else {
            (-normal, [point, across])
        };
        let points = if gap > 0.0 { points } else { [(point + across) * 0.5; 2] };
        let arms = [0, 1].map(|i| points[i] - centers[i]);
        let leans = [0, 1].map(|i| match self.shapes.plain(pair.bodies[i]) {
            Plain::Disc { .. } => (self.shapes.middle(pair.bodies[i]) - centers[i]).dot(&normal),
            _ => arms[i].dot(&normal),
        });
        Some((Placed { normal, arms, leans, gap }, moved))
    }
}

/// How a pair meets within a substep and bounces, if it does.
fn meeting<const N: usize>(
    pair: &Pair<N>,
    rest: &Rest<N>,
    motions: &[Motion],
    span: Span<'_>,
) -> Option<Meeting<N>> {
    if rest.restitution == 0.0 {
        return None;
    }
    let [a, b] = pair.places();
    let v = [motions[a].v, motions[b].v];
    let rates = pair.rates(&v);
    if rates.iter().all(|rate| *rate >= -rest.threshold) {
        return None;
    }
    let gaps = pair.gaps(&motions[a], &motions[b]);
    let share = |k: usize| span.changes[k].map(|change| change / span.step);
    let pushes = pair.rates(&[share(a), share(b)]);
    let fast = |i: usize| rates[i] < -rest.threshold;
    let times = std::array::from_fn(|i| {
        if fast(i) { time_to_meet(gaps[i], rates[i], pushes[i], span.part) } else { None }
    });
    let first = times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    first.is_finite().then_some(Meeting { v, rates, pushes, times, first })
}

/// When a gap that closes at a rate `u < 0`, which forces change by `a`, is closed, if soft contacts would stop it in a part of a step of
/// length `h`.
pub(super) fn time_to_meet(gap: f64, u: f64, a: f64, h: f64) -> Option<f64> {
    if gap <= 0.0 {
        return Some(0.0);
    }
    if gap + h * (u + h * a) > -MARGIN * h * u {
        return None;
    }
    // They may turn round before.
    let square = u * u - 2.0 * a * gap;
    (square >= 0.0).then(|| 2.0 * gap / (square.sqrt() - u))
}
