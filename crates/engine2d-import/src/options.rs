//! What a file does not say of itself.

/// What a file does not say of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Pixels that are a unit of length, for maps of Tiled (> 0). Absent: their property `pixels_per_meter`, else the width of a
    /// tile.
    pub pixels_per_meter: Option<f64>,
}
