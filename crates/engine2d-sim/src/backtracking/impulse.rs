//! Collision handling: impulses that turn approaching into separating velocities.

use super::collision::Collision;
use crate::energy::booked;
use crate::error::SimError;
use crate::lcp::Rows;
use crate::model::Model;
use crate::settings::CollisionHandling;
use crate::spans;
use crate::stages::Stage;
use crate::state::State;
use crate::tolerance::{PANIC_ROUNDS, SERIAL_SPEED, TINY_IMPULSE};
use crate::work::Work;
use engine2d_constraint::{ConstraintRow, Delassus, delassus};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{cross, random};

/// Scratch of collision handling.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpulseStage {
    rows: Vec<ConstraintRow>,
    matrix: Delassus,
    bilateral: Vec<bool>,
    /// Normal velocity of each record, followed through the rounds.
    velocities: Vec<f64>,
    impulses: Vec<f64>,
    elasticities: Vec<f64>,
    order: Vec<usize>,
    active: Vec<usize>,
    is_active: Vec<bool>,
    involved: Vec<bool>,
    sub_matrix: Vec<f64>,
    sub_bias: Vec<f64>,
    sub_bilateral: Vec<bool>,
    sub_impulses: Vec<f64>,
}

/// What a handling did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handling {
    /// Whether a positive impulse was applied to some record.
    pub(crate) effective: bool,
    /// Simultaneous solves made.
    pub(crate) rounds: u64,
}

impl ImpulseStage {
    /// Resolves `records` by the chosen method and applies the impulses.
    pub(crate) fn handle(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        records: &mut [Collision],
    ) -> Result<Handling, SimError> {
        let before = work.stages.enter(Stage::Impacts);
        let span = spans::impact(state.time, records.len());
        let rounds = span.in_scope(|| self.find_impulses(model, state, work, records));
        spans::ended(&span, &rounds);
        let rounds = rounds?;
        span.record("impulses", rounds);
        let effective =
            booked(model, state, false, |state| apply_impulses(model, state, records, &self.impulses))?;
        work.stages.leave(before);
        Ok(Handling { effective, rounds })
    }

    fn find_impulses(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        records: &[Collision],
    ) -> Result<u64, SimError> {
        let stage = self;
        stage.prepare(records, &model.masses);
        let handling = model.settings.collision_handling;
        stage.elasticities.clear();
        for record in records {
            let c = &record.contact;
            let inelastic = match handling {
                CollisionHandling::Simultaneous => c.is_contact(),
                _ => c.bilateral && handling.groups_joints(),
            };
            let given = record
                .restitution
                .unwrap_or_else(|| model.restitution_between([c.id.primary, c.id.normal_body]));
            stage.elasticities.push(if inelastic { 0.0 } else { given });
        }
        if handling == CollisionHandling::Simultaneous {
            stage.active.clear();
            stage.active.extend(0..records.len());
            stage.solve_active(model, state, work, records, true)?;
            stage.impulses.copy_from_slice(&stage.sub_impulses);
            return Ok(1);
        }
        stage.serial_impulses(model, state, work, records, handling)
    }

    /// One random focus after another until no record approaches faster than the threshold.
    fn serial_impulses(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        records: &[Collision],
        handling: CollisionHandling,
    ) -> Result<u64, SimError> {
        let stage = self;
        let n = records.len();
        let mut threshold = SERIAL_SPEED;
        let mut panic_limit = PANIC_ROUNDS * n;
        let mut loops = 0;
        let mut rounds = 0;
        loop {
            loops += 1;
            if loops > panic_limit {
                threshold *= 2.0;
                panic_limit += PANIC_ROUNDS * n;
            }
            random::permutation(n, &mut state.generator, &mut stage.order);
            let focus = stage.order.iter().copied().find(|&i| {
                let b = stage.velocities[i];
                if stage.bilateral[i] { b.abs() > threshold } else { b < -threshold }
            });
            match focus {
                Some(focus) if handling.groups_joints() => {
                    let hybrid = handling == CollisionHandling::Hybrid;
                    stage.collect_active(&state.bodies, records, focus, hybrid.then_some(threshold));
                }
                Some(focus) => {
                    stage.active.clear();
                    stage.active.push(focus);
                }
                None if handling.has_last_pass() => {
                    stage.active.clear();
                    stage.active.extend(0..n);
                }
                None => return Ok(rounds),
            }
            stage.solve_active(model, state, work, records, focus.is_some())?;
            rounds += 1;
            for (&i, &j) in stage.active.iter().zip(&stage.sub_impulses) {
                if j == 0.0 {
                    continue;
                }
                stage.impulses[i] += j;
                for (velocity, a) in stage.velocities.iter_mut().zip(stage.matrix.row(i)) {
                    *velocity += a * j;
                }
            }
            if focus.is_none() {
                return Ok(rounds);
            }
        }
    }

    /// Solves the problem restricted to the active records, with restitution or without.
    fn solve_active(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        records: &[Collision],
        with_restitution: bool,
    ) -> Result<(), SimError> {
        let stage = self;
        restrict(&stage.matrix, &stage.active, &mut stage.sub_matrix);
        stage.sub_bias.clear();
        stage.sub_bilateral.clear();
        for &i in &stage.active {
            let e = if with_restitution { stage.elasticities[i] } else { 0.0 };
            stage.sub_bias.push(stage.velocities[i] * (1.0 + e));
            stage.sub_bilateral.push(stage.bilateral[i]);
        }
        let rows = Rows {
            what: "impulses",
            time: state.time,
            matrix: &stage.sub_matrix,
            bias: &stage.sub_bias,
            ids: None,
            bodies: &|row| {
                let id = records[stage.active[row]].contact.id;
                [id.primary, id.normal_body]
            },
        };
        let before = work.stages.enter(Stage::Complementarity);
        let result = work.lcp.solve(
            model.settings.profile,
            &rows,
            &stage.sub_bilateral,
            &mut state.generator,
            &mut stage.sub_impulses,
        );
        work.stages.leave(before);
        result
    }

    /// The records solved together with the focus: with a threshold (hybrid), first its approaching
    /// neighbours; then all joints of the bodies involved. The set is used in list order.
    fn collect_active(
        &mut self,
        bodies: &[CollisionBody],
        records: &[Collision],
        focus: usize,
        hybrid_threshold: Option<f64>,
    ) {
        let stage = self;
        let movable = |b: BodyRef| b.index().filter(|&i| !bodies[i].fixed);
        stage.is_active.clear();
        stage.is_active.resize(records.len(), false);
        // One place more than there are bodies, for the ground.
        stage.involved.clear();
        stage.involved.resize(bodies.len() + 1, false);
        let slot = |b: BodyRef| b.index().unwrap_or(bodies.len());
        stage.is_active[focus] = true;
        let ends = |r: &Collision| [r.contact.id.primary, r.contact.id.normal_body];
        for b in ends(&records[focus]) {
            if let Some(i) = movable(b) {
                stage.involved[i] = true;
            }
        }
        if let Some(threshold) = hybrid_threshold {
            let of_focus = ends(&records[focus]);
            for (k, record) in records.iter().enumerate() {
                let shares = ends(record).iter().any(|b| of_focus.contains(b));
                if k != focus && !record.contact.bilateral && stage.velocities[k] < -threshold && shares {
                    stage.is_active[k] = true;
                    for b in ends(record) {
                        stage.involved[slot(b)] = true;
                    }
                }
            }
        }
        let mut grown = true;
        while grown {
            grown = false;
            for (k, record) in records.iter().enumerate() {
                let touches = ends(record).iter().any(|&b| stage.involved[slot(b)]);
                if !stage.is_active[k] && record.contact.bilateral && touches {
                    stage.is_active[k] = true;
                    for b in ends(record) {
                        if let Some(i) = movable(b) {
                            stage.involved[i] = true;
                        }
                    }
                    grown = true;
                }
            }
        }
        stage.active.clear();
        stage.active.extend((0..records.len()).filter(|&k| stage.is_active[k]));
    }

    fn prepare(&mut self, records: &[Collision], inverse_masses: &[engine2d_constraint::InverseMass]) {
        self.rows.clear();
        self.bilateral.clear();
        self.velocities.clear();
        for record in records {
            let c = &record.contact;
            self.rows.push(ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.r1, c.r2));
            self.bilateral.push(c.bilateral);
            self.velocities.push(c.velocity);
        }
        self.impulses.clear();
        self.impulses.resize(records.len(), 0.0);
        delassus(&self.rows, inverse_masses, &mut self.matrix);
    }
}

/// Applies the impulses along the normals; returns whether some was positive.
fn apply_impulses(
    model: &Model,
    state: &mut State,
    records: &mut [Collision],
    impulses: &[f64],
) -> Result<bool, SimError> {
    let mut effective = false;
    for (record, &impulse) in records.iter_mut().zip(impulses) {
        let c = &record.contact;
        record.velocity_before = c.velocity;
        if !c.bilateral && impulse < -TINY_IMPULSE {
            return Err(SimError::PullingImpulse { time: state.time, contact: c.id, impulse });
        }
        let j = if c.bilateral { impulse } else { impulse.max(0.0) };
        record.impulse = j;
        if j == 0.0 {
            continue;
        }
        effective |= j > TINY_IMPULSE;
        let (primary, normal_body) = (c.id.primary, c.id.normal_body);
        let (first, second) = ((c.r1, c.normal * j), (c.r2, -c.normal * j));
        for (body, (r, push)) in [(primary, first), (normal_body, second)] {
            let Some(i) = body.index().filter(|&i| !state.bodies[i].fixed) else { continue };
            let m = model.masses[i];
            state.bodies[i].velocity += push * m.linear;
            state.bodies[i].angular_velocity += cross(r, push) * m.angular;
        }
    }
    Ok(effective)
}

/// The square submatrix of `matrix` on `rows`, into `out`.
fn restrict(matrix: &Delassus, rows: &[usize], out: &mut Vec<f64>) {
    out.clear();
    for &i in rows {
        let row = matrix.row(i);
        out.extend(rows.iter().map(|&j| row[j]));
    }
}
