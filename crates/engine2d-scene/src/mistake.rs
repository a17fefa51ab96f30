//! What can be wrong with a scene, one typed mistake for each place.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Bound;
use thiserror::Error;

/// Why a scene could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The text could not be read at all.
    #[error("scene cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The text is not JSON.
    #[error("scene is not JSON: {message} (line {line}, column {column})")]
    NotJson {
        /// What the parser met.
        message: String,
        /// Line of the text, from 1.
        line: usize,
        /// Column of the line, from 1.
        column: usize,
    },
    /// The text is larger than the reader accepts.
    #[error("scene is too large: more than {limit} {what}; raise the limit if that is meant")]
    TooLarge {
        /// `bytes` or `values`.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The text is JSON with mistakes; all of them.
    #[error("{0}")]
    Invalid(Mistakes),
    /// The scene is sound but the simulation refuses it.
    #[error("scene cannot be simulated: {0}")]
    NotSimulable(#[from] engine2d_sim::SimError),
}

/// All mistakes of a scene, ordered by place; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistakes {
    list: Vec<Mistake>,
    omitted: usize,
}

/// Most mistakes that are listed: more help no one.
const MOST_MISTAKES: usize = 200;

impl Mistakes {
    /// The mistakes, at least one and at most 200.
    #[must_use]
    pub fn as_slice(&self) -> &[Mistake] {
        &self.list
    }

    /// How many mistakes were found beyond those listed.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Self {
        Self { list: vec![mistake], omitted: 0 }
    }
}

impl std::error::Error for Mistakes {}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.list.len() + self.omitted;
        write!(f, "scene is not valid ({n} problem{})", if n == 1 { "" } else { "s" })?;
        self.list.iter().try_for_each(|mistake| write!(f, "\n  {mistake}"))?;
        if self.omitted > 0 { write!(f, "\n  … and {} more", self.omitted) } else { Ok(()) }
    }
}

/// One mistake and its place.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{kind}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct Mistake {
    /// Where it is, like `bodies[3].mass`; empty for the scene itself.
    pub path: String,
    /// What is wrong.
    pub kind: MistakeKind,
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MistakeKind {
    /// A field that must be there is not.
    #[error("missing: {expected} is required")]
    Missing {
        /// What should be there.
        expected: String,
    },
    /// A field that the format does not know.
    #[error("unknown field{}", hint(suggestion.as_deref(), allowed, "allowed here"))]
    UnknownField {
        /// The known field most like it.
        suggestion: Option<String>,
        /// The fields known there.
        allowed: Vec<String>,
    },
    /// A field given twice.
    #[error("given twice; give it once")]
    Duplicate,
    /// A value of the wrong type.
    #[error("{found} found, {expected} expected")]
    WrongType {
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A value of the right type outside what is allowed.
    #[error("{value} is not allowed: {allowed}")]
    NotAllowed {
        /// The value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A word that is not one of the choices.
    #[error("{value:?} is not a choice here{}", hint(suggestion.as_deref(), choices, "choices"))]
    UnknownChoice {
        /// The word.
        value: String,
        /// The choice most like it.
        suggestion: Option<String>,
        /// The choices.
        choices: Vec<String>,
    },
    /// A reference to a body, material or curve that is not there.
    #[error("no {what} is named {name:?}{}", hint(suggestion.as_deref(), known, "known"))]
    UnknownName {
        /// The kind of thing referred to.
        what: &'static str,
        /// The name.
        name: String,
        /// The known name most like it.
        suggestion: Option<String>,
        /// Some of the known names.
        known: Vec<String>,
    },
    /// A reference by a name that several bodies bear.
    #[error("{name:?} is ambiguous: bodies {} bear this name", list(bodies))]
    AmbiguousName {
        /// The name.
        name: String,
        /// The places of the bodies that bear it.
        bodies: Vec<usize>,
    },
    /// A shape that no body can have.
    #[error("{reason}")]
    Shape {
        /// What is wrong with it.
        reason: String,
    },
    /// Two bodies that may collide overlap.
    #[error(
        "starts {depth:.3e} deep inside {other}: bodies that may collide must not overlap (move one of them, or set \
         \"allow_overlap\": true)"
    )]
    Overlap {
        /// The other body.
        other: String,
        /// How deep they overlap (length).
        depth: f64,
    },
    /// A connector, an event or friction, which the backtracking clock does not take.
    #[error(
        "the backtracking clock does not take this: use \"clock\": \"located\" in the settings, and not the \
         profile \"reference\""
    )]
    NeedsLocatedClock,
}

/// How many names a message lists before it stops.
const NAMES_IN_A_MESSAGE: usize = 24;

fn hint(suggestion: Option<&str>, known: &[String], label: &str) -> String {
    match suggestion {
        Some(name) => format!("; did you mean {name:?}?"),
        None if known.is_empty() => String::new(),
        None => {
            let shown: Vec<&str> = known.iter().take(NAMES_IN_A_MESSAGE).map(String::as_str).collect();
            let more = if known.len() > shown.len() { ", …" } else { "" };
            format!(" ({label}: {}{more})", shown.join(", "))
        }
    }
}

fn list(bodies: &[usize]) -> String {
    let words: Vec<String> = bodies.iter().map(usize::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Collects mistakes; a place already reported, or below one, is not reported again.
#[derive(Debug, Default)]
pub(crate) struct Log {
    mistakes: Vec<Mistake>,
    /// Every place noted, listed or not.
    places: BTreeSet<String>,
}

impl Log {
    /// Records a mistake unless its place, or a place that contains it, has one.
    pub(crate) fn note(&mut self, path: impl Into<String>, kind: MistakeKind) {
        let path = path.into();
        if !self.covers(&path) {
            self.places.insert(path.clone());
            if self.mistakes.len() < MOST_MISTAKES {
                self.mistakes.push(Mistake { path, kind });
            }
        }
    }

    /// Whether a place, or one that contains it, has a mistake.
    pub(crate) fn covers(&self, path: &str) -> bool {
        let ends = path.match_indices(['.', '[']).map(|(end, _)| end);
        ends.chain([0, path.len()]).any(|end| self.places.contains(&path[..end]))
    }

    /// Whether anything at a place or below it has a mistake.
    pub(crate) fn touches(&self, path: &str) -> bool {
        let from_here = self.places.range::<str, _>((Bound::Excluded(path), Bound::Unbounded));
        let mut below = from_here.take_while(|place| place.starts_with(path));
        self.covers(path) || below.any(|place| place[path.len()..].starts_with(['.', '[']))
    }

    /// Whether there is no mistake yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.mistakes.is_empty()
    }

    /// The verdict: fine, or all mistakes.
    pub(crate) fn verdict(mut self) -> Result<(), Mistakes> {
        let omitted = self.places.len() - self.mistakes.len();
        self.mistakes.sort_by_cached_key(|mistake| parts(&mistake.path));
        if self.mistakes.is_empty() { Ok(()) } else { Err(Mistakes { list: self.mistakes, omitted }) }
    }
}

/// A part of a path: fields come by name, places of a list by number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Place(u64),
    Field(String),
}

fn parts(path: &str) -> Vec<Part> {
    let words = path.split(['.', '[', ']']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_or_else(|_| Part::Field(word.to_owned()), Part::Place)).collect()
}
