//! Points of the plane, and what is left out when it has its default.

/// A point or vector of the plane, `[x, y]`.
pub type Point = [f64; 2];

/// Whether a field holds its type's default and need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
