//! What two surfaces do to each other where it does not follow from what each of them brings along.

use crate::by_pair::ByPair;
use crate::friction::Friction;
use serde::{Deserialize, Serialize};

/// What two surfaces do to each other; what is absent follows from the two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SurfacePair {
    /// Coefficient of restitution in `[0, 1]`, else the smaller one of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Coefficients of friction, else those of both by the rule of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Speed of the two surfaces past each other (length/time), else the sum of both, each counter-clockwise about its body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface_speed: Option<f64>,
    /// Rolling resistance (length), else the larger one of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<f64>,
    /// Coefficient of tangential restitution in `[0, 1]`, else the smaller one of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
}

impl SurfacePair {
    /// The first field that is not allowed, with its value and what is allowed.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        if let Some(e) = self.restitution.filter(|e| !(0.0..=1.0).contains(e)) {
            return Some(("restitution", e, "restitution must lie in [0, 1]"));
        }
        if let Some(e) = self.tangential_restitution.filter(|e| !(0.0..=1.0).contains(e)) {
            return Some(("tangential_restitution", e, "restitution must lie in [0, 1]"));
        }
        if let Some(friction) = self.friction.filter(|friction| !friction.is_valid()) {
            let allowed =
                "coefficients of friction must be finite, >= 0, and not smaller at rest than sliding";
            return Some(("friction", friction.kinetic, allowed));
        }
        if let Some(speed) = self.surface_speed.filter(|speed| !speed.is_finite()) {
            return Some(("surface_speed", speed, "must be a finite number"));
        }
        let length = self.rolling_resistance.filter(|length| !(*length >= 0.0 && length.is_finite()))?;
        Some(("rolling_resistance", length, "must be >= 0 and finite"))
    }

    /// Whether impacts turn sliding round, which needs located events.
    pub(crate) fn bounces_tangentially(&self) -> bool {
        self.tangential_restitution.is_some_and(|e| e > 0.0)
    }

    /// The first field that needs a clock with friction.
    pub(crate) fn rough(&self) -> Option<&'static str> {
        if self.friction.is_some_and(Friction::is_some) {
            return Some("friction");
        }
        self.rolling_resistance.is_some_and(|length| length > 0.0).then_some("rolling_resistance")
    }
}

/// Pairs of materials by the names that bodies give ([`Body::material`](crate::Body::material)).
///
/// ```
/// use engine2d_sim::{SurfacePair, SurfaceTable};
///
/// let mut table = SurfaceTable::default();
/// table.set("ice", "rubber", SurfacePair { friction: Some(0.1.into()), ..SurfacePair::default() });
/// assert!(table.get("rubber", "ice").is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct SurfaceTable {
    pairs: ByPair<SurfacePair>,
}

/// A pair as files have it.
#[derive(Serialize, Deserialize)]
struct Entry {
    between: [String; 2],
    #[serde(flatten)]
    pair: SurfacePair,
}

impl From<Vec<Entry>> for SurfaceTable {
    fn from(entries: Vec<Entry>) -> Self {
        let mut table = Self::default();
        for Entry { between: [a, b], pair } in entries {
            table.set(&a, &b, pair);
        }
        table
    }
}

impl From<SurfaceTable> for Vec<Entry> {
    fn from(table: SurfaceTable) -> Self {
        table
            .iter()
            .map(|([a, b], pair)| Entry { between: [a.to_owned(), b.to_owned()], pair: *pair })
            .collect()
    }
}

impl SurfaceTable {
    /// Adds or replaces what two materials do to each other, in either order.
    pub fn set(&mut self, a: &str, b: &str, pair: SurfacePair) {
        self.pairs.set(a, b, pair);
    }

    /// What two materials do to each other, in either order; `None` where it follows from the bodies.
    #[must_use]
    pub fn get(&self, a: &str, b: &str) -> Option<&SurfacePair> {
        self.pairs.get(a, b)
    }

    /// All pairs with the names of their materials.
    pub fn iter(&self) -> impl Iterator<Item = ([&str; 2], &SurfacePair)> {
        self.pairs.iter()
    }

    /// Whether there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
