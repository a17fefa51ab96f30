//! Joints of the iterative solver: all at once by elimination, limits and motors with them as long as their impulses are within
//! their bounds; springs row by row.

use super::super::known::{Known as StepKnown, KnownRows};
use super::super::memory::Memory;
use super::motion::Motion;
use super::pins::Pins;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Direct, Known, Road, Row, Source, look, responses};
use crate::state::State;
use engine2d_constraint::{InverseMass, RowKind, coupling};
use engine2d_geometry::BodyRef;
use engine2d_lcp::Set;
use engine2d_math::order::Order;

/// How often limits and motors are found to be at their bounds, or off them, before the answer is taken as it is.
const ROUNDS: usize = 6;

/// Rate up to which a limit that does not press counts as kept (length or radians per time).
const KEPT: f64 = 1e-12;

/// A row whose impulse has bounds, or that springs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    pub(super) row: Row,
    /// Rate that is demanded.
    pub(super) speed: f64,
    /// Added to the rate where positions are looked at; compliance beside it.
    bias: f64,
    compliance: f64,
    /// Rate per impulse.
    inverse_mass: f64,
    impulse: f64,
    limits: [f64; 2],
    /// Place among the rows that are solved together, and whether it is solved with them now.
    pub(super) place: u32,
    holds: bool,
    /// Rate below which it is left to throw back while it is open, and the impulse with which it did.
    pub(super) spared: f64,
    pub(super) struck: f64,
}

impl Single {
    /// What the rate is short of.
    fn missing(&self, motions: &[Motion], bias: bool) -> f64 {
        let open = self.row.kind == RowKind::Unilateral && self.row.error > 0.0;
        // What is open may close; the rest is put back in the pass with bias only.
        let wanted = if bias || open { self.bias } else { 0.0 };
        self.speed - rate_of(&self.row, motions) - wanted
    }

    /// Whether it is left to throw back.
    fn is_spared(&self, motions: &[Motion]) -> bool {
        self.row.error > 0.0 && rate_of(&self.row, motions) - self.speed < self.spared
    }
}

/// The rows of joints in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    pub(super) singles: Vec<Single>,
    /// Impulses of the single rows in the substep before, sorted by source.
    known: Vec<(Source, f64)>,
    /// The rows that are solved together: those that always hold, then those with bounds.
    pub(super) rows: Vec<Row>,
    /// Demanded rates of those that always hold.
    pub(super) speeds: Vec<f64>,
    pub(super) active: Vec<u32>,
    /// The rows that the factor in use is of; none if they were gathered anew.
    pub(super) factored: Vec<u32>,
    rates: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    /// Sum of the impulses of each row over the step.
    pub(super) totals: Vec<(Source, f64)>,
    pub(super) sums: Vec<f64>,
    /// Whether the rows are, one by one, those of the substep before.
    same: bool,
}

impl Joints {
    /// Takes up what the last step knew, of which a substep has the given share.
    pub(super) fn prepare(&mut self, memory: &Memory, share: f64) {
        self.known.clear();
        self.known.extend(memory.rows.iter().map(|known| (known.source, share * known.impulse)));
        self.known.order_distinct_by_key(|known| known.0);
        self.singles.clear();
        self.rows.clear();
        self.speeds.clear();
        self.totals.clear();
    }

    /// Gathers the rows at the present state, for a substep of length `h`.
    pub(super) fn look(
        &mut self,
        model: &Model,
        state: &mut State,
        road: &mut Road,
        h: f64,
    ) -> Result<(), SimError> {
        self.note();
        self.same = false;
        look(model, state, road)?;
        let masses = &model.masses[..];
        self.singles.clear();
        self.rows.clear();
        self.factored.clear();
        self.speeds.clear();
        // The state has the velocities before forces; what is demanded of the rate does not depend on them.
        let speed = |row: &Row| crate::road::rate_of(&row.row, &state.bodies) - row.rate;
        let acting = road.rows.acting.iter();
        self.rows.extend(acting.clone().filter(|row| row.is_bilateral()));
        self.speeds.extend(self.rows.iter().map(speed));
        for row in acting.filter(|row| !row.is_bilateral()).chain(&road.rows.open) {
            let place = self.rows.len() as u32;
            self.singles.push(Single { place, ..self.single(row, speed(row), masses, h) });
            self.rows.push(*row);
        }
        for known in &road.rows.known {
            let single = self.spring(known, masses, h);
            self.singles.extend(single);
        }
        self.sums.clear();
        self.sums.resize(self.speeds.len(), 0.0);
        Ok(())
    }

    /// Takes the rows of pins that are all the joints there are, whose places are known; `again` if they were taken in this step.
    pub(super) fn look_at(&mut self, pins: &Pins, again: bool, time: f64) -> Result<(), SimError> {
        self.same = again;
        self.factored.clear();
        pins.write(&mut self.rows, time)?;
        for values in [&mut self.speeds, &mut self.sums] {
            values.clear();
            values.resize(self.rows.len(), 0.0);
        }
        Ok(())
    }

    fn single(&self, row: &Row, speed: f64, masses: &[InverseMass], h: f64) -> Single {
        let limits = match row.kind {
            RowKind::Boxed { lo, hi } => [h * lo, h * hi],
            RowKind::Unilateral => [0.0, f64::INFINITY],
            _ => [f64::NEG_INFINITY, f64::INFINITY],
        };
        let bias = if row.holonomic { row.error / h } else { 0.0 };
        let inverse_mass = coupling(&row.row, &row.row, masses);
        let impulse = self.known_impulse(row.source).clamp(limits[0], limits[1]);
        Single {
            row: *row,
            speed,
            bias,
            compliance: 0.0,
            inverse_mass,
            impulse,
            limits,
            place: 0,
            holds: false,
            spared: f64::NEG_INFINITY,
            struck: 0.0,
        }
    }

    /// A spring as the implicit step has it: `J v⁺ + γ λ + h k x γ = 0` with `γ = 1/(h (h k + c))`.
    fn spring(&self, known: &Known, masses: &[InverseMass], h: f64) -> Option<Single> {
        if known.spring.is_rigid() {
            return None;
        }
        let row = known.row;
        let (k, c) = (1.0 / known.spring.compliance, known.spring.damping);
        let compliance = 1.0 / (h * (h * k + c));
        let elastic = -known.multiplier - c * row.rate;
        let impulse = self.known_impulse(row.source);
        let limits = [f64::NEG_INFINITY, f64::INFINITY];
        let bias = h * elastic * compliance;
        let (place, speed) = (u32::MAX, 0.0);
        let plain = Single { limits, place, ..self.single(&row, speed, masses, h) };
        Some(Single { bias, compliance, impulse, ..plain })
    }

    fn known_impulse(&self, source: Source) -> f64 {
        self.known.binary_search_by_key(&source, |known| known.0).map_or(0.0, |k| self.known[k].1)
    }

    /// Notes the impulses of a substep that is done.
    fn note(&mut self) {
        if self.singles.is_empty() {
            return;
        }
        self.known.clear();
        self.known.extend(self.singles.iter().map(|single| (single.row.source, single.impulse)));
        self.known.order_distinct_by_key(|known| known.0);
    }

    pub(super) fn warm_start(&self, motions: &mut [Motion], masses: &[InverseMass]) {
        for single in &self.singles {
            push(&single.row, single.impulse, masses, motions);
        }
    }

    /// One sweep over the springs.
    pub(super) fn sweep(&mut self, motions: &mut [Motion], masses: &[InverseMass]) {
        for single in self.singles.iter_mut().filter(|single| single.compliance > 0.0) {
            let rate = rate_of(&single.row, motions) + single.bias + single.compliance * single.impulse;
            let more = -rate / (single.inverse_mass + single.compliance);
            push(&single.row, more, masses, motions);
            single.impulse += more;
        }
    }

    /// All rows but springs at once: those with bounds are tried as if they had none, and those found beyond are left at them.
    pub(super) fn hold(
        &mut self,
        direct: &mut Direct,
        motions: &mut [Motion],
        masses: &[InverseMass],
        (h, bias): (f64, bool),
    ) {
        if self.rows.is_empty() {
            return;
        }
        let Self { singles, rows, speeds, active, factored, rates, rhs, multipliers, sums, .. } = self;
        let bounded = |single: &&mut Single| single.compliance == 0.0;
        for single in singles.iter_mut().filter(bounded) {
            let unilateral = single.row.kind == RowKind::Unilateral;
            let presses = single.impulse > 0.0 || single.missing(motions, bias) > 0.0;
            single.holds = !unilateral || (presses && !single.is_spared(motions));
        }
        for round in 0..ROUNDS {
            active.clear();
            active.extend(0..speeds.len() as u32);
            active.extend(singles.iter().filter(|single| single.holds).map(|single| single.place));
            if active.is_empty() {
                break;
            }
            // The rows are those of the substep in both of its passes.
            if factored != active {
                if !direct.factor(rows, active, masses) {
                    factored.clear();
                    break;
                }
                factored.clone_from(active);
            }
            let wanted = |k: usize| {
                let row = &rows[k];
                let back = if bias && row.holonomic { row.error / h } else { 0.0 };
                speeds[k] - back
            };
            if singles.is_empty() {
                direct.drive(wanted, |k| motions[k].v, multipliers);
            } else {
                direct.rates(|k| motions[k].v, rates);
                rhs.clear();
                rhs.extend((0..speeds.len()).map(|k| wanted(k) - rates[k]));
                let held = singles.iter().filter(|single| single.holds);
                rhs.extend(held.map(|single| single.missing(motions, bias)));
                direct.answer(rhs, multipliers);
            }
            let mut beyond = false;
            let answers = &multipliers[speeds.len()..];
            for (single, &more) in singles.iter_mut().filter(|single| single.holds).zip(answers) {
                let ([low, high], next) = (single.limits, single.impulse + more);
                if round + 1 < ROUNDS && !(low..=high).contains(&next) {
                    let bound = next.clamp(low, high);
                    push(&single.row, bound - single.impulse, masses, motions);
                    (single.impulse, single.holds, beyond) = (bound, false, true);
                }
            }
            if beyond {
                continue;
            }
            direct.apply(multipliers, speeds.len(), |k, change| {
                let v = &mut motions[k].v;
                *v = [v[0] + change[0], v[1] + change[1], v[2] + change[2]];
            });
            sums.iter_mut().zip(multipliers.iter()).for_each(|(sum, impulse)| *sum += impulse);
            for (single, &more) in singles.iter_mut().filter(|single| single.holds).zip(answers) {
                let next = (single.impulse + more).clamp(single.limits[0], single.limits[1]);
                push(&single.row, next - single.impulse, masses, motions);
                single.impulse = next;
            }
            let mut again = false;
            for single in singles.iter_mut().filter(bounded).filter(|single| !single.holds) {
                let missing = single.missing(motions, bias);
                let back = (missing > KEPT && single.impulse < single.limits[1])
                    || (missing < -KEPT && single.impulse > single.limits[0]);
                if back && !single.is_spared(motions) {
                    (single.holds, again) = (true, true);
                }
            }
            if !again {
                break;
            }
        }
    }

    /// Marks the bodies of so many that a row of a joint is of.
    pub(super) fn mark(&self, bodies: usize, linked: &mut Vec<bool>) {
        linked.clear();
        linked.resize(bodies, false);
        let rows = self.rows.iter().chain(self.singles.iter().map(|single| &single.row));
        rows.flat_map(|row| row.row.bodies).filter_map(BodyRef::index).for_each(|k| linked[k] = true);
    }

    /// Adds to changes of the velocities what the rows that always hold make of them, which keep their rates; whether they can.
    pub(super) fn keep_rates(
        &mut self,
        direct: &mut Direct,
        masses: &[InverseMass],
        changes: &mut [[f64; 3]],
    ) -> bool {
        let Self { rows, speeds, active, factored, multipliers, .. } = self;
        active.clear();
        active.extend(0..speeds.len() as u32);
        if factored != active {
            factored.clear();
            if !direct.factor(rows, active, masses) {
                return false;
            }
            factored.clone_from(active);
        }
        direct.drive(|_| 0.0, |k| changes[k], multipliers);
        direct.apply(multipliers, speeds.len(), |k, change| {
            changes[k] = std::array::from_fn(|i| changes[k][i] + change[i]);
        });
        true
    }

    /// Adds so many times what was found last to the impulses of the substep.
    pub(super) fn book_blow(&mut self, units: f64) {
        self.sums.iter_mut().zip(&self.multipliers).for_each(|(sum, impulse)| *sum += units * impulse);
    }

    /// Adds the impulses of a substep to those of the step.
    pub(super) fn book(&mut self) {
        let Self { rows, singles, sums, totals, same, .. } = self;
        if *same && totals.len() == sums.len() {
            totals.iter_mut().zip(sums).for_each(|(total, sum)| total.1 += std::mem::take(sum));
            return;
        }
        let held = rows.iter().zip(sums).map(|(row, sum)| (row.source, std::mem::take(sum)));
        let singles = singles.iter().map(|single| (single.row.source, single.impulse + single.struck));
        if totals.is_empty() {
            totals.extend(held.chain(singles));
            return;
        }
        for (k, (source, impulse)) in held.chain(singles).enumerate() {
            // The rows of substeps are the same, but where a limit is met.
            match place_of(totals, source, k) {
                Some(place) => totals[place].1 += impulse,
                None => totals.push((source, impulse)),
            }
        }
    }

    /// The rows of the last substep, each with the sum of its impulses over the step.
    pub(super) fn told(&self) -> impl Iterator<Item = (Row, f64)> + '_ {
        let held = self.rows[..self.speeds.len()].iter();
        let rows = held.chain(self.singles.iter().map(|single| &single.row));
        let total =
            |k: usize, source| place_of(&self.totals, source, k).map_or(0.0, |place| self.totals[place].1);
        rows.enumerate().map(move |(k, row)| (*row, total(k, row.source)))
    }

    /// The impulses of the last substep of rows that are solved by themselves, for a whole step, sorted by source.
    pub(super) fn keep(&self, share: f64, out: &mut KnownRows) {
        out.set(self.singles.iter().map(|single| StepKnown {
            source: single.row.source,
            impulse: single.impulse / share,
            set: Set::Untreated,
            closed: false,
        }));
    }
}

/// Place of a source in a list, most likely `k`.
fn place_of(totals: &[(Source, f64)], source: Source, k: usize) -> Option<usize> {
    let is = |known: &(Source, f64)| known.0 == source;
    if totals.get(k).is_some_and(is) { Some(k) } else { totals.iter().position(is) }
}

pub(super) fn rate_of(row: &Row, motions: &[Motion]) -> f64 {
    let ends = row.row.bodies.iter().zip(&row.row.jacobian);
    ends.filter_map(|(body, j)| {
        let v = &motions[body.index()?].v;
        Some(j[0] * v[0] + j[1] * v[1] + j[2] * v[2])
    })
    .sum()
}

fn push(row: &Row, impulse: f64, masses: &[InverseMass], motions: &mut [Motion]) {
    if impulse != 0.0 {
        for (index, linear, angular) in responses(&row.row, impulse, masses) {
            let v = &mut motions[index].v;
            *v = [v[0] + linear.x, v[1] + linear.y, v[2] + angular];
        }
    }
}
