//! Impacts with friction: Poisson's law by two complementarity problems, Newton's by one, and single contacts by Routh's phases.
//!
//! What would gain energy is taken back and resolved by Poisson's law, with less and less restitution where that gains some too:
//! with one restitution for all contacts it has never been seen to. With none it cannot.

use super::routh::SingleContact;
use super::{ImpactRules, Impacts, Moved, Reduced};
use crate::error::SimError;
use crate::impact_law::ImpactLaw;
use crate::road::row::{Row, push};
use engine2d_constraint::{InverseMass, RowKind, coupling};
use engine2d_geometry::CollisionBody;
use engine2d_math::order::Order;

/// Energy gained, relative to what an impact exchanges, that is rounding.
const ROUNDING: f64 = 1e-12;

/// Halvings of the restitution before none is given back.
const HALVINGS: i32 = 6;

/// All rows of an instant, the restitution of each chosen one, and the part of each row's rate that is prescribed.
type Rough<'a> = (&'a [Row], &'a [f64], &'a [f64]);

impl Impacts {
    /// One impact with friction of the chosen rows.
    pub(super) fn by_law(
        &mut self,
        rules: ImpactRules,
        (rows, restitution, offsets): Rough<'_>,
        moved: &mut Moved<'_>,
    ) -> Result<(), SimError> {
        let chosen = self.chosen.clone();
        let before = Before::of(&chosen, rows, &self.rates, moved);
        let sideways =
            chosen.iter().zip(restitution).any(|(&k, &e)| is_friction(&rows[k as usize]) && e > 0.0);
        // Routh's phases know nothing of what turns sliding round.
        let single = SingleContact::among(&chosen, rows, moved.masses).filter(|_| !sideways);
        // Poisson's law in full is what the others give way to first.
        let (mut solved, mut first) = (true, 0);
        match (rules.law, single) {
            (ImpactLaw::Newton | ImpactLaw::Stronge, Some(contact)) => {
                let [n, t] = contact.rows;
                let e = chosen.iter().position(|&k| k as usize == n).map_or(0.0, |at| restitution[at]);
                let speeds = [self.rates[n], self.rates[t]];
                for (k, p) in [n, t].into_iter().zip(contact.impulses(rules.law, speeds, e)) {
                    moved.impulses[k] += p;
                    push(&rows[k].row, p, moved.masses, moved.bodies);
                }
                self.refresh(rows, offsets, moved.bodies);
            }
            (ImpactLaw::Newton, None) => {
                solved = match self.by_newton((rows, restitution, offsets), rules.time, moved) {
                    // With several restitutions contacts that hold each other can be asked for more than any impulses give.
                    Err(SimError::Unsolved { .. }) => false,
                    result => result.map(|()| true)?,
                };
            }
            _ => {
                // Contacts that hold each other can be asked to turn round what no impulses do.
                solved = match self.by_poisson((rows, restitution, offsets), rules.time, moved) {
                    Err(SimError::Unsolved { .. }) if sideways => false,
                    result => result.map(|()| true)?,
                };
                first = i32::from(solved);
            }
        }
        let mut given_back = None;
        for halving in first..=HALVINGS {
            if solved && !before.gained(&chosen, offsets, moved) {
                break;
            }
            let share = if halving == HALVINGS { 0.0 } else { 0.5_f64.powi(halving) };
            given_back = Some(share);
            // What had no impulses has them once nothing is turned round.
            let turns = solved && sideways;
            let kept = |k: u32| if turns || !is_friction(&rows[k as usize]) { share } else { 0.0 };
            let less: Vec<f64> = chosen.iter().zip(restitution).map(|(&k, e)| kept(k) * e).collect();
            before.restore(&chosen, moved);
            self.chosen.clone_from(&chosen);
            self.refresh(rows, offsets, moved.bodies);
            solved = match self.by_poisson((rows, &less, offsets), rules.time, moved) {
                Err(SimError::Unsolved { .. }) if turns => false,
                result => result.map(|()| true)?,
            };
        }
        let hit = before.fastest(&chosen, rows);
        self.reduced.extend(given_back.zip(hit).map(|(share, row)| Reduced { row, share }));
        Ok(())
    }

    /// Newton's law: `0 ≤ u_n⁺ + e u_n⁻ ⊥ p_n ≥ 0`, with Coulomb's law on the tangential velocity at the end, or on
    /// `u_t⁺ + e_t u_t⁻` with a tangential restitution `e_t`.
    fn by_newton(
        &mut self,
        (rows, restitution, offsets): Rough<'_>,
        time: f64,
        moved: &mut Moved<'_>,
    ) -> Result<(), SimError> {
        let back = |k: u32, e: f64| match rows[k as usize].kind {
            RowKind::Unilateral | RowKind::Friction { .. } => 1.0 + e,
            _ => 1.0,
        };
        let Self { bias, chosen, rates, .. } = self;
        bias.clear();
        bias.extend(chosen.iter().zip(restitution).map(|(&k, &e)| back(k, e) * rates[k as usize]));
        let Moved { bodies, masses, solver, lcp, impulses } = moved;
        self.apply(rows, (bodies, masses), time, (solver, lcp), impulses)?;
        self.refresh(rows, offsets, bodies);
        Ok(())
    }

    /// Poisson's law: expansion gives back `e` times the impulse of compression, each with Coulomb's law on the tangential
    /// velocity at its end \[Glocker, Pfeiffer 1995\]; with a tangential restitution `e_t` the expansion has it on `u_t⁺ + e_t u_t⁻`, so that
    /// friction gives back that share of the sliding speed as far as it holds.
    fn by_poisson(
        &mut self,
        (rows, restitution, offsets): Rough<'_>,
        time: f64,
        moved: &mut Moved<'_>,
    ) -> Result<(), SimError> {
        let Moved { bodies, masses, solver, lcp, impulses } = moved;
        self.bias.clear();
        self.bias.extend(self.chosen.iter().map(|&k| self.rates[k as usize]));
        let turned: Vec<(u32, f64)> = (self.chosen.iter().zip(restitution))
            .filter(|&(&k, &e)| is_friction(&rows[k as usize]) && e > 0.0)
            .map(|(&k, &e)| (k, e * self.rates[k as usize]))
            .collect();
        self.apply(rows, (&mut *bodies, masses), time, (&mut *solver, &mut *lcp), impulses)?;
        self.refresh(rows, offsets, bodies);
        let compression = std::mem::take(&mut self.answer);
        let given = |k: usize| match rows[self.chosen[k] as usize].kind {
            RowKind::Unilateral => restitution[k] * compression[k].max(0.0),
            _ => 0.0,
        };
        let given: Vec<f64> = (0..self.chosen.len()).map(given).collect();
        if given.iter().all(|p| *p == 0.0) {
            return Ok(());
        }
        for (&k, &p) in self.chosen.iter().zip(&given) {
            impulses[k as usize] += p;
            push(&rows[k as usize].row, p, masses, bodies);
        }
        self.refresh(rows, offsets, bodies);
        self.take_part(rows);
        // The bound of friction is the sum of two: of what is given, and of what more the contact needs.
        for at in 0..self.part.len() {
            if let RowKind::Friction { normal, mu } = self.part[at].kind {
                let most = mu * given[normal];
                self.part.push(Row { kind: RowKind::Boxed { lo: -most, hi: most }, ..self.part[at] });
                self.chosen.push(self.chosen[at]);
            }
        }
        self.bias.clear();
        self.bias.extend(self.chosen.iter().map(|&k| self.rates[k as usize]));
        for (bias, k) in self.bias.iter_mut().zip(&self.chosen) {
            // With none it stays what it is, to the last bit.
            if let Some((_, more)) = turned.iter().find(|(friction, _)| friction == k) {
                *bias += more;
            }
        }
        self.solve_part(rows, (bodies, masses), time, (solver, lcp), impulses)?;
        self.refresh(rows, offsets, bodies);
        Ok(())
    }
}

fn is_friction(row: &Row) -> bool {
    matches!(row.kind, RowKind::Friction { .. })
}

/// How things were before an impact.
struct Before {
    /// Bodies of the chosen rows as they were.
    bodies: Vec<(usize, CollisionBody)>,
    /// Rate and impulse of each chosen row.
    rows: Vec<(f64, f64)>,
}

impl Before {
    fn of(chosen: &[u32], rows: &[Row], rates: &[f64], moved: &Moved<'_>) -> Self {
        let ends = chosen.iter().flat_map(|&k| rows[k as usize].row.bodies);
        let mut places: Vec<usize> = ends.filter_map(|body| body.index()).collect();
        places.order();
        places.dedup();
        Self {
            bodies: places.into_iter().map(|place| (place, moved.bodies[place].clone())).collect(),
            rows: chosen.iter().map(|&k| (rates[k as usize], moved.impulses[k as usize])).collect(),
        }
    }

    /// Whether the impact has given its bodies energy, `Σ m (v + ½ Δv)·Δv`, beyond what surfaces that are driven did. What its impulses
    /// exchange would not tell: where contacts nearly contradict each other they are so large that what is left of their work is lost
    /// in their rounding.
    fn gained(&self, chosen: &[u32], offsets: &[f64], moved: &Moved<'_>) -> bool {
        let (mut work, mut size) = (0.0, 0.0);
        for (&k, (_, known)) in chosen.iter().zip(&self.rows) {
            let part = (moved.impulses[k as usize] - known) * offsets[k as usize];
            work += part;
            size += part.abs();
        }
        for (place, before) in &self.bodies {
            let (mass, now) = (moved.masses[*place], &moved.bodies[*place]);
            let (v, dv) = (before.velocity, now.velocity - before.velocity);
            let (spin, turn) = (before.angular_velocity, now.angular_velocity - before.angular_velocity);
            let parts = [(mass.linear, v.x, dv.x), (mass.linear, v.y, dv.y), (mass.angular, spin, turn)];
            for (inverse, v, dv) in parts.into_iter().filter(|(inverse, ..)| *inverse > 0.0) {
                work += (v + 0.5 * dv) * dv / inverse;
                // What is turned round exactly leaves nothing but the rounding of both.
                size += (v.abs() + 0.5 * dv.abs()) * dv.abs() / inverse;
            }
        }
        work > ROUNDING * size
    }

    /// The contact that approached fastest.
    fn fastest(&self, chosen: &[u32], rows: &[Row]) -> Option<usize> {
        let own = chosen.iter().zip(&self.rows).map(|(&k, &(rate, _))| (k as usize, rate));
        let contacts = own.filter(|&(k, _)| rows[k].kind == RowKind::Unilateral);
        contacts.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
    }

    fn restore(&self, chosen: &[u32], moved: &mut Moved<'_>) {
        for (place, body) in &self.bodies {
            moved.bodies[*place].velocity = body.velocity;
            moved.bodies[*place].angular_velocity = body.angular_velocity;
        }
        for (&k, &(_, known)) in chosen.iter().zip(&self.rows) {
            moved.impulses[k as usize] = known;
        }
    }
}

impl SingleContact {
    /// The one contact that the chosen rows are of, with its friction; `None` where there is more.
    fn among(chosen: &[u32], rows: &[Row], masses: &[InverseMass]) -> Option<Self> {
        let &[n, t] = chosen else { return None };
        let (n, t) = (n as usize, t as usize);
        let RowKind::Friction { normal, mu } = rows[t].kind else { return None };
        let own = |i: usize, j: usize| coupling(&rows[i].row, &rows[j].row, masses);
        let matrix = [own(n, n), own(n, t), own(t, t)];
        (normal == n && rows[n].kind == RowKind::Unilateral && Self::is_regular(matrix)).then_some(Self {
            rows: [n, t],
            matrix,
            mu,
        })
    }
}

#[cfg(test)]
mod tests;
