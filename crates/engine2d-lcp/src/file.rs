//! Problem files: JSON that a failed solve can be dumped to and the command line reads back.
//!
//! ```json
//! { "format": "engine2d-lcp", "version": 1,
//!   "a": [[2.0, -1.0], [-1.0, 1.0]], "b": [0.0, -9.81],
//!   "rows": [{ "kind": "unilateral" }, { "kind": "unilateral" }] }
//! ```
//! `rows` may be left out if all are unilateral. A boxed row has `lo` and `hi`, `null` for none; a friction row
//! `normal` and `mu`; a friction-limits row `normal`, `mu_minus`, `mu_plus`; a sliding row `normal`, `mu`, `sign`. Instead of `a` there may be a `jacobian` with `start`, `column`, `value`, `inverse_mass` and, if rows give
//! way, `compliance`; or `sparse`, a list of `[row, column, value]`, each entry of the symmetric matrix once.

use crate::{Error, Lcp, Matrix, Row, SparseRows};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

const FORMAT: &str = "engine2d-lcp";
const VERSION: u32 = 1;

/// The content of a problem file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemFile {
    format: String,
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<Vec<Vec<f64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sparse: Option<Vec<(usize, usize, f64)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jacobian: Option<StoredJacobian>,
    b: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<StoredRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredJacobian {
    start: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    inverse_mass: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    compliance: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum StoredRow {
    Bilateral,
    Unilateral,
    Boxed {
        lo: Option<f64>,
        hi: Option<f64>,
    },
    Friction {
        normal: usize,
        mu: f64,
    },
    #[serde(rename = "friction-limits")]
    FrictionLimits {
        normal: usize,
        mu_minus: f64,
        mu_plus: f64,
    },
    Sliding {
        normal: usize,
        mu: f64,
        sign: f64,
    },
}

impl ProblemFile {
    /// The file of a problem.
    #[must_use]
    pub fn of(problem: &Lcp<'_>, label: &str) -> Self {
        let n = problem.len();
        let (mut a, mut sparse, mut jacobian) = (None, None, None);
        match problem.matrix() {
            Matrix::Jacobian { jacobian: j, inverse_mass, compliance } => {
                jacobian = Some(StoredJacobian {
                    start: j.start.clone(),
                    column: j.column.clone(),
                    value: j.value.clone(),
                    inverse_mass: inverse_mass.clone(),
                    compliance: compliance.clone(),
                });
            }
            Matrix::Sparse(stored) => {
                let entries = (0..n).flat_map(|i| {
                    let (columns, values) = stored.row(i);
                    columns.iter().zip(values).filter(move |(j, _)| **j <= i).map(move |(&j, &v)| (i, j, v))
                });
                sparse = Some(entries.collect());
            }
            other => {
                let mut dense = Vec::new();
                other.to_dense(&mut dense);
                a = Some((0..n).map(|i| dense[i * n..(i + 1) * n].to_vec()).collect());
            }
        }
        let plain = problem.kinds().iter().all(|kind| *kind == Row::Unilateral);
        let rows = problem.kinds().iter().map(|kind| StoredRow::of(*kind));
        let rows = if plain { Vec::new() } else { rows.collect() };
        let label = (!label.is_empty()).then(|| label.to_owned());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            label,
            a,
            sparse,
            jacobian,
            b: problem.bias().to_vec(),
            rows,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`]: not JSON, unknown or missing fields, another format or version.
    pub fn read(reader: impl Read) -> Result<Self, Error> {
        let file: Self = serde_json::from_reader(reader).map_err(|e| Error::File(e.to_string()))?;
        if file.format != FORMAT || file.version != VERSION {
            let (format, version) = (&file.format, file.version);
            return Err(Error::File(format!(
                "format {format:?} version {version} is not {FORMAT:?} version {VERSION}"
            )));
        }
        Ok(file)
    }

    /// Writes the file; numbers keep all their digits.
    ///
    /// # Errors
    /// [`Error::File`] if the writer fails.
    pub fn write(&self, writer: impl Write) -> Result<(), Error> {
        serde_json::to_writer(writer, self).map_err(|e| Error::File(e.to_string()))
    }

    /// The problem in the file.
    ///
    /// # Errors
    /// As the constructors of [`Lcp`]; [`Error::File`] if there is no matrix or there are two.
    pub fn problem(&self) -> Result<Lcp<'static>, Error> {
        let n = self.b.len();
        let problem = match (&self.a, &self.sparse, &self.jacobian) {
            (Some(a), None, None) => {
                if let Some(row) = a.iter().find(|row| row.len() != n) {
                    return Err(Error::Dimension { what: "a row of a", got: row.len(), expected: n });
                }
                Lcp::from_dense(a.concat(), self.b.clone())?
            }
            (None, Some(entries), None) => Lcp::triplets(entries, self.b.clone())?,
            (None, None, Some(j)) => {
                let rows =
                    SparseRows { start: j.start.clone(), column: j.column.clone(), value: j.value.clone() };
                Lcp::soft_jacobian(rows, j.inverse_mass.clone(), j.compliance.clone(), self.b.clone())?
            }
            _ => return Err(Error::File("give either a or jacobian or sparse".to_owned())),
        };
        if self.rows.is_empty() {
            return Ok(problem);
        }
        problem.rows(self.rows.iter().map(|row| row.kind()).collect::<Vec<_>>())
    }
}

impl StoredRow {
    fn of(kind: Row) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        match kind {
            Row::Bilateral => Self::Bilateral,
            Row::Unilateral => Self::Unilateral,
            Row::Boxed { lo, hi } => Self::Boxed { lo: finite(lo), hi: finite(hi) },
            Row::Friction { normal, mu } => Self::Friction { normal, mu },
            Row::FrictionLimits { normal, mu_minus, mu_plus } => {
                Self::FrictionLimits { normal, mu_minus, mu_plus }
            }
            Row::Sliding { normal, mu, sign } => Self::Sliding { normal, mu, sign },
        }
    }

    fn kind(self) -> Row {
        match self {
            Self::Bilateral => Row::Bilateral,
            Self::Unilateral => Row::Unilateral,
            Self::Boxed { lo, hi } => {
                Row::Boxed { lo: lo.unwrap_or(f64::NEG_INFINITY), hi: hi.unwrap_or(f64::INFINITY) }
            }
            Self::Friction { normal, mu } => Row::Friction { normal, mu },
            Self::FrictionLimits { normal, mu_minus, mu_plus } => {
                Row::FrictionLimits { normal, mu_minus, mu_plus }
            }
            Self::Sliding { normal, mu, sign } => Row::Sliding { normal, mu, sign },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_survives_its_file() {
        let rows = vec![
            Row::Unilateral,
            Row::Friction { normal: 0, mu: 0.3 },
            Row::Boxed { lo: f64::NEG_INFINITY, hi: 0.1 },
        ];
        let a = [[2.0, 0.1, 0.0], [0.1, 1.0 / 3.0, 0.0], [0.0, 0.0, 1.0]];
        let problem = Lcp::dense(a, [-1.0, 1e-300, 0.3]).unwrap().rows(rows).unwrap();
        let mut text = Vec::new();
        ProblemFile::of(&problem, "forces").write(&mut text).unwrap();
        assert_eq!(ProblemFile::read(&text[..]).unwrap().problem().unwrap(), problem);
    }

    #[test]
    fn a_sparse_problem_stays_sparse_in_its_file() {
        let n = 1000;
        let entries = (0..n).flat_map(|i| [(i, i, 2.0), (i, (i + 1) % n, -1.0)]).take(2 * n - 1);
        let problem = Lcp::triplets(&entries.collect::<Vec<_>>(), vec![-1.0; n]).unwrap();
        let mut text = Vec::new();
        ProblemFile::of(&problem, "").write(&mut text).unwrap();
        assert!(text.len() < 50 * n);
        assert_eq!(ProblemFile::read(&text[..]).unwrap().problem().unwrap(), problem);
    }

    #[test]
    fn bad_files_say_why() {
        let reason = |text: &str| match ProblemFile::read(text.as_bytes()).and_then(|f| f.problem()) {
            Err(error) => error.to_string(),
            Ok(_) => String::new(),
        };
        assert!(reason("{}").contains("missing field"));
        assert!(reason(r#"{"format":"x","version":1,"b":[]}"#).contains("is not \"engine2d-lcp\""));
        assert!(reason(r#"{"format":"engine2d-lcp","version":1,"b":[]}"#).contains("either a or jacobian"));
        let ragged = r#"{"format":"engine2d-lcp","version":1,"a":[[1,0],[0]],"b":[1,2]}"#;
        assert!(reason(ragged).contains("a row of a has length 1, expected 2"));
        let unknown = r#"{"format":"engine2d-lcp","version":1,"a":[[1]],"b":[1],"rows":[{"kind":"sticky"}]}"#;
        assert!(reason(unknown).contains("sticky"));
    }
}
