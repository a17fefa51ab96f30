//! Events of the user's own.

use super::{Action, Consequence, World};
use crate::error::SimError;
use crate::force::BodySet;
use crate::settings::ClockKind;
use crate::watched::{WatchedFunction, WatchedKind};
use std::fmt;
use std::sync::Arc;

/// A function of time and state whose zeros are events, and what to do there. The located clock finds them to rounding, where it goes on
/// in fixed steps up to what these put bodies back by; in steps of a fixed length their time is read off between the ends of the step, and what is done, and the end of the advance, come at
/// its end.
///
/// ```
/// use engine2d_sim::{Body, OdeMethod, EventLocator, Settings, SimError, UserEvent, World};
///
/// let settings = Settings {
///     method: OdeMethod::dormand_prince(1e-10),
///     event_locator: EventLocator::ZeroCrossing,
///     ..Settings::default()
/// };
/// let mut world = World::builder().settings(settings).body(Body::ball(0.1).velocity(2.0, 0.0)).build()?;
/// // At x = 1 the ball is sent back.
/// let gate = UserEvent::new("gate", |bodies| bodies.get(0).map_or(1.0, |b| b.position().x - 1.0));
/// world.add_event(gate.with_action(|world| {
///     let mut state = world.state();
///     state[1] = -state[1];
///     world.set_state(&state)
/// }))?;
/// let report = world.advance(0.75)?;
/// assert!((report.events()[0].time() - 0.5).abs() < 1e-12);
/// assert!((world.body(0)?.position().x - 0.5).abs() < 1e-12);
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone)]
pub struct UserEvent {
    watched: WatchedFunction,
    action: Option<Action>,
    stops: bool,
}

impl UserEvent {
    /// An event wherever `function` crosses zero. It must be continuous and depend on the bodies shown alone.
    pub fn new(
        name: impl Into<String>,
        function: impl Fn(&BodySet<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            watched: WatchedFunction {
                name: name.into(),
                function: Arc::new(function),
                kind: WatchedKind::User,
            },
            action: None,
            stops: false,
        }
    }

    /// Adds what is done at the event; it may change the world, its state included.
    #[must_use]
    pub fn with_action(
        mut self,
        action: impl Fn(&mut World) -> Result<(), SimError> + Send + Sync + 'static,
    ) -> Self {
        self.action = Some(Action(Arc::new(action)));
        self
    }

    /// Ends the advance at the event, after its action if it has one: the report tells by
    /// [`StepReport::stopped_by`](crate::StepReport::stopped_by). The next advance goes on from there.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, UserEvent, World};
    ///
    /// let mut world = World::builder().body(Body::ball(0.1).velocity(2.0, 0.0)).build()?;
    /// let line = UserEvent::new("line", |bodies| bodies.get(0).map_or(1.0, |b| b.position().x - 1.0));
    /// world.add_event(line.stopping())?;
    /// let report = world.advance(3.0)?;
    /// assert_eq!(report.stopped_by.as_deref(), Some("line"));
    /// assert!((world.time() - 0.5).abs() < 1e-12);
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub fn stopping(mut self) -> Self {
        self.stops = true;
        self
    }

    /// Name of the event.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.watched.name
    }
}

impl World {
    /// Adds an event of the user's.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] where collisions are found by backtracking, which does not look at functions.
    pub fn add_event(&mut self, event: UserEvent) -> Result<(), SimError> {
        if self.model.clock() == ClockKind::Backtracking {
            let problem = "events of the user's need the located clock or fixed steps: choose one of these";
            return Err(SimError::Unsupported { path: format!("event {:?}", event.name()), problem });
        }
        self.located.invalidate();
        self.time_stepping.forget_watched();
        self.model.watched.push(event.watched);
        self.actions.push(Consequence { action: event.action, stops: event.stops });
        Ok(())
    }
}

impl fmt::Debug for UserEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserEvent").field("name", &self.watched.name).finish_non_exhaustive()
    }
}
