//! What can go wrong while a world is watched.

use engine2d_sim::SimError;
use std::io;
use thiserror::Error;

/// Why a run or a change ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The simulation could not go on, or refused a change.
    #[error("the simulation stopped: {0}")]
    Simulation(#[from] SimError),
    /// An observer could not write.
    #[error("the record could not be written: {0}")]
    Recording(#[from] io::Error),
    /// A step so short that the time did not move: adding it to the time changes nothing, or it is below what the clock
    /// can resolve.
    #[error(
        "the time stays at {time}: a step of {step:e} is too short to move it; take a longer time step, or a start time nearer \
         to 0"
    )]
    NoProgress {
        /// Simulated time.
        time: f64,
        /// The step asked for.
        step: f64,
    },
    /// The run took more than it may.
    #[error("the run took more than {limit} {what}, at t = {time}: raise the limit if that is meant")]
    Limit {
        /// What there was too much of.
        what: &'static str,
        /// The limit.
        limit: f64,
        /// Simulated time reached.
        time: f64,
    },
    /// No parameter carries the name.
    #[error("no parameter is named {name:?}; those of the settings are {known}")]
    UnknownParameter {
        /// The name looked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is a parameter of that name already.
    #[error("there is a parameter {name} already: choose another name")]
    DuplicateParameter {
        /// The name in normal form.
        name: String,
    },
    /// A parameter cannot have the value.
    #[error("parameter {name}: {value} is not one of its values; see its kind for what is allowed")]
    ParameterValue {
        /// Name of the parameter.
        name: String,
        /// The value given.
        value: String,
    },
    /// A return to an initial state when none was saved.
    #[error("no initial state was saved: call save_initial_state first")]
    NoInitialState,
}
