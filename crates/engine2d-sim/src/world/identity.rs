//! Identities of what a world is made of: they stay as they are whatever else comes and goes.

use crate::error::SimError;
use crate::name::normalized;
use engine2d_geometry::BodyRef;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// Identity of a body in its world: its place there, and which of the bodies that have had this place it is. A removed
/// body's identity is never another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId {
    place: u32,
    generation: u32,
}

impl BodyId {
    /// The place in the world, by which constraints, force laws and reports name the body.
    #[must_use]
    pub fn index(self) -> usize {
        self.place as usize
    }
}

impl From<BodyId> for BodyRef {
    fn from(id: BodyId) -> Self {
        Self::Body(id.place)
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}.{}", self.place, self.generation)
    }
}

/// Identity of a constraint of the library in its world: a joint, motor, limit, gear or spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConstraintId(u64);

/// Identity of a force law in its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ForceId(u64);

impl fmt::Display for ConstraintId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "constraint #{}", self.0)
    }
}

impl fmt::Display for ForceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "force law #{}", self.0)
    }
}

/// How something in a world is asked for: by identity, by name or by place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key<'a, I> {
    /// By identity.
    Id(I),
    /// By name; upper and lower case, spaces, hyphens and underscores are not told apart.
    Name(&'a str),
    /// By place in the world.
    Place(usize),
}

/// How a body is asked for.
pub type BodyKey<'a> = Key<'a, BodyId>;

/// How a constraint is asked for.
pub type ConstraintKey<'a> = Key<'a, ConstraintId>;

/// How a force law is asked for; force laws have no names.
pub type ForceKey<'a> = Key<'a, ForceId>;

impl<I> From<usize> for Key<'_, I> {
    fn from(place: usize) -> Self {
        Self::Place(place)
    }
}

impl<'a, I> From<&'a str> for Key<'a, I> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a, I> From<&'a String> for Key<'a, I> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

impl From<BodyId> for BodyKey<'_> {
    fn from(id: BodyId) -> Self {
        Self::Id(id)
    }
}

impl From<ConstraintId> for ConstraintKey<'_> {
    fn from(id: ConstraintId) -> Self {
        Self::Id(id)
    }
}

impl From<ForceId> for ForceKey<'_> {
    fn from(id: ForceId) -> Self {
        Self::Id(id)
    }
}

/// A place for a body.
#[derive(Clone, Debug, Default)]
struct Slot {
    generation: u32,
    /// The name in normal form; `None` while the place is vacant.
    name: Option<String>,
}

/// Which bodies there are: places are never renumbered, vacant ones are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyRegistry {
    slots: Vec<Slot>,
    vacant: Vec<u32>,
    count: usize,
    /// The place of the body of each name in normal form.
    names: HashMap<String, u32>,
}

impl BodyRegistry {
    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The place the next body takes: a vacant one, or one behind all.
    pub(crate) fn next(&self) -> usize {
        self.vacant.last().map_or(self.slots.len(), |&place| place as usize)
    }

    /// The identity of the body that comes next.
    pub(crate) fn next_id(&self) -> BodyId {
        let place = self.next();
        BodyId { place: place as u32, generation: self.slots.get(place).map_or(0, |slot| slot.generation) }
    }

    /// Refuses the name of a body at a place if another body has it.
    pub(crate) fn check_name(&self, name: &str, place: usize) -> Result<(), SimError> {
        let Some(other) = self.names.get(&normalized(name)) else { return Ok(()) };
        let (path, other) = (format!("bodies[{place}].name"), format!("bodies[{other}]"));
        Err(SimError::NameTaken { path, name: name.to_owned(), other })
    }

    /// Gives the next place to a body of a name that is free.
    pub(crate) fn add(&mut self, name: &str) -> BodyId {
        let name = normalized(name);
        let place = self.vacant.pop().unwrap_or(self.slots.len() as u32);
        if place as usize == self.slots.len() {
            self.slots.push(Slot::default());
        }
        let slot = &mut self.slots[place as usize];
        self.names.insert(name.clone(), place);
        slot.name = Some(name);
        self.count += 1;
        BodyId { place, generation: slot.generation }
    }

    /// Gives a place whose body is gone to those that come.
    pub(crate) fn release(&mut self, place: u32) {
        self.vacant.push(place);
    }

    /// Takes a body from its place, which is not given to another before it is released.
    pub(crate) fn remove(&mut self, place: usize) {
        let slot = &mut self.slots[place];
        let Some(name) = slot.name.take() else { return };
        slot.generation += 1;
        self.count -= 1;
        self.names.remove(&name);
    }

    pub(crate) fn is_taken(&self, place: usize) -> bool {
        self.slots.get(place).is_some_and(|slot| slot.name.is_some())
    }

    /// The places with a body or without.
    pub(crate) fn taken(&self) -> impl Iterator<Item = bool> + '_ {
        self.slots.iter().map(|slot| slot.name.is_some())
    }

    /// The place of the body asked for.
    pub(crate) fn find(&self, key: BodyKey<'_>) -> Result<usize, SimError> {
        match key {
            Key::Id(id) => {
                let current = self.slots.get(id.index()).map(|slot| slot.generation);
                if current == Some(id.generation) && self.is_taken(id.index()) {
                    return Ok(id.index());
                }
                Err(SimError::Stale { what: id.to_string() })
            }
            Key::Name(name) => {
                let place = self.names.get(&normalized(name)).map(|&place| place as usize);
                place.ok_or_else(|| SimError::UnknownName { name: name.to_owned() })
            }
            Key::Place(index) if self.is_taken(index) => Ok(index),
            Key::Place(index) => {
                Err(SimError::UnknownBody { path: "index".to_owned(), index, count: self.slots.len() })
            }
        }
    }
}

/// Identities of a list that closes up when something is removed: numbers that rise along the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serials {
    list: Vec<Serial>,
    next: u64,
    /// Where each number stands in the list.
    places: HashMap<u64, usize>,
    /// The number of each name in normal form.
    names: HashMap<String, u64>,
}

/// One of the list.
#[derive(Clone, Debug)]
struct Serial {
    number: u64,
    /// Its name in normal form.
    name: Option<String>,
}

impl Serials {
    /// Refuses a name that is taken; `path` is that of the list.
    pub(crate) fn check_name(&self, list: &str, name: Option<&str>) -> Result<(), SimError> {
        let taken = name.and_then(|name| Some((name, self.names.get(&normalized(name))?)));
        let Some((name, number)) = taken else { return Ok(()) };
        let place = self.places.get(number).copied().unwrap_or_default();
        let (path, other) = (format!("{list}[{}].name", self.list.len()), format!("{list}[{place}]"));
        Err(SimError::NameTaken { path, name: name.to_owned(), other })
    }

    /// Adds one behind the others, of a name that is free.
    pub(crate) fn add(&mut self, name: Option<&str>) -> u64 {
        let number = self.next;
        self.next += 1;
        let name = name.map(normalized);
        if let Some(name) = &name {
            self.names.insert(name.clone(), number);
        }
        self.places.insert(number, self.list.len());
        self.list.push(Serial { number, name });
        number
    }

    pub(crate) fn remove(&mut self, place: usize) {
        let gone = self.list.remove(place);
        self.places.remove(&gone.number);
        for later in &self.list[place..] {
            if let Some(place) = self.places.get_mut(&later.number) {
                *place -= 1;
            }
        }
        if let Some(name) = gone.name {
            self.names.remove(&name);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.places.clear();
        self.names.clear();
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.places.get(&number).copied()
    }

    fn find(&self, what: &str, key: Key<'_, u64>, id: impl Fn(u64) -> String) -> Result<usize, SimError> {
        match key {
            Key::Id(number) => self.place(number).ok_or_else(|| SimError::Stale { what: id(number) }),
            Key::Name(name) => {
                let place = self.names.get(&normalized(name)).and_then(|&number| self.place(number));
                place.ok_or_else(|| SimError::UnknownName { name: name.to_owned() })
            }
            Key::Place(place) if place < self.list.len() => Ok(place),
            Key::Place(place) => {
                let (path, allowed) = (format!("{what}[{place}]"), "the list has no element of that index");
                Err(SimError::Value { path, value: place as f64, allowed })
            }
        }
    }

    pub(crate) fn constraint(&self, place: usize) -> ConstraintId {
        ConstraintId(self.list[place].number)
    }

    pub(crate) fn find_constraint(&self, key: ConstraintKey<'_>) -> Result<usize, SimError> {
        self.find("joints", key.serial(|id| id.0), |serial| ConstraintId(serial).to_string())
    }

    pub(crate) fn force(&self, place: usize) -> ForceId {
        ForceId(self.list[place].number)
    }

    pub(crate) fn find_force(&self, key: ForceKey<'_>) -> Result<usize, SimError> {
        self.find("force_laws", key.serial(|id| id.0), |serial| ForceId(serial).to_string())
    }
}

impl<'a, I> Key<'a, I> {
    fn serial(self, number: impl Fn(I) -> u64) -> Key<'a, u64> {
        match self {
            Self::Id(id) => Key::Id(number(id)),
            Self::Name(name) => Key::Name(name),
            Self::Place(place) => Key::Place(place),
        }
    }
}
