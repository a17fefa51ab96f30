//! The signed distance of two path bodies and their near places, against sampling of both outlines.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

#[path = "path_pair/contacts.rs"]
mod contacts;
#[path = "path_pair/distance.rs"]
mod distance;
#[path = "path_pair/shapes.rs"]
mod shapes;
