//! Who collides with whom by a function of the user's, and who is in which sensor.

use crate::body::view::BodyView;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The bodies in sensors, by place of sensor and body; unknown after a state was restored that does not tell.
pub(crate) type Presence = Option<BTreeSet<[u32; 2]>>;

type Asked = dyn Fn(&BodyView<'_>, &BodyView<'_>) -> bool + Send + Sync;

/// A function that says whether two bodies collide.
#[derive(Clone)]
pub(crate) struct Predicate(pub(crate) Arc<Asked>);

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}
