//! The tables of a run as Parquet files.

use crate::Failure;
use crate::output::create;
use engine2d::record::Observer;
use engine2d::sim::{StepReport, World};
use engine2d_table::{ContactTable, EventTable, TableError, TrajectoryTable};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

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
    /// Begins the files of a format in a folder; none for the one that has none.
    pub(crate) fn create(format: Format, folder: &Path) -> Result<Option<Self>, Failure> {
        if format == Format::Csv {
            return Ok(None);
        }
        Ok(Some(Self {
            trajectory: TrajectoryTable::new(create(&folder.join("trajectory.parquet"))?),
            contacts: ContactTable::new(create(&folder.join("contacts.parquet"))?),
            events: EventTable::new(create(&folder.join("events.parquet"))?),
        }))
    }

    /// Ends the files.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let failed = |error: TableError| Failure::Other(error.to_string());
        self.trajectory.finish().map_err(failed)?;
        self.contacts.finish().map_err(failed)?;
        self.events.finish().map_err(failed)
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
