//! A recorded file as the judges see it, and their verdicts.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;

/// Gives access to other files of the same collection.
pub trait Siblings: Sync {
    /// The file at `path`, relative to the root of the collection; `None` if there is none.
    fn load(&self, path: &str) -> Option<Value>;
}

/// One recorded file.
pub struct Recording<'a> {
    /// Path of the file relative to the root of its collection, with forward slashes.
    pub name: &'a str,
    /// Its content.
    pub value: &'a Value,
    /// The other files of the collection.
    pub siblings: &'a dyn Siblings,
}

/// The verdict on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// The file.
    pub file: String,
    /// The case within the file.
    pub case: String,
    /// Whether it passed.
    pub passed: bool,
    /// Worst difference, in units of what is allowed where that is known.
    pub worst: f64,
    /// Which quantity differed most, or why the case failed.
    pub quantity: String,
}

impl CaseResult {
    /// A failure that has no size: what could not be judged, and why.
    #[must_use]
    pub fn failure(file: &str, case: &str, reason: String) -> Self {
        Self {
            file: file.to_owned(),
            case: case.to_owned(),
            passed: false,
            worst: f64::INFINITY,
            quantity: reason,
        }
    }
}

impl fmt::Display for CaseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "pass" } else { "FAIL" };
        write!(f, "{verdict}  {}  {}  {:.3e}  {}", self.file, self.case, self.worst, self.quantity)
    }
}

/// Collects differences and remembers the worst relative to its limit.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    ratio: f64,
    worst: f64,
    quantity: String,
    failures: Vec<String>,
}

impl Difference {
    /// Notes that `found` should equal `expected` within `limit`.
    pub fn compare(&mut self, found: f64, expected: f64, limit: f64, quantity: impl FnOnce() -> String) {
        let difference = (found - expected).abs();
        // Equal infinities differ by NaN but agree.
        let difference = if found == expected { 0.0 } else { difference };
        let ratio = if difference.is_nan() { f64::INFINITY } else { difference / limit };
        if ratio > self.ratio || (self.quantity.is_empty() && ratio >= self.ratio) {
            self.ratio = ratio;
            self.worst = difference;
            self.quantity = quantity();
        }
    }

    /// Notes a failure that has no size.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.failures.push(reason.into());
    }

    /// Notes a failure unless `ok`.
    pub fn require(&mut self, ok: bool, reason: impl FnOnce() -> String) {
        if !ok {
            self.fail(reason());
        }
    }

    /// Whether nothing has failed so far.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.ratio <= 1.0 && self.failures.is_empty()
    }

    /// The verdict.
    #[must_use]
    pub fn verdict(self, file: &str, case: impl Into<String>) -> CaseResult {
        let passed = self.holds();
        let mut quantity = self.quantity;
        if !self.failures.is_empty() {
            quantity = self.failures.join("; ");
        }
        CaseResult { file: file.to_owned(), case: case.into(), passed, worst: self.worst, quantity }
    }
}

/// Reads each entry of the list `list` of a recording and judges it; an unreadable entry or a reason given by
/// `run` is a failure.
pub(crate) fn judge_each<T: DeserializeOwned>(
    recording: &Recording<'_>,
    list: &str,
    sink: &mut dyn FnMut(CaseResult),
    id: impl Fn(&T) -> String,
    run: impl Fn(&T, &mut Difference) -> Result<(), String>,
) {
    for value in recording.value.get(list).and_then(Value::as_array).into_iter().flatten() {
        let mut d = Difference::default();
        let name = match T::deserialize(value) {
            Ok(case) => {
                if let Err(reason) = run(&case, &mut d) {
                    d.fail(reason);
                }
                id(&case)
            }
            Err(e) => {
                d.fail(e.to_string());
                "unreadable".to_owned()
            }
        };
        sink(d.verdict(recording.name, name));
    }
}
