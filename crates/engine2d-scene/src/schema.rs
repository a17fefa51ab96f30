//! The JSON Schema of the format, generated from the data model.

use crate::scene::Scene;
use serde_json::{Map, Value, json};

/// The JSON Schema (draft 2020-12) of a scene file, for editors that complete and check while typing.
///
/// It knows fields, types and words; ranges and references are judged by [`Scene::from_json`].
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = schemars::schema_for!(Scene);
    schema.insert("title".to_owned(), "engine2d scene".into());
    let mut schema = schema.to_value();
    refuse_null(&mut schema);
    add_repetition(&mut schema);
    allow_formulas(&mut schema);
    schema
}

/// Takes `null` out of everything but a body's mass: the reader knows it nowhere else, what is not there is left out.
fn refuse_null(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("default") == Some(&Value::Null) {
                map.remove("default");
            }
            if let Some(Value::Array(kinds)) = map.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [only] = &kinds[..] {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(kinds)) = map.get_mut("anyOf") {
                kinds.retain(|kind| kind.get("type").is_none_or(|word| word != "null"));
            }
            for (name, inner) in map.iter_mut() {
                let is_mass = name == "mass" && inner.get("type").is_some_and(Value::is_array);
                if !is_mass {
                    refuse_null(inner);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refuse_null),
        _ => {}
    }
}

/// Adds `let` and `repeat`, which are gone before a scene is read.
fn add_repetition(schema: &mut Value) {
    if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let meaning = "Numbers by name, for formulas: where a number stands, so may a text like `\"=2*h\"`. They may use \
                       each other.";
        let of = json!({ "type": "number" });
        let value = json!({ "description": meaning, "type": "object", "additionalProperties": of });
        fields.insert("let".to_owned(), value);
    }
    let Some(all) = schema.get_mut("$defs").and_then(Value::as_object_mut) else { return };
    let count = json!({ "description": "How many copies.", "type": "integer", "minimum": 0 });
    let offset = json!({
        "description": "How much further on each copy of a body stands (length).",
        "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2,
    });
    all.insert(
        "Repetition".to_owned(),
        json!({
            "description": "How many copies, and how much further on each stands.", "type": "object",
            "properties": { "count": count, "offset": offset },
            "required": ["count"], "additionalProperties": false,
        }),
    );
    for name in ["Body", "ForceLaw", "Connector", "Moment"] {
        let Some(definition) = all.get_mut(name) else { continue };
        match definition.get_mut("oneOf").and_then(Value::as_array_mut) {
            Some(variants) => variants.iter_mut().for_each(add_repeat),
            None => add_repeat(definition),
        }
    }
}

fn add_repeat(object: &mut Value) {
    let meaning = "Copies instead of one entry: how many, or an object with count and offset. In formulas `i` is the number \
                   of the copy, from 0; `{i}` in texts becomes it.";
    let kinds = [json!({ "type": "integer", "minimum": 0 }), json!({ "$ref": "#/$defs/Repetition" })];
    if let Some(fields) = object.get_mut("properties").and_then(Value::as_object_mut) {
        fields.insert("repeat".to_owned(), json!({ "description": meaning, "anyOf": kinds }));
    }
}

/// Lets a text that begins with `=` stand for a number.
fn allow_formulas(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            let numeric = |word: &Value| word == "number" || word == "integer";
            let kinds: Option<Vec<Value>> = match map.get("type") {
                Some(Value::Array(list)) if list.iter().any(numeric) => {
                    Some(list.iter().cloned().chain([json!("string")]).collect())
                }
                Some(word) if numeric(word) && !map.contains_key("const") => {
                    Some(vec![word.clone(), json!("string")])
                }
                _ => None,
            };
            if let Some(kinds) = kinds {
                as_formula(map, kinds);
            }
            map.values_mut().for_each(allow_formulas);
        }
        Value::Array(items) => items.iter_mut().for_each(allow_formulas),
        _ => {}
    }
}

fn as_formula(map: &mut Map<String, Value>, kinds: Vec<Value>) {
    map.insert("type".to_owned(), Value::Array(kinds));
    map.insert("pattern".to_owned(), json!("^="));
}
