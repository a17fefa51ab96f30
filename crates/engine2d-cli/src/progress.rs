//! A progress bar on a terminal.

use engine2d::record::Observer;
use engine2d::sim::{StepReport, World};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io;

/// Parts that the bar counts: it knows whole numbers only.
const PARTS: u64 = 10_000;

/// Shows how far the simulated time has come; nothing when standard error is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: f64,
    until: f64,
}

impl Progress {
    pub(crate) fn new(start: f64, until: f64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar:.blue} {msg}  {elapsed} ({eta} left)") {
            bar.set_style(style);
        }
        Self { bar, start, until }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn start(&mut self, _: &World) -> io::Result<()> {
        Ok(())
    }

    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        if !self.bar.is_hidden() {
            let part = (world.time() - self.start) / (self.until - self.start);
            self.bar.set_position((part * PARTS as f64) as u64);
            self.bar.set_message(format!("{:.2} of {:.2} s", world.time(), self.until));
        }
        Ok(())
    }
}
