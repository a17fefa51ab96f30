//! A hinge between frames of two bodies, rigid or compliant, with an optional range of its angle.

use super::contract::{Constrainer, Update, set_blocks};
use super::info::RowInfo;
use crate::motion::FrameMotion;
use crate::motion::Motions;
use engine2d_geometry::BodyRef;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{Pose, SparseBlockMatrix, Vec2, cross, perp};

/// Slack of an angle limit (radians): the correction leaves this much, so that the limit does not chatter.
const LIMIT_TOLERANCE: f64 = 1e-4;

/// A side of a range at which a hinge rests.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Engagement {
    /// +1 at the lower limit, −1 at the upper.
    sign: f64,
    /// Re-detections since it engaged.
    count: u32,
    /// Distance to the limit (radians), negative beyond it.
    distance: f64,
    force: f64,
    state: u8,
}

/// Joins frame C of body A to frame D of body B: their origins coincide. Row directions are the axes of C.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    bodies: [BodyRef; 2],
    /// Frames in their bodies.
    frames: [Pose; 2],
    compliance: f64,
    damping: f64,
    range: Option<[f64; 2]>,
    distance: [f64; 2],
    forces: [f64; 2],
    engaged: Option<Engagement>,
}

impl Hinge {
    /// A rigid hinge without limits.
    #[must_use]
    pub fn new(body_a: BodyRef, frame_a: Pose, body_b: BodyRef, frame_b: Pose) -> Self {
        Self {
            bodies: [body_a, body_b],
            frames: [frame_a, frame_b],
            compliance: 0.0,
            damping: 0.0,
            range: None,
            distance: [0.0; 2],
            forces: [0.0; 2],
            engaged: None,
        }
    }

    /// Makes both rows compliant.
    #[must_use]
    pub fn compliant(mut self, compliance: f64, damping: f64) -> Self {
        (self.compliance, self.damping) = (compliance, damping);
        self
    }

    /// Limits the angle of C relative to D (radians).
    #[must_use]
    pub fn limited(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }

    /// Whether the hinge rests at a limit.
    #[must_use]
    pub fn is_engaged(&self) -> bool {
        self.engaged.is_some()
    }

    fn angle(&self, motions: Motions<'_>) -> f64 {
        let [a, b] = self.bodies.map(|b| motions.of(b));
        (a.pose.angle() + self.frames[0].angle()) - (b.pose.angle() + self.frames[1].angle())
    }
}

/// The two frames of a joint in the world, with the motions of their bodies.
pub(super) struct JointFrames {
    pub(super) motions: [FrameMotion; 2],
    pub(super) origins: [Vec2; 2],
    pub(super) angles: [f64; 2],
}

impl JointFrames {
    pub(super) fn new(bodies: [BodyRef; 2], frames: &[Pose; 2], motions: Motions<'_>) -> Self {
        let motions = bodies.map(|b| motions.of(b));
        Self {
            origins: [0, 1].map(|i| motions[i].position(frames[i].position())),
            angles: [0, 1].map(|i| motions[i].pose.angle() + frames[i].angle()),
            motions,
        }
    }

    /// Axes of frame C (0) or D (1) in the world.
    pub(super) fn axes(&self, i: usize) -> [Vec2; 2] {
        let (sin, cos) = engine2d_math::trig::sin_cos(self.angles[i]);
        [Vec2::new(cos, sin), Vec2::new(-sin, cos)]
    }

    /// The blocks of a translation row along `axis` at the world point `at`.
    pub(super) fn blocks(&self, bodies: [BodyRef; 2], axis: Vec2, at: Vec2) -> [(BodyRef, [f64; 3]); 2] {
        [(0, 1.0), (1, -1.0)].map(|(i, sign)| {
            let arm = at - self.motions[i].pose.position();
            (bodies[i], [sign * axis.x, sign * axis.y, sign * cross(arm, axis)])
        })
    }

    /// The velocity-product vector `−ω_a × v_a + ω_b × v_b + ω_a × v_b(C) − ω_b × v_a(C)` of translation rows.
    pub(super) fn velocity_product(&self) -> Vec2 {
        let [a, b] = &self.motions;
        let at_c = |m: &FrameMotion| m.velocity_at(self.origins[0] - m.pose.position());
        perp(b.velocity) * b.angular_velocity - perp(a.velocity) * a.angular_velocity
            + perp(at_c(b)) * a.angular_velocity
            - perp(at_c(a)) * b.angular_velocity
    }
}

/// The block of two rows in one column: entries alternate between them.
pub(super) fn interleaved(first: [f64; 3], second: [f64; 3]) -> [f64; 6] {
    [first[0], second[0], first[1], second[1], first[2], second[2]]
}

/// What joints with one block column of two rows do alike.
macro_rules! joint_of_two_rows {
    ($name:literal) => {
        fn name(&self) -> &str {
            $name
        }

        fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
            sizes.push(2);
        }

        fn set_bilateral_forces(&mut self, lambda: &[f64], scale: f64, index: usize) -> usize {
            self.forces = [lambda[index] * scale, lambda[index + 1] * scale];
            index + 2
        }

        fn bilateral_forces(&self, lambda: &mut [f64], index: usize) -> usize {
            lambda[index..index + 2].copy_from_slice(&self.forces);
            index + 2
        }

        fn components(&self, out: &mut Vec<BodyRef>) {
            out.extend(self.bodies.iter().filter(|b| b.index().is_some()));
        }
    };
}

pub(super) use joint_of_two_rows;

impl Constrainer for Hinge {
    joint_of_two_rows!("hinge");

    fn add_bilateral(
        &mut self,
        motions: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        let frames = JointFrames::new(self.bodies, &self.frames, motions);
        let axes = frames.axes(0);
        let product = frames.velocity_product();
        let column = gt.append_column(2);
        let [x, y] = axes.map(|axis| frames.blocks(self.bodies, axis, frames.origins[1]));
        set_blocks(gt, column, [0, 1].map(|side| (self.bodies[side], interleaved(x[side].1, y[side].1))))?;
        for (i, axis) in axes.iter().enumerate() {
            dg[index + i] = axis.dot(&product);
        }
        Ok(index + 2)
    }

    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        for (i, distance) in self.distance.into_iter().enumerate() {
            let (compliance, damping) = (self.compliance, self.damping);
            info[index + i] = RowInfo { distance, compliance, damping, ..RowInfo::default() };
        }
        index + 2
    }

    fn zero_forces(&mut self) {
        self.forces = [0.0; 2];
        if let Some(e) = &mut self.engaged {
            e.force = 0.0;
        }
    }

    fn unilateral_sizes(&self, sizes: &mut Vec<usize>) {
        if self.engaged.is_some() {
            sizes.push(1);
        }
    }

    fn add_unilateral(
        &mut self,
        _motions: Motions<'_>,
        nt: &mut SparseBlockMatrix,
        dn: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        let Some(e) = &self.engaged else { return Ok(index) };
        let column = nt.append_column(1);
        let turn = |sign: f64| [0.0, 0.0, sign * e.sign];
        set_blocks(nt, column, [(self.bodies[0], turn(1.0)), (self.bodies[1], turn(-1.0))])?;
        dn[index] = 0.0;
        Ok(index + 1)
    }

    fn unilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        let Some(e) = &self.engaged else { return index };
        info[index] = RowInfo { distance: (e.distance + LIMIT_TOLERANCE).min(0.0), ..RowInfo::default() };
        index + 1
    }

    fn set_unilateral_forces(&mut self, theta: &[f64], scale: f64, index: usize) -> usize {
        let Some(e) = &mut self.engaged else { return index };
        e.force = theta[index] * scale;
        index + 1
    }

    fn unilateral_forces(&self, theta: &mut [f64], index: usize) -> usize {
        let Some(e) = &self.engaged else { return index };
        theta[index] = e.force;
        index + 1
    }

    fn set_unilateral_state(&mut self, state: &[u8], index: usize) -> usize {
        let Some(e) = &mut self.engaged else { return index };
        e.state = state[index];
        index + 1
    }

    fn unilateral_state(&self, state: &mut [u8], index: usize) -> usize {
        let Some(e) = &self.engaged else { return index };
        state[index] = e.state;
        index + 1
    }

    fn update(&mut self, motions: Motions<'_>, _time: f64, what: Update) -> Option<f64> {
        let frames = JointFrames::new(self.bodies, &self.frames, motions);
        let apart = frames.origins[0] - frames.origins[1];
        self.distance = frames.axes(0).map(|axis| axis.dot(&apart));
        let Some([low, high]) = self.range else { return Some(0.0) };
        let angle = self.angle(motions);
        if what == Update::Compute {
            let rate = frames.motions[0].angular_velocity - frames.motions[1].angular_velocity;
            let inside = low < angle && angle < high;
            if let Some(e) = &mut self.engaged {
                e.count += 1;
                if inside && e.sign * rate >= 0.0 && e.count > 1 {
                    self.engaged = None;
                }
            }
            if self.engaged.is_none() && !inside {
                let sign = if angle <= low { 1.0 } else { -1.0 };
                self.engaged = Some(Engagement { sign, count: 0, distance: 0.0, force: 0.0, state: 0 });
            }
        }
        // Its two rows always act.
        let Some(e) = self.engaged.as_mut() else { return Some(0.0) };
        e.distance = if e.sign > 0.0 { angle - low } else { high - angle };
        Some((-e.distance).max(0.0))
    }
}
