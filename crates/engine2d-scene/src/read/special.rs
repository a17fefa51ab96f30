//! Reading prescribed motions and pairs of materials.

use super::fields::{Cursor, Read};
use super::wrong_type;
use crate::material_pair::MaterialPair;
use crate::special::{Moving, Stop};
use crate::tree::Node;

impl Read for Moving {
    const EXPECTED: &'static str = "a motion (an object with a type)";

    fn placeholder() -> Self {
        Self::Steady { velocity: Read::placeholder(), angular_velocity: f64::NAN }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let moving = match kind {
            "steady" => Self::Steady {
                velocity: f.or("velocity", [0.0; 2]),
                angular_velocity: f.or("angular_velocity", 0.0),
            },
            "oscillation" => Self::Oscillation {
                amplitude: f.or("amplitude", [0.0; 2]),
                turn: f.or("turn", 0.0),
                period: f.required("period"),
                phase: f.or("phase", 0.0),
            },
            _ => Self::Stops { stops: f.required("stops"), again: f.or("again", false) },
        };
        f.finish();
        moving
    }
}

impl Read for Stop {
    const EXPECTED: &'static str = "a stop (an object with time, by and turn)";

    fn placeholder() -> Self {
        Self { time: f64::NAN, by: Read::placeholder(), turn: f64::NAN }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let stop = Self { time: f.required("time"), by: f.or("by", [0.0; 2]), turn: f.or("turn", 0.0) };
        f.finish();
        stop
    }
}

/// The names of two materials.
struct Between([String; 2]);

impl Read for Between {
    const EXPECTED: &'static str = "the names of two materials, as [\"ice\", \"steel\"],";

    fn placeholder() -> Self {
        Self([String::new(), String::new()])
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match cursor.node {
            Node::Array(items) if items.len() == 2 => {
                let mut names = Vec::<String>::read(cursor).into_iter();
                Self([names.next().unwrap_or_default(), names.next().unwrap_or_default()])
            }
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

impl Read for MaterialPair {
    const EXPECTED: &'static str = "a pair of materials (an object with between)";

    fn placeholder() -> Self {
        let Between(between) = Between::placeholder();
        Self {
            between,
            restitution: None,
            friction: None,
            surface_speed: None,
            rolling_resistance: None,
            tangential_restitution: None,
        }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let pair = Self {
            between: f.required::<Between>("between").0,
            restitution: f.optional("elasticity"),
            friction: f.optional("friction"),
            surface_speed: f.optional("surface_speed"),
            rolling_resistance: f.optional("rolling_resistance"),
            tangential_restitution: f.optional("tangential_restitution"),
        };
        f.finish();
        pair
    }
}
