//! Problem files: JSON that a failed solve can be dumped to and the command line reads back.
//!
//! ```json
//! { "format": "engine2d-lcp", "version": 1,
//!   "a": [[2.0, -1.0], [-1.0, 1.0]], "b": [0.0, -9.81],
//!   "rows": [{ "kind": "unilateral" }, { "kind": "unilateral" }] }
//! ```
//! `rows` may be left out if all are unilateral. A boxed row has `lo` and `hi`, `null` for none; a friction row
//! `normal` and `mu`; a friction-limits row `normal`, `mu_minus`, `mu_plus`; a sliding row `normal`, `mu`, `sign`. Instead of `a` there may be a `jacobian` with `start`, `column`, `value`, `inverse_mass` and, if rows give
//! way, `compliance`; or `sparse`, a list of `[row, column, value]`, each entry of the symmetric matrix once. With
//! `"unsymmetric": true` the matrix may be any square one, and `sparse` lists each entry by itself.

use crate::stored::{Stored, StoredJacobian, StoredRow, is_false};
use crate::{Error, Lcp};
use serde::{Deserialize, Serialize};
use std::io::{BufReader, BufWriter, Read, Write};

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
    #[serde(default, skip_serializing_if = "is_false")]
    unsymmetric: bool,
    b: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<StoredRow>,
}

impl ProblemFile {
    /// The file of a problem.
    #[must_use]
    pub fn of(problem: &Lcp<'_>, label: &str) -> Self {
        let Stored { a, sparse, jacobian, unsymmetric, b, rows } = Stored::of(problem);
        let label = (!label.is_empty()).then(|| label.to_owned());
        Self { format: FORMAT.to_owned(), version: VERSION, label, a, sparse, jacobian, unsymmetric, b, rows }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`]: not JSON, unknown or missing fields, another format or version.
    pub fn read(reader: impl Read) -> Result<Self, Error> {
        let file: Self =
            serde_json::from_reader(BufReader::new(reader)).map_err(|e| Error::File(e.to_string()))?;
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
        let mut writer = BufWriter::new(writer);
        serde_json::to_writer(&mut writer, self).map_err(|e| Error::File(e.to_string()))?;
        writer.flush().map_err(|e| Error::File(e.to_string()))
    }

    /// The problem in the file.
    ///
    /// # Errors
    /// As the constructors of [`Lcp`]; [`Error::File`] if there is no matrix or there are two.
    pub fn problem(&self) -> Result<Lcp<'static>, Error> {
        let Self { a, sparse, jacobian, unsymmetric, b, rows, .. } = self.clone();
        let problem = Stored { a, sparse, jacobian, unsymmetric, b, rows }.problem()?;
        problem.ok_or_else(|| Error::File("give either a or jacobian or sparse".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

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
    fn a_problem_without_symmetry_survives_its_file() {
        let dense = Lcp::unsymmetric(vec![2.0, 1.0, -1.0, 2.0], vec![-5.0, -1.0]).unwrap();
        let entries = [(0, 0, 2.0), (0, 1, 1.0), (1, 1, 2.0)];
        let sparse = Lcp::unsymmetric_triplets(&entries, vec![-5.0, -1.0]).unwrap();
        for problem in [dense, sparse] {
            let mut text = Vec::new();
            ProblemFile::of(&problem, "").write(&mut text).unwrap();
            assert_eq!(ProblemFile::read(&text[..]).unwrap().problem().unwrap(), problem);
            let text = serde_json::to_string(&problem).unwrap();
            assert_eq!(serde_json::from_str::<Lcp<'static>>(&text).unwrap(), problem);
        }
    }

    #[test]
    fn what_is_read_has_been_checked() {
        let fault = |text: &str| serde_json::from_str::<Lcp<'static>>(text).unwrap_err().to_string();
        assert!(fault(r#"{"a":[[1,2],[0,1]],"b":[1,2]}"#).contains("must be symmetric"));
        assert!(fault(r#"{"b":[1,2]}"#).contains("either a or jacobian"));
        assert!(fault(r#"{"a":[[1]],"b":[1],"format":1}"#).contains("unknown field"));
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
