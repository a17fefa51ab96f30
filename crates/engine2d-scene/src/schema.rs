//! The JSON Schema of the format, generated from the data model.

use crate::scene::Scene;

/// The JSON Schema (draft 2020-12) of a scene file, for editors that complete and check while typing.
///
/// It knows fields, types and words; ranges and references are judged by [`Scene::from_json`].
#[must_use]
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Scene);
    schema.insert("title".to_owned(), "engine2d scene".into());
    schema.to_value()
}
