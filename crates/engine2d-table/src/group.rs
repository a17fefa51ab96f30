//! Rows collected into groups, each written when it is full.

use crate::column::{Column, Values};
use crate::error::TableError;
use crate::file::ParquetFile;
use std::io::Write;

/// Rows of a group: some hundred kilobytes a column.
const GROUP: usize = 65_536;

/// One value of a row.
pub(crate) enum Cell {
    Number(f64),
    Text(String),
    Flag(bool),
    Absent,
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::Number)
    }
}

impl From<Option<String>> for Cell {
    fn from(value: Option<String>) -> Self {
        value.map_or(Self::Absent, Self::Text)
    }
}

/// A file with the rows that are not written yet.
pub(crate) struct Group<W: Write + Send> {
    writer: Option<W>,
    file: Option<ParquetFile<W>>,
    columns: Vec<Column>,
}

impl<W: Write + Send> Group<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self { writer: Some(writer), file: None, columns: Vec::new() }
    }

    /// Begins the file with columns of no rows; a file that was begun goes on.
    pub(crate) fn begin(&mut self, columns: Vec<Column>) -> Result<(), TableError> {
        if let Some(writer) = self.writer.take() {
            self.file = Some(ParquetFile::new(writer, &columns, &[])?);
            self.columns = columns;
        }
        Ok(())
    }

    /// Adds a row: a cell for each column, of its kind.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<(), TableError> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (&mut column.values, cell) {
                (Values::Numbers(values), Cell::Number(value)) => values.push(Some(value)),
                (Values::Texts(values), Cell::Text(value)) => values.push(Some(value)),
                (Values::Flags(values), Cell::Flag(value)) => values.push(Some(value)),
                (Values::Numbers(values), _) => values.push(None),
                (Values::Whole(values), _) => values.push(None),
                (Values::Texts(values), _) => values.push(None),
                (Values::Flags(values), _) => values.push(None),
            }
        }
        if self.columns.first().is_some_and(|column| column.rows() >= GROUP) { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), TableError> {
        if let Some(file) = &mut self.file {
            file.write(&self.columns)?;
        }
        self.columns = self.columns.iter().map(Column::emptied).collect();
        Ok(())
    }

    /// Writes what is left and ends the file.
    pub(crate) fn finish(mut self) -> Result<(), TableError> {
        self.flush()?;
        match self.file {
            Some(file) => file.finish(),
            None => Ok(()),
        }
    }
}

/// Columns of no rows.
pub(crate) fn numbers(names: &[(&str, &'static str)]) -> Vec<Column> {
    names.iter().map(|(name, unit)| Column::numbers(*name, unit, Vec::new())).collect()
}
