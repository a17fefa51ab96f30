//! Parameters by name and observers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Body, CollisionHandling, Settings, World};
use engine2d_watch::{Changes, News, Parameter, ParameterValue, Session, TextObserver, WatchError};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

fn session() -> Session {
    let world = World::builder()
        .gravity(9.81)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 1.0))
        .build()
        .unwrap();
    Session::new(world)
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
    let mut session = session();
    for parameter in session.parameters() {
        assert_eq!(parameter.name, parameter.name.to_lowercase());
        session.set_parameter(&parameter.name, parameter.value.clone()).unwrap();
        assert_eq!(session.parameter(&parameter.name).unwrap(), parameter);
    }
}

#[test]
fn a_parameter_set_by_name_is_a_setting() {
    let mut session = session();
    session.set_parameter("collision handling", ParameterValue::Choice("hybrid".to_owned())).unwrap();
    session.set_parameter("distance-tol", ParameterValue::Number(0.002)).unwrap();
    assert_eq!(session.settings().collision_handling, CollisionHandling::Hybrid);
    assert_eq!(session.settings().tolerances.distance, 0.002);
    assert_eq!(session.body(1).unwrap().collision_body().tolerances.distance, 0.002);
}

#[test]
fn parameters_are_named_like_the_fields_and_former_names_are_understood() {
    let mut session = session();
    let names: Vec<String> = session.parameters().into_iter().map(|p| p.name).collect();
    assert!(names.iter().all(|name| *name == name.to_lowercase()), "{names:?}");
    let fields = format!("{:?}", session.settings());
    for name in &names {
        // Tolerances are fields of their own struct: distance, velocity, accuracy.
        let field = match name.as_str() {
            "collision_accuracy" => "accuracy",
            name => name.trim_end_matches("_tolerance"),
        };
        assert!(fields.contains(&format!(" {field}: ")), "{name} is no field: {fields}");
    }
    for (former, now) in [("EXTRA_ACCEL", "extra_acceleration"), ("PE-offset", "potential_offset")] {
        assert_eq!(session.parameter(former).unwrap(), session.parameter(now).unwrap());
    }
    session.set_parameter("RANDOM_SEED", ParameterValue::Number(5.0)).unwrap();
    assert_eq!(session.settings().seed, 5);
}

#[test]
fn mistakes_are_typed_and_change_nothing() {
    let mut session = session();
    let before = session.settings().clone();
    assert!(matches!(
        session.set_parameter("GRAVITY", ParameterValue::Number(1.0)),
        Err(WatchError::UnknownParameter { .. })
    ));
    for (name, value) in [
        ("DISTANCE_TOL", ParameterValue::Number(-1.0)),
        ("DISTANCE_TOL", ParameterValue::Flag(true)),
        ("COLLISION_ACCURACY", ParameterValue::Number(1.5)),
        ("COLLISION_HANDLING", ParameterValue::Choice("none".to_owned())),
    ] {
        assert!(matches!(session.set_parameter(name, value), Err(WatchError::ParameterValue { .. })));
    }
    // Allowed by the limits, refused by the settings.
    assert!(session.set_parameter("TIME_STEP", ParameterValue::Number(0.0)).is_err());
    assert_eq!(*session.settings(), before);
    assert!(session.announce_parameter("nothing").is_err());
}

#[test]
fn users_register_and_remove_their_own() {
    let mut session = session();
    let wind = || Parameter::number("wind speed", "speed of the wind (length/time)", 3.0, Some(0.0), None);
    session.add_parameter(wind()).unwrap();
    assert!(matches!(session.add_parameter(wind()), Err(WatchError::DuplicateParameter { .. })));
    session.set_parameter("Wind Speed", ParameterValue::Number(4.0)).unwrap();
    assert_eq!(session.parameter("WIND_SPEED").unwrap().value, ParameterValue::Number(4.0));
    assert!(session.set_parameter("wind speed", ParameterValue::Number(-1.0)).is_err());
    session.remove_parameter("wind_speed").unwrap();
    assert!(session.parameter("wind speed").is_err());
    assert!(session.remove_parameter("TIME_STEP").is_err());
}

#[test]
fn observers_hear_of_events_and_changes_in_order() {
    let (mut session, log) = (session(), Log::default());
    session.subscribe(TextObserver::new(log.clone()));
    session.save_initial_state().unwrap();
    session.set_parameter("PE_OFFSET", ParameterValue::Number(2.0)).unwrap();
    for _ in 0..20 {
        session.advance(0.025).unwrap();
    }
    session.muted().set_restitution(0.1).unwrap();
    session.set_restitution(0.2).unwrap();
    session.add_body(Body::ball(0.1).at(3.0, 3.0)).unwrap();
    session.remove_body(2).unwrap();
    session.reset().unwrap();
    let lines = log.lines();
    assert_eq!(lines[0], "0.000000 s  initial state saved");
    assert_eq!(lines[1], "0.000000 s  potential_offset = 2");
    assert!(lines[2].contains("collision"), "{}", lines[2]);
    assert_eq!(lines.iter().filter(|l| l.contains("restitution")).count(), 1);
    let tail: Vec<&str> = lines[lines.len() - 3..].iter().map(|l| l.split("s  ").nth(1).unwrap()).collect();
    assert_eq!(tail, ["body 2 added", "body 2 removed", "reset"]);
}

#[test]
fn subscriptions_made_during_a_notification_hold_from_the_next_one() {
    let (mut session, log) = (session(), Log::default());
    let late = log.clone();
    let id = session.subscribe(move |_: f64, _: &News<'_>, changes: &mut Changes| {
        changes.subscribe(TextObserver::new(late.clone()));
    });
    session.set_restitution(0.1).unwrap();
    assert!(log.lines().is_empty());
    assert!(session.unsubscribe(id) && !session.unsubscribe(id));
    session.set_restitution(0.3).unwrap();
    assert_eq!(log.lines(), ["0.000000 s  restitution of all bodies = 0.3"]);
}

#[test]
fn the_seed_starts_the_generator_anew_also_at_its_present_value() {
    // A block that falls flat has two collisions at once, in an order that is drawn.
    let settings = Settings {
        seed: 7,
        collision_handling: CollisionHandling::SerialSeparate,
        ..Settings::backtracking()
    };
    let world = World::builder()
        .settings(settings)
        .gravity(9.81)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::block(1.0, 1.0).at(0.0, 1.0))
        .build()
        .unwrap();
    let mut session = Session::new(world);
    let beginning = session.inspect().generator().clone();
    session.advance(1.0).unwrap();
    assert_ne!(*session.inspect().generator(), beginning);
    session.set_parameter("PE_OFFSET", ParameterValue::Number(1.0)).unwrap();
    assert_ne!(*session.inspect().generator(), beginning, "another parameter leaves it alone");
    session.set_parameter("random seed", ParameterValue::Number(7.0)).unwrap();
    assert_eq!(*session.inspect().generator(), beginning);
}

#[test]
fn reset_returns_to_the_initial_state() {
    let mut session = session();
    assert!(matches!(session.reset(), Err(WatchError::NoInitialState)));
    session.save_initial_state().unwrap();
    let start = session.state();
    for _ in 0..20 {
        session.advance(0.025).unwrap();
    }
    assert_ne!(session.state(), start);
    session.reset().unwrap();
    assert_eq!((session.state(), session.time(), session.inspect().totals().steps), (start, 0.0, 0));
}
