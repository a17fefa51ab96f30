//! What happened, one JSON object a line.

use engine2d_geometry::{BodyRef, ContactId};
use engine2d_math::Vec2;
use engine2d_sim::{Event, StepReport, World};
use engine2d_watch::Observer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes JSON Lines: collisions with impulse, and begins and ends of resting contacts, each with its time,
/// bodies and place.
pub struct EventWriter<W> {
    writer: W,
    places: BTreeMap<ContactId, Vec2>,
}

/// What an [`EventWriter`] remembers: where the contacts were that have begun.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EventMemory {
    places: Vec<(ContactId, Vec2)>,
}

impl<W: Write> EventWriter<W> {
    /// Writes to `writer`, unbuffered.
    pub fn new(writer: W) -> Self {
        Self { writer, places: BTreeMap::new() }
    }

    /// Goes on with a record of which `writer` holds the beginning.
    pub fn resumed(writer: W, memory: &EventMemory) -> Self {
        Self { writer, places: memory.places.iter().copied().collect() }
    }

    /// What is remembered of events so far.
    #[must_use]
    pub fn memory(&self) -> EventMemory {
        EventMemory { places: self.places.iter().map(|(id, place)| (*id, *place)).collect() }
    }

    /// Gives back where it writes.
    pub fn into_writer(self) -> W {
        self.writer
    }

    /// Where it writes.
    pub fn writer(&mut self) -> &mut W {
        &mut self.writer
    }
}

impl<W: Write> Observer for EventWriter<W> {
    fn start(&mut self, _: &World) -> io::Result<()> {
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        for event in report.events() {
            let line = EventLine::new(world, event, &mut self.places);
            serde_json::to_writer(&mut self.writer, &line)?;
            writeln!(self.writer)?;
        }
        for contact in report.contacts.iter().filter(|contact| !contact.bilateral) {
            if let Some(place) = self.places.get_mut(&contact.id) {
                *place = contact.point;
            }
        }
        Ok(())
    }
}

/// A line of the record.
#[derive(Serialize)]
struct EventLine<'a> {
    event: &'static str,
    time: f64,
    /// The two concerned; of fixed steps all that went on so.
    #[serde(skip_serializing_if = "Option::is_none")]
    bodies: Option<Vec<&'a str>>,
    /// Where; for the end of a contact where it last was.
    point: Option<Vec2>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<Vec2>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impulse: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_force: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity_before: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity_after: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    force: Option<Vec2>,
    /// Of an accumulation: time of the last bounce followed, and the energy of those that were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<f64>,
    /// Of a restitution that was reduced: what is left of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
}

impl<'a> EventLine<'a> {
    fn new(world: &'a World, event: &'a Event, places: &mut BTreeMap<ContactId, Vec2>) -> Self {
        let mut line = Self {
            event: event.kind(),
            time: event.time(),
            bodies: event.bodies().map(|pair| pair.iter().map(|&body| body_name(world, body)).collect()),
            point: None,
            normal: None,
            impulse: None,
            per_force: None,
            velocity_before: None,
            velocity_after: None,
            contact: event.contact().map(|id| id.to_string()),
            name: None,
            force: None,
            since: None,
            energy: None,
            share: None,
        };
        match event {
            Event::Collision { point, normal, impulse, velocity_before, velocity_after, .. } => {
                line.point = Some(*point);
                line.normal = Some(*normal);
                line.impulse = Some(*impulse);
                line.velocity_before = Some(*velocity_before);
                line.velocity_after = Some(*velocity_after);
            }
            Event::ContactBegin { point, contact, .. } => {
                line.point = Some(*point);
                places.insert(*contact, *point);
            }
            Event::ContactEnd { contact, point, .. } => {
                let last = places.remove(contact);
                line.point = point.or(last);
            }
            Event::TouchBegin { point, velocity, .. } => {
                line.point = Some(*point);
                line.velocity_before = Some(*velocity);
            }
            Event::Jam { point, impulse, per_force, energy, .. } => {
                line.point = Some(*point);
                line.impulse = Some(*impulse);
                line.per_force = Some(*per_force);
                line.energy = Some(*energy);
            }
            Event::LiftOff { point, impulse, per_force, .. } => {
                line.point = Some(*point);
                line.impulse = Some(*impulse);
                line.per_force = Some(*per_force);
            }
            Event::RestitutionReduced { point, share, .. } => {
                line.point = Some(*point);
                line.share = Some(*share);
            }
            Event::Accumulation { contact, since, energy, .. } => {
                line.point = places.get(contact).copied();
                line.since = Some(*since);
                line.energy = Some(*energy);
            }
            Event::FixedSteps { since, energy, bodies, .. } => {
                line.bodies = Some(bodies.iter().map(|&id| body_name(world, id.into())).collect());
                line.since = Some(*since);
                line.energy = Some(*energy);
            }
            Event::Sustained { velocity, .. } => line.velocity_before = Some(*velocity),
            Event::Broken { name, force, .. } => {
                line.name = Some(name);
                line.force = Some(*force);
            }
            Event::User { name, .. } => line.name = Some(name),
            // Kind, time and bodies say it all of the others.
            _ => {}
        }
        line
    }
}

/// The name of a body, `"ground"` for the immovable background.
pub(crate) fn body_name(world: &World, body: BodyRef) -> &str {
    body.index().and_then(|index| world.body(index).ok()).map_or("ground", |view| view.name())
}
