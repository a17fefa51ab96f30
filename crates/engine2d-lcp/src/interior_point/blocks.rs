//! The body form by bodies: rows as three-vectors on the bodies they touch, the matrix as 3 × 3 blocks.
//!
//! `I + Ĵᵀ W Ĵ` with `W = D⁻¹` couples two bodies if a row touches both. Ordering bodies instead of coordinates is
//! a ninth of the work, and a block of nine is one index; rows of other problems, whose columns do not come in
//! threes, are left to the scalar form.

use super::system::ABSENT;
use crate::problem::SparseRows;
use crate::tolerance::{BLOCK_SHARE, BLOCK_UPDATES, NEGLIGIBLE};
use engine2d_math::block_cholesky::{BlockCholesky, Place, SIDE};
use engine2d_math::order::Order;

/// The part of a row that acts on one body.
#[derive(Clone, Copy, Debug)]
struct Term {
    body: u32,
    value: [f64; SIDE],
}

/// The rows by bodies, and the factorization of the body form.
#[derive(Debug)]
pub(super) struct Blocks {
    /// First term of each row.
    start: Vec<u32>,
    terms: Vec<Term>,
    /// Where the products of each two terms of a row are added, row by row: of each with itself, then with those after it.
    places: Vec<Place>,
    diagonal: Vec<u32>,
    cholesky: BlockCholesky,
    /// `1/d` of each row; 0 for absent ones.
    share: Vec<f64>,
    motion: Vec<[f64; SIDE]>,
}

impl Blocks {
    /// Analyses the rows of a Jacobian with `columns` columns; `None` if these do not come in threes, or if the
    /// factor is so full that other forms are better.
    pub(super) fn new(rows: &SparseRows, columns: usize) -> Option<Self> {
        let bodies = columns / SIDE;
        if columns == 0 || !columns.is_multiple_of(SIDE) {
            return None;
        }
        let (mut start, mut terms) = (Vec::new(), Vec::new());
        load(rows, &mut start, &mut terms);
        if (rows.value.len() as f64) < BLOCK_SHARE * (SIDE * terms.len()) as f64 {
            return None;
        }
        let pattern = Pattern::new(&start, &terms, bodies);
        let cholesky = BlockCholesky::analyse(&pattern.start, &pattern.neighbours).ok()?;
        if cholesky.updates() > BLOCK_UPDATES * bodies {
            return None;
        }
        let mut places = Vec::with_capacity(2 * terms.len());
        for row in ranges(&start) {
            let row = &terms[row];
            for (k, x) in row.iter().enumerate() {
                places.push(Place { index: cholesky.diagonal(x.body as usize), transposed: false });
                for y in &row[k + 1..] {
                    places.push(cholesky.find(x.body as usize, y.body as usize)?);
                }
            }
        }
        Some(Self {
            share: vec![0.0; start.len() - 1],
            start,
            terms,
            places,
            diagonal: (0..bodies).map(|i| cholesky.diagonal(i)).collect(),
            cholesky,
            motion: vec![[0.0; SIDE]; bodies],
        })
    }

    /// Takes over new values of the same pattern.
    pub(super) fn reload(&mut self, rows: &SparseRows) {
        load(rows, &mut self.start, &mut self.terms);
    }

    /// `y = Ĵ Ĵᵀ x`.
    pub(super) fn product(&mut self, x: &[f64], y: &mut [f64]) {
        self.push(x);
        self.pull(|i, v| y[i] = v);
    }

    /// Factors for `D = diag(d)`; `false` if that fails in floating point.
    pub(super) fn factor(&mut self, d: &[f64]) -> bool {
        for (share, &d) in self.share.iter_mut().zip(d) {
            *share = if d < ABSENT { 1.0 / d } else { 0.0 };
        }
        let values = self.cholesky.values();
        for &at in &self.diagonal {
            (0..SIDE).for_each(|k| values[at as usize][k][k] = 1.0);
        }
        let mut places = self.places.iter();
        for (row, &weight) in ranges(&self.start).zip(&self.share) {
            let row = &self.terms[row];
            if weight < NEGLIGIBLE {
                let pairs = row.len() * (row.len() + 1) / 2;
                places.by_ref().take(pairs).for_each(drop);
                continue;
            }
            for (k, x) in row.iter().enumerate() {
                for (y, place) in row[k..].iter().zip(places.by_ref()) {
                    let (left, right) = if place.transposed { (y, x) } else { (x, y) };
                    let block = &mut values[place.index as usize];
                    for (column, right) in block.iter_mut().zip(right.value) {
                        let factor = weight * right;
                        for (entry, left) in column.iter_mut().zip(left.value) {
                            *entry += factor * left;
                        }
                    }
                }
            }
        }
        self.cholesky.factor().is_ok()
    }

    /// `x ← (Ĵ Ĵᵀ + D)⁻¹ x` with the last factorization; 0 for absent rows.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        x.iter_mut().zip(&self.share).for_each(|(x, share)| *x *= share);
        self.push(x);
        self.cholesky.solve(self.motion.as_flattened_mut());
        let share = &self.share;
        let Self { start, terms, motion, .. } = self;
        pull(start, terms, motion, |i, v| x[i] -= v * share[i]);
    }

    /// `motion = Ĵᵀ x`.
    fn push(&mut self, x: &[f64]) {
        self.motion.fill([0.0; SIDE]);
        for (row, &x) in ranges(&self.start).zip(x).filter(|(_, x)| **x != 0.0) {
            for term in &self.terms[row] {
                let motion = &mut self.motion[term.body as usize];
                (0..SIDE).for_each(|k| motion[k] += term.value[k] * x);
            }
        }
    }

    /// The entries of `Ĵ motion`.
    fn pull(&self, each: impl FnMut(usize, f64)) {
        pull(&self.start, &self.terms, &self.motion, each);
    }
}

fn pull(start: &[u32], terms: &[Term], motion: &[[f64; SIDE]], mut each: impl FnMut(usize, f64)) {
    for (i, row) in ranges(start).enumerate() {
        let mut sum = 0.0;
        for term in &terms[row] {
            let motion = &motion[term.body as usize];
            sum += term.value[0] * motion[0] + term.value[1] * motion[1] + term.value[2] * motion[2];
        }
        each(i, sum);
    }
}

/// The terms of each row.
fn ranges(start: &[u32]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    start.windows(2).map(|w| w[0] as usize..w[1] as usize)
}

/// Rows by bodies.
fn load(rows: &SparseRows, start: &mut Vec<u32>, terms: &mut Vec<Term>) {
    start.clear();
    terms.clear();
    start.push(0);
    for i in 0..rows.rows() {
        let from = terms.len();
        let (columns, values) = rows.row(i);
        for (&c, &v) in columns.iter().zip(values) {
            let body = (c / SIDE) as u32;
            let at = match terms[from..].iter().position(|t: &Term| t.body == body) {
                Some(k) => from + k,
                None => {
                    terms.push(Term { body, value: [0.0; SIDE] });
                    terms.len() - 1
                }
            };
            terms[at].value[c % SIDE] += v;
        }
        start.push(terms.len() as u32);
    }
}

/// Which bodies rows couple: for each body its neighbours with larger index, increasing.
struct Pattern {
    start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Pattern {
    fn new(start: &[u32], terms: &[Term], bodies: usize) -> Self {
        let mut pairs: Vec<u64> = Vec::with_capacity(terms.len());
        for row in ranges(start) {
            let row = &terms[row];
            for (k, x) in row.iter().enumerate() {
                for y in &row[k + 1..] {
                    let (low, high) = (x.body.min(y.body), x.body.max(y.body));
                    pairs.push(u64::from(low) << 32 | u64::from(high));
                }
            }
        }
        pairs.order();
        pairs.dedup();
        let mut first = vec![0_u32; bodies + 1];
        pairs.iter().for_each(|pair| first[(pair >> 32) as usize + 1] += 1);
        for body in 0..bodies {
            first[body + 1] += first[body];
        }
        Self { start: first, neighbours: pairs.iter().map(|pair| *pair as u32).collect() }
    }
}
