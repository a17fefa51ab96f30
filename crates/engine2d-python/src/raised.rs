//! The exceptions of `engine2d/errors.py`.

pyo3::import_exception!(engine2d.errors, GeometryError);
pyo3::import_exception!(engine2d.errors, LcpError);
pyo3::import_exception!(engine2d.errors, MechanismError);
pyo3::import_exception!(engine2d.errors, SceneError);
pyo3::import_exception!(engine2d.errors, SimulationError);
pyo3::import_exception!(engine2d.errors, SweepError);
