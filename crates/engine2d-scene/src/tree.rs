//! The JSON tree of a scene, before it means anything.
//!
//! Unlike a map of the usual kind it keeps the order of fields and notices fields given twice.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// A number that JSON writes without fraction or exponent.
    Integer(i64),
    Number(f64),
    String(String),
    /// A text that begins with `=`, and its value as a formula, or what is wrong with it.
    Formula {
        text: String,
        value: Result<f64, String>,
    },
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// A word for the value in messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("{value}"),
            Self::Integer(value) => format!("the number {value}"),
            Self::Number(value) => format!("the number {value:?}"),
            Self::String(text) => format!("the text {:?}", shorten(text)),
            Self::Formula { text, .. } => format!("the text {:?}", shorten(text)),
            Self::Array(items) => format!("a list of {}", items.len()),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// Longest piece of the user's text that a message repeats.
const TEXT_IN_A_MESSAGE: usize = 60;

fn shorten(text: &str) -> String {
    if text.chars().count() <= TEXT_IN_A_MESSAGE {
        text.to_owned()
    } else {
        text.chars().take(TEXT_IN_A_MESSAGE).chain(['…']).collect()
    }
}

/// Reads a tree of at most as many values as are left; none are left where there are more.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) left: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => return Err(D::Error::custom("too many values")),
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Number(value as f64), Node::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Node::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = map.next_key()? {
            fields.push((name, map.next_value_seed(self)?));
        }
        Ok(Node::Object(fields))
    }
}
