//! Ties and outlines of R.U.B.E. and Tiled, piece by piece.

use engine2d_import::{Format, Import, ImportError, NoteKind, Options, import};
use engine2d_scene::{Connector, ForceLaw, Shape};
use std::f64::consts::{FRAC_PI_4, TAU};

/// Where numbers that are computed in two ways may differ, relative.
const ROUNDING: f64 = 1e-12;

fn close(got: f64, want: f64) -> bool {
    (got - want).abs() <= ROUNDING * want.abs().max(1.0)
}

fn notes(found: &Import, kind: NoteKind) -> usize {
    found.notes.iter().filter(|note| note.kind == kind).count()
}

/// A disc of radius 0.5 and density 1 that moves at (3, 0), and one that is fixed at the origin, with a joint.
fn rube(joint: &str) -> Result<Import, ImportError> {
    let disc = r#""fixture": [{"density": 1, "circle": {"radius": 0.5}}]"#;
    let bodies = format!(r#"{{"type": 0, {disc}}}, {{"type": 2, "position": {{"x": 3, "y": 0}}, {disc}}}"#);
    let text = format!(r#"{{"body": [{bodies}], "joint": [{{"bodyA": 0, "bodyB": 1, {joint}}}]}}"#);
    import(&text, Format::Rube, &Options::default())
}

/// The connectors of a joint of that kind, and how many notes of a change there are.
fn joined(joint: &str) -> (Vec<Connector>, usize) {
    let found = rube(joint).unwrap_or_else(|error| panic!("{joint}: {error}"));
    let changed = notes(&found, NoteKind::Changed);
    (found.scene.connectors, changed)
}

#[test]
fn joints_of_box2d_are_connectors() {
    let (weld, changed) = joined(r#""type": "weld", "anchorA": {"x": 3, "y": 0}, "frequency": 2"#);
    assert!(matches!(&weld[..], [Connector::Weld(_)]) && changed == 1, "{weld:?}");
    let (rod, _) = joined(r#""type": "distance""#);
    assert!(matches!(&rod[..], [Connector::Rod(line)] if line.length == Some(3.0)), "{rod:?}");
    let (rope, _) = joined(r#""type": "rope", "maxLength": 4"#);
    assert!(matches!(&rope[..], [Connector::Rope(line)] if line.length == Some(4.0)), "{rope:?}");
    let (pulley, _) = joined(
        r#""type": "pulley", "ratio": 2, "groundAnchorA": {"x": 0, "y": 5}, "groundAnchorB": {"x": 3, "y": 6}"#,
    );
    let [Connector::Pulley(pulley)] = &pulley[..] else { panic!("{pulley:?}") };
    assert_eq!((pulley.roller_a, pulley.roller_b, pulley.ratio), ([0.0, 5.0], [3.0, 6.0], 2.0));
    let (hinge, _) = joined(
        r#""type": "revolute", "anchorA": {"x": 3, "y": 0}, "refAngle": 0.25, "enableLimit": true, "lowerLimit": -0.5,
            "upperLimit": 1, "enableMotor": true, "motorSpeed": 2, "maxMotorTorque": 5, "name": "hinge""#,
    );
    let [Connector::Pin { .. }, Connector::AngleLimit(limit), Connector::Motor(motor)] = &hinge[..] else {
        panic!("{hinge:?}")
    };
    // Limits of Box2D count from the reference angle, those of the scene from zero, where both bodies are.
    assert_eq!((limit.low, limit.high), (Some(-0.25), Some(1.25)));
    assert_eq!((motor.speed, motor.limit), (Some(2.0), Some(5.0)));
    assert_eq!(motor.fitting.name.as_deref(), Some("hinge motor"));
    assert_eq!(limit.fitting.name.as_deref(), Some("hinge limit"));
    let (rail, changed) = joined(
        r#""type": "prismatic", "anchorA": {"x": 3, "y": 0}, "localAxisA": {"x": 0, "y": 4}, "collideConnected": true, "enableLimit": true, "upperLimit": 1"#,
    );
    let [Connector::Prismatic(rail), Connector::SlideLimit(limit)] = &rail[..] else { panic!("{rail:?}") };
    assert_eq!((rail.axis, limit.low, limit.high, changed), ([0.0, 1.0], Some(0.0), Some(1.0), 1));
}

#[test]
fn frequencies_are_springs_of_the_mass_that_swings() {
    let (mass, rate) = (FRAC_PI_4, TAU * 2.0);
    let soft = r#""type": "distance", "length": 2, "frequency": 2, "dampingRatio": 0.25"#;
    let found = rube(soft).expect("a scene");
    let spring = found.scene.force_laws.iter().find_map(|law| match law {
        ForceLaw::Spring { rest_length, stiffness, damping, .. } => {
            Some([*rest_length, *stiffness, *damping])
        }
        _ => None,
    });
    let [length, stiffness, damping] = spring.expect("a spring");
    assert!(length == 2.0 && close(stiffness, mass * rate * rate) && close(damping, 0.5 * mass * rate));
    let wheel = r#""type": "wheel", "anchorA": {"x": 3, "y": 0}, "localAxisA": {"x": 0, "y": 1}, "springFrequency": 2,
        "springDampingRatio": 0.25, "enableMotor": true, "motorSpeed": 3, "maxMotorTorque": 7"#;
    let (wheel, changed) = joined(wheel);
    let [Connector::Wheel(wheel)] = &wheel[..] else { panic!("{wheel:?}") };
    assert!(close(wheel.stiffness, mass * rate * rate) && close(wheel.damping, 0.5 * mass * rate));
    assert_eq!((wheel.speed, wheel.limit, changed), (Some(3.0), Some(7.0), 0));
    // Without a spring it slides along its axis, and turns.
    let loose = r#""type": "wheel", "anchorA": {"x": 3, "y": -1}, "localAxisA": {"x": 0, "y": 1}, "enableMotor": true,
        "motorSpeed": 3, "maxMotorTorque": 7"#;
    let (loose, changed) = joined(loose);
    let [Connector::Slider(slider), Connector::Motor(motor)] = &loose[..] else { panic!("{loose:?}") };
    assert_eq!((slider.axis, motor.speed, motor.limit, changed), ([0.0, 1.0], Some(3.0), Some(7.0), 0));
}

#[test]
fn joints_that_are_not_had_are_told_and_wrong_ones_refused() {
    for joint in [r#""type": "gear""#, r#""name": "x""#] {
        let found = rube(joint).expect("a scene");
        assert!(found.scene.connectors.is_empty());
        assert_eq!(notes(&found, NoteKind::NotUnderstood), 1, "{joint}");
    }
    for (joint, problem) in [
        (r#""type": "rope""#, "joint[0].maxLength: a number above 0 is needed"),
        (r#""type": "distance", "anchorA": {"x": 3, "y": 0}"#, "joint[0].length: the anchors must be apart"),
        (r#""type": "pulley""#, "joint[0].groundAnchorA: a point is needed"),
    ] {
        assert_eq!(rube(joint).expect_err(problem).to_string(), problem);
    }
}

#[test]
fn bodies_of_box2d_have_what_is_written_down() {
    let disc = r#"{"body": [{"type": 2, "massData-mass": 2, "massData-center": {"x": 0.5, "y": 0}, "massData-I": 3,
        "fixture": [{"circle": {"radius": 1}}]}]}"#;
    let found = import(disc, Format::Rube, &Options::default()).expect("a scene");
    // The moment that is written down is about the origin, that of a scene about the centre of mass.
    let body = &found.scene.bodies[0];
    assert_eq!((body.mass, body.moment, body.center_of_mass), (Some(2.0), Some(2.5), Some([0.5, 0.0])));
    let text = r#"{"body": [{"type": 2, "fixedRotation": true, "active": false, "massData-mass": 2,
        "massData-center": {"x": 0.5, "y": 0}, "massData-I": 3, "fixture": [
            {"restitution": 2, "chain": {"vertices": {"x": [0, 1, 1, 0], "y": [0, 0, 1, 0]}}}]}]}"#;
    let found = import(text, Format::Rube, &Options::default()).expect("a scene");
    // The sides of a closed chain are sticks; the mass is that of all.
    assert_eq!(found.scene.bodies.len(), 3);
    let mass: f64 = found.scene.bodies.iter().filter_map(|body| body.mass).sum();
    assert!(close(mass, 2.0), "{mass}");
    assert_eq!((notes(&found, NoteKind::Changed), notes(&found, NoteKind::NotUnderstood)), (3, 1));
    for vertices in [r#"{"x": [0], "y": [0]}"#, r#"{"x": [0, 1], "y": [0]}"#, r#"{"x": [0, 1]}"#] {
        let text = format!(r#"{{"body": [{{"fixture": [{{"chain": {{"vertices": {vertices}}}}}]}}]}}"#);
        assert!(import(&text, Format::Rube, &Options::default()).is_err(), "{vertices}");
    }
}

/// A map of 100 × 100 pixels, 10 a unit of length, with a fixed block, a disc of diameter 1 at (5.5, 7.5), and more.
fn tiled(more: &str) -> Result<Import, ImportError> {
    let block = r#"{"id": 1, "x": 0, "y": 20, "width": 20, "height": 10, "class": "fixed"}"#;
    let disc =
        r#"{"id": 2, "x": 50, "y": 20, "width": 10, "height": 10, "ellipse": true, "class": "dynamic"}"#;
    let layer = format!(r#"{{"type": "objectgroup", "objects": [{block}, {disc}, {more}]}}"#);
    let size = r#""tilewidth": 10, "tileheight": 10, "width": 10, "height": 10"#;
    import(&format!(r#"{{{size}, "layers": [{layer}]}}"#), Format::Tiled, &Options::default())
}

/// A tie of the block's centre and the disc's, which are 4.5 apart.
fn tie(class: &str, figure: &str, properties: &[(&str, f64)]) -> Result<Import, ImportError> {
    let own = properties.iter().map(|(name, value)| format!(r#", {{"name": "{name}", "value": {value}}}"#));
    let bodies = r#"{"name": "body_a", "value": 1}, {"name": "body_b", "value": 2}"#;
    let properties: String = own.collect();
    tiled(&format!(
        r#"{{"name": "tie", "class": "{class}", "x": 10, "y": 25, {figure}, "properties": [{bodies}{properties}]}}"#
    ))
}

/// From the block to the disc.
const ALONG: &str = r#""polyline": [{"x": 0, "y": 0}, {"x": 45, "y": 0}]"#;

#[test]
fn points_and_lines_of_a_map_tie_bodies() {
    let connectors = |class: &str, figure: &str, properties: &[(&str, f64)]| {
        tie(class, figure, properties).unwrap_or_else(|error| panic!("{class}: {error}")).scene.connectors
    };
    let rod = connectors("rod", ALONG, &[]);
    assert!(matches!(&rod[..], [Connector::Rod(line)] if close(line.length.unwrap_or(0.0), 4.5)), "{rod:?}");
    let rope = connectors("rope", ALONG, &[("length", 7.0)]);
    assert!(matches!(&rope[..], [Connector::Rope(line)] if line.length == Some(7.0)), "{rope:?}");
    let weld = connectors("weld", r#""point": true"#, &[]);
    assert!(matches!(&weld[..], [Connector::Weld(_)]), "{weld:?}");
    let pin = connectors("pin", r#""point": true"#, &[("speed", 2.0), ("limit", 3.0)]);
    let [Connector::Pin { .. }, Connector::Motor(motor)] = &pin[..] else { panic!("{pin:?}") };
    assert_eq!((motor.speed, motor.limit, motor.axis), (Some(2.0), Some(3.0), None));
    assert_eq!(motor.fitting.name.as_deref(), Some("tie motor"));
    let rail = connectors("prismatic", ALONG, &[("speed", 2.0)]);
    let [Connector::Prismatic(rail), Connector::Motor(motor)] = &rail[..] else { panic!("{rail:?}") };
    assert!(close(rail.axis[0], 4.5) && rail.axis[1] == 0.0, "{:?}", rail.axis);
    assert_eq!((motor.speed, motor.limit), (Some(2.0), None));
    let spring = tie("spring", ALONG, &[("stiffness", 4.0), ("damping", 1.0)]).expect("a scene");
    assert!(spring.scene.force_laws.iter().any(|law| matches!(law,
        ForceLaw::Spring { stiffness: 4.0, damping: 1.0, rest_length, .. } if close(*rest_length, 4.5))));
    assert_eq!(notes(&tie("rod", ALONG, &[("limit", 1.0)]).expect("a scene"), NoteKind::NotUnderstood), 1);
}

#[test]
fn ties_of_a_map_that_cannot_be_are_refused() {
    let at = "layers[0].objects[2]";
    let three = r#""polyline": [{"x": 0, "y": 0}, {"x": 5, "y": 0}, {"x": 9, "y": 0}]"#;
    let none = r#""polyline": [{"x": 0, "y": 0}, {"x": 0, "y": 0}]"#;
    for (class, figure, properties, problem) in [
        ("rod", three, &[][..], format!("{at}.polyline: two points are needed")),
        ("rod", none, &[][..], format!("{at}.polyline: the points must be apart")),
        ("rod", ALONG, &[("length", 0.0)][..], format!("{at}.properties[length]: a number > 0 is needed")),
        ("spring", ALONG, &[][..], format!("{at}.properties[stiffness]: a spring needs a stiffness")),
        (
            "pin",
            r#""point": true"#,
            &[("body_b", 1.5)][..],
            format!("{at}.properties[body_b]: a reference to an object is needed"),
        ),
    ] {
        assert_eq!(tie(class, figure, properties).expect_err(&problem).to_string(), problem);
    }
    let lonely = tiled(r#"{"class": "pin", "point": true}"#).expect_err("no body").to_string();
    assert_eq!(lonely, format!("{at}: a property body_a or body_b must refer to a body"));
}

#[test]
fn outlines_of_a_map_have_their_shape_and_area() {
    let (wide, dynamic) = (r#""width": 30, "height": 10"#, r#""class": "dynamic""#);
    let cases = [
        (
            format!(r#"{{"x": 50, "y": 50, {wide}, "capsule": true, {dynamic}}}"#),
            "Capsule",
            2.0 + FRAC_PI_4,
            [6.5, 4.5],
        ),
        (
            format!(r#"{{"x": 50, "y": 50, {wide}, "ellipse": true, {dynamic}}}"#),
            "Ellipse",
            3.0 * FRAC_PI_4,
            [6.5, 4.5],
        ),
        // A tile stands on its place.
        (format!(r#"{{"x": 50, "y": 50, {wide}, "gid": 4, {dynamic}}}"#), "Block", 3.0, [6.5, 5.5]),
        (
            format!(
                r#"{{"x": 50, "y": 50, "polygon": [{{"x": 0, "y": 0}}, {{"x": 20, "y": 0}}, {{"x": 0, "y": 30}}], {dynamic}}}"#
            ),
            "Polygon",
            3.0,
            [5.0, 5.0],
        ),
    ];
    for (object, shape, area, place) in cases {
        let found = tiled(&object).unwrap_or_else(|error| panic!("{object}: {error}"));
        let body = found.scene.bodies.last().expect("a body");
        assert!(format!("{:?}", body.shape).starts_with(shape), "{object}: {:?}", body.shape);
        assert!(close(body.mass.unwrap_or(0.0), area), "{object}: {:?}", body.mass);
        assert!(
            close(body.position[0], place[0]) && close(body.position[1], place[1]),
            "{object}: {:?}",
            body.position
        );
    }
    let line = r#"{"x": 50, "y": 50, "polyline": [{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 20, "y": 10}], "class": "dynamic"}"#;
    let found = tiled(line).expect("a scene");
    let sticks = found.scene.bodies.iter().filter(|body| matches!(body.shape, Shape::Capsule { .. })).count();
    assert_eq!((sticks, notes(&found, NoteKind::Changed)), (2, 1));
    let seen = tiled(r#"{"x": 5, "y": 5, "text": {"text": "hello"}}, {"x": 5, "y": 5, "point": true}"#)
        .expect("a scene");
    assert_eq!(seen.scene.bodies.len(), 2, "what is only seen is no body");
}

#[test]
fn formats_are_told_apart_by_what_they_hold() {
    for (text, format) in [
        ("<mujoco/>", Some(Format::Mjcf)),
        ("\u{feff} <map/>", Some(Format::Tiled)),
        ("<svg/>", None),
        ("<map", None),
        ("{\"layers\": [], \"body\": []}", Some(Format::Tiled)),
        ("{\"gravity\": 0}", Some(Format::Rube)),
        ("{\"bodies\": []}", None),
        ("{", None),
    ] {
        assert_eq!(Format::of(text), format, "{text}");
    }
    assert_eq!([Format::Mjcf, Format::Rube, Format::Tiled].map(|f| f.to_string()), ["mjcf", "rube", "tiled"]);
}
