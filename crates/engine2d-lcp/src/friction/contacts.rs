//! Which rows are a contact: a normal one, and what of its friction goes by its force. A row with bounds of its own is friction of a
//! contact that presses with a force of 1, which no row has.

use crate::{Row, Set};

/// Most rows of friction of a contact: two where friction has a limit of its own for each of two rates.
pub(super) const TANGENTS: usize = 2;

/// A row of friction, and the shares of the normal force between which its own is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tangent {
    pub(super) row: u32,
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Tangent {
    /// Whether its force may be between its limits; what slides has but one.
    pub(super) fn may_stick(&self) -> bool {
        self.lo < self.hi
    }

    /// The share of the normal force at a limit.
    pub(super) fn share(&self, limit: Set) -> f64 {
        if limit == Set::Upper { self.hi } else { self.lo }
    }
}

/// A contact, or a row with bounds of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) normal: Option<u32>,
    tangents: [Tangent; TANGENTS],
    count: usize,
}

impl Contact {
    pub(super) fn tangents(&self) -> &[Tangent] {
        &self.tangents[..self.count]
    }
}

/// Finds the contacts, and with each row another one of its contact: of a normal row the first of friction, of those the normal one.
/// `false` for contacts with more rows of friction.
pub(super) fn find(
    kinds: &[Row],
    contacts: &mut Vec<Contact>,
    partner: &mut Vec<Option<u32>>,
    place: &mut Vec<usize>,
) -> bool {
    contacts.clear();
    partner.clear();
    partner.resize(kinds.len(), None);
    place.clear();
    place.resize(kinds.len(), usize::MAX);
    for (i, kind) in kinds.iter().enumerate() {
        if *kind == Row::Unilateral {
            place[i] = contacts.len();
            contacts.push(Contact { normal: Some(i as u32), tangents: Default::default(), count: 0 });
        }
        if let Row::Boxed { lo, hi } = *kind {
            let own = Tangent { row: i as u32, lo, hi };
            contacts.push(Contact { normal: None, tangents: [own, Tangent::default()], count: 1 });
        }
    }
    for (i, kind) in kinds.iter().enumerate() {
        let Some((normal, lo, hi)) = kind.shares() else { continue };
        let Some(contact) = contacts.get_mut(place[normal]) else { return false };
        let Some(free) = contact.tangents.get_mut(contact.count) else { return false };
        *free = Tangent { row: i as u32, lo, hi };
        contact.count += 1;
        partner[i] = Some(normal as u32);
        partner[normal] = partner[normal].or(Some(i as u32));
    }
    true
}
