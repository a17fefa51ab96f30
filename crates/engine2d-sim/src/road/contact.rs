//! The row of a contact as detection describes it, and the part of its acceleration that the turning of its normal makes.

use engine2d_constraint::ConstraintRow;
use engine2d_geometry::{BodyRef, CollisionBody, Contact};
use engine2d_math::{Vec2, perp};

/// The row of a contact force: with the centres of curvature `U`, whose motion governs the gap.
pub(crate) fn force_row(c: &Contact) -> ConstraintRow {
    ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.u1, c.u2)
}

/// Acceleration of the gap by the turning of the normal.
///
/// A straight normal edge turns at `ṅ = ω_2 × n` and enters twice, `d̈ ∋ 2 ṅ·ΔV`, less `ρ_1 ω_2²` for a
/// curved primary edge; a curved one turns at `ṅ = ΔV/ρ` and enters once.
pub(crate) fn velocity_terms(c: &Contact, bodies: &[CollisionBody]) -> f64 {
    if c.normal_fixed {
        return 0.0;
    }
    let velocity = |body: BodyRef, u: Vec2| body.index().map_or(Vec2::zeros(), |i| bodies[i].velocity_at(u));
    let relative = velocity(c.id.primary, c.u1) - velocity(c.id.normal_body, c.u2);
    if let Some(rate) = c.normal_rate {
        return rate.dot(&relative);
    }
    if !c.normal_curved {
        let spin =
            c.id.normal_body
                .index()
                .map_or(0.0, |i| if bodies[i].fixed { 0.0 } else { bodies[i].angular_velocity });
        let turning = 2.0 * spin * perp(c.normal).dot(&relative);
        return match c.primary_radius.filter(|_| c.primary_curved) {
            Some(radius) => turning - radius * spin * spin,
            None => turning,
        };
    }
    let radius = match c.primary_radius.filter(|_| c.primary_curved) {
        Some(radius) => radius + c.normal_radius,
        None => c.normal_radius,
    };
    relative.norm_squared() / radius
}
