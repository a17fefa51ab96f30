//! Damaged files are errors or scenes, never panics; what is wrong has its place.

use engine2d_import::{Format, ImportError, Options, import};
use std::fs;
use std::path::PathBuf;

const SAMPLES: [(&str, Format); 4] = [
    ("pendulum.xml", Format::Mjcf),
    ("stack.json", Format::Rube),
    ("ramp.json", Format::Tiled),
    ("ramp.tmx", Format::Tiled),
];

/// A generator of random numbers that needs no crate: the multiplicative one of Lehmer.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn damaged_samples_do_not_panic() {
    const WORDS: [&str; 12] =
        ["", "-1", "0", "1e308", "-1e-308", "null", "[]", "{}", "\"x\"", "<body>", "nan", "99999999999"];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/import");
    let mut random = Random(7);
    let (mut read, mut refused) = (0, 0);
    for (name, format) in SAMPLES {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        for _ in 0..ROUNDS {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let from = random.below(bytes.len());
                let to = (from + random.below(12)).min(bytes.len());
                let word = WORDS[random.below(WORDS.len())];
                match random.below(3) {
                    0 => drop(bytes.splice(from..to, word.bytes())),
                    1 => bytes[from] = b"0123456789-.\"{}<>/ ae"[random.below(21)],
                    _ => {
                        // A number becomes another.
                        let start =
                            bytes[from..].iter().position(u8::is_ascii_digit).map_or(from, |k| from + k);
                        let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                        bytes.splice(start..start + length, word.bytes());
                    }
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let _maybe = Format::of(&text);
            match import(&text, format, &Options::default()) {
                Ok(_) => read += 1,
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    // Both happen often, or the damage is none.
    assert!(read > 50 && refused > 50, "{read} read, {refused} refused");
}

/// Damaged texts of each sample.
const ROUNDS: usize = 400;

#[test]
fn depth_is_bounded() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(DEEP), close.repeat(DEEP));
    let texts = [
        (Format::Mjcf, format!("<mujoco><worldbody>{}</worldbody></mujoco>", deep("<body>", "</body>"))),
        (Format::Mjcf, format!("<mujoco>{}</mujoco>", deep("<default class=\"a\">", "</default>"))),
        (Format::Tiled, format!("<map>{}</map>", deep("<group>", "</group>"))),
        (Format::Tiled, deep("{\"layers\":[", "]}")),
        (Format::Rube, deep("[", "]")),
    ];
    for (format, text) in texts {
        assert!(import(&text, format, &Options::default()).is_err(), "{format}");
    }
}

/// Deeper than any stack.
const DEEP: usize = 50_000;

#[test]
fn mistakes_have_their_place() {
    let cases = [
        (
            Format::Rube,
            r#"{"body": [{"type": 7}]}"#,
            "body[0].type: 0 (static), 1 (kinematic) or 2 (dynamic) is needed, not 7",
        ),
        (Format::Rube, r#"{"gravity": "down"}"#, "gravity: an object is needed, not the text \"down\""),
        (
            Format::Rube,
            r#"{"body": [{"fixture": [{"circle": {"radius": -1}}]}]}"#,
            "body[0].fixture[0].circle.radius: a number above 0 is needed",
        ),
        (
            Format::Rube,
            r#"{"body": [{}], "joint": [{"type": "weld", "bodyA": 0, "bodyB": 1}]}"#,
            "joint[0].bodyB: the place of a body is needed, from 0 to less than 1",
        ),
        (
            Format::Mjcf,
            "<mujoco>\n<worldbody>\n<body name=\"a\" pos=\"0 0\"/></worldbody></mujoco>",
            "line 3: mujoco/worldbody[0]/body[a]/@pos: 3 numbers are needed, not 2",
        ),
        (
            Format::Mjcf,
            "<mujoco><worldbody><body name=\"arm\"><joint name=\"elbow\" axis=\"0 1 0\"/><geom size=\"1\"/></body></worldbody>\
             <actuator><motor joint=\"elbov\"/></actuator></mujoco>",
            "line 1: mujoco/actuator[0]/motor[0]/@joint: no joint of the plane is named \"elbov\"; did you mean \"elbow\"?",
        ),
        (
            Format::Tiled,
            r#"{"layers": [{"type": "objectgroup", "objects": [{"polygon": [{"x": 0, "y": 0}]}]}]}"#,
            "layers[0].objects[0].polygon: a polygon with an area is needed",
        ),
        (
            Format::Tiled,
            r#"{"layers": [{"type": "objectgroup", "objects": [{"class": "pin", "point": true, "properties": [{"name": "body_a", "value": 9}]}]}]}"#,
            "layers[0].objects[0].properties[body_a]: object 9 is no body",
        ),
    ];
    for (format, text, expected) in cases {
        match import(text, format, &Options::default()) {
            Err(error @ ImportError::Value { .. }) => assert_eq!(error.to_string(), expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
}
