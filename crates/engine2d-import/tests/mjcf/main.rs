//! Models of MJCF, piece by piece: solids, joints, ties, motors, defaults, and what is told of the rest.

mod joints;

use engine2d_import::{Format, Import, ImportError, NoteKind, Options, import};
use engine2d_scene::{Body, ForceLaw, Shape};
use std::f64::consts::{FRAC_PI_6, PI};

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
