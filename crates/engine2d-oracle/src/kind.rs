//! Which judge a recorded file goes to.

use crate::case::{CaseResult, Recording};
use crate::{
    compliant, constraint, contacts, convex, evaluation, hysteresis, impulse, lcp, linear, simulation, trig,
};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// The kinds of recorded answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Simulated scenarios.
    Simulation,
    /// Single evaluations of the rates of change.
    Evaluation,
    /// Single collision-handling calls.
    Impulse,
    /// Complementarity problems.
    Lcp,
    /// Linear systems.
    Linear,
    /// Contacts of two-body poses.
    Contacts,
    /// Elementary functions.
    Trig,
    /// Distances of convex pairs.
    Convex,
    /// Contact bookkeeping with hysteresis.
    Hysteresis,
    /// Compliant contact trajectories.
    Compliant,
    /// Constraint states, trajectories and steps.
    Constraint,
}

impl Kind {
    /// All kinds with their names.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Simulation, "simulation"),
        (Self::Evaluation, "evaluation"),
        (Self::Impulse, "impulse"),
        (Self::Lcp, "lcp"),
        (Self::Linear, "linear"),
        (Self::Contacts, "contacts"),
        (Self::Trig, "trig"),
        (Self::Convex, "convex"),
        (Self::Hysteresis, "hysteresis"),
        (Self::Compliant, "compliant"),
        (Self::Constraint, "constraint"),
    ];

    /// The kind a file declares by its `schema` or `kind` field; `None` for files that are not cases.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        let field = |name: &str| value.get(name).and_then(Value::as_str);
        Some(match field("schema").or_else(|| field("kind"))? {
            "rigid2d-oracle-case/1" => Self::Simulation,
            "rigid2d-oracle-evaluations/1" => Self::Evaluation,
            "rigid2d-oracle-impulses/1" => Self::Impulse,
            "rigid2d-oracle-lcp/1" | "lcp-contact/1" => Self::Lcp,
            "rigid2d-oracle-linear/1" => Self::Linear,
            "rigid2d-oracle-geometry/1" => Self::Contacts,
            "rigid2d-oracle-trig/1" => Self::Trig,
            "convex_pairs" => Self::Convex,
            "contact_hysteresis" => Self::Hysteresis,
            "elastic_contact_trajectories" => Self::Compliant,
            "state" | "runtime" | "trajectory" | "artisynth_planar" => Self::Constraint,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(k, _)| k == self).map_or("", |(_, n)| n);
        f.write_str(name)
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Self::ALL.iter().find(|(_, n)| *n == s).map(|(k, _)| *k).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, n)| *n).collect();
            format!("unknown kind {s:?}: one of {}", names.join(", "))
        })
    }
}

/// What a file of a collection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Cases of one kind.
    Cases(Kind),
    /// Something that cases or readers refer to: an index, sensitivities, times.
    Companion,
    /// Nothing that is known, by the schema it declares, if any: its cases would go unjudged.
    Unknown(Option<String>),
}

/// Schemas of files without cases.
const COMPANIONS: [&str; 2] = ["rigid2d-oracle-sensitivity/1", "rigid2d-oracle-timings/1"];

impl FileKind {
    /// What the file of this name and content is.
    #[must_use]
    pub fn of(name: &str, value: &Value) -> Self {
        if let Some(kind) = Kind::of(value) {
            return Self::Cases(kind);
        }
        let declared = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
        let schema = declared("schema").or_else(|| declared("kind"));
        let is_index = value.is_array() && name.rsplit('/').next() == Some("index.json");
        match schema {
            Some(schema) if COMPANIONS.contains(&schema.as_str()) => Self::Companion,
            None if is_index => Self::Companion,
            schema => Self::Unknown(schema),
        }
    }
}

/// Runs every case of a recording and hands each verdict to `sink`. A recording without a case is a failure.
pub fn judge(kind: Kind, recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let mut count = 0_usize;
    judge_cases(kind, recording, &mut |result| {
        count += 1;
        sink(result);
    });
    if count == 0 {
        sink(CaseResult::failure(recording.name, "no case", format!("a file of kind {kind} without a case")));
    }
}

fn judge_cases(kind: Kind, recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    match kind {
        Kind::Simulation => simulation::judge(recording, sink),
        Kind::Evaluation => evaluation::judge(recording, sink),
        Kind::Impulse => impulse::judge(recording, sink),
        Kind::Contacts => contacts::judge(recording, sink),
        Kind::Convex => convex::judge(recording, sink),
        Kind::Compliant => compliant::judge(recording, sink),
        Kind::Hysteresis => hysteresis::judge(recording, sink),
        Kind::Lcp => lcp::judge(recording, sink),
        Kind::Linear => linear::judge(recording, sink),
        Kind::Trig => trig::judge(recording, sink),
        Kind::Constraint => constraint::judge(recording, sink),
    }
}
