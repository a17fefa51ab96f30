//! Judging the connectors that the constraint library solves.

use super::body::{check_body_reference, check_pair};
use super::numbers::{At, Judge, Range};
use crate::connector::Connector;
use crate::joint::{Drive, Ends, Fitting, Motor, Wheel};
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::point::Point;
use engine2d_math::Vec2;

/// Shortest vector that gives a direction (length).
pub(super) const SHORTEST_DIRECTION: f64 = 1e-10;

/// Judges the numbers and references of a connector of the library; of others their fitting.
pub(super) fn check_joint(path: &str, connector: &Connector, names: &Names, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    if let Some(fitting) = connector.fitting() {
        check_fitting(path, fitting, judge);
    }
    match connector {
        Connector::Weld(weld) => {
            check_ends(path, &weld.ends, names, judge);
            judge.number_if(at("angle"), weld.angle, Range::Any);
        }
        Connector::Prismatic(prismatic) => {
            check_ends(path, &prismatic.ends, names, judge);
            check_direction(&at("axis").to_string(), prismatic.axis, judge);
            judge.number_if(at("angle"), prismatic.angle, Range::Any);
        }
        Connector::Slider(slider) => {
            check_ends(path, &slider.ends, names, judge);
            check_direction(&at("axis").to_string(), slider.axis, judge);
        }
        Connector::PointOnLine(follower) => {
            check_ends(path, &follower.ends, names, judge);
            check_direction(&at("axis").to_string(), follower.axis, judge);
        }
        Connector::CircleOnLine(circle) => {
            check_ends(path, &circle.ends, names, judge);
            check_direction(&at("normal").to_string(), circle.normal, judge);
            judge.number(at("radius"), circle.radius, Range::Positive);
        }
        Connector::Gear(gear) => {
            check_ends(path, &gear.ends, names, judge);
            judge.number(at("radius_a"), gear.radius_a, Range::Positive);
            judge.number(at("radius_b"), gear.radius_b, Range::Positive);
            if gear.internal && gear.radius_b <= gear.radius_a {
                let allowed = format!("the ring must be larger than the gear in it, {:?}", gear.radius_a);
                judge.not_allowed(at("radius_b"), format!("{:?}", gear.radius_b), allowed);
            }
            judge.number_if(at("phase"), gear.phase, Range::Any);
        }
        Connector::Coupler(coupler) => {
            check_pair(path, "a connector", [&coupler.body_a, &coupler.body_b], names, judge);
            for (name, factor) in [("factor_a", coupler.factor_a), ("factor_b", coupler.factor_b)] {
                judge.number(at(name), factor, Range::Any);
                if factor == 0.0 {
                    let allowed = "a factor of 0 couples nothing".to_owned();
                    judge.not_allowed(at(name), "0.0".to_owned(), allowed);
                }
            }
            judge.number_if(at("constant"), coupler.constant, Range::Any);
        }
        Connector::Motor(motor) => check_motor(path, motor, names, judge),
        Connector::AngleLimit(limit) => {
            check_pair(path, "a connector", [&limit.body_a, &limit.body_b], names, judge);
            check_range(path, limit.low, limit.high, judge);
            judge.number(at("restitution"), limit.restitution, Range::Unit);
        }
        Connector::SlideLimit(limit) => {
            check_ends(path, &limit.ends, names, judge);
            check_direction(&at("axis").to_string(), limit.axis, judge);
            check_range(path, limit.low, limit.high, judge);
            judge.number(at("restitution"), limit.restitution, Range::Unit);
        }
        Connector::Wheel(wheel) => check_wheel(path, wheel, names, judge),
        Connector::Mouse(mouse) => {
            check_body_reference(&at("body").to_string(), &mouse.body, names, judge);
            judge.point(at("point"), mouse.point);
            judge.point(at("target"), mouse.target);
            judge.number(at("gain"), mouse.gain, Range::AtLeastZero);
            judge.number(at("limit"), mouse.limit, Range::AtLeastZero);
        }
        Connector::Pulley(pulley) => {
            check_ends(path, &pulley.ends, names, judge);
            for (name, body) in [("body_a", &pulley.ends.body_a), ("body_b", &pulley.ends.body_b)] {
                check_body_reference(&at(name).to_string(), body, names, judge);
            }
            judge.point(at("roller_a"), pulley.roller_a);
            judge.point(at("roller_b"), pulley.roller_b);
            judge.number(at("ratio"), pulley.ratio, Range::Positive);
            judge.number_if(at("length"), pulley.length, Range::Positive);
        }
        Connector::Joint { .. }
        | Connector::Pin { .. }
        | Connector::Rod(_)
        | Connector::Rope(_)
        | Connector::PathJoint { .. }
        | Connector::PathEndStop { .. } => {}
    }
}

fn check_fitting(path: &str, fitting: &Fitting, judge: &mut Judge<'_>) {
    judge.number_if(format_args!("{path}.break_force"), fitting.break_force, Range::Positive);
    judge.number_if(format_args!("{path}.break_torque"), fitting.break_torque, Range::Positive);
}

fn check_motor(path: &str, motor: &Motor, names: &Names, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    check_ends(path, &motor.ends, names, judge);
    match (motor.drive, motor.axis) {
        (Drive::Travel, Some(axis)) => check_direction(&at("axis").to_string(), axis, judge),
        (Drive::Travel, None) => {
            let expected = "the direction of the travel [x, y]".to_owned();
            judge.note(at("axis"), MistakeKind::Missing { expected });
        }
        (_, Some(axis)) => {
            let allowed = "only a travel has an axis (\"drive\": \"travel\")".to_owned();
            judge.not_allowed(at("axis"), format!("{axis:?}"), allowed);
        }
        (_, None) => {}
    }
    for (name, point) in [("point_a", motor.ends.point_a), ("point_b", motor.ends.point_b)] {
        if motor.drive == Drive::Angle && point != [0.0; 2] && judge.is_clean(at(name)) {
            let allowed = "an angle has no points (\"drive\": \"travel\" or \"distance\" has)".to_owned();
            judge.not_allowed(at(name), format!("{point:?}"), allowed);
        }
    }
    judge.number_if(at("speed"), motor.speed, Range::Any);
    judge.number_if(at("place"), motor.place, Range::Any);
    match (motor.speed, motor.place) {
        (Some(_), Some(place)) => {
            let allowed = "a motor has a speed or a place to move to, not both".to_owned();
            judge.not_allowed(at("place"), format!("{place:?}"), allowed);
        }
        (None, None) => {
            let expected = "the speed of the motor, or the place of a servo (\"place\"),".to_owned();
            judge.note(at("speed"), MistakeKind::Missing { expected });
        }
        _ => {}
    }
    for (name, value) in [("gain", motor.gain), ("top_speed", motor.top_speed)] {
        judge.number_if(at(name), value, Range::AtLeastZero);
        if let (Some(value), None) = (value, motor.place) {
            let allowed = "only a servo has it, which moves to a \"place\"".to_owned();
            judge.not_allowed(at(name), format!("{value:?}"), allowed);
        }
    }
    judge.number_if(at("limit"), motor.limit, Range::AtLeastZero);
}

fn check_wheel(path: &str, wheel: &Wheel, names: &Names, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    check_ends(path, &wheel.ends, names, judge);
    check_direction(&at("axis").to_string(), wheel.axis, judge);
    judge.number(at("stiffness"), wheel.stiffness, Range::Positive);
    judge.number(at("damping"), wheel.damping, Range::AtLeastZero);
    judge.number(at("rest"), wheel.rest, Range::Any);
    judge.number_if(at("speed"), wheel.speed, Range::Any);
    judge.number_if(at("limit"), wheel.limit, Range::AtLeastZero);
    if let (None, Some(limit)) = (wheel.speed, wheel.limit) {
        let allowed = "only a wheel with a speed has a motor (\"speed\": 0 is a brake)".to_owned();
        judge.not_allowed(at("limit"), format!("{limit:?}"), allowed);
    }
}

fn check_ends(path: &str, ends: &Ends, names: &Names, judge: &mut Judge<'_>) {
    check_pair(path, "a connector", [&ends.body_a, &ends.body_b], names, judge);
    judge.point(format_args!("{path}.point_a"), ends.point_a);
    judge.point(format_args!("{path}.point_b"), ends.point_b);
}

pub(super) fn check_direction(path: &str, direction: Point, judge: &mut Judge<'_>) {
    judge.point(path, direction);
    if Vec2::from(direction).norm() < SHORTEST_DIRECTION {
        let allowed = "a direction has a length".to_owned();
        judge.not_allowed(path, format!("{direction:?}"), allowed);
    }
}

fn check_range(path: &str, low: Option<f64>, high: Option<f64>, judge: &mut Judge<'_>) {
    judge.number_if(format_args!("{path}.low"), low, Range::Any);
    judge.number_if(format_args!("{path}.high"), high, Range::Any);
    match (low, high) {
        (None, None) => {
            let expected = "a least (\"low\") or greatest value (\"high\")".to_owned();
            judge.note(format_args!("{path}.low"), MistakeKind::Missing { expected });
        }
        (Some(low), Some(high)) if high < low => {
            let allowed = format!("it must not be less than low, {low:?}");
            judge.not_allowed(format_args!("{path}.high"), format!("{high:?}"), allowed);
        }
        _ => {}
    }
}
