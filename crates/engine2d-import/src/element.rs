//! Elements of XML whose attributes are ticked off as they are read: what is left over is told.

use crate::error::ImportError;
use crate::report::{Note, NoteKind, Notes};
use roxmltree::Node;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Attributes by name.
pub(crate) type Attributes = BTreeMap<String, String>;

/// An element under reading, with the attributes that defaults give it.
pub(crate) struct Element<'d, 'i> {
    pub(crate) node: Node<'d, 'i>,
    pub(crate) path: String,
    usual: Attributes,
    used: RefCell<BTreeSet<String>>,
}

impl<'d, 'i> Element<'d, 'i> {
    /// The root of a document.
    pub(crate) fn root(node: Node<'d, 'i>) -> Self {
        let path = node.tag_name().name().to_owned();
        Self { node, path, usual: Attributes::new(), used: RefCell::default() }
    }

    pub(crate) fn tag(&self) -> &'d str {
        self.node.tag_name().name()
    }

    /// The elements within, in order; their path has their name, or their place among those of their kind.
    pub(crate) fn children(&self) -> Vec<Element<'d, 'i>> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let elements = self.node.children().filter(Node::is_element);
        elements
            .map(|node| {
                let tag = node.tag_name().name();
                let count = counts.entry(tag).or_default();
                let place = node.attribute("name").map_or_else(|| count.to_string(), str::to_owned);
                *count += 1;
                let path = format!("{}/{tag}[{place}]", self.path);
                Self { node, path, usual: Attributes::new(), used: RefCell::default() }
            })
            .collect()
    }

    /// The same element under another path.
    pub(crate) fn renamed(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// The same element with what defaults give it.
    pub(crate) fn with(mut self, usual: Attributes) -> Self {
        self.usual = usual;
        self
    }

    pub(crate) fn line(&self) -> u32 {
        self.node.document().text_pos_at(self.node.range().start).row
    }

    /// A mistake in an attribute.
    pub(crate) fn wrong(&self, name: &str, problem: impl Into<String>) -> ImportError {
        let path = if name.is_empty() { self.path.clone() } else { format!("{}/@{name}", self.path) };
        ImportError::Value { path, line: Some(self.line()), problem: problem.into() }
    }

    /// An attribute, its own or that of the defaults.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.used.borrow_mut().insert(name.to_owned());
        self.node.attribute(name).or_else(|| self.usual.get(name).map(String::as_str))
    }

    /// Whether an attribute is given, without reading it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.node.attribute(name).is_some() || self.usual.contains_key(name)
    }

    /// Numbers separated by blanks.
    pub(crate) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImportError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
        let read = text.split_whitespace().map(number).collect::<Option<Vec<f64>>>();
        let short: String = text.chars().take(TEXT_IN_A_MESSAGE).collect();
        read.map(Some).ok_or_else(|| self.wrong(name, format!("numbers are needed, not {short:?}")))
    }

    /// At least as many numbers.
    pub(crate) fn vector<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, ImportError> {
        let Some(numbers) = self.numbers(name)? else { return Ok(None) };
        match numbers.get(..N).and_then(|part| part.try_into().ok()) {
            Some(vector) => Ok(Some(vector)),
            None => Err(self.wrong(name, format!("{N} numbers are needed, not {}", numbers.len()))),
        }
    }

    /// One number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        Ok(self.vector::<1>(name)?.map(|[number]| number))
    }

    /// Notes something about the element, or about an attribute of it.
    pub(crate) fn note(&self, name: &str, kind: NoteKind, text: impl Into<String>, notes: &mut Notes) {
        let path = if name.is_empty() { self.path.clone() } else { format!("{}/@{name}", self.path) };
        notes.0.push(Note { path, line: Some(self.line()), kind, text: text.into() });
    }

    /// Notes attributes on which no motion depends, where they are.
    pub(crate) fn skip(&self, names: &[&str], notes: &mut Notes) {
        for name in names {
            self.used.borrow_mut().insert((*name).to_owned());
            if self.node.attribute(*name).is_some() {
                self.note(name, NoteKind::NoMotion, "", notes);
            }
        }
    }

    /// Notes all attributes that nobody has asked for, also those of the defaults.
    pub(crate) fn finish(&self, notes: &mut Notes) {
        let used = self.used.borrow();
        let own = self.node.attributes().map(|a| a.name());
        let unread: BTreeSet<&str> = own.chain(self.usual.keys().map(String::as_str)).collect();
        for name in unread.into_iter().filter(|name| !used.contains(*name)) {
            self.note(name, NoteKind::NotUnderstood, "", notes);
        }
    }
}

/// Longest piece of a text that a message repeats.
const TEXT_IN_A_MESSAGE: usize = 60;
