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
        self.shift(self.v, h);
    }

    /// Moves for `h` at some velocities.
    pub(super) fn shift(&mut self, v: [f64; 3], h: f64) {
        self.way = [self.way[0] + h * v[0], self.way[1] + h * v[1]];
        let turn = h * v[2];
        self.turn += turn;
        let [c, s] = self.rotation;
        // First order, and back to length one: the angle itself is kept beside it.
        let (c, s) = (c - turn * s, s + turn * c);
        let scale = 1.0 / (c * c + s * s).sqrt();
        self.rotation = [c * scale, s * scale];
    }
}

/// What impulses change of a velocity, in what forces do, up to which a body flies: falling bodies that touch press by rounding.
const FLIES: f64 = 1e-3;

/// Moves all bodies on for `h`, in which forces change velocities evenly by `share` of their `changes` in a step, and impulses from `kept` on. What
/// flies goes by the mean of the velocities before and after; what is held, by joints or by others, by those after, which gives what
/// swings no energy.
pub(super) fn fly(
    motions: &mut [Motion],
    (kept, changes): (&[[f64; 3]], &[[f64; 3]]),
    (h, share): (f64, f64),
) {
    for ((motion, kept), d) in motions.iter_mut().zip(kept).zip(changes) {
        let v = motion.v;
        let square = |x: f64, y: f64| x * x + y * y;
        let (held, forced) = (square(v[0] - kept[0], v[1] - kept[1]), square(share * d[0], share * d[1]));
        let half = if held == 0.0 {
            0.5 * share
        } else if held < FLIES * FLIES * forced {
            0.5 * share * (1.0 - (held / forced).sqrt() / FLIES)
        } else {
            0.0
        };
        motion.shift([v[0] - half * d[0], v[1] - half * d[1], v[2]], h);
    }
}
