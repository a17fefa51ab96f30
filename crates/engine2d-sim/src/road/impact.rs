//! Impacts: impulses that turn approaching into parting velocities.
//!
//! What two bodies share is one impact: their contacts, solved together with the joints that hang on them by Newton's law
//! in Moreau's form, `0 ≤ u⁺ + e u⁻ ⊥ p ≥ 0`, which never gains energy for one `e`. Pairs follow each other, the fastest
//! approach first, as a wave runs through bodies that touch (\[Ivanov 1995\]; Newton's cradle). What rests against each
//! other without bounce is resolved at once. Impacts with friction follow one of the laws in [`rough`].

mod rough;
mod routh;

use super::multipliers::{Multipliers, Task, root};
use super::row::{Row, push, rate_of};
use crate::error::SimError;
use crate::impact_law::ImpactLaw;
use crate::lcp::LcpDriver;
use crate::spans;
use engine2d_constraint::{InverseMass, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody};

/// Approaching slower than this is none (length/time, relative to the fastest row of the cluster).
const STILL: f64 = 1e-12;

/// Impacts per row after which what is left is resolved at once: waves in large clusters end long before.
const ROUNDS: usize = 64;

/// How impacts are resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactRules {
    /// All rows are one impact.
    pub(crate) simultaneous: bool,
    /// Speed below which an approach with restitution below 1 ends in rest (length/time).
    pub(crate) rest_speed: f64,
    /// The law of impacts with friction.
    pub(crate) law: ImpactLaw,
    pub(crate) time: f64,
}

/// What an impact moves, and what it is solved with.
struct Moved<'a> {
    bodies: &'a mut [CollisionBody],
    masses: &'a [InverseMass],
    solver: &'a mut Multipliers,
    lcp: &'a mut LcpDriver,
    /// Of all rows.
    impulses: &'a mut [f64],
}

/// Scratch of impacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impacts {
    /// Component by joints of each body.
    component: Vec<u32>,
    chosen: Vec<u32>,
    part: Vec<Row>,
    bias: Vec<f64>,
    pressing: Vec<bool>,
    answer: Vec<f64>,
    rates: Vec<f64>,
    /// Restitution that was not given back in full lest energy be gained.
    pub(crate) reduced: Vec<Reduced>,
}

/// An impact resolved by Poisson's law with less restitution, because it would have gained energy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduced {
    /// Place of the row of its fastest approach.
    pub(crate) row: usize,
    /// Share of the restitution that was given back.
    pub(crate) share: f64,
}

impl Impacts {
    /// Resolves the impacts of `rows` and moves the velocities of the bodies; `impulses` gets one for each row. Returns
    /// how many impacts there were.
    pub(crate) fn resolve(
        &mut self,
        (rows, restitution): (&[Row], &[f64]),
        (bodies, masses): (&mut [CollisionBody], &[InverseMass]),
        rules: ImpactRules,
        solver: &mut Multipliers,
        lcp: &mut LcpDriver,
        impulses: &mut Vec<f64>,
    ) -> Result<u64, SimError> {
        let span = spans::impact(rules.time, rows.len());
        let _inside = span.enter();
        self.reduced.clear();
        impulses.clear();
        impulses.resize(rows.len(), 0.0);
        self.join(rows, masses);
        let offsets: Vec<f64> = rows.iter().map(|r| r.rate - rate_of(&r.row, bodies)).collect();
        self.rates.clear();
        self.rates.extend(rows.iter().map(|r| r.rate));
        let fastest = self.rates.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        let still = STILL * fastest;
        let mut count = 0;
        let bouncing = |k: usize, u: f64| {
            let e = restitution[k];
            if e < 1.0 && -u < rules.rest_speed { 0.0 } else { e }
        };
        // Without restitution all contacts are one problem; a single one goes through its phases by what law it may.
        let contacts = rows.iter().filter(|row| row.kind.normal().is_none()).count();
        let by_phases = contacts == 1 && rules.law != ImpactLaw::Poisson;
        for _ in 0..ROUNDS * rows.len() {
            let focus = (0..rows.len())
                .filter(|&k| {
                    !rows[k].is_bilateral()
                        && rows[k].kind.normal().is_none()
                        && self.rates[k] < -still
                        && (by_phases || bouncing(k, self.rates[k]) > 0.0)
                })
                .min_by(|&a, &b| self.rates[a].total_cmp(&self.rates[b]));
            let Some(focus) = focus else { break };
            let pair = sorted(rows[focus].row.bodies);
            let e = bouncing(focus, self.rates[focus]);
            self.choose(rows, pair, rules.simultaneous);
            if self.chosen.iter().any(|&k| rows[k as usize].kind.normal().is_some()) {
                let e = |k: usize| match rows[k].kind {
                    // Friction turns sliding round where its contact bounces.
                    RowKind::Friction { normal, .. } => {
                        let bounces =
                            bouncing(normal, self.rates[normal]) > 0.0 && self.rates[normal] < -still;
                        if bounces { restitution[k] } else { 0.0 }
                    }
                    _ if rules.simultaneous => bouncing(k, self.rates[k]),
                    _ => e,
                };
                let given: Vec<f64> = self.chosen.iter().map(|&k| e(k as usize)).collect();
                let mut moved = Moved { bodies, masses, solver, lcp, impulses };
                self.by_law(rules, (rows, &given, &offsets), &mut moved)?;
                count += 1;
                if rules.simultaneous {
                    break;
                }
                continue;
            }
            self.bias.clear();
            for &k in &self.chosen {
                let e = if rules.simultaneous { bouncing(k as usize, self.rates[k as usize]) } else { e };
                let e = if rows[k as usize].is_bilateral() { 0.0 } else { e };
                self.bias.push((1.0 + e) * self.rates[k as usize]);
            }
            self.apply(rows, (bodies, masses), rules.time, (solver, lcp), impulses)?;
            self.refresh(rows, &offsets, bodies);
            count += 1;
            if rules.simultaneous {
                break;
            }
        }
        let left = (0..rows.len()).any(|k| {
            let u = self.rates[k];
            match rows[k].kind {
                RowKind::Bilateral => u.abs() > still,
                RowKind::Friction { .. } => false,
                _ => u < 0.0,
            }
        });
        if left {
            self.chosen.clear();
            self.chosen.extend(0..rows.len() as u32);
            self.bias.clone_from(&self.rates);
            self.apply(rows, (bodies, masses), rules.time, (solver, lcp), impulses)?;
            count += 1;
        }
        span.record("impulses", count);
        span.record("status", "done");
        Ok(count)
    }

    /// Joins bodies that bilateral rows connect.
    fn join(&mut self, rows: &[Row], masses: &[InverseMass]) {
        self.component.resize(masses.len(), 0);
        let taking_part = || rows.iter().flat_map(|row| row.row.bodies).filter_map(BodyRef::index);
        taking_part().for_each(|body| self.component[body] = body as u32);
        let component = &mut self.component;
        for row in rows.iter().filter(|r| r.is_bilateral()) {
            let [a, b] = row.row.bodies.map(|b| b.index().filter(|&i| masses[i].is_movable()));
            if let (Some(a), Some(b)) = (a, b) {
                let (a, b) = (root(component, a as u32), root(component, b as u32));
                component[a.max(b) as usize] = a.min(b);
            }
        }
        for body in taking_part() {
            component[body] = root(component, body as u32);
        }
    }

    /// The rows of one impact: those between the two bodies, and the joints that hang on either.
    fn choose(&mut self, rows: &[Row], pair: [BodyRef; 2], all: bool) {
        let home = |b: BodyRef| b.index().map(|i| self.component[i]);
        let homes = pair.map(home);
        self.chosen.clear();
        for (k, row) in rows.iter().enumerate() {
            let belongs = if row.is_bilateral() {
                row.row.bodies.iter().any(|&b| home(b).is_some() && homes.contains(&home(b)))
            } else {
                sorted(row.row.bodies) == pair
            };
            if all || belongs {
                self.chosen.push(k as u32);
            }
        }
    }

    fn apply(
        &mut self,
        rows: &[Row],
        (bodies, masses): (&mut [CollisionBody], &[InverseMass]),
        time: f64,
        (solver, lcp): (&mut Multipliers, &mut LcpDriver),
        impulses: &mut [f64],
    ) -> Result<(), SimError> {
        self.take_part(rows);
        self.solve_part(rows, (bodies, masses), time, (solver, lcp), impulses)
    }

    /// The chosen rows; those of friction follow their contacts to the new places.
    fn take_part(&mut self, rows: &[Row]) {
        let Self { part, chosen, .. } = self;
        part.clear();
        part.extend(chosen.iter().map(|&k| {
            let row = rows[k as usize];
            let kind = match row.kind {
                RowKind::Friction { normal, mu } => {
                    let place = chosen.binary_search(&(normal as u32));
                    RowKind::Friction { normal: place.expect("a contact with its friction"), mu }
                }
                other => other,
            };
            Row { kind, ..row }
        }));
    }

    /// Finds the impulses of the rows taken, and moves the velocities by them.
    fn solve_part(
        &mut self,
        rows: &[Row],
        (bodies, masses): (&mut [CollisionBody], &[InverseMass]),
        time: f64,
        (solver, lcp): (&mut Multipliers, &mut LcpDriver),
        impulses: &mut [f64],
    ) -> Result<(), SimError> {
        self.pressing.clear();
        self.pressing.extend(self.bias.iter().map(|b| *b < 0.0));
        let task = Task { what: "impulses", time, rows: &self.part, masses, bias: &self.bias };
        solver.solve(&task, lcp, &mut self.pressing, &mut self.answer)?;
        for (&k, &p) in self.chosen.iter().zip(&self.answer) {
            if p != 0.0 {
                impulses[k as usize] += p;
                push(&rows[k as usize].row, p, masses, bodies);
            }
        }
        Ok(())
    }

    fn refresh(&mut self, rows: &[Row], offsets: &[f64], bodies: &[CollisionBody]) {
        self.rates.clear();
        self.rates.extend(rows.iter().zip(offsets).map(|(r, offset)| rate_of(&r.row, bodies) + offset));
    }
}

fn sorted([a, b]: [BodyRef; 2]) -> [BodyRef; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
