//! Ctrl-C: the first one ends the run where it is, the second one the program.

use crate::limits::now;
use engine2d::record::Observer;
use engine2d::sim::{Snapshot, StepReport, World};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Exit code of a run that was interrupted, as shells count.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether the run is to end, for the clock too, which is a function and nothing else.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Listens from now on.
pub(crate) fn listen() -> io::Result<()> {
    let asked = ASKED.get_or_init(Arc::default);
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The order matters: only what the first signal set makes the second one end the program.
        let code = i32::from(INTERRUPTED);
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(asked))?;
        signal_hook::flag::register(signal, Arc::clone(asked))?;
    }
    Ok(())
}

/// Whether someone asked for the end.
pub(crate) fn is_asked() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed))
}

/// A clock that is beyond every deadline once someone asked for the end: a step that takes long ends as well.
pub(crate) fn clock() -> f64 {
    if is_asked() { f64::INFINITY } else { now() }
}

/// The deadline, by [`clock`], of a run that may take so many seconds.
pub(crate) fn deadline(seconds: f64) -> f64 {
    (now() + seconds).min(f64::MAX)
}

/// The end of the last step: what is left of a run that ends within one.
pub(crate) struct LastStep {
    pub(crate) time: f64,
    /// Where a state is to be saved.
    pub(crate) snapshot: Option<Snapshot>,
}

impl LastStep {
    /// Of a run whose state is to be saved at its end, or not.
    pub(crate) fn of(world: &World, keeps: bool) -> Self {
        Self { time: world.time(), snapshot: keeps.then(|| world.snapshot()) }
    }
}

impl Observer for LastStep {
    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        *self = Self::of(world, self.snapshot.is_some());
        Ok(())
    }
}
