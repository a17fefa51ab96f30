//! Collision handling: impulses that turn approaching into separating velocities.

use crate::collision::Collision;
use crate::error::SimError;
use crate::lcp::{Rows, restrict};
use crate::settings::CollisionHandling;
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{PANIC_ROUNDS, SERIAL_SPEED, TINY_IMPULSE};
use engine2d_constraint::{ConstraintRow, Delassus, delassus};
use engine2d_geometry::{BodyRef, Contact};
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

impl System {
    /// Resolves `records` by the chosen method and applies the impulses.
    pub(crate) fn handle_collisions(&mut self, records: &mut [Collision]) -> Result<Handling, SimError> {
        let before = self.stages.enter(Stage::Impacts);
        let mut stage = std::mem::take(&mut self.impulse_stage);
        let rounds = self.find_impulses(&mut stage, records);
        let result = rounds.and_then(|rounds| {
            let effective = self.booked(false, |system| system.apply_impulses(records, &stage.impulses))?;
            Ok(Handling { effective, rounds })
        });
        self.impulse_stage = stage;
        self.stages.leave(before);
        result
    }

    fn find_impulses(&mut self, stage: &mut ImpulseStage, records: &[Collision]) -> Result<u64, SimError> {
        stage.prepare(records, &self.inverse_masses);
        let handling = self.settings.collision_handling;
        stage.elasticities.clear();
        for record in records {
            let c = &record.contact;
            let inelastic = match handling {
                CollisionHandling::Simultaneous => c.is_contact(),
                _ => c.bilateral && handling.groups_joints(),
            };
            let given = record.elasticity.unwrap_or_else(|| self.elasticity_of(c));
            stage.elasticities.push(if inelastic { 0.0 } else { given });
        }
        if handling == CollisionHandling::Simultaneous {
            stage.active.clear();
            stage.active.extend(0..records.len());
            self.solve_active(stage, records, true)?;
            stage.impulses.copy_from_slice(&stage.sub_impulses);
            return Ok(1);
        }
        self.serial_impulses(stage, records, handling)
    }

    /// One random focus after another until no record approaches faster than the threshold.
    fn serial_impulses(
        &mut self,
        stage: &mut ImpulseStage,
        records: &[Collision],
        handling: CollisionHandling,
    ) -> Result<u64, SimError> {
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
            random::permutation(n, &mut self.generator, &mut stage.order);
            let focus = stage.order.iter().copied().find(|&i| {
                let b = stage.velocities[i];
                if stage.bilateral[i] { b.abs() > threshold } else { b < -threshold }
            });
            match focus {
                Some(focus) if handling.groups_joints() => {
                    let hybrid = handling == CollisionHandling::Hybrid;
                    self.collect_active(stage, records, focus, hybrid.then_some(threshold));
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
            self.solve_active(stage, records, focus.is_some())?;
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
        stage: &mut ImpulseStage,
        records: &[Collision],
        with_restitution: bool,
    ) -> Result<(), SimError> {
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
            time: self.time,
            matrix: &stage.sub_matrix,
            bias: &stage.sub_bias,
            ids: None,
            bodies: &|row| {
                let id = records[stage.active[row]].contact.id;
                [id.primary, id.normal_body]
            },
        };
        let before = self.stages.enter(Stage::Complementarity);
        let result = self.lcp.solve(
            self.settings.profile,
            &rows,
            &stage.sub_bilateral,
            &mut self.generator,
            &mut stage.sub_impulses,
        );
        self.stages.leave(before);
        result
    }

    /// The records solved together with the focus: with a threshold (hybrid), first its approaching
    /// neighbours; then all joints of the bodies involved. The set is used in list order.
    fn collect_active(
        &self,
        stage: &mut ImpulseStage,
        records: &[Collision],
        focus: usize,
        hybrid_threshold: Option<f64>,
    ) {
        let movable = |b: BodyRef| b.index().filter(|&i| !self.bodies[i].fixed);
        stage.is_active.clear();
        stage.is_active.resize(records.len(), false);
        // One place more than there are bodies, for the ground.
        stage.involved.clear();
        stage.involved.resize(self.bodies.len() + 1, false);
        let slot = |b: BodyRef| b.index().unwrap_or(self.bodies.len());
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

    /// Applies the impulses along the normals; returns whether some was positive.
    fn apply_impulses(&mut self, records: &mut [Collision], impulses: &[f64]) -> Result<bool, SimError> {
        let mut effective = false;
        for (record, &impulse) in records.iter_mut().zip(impulses) {
            let c = &record.contact;
            record.velocity_before = c.velocity;
            if !c.bilateral && impulse < -TINY_IMPULSE {
                return Err(SimError::PullingImpulse { time: self.time, contact: c.id, impulse });
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
                let Some(i) = body.index().filter(|&i| !self.bodies[i].fixed) else { continue };
                let m = self.inverse_masses[i];
                self.bodies[i].velocity += push * m.linear;
                self.bodies[i].angular_velocity += cross(r, push) * m.angular;
            }
        }
        Ok(effective)
    }

    /// The restitution of the pair's materials if both bodies name one that the table pairs, else the smaller
    /// elasticity; the ground's is 1.
    pub(crate) fn elasticity_of(&self, c: &Contact) -> f64 {
        self.restitution_between([c.id.primary, c.id.normal_body])
    }

    /// The restitution of two bodies.
    pub(crate) fn restitution_between(&self, [first, second]: [BodyRef; 2]) -> f64 {
        let material = |b: BodyRef| b.index().and_then(|i| self.data[i].material.as_deref());
        if let (Some(a), Some(b)) = (material(first), material(second))
            && let Ok(pair) = self.settings.materials.pair(a, b)
        {
            return pair.restitution;
        }
        let of = |b: BodyRef| b.index().map_or(1.0, |i| self.data[i].elasticity);
        of(first).min(of(second))
    }
}

impl ImpulseStage {
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
