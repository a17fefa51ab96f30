//! Properties of one's own, of maps and objects.

use crate::error::ImportError;
use crate::fields::Fields;
use serde_json::Value;
use std::collections::BTreeMap;

/// The properties of one's own by name.
pub(super) fn properties<'v>(fields: &Fields<'v>) -> Result<BTreeMap<String, &'v Value>, ImportError> {
    let mut found = BTreeMap::new();
    for (path, value) in fields.list("properties")? {
        let property = Fields::of(value, path)?;
        let name = property.text("name")?.unwrap_or_default();
        if let Some(value) = property.value("value") {
            found.insert(name.to_owned(), value);
        }
    }
    Ok(found)
}
