//! A run as it was: the states and reports of all its steps.

use crate::arrays::{line, table};
use crate::report::Report;
use crate::world::PER_BODY;
use engine2d_sim::{StepReport, World};
use engine2d_watch::Observer;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::io;
use std::sync::Arc;

/// Kinetic, potential and total energy.
const ENERGIES: usize = 3;

/// What a run did, step by step; the first state is that of the start.
#[pyclass(frozen, module = "engine2d._native")]
#[derive(Default)]
pub(crate) struct Recording {
    names: Option<Arc<[String]>>,
    times: Vec<f64>,
    states: Vec<f64>,
    energies: Vec<f64>,
    reports: Vec<StepReport>,
}

impl Recording {
    fn look(&mut self, world: &World) {
        self.times.push(world.time());
        for body in world.bodies() {
            let (p, v) = (body.position(), body.velocity());
            self.states.extend([p.x, p.y, body.angle(), v.x, v.y, body.angular_velocity()]);
        }
        let energy = world.energy();
        self.energies.extend([energy.kinetic(), energy.potential, energy.total()]);
    }
}

impl Observer for Recording {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.names = Some(world.bodies().map(|body| body.name().to_owned()).collect());
        self.look(world);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        self.look(world);
        self.reports.push(report.clone());
        Ok(())
    }
}

#[pymethods]
impl Recording {
    /// The names of the bodies, by their places.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.names.iter().flat_map(|names| names.iter()).map(String::as_str).collect()
    }

    /// Simulated times of the states, shape (k,) (time).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        line(py, self.times.clone())
    }

    /// The states, shape (k · n, 6), those of a time together: as `World.state`.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.states.clone(), PER_BODY)
    }

    /// Kinetic, potential and total energy of each state, shape (k, 3).
    #[getter]
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.energies.clone(), ENERGIES)
    }

    /// The report of each step, one fewer than the states.
    #[getter]
    fn reports(&self) -> Vec<Report> {
        let names = self.names.clone().unwrap_or_default();
        self.reports.iter().map(|report| Report::new(report.clone(), &names)).collect()
    }
}
