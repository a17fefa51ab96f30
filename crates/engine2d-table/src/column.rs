//! A column: a name, a unit, values.

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The key of a unit in the metadata of a field.
pub(crate) const UNIT: &str = "unit";

/// The values of a column; any may be absent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Texts.
    Texts(Vec<Option<String>>),
    /// Yes or no.
    Flags(Vec<Option<bool>>),
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) unit: Cow<'static, str>,
    pub(crate) values: Values,
}

impl Column {
    /// A column of numbers that are all there, with their unit; no unit is empty.
    #[must_use]
    pub fn numbers(name: impl Into<String>, unit: &'static str, values: Vec<f64>) -> Self {
        Self::new(name, unit, Values::Numbers(values.into_iter().map(Some).collect()))
    }

    /// A column of texts.
    #[must_use]
    pub fn texts(name: impl Into<String>, values: Vec<Option<String>>) -> Self {
        Self::new(name, "", Values::Texts(values))
    }

    /// A column of any values.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: &'static str, values: Values) -> Self {
        Self { name: name.into(), unit: Cow::Borrowed(unit), values }
    }

    /// A column as a file has it.
    pub(crate) fn read(name: String, unit: Option<String>, values: Values) -> Self {
        Self { name, unit: Cow::Owned(unit.unwrap_or_default()), values }
    }

    /// Its unit; empty if it has none.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Number of values.
    #[must_use]
    pub fn rows(&self) -> usize {
        match &self.values {
            Values::Numbers(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Texts(values) => values.len(),
            Values::Flags(values) => values.len(),
        }
    }

    /// The column without its values.
    pub(crate) fn emptied(&self) -> Self {
        let values = match &self.values {
            Values::Numbers(_) => Values::Numbers(Vec::new()),
            Values::Whole(_) => Values::Whole(Vec::new()),
            Values::Texts(_) => Values::Texts(Vec::new()),
            Values::Flags(_) => Values::Flags(Vec::new()),
        };
        Self { name: self.name.clone(), unit: self.unit.clone(), values }
    }

    /// The field of the schema.
    pub(crate) fn field(&self) -> Field {
        let kind = match &self.values {
            Values::Numbers(_) => DataType::Float64,
            Values::Whole(_) => DataType::Int64,
            Values::Texts(_) => DataType::Utf8,
            Values::Flags(_) => DataType::Boolean,
        };
        let field = Field::new(&self.name, kind, true);
        if self.unit.is_empty() {
            return field;
        }
        field.with_metadata(HashMap::from([(UNIT.to_owned(), self.unit.clone().into_owned())]))
    }

    /// The values as Arrow has them.
    pub(crate) fn array(&self) -> ArrayRef {
        match &self.values {
            Values::Numbers(values) => Arc::new(Float64Array::from(values.clone())),
            Values::Whole(values) => Arc::new(Int64Array::from(values.clone())),
            Values::Texts(values) => Arc::new(StringArray::from(values.clone())),
            Values::Flags(values) => Arc::new(BooleanArray::from(values.clone())),
        }
    }
}
