//! Driving one row to zero acceleration: direction, largest step, change of sets.

use super::{Code, Drive, EPSILON, Error, Problem, Set, Solver};

/// Pivot zero of the eliminations; absolute.
const PIVOT_ZERO: f64 = 1e-9;
/// Diagonal limit of the singularity test; absolute. An empirical value that decides which of several valid
/// solutions is found.
const SINGULAR: f64 = 2e-3;
/// A step longer than this counts as no step at all.
const HUGE_STEP: f64 = 1e5;
/// A step shorter than this is a zero step.
const ZERO_STEP: f64 = 1e-12;
/// Slope of a force or acceleration below which a row cannot block.
const FLAT: f64 = 1e-14;
/// Remaining acceleration that is accepted when a drive can go no further with force committed.
const ACCEPTED_REST: f64 = 1e-5;
/// Steps allowed per row in one drive.
const STEPS_PER_ROW: usize = 1000;

impl Solver {
    pub(super) fn drive(&mut self, problem: &Problem<'_>, f: &mut [f64], d: usize) -> Result<Drive, Error> {
        let n = problem.b.len();
        let joint = problem.joint[d];
        if !unacceptable(self.a[d], joint, EPSILON) {
            self.set[d] = Set::Free;
            return Ok(Drive::Solved);
        }
        if self.would_be_singular(problem, d, None) && !self.rejected[d] {
            return Ok(Drive::Deferred);
        }
        self.zero_steps.start(problem.b.len());
        let mut tolerance = EPSILON;
        let mut steps = 0;
        while unacceptable(self.a[d], joint, tolerance) {
            if !self.direction(problem, d) {
                return Ok(Drive::Failed(Code::LinearSolve));
            }
            let (step, blocking) = self.largest_step(problem.joint, f, d);
            let Some(j) = blocking.filter(|_| step.abs() <= HUGE_STEP) else {
                if f[d].abs() < EPSILON {
                    return Ok(Drive::Deferred);
                }
                if self.a[d].abs() < ACCEPTED_REST {
                    tolerance = 1.1 * self.a[d].abs();
                    continue;
                }
                return Ok(Drive::Failed(Code::Failed));
            };
            let flip_flop = self.zero_steps.step(j, step.abs() < ZERO_STEP);
            if flip_flop {
                if f[j].abs() >= 10.0 * EPSILON {
                    return Err(Error::Residue { row: j, force: f[j] });
                }
                self.set[j] = Set::Out;
                self.reject(j);
            }
            steps += 1;
            if steps > STEPS_PER_ROW * n {
                return Err(Error::StepLimit { row: d, steps });
            }
            self.inner_steps += 1;
            for (f, delta) in f.iter_mut().zip(&self.delta_f) {
                *f += step * delta;
            }
            for (a, delta) in self.a.iter_mut().zip(&self.delta_a) {
                *a += step * delta;
            }
            if !flip_flop && j != d {
                self.change_set(problem, f, d, j)?;
            }
        }
        self.set[d] = if f[d].abs() > EPSILON { Set::Clamped } else { Set::Free };
        Ok(Drive::Solved)
    }

    /// Moves the blocking row `j` from C to NC or back, or puts it off.
    fn change_set(&mut self, problem: &Problem<'_>, f: &[f64], d: usize, j: usize) -> Result<(), Error> {
        match self.set[j] {
            Set::Free => {
                if !self.rejected[j] && self.would_be_singular(problem, d, Some(j)) || f[j].abs() > EPSILON {
                    self.set[j] = Set::Out;
                    self.reject(j);
                } else {
                    self.set[j] = Set::Clamped;
                }
            }
            Set::Clamped => {
                if self.a[j].abs() > EPSILON {
                    if f[j].abs() > 10.0 * EPSILON {
                        return Err(Error::Residue { row: j, force: f[j] });
                    }
                    self.set[j] = Set::Out;
                    self.reject(j);
                } else {
                    self.set[j] = Set::Free;
                }
            }
            Set::Out => {}
        }
        Ok(())
    }

    /// Whether C with `d` (and `j`) added has a singular matrix by the recorded test.
    fn would_be_singular(&mut self, problem: &Problem<'_>, d: usize, j: Option<usize>) -> bool {
        let set = &self.set;
        self.extended.clear();
        self.extended.extend((0..set.len()).filter(|&i| set[i] == Set::Clamped || i == d || Some(i) == j));
        self.elimination.selection_is_singular(problem.a, set.len(), &self.extended, PIVOT_ZERO, SINGULAR)
    }

    /// Directions of force and acceleration for a unit push on `d` that keeps C at its accelerations; `false`
    /// when the linear solve fails.
    fn direction(&mut self, problem: &Problem<'_>, d: usize) -> bool {
        let n = problem.b.len();
        self.clamped.clear();
        self.clamped.extend((0..n).filter(|&i| self.set[i] == Set::Clamped));
        self.delta_f.fill(0.0);
        self.delta_f[d] = 1.0;
        let packed = &mut self.solution[..self.clamped.len()];
        let rhs = |i: usize| -problem.a[i * n + d];
        if self.elimination.solve_selection(problem.a, n, &self.clamped, rhs, PIVOT_ZERO, packed).is_err() {
            return false;
        }
        for (&i, &value) in self.clamped.iter().zip(packed.iter()) {
            self.delta_f[i] = value;
        }
        self.extended.clear();
        self.extended.extend((0..n).filter(|&i| self.delta_f[i] != 0.0));
        for (i, delta) in self.delta_a.iter_mut().enumerate() {
            let row = &problem.a[i * n..(i + 1) * n];
            *delta = 0.0;
            for &j in &self.extended {
                *delta += row[j] * self.delta_f[j];
            }
        }
        true
    }

    /// The largest step along the direction and the row that blocks it.
    fn largest_step(&self, joint: &[bool], f: &[f64], d: usize) -> (f64, Option<usize>) {
        let (mut step, mut blocking) = if joint[d] || self.delta_a[d] > 0.0 {
            (-self.a[d] / self.delta_a[d], Some(d))
        } else {
            (f64::INFINITY, None)
        };
        let sign = if step > 0.0 { 1.0 } else { -1.0 };
        let mut consider = |i: usize, candidate: f64| {
            let candidate = if sign * candidate < 0.0 { 0.0 } else { candidate };
            if sign * candidate < sign * step {
                step = candidate;
                blocking = Some(i);
            }
        };
        for i in (0..f.len()).filter(|&i| self.set[i] == Set::Clamped && !joint[i]) {
            if sign * self.delta_f[i] < -FLAT {
                consider(i, -f[i] / self.delta_f[i]);
            }
        }
        for i in (0..f.len()).filter(|&i| self.set[i] == Set::Free) {
            let slope = self.delta_a[i];
            if sign * slope < -FLAT || joint[i] && slope.abs() > FLAT {
                consider(i, -self.a[i] / slope);
            }
        }
        (step, blocking)
    }
}

/// Whether an acceleration needs driving: negative beyond the tolerance, or nonzero on a bilateral row.
fn unacceptable(a: f64, joint: bool, tolerance: f64) -> bool {
    if joint { a.abs() > tolerance } else { a < -tolerance }
}
