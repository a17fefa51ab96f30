//! The rows of C inside the envelope of a cheap order, over the entries that are not zero.

use super::factorization::Factorization;
use crate::dense::Dense;
use crate::neighbours::Neighbours;
use crate::tolerance::{CLEAR_RANK, EXCHANGE_ZERO};
use engine2d_math::envelope::{Envelope, Rank};
use engine2d_math::kernel::dot;

/// The place of a row that is not in C.
const NOWHERE: u32 = u32::MAX;

/// What stays from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The place of each row in C.
    place: Vec<u32>,
    reach: Vec<usize>,
    envelope: Envelope,
}

impl Scratch {
    pub(super) fn with<'s>(&'s mut self, neighbours: &'s Neighbours) -> Enveloped<'s> {
        Enveloped { neighbours, scratch: self }
    }
}

/// The factorization of one problem.
pub(super) struct Enveloped<'s> {
    neighbours: &'s Neighbours,
    scratch: &'s mut Scratch,
}

impl Enveloped<'_> {
    /// The shape of the envelope: how far each row of C reaches.
    fn shape(&mut self, rows: usize, active: &[u32]) {
        let Self { neighbours, scratch: Scratch { place, reach, envelope } } = self;
        place.clear();
        place.resize(rows, NOWHERE);
        active.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        reach.clear();
        for (k, &i) in active.iter().enumerate() {
            reach.push(if neighbours.sequence.is_empty() {
                active.len()
            } else {
                let (links, _) = neighbours.row(i as usize);
                let places = links.iter().map(|&j| place[j as usize]).filter(|place| *place != NOWHERE);
                places.fold(k, |far, place| far.max(place as usize)) + 1
            });
        }
        envelope.shape(reach);
    }
}

impl Factorization for Enveloped<'_> {
    fn sequence(&self) -> &[usize] {
        &self.neighbours.sequence
    }

    fn eliminate(&mut self, p: Dense<'_>, active: &[u32], x: &mut [f64]) -> bool {
        self.shape(p.b.len(), active);
        let Self { neighbours, scratch: Scratch { place, envelope, .. } } = self;
        for (k, &i) in active.iter().enumerate() {
            let target = envelope.row_mut(k);
            if neighbours.sequence.is_empty() {
                let row = p.row(i as usize);
                for (t, &j) in target.iter_mut().zip(&active[k..]) {
                    *t = row[j as usize];
                }
            } else {
                let (links, values) = neighbours.row(i as usize);
                for (&j, a) in links.iter().zip(values) {
                    let place = place[j as usize];
                    if place != NOWHERE && place as usize >= k {
                        target[place as usize - k] = *a;
                    }
                }
            }
        }
        envelope.eliminate(x, CLEAR_RANK, EXCHANGE_ZERO) != Rank::Doubtful
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.scratch.envelope.solve(x);
    }

    fn is_dependent(&self, k: usize) -> bool {
        self.scratch.envelope.is_dependent(k)
    }

    fn accelerations(&mut self, p: Dense<'_>, f: &[f64], a: &mut [f64]) {
        let Self { neighbours, .. } = self;
        for (i, (a, b)) in a.iter_mut().zip(p.b).enumerate() {
            *a = if neighbours.sequence.is_empty() { dot(p.row(i), f) } else { neighbours.product(i, f) } + b;
        }
    }
}
