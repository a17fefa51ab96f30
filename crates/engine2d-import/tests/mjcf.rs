//! Models of MJCF, piece by piece: solids, joints, ties, motors, defaults, and what is told of the rest.

use engine2d_import::{Format, Import, ImportError, NoteKind, Options, import};
use engine2d_scene::joint::Drive;
use engine2d_scene::{Body, BodyRef, Connector, ForceLaw, Shape};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6, PI};

/// Where numbers that are computed in two ways may differ, relative.
const ROUNDING: f64 = 1e-12;

fn read(model: &str) -> Result<Import, ImportError> {
    import(&format!("<mujoco>{model}</mujoco>"), Format::Mjcf, &Options::default())
}

/// The import of what is in the world.
fn world(bodies: &str) -> Import {
    read(&format!("<worldbody>{bodies}</worldbody>")).unwrap_or_else(|error| panic!("{bodies}: {error}"))
}

/// The import of a body `a` that a joint or more hold, with what follows the world.
fn jointed(joints: &str, more: &str) -> Result<Import, ImportError> {
    let body = format!("<body name=\"a\" pos=\"1 0 2\">{joints}<geom size=\"0.5\"/></body>");
    read(&format!("<worldbody>{body}</worldbody>{more}"))
}

fn body<'a>(found: &'a Import, name: &str) -> &'a Body {
    found.scene.bodies.iter().find(|body| body.name.as_deref() == Some(name)).expect("the body is there")
}

fn told(found: &Import, kind: NoteKind) -> Vec<String> {
    found.notes.iter().filter(|note| note.kind == kind).map(|note| note.path.clone()).collect()
}

fn close(got: f64, want: f64) -> bool {
    (got - want).abs() <= ROUNDING * want.abs().max(1.0)
}

#[test]
fn solids_have_their_outline_and_the_mass_they_have_in_space() {
    let tube = |r: f64, h: f64| PI * r * r * 2.0 * h;
    let round = |r: f64| 4.0 / 3.0 * PI * r * r * r;
    let capsule = |r: f64, h: f64| {
        let (t, e) = (tube(r, h), round(r));
        t * (r * r / 4.0 + h * h / 3.0) + e * (0.4 * r * r + h * h + 0.75 * h * r)
    };
    // Density 2: outline, mass and moment by the formulas of solids; the last column is the plane.
    let (z, y) = ("0 1 0", "0 0 1");
    let cases: [(&str, Shape, f64, f64, &str); 10] = [
        ("type=\"sphere\" size=\"0.5\"", Shape::Ball { radius: 0.5 }, round(0.5), 0.4 * 0.25 * round(0.5), z),
        (
            "type=\"capsule\" size=\"0.2 0.6\"",
            Shape::Capsule { length: 1.2, radius: 0.2 },
            tube(0.2, 0.6) + round(0.2),
            capsule(0.2, 0.6),
            z,
        ),
        (
            "type=\"capsule\" size=\"0.2 0.6\"",
            Shape::Ball { radius: 0.2 },
            tube(0.2, 0.6) + round(0.2),
            tube(0.2, 0.6) * 0.02 + round(0.2) * 0.4 * 0.04,
            y,
        ),
        (
            "type=\"cylinder\" size=\"0.2 0.6\"",
            Shape::Block { width: 1.2, height: 0.4 },
            tube(0.2, 0.6),
            tube(0.2, 0.6) * (0.01 + 0.12),
            z,
        ),
        (
            "type=\"cylinder\" size=\"0.2 0.6\"",
            Shape::Ball { radius: 0.2 },
            tube(0.2, 0.6),
            tube(0.2, 0.6) * 0.02,
            y,
        ),
        (
            "type=\"cylinder\" size=\"0.2\" fromto=\"0 -3 0 0 3 0\"",
            Shape::Ball { radius: 0.2 },
            tube(0.2, 3.0),
            tube(0.2, 3.0) * 0.02,
            z,
        ),
        (
            "type=\"box\" size=\"0.1 0.2 0.3\"",
            Shape::Block { width: 0.2, height: 0.6 },
            8.0 * 0.006,
            8.0 * 0.006 * 0.1 / 3.0,
            z,
        ),
        (
            "type=\"box\" size=\"0.1 0.2 0.3\"",
            Shape::Block { width: 0.2, height: 0.4 },
            8.0 * 0.006,
            8.0 * 0.006 * 0.05 / 3.0,
            y,
        ),
        (
            "type=\"ellipsoid\" size=\"0.1 0.2 0.3\"",
            Shape::Ellipse { width: 0.2, height: 0.6, tolerance: None },
            4.0 / 3.0 * PI * 0.006,
            4.0 / 3.0 * PI * 0.006 * 0.02,
            z,
        ),
        (
            "type=\"ellipsoid\" size=\"0.2 0.2 0.3\"",
            Shape::Ball { radius: 0.2 },
            4.0 / 3.0 * PI * 0.012,
            4.0 / 3.0 * PI * 0.012 * 0.016,
            y,
        ),
    ];
    for (geom, shape, volume, moment, axis) in cases {
        let joint = format!("<joint type=\"hinge\" axis=\"{axis}\"/>");
        let found = world(&format!("<body name=\"a\">{joint}<geom {geom} density=\"2\"/></body>"));
        let body = body(&found, "a");
        match (&body.shape, &shape) {
            (Shape::Capsule { length, radius }, Shape::Capsule { length: l, radius: r }) => {
                assert!(close(*length, *l) && close(*radius, *r), "{geom}");
            }
            (Shape::Block { width, height }, Shape::Block { width: w, height: h }) => {
                assert!(close(*width, *w) && close(*height, *h), "{geom}: {:?}", body.shape);
            }
            (Shape::Ellipse { width, height, .. }, Shape::Ellipse { width: w, height: h, .. }) => {
                assert!(close(*width, *w) && close(*height, *h), "{geom}: {:?}", body.shape);
            }
            (got, want) => assert_eq!(got, want, "{geom}"),
        }
        let (m, j) = (body.mass.expect("a mass"), body.moment.expect("a moment"));
        assert!(close(m, 2.0 * volume) && close(j, 2.0 * moment), "{geom} about {axis}: {m} {j}");
    }
}

#[test]
fn a_given_mass_takes_the_place_of_that_of_the_solids() {
    let found = world(
        "<body name=\"a\"><freejoint/><inertial pos=\"0.1 0 0.2\" mass=\"3\" diaginertia=\"1 2 4\"/><geom size=\"0.5\"/></body>
         <body name=\"b\" pos=\"3 0 0\"><freejoint/><inertial mass=\"3\" fullinertia=\"1 5 4 0 0 0\"/><geom size=\"0.5\"/></body>",
    );
    let (a, b) = (body(&found, "a"), body(&found, "b"));
    let center = a.center_of_mass.expect("a centre");
    assert!(close(center[0], 0.1) && close(center[1], 0.2), "{center:?}");
    assert_eq!((a.mass, a.moment), (Some(3.0), Some(2.0)));
    assert_eq!((b.mass, b.moment), (Some(3.0), Some(5.0)), "about y");
    for wrong in ["mass=\"0\" diaginertia=\"1 1 1\"", "mass=\"1\"", "mass=\"1\" diaginertia=\"1 0 1\""] {
        let text =
            format!("<worldbody><body><freejoint/><inertial {wrong}/><geom size=\"1\"/></body></worldbody>");
        assert!(matches!(read(&text), Err(ImportError::Value { .. })), "{wrong}");
    }
}

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
    let cases: [(&str, &str, Drive, Option<f64>, Option<f64>, Option<f64>, bool); 4] = [
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

#[test]
fn turns_are_read_in_every_form_and_those_out_of_the_plane_told() {
    // Angles about y, which is clockwise where z is up.
    let cases = [
        ("quat=\"0.5 0 0.8660254037844386 0\"", -2.0 * PI / 3.0, 0),
        ("quat=\"1 0 0 0\"", 0.0, 0),
        ("axisangle=\"0 -1 0 30\"", FRAC_PI_6, 0),
        ("euler=\"0 -30 0\"", FRAC_PI_6, 0),
        ("euler=\"0 0 0\"", 0.0, 0),
        ("quat=\"0.5 0.5 0.5 0.5\"", 0.0, 1),
        ("axisangle=\"1 0 0 30\"", 0.0, 1),
        ("euler=\"10 20 0\"", 0.0, 1),
    ];
    for (turn, angle, notes) in cases {
        let found =
            world(&format!("<body name=\"a\" {turn}><freejoint/><geom type=\"box\" size=\"1 1 2\"/></body>"));
        assert!(close(body(&found, "a").angle, angle), "{turn}: {}", body(&found, "a").angle);
        assert_eq!(told(&found, NoteKind::NotUnderstood).len(), notes, "{turn}");
    }
}

#[test]
fn gravity_and_floors_are_those_of_the_plane() {
    let gravity = |found: &Import| {
        found.scene.force_laws.iter().find_map(|law| match law {
            ForceLaw::Gravity { strength, .. } => Some(*strength),
            _ => None,
        })
    };
    let hinge = "<worldbody><geom type=\"plane\" size=\"0 0 1\"/><body><joint axis=\"0 0 1\"/><geom size=\"1\"/></body></worldbody>";
    let across = read(&format!("<option gravity=\"0 -3 -9\"/>{hinge}")).expect("a scene");
    assert_eq!(gravity(&across), Some(3.0));
    let told = told(&across, NoteKind::NotUnderstood);
    assert!(told.contains(&"mujoco/option/@gravity".to_owned()), "{told:?}");
    assert_eq!(told.len(), 2, "gravity and the floor lie across the plane: {told:?}");
    assert_eq!(gravity(&read(hinge).expect("a scene")), Some(9.81));
    let upright = world("<geom type=\"plane\" size=\"4 4 1\" pos=\"0 0 1\"/>");
    assert_eq!(upright.scene.bodies[0].position, [0.0, 0.5], "its surface is where the plane is");
    // What gravity has along x is a force on each body.
    let slanted = jointed("<freejoint/>", "<option gravity=\"2 0 -9\"/>").expect("a scene");
    let mass = body(&slanted, "a").mass.expect("a mass");
    let along = slanted.scene.force_laws.iter().find_map(|law| match law {
        ForceLaw::ConstantForce { force, .. } => Some(*force),
        _ => None,
    });
    assert_eq!(along, Some([2.0 * mass, 0.0]));
}

#[test]
fn defaults_go_down_the_classes() {
    let defaults = "<default><geom density=\"10\" size=\"0.5\"/><default class=\"big\"><geom size=\"1\"/></default></default>";
    let found = read(&format!(
        "{defaults}<worldbody><body name=\"a\"><freejoint/><geom/></body>
         <body name=\"b\" pos=\"3 0 0\" childclass=\"big\"><freejoint/><geom/></body>
         <body name=\"c\" pos=\"9 0 0\"><freejoint/><geom class=\"big\" density=\"20\"/></body></worldbody>"
    ))
    .expect("a scene");
    let sphere = |r: f64| 4.0 / 3.0 * PI * r * r * r;
    for (name, mass) in [("a", 10.0 * sphere(0.5)), ("b", 10.0 * sphere(1.0)), ("c", 20.0 * sphere(1.0))] {
        assert!(close(body(&found, name).mass.unwrap_or(0.0), mass), "{name}");
    }
    let errors = [
        ("<default><default><geom size=\"1\"/></default></default>", "a name is needed"),
        (
            "<worldbody><geom class=\"none\" size=\"1\"/></worldbody>",
            "no class of defaults is named \"none\"",
        ),
        ("<compiler angle=\"grad\"/>", "degree or radian is needed"),
        ("<compiler coordinate=\"global\"/>", "only local coordinates are had"),
        ("<worldbody><geom size=\"-1\"/></worldbody>", "a geom of type sphere needs sizes above 0"),
        ("<worldbody><geom size=\"1\" mass=\"-1\"/></worldbody>", "a mass ≥ 0 is needed, not -1"),
        ("<worldbody><geom size=\"1\" friction=\"-1\"/></worldbody>", "a number ≥ 0 is needed"),
        ("<worldbody><geom size=\"one\"/></worldbody>", "numbers are needed, not \"one\""),
    ];
    for (text, problem) in errors {
        let error = read(text).expect_err(problem).to_string();
        assert!(error.ends_with(problem), "{error} is not {problem}");
    }
    assert!(import("<model/>", Format::Mjcf, &Options::default()).is_err());
}

#[test]
fn pieces_without_motion_are_told_as_such() {
    let found = read(
        "<option integrator=\"RK4\" wind=\"1 0 0\"><flag/></option><visual/><asset/><mystery/>
         <worldbody><light/><geom size=\"1\" rgba=\"1 0 0 1\" friction=\"1 0.1\"/><geom type=\"mesh\" mesh=\"m\"/>
         <geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 1 1 0\"/><composite/></worldbody>",
    )
    .expect("a scene");
    let idle = told(&found, NoteKind::NoMotion);
    assert_eq!(idle.len(), 5, "integrator, visual, asset, light, colour: {idle:?}");
    let lost = told(&found, NoteKind::NotUnderstood);
    assert_eq!(
        lost.len(),
        7,
        "wind, flag, mystery, friction of turning, mesh, a capsule out of the plane, composite: {lost:?}"
    );
    for note in &found.notes {
        let line = note.to_string();
        assert!(line.contains(&note.path) && line.contains(&note.kind.to_string()), "{line}");
        assert_eq!(note.kind.matters(), note.kind != NoteKind::NoMotion);
    }
}
