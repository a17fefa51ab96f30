//! A constraint of the library behind the [`Constrainer`] trait.

use super::contract::{Constrainer, FRICTION_THRESHOLD, Update, set_blocks};
use super::info::{FrictionInfo, RowInfo};
use crate::equation::{Equation, Level, RowKind};
use crate::joint::Joint;
use crate::motion::FrameMotion;
use crate::motion::Motions;
use crate::tolerance::SLACK;
use engine2d_geometry::BodyRef;
use engine2d_math::SparseBlockMatrix;
use engine2d_math::sparse_block::BlockError;

/// What is remembered of an equation between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct RowState {
    /// Whether a unilateral row is engaged.
    engaged: bool,
    force: f64,
    state: u8,
    /// Row in `G` or `N` of the pass in progress.
    row: usize,
}

/// Which matrix an equation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Bilateral,
    Unilateral,
    Friction,
}

fn part(e: &Equation) -> Part {
    match e.kind {
        RowKind::Bilateral => Part::Bilateral,
        RowKind::Unilateral => Part::Unilateral,
        _ => Part::Friction,
    }
}

/// Drives a constraint of the library through the [`Constrainer`] trait.
///
/// Bilateral equations become rows of `G`: prescribed speeds and accelerations, rolling and other velocity equations as
/// driven rows ([`RowInfo::drive`]), compliant ones with their compliance or force law. Unilateral equations become rows of
/// `N` while they are engaged: from the re-detection that finds their error ≤ 0 until one that finds them open and
/// opening. Friction and motors of limited force become friction sets.
///
/// [`Mechanism::constrainers`](crate::Mechanism::constrainers) makes one of each constraint of a mechanism.
#[derive(Debug)]
pub struct LibraryConstrainer {
    joint: Joint,
    tolerance: f64,
    creep: f64,
    stiction_compliance: f64,
    bodies: Vec<BodyRef>,
    /// Motions of its bodies at which the equations hold.
    at: Vec<FrameMotion>,
    time: f64,
    equations: Vec<Equation>,
    states: Vec<RowState>,
}

impl LibraryConstrainer {
    /// A constraint of the library, one of your own that implements [`Constraint`](crate::Constraint), or a [`Joint`]
    /// with its name and springs.
    #[must_use]
    pub fn new(joint: impl Into<Joint>) -> Self {
        Self::of(&joint.into())
    }

    /// A copy of a joint.
    pub(crate) fn of(joint: &Joint) -> Self {
        Self {
            bodies: joint.bodies(),
            joint: joint.clone(),
            tolerance: SLACK,
            creep: 0.0,
            stiction_compliance: 0.0,
            at: Vec::new(),
            time: 0.0,
            equations: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Sets the penetration of rigid unilateral rows that corrections leave (length, radians), so that contacts do not
    /// chatter. Default 1e-4.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Lets sticking friction creep (velocity per force, ≥ 0); 0 by default.
    #[must_use]
    pub fn with_stiction_creep(mut self, creep: f64) -> Self {
        self.creep = creep;
        self
    }

    /// Lets sticking friction yield (displacement per force, ≥ 0); 0 by default.
    #[must_use]
    pub fn with_stiction_compliance(mut self, compliance: f64) -> Self {
        self.stiction_compliance = compliance;
        self
    }

    /// The equations at the last update.
    #[must_use]
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// For each equation the force of its last solve: a positive one pushes the first body along the row.
    pub fn forces(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.states.iter().map(|s| s.force)
    }

    /// Brings the equations of a pass to its motions; before the first update there are none.
    fn follow(&mut self, motions: Motions<'_>) {
        if !self.equations.is_empty() {
            self.move_to(motions.at_time(self.time));
        }
    }

    /// Brings the equations to these motions, unless they are there.
    fn move_to(&mut self, motions: Motions<'_>) {
        let now = self.bodies.iter().map(|&b| motions.of(b));
        if !self.at.is_empty() && self.time == motions.time() && now.clone().eq(self.at.iter().copied()) {
            return;
        }
        self.at.clear();
        self.at.extend(now);
        self.time = motions.time();
        self.equations.clear();
        self.joint.equations(motions, &mut self.equations);
        self.states.resize(self.equations.len(), RowState::default());
    }

    /// Whether an equation has a row at present.
    fn is_present(&self, i: usize) -> bool {
        match self.equations[i].kind {
            RowKind::Unilateral => self.states[i].engaged,
            RowKind::Friction { normal, mu } => mu > 0.0 && self.is_present(normal),
            _ => true,
        }
    }

    /// Places of the equations that have a row of this part at present.
    fn present(&self, wanted: Part) -> impl Iterator<Item = usize> + '_ {
        (0..self.equations.len()).filter(move |&i| part(&self.equations[i]) == wanted && self.is_present(i))
    }

    /// Hands each present equation of a part its value from `index` on; returns the index after them.
    fn store<T: Copy>(
        &mut self,
        wanted: Part,
        values: &[T],
        mut index: usize,
        set: impl Fn(&mut RowState, T),
    ) -> usize {
        for i in 0..self.equations.len() {
            if part(&self.equations[i]) == wanted && self.is_present(i) {
                set(&mut self.states[i], values[index]);
                index += 1;
            }
        }
        index
    }

    /// Writes a value of each present equation of a part from `index` on; returns the index after them.
    fn write<T>(&self, wanted: Part, out: &mut [T], index: usize, get: impl Fn(usize) -> T) -> usize {
        self.present(wanted).zip(index..).fold(index, |_, (i, at)| {
            out[at] = get(i);
            at + 1
        })
    }

    fn add_rows(
        &mut self,
        wanted: Part,
        motions: Motions<'_>,
        transposed: &mut SparseBlockMatrix,
        rates: &mut [f64],
        mut index: usize,
    ) -> Result<usize, BlockError> {
        self.follow(motions);
        for i in 0..self.equations.len() {
            if part(&self.equations[i]) == wanted && self.is_present(i) {
                add_column(transposed, &self.equations[i])?;
                rates[index] = self.equations[i].acceleration_bias;
                self.states[i].row = index;
                index += 1;
            }
        }
        Ok(index)
    }

    fn info(&self, i: usize) -> RowInfo {
        let e = &self.equations[i];
        match (e.level, e.kind) {
            (Level::Position, RowKind::Unilateral) if e.spring.is_rigid() => {
                RowInfo { distance: (e.position_error + self.tolerance).min(0.0), ..RowInfo::default() }
            }
            (Level::Position, _) => RowInfo { rate: self.row_rate(i) - e.velocity_error, ..e.info() },
            // The rate of the row that leaves no error.
            (Level::Velocity | Level::Acceleration, _) => {
                let drive = self.row_rate(i) - e.velocity_error;
                RowInfo { drive: Some(drive), ..RowInfo::default() }
            }
        }
    }

    /// `J u` of an equation at its motions.
    fn row_rate(&self, i: usize) -> f64 {
        let row = &self.equations[i].row;
        let parts = row.bodies.iter().zip(&row.jacobian).filter_map(|(body, j)| {
            let at = self.bodies.iter().position(|b| b == body)?;
            let m = &self.at[at];
            Some(j[0] * m.velocity.x + j[1] * m.velocity.y + j[2] * m.angular_velocity)
        });
        parts.sum()
    }

    /// Engages and releases a unilateral row.
    fn detect(&mut self, i: usize) {
        let e = &self.equations[i];
        let state = &mut self.states[i];
        let engaged = e.position_error <= 0.0 || (state.engaged && e.velocity_error <= 0.0);
        if !engaged {
            *state = RowState::default();
        }
        state.engaged = engaged;
    }
}

/// Appends a column of one row.
fn add_column(transposed: &mut SparseBlockMatrix, e: &Equation) -> Result<usize, BlockError> {
    let column = transposed.append_column(1);
    let [a, b] = e.row.bodies;
    set_blocks(transposed, column, [(a, e.row.jacobian[0]), (b, e.row.jacobian[1])])?;
    Ok(column)
}

/// Forces and states that come and go for each present equation of a part.
macro_rules! exchanged {
    (forces $set:ident $get:ident $part:ident) => {
        fn $set(&mut self, forces: &[f64], scale: f64, index: usize) -> usize {
            self.store(Part::$part, forces, index, |s, f| s.force = f * scale)
        }

        fn $get(&self, forces: &mut [f64], index: usize) -> usize {
            self.write(Part::$part, forces, index, |i| self.states[i].force)
        }
    };
    (states $set:ident $get:ident $part:ident) => {
        fn $set(&mut self, states: &[u8], index: usize) -> usize {
            self.store(Part::$part, states, index, |s, v| s.state = v)
        }

        fn $get(&self, states: &mut [u8], index: usize) -> usize {
            self.write(Part::$part, states, index, |i| self.states[i].state)
        }
    };
}

impl Constrainer for LibraryConstrainer {
    exchanged!(forces set_bilateral_forces bilateral_forces Bilateral);
    exchanged!(forces set_unilateral_forces unilateral_forces Unilateral);
    exchanged!(forces set_friction_forces friction_forces Friction);
    exchanged!(states set_unilateral_state unilateral_state Unilateral);
    exchanged!(states set_friction_state friction_state Friction);

    fn name(&self) -> &str {
        self.joint.label()
    }

    fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend(self.present(Part::Bilateral).map(|_| 1));
    }

    fn add_bilateral(
        &mut self,
        motions: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        self.add_rows(Part::Bilateral, motions, gt, dg, index)
    }

    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        self.write(Part::Bilateral, info, index, |i| self.info(i))
    }

    fn zero_forces(&mut self) {
        self.states.iter_mut().for_each(|s| s.force = 0.0);
    }

    fn unilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend(self.present(Part::Unilateral).map(|_| 1));
    }

    fn add_unilateral(
        &mut self,
        motions: Motions<'_>,
        nt: &mut SparseBlockMatrix,
        dn: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        self.add_rows(Part::Unilateral, motions, nt, dn, index)
    }

    fn unilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        self.write(Part::Unilateral, info, index, |i| self.info(i))
    }

    fn max_friction_sets(&self) -> usize {
        self.equations.iter().filter(|e| part(e) == Part::Friction).count()
    }

    fn add_friction(
        &mut self,
        motions: Motions<'_>,
        dt: &mut SparseBlockMatrix,
        info: &mut Vec<FrictionInfo>,
        prune: bool,
    ) -> Result<(), BlockError> {
        self.follow(motions);
        for i in self.present(Part::Friction) {
            let e = &self.equations[i];
            let mut set = FrictionInfo::default();
            let mut pruned = false;
            match e.kind {
                RowKind::Friction { normal, mu } => {
                    let pressing = &self.states[normal];
                    (set.mu, set.contact) = (mu, pressing.row);
                    set.bilateral = part(&self.equations[normal]) == Part::Bilateral;
                    (set.creep, set.compliance) = (self.creep, self.stiction_compliance);
                    set.displacement = -self.stiction_compliance * self.states[i].force;
                    pruned = prune && mu * pressing.force.abs() <= FRICTION_THRESHOLD;
                }
                RowKind::Boxed { lo, hi } => {
                    set.limits = Some([lo, hi]);
                    set.speed = self.row_rate(i) - e.velocity_error;
                }
                _ => continue,
            }
            if !pruned {
                set.block = Some(add_column(dt, e)?);
            }
            info.push(set);
        }
        Ok(())
    }

    fn update(&mut self, motions: Motions<'_>, time: f64, what: Update) -> Option<f64> {
        self.move_to(motions.at_time(time));
        let mut deepest = None;
        for i in 0..self.equations.len() {
            let mut depth = 0.0;
            match part(&self.equations[i]) {
                Part::Unilateral => {
                    if what == Update::Compute {
                        self.detect(i);
                    }
                    if !self.states[i].engaged {
                        continue;
                    }
                    depth = (-self.equations[i].position_error).max(0.0);
                }
                Part::Bilateral => {}
                Part::Friction if !self.is_present(i) => {
                    self.states[i] = RowState::default();
                    continue;
                }
                Part::Friction => {}
            }
            deepest = Some(deepest.map_or(depth, |d: f64| d.max(depth)));
        }
        deepest
    }

    fn components(&self, out: &mut Vec<BodyRef>) {
        out.extend(self.bodies.iter().filter(|b| b.index().is_some()));
    }
}
