//! Blows on bodies that joints hold: what joints make of an impulse beside it, which they take and give at once.

use super::joints::Joints;
use super::meeting::{Meeting, STRUCK, strike};
use super::motion::Motion;
use super::pair::{Ends, Pair, larger, smaller};
use super::take::Rest;
use crate::road::Direct;
use engine2d_constraint::InverseMass;

/// What a point yields with joints, in what it does without, from which it can be struck: less is rounding.
const LEAST: f64 = 1e-9;

/// The joints of a substep, and what they make of blows.
pub(super) struct Links<'a> {
    pub(super) joints: &'a mut Joints,
    pub(super) direct: &'a mut Direct,
    pub(super) masses: &'a [InverseMass],
    /// Which bodies have joints.
    pub(super) linked: &'a [bool],
    /// What a unit of an impulse changes of the velocities of all bodies.
    pub(super) changes: &'a mut Vec<[f64; 3]>,
}

impl Links<'_> {
    /// Whether one of two bodies has joints.
    pub(super) fn hold(&self, ends: [usize; 2]) -> bool {
        ends.iter().any(|&k| self.linked.get(k) == Some(&true))
    }

    /// A blow at one point of a pair, along the normal and then by friction along the tangent, with what joints make of each; returns
    /// whether there is one.
    pub(super) fn strike<const N: usize>(
        &mut self,
        (pair, rest): (&mut Pair<N>, &mut Rest<N>),
        meeting: &Meeting<N>,
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        firsts: &mut [f64],
    ) -> bool {
        let Some(i) = (0..N).find(|&i| meeting.times[i] == Some(meeting.first)) else { return false };
        let unit = std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
        let met = meeting.rates[i] + meeting.first * meeting.pushes[i];
        let ends = pair.places();
        if !self.respond(pair, [unit, [0.0; N]], motions.len()) {
            return false;
        }
        let yields = pair.rates(&ends.map(|k| self.changes[k]))[i];
        if !(yields > LEAST * pair.inverse_mass[i]) {
            return false;
        }
        let p = -(1.0 + rest.restitution) * met / yields;
        self.push(p, (&mut *motions, &mut *kept), meeting.first, firsts);
        let mut f = 0.0;
        if pair.mu[i] > 0.0 && self.respond(pair, [[0.0; N], unit], motions.len()) {
            let yields = pair.slips(&ends.map(|k| self.changes[k]))[i];
            let slip = pair.slips(&ends.map(|k| motions[k].v))[i] - pair.surface;
            if yields * pair.slide_mass[i] > LEAST {
                f = larger(smaller(-slip / yields, pair.mu[i] * p), -pair.mu[i] * p);
                self.push(f, (&mut *motions, kept), meeting.first, firsts);
            }
        }
        let after: Ends = ends.map(|k| motions[k].v);
        pair.total[0][i] += p;
        pair.total[1][i] += f;
        pair.most[i] = larger(p, pair.most[i]);
        rest.rates[i] = meeting.rates[i];
        rest.after[i] = Some(pair.rates(&after)[i]);
        true
    }

    /// Finds what impulses of a pair, along normals and tangents, change with the joints.
    fn respond<const N: usize>(&mut self, pair: &Pair<N>, [p, f]: [[f64; N]; 2], bodies: usize) -> bool {
        self.changes.clear();
        self.changes.resize(bodies, [0.0; 3]);
        let mut given = [[0.0; 3]; 2];
        pair.apply(&mut given, p, f);
        for (k, given) in pair.places().into_iter().zip(given) {
            self.changes[k] = given;
        }
        self.joints.keep_rates(self.direct, self.masses, self.changes)
    }

    /// Pushes the bodies by so many units.
    fn push(
        &mut self,
        units: f64,
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        time: f64,
        firsts: &mut [f64],
    ) {
        self.joints.book_blow(units);
        for (k, change) in self.changes.iter().enumerate().filter(|(_, change)| **change != [0.0; 3]) {
            strike((motions, &mut *kept), k, change.map(|change| units * change), time);
            firsts[k] = STRUCK;
        }
    }
}
