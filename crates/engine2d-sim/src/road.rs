//! The road of located motion: from bodies and constraints to accelerations, and back onto the constraints.
//!
//! ```text
//! forces ─► rows of joints, motors, limits, ropes, held contacts (gather) ─► islands ─► multipliers ─► accelerations
//! ```
//!
//! The same rows serve three levels with another right-hand side each: accelerations ([`accelerations`]), velocities at an
//! impact ([`impact`]), positions ([`project`]). Which unilateral rows are closed is remembered in [`held`]; nothing here
//! knows a clock.

mod corner;
mod direct;
mod feature;
mod gather;
mod held;
mod impact;
mod multipliers;
mod pairs;
mod project;
mod row;
mod settle;

pub(crate) use feature::{contact_row, margin};
pub(crate) use gather::frame_motions;
pub(crate) use held::HeldSet;
pub(crate) use pairs::may_meet;
pub(crate) use row::Source;
pub(crate) use settle::{Haste, settle};

use crate::contact_force::ContactForce;
use crate::error::SimError;
use crate::settings::Fidelity;
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{PLACED_DEPTH, PLACED_GAP};
use engine2d_constraint::Reaction;
use engine2d_constraint::RowKind;
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Features};
use engine2d_math::{Vec2, cross};
use gather::{Gathering, Parts, Rows, gather};
use impact::Impacts;
use multipliers::{Multipliers, Task, add_rates};
use pairs::{Pairs, Touch};
use project::Projector;
use row::{Row, acceleration_of, responses};

/// Gap that counts as touching, relative to the radius of the smallest movable body: far above what rounding and
/// projections leave, far below what can be seen.
const TOUCH: f64 = 1e-10;

/// Limits of that gap (length).
const TOUCH_RANGE: (f64, f64) = (1e-12, 1e-9);

/// Share of the touching gap below which a free contact that has met too deep is left alone.
const SETTLED: f64 = 0.1;

/// Share of the touching gap up to which errors of position are left alone (length or radians): a block that leans by as
/// much slides off at a hundredth of a micrometre in a quarter of an hour.
const EXACT: f64 = 1e-3;

/// Rounding of positions: errors of this many units in the last place of the largest coordinate are left alone.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Rate that counts as none for a closed row (length or radians per time).
const RESTING: f64 = 1e-9;

/// Rates up to this are not taken out of the velocities (length or radians per time).
const STEADY: f64 = 1e-11;

/// Acceleration of a row without multiplier above which it opens (length or radians per time²).
const OPENING: f64 = 1e-9;

/// An acceleration this small relative to the parts it is the sum of is rounding.
const BALANCED: f64 = 64.0 * f64::EPSILON;

/// Newton rounds of a projection of positions: each squares the error.
const ROUNDS: usize = 5;

/// What located motion remembers, and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Road {
    pub(crate) held: HeldSet,
    /// Gap that counts as touching (length).
    pub(crate) touch: f64,
    /// Error of position that is left alone (length or radians).
    exact: f64,
    gathering: Gathering,
    rows: Rows,
    multipliers: Multipliers,
    impacts: Impacts,
    projector: Projector,
    pub(crate) pairs: Pairs,
    touches: Vec<Touch>,
    bias: Vec<f64>,
    pressing: Vec<bool>,
    /// Multiplier of each acting row at the last evaluation.
    answer: Vec<f64>,
    /// Acceleration of each acting row there.
    row_accelerations: Vec<f64>,
    /// Sum of the sizes of all parts of each body's acceleration.
    sizes: Vec<[f64; 3]>,
}

/// How an acting row stands at an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowState {
    pub(crate) source: Source,
    pub(crate) kind: RowKind,
    pub(crate) multiplier: f64,
    pub(crate) acceleration: f64,
}

impl RowState {
    /// What is positive as long as a closed row stays closed: its multiplier less its acceleration, with room for
    /// rounding.
    pub(crate) fn closure(&self) -> f64 {
        self.multiplier - self.acceleration + OPENING
    }

    /// What is positive as long as a motor of limited force holds its speed.
    pub(crate) fn holding(&self) -> f64 {
        OPENING - self.acceleration.abs()
    }
}

impl Road {
    /// Forgets all held rows.
    pub(crate) fn forget(&mut self) {
        self.held.clear();
    }

    /// The acting rows at the last evaluation.
    pub(crate) fn states(&self) -> impl Iterator<Item = RowState> + '_ {
        let values = self.answer.iter().zip(&self.row_accelerations);
        self.rows.acting.iter().zip(values).map(|(row, (&multiplier, &acceleration))| RowState {
            source: row.source,
            kind: row.kind,
            multiplier,
            acceleration,
        })
    }

    /// The rows that are open at the last gathering: error, rate, and whether they are motors.
    pub(crate) fn open_rows(&self) -> impl Iterator<Item = (f64, f64, bool)> + '_ {
        self.rows.open.iter().map(|r| (r.error, r.rate, matches!(r.kind, RowKind::Boxed { .. })))
    }

    /// The lengths that were measured when the integration began, for a snapshot.
    pub(crate) fn lengths(&self) -> [f64; 2] {
        [self.touch, self.exact]
    }

    /// Goes on with the lengths of a snapshot.
    pub(crate) fn set_lengths(&mut self, [touch, exact]: [f64; 2]) {
        (self.touch, self.exact) = (touch, exact);
    }

    /// The gap that counts as touching for these bodies.
    pub(crate) fn measure(&mut self, bodies: &[CollisionBody]) {
        let radii = bodies.iter().filter(|b| !b.fixed).map(|b| b.shape.outline_circle().1);
        let smallest = radii.fold(f64::INFINITY, f64::min);
        self.touch = (TOUCH * smallest).clamp(TOUCH_RANGE.0, TOUCH_RANGE.1);
        let farthest = bodies.iter().map(|b| b.pose.position().amax()).fold(1.0, f64::max);
        self.exact = (EXACT * self.touch).max(ROUNDING * farthest);
    }
}

/// Largest distance of a point of a body from its centre of mass.
pub(crate) fn reach_of(body: &CollisionBody) -> f64 {
    let (center, radius) = body.shape.outline_circle();
    (center - body.center_of_mass).norm() + radius
}

/// Whether connectors, joints and contact forces act at all.
fn has_constraints(system: &System) -> bool {
    system.settings.fidelity == Fidelity::Contacts
}

/// Gathers the rows of the present state into `system.road`.
pub(crate) fn look(system: &mut System) -> Result<(), SimError> {
    let System { bodies, connectors, joints, road, time, settings, .. } = system;
    let acts = settings.fidelity == Fidelity::Contacts;
    let (connectors, joints) = if acts { (&mut connectors[..], &joints[..]) } else { (&mut [][..], &[][..]) };
    let mut parts = Parts { bodies, connectors, joints, time: *time };
    gather(&mut parts, &road.held, &mut road.gathering, &mut road.rows)
}

/// Adds the accelerations of all constraints at the present state to `rates` (six per body, without the time's).
pub(crate) fn accelerations(system: &mut System, rates: &mut [f64]) -> Result<(), SimError> {
    let before = system.stages.enter(Stage::Assembly);
    let result = constrained(system, rates);
    system.stages.leave(before);
    result
}

fn constrained(system: &mut System, rates: &mut [f64]) -> Result<(), SimError> {
    look(system)?;
    let System { inverse_masses: masses, road, lcp, time, stages, .. } = system;
    let Road { held, rows, multipliers, bias, pressing, answer, row_accelerations, sizes, .. } = road;
    for known in &rows.known {
        add_rates(&known.row.row, known.multiplier, masses, rates);
    }
    bias.clear();
    bias.extend(rows.acting.iter().map(|r| acceleration_of(&r.row, rates) + r.bias));
    pressing.clear();
    pressing.extend(rows.acting.iter().map(|r| held.get(r.source).is_none_or(|h| h.pressing)));
    let task = Task { what: "contact forces", time: *time, rows: &rows.acting, masses, bias };
    let assembly = stages.enter(Stage::Complementarity);
    let solved = multipliers.solve(&task, lcp, pressing, answer);
    stages.leave(assembly);
    solved?;
    sizes.clear();
    sizes.extend(rates.chunks_exact(6).map(|r| [r[1].abs(), r[3].abs(), r[5].abs()]));
    for (row, &multiplier) in rows.acting.iter().zip(answer.iter()) {
        if multiplier != 0.0 {
            add_rates(&row.row, multiplier, masses, rates);
            for (index, linear, angular) in responses(&row.row, multiplier, masses) {
                let size = &mut sizes[index];
                *size = [size[0] + linear.x.abs(), size[1] + linear.y.abs(), size[2] + angular.abs()];
            }
        }
    }
    // What is left of pushes that balance is rounding: at rest it would set in motion what stands.
    for (r, size) in rates.chunks_exact_mut(6).zip(sizes.iter()) {
        for (k, size) in [1, 3, 5].into_iter().zip(size) {
            if r[k].abs() <= BALANCED * size {
                r[k] = 0.0;
            }
        }
    }
    row_accelerations.clear();
    row_accelerations.extend(rows.acting.iter().map(|r| acceleration_of(&r.row, rates) + r.bias));
    for (row, &press) in rows.acting.iter().zip(pressing.iter()) {
        if let Some(held) = held.get_mut(row.source) {
            held.pressing = press;
        }
    }
    Ok(())
}

/// Moves bodies back onto joints and held contacts, positions and velocities, where they have drifted off. Returns
/// whether anything was moved.
pub(crate) fn project(system: &mut System) -> Result<bool, SimError> {
    let before = system.stages.enter(Stage::Projection);
    let result = project_all(system);
    system.stages.leave(before);
    result
}

fn project_all(system: &mut System) -> Result<bool, SimError> {
    let mut moved = false;
    for _ in 0..ROUNDS {
        look(system)?;
        let System { bodies, inverse_masses: masses, road, .. } = system;
        let Road { held, rows, projector, exact, .. } = road;
        let takes_part = |r: &Row| r.holonomic && keeps(r, held);
        let errors = rows.acting.iter().filter(|r| takes_part(r)).map(|r| r.error.abs());
        if errors.fold(0.0, f64::max) <= *exact {
            break;
        }
        if !projector.positions(&rows.acting, takes_part, masses, bodies) {
            break;
        }
        moved = true;
    }
    Ok(steady(system)? || moved)
}

/// Takes the rates of joints and pressing contacts out of the velocities; returns whether there were any.
fn steady(system: &mut System) -> Result<bool, SimError> {
    look(system)?;
    let System { bodies, inverse_masses: masses, road, .. } = system;
    let Road { held, rows, projector, .. } = road;
    let takes_part = |r: &Row| keeps(r, held);
    let rates = rows.acting.iter().filter(|r| takes_part(r)).map(|r| r.rate.abs());
    if rates.fold(0.0, f64::max) <= STEADY {
        return Ok(false);
    }
    Ok(projector.velocities(&rows.acting, takes_part, masses, bodies))
}

/// Sets bodies that touch to within rounding, and ropes of exactly their length, off by [`PLACED_GAP`], together with
/// joints, which stay as they are. What contradicts itself is left.
pub(crate) fn part_placed(system: &mut System) -> Result<(), SimError> {
    for _ in 0..ROUNDS {
        look(system)?;
        let System { bodies, inverse_masses: masses, road, .. } = system;
        let Road { held, rows, projector, pairs, touches, .. } = road;
        let still = vec![0.0; bodies.len()];
        touches.clear();
        pairs.collect(bodies, &still, held, PLACED_GAP)?;
        pairs.touches(bodies, 0.5 * PLACED_GAP, PLACED_DEPTH, touches);
        touches.retain(|t| t.gap >= -PLACED_DEPTH);
        let taut = |r: &&Row| r.kind == RowKind::Unilateral && r.error.abs() <= 0.5 * PLACED_GAP;
        let taut = rows.open.iter().filter(taut).map(|r| Row { error: r.error - PLACED_GAP, ..*r });
        let placed = touches.iter().filter_map(|t| contact_row(t.id, None, PLACED_GAP, bodies));
        rows.acting.retain(Row::is_bilateral);
        let joints = rows.acting.len();
        rows.acting.extend(taut.chain(placed));
        if rows.acting.len() == joints {
            break;
        }
        if !projector.positions(&rows.acting, |r| r.holonomic, masses, bodies) {
            break;
        }
    }
    Ok(())
}

/// Whether a row is kept by projection: bilateral, or closed and pressing.
fn keeps(row: &Row, held: &HeldSet) -> bool {
    match row.kind {
        RowKind::Bilateral => true,
        RowKind::Unilateral => held.get(row.source).is_some_and(|h| h.pressing),
        _ => false,
    }
}

/// The bodies and the name of a row in events and reports.
pub(crate) fn contact_id(source: Source, bodies: [BodyRef; 2]) -> ContactId {
    let [primary, normal_body] = bodies;
    let features = match source {
        Source::Contact(id) => return id,
        Source::Connector(number) => Features::Connector(number),
        Source::Equation { constraint, .. } => Features::Joint(constraint),
    };
    ContactId { primary, normal_body, features }
}

/// Forces of the last evaluation, of contacts and connectors, for reports.
pub(crate) fn report_forces(system: &System, out: &mut Vec<ContactForce>) {
    out.clear();
    let road = &system.road;
    for (row, &force) in road.rows.acting.iter().zip(&road.answer) {
        if matches!(row.source, Source::Equation { .. }) {
            continue;
        }
        let target = road.held.get(row.source).map_or(0.0, |h| h.target);
        let [jx, jy, _] = row.row.jacobian[0];
        out.push(ContactForce {
            id: contact_id(row.source, row.row.bodies),
            point: row.point,
            normal: Vec2::new(jx, jy),
            force,
            gap: row.error + target,
            tolerance: road.touch,
            bilateral: row.is_bilateral(),
        });
    }
}

/// The wrench of a joint on one of its bodies at the last evaluation, about a point (world).
pub(crate) fn reaction(system: &System, joint: u32, body: BodyRef, about: Vec2) -> Reaction {
    let mut total = Reaction { point: about, force: Vec2::zeros(), torque: 0.0 };
    let road = &system.road;
    let acting = road.rows.acting.iter().zip(road.answer.iter().copied());
    let known = road.rows.known.iter().map(|k| (&k.row, k.multiplier));
    for (row, multiplier) in acting.chain(known) {
        if !matches!(row.source, Source::Equation { constraint, .. } if constraint == joint) {
            continue;
        }
        for (&end, j) in row.row.bodies.iter().zip(&row.row.jacobian) {
            if end != body {
                continue;
            }
            let force = Vec2::new(j[0], j[1]) * multiplier;
            let center = body.index().map_or(Vec2::zeros(), |i| system.bodies[i].pose.position());
            total.force += force;
            total.torque += j[2] * multiplier - cross(about - center, force);
        }
    }
    total
}
