//! Reads any bytes as two convex shapes at poses and a ray: errors, or answers that fit each other.

#![no_main]
// Each target judges by one of these.
#![allow(dead_code)]

#[path = "../../tests/fuzzed/judges.rs"]
mod judges;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _answered = judges::convex_pair(bytes);
});
