//! Assembly: moving a mechanism onto its constraints.

use crate::body::{RigidBody, response};
use crate::equation::{Level, RowKind};
use crate::error::MechanismError;
use crate::mechanism::Mechanism;
use crate::operator::Operator;
use crate::reduced::Reduced;
use crate::row::ConstraintRow;
use engine2d_math::order::Order;

use crate::tolerance::{
    ASSEMBLED, ASSEMBLY_ITERATIONS, CARRIED, CONTRADICTION, DEPENDENT, PROJECTED, TOUCHING, VANISHING,
};
use engine2d_geometry::BodyRef;
use std::ops::Range;

/// How an assembly went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssemblyReport {
    /// Gauss–Newton iterations on positions.
    pub iterations: usize,
    /// Largest position error left.
    pub position_error: f64,
    /// Largest velocity error left.
    pub velocity_error: f64,
}

/// Rows that an assembly step works on.
#[derive(Default)]
pub(crate) struct Work {
    rows: Vec<ConstraintRow>,
    /// What is left of each, signed.
    errors: Vec<f64>,
    /// The equation of each row.
    equations: Vec<usize>,
    /// Equation and size of the largest error.
    worst: (usize, f64),
}

impl Mechanism {
    /// Moves positions, then velocities, onto the constraints: Gauss–Newton steps of least mass-weighted norm.
    ///
    /// Unilateral rows are held only where they are violated; compliant rows, motors and friction, which act through
    /// forces, are not.
    ///
    /// # Errors
    /// [`MechanismError::NotAssembled`] with the name of the constraint that keeps the largest error and those it
    /// contradicts.
    pub fn assemble(&mut self) -> Result<AssemblyReport, MechanismError> {
        self.assemble_within(DEPENDENT)
    }

    /// As [`assemble`](Self::assemble), for a state that an integrator has moved off the constraints a little:
    /// combinations of rows that are dependent within [`VANISHING`](crate::tolerance::VANISHING) are left as they are. Near
    /// a change point an error there, however small, would be corrected by a jump to where the mechanism is not; the
    /// integrator's own error stays small instead, and is removed once the point is passed. The report tells it.
    ///
    /// Errors are removed down to rounding, not only to that of an assembled mechanism: at a distance `x` from a change point
    /// a position error `c` that stays lets the bodies deviate by `c/x` and their velocities by `c/x²`.
    ///
    /// # Errors
    /// As [`assemble`](Self::assemble), if an error larger than [`CARRIED`](crate::tolerance::CARRIED) stays.
    pub fn project(&mut self) -> Result<AssemblyReport, MechanismError> {
        self.assemble_within(VANISHING)
    }

    fn assemble_within(&mut self, limit: f64) -> Result<AssemblyReport, MechanismError> {
        let mut report = AssemblyReport::default();
        let integrating = limit > DEPENDENT;
        let acceptable = |size: f64| if integrating { CARRIED } else { ASSEMBLED * 100.0 } * size;
        let target = if integrating { PROJECTED } else { ASSEMBLED };
        let mut last = f64::INFINITY;
        loop {
            self.realize_velocity();
            let work = self.work(Level::Position);
            report.position_error = work.worst.1;
            // Rounding is reached where a step no longer halves the error.
            if work.worst.1 <= target || (work.worst.1 <= ASSEMBLED && work.worst.1 > 0.5 * last) {
                break;
            }
            last = work.worst.1;
            let dq = self.correction(&work, limit);
            // A correction below rounding cannot improve a residual that rounding keeps above the limit.
            let largest = dq.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
            let size = self.coordinates().iter().fold(1.0, |m: f64, q| m.max(q.abs()));
            if largest <= 4.0 * f64::EPSILON * size || report.iterations == ASSEMBLY_ITERATIONS {
                if work.worst.1 <= acceptable(size) {
                    break;
                }
                return Err(self.not_assembled(report.iterations, &work));
            }
            self.move_by(&dq);
            report.iterations += 1;
        }
        // The second round removes what rounding left of the first; near a singular position that takes more.
        let rounds = if integrating { 2 } else { ASSEMBLY_ITERATIONS };
        let mut last = f64::INFINITY;
        for round in 0..rounds {
            self.realize_velocity();
            let work = self.work(Level::Velocity);
            report.velocity_error = work.worst.1;
            if work.worst.1 <= target {
                return Ok(report);
            }
            if round >= 2 && work.worst.1 > 0.5 * last {
                break;
            }
            last = work.worst.1;
            let du = self.correction(&work, limit);
            self.push_by(&du);
        }
        self.realize_velocity();
        let work = self.work(Level::Velocity);
        report.velocity_error = work.worst.1;
        let size = self.velocities().iter().fold(1.0, |m: f64, u| m.max(u.abs()));
        if work.worst.1 <= acceptable(size) { Ok(report) } else { Err(self.not_assembled(0, &work)) }
    }

    /// Moves positions onto each enabled constraint in turn, in the order of the list, as connectors are aligned one
    /// after the other: a later constraint may undo what an earlier one did. Velocities stay.
    ///
    /// # Errors
    /// [`MechanismError::NotAssembled`] for a constraint that cannot be reached alone.
    pub fn align(&mut self) -> Result<(), MechanismError> {
        for constraint in 0..self.constraint_count() {
            for iterations in 0..=ASSEMBLY_ITERATIONS {
                self.realize_velocity();
                let mut work = self.work_in(Level::Position, self.ranges[constraint].clone());
                if work.worst.1 <= ASSEMBLED {
                    break;
                }
                if iterations == ASSEMBLY_ITERATIONS {
                    return Err(self.not_assembled(iterations, &work));
                }
                // Bodies earlier in the list stand where they are if a later one can move.
                work.keep_first(&self.bodies);
                let dq = self.correction(&work, DEPENDENT);
                self.move_by(&dq);
            }
        }
        Ok(())
    }

    pub(crate) fn work(&self, level: Level) -> Work {
        self.work_in(level, 0..self.equations.len())
    }

    /// Rows and errors of the position level, or of the velocity level with the derivatives of the former.
    fn work_in(&self, level: Level, range: Range<usize>) -> Work {
        let mut work = Work::default();
        for i in range {
            let e = &self.equations[i];
            if !e.spring.is_rigid() {
                continue;
            }
            let violated = match (e.kind, level) {
                (RowKind::Bilateral, _) => true,
                (RowKind::Unilateral, Level::Position) => e.position_error < 0.0,
                (RowKind::Unilateral, _) => e.position_error <= TOUCHING && e.velocity_error < 0.0,
                _ => false,
            };
            let error = match (level, e.level) {
                (Level::Position, Level::Position) => e.position_error,
                (Level::Velocity, Level::Position | Level::Velocity) => e.velocity_error,
                _ => continue,
            };
            if violated {
                work.rows.push(e.row);
                work.errors.push(-error);
                work.equations.push(i);
                if !(error.abs() <= work.worst.1) {
                    work.worst = (i, error.abs());
                }
            }
        }
        work
    }

    /// `−M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ error`.
    fn correction(&self, work: &Work, limit: f64) -> Vec<f64> {
        let operator = self.operator(&work.rows);
        let mut reduced = Reduced::default();
        reduced.factor(&operator.matrix, limit);
        let mut multipliers = Vec::new();
        reduced.solve(&operator.matrix, &work.errors, &mut multipliers);
        let mut change = vec![0.0; 3 * self.bodies.len()];
        for (row, multiplier) in work.rows.iter().zip(multipliers) {
            response(&self.bodies, row, multiplier, &mut change);
        }
        change
    }

    fn operator(&self, rows: &[ConstraintRow]) -> Operator {
        let mut operator = Operator::default();
        operator.assemble(&self.bodies, rows.iter().copied());
        operator
    }

    fn not_assembled(&self, iterations: usize, work: &Work) -> MechanismError {
        let (row, residual) = work.worst;
        let conflicting = self.conflicting(work);
        MechanismError::NotAssembled { iterations, residual, constraint: self.owner_of(row), conflicting }
    }

    /// Names of the constraints whose errors no change of positions (or velocities) removes, to first order.
    pub(crate) fn conflicting(&self, work: &Work) -> Vec<String> {
        let matrix = self.operator(&work.rows).matrix;
        let (mut multipliers, mut removed) = (Vec::new(), vec![0.0; work.errors.len()]);
        Reduced::new(&matrix).solve(&matrix, &work.errors, &mut multipliers);
        matrix.multiply(&multipliers, &mut removed);
        let scale = work.errors.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
        let left = work.errors.iter().zip(&removed).map(|(e, r)| (e - r).abs());
        self.names(
            work.equations.iter().zip(left).filter(|(_, r)| *r > CONTRADICTION * scale).map(|(&i, _)| i),
        )
    }

    /// Names of the owners of equations, each once.
    pub(crate) fn names(&self, equations: impl Iterator<Item = usize>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for i in equations {
            let name = self.owner_of(i);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl Work {
    /// Leaves only the last body of each row to move, if there is one besides the first.
    fn keep_first(&mut self, bodies: &[RigidBody]) {
        for row in &mut self.rows {
            let mut movable: Vec<usize> =
                row.bodies.iter().filter_map(|b| b.index()).filter(|&b| b < bodies.len()).collect();
            movable.order();
            movable.dedup();
            if let [first, _] = movable[..] {
                for side in 0..2 {
                    if row.bodies[side].index() == Some(first) {
                        row.bodies[side] = BodyRef::Ground;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tolerance::ASSEMBLED;
    use crate::{Mass, Mechanism, Revolute, Rod};
    use engine2d_geometry::BodyRef;
    use engine2d_math::{Pose, trig};

    #[test]
    fn a_displaced_closed_chain_of_fifty_links_assembles() {
        let n = 50;
        let mut m = Mechanism::new();
        let step = std::f64::consts::TAU / f64::from(n);
        let radius = 0.5 / trig::sin(step / 2.0);
        let mut links = Vec::new();
        for k in 0..n {
            let angle = f64::from(k) * step;
            let (sin, cos) = trig::sin_cos(angle);
            // Displaced by up to 10 % of the link length.
            let wobble = 0.1 * trig::sin(f64::from(k) * 2.3);
            let pose =
                Pose::new(radius * cos + wobble, radius * sin - wobble, angle + std::f64::consts::FRAC_PI_2);
            links.push(m.add_body(Mass::new(1.0, 0.1), pose).unwrap());
        }
        for k in 0..links.len() {
            m.add(Revolute::new(links[k], [0.5, 0.0], links[(k + 1) % links.len()], [-0.5, 0.0])).unwrap();
        }
        let report = m.assemble().unwrap();
        assert!(report.iterations <= 20, "{report:?}");
        assert!(report.position_error <= 1e-12, "{report:?}");
        assert_eq!(m.mobility().unwrap().degrees_of_freedom, 50);
    }

    #[test]
    fn a_parallelogram_with_a_third_crank_names_its_redundancy() {
        let mut m = Mechanism::new();
        let bar = m.add_body(Mass::new(1.0, 1.0), Pose::new(0.0, 1.0, 0.0)).unwrap();
        for x in [-1.0, 0.0, 1.0] {
            m.add(Rod::new(bar, [x, 0.0], BodyRef::Ground, [x, 0.0], 1.0)).unwrap();
        }
        let mobility = m.mobility().unwrap();
        assert_eq!((mobility.rank, mobility.degrees_of_freedom), (2, 1));
        assert_eq!(mobility.redundant.len(), 3);
    }

    #[test]
    fn contradicting_rods_are_reported_by_name() {
        let mut m = Mechanism::new();
        let b = m.add_body(Mass::new(1.0, 1.0), Pose::new(1.0, 0.0, 0.0)).unwrap();
        m.add_named("short", Rod::new(b, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], 1.0)).unwrap();
        m.add_named("long", Rod::new(b, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], 2.0)).unwrap();
        let told = m.assemble().unwrap_err().to_string();
        assert!(told.ends_with("at short; it contradicts long or starts too far away"), "{told}");
    }

    #[test]
    fn velocities_are_held_near_a_singular_position() {
        for miss in [1e-3, 5e-4, 3e-4] {
            // The rod passes the pin at a small distance.
            let mut m = Mechanism::new();
            let body = m.add_body(Mass::new(20.0, 0.3), Pose::new(1.0, 0.5, 0.0)).unwrap();
            m.add(Revolute::new(BodyRef::Ground, [0.2, 0.1], body, [-0.8, -0.4])).unwrap();
            let length = (1.6_f64 * 1.6 + (0.8 + miss) * (0.8 + miss)).sqrt();
            m.add(Rod::new(BodyRef::Ground, [2.6, 1.3 + miss], body, [0.0, 0.0], length)).unwrap();
            m.set_velocities(&[0.7, -0.4, 0.9]).unwrap();
            let report = m.assemble().unwrap();
            assert!(report.velocity_error <= ASSEMBLED, "{miss}: {report:?}");
        }
    }
}
