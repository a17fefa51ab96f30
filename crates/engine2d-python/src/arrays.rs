//! Lists of numbers as NumPy arrays that nobody writes to.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A read-only array of one dimension; the numbers are not copied.
pub(crate) fn line<T: Element>(py: Python<'_>, numbers: Vec<T>) -> PyResult<Bound<'_, PyArray1<T>>> {
    let array = PyArray1::from_vec(py, numbers);
    freeze(py, array.as_any())?;
    Ok(array)
}

/// A read-only array of rows of `width` numbers each; the numbers are not copied.
pub(crate) fn table<T: Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = numbers.len() / width;
    let array = PyArray1::from_vec(py, numbers).reshape([rows, width])?;
    freeze(py, array.as_any())?;
    Ok(array)
}

fn freeze(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
    let flags = PyDict::new(py);
    flags.set_item("write", false)?;
    array.call_method("setflags", (), Some(&flags))?;
    Ok(())
}
