//! The motion: one row a step, six columns a body.

use crate::column::Column;
use crate::error::TableError;
use crate::group::{Cell, Group, numbers};
use engine2d_sim::{PairForce, StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// Columns of a body with their units.
const OF_A_BODY: [(&str, &str); 6] = [
    ("x", "length"),
    ("y", "length"),
    ("angle", "angle"),
    ("vx", "length/time"),
    ("vy", "length/time"),
    ("spin", "angle/time"),
];

/// Writes a Parquet file with the columns of `trajectory.csv`: time, energies, and for each movable body position and velocity of
/// the centre of mass, angle (radians) and spin; on request the contact forces of pairs of bodies. The first row is the start.
pub struct TrajectoryTable<W: Write + Send> {
    group: Group<W>,
    forces: Vec<[String; 2]>,
}

impl<W: Write + Send> TrajectoryTable<W> {
    /// Writes to `writer`.
    pub fn new(writer: W) -> Self {
        Self { group: Group::new(writer), forces: Vec::new() }
    }

    /// Adds columns for pairs of bodies by name, as [`PairForce`] has them; numbers of the mode: 0 open, 1 sticks, 2 slides.
    #[must_use]
    pub fn with_forces(mut self, pairs: Vec<[String; 2]>) -> Self {
        self.forces = pairs;
        self
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn finish(self) -> Result<(), TableError> {
        self.group.finish()
    }

    fn row(&mut self, world: &World) -> io::Result<()> {
        let energy = world.energy();
        let mut cells = vec![world.time(), energy.kinetic(), energy.potential, energy.total()];
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            let (p, v) = (body.position(), body.velocity());
            cells.extend([p.x, p.y, body.angle(), v.x, v.y, body.angular_velocity()]);
        }
        for [first, second] in &self.forces {
            let force = world.inspect().pair_force(first.as_str(), second.as_str()).unwrap_or_default();
            cells.extend(force.values());
        }
        Ok(self.group.row(cells.into_iter().map(Cell::Number))?)
    }
}

impl<W: Write + Send> Observer for TrajectoryTable<W> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let mut columns = numbers(&[
            ("time", "time"),
            ("kinetic_energy", "energy"),
            ("potential_energy", "energy"),
            ("total_energy", "energy"),
        ]);
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            let named = |(column, unit): (&str, &'static str)| {
                Column::numbers(format!("{}.{column}", body.name()), unit, Vec::new())
            };
            columns.extend(OF_A_BODY.map(named));
        }
        for [first, second] in &self.forces {
            columns.extend(PairForce::COLUMNS.map(|(column, unit)| {
                Column::numbers(format!("{first}/{second}.{column}"), unit, Vec::new())
            }));
        }
        self.group.begin(columns)?;
        self.row(world)
    }

    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        self.row(world)
    }
}
