//! JSON trees as objects of Python.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyNone};
use serde_json::Value;

/// The object of a tree: dictionaries, lists, texts, numbers, `None`.
pub(crate) fn to_python<'py>(py: Python<'py>, tree: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match tree {
        Value::Null => PyNone::get(py).to_owned().into_any(),
        Value::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(entries) => {
            let list = PyList::empty(py);
            for entry in entries {
                list.append(to_python(py, entry)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, field) in fields {
                dict.set_item(name, to_python(py, field)?)?;
            }
            dict.into_any()
        }
    })
}
