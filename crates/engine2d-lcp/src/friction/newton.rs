//! Semismooth Newton on the coupled conditions of normal and friction rows.

use super::start::Goal;
use super::{Friction, accelerations};
use crate::tolerance::{
    ISLAND_ROWS, LAST_PROXIMAL, NEWTON_CHANGES, NEWTON_STEPS, PATIENCE, PROXIMAL, REFINEMENT_PAYS,
    REFINEMENTS, WELL_WITHIN,
};
use crate::{Lcp, Row, Set, SparseRows, Stats};

impl Friction {
    /// Improves `trial` by up to `steps` steps, starting from the sets known for it; returns the best certificate seen, with
    /// `trial` at that point. Gives up where too many rows change their sets for the sets to be nearly right.
    pub(super) fn newton(
        &mut self,
        problem: &Lcp<'_>,
        order: &[usize],
        goal: Goal,
        steps: usize,
        stats: &mut Stats,
    ) -> f64 {
        let mut best = f64::INFINITY;
        self.start.clone_from(&self.sets);
        self.kept.clone_from(&self.trial);
        let (mut idle, mut before) = (0, f64::INFINITY);
        for _ in 0..steps {
            if idle == PATIENCE || !self.solve_sets(problem, order) {
                break;
            }
            stats.factorizations += 1;
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            let reached = self.measure(problem, goal);
            idle += 1;
            // Within the aim, only steps that gain a digit are worth their factorization.
            let slow = best <= goal.aim && reached > 0.1 * best;
            if reached < best {
                (best, idle) = (reached, 0);
                self.kept.copy_from_slice(&self.trial);
            }
            if best <= WELL_WITHIN * goal.aim || slow {
                break;
            }
            let changes = self.update_sets(problem);
            // Settled sets are solved again as long as that pays: rows that are nearly redundant come slowly to rest.
            let pays = best > goal.aim && reached < REFINEMENT_PAYS * before;
            if changes == 0 && !pays || changes as f64 > NEWTON_CHANGES * problem.len() as f64 {
                break;
            }
            before = reached;
        }
        self.trial.copy_from_slice(&self.kept);
        self.sets.copy_from_slice(&self.start);
        best
    }

    /// Newton near the best point with ever weaker ties to it: what is left of rows that are nearly redundant is settled by these
    /// alone.
    pub(super) fn sharpen(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64, stats: &mut Stats) {
        for proximal in LAST_PROXIMAL {
            if *best <= goal.aim {
                break;
            }
            self.trial.copy_from_slice(&self.best);
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            self.update_sets(problem);
            self.proximal = proximal;
            let reached = self.newton(problem, &[], goal, NEWTON_STEPS, stats);
            self.keep(reached, best);
        }
        self.proximal = PROXIMAL;
    }

    /// The forces for fixed sets: clamped rows at rest, slipping rows at `±μ f_n`. `order` keeps neighbours
    /// close, so that the factors stay narrow; it may be empty.
    fn solve_sets(&mut self, problem: &Lcp<'_>, order: &[usize]) -> bool {
        let kinds = problem.kinds();
        self.active.clear();
        self.place.clear();
        self.place.resize(problem.len(), usize::MAX);
        for k in 0..problem.len() {
            let i = order.get(k).copied().unwrap_or(k);
            if self.sets[i] == Set::Clamped || kinds[i] == Row::Bilateral {
                self.place[i] = self.active.len();
                self.active.push(i);
            }
        }
        let sparse = problem.len() >= ISLAND_ROWS && self.factor_sparse(kinds);
        if !sparse && !self.factor_dense(kinds) {
            return false;
        }
        for (i, kind) in kinds.iter().enumerate() {
            if self.place[i] == usize::MAX {
                self.trial[i] = match *kind {
                    Row::Boxed { lo, hi } => {
                        if self.sets[i] == Set::Upper {
                            hi
                        } else {
                            lo.max(f64::MIN).min(hi)
                        }
                    }
                    _ => 0.0,
                };
            }
        }
        self.slide(problem);
        for _ in 0..REFINEMENTS {
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            self.correct(sparse);
            self.slide(problem);
        }
        self.trial.iter().all(|f| f.is_finite())
    }

    /// Moves the forces of the active rows to where their accelerations vanish.
    fn correct(&mut self, sparse: bool) {
        self.rhs.fill(0.0);
        if sparse {
            for &i in &self.active {
                self.rhs[i] = -self.a[i];
            }
            self.sparse_lu.solve(&mut self.rhs);
            for &i in &self.active {
                self.trial[i] += self.rhs[i];
            }
        } else {
            let rhs = &mut self.rhs[..self.active.len()];
            for (x, &i) in rhs.iter_mut().zip(&self.active) {
                *x = -self.a[i];
            }
            self.lu.solve(rhs);
            for (x, &i) in rhs.iter().zip(&self.active) {
                self.trial[i] += x;
            }
        }
    }

    /// Factors the system of the active rows in the fixed order of the whole pattern; all other rows are those of the unit
    /// matrix.
    fn factor_sparse(&mut self, kinds: &[Row]) -> bool {
        self.analyse(kinds);
        let Self { sparse_lu, rows, sets, place, proximal, .. } = self;
        let n = rows.rows();
        sparse_lu.factor(|i, entries| {
            if place[i] < n {
                row_of_system((rows, kinds, sets, place), *proximal, i, |j, value| entries.add(j, value));
            } else {
                entries.add(i, 1.0);
            }
        })
    }

    /// Factors the system of the active rows with interchanges.
    fn factor_dense(&mut self, kinds: &[Row]) -> bool {
        let m = self.active.len();
        let matrix = self.lu.load(m);
        for (&i, target) in self.active.iter().zip(matrix.chunks_exact_mut(m.max(1))) {
            let system = (&self.rows, kinds, &self.sets[..], &self.place[..]);
            row_of_system(system, self.proximal, i, |j, value| {
                target[self.place[j]] += value;
            });
        }
        self.lu.factor().is_some()
    }

    /// Finds the order of elimination for the pattern of the matrix, unless it is that of the last problem: a contact's
    /// friction rows go with its normal row, with whose force they slip.
    fn analyse(&mut self, kinds: &[Row]) {
        let same_groups = self.analysed_kinds.len() == kinds.len()
            && self.analysed_kinds.iter().zip(kinds).all(|(a, b)| a.normal() == b.normal());
        if same_groups && self.analysed.start == self.rows.start && self.analysed.column == self.rows.column {
            return;
        }
        self.analysed_kinds.clear();
        self.analysed_kinds.extend_from_slice(kinds);
        self.analysed.start.clone_from(&self.rows.start);
        self.analysed.column.clone_from(&self.rows.column);
        let Self { sparse_lu, rows, group, .. } = self;
        group.clear();
        let mut groups = 0;
        for kind in kinds {
            group.push(if kind.normal().is_none() { groups } else { usize::MAX });
            groups += usize::from(kind.normal().is_none());
        }
        for (i, kind) in kinds.iter().enumerate() {
            if let Some(normal) = kind.normal() {
                group[i] = group[normal];
            }
        }
        sparse_lu.analyse(group, |link| {
            for i in 0..kinds.len() {
                for &j in rows.row(i).0 {
                    link(group[i], group[j]);
                }
            }
        });
    }

    /// Sets slipping rows to their limits.
    fn slide(&mut self, problem: &Lcp<'_>) {
        for (i, kind) in problem.kinds().iter().enumerate() {
            if let Some((normal, share)) = slip(*kind, self.sets[i]) {
                self.trial[i] = share * self.trial[normal].max(0.0);
            }
        }
    }

    /// The sets that forces `trial` and accelerations ask for; returns how many rows change.
    pub(super) fn update_sets(&mut self, problem: &Lcp<'_>) -> usize {
        let mut changes = 0;
        for (i, kind) in problem.kinds().iter().enumerate() {
            let normal = kind.normal().map_or(0.0, |normal| self.trial[normal]);
            let (lo, hi) = kind.bounds(normal);
            let wish = self.trial[i] - self.a[i] / self.diagonal[i].max(f64::MIN_POSITIVE);
            // What slides has one limit, whatever its acceleration.
            let set = if wish <= lo || matches!(kind, Row::Sliding { .. }) {
                Set::Lower
            } else if wish >= hi {
                Set::Upper
            } else {
                Set::Clamped
            };
            changes += usize::from(set != self.sets[i]);
            self.sets[i] = set;
        }
        changes
    }
}

/// Entries of row `i` of the system of the active rows, those with a `place`: `A`, the proximal term, and what slips along
/// with the normal forces.
#[inline]
fn row_of_system(
    (rows, kinds, sets, place): (&SparseRows, &[Row], &[Set], &[usize]),
    proximal: f64,
    i: usize,
    mut add: impl FnMut(usize, f64),
) {
    let (columns, values) = rows.row(i);
    for (&j, v) in columns.iter().zip(values) {
        if place[j] != usize::MAX {
            add(j, if j == i { (1.0 + proximal) * v } else { *v });
        } else if let Some((normal, share)) = slip(kinds[j], sets[j])
            && place[normal] != usize::MAX
        {
            add(normal, share * v);
        }
    }
}

/// The normal row of a slipping row, and its force as a multiple of that one's; `None` if it sticks.
fn slip(kind: Row, set: Set) -> Option<(usize, f64)> {
    let (normal, lo, hi) = kind.shares()?;
    match set {
        Set::Lower => Some((normal, lo)),
        Set::Upper => Some((normal, hi)),
        _ => None,
    }
}
