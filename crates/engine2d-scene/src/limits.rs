//! The most that a description may hold, for texts that nobody vouches for.

/// The most that a scene may hold. Texts beyond are refused before they take much time or memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Length of the text (bytes).
    pub bytes: u64,
    /// Values in the text, and values of all copies that `repeat` makes.
    pub values: usize,
    /// Bodies, copies included.
    pub bodies: usize,
    /// Vertices of all outlines.
    pub vertices: usize,
    /// Steps of the scene's duration.
    pub steps: f64,
}

impl Limits {
    /// No limits but that of the copies of `repeat`.
    pub const NONE: Self = Self {
        bytes: u64::MAX,
        values: usize::MAX,
        bodies: usize::MAX,
        vertices: usize::MAX,
        steps: f64::INFINITY,
    };
}

impl Default for Limits {
    /// Generous for what people write, and read within a second: 64 MiB, 1.5 million values, 100,000 bodies, 2 million vertices,
    /// 1e9 steps.
    fn default() -> Self {
        Self { bytes: 1 << 26, values: 1_500_000, bodies: 100_000, vertices: 2_000_000, steps: 1e9 }
    }
}
