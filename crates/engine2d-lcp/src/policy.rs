//! The order in which untreated rows are taken up.

/// Which untreated row a pivoting solver drives next. Bilateral rows always come before the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Bilateral rows in random order, then the row with the most negative acceleration.
    #[default]
    Hybrid,
    /// The bilateral row with the largest acceleration in size, then the most negative one. No draws.
    MinAccel,
    /// Random order.
    Random,
    /// The order of a list given with the problem. No draws.
    PreOrdered,
}
