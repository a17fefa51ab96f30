//! Parameters by name and observers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{
    Body, Changes, CollisionHandling, Notification, Parameter, ParameterValue, SimError, TextObserver, World,
};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

fn world() -> World {
    World::builder()
        .gravity(9.81)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 1.0))
        .build()
        .unwrap()
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn lines(&self) -> Vec<String> {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap().lines().map(str::to_owned).collect()
    }
}

#[test]
fn every_parameter_takes_its_own_value_back() {
    let mut world = world();
    for parameter in world.parameters() {
        assert_eq!(parameter.name, parameter.name.to_uppercase());
        world.set_parameter(&parameter.name, parameter.value.clone()).unwrap();
        assert_eq!(world.parameter(&parameter.name).unwrap(), parameter);
    }
}

#[test]
fn a_parameter_set_by_name_is_a_setting() {
    let mut world = world();
    world.set_parameter("collision handling", ParameterValue::Choice("hybrid".to_owned())).unwrap();
    world.set_parameter("distance-tol", ParameterValue::Number(0.002)).unwrap();
    assert_eq!(world.settings().collision_handling, CollisionHandling::Hybrid);
    assert_eq!(world.settings().tolerances.distance, 0.002);
    assert_eq!(world.body(1).unwrap().collision_body().tolerances.distance, 0.002);
}

#[test]
fn mistakes_are_typed_and_change_nothing() {
    let mut world = world();
    let before = world.settings().clone();
    assert!(matches!(
        world.set_parameter("GRAVITY", ParameterValue::Number(1.0)),
        Err(SimError::UnknownParameter { .. })
    ));
    for (name, value) in [
        ("DISTANCE_TOL", ParameterValue::Number(-1.0)),
        ("DISTANCE_TOL", ParameterValue::Flag(true)),
        ("COLLISION_ACCURACY", ParameterValue::Number(1.5)),
        ("COLLISION_HANDLING", ParameterValue::Choice("none".to_owned())),
    ] {
        assert!(matches!(world.set_parameter(name, value), Err(SimError::ParameterValue { .. })));
    }
    // Allowed by the limits, refused by the settings.
    assert!(world.set_parameter("TIME_STEP", ParameterValue::Number(0.0)).is_err());
    assert_eq!(*world.settings(), before);
    assert!(world.announce_parameter("nothing").is_err());
}

#[test]
fn users_register_and_remove_their_own() {
    let mut world = world();
    let wind = || Parameter::number("wind speed", "speed of the wind (length/time)", 3.0, Some(0.0), None);
    world.add_parameter(wind()).unwrap();
    assert!(matches!(world.add_parameter(wind()), Err(SimError::DuplicateParameter { .. })));
    world.set_parameter("Wind Speed", ParameterValue::Number(4.0)).unwrap();
    assert_eq!(world.parameter("WIND_SPEED").unwrap().value, ParameterValue::Number(4.0));
    assert!(world.set_parameter("wind speed", ParameterValue::Number(-1.0)).is_err());
    world.remove_parameter("wind_speed").unwrap();
    assert!(world.parameter("wind speed").is_err());
    assert!(world.remove_parameter("TIME_STEP").is_err());
}

#[test]
fn observers_hear_of_events_and_changes_in_order() {
    let (mut world, log) = (world(), Log::default());
    world.subscribe(TextObserver::new(log.clone()));
    world.save_initial_state();
    world.set_parameter("PE_OFFSET", ParameterValue::Number(2.0)).unwrap();
    for _ in 0..20 {
        world.advance(0.025).unwrap();
    }
    world.silenced().set_elasticity(0.1).unwrap();
    world.set_elasticity(0.2).unwrap();
    world.add_body(Body::ball(0.1).at(3.0, 3.0)).unwrap();
    world.remove_body(2).unwrap();
    world.reset().unwrap();
    let lines = log.lines();
    assert_eq!(lines[0], "0.000000 s  initial state saved");
    assert_eq!(lines[1], "0.000000 s  PE_OFFSET = 2");
    assert!(lines[2].contains("collision"), "{}", lines[2]);
    assert_eq!(lines.iter().filter(|l| l.contains("elasticity")).count(), 1);
    let tail: Vec<&str> = lines[lines.len() - 3..].iter().map(|l| l.split("s  ").nth(1).unwrap()).collect();
    assert_eq!(tail, ["body 2 added", "body 2 removed", "reset"]);
}

#[test]
fn subscriptions_made_during_a_notification_hold_from_the_next_one() {
    let (mut world, log) = (world(), Log::default());
    let late = log.clone();
    let id = world.subscribe(move |_: f64, _: &Notification<'_>, changes: &mut Changes| {
        changes.subscribe(TextObserver::new(late.clone()));
    });
    world.set_elasticity(0.1).unwrap();
    assert!(log.lines().is_empty());
    assert!(world.unsubscribe(id) && !world.unsubscribe(id));
    world.set_elasticity(0.3).unwrap();
    assert_eq!(log.lines(), ["0.000000 s  elasticity of all bodies = 0.3"]);
}
