//! Unilateral contact of points or discs with a line of the world, with friction.

use super::contract::{Constrainer, FRICTION_THRESHOLD, Update, set_blocks};
use super::info::{FrictionInfo, RowInfo};
use crate::motion::Motions;
use crate::row::tangent_of;
use engine2d_geometry::BodyRef;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{SparseBlockMatrix, Vec2, cross};

/// A point of a body, or the centre of a disc, that touches the line.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactPoint {
    /// The body.
    pub body: BodyRef,
    /// The point in its body.
    pub local: Vec2,
    /// Radius of the disc; 0 for a point.
    pub radius: f64,
}

/// A point with what is remembered of it between steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PointState {
    point: ContactPoint,
    distance: f64,
    engaged: bool,
    force: f64,
    friction: f64,
    state: u8,
    friction_state: u8,
    /// Row in `N` of the pass in progress.
    row: usize,
}

/// Points that may not pass below the line `n · p = offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct LineContact {
    normal: Vec2,
    offset: f64,
    mu: f64,
    creep: f64,
    compliance: f64,
    tolerance: f64,
    points: Vec<PointState>,
}

impl LineContact {
    /// Frictionless contact of `points` with the line of unit normal `normal` at `offset`.
    #[must_use]
    pub fn new(normal: impl Into<Vec2>, offset: f64, points: impl IntoIterator<Item = ContactPoint>) -> Self {
        let points = points
            .into_iter()
            .map(|point| PointState {
                point,
                distance: f64::INFINITY,
                engaged: false,
                force: 0.0,
                friction: 0.0,
                state: 0,
                friction_state: 0,
                row: 0,
            })
            .collect();
        Self { normal: normal.into(), offset, mu: 0.0, creep: 0.0, compliance: 0.0, tolerance: 1e-4, points }
    }

    /// Adds Coulomb friction; sticking points creep by `creep` (velocity per force).
    #[must_use]
    pub fn with_friction(mut self, mu: f64, creep: f64) -> Self {
        (self.mu, self.creep) = (mu, creep);
        self
    }

    /// Lets sticking points yield by `compliance` (displacement per force).
    #[must_use]
    pub fn with_stiction_compliance(mut self, compliance: f64) -> Self {
        self.compliance = compliance;
        self
    }

    /// Sets the penetration that corrections leave (length), so that contacts do not chatter. Default 1e-4.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// For each point: whether it is engaged, its normal force and its friction force.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (bool, f64, f64)> + '_ {
        self.points.iter().map(|p| (p.engaged, p.force, p.friction))
    }

    /// The block of a row along `axis` at a point of the line.
    fn blocks(&self, p: &ContactPoint, axis: Vec2, motions: Motions<'_>) -> [(BodyRef, [f64; 3]); 2] {
        let arm = motions.of(p.body).arm(p.local) - self.normal * p.radius;
        [(p.body, [axis.x, axis.y, cross(arm, axis)]), (BodyRef::Ground, [0.0; 3])]
    }

    /// Hands each engaged point, if there are `any`, its value from `index` on; returns the index after them.
    fn store<T: Copy>(
        &mut self,
        any: bool,
        values: &[T],
        index: usize,
        mut set: impl FnMut(&mut PointState, T),
    ) -> usize {
        let engaged = self.points.iter_mut().filter(|p| any && p.engaged);
        engaged.zip(index..).fold(index, |_, (p, i)| {
            set(p, values[i]);
            i + 1
        })
    }

    /// Writes a value of each engaged point, if there are `any`; returns the index after them.
    fn write<T>(&self, any: bool, out: &mut [T], index: usize, get: impl Fn(&PointState) -> T) -> usize {
        let engaged = self.points.iter().filter(|p| any && p.engaged);
        engaged.zip(index..).fold(index, |_, (p, i)| {
            out[i] = get(p);
            i + 1
        })
    }
}

impl Constrainer for LineContact {
    fn name(&self) -> &str {
        "line contact"
    }

    fn zero_forces(&mut self) {
        for p in &mut self.points {
            (p.force, p.friction) = (0.0, 0.0);
        }
    }

    fn unilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend(self.points.iter().filter(|p| p.engaged).map(|_| 1));
    }

    fn add_unilateral(
        &mut self,
        motions: Motions<'_>,
        nt: &mut SparseBlockMatrix,
        dn: &mut [f64],
        mut index: usize,
    ) -> Result<usize, BlockError> {
        for k in 0..self.points.len() {
            if !self.points[k].engaged {
                continue;
            }
            let blocks = self.blocks(&self.points[k].point, self.normal, motions);
            let column = nt.append_column(1);
            set_blocks(nt, column, blocks)?;
            dn[index] = 0.0;
            self.points[k].row = index;
            index += 1;
        }
        Ok(index)
    }

    fn unilateral_info(&self, info: &mut [RowInfo], mut index: usize) -> usize {
        for p in self.points.iter().filter(|p| p.engaged) {
            info[index] = RowInfo { distance: (p.distance + self.tolerance).min(0.0), ..RowInfo::default() };
            index += 1;
        }
        index
    }

    fn set_unilateral_forces(&mut self, theta: &[f64], scale: f64, index: usize) -> usize {
        self.store(true, theta, index, |p, f| p.force = f * scale)
    }

    fn unilateral_forces(&self, theta: &mut [f64], index: usize) -> usize {
        self.write(true, theta, index, |p| p.force)
    }

    fn set_unilateral_state(&mut self, state: &[u8], index: usize) -> usize {
        self.store(true, state, index, |p, s| p.state = s)
    }

    fn unilateral_state(&self, state: &mut [u8], index: usize) -> usize {
        self.write(true, state, index, |p| p.state)
    }

    fn max_friction_sets(&self) -> usize {
        if self.mu > 0.0 { self.points.len() } else { 0 }
    }

    fn add_friction(
        &mut self,
        motions: Motions<'_>,
        dt: &mut SparseBlockMatrix,
        info: &mut Vec<FrictionInfo>,
        prune: bool,
    ) -> Result<(), BlockError> {
        if self.mu <= 0.0 {
            return Ok(());
        }
        for p in self.points.iter().filter(|p| p.engaged) {
            let mut set = FrictionInfo {
                mu: self.mu,
                contact: p.row,
                creep: self.creep,
                compliance: self.compliance,
                displacement: -self.compliance * p.friction,
                ..FrictionInfo::default()
            };
            if !(prune && self.mu * p.force <= FRICTION_THRESHOLD) {
                let blocks = self.blocks(&p.point, tangent_of(self.normal), motions);
                let column = dt.append_column(1);
                set_blocks(dt, column, blocks)?;
                set.block = Some(column);
            }
            info.push(set);
        }
        Ok(())
    }

    fn set_friction_forces(&mut self, phi: &[f64], scale: f64, index: usize) -> usize {
        self.store(self.mu > 0.0, phi, index, |p, f| p.friction = f * scale)
    }

    fn friction_forces(&self, phi: &mut [f64], index: usize) -> usize {
        self.write(self.mu > 0.0, phi, index, |p| p.friction)
    }

    fn set_friction_state(&mut self, state: &[u8], index: usize) -> usize {
        self.store(self.mu > 0.0, state, index, |p, s| p.friction_state = s)
    }

    fn friction_state(&self, state: &mut [u8], index: usize) -> usize {
        self.write(self.mu > 0.0, state, index, |p| p.friction_state)
    }

    fn update(&mut self, motions: Motions<'_>, _time: f64, what: Update) -> Option<f64> {
        let mut deepest = None;
        for p in &mut self.points {
            let position = motions.of(p.point.body).position(p.point.local);
            p.distance = self.normal.dot(&position) - self.offset - p.point.radius;
            if what == Update::Compute {
                let engaged = p.distance <= 0.0;
                if !engaged {
                    (p.force, p.friction) = (0.0, 0.0);
                }
                p.engaged = engaged;
            }
            if p.engaged {
                let depth = (-p.distance).max(0.0);
                deepest = Some(deepest.map_or(depth, |d: f64| d.max(depth)));
            }
        }
        deepest
    }

    fn components(&self, out: &mut Vec<BodyRef>) {
        out.extend(self.points.iter().map(|p| p.point.body).filter(|b| b.index().is_some()));
    }
}
