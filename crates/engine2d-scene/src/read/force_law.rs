//! Reading force laws.

use super::fields::{Cursor, Read, word};
use crate::force_law::{ForceLaw, Frame, Thruster};

impl Read for ForceLaw {
    const EXPECTED: &'static str = "a force law (an object with a type)";

    fn placeholder() -> Self {
        Self::gravity(f64::NAN)
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let law = match kind {
            "gravity" => Self::Gravity {
                strength: f.required("strength"),
                zero_energy_level: f.or("zero_energy_level", 0.0),
                bodies: f.optional("bodies"),
            },
            "inverse_square_gravity" => {
                Self::InverseSquareGravity { strength: f.required("strength"), bodies: f.optional("bodies") }
            }
            "damping" => Self::Damping {
                coefficient: f.required("coefficient"),
                rotate_ratio: f.or("rotate_ratio", Self::DEFAULT_ROTATE_RATIO),
                bodies: f.optional("bodies"),
            },
            "spring" => Self::Spring {
                name: f.optional("name"),
                body_a: f.required("body_a"),
                point_a: f.or("point_a", [0.0; 2]),
                body_b: f.required("body_b"),
                point_b: f.or("point_b", [0.0; 2]),
                rest_length: f.required("rest_length"),
                stiffness: f.required("stiffness"),
                damping: f.or("damping", 0.0),
                compress_only: f.or("compress_only", false),
            },
            "constant_force" => Self::ConstantForce {
                body: f.required("body"),
                location: f.or("location", [0.0; 2]),
                location_frame: word(&mut f, "location_frame", Frame::Body),
                force: f.required("force"),
                force_frame: word(&mut f, "force_frame", Frame::World),
                torque: f.or("torque", 0.0),
            },
            "thrusters" => Self::Thrusters {
                body: f.required("body"),
                magnitude: f.required("magnitude"),
                thrusters: f.required("thrusters"),
            },
            _ => Self::RotatingForce {
                body: f.required("body"),
                location: f.or("location", [0.0; 2]),
                magnitude: f.required("magnitude"),
                rate: f.required("rate"),
            },
        };
        f.knows("repeat");
        f.finish();
        law
    }
}

impl Read for Thruster {
    const EXPECTED: &'static str = "a thruster (an object)";

    fn placeholder() -> Self {
        Self { location: Read::placeholder(), direction: Read::placeholder(), active: false }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let thruster = Self {
            location: f.required("location"),
            direction: f.required("direction"),
            active: f.or("active", true),
        };
        f.finish();
        thruster
    }
}
