//! What a detection pass looks for, and how it judges what it finds.

use serde::{Deserialize, Serialize};

/// Default distance tolerance of a pass (length).
const TOLERANCE: f64 = 0.01;

/// What a detection pass depends on beside the bodies. By default bodies stand still at time 0, are touching where they are
/// less than a hundredth of a length unit apart, and the default [`Rules`] hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Detection time of new records.
    pub time: f64,
    /// The time the bodies moved since their old poses; it sets the speed above which a pair is examined
    /// whatever its distance. 0 for bodies that stand still.
    pub step: f64,
    /// The distance tolerance of the pair test (length).
    pub tolerance: f64,
    /// What is looked for.
    pub rules: Rules,
}

impl Default for Pass {
    fn default() -> Self {
        Self { time: 0.0, step: 0.0, tolerance: TOLERANCE, rules: Rules::default() }
    }
}

/// How gaps of curved and cornered features, tolerances of pairs and walls are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judging {
    /// By the outlines as they are: what has crossed an arc stays crossed until it is out of the solid again, arcs
    /// penetrate where one is within the other solid, corners between arcs meet corners, and a pair uses the larger
    /// tolerance of its bodies for finding as for judging.
    #[default]
    Outlines,
    /// As the reference engine has it, whose recorded answers depend on it: by the whole line or circle of an edge, with
    /// corner contacts at straight edges only, finding by the tolerance of one body.
    Curves,
}

/// What a detection pass looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    /// Whether pairs too far apart to touch are left out; by default they are. Without the pair test every
    /// pair is examined: in rare fast configurations records of bodies that have already separated appear.
    pub proximity_test: bool,
    /// Whether auxiliary vertices of arcs make contacts where they are near an edge; by default they do not, as
    /// the arc itself does, and only their paths across edges count.
    pub auxiliary_contacts: bool,
    /// Whether arcs are tested against edges; by default they are. Without, a curved body is its vertices.
    pub edges_against_edges: bool,
    /// How gaps are taken; by default by the outlines.
    pub judging: Judging,
}

impl Rules {
    /// The rules of the recorded answers.
    pub const REFERENCE: Self = Self {
        proximity_test: true,
        auxiliary_contacts: false,
        edges_against_edges: true,
        judging: Judging::Curves,
    };

    /// The distance tolerance with which a pair of bodies of these tolerances is searched: that of the first by the
    /// reference rules, else the larger one, by which its contacts are judged.
    pub(crate) fn tolerance(&self, found_by: f64, other: f64) -> f64 {
        match self.judging {
            Judging::Curves => found_by,
            Judging::Outlines => found_by.max(other),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { judging: Judging::Outlines, ..Self::REFERENCE }
    }
}
