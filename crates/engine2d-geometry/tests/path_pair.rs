//! The signed distance of two path bodies and their near places, against sampling of both outlines.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

mod contacts;
mod distance;
pub(crate) mod shapes;
