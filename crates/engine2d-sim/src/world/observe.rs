//! Subscribing to a world.

use super::World;
use crate::observer::{Observer, ObserverId};
use std::ops::{Deref, DerefMut};

impl World {
    /// Subscribes an observer. A clone of the world has no observers.
    ///
    /// ```
    /// use engine2d_sim::{Body, Changes, Notification, SimError, World};
    /// use std::sync::{Arc, Mutex};
    ///
    /// let mut world = World::builder().body(Body::ball(1.0)).build()?;
    /// let log = Arc::new(Mutex::new(Vec::new()));
    /// let copy = log.clone();
    /// world.subscribe(move |_: f64, news: &Notification<'_>, _: &mut Changes| {
    ///     copy.lock().unwrap().push(news.to_string());
    /// });
    /// world.set_elasticity(0.5)?;
    /// assert_eq!(*log.lock().unwrap(), ["elasticity of all bodies = 0.5"]);
    /// # Ok::<(), SimError>(())
    /// ```
    pub fn subscribe(&mut self, observer: impl Observer + 'static) -> ObserverId {
        self.observers.subscribe(Box::new(observer))
    }

    /// Ends a subscription; returns whether there was one.
    pub fn unsubscribe(&mut self, id: ObserverId) -> bool {
        self.observers.unsubscribe(id)
    }

    /// The world without a word to its observers, until the guard is dropped.
    pub fn silenced(&mut self) -> Silenced<'_> {
        let before = std::mem::replace(&mut self.observers.silent, true);
        Silenced { world: self, before }
    }
}

/// Keeps the observers of a world from being told; dropping it restores what was before.
pub struct Silenced<'a> {
    world: &'a mut World,
    before: bool,
}

impl Deref for Silenced<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        self.world
    }
}

impl DerefMut for Silenced<'_> {
    fn deref_mut(&mut self) -> &mut World {
        self.world
    }
}

impl Drop for Silenced<'_> {
    fn drop(&mut self) {
        self.world.observers.silent = self.before;
    }
}
