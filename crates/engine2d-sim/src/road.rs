//! The road of located motion: from bodies and constraints to accelerations, and back onto the constraints.
//!
//! ```text
//! look        rows of joints, motors, limits, ropes, held contacts        gather, feature, contact
//! accelerate  rows ─► islands ─► multipliers ─► accelerations             multipliers, direct
//! settle      touching rows ─► impulses ─► which rows are closed          touching, pairs, touch, corner, impact, close, bounce
//! keep        rows ─► positions and velocities back onto them             project
//! tell        multipliers as forces and reactions
//! ```
//!
//! Each stage is a function of the model, the state and scratch; the rows are the same at all three levels, with another
//! right-hand side. Which unilateral rows are closed is remembered in the state ([`held`]); nothing here knows a clock.

mod accelerate;
mod bounce;
mod by_bodies;
mod close;
mod contact;
mod corner;
mod direct;
mod feature;
mod gather;
pub(crate) mod haste;
pub(crate) mod held;
mod impact;
mod jam;
mod keep;
mod locked;
mod look;
mod multipliers;
mod pairs;
mod project;
mod reach;
mod rolling;
mod row;
mod settle;
mod slides;
mod tell;
mod touch;
mod touching;

pub(crate) use accelerate::evaluate;
pub(crate) use bounce::bounce;
pub(crate) use by_bodies::{Asked, problem_by_bodies};
pub(crate) use close::hold;
pub(crate) use contact::{force_row, velocity_terms};
pub(crate) use direct::Direct;
pub(crate) use feature::{contact_row, friction_row, is_beside_corner, margin, sliding_speed};
pub(crate) use gather::{Known, Rows, frame_motions};
pub(crate) use jam::unjam;
pub(crate) use keep::{part_placed, project};
pub(crate) use locked::locked;
pub(crate) use look::{Road, exactness, joints_left, look, measure};
pub(crate) use multipliers::root;
pub(crate) use reach::reach_of;
pub(crate) use rolling::{resistance_of, rolling_row, turning_speed};
pub(crate) use row::{Row, Source, push, rate_of, responses};
pub(crate) use settle::settle;
pub(crate) use tell::{contact_id, reaction, report_forces};
pub(crate) use touch::{Touch, WATCHED_TILT, facing, may_meet};
pub(crate) use touching::{point_row, restitution_of};
