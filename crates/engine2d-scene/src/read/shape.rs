//! Reading outlines.

use super::fields::{Cursor, Read, word};
use crate::shape::{Edge, FillRule, Path, Shape, Side};

impl Read for Shape {
    const EXPECTED: &'static str = "a shape (an object with a type)";

    fn placeholder() -> Self {
        Self::Ball { radius: f64::NAN }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let shape = match kind {
            "ball" => Self::Ball { radius: f.required("radius") },
            "block" => Self::Block { width: f.required("width"), height: f.required("height") },
            "block_corner_origin" => {
                Self::BlockCornerOrigin { width: f.required("width"), height: f.required("height") }
            }
            "diamond" => Self::Diamond {
                width: f.required("width"),
                height: f.required("height"),
                angle: f.required("angle"),
            },
            "frame" => Self::Frame {
                width: f.required("width"),
                height: f.required("height"),
                thickness: f.required("thickness"),
            },
            "gear" => Self::Gear {
                teeth: f.required("teeth"),
                outer: f.required("outer"),
                inner: f.required("inner"),
                tip: f.or("tip", Self::DEFAULT_TIP),
            },
            "terrain" => Self::Terrain { points: f.required("points"), bottom: f.required("bottom") },
            "capsule" => Self::Capsule { length: f.required("length"), radius: f.required("radius") },
            "ellipse" => Self::Ellipse {
                width: f.required("width"),
                height: f.required("height"),
                tolerance: f.optional("tolerance"),
            },
            "svg_path" => Self::SvgPath {
                d: f.required("d"),
                scale: f.or("scale", Self::DEFAULT_SCALE),
                tolerance: f.or("tolerance", Self::DEFAULT_TOLERANCE),
                fill_rule: word(&mut f, "fill_rule", FillRule::NonZero),
            },
            "hexagon" => Self::Hexagon { side: f.required("side") },
            "pendulum" => Self::Pendulum {
                width: f.required("width"),
                length: f.required("length"),
                radius: f.required("radius"),
            },
            "polygon" => {
                Self::Polygon { points: f.required("points"), moment_factor: f.optional("moment_factor") }
            }
            "random_polygon" => Self::RandomPolygon {
                sides: f.required("sides"),
                radius: f.required("radius"),
                seed: f.required("seed"),
            },
            "round_block" => Self::RoundBlock { width: f.required("width"), height: f.required("height") },
            "round_corner_block" => Self::RoundCornerBlock {
                width: f.required("width"),
                height: f.required("height"),
                radius: f.required("radius"),
            },
            "wall" => Self::Wall {
                width: f.required("width"),
                height: f.required("height"),
                side: word(&mut f, "side", Side::Top),
            },
            _ => Self::Paths { paths: f.required("paths"), moment_factor: f.optional("moment_factor") },
        };
        f.finish();
        shape
    }
}

impl Read for Path {
    const EXPECTED: &'static str = "an object with start and edges";

    fn placeholder() -> Self {
        Self { start: Read::placeholder(), edges: Vec::new() }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let path = Self { start: f.required("start"), edges: f.required("edges") };
        f.finish();
        path
    }
}

impl Read for Edge {
    const EXPECTED: &'static str = "an edge (an object with a type)";

    fn placeholder() -> Self {
        Self::Line { to: Read::placeholder(), outside_is_up: false }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let edge = match kind {
            "line" => Self::Line { to: f.required("to"), outside_is_up: f.required("outside_is_up") },
            _ => Self::Arc {
                to: f.required("to"),
                center: f.required("center"),
                clockwise: f.required("clockwise"),
                outside_is_out: f.required("outside_is_out"),
            },
        };
        f.finish();
        edge
    }
}
