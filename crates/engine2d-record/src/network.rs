//! The network of contact forces as two tables: one row a contact, one row an island, at the end of each step.

use crate::trajectory::quoted;
use engine2d_sim::{ContactLoad, ContactMode, LoadedIsland, StepReport, World};
use engine2d_watch::Observer;
use std::io::{self, Write};

/// The columns of the contacts.
const CONTACTS: &str =
    "time,first,second,x,y,normal_x,normal_y,normal_force,friction,slip_speed,contact_mode";

/// The columns of the islands.
const ISLANDS: &str = "time,island,bodies,contacts,sliding,coordination,solid_area,moment_xx,moment_xy,moment_yx,\
                       moment_yy,pressure,anisotropy";

/// Writes comma-separated values: the contacts that carry a force, and the islands that they make
/// ([`ForceNetwork`](engine2d_sim::ForceNetwork) has what the columns mean). An island goes by the name of its first body.
pub struct NetworkWriter<W> {
    contacts: W,
    islands: W,
}

impl<W: Write> NetworkWriter<W> {
    /// Writes the contacts and the islands, unbuffered.
    pub fn new(contacts: W, islands: W) -> Self {
        Self { contacts, islands }
    }

    /// Gives back where the contacts and the islands were written.
    pub fn into_writers(self) -> [W; 2] {
        [self.contacts, self.islands]
    }

    fn contact(&mut self, names: &[String], time: f64, load: &ContactLoad) -> io::Result<()> {
        let name = |k: usize| load.bodies[k].index().map_or("ground", |body| &names[body]);
        let ContactLoad { point, normal, normal_force, friction, slip, mode, .. } = load;
        write!(self.contacts, "{time},{},{}", name(0), name(1))?;
        for value in [point.x, point.y, normal.x, normal.y, *normal_force, *friction, *slip] {
            write!(self.contacts, ",{value}")?;
        }
        writeln!(self.contacts, ",{}", ContactMode::number(*mode))
    }

    fn island(&mut self, names: &[String], time: f64, island: &LoadedIsland) -> io::Result<()> {
        let LoadedIsland { bodies, contacts, sliding, coordination, solid_area, moment, .. } = island;
        let [[xx, xy], [yx, yy]] = moment;
        write!(self.islands, "{time},{},{},{contacts}", names[bodies[0]], bodies.len())?;
        let derived = [island.pressure(), island.anisotropy()];
        for value in [*sliding, *coordination, *solid_area, *xx, *xy, *yx, *yy].into_iter().chain(derived) {
            write!(self.islands, ",{value}")?;
        }
        writeln!(self.islands)
    }
}

impl<W: Write> Observer for NetworkWriter<W> {
    fn start(&mut self, _: &World) -> io::Result<()> {
        writeln!(self.contacts, "{CONTACTS}")?;
        writeln!(self.islands, "{ISLANDS}")
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        let network = world.inspect().force_network();
        let mut names = Vec::new();
        for body in world.bodies() {
            names.resize(body.index() + 1, String::new());
            names[body.index()] = quoted(body.name());
        }
        network.contacts.iter().try_for_each(|load| self.contact(&names, report.time, load))?;
        network.islands.iter().try_for_each(|island| self.island(&names, report.time, island))
    }
}
