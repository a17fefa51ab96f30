//! Assembly: moving a mechanism onto its constraints, and counting its degrees of freedom.

use crate::equation::Level;
use crate::error::MechanismError;
use crate::mechanism::Mechanism;
use crate::row::ConstraintRow;
use crate::solve::{Reduced, response};
use crate::stage::Stage;
use crate::tolerance::{ASSEMBLED, ASSEMBLY_ITERATIONS};

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

/// Degrees of freedom of a mechanism at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Coordinates of all bodies.
    pub coordinates: usize,
    /// Equations on positions and velocities.
    pub equations: usize,
    /// Independent ones among them.
    pub rank: usize,
    /// Coordinates left free: `coordinates − rank`.
    pub degrees_of_freedom: usize,
    /// Names of constraints that take part in a redundancy.
    pub redundant: Vec<String>,
}

impl Mechanism {
    /// Moves positions, then velocities, onto the constraints: Gauss–Newton steps of least mass-weighted norm.
    ///
    /// # Errors
    /// [`MechanismError::NotAssembled`] with the name of the constraint that keeps the largest error.
    pub fn assemble(&mut self) -> Result<AssemblyReport, MechanismError> {
        let mut report = AssemblyReport::default();
        loop {
            self.realize(Stage::Velocity);
            let (rows, errors, worst) = self.rows_of(Level::Position);
            report.position_error = worst.1;
            if worst.1 <= ASSEMBLED {
                break;
            }
            if report.iterations == ASSEMBLY_ITERATIONS {
                return Err(self.not_assembled(report.iterations, worst));
            }
            let dq = self.correction(&rows, &errors);
            // A correction below rounding cannot improve a residual that rounding keeps above the limit.
            let largest = dq.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
            let size = self.coordinates().iter().fold(1.0, |m: f64, q| m.max(q.abs()));
            if largest <= f64::EPSILON * size {
                if worst.1 <= ASSEMBLED * 100.0 * size {
                    break;
                }
                return Err(self.not_assembled(report.iterations, worst));
            }
            self.move_by(&dq);
            report.iterations += 1;
        }
        // Two rounds: the second removes what rounding left of the first.
        for _ in 0..2 {
            self.realize(Stage::Velocity);
            let (rows, errors, worst) = self.rows_of(Level::Velocity);
            report.velocity_error = worst.1;
            if worst.1 <= ASSEMBLED {
                return Ok(report);
            }
            let du = self.correction(&rows, &errors);
            self.push_by(&du);
        }
        self.realize(Stage::Velocity);
        let (_, _, worst) = self.rows_of(Level::Velocity);
        report.velocity_error = worst.1;
        let size = self.velocities().iter().fold(1.0, |m: f64, u| m.max(u.abs()));
        if worst.1 <= ASSEMBLED * 100.0 * size { Ok(report) } else { Err(self.not_assembled(0, worst)) }
    }

    /// Rows and errors of the position level, or of the velocity level with the derivatives of the former; the
    /// worst error with the index of its equation.
    fn rows_of(&self, level: Level) -> (Vec<ConstraintRow>, Vec<f64>, (usize, f64)) {
        let (mut rows, mut errors, mut worst) = (Vec::new(), Vec::new(), (0, 0.0));
        for (i, e) in self.all_equations().unwrap_or_default().iter().enumerate() {
            let error = match (level, e.level) {
                (Level::Position, Level::Position) => e.position_error,
                (Level::Velocity, Level::Position | Level::Velocity) => e.velocity_error,
                _ => continue,
            };
            rows.push(e.row);
            errors.push(error);
            if !(error.abs() <= worst.1) {
                worst = (i, error.abs());
            }
        }
        (rows, errors, worst)
    }

    /// `−M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ error`.
    fn correction(&self, rows: &[ConstraintRow], errors: &[f64]) -> Vec<f64> {
        let bodies = self.rigid_bodies();
        let rhs: Vec<f64> = errors.iter().map(|e| -e).collect();
        let multipliers = Reduced::new(&bodies, rows).solve(&rhs);
        let mut change = vec![0.0; 3 * bodies.len()];
        for (row, multiplier) in rows.iter().zip(multipliers) {
            response(&bodies, row, multiplier, &mut change);
        }
        change
    }

    fn not_assembled(&self, iterations: usize, (row, residual): (usize, f64)) -> MechanismError {
        MechanismError::NotAssembled { iterations, residual, constraint: self.owner_of(row) }
    }

    /// Degrees of freedom at the present state.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] never in practice: the stage it needs is realized here.
    pub fn mobility(&mut self) -> Result<Mobility, MechanismError> {
        self.realize(Stage::Velocity);
        let equations = self.all_equations()?;
        let indices: Vec<usize> =
            (0..equations.len()).filter(|&i| equations[i].level != Level::Acceleration).collect();
        let rows: Vec<ConstraintRow> = indices.iter().map(|&i| equations[i].row).collect();
        let bodies = self.rigid_bodies();
        let reduced = Reduced::new(&bodies, &rows);
        let rank = reduced.rank();
        let mut redundant: Vec<String> = Vec::new();
        for (&i, share) in indices.iter().zip(reduced.redundancy()) {
            // A row outside every dependent combination has a share of rounding size.
            if share > 1e-6 {
                let name = self.owner_of(i);
                if !redundant.contains(&name) {
                    redundant.push(name);
                }
            }
        }
        let coordinates = 3 * bodies.len();
        Ok(Mobility {
            coordinates,
            equations: rows.len(),
            rank,
            degrees_of_freedom: coordinates - rank,
            redundant,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mass, Mechanism, MechanismError, Revolute, Rod};
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
        assert!(matches!(m.assemble(), Err(MechanismError::NotAssembled { .. })));
    }
}
