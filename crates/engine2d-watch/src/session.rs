//! A world with those who watch it.

use crate::display::{DisplayItem, DisplayList, Shown};
use crate::error::WatchError;
use crate::observer::{News, Observer, ObserverId, Observers};
use crate::parameter::{Parameter, ParameterValue};
use crate::settings::{SEED, changed, current, names, parameters};
use engine2d_sim::{Body, BodyId, BodyKey, Removed, Snapshot, StepReport, World};
use std::ops::{Deref, DerefMut};

/// A world with observers, parameters by name and a display. It reads as the world; what is changed by the functions here
/// is told to the observers, what is changed by [`world_mut`](Self::world_mut) is not.
///
/// ```
/// use engine2d_sim::{Body, World};
/// use engine2d_watch::{Changes, News, Session, WatchError};
/// use std::sync::{Arc, Mutex};
///
/// let mut session = Session::new(World::builder().body(Body::ball(1.0)).build()?);
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let copy = log.clone();
/// session.subscribe(move |_: f64, news: &News<'_>, _: &mut Changes| {
///     copy.lock().unwrap().push(news.to_string());
/// });
/// session.set_restitution(0.5)?;
/// assert_eq!(*log.lock().unwrap(), ["restitution of all bodies = 0.5"]);
/// # Ok::<(), WatchError>(())
/// ```
#[derive(Debug)]
pub struct Session {
    world: World,
    observers: Observers,
    display: DisplayList,
    /// Parameters that users have registered.
    own: Vec<Parameter>,
    /// The state to which [`reset`](Self::reset) returns.
    initial: Option<Snapshot>,
    /// Time of the last count of contacts told.
    counted: Option<f64>,
}

impl Deref for Session {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Session {
    /// A world without observers yet.
    #[must_use]
    pub fn new(world: World) -> Self {
        let (observers, display) = (Observers::default(), DisplayList::default());
        Self { world, observers, display, own: Vec::new(), initial: None, counted: None }
    }

    /// The world, for changes that nobody is told of.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The world alone.
    #[must_use]
    pub fn into_world(self) -> World {
        self.world
    }

    /// Subscribes an observer. It sees what comes from now on.
    pub fn subscribe(&mut self, observer: impl Observer + Send + 'static) -> ObserverId {
        self.observers.subscribe(Box::new(observer))
    }

    /// Ends a subscription; returns whether there was one.
    pub fn unsubscribe(&mut self, id: ObserverId) -> bool {
        self.observers.unsubscribe(id)
    }

    /// The session without a word to its observers, until the guard is dropped.
    pub fn muted(&mut self) -> Muted<'_> {
        let before = std::mem::replace(&mut self.observers.silent, true);
        Muted { session: self, before }
    }

    /// Advances the world by `step` (time ≥ 0), then tells the events and shows the step. With
    /// [`Aids::display_forces`](engine2d_sim::Aids::display_forces) the forces are put into the display.
    ///
    /// # Errors
    /// [`WatchError::Simulation`] as [`World::advance`]; [`WatchError::Recording`] where an observer could not write.
    pub fn advance(&mut self, step: f64) -> Result<StepReport, WatchError> {
        self.display.purge(self.world.time());
        let mut report = StepReport::default();
        let outcome = self.world.probe().advance_into(step, &mut report);
        for event in report.events() {
            self.observers.tell(event.time(), &News::Event(event))?;
        }
        outcome?;
        if self.world.settings().aids.display_forces {
            self.display.record(&self.world, &report);
        }
        self.tell_contact_count()?;
        self.observers.show(&self.world, &report, self.display.items())?;
        Ok(report)
    }

    /// Tells the number of contacts, at most once in the time set.
    fn tell_contact_count(&mut self) -> Result<(), WatchError> {
        let Some(interval) = self.world.settings().aids.count_contacts_every else { return Ok(()) };
        let now = self.world.time();
        if self.counted.is_some_and(|last| (last..last + interval).contains(&now)) {
            return Ok(());
        }
        self.counted = Some(now);
        let contacts = self.world.contact_forces().len() + self.world.inspect().compliant_forces().len();
        #[cfg(feature = "trace")]
        tracing::info!(time = now, contacts, "contacts");
        self.tell(&News::ContactCount(contacts))
    }

    fn tell(&mut self, news: &News<'_>) -> Result<(), WatchError> {
        Ok(self.observers.tell(self.world.time(), news)?)
    }

    /// What stays for a while on the display.
    #[must_use]
    pub fn display(&self) -> &DisplayList {
        &self.display
    }

    /// The display, to show and to clear.
    pub fn display_mut(&mut self) -> &mut DisplayList {
        &mut self.display
    }

    /// All there is to draw now.
    pub fn display_items(&self) -> impl Iterator<Item = DisplayItem> + '_ {
        self.display.all(&self.world)
    }

    /// Shows an object until an advance begins after the time `expires`.
    pub fn show(&mut self, shown: Shown, expires: f64) {
        self.display.show(shown, expires);
    }

    /// Adds a body as [`World::add_body`].
    ///
    /// # Errors
    /// As [`World::add_body`].
    pub fn add_body(&mut self, body: Body) -> Result<BodyId, WatchError> {
        let id = self.world.add_body(body)?;
        self.tell(&News::BodyAdded(id))?;
        Ok(id)
    }

    /// Removes a body as [`World::remove_body`].
    ///
    /// # Errors
    /// As [`World::remove_body`].
    pub fn remove_body<'a>(&mut self, body: impl Into<BodyKey<'a>>) -> Result<Removed, WatchError> {
        let id = self.world.body(body)?.id();
        let removed = self.world.remove_body(id)?;
        self.tell(&News::BodyRemoved(id))?;
        Ok(removed)
    }

    /// Gives every body the same coefficient of restitution.
    ///
    /// # Errors
    /// As [`Edit::set_restitution`](engine2d_sim::Edit::set_restitution).
    pub fn set_restitution(&mut self, restitution: f64) -> Result<(), WatchError> {
        self.world.edit().set_restitution(restitution)?;
        self.tell(&News::RestitutionSet(restitution))
    }

    /// Makes the present state the one to which [`reset`](Self::reset) returns.
    ///
    /// # Errors
    /// [`WatchError::Recording`] where an observer could not write.
    pub fn save_initial_state(&mut self) -> Result<(), WatchError> {
        self.initial = Some(self.world.snapshot());
        self.tell(&News::InitialStateSaved)
    }

    /// Returns to the state saved by [`save_initial_state`](Self::save_initial_state), counters at zero, connectors
    /// aligned. The generator goes on where it is.
    ///
    /// # Errors
    /// [`WatchError::NoInitialState`]; [`WatchError::Simulation`] when bodies have been added or removed since.
    pub fn reset(&mut self) -> Result<(), WatchError> {
        let initial = self.initial.as_ref().ok_or(WatchError::NoInitialState)?;
        self.world.edit().restart(initial)?;
        self.tell(&News::Reset)
    }

    /// Removes everything as [`Edit::clear`](engine2d_sim::Edit::clear).
    ///
    /// # Errors
    /// [`WatchError::Recording`] where an observer could not write.
    pub fn clear(&mut self) -> Result<(), WatchError> {
        self.world.edit().clear();
        self.initial = None;
        self.tell(&News::Cleared)
    }

    /// All parameters with their values: those of the settings, then the user's own in the order of registration.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        parameters(self.world.settings()).chain(self.own.iter().cloned()).collect()
    }

    /// The parameter of that name: that of its field in the settings, like `collision_handling`; upper and lower case, spaces,
    /// hyphens and underscores are not told apart.
    ///
    /// # Errors
    /// [`WatchError::UnknownParameter`].
    pub fn parameter(&self, name: &str) -> Result<Parameter, WatchError> {
        let (mut all, wanted) = (self.parameters(), current(name));
        match all.iter().position(|p| p.name == wanted) {
            Some(index) => Ok(all.swap_remove(index)),
            None => Err(unknown(name)),
        }
    }

    /// Sets a parameter by name and tells the observers. Setting `seed`, also to the value it has, starts the
    /// generator anew.
    ///
    /// # Errors
    /// [`WatchError`] for an unknown name or a value of another kind or beyond the limits; nothing is then changed.
    pub fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), WatchError> {
        let parameter = self.parameter(name)?;
        if !parameter.accepts(&value) {
            return Err(WatchError::ParameterValue { name: parameter.name, value: value.to_string() });
        }
        if let Some(settings) = changed(self.world.settings(), &parameter.name, &value) {
            self.world.edit().set_settings(settings)?;
            if parameter.name == SEED {
                self.world.edit().restart_generator();
            }
        } else if let Some(own) = self.own.iter_mut().find(|p| p.name == parameter.name) {
            own.value = value;
        }
        self.announce_parameter(&parameter.name)
    }

    /// Registers a parameter of the user's own.
    ///
    /// # Errors
    /// [`WatchError::DuplicateParameter`], or [`WatchError::ParameterValue`] for a value that its kind does not allow.
    pub fn add_parameter(&mut self, parameter: Parameter) -> Result<(), WatchError> {
        let parameter = Parameter { name: current(&parameter.name), ..parameter };
        if self.parameter(&parameter.name).is_ok() {
            return Err(WatchError::DuplicateParameter { name: parameter.name });
        }
        if !parameter.accepts(&parameter.value) {
            let value = parameter.value.to_string();
            return Err(WatchError::ParameterValue { name: parameter.name, value });
        }
        self.own.push(parameter);
        Ok(())
    }

    /// Removes a parameter of the user's own.
    ///
    /// # Errors
    /// [`WatchError::UnknownParameter`], also for those of the settings, which stay.
    pub fn remove_parameter(&mut self, name: &str) -> Result<Parameter, WatchError> {
        let index = self.own.iter().position(|p| p.name == current(name)).ok_or_else(|| unknown(name))?;
        Ok(self.own.remove(index))
    }

    /// Tells the observers that a parameter has changed.
    ///
    /// # Errors
    /// [`WatchError::UnknownParameter`].
    pub fn announce_parameter(&mut self, name: &str) -> Result<(), WatchError> {
        let parameter = self.parameter(name)?;
        self.tell(&News::ParameterChanged { name: &parameter.name, value: &parameter.value })
    }
}

fn unknown(name: &str) -> WatchError {
    WatchError::UnknownParameter { name: name.to_owned(), known: names() }
}

/// Keeps the observers of a session from being told; dropping it restores what was before.
pub struct Muted<'a> {
    session: &'a mut Session,
    before: bool,
}

impl Deref for Muted<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl DerefMut for Muted<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        self.session
    }
}

impl Drop for Muted<'_> {
    fn drop(&mut self) {
        self.session.observers.silent = self.before;
    }
}
