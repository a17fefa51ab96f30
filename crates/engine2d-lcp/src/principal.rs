//! Exchange of rows in blocks where the matrix is not symmetric.
//!
//! **Problem.** `a = A f + b` with bilateral, unilateral and boxed rows, any square `A`. **Method.** With the sets fixed the forces
//! of the clamped rows are those of a linear system, which need not be symmetric. Rows that are wrong change their sets all
//! together, which is Newton's method on the complementarity conditions [Pang 1990], until a choice of sets comes back; from then
//! on the last wrong row alone, which comes to an end where all principal minors are positive [Murty 1974]. **Promise.** One
//! answer for such matrices, within the limit on rounds; for obstacle problems (positive diagonal, nothing positive beside
//! it, weakly dominant) the blocks alone get there. **Failure.** No answer within the rounds, or a singular system: another
//! method has to tell. The caller checks the certificate.

use crate::deadline::Deadline;
use crate::tolerance::ACCEPTABLE;
use crate::{Lcp, Matrix, Row, Set, Solution};
use engine2d_math::lu::Lu;
use engine2d_math::sparse_lu::SparseLu;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows up to which the clamped ones of a sparse matrix are gathered in a dense one, whose rows are interchanged as needed.
const GATHERED: usize = 300;

/// Clamped rows up to which that is done where the factorization without interchanges fails: 128 MB.
const GATHERED_LATER: usize = 4000;

/// Rows up to which the sparse factorization is analysed: its graph takes a bit for each pair of rows, 200 MB.
pub(crate) const ANALYSED: usize = 40_000;

/// Rounds of exchange in blocks.
const BLOCKS: usize = 300;

/// Rounds of single exchanges for each row, and beyond.
const SINGLES: (usize, usize) = (2, 50);

/// Steps of iterative refinement at most.
const REFINED: usize = 3;

/// Scratch of the exchange.
#[derive(Clone, Debug, Default)]
pub(crate) struct Principal {
    lu: Lu,
    sparse: SparseLu,
    /// The rows whose pattern the sparse factorization knows.
    analysed: Option<(Vec<usize>, Vec<usize>)>,
    active: Vec<usize>,
    /// Place of each row among the active ones.
    place: Vec<usize>,
    x: Vec<f64>,
    seen: HashSet<u64>,
}

/// Which factorization was made last.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    Gathered,
    Whole,
}

const NONE: usize = usize::MAX;

impl Principal {
    /// Forces, accelerations and sets from the sets of an earlier answer, if given; whether no row is wrong.
    pub(crate) fn solve(
        &mut self,
        problem: &Lcp<'_>,
        warm: Option<&[Set]>,
        deadline: Deadline,
        solution: &mut Solution,
    ) -> bool {
        let n = problem.len();
        solution.clear(n);
        for (i, kind) in problem.kinds().iter().enumerate() {
            solution.sets[i] = start(*kind, warm.map(|sets| sets[i]), problem.bias()[i]);
        }
        let scale = problem.bias().iter().fold(1.0_f64, |m, b| m.max(b.abs()));
        let acceptable = ACCEPTABLE * scale;
        self.seen.clear();
        let mut single = false;
        for _ in 0..BLOCKS + SINGLES.0 * n + SINGLES.1 {
            if deadline.passed() {
                return false;
            }
            solution.stats.iterations += 1;
            if !self.solve_sets(problem, acceptable, solution) {
                return false;
            }
            let wish = |i: usize| {
                wish(problem.kinds()[i], solution.sets[i], solution.f[i], solution.a[i], acceptable)
            };
            let Some(last) = (0..n).rev().find(|&i| wish(i).is_some()) else { return true };
            single = single || solution.stats.iterations >= BLOCKS || !self.note(&solution.sets);
            let first = if single { last } else { 0 };
            for i in first..=last {
                let (f, a) = (solution.f[i], solution.a[i]);
                if let Some(set) = self::wish(problem.kinds()[i], solution.sets[i], f, a, acceptable) {
                    solution.sets[i] = set;
                    solution.stats.pivots += 1;
                }
            }
        }
        false
    }

    /// Notes a choice of sets; whether it is new.
    fn note(&mut self, sets: &[Set]) -> bool {
        let mut hasher = DefaultHasher::new();
        sets.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }

    /// The forces for the present sets; `false` if they are not determined.
    fn solve_sets(&mut self, problem: &Lcp<'_>, acceptable: f64, solution: &mut Solution) -> bool {
        self.active.clear();
        self.place.clear();
        self.place.resize(problem.len(), NONE);
        for (i, kind) in problem.kinds().iter().enumerate() {
            let (lo, hi) = kind.bounds(0.0);
            solution.f[i] = match solution.sets[i] {
                Set::Lower => lo,
                Set::Upper => hi,
                _ => {
                    self.place[i] = self.active.len();
                    self.active.push(i);
                    0.0
                }
            };
        }
        problem.accelerations(&solution.f, &mut solution.a);
        if self.active.is_empty() {
            return true;
        }
        solution.stats.factorizations += 1;
        let Some(made) = self.factor(problem) else { return false };
        for round in 0..=REFINED {
            let unrest = self.active.iter().fold(0.0_f64, |m, &i| m.max(solution.a[i].abs()));
            if round > 0 && unrest <= acceptable {
                break;
            }
            solution.stats.refinements += usize::from(round > 0);
            self.x.clear();
            if made == Made::Gathered {
                self.x.extend(self.active.iter().map(|&i| -solution.a[i]));
                self.lu.solve(&mut self.x);
                self.active.iter().zip(&self.x).for_each(|(&i, x)| solution.f[i] += x);
            } else {
                let clamped = |i: usize| self.place[i] != NONE;
                self.x.extend((0..problem.len()).map(|i| if clamped(i) { -solution.a[i] } else { 0.0 }));
                self.sparse.solve(&mut self.x);
                self.active.iter().for_each(|&i| solution.f[i] += self.x[i]);
            }
            problem.accelerations(&solution.f, &mut solution.a);
        }
        solution.f.iter().chain(&solution.a).all(|v| v.is_finite())
    }

    /// Factors the clamped rows.
    fn factor(&mut self, problem: &Lcp<'_>) -> Option<Made> {
        if let Matrix::Sparse(a) = problem.matrix()
            && self.active.len() > GATHERED
            && problem.len() <= ANALYSED
        {
            let known = self
                .analysed
                .as_ref()
                .is_some_and(|(start, column)| *start == a.start && *column == a.column);
            if !known {
                let groups: Vec<usize> = (0..problem.len()).collect();
                self.sparse.analyse(&groups, |link| {
                    for i in 0..problem.len() {
                        a.row(i).0.iter().for_each(|&j| link(i, j));
                    }
                });
                self.analysed = Some((a.start.clone(), a.column.clone()));
            }
            let place = &self.place;
            // A row that is not clamped stands for itself.
            let whole = self.sparse.factor(|i, entries| {
                if place[i] == NONE {
                    return entries.add(i, 1.0);
                }
                let (columns, values) = a.row(i);
                columns
                    .iter()
                    .zip(values)
                    .filter(|(j, _)| place[**j] != NONE)
                    .for_each(|(&j, &v)| entries.add(j, v));
            });
            if whole {
                return Some(Made::Whole);
            }
        }
        let m = self.active.len();
        if m > GATHERED_LATER && !matches!(problem.matrix(), Matrix::Dense(_)) {
            return None;
        }
        let (n, place) = (problem.len(), &self.place);
        let gathered = self.lu.load(m);
        for (row, &i) in gathered.chunks_exact_mut(m).zip(&self.active) {
            match problem.matrix() {
                Matrix::Dense(a) => row.iter_mut().zip(&self.active).for_each(|(v, &j)| *v = a[i * n + j]),
                Matrix::Sparse(a) => {
                    let (columns, values) = a.row(i);
                    let clamped = columns.iter().zip(values).filter(|(j, _)| place[**j] != NONE);
                    clamped.for_each(|(&j, v)| row[place[j]] += v);
                }
                Matrix::Jacobian { .. } => return None,
            }
        }
        self.lu.factor().map(|()| Made::Gathered)
    }
}

/// The set to begin with: that of an earlier answer, else clamped where the row would move the wrong way.
fn start(kind: Row, known: Option<Set>, b: f64) -> Set {
    let (lo, hi) = kind.bounds(0.0);
    let nearest = if lo.is_finite() { Set::Lower } else { Set::Upper };
    match known {
        _ if lo == f64::NEG_INFINITY && hi == f64::INFINITY => Set::Clamped,
        Some(Set::Clamped) => Set::Clamped,
        Some(Set::Lower) if lo.is_finite() => Set::Lower,
        Some(Set::Upper) if hi.is_finite() => Set::Upper,
        Some(_) => nearest,
        None if nearest == Set::Lower && b < 0.0 || nearest == Set::Upper && b > 0.0 => Set::Clamped,
        None => nearest,
    }
}

/// The set that a row asks for; `None` if it is right.
fn wish(kind: Row, set: Set, f: f64, a: f64, acceptable: f64) -> Option<Set> {
    let (lo, hi) = kind.bounds(0.0);
    match set {
        Set::Lower => (a < -acceptable && hi > lo).then_some(Set::Clamped),
        Set::Upper => (a > acceptable && hi > lo).then_some(Set::Clamped),
        _ => (f < lo).then_some(Set::Lower).or((f > hi).then_some(Set::Upper)),
    }
}
