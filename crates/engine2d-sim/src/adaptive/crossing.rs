//! Sign changes of functions along an integration: which count, and what is told of one.

/// An event: which function crossed zero, and when.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Crossing {
    /// Index of the function.
    pub index: usize,
    /// Time of the crossing.
    pub time: f64,
    /// Whether the function rises through zero.
    pub rising: bool,
}

/// Which sign changes of a function are events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From either side.
    #[default]
    Any,
    /// From positive values down.
    Falling,
    /// From negative values up.
    Rising,
}

impl Direction {
    /// Whether the change from `a` to `b` is an event.
    pub(super) fn is_crossed(self, a: f64, b: f64) -> bool {
        let falls = a > 0.0 && b <= 0.0;
        let rises = a < 0.0 && b >= 0.0;
        match self {
            Self::Any => falls || rises,
            Self::Falling => falls,
            Self::Rising => rises,
        }
    }
}
