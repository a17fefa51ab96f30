//! Impacts that bounce: at the beginning of the step in which bodies would meet, by Poisson's law.
//!
//! Compression takes the approach out of all rows that touch, expansion gives back the share `e` of each bouncing row's impulse,
//! each with Coulomb's law on the tangential velocity at its end \[Glocker, Pfeiffer 1995\]. Bodies bounce by up to the way of one
//! step too early, and are never in each other.

use super::ahead::Flight;
use super::line::{Line, Pushes, add_changes, rate_along, restitution_if_fast};
use super::memory::Memory;
use super::near::Near;
use super::reach::Reach;
use super::solve::Answer;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{
    Road, Row, Rows, Source, friction_row, look, reach_of, resistance_of, restitution_of, rolling_row,
};
use crate::spans;
use crate::state::State;
use engine2d_constraint::{InverseMass, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_lcp::Set;
use std::cell::OnceCell;

/// Most rounds of impacts of a step: what is struck strikes what is behind it.
const ROUNDS: usize = 100;

/// What a contact gives back at last of the first approach, when it has bounced again and again within a step: then it bounces no more,
/// and stays a row of all that follow. Else two neighbours would strike the body between them by turns for ever.
const SPENT: f64 = 0.01;

/// Halvings of restitution where giving it back in full would make energy.
const HALVINGS: i32 = 4;

/// Rounding of energies, relative to what was exchanged.
const ROUNDING: f64 = 1e-13;

/// An impact of a bouncing row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounce {
    pub(super) row: Row,
    pub(super) impulse: f64,
}

/// Resolves what meets and bounces in a step, round after round until nothing does. Arguments as of [`round`].
pub(super) fn bounce(
    (model, state): (&Model, &mut State),
    (memory, near, road): (&Memory, &[Near], &mut Road),
    (pushes, h): (Pushes<'_>, f64),
    (reach, answer): (&mut Reach, &mut Answer),
    bounces: &mut Vec<Bounce>,
) -> Result<(), SimError> {
    let span = spans::impact(state.time, near.len());
    let _inside = span.enter();
    let flight = Flight { pushes, h };
    let mut struck = Vec::new();
    for _ in 0..ROUNDS {
        if model.has_constraints() {
            look(model, state, road)?;
        }
        let gaps = flight.open_gaps(model, state, road);
        let known = bounces.len();
        let parts = (memory, near, &road.rows);
        let ahead = (flight, &gaps[..]);
        round((model, &mut *state), parts, ahead, (&mut *reach, &mut *answer), &mut struck, bounces)?;
        if bounces.len() == known {
            break;
        }
    }
    span.record("impulses", bounces.len() as u64);
    span.record("status", "done");
    Ok(())
}

/// Resolves what meets and bounces at the present velocities in a step. Joints and what can close are in `rows`, and gaps of the latter
/// at the end of the step beside the flight; how often each of these and of the places that are near was struck is in `struck`.
fn round(
    (model, state): (&Model, &mut State),
    (memory, near, rows): (&Memory, &[Near], &Rows),
    ahead: (Flight<'_>, &[(Source, f64)]),
    (reach, answer): (&mut Reach, &mut Answer),
    struck: &mut Vec<i32>,
    bounces: &mut Vec<Bounce>,
) -> Result<(), SimError> {
    let opens = rows.open.iter().any(|row| restitution_of(model, row) > 0.0);
    if !opens && !near.iter().any(|near| may_bounce(model, near, &state.bodies)) {
        return Ok(());
    }
    struck.resize(rows.open.len() + near.len(), 0);
    let found = impact((model, &*state), (memory, near, rows), ahead, struck);
    let Some(Impact { lines, places }) = found else { return Ok(()) };
    let masses = &model.masses[..];
    // What is struck presses on what it leans on.
    let pressing = |k: usize| {
        let Line { row, bias, restitution, .. } = &lines[k];
        let acts = row.kind != RowKind::Unilateral || *restitution > 0.0 || *bias < 0.0;
        let known = memory.get(row.source).map(|known| known.set).filter(|set| *set != Set::Untreated);
        (known.unwrap_or(if acts { Set::Clamped } else { Set::Lower }), 0.0)
    };
    // What pressed in the steps before tells little of what a strike makes press.
    reach.solve(&lines, pressing, masses, (state.time, true), answer)?;
    let sets = answer.sets.clone();
    let compression = answer.impulses.clone();
    for halving in 0..=HALVINGS {
        let share = if halving == HALVINGS { 0.0 } else { 0.5_f64.powi(halving) };
        let given = |k: usize| share * lines[k].restitution * compression[k].max(0.0);
        let bounces_back = (0..lines.len()).any(|k| given(k) > 0.0);
        let second = if bounces_back { expansion(&lines, &compression, &given, masses) } else { Vec::new() };
        let freed = |k: usize| match sets.get(k) {
            Some(&set) if lines[k].restitution == 0.0 => (set, 0.0),
            Some(_) => (Set::Lower, 0.0),
            None => (Set::Clamped, 0.0),
        };
        reach.solve(&second, freed, masses, (state.time, false), answer)?;
        let first: Vec<f64> = compression.iter().enumerate().map(|(k, p)| p + given(k)).collect();
        let mut made = vec![[0.0; 3]; masses.len()];
        add_changes(&lines, &first, masses, &mut made);
        add_changes(&second, &answer.impulses, masses, &mut made);
        let parts = [(&lines[..], &first[..]), (&second[..], &answer.impulses[..])];
        if halving < HALVINGS && gained(parts, &made) > 0.0 {
            continue;
        }
        for (body, made) in state.bodies.iter_mut().zip(&made).filter(|(body, _)| !body.fixed) {
            body.velocity.x += made[0];
            body.velocity.y += made[1];
            body.angular_velocity += made[2];
        }
        for &(k, place) in places.iter().filter(|(k, _)| lines[*k].restitution > 0.0) {
            let impulse = first[k] + answer.impulses.get(k).copied().unwrap_or(0.0);
            if impulse > 0.0 {
                struck[place] += 1;
                bounces.push(Bounce { row: lines[k].row, impulse });
            }
        }
        break;
    }
    Ok(())
}

/// The rows of an impact.
#[derive(Default)]
struct Impact {
    lines: Vec<Line>,
    /// The place of each that may bounce, with its place in the list of how often each was struck.
    places: Vec<(usize, usize)>,
}

/// The rows of an impact, if any of them bounces: what does, and what it may press on.
fn impact(
    (model, state): (&Model, &State),
    (memory, near, rows): (&Memory, &[Near], &Rows),
    (flight, gaps): (Flight<'_>, &[(Source, f64)]),
    struck: &[i32],
) -> Option<Impact> {
    let Impact { mut lines, mut places } = Impact::default();
    let plain =
        |row: &Row, restitution: f64| Line { row: *row, bias: row.rate, compliance: 0.0, restitution };
    let mut any = false;
    let mut unilateral = |row: &Row, place: usize, gap: &dyn Fn() -> Option<f64>, lines: &mut Vec<Line>| {
        let spent = struck[place] > 0 && restitution_of(model, row).powi(struck[place]) < SPENT;
        let fast = restitution_if_fast(model, row, flight.pushes).filter(|_| !spent);
        let restitution = fast.filter(|_| flight.closes(row, gap));
        any |= restitution.is_some();
        let takes_part = restitution.is_some() || spent || memory.is_closed(row.source);
        if takes_part {
            places.push((lines.len(), place));
            lines.push(plain(row, restitution.unwrap_or(0.0)));
        }
        takes_part
    };
    for (row, place) in rows.open.iter().zip(0..) {
        let gap = || gaps.iter().find(|(source, _)| *source == row.source).map(|(_, gap)| *gap);
        unilateral(row, place, &gap, &mut lines);
    }
    let flown = OnceCell::new();
    for (near, number) in near.iter().zip(rows.open.len()..) {
        let row = near.row(&state.bodies);
        let place = lines.len();
        let gap = || Some(near.row(flown.get_or_init(|| flight.flown(&state.bodies))).error);
        if !unilateral(&row, number, &gap, &mut lines) {
            continue;
        }
        let friction = model.friction_between(row.row.bodies);
        if friction.is_some() {
            let kind = RowKind::Friction { normal: place, mu: friction.kinetic };
            let surface = model.surface_speed(row.row.bodies);
            lines.push(plain(&friction_row(&row, kind, surface, &state.bodies), 0.0));
        }
        if let Some(mu) = resistance_of(model, near.id) {
            let kind = RowKind::Friction { normal: place, mu };
            lines.push(plain(&rolling_row(&row, kind, &state.bodies), 0.0));
        }
    }
    // Friction names its contact by place: joints come last.
    lines.extend(rows.acting.iter().filter(|row| row.is_bilateral()).map(|row| plain(row, 0.0)));
    any.then_some(Impact { lines, places })
}

/// Whether bodies are fast enough for a bounce at a place where they are near, whatever its normal.
fn may_bounce(model: &Model, near: &Near, bodies: &[CollisionBody]) -> bool {
    let pair = [near.id.primary, near.id.normal_body];
    let fastest = |body: BodyRef| {
        body.index().map_or(0.0, |k| {
            let body = &bodies[k];
            body.velocity.norm() + body.angular_velocity.abs() * reach_of(body)
        })
    };
    let approach = pair.into_iter().map(fastest).sum::<f64>() * (1.0 + ROUNDING);
    approach > model.settings.rest_speed && model.restitution_between(pair) > 0.0
}

/// The rows of the expansion: what is `given` back is in their rates already.
fn expansion(
    lines: &[Line],
    compression: &[f64],
    given: &dyn Fn(usize) -> f64,
    masses: &[InverseMass],
) -> Vec<Line> {
    let mut changes = vec![[0.0; 3]; masses.len()];
    add_changes(lines, compression, masses, &mut changes);
    for (k, line) in lines.iter().enumerate().filter(|(_, line)| line.restitution > 0.0) {
        add_changes(std::slice::from_ref(line), &[given(k)], masses, &mut changes);
    }
    let moved = |line: &Line| line.bias + rate_along(&line.row, &changes);
    let mut out: Vec<Line> = lines.iter().map(|line| Line { bias: moved(line), ..*line }).collect();
    // The bound of friction is the sum of two: of what is given, and of what more the contact needs.
    for line in lines {
        if let RowKind::Friction { normal, mu } = line.row.kind {
            let most = mu * if lines[normal].restitution > 0.0 { given(normal) } else { 0.0 };
            if most > 0.0 {
                let row = Row { kind: RowKind::Boxed { lo: -most, hi: most }, ..line.row };
                out.push(Line { row, bias: moved(line), ..*line });
            }
        }
    }
    out
}

/// Energy that impulses of rows make beyond the work of what is led and of surfaces that run: `Σ p ½ (u + u⁺)` with the rates of the rows,
/// which are those against the led. `made` is what all of them change of the velocities.
fn gained(parts: [(&[Line], &[f64]); 2], made: &[[f64; 3]]) -> f64 {
    let (mut work, mut size) = (0.0, 0.0);
    for (line, p) in parts.into_iter().flat_map(|(lines, impulses)| lines.iter().zip(impulses)) {
        let (rate, change) = (line.row.rate, rate_along(&line.row, made));
        work += p * (rate + 0.5 * change);
        // What is thrown back in full has a mean rate of rounding, so that the sum says nothing of its own rounding.
        size += p.abs() * (rate.abs() + 0.5 * change.abs());
    }
    work - ROUNDING * size
}
