//! Reading connectors and curves.

use super::fields::{Cursor, Fields, Read, word};
use super::joint;
use crate::body::BodyRef;
use crate::connector::{Connector, Curve, Line};
use crate::force_law::Frame;
use crate::joint::Fitting;

impl Read for Connector {
    const EXPECTED: &'static str = "a connector (an object with a type)";

    fn placeholder() -> Self {
        let point = Read::placeholder();
        Self::Pin {
            body_a: BodyRef::placeholder(),
            point_a: point,
            body_b: BodyRef::placeholder(),
            point_b: point,
            frame: Frame::Body,
            fitting: Fitting::default(),
        }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let connector = match kind {
            "joint" => Self::Joint {
                body_a: f.required("body_a"),
                point_a: f.or("point_a", [0.0; 2]),
                body_b: f.required("body_b"),
                point_b: f.or("point_b", [0.0; 2]),
                normal: f.required("normal"),
                frame: word(&mut f, "frame", Frame::Body),
            },
            "pin" => Self::Pin {
                body_a: f.required("body_a"),
                point_a: f.or("point_a", [0.0; 2]),
                body_b: f.required("body_b"),
                point_b: f.or("point_b", [0.0; 2]),
                frame: word(&mut f, "frame", Frame::Body),
                fitting: joint::fitting(&mut f),
            },
            "rod" => Self::Rod(line(&mut f)),
            "rope" => Self::Rope(line(&mut f)),
            "path_joint" => Self::PathJoint {
                body: f.required("body"),
                point: f.or("point", [0.0; 2]),
                curve: f.required("curve"),
            },
            "path_end_stop" => Self::PathEndStop {
                body: f.required("body"),
                point: f.or("point", [0.0; 2]),
                curve: f.required("curve"),
                limit: f.required("limit"),
                upper: f.or("upper", false),
            },
            _ => joint::joint(kind, &mut f),
        };
        f.knows("repeat");
        f.finish();
        connector
    }
}

fn line(f: &mut Fields<'_>) -> Line {
    Line {
        body_a: f.required("body_a"),
        point_a: f.or("point_a", [0.0; 2]),
        body_b: f.required("body_b"),
        point_b: f.or("point_b", [0.0; 2]),
        length: f.optional("length"),
        fitting: joint::fitting(f),
    }
}

impl Read for Curve {
    const EXPECTED: &'static str = "a curve (an object with a type)";

    fn placeholder() -> Self {
        Self::Circle { radius: f64::NAN, table_length: Self::DEFAULT_TABLE_LENGTH }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let curve = match kind {
            "circle" => Self::Circle {
                radius: f.required("radius"),
                table_length: f.or("table_length", Self::DEFAULT_TABLE_LENGTH),
            },
            "polynomial" => Self::Polynomial {
                x: f.required("x"),
                y: f.required("y"),
                from: f.required("from"),
                to: f.required("to"),
                table_length: f.or("table_length", Self::DEFAULT_TABLE_LENGTH),
            },
            _ => Self::Points { points: f.required("points"), closed: f.or("closed", false) },
        };
        f.finish();
        curve
    }
}
