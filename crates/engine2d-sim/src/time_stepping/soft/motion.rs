//! How bodies move within a step of the iterative solver.

/// How a body moves within the step; one line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Motion {
    /// Velocity of the centre of mass and angular velocity.
    pub(super) v: [f64; 3],
    /// Way since the beginning of the step.
    pub(super) way: [f64; 2],
    /// Turn since then, and its cosine and sine.
    pub(super) turn: f64,
    pub(super) rotation: [f64; 2],
}

impl Motion {
    pub(super) fn at_rest(v: [f64; 3]) -> Self {
        Self { v, way: [0.0; 2], turn: 0.0, rotation: [1.0, 0.0] }
    }

    /// Moves on for `h`.
    pub(super) fn advance(&mut self, h: f64) {
        self.way = [self.way[0] + h * self.v[0], self.way[1] + h * self.v[1]];
        let turn = h * self.v[2];
        self.turn += turn;
        let [c, s] = self.rotation;
        // First order, and back to length one: the angle itself is kept beside it.
        let (c, s) = (c - turn * s, s + turn * c);
        let scale = 1.0 / (c * c + s * s).sqrt();
        self.rotation = [c * scale, s * scale];
    }
}
