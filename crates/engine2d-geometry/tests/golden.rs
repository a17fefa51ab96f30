//! Golden vectors of the reference engine, each by its name: shapes, single detection passes, the proximity
//! filters, and updates. Positions are of centres of mass; lengths agree to 1e-9 or the digits given.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

mod arcs;
mod corners;
mod filters;
mod scene;
mod shapes;
mod updates;
