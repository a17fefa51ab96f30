//! The reference part of the page on scene files, from the JSON Schema: every object, field, word and default.

use crate::schema::json_schema;
use serde_json::{Map, Value};
use std::fmt::Write;

/// The definitions in the order of the page; others follow by name.
const ORDER: [&str; 17] = [
    "View",
    "Body",
    "BodyRef",
    "Shape",
    "Path",
    "Edge",
    "Side",
    "Piece",
    "EdgeRange",
    "Moving",
    "Stop",
    "Material",
    "MaterialPair",
    "ForceLaw",
    "Connector",
    "Curve",
    "Settings",
];

/// The reference of the format as Markdown, generated from the [schema](json_schema): a table for each object, its fields
/// with type, meaning and default.
#[must_use]
pub fn reference() -> String {
    let schema = json_schema();
    let mut out = String::new();
    section(&mut out, "Scene", &schema);
    let empty = Map::new();
    let all = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
    let listed = ORDER.iter().filter_map(|name| all.get_key_value(*name));
    let others = all.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
    for (name, definition) in listed.chain(others) {
        section(&mut out, name, definition);
    }
    out
}

fn section(out: &mut String, name: &str, definition: &Value) {
    let _never = write!(out, "\n### {name}\n\n{}\n", prose(definition));
    let variants = ["oneOf", "anyOf"].iter().find_map(|key| definition.get(key)).and_then(Value::as_array);
    match variants {
        None => fields(out, definition),
        Some(list) if list.iter().all(|each| tag(each).is_some()) => {
            for each in list {
                let _never = write!(out, "\n#### `{}`\n\n{}\n", tag(each).unwrap_or_default(), prose(each));
                fields(out, each);
            }
        }
        Some(list) => {
            out.push('\n');
            for each in list {
                let what = each.get("const").map_or_else(|| kind(each), |word| format!("`{word}`"));
                let _never = writeln!(out, "- {what}: {}", prose(each));
            }
        }
    }
}

/// The table of an object's fields.
fn fields(out: &mut String, object: &Value) {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else { return };
    let required = |name: &str| {
        let list = object.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|field| field == name))
    };
    let rows: Vec<(&String, &Value)> = properties.iter().filter(|(name, _)| *name != "type").collect();
    if rows.is_empty() {
        return;
    }
    out.push_str("\n| field | type | meaning | default |\n|---|---|---|---|\n");
    for (name, field) in rows {
        let default = match field.get("default") {
            _ if required(name) => "required".to_owned(),
            Some(Value::Object(_)) | None => String::new(),
            Some(value) => format!("`{value}`"),
        };
        let _never = writeln!(out, "| `{name}` | {} | {} | {default} |", kind(field), prose(field));
    }
}

/// The word in the `type` field of a variant.
fn tag(variant: &Value) -> Option<&str> {
    variant.get("properties")?.get("type")?.get("const")?.as_str()
}

/// The description on one line.
fn prose(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// What a value looks like, in a word or two.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(list) = schema.get("anyOf").and_then(Value::as_array) {
        let kinds = list.iter().filter(|each| each.get("type") != Some(&Value::from("null"))).map(kind);
        return kinds.collect::<Vec<_>>().join(" or ");
    }
    if let Some(word) = schema.get("const") {
        return format!("`{word}`");
    }
    let word = match schema.get("type") {
        Some(Value::Array(list)) => list.first().and_then(Value::as_str).unwrap_or_default(),
        Some(Value::String(word)) => word,
        _ => "",
    };
    match word {
        "array" if schema.get("maxItems").is_some() => "point".to_owned(),
        "array" => format!("list of {}", schema.get("items").map(kind).unwrap_or_default()),
        "object" => match schema.get("additionalProperties") {
            Some(Value::Object(_)) => {
                format!("object of {}", schema.get("additionalProperties").map(kind).unwrap_or_default())
            }
            _ => "object".to_owned(),
        },
        "string" => "text".to_owned(),
        "boolean" => "true or false".to_owned(),
        "integer" => "whole number".to_owned(),
        other => other.to_owned(),
    }
}
