//! Problems as plain data that any self-describing format can hold.

use crate::{Error, Lcp, Matrix, Row, SparseRows};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The content of a problem: one of the three matrices, `b`, and the rows unless all are unilateral.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stored {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) a: Option<Vec<Vec<f64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sparse: Option<Vec<(usize, usize, f64)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) jacobian: Option<StoredJacobian>,
    /// Whether `a` or `sparse` need not be symmetric; then each entry is given by itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) unsymmetric: bool,
    pub(crate) b: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) rows: Vec<StoredRow>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredJacobian {
    start: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    inverse_mass: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    compliance: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum StoredRow {
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

impl Stored {
    /// The content of a problem.
    pub(crate) fn of(problem: &Lcp<'_>) -> Self {
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
                let wanted = |i: usize, j: usize| j <= i || !problem.is_symmetric();
                let entries = (0..n).flat_map(|i| {
                    let (columns, values) = stored.row(i);
                    columns
                        .iter()
                        .zip(values)
                        .filter(move |(j, _)| wanted(i, **j))
                        .map(move |(&j, &v)| (i, j, v))
                });
                sparse = Some(entries.collect());
            }
            Matrix::Dense(dense) => a = Some(dense.chunks(n.max(1)).map(<[f64]>::to_vec).collect()),
        }
        let plain = problem.kinds().iter().all(|kind| *kind == Row::Unilateral);
        let rows = problem.kinds().iter().map(|kind| StoredRow::of(*kind));
        let rows = if plain { Vec::new() } else { rows.collect() };
        Self { a, sparse, jacobian, unsymmetric: !problem.is_symmetric(), b: problem.bias().to_vec(), rows }
    }

    /// The problem, checked as the constructors do; `None` unless there is one matrix.
    pub(crate) fn problem(self) -> Result<Option<Lcp<'static>>, Error> {
        let n = self.b.len();
        let problem = match (self.a, self.sparse, self.jacobian) {
            (Some(a), None, None) => {
                if let Some(row) = a.iter().find(|row| row.len() != n) {
                    return Err(Error::Dimension { what: "a row of a", got: row.len(), expected: n });
                }
                let of = if self.unsymmetric { Lcp::unsymmetric } else { Lcp::from_dense };
                of(a.concat(), self.b)?
            }
            (None, Some(entries), None) if self.unsymmetric => Lcp::unsymmetric_triplets(&entries, self.b)?,
            (None, Some(entries), None) => Lcp::triplets(&entries, self.b)?,
            (None, None, Some(j)) if !self.unsymmetric => {
                let rows = SparseRows { start: j.start, column: j.column, value: j.value };
                Lcp::soft_jacobian(rows, j.inverse_mass, j.compliance, self.b)?
            }
            _ => return Ok(None),
        };
        if self.rows.is_empty() {
            return Ok(Some(problem));
        }
        problem.rows(self.rows.iter().map(|row| row.kind()).collect::<Vec<_>>()).map(Some)
    }
}

/// The fields of a problem file without its head: `a`, `sparse` or `jacobian`; `unsymmetric`; `b`; `rows`. For formats that
/// name their fields, such as JSON. Numbers without bound are `null` among the rows.
impl Serialize for Lcp<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored::of(self).serialize(serializer)
    }
}

/// As it was serialized; what is read is checked as by the constructors.
impl<'de> Deserialize<'de> for Lcp<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let problem = stored.problem().map_err(serde::de::Error::custom)?;
        problem.ok_or_else(|| serde::de::Error::custom("give either a or jacobian or sparse"))
    }
}

impl StoredRow {
    pub(crate) fn of(kind: Row) -> Self {
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

    pub(crate) fn kind(self) -> Row {
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
