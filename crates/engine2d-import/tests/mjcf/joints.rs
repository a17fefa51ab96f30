//! What holds bodies of MJCF: joints together, limits, motors, ties, bodies without a joint.

use super::{body, close, jointed, read, told, world};
use engine2d_import::{Import, NoteKind};
use engine2d_scene::joint::Drive;
use engine2d_scene::{BodyRef, Connector};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

#[test]
fn a_body_without_a_joint_is_one_with_what_it_is_fastened_to() {
    let found = world(
        "<body name=\"post\" pos=\"0 0 1\"><geom name=\"stone\" size=\"0.2\"/>
           <body name=\"arm\" pos=\"0 0 0.5\"><joint name=\"hinge\" axis=\"0 1 0\"/><geom size=\"0.1\" mass=\"1\"/>
             <body name=\"hand\" pos=\"2 0 0\"><geom name=\"palm\" size=\"0.1\" mass=\"1\"/></body>
           </body>
         </body>",
    );
    assert!(body(&found, "post").fixed);
    // The hand is a part of the arm: a body of its own in the scene, welded to it.
    let hand = body(&found, "arm.hand.palm");
    assert_eq!(hand.position, [2.0, 1.5]);
    let welds = found.scene.connectors.iter().filter(|c| matches!(c, Connector::Weld(_))).count();
    let pins = found.scene.connectors.iter().filter(|c| matches!(c, Connector::Pin { .. })).count();
    assert_eq!((welds, pins), (1, 1));
    let mut world = found.scene.to_world().expect("a world");
    world.advance(0.5).expect("a step");
    let apart = world.body("arm.hand.palm").expect("the hand").position()
        - world.body("arm").expect("the arm").position();
    assert!((apart.norm() - 2.0).abs() < 1e-6, "they stay together: {apart}");
}

#[test]
fn the_joints_of_a_body_together_are_one_tie() {
    let (hinge, slide) =
        ("<joint name=\"h\" axis=\"0 1 0\"/>", "<joint name=\"s\" type=\"slide\" axis=\"1 0 0\"/>");
    let up = "<joint type=\"slide\" axis=\"0 0 2\"/>";
    let cases: [(String, &[&str]); 9] = [
        (hinge.to_owned(), &["Pin"]),
        (slide.to_owned(), &["Prismatic"]),
        (format!("{slide}{hinge}"), &["Slider"]),
        (format!("{hinge}{slide}"), &["Slider"]),
        (format!("{slide}{up}"), &["Coupler"]),
        (format!("{slide}{up}{hinge}"), &[]),
        (format!("{hinge}{hinge}"), &[]),
        (format!("{slide}{slide}"), &[]),
        ("<joint type=\"free\"/>".to_owned(), &[]),
    ];
    for (joints, kinds) in cases {
        let found = jointed(&joints, "").unwrap_or_else(|error| panic!("{joints}: {error}"));
        let got: Vec<String> = found
            .scene
            .connectors
            .iter()
            .map(|c| format!("{c:?}").split(['(', ' ']).next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(got, kinds, "{joints}");
        let unclear = joints == format!("{hinge}{hinge}") || joints == format!("{slide}{slide}");
        assert_eq!(told(&found, NoteKind::NotUnderstood).len(), usize::from(unclear), "{joints}");
        let changed = joints == format!("{hinge}{slide}");
        assert_eq!(told(&found, NoteKind::Changed).len(), usize::from(changed), "{joints}");
    }
}

#[test]
fn joints_that_leave_the_plane_are_told() {
    for joint in [
        "<joint type=\"ball\"/>",
        "<joint type=\"slide\" axis=\"0 1 0\"/>",
        "<joint axis=\"1 0 0\"/><joint axis=\"0 1 1\"/>",
    ] {
        let found = jointed(joint, "").unwrap_or_else(|error| panic!("{joint}: {error}"));
        assert!(found.scene.connectors.is_empty(), "{joint}");
        let told = told(&found, NoteKind::NotUnderstood);
        // One for each joint, one for the body that is free.
        assert_eq!(told.len(), joint.matches("<joint").count() + 1, "{joint}: {told:?}");
    }
}

#[test]
fn limits_count_from_the_reference_and_can_be_off() {
    let limits = |joint: &str, compiler: &str| {
        let found = jointed(joint, compiler).unwrap_or_else(|error| panic!("{joint}: {error}"));
        found.scene.connectors.iter().find_map(|connector| match connector {
            Connector::AngleLimit(limit) => {
                Some((limit.low.unwrap_or(f64::NAN), limit.high.unwrap_or(f64::NAN)))
            }
            Connector::SlideLimit(limit) => {
                Some((limit.low.unwrap_or(f64::NAN), limit.high.unwrap_or(f64::NAN)))
            }
            _ => None,
        })
    };
    let hinge = |more: &str| format!("<joint axis=\"0 -1 0\" range=\"-90 30\" {more}/>");
    let near = |got: Option<(f64, f64)>, low: f64, high: f64| {
        let (l, h) = got.expect("a limit");
        assert!(close(l, low) && close(h, high), "{l} {h}");
    };
    near(limits(&hinge(""), ""), -FRAC_PI_2, FRAC_PI_6);
    near(limits(&hinge("ref=\"30\""), ""), -FRAC_PI_2 - FRAC_PI_6, 0.0);
    near(limits("<joint axis=\"0 1 0\" range=\"-1 2\"/>", "<compiler angle=\"radian\"/>"), -2.0, 1.0);
    near(limits("<joint type=\"slide\" axis=\"0 0 3\" range=\"-1 2\" ref=\"0.5\"/>", ""), -1.5, 1.5);
    assert_eq!(limits(&hinge("limited=\"false\""), ""), None);
    assert_eq!(limits(&hinge(""), "<compiler autolimits=\"false\"/>"), None);
    near(limits(&hinge("limited=\"true\""), "<compiler autolimits=\"false\"/>"), -FRAC_PI_2, FRAC_PI_6);
    assert!(jointed("<joint axis=\"0 1 0\" range=\"1 1\"/>", "").is_err());
}

#[test]
fn motors_drive_joints() {
    let hinge = "<joint name=\"h\" axis=\"0 1 0\"/>";
    let slide = "<joint name=\"h\" type=\"slide\" axis=\"0 0 1\"/>";
    let cases = [
        (
            hinge,
            "<motor joint=\"h\" gear=\"2\" ctrlrange=\"-3 5\"/>",
            Drive::Angle,
            Some(0.0),
            None,
            Some(10.0),
            false,
        ),
        (
            hinge,
            "<velocity joint=\"h\" forcerange=\"-4 4\" kv=\"2\"/>",
            Drive::Angle,
            Some(0.0),
            None,
            Some(4.0),
            true,
        ),
        (
            slide,
            "<position joint=\"h\" forcerange=\"-4 4\" kp=\"2\"/>",
            Drive::Travel,
            None,
            Some(0.0),
            Some(4.0),
            true,
        ),
        (slide, "<motor joint=\"h\"/>", Drive::Travel, Some(0.0), None, None, false),
    ];
    for (joint, motor, drive, speed, place, limit, enabled) in cases {
        let found = jointed(joint, &format!("<actuator>{motor}</actuator>")).expect(motor);
        let got = found
            .scene
            .connectors
            .iter()
            .find_map(|c| if let Connector::Motor(m) = c { Some(m) } else { None });
        let got = got.expect(motor);
        assert_eq!((got.drive, got.speed, got.place, got.limit), (drive, speed, place, limit), "{motor}");
        assert_eq!((got.fitting.enabled, told(&found, NoteKind::Changed).len()), (enabled, 1), "{motor}");
    }
    let unknown =
        jointed(hinge, "<actuator><general joint=\"h\"/><motor tendon=\"t\"/></actuator>").expect("a scene");
    assert_eq!(told(&unknown, NoteKind::NotUnderstood).len(), 2);
    let error =
        jointed(hinge, "<actuator><motor joint=\"q\"/></actuator>").expect_err("no such joint").to_string();
    assert!(error.ends_with("no joint of the plane is named \"q\""), "{error}");
}

#[test]
fn ties_and_exclusions_name_bodies() {
    let two = |more: &str| {
        read(&format!(
            "<worldbody><body name=\"left\" pos=\"-1 0 0\"><freejoint/><geom size=\"0.5\"/></body>
             <body name=\"right\" pos=\"1 0 0\"><freejoint/><geom size=\"0.5\"/></body></worldbody>{more}"
        ))
    };
    let found = two("<equality><connect name=\"pin\" body1=\"left\" body2=\"right\" anchor=\"1 0 0\" solref=\"1\"/>
         <weld body1=\"right\"/><connect site1=\"s\" site2=\"t\"/><tendon/><weld body1=\"left\" active=\"false\"/></equality>")
    .expect("a scene");
    let [Connector::Pin { point_a, point_b, .. }, Connector::Weld(weld)] = &found.scene.connectors[..] else {
        panic!("{:?}", found.scene.connectors)
    };
    // The anchor is in coordinates of the first body: the middle of the two.
    assert_eq!([*point_a, *point_b], [[1.0, 0.0], [-1.0, 0.0]]);
    assert_eq!(weld.ends.body_a, BodyRef::ground());
    assert_eq!(told(&found, NoteKind::NotUnderstood).len(), 3);
    let met = |found: &Import| {
        let mut world = found.scene.to_world().expect("a world");
        world.set_velocity("left", [4.0, 0.0], 0.0).expect("a body");
        world.advance(1.0).expect("a step");
        world.body("right").expect("a body").velocity().x > 0.0
    };
    assert!(met(&two("<option gravity=\"0 0 0\"/>").expect("a scene")), "they meet");
    let apart = two(
        "<option gravity=\"0 0 0\"/><contact><exclude name=\"x\" body1=\"left\" body2=\"right\"/></contact>",
    );
    assert!(!met(&apart.expect("a scene")), "they pass through each other");
    let odd =
        two("<contact><pair geom1=\"g\" geom2=\"h\"/><exclude body1=\"left\" body2=\"world\"/></contact>");
    assert_eq!(told(&odd.expect("a scene"), NoteKind::NotUnderstood).len(), 2);
    let error = two("<equality><weld body1=\"lefd\"/></equality>").expect_err("no such body").to_string();
    assert!(error.ends_with("no body is named \"lefd\"; did you mean \"left\"?"), "{error}");
    let error = two("<contact><exclude body1=\"left\"/></contact>").expect_err("one body").to_string();
    assert!(error.ends_with("the name of a body is needed"), "{error}");
}
