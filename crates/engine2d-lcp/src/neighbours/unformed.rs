//! Which rows of a Jacobian meet, without the matrix: only the entries that are not zero are worked out, to the bits that the
//! matrix formed has.

use crate::problem::SparseRows;
use crate::tolerance::FULL_SHARE;
use engine2d_math::order::Order;

/// The end of a list.
const END: u32 = u32::MAX;

/// Scratch of the entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// Entries of the rows so far, linked by column: row, value, the one before; and the last one of each column.
    listed: Vec<(u32, f64, u32)>,
    last: Vec<u32>,
    /// The sums of one row, and which of them are in use.
    sums: Vec<f64>,
    used: Vec<u32>,
    /// The entries up to the diagonal, row after row.
    lower: Vec<(u32, f64)>,
    ends: Vec<usize>,
    /// The pattern.
    pub(super) links: Vec<u32>,
    pub(super) start: Vec<usize>,
}

impl Entries {
    /// Pairs of entries in the same column, over all columns of what moves: no fewer than the entries of the lower half.
    pub(super) fn pairs(&mut self, jacobian: &SparseRows, inverse_mass: &[f64]) -> usize {
        let counts = &mut self.last;
        counts.clear();
        counts.resize(inverse_mass.len(), 0);
        jacobian.column.iter().for_each(|&c| counts[c] += 1);
        let moves = counts.iter().zip(inverse_mass).filter(|(_, w)| **w != 0.0);
        moves.map(|(&count, _)| count as usize * (count as usize + 1) / 2).sum()
    }

    /// The lower half of `J diag(inverse_mass) Jᵀ + diag(compliance)`: each row's entries with those of the rows before in the same
    /// columns, summed in the order in which the matrix is formed.
    pub(super) fn work_out(&mut self, jacobian: &SparseRows, inverse_mass: &[f64], compliance: &[f64]) {
        let Self { listed, last, sums, used, lower, ends, .. } = self;
        let n = jacobian.rows();
        last.clear();
        last.resize(inverse_mass.len(), END);
        listed.clear();
        sums.clear();
        sums.resize(n, 0.0);
        lower.clear();
        ends.clear();
        for i in 0..n {
            let (columns, values) = jacobian.row(i);
            for (&c, &v) in columns.iter().zip(values) {
                listed.push((i as u32, v, last[c]));
                last[c] = listed.len() as u32 - 1;
            }
            used.clear();
            for (&c, v) in columns.iter().zip(values) {
                let scaled = v * inverse_mass[c];
                if scaled == 0.0 {
                    continue;
                }
                let mut next = last[c];
                while let Some(&(j, w, before)) = listed.get(next as usize) {
                    let sum = &mut sums[j as usize];
                    if *sum == 0.0 {
                        used.push(j);
                    }
                    *sum += scaled * w;
                    next = before;
                }
            }
            if let Some(c) = compliance.get(i) {
                used.push(i as u32);
                sums[i] += c;
            }
            used.order();
            for &j in used.iter() {
                // Twice in the list what was zero in between: then it is taken already.
                let value = std::mem::take(&mut sums[j as usize]);
                if value != 0.0 {
                    lower.push((j, value));
                }
            }
            ends.push(lower.len());
        }
    }

    /// Both halves, with the values in `values`; `false` if there are many.
    pub(super) fn mirror(&mut self, n: usize, values: &mut Vec<f64>) -> bool {
        let Self { lower, ends, links, start, .. } = self;
        let rows = |i: usize| if i == 0 { 0 } else { ends[i - 1] }..ends[i];
        start.clear();
        start.resize(n + 1, 0);
        for i in 0..n {
            for &(j, _) in &lower[rows(i)] {
                start[i + 1] += 1;
                if j as usize != i {
                    start[j as usize + 1] += 1;
                }
            }
        }
        (0..n).for_each(|i| start[i + 1] += start[i]);
        if start[n] as u64 > (FULL_SHARE * (n * n) as f64) as u64 {
            return false;
        }
        links.clear();
        links.resize(start[n], 0);
        values.clear();
        values.resize(start[n], 0.0);
        // In the order of the rows each one's entries come in the order of their columns.
        for i in 0..n {
            for &(j, value) in &lower[rows(i)] {
                let mut put = |row: usize, column: u32| {
                    (links[start[row]], values[start[row]]) = (column, value);
                    start[row] += 1;
                };
                put(i, j);
                if j as usize != i {
                    put(j as usize, i as u32);
                }
            }
        }
        // Each start has become the next one's.
        start.rotate_right(1);
        start[0] = 0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lcp;
    use crate::dense::Dense;
    use crate::neighbours::Neighbours;

    /// A chain of bodies, each in contact with the next and some with the one after that, some with compliance.
    fn problem(rows: usize, soft: bool) -> Lcp<'static> {
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        let x = |k: usize| ((k * 7919) % 1000) as f64 / 500.0 - 1.0;
        for i in 0..rows {
            let bodies = [i / 2, i / 2 + 1 + i % 3 / 2];
            for (side, body) in bodies.into_iter().enumerate() {
                for axis in 0..3 {
                    let value = if (i + axis) % 7 == 0 { 0.0 } else { x(6 * i + 3 * side + axis) };
                    jacobian.column.push(3 * body + axis);
                    jacobian.value.push(value);
                }
            }
            jacobian.start.push(jacobian.value.len());
        }
        let columns = 3 * (rows / 2 + 3);
        let masses = (0..columns).map(|c| if c / 3 % 11 == 5 { 0.0 } else { 0.5 + x(c).abs() }).collect();
        let compliance = if soft { (0..rows).map(|i| (i % 4) as f64 * 1e-3).collect() } else { Vec::new() };
        Lcp::soft_jacobian(jacobian, masses, compliance, vec![1.0; rows]).expect("a problem")
    }

    #[test]
    fn what_meets_without_the_matrix_is_what_meets_in_it_to_the_bit() {
        let mut unformed = Neighbours::default();
        for (rows, soft) in [(40, false), (40, true), (90, true), (90, true), (64, false)] {
            let problem = problem(rows, soft);
            assert!(unformed.find_unformed(problem.matrix()), "{rows}");
            let mut a = Vec::new();
            problem.matrix().to_dense(&mut a);
            let mut formed = Neighbours::default();
            formed.find(Dense { a: &a, b: problem.bias() });
            assert_eq!(unformed.sequence, formed.sequence);
            assert_eq!((&unformed.places, unformed.narrow), (&formed.places, formed.narrow));
            for i in 0..rows {
                let bits = |(links, values): (&[u32], &[f64])| -> Vec<(u32, u64)> {
                    links.iter().copied().zip(values.iter().map(|v| v.to_bits())).collect()
                };
                assert_eq!(bits(unformed.row(i)), bits(formed.row(i)), "{rows}: row {i}");
            }
        }
        assert!(unformed.find_unformed(problem(600, false).matrix()), "many rows");
        let small = problem(20, false);
        assert!(!unformed.find_unformed(small.matrix()), "few rows are quicker in a matrix");
    }

    #[test]
    fn many_rows_of_one_body_are_not_worked_out() {
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        for i in 0..600 {
            jacobian.column.extend([0, i + 1]);
            jacobian.value.extend([1.0, -1.0]);
            jacobian.start.push(jacobian.value.len());
        }
        let looks = |unformed: &mut Neighbours, inverse_mass: f64| {
            let masses = std::iter::once(inverse_mass).chain([1.0; 600]).collect();
            let problem = Lcp::jacobian(jacobian.clone(), masses, vec![1.0; 600]).expect("a problem");
            unformed.find_unformed(problem.matrix())
        };
        let mut unformed = Neighbours::default();
        assert!(!looks(&mut unformed, 1.0) && unformed.entries.lower.is_empty());
        assert!(looks(&mut unformed, 0.0), "what does not move links nothing");
        assert_eq!(unformed.entries.lower.len(), 600);
    }
}
