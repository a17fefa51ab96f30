//! Sweeps: which runs there are, some of them run, their table.

use crate::raised::SweepError as PySweep;
use crate::recording::Recording;
use engine2d_sweep::{Row, SweepError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A sweep: runs of one scene that differ by parameters.
#[pyclass(frozen, module = "engine2d._native")]
pub(crate) struct Sweep {
    sweep: engine2d_sweep::Sweep,
}

fn said(error: SweepError) -> PyErr {
    let message = error.to_string();
    match error {
        SweepError::Field { path, .. } => PySweep::new_err((message, path)),
        SweepError::NoRun { run, .. } => PySweep::new_err((message, "run", run)),
        _ => PySweep::new_err((message,)),
    }
}

#[pymethods]
impl Sweep {
    /// Reads a sweep from JSON text; `scene` is the JSON text of the scene where the sweep only names it,
    /// `outside` are the names of what functions of Python measure.
    #[new]
    #[pyo3(signature = (text, scene=None, outside=Vec::new()))]
    fn new(text: &str, scene: Option<&str>, outside: Vec<String>) -> PyResult<Self> {
        let given = |name: &str| {
            let text = scene.ok_or_else(|| format!("the scene {name:?} is not at hand"))?;
            serde_json::from_str(text).map_err(|error| error.to_string())
        };
        let sweep =
            engine2d_sweep::Sweep::read(text, given).and_then(|sweep| sweep.measured_outside(outside));
        Ok(Self { sweep: sweep.map_err(said)? })
    }

    /// Number of runs.
    fn __len__(&self) -> usize {
        usize::try_from(self.sweep.count()).unwrap_or(usize::MAX)
    }

    /// The columns of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<&str> {
        self.sweep.parameter_names().collect()
    }

    /// Fingerprint of the sweep and its scene.
    #[getter]
    fn digest(&self) -> String {
        self.sweep.digest()
    }

    /// What a table of this sweep says of itself: version of the engine, fingerprints of scene and sweep.
    #[getter]
    fn facts(&self) -> std::collections::BTreeMap<&'static str, String> {
        self.sweep.facts().into_iter().collect()
    }

    /// The scene of a run as JSON text.
    fn scene(&self, run: u64) -> PyResult<String> {
        self.sweep.scene(run).map_err(said)
    }

    /// Runs some runs, one after the other; the row of each as JSON text. Other threads of Python run meanwhile.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn run(&self, py: Python<'_>, runs: Vec<u64>) -> PyResult<Vec<String>> {
        let mut rows = Vec::with_capacity(runs.len());
        for run in runs {
            let row = py.detach(|| self.sweep.run(run)).map_err(said)?;
            rows.push(serde_json::to_string(&row).map_err(|error| PySweep::new_err((error.to_string(),)))?);
            py.check_signals()?;
        }
        Ok(rows)
    }

    /// Runs one run and records it: its row as JSON text, and what was recorded. Other threads of Python run meanwhile.
    fn record(&self, py: Python<'_>, run: u64) -> PyResult<(String, Recording)> {
        let mut recording = Recording::default();
        let row = py.detach(|| self.sweep.run_watched(run, &mut recording)).map_err(said)?;
        let row = serde_json::to_string(&row).map_err(|error| PySweep::new_err((error.to_string(),)))?;
        Ok((row, recording))
    }

    /// Fingerprint of rows, whatever their order: equal tables have equal ones, here and in the command.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn rows_digest(&self, rows: Vec<String>) -> PyResult<String> {
        Ok(engine2d_sweep::Sweep::rows_digest(&self.read(&rows)?))
    }

    /// The table of rows in the order of the runs, as an Arrow stream.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn table<'py>(&self, py: Python<'py>, rows: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
        let table = self.sweep.table(&self.read(&rows)?).map_err(said)?;
        let facts = self.sweep.facts();
        let facts: Vec<(&str, &str)> = facts.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let mut stream = Vec::new();
        table.write_stream(&mut stream, &facts).map_err(|error| said(error.into()))?;
        Ok(PyBytes::new(py, &stream))
    }

    fn __repr__(&self) -> String {
        format!("Sweep(runs={}, digest={:?})", self.sweep.count(), self.sweep.digest())
    }
}

impl Sweep {
    fn read(&self, rows: &[String]) -> PyResult<Vec<Row>> {
        self.sweep.rows(rows.iter().map(String::as_str)).map_err(said)
    }
}
