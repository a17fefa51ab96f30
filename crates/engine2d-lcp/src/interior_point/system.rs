//! The sparse systems `(A + D) x = r` of the interior-point method, `D` diagonal and positive, in whichever of
//! two forms has the smaller factor.
//!
//! Force form: `A + D` itself, one unknown a row. Body form: with `A = Ĵ Ĵᵀ`,
//! `(A + D)⁻¹ = D⁻¹ − D⁻¹ Ĵ (I + Ĵᵀ D⁻¹ Ĵ)⁻¹ Ĵᵀ D⁻¹`, one unknown a coordinate of a body. The pattern of both is
//! that of the contacts, which in the plane has small separators: a factorization costs about `n^1.5`.

use crate::problem::{Matrix, SparseRows};
use crate::tolerance::SUSPICIOUS_FILL;
use crate::{Error, Lcp};
use engine2d_math::sparse_cholesky::SparseCholesky;

/// `D` from which a row counts as absent.
pub(super) const ABSENT: f64 = 1e30;

/// The scaled matrix and the factorization of its systems.
pub(super) struct System {
    n: usize,
    /// `Ĵ = S J M^(-1/2)`, or `S A S` itself if no Jacobian is known.
    rows: SparseRows,
    bodies: Option<usize>,
    form: Form,
    cholesky: SparseCholesky,
    values: Vec<f64>,
    diagonal: Vec<f64>,
    motion: Vec<f64>,
    work: Vec<f64>,
}

enum Form {
    /// Values of the lower triangle of `A`, and where its diagonal entries are.
    Force { base: Vec<f64>, places: Vec<usize> },
    /// For each row, where the products of its entries are added, and where the diagonal entries are.
    Body { start: Vec<usize>, place: Vec<u32>, product: Vec<f64>, places: Vec<usize> },
}

impl System {
    /// Scales the problem by `scale` on both sides and analyses the cheaper form.
    pub(super) fn new(problem: &Lcp<'_>, scale: &[f64]) -> Result<Self, Error> {
        let n = problem.len();
        let (rows, bodies) = scaled_rows(problem, scale);
        let (form, cholesky) = match bodies {
            Some(m) => {
                let body = body_form(&rows, m)?;
                // Rarely the pattern of the bodies fills in badly; only then is the other one looked at.
                if body.1.fill() > SUSPICIOUS_FILL * body.1.entries() {
                    let force = force_form(&gram(&rows, m))?;
                    if force.1.fill() < body.1.fill() { force } else { body }
                } else {
                    body
                }
            }
            None => force_form(&rows)?,
        };
        let size = match &form {
            Form::Force { base, .. } => base.len(),
            Form::Body { .. } => cholesky.entries(),
        };
        let unknowns = cholesky.len();
        Ok(Self {
            n,
            rows,
            bodies,
            form,
            values: vec![0.0; size],
            diagonal: vec![0.0; n],
            motion: vec![0.0; bodies.unwrap_or(0)],
            work: vec![0.0; unknowns.max(n)],
            cholesky,
        })
    }

    /// `y = A x` in scaled terms.
    pub(super) fn product(&mut self, x: &[f64], y: &mut [f64]) {
        if self.bodies.is_some() {
            self.motion.fill(0.0);
            self.rows.transposed_product_add(x, &mut self.motion);
            self.rows.product(&self.motion, y);
        } else {
            self.rows.product(x, y);
        }
    }

    /// Factors `A + diag(d)`; `false` if that fails in floating point.
    pub(super) fn factor(&mut self, d: &[f64]) -> bool {
        self.diagonal.copy_from_slice(d);
        match &self.form {
            Form::Force { base, places } => {
                self.values.copy_from_slice(base);
                for (&place, d) in places.iter().zip(d) {
                    self.values[place] += d;
                }
            }
            Form::Body { start, place, product, places } => {
                self.values.fill(0.0);
                places.iter().for_each(|&place| self.values[place] = 1.0);
                for i in (0..self.n).filter(|&i| d[i] < ABSENT) {
                    let weight = 1.0 / d[i];
                    let range = start[i]..start[i + 1];
                    for (&place, product) in place[range.clone()].iter().zip(&product[range]) {
                        self.values[place as usize] += weight * product;
                    }
                }
            }
        }
        self.cholesky.factor(&self.values).is_ok()
    }

    /// `x ← (A + D)⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match &self.form {
            Form::Force { .. } => self.cholesky.solve(x),
            Form::Body { .. } => {
                for (x, d) in x.iter_mut().zip(&self.diagonal) {
                    *x = if *d < ABSENT { *x / d } else { 0.0 };
                }
                let m = self.motion.len();
                self.motion.fill(0.0);
                self.rows.transposed_product_add(x, &mut self.motion);
                self.cholesky.solve(&mut self.motion);
                let work = &mut self.work[..self.n];
                debug_assert!(m == self.cholesky.len());
                self.rows.product(&self.motion, work);
                for ((x, w), d) in x.iter_mut().zip(work).zip(&self.diagonal) {
                    *x -= if *d < ABSENT { *w / d } else { 0.0 };
                }
            }
        }
    }
}

/// `S J M^(-1/2)` with the number of its columns, or `S A S` by rows.
fn scaled_rows(problem: &Lcp<'_>, scale: &[f64]) -> (SparseRows, Option<usize>) {
    let n = problem.len();
    match problem.matrix() {
        Matrix::Jacobian { jacobian, inverse_mass } => {
            let root: Vec<f64> = inverse_mass.iter().map(|m| m.sqrt()).collect();
            let mut rows = SparseRows { start: vec![0], ..SparseRows::default() };
            for (i, s) in scale.iter().enumerate() {
                let (columns, values) = jacobian.row(i);
                let from = rows.column.len();
                for (&c, v) in columns.iter().zip(values) {
                    let value = v * root[c] * s;
                    if value == 0.0 {
                        continue;
                    }
                    match rows.column[from..].iter().position(|&known| known == c) {
                        Some(k) => rows.value[from + k] += value,
                        None => {
                            rows.column.push(c);
                            rows.value.push(value);
                        }
                    }
                }
                rows.start.push(rows.column.len());
            }
            (rows, Some(inverse_mass.len()))
        }
        Matrix::Sparse(a) => {
            let mut rows = a.clone();
            for i in 0..n {
                for k in a.start[i]..a.start[i + 1] {
                    rows.value[k] *= scale[i] * scale[a.column[k]];
                }
            }
            (rows, None)
        }
        Matrix::Dense(a) => {
            let mut rows = SparseRows { start: vec![0], ..SparseRows::default() };
            for i in 0..n {
                for (j, v) in a[i * n..(i + 1) * n].iter().enumerate() {
                    if *v != 0.0 || i == j {
                        rows.column.push(j);
                        rows.value.push(v * scale[i] * scale[j]);
                    }
                }
                rows.start.push(rows.column.len());
            }
            (rows, None)
        }
    }
}

/// `Ĵ Ĵᵀ` by rows.
fn gram(rows: &SparseRows, columns: usize) -> SparseRows {
    let n = rows.rows();
    let mut start = vec![0; columns + 1];
    rows.column.iter().for_each(|&c| start[c + 1] += 1);
    for c in 0..columns {
        start[c + 1] += start[c];
    }
    let mut next = start.clone();
    let mut entries = vec![(0, 0.0); rows.column.len()];
    for i in 0..n {
        let (row, values) = rows.row(i);
        for (&c, &v) in row.iter().zip(values) {
            entries[next[c]] = (i, v);
            next[c] += 1;
        }
    }
    let mut out = SparseRows { start: vec![0], ..SparseRows::default() };
    let mut sums = vec![0.0; n];
    let mut seen = vec![usize::MAX; n];
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
        out.column[from..].sort_unstable();
        out.value.extend(out.column[from..].iter().map(|&j| sums[j]));
        out.start.push(out.column.len());
    }
    out
}

/// Analyses the lower triangle of a symmetric matrix given by rows with sorted columns.
fn force_form(a: &SparseRows) -> Result<(Form, SparseCholesky), Error> {
    let n = a.rows();
    let (mut start, mut row, mut base, mut places) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    for j in 0..n {
        // Column j of the lower triangle is row j of the upper one.
        let (columns, values) = a.row(j);
        places.push(row.len());
        row.push(j);
        base.push(columns.iter().zip(values).filter(|(c, _)| **c == j).map(|(_, v)| v).sum());
        for (&i, &v) in columns.iter().zip(values).filter(|(i, _)| **i > j) {
            row.push(i);
            base.push(v);
        }
        start.push(row.len());
    }
    let cholesky = SparseCholesky::analyse(start, row).map_err(|_| UNANALYSABLE)?;
    Ok((Form::Force { base, places }, cholesky))
}

/// Analyses the pattern of `I + Ĵᵀ W Ĵ`.
fn body_form(rows: &SparseRows, m: usize) -> Result<(Form, SparseCholesky), Error> {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); m];
    for i in 0..rows.rows() {
        let (columns, _) = rows.row(i);
        for &c in columns {
            below[c].extend(columns.iter().filter(|&&r| r > c).map(|&r| r as u32));
        }
    }
    let (mut start, mut row, mut places) = (vec![0], Vec::new(), Vec::new());
    for (c, list) in below.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup();
        places.push(row.len());
        row.push(c);
        row.extend(list.iter().map(|&r| r as usize));
        start.push(row.len());
    }
    let (mut first, mut place, mut product) = (vec![0], Vec::new(), Vec::new());
    for i in 0..rows.rows() {
        let (columns, values) = rows.row(i);
        for (&c, v) in columns.iter().zip(values) {
            for (&r, w) in columns.iter().zip(values).filter(|(r, _)| **r >= c) {
                let offset = if r == c {
                    0
                } else {
                    1 + below[c].binary_search(&(r as u32)).map_err(|_| UNANALYSABLE)?
                };
                place.push((start[c] + offset) as u32);
                product.push(v * w);
            }
        }
        first.push(place.len());
    }
    let cholesky = SparseCholesky::analyse(start, row).map_err(|_| UNANALYSABLE)?;
    Ok((Form::Body { start: first, place, product, places }, cholesky))
}

const UNANALYSABLE: Error =
    Error::Unsupported { solver: "the interior-point method", what: "a pattern this large" };
