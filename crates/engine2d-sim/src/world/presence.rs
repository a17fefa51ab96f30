//! Who is in a sensor: told of at the start, and when bodies come, go or are placed between advances.

use super::World;
use crate::force::BodySet;
use crate::report::Event;
use crate::tolerance::PLACED_DEPTH;
use crate::watched::WatchedKind;

impl World {
    /// Tells of bodies that are in a sensor and were not, or no longer, without having come or left by motion.
    pub(super) fn tell_presence(&mut self, events: &mut Vec<Event>) {
        if self.watchers.is_empty() {
            return;
        }
        let is_told = self.presence.is_some();
        let mut presence = self.presence.take().unwrap_or_default();
        let (set, time) = (BodySet { context: self.model.at(&self.state) }, self.state.time);
        for watched in &self.model.watched {
            let WatchedKind::Sensor { sensor, body } = watched.kind else { continue };
            let pair = [sensor, body].map(|id| id.index() as u32);
            let gap = (watched.function)(&set);
            let was_in = presence.contains(&pair);
            if !was_in && gap < -PLACED_DEPTH {
                presence.insert(pair);
                if is_told {
                    events.push(Event::SensorBegin { time, sensor, body });
                }
            } else if was_in && gap > PLACED_DEPTH {
                presence.remove(&pair);
                if is_told {
                    events.push(Event::SensorEnd { time, sensor, body });
                }
            }
        }
        self.presence = Some(presence);
    }

    /// Notes who came and left.
    pub(super) fn note_presence(&mut self, events: &[Event]) {
        let Some(presence) = &mut self.presence else { return };
        for event in events {
            match event {
                Event::SensorBegin { sensor, body, .. } => {
                    presence.insert([sensor.index() as u32, body.index() as u32]);
                }
                Event::SensorEnd { sensor, body, .. } => {
                    presence.remove(&[sensor.index() as u32, body.index() as u32]);
                }
                _ => {}
            }
        }
    }
}
