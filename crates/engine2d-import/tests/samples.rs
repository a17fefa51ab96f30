//! The samples of `fixtures/import` become scenes that move as physics says, and what is not in them is told.

use engine2d_import::{Format, Import, NoteKind, Options, import};
use engine2d_scene::{Connector, ForceLaw};
use engine2d_sim::World;
use std::f64::consts::{FRAC_PI_6, PI, TAU};
use std::fs;
use std::path::PathBuf;

fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/import").join(name);
    fs::read_to_string(path).expect("the sample is there")
}

fn sample(name: &str, format: Format) -> Import {
    let text = text(name);
    assert_eq!(Format::of(&text), Some(format), "{name}");
    import(&text, format, &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn noted(import: &Import, kind: NoteKind) -> Vec<&str> {
    import.notes.iter().filter(|note| note.kind == kind).map(|note| note.path.as_str()).collect()
}

/// Advances to a time in steps.
fn run(world: &mut World, until: f64, mut look: impl FnMut(&World)) {
    let steps = (until / STEP).round() as u32;
    for _ in 0..steps {
        world.advance(STEP).expect("a step");
        look(world);
    }
}

const STEP: f64 = 0.01;

/// The times between crossings of a value in the same direction.
fn period(track: &[(f64, f64)]) -> f64 {
    let rises: Vec<f64> = track
        .windows(2)
        .filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0)
        .map(|pair| pair[0].0 - pair[0].1 * (pair[1].0 - pair[0].0) / (pair[1].1 - pair[0].1))
        .collect();
    (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64
}

#[test]
fn a_pendulum_of_mjcf_has_its_period() {
    let found = sample("pendulum.xml", Format::Mjcf);
    let mut world = found.scene.to_world().unwrap();
    let mut track = Vec::new();
    run(&mut world, 10.0, |world| {
        // The weights hang under the pivot where the centre of mass is below it.
        let x = world.body("pendulum").unwrap().position().x + 2.0;
        track.push((world.time(), x));
    });
    // A thin rod of 0.3 kg, a capsule of radius 0.01, and a ball of 2 kg, all about the pivot.
    let (r, h) = (0.01_f64, (0.02_f64.powi(2) + 0.99_f64.powi(2)).sqrt() / 2.0);
    let (tube, ends) = (2.0 * h, 4.0 / 3.0 * r);
    let tube_mass = 0.3 * tube / (tube + ends);
    let ends_mass = 0.3 - tube_mass;
    let rod = tube_mass * (r * r / 4.0 + h * h / 3.0) + ends_mass * (0.4 * r * r + h * h + 0.75 * h * r);
    let (rod_at, bob_at): ([f64; 2], [f64; 2]) = ([0.03, -0.505], [0.05, -1.0]);
    let arm = |at: [f64; 2]| at[0] * at[0] + at[1] * at[1];
    let moment = rod + 0.3 * arm(rod_at) + 2.0 * (0.4 * 0.01 + arm(bob_at));
    let torque = 9.81 * (0.3 * rod_at[0] + 2.0 * bob_at[0]).hypot(0.3 * rod_at[1] + 2.0 * bob_at[1]);
    // Amplitude 0.05 rad: the period is longer by 1/16 of its square.
    let amplitude = ((0.3 * 0.03 + 2.0 * 0.05) / (0.3 * 0.505 + 2.0_f64)).atan();
    let expected = TAU * (moment / torque).sqrt() * (1.0 + amplitude * amplitude / 16.0);
    let measured = period(&track);
    assert!((measured / expected - 1.0).abs() < 1e-5, "{measured} is not {expected}");
}

#[test]
fn joints_limits_and_angles_of_mjcf_are_those_of_the_model() {
    let found = sample("pendulum.xml", Format::Mjcf);
    let scene = &found.scene;
    let block = scene.bodies.iter().find(|body| body.name.as_deref() == Some("block")).unwrap();
    // Turned by 30 degrees about y, which is clockwise where z is up; 0.6 × 2 × 0.4 m³ of 1000 kg/m³.
    assert!((block.angle + FRAC_PI_6).abs() < 1e-15, "{}", block.angle);
    assert!((block.mass.unwrap() - 480.0).abs() < 1e-9);
    assert!((block.moment.unwrap() - 480.0 * (0.36 + 0.16) / 12.0).abs() < 1e-9);
    let cart = scene.bodies.iter().find(|body| body.name.as_deref() == Some("cart")).unwrap();
    assert!((cart.mass.unwrap() - 0.4 * 0.2 * 0.2 * 100.0).abs() < 1e-12, "the class gives the density");
    let limit = scene.connectors.iter().find_map(|connector| match connector {
        Connector::AngleLimit(limit) => Some((limit.low.unwrap(), limit.high.unwrap())),
        _ => None,
    });
    // About −y the angle counts counter-clockwise; the pole's own outline lies at −π.
    let (low, high) = limit.unwrap();
    assert!((high - low - 0.75 * PI).abs() < 1e-12, "{low} {high}");
    let mut world = scene.to_world().unwrap();
    let start = world.body("pole").unwrap().angle();
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    world.set_velocity("pole", [0.0, 0.0], 0.0).unwrap();
    run(&mut world, 3.0, |world| {
        let angle = world.body("pole").unwrap().angle() - start;
        (least, most) = (least.min(angle), most.max(angle));
    });
    assert!(least > -PI / 2.0 - 1e-6 && most < PI / 4.0 + 1e-6, "{least} {most}");
    let told = noted(&found, NoteKind::NotUnderstood);
    assert!(told.iter().any(|path| path.ends_with("joint[hinge]/@damping")), "{told:?}");
    assert!(told.iter().any(|path| path.ends_with("mujoco/tendon[0]")), "{told:?}");
    assert!(told.iter().any(|path| path.contains("body[block]/geom[1]")), "{told:?}");
    let line = found.notes.iter().find(|note| note.path.ends_with("joint[hinge]/@damping")).unwrap().line;
    assert_eq!(line, Some(22));
}

#[test]
fn a_stack_of_rube_stands_and_its_joints_work() {
    let found = sample("stack.json", Format::Rube);
    let mut world = found.scene.to_world().unwrap();
    let start: Vec<f64> =
        ["box", "box_2", "box_3"].map(|name| world.body(name).unwrap().position().y).to_vec();
    let (mut bob, mut furthest) = (Vec::new(), -10.0_f64);
    run(&mut world, 5.0, |world| {
        bob.push((world.time(), world.body("bob").unwrap().position().y - mean_height()));
        furthest = furthest.max(world.body("slide").unwrap().position().x);
    });
    for (name, y) in ["box", "box_2", "box_3"].iter().zip(start) {
        let body = world.body(*name).unwrap();
        assert!((body.position().y - y).abs() < 0.02 && body.position().x.abs() < 1e-3, "{name} moved");
        assert!(body.velocity().norm() < 1e-3, "{name} moves");
    }
    // The masses are density times area, 1 + 2 + 3, and rest on the ground with their weight.
    let ground = world.body("ground_").unwrap().index();
    let load: f64 = world
        .contact_forces()
        .iter()
        .filter(|force| {
            [force.id.primary, force.id.normal_body].iter().any(|body| body.index() == Some(ground))
        })
        .map(|force| force.force)
        .sum();
    assert!((load - 60.0).abs() < 1e-6, "{load}");
    // 1 Hz without damping; at the start it hangs from an unstretched spring.
    assert!((period(&bob) - 1.0).abs() < 1e-3, "{}", period(&bob));
    // The rail ends at 0.5, which the motor reaches.
    assert!((furthest + 5.5).abs() < 1e-6, "{furthest}");
    // The motor keeps 2 rad/s; the handle is welded to the disc and the two weigh what the disc does.
    let wheel = world.body("wheel").unwrap();
    assert!((wheel.angular_velocity() - 2.0).abs() < 1e-6, "{}", wheel.angular_velocity());
    let handle = world.body("wheel.handle").unwrap();
    assert!((wheel.mass() + handle.mass() - PI * 0.25).abs() < 1e-6);
    assert!((handle.angular_velocity() - 2.0).abs() < 1e-6);
    assert!((world.body("lift").unwrap().position().y - 8.0 - 0.5 * 5.0).abs() < 1e-9);
    let told = noted(&found, NoteKind::NotUnderstood);
    assert_eq!(told, ["joint[3]", "weather"]);
    assert_eq!(noted(&found, NoteKind::Changed), ["body[0].fixture[0].chain.vertices"]);
}

/// Where the bob of the stack rests: 10 m/s² by the square of 2 π/s under its start.
fn mean_height() -> f64 {
    5.0 - 10.0 / (TAU * TAU)
}

#[test]
fn maps_of_tiled_are_turned_upright_in_both_forms() {
    let json = sample("ramp.json", Format::Tiled);
    let xml = sample("ramp.tmx", Format::Tiled);
    assert_eq!(json.scene, xml.scene);
    let scene = &json.scene;
    let body = |name: &str| scene.bodies.iter().find(|body| body.name.as_deref() == Some(name)).unwrap();
    // 32 pixels a metre, y up from the lower edge of 320 pixels; degrees clockwise.
    assert!((body("block").angle + 20.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!(body("ball").position, [516.0 / 32.0, (320.0 - 48.0) / 32.0]);
    assert!((body("block").mass.unwrap() - 2.0).abs() < 1e-12);
    assert_eq!(body("ball").mass, Some(3.0));
    assert!(
        scene
            .force_laws
            .iter()
            .any(|law| matches!(law, ForceLaw::Gravity { strength, .. } if *strength == 9.81))
    );
    let mut world = scene.to_world().unwrap();
    run(&mut world, 0.2, |_| {});
    let before = world.body("block").unwrap().velocity().norm();
    run(&mut world, 0.5, |_| {});
    let after = world.body("block").unwrap().velocity().norm();
    // Down a slope of 20 degrees with a coefficient of friction of 0.1.
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let expected = 9.81 * (sin - 0.1 * cos);
    assert!(
        ((after - before) / 0.5 / expected - 1.0).abs() < 1e-6,
        "{} is not {expected}",
        (after - before) / 0.5
    );
    // It hangs under its nail, 2 m long.
    let swing = world.body("swing").unwrap();
    assert!((swing.position().x - 420.0 / 32.0).abs() < 1e-3 && (swing.position().y - 7.0).abs() < 1e-3);
    for found in [json, xml] {
        let told = noted(&found, NoteKind::NotUnderstood);
        assert_eq!(told, ["layers[0]", "layers[1].objects[1].properties[colour]"]);
    }
}

#[test]
fn the_larger_restitution_of_two_counts() {
    let text = r#"{"gravity": {"x": 0, "y": -10}, "body": [
        {"type": 0, "fixture": [{"restitution": 0, "friction": 0.9, "polygon": {"vertices": {"x": [-5, 5, 5, -5], "y": [-1, -1, 0, 0]}}}]},
        {"name": "ball", "type": 2, "position": {"x": 0, "y": 1.5},
         "fixture": [{"restitution": 0.5, "density": 1, "circle": {"center": 0, "radius": 0.5}}]}]}"#;
    let found = import(text, Format::Rube, &Options::default()).unwrap();
    let mut world = found.scene.to_world().unwrap();
    let mut up = 0.0_f64;
    run(&mut world, 0.6, |world| up = up.max(world.body("ball").unwrap().velocity().y));
    // It falls 1 m and comes back with half its speed.
    assert!((up - 0.5 * 20.0_f64.sqrt()).abs() < 0.15, "{up}");
}
