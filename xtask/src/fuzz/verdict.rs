//! How the try of an input ends.

/// What a run of a target may end with.
pub(super) enum Verdict {
    /// An answer that holds, or nothing to find fault with.
    Sound,
    /// A typed error where that is allowed; its kind is counted.
    Refused(&'static str),
    /// A fault.
    Wrong(String),
}
