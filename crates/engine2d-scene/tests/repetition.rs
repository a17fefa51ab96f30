//! Variables, formulas, repeated entries, and where a body's position refers to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Body, BodyRef, Connector, Scene, Shape};
use serde_json::{Value, json};

fn read(fields: Value) -> Result<Scene, String> {
    let mut scene = json!({ "format": "engine2d-scene", "version": 1 });
    scene.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    Scene::from_json(&scene.to_string()).map_err(|error| error.to_string())
}

fn mistake(fields: Value) -> String {
    let told = read(fields).unwrap_err();
    told.lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn thirty_masses_on_springs_are_two_entries() {
    let scene = read(json!({
        "let": { "n": 30, "gap": 1, "stiff": "=4*n + gap/2" },
        "bodies": [
            { "name": "mass{i}", "shape": { "type": "ball", "radius": "=gap/5" }, "position": ["=(i+1)*gap", 2],
              "repeat": "=n" },
        ],
        "force_laws": [
            { "type": "spring", "name": "s{i}", "body_a": "mass{i}", "body_b": "mass{i+1}", "rest_length": "=gap",
              "stiffness": "=stiff", "repeat": "=n-1" },
        ],
    }))
    .unwrap();
    assert_eq!((scene.bodies.len(), scene.force_laws.len()), (30, 29));
    assert_eq!(scene.bodies[29], Body::new(Shape::Ball { radius: 0.2 }).named("mass29").at(30.0, 2.0));
    let text = serde_json::to_value(&scene).unwrap();
    assert_eq!(text["force_laws"][28]["body_b"], "mass29");
    assert_eq!(text["force_laws"][28]["stiffness"], 120.5);
    assert_eq!(Scene::from_json(&scene.to_json().unwrap()).unwrap(), scene);
}

#[test]
fn copies_stand_further_on_by_their_offset() {
    let block = json!({ "type": "block", "width": 1, "height": 1 });
    let row = json!({ "name": "b{2*i}", "shape": block, "repeat": { "count": 3, "offset": [1.5, -0.5] }, "position": [1, 2] });
    let bare = json!({ "shape": block, "repeat": { "count": 2, "offset": [0, 4] }, "fixed": true });
    let scene = read(json!({ "bodies": [row, bare], "allow_overlap": true })).unwrap();
    let places: Vec<_> = scene.bodies.iter().map(|body| body.position).collect();
    assert_eq!(places, [[1.0, 2.0], [2.5, 1.5], [4.0, 1.0], [0.0, 0.0], [0.0, 4.0]]);
    assert_eq!(scene.body_name(2), "b4");
    let none = json!({ "shape": block, "repeat": 0 });
    assert!(read(json!({ "bodies": [none] })).unwrap().bodies.is_empty());
}

#[test]
fn connectors_are_repeated() {
    let ball = json!({ "name": "{i}", "shape": { "type": "ball", "radius": 0.1 }, "repeat": 4, "position": ["=i", 0] });
    let rod = json!({ "type": "rod", "body_a": "{i}", "body_b": "{i+1}", "repeat": 3 });
    let scene = read(json!({ "bodies": [ball], "connectors": [rod] })).unwrap();
    let Connector::Rod(last) = &scene.connectors[2] else { panic!("a rod") };
    assert_eq!((&last.body_a, &last.body_b), (&BodyRef::from("2"), &BodyRef::from("3")));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let ball = |radius: Value| json!({ "shape": { "type": "ball", "radius": radius } });
    assert_eq!(
        mistake(json!({ "let": { "height": 2 }, "bodies": [ball(json!("=heigth/2"))] })),
        "bodies[0].shape.radius: \"=heigth/2\" is not allowed: no variable is named \"heigth\"; did you mean \"height\"?"
    );
    assert_eq!(
        mistake(json!({ "let": { "a": "=b", "c": [] }, "bodies": [] })),
        "let.a: \"=b\" is not allowed: no variable is named \"b\" (known: none)\n\
         let.c: a list of 0 found, a number, or a formula that begins with \"=\", expected"
    );
    assert_eq!(
        mistake(json!({ "let": { "pi": 3, "i": 7, "sin": 2 }, "bodies": [ball(json!("=sin"))] })),
        "let.i: the name \"i\" is not allowed: formulas know it as the number of a copy: choose another name\n\
         let.pi: the name \"pi\" is not allowed: formulas know it as the number 3.14159…: choose another name"
    );
    let mut repeated = ball(json!(1));
    repeated["repeat"] = json!("often");
    let expected = "how often: a whole number, or an object with count and offset, expected";
    assert_eq!(
        mistake(json!({ "bodies": [repeated] })),
        format!("bodies[0].repeat: the text \"often\" found, {expected}")
    );
    repeated["repeat"] = json!(1e9);
    assert!(mistake(json!({ "bodies": [repeated] })).contains("all copies together may have 5000000 values"));
    repeated["repeat"] = json!({ "count": 2, "ofset": [1, 0] });
    assert!(mistake(json!({ "bodies": [repeated] })).starts_with("bodies[0].repeat.ofset: unknown field"));
    repeated["repeat"] = json!(2);
    repeated["name"] = json!("{j}");
    assert!(
        mistake(json!({ "bodies": [repeated] }))
            .contains("bodies[1].name: \"{j}\" is not allowed: no variable is named")
    );
    // Places are those among the copies.
    let third =
        json!({ "shape": { "type": "ball", "radius": "=2-i" }, "repeat": 3, "position": ["=9*i", 0] });
    assert_eq!(
        mistake(json!({ "bodies": [third] })),
        "bodies[2].shape.radius: 0.0 is not allowed: radius must be > 0"
    );
    let law = json!({ "type": "gravity", "strength": 1, "repeat": { "count": 1, "offset": [1, 1] } });
    let told = mistake(json!({ "bodies": [], "force_laws": [law] }));
    assert!(told.starts_with("force_laws[0].repeat.offset"), "{told}");
}

#[test]
fn texts_outside_of_copies_and_names_that_begin_with_an_equals_sign_stay() {
    let ball = json!({ "name": "=1+1", "shape": { "type": "ball", "radius": 1 } });
    let scene = read(json!({ "name": "{i}", "description": "= {", "bodies": [ball] })).unwrap();
    assert_eq!((scene.name.as_deref(), scene.bodies[0].name.as_deref()), (Some("{i}"), Some("=1+1")));
    assert_eq!(scene.description.as_deref(), Some("= {"));
}

/// A triangle given by its corners in the world stands there, and moves as one placed by its centre of mass.
#[test]
fn a_position_may_tell_the_place_of_the_shape() {
    let triangle = |more: Value| {
        let mut body = json!({ "name": "t", "shape": { "type": "polygon", "points": [[0, 0], [3, 0], [0, 3]] },
                               "angle": 0.5, "spin": 1 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let pin = json!({ "type": "pin", "body_a": "ground", "point_a": [5, 1], "body_b": "t" });
        let gravity = json!({ "type": "gravity", "strength": 9.81 });
        read(json!({ "bodies": [body], "connectors": [pin], "force_laws": [gravity] })).unwrap()
    };
    let by_shape = triangle(json!({ "position": [5, 1], "origin": "shape" }));
    let mut world = by_shape.to_world().unwrap();
    let start = world.body(0).unwrap().position();
    let (sin, cos) = 0.5_f64.sin_cos();
    assert!((start.x - (5.0 + cos - sin)).abs() < 1e-12 && (start.y - (1.0 + sin + cos)).abs() < 1e-12);
    let mut other = triangle(json!({ "position": [start.x, start.y] })).to_world().unwrap();
    world.advance(0.3).unwrap();
    other.advance(0.3).unwrap();
    let apart = world.body(0).unwrap().position() - other.body(0).unwrap().position();
    assert!(apart.norm() < 1e-12);
    assert_eq!(Scene::from_json(&by_shape.to_json().unwrap()).unwrap(), by_shape);
}
