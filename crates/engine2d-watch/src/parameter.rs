//! Parameters as tools show them: name, kind, value.

use engine2d_sim::name::{normalized, same};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ParameterValue {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(f64),
    /// One of the parameter's choices.
    Choice(String),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Choice(word) => f.write_str(word),
        }
    }
}

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParameterKind {
    /// On or off.
    Flag,
    /// A number within limits, inclusive; `None`: no limit.
    Number {
        /// Smallest value.
        lower: Option<f64>,
        /// Largest value.
        upper: Option<f64>,
    },
    /// One of these words.
    Choice(Vec<String>),
}

/// A parameter as tools show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name in normal form: upper case with underscores. Names are compared in this form.
    pub name: String,
    /// What it does, with its unit.
    pub description: String,
    /// The values it takes.
    pub kind: ParameterKind,
    /// Its value now.
    pub value: ParameterValue,
}

/// A name as it is listed: lower case with underscores, like the fields of the settings.
pub(crate) fn listed(name: &str) -> String {
    normalized(name).to_lowercase()
}

impl Parameter {
    /// A number of the user's within limits.
    #[must_use]
    pub fn number(name: &str, description: &str, value: f64, lower: Option<f64>, upper: Option<f64>) -> Self {
        let kind = ParameterKind::Number { lower, upper };
        Self {
            name: listed(name),
            description: description.to_owned(),
            kind,
            value: ParameterValue::Number(value),
        }
    }

    /// A flag of the user's.
    #[must_use]
    pub fn flag(name: &str, description: &str, value: bool) -> Self {
        let (kind, value) = (ParameterKind::Flag, ParameterValue::Flag(value));
        Self { name: listed(name), description: description.to_owned(), kind, value }
    }

    /// Whether the parameter may have that value.
    pub(crate) fn accepts(&self, value: &ParameterValue) -> bool {
        match (&self.kind, value) {
            (ParameterKind::Flag, ParameterValue::Flag(_)) => true,
            (ParameterKind::Number { lower, upper }, ParameterValue::Number(v)) => {
                v.is_finite() && lower.is_none_or(|l| *v >= l) && upper.is_none_or(|u| *v <= u)
            }
            (ParameterKind::Choice(words), ParameterValue::Choice(word)) => {
                words.iter().any(|w| same(w, word))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.name, self.value, self.description)
    }
}
