//! Impacts without collision: sliding contacts whose forces have no answer \[Painlevé 1895; Génot, Brogliato 1999\].
//!
//! Where a contact slides so that its own friction presses it harder than it holds, rigid bodies have no finite forces. The
//! impulses of a step of vanishing length always exist, though: those of a plastic impact with friction under the slightest
//! approach. They end the sliding, and never give energy.

use super::close::close;
use super::held::HeldSet;
use super::impact::ImpactRules;
use super::look::{Road, look};
use super::row::{Row, Source};
use super::slides::sliding;
use super::touching::{add_friction, touching_rows};
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::impact_law::ImpactLaw;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::state::State;
use crate::work::Work;
use engine2d_constraint::{RowKind, coupling};

/// Approach (length/time) that stands for that of a vanishing step.
const APPROACH: f64 = 1e-10;

/// Change of a row's rate (length/time) that makes an impulse an impact.
const NOTABLE: f64 = 1e-7;

/// Ends sliding that jams by an impact; returns whether there was any. Then the rows that are closed are found anew; before
/// this instant they were those of `held`.
pub(crate) fn unjam(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    report: &mut StepReport,
    held: HeldSet,
) -> Result<bool, SimError> {
    if state.held.sliding().next().is_none() {
        return Ok(false);
    }
    look(model, state, road)?;
    let slid = sliding(model, state);
    let before = energy(model, state).kinetic();
    let touching = touching_rows(model, state, road, false)?;
    let mut rows: Vec<Row> = touching.iter().map(|t| t.row).collect();
    add_friction(model, &state.bodies, &mut rows);
    let pressing = |r: &Row| r.kind == RowKind::Unilateral && r.rate.abs() < NOTABLE;
    rows.iter_mut().filter(|r| pressing(r)).for_each(|row| row.rate = -APPROACH);
    let (restitution, mut impulses) = (vec![0.0; rows.len()], Vec::new());
    let law = ImpactLaw::Poisson;
    let rules = ImpactRules { simultaneous: true, rest_speed: 0.0, law, time: state.time };
    let Road { impacts, multipliers, .. } = &mut *road;
    let lcp = &mut work.lcp;
    booked(model, state, false, |state| {
        let bodies = (&mut state.bodies[..], &model.masses[..]);
        impacts.resolve((&rows, &restitution), bodies, rules, multipliers, lcp, &mut impulses)
    })?;
    let lost = before - energy(model, state).kinetic();
    let mut jammed = false;
    for (row, &impulse) in rows.iter().zip(&impulses) {
        let Source::Contact(contact) = row.source else { continue };
        let own = coupling(&row.row, &row.row, &model.masses);
        if own * impulse > NOTABLE {
            let per_force = slid.iter().find(|s| s.contact == contact).map_or(own, |s| s.per_force);
            let (time, point) = (state.time, row.point);
            report.events.push(Event::Jam { time, contact, point, impulse, per_force, energy: lost });
            jammed = true;
        }
    }
    if jammed {
        report.counters.impulses += 1;
        look(model, state, road)?;
        let touching = touching_rows(model, state, road, false)?;
        let none = vec![0.0; touching.len()];
        state.held = held;
        close(model, state, road, work, (&touching, &none, NOTABLE), false, report)?;
    }
    Ok(jammed)
}
