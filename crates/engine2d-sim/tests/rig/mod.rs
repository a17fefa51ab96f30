//! What tests share: settings of located events here, bodies and slopes in modules of their own.

pub(crate) mod pile;
pub(crate) mod slope;

use engine2d_sim::{Event, EventLocator, OdeMethod, Settings, World};

/// Gravity (length/time²).
pub(crate) const G: f64 = 9.81;

/// Located events to twelve digits.
pub(crate) fn located() -> Settings {
    Settings {
        method: OdeMethod::dormand_prince(1e-12),
        event_locator: EventLocator::ZeroCrossing,
        ..Settings::default()
    }
}

/// All events of some advances.
pub(crate) fn run(world: &mut World, step: f64, count: usize) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..count {
        events.extend(world.advance(step).expect("an advance").events);
    }
    events
}
