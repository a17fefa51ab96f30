//! Which rows are a contact: a normal one, and what of its friction goes by its force.

use super::Friction;
use crate::{Lcp, Matrix, Row, Set};

/// Most rows of friction of a contact: two where friction has a limit of its own for each of two rates.
pub(super) const TANGENTS: usize = 2;

/// A row of friction, and the shares of the normal force between which its own is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tangent {
    pub(super) row: u32,
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Tangent {
    /// The share of the normal force at a limit.
    pub(super) fn share(&self, limit: Set) -> f64 {
        if limit == Set::Upper { self.hi } else { self.lo }
    }
}

/// A contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) normal: u32,
    tangents: [Tangent; TANGENTS],
    count: usize,
}

impl Contact {
    pub(super) fn tangents(&self) -> &[Tangent] {
        &self.tangents[..self.count]
    }
}

impl Friction {
    /// Prepares the solution by bodies; `false` for problems with rows that it does not know.
    pub(super) fn load_bodies(&mut self, problem: &Lcp<'_>) -> bool {
        if !self.load_contacts(problem.kinds()) {
            return false;
        }
        match problem.matrix() {
            Matrix::Jacobian { inverse_mass, compliance, .. } if compliance.is_empty() => {
                self.bodies.load(&self.scaled, inverse_mass.len(), &self.partner);
            }
            _ => {
                self.form_rows(problem);
                self.bodies.load_coupled(&self.rows, &self.partner);
            }
        }
        true
    }

    /// Finds the contacts, and with each row another one of its contact: of a normal row the first of friction, of those the
    /// normal one.
    fn load_contacts(&mut self, kinds: &[Row]) -> bool {
        let Self { contacts, partner, place, .. } = self;
        contacts.clear();
        partner.clear();
        partner.resize(kinds.len(), None);
        place.clear();
        place.resize(kinds.len(), usize::MAX);
        for (i, kind) in kinds.iter().enumerate() {
            if *kind == Row::Unilateral {
                place[i] = contacts.len();
                contacts.push(Contact { normal: i as u32, tangents: Default::default(), count: 0 });
            }
        }
        for (i, kind) in kinds.iter().enumerate() {
            match (*kind, kind.shares()) {
                (Row::Friction { .. } | Row::FrictionLimits { .. }, Some((normal, lo, hi))) if lo < hi => {
                    let Some(contact) = contacts.get_mut(place[normal]) else { return false };
                    let Some(free) = contact.tangents.get_mut(contact.count) else { return false };
                    *free = Tangent { row: i as u32, lo, hi };
                    contact.count += 1;
                    partner[i] = Some(normal as u32);
                    partner[normal] = partner[normal].or(Some(i as u32));
                }
                (Row::Bilateral | Row::Unilateral, _) => {}
                _ => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::friction::{Friction, Start};
    use crate::{Lcp, Row, Solution, SparseRows, Stats, Status};
    use engine2d_math::random::Lcg32;

    /// Discs on the ground and on each other, each pressed down and pushed aside at random; the friction of every third contact has
    /// limits `kinds` of its own, if two of them for two rates.
    fn heap(kinds: &[fn(usize) -> Row], seed: u32) -> Lcp<'static> {
        let (discs, mut rng) = (12_usize, Lcg32::new(seed));
        let (mut jacobian, mut rows, mut bias) =
            (SparseRows { start: vec![0], ..SparseRows::default() }, Vec::new(), Vec::new());
        let mut row = |entries: &[(usize, f64)], kind: Row, b: f64| {
            jacobian.column.extend(entries.iter().map(|entry| entry.0));
            jacobian.value.extend(entries.iter().map(|entry| entry.1));
            jacobian.start.push(jacobian.column.len());
            rows.push(kind);
            bias.push(b);
        };
        for k in 0..discs {
            let normal = if k == 0 { vec![(1, 1.0)] } else { vec![(3 * k - 2, -1.0), (3 * k + 1, 1.0)] };
            let mut along = if k == 0 { vec![] } else { vec![(3 * k - 3, -1.0), (3 * k - 1, 0.5)] };
            along.extend([(3 * k, 1.0), (3 * k + 2, 0.5)]);
            let (press, push) = (-rng.next_unit(), rng.next_unit() - 0.5);
            let at = 2 * k + k.div_ceil(3) * (kinds.len() - 1);
            row(&normal, Row::Unilateral, press);
            if k % 3 == 0 {
                for (kind, rate) in kinds.iter().zip([0.0, 0.3]) {
                    row(&along, kind(at), push + rate);
                }
            } else {
                row(&along, Row::Friction { normal: at, mu: 0.3 }, push);
            }
        }
        let masses = (0..3 * discs).map(|k| if k % 3 == 2 { 8.0 } else { 1.0 }).collect();
        Lcp::jacobian(jacobian, masses, bias).and_then(|problem| problem.rows(rows)).expect("a problem")
    }

    #[test]
    fn friction_with_limits_of_its_own_is_solved_by_bodies() {
        let one_way: &[fn(usize) -> Row] =
            &[|normal| Row::FrictionLimits { normal, mu_minus: 0.1, mu_plus: 0.5 }];
        let of_two_rates: &[fn(usize) -> Row] = &[
            |normal| Row::FrictionLimits { normal, mu_minus: 0.4, mu_plus: 0.0 },
            |normal| Row::FrictionLimits { normal, mu_minus: 0.0, mu_plus: 0.4 },
        ];
        for kinds in [one_way, of_two_rates] {
            let (mut events, mut factorizations) = (0, 0);
            for seed in 0..40 {
                let problem = heap(kinds, seed);
                let mut solution = Solution::default();
                let mut friction = Friction::default();
                let status = friction.solve_sparse(&problem, 1e-11, Start::default(), &mut solution);
                assert_eq!(status, Status::Solved, "{seed}: {}", solution.certificate);
                // The way from no forces alone, which tells each change of a set.
                let (mut best, mut stats) = (f64::INFINITY, Stats::default());
                friction.scale_rows(&problem);
                friction.reset(&problem, None);
                assert!(friction.load_bodies(&problem), "its rows are known");
                friction.loosen_ties(&problem, (1e-9, 1e-9), &mut best, &mut stats);
                assert!(best <= 1e-9, "{seed}: {best:e}");
                events += stats.pivots;
                factorizations += stats.factorizations;
            }
            // A factorization for each strength of the ties, and none for an event: those change the system as they say.
            assert!(
                events > 200 && factorizations <= 220,
                "{events} events, {factorizations} factorizations"
            );
        }
    }

    #[test]
    fn a_third_row_of_friction_is_left_to_others() {
        let limits = |normal| Row::FrictionLimits { normal, mu_minus: 0.1, mu_plus: 0.1 };
        let rows = [&[(0, 1.0)][..], &[(1, 1.0)], &[(1, 1.0)], &[(1, 1.0)]];
        let triplets: Vec<_> =
            rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&(c, v)| (i, c, v))).collect();
        let jacobian = SparseRows::from_triplets(&triplets, 4).expect("rows in range");
        let problem = Lcp::jacobian(jacobian, vec![1.0; 2], vec![-1.0, 0.2, 0.1, 0.0]).expect("a problem");
        let problem = problem.rows(vec![Row::Unilateral, limits(0), limits(0), limits(0)]).expect("rows");
        let mut friction = Friction::default();
        friction.scale_rows(&problem);
        assert!(!friction.load_bodies(&problem));
    }
}
