//! One run.

use crate::error::SweepError;
use crate::measure::Meter;
use crate::plan::Sweep;
use crate::row::Row;
use engine2d_record::digest;
use engine2d_scene::{Limits, Scene};
use engine2d_watch::{Observer, run as run_world};

/// Looks at nothing.
struct Nobody;

impl Observer for Nobody {}

/// What a run found.
type Found = (Vec<Option<f64>>, String);

impl Sweep {
    /// Runs one run. What fails, fails as a row with its message.
    ///
    /// # Errors
    /// [`SweepError::NoRun`].
    pub fn run(&self, run: u64) -> Result<Row, SweepError> {
        self.run_watched(run, &mut Nobody)
    }

    /// As [`Sweep::run`] with somebody who looks on. What an observer reports as an error fails the run.
    ///
    /// # Errors
    /// [`SweepError::NoRun`].
    pub fn run_watched(&self, run: u64, observer: &mut dyn Observer) -> Result<Row, SweepError> {
        let (repeat, parameters) = self.values(run)?;
        let none = || vec![None; self.measures.len() + self.outside.len()];
        let (measures, digest, error) =
            match self.scene(run).map_err(|e| e.to_string()).and_then(|s| self.measure(&s, observer)) {
                Ok((measures, digest)) => (measures, Some(digest), None),
                Err(message) => (none(), None, Some(message)),
            };
        Ok(Row { run, repeat, parameters, measures, digest, error })
    }

    fn measure(&self, scene: &str, observer: &mut dyn Observer) -> Result<Found, String> {
        let scene = Scene::from_json(scene).map_err(|error| error.to_string())?;
        let mut world = scene.to_world().map_err(|error| error.to_string())?;
        let until = self.end(&scene)?;
        let mut meter = Meter::new(&self.measures);
        let mut observers: [&mut dyn Observer; 2] = [&mut meter, observer];
        run_world(&mut world, until, scene.settings.time_step, &mut observers)
            .map_err(|error| error.to_string())?;
        let mut results = meter.results();
        results.resize(results.len() + self.outside.len(), None);
        Ok((results, digest(&world)))
    }

    /// When a run ends: not before it begins, and within as many steps as a scene may take.
    fn end(&self, scene: &Scene) -> Result<f64, String> {
        let (start, most) = (scene.start_time, Limits::default().steps);
        let until = self.until.unwrap_or(start + scene.duration);
        let path = if self.until.is_some() { "until" } else { "scene.duration" };
        if until < start {
            return Err(format!("{path}: {until} is before the start, {start}"));
        }
        let steps = (until - start) / scene.settings.time_step;
        if steps > most {
            return Err(format!(
                "{path}: a run would take {steps:.3e} steps, {most:e} are allowed: choose a nearer end"
            ));
        }
        Ok(until)
    }
}
