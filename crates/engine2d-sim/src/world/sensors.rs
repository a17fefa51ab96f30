//! What is watched of sensors and one-way platforms: a function for each of them with each other body.

use super::{Consequence, World};
use crate::force::BodySet;
use crate::instrument::circle_of;
use crate::one_way::height_over;
use crate::watched::{WatchedFunction, WatchedKind};
use engine2d_geometry::{CollisionBody, PathWorkspace, path_distance};
use std::sync::{Arc, Mutex, PoisonError};

/// Gap beyond which a lower bound of it tells enough, in radii of both bodies.
const FAR: f64 = 0.25;

impl World {
    /// Watches a new body with the sensors and platforms there are, and it with all others if it is one.
    pub(super) fn watch_body(&mut self, place: usize) {
        let mut added = Vec::new();
        let is_watcher =
            self.model.data[place].senses.is_some() || self.state.bodies[place].one_way.is_some();
        let everyone = is_watcher.then_some(0..self.state.bodies.len()).into_iter().flatten();
        let watchers = (!is_watcher).then_some(self.watchers.iter().copied()).into_iter().flatten();
        for other in everyone.chain(watchers).filter(|&other| other != place) {
            // A world that is being built watches each pair once, when the later body comes.
            let known = self.model.data[other].id.is_some() && (other < place || self.is_watching);
            if known {
                added.extend(
                    [[place, other], [other, place]].into_iter().flat_map(|pair| self.functions(pair)),
                );
            }
        }
        if is_watcher {
            self.watchers.push(place);
        }
        for function in added {
            self.model.watched.push(function);
            self.actions.push(Consequence::default());
        }
    }

    /// The functions of a sensor or platform with another body.
    fn functions(&self, [first, body]: [usize; 2]) -> Vec<WatchedFunction> {
        let (data, bodies) = (&self.model.data, &self.state.bodies);
        let mut functions = Vec::new();
        let still = bodies[first].fixed && bodies[body].fixed;
        if still || data[body].senses.is_some() {
            return functions;
        }
        let (a, b) = (first as u32, body as u32);
        if let (Some(sensor), Some(visitor)) = (data[first].id, data[body].id)
            && data[first].senses.is_some_and(|senses| senses.meets(&bodies[body].filter))
        {
            let scratch = Mutex::new(PathWorkspace::default());
            functions.push(WatchedFunction {
                name: "sensor".to_owned(),
                function: Arc::new(move |set: &BodySet<'_>| {
                    let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
                    of_pair(set, first, body, |sensor, other| gap(sensor, other, &mut scratch))
                }),
                kind: WatchedKind::Sensor { sensor, body: visitor },
            });
        }
        if bodies[first].one_way.is_some() && bodies[first].filter.meets(&bodies[body].filter) {
            functions.push(WatchedFunction {
                name: "one-way platform".to_owned(),
                function: Arc::new(move |set: &BodySet<'_>| {
                    of_pair(set, first, body, |platform, other| height_over(platform, other).unwrap_or(1.0))
                }),
                kind: WatchedKind::OneWay { platform: a, body: b },
            });
        }
        functions
    }

    /// Watches a body no longer.
    pub(super) fn unwatch_body(&mut self, place: u32) {
        self.watchers.retain(|&other| other != place as usize);
        if self.model.watched.is_empty() {
            return;
        }
        let mut kept = self.model.watched.iter().map(|watched| !watched.kind.is_of(place));
        self.actions.retain(|_| kept.next().unwrap_or(true));
        self.model.watched.retain(|watched| !watched.kind.is_of(place));
    }
}

/// A function of two bodies; far from zero where one of them is gone.
fn of_pair(
    set: &BodySet<'_>,
    first: usize,
    second: usize,
    function: impl FnOnce(&CollisionBody, &CollisionBody) -> f64,
) -> f64 {
    match (set.get(first), set.get(second)) {
        (Some(a), Some(b)) => function(a.collision_body(), b.collision_body()),
        _ => 1.0,
    }
}

/// Signed gap of two bodies (length), from below where they are far apart.
fn gap(a: &CollisionBody, b: &CollisionBody, scratch: &mut PathWorkspace) -> f64 {
    let ((center, radius), (middle, reach)) = (circle_of(a), circle_of(b));
    let apart = (center - middle).norm() - radius - reach;
    if apart > FAR * (radius + reach) {
        return apart;
    }
    path_distance(&a.placed(), &b.placed(), f64::INFINITY, scratch).map_or(f64::MAX, |found| found.gap)
}
