//! Rows as a table, and their fingerprint.

use crate::error::SweepError;
use crate::fingerprint::fingerprint;
use crate::plan::Sweep;
use crate::row::Row;
use engine2d_table::{Column, Table, Values};
use serde_json::Value;

/// Sorted by run, each once.
fn in_order(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| row.run);
    sorted.dedup_by_key(|row| row.run);
    sorted
}

/// A parameter's column: numbers, if all of them are, else texts.
fn parameter(name: &str, values: Vec<&Value>) -> Column {
    if values.iter().all(|value| value.is_number()) {
        return Column::new(name, "", Values::Numbers(values.into_iter().map(Value::as_f64).collect()));
    }
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Column::texts(name, values.into_iter().map(|value| Some(text(value))).collect())
}

impl Sweep {
    /// Reads rows from their JSON texts.
    ///
    /// # Errors
    /// [`SweepError::Row`].
    pub fn rows<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<Row>, SweepError> {
        let read = |(place, text): (usize, &str)| {
            serde_json::from_str(text).map_err(|source| SweepError::Row { place, source })
        };
        texts.into_iter().enumerate().map(read).collect()
    }

    /// Fingerprint of rows, whatever their order: equal tables have equal ones.
    #[must_use]
    pub fn rows_digest(rows: &[Row]) -> String {
        let texts = in_order(rows).into_iter().map(|row| serde_json::to_string(row).unwrap_or_default());
        fingerprint(texts.collect::<Vec<_>>().iter())
    }

    /// The table of rows in the order of the runs: `run`, `repeat`, the parameters, the measures, `digest`, `error`.
    ///
    /// # Errors
    /// [`SweepError::Table`].
    pub fn table(&self, rows: &[Row]) -> Result<Table, SweepError> {
        let rows = in_order(rows);
        let whole = |value: u64| i64::try_from(value).ok();
        let mut columns = vec![
            Column::new("run", "", Values::Whole(rows.iter().map(|row| whole(row.run)).collect())),
            Column::new("repeat", "", Values::Whole(rows.iter().map(|row| whole(row.repeat)).collect())),
        ];
        for (k, one) in self.parameters.iter().enumerate() {
            let values = rows.iter().map(|row| row.parameters.get(k).unwrap_or(&Value::Null));
            columns.push(parameter(&one.name, values.collect()));
        }
        let names = self.measures.iter().map(|one| &one.name).chain(&self.outside);
        for (k, name) in names.enumerate() {
            let values = rows.iter().map(|row| row.measures.get(k).copied().flatten());
            columns.push(Column::new(name.as_str(), "", Values::Numbers(values.collect())));
        }
        columns.push(Column::texts("digest", rows.iter().map(|row| row.digest.clone()).collect()));
        columns.push(Column::texts("error", rows.iter().map(|row| row.error.clone()).collect()));
        Ok(Table::new(columns)?)
    }

    /// What a table of this sweep says of itself: version of the engine, fingerprints of scene and sweep.
    #[must_use]
    pub fn facts(&self) -> [(&'static str, String); 3] {
        [
            ("engine2d.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("engine2d.scene", self.scene_digest()),
            ("engine2d.sweep", self.digest()),
        ]
    }
}
