//! Positions and velocities back on what persists: `min ½ Δqᵀ M Δq` so that no gap is negative and no joint open.

use super::memory::Memory;
use super::near::Near;
use super::shared::Shared;
use super::solve::{Answer, Impulses};
use crate::error::SimError;
use crate::model::Model;
use crate::road::{
    Asked, Road, Row, Source, exactness, friction_row, look, push, reach_of, responses, rolling_row,
};
use crate::state::State;
use engine2d_constraint::{InverseMass, RowKind, coupling};
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// Newton rounds: each squares the error.
pub(super) const ROUNDS: usize = 12;

/// How often is looked for what bodies meet that were put apart.
const PASSES: usize = 10;

/// Share of the touching gap up to which errors are left alone: far below what is promised, far above what curves leave.
pub(super) const EXACT: f64 = 0.1;

/// Gap, in the largest error, beyond which bodies are too far apart to meet when that is mended.
const FAR: f64 = 4.0;

/// Rounds in the metric of the masses. What has not settled then is a chain with light links that straightens and kinks: moving
/// these seems cheaper than moving what hangs on them. In a metric of all bodies alike it settles.
const BY_MASS: usize = 3;

/// Share of them that may be left: the next step takes it. Where contacts that persist contradict each other by rounding nothing
/// more exact is found.
const CALM: f64 = 1e-7;

/// Scaled violation of the conditions of a projection: far below what is left alone.
const PLACED: f64 = 1e-11;

/// Way of a body in one round, in its size (and angle), beyond which rows at the place before tell nothing: between surfaces
/// that are nearly parallel they may demand any way.
const FARTHEST: f64 = 0.1;

/// Compliance of contacts that are pulled together, in what their rows resist: where they contradict each other by rounding or
/// by squares of their gaps they come to terms, and others stay closed to far below the touching gap.
const SOFT: f64 = 1e-6;

/// Rates up to this are not taken out of the velocities (length or radians per time).
const STEADY: f64 = 1e-11;

/// The rows of positions at the present state: joints, what must not become negative, and contacts.
fn gather(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    near: &[Near],
    rows: &mut Vec<Row>,
) -> Result<(), SimError> {
    look(model, state, road)?;
    rows.clear();
    rows.extend(road.rows.acting.iter().filter(|row| row.holonomic));
    rows.extend(road.rows.open.iter().filter(|row| row.holonomic));
    let bodies = &state.bodies;
    rows.extend(near.iter().map(|near| near.row(bodies)));
    Ok(())
}

/// What putting bodies in place came to.
#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    /// Largest single way that a point was moved (length).
    way: f64,
    /// How far the joints were open in the last round (length or angle).
    open: f64,
}

/// As [`project`], and again where bodies that were moved meet others; returns how far joints stay open.
pub(super) fn place(
    (model, state): (&Model, &mut State),
    shared: &mut Shared,
    presses: &dyn Fn(&Row) -> bool,
    (impulses, answer): (&mut Impulses, &mut Answer),
    rows: &mut Vec<Row>,
) -> Result<f64, SimError> {
    let mut placed = Placed::default();
    if !model.has_constraints() {
        return Ok(placed.open);
    }
    for pass in 0..PASSES {
        let near = if model.collides() { &shared.memory.near[..] } else { &[] };
        // Once: places of one body that contradict each other by squares of the way would be pulled and parted for ever.
        let pulls = |row: &Row| pass == 0 && presses(row);
        let parts = (&mut shared.road, near);
        placed = project((model, &mut *state), parts, &pulls, (&mut *impulses, &mut *answer), rows)?;
        // Where bodies were moved other features may face each other.
        if placed.way <= state.touch || !model.collides() {
            break;
        }
        shared.detect(state)?;
    }
    Ok(placed.open)
}

/// Moves bodies apart that overlap and joints together that are open; what `presses` keeps its contact.
fn project(
    (model, state): (&Model, &mut State),
    (road, near): (&mut Road, &[Near]),
    presses: &dyn Fn(&Row) -> bool,
    (impulses, answer): (&mut Impulses, &mut Answer),
    rows: &mut Vec<Row>,
) -> Result<Placed, SimError> {
    let mut placed = Placed::default();
    let mut masses = std::borrow::Cow::Borrowed(&model.masses[..]);
    for round in 0..ROUNDS {
        if round == BY_MASS {
            masses = std::borrow::Cow::Owned(alike(&model.masses, state));
        }
        gather(model, state, road, near, rows)?;
        let exact = exactness(state).max(EXACT * state.touch);
        let touch = state.touch;
        let pulls = |row: &Row| round == 0 && row.error > touch && presses(row);
        let off = |row: &Row| match row.kind {
            RowKind::Unilateral => row.error < -exact || pulls(row),
            _ => row.error.abs() > exact,
        };
        let worst =
            rows.iter().filter(|row| off(row)).fold(0.0, |worst: f64, row| worst.max(row.error.abs()));
        let joints = rows.iter().filter(|row| row.is_bilateral());
        placed.open = joints.fold(0.0, |open: f64, row| open.max(row.error.abs()));
        if worst == 0.0 {
            break;
        }
        // What is far apart does not meet by this; if it does, the next round has it.
        rows.retain(|row| row.kind != RowKind::Unilateral || row.error <= FAR * worst);
        // What presses and is closed stays so when others are pulled: else they would take turns for ever.
        let any = rows.iter().any(pulls);
        let mut both = rows.iter().map(|row| {
            let stays = any && row.kind == RowKind::Unilateral && row.error >= -exact && presses(row);
            if !stays && !pulls(row) {
                return Asked::new(row, row.error);
            }
            let compliance = if any { SOFT * coupling(&row.row, &row.row, &masses) } else { 0.0 };
            Asked { kind: RowKind::Bilateral, compliance, ..Asked::new(row, row.error) }
        });
        impulses.project(&mut both, &masses, (state.time, PLACED), answer)?;
        if !answer.solved {
            let mut only_apart = rows.iter().map(|row| Asked::new(row, row.error));
            impulses.project(&mut only_apart, &masses, (state.time, PLACED), answer)?;
        }
        placed.way = placed.way.max(displace(state, rows, (&answer.impulses, &masses)));
    }
    Ok(placed)
}

/// Moves the bodies by the multipliers of rows, all less where one would go farther than its rows can tell. Returns the largest
/// single way that a point was moved (length).
fn displace(state: &mut State, rows: &[Row], (multipliers, masses): (&[f64], &[InverseMass])) -> f64 {
    let moves = || {
        let pushing = rows.iter().zip(multipliers).filter(|(_, multiplier)| **multiplier != 0.0);
        pushing.flat_map(|(row, &multiplier)| responses(&row.row, multiplier, masses))
    };
    let mut ways = vec![(Vec2::zeros(), 0.0); state.bodies.len()];
    for (index, shift, turn) in moves() {
        ways[index] = (ways[index].0 + shift, ways[index].1 + turn);
    }
    let share = state.bodies.iter().zip(&ways).fold(1.0, |share: f64, (body, (shift, turn))| {
        let way = (shift.norm() / reach_of(body)).max(turn.abs());
        if way > FARTHEST { share.min(FARTHEST / way) } else { share }
    });
    let mut farthest = 0.0_f64;
    for (index, shift, turn) in moves() {
        let body = &mut state.bodies[index];
        let (shift, turn) = (shift * share, turn * share);
        body.translate(shift);
        body.pose.set_angle(body.pose.angle() + turn);
        farthest = farthest.max(shift.norm()).max(turn.abs() * reach_of(body));
    }
    farthest
}

/// Inverse inertias of discs of unit mass, of the sizes of the bodies.
fn alike(masses: &[InverseMass], state: &State) -> Vec<InverseMass> {
    let unit = |(m, body): (&InverseMass, &CollisionBody)| {
        let radius = reach_of(body);
        if m.is_movable() { InverseMass { linear: 1.0, angular: 2.0 / (radius * radius) } } else { *m }
    };
    masses.iter().zip(&state.bodies).map(unit).collect()
}

/// The rows of what is closed at the present state: joints, what opens, contacts with what sticks and does not roll. What was placed deep
/// counts as that deep no longer once it has come out.
pub(super) fn gather_closed(
    (model, state): (&Model, &mut State),
    (road, memory): (&mut Road, &mut Memory),
    rows: &mut Vec<Row>,
) -> Result<(), SimError> {
    look(model, state, road)?;
    rows.clear();
    let held = |row: &&Row| memory.is_closed(row.source);
    let joints = road.rows.acting.iter().filter(|row| row.holonomic && row.is_bilateral());
    rows.extend(joints.chain(road.rows.open.iter().filter(held)));
    let Memory { rows: known, near, .. } = memory;
    for near in near {
        if near.depth > 0.0 {
            let gap = near.row(&state.bodies).error - near.depth;
            near.depth = near.depth.min(-gap).max(0.0);
        }
        if !known.is_closed(Source::Contact(near.id)) {
            continue;
        }
        let row = near.row(&state.bodies);
        rows.push(row);
        if known.is_closed(Source::Friction(near.id)) {
            let surface = model.surface_speed(row.row.bodies);
            rows.push(friction_row(&row, RowKind::Bilateral, surface, &state.bodies));
        }
        if known.is_closed(Source::Rolling(near.id)) {
            rows.push(rolling_row(&row, RowKind::Bilateral, &state.bodies));
        }
    }
    Ok(())
}

/// Takes the rates of rows that persist out of the velocities.
pub(super) fn steady(
    (model, state): (&Model, &mut State),
    rows: &[Row],
    (impulses, answer): (&mut Impulses, &mut Answer),
) -> Result<(), SimError> {
    answer.impulses.clear();
    if rows.iter().all(|row| row.rate.abs() <= STEADY) {
        return Ok(());
    }
    let mut rates = rows.iter().map(|row| Asked::new(row, row.rate));
    impulses.project(&mut rates, &model.masses, (state.time, CALM), answer)?;
    if !answer.solved {
        answer.impulses.clear();
    }
    for (row, &multiplier) in rows.iter().zip(&answer.impulses) {
        push(&row.row, multiplier, &model.masses, &mut state.bodies);
    }
    Ok(())
}
