//! The discs of a world that fly free, and what may.

use super::flight::{Flight, MeetingPlace, Passage};
use super::wall::Wall;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::named::named;
use crate::state::State;
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::Vec2;

/// All flights, and what may fly.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    pub(super) of: Vec<Option<Flight>>,
    count: usize,
    /// The acceleration of each body that may fly.
    free: Vec<Option<Vec2>>,
    pub(super) walls: Vec<Wall>,
    /// What is near one, and how that passes it.
    pub(super) near: Vec<u32>,
    pub(super) passages: Vec<Option<Passage>>,
}

impl Flights {
    /// Those of a world in which nothing flies yet.
    pub(super) fn new(model: &Model, bodies: &[CollisionBody]) -> Self {
        let led = model.data.iter().any(|data| data.led.is_some());
        let flies = model.collides() && !led;
        let mut free: Vec<Option<Vec2>> = (0..bodies.len())
            .map(|k| (flies && is_free_disc(model, &bodies[k], k)).then(|| acceleration_of(model, k as u32)))
            .collect();
        let mut bind = |body: BodyRef| body.index().into_iter().for_each(|k| free[k] = None);
        model.ties.iter().flat_map(|tie| tie.connector.bodies()).for_each(&mut bind);
        model.joints.iter().flat_map(|joint| joint.bodies()).for_each(&mut bind);
        for law in &model.laws {
            match law {
                ForceLaw::Gravity { .. } => {}
                ForceLaw::Damping { damping, .. } if *damping == 0.0 => {}
                ForceLaw::Damping { bodies: Some(list), .. } => {
                    list.iter().for_each(|&k| bind(BodyRef::Body(k)));
                }
                other => match named(other) {
                    Some(ends) => ends.into_iter().for_each(&mut bind),
                    None => (0..bodies.len() as u32).for_each(|k| bind(BodyRef::Body(k))),
                },
            }
        }
        let of = vec![None; bodies.len()];
        Self { of, free, walls: bodies.iter().map(Wall::of).collect(), ..Self::default() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The flight of a body.
    pub(super) fn get(&self, body: u32) -> Option<&Flight> {
        self.of.get(body as usize)?.as_ref()
    }

    /// All flights by their bodies.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Flight)> {
        (0..).zip(&self.of).filter_map(|(body, flight)| Some((body, flight.as_ref()?)))
    }

    /// Whether a body may fly beside these immovable ones.
    pub(super) fn may_fly(&self, body: u32, fixed: &[u32]) -> bool {
        self.free[body as usize].is_some()
            && fixed.iter().all(|&k| !matches!(self.walls[k as usize], Wall::Other))
    }

    /// Lets a body fly that may, from where it is.
    pub(super) fn begin(&mut self, body: u32, state: &State, time: f64) -> &Flight {
        let acceleration = self.free[body as usize].expect("a body that may fly");
        let flight = Flight::begin(&state.bodies[body as usize], time, acceleration);
        self.set(body, flight)
    }

    /// Sets the flight of a body.
    pub(super) fn set(&mut self, body: u32, flight: Flight) -> &Flight {
        let place = &mut self.of[body as usize];
        self.count += usize::from(place.is_none());
        place.insert(flight)
    }

    /// Ends the flight of a body.
    pub(super) fn end(&mut self, body: u32) -> Option<Flight> {
        let flight = self.of.get_mut(body as usize)?.take()?;
        self.count -= 1;
        Some(flight)
    }

    /// Whether a flight can be one of a world: what a file says need not be.
    pub(super) fn fits(&self, body: u32, flight: &Flight, bodies: &[CollisionBody]) -> bool {
        let meets = flight.meets.is_none_or(|meeting| {
            bodies.get(meeting.other as usize).is_some_and(|other| match meeting.place {
                MeetingPlace::Disc => other.shape.disc().is_some(),
                MeetingPlace::Side(edge) => (edge as usize) < other.shape.edges().len(),
                MeetingPlace::Corner(vertex) => (vertex as usize) < other.shape.vertices().len(),
            })
        });
        let free = self.free.get(body as usize).copied().flatten();
        meets && flight.is_sound() && free == Some(flight.acceleration())
    }
}

/// Whether nothing but forces and collisions can move a body, which is a disc about its centre of mass.
fn is_free_disc(model: &Model, body: &CollisionBody, k: usize) -> bool {
    let disc = body.shape.disc().is_some_and(|(center, _)| center == body.center_of_mass);
    let sides = body.one_way.is_some() || body.shape.one_sided_edge().is_some();
    disc && !sides && !body.fixed && model.data[k].is_movable()
}

/// The acceleration of a body by uniform gravity.
fn acceleration_of(model: &Model, body: u32) -> Vec2 {
    let mut pull = 0.0;
    for law in &model.laws {
        if let ForceLaw::Gravity { strength, bodies, .. } = law
            && bodies.as_ref().is_none_or(|list| list.contains(&body))
        {
            pull -= strength * model.data[body as usize].gravity_scale;
        }
    }
    Vec2::new(0.0, pull)
}
