//! Objects of JSON whose fields are ticked off as they are read: what is left over is told.

use crate::error::ImportError;
use crate::report::{NoteKind, Notes};
use engine2d_scene::Point;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// An object under reading.
pub(crate) struct Fields<'v> {
    map: &'v Map<String, Value>,
    pub(crate) path: String,
    used: RefCell<BTreeSet<String>>,
}

impl<'v> Fields<'v> {
    /// The fields of an object.
    pub(crate) fn of(value: &'v Value, path: impl Into<String>) -> Result<Self, ImportError> {
        let path = path.into();
        match value {
            Value::Object(map) => Ok(Self { map, path, used: RefCell::default() }),
            other => Err(ImportError::at(path, format!("an object is needed, not {}", describe(other)))),
        }
    }

    /// The path of a field.
    pub(crate) fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// A field as it is.
    pub(crate) fn value(&self, name: &str) -> Option<&'v Value> {
        self.used.borrow_mut().insert(name.to_owned());
        self.map.get(name)
    }

    fn wrong<T>(&self, name: &str, needed: &str, found: &Value) -> Result<T, ImportError> {
        Err(ImportError::at(self.at(name), format!("{needed} is needed, not {}", describe(found))))
    }

    /// A number, also one written as the bits of a float of 32 bits.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        self.value(name).map(|value| number(value, &self.at(name))).transpose()
    }

    /// A number that is not negative.
    pub(crate) fn size(&self, name: &str) -> Result<Option<f64>, ImportError> {
        match self.number(name)? {
            Some(number) if number < 0.0 => {
                Err(ImportError::at(self.at(name), format!("a number ≥ 0 is needed, not {number}")))
            }
            number => Ok(number),
        }
    }

    /// A whole number.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<i64>, ImportError> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match value.as_i64() {
                Some(number) => Ok(Some(number)),
                None => self.wrong(name, "a whole number", value),
            },
        }
    }

    /// True or false.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, ImportError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => self.wrong(name, "true or false", other),
        }
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'v str>, ImportError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.wrong(name, "a text", other),
        }
    }

    /// A vector `{"x": …, "y": …}`, or 0.
    pub(crate) fn vector(&self, name: &str) -> Result<Option<Point>, ImportError> {
        self.value(name).map(|value| vector(value, &self.at(name))).transpose()
    }

    /// A list, each entry with its path; an absent one is empty.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<(String, &'v Value)>, ImportError> {
        match self.value(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                let path = |k: usize| format!("{}[{k}]", self.at(name));
                Ok(items.iter().enumerate().map(|(k, item)| (path(k), item)).collect())
            }
            Some(other) => self.wrong(name, "a list", other),
        }
    }

    /// Notes fields of which no motion depends, where they are.
    pub(crate) fn skip(&self, names: &[&str], notes: &mut Notes) {
        for name in names {
            if self.value(name).is_some() {
                notes.add(self.at(name), NoteKind::NoMotion, "");
            }
        }
    }

    /// Notes all fields that nobody has asked for.
    pub(crate) fn finish(self, notes: &mut Notes) {
        let used = self.used.borrow();
        for name in self.map.keys().filter(|name| !used.contains(*name)) {
            notes.add(self.at(name), NoteKind::NotUnderstood, "");
        }
    }
}

/// A number, also one written as the bits of a float of 32 bits.
fn number(value: &Value, path: &str) -> Result<f64, ImportError> {
    let read = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if text.len() == BITS_LENGTH => {
            u32::from_str_radix(text, 16).ok().map(|bits| f64::from(f32::from_bits(bits)))
        }
        _ => None,
    };
    let problem = || ImportError::at(path, format!("a finite number is needed, not {}", describe(value)));
    read.filter(|number| number.is_finite()).ok_or_else(problem)
}

/// A vector `{"x": …, "y": …}`, or 0.
pub(crate) fn vector(value: &Value, path: &str) -> Result<Point, ImportError> {
    if value.as_f64() == Some(0.0) {
        return Ok([0.0; 2]);
    }
    let fields = Fields::of(value, path)?;
    let part = |name: &str| {
        let missing = || ImportError::at(fields.at(name), "a number is needed");
        fields.number(name)?.ok_or_else(missing)
    };
    Ok([part("x")?, part("y")?])
}

/// Numbers of a list.
pub(crate) fn numbers(items: &[(String, &Value)]) -> Result<Vec<f64>, ImportError> {
    items.iter().map(|(path, value)| number(value, path)).collect()
}

/// A word for a value in messages.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => {
            format!("the text {:?}", text.chars().take(TEXT_IN_A_MESSAGE).collect::<String>())
        }
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Longest piece of a text that a message repeats.
const TEXT_IN_A_MESSAGE: usize = 60;
/// Digits of the bits of a float of 32 bits.
const BITS_LENGTH: usize = 8;
