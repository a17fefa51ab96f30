//! What went wrong in Rust as exceptions of Python, with path and value.

use crate::raised::{
    GeometryError as PyGeometry, LcpError as PyLcp, MechanismError as PyMechanism, SceneError as PyScene,
    SimulationError as PySimulation,
};
use engine2d_constraint::MechanismError;
use engine2d_geometry::{QueryError, ShapeError};
use engine2d_scene::SceneError;
use engine2d_sim::SimError;
use pyo3::PyErr;

/// A simulation that refuses or cannot go on.
pub(crate) fn simulation(error: &SimError) -> PyErr {
    let message = error.to_string();
    match error {
        SimError::Value { path, value, .. } => PySimulation::new_err((message, path.clone(), *value)),
        SimError::UnknownBody { path, index, .. } => PySimulation::new_err((message, path.clone(), *index)),
        SimError::UnknownName { name } => PySimulation::new_err((message, None::<String>, name.clone())),
        SimError::NameTaken { path, name, .. } => {
            PySimulation::new_err((message, path.clone(), name.clone()))
        }
        SimError::Overlap { path, depth, .. } => PySimulation::new_err((message, path.clone(), *depth)),
        SimError::Unsupported { path, .. } => PySimulation::new_err((message, path.clone())),
        _ => PySimulation::new_err((message,)),
    }
}

/// A scene with mistakes, all of them with their paths.
pub(crate) fn scene(error: &SceneError) -> PyErr {
    let message = error.to_string();
    let mistakes: Vec<(String, String)> = match error {
        SceneError::Invalid(mistakes) => {
            mistakes.as_slice().iter().map(|one| (one.path.clone(), one.kind.to_string())).collect()
        }
        _ => Vec::new(),
    };
    let path = mistakes.first().map(|(path, _)| path.clone());
    PyScene::new_err((message, path, None::<f64>, mistakes))
}

/// A mechanism that cannot answer.
pub(crate) fn mechanism(error: &MechanismError) -> PyErr {
    let message = error.to_string();
    match error {
        MechanismError::Value { what, value, .. } => PyMechanism::new_err((message, what.clone(), *value)),
        MechanismError::Length { what, got, .. } => PyMechanism::new_err((message, *what, *got)),
        MechanismError::NotAssembled { constraint, residual, .. } => {
            PyMechanism::new_err((message, constraint.clone(), *residual))
        }
        _ => PyMechanism::new_err((message,)),
    }
}

/// A complementarity problem that is none.
pub(crate) fn lcp(error: &engine2d_lcp::Error) -> PyErr {
    PyLcp::new_err((error.to_string(),))
}

/// A value of a complementarity problem that cannot be read.
pub(crate) fn lcp_value(message: String, path: String, value: String) -> PyErr {
    PyLcp::new_err((message, path, value))
}

/// A shape that cannot be.
pub(crate) fn shape(error: &ShapeError) -> PyErr {
    PyGeometry::new_err((error.to_string(),))
}

/// A question of geometry that has no answer.
pub(crate) fn query(error: &QueryError) -> PyErr {
    PyGeometry::new_err((error.to_string(),))
}

/// A constraint that a mechanism does not have.
pub(crate) fn no_constraint(path: &str, place: usize, count: usize) -> PyErr {
    let message = format!("{path}: there is no constraint {place} (there are {count})");
    PyMechanism::new_err((message, path.to_owned(), place))
}

/// A drive that is none.
pub(crate) fn no_drive(place: usize) -> PyErr {
    let message =
        format!("constraint {place} is no prescribed motion: make one with prescribe_angle or the like");
    PyMechanism::new_err((message, "drive", place))
}

/// A mechanism asked for forces before it was solved.
pub(crate) fn unsolved() -> PyErr {
    PyMechanism::new_err(("no forces were found yet: call solve_accelerations first",))
}
