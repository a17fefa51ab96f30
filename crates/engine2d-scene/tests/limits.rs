//! Descriptions that nobody vouches for: each ends in a clear error within a second, whatever it asks for.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Limits, Scene, SceneError};
use std::io;
use std::time::{Duration, Instant};

const BALL: &str = r#"{"shape":{"type":"ball","radius":1}}"#;

fn scene(fields: &str) -> String {
    format!(r#"{{"format":"engine2d-scene","version":1,{fields}}}"#)
}

/// Reads within the limits for everyone; not within a second only where the tests are not optimised.
fn refused(text: &str) -> SceneError {
    let began = Instant::now();
    let error = Scene::from_json_within(text, &Limits::default()).expect_err("it is refused");
    assert!(began.elapsed() < Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 }), "{error}");
    error
}

#[test]
fn what_never_ends_or_never_moves_is_refused() {
    let with = |fields: &str| scene(&format!(r#""bodies":[{BALL}],{fields}"#));
    for (fields, place) in [
        (r#""duration":1e300"#, "settings.time_step: "),
        (r#""settings":{"time_step":1e-300}"#, "settings.time_step: "),
        (r#""settings":{"time_step":1e-17}"#, "settings.time_step: "),
        (r#""start_time":1e16"#, "settings.time_step: "),
        (r#""start_time":-1e16"#, "settings.time_step: "),
        (r#""start_time":1e308,"duration":1e308"#, "settings.time_step: "),
        (r#""duration":1e9"#, "duration: "),
    ] {
        let told = refused(&with(fields)).to_string();
        assert!(told.contains(place), "{fields}: {told}");
    }
    assert!(Scene::from_json_within(&with(r#""duration":1e6"#), &Limits::default()).is_ok());
    assert!(
        Scene::from_json(&with(r#""duration":1e9"#)).is_ok(),
        "without limits only what cannot be is refused"
    );
}

/// Numbers whose products are none would make infinite energies, or mistakes told of something else.
#[test]
fn numbers_beyond_all_use_are_refused_where_they_stand() {
    let axle = |axis: &str| {
        scene(&format!(
            r#""bodies":[{BALL}],"connectors":[{{"type":"slider","body_a":"ground","body_b":0,"axis":{axis}}}]"#
        ))
    };
    let body =
        |fields: &str| scene(&format!(r#""bodies":[{{"shape":{{"type":"ball","radius":1}},{fields}}}]"#));
    for (text, place) in [
        (body(r#""position":[0,1e308]"#), "bodies[0].position[1]: 1e308 is not allowed"),
        (body(r#""velocity":[-1e101,0]"#), "bodies[0].velocity[0]: -1e101 is not allowed"),
        (body(r#""friction":1e308"#), "bodies[0].friction: 1e308 is not allowed"),
        (axle("[1e308,0]"), "connectors[0].axis[0]: 1e308 is not allowed"),
    ] {
        let told = refused(&text).to_string();
        assert!(told.contains(place), "{told}");
    }
    assert!(Scene::from_json(&axle("[1e99,0]")).is_ok());
}

#[test]
fn numbers_that_are_none_are_refused() {
    for number in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "\"NaN\"",
        "\"=1/0\"",
        "\"=0/0\"",
        "\"=1e308*10\"",
    ] {
        let told = refused(&scene(&format!(r#""bodies":[{{"shape":{{"type":"ball","radius":{number}}}}}]"#)));
        assert!(!told.to_string().is_empty(), "{number}");
    }
}

#[test]
fn a_million_bodies_are_refused_however_they_are_written() {
    let copied = refused(&scene(
        r#""bodies":[{"repeat":1000000,"shape":{"type":"ball","radius":1},"position":["=3*i",0]}]"#,
    ));
    assert!(
        copied.to_string().contains("bodies[0].repeat: 1000000 is not allowed: at most 100000 bodies"),
        "{copied}"
    );
    let listed = refused(&scene(&format!(r#""bodies":[{}{BALL}]"#, format!("{BALL},").repeat(999_999))));
    assert!(matches!(listed, SceneError::TooLarge { what: "values", .. }), "{listed}");
    let some = Limits { bodies: 10, ..Limits::default() };
    let text = scene(&format!(r#""bodies":[{}{BALL}],"allow_overlap":true"#, format!("{BALL},").repeat(10)));
    let told = Scene::from_json_within(&text, &some).unwrap_err().to_string();
    assert!(told.contains("bodies: 11 bodies is not allowed: at most 10"), "{told}");
}

#[test]
fn nested_and_gigantic_texts_are_refused() {
    let nested = refused(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert!(matches!(nested, SceneError::NotJson { .. }), "{nested}");
    let nested = refused(&"{\"a\":".repeat(100_000));
    assert!(matches!(nested, SceneError::NotJson { .. }), "{nested}");
    let numbers = refused(&format!("[{}0]", "0,".repeat(20_000_000)));
    assert!(matches!(numbers, SceneError::TooLarge { what: "values", .. }), "{numbers}");
    let began = Instant::now();
    let endless = Scene::from_reader_within(io::repeat(b' '), &Limits::default()).unwrap_err();
    assert!(matches!(endless, SceneError::TooLarge { what: "bytes", .. }), "{endless}");
    assert!(began.elapsed() < Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 }));
}

#[test]
fn outlines_with_too_many_vertices_are_refused() {
    let points: Vec<String> = (0..2000)
        .map(|k| f64::from(k) * std::f64::consts::TAU / 2000.0)
        .map(|angle| format!("[{},{}]", angle.cos(), angle.sin()))
        .collect();
    let shape = format!(r#"{{"type":"polygon","points":[{}]}}"#, points.join(","));
    let bodies: Vec<String> =
        (0..20).map(|k| format!(r#"{{"shape":{shape},"position":[{},0]}}"#, 3 * k)).collect();
    let text = scene(&format!(r#""bodies":[{}]"#, bodies.join(",")));
    let few = Limits { vertices: 10_000, ..Limits::default() };
    let told = Scene::from_json_within(&text, &few).unwrap_err().to_string();
    assert!(told.contains("at most 10000 vertices are accepted"), "{told}");
    assert!(Scene::from_json_within(&text, &Limits::default()).is_ok());
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = format!("\u{feff}{}", scene(&format!(r#""bodies":[{BALL}]"#)));
    assert!(Scene::from_json(&text).is_ok());
    assert!(Scene::from_reader(text.as_bytes()).is_ok());
}
