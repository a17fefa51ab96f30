//! What one run gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The row of a run. Its JSON text reads back to the same bits, and equal runs have equal texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Number of the run, from 0.
    pub run: u64,
    /// Number of the repetition, from 0.
    pub repeat: u64,
    /// Values of the parameters in their order.
    pub parameters: Vec<Value>,
    /// What was measured, in the order of the measures; absent where there was nothing to measure, or the run failed.
    pub measures: Vec<Option<f64>>,
    /// Fingerprint of the final state.
    pub digest: Option<String>,
    /// Why the run failed, if it did.
    pub error: Option<String>,
}
