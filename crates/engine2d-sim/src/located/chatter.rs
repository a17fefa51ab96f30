//! Contacts that begin and end over and over.
//!
//! A contact in a narrow place may be spent and pressed again within microseconds without end, though nothing to be
//! seen happens. One that came back that soon several times in a row is kept for a while, whatever its force: the
//! complementarity of its acceleration still decides what it exerts, so that it never pulls.

use engine2d_geometry::ContactId;
use serde::{Deserialize, Serialize};

/// A contact that begins again within this time (of its last begin) has come back too soon.
const TOO_SOON: f64 = 1e-3;

/// Returns too soon in a row after which a contact is kept.
const RETURNS: u32 = 8;

/// How long it is kept (time).
const KEPT: f64 = 1e-2;

/// A contact and how often it came back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Restless {
    contact: ContactId,
    begin: f64,
    returns: u32,
    kept_until: f64,
}

/// The contacts that began lately.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chatter(Vec<Restless>);

impl Chatter {
    /// A contact begins.
    pub(super) fn begin(&mut self, contact: ContactId, time: f64) {
        self.0.retain(|r| time - r.begin < TOO_SOON || time < r.kept_until);
        match self.0.iter_mut().find(|r| r.contact == contact) {
            Some(known) => {
                known.returns += 1;
                known.begin = time;
                if known.returns >= RETURNS {
                    known.kept_until = time + KEPT;
                }
            }
            None => self.0.push(Restless { contact, begin: time, returns: 0, kept_until: time }),
        }
    }

    /// Whether a contact is kept at this time.
    pub(super) fn keeps(&self, contact: ContactId, time: f64) -> bool {
        self.0.iter().any(|r| r.contact == contact && time < r.kept_until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::{BodyRef, Features};

    #[test]
    fn a_contact_that_comes_back_too_often_is_kept_for_a_while() {
        let features = Features::VertexEdge { vertex: 0, edge: 1 };
        let contact = ContactId { primary: BodyRef::Body(0), normal_body: BodyRef::Body(1), features };
        let mut chatter = Chatter::default();
        for k in 0..RETURNS {
            chatter.begin(contact, 1e-5 * f64::from(k));
            assert!(!chatter.keeps(contact, 1e-5 * f64::from(k)));
        }
        chatter.begin(contact, 1e-4);
        assert!(chatter.keeps(contact, 1e-4) && !chatter.keeps(contact, 1e-4 + KEPT));
        let mut calm = Chatter::default();
        for k in 0..20 {
            calm.begin(contact, 2.0 * TOO_SOON * f64::from(k));
            assert!(!calm.keeps(contact, 2.0 * TOO_SOON * f64::from(k)));
        }
    }
}
