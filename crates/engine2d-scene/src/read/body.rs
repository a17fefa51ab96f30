//! Reading bodies and materials.

use super::fields::{Cursor, Read, word};
use super::wrong_type;
use crate::body::{Body, BodyRef, EdgeRange, Friction, Origin};
use crate::material::Material;
use crate::mistake::MistakeKind;
use crate::shape::Shape;
use crate::tree::Node;

impl Read for Body {
    const EXPECTED: &'static str = "a body (an object)";

    fn placeholder() -> Self {
        Self::new(Shape::placeholder())
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let mut body = Self {
            name: f.optional("name"),
            shape: f.required("shape"),
            mass: f.nullable("mass", None),
            fixed: false,
            moment: f.optional("moment"),
            center_of_mass: f.optional("center_of_mass"),
            position: f.or("position", [0.0; 2]),
            origin: word(&mut f, "origin", Origin::Centroid),
            angle: f.or("angle", 0.0),
            velocity: f.or("velocity", [0.0; 2]),
            angular_velocity: f.renamed("angular_velocity", "spin", 0.0),
            material: f.optional("material"),
            elasticity: f.optional("elasticity"),
            friction: f.optional("friction"),
            surface_speed: f.or("surface_speed", 0.0),
            rolling_resistance: f.optional("rolling_resistance"),
            tangential_restitution: f.optional("tangential_restitution"),
            moving: f.optional("moving"),
            gravity_scale: f.or("gravity_scale", 1.0),
            damping: f.or("damping", 0.0),
            groups: f.or("groups", Vec::new()),
            collides_with: f.optional("collides_with"),
            sensor: f.or("sensor", false),
            rigid: f.or("rigid", false),
            one_way: f.optional("one_way"),
            no_collide: f.or("no_collide", Vec::new()),
            no_collide_edges: f.or("no_collide_edges", Vec::new()),
            zero_energy_level: f.optional("zero_energy_level"),
            min_height: f.optional("min_height"),
            distance_tolerance: f.optional("distance_tolerance"),
            velocity_tolerance: f.optional("velocity_tolerance"),
            collision_accuracy: f.optional("collision_accuracy"),
            drag_points: f.or("drag_points", Vec::new()),
            pieces: f.or("pieces", Vec::new()),
        };
        let fixed: Option<bool> = f.optional("fixed");
        let mass_is_null = f.is_null("mass");
        match (fixed, mass_is_null, body.mass) {
            (Some(true), _, Some(mass)) if mass.is_finite() => {
                let allowed = "a body with \"fixed\": true has no mass of its own".to_owned();
                f.note_at("mass", MistakeKind::NotAllowed { value: format!("{mass:?}"), allowed });
            }
            (Some(false), true, _) => {
                let allowed = "the mass of a body with \"fixed\": false is a number".to_owned();
                f.note_at("mass", MistakeKind::NotAllowed { value: "null".to_owned(), allowed });
            }
            _ => {}
        }
        body.fixed = fixed.unwrap_or(mass_is_null);
        if !body.fixed {
            body.mass = body.mass.or(Some(Self::DEFAULT_MASS));
        }
        f.knows("repeat");
        f.finish();
        body
    }
}

impl Read for EdgeRange {
    const EXPECTED: &'static str = "an object with body, first and last";

    fn placeholder() -> Self {
        Self { body: BodyRef::placeholder(), first: 0, last: 0 }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let range = Self { body: f.required("body"), first: f.required("first"), last: f.required("last") };
        f.finish();
        range
    }
}

impl Read for Friction {
    const EXPECTED: &'static str =
        "a coefficient of friction: a number, or an object with \"static\" and \"kinetic\"";

    fn placeholder() -> Self {
        Self::Same(f64::NAN)
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        if matches!(cursor.node, Node::Object(_)) {
            let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
            let both = Self::Both { at_rest: f.required("static"), kinetic: f.required("kinetic") };
            f.finish();
            return both;
        }
        if !matches!(cursor.node, Node::Number(_) | Node::Integer(_) | Node::Formula { .. }) {
            wrong_type(cursor, Self::EXPECTED);
            return Self::placeholder();
        }
        Self::Same(f64::read(cursor))
    }
}

impl Read for Material {
    const EXPECTED: &'static str = "a material (an object)";

    fn placeholder() -> Self {
        Self::default()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let material = Self {
            elasticity: f.optional("elasticity"),
            friction: f.optional("friction"),
            young: f.optional("young"),
            rolling: f.optional("rolling"),
            rolling_resistance: f.optional("rolling_resistance"),
            tangential_restitution: f.optional("tangential_restitution"),
        };
        f.finish();
        material
    }
}
