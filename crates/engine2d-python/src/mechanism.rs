//! Mechanisms analysed without time stepping.

pub(crate) mod joints;

use crate::arrays::{line, table};
use crate::fault;
use engine2d_constraint::{
    Answer, BodyId, BodyRef, ConstraintId, Joint, Mass, Measure, MechanismError, Pose, Prescribed,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Point, force and torque.
type Reaction = ((f64, f64), (f64, f64), f64);

/// A constraint by its identity, which its type is part of.
#[derive(Clone)]
enum Part {
    /// Any constraint.
    Joint(ConstraintId<Joint>),
    /// A prescribed motion, with what it measures.
    Drive(ConstraintId<Prescribed>, Measure),
}

/// Asks for something by the identity of a part, whichever it is.
macro_rules! of_part {
    ($part:expr, $id:ident => $ask:expr) => {
        match $part {
            Part::Joint($id) => $ask,
            Part::Drive($id, _) => $ask,
        }
    };
}

/// Bodies and constraints with a state: assembled, and solved for accelerations and reactions.
#[pyclass(subclass, module = "engine2d._native")]
pub(crate) struct Mechanism {
    inner: engine2d_constraint::Mechanism,
    parts: Vec<Part>,
    answer: Option<Answer>,
}

fn said(error: MechanismError) -> PyErr {
    fault::mechanism(&error)
}

/// The body of a place; the ground for none.
fn body_of(place: Option<usize>) -> BodyId {
    match place {
        None => BodyId::GROUND,
        Some(place) => BodyRef::Body(u32::try_from(place).unwrap_or(u32::MAX)).into(),
    }
}

/// A measure led along one moment of a motion: value, rate, acceleration.
fn motion_of(measure: Measure, motion: [f64; 3]) -> Prescribed {
    Prescribed::trajectory(measure, move |_: f64| motion)
}

impl Mechanism {
    fn part(&self, place: usize) -> PyResult<&Part> {
        self.parts.get(place).ok_or_else(|| fault::no_constraint("constraint", place, self.parts.len()))
    }

    fn solved(&self) -> PyResult<&Answer> {
        self.answer.as_ref().ok_or_else(fault::unsolved)
    }

    /// Notes a constraint; its place.
    fn keep(&mut self, part: Part) -> usize {
        self.answer = None;
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn keep_joint(&mut self, id: ConstraintId<Joint>) -> usize {
        self.keep(Part::Joint(id))
    }

    fn keep_drive(&mut self, id: ConstraintId<Prescribed>, measure: Measure) -> usize {
        self.keep(Part::Drive(id, measure))
    }

    fn lead(&mut self, place: usize, [value, rate, acceleration]: [f64; 3]) -> PyResult<()> {
        let Part::Drive(id, measure) = self.part(place)?.clone() else { return Err(fault::no_drive(place)) };
        let led = motion_of(measure, [value, rate, acceleration]);
        self.answer = None;
        self.inner.edit(id, |drive| *drive = led).map_err(said)
    }
}

#[pymethods]
impl Mechanism {
    #[new]
    fn new() -> Self {
        Self { inner: engine2d_constraint::Mechanism::new(), parts: Vec::new(), answer: None }
    }

    /// Adds a body and returns its place: mass, moment of inertia about its centre of mass, place of its origin (world) and
    /// angle (radians), centre of mass in its own axes.
    #[pyo3(signature = (mass, inertia, position=[0.0, 0.0], angle=0.0, center=[0.0, 0.0]))]
    fn add_body(
        &mut self,
        mass: f64,
        inertia: f64,
        position: [f64; 2],
        angle: f64,
        center: [f64; 2],
    ) -> PyResult<usize> {
        let place = self.inner.body_count();
        let mass = Mass::new(mass, inertia).centered_at(center);
        self.inner.add_body(mass, Pose::new(position[0], position[1], angle)).map_err(said)?;
        self.answer = None;
        Ok(place)
    }

    /// Number of bodies.
    #[getter]
    fn body_count(&self) -> usize {
        self.inner.body_count()
    }

    /// Names of the constraints in order.
    #[getter]
    fn names(&self) -> PyResult<Vec<String>> {
        let name = |part: &Part| of_part!(part, id => self.inner.name(*id)).map(str::to_owned);
        self.parts.iter().map(|part| name(part).map_err(said)).collect()
    }

    /// Sets uniform gravity (length/time²).
    fn set_gravity(&mut self, gravity: [f64; 2]) -> PyResult<()> {
        self.answer = None;
        self.inner.set_gravity(gravity).map_err(said)
    }

    /// Sets the force (world) and the torque about its origin applied to a body.
    fn set_applied(&mut self, body: usize, force: [f64; 2], torque: f64) -> PyResult<()> {
        self.answer = None;
        self.inner.set_applied(body_of(Some(body)), [force[0], force[1], torque]).map_err(said)
    }

    /// Coordinates of all bodies, shape (n, 3): x, y of the origin (length) and angle (radians).
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.inner.coordinates(), 3)
    }

    /// Velocities of all bodies, shape (n, 3): of the origin (length/time) and angular (radians/time).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.inner.velocities(), 3)
    }

    /// Sets the coordinates, three numbers a body in one list.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn put_coordinates(&mut self, coordinates: Vec<f64>) -> PyResult<()> {
        self.answer = None;
        self.inner.set_coordinates(&coordinates).map_err(said)
    }

    /// Sets the velocities, three numbers a body in one list.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn put_velocities(&mut self, velocities: Vec<f64>) -> PyResult<()> {
        self.answer = None;
        self.inner.set_velocities(&velocities).map_err(said)
    }

    /// Moves positions, then velocities, onto the constraints: a dictionary with `iterations`, `position_error` and
    /// `velocity_error` (largest left).
    fn assemble<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.answer = None;
        let report = py.detach(|| self.inner.assemble()).map_err(said)?;
        let dict = PyDict::new(py);
        dict.set_item("iterations", report.iterations)?;
        dict.set_item("position_error", report.position_error)?;
        dict.set_item("velocity_error", report.velocity_error)?;
        Ok(dict)
    }

    /// Degrees of freedom: a dictionary with `coordinates`, `equations`, `rank`, `degrees_of_freedom`, and the names in
    /// `redundant` and `conflicting`.
    fn mobility<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.inner.mobility().map_err(said)?;
        let dict = PyDict::new(py);
        dict.set_item("coordinates", found.coordinates)?;
        dict.set_item("equations", found.equations)?;
        dict.set_item("rank", found.rank)?;
        dict.set_item("degrees_of_freedom", found.degrees_of_freedom)?;
        dict.set_item("redundant", found.redundant)?;
        dict.set_item("conflicting", found.conflicting)?;
        Ok(dict)
    }

    /// Accelerations of all bodies, shape (n, 3), under gravity and the applied forces; reactions may be asked for then.
    fn solve_accelerations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let answer = py.detach(|| self.inner.solve_accelerations()).map_err(said)?;
        let accelerations = answer.accelerations().to_vec();
        self.answer = Some(answer);
        table(py, accelerations, 3)
    }

    /// The worst contradiction of the constraints at the last solve, `(name, acceleration error)`, or `None`.
    #[getter]
    fn conflict(&self) -> PyResult<Option<(String, f64)>> {
        Ok(self.solved()?.conflict().map(|worst| (worst.constraint.clone(), worst.residual)))
    }

    /// Multipliers of a constraint at the last solve: a positive one pushes the first body along its row.
    fn multipliers<'py>(&self, py: Python<'py>, constraint: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (part, answer) = (self.part(constraint)?, self.solved()?);
        let found = of_part!(part, id => self.inner.multipliers(*id, answer)).map_err(said)?;
        line(py, found.to_vec())
    }

    /// What a constraint exerts on its first body at the joint: `(point, force, torque)` (world).
    fn reaction(&self, constraint: usize) -> PyResult<Reaction> {
        let (part, answer) = (self.part(constraint)?, self.solved()?);
        let found = of_part!(part, id => self.inner.reaction(*id, answer)).map_err(said)?;
        Ok(((found.point.x, found.point.y), (found.force.x, found.force.y), found.torque))
    }

    /// Force (world) and torque about its origin that a constraint exerts on a body: `(fx, fy, torque)`.
    #[pyo3(signature = (constraint, body=None))]
    fn force_on(&self, constraint: usize, body: Option<usize>) -> PyResult<(f64, f64, f64)> {
        let (part, answer) = (self.part(constraint)?, self.solved()?);
        let [x, y, torque] =
            of_part!(part, id => self.inner.force_on(*id, body_of(body), answer)).map_err(said)?;
        Ok((x, y, torque))
    }

    /// Value, rate and acceleration that a prescribed motion has from now on.
    fn set_motion(&mut self, drive: usize, value: f64, rate: f64, acceleration: f64) -> PyResult<()> {
        self.lead(drive, [value, rate, acceleration])
    }

    /// The forces or torques that prescribed motions need: `motions` maps each drive to value, rate and acceleration. The
    /// mechanism is assembled and solved; the answer maps each drive to its force (force) or torque (force · length).
    fn inverse_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        motions: std::collections::BTreeMap<usize, [f64; 3]>,
    ) -> PyResult<Bound<'py, PyDict>> {
        for (&drive, &motion) in &motions {
            self.lead(drive, motion)?;
        }
        let answer = py
            .detach(|| {
                self.inner.assemble()?;
                self.inner.solve_accelerations()
            })
            .map_err(said)?;
        let efforts = PyDict::new(py);
        for &drive in motions.keys() {
            let part = self.part(drive)?;
            let found = of_part!(part, id => self.inner.multipliers(*id, &answer)).map_err(said)?;
            efforts.set_item(drive, found.first().copied())?;
        }
        self.answer = Some(answer);
        Ok(efforts)
    }

    /// Kinetic energy.
    #[getter]
    fn kinetic_energy(&self) -> f64 {
        self.inner.kinetic_energy()
    }

    /// Potential energy of gravity, zero at the world's origin.
    #[getter]
    fn potential_energy(&self) -> f64 {
        self.inner.potential_energy()
    }

    fn __repr__(&self) -> String {
        format!("Mechanism(bodies={}, constraints={})", self.inner.body_count(), self.parts.len())
    }
}
