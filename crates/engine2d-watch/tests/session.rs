//! A session: what it tells, to whom, and what it is without those who watch.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_math::Vec2;
use engine2d_sim::{Attachment, Body, ForceLaw, Settings, StepReport, World};
use engine2d_watch::{
    Changes, DisplayItem, ForceSource, History, News, Observer, Parameter, ParameterKind, ParameterValue,
    SHOWN_CIRCLE, Session, Shown, TextObserver, WatchError,
};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

fn session() -> Session {
    let world = World::builder()
        .settings(Settings::backtracking())
        .gravity(10.0)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(0.0, 1.0).named("ball"))
        .build()
        .unwrap();
    Session::new(world)
}

/// What is heard and seen, in order.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn push(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Observer for Heard {
    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        self.push(format!("step to {:.1}", world.time()));
        Ok(())
    }

    fn display(&mut self, items: &[DisplayItem]) {
        self.push(format!("{} shown", items.len()));
    }

    fn news(&mut self, _: f64, news: &News<'_>, _: &mut Changes) -> io::Result<()> {
        self.push(news.to_string());
        Ok(())
    }
}

/// Looks on and does nothing.
struct Idle;

impl Observer for Idle {}

/// Takes no bytes.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn everything_that_is_done_is_told() {
    let (mut session, heard) = (session(), Heard::default());
    session.subscribe(Idle);
    session.subscribe(heard.clone());
    session.show(Shown::Circle { center: Vec2::new(1.0, 1.0), radius: 0.2 }, 0.05);
    session.save_initial_state().unwrap();
    session.advance(0.1).unwrap();
    assert_eq!(heard.take(), ["initial state saved", "1 shown", "step to 0.1"]);
    session.advance(0.1).unwrap();
    assert_eq!(heard.take(), ["0 shown", "step to 0.2"], "the circle has expired");
    let id = session.add_body(Body::ball(0.1).at(3.0, 3.0)).unwrap();
    session.remove_body(id).unwrap();
    session.reset().unwrap();
    session.clear().unwrap();
    assert_eq!(heard.take(), ["body 2 added", "body 2 removed", "reset", "cleared"]);
    assert_eq!(session.bodies().count(), 0);
    assert!(matches!(session.reset(), Err(WatchError::NoInitialState)), "clearing forgets the state");
}

#[test]
fn refused_changes_are_told_to_nobody() {
    let (mut session, heard) = (session(), Heard::default());
    session.subscribe(heard.clone());
    let error = session.remove_body("nobody").unwrap_err();
    assert!(matches!(error, WatchError::Simulation(_)));
    assert!(error.to_string().starts_with("the simulation stopped: "), "{error}");
    assert!(session.add_body(Body::ball(-1.0)).is_err());
    assert!(session.set_restitution(-0.5).is_err());
    assert!(session.advance(-1.0).is_err());
    assert!(heard.take().is_empty());
}

#[test]
fn who_cannot_write_keeps_nobody_from_hearing() {
    let (mut session, heard) = (session(), Heard::default());
    let broken = session.subscribe(TextObserver::new(Broken));
    session.subscribe(heard.clone());
    let error = session.set_restitution(0.2).unwrap_err();
    assert!(matches!(error, WatchError::Recording(_)), "{error}");
    assert_eq!(heard.take(), ["restitution of all bodies = 0.2"]);
    assert!(session.unsubscribe(broken));
    session.set_restitution(0.3).unwrap();
    assert_eq!(heard.take(), ["restitution of all bodies = 0.3"]);
}

#[test]
fn a_session_is_muted_until_the_last_guard_is_gone() {
    let (mut session, heard) = (session(), Heard::default());
    session.subscribe(heard.clone());
    {
        let mut outer = session.muted();
        outer.muted().set_restitution(0.1).unwrap();
        outer.advance(0.1).unwrap();
        assert!((outer.time() - 0.1).abs() < 1e-12, "a muted session is the world all the same");
    }
    assert!(heard.take().is_empty());
    session.world_mut().edit().set_restitution(0.4).unwrap();
    assert!(heard.take().is_empty(), "what is done to the world itself is not told");
    session.set_restitution(0.5).unwrap();
    assert_eq!(heard.take().len(), 1);
    assert_eq!(session.into_world().body("ball").unwrap().index(), 1);
}

#[test]
fn every_word_and_number_of_a_setting_is_read_back() {
    let mut session = session();
    for parameter in session.parameters() {
        let others: Vec<ParameterValue> = match &parameter.kind {
            ParameterKind::Flag => [true, false].map(ParameterValue::Flag).to_vec(),
            ParameterKind::Number { .. } => [0.25, 0.75].map(ParameterValue::Number).to_vec(),
            ParameterKind::Choice(words) => words.iter().cloned().map(ParameterValue::Choice).collect(),
            other => panic!("{other:?}"),
        };
        for value in others {
            // Some words do not go together with other settings; those are refused as a whole.
            let before = session.settings().clone();
            match session.set_parameter(&parameter.name, value.clone()) {
                Ok(()) if parameter.name == "seed" => {}
                Ok(()) => assert_eq!(session.parameter(&parameter.name).unwrap().value, value),
                Err(error) => {
                    assert!(matches!(error, WatchError::Simulation(_)), "{}: {error}", parameter.name);
                    assert_eq!(*session.settings(), before);
                }
            }
        }
        session.set_parameter(&parameter.name, parameter.value.clone()).unwrap();
    }
    assert_eq!(*session.settings(), Settings::backtracking());
}

#[test]
fn parameters_of_the_users_own_are_of_their_kind() {
    let mut session = session();
    session.add_parameter(Parameter::flag("Wind On", "whether the wind blows", false)).unwrap();
    let on = session.parameter("wind-on").unwrap();
    assert_eq!(on.to_string(), "wind_on = false: whether the wind blows");
    session.set_parameter("wind on", ParameterValue::Flag(true)).unwrap();
    assert_eq!(session.parameter("WIND_ON").unwrap().value, ParameterValue::Flag(true));
    assert!(session.set_parameter("wind on", ParameterValue::Number(1.0)).is_err());
    let wind = Parameter {
        kind: ParameterKind::Choice(vec!["north".to_owned(), "south".to_owned()]),
        value: ParameterValue::Choice("west".to_owned()),
        ..Parameter::flag("direction", "where the wind comes from", true)
    };
    let error = session.add_parameter(wind.clone()).unwrap_err().to_string();
    assert_eq!(error, "parameter direction: west is not one of its values; see its kind for what is allowed");
    session.add_parameter(Parameter { value: ParameterValue::Choice("north".to_owned()), ..wind }).unwrap();
    session.set_parameter("direction", ParameterValue::Choice("South".to_owned())).unwrap();
    let removed = session.remove_parameter("direction").unwrap();
    assert_eq!(removed.value, ParameterValue::Choice("South".to_owned()));
    let beyond = Parameter::number("load", "force", f64::NAN, None, None);
    assert!(matches!(session.add_parameter(beyond), Err(WatchError::ParameterValue { .. })));
}

#[test]
fn a_history_marks_the_velocities_that_jump() {
    let mut session = session();
    let mut history = History::new(100);
    let names = History::variables(&session);
    for _ in 0..8 {
        let report = session.advance(0.05).unwrap();
        history.record(&session, &report);
    }
    assert_eq!(&names[..4], ["kinetic energy", "potential energy", "total energy", "floor x"]);
    // It falls 0.5 in 0.316 s and hits the floor in the seventh step; what jumps is the ball's velocity, and with it the energy.
    for (k, row) in history.rows().enumerate() {
        let jumped: Vec<&str> = names
            .iter()
            .zip(&row.jumps)
            .filter(|(_, jumps)| **jumps)
            .map(|(name, _)| name.as_str())
            .collect();
        let expected = ["kinetic energy", "total energy", "ball vx", "ball vy", "ball spin"];
        assert_eq!(jumped, if k == 6 { &expected[..] } else { &[] }, "row {k}");
    }
    let energy = |k: usize| history.rows().nth(k).unwrap().values[..3].to_vec();
    let mass = session.body("ball").unwrap().mass();
    assert!((energy(0)[0] - 0.5 * mass * 0.25).abs() < 1e-9, "half the mass times 0.5²");
    assert!((energy(3)[2] - energy(0)[2]).abs() < 1e-9, "it falls freely");
    history.clear();
    assert_eq!(history.rows().len(), 0);
}

#[test]
fn springs_and_what_is_shown_for_a_moment_are_drawn() {
    let mut session = session();
    session
        .world_mut()
        .add_force_law(ForceLaw::Spring {
            ends: [Attachment::body(0, [0.0, 0.0]), Attachment::body(1, [0.0, 0.0])],
            rest_length: 1.0,
            stiffness: 5.0,
            damping: 0.0,
            compress_only: false,
        })
        .unwrap();
    let now = session.time();
    session.display_mut().show_circle(now, [1.0, 0.0], 0.5);
    session.display_mut().show_line(now, [0.0, 0.0], [1.0, 0.0]);
    // One that looks the same takes the place of the line; another end, another line.
    session.display_mut().show_line(now, [0.01, 0.0], [1.0, 0.01]);
    session.display_mut().show_line(now, [0.0, 0.0], [2.0, 0.0]);
    let drawn: Vec<Shown> = session.display_items().map(|item| item.shown).collect();
    assert_eq!(drawn[..3], [Shown::Body(0), Shown::Body(1), Shown::Spring(1)]);
    assert_eq!(session.display().items().len(), 3, "{drawn:?}");
    assert_eq!(session.display().items()[0].expires, now + SHOWN_CIRCLE);
    let force = |law: usize, x: f64| Shown::Force {
        source: ForceSource::Law(law),
        point: Vec2::new(x, 0.0),
        vector: Vec2::new(0.0, 1.0),
    };
    assert!(force(0, 0.0).is_similar(&force(0, 0.05)));
    assert!(!force(0, 0.0).is_similar(&force(1, 0.0)), "another law");
    assert!(!force(0, 0.0).is_similar(&force(0, 0.2)), "elsewhere");
    assert!(!force(0, 0.0).is_similar(&Shown::Body(0)));
}

#[test]
fn subscriptions_end_within_a_notification_too() {
    let (mut session, heard) = (session(), Heard::default());
    let first = session.subscribe(heard.clone());
    session.subscribe(move |_: f64, _: &News<'_>, changes: &mut Changes| changes.unsubscribe(first));
    session.set_restitution(0.1).unwrap();
    session.set_restitution(0.2).unwrap();
    assert_eq!(heard.take(), ["restitution of all bodies = 0.1"]);
    assert!(format!("{session:?}").contains("Observers { count: 1, silent: false }"));
}
