//! From the map's coordinates to those of the scene.

use engine2d_scene::Point;

/// From pixels, y down, to lengths, y up.
pub(super) struct Scale {
    /// Length of a pixel.
    pub(super) pixel: f64,
    /// Height of the map (pixels): its lower edge is at y = 0.
    pub(super) height: f64,
}

impl Scale {
    pub(super) fn point(&self, [x, y]: Point) -> Point {
        [x * self.pixel, (self.height - y) * self.pixel]
    }

    pub(super) fn vector(&self, [x, y]: Point) -> Point {
        [x * self.pixel, -y * self.pixel]
    }
}
