//! Events of the user's own.

use crate::adaptive::Crossing;
use crate::error::SimError;
use crate::force::BodySet;
use crate::report::Event;
use crate::world::World;
use std::fmt;
use std::sync::Arc;

type Function = dyn Fn(&BodySet<'_>) -> f64 + Send + Sync;
type Action = dyn Fn(&mut World) -> Result<(), SimError> + Send + Sync;

/// A function of time and state whose zeros are events, and what to do there.
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
/// }));
/// let report = world.advance(0.75)?;
/// assert!((report.events()[0].time() - 0.5).abs() < 1e-12);
/// assert!((world.body(0)?.position().x - 0.5).abs() < 1e-12);
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone)]
pub struct UserEvent {
    name: String,
    function: Arc<Function>,
    action: Option<Arc<Action>>,
}

impl UserEvent {
    /// An event wherever `function` crosses zero. It must be continuous and depend on the bodies shown alone.
    pub fn new(
        name: impl Into<String>,
        function: impl Fn(&BodySet<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), function: Arc::new(function), action: None }
    }

    /// Adds what is done at the event; it may change the world, its state included.
    #[must_use]
    pub fn with_action(
        mut self,
        action: impl Fn(&mut World) -> Result<(), SimError> + Send + Sync + 'static,
    ) -> Self {
        self.action = Some(Arc::new(action));
        self
    }

    /// Name of the event.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn value(&self, bodies: &BodySet<'_>) -> f64 {
        (self.function)(bodies)
    }

    pub(crate) fn event(&self, hit: Crossing) -> Event {
        Event::User { time: hit.time, name: self.name.clone(), rising: hit.rising }
    }

    /// Does what is to be done; returns whether there was anything.
    pub(crate) fn act(&self, world: &mut World) -> Result<(), SimError> {
        self.action.as_ref().map_or(Ok(()), |action| action(world))
    }
}

impl fmt::Debug for UserEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserEvent").field("name", &self.name).finish_non_exhaustive()
    }
}
