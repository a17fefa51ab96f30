//! Broken scenes and the messages they get.

use engine2d_scene::Scene;
use std::fs;

#[test]
fn every_mistake_is_told_with_its_place() {
    insta::glob!("../../../fixtures/scenes/broken", "*.json", |path| {
        let text = fs::read_to_string(path).unwrap();
        let error = Scene::from_json(&text).expect_err("the fixture is broken");
        insta::assert_snapshot!(error);
    });
}

#[test]
fn numbers_that_are_not_finite_are_mistakes_of_scenes_made_in_code() {
    use engine2d_scene::{Body, ForceLaw, Shape};
    let mut scene = Scene::new("made in code");
    scene.bodies.push(Body::new(Shape::Ball { radius: f64::NAN }).at(0.0, f64::INFINITY));
    scene.force_laws.push(ForceLaw::gravity(f64::NAN));
    insta::assert_snapshot!(scene.check().unwrap_err(), @r"
    scene is not valid (3 problems)
      bodies[0].position[1]: inf is not allowed: it must be a finite number
      bodies[0].shape.radius: NaN is not allowed: radius must be a finite number
      force_laws[0].strength: NaN is not allowed: strength must be a finite number
    ");
}
