//! Reading the connectors that the constraint library solves.

use super::fields::{Fields, word};
use crate::connector::Connector;
use crate::force_law::Frame;
use crate::joint::{
    AngleLimit, CircleOnLine, Coordinate, Coupled, Coupler, DEFAULT_GAIN, Drive, Ends, Fitting, Gear, Motor,
    Mouse, PointOnLine, Prismatic, Pulley, SlideLimit, Slider, Weld, Wheel, upright,
};

/// The fields of a connector of a type of the library.
pub(super) fn joint(kind: &str, f: &mut Fields<'_>) -> Connector {
    match kind {
        "weld" => Connector::Weld(Weld { ends: ends(f), angle: f.optional("angle"), fitting: fitting(f) }),
        "prismatic" => Connector::Prismatic(Prismatic {
            ends: ends(f),
            axis: f.required("axis"),
            angle: f.optional("angle"),
            fitting: fitting(f),
        }),
        "slider" => Connector::Slider(Slider {
            ends: ends(f),
            axis: f.required("axis"),
            frame: word(f, "frame", Frame::Body),
            fitting: fitting(f),
        }),
        "point_on_line" => Connector::PointOnLine(PointOnLine {
            ends: ends(f),
            axis: f.required("axis"),
            sticking: f.or("sticking", false),
            fitting: fitting(f),
        }),
        "circle_on_line" => Connector::CircleOnLine(CircleOnLine {
            ends: ends(f),
            normal: f.required("normal"),
            radius: f.required("radius"),
            rolling: f.or("rolling", false),
            unilateral: f.or("unilateral", false),
            fitting: fitting(f),
        }),
        "gear" => Connector::Gear(Gear {
            ends: ends(f),
            radius_a: f.required("radius_a"),
            radius_b: f.required("radius_b"),
            internal: f.or("internal", false),
            phase: f.optional("phase"),
            fitting: fitting(f),
        }),
        "coupler" => Connector::Coupler(coupler(f)),
        "motor" => Connector::Motor(motor(f)),
        "angle_limit" => Connector::AngleLimit(AngleLimit {
            body_a: f.required("body_a"),
            body_b: f.required("body_b"),
            low: f.optional("low"),
            high: f.optional("high"),
            restitution: f.or("restitution", 0.0),
            fitting: fitting(f),
        }),
        "slide_limit" => Connector::SlideLimit(SlideLimit {
            ends: ends(f),
            axis: f.required("axis"),
            low: f.optional("low"),
            high: f.optional("high"),
            restitution: f.or("restitution", 0.0),
            fitting: fitting(f),
        }),
        "wheel" => Connector::Wheel(wheel(f)),
        "mouse" => Connector::Mouse(Mouse {
            body: f.required("body"),
            point: f.or("point", [0.0; 2]),
            target: f.required("target"),
            gain: f.or("gain", DEFAULT_GAIN),
            limit: f.required("limit"),
            name: f.optional("name"),
            enabled: f.or("enabled", true),
        }),
        _ => Connector::Pulley(Pulley {
            ends: ends(f),
            roller_a: f.required("roller_a"),
            roller_b: f.required("roller_b"),
            ratio: f.or("ratio", 1.0),
            length: f.optional("length"),
            fitting: fitting(f),
        }),
    }
}

fn coupler(f: &mut Fields<'_>) -> Coupler {
    Coupler {
        body_a: f.required("body_a"),
        coordinate_a: word(f, "coordinate_a", Coordinate::Angle),
        factor_a: f.or("factor_a", 1.0),
        body_b: f.required("body_b"),
        coordinate_b: word(f, "coordinate_b", Coordinate::Angle),
        factor_b: f.required("factor_b"),
        of: word(f, "of", Coupled::Positions),
        constant: f.optional("constant"),
        fitting: fitting(f),
    }
}

fn motor(f: &mut Fields<'_>) -> Motor {
    Motor {
        ends: ends(f),
        drive: word(f, "drive", Drive::Angle),
        axis: f.optional("axis"),
        speed: f.optional("speed"),
        place: f.optional("place"),
        gain: f.optional("gain"),
        top_speed: f.optional("top_speed"),
        limit: f.optional("limit"),
        fitting: fitting(f),
    }
}

fn wheel(f: &mut Fields<'_>) -> Wheel {
    Wheel {
        ends: ends(f),
        axis: f.or("axis", upright()),
        stiffness: f.required("stiffness"),
        damping: f.or("damping", 0.0),
        rest: f.or("rest", 0.0),
        speed: f.optional("speed"),
        limit: f.optional("limit"),
        name: f.optional("name"),
        enabled: f.or("enabled", true),
    }
}

fn ends(f: &mut Fields<'_>) -> Ends {
    Ends {
        body_a: f.required("body_a"),
        point_a: f.or("point_a", [0.0; 2]),
        body_b: f.required("body_b"),
        point_b: f.or("point_b", [0.0; 2]),
    }
}

/// Name, strength and whether it acts.
pub(super) fn fitting(f: &mut Fields<'_>) -> Fitting {
    Fitting {
        name: f.optional("name"),
        break_force: f.optional("break_force"),
        break_torque: f.optional("break_torque"),
        enabled: f.or("enabled", true),
    }
}
