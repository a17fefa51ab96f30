//! The systems of friction by bodies: `I + Σ Ĥᵢᵀ Eᵢ Ĥᵢ` with one unsymmetric 2 × 2 block `Eᵢ` for each contact.
//!
//! `Ĥ = J M^(-1/2)` holds the normal and tangential rows. The pattern is that of the bodies, whose order is found once; the
//! blocks come from the sets of Newton or from the interior of the cones, each of which solves
//! `(W + E⁻¹) Δr = g` as `Δr = E (g − Ĥ z)`, `(I + Ĥᵀ E Ĥ) z = Ĥᵀ E g`.
//!
//! Where nothing but `W` is known the system is that of the contacts, `(F + E W G) x = E g` with `Δr = G x`. Mostly `F` and `G` are
//! one; but where a block `E` is large in one direction, the other would have to be found from differences, and the contact may have
//! equations and unknowns along both directions.

use super::contacts::TANGENTS;
use super::directions::Directions;
use crate::SparseRows;
use engine2d_math::sparse_lu::{Entries, SparseLu};

/// Part of the rows whose blocks may change for the factors to be updated.
const UPDATED: usize = 8;

/// The rows of a contact with an entry each: the normal one, and those of friction; the rest without a weight where there are fewer.
pub(super) type Entry = [(u32, f64); 1 + TANGENTS];

/// Coordinates of a body.
const BODY: usize = 3;

/// The rows by bodies, and the factorization.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// `Ĥ`, or `W`.
    rows: SparseRows,
    /// Whether it is `W`.
    coupled: bool,
    /// Rows of each coordinate, with their values.
    start: Vec<usize>,
    entries: Vec<(u32, f64)>,
    /// The other row of the contact of each row.
    partner: Vec<Option<u32>>,
    /// Entries of `E`: of each row with itself, and with its partner.
    pub(super) own: Vec<f64>,
    pub(super) cross: Vec<f64>,
    /// `F` and `G`.
    pub(super) directions: Directions,
    group: Vec<usize>,
    lu: SparseLu,
    motion: Vec<f64>,
    push: Vec<f64>,
    /// Scratch: what the rows lack, and the motion that answers it.
    left: Vec<f64>,
    response: Vec<f64>,
    /// The blocks of the last factorization; empty if there is none of the present rows, or one in directions of their own.
    factored: Vec<f64>,
    /// Rows whose blocks differ from those.
    changed: Vec<usize>,
}

impl Bodies {
    /// Takes over the rows `Ĥ` and which of them belong together; finds the order of the bodies if the pattern is new.
    pub(super) fn load(&mut self, rows: &SparseRows, columns: usize, partner: &[Option<u32>]) {
        if self.take(rows, columns, partner, false) {
            return;
        }
        let together = if columns.is_multiple_of(BODY) { BODY } else { 1 };
        self.group.clear();
        self.group.extend((0..columns).map(|c| c / together));
        let Self { lu, group, rows, partner, .. } = self;
        lu.analyse(group, |link| {
            for (i, partner) in partner.iter().enumerate() {
                let (mine, _) = rows.row(i);
                let others = partner.map_or(&[][..], |j| rows.row(j as usize).0);
                for &c in mine {
                    mine.iter().chain(others).for_each(|&d| link(group[c], group[d]));
                }
            }
        });
    }

    /// Takes over `W` and which of its rows belong together; finds the order of the contacts if the pattern is new.
    pub(super) fn load_coupled(&mut self, rows: &SparseRows, partner: &[Option<u32>]) {
        if self.take(rows, rows.rows(), partner, true) {
            return;
        }
        self.group.clear();
        self.group.resize(rows.rows(), usize::MAX);
        let mut groups = 0;
        for (i, partner) in partner.iter().enumerate() {
            let of_partner = partner.map_or(usize::MAX, |j| self.group[j as usize]);
            if self.group[i] == usize::MAX && of_partner != usize::MAX {
                self.group[i] = of_partner;
            } else if self.group[i] == usize::MAX {
                self.group[i] = groups;
                if let Some(j) = partner {
                    self.group[*j as usize] = groups;
                }
                groups += 1;
            }
        }
        let Self { lu, group, .. } = self;
        lu.analyse(group, |link| {
            for i in 0..rows.rows() {
                rows.row(i).0.iter().for_each(|&j| link(group[i], group[j]));
            }
        });
    }

    /// Takes over rows; whether their pattern is that of the last ones.
    fn take(&mut self, rows: &SparseRows, columns: usize, partner: &[Option<u32>], coupled: bool) -> bool {
        let known = self.coupled == coupled
            && self.rows.start == rows.start
            && self.rows.column == rows.column
            && self.partner == partner
            && self.motion.len() == columns;
        if known && self.rows.value == rows.value {
            return true;
        }
        self.coupled = coupled;
        self.factored.clear();
        self.rows.clone_from(rows);
        self.partner.clear();
        self.partner.extend_from_slice(partner);
        self.transpose(columns);
        self.motion.clear();
        self.motion.resize(columns, 0.0);
        for v in [&mut self.own, &mut self.cross, &mut self.push, &mut self.left] {
            v.clear();
            v.resize(rows.rows(), 0.0);
        }
        self.directions.resize(rows.rows());
        known
    }

    /// Rows of each coordinate.
    fn transpose(&mut self, columns: usize) {
        let Self { rows, start, entries, .. } = self;
        start.clear();
        start.resize(columns + 1, 0);
        rows.column.iter().for_each(|&c| start[c + 1] += 1);
        for c in 0..columns {
            start[c + 1] += start[c];
        }
        entries.clear();
        entries.resize(rows.column.len(), (0, 0.0));
        let mut next = start.clone();
        for i in 0..rows.rows() {
            let (mine, values) = rows.row(i);
            for (&c, &v) in mine.iter().zip(values) {
                entries[next[c]] = (i as u32, v);
                next[c] += 1;
            }
        }
    }

    /// Whether the last factorization is that of the present blocks.
    pub(super) fn is_factored(&self) -> bool {
        let Self { own, cross, factored, .. } = self;
        !self.directions.are_there()
            && factored.len() == 2 * own.len()
            && own.iter().chain(cross).eq(factored)
    }

    /// Factors the system of the present blocks; `false` if that fails.
    pub(super) fn factor(&mut self) -> bool {
        let Self { own, cross, factored, changed, directions, .. } = self;
        let count = own.len();
        changed.clear();
        let known = factored.len() == 2 * count && !directions.are_there();
        if known {
            let (last_own, last_cross) = factored.split_at(count);
            let differs = |&i: &usize| own[i] != last_own[i] || cross[i] != last_cross[i];
            changed.extend((0..count).filter(differs));
        }
        let few = known && changed.len() * UPDATED < count;
        factored.clear();
        let mut lu = std::mem::take(&mut self.lu);
        let Self { coupled, rows, changed, .. } = &*self;
        let fill = |c: usize, target: &mut Entries<'_>| {
            if *coupled { self.fill_contact(c, target) } else { self.fill_coordinate(c, target) }
        };
        // What a block acts on: the coordinates of its bodies, or its own row.
        let of_row = |i| if *coupled { std::slice::from_ref(i) } else { rows.row(*i).0 }.iter().copied();
        let factors = if few { lu.update(changed.iter().flat_map(of_row), fill) } else { lu.factor(fill) };
        self.lu = lu;
        if factors && !self.directions.are_there() {
            self.factored.extend_from_slice(&self.own);
            self.factored.extend_from_slice(&self.cross);
        }
        factors
    }

    /// A row of `I + Ĥᵀ E Ĥ`.
    fn fill_coordinate(&self, c: usize, target: &mut Entries<'_>) {
        target.add(c, 1.0);
        let mut act = |j: usize, weight: f64| {
            if weight != 0.0 {
                self.entries_of(j).for_each(|(d, v)| target.add(d, weight * v));
            }
        };
        for &(i, h) in &self.entries[self.start[c]..self.start[c + 1]] {
            let i = i as usize;
            act(i, h * self.own[i]);
            if let Some(j) = self.partner[i] {
                act(j as usize, h * self.cross[i]);
            }
        }
    }

    /// A row of `F + E W G`.
    fn fill_contact(&self, i: usize, target: &mut Entries<'_>) {
        let Self { own, cross, directions, partner, .. } = self;
        directions.add_weights(i, partner, target);
        let mut act = |j: usize, weight: f64| {
            if weight != 0.0 {
                self.entries_of(j).for_each(|(d, v)| directions.add(d, weight * v, partner, target));
            }
        };
        act(i, own[i]);
        if let Some(j) = partner[i] {
            act(j as usize, cross[i]);
        }
    }

    /// `g ← E (g − Ĥ z)` with `(I + Ĥᵀ E Ĥ) z = Ĥᵀ E g`.
    pub(super) fn solve(&mut self, g: &mut [f64]) {
        let mut motion = std::mem::take(&mut self.response);
        self.solve_motion(g, &mut motion);
        self.answer(g, &motion);
        g.copy_from_slice(&self.push);
        self.response = motion;
    }

    /// `z` with `(I + Ĥᵀ E Ĥ) z = Ĥᵀ E g`, or the forces themselves where `W` is all that is known.
    pub(super) fn solve_motion(&mut self, g: &[f64], z: &mut Vec<f64>) {
        self.weigh(g);
        z.clear();
        if self.coupled {
            z.extend_from_slice(&self.push);
        } else {
            z.resize(self.motion.len(), 0.0);
            self.rows.transposed_product_add(&self.push, z);
        }
        self.lu.solve(z);
    }

    /// The forces `E (g − Ĥ z)`.
    pub(super) fn respond(&mut self, g: &[f64], z: &[f64], forces: &mut [f64]) {
        self.answer(g, z);
        forces.copy_from_slice(&self.push);
    }

    /// As [`Bodies::respond`], in `push`.
    fn answer(&mut self, g: &[f64], z: &[f64]) {
        if self.coupled {
            return self.push.copy_from_slice(z);
        }
        self.rows.product(z, &mut self.left);
        self.left.iter_mut().zip(g).for_each(|(left, g)| *left = g - *left);
        let left = std::mem::take(&mut self.left);
        self.weigh(&left);
        self.left = left;
    }

    /// `x ← K⁻¹ x` of the factored system `K`, whose unknowns are motions, or forces where `W` is all that is known.
    pub(super) fn solve_system(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }

    /// Adds what the forces of the rows of a contact do to the right-hand side of the system.
    pub(super) fn push_onto(&self, entry: Entry, x: &mut [f64]) {
        for (i, force) in entry.into_iter().filter(|(_, force)| *force != 0.0) {
            if self.coupled {
                x[i as usize] += force;
            } else {
                self.entries_of(i as usize).for_each(|(c, v)| x[c] += v * force);
            }
        }
    }

    /// What the rows of a contact see of a solution of the system.
    pub(super) fn seen(&self, entry: Entry, z: &[f64]) -> f64 {
        let of = |i: u32| self.entries_of(i as usize).fold(0.0, |sum, (c, v)| sum + v * z[c]);
        entry.iter().filter(|(_, w)| *w != 0.0).fold(0.0, |sum, &(i, w)| sum + w * of(i))
    }

    /// `a = Ĥ Ĥᵀ f + b`.
    pub(super) fn accelerations(&mut self, f: &[f64], bias: &[f64], a: &mut [f64]) {
        if self.coupled {
            self.rows.product(f, a);
        } else {
            self.set_motion(f);
            self.rows.product(&self.motion, a);
        }
        a.iter_mut().zip(bias).for_each(|(a, b)| *a += b);
    }

    /// Number of bodies.
    pub(super) fn count(&self) -> usize {
        self.motion.len() / self.body_size()
    }

    /// Coordinates of a body.
    pub(super) fn body_size(&self) -> usize {
        if self.motion.len().is_multiple_of(BODY) { BODY } else { 1 }
    }

    /// The bodies of a row, each once.
    pub(super) fn bodies_of(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let size = self.body_size();
        let columns = self.rows.row(i).0;
        let first = move |k: &usize| *k == 0 || columns[*k - 1] / size != columns[*k] / size;
        (0..columns.len()).filter(first).map(move |k| columns[k] / size)
    }

    /// The entries of a row.
    pub(super) fn entries_of(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (columns, values) = self.rows.row(i);
        columns.iter().copied().zip(values.iter().copied())
    }

    /// Whether it is known which bodies the rows move.
    pub(super) fn has_bodies(&self) -> bool {
        !self.coupled
    }

    /// Takes over the motion `Ĥᵀ f`, or `W f`.
    pub(super) fn set_motion(&mut self, f: &[f64]) {
        if self.coupled {
            return self.rows.product(f, &mut self.motion);
        }
        self.motion.fill(0.0);
        self.rows.transposed_product_add(f, &mut self.motion);
    }

    /// The acceleration of a row by the motion.
    #[inline]
    pub(super) fn acceleration(&self, i: usize) -> f64 {
        if self.coupled {
            return self.motion[i];
        }
        let (columns, values) = self.rows.row(i);
        columns.iter().zip(values).fold(0.0, |sum, (&c, v)| sum + v * self.motion[c])
    }

    /// Adds what a force on a row moves.
    #[inline]
    pub(super) fn push_by(&mut self, i: usize, force: f64) {
        let (columns, values) = self.rows.row(i);
        columns.iter().zip(values).for_each(|(&c, v)| self.motion[c] += v * force);
    }

    /// The entry of `Ĥ Ĥᵀ` for two rows of a contact.
    #[inline]
    pub(super) fn weight(&self, i: usize, j: usize) -> f64 {
        if self.coupled {
            let (columns, values) = self.rows.row(i);
            return columns.iter().zip(values).filter(|(c, _)| **c == j).map(|(_, v)| v).sum();
        }
        let ((a, x), (b, y)) = (self.rows.row(i), self.rows.row(j));
        let (mut p, mut q, mut sum) = (0, 0, 0.0);
        while p < a.len() && q < b.len() {
            match a[p].cmp(&b[q]) {
                std::cmp::Ordering::Less => p += 1,
                std::cmp::Ordering::Greater => q += 1,
                std::cmp::Ordering::Equal => {
                    sum += x[p] * y[q];
                    p += 1;
                    q += 1;
                }
            }
        }
        sum
    }

    /// `x ← Ĥ z` with `(I + Ĥᵀ E Ĥ) z = Ĥᵀ x`, which is `W (I + E W)⁻¹ x`, and `W G (F + E W G)⁻¹ x`.
    pub(super) fn pull_back(&mut self, x: &mut [f64]) {
        if self.coupled {
            self.lu.solve(x);
            self.response.clear();
            self.response.extend_from_slice(x);
            let Self { rows, motion, response, directions, partner, .. } = self;
            directions.forces(response, partner, motion);
            return rows.product(motion, x);
        }
        self.motion.fill(0.0);
        self.rows.transposed_product_add(x, &mut self.motion);
        self.lu.solve(&mut self.motion);
        self.rows.product(&self.motion, x);
    }

    /// The unknowns `x` that [`Bodies::pull_back`] solved for, where `W` is all that is known: forces in the directions of `G`.
    pub(super) fn found_forces(&self) -> Option<&[f64]> {
        self.coupled.then_some(&self.response)
    }

    /// `push = E g`.
    fn weigh(&mut self, g: &[f64]) {
        for (i, push) in self.push.iter_mut().enumerate() {
            let other = self.partner[i].map_or(0.0, |j| self.cross[i] * g[j as usize]);
            *push = self.own[i] * g[i] + other;
        }
    }
}
