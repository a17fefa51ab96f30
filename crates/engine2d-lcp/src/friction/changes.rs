//! The factored system of the bodies, with changes of rank one since.
//!
//! One contact that changes its set changes its block `E` by `c wᵀ`, with entries of its own rows alone: what opens loses its column, what
//! slips follows its normal force, what sticks is held by itself. The system `K` becomes `K + u vᵀ` with `u = Ĥᵀ c`, `v = Ĥᵀ w`, and
//! with `p = K⁻¹ u` [Sherman, Morrison 1950] its solution of `K z = Ĥᵀ E g`, `g` the same, becomes
//! `z + p (wᵀ g − vᵀ z) / (1 + vᵀ p)`. One solve a change, in place of a factorization. Rounding grows with the changes: who follows
//! them has to look whether the rows that are held stay where they are.

use super::bodies::{Bodies, Entry};

/// Changes since the last factorization, and the solution that they keep up to date.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// `w` and `1 / (1 + vᵀ p)` of each.
    list: Vec<(Entry, f64)>,
    /// `p` of each, one behind the other.
    moved: Vec<f64>,
    /// `z`.
    solution: Vec<f64>,
    next: Vec<f64>,
}

impl Changes {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Begins anew with the system as it is factored: the forces `E (g − Ĥ z)`.
    pub(super) fn begin(&mut self, bodies: &mut Bodies, g: &[f64], forces: &mut [f64]) {
        self.list.clear();
        self.moved.clear();
        bodies.solve_motion(g, &mut self.solution);
        bodies.respond(g, &self.solution, forces);
    }

    /// Adds `c wᵀ` to the blocks, which the bodies have already; the forces as in [`Changes::begin`], `false` if the system is singular.
    pub(super) fn add(
        &mut self,
        bodies: &mut Bodies,
        (c, w): (Entry, Entry),
        g: &[f64],
        forces: &mut [f64],
    ) -> bool {
        let Self { list, moved, solution, next } = self;
        next.clear();
        next.resize(solution.len(), 0.0);
        bodies.push_onto(c, next);
        bodies.solve_system(next);
        let size = solution.len().max(1);
        for ((seen, gain), p) in list.iter().zip(moved.chunks_exact(size)) {
            let share = gain * bodies.seen(*seen, next);
            next.iter_mut().zip(p).for_each(|(x, p)| *x -= share * p);
        }
        let gain = 1.0 / (1.0 + bodies.seen(w, next));
        if !gain.is_finite() {
            return false;
        }
        let wish: f64 = w.iter().map(|&(i, w)| w * g[i as usize]).sum();
        let share = gain * (wish - bodies.seen(w, solution));
        solution.iter_mut().zip(&*next).for_each(|(z, p)| *z += share * p);
        list.push((w, gain));
        moved.extend_from_slice(next);
        bodies.respond(g, solution, forces);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Bodies, Changes, Entry};
    use crate::SparseRows;

    /// Three contacts in a row, each of two bodies; the first and the last touch the ground.
    fn contacts() -> (SparseRows, Vec<Option<u32>>) {
        let rows: [&[(usize, f64)]; 6] = [
            &[(1, 1.0), (2, 0.3)],
            &[(0, 1.0), (2, 0.5)],
            &[(1, -0.8), (2, 0.2), (4, 0.9)],
            &[(0, -0.9), (2, 0.5), (3, 0.8), (5, 0.5)],
            &[(4, 1.1), (5, -0.4)],
            &[(3, 1.0), (5, 0.7)],
        ];
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        for row in rows {
            jacobian.column.extend(row.iter().map(|entry| entry.0));
            jacobian.value.extend(row.iter().map(|entry| entry.1));
            jacobian.start.push(jacobian.column.len());
        }
        (jacobian, [1, 0, 3, 2, 5, 4].map(Some).to_vec())
    }

    /// Contacts that open, close, slip and stick one after the other, and what each adds to `E`.
    fn events() -> [(Entry, Entry); 4] {
        let (held, mu) = (40.0, 0.6);
        [
            ([(0, 1.0), (1, mu), (0, 0.0)], [(0, held), (1, 0.0), (0, 0.0)]),
            ([(2, 0.0), (3, 1.0), (2, 0.0)], [(2, -mu * held), (3, 1.5 * held), (2, 0.0)]),
            ([(4, 1.0), (5, -mu), (4, 0.0)], [(4, -held), (5, 0.0), (4, 0.0)]),
            ([(2, 0.0), (3, 1.0), (2, 0.0)], [(2, -mu * held), (3, -1.5 * held), (2, 0.0)]),
        ]
    }

    fn changed_systems_are_those_factored_anew(bodies: &mut Bodies) {
        let (held, mu, gap) = (40.0, 0.6, [1.0, -0.4, 0.3, 0.8, -0.7, 0.2]);
        (bodies.own[2], bodies.cross[3]) = (held, mu * held);
        (bodies.own[4], bodies.cross[5]) = (held, -mu * held);
        assert!(bodies.factor());
        let (mut changes, mut forces, mut anew) = (Changes::default(), [0.0; 6], gap);
        changes.begin(bodies, &gap, &mut forces);
        bodies.solve(&mut anew);
        assert_eq!(forces, anew);
        for (k, (c, w)) in events().into_iter().enumerate() {
            for (i, c) in c {
                for (j, w) in w {
                    let block = if i == j { &mut bodies.own } else { &mut bodies.cross };
                    block[i as usize] += c * w;
                }
            }
            assert!(changes.add(bodies, (c, w), &gap, &mut forces));
            assert_eq!(changes.count(), k + 1);
            let mut fresh = bodies.clone();
            assert!(fresh.factor());
            anew = gap;
            fresh.solve(&mut anew);
            let most = anew.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
            for (f, anew) in forces.iter().zip(anew) {
                assert!((f - anew).abs() <= 1e-11 * most, "change {k}: {f} for {anew}");
            }
        }
    }

    #[test]
    fn systems_by_bodies() {
        let (rows, partner) = contacts();
        let mut bodies = Bodies::default();
        bodies.load(&rows, 6, &partner);
        changed_systems_are_those_factored_anew(&mut bodies);
    }

    #[test]
    fn systems_by_contacts() {
        let (rows, partner) = contacts();
        let mut coupled = Vec::new();
        let mut unit = [0.0; 6];
        for i in 0..6 {
            let (columns, values) = rows.row(i);
            let mut motion = [0.0; 6];
            columns.iter().zip(values).for_each(|(&c, v)| motion[c] = *v);
            rows.product(&motion, &mut unit);
            coupled.extend(unit.iter().enumerate().map(|(j, w)| (i, j, *w)));
        }
        let coupled = SparseRows::from_triplets(&coupled, 6).expect("rows in range");
        let mut bodies = Bodies::default();
        bodies.load_coupled(&coupled, &partner);
        changed_systems_are_those_factored_anew(&mut bodies);
    }
}
