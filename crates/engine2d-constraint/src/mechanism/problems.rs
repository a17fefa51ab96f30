//! Problems of accelerations, velocities and impacts: assembled for any solver, or solved in one call.

use super::{Mechanism, Scratch};
use crate::answer::{Answer, Conflict};
use crate::body::{along, response};
use crate::error::MechanismError;
use crate::problem::{Meaning, Problem, SlidingJoint};
use crate::stage::Stage;
use crate::tolerance::{CONFLICT, DEPENDENT};

impl Mechanism {
    /// Accelerations and multipliers under gravity and the applied forces. Where constraints contradict each
    /// other the least-squares compromise is returned, and [`Answer::conflict`] names the worst offender. Rows with limits
    /// (contacts, ropes, stops, motors, friction) are decided by [`engine2d_lcp::Solver::auto`].
    ///
    /// # Errors
    /// [`MechanismError::Unsolved`] where limits contradict each other, [`MechanismError::Sliding`],
    /// [`MechanismError::Value`] for a force law that is not finite, [`MechanismError::Broken`].
    pub fn solve_accelerations(&mut self) -> Result<Answer, MechanismError> {
        self.realize(Stage::Acceleration)?;
        Ok(self.answer_of_solution())
    }

    /// Finds accelerations and multipliers at the realized velocities.
    pub(super) fn find_accelerations(&mut self) -> Result<(), MechanismError> {
        let (state, Scratch { problem, reduced, forces }) = self.state_and_scratch();
        if let Err(sliding) = problem.fill_accelerations(state) {
            return Err(self.sliding(sliding));
        }
        if problem.is_bilateral() {
            reduced.factor(problem.matrix(), DEPENDENT);
            reduced.solve(problem.matrix(), &problem.bias, forces);
            forces.iter_mut().for_each(|f| *f = -*f);
        } else {
            *forces = problem.solve().map_err(|reason| MechanismError::Unsolved { reason })?;
        }
        self.take_forces();
        Ok(())
    }

    fn sliding(&self, SlidingJoint { equation, speed }: SlidingJoint) -> MechanismError {
        MechanismError::Sliding { constraint: self.owner_of(equation), speed }
    }

    /// The accelerations and multipliers that the forces in store make with the problem in store.
    fn take_forces(&mut self) {
        let (Scratch { problem, forces, .. }, out) = (&self.scratch, &mut self.solution);
        debug_assert_eq!(problem.len(), forces.len(), "a force for every row");
        out.accelerations.clone_from(&problem.free);
        out.multipliers.clone_from(&problem.known);
        let rows = problem.rows.iter().zip(&problem.equations);
        for ((row, &equation), &force) in rows.clone().zip(forces) {
            out.multipliers[equation] = force;
            response(&self.bodies, row, force, &mut out.accelerations);
        }
        let scale = problem.bias.iter().fold(1.0, |m: f64, b| m.max(b.abs()));
        let mut worst: Option<(usize, f64)> = None;
        if problem.is_bilateral() {
            for (row, &equation) in rows {
                let bias = self.equations[equation].acceleration_bias;
                let residual = (along(row, &out.accelerations) + bias).abs();
                if residual > CONFLICT * scale && worst.is_none_or(|(_, most)| residual > most) {
                    worst = Some((equation, residual));
                }
            }
        }
        let conflict = worst.map(|(row, residual)| Conflict { constraint: self.owner_of(row), residual });
        self.solution.conflict = conflict;
    }

    /// The answer that the present solution makes.
    fn answer_of_solution(&self) -> Answer {
        let (mechanism, equations, ranges) = (self.number, self.equations.clone(), self.ranges.clone());
        Answer { mechanism, equations, ranges, ..self.solution.clone() }
    }

    /// Assembles the problem of accelerations over all rows that act at the present state: rigid ones, touching contacts
    /// and taut ropes, friction that sticks or slides, motors that hold their speed. Springs and saturated motors push with
    /// known forces, which are in `b`.
    ///
    /// # Errors
    /// [`MechanismError::Sliding`] where friction slides that a two-sided row presses; [`MechanismError::Value`] for a force
    /// law that is not finite; [`MechanismError::Broken`].
    pub fn acceleration_problem(&mut self, out: &mut Problem) -> Result<(), MechanismError> {
        self.realize_velocity();
        self.check_equations()?;
        let filled = out.fill_accelerations(self.state_and_scratch().0);
        filled.map_err(|sliding| self.sliding(sliding))
    }

    /// Assembles the problem of velocities at the end of a step `h`: the same rows over impulses. Rigid rows follow
    /// `J v + offset + h J̇ v = 0`; unilateral ones may close their gap within the step and not more; compliant rows are
    /// regularized implicitly, `s = 1/(h/2 + d c)`, `R = s c/h` with the position term `s · error`; friction of touching
    /// contacts holds at the velocities of the end; a motor's limit is `h` times its force.
    ///
    /// # Errors
    /// [`MechanismError::Value`] for a step that is not positive and finite, or a force law that is not finite;
    /// [`MechanismError::Broken`].
    pub fn velocity_problem(&mut self, h: f64, out: &mut Problem) -> Result<(), MechanismError> {
        if !(h > 0.0 && h.is_finite()) {
            let (what, allowed) = ("the step".to_owned(), "must be > 0 and finite");
            return Err(MechanismError::Value { what, value: h, allowed });
        }
        self.realize_velocity();
        self.check_equations()?;
        out.fill_velocities(self.state_and_scratch().0, h);
        Ok(())
    }

    /// Assembles the problem of an impact: impulses that rigid joints, closed contacts and limits, and friction between
    /// them exert in an instant. A unilateral row that closes at the rate `v` leaves at no less than `−e v`, with the
    /// joint's restitution `e` (Newton's law); springs and motors, whose forces are finite, do nothing.
    ///
    /// # Errors
    /// [`MechanismError::Value`] for a force law that is not finite; [`MechanismError::Broken`].
    pub fn impact_problem(&mut self, out: &mut Problem) -> Result<(), MechanismError> {
        self.realize_velocity();
        self.check_equations()?;
        let restitution: Vec<f64> =
            self.entries.iter().map(|e| e.current.coefficient_of_restitution()).collect();
        out.fill_impact(self.state_and_scratch().0, |constraint| restitution[constraint]);
        Ok(())
    }

    /// Solves an impact and sets the velocities after it. Returns the impulses, one for each equation.
    ///
    /// ```
    /// use engine2d_constraint::{AngleLimit, BodyId, Joint, Mass, Mechanism, Pose, Revolute};
    ///
    /// // A door swings against its stop and comes back with half its speed.
    /// let mut m = Mechanism::new();
    /// let door = m.add_body(Mass::new(8.0, 0.7).centered_at([0.4, 0.0]), Pose::new(0.0, 0.0, 1.5))?;
    /// m.add(Revolute::to_ground(door, [0.0, 0.0]))?;
    /// m.add_joint(Joint::new(AngleLimit::new(door, BodyId::GROUND, -1.5, 1.5)).restitution(0.5))?;
    /// m.set_velocities(&[0.0, 0.0, 2.0])?;
    /// m.solve_impact()?;
    /// assert!((m.velocities()[2] + 1.0).abs() < 1e-12);
    /// # Ok::<(), engine2d_constraint::MechanismError>(())
    /// ```
    ///
    /// # Errors
    /// As [`impact_problem`](Self::impact_problem), and [`MechanismError::Unsolved`].
    pub fn solve_impact(&mut self) -> Result<Vec<f64>, MechanismError> {
        let mut problem = Problem::new();
        self.impact_problem(&mut problem)?;
        self.solve_impulses(&problem)
    }

    /// Solves the velocities at the end of a step `h` and sets them; coordinates stay. Returns the impulses, one for each
    /// equation.
    ///
    /// # Errors
    /// As [`velocity_problem`](Self::velocity_problem), and [`MechanismError::Unsolved`].
    pub fn solve_velocities(&mut self, h: f64) -> Result<Vec<f64>, MechanismError> {
        let mut problem = Problem::new();
        self.velocity_problem(h, &mut problem)?;
        self.solve_impulses(&problem)
    }

    fn solve_impulses(&mut self, problem: &Problem) -> Result<Vec<f64>, MechanismError> {
        let impulses = problem.solve().map_err(|reason| MechanismError::Unsolved { reason })?;
        let mut of_equations = vec![0.0; problem.known.len()];
        problem.equations.iter().zip(&impulses).for_each(|(&i, f)| of_equations[i] = *f);
        self.apply_impulses(problem, &impulses)?;
        Ok(of_equations)
    }

    /// The answer that forces found for an acceleration problem make: accelerations, multipliers of all equations.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`] for a problem of another mechanism or of velocities,
    /// [`MechanismError::Length`].
    pub fn answer(&mut self, problem: &Problem, forces: &[f64]) -> Result<Answer, MechanismError> {
        self.check_problem(problem, Meaning::Accelerations, forces)?;
        self.scratch.problem.clone_from(problem);
        self.scratch.forces = forces.to_vec();
        self.take_forces();
        self.stage = Stage::Acceleration;
        Ok(self.answer_of_solution())
    }

    /// Sets the velocities that impulses found for a velocity problem make.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), for a problem of accelerations.
    pub fn apply_impulses(&mut self, problem: &Problem, impulses: &[f64]) -> Result<(), MechanismError> {
        self.check_problem(problem, Meaning::Velocities, impulses)?;
        let mut velocities = problem.free.clone();
        for (row, &impulse) in problem.rows.iter().zip(impulses) {
            response(&self.bodies, row, impulse, &mut velocities);
        }
        self.set_velocities(&velocities)
    }

    fn check_problem(
        &self,
        problem: &Problem,
        meaning: Meaning,
        forces: &[f64],
    ) -> Result<(), MechanismError> {
        let (same, size) = (problem.mechanism == self.number, problem.known.len() == self.equations.len());
        if !(same && size && problem.meaning == meaning) {
            return Err(MechanismError::ForeignId { id: problem.mechanism as usize });
        }
        if forces.len() == problem.len() {
            Ok(())
        } else {
            Err(MechanismError::Length { what: "forces", got: forces.len(), expected: problem.len() })
        }
    }
}
