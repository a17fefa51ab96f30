//! Which runs there are, and the scene of each.

use crate::error::SweepError;
use crate::fingerprint::fingerprint;
use crate::measure::Measure;
use crate::path::{Step, put};
use serde_json::Value;

/// The value of the `format` field of every sweep file.
pub const FORMAT: &str = "engine2d-sweep";

/// The value of the `version` field that this crate reads.
pub const VERSION: u64 = 1;

/// What varies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    /// Its column.
    pub(crate) name: String,
    /// Where it is in the scene.
    pub(crate) steps: Vec<Step>,
    pub(crate) variation: Variation,
}

/// The values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Variation {
    /// Each with each of the other lists.
    Listed(Vec<Value>),
    /// One a sample, with those of the other sampled parameters.
    Sampled(Vec<f64>),
}

impl Parameter {
    /// How many values it has by itself.
    pub(crate) fn listed(&self) -> Option<u64> {
        match &self.variation {
            Variation::Listed(values) => Some(values.len() as u64),
            Variation::Sampled(_) => None,
        }
    }
}

/// How often each run is repeated, with seeds that count up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Repeats {
    pub(crate) count: u64,
    /// Where the seed is in the scene.
    pub(crate) seed: Vec<Step>,
}

/// A sweep: runs of one scene that differ by parameters, in an order that never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub(crate) scene: Value,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) samples: u64,
    pub(crate) repeats: Repeats,
    pub(crate) until: Option<f64>,
    pub(crate) measures: Vec<Measure>,
    /// Names of what others measure, behind the measures of its own.
    pub(crate) outside: Vec<String>,
    pub(crate) count: u64,
    pub(crate) digest: String,
}

impl Sweep {
    /// The same sweep with columns for what the caller measures, behind its own measures: rows come without a number there, and
    /// the caller puts it in ([`Row::measures`](crate::Row::measures)).
    ///
    /// # Errors
    /// [`SweepError::Field`] for the name of another column.
    pub fn measured_outside(mut self, names: Vec<String>) -> Result<Self, SweepError> {
        for (k, name) in names.iter().enumerate() {
            let own = self.parameters.iter().map(|p| &p.name).chain(self.measures.iter().map(|m| &m.name));
            let fixed = ["run", "repeat", "digest", "error"].contains(&name.as_str());
            if name.is_empty() || fixed || own.chain(&names[..k]).any(|other| other == name) {
                let problem = format!("{name:?} is no name, or that of another column");
                return Err(SweepError::at(format!("measures[{name}]"), problem));
            }
        }
        self.outside = names;
        Ok(self)
    }

    /// Number of runs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The columns of the parameters, in their order.
    pub fn parameter_names(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// Fingerprint of the scene that all runs begin with.
    #[must_use]
    pub fn scene_digest(&self) -> String {
        fingerprint([self.scene.to_string()].iter())
    }

    /// Fingerprint of the sweep and its scene: rows of sweeps with another one are not of this.
    #[must_use]
    pub fn digest(&self) -> String {
        let own = [self.digest.clone(), self.scene.to_string()];
        fingerprint(own.iter().chain(&self.outside))
    }

    /// The runs of shard `k` of `n`, `k` from 1: every `n`-th, so that all shards cost alike.
    ///
    /// # Errors
    /// [`SweepError::Field`] unless `1 ≤ k ≤ n`.
    pub fn shard(&self, k: u64, n: u64) -> Result<impl Iterator<Item = u64> + use<>, SweepError> {
        if !(1..=n).contains(&k) {
            return Err(SweepError::at(
                "shard",
                format!("{k}/{n}: the first number goes from 1 to the second"),
            ));
        }
        Ok((k - 1..self.count).step_by(usize::try_from(n).unwrap_or(usize::MAX)))
    }

    /// The repetition and the values of the parameters of a run: repetitions count fastest, then samples, then the lists, the
    /// last one first.
    ///
    /// # Errors
    /// [`SweepError::NoRun`].
    pub fn values(&self, run: u64) -> Result<(u64, Vec<Value>), SweepError> {
        if run >= self.count {
            return Err(SweepError::NoRun { run, count: self.count });
        }
        let (repeat, rest) = (run % self.repeats.count, run / self.repeats.count);
        let (sample, mut rest) = (rest % self.samples, rest / self.samples);
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters.iter().rev() {
            values.push(match &parameter.variation {
                Variation::Listed(list) => {
                    let count = list.len() as u64;
                    let place = (rest % count) as usize;
                    rest /= count;
                    list[place].clone()
                }
                Variation::Sampled(list) => list[sample as usize].into(),
            });
        }
        values.reverse();
        Ok((repeat, values))
    }

    /// The scene of a run as JSON text.
    ///
    /// # Errors
    /// [`SweepError::NoRun`]; [`SweepError::Field`] for a parameter that the scene has no place for.
    pub fn scene(&self, run: u64) -> Result<String, SweepError> {
        let (repeat, values) = self.values(run)?;
        let mut tree = self.scene.clone();
        for (k, (parameter, value)) in self.parameters.iter().zip(values).enumerate() {
            put(&mut tree, &parameter.steps, value)
                .map_err(|problem| SweepError::at(format!("parameters[{k}].path"), problem))?;
        }
        if self.repeats.count > 1 {
            let seed = tree.pointer("/settings/seed").and_then(Value::as_u64).unwrap_or(0) + repeat;
            put(&mut tree, &self.repeats.seed, seed.into())
                .map_err(|problem| SweepError::at("repeats", problem))?;
        }
        Ok(tree.to_string())
    }
}
