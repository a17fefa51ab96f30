//! Judging bodies and materials.

use super::numbers::{At, Judge, Range};
use super::shape::check_shape;
use super::special::check_special;
use crate::body::{Body, BodyRef, EdgeRange, Friction};
use crate::material::Material;
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::piece::Piece;
use crate::scene::Scene;
use crate::shelf::Shelf;
use crate::suggestion;
use engine2d_geometry::PathShape;
use engine2d_sim::ClockKind;
use std::sync::Arc;

/// Judges a body; its shape if it can be built.
pub(super) fn check_body<'a>(
    path: &str,
    body: &'a Body,
    scene: &Scene,
    names: &Names,
    shelf: &mut Shelf<'a>,
    judge: &mut Judge<'_>,
) -> Option<Arc<PathShape>> {
    let at = |field| At(path, field);
    if body.name.as_deref() == Some(BodyRef::GROUND) {
        let allowed = "this name is the immovable background's".to_owned();
        judge.not_allowed(at("name"), format!("{:?}", BodyRef::GROUND), allowed);
    }
    check_mass(path, body, judge);
    check_special(path, body, scene, judge);
    for (name, point) in [("position", body.position), ("velocity", body.velocity)] {
        judge.point(at(name), point);
    }
    judge.number(at("angle"), body.angle, Range::Any);
    judge.number(at("angular_velocity"), body.angular_velocity, Range::Any);
    let led = body.moving.is_some();
    if led && body.fixed {
        let allowed = "the prescribed motion says how the body moves: leave this out".to_owned();
        judge.not_allowed(at("fixed"), "this beside \"moving\"".to_owned(), allowed);
    }
    if (body.fixed || led) && (body.velocity != [0.0; 2] || body.angular_velocity != 0.0) {
        let allowed = if led {
            "the prescribed motion says how the body moves: leave this out"
        } else {
            "a fixed body does not move"
        };
        let allowed = allowed.to_owned();
        let (name, value) = if body.angular_velocity != 0.0 {
            ("angular_velocity", format!("{:?}", body.angular_velocity))
        } else {
            ("velocity", format!("{:?}", body.velocity))
        };
        judge.not_allowed(at(name), value, allowed);
    }
    if let Some(center) = body.center_of_mass {
        judge.point(at("center_of_mass"), center);
    }
    for (k, &point) in body.drag_points.iter().enumerate() {
        judge.point(format_args!("{path}.drag_points[{k}]"), point);
    }
    for (k, piece) in body.pieces.iter().enumerate() {
        check_piece(&format!("{path}.pieces[{k}]"), piece, judge);
    }
    judge.number_if(at("zero_energy_level"), body.zero_energy_level, Range::Any);
    judge.number(at("surface_speed"), body.surface_speed, Range::Any);
    judge.number_if(at("min_height"), body.min_height, Range::AtLeastZero);
    judge.number_if(at("distance_tolerance"), body.distance_tolerance, Range::Positive);
    judge.number_if(at("velocity_tolerance"), body.velocity_tolerance, Range::Positive);
    judge.number_if(at("collision_accuracy"), body.collision_accuracy, Range::Fraction);
    let own = Material {
        elasticity: body.elasticity,
        friction: body.friction,
        rolling_resistance: body.rolling_resistance,
        tangential_restitution: body.tangential_restitution,
        ..Material::default()
    };
    check_material(path, &own, scene, judge);
    if let Some(name) = body.material.as_ref().filter(|&name| !scene.materials.contains_key(name)) {
        let known = scene.materials.keys();
        judge.note(
            at("material"),
            MistakeKind::UnknownName {
                what: "material",
                name: name.clone(),
                suggestion: suggestion::nearest(name, known.clone().map(String::as_str)),
                known: known.cloned().collect(),
            },
        );
    }
    for (k, other) in body.no_collide.iter().enumerate() {
        check_reference(&format!("{path}.no_collide[{k}]"), other, names, judge);
    }
    check_shape(&at("shape").to_string(), &body.shape, shelf, judge)
}

fn check_piece(path: &str, piece: &Piece, judge: &mut Judge<'_>) {
    match piece {
        Piece::Disc { center, radius } => {
            judge.point(format_args!("{path}.center"), *center);
            judge.number(format_args!("{path}.radius"), *radius, Range::Positive);
        }
        Piece::Polygon { points } => {
            for (k, &point) in points.iter().enumerate() {
                judge.point(format_args!("{path}.points[{k}]"), point);
            }
        }
    }
    if judge.is_clean(path)
        && let Err(error) = piece.build()
    {
        judge.note(path, MistakeKind::Shape { reason: error.to_string() });
    }
}

fn check_mass(path: &str, body: &Body, judge: &mut Judge<'_>) {
    const ADVICE: &str = " (use \"fixed\": true for an immovable body)";
    let at = format!("{path}.mass");
    match body.mass {
        Some(mass) if !body.fixed => judge.number_with(&at, mass, Range::Positive, ADVICE),
        Some(mass) => {
            let allowed = "a body with \"fixed\": true has no mass of its own".to_owned();
            judge.not_allowed(&at, format!("{mass:?}"), allowed);
        }
        None if !body.fixed => {
            let allowed = "the mass of a body with \"fixed\": false is a number".to_owned();
            judge.not_allowed(&at, "null".to_owned(), allowed);
        }
        None => {}
    }
    judge.number_if(format_args!("{path}.moment"), body.moment, Range::Positive);
}

/// Judges surface properties.
pub(super) fn check_material(path: &str, material: &Material, scene: &Scene, judge: &mut Judge<'_>) {
    judge.number_if(format_args!("{path}.young"), material.young, Range::Positive);
    judge.number_if(format_args!("{path}.rolling"), material.rolling, Range::AtLeastZero);
    judge.number_if(format_args!("{path}.elasticity"), material.elasticity, Range::Unit);
    let at = format!("{path}.rolling_resistance");
    judge.number_if(&at, material.rolling_resistance, Range::AtLeastZero);
    if material.rolling_resistance.is_some_and(|length| length > 0.0) {
        if !scene.has_rigid_surfaces() {
            let allowed = "compliant contact has a rolling resistance of its own: give its material \"rolling\", or the body \"rigid\": true";
            judge.not_allowed(&at, "this".to_owned(), allowed.to_owned());
        } else if scene.sim_settings().clock() == ClockKind::Backtracking {
            judge.note(&at, MistakeKind::NeedsLocatedClock);
        }
    }
    let at = format!("{path}.tangential_restitution");
    judge.number_if(&at, material.tangential_restitution, Range::Unit);
    let located = scene.sim_settings().clock() == ClockKind::Located;
    if material.tangential_restitution.is_some_and(|share| share > 0.0)
        && !(scene.has_rigid_surfaces() && located)
    {
        let allowed =
            "it needs rigid surfaces and the located clock: choose these, or leave this out".to_owned();
        judge.not_allowed(&at, "this".to_owned(), allowed);
    }
    if let Some(friction) = material.friction {
        let at = format!("{path}.friction");
        let [at_rest, kinetic] = friction.coefficients();
        match friction {
            Friction::Same(both) => judge.number(&at, both, Range::AtLeastZero),
            Friction::Both { .. } => {
                judge.number(format_args!("{at}.static"), at_rest, Range::AtLeastZero);
                judge.number(format_args!("{at}.kinetic"), kinetic, Range::AtLeastZero);
                if at_rest < kinetic {
                    let allowed = format!("it must not be below the kinetic one, {kinetic:?}");
                    judge.not_allowed(format_args!("{at}.static"), format!("{at_rest:?}"), allowed);
                }
            }
        }
        if at_rest > 0.0 && scene.sim_settings().clock() == ClockKind::Backtracking {
            judge.note(&at, MistakeKind::NeedsLocatedClock);
        }
    }
}

/// Judges a reference to a body; the body meant, `None` for the ground and for a mistake.
pub(super) fn check_reference(
    path: &str,
    reference: &BodyRef,
    names: &Names,
    judge: &mut Judge<'_>,
) -> Option<usize> {
    names.resolve(reference).unwrap_or_else(|kind| {
        judge.note(path, kind);
        None
    })
}

/// Judges a reference to a body that must not be the ground.
pub(super) fn check_body_reference(path: &str, reference: &BodyRef, names: &Names, judge: &mut Judge<'_>) {
    if reference.is_ground() {
        if judge.is_clean(path) {
            let allowed = "a body is needed here, not the ground".to_owned();
            judge.not_allowed(path, format!("{:?}", BodyRef::GROUND), allowed);
        }
    } else {
        check_reference(path, reference, names, judge);
    }
}

/// Judges a range of another body's edges.
pub(super) fn check_edges(
    path: &str,
    range: &EdgeRange,
    names: &Names,
    shapes: &[Option<Arc<PathShape>>],
    judge: &mut Judge<'_>,
) {
    let at = format!("{path}.body");
    check_body_reference(&at, &range.body, names, judge);
    let Ok(Some(index)) = names.resolve(&range.body) else { return };
    let Some(shape) = &shapes[index] else { return };
    let count = shape.edges().len();
    if range.last as usize >= count {
        let allowed = format!("the body has {count} edges, numbered from 0 to {}", count - 1);
        judge.not_allowed(format_args!("{path}.last"), range.last.to_string(), allowed);
    }
    if range.first > range.last {
        let allowed = format!("it must not exceed last, {}", range.last);
        judge.not_allowed(format_args!("{path}.first"), range.first.to_string(), allowed);
    }
}

/// Judges two bodies that are joined: they are different ones.
pub(super) fn check_pair(
    path: &str,
    what: &str,
    bodies: [&BodyRef; 2],
    names: &Names,
    judge: &mut Judge<'_>,
) {
    let (at_a, at_b) = (format!("{path}.body_a"), format!("{path}.body_b"));
    let a = check_reference(&at_a, bodies[0], names, judge);
    let b = check_reference(&at_b, bodies[1], names, judge);
    if a == b && judge.is_clean(&at_a) && judge.is_clean(&at_b) {
        let allowed = format!("{what} joins two different bodies");
        judge.not_allowed(&at_b, reference_text(bodies[1]), allowed);
    }
}

/// A reference as the user wrote it.
pub(super) fn reference_text(reference: &BodyRef) -> String {
    match reference {
        BodyRef::Index(index) => index.to_string(),
        BodyRef::Name(name) => format!("{name:?}"),
    }
}
