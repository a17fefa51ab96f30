//! Worlds that change, made anew, and told their mistakes.

use super::LiveScene;
use crate::{Scene, SceneError};
use engine2d_sim::{Snapshot, World};

const SCENE: &str = r#"{"format": "engine2d-scene", "version": 1, "name": "yard", "duration": 5,
  "settings": {"clock": {"type": "located"}, "time_step": 0.02},
  "force_laws": [{"type": "gravity", "strength": 9.81},
                 {"type": "constant_force", "body": "swing", "force": [0.3, 0]}],
  "bodies": [
    {"name": "floor", "shape": {"type": "wall", "width": 40, "height": 1}, "fixed": true, "position": [0, -0.5]},
    {"name": "swing", "shape": {"type": "block", "width": 2, "height": 0.2}, "mass": 2, "position": [6, 3]},
    {"name": "crate", "shape": {"type": "block", "width": 1, "height": 1}, "mass": 1, "position": [-3, 0.5]}],
  "connectors": [{"type": "weld", "name": "hook", "body_a": "ground", "body_b": "swing", "point_a": [6, 3]}]}"#;

fn yard() -> (LiveScene, World) {
    LiveScene::new(Scene::from_json(SCENE).unwrap()).unwrap()
}

fn ball(name: &str, x: f64, y: f64) -> String {
    format!(
        r#"{{"name": {name:?}, "shape": {{"type": "ball", "radius": 0.4}}, "mass": 1.5, "position": [{x}, {y}], "friction": 0.3}}"#
    )
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| drop(world.advance(0.02).unwrap()));
}

#[test]
fn entries_come_and_go_in_scene_and_world() {
    let (mut live, mut world) = yard();
    run(&mut world, 10);
    let first = live.add_body(&mut world, &ball("first", 0.0, 5.0)).unwrap();
    let second = live.add_body(&mut world, &ball("second", 3.0, 5.0)).unwrap();
    assert_eq!([first.index(), second.index()], [3, 4]);
    let rod = r#"{"type": "rod", "name": "bar", "body_a": "first", "body_b": "second"}"#;
    assert_eq!(live.add_connector(&mut world, rod).unwrap(), "bar");
    let push =
        live.add_force_law(&mut world, r#"{"type": "constant_force", "body": "second", "force": [1, 0]}"#);
    assert_eq!(push.unwrap(), 2);
    run(&mut world, 20);
    let span = |world: &World| {
        (world.body("first").unwrap().position() - world.body("second").unwrap().position()).norm()
    };
    assert!((span(&world) - 3.0).abs() < 1e-6, "as long as it was when it was added: {}", span(&world));
    // A body takes along what holds it, and what pushes it.
    live.remove_body(&mut world, "second").unwrap();
    assert!(live.connectors().eq(["hook"]) && live.force_laws() == [0, 1]);
    assert!(world.joint("bar").is_err() && world.joint("hook").is_ok());
    // Its place and its name are free again.
    assert_eq!(live.add_body(&mut world, &ball("second", 3.0, 9.0)).unwrap().index(), 4);
    live.remove_connector(&mut world, "hook").unwrap();
    live.remove_force_law(&mut world, 1).unwrap();
    assert!(
        live.remove_force_law(&mut world, 1).is_err() && live.remove_connector(&mut world, "hook").is_err()
    );
    run(&mut world, 20);
    assert!(world.body("swing").unwrap().position().y < 3.0, "nothing holds it");
}

#[test]
fn a_saved_scene_goes_on_to_the_same_bits() {
    let (mut live, mut world) = yard();
    run(&mut world, 7);
    for (name, x) in [("a", 0.0), ("b", 1.5), ("c", 3.5)] {
        live.add_body(&mut world, &ball(name, x, 4.0)).unwrap();
    }
    live.add_connector(&mut world, r#"{"type": "rod", "body_a": "a", "body_b": "b"}"#).unwrap();
    run(&mut world, 9);
    let weld = r#"{"type": "weld", "name": "glue", "body_a": "b", "point_a": [1, 0], "body_b": "c", "point_b": [-1, 0]}"#;
    live.add_connector(&mut world, weld).unwrap();
    live.remove_body(&mut world, "c").unwrap();
    live.remove_body(&mut world, "crate").unwrap();
    live.add_force_law(&mut world, r#"{"type": "damping", "coefficient": 0.2}"#).unwrap();
    let lift = r#"{"name": "lift", "shape": {"type": "block", "width": 2, "height": 0.2}, "position": [-8, 1],
        "moving": {"type": "steady", "velocity": [0.5, 0.25]}}"#;
    live.add_body(&mut world, lift).unwrap();
    live.remove_body(&mut world, "swing").unwrap();
    run(&mut world, 5);
    let (text, snapshot) = (live.save().unwrap(), serde_json::to_string(&world.snapshot()).unwrap());
    let (mut other, mut again) = LiveScene::load(&text).unwrap();
    again.restore(&serde_json::from_str::<Snapshot>(&snapshot).unwrap()).unwrap();
    assert_eq!(other.save().unwrap(), text);
    for (live, world) in [(&mut live, &mut world), (&mut other, &mut again)] {
        run(world, 30);
        live.add_body(world, &ball("late", -5.0, 6.0)).unwrap();
        live.remove_body(world, "a").unwrap();
        run(world, 30);
    }
    assert_eq!(world.state(), again.state());
    let lift = again.body("lift").unwrap().position();
    assert!((lift.y - 1.0 - 0.25 * (again.time() - 16.0 * 0.02)).abs() < 1e-9, "{lift}");
}

#[test]
fn mistakes_have_paths_and_change_nothing() {
    let (mut live, mut world) = yard();
    run(&mut world, 3);
    let before = live.save().unwrap();
    let told = |error: SceneError| error.to_string();
    let mut body = |text: &str| told(live.add_body(&mut world, text).unwrap_err());
    assert!(body(r#"{"mas": 1}"#).contains("bodies[0].mas: unknown field"));
    assert!(body("[1, 2").starts_with("scene is not JSON"));
    assert!(body(&ball("swing", 0.0, 9.0)).contains("is that of"));
    assert!(body(&ball("inside", 6.1, 3.0)).contains("bodies[3]"));
    assert!(
        body(r#"{"shape": {"type": "ball", "radius": -1}, "mass": 1}"#).contains("bodies[0].shape.radius")
    );
    let other =
        r#"{"shape": {"type": "ball", "radius": 1}, "mass": 1, "position": [0, 9], "no_collide": ["flor"]}"#;
    assert!(body(other).contains("floor"), "{}", body(other));
    let repeated = r#"{"repeat": 2, "offset": [3, 0], "shape": {"type": "ball", "radius": 0.2}, "mass": 1, "position": [0, 9]}"#;
    assert!(
        body(repeated).contains("one entry at a time") || body(repeated).contains("bodies[0]"),
        "{}",
        body(repeated)
    );
    let mut joint = |text: &str| told(live.add_connector(&mut world, text).unwrap_err());
    assert!(
        joint(r#"{"type": "rod", "body_a": "swin", "body_b": "crate"}"#).contains("connectors[0].body_a")
    );
    assert!(
        joint(r#"{"type": "weld", "name": "Hook", "body_a": "swing", "body_b": "crate"}"#)
            .contains("connectors[0].name")
    );
    let law = live.add_force_law(&mut world, r#"{"type": "gravity", "strength": 1}"#).unwrap_err();
    assert!(told(law).contains("gravity"));
    assert!(told(live.remove_body(&mut world, "nobody").unwrap_err()).contains("nobody"));
    assert_eq!(live.save().unwrap(), before);
    assert_eq!((world.bodies().count(), world.joints().len()), (3, 1));
    assert!(
        LiveScene::load("{}").is_err()
            && LiveScene::load(&before.replace("\"laws\":[0,1]", "\"laws\":[0]")).is_err()
    );
}
