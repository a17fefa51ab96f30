//! Points of the plane, and what is left out when it has its default.

/// A point or vector of the plane, `[x, y]`.
pub type Point = [f64; 2];

/// Whether a factor is one and need not be written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
pub(crate) fn is_one(value: &f64) -> bool {
    *value == 1.0
}

/// Whether a field holds its type's default and need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
