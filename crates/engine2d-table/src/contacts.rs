//! The forces: one row for each contact at the end of each step.

use crate::column::{Column, Values};
use crate::error::TableError;
use crate::group::{Cell, Group, numbers};
use engine2d_geometry::BodyRef;
use engine2d_sim::{StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// Writes a Parquet file of contacts and joints with their forces: time, bodies by name, the contact's identity, place, normal,
/// normal force on the first body, friction along the normal turned a quarter to the left, torque of rolling resistance, gap, and
/// whether it is a joint.
pub struct ContactTable<W: Write + Send> {
    group: Group<W>,
}

impl<W: Write + Send> ContactTable<W> {
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

/// The name of a body, `"ground"` for the immovable background.
pub(crate) fn body_name(world: &World, body: BodyRef) -> String {
    let view = body.index().and_then(|index| world.body(index).ok());
    view.map_or("ground", |view| view.name()).to_owned()
}

impl<W: Write + Send> Observer for ContactTable<W> {
    fn start(&mut self, _: &World) -> io::Result<()> {
        let mut columns = numbers(&[("time", "time")]);
        columns.extend(["body_a", "body_b", "contact"].map(|name| Column::texts(name, Vec::new())));
        columns.extend(numbers(&[
            ("x", "length"),
            ("y", "length"),
            ("normal_x", ""),
            ("normal_y", ""),
            ("force", "force"),
            ("friction", "force"),
            ("rolling_torque", "force*length"),
            ("gap", "length"),
        ]));
        columns.push(Column::new("joint", "", Values::Flags(Vec::new())));
        Ok(self.group.begin(columns)?)
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        for contact in &report.contacts {
            let names = [contact.id.primary, contact.id.normal_body].map(|body| body_name(world, body));
            let [first, second] = names.map(Cell::Text);
            let figures = [
                contact.point.x,
                contact.point.y,
                contact.normal.x,
                contact.normal.y,
                contact.force,
                contact.friction,
                contact.rolling_torque,
                contact.gap,
            ];
            let cells = [Cell::Number(report.time), first, second, Cell::Text(contact.id.to_string())];
            let figures = figures.into_iter().map(Cell::Number);
            self.group.row(cells.into_iter().chain(figures).chain([Cell::Flag(contact.bilateral)]))?;
        }
        Ok(())
    }
}
