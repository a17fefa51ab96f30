//! The motion as a table: one row a step, six columns a body.

use engine2d_sim::{BodyView, StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// What is told of a body.
pub(crate) const COLUMNS: [&str; 6] = ["x", "y", "angle", "vx", "vy", "spin"];

/// Writes comma-separated values: time, energies, and for each movable body position and velocity of the
/// centre of mass, angle (radians) and spin. Numbers read back to the same bits.
pub struct TrajectoryWriter<W> {
    writer: W,
}

impl<W: Write> TrajectoryWriter<W> {
    /// Writes to `writer`, unbuffered.
    pub fn new(writer: W) -> Self {
        Self { writer }
    }

    /// Where it writes.
    pub fn writer(&mut self) -> &mut W {
        &mut self.writer
    }

    /// Gives back where it writes.
    pub fn into_writer(self) -> W {
        self.writer
    }

    fn row(&mut self, world: &World) -> io::Result<()> {
        let energy = world.energy();
        write!(self.writer, "{},{},{},{}", world.time(), energy.kinetic(), energy.potential, energy.total())?;
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            columns(&body).into_iter().try_for_each(|value| write!(self.writer, ",{value}"))?;
        }
        writeln!(self.writer)
    }
}

impl<W: Write> Observer for TrajectoryWriter<W> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        write!(self.writer, "time,kinetic_energy,potential_energy,total_energy")?;
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            for column in COLUMNS {
                write!(self.writer, ",{}", quoted(&format!("{}.{column}", body.name())))?;
            }
        }
        writeln!(self.writer)?;
        self.row(world)
    }

    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        self.row(world)
    }
}

/// What is told of a body, in the order of [`COLUMNS`].
pub(crate) fn columns(body: &BodyView<'_>) -> [f64; 6] {
    let (p, v) = (body.position(), body.velocity());
    [p.x, p.y, body.angle(), v.x, v.y, body.spin()]
}

/// A heading as CSV wants it: in quotes when it contains a separator.
fn quoted(heading: &str) -> String {
    if heading.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", heading.replace('"', "\"\""))
    } else {
        heading.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_with_separators_are_quoted() {
        assert_eq!(quoted("ball.x"), "ball.x");
        assert_eq!(quoted("a,\"b\".x"), "\"a,\"\"b\"\".x\"");
    }
}
