//! What fixed steps of the located clock know besides contacts: functions of the user's, sensors, bodies that are led.

use crate::rig::pile;
use engine2d_sim::{Body, BodySet, Event, Settings, UserEvent, World};
use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex};

/// How far from zero a function may be at its event: to rounding where the end of a step varies smoothly with its length, else by what
/// bodies are put back by.
const ZERO: f64 = 1e-13;
const JUMP: f64 = 1e-9;

/// Heights that the mean of the bodies of a pile passes while it settles.
const LEVELS: usize = 40;

/// The mean height of the bodies of a pile.
fn mean_height(set: &BodySet<'_>, bodies: usize) -> f64 {
    let heights = (3..3 + bodies).filter_map(|k| Some(set.get(k)?.position().y));
    heights.sum::<f64>() / bodies as f64
}

/// Events at zeros of functions in a pile: level, time and value there, and how many of them were within fixed steps.
fn passed(step: f64) -> (Vec<(usize, f64, f64)>, usize) {
    let (count, found) = (20, Arc::new(Mutex::new(Vec::new())));
    // Entries of books stand behind the bodies in the state.
    let settings = Settings { energy_ledger: true, ..Settings::default() };
    let mut world = pile::pile(settings, count, 0.5, 2);
    for level in 0..LEVELS {
        let height = 2.6 - 0.05 * level as f64;
        let event = UserEvent::new(format!("{level}"), move |set| mean_height(set, count) - height);
        let found = found.clone();
        world
            .add_event(event.with_action(move |world| {
                let bodies = world.bodies().skip(3).map(|body| body.position().y);
                let mean = bodies.sum::<f64>() / count as f64;
                found.lock().expect("a list").push((level, world.time(), mean - height));
                Ok(())
            }))
            .expect("an event");
    }
    let mut fixed = Vec::new();
    for _ in 0..(5.0 / step).round() as usize {
        fixed.extend(world.advance(step).expect("an advance").events.iter().filter_map(
            |event| match event {
                Event::FixedSteps { time, since, .. } => Some((*since, *time)),
                _ => None,
            },
        ));
    }
    let found = found.lock().expect("a list").clone();
    let within = found.iter().filter(|found| fixed.iter().any(|f| f.0 < found.1 && found.1 < f.1)).count();
    (found, within)
}

/// The zeros of functions are events in fixed steps as between them: the step ends there, the function is zero to rounding, and where
/// results are wanted changes nothing.
#[test]
fn functions_of_the_users_are_zero_at_their_events_in_fixed_steps() {
    let (found, within) = passed(0.02);
    assert!(within >= 3, "{within} of {} events in fixed steps", found.len());
    // From one level the way leads to the next or back through the same.
    let mut below = found[0].0;
    for &(level, time, _) in &found {
        assert!(level == below || level + 1 == below, "{level} at {time} s, below {below} levels");
        below = if level == below { level + 1 } else { level };
    }
    for &(level, time, value) in &found {
        assert!(value.abs() <= JUMP, "{value:e} at level {level} at {time} s");
    }
    let jumps = found.iter().filter(|found| found.2.abs() > ZERO).count();
    assert!(10 * jumps <= found.len(), "{jumps} of {} are not exact", found.len());
    assert!(found == passed(0.05).0, "other events with other results");
}

/// An advance ends at a stopping event in fixed steps, and the next goes on.
#[test]
fn an_advance_ends_at_a_zero_within_fixed_steps() {
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    world.advance(0.9).expect("an advance");
    let text = serde_json::to_string(&world.snapshot()).expect("a text");
    assert!(text.contains("\"chatter\":{"), "not in fixed steps");
    let due = 0.9 + 1.0 / 700.0;
    world.add_event(UserEvent::new("due", move |set| set.time() - due).stopping()).expect("an event");
    let report = world.advance(0.1).expect("an advance");
    assert_eq!(report.stopped_by.as_deref(), Some("due"));
    assert!((world.time() - due).abs() <= 4.0 * f64::EPSILON, "{} instead of {due}", world.time());
    let report = world.advance(0.1).expect("an advance");
    assert!(report.stopped_by.is_none() && report.penetration <= 1e-9, "{report:?}");
}

/// Who is in a sensor by its events is in it where the bodies are, in fixed steps too.
#[test]
fn sensors_tell_who_is_in_them_in_fixed_steps() {
    let (bottom, top) = (0.9, 1.3);
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    let gate = Body::block(40.0, top - bottom).fixed().at(0.0, 0.5 * (top + bottom)).sensor().named("gate");
    world.add_body(gate).expect("a gate");
    // How far each ball is in the gate.
    let depth = |world: &World, k: usize| {
        let body = world.body(k).expect("a ball");
        let (y, r) = (body.position().y, body.shape().disc().expect("a disc").1);
        (top - (y - r)).min(y + r - bottom)
    };
    let balls = || (3..23).filter(|k| k % 2 == 0);
    // Who is in it from the start is told of, since it came last.
    let (mut inside, mut told, mut fixed) = (BTreeSet::new(), 0, 0);
    while world.time() < 5.0 {
        for event in world.advance(0.01).expect("an advance").events {
            match event {
                Event::SensorBegin { body, .. } if balls().any(|k| k == body.index()) => {
                    assert!(inside.insert(body.index()), "{body:?} comes in twice at {}", world.time());
                    told += 1;
                }
                Event::SensorEnd { body, .. } if balls().any(|k| k == body.index()) => {
                    assert!(inside.remove(&body.index()), "{body:?} leaves twice");
                    told += 1;
                }
                Event::FixedSteps { .. } => fixed += 1,
                _ => {}
            }
        }
        for k in balls() {
            let depth = depth(&world, k);
            assert!(depth.abs() < 1e-9 || inside.contains(&k) == (depth > 0.0), "{depth} of {k}");
        }
    }
    assert!(told > 8 && fixed > 0, "{told} events of the sensor, {fixed} times in fixed steps");
}

/// Where the platform under a pile is led at a time, with its velocity and acceleration.
fn swing(time: f64) -> [[f64; 3]; 3] {
    let (size, rate) = (0.12, 1.5 * TAU);
    let (sin, cos) = (rate * time).sin_cos();
    let y = [0.15 + size * (1.0 - cos), size * rate * sin, size * rate * rate * cos];
    [[0.0; 3], y, [0.0; 3]]
}

/// What the books may leave unexplained, relative to what moved: the tolerance of the integration that follows the path between fixed
/// steps.
const CLOSED: f64 = 1e-7;

/// A platform that is led up and down under a pile follows its path in fixed steps, nothing goes through it, and the books close with the
/// work that it does.
#[test]
fn a_pile_is_shaken_by_what_is_led_in_fixed_steps() {
    let settings = Settings { energy_ledger: true, ..Settings::default() };
    let mut world = pile::pile(settings, 20, 0.5, 2);
    let platform = Body::block(5.9, 0.2).at(0.0, 0.15).led_by(swing).friction(0.5).named("platform");
    world.add_body(platform).expect("a platform");
    let (start, mut moved) = (world.energy().total(), 1.0_f64);
    let (mut fixed, mut steps) = (0, 0);
    while world.time() < 1.5 {
        let report = world.advance(0.013).expect("an advance");
        let body = world.body("platform").expect("the platform");
        let [_, [y, v, _], _] = swing(world.time());
        assert!((body.position().y - y).abs() <= 1e-9, "{} instead of {y}", body.position().y);
        assert!((body.velocity().y - v).abs() <= 1e-6, "{} instead of {v}", body.velocity().y);
        assert!(report.penetration <= 1e-9, "{} deep at {}", report.penetration, world.time());
        let saved = serde_json::to_value(world.snapshot()).expect("a value");
        fixed += usize::from(!saved["located"]["islands"]["0"]["chatter"].is_null());
        steps = steps.max(if fixed > 1 { report.counters.steps } else { 0 });
        let books = world.inspect().energy_ledger().expect("books");
        moved = moved.max(books.force_laws[0].1.abs()).max(books.constraint_forces.abs());
        assert!(books.integration_error.abs() <= CLOSED * moved, "{books}");
        let given = books.friction + books.impulses + books.corrections + books.constraint_forces;
        let gained = world.energy().total() - start;
        assert!((gained - given).abs() <= CLOSED * moved, "{given} of {gained} at {}", world.time());
    }
    // What the platform gives is no energy out of nothing, for which steps would be halved.
    assert!(fixed > 30 && steps <= 5, "{fixed} results in fixed steps, {steps} of them for one");
}
