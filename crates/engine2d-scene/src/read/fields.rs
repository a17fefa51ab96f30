//! The walker's tools: a place in the tree, the fields of an object, and values of the basic types.

use super::wrong_type;
use crate::body::BodyRef;
use crate::choice::Choice;
use crate::mistake::{Log, MistakeKind};
use crate::point::Point;
use crate::suggestion;
use crate::tree::Node;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// The way to a place in the tree, written only where there is something to say of it.
#[derive(Clone, Copy)]
enum Trail<'a> {
    Root,
    Field(&'a Trail<'a>, &'a str),
    Item(&'a Trail<'a>, usize),
}

impl fmt::Display for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(before, name) => write!(f, "{before}.{name}"),
            Self::Item(before, k) => write!(f, "{before}[{k}]"),
        }
    }
}

/// A place in the tree.
pub(super) struct Cursor<'a> {
    pub(super) node: &'a Node,
    trail: Trail<'a>,
    log: &'a RefCell<Log>,
}

impl<'a> Cursor<'a> {
    pub(super) fn root(node: &'a Node, log: &'a RefCell<Log>) -> Self {
        Self { node, trail: Trail::Root, log }
    }

    /// Notes a mistake here.
    pub(super) fn note(&self, kind: MistakeKind) {
        self.log.borrow_mut().note(self.trail.to_string(), kind);
    }

    /// Whether an object with a field of that name is here.
    pub(super) fn has(&self, name: &str) -> bool {
        matches!(self.node, Node::Object(entries) if entries.iter().any(|(key, _)| key == name))
    }

    /// The fields of the object here; notes a mistake and returns `None` if it is something else.
    pub(super) fn fields(&self, expected: &str) -> Option<Fields<'_>> {
        let Node::Object(entries) = self.node else {
            wrong_type(self, expected);
            return None;
        };
        Some(Fields { entries, known: Vec::with_capacity(entries.len()), trail: &self.trail, log: self.log })
    }

    fn items(&self, expected: &str) -> Option<impl Iterator<Item = Cursor<'_>>> {
        let Node::Array(items) = self.node else {
            wrong_type(self, expected);
            return None;
        };
        let (before, log) = (&self.trail, self.log);
        Some(items.iter().enumerate().map(move |(i, node)| Cursor {
            node,
            trail: Trail::Item(before, i),
            log,
        }))
    }
}

/// The fields of an object, asked for one by one; [`Fields::finish`] notes those nobody asked for.
pub(super) struct Fields<'a> {
    entries: &'a [(String, Node)],
    known: Vec<&'static str>,
    trail: &'a Trail<'a>,
    log: &'a RefCell<Log>,
}

impl<'a> Fields<'a> {
    fn get(&mut self, name: &'static str) -> Option<Cursor<'a>> {
        self.known.push(name);
        let mut found = self.entries.iter().filter(|(key, _)| key == name);
        let node = &found.next()?.1;
        if found.next().is_some() {
            self.note_at(name, MistakeKind::Duplicate);
        }
        Some(Cursor { node, trail: Trail::Field(self.trail, name), log: self.log })
    }

    /// A field that must be there.
    pub(super) fn required<T: Read>(&mut self, name: &'static str) -> T {
        match self.get(name) {
            Some(cursor) => T::read(&cursor),
            None => {
                let kind = MistakeKind::Missing { expected: T::EXPECTED.to_owned() };
                self.note_at(name, kind);
                T::placeholder()
            }
        }
    }

    /// A field that may be absent; `null` is not the same as absent.
    pub(super) fn optional<T: Read>(&mut self, name: &'static str) -> Option<T> {
        self.get(name).map(|cursor| T::read(&cursor))
    }

    /// A field with a default.
    pub(super) fn or<T: Read>(&mut self, name: &'static str, default: T) -> T {
        self.optional(name).unwrap_or(default)
    }

    /// As [`Fields::or`] for a field that older scenes call by another word.
    pub(super) fn renamed<T: Read>(&mut self, name: &'static str, older: &'static str, default: T) -> T {
        if !self.entries.iter().any(|(key, _)| key == older) {
            return self.or(name, default);
        }
        if self.entries.iter().any(|(key, _)| key == name) {
            self.note_at(older, MistakeKind::Duplicate);
        }
        self.known.push(name);
        self.or(older, default)
    }

    /// A field with a default where `null` means "none".
    pub(super) fn nullable<T: Read>(&mut self, name: &'static str, default: Option<T>) -> Option<T> {
        match self.get(name) {
            None => default,
            Some(cursor) if *cursor.node == Node::Null => None,
            Some(cursor) => Some(T::read(&cursor)),
        }
    }

    /// Whether a field is there and `null`.
    pub(super) fn is_null(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, node)| key == name && *node == Node::Null)
    }

    /// Notes a mistake at a field.
    pub(super) fn note_at(&self, name: &str, kind: MistakeKind) {
        self.log.borrow_mut().note(Trail::Field(self.trail, name).to_string(), kind);
    }

    /// The `type` field, which must be one of `words`; `None`, with a mistake noted, if it is not.
    pub(super) fn tag(&mut self, words: &'static [&'static str]) -> Option<&'static str> {
        let Some(cursor) = self.get("type") else {
            let expected = format!("one of {}", words.join(", "));
            self.note_at("type", MistakeKind::Missing { expected });
            return None;
        };
        let Node::String(word) = cursor.node else {
            wrong_type(&cursor, "a text");
            return None;
        };
        let found = words.iter().copied().find(|known| known == word);
        if found.is_none() {
            cursor.note(unknown_choice(word, words.iter().copied()));
        }
        found
    }

    /// A field that was read before the others.
    pub(super) fn knows(&mut self, name: &'static str) {
        self.known.push(name);
    }

    /// Ends the reading of the object: fields nobody asked for are mistakes.
    pub(super) fn finish(self) {
        for (key, _) in self.entries {
            if !self.known.contains(&key.as_str()) {
                let kind = MistakeKind::UnknownField {
                    suggestion: suggestion::nearest(key, self.known.iter().copied()),
                    allowed: self.known.iter().map(|&name| name.to_owned()).collect(),
                };
                self.note_at(key, kind);
            }
        }
    }
}

fn unknown_choice<'w>(word: &str, words: impl Iterator<Item = &'w str> + Clone) -> MistakeKind {
    MistakeKind::UnknownChoice {
        value: word.to_owned(),
        suggestion: suggestion::nearest(word, words.clone()),
        choices: words.map(str::to_owned).collect(),
    }
}

/// A type that the walker reads.
pub(super) trait Read: Sized {
    /// What messages say should be there.
    const EXPECTED: &'static str;

    /// What stands for a value whose place has a mistake.
    fn placeholder() -> Self;

    /// The value at a place, or a placeholder with its mistake noted.
    fn read(cursor: &Cursor<'_>) -> Self;
}

impl Read for f64 {
    const EXPECTED: &'static str = "a number";

    fn placeholder() -> Self {
        f64::NAN
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match *cursor.node {
            Node::Number(value) => value,
            Node::Integer(value) => value as f64,
            Node::Formula { value: Ok(value), .. } => value,
            Node::Formula { ref text, value: Err(ref reason) } => {
                let (value, allowed) = (format!("{text:?}"), reason.clone());
                cursor.note(MistakeKind::NotAllowed { value, allowed });
                Self::placeholder()
            }
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

impl Read for u32 {
    const EXPECTED: &'static str = "a whole number";

    fn placeholder() -> Self {
        0
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match *cursor.node {
            Node::Integer(value) => u32::try_from(value).unwrap_or_else(|_| {
                let allowed = format!("it must be a whole number from 0 to {}", u32::MAX);
                cursor.note(MistakeKind::NotAllowed { value: value.to_string(), allowed });
                Self::placeholder()
            }),
            Node::Formula { .. } => whole(cursor),
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

/// The whole number that a formula gives.
fn whole(cursor: &Cursor<'_>) -> u32 {
    let value = f64::read(cursor);
    if value.is_nan() {
        return 0;
    }
    if !(0.0..=f64::from(u32::MAX)).contains(&value) || value.fract() != 0.0 {
        let allowed = format!("it must be a whole number from 0 to {}", u32::MAX);
        cursor.note(MistakeKind::NotAllowed { value: format!("{value:?}"), allowed });
        return 0;
    }
    value as u32
}

impl Read for bool {
    const EXPECTED: &'static str = "true or false";

    fn placeholder() -> Self {
        false
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Node::Bool(value) = *cursor.node else {
            wrong_type(cursor, Self::EXPECTED);
            return Self::placeholder();
        };
        value
    }
}

impl Read for String {
    const EXPECTED: &'static str = "a text";

    fn placeholder() -> Self {
        Self::new()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let (Node::String(text) | Node::Formula { text, .. }) = cursor.node else {
            wrong_type(cursor, Self::EXPECTED);
            return Self::placeholder();
        };
        text.clone()
    }
}

impl Read for Point {
    const EXPECTED: &'static str = "a pair of numbers [x, y]";

    fn placeholder() -> Self {
        [f64::NAN; 2]
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match cursor.node {
            Node::Array(items) if items.len() == 2 => {
                let mut values =
                    cursor.items(Self::EXPECTED).into_iter().flatten().map(|item| f64::read(&item));
                [values.next().unwrap_or(f64::NAN), values.next().unwrap_or(f64::NAN)]
            }
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

impl Read for BodyRef {
    const EXPECTED: &'static str = "the name of a body, its place in the list, or \"ground\"";

    fn placeholder() -> Self {
        Self::ground()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match cursor.node {
            Node::String(name) | Node::Formula { text: name, .. } => Self::Name(name.clone()),
            Node::Integer(_) => Self::Index(u32::read(cursor)),
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

impl<T: Read> Read for Vec<T> {
    const EXPECTED: &'static str = "a list";

    fn placeholder() -> Self {
        Self::new()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        cursor.items(Self::EXPECTED).into_iter().flatten().map(|item| T::read(&item)).collect()
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    const EXPECTED: &'static str = "an object of names";

    fn placeholder() -> Self {
        Self::new()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(fields) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let mut map = Self::new();
        for (key, node) in fields.entries {
            let place = Cursor { node, trail: Trail::Field(fields.trail, key), log: fields.log };
            let value = T::read(&place);
            if map.insert(key.clone(), value).is_some() {
                place.note(MistakeKind::Duplicate);
            }
        }
        map
    }
}

/// A word of a [`Choice`].
pub(super) fn word<T: Choice>(fields: &mut Fields<'_>, name: &'static str, default: T) -> T {
    let Some(cursor) = fields.get(name) else { return default };
    choose(&cursor).unwrap_or(default)
}

/// The choice at a place, with a mistake noted if it is none.
pub(super) fn choose<T: Choice>(cursor: &Cursor<'_>) -> Option<T> {
    let words: Vec<&'static str> = T::WORDS.iter().map(|&(word, _)| word).collect();
    place_of_word(cursor, &words).map(|at| T::WORDS[at].1)
}

/// Which of the words is at a place.
fn place_of_word(cursor: &Cursor<'_>, words: &[&'static str]) -> Option<usize> {
    let Node::String(text) = cursor.node else {
        wrong_type(cursor, &format!("one of {}", words.join(", ")));
        return None;
    };
    let found = words.iter().position(|word| word == text);
    if found.is_none() {
        cursor.note(unknown_choice(text, words.iter().copied()));
    }
    found
}
