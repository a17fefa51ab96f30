//! The sparse systems `(A + D) x = r` of the interior-point method, `D` diagonal and positive, in whichever of
//! two forms has the smaller factor.
//!
//! Force form: `A + D` itself, one unknown a row. Body form: with `A = Ĵ Ĵᵀ`,
//! `(A + D)⁻¹ = D⁻¹ − D⁻¹ Ĵ (I + Ĵᵀ D⁻¹ Ĵ)⁻¹ Ĵᵀ D⁻¹`, one unknown a coordinate of a body; by blocks, one block a
//! body, where the columns are bodies and the factor is not too full. The pattern of both is
//! that of the contacts, which in the plane has small separators: a factorization costs about `n^1.5`.

use super::blocks::Blocks;
use crate::gram::Gram;
use crate::problem::{Matrix, SparseRows};
use crate::tolerance::SUSPICIOUS_FILL;
use crate::{Error, Lcp};
use engine2d_math::order::Order;
use engine2d_math::sparse_cholesky::SparseCholesky;

/// `D` from which a row counts as absent.
pub(super) const ABSENT: f64 = 1e30;

/// The scaled matrix and the factorization of its systems.
#[derive(Debug)]
pub(super) struct System {
    n: usize,
    /// `Ĵ = S J M^(-1/2)`, or `S A S` itself if no Jacobian is known.
    rows: SparseRows,
    bodies: Option<usize>,
    /// What `A` has on its diagonal beside `Ĵ Ĵᵀ`, if anything.
    soft: Vec<f64>,
    /// The scaled rows of the next problem, and the products of rows where the form needs them.
    next: SparseRows,
    gram: Gram,
    form: Form,
    values: Vec<f64>,
    diagonal: Vec<f64>,
    motion: Vec<f64>,
    work: Vec<f64>,
}

#[derive(Debug)]
pub(super) enum Form {
    /// Values of the lower triangle of `A`, and where its diagonal entries are.
    Force { base: Vec<f64>, places: Vec<usize>, cholesky: SparseCholesky },
    /// For each row, where the products of its entries are added, and where the diagonal entries are.
    Body {
        start: Vec<usize>,
        place: Vec<u32>,
        product: Vec<f64>,
        places: Vec<usize>,
        cholesky: SparseCholesky,
    },
    /// The body form by blocks.
    Blocks(Blocks),
}

impl Form {
    /// The factorization of a scalar form.
    fn cholesky(&self) -> Option<&SparseCholesky> {
        match self {
            Self::Force { cholesky, .. } | Self::Body { cholesky, .. } => Some(cholesky),
            Self::Blocks(_) => None,
        }
    }
}

impl System {
    /// Scales the problem by `scale` on both sides and analyses the cheaper form.
    pub(super) fn new(problem: &Lcp<'_>, scale: &[f64]) -> Result<Self, Error> {
        let n = problem.len();
        let (mut rows, mut gram) = (SparseRows::default(), Gram::default());
        let bodies = scaled_rows(problem, scale, &mut rows);
        let form = match bodies {
            Some(m) => match Blocks::new(&rows, m) {
                Some(blocks) => Form::Blocks(blocks),
                None => scalar_form(&rows, m, &mut gram)?,
            },
            None => force_form(&rows)?,
        };
        let (unknowns, size) = form.cholesky().map_or((0, 0), |c| (c.len(), c.entries()));
        Ok(Self {
            n,
            rows,
            bodies,
            next: SparseRows::default(),
            gram,
            form,
            values: vec![0.0; size],
            diagonal: vec![0.0; n],
            soft: scaled_compliance(problem, scale),
            motion: vec![0.0; bodies.unwrap_or(0)],
            work: vec![0.0; unknowns.max(n)],
        })
    }

    /// A system for the problem: the one in `slot` with new values if the pattern is the same, otherwise a new one.
    pub(super) fn prepare<'s>(
        slot: &'s mut Option<Self>,
        problem: &Lcp<'_>,
        scale: &[f64],
    ) -> Result<&'s mut Self, Error> {
        let same = slot.as_mut().is_some_and(|system| system.reload(problem, scale));
        let system = if same { slot.take() } else { None };
        Ok(slot.insert(match system {
            Some(system) => system,
            None => Self::new(problem, scale)?,
        }))
    }

    /// Takes over the values of a problem of the same pattern; `false` if it has another.
    fn reload(&mut self, problem: &Lcp<'_>, scale: &[f64]) -> bool {
        let bodies = scaled_rows(problem, scale, &mut self.next);
        if bodies != self.bodies || self.next.start != self.rows.start || self.next.column != self.rows.column
        {
            return false;
        }
        std::mem::swap(&mut self.rows, &mut self.next);
        self.soft.clear();
        self.soft.extend(compliance_of(problem).iter().zip(scale).map(|(c, s)| c * s * s));
        match &mut self.form {
            Form::Blocks(blocks) => blocks.reload(&self.rows),
            Form::Force { base, .. } => {
                let a = match self.bodies {
                    Some(m) => {
                        self.gram.form(&self.rows, m);
                        &self.gram.product
                    }
                    None => &self.rows,
                };
                base.clear();
                lower_triangle(a, |_, value| base.push(value));
            }
            Form::Body { product, .. } => {
                product.clear();
                for i in 0..self.n {
                    let (columns, values) = self.rows.row(i);
                    for (&c, v) in columns.iter().zip(values) {
                        product
                            .extend(columns.iter().zip(values).filter(|(r, _)| **r >= c).map(|(_, w)| v * w));
                    }
                }
            }
        }
        true
    }

    /// The scaled matrix of some rows only, of a problem given by its Jacobian.
    pub(super) fn principal(&mut self, rows: &[usize]) -> Option<&SparseRows> {
        let m = self.bodies?;
        let part = &mut self.next;
        part.start.clear();
        part.column.clear();
        part.value.clear();
        part.start.push(0);
        for &i in rows {
            let (columns, values) = self.rows.row(i);
            part.column.extend_from_slice(columns);
            part.value.extend_from_slice(values);
            part.start.push(part.column.len());
        }
        self.gram.form(part, m);
        if !self.soft.is_empty() {
            let product = &mut self.gram.product;
            for (k, &i) in rows.iter().enumerate() {
                let range = product.start[k]..product.start[k + 1];
                if let Some(place) = product.column[range.clone()].iter().position(|&j| j == k) {
                    product.value[range.start + place] += self.soft[i];
                }
            }
        }
        Some(&self.gram.product)
    }

    /// `y = A x` in scaled terms.
    pub(super) fn product(&mut self, x: &[f64], y: &mut [f64]) {
        if let Form::Blocks(blocks) = &mut self.form {
            blocks.product(x, y);
        } else if self.bodies.is_some() {
            self.motion.fill(0.0);
            self.rows.transposed_product_add(x, &mut self.motion);
            self.rows.product(&self.motion, y);
        } else {
            self.rows.product(x, y);
        }
        for (y, (c, x)) in y.iter_mut().zip(self.soft.iter().zip(x)) {
            *y += c * x;
        }
    }

    /// Factors `A + diag(d)`; `false` if that fails in floating point.
    pub(super) fn factor(&mut self, d: &[f64]) -> bool {
        self.diagonal.copy_from_slice(d);
        for (d, c) in self.diagonal.iter_mut().zip(&self.soft) {
            *d += c;
        }
        let d = &self.diagonal;
        match &mut self.form {
            Form::Blocks(blocks) => blocks.factor(d),
            Form::Force { base, places, cholesky } => {
                self.values.copy_from_slice(base);
                for (&place, d) in places.iter().zip(d) {
                    self.values[place] += d;
                }
                cholesky.factor(&self.values).is_ok()
            }
            Form::Body { start, place, product, places, cholesky } => {
                self.values.fill(0.0);
                places.iter().for_each(|&place| self.values[place] = 1.0);
                for i in (0..self.n).filter(|&i| d[i] < ABSENT) {
                    let weight = 1.0 / d[i];
                    let range = start[i]..start[i + 1];
                    for (&place, product) in place[range.clone()].iter().zip(&product[range]) {
                        self.values[place as usize] += weight * product;
                    }
                }
                cholesky.factor(&self.values).is_ok()
            }
        }
    }

    /// `x ← (A + D)⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match &mut self.form {
            Form::Blocks(blocks) => blocks.solve(x),
            Form::Force { cholesky, .. } => cholesky.solve(x),
            Form::Body { cholesky, .. } => {
                for (x, d) in x.iter_mut().zip(&self.diagonal) {
                    *x = if *d < ABSENT { *x / d } else { 0.0 };
                }
                self.motion.fill(0.0);
                self.rows.transposed_product_add(x, &mut self.motion);
                cholesky.solve(&mut self.motion);
                let work = &mut self.work[..self.n];
                self.rows.product(&self.motion, work);
                for ((x, w), d) in x.iter_mut().zip(work).zip(&self.diagonal) {
                    *x -= if *d < ABSENT { *w / d } else { 0.0 };
                }
            }
        }
    }
}

/// `S J M^(-1/2)`, whose number of columns is returned, or `S A S` by rows.
fn scaled_rows(problem: &Lcp<'_>, scale: &[f64], rows: &mut SparseRows) -> Option<usize> {
    let n = problem.len();
    rows.start.clear();
    rows.column.clear();
    rows.value.clear();
    rows.start.push(0);
    for i in 0..n {
        let from = rows.column.len();
        match problem.matrix() {
            Matrix::Jacobian { jacobian, inverse_mass, .. } => {
                let (columns, values) = jacobian.row(i);
                for (&c, v) in columns.iter().zip(values) {
                    // The pattern is that of the rows: values that vanish for a while do not change it.
                    if inverse_mass[c] == 0.0 {
                        continue;
                    }
                    let value = v * inverse_mass[c].sqrt() * scale[i];
                    match rows.column[from..].iter().position(|&known| known == c) {
                        Some(k) => rows.value[from + k] += value,
                        None => {
                            rows.column.push(c);
                            rows.value.push(value);
                        }
                    }
                }
            }
            Matrix::Sparse(a) => {
                let (columns, values) = a.row(i);
                rows.column.extend_from_slice(columns);
                rows.value.extend(columns.iter().zip(values).map(|(&j, v)| v * scale[i] * scale[j]));
            }
            Matrix::Dense(a) => {
                for (j, v) in a[i * n..(i + 1) * n].iter().enumerate() {
                    if *v != 0.0 || i == j {
                        rows.column.push(j);
                        rows.value.push(v * scale[i] * scale[j]);
                    }
                }
            }
        }
        rows.start.push(rows.column.len());
    }
    match problem.matrix() {
        Matrix::Jacobian { inverse_mass, .. } => Some(inverse_mass.len()),
        _ => None,
    }
}

/// The compliances of a problem given by its Jacobian.
fn compliance_of<'p>(problem: &'p Lcp<'_>) -> &'p [f64] {
    if let Matrix::Jacobian { compliance, .. } = problem.matrix() { compliance } else { &[] }
}

fn scaled_compliance(problem: &Lcp<'_>, scale: &[f64]) -> Vec<f64> {
    compliance_of(problem).iter().zip(scale).map(|(c, s)| c * s * s).collect()
}

/// Visits the lower triangle by columns, diagonal entries first: row, column and value of each entry.
fn lower_triangle(a: &SparseRows, mut visit: impl FnMut((usize, usize), f64)) {
    for j in 0..a.rows() {
        // Column j of the lower triangle is row j of the upper one.
        let (columns, values) = a.row(j);
        visit((j, j), columns.iter().zip(values).filter(|(c, _)| **c == j).map(|(_, v)| v).sum());
        for (&i, &v) in columns.iter().zip(values).filter(|(i, _)| **i > j) {
            visit((i, j), v);
        }
    }
}

/// The scalar form with the smaller factor.
fn scalar_form(rows: &SparseRows, m: usize, gram: &mut Gram) -> Result<Form, Error> {
    let fill = |form: &Form| form.cholesky().map_or((0, 0), |c| (c.fill(), c.entries()));
    let body = body_form(rows, m)?;
    let (filled, entries) = fill(&body);
    // Rarely the pattern of the bodies fills in badly; only then is the other one looked at.
    if filled > SUSPICIOUS_FILL * entries {
        gram.form(rows, m);
        let force = force_form(&gram.product)?;
        return Ok(if fill(&force).0 < filled { force } else { body });
    }
    Ok(body)
}

/// Analyses the lower triangle of a symmetric matrix given by rows with sorted columns.
pub(super) fn force_form(a: &SparseRows) -> Result<Form, Error> {
    let (mut start, mut row, mut base, mut places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    lower_triangle(a, |(i, j), value| {
        if i == j {
            start.push(row.len());
            places.push(row.len());
        }
        row.push(i);
        base.push(value);
    });
    start.push(row.len());
    let cholesky = SparseCholesky::analyse(start, row).map_err(|_| UNANALYSABLE)?;
    Ok(Form::Force { base, places, cholesky })
}

/// Analyses the pattern of `I + Ĵᵀ W Ĵ`.
fn body_form(rows: &SparseRows, m: usize) -> Result<Form, Error> {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); m];
    for i in 0..rows.rows() {
        let (columns, _) = rows.row(i);
        for &c in columns {
            below[c].extend(columns.iter().filter(|&&r| r > c).map(|&r| r as u32));
        }
    }
    let (mut start, mut row, mut places) = (vec![0], Vec::new(), Vec::new());
    for (c, list) in below.iter_mut().enumerate() {
        list.order();
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
    Ok(Form::Body { start: first, place, product, places, cholesky })
}

const UNANALYSABLE: Error =
    Error::Unsupported { solver: "the interior-point method", what: "a pattern this large" };
