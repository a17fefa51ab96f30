//! The tables of a run as Parquet files.

use crate::Failure;
use crate::folder::{Folder, TABLES};
use crate::output::cannot;
use crate::part::temporary;
use engine2d::record::Observer;
use engine2d::sim::{StepReport, World};
use engine2d_table::{ContactTable, EventTable, TableError, TrajectoryTable};
use std::fs::{self, File};
use std::io::{self, BufWriter};

/// In which form a run's tables are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// trajectory.csv and events.jsonl.
    Csv,
    /// The same, and trajectory.parquet, contacts.parquet and events.parquet with units in their metadata.
    Parquet,
}

/// The files being written.
pub(crate) struct Tables {
    trajectory: TrajectoryTable<BufWriter<File>>,
    contacts: ContactTable<BufWriter<File>>,
    events: EventTable<BufWriter<File>>,
}

impl Tables {
    /// Begins the files of a format in a folder, with the contact forces of pairs of bodies; none for the one that has none.
    pub(crate) fn create(
        format: Format,
        folder: &Folder,
        forces: &[[String; 2]],
    ) -> Result<Option<Self>, Failure> {
        if format == Format::Csv {
            return Ok(None);
        }
        let begin = |name| {
            let path = temporary(&folder.file(name));
            let file = File::create(&path).map_err(|error| cannot("write", &path, &error))?;
            Ok::<_, Failure>(BufWriter::new(file))
        };
        let [trajectory, contacts, events] = TABLES;
        Ok(Some(Self {
            trajectory: TrajectoryTable::new(begin(trajectory)?).with_forces(forces.to_vec()),
            contacts: ContactTable::new(begin(contacts)?),
            events: EventTable::new(begin(events)?),
        }))
    }

    /// Ends the files and gives them their names: now they are complete.
    pub(crate) fn finish(self, folder: &Folder) -> Result<(), Failure> {
        let failed = |error: TableError| Failure::Other(error.to_string());
        self.trajectory.finish().map_err(failed)?;
        self.contacts.finish().map_err(failed)?;
        self.events.finish().map_err(failed)?;
        for name in TABLES {
            let path = folder.file(name);
            let part = temporary(&path);
            fs::rename(&part, &path).map_err(|error| cannot("rename", &part, &error))?;
        }
        Ok(())
    }
}

impl Observer for Tables {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.trajectory.start(world)?;
        self.contacts.start(world)?;
        self.events.start(world)
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        self.trajectory.step(world, report)?;
        self.contacts.step(world, report)?;
        self.events.step(world, report)
    }
}
