//! Contacts that slide, and how hard their own friction presses them.

use super::feature::{contact_row, friction_row};
use super::held::{Grip, Held};
use super::row::Row;
use crate::model::Model;
use crate::state::State;
use engine2d_constraint::{RowKind, coupling};
use engine2d_geometry::ContactId;
use engine2d_math::Vec2;

/// A contact that slides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    pub(super) contact: ContactId,
    pub(super) point: Vec2,
    /// Normal acceleration per normal force, `C − μ σ B` (1/mass): negative where its friction presses it harder than it holds.
    pub(super) per_force: f64,
}

/// The closed contacts that slide.
pub(super) fn sliding(model: &Model, state: &State) -> Vec<Sliding> {
    let of = |(contact, held, grip): (ContactId, &Held, Grip)| {
        let row = contact_row(contact, held.normal, held.target, &state.bodies)?;
        let friction = friction_row(&row, RowKind::Bilateral, grip.surface, &state.bodies);
        let own = |other: &Row| coupling(&row.row, &other.row, &model.masses);
        let per_force = own(&row) - grip.friction.kinetic * grip.slides * own(&friction);
        Some(Sliding { contact, point: row.point, per_force })
    };
    state.held.sliding().filter_map(of).collect()
}
