//! engine2d for the browser: a world from a scene text, advanced, dragged, edited and drawn.
#![cfg_attr(feature = "catalogue", doc = include_str!("../README.md"))]

#[cfg(target_arch = "wasm32")]
mod bindings;
mod drag;
mod edit;
mod fault;
mod lab;
mod locate;
mod now;

pub use fault::Fault;
pub use lab::{FRAME_START, Lab};
