//! The part of a world that stages work on: all of it, or bodies that move together for a while.

use engine2d_math::order::Order;
use serde::{Deserialize, Serialize};

/// Bodies, force laws and constraints by their numbers in the model, each list in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scope {
    /// Bodies with variables in the state vector.
    pub(crate) bodies: Vec<u32>,
    /// Immovable bodies near them.
    pub(crate) fixed: Vec<u32>,
    pub(crate) laws: Vec<u32>,
    pub(crate) ties: Vec<u32>,
    pub(crate) joints: Vec<u32>,
}

/// The numbers of a list, or all below `count` where there is none.
pub(crate) fn numbers(list: Option<&[u32]>, count: usize) -> impl Iterator<Item = usize> + Clone + '_ {
    let count = list.map_or(count, <[u32]>::len);
    (0..count).map(move |k| list.map_or(k, |list| list[k] as usize))
}

/// Which scope is worked on, and where each body's variables are in the state vector of that scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Focus {
    scope: Option<Scope>,
    /// Place of each body of the scope; [`ELSEWHERE`] for the others.
    slots: Vec<u32>,
}

/// Place of a body that has no variables in the state vector.
const ELSEWHERE: u32 = u32::MAX;

impl Focus {
    /// Turns to a scope of a world of `count` bodies; returns the one before.
    pub(crate) fn turn_to(&mut self, scope: Option<Scope>, count: usize) -> Option<Scope> {
        let before = std::mem::replace(&mut self.scope, scope);
        for &body in before.iter().flat_map(|scope| &scope.bodies) {
            self.slots[body as usize] = ELSEWHERE;
        }
        if let Some(scope) = &self.scope {
            self.slots.resize(count, ELSEWHERE);
            for (slot, &body) in scope.bodies.iter().enumerate() {
                self.slots[body as usize] = slot as u32;
            }
        }
        before
    }

    /// Whether it is all of the world.
    pub(crate) fn is_whole(&self) -> bool {
        self.scope.is_none()
    }

    /// The immovable bodies near a part of the world.
    pub(crate) fn fixed(&self) -> &[u32] {
        self.list(|s| &s.fixed).unwrap_or(&[])
    }

    /// Replaces the immovable bodies near a part of the world.
    pub(crate) fn set_fixed(&mut self, fixed: &[u32]) {
        if let Some(scope) = &mut self.scope {
            scope.fixed.clear();
            scope.fixed.extend(fixed);
            scope.fixed.order();
            scope.fixed.dedup();
        }
    }

    /// Place of a body in the state vector, if it has one.
    pub(crate) fn slot(&self, body: usize) -> Option<usize> {
        match &self.scope {
            None => Some(body),
            Some(_) => self.slots.get(body).filter(|&&slot| slot != ELSEWHERE).map(|&slot| slot as usize),
        }
    }

    fn list(&self, of: impl Fn(&Scope) -> &Vec<u32>) -> Option<&[u32]> {
        self.scope.as_ref().map(|scope| of(scope).as_slice())
    }

    /// The bodies with variables, of a world of `count`.
    pub(crate) fn bodies(&self, count: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        numbers(self.list(|s| &s.bodies), count)
    }

    /// All bodies that can take part in contacts, of a world of `count`.
    pub(crate) fn present(&self, count: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        self.bodies(count).chain(numbers(Some(self.list(|s| &s.fixed).unwrap_or(&[])), 0))
    }

    /// The number of force laws, of a world of `count`.
    pub(crate) fn law_count(&self, count: usize) -> usize {
        self.scope.as_ref().map_or(count, |scope| scope.laws.len())
    }

    /// The law at a place among them.
    pub(crate) fn law(&self, place: usize) -> usize {
        self.scope.as_ref().map_or(place, |scope| scope.laws[place] as usize)
    }

    /// The force laws, of a world of `count`.
    pub(crate) fn laws(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        numbers(self.list(|s| &s.laws), count)
    }

    /// The connectors, of a world of `count`.
    pub(crate) fn ties(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        numbers(self.list(|s| &s.ties), count)
    }

    /// The joints, of a world of `count`.
    pub(crate) fn joints(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        numbers(self.list(|s| &s.joints), count)
    }
}
