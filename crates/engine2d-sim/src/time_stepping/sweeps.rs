//! Which rows probably press: a few sweeps of projected Gauss–Seidel.
//!
//! Where nothing is known of an answer, or what is known is of other demands, the solver exchanges most rows before it has the sets right, or
//! gives up and drives one row after the other. The sweeps are far from the impulses, but have most of the signs.

use engine2d_lcp::{Lcp, Matrix, Row, Set};

/// Least rows for which it pays: fewer are exchanged as quickly.
const MANY: usize = 32;

/// Sweeps, forward and backward by turns: more cost more than they spare.
const SWEEPS: usize = 8;

/// Overrelaxation.
const BEYOND: f64 = 1.3;

/// Scratch of the sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    rates: Vec<f64>,
    resists: Vec<f64>,
}

impl Sweeps {
    /// Guesses the sets and impulses of a problem of joints and contacts without friction; of others, and of few rows, what is known
    /// stays.
    pub(super) fn guess(&mut self, problem: &Lcp<'_>, sets: &mut [Set], impulses: &mut [f64]) {
        let Matrix::Jacobian { jacobian, inverse_mass, compliance } = problem.matrix() else { return };
        let known = |kind: &Row| matches!(kind, Row::Unilateral | Row::Bilateral);
        if problem.len() < MANY || !problem.kinds().iter().all(known) {
            return;
        }
        let Self { rates, resists } = self;
        let entries = |row: usize| {
            let range = jacobian.start[row]..jacobian.start[row + 1];
            jacobian.column[range.clone()].iter().copied().zip(jacobian.value[range].iter().copied())
        };
        let yields = |row: usize| compliance.get(row).copied().unwrap_or(0.0);
        rates.clear();
        rates.resize(inverse_mass.len(), 0.0);
        resists.clear();
        let resists_of =
            |row: usize| entries(row).map(|(at, j)| j * j * inverse_mass[at]).sum::<f64>() + yields(row);
        resists.extend((0..problem.len()).map(resists_of));
        impulses.fill(0.0);
        for sweep in 0..SWEEPS {
            for step in 0..problem.len() {
                let row = if sweep % 2 == 0 { step } else { problem.len() - 1 - step };
                if !(resists[row] > 0.0) {
                    continue;
                }
                let before = impulses[row];
                let rate = entries(row).map(|(at, j)| j * rates[at]).sum::<f64>();
                let rate = rate + problem.bias()[row] + yields(row) * before;
                let free = before - BEYOND * rate / resists[row];
                let after = if problem.kinds()[row] == Row::Unilateral { free.max(0.0) } else { free };
                if after != before {
                    impulses[row] = after;
                    entries(row).for_each(|(at, j)| rates[at] += (after - before) * j * inverse_mass[at]);
                }
            }
        }
        for ((set, impulse), kind) in sets.iter_mut().zip(&*impulses).zip(problem.kinds()) {
            let presses = *kind == Row::Bilateral || *impulse > 0.0;
            *set = if presses { Set::Clamped } else { Set::Lower };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_lcp::SparseRows;

    /// A row of unit masses on the floor, each on the one below, the topmost struck: all press; where the topmost is pulled, none.
    #[test]
    fn most_signs_are_right_after_a_few_sweeps() {
        let count = 40;
        for (rate, pressing) in [(-1.0, count), (1.0, 0)] {
            let mut jacobian = SparseRows { start: vec![0], column: Vec::new(), value: Vec::new() };
            for k in 0..count {
                if k > 0 {
                    jacobian.column.push(k - 1);
                    jacobian.value.push(-1.0);
                }
                jacobian.column.push(k);
                jacobian.value.push(1.0);
                jacobian.start.push(jacobian.column.len());
            }
            let bias: Vec<f64> = (0..count).map(|k| if k + 1 == count { rate } else { 0.0 }).collect();
            let problem = Lcp::jacobian(jacobian, vec![1.0; count], bias).expect("a problem");
            let (mut sets, mut impulses) = (vec![Set::Untreated; count], vec![9.0; count]);
            Sweeps::default().guess(&problem, &mut sets, &mut impulses);
            let found = sets.iter().filter(|set| **set == Set::Clamped).count();
            assert_eq!(found, pressing, "{impulses:?}");
            assert!(impulses.iter().all(|p| p.is_finite() && (*p > 0.0) == (pressing > 0)), "{impulses:?}");
        }
    }

    #[test]
    fn friction_and_few_rows_keep_what_is_known() {
        let jacobian =
            SparseRows { start: (0..=40).collect(), column: (0..40).collect(), value: vec![1.0; 40] };
        let problem = Lcp::jacobian(jacobian, vec![1.0; 40], vec![-1.0; 40]).expect("a problem");
        let mut kinds = vec![Row::Unilateral; 40];
        kinds[1] = Row::Friction { normal: 0, mu: 0.5 };
        let rough = problem.rows(kinds).expect("rows");
        let (mut sets, mut impulses) = (vec![Set::Lower; 40], vec![2.0; 40]);
        Sweeps::default().guess(&rough, &mut sets, &mut impulses);
        assert!(sets.iter().all(|set| *set == Set::Lower) && impulses.iter().all(|p| *p == 2.0));
    }
}
