//! All islands of a world: whose turn it is, how they meet and part.

use super::bridge;
use super::flight::Flight;
use super::flights::Flights;
use super::instant::broken;
use super::island::{Island, groups, whole_scope};
use super::pending::Pending;
use super::queue::{Queue, Turn};
use super::sea::{Islands, Sea};
use super::step::{Scratch, retreat};
use crate::energy::energy;
use crate::error::SimError;
use crate::model::Model;
use crate::road::root;
use crate::scope::Scope;
use crate::state::State;
use crate::work::Work;
use engine2d_geometry::Bounds;

/// The islands, by the number of their first body.
#[derive(Clone, Debug, Default)]
pub(super) struct Archipelago {
    pub(super) islands: Islands,
    pub(super) queue: Queue,
    /// Nothing where the world is one island.
    pub(super) sea: Option<Sea>,
}

/// Who is behind all others.
pub(super) enum Mover {
    Island(Box<Island>),
    /// A disc in flight.
    Flight,
}

impl Archipelago {
    /// That of a snapshot; nothing if it is not of this world.
    pub(super) fn load(
        (islands, flown): (&Islands, &[(u32, Flight)]),
        boxes: Option<&[Option<Bounds>]>,
        model: &Model,
        state: &State,
    ) -> Option<Self> {
        let mut queue: Queue = islands.iter().map(|(&number, island)| Turn::of(island, number)).collect();
        let mut sea = None;
        if let (Some(boxes), Some(groups)) = (boxes, groups(model, state)) {
            let sea = sea.insert(Sea::new(groups, Flights::new(model, &state.bodies)));
            sea.claims.open(&state.bodies, boxes.iter().map(|bounds| bounds.unwrap_or(Bounds::EVERYTHING)));
            islands.iter().for_each(|(&number, island)| sea.own(island, number));
        }
        for (body, flight) in flown {
            let sea = sea.as_mut().filter(|sea| sea.flights.fits(*body, flight, &state.bodies))?;
            queue.push(Turn::of_flight(flight, *body));
            sea.flights.set(*body, flight.clone());
            sea.owners[*body as usize] = *body;
        }
        Some(Self { islands: islands.clone(), queue, sea })
    }

    /// The island that is behind all others, if it is behind `target` or stands there before an event.
    pub(super) fn behind(&mut self, target: f64) -> Option<(Turn, Mover)> {
        while let Some(turn) = self.queue.first() {
            let due = turn.time < target || turn.time == target && !turn.waits;
            if !due {
                return None;
            }
            self.queue.pop();
            // Places of islands that have moved on or are gone.
            if let Some(flight) = self.sea.as_ref().and_then(|sea| sea.flights.get(turn.island)) {
                if Turn::of_flight(flight, turn.island) == turn {
                    return Some((turn, Mover::Flight));
                }
                continue;
            }
            let Some(island) = self.islands.remove(&turn.island) else { continue };
            if Turn::of(&island, turn.island) == turn {
                return Some((turn, Mover::Island(island)));
            }
            self.islands.insert(turn.island, island);
        }
        None
    }

    /// The islands at the beginning: what always moves together and what touches.
    pub(super) fn divide(&mut self, (model, state): (&Model, &mut State), scratch: &mut Scratch) {
        let mut all = Island::whole(state);
        match groups(model, state) {
            None => {
                all.pending = broken(model, state, &scratch.road);
                self.put(Box::new(all), 0);
            }
            Some(groups) => {
                let mut sea = Sea::new(groups, Flights::new(model, &state.bodies));
                sea.open(&state.bodies, state.touch);
                // Its first look around tells what is near each part.
                all.scope = Some(Scope { fixed: Vec::new(), ..whole_scope(model, &state.bodies) });
                let broken = broken(model, state, &scratch.road);
                self.sea = Some(sea);
                self.part((model, state), &all, &mut scratch.y);
                if let Some(Pending::Break(_, joint)) = broken {
                    let body = model.joints[joint as usize].bodies().into_iter().filter_map(|b| b.index());
                    let mut body = body.filter(|&b| !state.bodies[b].fixed);
                    let owner = body.next().zip(self.sea.as_ref()).map(|(b, sea)| sea.owners[b]);
                    if let Some((owner, mut island)) = owner.and_then(|n| Some((n, self.islands.remove(&n)?)))
                    {
                        island.pending = broken;
                        self.put(island, owner);
                    }
                }
            }
        }
    }

    /// Lets all islands go on in fixed steps.
    pub(super) fn chatter(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        scratch: &mut Scratch,
    ) -> Result<(), SimError> {
        for (number, mut island) in std::mem::take(&mut self.islands) {
            island.enter(state);
            let started = bridge::start(&mut island, (model, &mut *state, &mut *work), scratch);
            island.leave(state);
            self.put(island, number);
            started?;
        }
        Ok(())
    }

    /// Puts an island back, and in the queue.
    pub(super) fn put(&mut self, island: Box<Island>, number: u32) {
        self.queue.push(Turn::of(&island, number));
        self.islands.insert(number, island);
    }

    /// Makes one island of several, at the moment at which the first stands.
    pub(super) fn join(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        mut island: Box<Island>,
        others: &[u32],
        scratch: &mut Scratch,
    ) -> Result<(), SimError> {
        let time = island.time();
        let mut length = island.integrator.next_step();
        island.stand(state);
        for number in others {
            let here = self.islands.remove(number);
            let here = here.or_else(|| self.land((model, &mut *state), (*number, time)));
            let Some(mut other) = here else { continue };
            other.enter(state);
            let parts = (model, &mut *state, &mut *work);
            let came = if other.chatter.is_some() {
                bridge::retreat(&mut other, time, scratch, parts)
            } else {
                retreat(&mut other, time, scratch, parts)
            };
            state.write(other.integrator.state());
            other.energy = energy(model, state).total();
            other.leave(state);
            came?;
            length = length.min(other.integrator.next_step());
            island.join(*other);
        }
        island.since = time;
        island.enter(state);
        state.read(&mut scratch.y);
        island.integrator.start_with(time, &scratch.y, length);
        island.leave(state);
        let number = island.number();
        if let Some(sea) = &mut self.sea {
            sea.own(&island, number);
        }
        self.put(island, number);
        Ok(())
    }

    /// Makes islands of the parts of one, at the moment at which it and its bodies stand.
    pub(super) fn part(&mut self, (model, state): (&Model, &mut State), island: &Island, y: &mut Vec<f64>) {
        let Some(sea) = &mut self.sea else { return };
        let time = island.time();
        for &body in island.scope.iter().flat_map(|scope| &scope.bodies) {
            sea.parts[body as usize] = root(&mut sea.parts, body);
        }
        let parts = island.parts(model, |body| sea.parts[body as usize]);
        parts.iter().for_each(|(&part, own)| sea.own(own, part));
        for (part, mut own) in parts {
            own.enter(state);
            state.read(y);
            own.since = time;
            own.energy = energy(model, state).total();
            own.integrator.start_with(time, y, island.integrator.next_step());
            own.leave(state);
            if self.take_off(state, &mut own) {
                continue;
            }
            if let Some(chatter) = &island.chatter {
                own.chatter_as(chatter, model);
            }
            self.put(own, part);
        }
    }

    /// Moves all bodies to where they are at a time within the last steps of their islands.
    pub(super) fn place(&mut self, state: &mut State, time: f64, y: &mut Vec<f64>) {
        for island in self.islands.values_mut() {
            island.enter(state);
            island.integrator.interpolate(time, y);
            y[0] = time;
            state.write(y);
            island.leave(state);
        }
        for (body, flight) in self.sea.iter().flat_map(|sea| sea.flights.iter()) {
            flight.show(body, time, state);
        }
        state.time = time;
        state.held.clear();
        for held in self.islands.values().flat_map(|island| island.held.iter()) {
            state.held.insert(*held);
        }
    }
}
