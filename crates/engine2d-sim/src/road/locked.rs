//! Joints that lock a linkage in a position in which they cannot bear a load on it: bars in one line between two pins.
//!
//! **Problem.** In a singular position rows depend on each other, `Jᵀ y = 0`: tensions `y` that balance themselves. To first order the
//! bodies are free along each `d` with `J d = 0`; to second order that opens the rows by `½ dᵀ H d`, `H = ∂(Jᵀ y)/∂q`. Where `H` is
//! nowhere negative on all these `d`, none with `dᵀ H d > 0` leads on to a motion, and what pushes along it is held by nothing but
//! forces that grow as `1/sag` without bound \[Connelly, Whiteley 1996\].
//! **Method.** For each row that depends on others the `y` of the elimination, and `dᵀ H d = yᵀ J̇ d` by the biases of the rows at the
//! velocities `d`: those that bodies at rest would take up, and those they have. If it is not zero, whether `H` is nowhere negative: a
//! linkage at the position where another branch of motion begins goes on. **Failure.** Rows that are driven, and tensions through more
//! than [`LARGEST`] bodies, are not judged, and of several `y` together only those of the elimination: what they lock is not told.

use super::accelerate::evaluate;
use super::direct::{Direct, add_motion, along};
use super::look::{Road, look};
use super::reach::reach_of;
use super::row::{Row, responses};
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::model::Model;
use crate::state::{PER_BODY, State};
use crate::tolerance::ACCEPTED_VIOLATION;
use crate::work::Work;
use engine2d_constraint::{InverseMass, coupling};
use engine2d_math::Vec2;
use engine2d_math::dense_cholesky::DenseCholesky;
use engine2d_math::kernel::dot;

/// Share of all accelerations that pushes along what is locked from which it is a load: less is what positions written with six digits
/// are off by.
const LOAD: f64 = 1e-5;

/// What is left of a sum, relative to the sizes of its parts, above which rounding has not made it.
const ROUNDED: f64 = 1e-6;

/// What tensions that balance leave of their parts: the root of the share of a row that counts as none, with room.
const BALANCED: f64 = 1e-5;

/// Shift of a body by which `H` is measured, relative to the size of the largest one, and its turn (radians).
const SHIFT: f64 = 1e-5;

/// Negative curvature that is none, relative to the norm of all: what differences leave, with room.
const FLAT: f64 = 1e-6;

/// Most bodies whose `H` is looked at.
const LARGEST: usize = 300;

/// The bodies whose joints lock each other while something pushes against that, if there are any; the state stays as it is.
pub(crate) fn locked(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
) -> Result<Option<Vec<usize>>, SimError> {
    look(model, state, road)?;
    if !road.projector.depend(&road.rows.acting, &Row::is_bilateral, &model.masses) {
        return Ok(None);
    }
    let mut y = Vec::new();
    state.read(&mut y);
    let kept = (state.held.clone(), state.places.clone());
    let told = (work.lcp.conflicts.clone(), work.lcp.statistics);
    let linkage = Linkage::at_rest(model, state, work);
    // Rows that cannot be had a little beside the position tell nothing of it.
    let found =
        linkage.map(|linkage| linkage.and_then(|mut it| it.find(model, state, &y).unwrap_or_default()));
    state.write(&y);
    (state.held, state.places) = kept;
    (work.lcp.conflicts, work.lcp.statistics) = told;
    work.lcp.contradicted = false;
    found
}

/// The bilateral rows of a position.
struct Linkage {
    road: Road,
    direct: Direct,
    rows: Vec<Row>,
    /// The velocities looked at, and what of a bias they must leave to count.
    pushes: Vec<(Vec<[f64; 3]>, f64)>,
}

impl Linkage {
    /// Takes up the rows of the position of `y`, and what pushes there: accelerations from rest, and velocities.
    fn at_rest(model: &Model, state: &mut State, work: &mut Work) -> Result<Option<Self>, SimError> {
        let masses = &model.masses[..];
        let velocities: Vec<[f64; 3]> =
            state.bodies.iter().map(|b| [b.velocity.x, b.velocity.y, b.angular_velocity]).collect();
        let mut linkage = Self {
            road: Road::default(),
            direct: Direct::default(),
            rows: Vec::new(),
            pushes: vec![(velocities, ACCEPTED_VIOLATION)],
        };
        move_by(state, masses, &vec![[0.0; 3]; state.bodies.len()], 1.0);
        let (mut still, mut rates) = (Vec::new(), Vec::new());
        state.read(&mut still);
        let is_known = match evaluate(model, state, &mut linkage.road, work, &still, &mut rates) {
            Ok(()) => true,
            Err(SimError::Unsolved { .. }) => {
                look(model, state, &mut linkage.road)?;
                false
            }
            Err(other) => return Err(other),
        };
        linkage.rows.extend(linkage.road.rows.acting.iter().filter(|row| row.is_bilateral()));
        let all: Vec<u32> = (0..linkage.rows.len() as u32).collect();
        if !linkage.direct.factor(&linkage.rows, &all, masses) {
            return Ok(None);
        }
        if is_known {
            let load = linkage.load(model, state, work, (&still, &rates))?;
            linkage.pushes.extend(load.map(|load| (load, 0.0)));
        }
        Ok(Some(linkage))
    }

    /// The accelerations from rest that the rows without those that depend on others leave, of the rates with all of them; none if they
    /// are no more than rounding of what forces and contacts make.
    fn load(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        (still, rates): (&[f64], &[f64]),
    ) -> Result<Option<Vec<[f64; 3]>>, SimError> {
        let masses = &model.masses[..];
        let mut free = Vec::new();
        free_rates(model, state, work, still, &mut free)?;
        let count = state.bodies.len();
        let (mut load, mut sizes) = (vec![[0.0; 3]; count], vec![[0.0; 3]; count]);
        let own = state.focus.bodies(count).filter(|&k| masses[k].is_movable());
        let accelerations = |rates: &[f64], k: usize| [1, 3, 5].map(|i| rates[1 + PER_BODY * k + i]);
        for k in own.clone() {
            load[k] = accelerations(rates, k);
            sizes[k] = accelerations(&free, k).map(f64::abs);
        }
        let known = self.road.rows.known.iter().map(|known| (&known.row, known.multiplier));
        for (row, force) in known.chain(self.road.forces().filter(|(row, _)| !row.is_bilateral())) {
            for (k, shift, turn) in responses(&row.row, force, masses) {
                let size = &mut sizes[k];
                *size = [size[0] + shift.x.abs(), size[1] + shift.y.abs(), size[2] + turn.abs()];
            }
        }
        let forces: Vec<f64> =
            self.road.forces().filter(|(row, _)| row.is_bilateral()).map(|(_, f)| f).collect();
        let dependent: Vec<usize> = self.direct.dependent().collect();
        for row in dependent {
            let tension = self.tension(row, masses);
            for (other, y) in self.rows.iter().zip(tension) {
                add_motion(&other.row, -forces[row] * y, masses, &mut load);
            }
        }
        let whole = |v: &[[f64; 3]]| own.clone().map(|k| weight(&v[k], masses[k])).sum::<f64>();
        Ok((whole(&load) > LOAD * LOAD * whole(&sizes)).then_some(load))
    }

    fn find(&mut self, model: &Model, state: &mut State, y: &[f64]) -> Result<Option<Vec<usize>>, SimError> {
        let masses = &model.masses[..];
        let dependent: Vec<usize> = self.direct.dependent().collect();
        for (mut push, least) in std::mem::take(&mut self.pushes) {
            self.take_out(&mut push, masses);
            let opening = self.opening(model, state, &push)?;
            for &row in &dependent {
                let mut tension = self.tension(row, masses);
                let parts = || tension.iter().zip(&opening).map(|(y, b)| y * b);
                let (sum, size) = (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>());
                let most = tension.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
                let is_driven = tension
                    .iter()
                    .zip(&self.rows)
                    .any(|(y, r)| *y != 0.0 && (r.rate != 0.0 || r.bias != 0.0));
                if !(sum.abs() > (ROUNDED * size).max(least * most)) || is_driven {
                    continue;
                }
                tension.iter_mut().for_each(|y| *y *= sum.signum());
                let Some(bodies) = self.carriers(&tension, masses, state) else { continue };
                if self.is_nowhere_negative(model, state, y, (&tension, &bodies))? {
                    return Ok(Some(bodies));
                }
            }
        }
        Ok(None)
    }

    /// Takes the rates of the rows out of velocities: what the joints leave of a blow.
    fn take_out(&mut self, velocities: &mut [[f64; 3]], masses: &[InverseMass]) {
        let rates: Vec<f64> = self.rows.iter().map(|row| -along(&row.row, velocities)).collect();
        let mut answer = Vec::new();
        self.direct.answer(&rates, &mut answer);
        for (row, impulse) in self.rows.iter().zip(answer) {
            add_motion(&row.row, impulse, masses, velocities);
        }
    }

    /// `J̇ d` at the velocities `d`: the even part of the biases.
    fn opening(&mut self, model: &Model, state: &mut State, d: &[[f64; 3]]) -> Result<Vec<f64>, SimError> {
        let mut opening = vec![0.0; self.rows.len()];
        for sign in [1.0, -1.0] {
            move_by(state, &model.masses, d, sign);
            look(model, state, &mut self.road)?;
            let rows = self.road.rows.acting.iter().filter(|row| row.is_bilateral());
            opening.iter_mut().zip(rows).for_each(|(sum, row)| *sum += 0.5 * row.bias);
        }
        Ok(opening)
    }

    /// The multipliers, 1 of a dependent row, that change no velocity.
    fn tension(&mut self, row: usize, masses: &[InverseMass]) -> Vec<f64> {
        let of = &self.rows[row].row;
        let coupled: Vec<f64> = self.rows.iter().map(|r| -coupling(&r.row, of, masses)).collect();
        let mut tension = Vec::new();
        self.direct.answer(&coupled, &mut tension);
        tension[row] = 1.0;
        let most = tension.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
        tension.iter_mut().filter(|y| y.abs() <= ROUNDED * ROUNDED * most).for_each(|y| *y = 0.0);
        tension
    }

    /// The movable bodies that a tension goes through, if it balances on each of them and they are not too many.
    fn carriers(&self, tension: &[f64], masses: &[InverseMass], state: &State) -> Option<Vec<usize>> {
        let mut sums = vec![[[0.0; 2]; 3]; masses.len()];
        for (row, y) in self.rows.iter().zip(tension).filter(|(_, y)| **y != 0.0) {
            for (body, j) in row.row.bodies.iter().zip(&row.row.jacobian) {
                let Some(k) = body.index().filter(|&k| masses[k].is_movable()) else { continue };
                for ([sum, size], j) in sums[k].iter_mut().zip(j) {
                    (*sum, *size) = (*sum + y * j, *size + (y * j).abs());
                }
            }
        }
        let rests = |k: usize| {
            let [x, y, turning] = sums[k];
            let force = x[1].max(y[1]);
            let turn = turning[1].max(force * reach_of(&state.bodies[k]));
            x[0].abs().max(y[0].abs()) <= BALANCED * force && turning[0].abs() <= BALANCED * turn
        };
        let carriers: Vec<usize> = (0..sums.len()).filter(|&k| sums[k] != [[0.0; 2]; 3]).collect();
        (carriers.len() <= LARGEST && carriers.iter().all(|&k| rests(k))).then_some(carriers)
    }

    /// Whether `dᵀ H d ≥ 0` for all `d` with `J d = 0`, over the coordinates of the bodies that a tension goes through.
    fn is_nowhere_negative(
        &mut self,
        model: &Model,
        state: &mut State,
        y: &[f64],
        (tension, bodies): (&[f64], &[usize]),
    ) -> Result<bool, SimError> {
        let n = 3 * bodies.len();
        let size = bodies.iter().map(|&k| reach_of(&state.bodies[k])).fold(0.0, f64::max);
        // Coordinates in which all masses are 1.
        let roots: Vec<f64> = bodies.iter().flat_map(|&k| roots(model.masses[k])).collect();
        let (mut free, mut curved) = (vec![0.0; n * n], vec![0.0; n * n]);
        let (mut shifted, mut answer) = (y.to_vec(), Vec::new());
        for (at, &body) in bodies.iter().enumerate() {
            let Some(slot) = state.focus.slot(body) else { return Ok(false) };
            for c in 0..3 {
                let column = 3 * at + c;
                let of_column = n * column..n * (column + 1);
                let rates: Vec<f64> = self.rows.iter().map(|r| roots[column] * entry(r, body, c)).collect();
                self.direct.answer(&rates, &mut answer);
                let projected = &mut free[of_column.clone()];
                sum_up(&self.rows, &answer, bodies, |i, force| projected[i] -= roots[i] * force);
                projected[column] += 1.0;
                let shift = if c == 2 { SHIFT } else { SHIFT * size };
                let variable = 1 + PER_BODY * slot + 2 * c;
                for shift in [shift, -shift] {
                    shifted[variable] = y[variable] + shift;
                    state.write(&shifted);
                    look(model, state, &mut self.road)?;
                    let factor = 0.5 * roots[column] / shift;
                    let bent = &mut curved[of_column.clone()];
                    let rows = self.road.rows.acting.iter().filter(|row| row.is_bilateral());
                    sum_up(rows, tension, bodies, |i, force| bent[i] += factor * roots[i] * force);
                }
                shifted[variable] = y[variable];
            }
        }
        state.write(y);
        Ok(is_semidefinite(n, &free, &curved))
    }
}

/// Whether `P H P` has no negative eigenvalue, of `P` and `H` of `n` rows, of which the second is symmetric but for rounding.
fn is_semidefinite(n: usize, p: &[f64], h: &[f64]) -> bool {
    let row = |i: usize| n * i..n * (i + 1);
    let symmetric: Vec<f64> = (0..n * n).map(|at| 0.5 * (h[at] + h[at % n * n + at / n])).collect();
    let product = |a: &[f64], b: &[f64], at: usize| dot(&a[row(at / n)], &b[row(at % n)]);
    let half: Vec<f64> = (0..n * n).map(|at| product(p, &symmetric, at)).collect();
    let mut cholesky = DenseCholesky::new();
    let matrix = cholesky.load(n);
    (0..n * n).for_each(|at| matrix[at] = product(&half, p, at));
    let norm = matrix.iter().map(|v| v * v).sum::<f64>().sqrt();
    (0..n).for_each(|i| matrix[i * (n + 1)] += FLAT * norm);
    cholesky.factor()
}

/// The roots of the inverse masses of a body's coordinates.
fn roots(mass: InverseMass) -> [f64; 3] {
    [mass.linear, mass.linear, mass.angular].map(f64::sqrt)
}

/// Twice the kinetic energy of a body with velocities, or what is made so of accelerations.
fn weight(v: &[f64; 3], mass: InverseMass) -> f64 {
    let turning = if mass.angular > 0.0 { v[2] * v[2] / mass.angular } else { 0.0 };
    (v[0] * v[0] + v[1] * v[1]) / mass.linear + turning
}

/// The entry of a row for a coordinate of a body.
fn entry(row: &Row, body: usize, coordinate: usize) -> f64 {
    let ends = row.row.bodies.iter().zip(&row.row.jacobian);
    ends.filter(|(b, _)| b.index() == Some(body)).map(|(_, j)| j[coordinate]).sum()
}

/// Shows the force `Jᵀ λ` on each coordinate of some bodies, in parts.
fn sum_up<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    multipliers: &[f64],
    bodies: &[usize],
    mut add: impl FnMut(usize, f64),
) {
    for (row, multiplier) in rows.into_iter().zip(multipliers).filter(|(_, m)| **m != 0.0) {
        for (body, j) in row.row.bodies.iter().zip(&row.row.jacobian) {
            let Some(at) = body.index().and_then(|k| bodies.binary_search(&k).ok()) else { continue };
            (0..3).for_each(|c| add(3 * at + c, multiplier * j[c]));
        }
    }
}

/// Lets the movable bodies of the scope have a multiple of some velocities.
fn move_by(state: &mut State, masses: &[InverseMass], velocities: &[[f64; 3]], factor: f64) {
    let State { bodies, focus, .. } = state;
    for k in focus.bodies(bodies.len()).filter(|&k| masses[k].is_movable()) {
        let [x, y, turning] = velocities[k].map(|v| factor * v);
        (bodies[k].velocity, bodies[k].angular_velocity) = (Vec2::new(x, y), turning);
    }
}
