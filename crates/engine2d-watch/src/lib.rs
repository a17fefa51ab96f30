//! Looking at a simulation: observers, parameters by name, a display list, the history of variables.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod course;
mod display;
mod error;
mod history;
mod limits;
mod observer;
mod parameter;
mod run;
mod session;
mod settings;

pub use course::{Course, Ended, next_step};
pub use display::{
    DISPLAY_SIMILARITY, DisplayItem, DisplayList, ForceSource, SHOWN_CIRCLE, SHOWN_IMPULSE, Shown,
};
pub use error::WatchError;
pub use history::{History, HistoryRow};
pub use limits::{Reading, RunLimits};
pub use observer::{Changes, News, Observer, ObserverId, TextObserver};
pub use parameter::{Parameter, ParameterKind, ParameterValue};
pub use run::run;
pub use session::{Muted, Session};
