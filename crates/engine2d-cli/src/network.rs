//! `--network`: the contacts that carry a force, and the islands that they make.

use crate::Failure;
use crate::folder::{Folder, NETWORK};
use crate::part::PartFile;
use engine2d::record::{NetworkWriter, Observer};
use engine2d::sim::{StepReport, World};
use std::io;

/// The files being written.
pub(crate) struct Network(NetworkWriter<PartFile>);

impl Network {
    /// Begins the files in a folder.
    pub(crate) fn create(folder: &Folder) -> Result<Self, Failure> {
        let [contacts, islands] = NETWORK.map(|name| PartFile::create(&folder.file(name)));
        Ok(Self(NetworkWriter::new(contacts?, islands?)))
    }

    /// Ends the files and gives them their names: now they are complete.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.0.into_writers().into_iter().try_for_each(PartFile::finish)
    }
}

impl Observer for Network {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.0.start(world)
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        self.0.step(world, report)
    }
}
