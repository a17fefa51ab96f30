//! The forces between bodies at a moment, as arrays.

use crate::arrays::{line, table};
use engine2d_geometry::BodyRef;
use engine2d_sim::ContactForce;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// The place of the background among bodies.
const GROUND: i64 = -1;

/// Contacts with their forces at one moment: one entry each, in arrays of equal length.
///
/// The force on the first body is `force * normal + friction * tangent`, where the tangent is the normal turned a
/// quarter to the left; the second body gets the opposite.
#[pyclass(frozen, module = "engine2d._native")]
pub(crate) struct Contacts {
    forces: Vec<ContactForce>,
    names: Arc<[String]>,
}

impl Contacts {
    pub(crate) fn new(forces: &[ContactForce], names: &Arc<[String]>) -> Self {
        Self { forces: forces.to_vec(), names: Arc::clone(names) }
    }

    fn name(&self, body: BodyRef) -> &str {
        body.index().and_then(|place| self.names.get(place)).map_or("ground", String::as_str)
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(&ContactForce) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        line(py, self.forces.iter().map(value).collect())
    }
}

/// The place of a body as an array has it.
fn place(body: BodyRef) -> i64 {
    body.index().and_then(|index| i64::try_from(index).ok()).unwrap_or(GROUND)
}

#[pymethods]
impl Contacts {
    fn __len__(&self) -> usize {
        self.forces.len()
    }

    /// Places of the two bodies, shape (n, 2); -1 is the immovable background.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let pairs = self.forces.iter().flat_map(|c| [place(c.id.primary), place(c.id.normal_body)]);
        table(py, pairs.collect(), 2)
    }

    /// Names of the two bodies of each contact.
    #[getter]
    fn names(&self) -> Vec<(String, String)> {
        let name = |body| self.name(body).to_owned();
        self.forces.iter().map(|c| (name(c.id.primary), name(c.id.normal_body))).collect()
    }

    /// What identifies each contact: bodies and features.
    #[getter]
    fn ids(&self) -> Vec<String> {
        self.forces.iter().map(|c| c.id.to_string()).collect()
    }

    /// Where the force acts (world, length), shape (n, 2).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.forces.iter().flat_map(|c| [c.point.x, c.point.y]).collect(), 2)
    }

    /// Unit direction of the normal force on the first body, shape (n, 2).
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.forces.iter().flat_map(|c| [c.normal.x, c.normal.y]).collect(), 2)
    }

    /// Normal force (force), shape (n,); negative only at joints.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |c| c.force)
    }

    /// Friction along the tangent (force), shape (n,).
    #[getter]
    fn friction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |c| c.friction)
    }

    /// Torque of rolling resistance on the first body (force × length), shape (n,).
    #[getter]
    fn rolling_torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |c| c.rolling_torque)
    }

    /// Gap between the bodies there (length), shape (n,).
    #[getter]
    fn gap<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |c| c.gap)
    }

    /// Whether the entry is a joint, shape (n,).
    #[getter]
    fn bilateral<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        line(py, self.forces.iter().map(|c| c.bilateral).collect())
    }

    /// The force on the first body as a vector (force, world), shape (n, 2).
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let vector = |c: &ContactForce| {
            let (n, f) = (c.normal, c.friction);
            [c.force * n.x - f * n.y, c.force * n.y + f * n.x]
        };
        table(py, self.forces.iter().flat_map(vector).collect(), 2)
    }

    fn __repr__(&self) -> String {
        format!("Contacts({} entries)", self.forces.len())
    }
}
