//! The product of a sparse matrix and its transpose.

use crate::problem::SparseRows;
use engine2d_math::order::Order;

/// `Ĵ Ĵᵀ` by rows, with scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gram {
    pub(crate) product: SparseRows,
    start: Vec<usize>,
    next: Vec<usize>,
    entries: Vec<(usize, f64)>,
    sums: Vec<f64>,
    seen: Vec<usize>,
}

impl Gram {
    /// Works out `product`.
    pub(crate) fn form(&mut self, rows: &SparseRows, columns: usize) {
        let n = rows.rows();
        let Self { product: out, start, next, entries, sums, seen } = self;
        start.clear();
        start.resize(columns + 1, 0);
        rows.column.iter().for_each(|&c| start[c + 1] += 1);
        for c in 0..columns {
            start[c + 1] += start[c];
        }
        next.clone_from(start);
        entries.clear();
        entries.resize(rows.column.len(), (0, 0.0));
        for i in 0..n {
            let (row, values) = rows.row(i);
            for (&c, &v) in row.iter().zip(values) {
                entries[next[c]] = (i, v);
                next[c] += 1;
            }
        }
        for v in [&mut out.start, &mut out.column] {
            v.clear();
        }
        out.value.clear();
        out.start.push(0);
        sums.clear();
        sums.resize(n, 0.0);
        seen.clear();
        seen.resize(n, usize::MAX);
        for i in 0..n {
            let from = out.column.len();
            let (row, values) = rows.row(i);
            for (&c, v) in row.iter().zip(values) {
                for &(j, w) in &entries[start[c]..start[c + 1]] {
                    if seen[j] != i {
                        seen[j] = i;
                        sums[j] = 0.0;
                        out.column.push(j);
                    }
                    sums[j] += v * w;
                }
            }
            if seen[i] != i {
                sums[i] = 0.0;
                out.column.push(i);
            }
            out.column[from..].order();
            out.value.extend(out.column[from..].iter().map(|&j| sums[j]));
            out.start.push(out.column.len());
        }
    }
}
