//! The XML form of a map, as the JSON form has it.

use crate::error::ImportError;
use roxmltree::{Document, Node};
use serde_json::{Map, Value, json};

/// The tree that the JSON form of the map would be.
pub(super) fn tree(text: &str) -> Result<Value, ImportError> {
    let document = Document::parse(text)?;
    map(document.root_element(), 0)
}

/// A map, layer or group: attributes, properties, layers, objects.
fn map(node: Node<'_, '_>, depth: usize) -> Result<Value, ImportError> {
    let line = node.document().text_pos_at(node.range().start).row;
    if depth > DEEPEST {
        let path = node.tag_name().name().to_owned();
        let problem = format!("groups deeper than {DEEPEST}");
        return Err(ImportError::Value { path, line: Some(line), problem });
    }
    let mut fields = attributes(node);
    let (mut layers, mut objects) = (Vec::new(), Vec::new());
    for child in node.children().filter(Node::is_element) {
        let tag = child.tag_name().name();
        match tag {
            "properties" => drop(fields.insert("properties".to_owned(), properties(child))),
            "objectgroup" | "group" | "layer" | "imagelayer" => {
                let mut layer = map(child, depth + 1)?;
                let kind = if tag == "layer" { "tilelayer" } else { tag };
                layer["type"] = json!(kind);
                layers.push(layer);
            }
            "object" => objects.push(object(child)?),
            "tileset" => drop(fields.insert("tilesets".to_owned(), Value::Null)),
            // Whatever else there is stays to be told of.
            other => drop(fields.insert(other.to_owned(), Value::Null)),
        }
    }
    if !layers.is_empty() {
        fields.insert("layers".to_owned(), Value::Array(layers));
    }
    if !objects.is_empty() {
        fields.insert("objects".to_owned(), Value::Array(objects));
    }
    Ok(Value::Object(fields))
}

fn object(node: Node<'_, '_>) -> Result<Value, ImportError> {
    let mut fields = attributes(node);
    for child in node.children().filter(Node::is_element) {
        let tag = child.tag_name().name();
        let value = match tag {
            "properties" => properties(child),
            "ellipse" | "point" | "capsule" => Value::Bool(true),
            "polygon" | "polyline" => points(child)?,
            _ => Value::Null,
        };
        fields.insert(tag.to_owned(), value);
    }
    Ok(Value::Object(fields))
}

/// Points written as `0,0 16,-8`.
fn points(node: Node<'_, '_>) -> Result<Value, ImportError> {
    let text = node.attribute("points").unwrap_or_default();
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some(json!({"x": x.parse::<f64>().ok()?, "y": y.parse::<f64>().ok()?}))
    };
    let read = text.split_whitespace().map(point).collect::<Option<Vec<Value>>>();
    read.map(Value::Array).ok_or_else(|| ImportError::Value {
        path: format!("{}.points", node.tag_name().name()),
        line: Some(node.document().text_pos_at(node.range().start).row),
        problem: "pairs of numbers x,y are needed".to_owned(),
    })
}

fn properties(node: Node<'_, '_>) -> Value {
    let property = |node: Node<'_, '_>| {
        let text = node.attribute("value").or(node.text()).unwrap_or_default();
        let value = match node.attribute("type") {
            Some("int" | "float" | "object") => number(text),
            Some("bool") => text.parse().map_or_else(|_| json!(text), Value::Bool),
            _ => json!(text),
        };
        json!({"name": node.attribute("name").unwrap_or_default(), "value": value})
    };
    Value::Array(node.children().filter(Node::is_element).map(property).collect())
}

/// Attributes as the JSON form has them: numbers as numbers, and flags of 0 and 1 as they are.
fn attributes(node: Node<'_, '_>) -> Map<String, Value> {
    const TEXTS: [&str; 5] = ["name", "class", "type", "version", "tiledversion"];
    let value = |name: &str, text: &str| if TEXTS.contains(&name) { json!(text) } else { number(text) };
    node.attributes().map(|a| (a.name().to_owned(), value(a.name(), a.value()))).collect()
}

/// A number if it is one, a whole one if it is such.
fn number(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(whole) => json!(whole),
        Err(_) => {
            text.parse::<f64>().ok().filter(|x| x.is_finite()).map_or_else(|| json!(text), |x| json!(x))
        }
    }
}

/// Most groups within each other.
const DEEPEST: usize = 100;
