//! Those who look on: what they are told, how they come and go.

use crate::parameter::ParameterValue;
use crate::report::Event;
use std::fmt;
use std::io::Write;

/// What observers are told.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notification<'a> {
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
    ElasticitySet(f64),
    /// The present state became the initial one.
    InitialStateSaved,
    /// The world returned to its initial state.
    Reset,
    /// Everything was removed.
    Cleared,
    /// A body was added at this index.
    BodyAdded(usize),
    /// The body of this index was removed.
    BodyRemoved(usize),
    /// The number of contacts at the end of an advance, told as often as
    /// [`Aids::count_contacts_every`](crate::Aids::count_contacts_every) says.
    ContactCount(usize),
}

impl fmt::Display for Notification<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => write!(f, "{event}"),
            Self::ParameterChanged { name, value } => write!(f, "{name} = {value}"),
            Self::ElasticitySet(value) => write!(f, "elasticity of all bodies = {value}"),
            Self::InitialStateSaved => write!(f, "initial state saved"),
            Self::Reset => write!(f, "reset"),
            Self::Cleared => write!(f, "cleared"),
            Self::BodyAdded(index) => write!(f, "body {index} added"),
            Self::BodyRemoved(index) => write!(f, "body {index} removed"),
            Self::ContactCount(count) => write!(f, "{count} contacts"),
        }
    }
}

/// Looks on. Closures of the same arguments are observers.
pub trait Observer: Send {
    /// Called for each notification in order. `changes` takes subscriptions, which hold from the next one on.
    fn notify(&mut self, time: f64, news: &Notification<'_>, changes: &mut Changes);
}

impl<F: FnMut(f64, &Notification<'_>, &mut Changes) + Send> Observer for F {
    fn notify(&mut self, time: f64, news: &Notification<'_>, changes: &mut Changes) {
        self(time, news, changes);
    }
}

/// Names a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObserverId(u64);

/// Subscriptions made and ended during a notification.
#[derive(Default)]
pub struct Changes {
    added: Vec<Box<dyn Observer>>,
    removed: Vec<ObserverId>,
}

impl Changes {
    /// Subscribes another observer.
    pub fn subscribe(&mut self, observer: impl Observer + 'static) {
        self.added.push(Box::new(observer));
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, id: ObserverId) {
        self.removed.push(id);
    }
}

/// The observers of a world. A clone of the world has none.
#[derive(Default)]
pub(crate) struct Observers {
    list: Vec<(ObserverId, Box<dyn Observer>)>,
    next: u64,
    pub(crate) silent: bool,
}

impl Clone for Observers {
    fn clone(&self) -> Self {
        Self { list: Vec::new(), next: self.next, silent: self.silent }
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").field("count", &self.list.len()).field("silent", &self.silent).finish()
    }
}

impl Observers {
    pub(crate) fn subscribe(&mut self, observer: Box<dyn Observer>) -> ObserverId {
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

    pub(crate) fn notify(&mut self, time: f64, news: &Notification<'_>) {
        if self.silent || self.list.is_empty() {
            return;
        }
        let mut changes = Changes::default();
        for (_, observer) in &mut self.list {
            observer.notify(time, news, &mut changes);
        }
        for id in changes.removed {
            self.unsubscribe(id);
        }
        for observer in changes.added {
            self.subscribe(observer);
        }
    }
}

/// Writes a line for each notification, with the simulated time. Lines that cannot be written are dropped.
pub struct TextObserver<W> {
    writer: W,
}

impl<W: Write + Send> TextObserver<W> {
    /// Writes to `writer`, unbuffered.
    pub fn new(writer: W) -> Self {
        Self { writer }
    }
}

impl<W: Write + Send> Observer for TextObserver<W> {
    fn notify(&mut self, time: f64, news: &Notification<'_>, _: &mut Changes) {
        // An observer must not end what it observes.
        let _dropped = match news {
            // Events carry their time.
            Notification::Event(event) => writeln!(self.writer, "{event}"),
            other => writeln!(self.writer, "{time:.6} s  {other}"),
        };
    }
}
