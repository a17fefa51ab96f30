//! Reads any bytes as SVG path data: an error, or a shape whose numbers and answers are sound.

#![no_main]
// Each target judges by one of these.
#![allow(dead_code)]

#[path = "../../tests/fuzzed/judges.rs"]
mod judges;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _answered = judges::svg_path(bytes);
});
