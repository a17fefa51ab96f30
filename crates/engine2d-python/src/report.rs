//! What happened in an advance.

use crate::contacts::Contacts;
use crate::tree::to_python;
use engine2d_sim::{Event, StepReport};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What an advance reports: events, forces, figures.
#[pyclass(frozen, module = "engine2d._native")]
pub(crate) struct Report {
    report: StepReport,
    names: Arc<[String]>,
}

impl Report {
    pub(crate) fn new(report: StepReport, names: &Arc<[String]>) -> Self {
        Self { report, names: Arc::clone(names) }
    }

    /// An event as a dictionary: its fields, the bodies by name, the contact by its text.
    fn event<'py>(&self, py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyAny>> {
        let tree = serde_json::to_value(event)
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        let object = to_python(py, &tree)?;
        let dict = object.cast::<PyDict>()?;
        let name = |place: usize| self.names.get(place).map_or("ground", String::as_str);
        if let Event::FixedSteps { bodies, .. } = event {
            dict.set_item("bodies", bodies.iter().map(|id| name(id.index())).collect::<Vec<_>>())?;
        }
        if let Some(bodies) = event.bodies() {
            dict.set_item("bodies", bodies.map(|body| body.index().map_or("ground", name)))?;
        }
        if let Some(contact) = event.contact() {
            dict.set_item("contact", contact.to_string())?;
        }
        Ok(object)
    }
}

#[pymethods]
impl Report {
    /// Simulated time at the end (time).
    #[getter]
    fn time(&self) -> f64 {
        self.report.time
    }

    /// What happened, in order of time: dictionaries with `event` (the kind), `time`, and what the kind has besides, among
    /// it `bodies` (names), `point`, `normal`, `impulse`, `velocity_before`, `velocity_after`.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.report.events.iter().map(|event| self.event(py, event)).collect()
    }

    /// Contacts and joints with their forces at the end.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts::new(&self.report.contacts, &self.names)
    }

    /// Total energy at the end.
    #[getter]
    fn energy(&self) -> f64 {
        self.report.energy
    }

    /// Highest total energy at the end of any part of the advance.
    #[getter]
    fn highest_energy(&self) -> f64 {
        self.report.highest_energy
    }

    /// Largest certificate of any answer of the complementarity solver: scaled violation of its conditions.
    #[getter]
    fn certificate(&self) -> f64 {
        self.report.certificate
    }

    /// Depth of the deepest overlap of two bodies at the end (length).
    #[getter]
    fn penetration(&self) -> f64 {
        self.report.penetration
    }

    /// Largest deviation of a joint from its place at the end (length or radians).
    #[getter]
    fn joint_error(&self) -> f64 {
        self.report.joint_error
    }

    /// Momentum of the movable bodies at the end (mass · length/time).
    #[getter]
    fn momentum(&self) -> (f64, f64) {
        (self.report.momentum.x, self.report.momentum.y)
    }

    /// Their angular momentum about the origin at the end.
    #[getter]
    fn angular_momentum(&self) -> f64 {
        self.report.angular_momentum
    }

    /// Complementarity problems solved.
    #[getter]
    fn lcp_solves(&self) -> u64 {
        self.report.lcp_solves
    }

    /// Rows of the largest of them, over the world's life.
    #[getter]
    fn lcp_size_max(&self) -> usize {
        self.report.lcp_size_max
    }

    /// Collisions resolved, impulse problems, integrator steps and the like in this advance.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dict, totals) = (PyDict::new(py), self.report.counters);
        dict.set_item("collisions", totals.collisions)?;
        dict.set_item("impulses", totals.impulses)?;
        dict.set_item("searches", totals.searches)?;
        dict.set_item("steps", totals.steps)?;
        dict.set_item("backups", totals.backups)?;
        dict.set_item("evaluations", self.report.evaluations)?;
        Ok(dict)
    }

    /// Name of the event at which the advance ended early, if one did.
    #[getter]
    fn stopped_by(&self) -> Option<&str> {
        self.report.stopped_by.as_deref()
    }

    fn __repr__(&self) -> String {
        let (events, contacts) = (self.report.events.len(), self.report.contacts.len());
        format!("Report(time={}, events={events}, contacts={contacts})", self.report.time)
    }
}
