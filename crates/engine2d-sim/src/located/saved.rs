//! What a snapshot keeps of an integration with events.

use super::flight::Flight;
use super::sea::Islands;
use crate::compliant::ContactLaw;
use crate::error::SimError;
use crate::report::Event;
use crate::road::haste::Haste;
use crate::road::held::HeldSet;
use engine2d_geometry::{Bounds, ContactHandler};

/// The part of an integration with events that a snapshot keeps.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct LocatedState {
    pub(super) islands: Islands,
    /// The discs that fly free, by their bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) flights: Vec<(u32, Flight)>,
    /// Those that are finite.
    pub(super) boxes: Option<Vec<Option<Bounds>>>,
    pub(super) running: bool,
    pub(super) touches: Option<(ContactHandler, Vec<ContactLaw>)>,
    pub(super) held: HeldSet,
    pub(super) haste: Vec<Haste>,
    pub(super) touch: f64,
    pub(super) announced: Vec<Event>,
}

/// A part of a snapshot that cannot be of this world.
pub(super) fn unfit(path: &str) -> SimError {
    let problem = "it is not of a world with the same bodies: take a snapshot of this world";
    SimError::Unsupported { path: path.to_owned(), problem }
}
