//! Tables back from Parquet files.

use crate::column::{Column, UNIT, Values};
use crate::error::TableError;
use crate::table::Table;
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

impl Table {
    /// The table of a Parquet file, such as a run has.
    ///
    /// # Errors
    /// [`TableError::Unreadable`] for what is no such file, [`TableError::Kind`] for a column of another kind than these tables have.
    pub fn read_parquet(file: impl ChunkReader + 'static) -> Result<Self, TableError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(TableError::Unreadable)?;
        let mut columns = Vec::new();
        for field in builder.schema().fields() {
            let values = match field.data_type() {
                arrow_schema::DataType::Float64 => Values::Numbers(Vec::new()),
                arrow_schema::DataType::Int64 => Values::Whole(Vec::new()),
                arrow_schema::DataType::Utf8 => Values::Texts(Vec::new()),
                arrow_schema::DataType::Boolean => Values::Flags(Vec::new()),
                other => {
                    return Err(TableError::Kind { name: field.name().clone(), kind: other.to_string() });
                }
            };
            columns.push(Column::read(
                field.name().clone(),
                field.metadata().get(UNIT).map(ToString::to_string),
                values,
            ));
        }
        for batch in builder.build().map_err(TableError::Unreadable)? {
            append(&mut columns, &batch?);
        }
        Self::new(columns)
    }
}

/// Adds the rows of a batch to columns of its kinds.
fn append(columns: &mut [Column], batch: &RecordBatch) {
    for (column, array) in columns.iter_mut().zip(batch.columns()) {
        let array = array.as_any();
        match &mut column.values {
            Values::Numbers(values) => {
                values.extend(array.downcast_ref::<Float64Array>().into_iter().flatten());
            }
            Values::Whole(values) => {
                values.extend(array.downcast_ref::<Int64Array>().into_iter().flatten());
            }
            Values::Texts(values) => {
                let texts = array.downcast_ref::<StringArray>().into_iter().flatten();
                values.extend(texts.map(|text| text.map(str::to_owned)));
            }
            Values::Flags(values) => {
                values.extend(array.downcast_ref::<BooleanArray>().into_iter().flatten());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn what_was_written_is_read() {
        let columns = vec![
            Column::numbers("x", "length", vec![0.5, -0.0, f64::MIN_POSITIVE]),
            Column::new("n", "", Values::Whole(vec![Some(1), None, Some(-3)])),
            Column::texts("name", vec![Some("a".to_owned()), None, Some(String::new())]),
            Column::new("joint", "", Values::Flags(vec![Some(true), None, Some(false)])),
        ];
        let table = Table::new(columns).unwrap();
        let path = std::env::temp_dir().join(format!("engine2d-read-{}.parquet", std::process::id()));
        table.write_parquet(File::create(&path).unwrap(), &[]).unwrap();
        let read = Table::read_parquet(File::open(&path).unwrap()).unwrap();
        assert_eq!(read, table);
        assert_eq!(read.columns()[0].unit(), "length");
        std::fs::write(&path, b"PAR1 and nothing else").unwrap();
        let error = Table::read_parquet(File::open(&path).unwrap()).unwrap_err();
        assert!(matches!(error, TableError::Unreadable(_)), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}
