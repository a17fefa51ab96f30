//! The motion as a table: one row a step, six columns a body.

use engine2d_sim::{BodyView, PairForce, StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// What is told of a body.
pub(crate) const COLUMNS: [&str; 6] = ["x", "y", "angle", "vx", "vy", "spin"];

/// Writes comma-separated values: time, energies, and for each movable body position and velocity of the
/// centre of mass, angle (radians) and spin; on request the contact forces of pairs of bodies
/// ([`with_forces`](Self::with_forces)). Numbers read back to the same bits.
pub struct TrajectoryWriter<W> {
    writer: W,
    forces: Vec<[String; 2]>,
}

impl<W: Write> TrajectoryWriter<W> {
    /// Writes to `writer`, unbuffered.
    pub fn new(writer: W) -> Self {
        Self { writer, forces: Vec::new() }
    }

    /// Adds columns for pairs of bodies by name: normal and tangential force (force), sliding speed (length/time) and mode (0 open, 1
    /// sticks, 2 slides) of their contacts together, at the end of each step ([`PairForce`]). In the row of the start they are 0,
    /// and so they are once a body is gone.
    #[must_use]
    pub fn with_forces(mut self, pairs: Vec<[String; 2]>) -> Self {
        self.forces = pairs;
        self
    }

    /// The pairs of bodies whose forces are told.
    pub fn forces(&self) -> &[[String; 2]] {
        &self.forces
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
        for [first, second] in &self.forces {
            let force = world.inspect().pair_force(first.as_str(), second.as_str()).unwrap_or_default();
            force.values().into_iter().try_for_each(|value| write!(self.writer, ",{value}"))?;
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
        for [first, second] in &self.forces {
            for (column, _) in PairForce::COLUMNS {
                write!(self.writer, ",{}", quoted(&format!("{first}/{second}.{column}")))?;
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
pub(crate) fn quoted(heading: &str) -> String {
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
