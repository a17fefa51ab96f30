//! A slider: frame C of body A moves along the x axis of frame D of body B without turning.

use super::contract::{Constrainer, Update, set_blocks};
use super::hinge::{JointFrames, interleaved};
use super::info::RowInfo;
use crate::motion::Motions;
use engine2d_geometry::BodyRef;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{Pose, SparseBlockMatrix};
use std::f64::consts::{PI, TAU};

/// Keeps the origin of C on the x axis of D, and their angles equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    bodies: [BodyRef; 2],
    frames: [Pose; 2],
    distance: [f64; 2],
    forces: [f64; 2],
}

impl Slider {
    /// A rigid slider without stops.
    #[must_use]
    pub fn new(body_a: BodyRef, frame_a: Pose, body_b: BodyRef, frame_b: Pose) -> Self {
        Self { bodies: [body_a, body_b], frames: [frame_a, frame_b], distance: [0.0; 2], forces: [0.0; 2] }
    }
}

/// The angle in `(−π, π]` that differs from `angle` by whole turns.
fn wrapped(angle: f64) -> f64 {
    let turns = ((angle + PI) / TAU).floor();
    let wrapped = angle - turns * TAU;
    if wrapped <= -PI { wrapped + TAU } else { wrapped }
}

impl Constrainer for Slider {
    super::hinge::joint_of_two_rows!("slider");

    fn add_bilateral(
        &mut self,
        motions: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        let frames = JointFrames::new(self.bodies, &self.frames, motions);
        let [along, across] = frames.axes(1);
        // The row acts at the point of D's axis nearest to C.
        let at = frames.origins[1] + along * along.dot(&(frames.origins[0] - frames.origins[1]));
        let translation = frames.blocks(self.bodies, across, at);
        let column = gt.append_column(2);
        let turns = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        let block = |side: usize| (self.bodies[side], interleaved(translation[side].1, turns[side]));
        set_blocks(gt, column, [0, 1].map(block))?;
        dg[index] = frames.axes(0)[1].dot(&frames.velocity_product());
        dg[index + 1] = 0.0;
        Ok(index + 2)
    }

    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        for (i, distance) in self.distance.into_iter().enumerate() {
            info[index + i] = RowInfo { distance, ..RowInfo::default() };
        }
        index + 2
    }

    fn zero_forces(&mut self) {
        self.forces = [0.0; 2];
    }

    fn update(&mut self, motions: Motions<'_>, _time: f64, _what: Update) -> Option<f64> {
        let frames = JointFrames::new(self.bodies, &self.frames, motions);
        let across = frames.axes(1)[1];
        let turned = wrapped(frames.angles[0] - frames.angles[1]);
        self.distance = [across.dot(&(frames.origins[0] - frames.origins[1])), turned];
        Some(0.0)
    }
}
