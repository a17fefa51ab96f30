//! Events that are known before they happen.

use crate::report::Event;
use engine2d_math::order::Order;

/// Brings the events from `known` on in the order of their times, with those that were announced and happen until `target`;
/// what is known of later ones waits.
pub(super) fn announce(announced: &mut Vec<Event>, (events, known): (&mut Vec<Event>, usize), target: f64) {
    events.append(announced);
    // A contact that has been torn apart before has no last bounce.
    let torn = |events: &[Event], e: &Event| match e {
        Event::Accumulation { time, contact, since, .. } => events.iter().any(|end| {
            let ends = matches!(end, Event::ContactEnd { contact: other, .. } if other == contact);
            ends && *since < end.time() && end.time() < *time
        }),
        _ => false,
    };
    let mut place = known;
    while place < events.len() {
        if torn(&events[known..], &events[place]) {
            events.remove(place);
        } else {
            place += 1;
        }
    }
    announced.extend(events.extract_if(known.., |e| e.time() > target));
    events[known..].order_by(|a, b| a.time().total_cmp(&b.time()));
}
