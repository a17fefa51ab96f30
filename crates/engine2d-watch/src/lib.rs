//! Looking at a simulation: observers, parameters by name, a display list, the history of variables.
#![doc = include_str!("../README.md")]

mod display;
mod error;
mod history;
mod observer;
mod parameter;
mod run;
mod session;
mod settings;

pub use display::{
    DISPLAY_SIMILARITY, DisplayItem, DisplayList, ForceSource, SHOWN_CIRCLE, SHOWN_IMPULSE, Shown,
};
pub use error::WatchError;
pub use history::{History, HistoryRow};
pub use observer::{Changes, News, Observer, ObserverId, TextObserver};
pub use parameter::{Parameter, ParameterKind, ParameterValue};
pub use run::{next_step, run};
pub use session::{Muted, Session};
