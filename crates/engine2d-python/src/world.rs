//! A simulation as Python holds it.

use crate::arrays::table;
use crate::bodies::Body;
use crate::changes::{Changes, Demand, Kept};
use crate::contacts::Contacts;
use crate::energy::Energy;
use crate::fault;
use crate::report::Report;
use engine2d_record::{Observer, ReplayRecorder, SvgOptions, digest, run as run_world, write_svg};
use engine2d_scene::catalogue::CATALOGUE;
use engine2d_scene::{LiveScene, Scene};
use engine2d_sim::{BodyKey, SimError, Snapshot, StepReport};
use engine2d_watch::{WatchError, next_step};
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Numbers of a body in the array of states: x, y, angle, two of velocity, angular velocity.
pub(crate) const PER_BODY: usize = 6;

/// A world: bodies, force laws and joints, advanced in time. Made of the text of a scene.
#[pyclass(subclass, module = "engine2d._native")]
pub(crate) struct World {
    pub(crate) world: engine2d_sim::World,
    scene: Scene,
    /// The scene with what came and went, and whether anything did.
    pub(crate) live: LiveScene,
    pub(crate) edited: bool,
    /// Names by place; nothing at a vacant one.
    names: Arc<[String]>,
    pub(crate) changes: Changes,
    /// The state as Python sees it, gathered when it changed.
    gathered: Vec<f64>,
    /// The same as an array, once it was asked for.
    shown: Option<Py<PyArray2<f64>>>,
}

/// Point, force and torque.
type Reaction = ((f64, f64), (f64, f64), f64);

/// How a body is asked for.
#[derive(FromPyObject)]
pub(crate) enum Key {
    /// By place.
    Place(usize),
    /// By name.
    Name(String),
}

impl<'a> From<&'a Key> for BodyKey<'a> {
    fn from(key: &'a Key) -> Self {
        match key {
            Key::Place(place) => (*place).into(),
            Key::Name(name) => name.into(),
        }
    }
}

fn said(error: SimError) -> PyErr {
    fault::simulation(&error)
}

fn spoiled(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl World {
    fn read(text: &str) -> PyResult<Self> {
        let scene = Scene::from_json(text).map_err(|error| fault::scene(&error))?;
        let (live, world) = LiveScene::new(scene.clone()).map_err(|error| fault::scene(&error))?;
        let (names, changes, gathered) = (Arc::from([]), Changes::default(), Vec::new());
        let mut read = Self { world, scene, live, edited: false, names, changes, gathered, shown: None };
        read.name_bodies();
        read.gather();
        Ok(read)
    }

    /// Notes the names of all bodies.
    pub(crate) fn name_bodies(&mut self) {
        let mut names = Vec::new();
        for body in self.world.bodies() {
            names.resize(body.index(), String::new());
            names.push(body.name().to_owned());
        }
        self.names = names.into();
    }

    /// Notes the state of all bodies.
    pub(crate) fn gather(&mut self) {
        let mut numbers = Vec::with_capacity(PER_BODY * self.count());
        for body in self.world.bodies() {
            let (p, v) = (body.position(), body.velocity());
            numbers.extend([p.x, p.y, body.angle(), v.x, v.y, body.angular_velocity()]);
        }
        self.gathered = numbers;
        self.shown = None;
    }

    /// What an advance, or a change, leaves behind.
    fn done<T>(&mut self, outcome: Result<T, SimError>) -> PyResult<T> {
        self.gather();
        outcome.map_err(said)
    }

    /// Number of bodies.
    fn count(&self) -> usize {
        self.names.iter().filter(|name| !name.is_empty()).count()
    }

    fn step(&mut self, py: Python<'_>, step: f64) -> PyResult<StepReport> {
        self.shown = None;
        let outcome = py.detach(|| {
            let outcome = self.world.advance(step);
            self.changes.advanced();
            self.gather();
            outcome
        });
        outcome.map_err(said)
    }
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| Self::read(text))
    }

    /// Advances by `step` (time, ≥ 0) and reports what happened. Other threads of Python run meanwhile.
    fn advance(&mut self, py: Python<'_>, step: f64) -> PyResult<Report> {
        let report = self.step(py, step)?;
        Ok(Report::new(report, &self.names))
    }

    /// Advances by steps of `time_step` until the simulated time is `until`; the last report, if a step was taken.
    fn advance_until(&mut self, py: Python<'_>, until: f64, time_step: f64) -> PyResult<Option<Report>> {
        let mut last = None;
        while let Some(step) = next_step(self.world.time(), until, time_step) {
            let report = self.step(py, step)?;
            let stopped = report.stopped_by.is_some();
            last = Some(report);
            if stopped {
                break;
            }
            py.check_signals()?;
        }
        Ok(last.map(|report| Report::new(report, &self.names)))
    }

    /// The length of the next step of a run until `until` by steps of `time_step` (time); `None` at its end.
    fn next_step(&self, until: f64, time_step: f64) -> Option<f64> {
        next_step(self.world.time(), until, time_step)
    }

    /// Simulated time (time).
    #[getter]
    fn time(&self) -> f64 {
        self.world.time()
    }

    /// The step that the scene advises (time).
    #[getter]
    fn time_step(&self) -> f64 {
        self.scene.settings.time_step
    }

    /// The simulated time at which the scene ends (time).
    #[getter]
    fn end_time(&self) -> f64 {
        self.scene.start_time + self.scene.duration
    }

    /// Name of the scene.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.scene.name.as_deref()
    }

    /// The state of all bodies: shape (n, 6), columns x, y (length), angle (radians), vx, vy (length/time), angular velocity
    /// (radians/time), of the centres of mass. Read-only, and of this moment: it does not follow the world.
    #[getter]
    fn state<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if let Some(shown) = &self.shown {
            return Ok(shown.bind(py).clone());
        }
        let array = table(py, std::mem::take(&mut self.gathered), PER_BODY)?;
        self.shown = Some(array.clone().unbind());
        Ok(array)
    }

    /// Sets the state of all bodies, as `state` gives it.
    fn set_state(&mut self, state: PyReadonlyArray2<'_, f64>) -> PyResult<()> {
        let shape = state.shape();
        let wanted = [self.count(), PER_BODY];
        if shape != wanted {
            return Err(PyValueError::new_err(format!(
                "state: the shape is {shape:?}, {wanted:?} is needed"
            )));
        }
        // Vacant places stay as they are.
        let mut numbers = self.world.state();
        let places = self.world.bodies().map(|body| body.index());
        for (place, r) in places.zip(state.as_array().outer_iter()) {
            numbers[PER_BODY * place..PER_BODY * (place + 1)]
                .copy_from_slice(&[r[0], r[3], r[1], r[4], r[2], r[5]]);
        }
        let outcome = self.world.set_state(&numbers);
        self.done(outcome)
    }

    /// The names of the bodies, in the order of the rows of `state`.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
    }

    /// Number of bodies.
    fn __len__(&self) -> usize {
        self.count()
    }

    /// The bodies as they are now.
    #[getter]
    fn bodies(&self) -> Vec<Body> {
        self.world.bodies().map(Body::from).collect()
    }

    /// The body of a name or place, as it is now.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn body(&self, key: Key) -> PyResult<Body> {
        self.world.body(&key).map(Body::from).map_err(said)
    }

    /// Contacts and joints with the forces of the last evaluation.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts::new(self.world.contact_forces(), &self.names)
    }

    /// The energies now.
    #[getter]
    fn energy(&self) -> Energy {
        self.world.energy().into()
    }

    /// Largest certificate of any answer of the complementarity solver since the start: scaled violation of its conditions.
    #[getter]
    fn certificate(&self) -> f64 {
        self.world.inspect().lcp_statistics().worst_certificate
    }

    /// Momentum (mass · length/time) and angular momentum about the origin of the movable bodies.
    #[getter]
    fn momentum(&self) -> ((f64, f64), f64) {
        let (momentum, angular) = self.world.inspect().momentum();
        ((momentum.x, momentum.y), angular)
    }

    /// Sixteen hexadecimal digits from the bits of time and state: equal states have equal ones, here and in the command.
    #[getter]
    fn digest(&self) -> String {
        digest(&self.world)
    }

    /// Lets a force (force, world) act on a body at a world point during the next advance.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn apply_force(&mut self, body: Key, force: [f64; 2], point: [f64; 2]) -> PyResult<()> {
        let place = self.world.body(&body).map_err(said)?.index();
        self.changes.push(&mut self.world, (place, force, point)).map_err(said)
    }

    /// Changes the velocities of a body at once by an impulse (force · time, world) at a world point.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn apply_impulse(&mut self, body: Key, impulse: [f64; 2], point: [f64; 2]) -> PyResult<()> {
        let outcome = self.world.apply_impulse(&body, impulse, point);
        self.done(outcome)
    }

    /// Sets the velocity (length/time) and angular velocity (radians/time) of a body.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn set_velocity(&mut self, body: Key, velocity: [f64; 2], angular_velocity: f64) -> PyResult<()> {
        let outcome = self.world.set_velocity(&body, velocity, angular_velocity);
        self.done(outcome)
    }

    /// Places a body: centre of mass (world) and angle (radians).
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn set_pose(&mut self, body: Key, position: [f64; 2], angle: f64) -> PyResult<()> {
        let outcome = self.world.set_pose(&body, position, angle);
        self.done(outcome)
    }

    /// Changes what the motor of a joint is to do: speed, place, largest force or torque. What is not given stays.
    #[pyo3(signature = (joint, *, speed=None, place=None, limit=None))]
    fn set_motor(
        &mut self,
        joint: &str,
        speed: Option<f64>,
        place: Option<f64>,
        limit: Option<f64>,
    ) -> PyResult<()> {
        self.changes.drive(&mut self.world, joint, Demand { speed, place, limit }).map_err(said)
    }

    /// Force (world) and torque of a joint on its first body at its point, at the last evaluation: `(point, force, torque)`.
    fn reaction(&self, joint: &str) -> PyResult<Reaction> {
        let reaction = self.world.reaction(joint).map_err(said)?;
        Ok(((reaction.point.x, reaction.point.y), (reaction.force.x, reaction.force.y), reaction.torque))
    }

    /// The names of the joints.
    #[getter]
    fn joints(&self) -> Vec<String> {
        self.world.joints().iter().map(|joint| joint.label().to_owned()).collect()
    }

    /// Everything that changes while the world runs, as bytes: `restore` goes on from there bit for bit.
    fn snapshot(&self) -> PyResult<Vec<u8>> {
        serde_json::to_vec(&self.world.snapshot()).map_err(spoiled)
    }

    /// Returns to a state that `snapshot` gave, of this world or one of the same scene.
    fn restore(&mut self, snapshot: &[u8]) -> PyResult<()> {
        let snapshot: Snapshot = serde_json::from_slice(snapshot).map_err(spoiled)?;
        let outcome = self.world.restore(&snapshot);
        self.done(outcome)
    }

    /// What was changed since the scene besides the state: for pickling.
    fn changes(&self) -> Kept {
        self.changes.keep()
    }

    /// Takes up a snapshot with what was changed besides: for pickling.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn take_up(&mut self, snapshot: &[u8], changes: Kept) -> PyResult<()> {
        self.changes.drive_again(&mut self.world, &changes).map_err(said)?;
        self.restore(snapshot)?;
        self.changes.push_again(&mut self.world, &changes).map_err(said)
    }

    /// The scene of the start as JSON text.
    #[getter]
    fn scene_text(&self) -> PyResult<String> {
        self.scene.to_json().map_err(|error| fault::scene(&error))
    }

    /// A picture of the world now, as SVG text; `width` in pixels.
    #[pyo3(signature = (*, width=600.0, forces=true, contacts=false))]
    fn svg(&self, width: f64, forces: bool, contacts: bool) -> PyResult<String> {
        let mut picture = Vec::new();
        let options = SvgOptions { view: self.scene.view, width, forces, contacts, ..SvgOptions::default() };
        write_svg(&mut picture, &self.world, &options)?;
        String::from_utf8(picture).map_err(spoiled)
    }

    /// A page that plays a run from now until a time; the world itself stays as it is.
    fn replay_page(&self, py: Python<'_>, until: f64) -> PyResult<String> {
        let step = self.scene.settings.time_step;
        py.detach(|| {
            let mut world = self.world.clone();
            let mut replay = ReplayRecorder::new(&self.scene, until - world.time());
            let mut observers: [&mut dyn Observer; 1] = [&mut replay];
            run_world(&mut world, until, step, &mut observers).map_err(|error| match error {
                WatchError::Simulation(error) => said(error),
                other => spoiled(other),
            })?;
            let mut page = Vec::new();
            replay.write(&mut page)?;
            String::from_utf8(page).map_err(spoiled)
        })
    }

    fn __repr__(&self) -> String {
        let name = self.scene.name.as_deref().unwrap_or("scene");
        format!("World({name:?}, time={}, bodies={})", self.world.time(), self.count())
    }
}

/// The text of a built-in scene; `IndexError` for a name that is none.
#[pyfunction]
pub(crate) fn built_in(name: &str) -> PyResult<String> {
    let scene = Scene::built_in(name)
        .ok_or_else(|| PyIndexError::new_err(format!("no built-in scene is named {name:?}")))?;
    scene.to_json().map_err(|error| fault::scene(&error))
}

/// Names and summaries of the built-in scenes.
#[pyfunction]
pub(crate) fn scenes() -> Vec<(&'static str, &'static str)> {
    CATALOGUE.iter().map(|entry| (entry.name, entry.summary)).collect()
}
