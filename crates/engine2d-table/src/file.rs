//! A Parquet file that grows by groups of rows.

use crate::column::Column;
use crate::error::TableError;
use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::io::Write;
use std::sync::Arc;

/// A Parquet file being written.
pub struct ParquetFile<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: Arc<Schema>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file of columns like these, with `facts` in its metadata.
    ///
    /// # Errors
    /// [`TableError::Parquet`].
    pub fn new(writer: W, columns: &[Column], facts: &[(&str, &str)]) -> Result<Self, TableError> {
        let fields: Vec<Field> = columns.iter().map(Column::field).collect();
        let schema = Arc::new(Schema::new(fields));
        let facts = facts.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
        // The writer's own name and version would make files of equal content differ.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(facts.collect()))
            .set_created_by(concat!("engine2d ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        Ok(Self { writer: ArrowWriter::try_new(writer, Arc::clone(&schema), Some(properties))?, schema })
    }

    /// Adds rows: columns as the file was begun with.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn write(&mut self, columns: &[Column]) -> Result<(), TableError> {
        let arrays = columns.iter().map(Column::array).collect();
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)?;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`TableError::Parquet`].
    pub fn finish(self) -> Result<(), TableError> {
        self.writer.close()?;
        Ok(())
    }
}
