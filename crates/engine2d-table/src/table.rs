//! A table as an Arrow record batch, an Arrow stream, a Parquet file.

use crate::column::Column;
use crate::error::TableError;
use crate::file::ParquetFile;
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Field, Schema};
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// Columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// A table of these columns.
    ///
    /// # Errors
    /// [`TableError::Length`].
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        let expected = columns.first().map_or(0, Column::rows);
        match columns.iter().find(|column| column.rows() != expected) {
            Some(odd) => Err(TableError::Length { name: odd.name.clone(), rows: odd.rows(), expected }),
            None => Ok(Self { columns }),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::rows)
    }

    /// The columns in order.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The table as a record batch, with `facts` in the metadata of its schema.
    ///
    /// # Errors
    /// [`TableError::Arrow`].
    pub fn batch(&self, facts: &[(&str, &str)]) -> Result<RecordBatch, TableError> {
        let fields: Vec<Field> = self.columns.iter().map(Column::field).collect();
        let facts: HashMap<String, String> =
            facts.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, facts));
        Ok(RecordBatch::try_new(schema, self.columns.iter().map(Column::array).collect())?)
    }

    /// Writes the table as an Arrow stream, with `facts` in the metadata of its schema.
    ///
    /// # Errors
    /// [`TableError::Arrow`].
    pub fn write_stream(&self, writer: impl Write, facts: &[(&str, &str)]) -> Result<(), TableError> {
        let batch = self.batch(facts)?;
        let mut stream = StreamWriter::try_new(writer, &batch.schema())?;
        stream.write(&batch)?;
        Ok(stream.finish()?)
    }

    /// Writes the table as a Parquet file, with `facts` in its metadata.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn write_parquet(&self, writer: impl Write + Send, facts: &[(&str, &str)]) -> Result<(), TableError> {
        let mut file = ParquetFile::new(writer, &self.columns, facts)?;
        file.write(&self.columns)?;
        file.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Values;

    #[test]
    fn columns_of_unequal_length_are_refused() {
        let short = Column::numbers("short", "", vec![1.0]);
        let long = Column::new("long", "", Values::Whole(vec![Some(1), None]));
        let error = Table::new(vec![short, long]).unwrap_err().to_string();
        assert!(error.starts_with("column \"long\" has 2 rows, the first one has 1"), "{error}");
    }

    #[test]
    fn units_and_facts_are_in_the_schema() {
        let table = Table::new(vec![Column::numbers("x", "length", vec![0.5, -0.5])]).unwrap();
        let batch = table.batch(&[("scene", "pile")]).unwrap();
        assert_eq!((batch.num_rows(), batch.num_columns()), (2, 1));
        assert_eq!(batch.schema().metadata()["scene"], "pile");
        assert_eq!(batch.schema().field(0).metadata()["unit"], "length");
        let mut stream = Vec::new();
        table.write_stream(&mut stream, &[]).unwrap();
        let mut reader = arrow_ipc::reader::StreamReader::try_new(stream.as_slice(), None).unwrap();
        let read = reader.next().unwrap().unwrap();
        assert_eq!(read.column(0).as_ref(), batch.column(0).as_ref());
    }
}
