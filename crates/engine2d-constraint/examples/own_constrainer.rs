//! A constrainer of one's own, checked by the conformance harness: a point of a body on the world's x axis.

use engine2d_constraint::constrainer::conformance::{Checks, check};
use engine2d_constraint::constrainer::{Constrainer, RowInfo, Update};
use engine2d_constraint::{FrameMotion, Motions};
use engine2d_geometry::BodyRef;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{Pose, SparseBlockMatrix, Vec2, cross};

struct OnAxis {
    body: u32,
    point: Vec2,
    force: f64,
    height: f64,
}

impl Constrainer for OnAxis {
    fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.push(1);
    }
    fn add_bilateral(
        &mut self,
        motions: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        let motion = motions.of(BodyRef::Body(self.body));
        let arm = motion.arm(self.point);
        let column = gt.append_column(1);
        gt.set(self.body as usize, column, &[0.0, 1.0, cross(arm, Vec2::new(0.0, 1.0))])?;
        dg[index] = motion.acceleration_bias_at(arm).y;
        Ok(index + 1)
    }
    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        info[index] = RowInfo { distance: self.height, ..RowInfo::default() };
        index + 1
    }
    fn set_bilateral_forces(&mut self, lambda: &[f64], scale: f64, index: usize) -> usize {
        self.force = lambda[index] * scale;
        index + 1
    }
    fn bilateral_forces(&self, lambda: &mut [f64], index: usize) -> usize {
        lambda[index] = self.force;
        index + 1
    }
    fn zero_forces(&mut self) {
        self.force = 0.0;
    }
    fn update(&mut self, motions: Motions<'_>, _time: f64, _what: Update) -> Option<f64> {
        self.height = motions.of(BodyRef::Body(self.body)).position(self.point).y;
        Some(0.0)
    }
    fn components(&self, out: &mut Vec<BodyRef>) {
        out.push(BodyRef::Body(self.body));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mine = OnAxis { body: 0, point: Vec2::new(0.5, 0.2), force: 0.0, height: 0.0 };
    let motion =
        FrameMotion { pose: Pose::new(0.1, -0.3, 0.4), velocity: Vec2::new(0.2, 0.1), angular_velocity: 1.5 };
    check("on axis", Box::new(mine), &[motion], Checks::default())?;
    Ok(())
}
