//! Judging force laws.

use super::body::{check_body_reference, check_pair};
use super::numbers::{At, Judge, Range};
use crate::body::BodyRef;
use crate::force_law::ForceLaw;
use crate::names::Names;

/// Judges a force law.
pub(super) fn check_force_law(path: &str, law: &ForceLaw, names: &Names, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    match law {
        ForceLaw::Gravity { strength, zero_energy_level, bodies } => {
            judge.number(at("strength"), *strength, Range::Any);
            judge.number(at("zero_energy_level"), *zero_energy_level, Range::Any);
            check_bodies(&at("bodies").to_string(), bodies.as_deref(), names, judge);
        }
        ForceLaw::InverseSquareGravity { strength, bodies } => {
            judge.number(at("strength"), *strength, Range::Any);
            check_bodies(&at("bodies").to_string(), bodies.as_deref(), names, judge);
        }
        ForceLaw::Damping { coefficient, rotate_ratio, bodies } => {
            judge.number(at("coefficient"), *coefficient, Range::AtLeastZero);
            judge.number(at("rotate_ratio"), *rotate_ratio, Range::AtLeastZero);
            check_bodies(&at("bodies").to_string(), bodies.as_deref(), names, judge);
        }
        ForceLaw::Spring { body_a, point_a, body_b, point_b, rest_length, stiffness, damping, .. } => {
            check_pair(path, "a spring", [body_a, body_b], names, judge);
            judge.point(at("point_a"), *point_a);
            judge.point(at("point_b"), *point_b);
            judge.number(at("rest_length"), *rest_length, Range::AtLeastZero);
            judge.number(at("stiffness"), *stiffness, Range::AtLeastZero);
            judge.number(at("damping"), *damping, Range::AtLeastZero);
        }
        ForceLaw::ConstantForce { body, location, force, torque, .. } => {
            check_body_reference(&at("body").to_string(), body, names, judge);
            judge.point(at("location"), *location);
            judge.point(at("force"), *force);
            judge.number(at("torque"), *torque, Range::Any);
        }
        ForceLaw::Thrusters { body, magnitude, thrusters } => {
            check_body_reference(&at("body").to_string(), body, names, judge);
            judge.number(at("magnitude"), *magnitude, Range::Any);
            for (k, thruster) in thrusters.iter().enumerate() {
                judge.point(format_args!("{path}.thrusters[{k}].location"), thruster.location);
                judge.point(format_args!("{path}.thrusters[{k}].direction"), thruster.direction);
            }
        }
        ForceLaw::RotatingForce { body, location, magnitude, rate } => {
            check_body_reference(&at("body").to_string(), body, names, judge);
            judge.point(at("location"), *location);
            judge.number(at("magnitude"), *magnitude, Range::Any);
            judge.number(at("rate"), *rate, Range::Any);
        }
    }
}

fn check_bodies(path: &str, bodies: Option<&[BodyRef]>, names: &Names, judge: &mut Judge<'_>) {
    for (k, body) in bodies.unwrap_or_default().iter().enumerate() {
        check_body_reference(&format!("{path}[{k}]"), body, names, judge);
    }
}

/// A second uniform gravity, or a second damping, is a mistake: their sum would be meant by no one.
pub(super) fn check_repeated(laws: &[ForceLaw], judge: &mut Judge<'_>) {
    let gravity: fn(&ForceLaw) -> bool = |law| matches!(law, ForceLaw::Gravity { .. });
    let damping: fn(&ForceLaw) -> bool = |law| matches!(law, ForceLaw::Damping { .. });
    for (word, is_kind) in [("gravity", gravity), ("damping", damping)] {
        // What stands for a law that could not be read is none.
        let is_read = |i: &usize| judge.is_clean(format_args!("force_laws[{i}].type"));
        let places: Vec<usize> = (0..laws.len()).filter(|&i| is_kind(&laws[i])).filter(is_read).collect();
        let mut places = places.into_iter();
        let first = places.next();
        for second in places {
            let allowed =
                format!("a scene has one law of this type, and force_laws[{}] is it", first.unwrap_or(0));
            judge.not_allowed(format_args!("force_laws[{second}].type"), format!("{word:?}"), allowed);
        }
    }
}
