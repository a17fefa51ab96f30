//! The fixed numbers of the dynamics: each with its unit and what it protects. The settable ones are in
//! [`Settings`](crate::Settings).

/// Shortest vector that gives a direction (length): springs, ropes and attracting pairs below it are errors.
pub const SHORTEST: f64 = 1e-10;

/// Impulses below this are none (impulse).
pub const TINY_IMPULSE: f64 = 1e-12;

/// Normal speed below which the serial handling leaves a collision alone (length/time); doubled after each
/// panic period, so that the handling ends.
pub const SERIAL_SPEED: f64 = 1e-5;

/// Rounds per record after which [`SERIAL_SPEED`] is doubled.
pub const PANIC_ROUNDS: usize = 20;

/// Largest violation of the complementarity conditions that an answer with an error code may have and still
/// be used (acceleration or velocity, absolute).
pub const ACCEPTED_VIOLATION: f64 = 1e-4;

/// Diagonal regularization of a problem without solution, relative to its largest diagonal entry: small
/// enough to leave accepted answers accepted, large enough to stand clear of rounding.
pub const SOFTENING: f64 = 1e-9;

/// Shortest advance (time).
pub const MIN_ADVANCE: f64 = 1e-16;

/// A step longer than this (time) proves that the advance is not stuck.
pub const PROGRESS_STEP: f64 = 1e-7;

/// Failed attempts after which collision times are searched by bisection.
pub const SEARCH_COUNT: u32 = 3;

/// Failed attempts after which the collision cannot be resolved.
pub const STUCK_COUNT: u32 = 30;

/// Resolution at which estimated collision times are ordered (1/time).
pub const ESTIMATE_RESOLUTION: f64 = 1e7;

/// Shortest inner step of the energy-adaptive method (time).
pub const MIN_INNER_STEP: f64 = 1e-15;

/// An inner step that ends within this of the target is stretched to it (time).
pub const STEP_END_SLACK: f64 = 1e-10;

/// Largest deviation from 1 of a normal's length.
pub const UNIT_LENGTH: f64 = 1e-9;

/// Depth (length) up to which bodies placed inside each other count as placed in touch, and are parted: what positions
/// written with six digits are off by.
pub const PLACED_DEPTH: f64 = 1e-6;

/// Tilt (sine of the angle) below which the line between two corners counts as upright on a side: a thousand times what
/// rounding does to blocks of a metre at gaps of millimetres.
pub const FLUSH_TILT: f64 = 1e-3;

/// Gap to which bodies placed in touch are set off from each other (length, relative to the larger of 1 and the largest
/// coordinate): no contact is at rest without a gap, and this one is no more than rounding to the eye.
pub const PLACED_GAP: f64 = 1e-9;
