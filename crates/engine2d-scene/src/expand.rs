//! Variables and repetition: what `let` and `repeat` stand for, before anything is read.
//!
//! Formulas become their values, entries with `repeat` become their copies. What is left is a scene without either.

use crate::formula::{Variables, value};
use crate::limits::Limits;
use crate::mistake::{Log, MistakeKind};
use crate::tree::Node;

/// The lists whose entries may be repeated.
const LISTS: [&str; 4] = ["bodies", "force_laws", "connectors", "events"];

/// Most values (and sixteens of letters) of all copies together.
const MOST_VALUES: usize = 5_000_000;

/// Most variables of a scene.
const MOST_VARIABLES: usize = 1000;

/// The number of a copy, from 0, as formulas call it.
const COUNTER: &str = "i";

/// Names that formulas know, and as what.
const TAKEN: [(&str, &str); 2] = [("pi", "the number 3.14159…"), (COUNTER, "the number of a copy")];

/// A scene's tree without `let` and `repeat`.
pub(crate) fn expand(root: Node, limits: &Limits, log: &mut Log) -> Node {
    let Node::Object(mut fields) = root else { return root };
    let variables = variables(&mut fields, log);
    let most = limits.values.min(MOST_VALUES);
    let mut room = Room { most, values: most, bodies: limits.bodies };
    for (name, field) in &mut fields {
        let whole = std::mem::replace(field, Node::Null);
        *field = match whole {
            Node::Array(items) if LISTS.contains(&name.as_str()) => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    repeated(item, name, &variables, &mut room, &mut out, log);
                }
                if name == "bodies" && out.len() > limits.bodies {
                    let allowed = format!(
                        "at most {} bodies are accepted; raise the limit if more are meant",
                        limits.bodies
                    );
                    log.note(
                        "bodies",
                        MistakeKind::NotAllowed { value: format!("{} bodies", out.len()), allowed },
                    );
                    out.clear();
                }
                Node::Array(out)
            }
            other => evaluated(other, &variables),
        };
    }
    Node::Object(fields)
}

/// Takes the variables out of the fields of the scene. They may use each other in any order.
fn variables(fields: &mut Vec<(String, Node)>, log: &mut Log) -> Variables {
    let mut open: Vec<(String, Node)> = Vec::new();
    while let Some(place) = fields.iter().position(|(name, _)| name == "let") {
        match fields.remove(place).1 {
            Node::Object(entries) => open.extend(entries),
            other => {
                let (found, expected) = (other.describe(), "an object of numbers and formulas".to_owned());
                log.note("let", MistakeKind::WrongType { found, expected });
            }
        }
    }
    if open.len() > MOST_VARIABLES {
        let allowed = format!("at most {MOST_VARIABLES} variables are known");
        log.note("let", MistakeKind::NotAllowed { value: open.len().to_string(), allowed });
        open.clear();
    }
    open.retain(|(name, _)| {
        let taken = TAKEN.iter().find(|(taken, _)| taken == name);
        if let Some((_, what)) = taken {
            let allowed = format!("formulas know it as {what}: choose another name");
            log.note(
                format!("let.{name}"),
                MistakeKind::NotAllowed { value: format!("the name {name:?}"), allowed },
            );
        }
        taken.is_none()
    });
    let mut known = Variables::new();
    loop {
        let before = open.len();
        open.retain(|(name, entry)| match number(&evaluated(entry.clone(), &known)) {
            Some(_) if known.contains_key(name) => {
                log.note(format!("let.{name}"), MistakeKind::Duplicate);
                false
            }
            Some(number) => {
                known.insert(name.clone(), number);
                false
            }
            None => true,
        });
        if open.len() == before {
            break;
        }
    }
    for (name, entry) in open {
        let kind = match evaluated(entry, &known) {
            Node::Formula { text, value: Err(reason) } => {
                MistakeKind::NotAllowed { value: format!("{text:?}"), allowed: reason }
            }
            other => MistakeKind::WrongType {
                found: other.describe(),
                expected: "a number, or a formula that begins with \"=\",".to_owned(),
            },
        };
        log.note(format!("let.{name}"), kind);
        // What uses it has no mistake of its own.
        known.insert(name, 0.0);
    }
    known
}

/// The number that a value is.
fn number(node: &Node) -> Option<f64> {
    match node {
        Node::Integer(number) => Some(*number as f64),
        Node::Number(number) | Node::Formula { value: Ok(number), .. } => Some(*number),
        _ => None,
    }
}

/// What may still be copied.
struct Room {
    /// Most values of all copies.
    most: usize,
    /// Values that are left of them.
    values: usize,
    /// Bodies of the scene.
    bodies: usize,
}

/// How often an entry is repeated, and by how much each copy is further on.
struct Repetition {
    count: usize,
    offset: Option<[f64; 2]>,
}

/// Appends the copies of an entry; the entry itself if it has no `repeat`.
fn repeated(
    item: Node,
    list: &str,
    variables: &Variables,
    room: &mut Room,
    out: &mut Vec<Node>,
    log: &mut Log,
) {
    let Node::Object(mut fields) = item else { return out.push(evaluated(item, variables)) };
    let Some(place) = fields.iter().position(|(name, _)| name == "repeat") else {
        return out.push(evaluated(Node::Object(fields), variables));
    };
    let path = format!("{list}[{}].repeat", out.len());
    let (_, told) = fields.remove(place);
    let Some(repetition) = repetition(evaluated(told, variables), list, &path, log) else {
        return out.push(evaluated(Node::Object(fields), variables));
    };
    let of_one: usize = fields.iter().map(|(_, field)| weight(field)).sum();
    let refused = |allowed: String| MistakeKind::NotAllowed { value: repetition.count.to_string(), allowed };
    if list == "bodies" && repetition.count > room.bodies.saturating_sub(out.len()) {
        let allowed =
            format!("at most {} bodies are accepted; raise the limit if more are meant", room.bodies);
        return log.note(path, refused(allowed));
    }
    let Some(left) = room.values.checked_sub(repetition.count.saturating_mul(1 + of_one)) else {
        let allowed = format!("all copies together may have {} values", room.most);
        return log.note(path, refused(allowed));
    };
    room.values = left;
    let mut own = variables.clone();
    for i in 0..repetition.count {
        own.insert(COUNTER.to_owned(), i as f64);
        let here = format!("{list}[{}]", out.len());
        let mut copy = named(Node::Object(fields.clone()), &own, &here, log);
        if let Some(offset) = repetition.offset {
            shift(&mut copy, offset.map(|o| o * i as f64));
        }
        out.push(copy);
    }
}

/// How much a copy takes: its values, and the length of its texts.
fn weight(node: &Node) -> usize {
    const LETTERS: usize = 16;
    match node {
        Node::String(text) => 1 + text.len() / LETTERS,
        Node::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Node::Object(fields) => {
            1 + fields.iter().map(|(name, field)| name.len() / LETTERS + weight(field)).sum::<usize>()
        }
        _ => 1,
    }
}

fn repetition(told: Node, list: &str, path: &str, log: &mut Log) -> Option<Repetition> {
    let (count, offset, other) = match told {
        Node::Object(fields) => {
            let take = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, node)| node.clone());
            let other = fields.iter().map(|(name, _)| name.clone()).find(|k| k != "count" && k != "offset");
            (take("count").unwrap_or(Node::Null), take("offset"), other)
        }
        count => (count, None, None),
    };
    if let Some(name) = other {
        let allowed = vec!["count".to_owned(), "offset".to_owned()];
        log.note(format!("{path}.{name}"), MistakeKind::UnknownField { suggestion: None, allowed });
    }
    let mut wrong = |path: String, found: &Node, expected: &str| {
        let (found, expected) = (found.describe(), expected.to_owned());
        log.note(path, MistakeKind::WrongType { found, expected });
    };
    let Some(count) = number(&count).filter(|n| *n >= 0.0 && n.fract() == 0.0) else {
        wrong(path.to_owned(), &count, "how often: a whole number, or an object with count and offset,");
        return None;
    };
    let offset = match offset {
        Some(node) => {
            let point = match &node {
                Node::Array(items) if items.len() == 2 => Option::zip(number(&items[0]), number(&items[1])),
                _ => None,
            };
            if point.is_none() || list != "bodies" {
                wrong(
                    format!("{path}.offset"),
                    &node,
                    "for a body, and only there, a pair of numbers [x, y]",
                );
            }
            point.filter(|_| list == "bodies").map(|(x, y)| [x, y])
        }
        None => None,
    };
    Some(Repetition { count: count as usize, offset })
}

/// Moves the position of a body.
fn shift(body: &mut Node, offset: [f64; 2]) {
    let Node::Object(fields) = body else { return };
    if !fields.iter().any(|(name, _)| name == "position") {
        let origin = Node::Array(vec![Node::Integer(0), Node::Integer(0)]);
        fields.push(("position".to_owned(), origin));
    }
    for (_, position) in fields.iter_mut().filter(|(name, _)| name == "position") {
        let Node::Array(items) = position else { continue };
        for (item, by) in items.iter_mut().zip(offset) {
            if let Some(number) = number(item) {
                *item = Node::Number(number + by);
            }
        }
    }
}

/// The tree with its formulas evaluated.
fn evaluated(node: Node, variables: &Variables) -> Node {
    match node {
        Node::String(text) => match text.strip_prefix('=') {
            Some(formula) => Node::Formula { value: value(formula, variables), text },
            None => Node::String(text),
        },
        Node::Array(items) => Node::Array(items.into_iter().map(|item| evaluated(item, variables)).collect()),
        Node::Object(fields) => Node::Object(
            fields.into_iter().map(|(name, field)| (name, evaluated(field, variables))).collect(),
        ),
        other => other,
    }
}

/// The tree of a copy: formulas are evaluated, and `{i}` in texts becomes the number of the copy.
fn named(node: Node, variables: &Variables, path: &str, log: &mut Log) -> Node {
    match node {
        Node::String(text) if !text.starts_with('=') => match filled(&text, variables) {
            Ok(filled) => Node::String(filled),
            Err(reason) => {
                log.note(path, MistakeKind::NotAllowed { value: format!("{text:?}"), allowed: reason });
                Node::String(text)
            }
        },
        Node::Array(items) => {
            let item = |(k, item)| named(item, variables, &format!("{path}[{k}]"), log);
            Node::Array(items.into_iter().enumerate().map(item).collect())
        }
        Node::Object(fields) => {
            let mut field = |(name, field): (String, Node)| {
                let field = named(field, variables, &format!("{path}.{name}"), log);
                (name, field)
            };
            Node::Object(fields.into_iter().map(&mut field).collect())
        }
        other => evaluated(other, variables),
    }
}

/// A text with the formulas in its braces evaluated.
fn filled(text: &str, variables: &Variables) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((formula, behind)) = after.split_once('}') else {
            return Err("a brace is not closed".to_owned());
        };
        out += before;
        // Whole numbers are written as such.
        out += &value(formula, variables)?.to_string();
        rest = behind;
    }
    Ok(out + rest)
}
