//! Records of the current step with what dynamics adds to them, and statistics over a set of records.

use crate::report::Event;
use crate::tolerance::ESTIMATE_RESOLUTION;
use engine2d_geometry::{Contact, Features};
use engine2d_math::order::Order;

/// A contact record and its fate in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collision {
    pub(crate) contact: Contact,
    /// Whether it was found colliding right after the step; stays so after backing up.
    pub(crate) must_handle: bool,
    /// Coefficient of restitution if given; by default the pair's.
    pub(crate) restitution: Option<f64>,
    /// Impulse applied in the last handling.
    pub(crate) impulse: f64,
    /// Normal velocity before the last handling.
    pub(crate) velocity_before: f64,
}

impl Collision {
    /// The report of a handled record at its new velocity.
    pub(crate) fn event(&self, time: f64) -> Event {
        let c = &self.contact;
        Event::Collision {
            time,
            contact: c.id,
            point: c.point,
            normal: c.normal,
            impulse: self.impulse,
            velocity_before: self.velocity_before,
            velocity_after: c.velocity,
        }
    }

    /// Whether it is the row of a connector.
    pub(crate) fn is_connector(&self) -> bool {
        matches!(self.contact.id.features, Features::Connector(_))
    }

    /// Whether the pair approaches and is not merely resting.
    pub(crate) fn is_imminent(&self) -> bool {
        (self.must_handle || !self.contact.is_contact()) && self.contact.velocity < 0.0
    }
}

impl From<Contact> for Collision {
    fn from(contact: Contact) -> Self {
        Self {
            contact,
            must_handle: false,
            restitution: None,
            impulse: 0.0,
            velocity_before: contact.velocity,
        }
    }
}

impl AsRef<Contact> for Collision {
    fn as_ref(&self) -> &Contact {
        &self.contact
    }
}

/// Counts and the estimated time of the next collision over a set of records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) joints: usize,
    pub(crate) needs_handling: usize,
    /// Earliest estimate over imminent records; `None` if there is none or one has no estimate.
    pub(crate) estimate: Option<f64>,
}

impl Statistics {
    pub(crate) fn of(records: &[Collision]) -> Self {
        let mut statistics = Self::default();
        let mut all_estimated = true;
        for record in records {
            statistics.joints += usize::from(record.contact.bilateral);
            statistics.needs_handling += usize::from(record.must_handle);
            if record.is_imminent() {
                match record.contact.estimate {
                    Some(t) => {
                        statistics.estimate = Some(statistics.estimate.map_or(t, |e: f64| e.min(t)));
                    }
                    None => all_estimated = false,
                }
            }
        }
        if !all_estimated {
            statistics.estimate = None;
        }
        statistics
    }
}

/// Stable sort by estimated time, rounded to the ordering resolution; records without one come last.
pub(crate) fn sort_by_estimate(records: &mut [Collision]) {
    let key =
        |r: &Collision| r.contact.estimate.map_or(f64::INFINITY, |t| (t * ESTIMATE_RESOLUTION + 0.5).floor());
    records.order_by(|a, b| key(a).total_cmp(&key(b)));
}
