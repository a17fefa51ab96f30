//! Those who look on: what they are told, how they come and go.

use crate::display::DisplayItem;
use crate::parameter::ParameterValue;
use engine2d_sim::{BodyId, Event, StepReport, World};
use std::fmt;
use std::io::{self, Write};

/// What observers are told besides steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum News<'a> {
    /// A collision, the begin or end of a contact, or another event of an advance.
    Event(&'a Event),
    /// A parameter has a new value.
    ParameterChanged {
        /// Its name in normal form.
        name: &'a str,
        /// The value.
        value: &'a ParameterValue,
    },
    /// Every body was given this coefficient of restitution.
    RestitutionSet(f64),
    /// The present state became the initial one.
    InitialStateSaved,
    /// The world returned to its initial state.
    Reset,
    /// Everything was removed.
    Cleared,
    /// A body was added.
    BodyAdded(BodyId),
    /// A body was removed; its identity is nobody's any more.
    BodyRemoved(BodyId),
    /// The number of contacts at the end of an advance, told as often as
    /// [`Aids::count_contacts_every`](engine2d_sim::Aids::count_contacts_every) says.
    ContactCount(usize),
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => write!(f, "{event}"),
            Self::ParameterChanged { name, value } => write!(f, "{name} = {value}"),
            Self::RestitutionSet(value) => write!(f, "restitution of all bodies = {value}"),
            Self::InitialStateSaved => write!(f, "initial state saved"),
            Self::Reset => write!(f, "reset"),
            Self::Cleared => write!(f, "cleared"),
            Self::BodyAdded(id) => write!(f, "body {} added", id.index()),
            Self::BodyRemoved(id) => write!(f, "body {} removed", id.index()),
            Self::ContactCount(count) => write!(f, "{count} contacts"),
        }
    }
}

/// Looks on at a run. Every function does nothing unless it is given; closures that take time, news and changes hear news.
pub trait Observer {
    /// The world before the first step.
    ///
    /// # Errors
    /// What writing reports.
    fn start(&mut self, world: &World) -> io::Result<()> {
        let _unseen = world;
        Ok(())
    }

    /// The world after a step, and what happened in it.
    ///
    /// # Errors
    /// What writing reports.
    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        let _unseen = (world, report);
        Ok(())
    }

    /// What stays for a while on the display of a [`Session`](crate::Session); told before each step is shown.
    fn display(&mut self, items: &[DisplayItem]) {
        let _unseen = items;
    }

    /// What happened at a time, in order. `changes` takes subscriptions, which hold from the next news on.
    ///
    /// # Errors
    /// What writing reports.
    fn news(&mut self, time: f64, news: &News<'_>, changes: &mut Changes) -> io::Result<()> {
        let _unheard = (time, news, changes);
        Ok(())
    }
}

impl<F: FnMut(f64, &News<'_>, &mut Changes)> Observer for F {
    fn news(&mut self, time: f64, news: &News<'_>, changes: &mut Changes) -> io::Result<()> {
        self(time, news, changes);
        Ok(())
    }
}

/// Names a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObserverId(u64);

/// Subscriptions made and ended during a notification.
#[derive(Default)]
pub struct Changes {
    added: Vec<Box<dyn Observer + Send>>,
    removed: Vec<ObserverId>,
}

impl Changes {
    /// Subscribes another observer.
    pub fn subscribe(&mut self, observer: impl Observer + Send + 'static) {
        self.added.push(Box::new(observer));
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, id: ObserverId) {
        self.removed.push(id);
    }
}

/// The observers of a session.
#[derive(Default)]
pub(crate) struct Observers {
    list: Vec<(ObserverId, Box<dyn Observer + Send>)>,
    next: u64,
    pub(crate) silent: bool,
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").field("count", &self.list.len()).field("silent", &self.silent).finish()
    }
}

impl Observers {
    pub(crate) fn subscribe(&mut self, observer: Box<dyn Observer + Send>) -> ObserverId {
        let id = ObserverId(self.next);
        self.next += 1;
        self.list.push((id, observer));
        id
    }

    pub(crate) fn unsubscribe(&mut self, id: ObserverId) -> bool {
        let before = self.list.len();
        self.list.retain(|(other, _)| *other != id);
        self.list.len() < before
    }

    /// Tells all of them, also after one could not write; the first failure is returned.
    pub(crate) fn tell(&mut self, time: f64, news: &News<'_>) -> io::Result<()> {
        let mut changes = Changes::default();
        let outcome = self.each(|observer| observer.news(time, news, &mut changes));
        for id in changes.removed {
            self.unsubscribe(id);
        }
        for observer in changes.added {
            self.subscribe(observer);
        }
        outcome
    }

    /// Shows all of them a step.
    pub(crate) fn show(
        &mut self,
        world: &World,
        report: &StepReport,
        items: &[DisplayItem],
    ) -> io::Result<()> {
        self.each(|observer| {
            observer.display(items);
            observer.step(world, report)
        })
    }

    fn each(
        &mut self,
        mut visit: impl FnMut(&mut (dyn Observer + Send)) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.silent {
            return Ok(());
        }
        let mut outcome = Ok(());
        for (_, observer) in &mut self.list {
            outcome = outcome.and(visit(observer.as_mut()));
        }
        outcome
    }
}

/// Writes a line for each piece of news, with the simulated time.
pub struct TextObserver<W> {
    writer: W,
}

impl<W: Write> TextObserver<W> {
    /// Writes to `writer`, unbuffered.
    pub fn new(writer: W) -> Self {
        Self { writer }
    }
}

impl<W: Write> Observer for TextObserver<W> {
    fn news(&mut self, time: f64, news: &News<'_>, _: &mut Changes) -> io::Result<()> {
        match news {
            // Events carry their time.
            News::Event(event) => writeln!(self.writer, "{event}"),
            other => writeln!(self.writer, "{time:.6} s  {other}"),
        }
    }
}
