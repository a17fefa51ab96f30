//! States that a file may hold and no world was ever in: refused, whatever contacts they speak of.

use engine2d_sim::{Body, Settings, SimError, Snapshot, World};
use serde_json::Value;

const STEP: f64 = 1.0 / 60.0;

/// Two blocks that come to rest on each other and on the floor.
fn world(settings: Settings) -> World {
    let builder = World::builder().settings(settings).gravity(9.81).body(Body::wall(10.0, 1.0).at(0.0, -0.5));
    let blocks = builder.body(Body::block(1.0, 1.0).at(0.0, 0.5)).body(Body::block(1.0, 1.0).at(0.1, 1.5));
    let mut world = blocks.build().expect("a world");
    for _ in 0..10 {
        world.advance(STEP).expect("a step");
    }
    world
}

/// Gives every contact in a part of a state another body; returns how many there were.
fn forge(value: &mut Value, other: &Value) -> usize {
    match value {
        Value::Object(entries) => {
            let own = entries.get_mut("normal_body").map_or(0, |body| {
                *body = other.clone();
                1
            });
            own + entries.values_mut().map(|entry| forge(entry, other)).sum::<usize>()
        }
        Value::Array(list) => list.iter_mut().map(|entry| forge(entry, other)).sum(),
        _ => 0,
    }
}

#[test]
fn contacts_of_bodies_that_are_not_there_are_refused_by_each_clock() {
    for (settings, part) in [(Settings::default(), "located"), (Settings::time_stepping(), "stepping")] {
        let mut world = world(settings);
        let before = world.state();
        let mut state = serde_json::to_value(world.snapshot()).expect("a value");
        assert!(forge(&mut state[part], &serde_json::json!({ "Body": 7 })) > 0, "{part} has contacts");
        let forged: Snapshot = serde_json::from_value(state).expect("a snapshot");
        let refused = world.restore(&forged).expect_err(part);
        assert!(
            matches!(refused, SimError::Unsupported { .. } | SimError::Value { .. }),
            "{part}: {refused}"
        );
        assert!(refused.to_string().contains(part), "{refused}");
        // The world is as it was, and goes on.
        assert_eq!(world.state(), before, "{part}");
        world.advance(STEP).expect("a step");
    }
}
