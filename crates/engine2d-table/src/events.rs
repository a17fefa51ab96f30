//! What happened: one row an event.

use crate::column::Column;
use crate::contacts::body_name;
use crate::error::TableError;
use crate::group::{Cell, Group, numbers};
use engine2d_sim::{Event, StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// Writes a Parquet file of events: kind, time, bodies by name, the contact's identity, and of those that have them place,
/// impulse, normal velocities before and after, energy, and the name of a joint or of an event of the user's.
pub struct EventTable<W: Write + Send> {
    group: Group<W>,
}

impl<W: Write + Send> EventTable<W> {
    /// Writes to `writer`.
    pub fn new(writer: W) -> Self {
        Self { group: Group::new(writer) }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn finish(self) -> Result<(), TableError> {
        self.group.finish()
    }
}

/// Impulse, normal velocities before and after, energy, of those that have them.
fn figures(event: &Event) -> [Option<f64>; 4] {
    match event {
        Event::Collision { impulse, velocity_before, velocity_after, .. } => {
            [Some(*impulse), Some(*velocity_before), Some(*velocity_after), None]
        }
        Event::TouchBegin { velocity, .. } | Event::Sustained { velocity, .. } => {
            [None, Some(*velocity), None, None]
        }
        Event::Jam { impulse, energy, .. } => [Some(*impulse), None, None, Some(*energy)],
        Event::LiftOff { impulse, .. } => [Some(*impulse), None, None, None],
        Event::Accumulation { energy, .. } | Event::FixedSteps { energy, .. } => {
            [None, None, None, Some(*energy)]
        }
        _ => [None; 4],
    }
}

impl<W: Write + Send> Observer for EventTable<W> {
    fn start(&mut self, _: &World) -> io::Result<()> {
        let mut columns = vec![Column::texts("event", Vec::new())];
        columns.extend(numbers(&[("time", "time")]));
        columns.extend(["body_a", "body_b", "contact"].map(|name| Column::texts(name, Vec::new())));
        columns.extend(numbers(&[
            ("x", "length"),
            ("y", "length"),
            ("impulse", "impulse"),
            ("velocity_before", "length/time"),
            ("velocity_after", "length/time"),
            ("energy", "energy"),
        ]));
        columns.push(Column::texts("name", Vec::new()));
        Ok(self.group.begin(columns)?)
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        for event in report.events() {
            let bodies = event.bodies().map(|pair| pair.map(|body| body_name(world, body)));
            let [first, second] = bodies.map_or([None, None], |pair| pair.map(Some));
            let point = event.point();
            let name = match event {
                Event::Broken { name, .. } | Event::User { name, .. } => Some(name.clone()),
                _ => None,
            };
            let texts = [first, second, event.contact().map(|id| id.to_string())];
            let cells = [Cell::Text(event.kind().to_owned()), Cell::Number(event.time())];
            let numbers = [point.map(|p| p.x), point.map(|p| p.y)].into_iter().chain(figures(event));
            let cells = cells.into_iter().chain(texts.map(Cell::from)).chain(numbers.map(Cell::from));
            self.group.row(cells.chain([Cell::from(name)]))?;
        }
        Ok(())
    }
}
