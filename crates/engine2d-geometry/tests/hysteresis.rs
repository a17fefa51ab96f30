//! Contact events with hysteresis: both offsets, who is evaluated when, what is kept, what z1 and z2 are.

use engine2d_geometry::hysteresis::Z_EPS;
use engine2d_geometry::{ContactHandler, PairId, PairSample, Pose, Shape, distance};
use std::cell::Cell;

fn at(distance: f64) -> PairSample {
    PairSample { distance, normal_velocity: 0.0 }
}

/// Handler of pairs 0, 1, 2, …, right after an event at these distances.
fn after_event(distances: &[f64]) -> ContactHandler {
    let mut handler = ContactHandler::new((0..distances.len() as u64).map(PairId));
    handler.on_event(|pair| at(distances[pair.0 as usize]));
    handler
}

#[test]
fn the_offset_is_nothing_in_contact_and_two_z_eps_outside() {
    let handler = after_event(&[-1e-3, 1e-3]);
    let distances = [-1e-3, -3.0 * Z_EPS, -1e-9, 0.0, 1e-9, 1e-3];
    for d in distances {
        assert_eq!(handler.distance_with_hysteresis(PairId(0), d), d);
        assert_eq!(handler.distance_with_hysteresis(PairId(1), d), d + 2.0 * Z_EPS);
    }
    let wide = ContactHandler::new([PairId(0)]).with_z_eps(0.25);
    assert_eq!(wide.distance_with_hysteresis(PairId(0), -0.25), 0.25);
}

#[test]
fn contact_starts_at_minus_two_z_eps_and_ends_at_zero() {
    // Approach: no sign change of z2 before −2 z_eps.
    let mut handler = after_event(&[1e-3]);
    for (d, announced) in [(0.0, false), (-Z_EPS, false), (-1.99 * Z_EPS, false), (-2.01 * Z_EPS, true)] {
        let z = handler.crossing_functions(|_| at(d));
        assert_eq!((z.z1, z.z2.unwrap() < 0.0), (None, announced), "{d:e}");
    }
    assert_eq!(handler.on_event(|_| at(-2.01 * Z_EPS)).started, [PairId(0)]);
    // Departure: no sign change of z1 before 0, although the contact would not have started here.
    for (d, announced) in [(-2.0 * Z_EPS, false), (-Z_EPS, false), (-1e-12, false), (1e-12, true)] {
        let z = handler.crossing_functions(|_| at(d));
        assert_eq!((z.z1.unwrap() > 0.0, z.z2), (announced, None), "{d:e}");
    }
    assert_eq!(handler.on_event(|_| at(1e-12)).ended, [PairId(0)]);
    assert_eq!(handler.crossing_functions(|_| at(1e-12)).z2, Some(1e-12 + 2.0 * Z_EPS));
}

#[test]
fn a_restart_right_after_an_event_meets_no_second_one() {
    for d in [-2.01 * Z_EPS, 1e-12, -Z_EPS, -1.001 * Z_EPS, 0.0] {
        let mut handler = ContactHandler::new([PairId(0)]);
        let first = handler.on_event(|_| at(d)).crossing;
        // The same state, evaluated again, and again as an event.
        assert_eq!(handler.crossing_functions(|_| at(d)), first, "{d:e}");
        let second = handler.on_event(|_| at(d));
        assert!(second.started.is_empty() && second.ended.is_empty());
        assert!(first.z1.is_none_or(|z| z < -Z_EPS) && first.z2.is_none_or(|z| z >= Z_EPS), "{d:e}");
    }
}

#[test]
fn all_pairs_are_evaluated_at_events_and_at_requests_for_crossing_functions() {
    let distances = [1.0, -1.0, 2.0, -2.0, 3.0];
    let all: Vec<PairId> = (0..5).map(PairId).collect();
    let mut handler = after_event(&distances);
    let mut asked = Vec::new();
    let mut ask = |pair: PairId| {
        asked.push(pair);
        at(distances[pair.0 as usize])
    };
    handler.on_event(&mut ask);
    handler.crossing_functions(&mut ask);
    handler.crossing_functions(&mut ask);
    assert_eq!(asked, [all.clone(), all.clone(), all].concat());
}

#[test]
fn only_pairs_in_contact_are_evaluated_at_all_other_times() {
    let mut handler = after_event(&[1.0, -1.0, 2.0, -2.0, 3.0]);
    let mut asked = Vec::new();
    for stage in 1..=4 {
        handler.update(|pair| {
            asked.push(pair);
            at(-0.1 * f64::from(stage))
        });
    }
    assert_eq!(asked, [PairId(1), PairId(3)].repeat(4));
    assert!(handler.contacts().iter().all(|c| c.distance == -0.4));
    // Even what a stage finds apart stays in contact until the next event.
    handler.update(|_| at(1.0));
    assert_eq!(handler.contacts().len(), 2);
    // A new contact between events is not in the dictionary, and a request does not put it there.
    handler.crossing_functions(|_| at(-1.0));
    assert_eq!(handler.contacts().len(), 2);
    assert_eq!(handler.on_event(|_| at(-1.0)).started, [PairId(0), PairId(2), PairId(4)]);
}

#[test]
fn the_normal_velocity_at_the_start_is_kept_over_events_of_other_pairs() {
    let mut handler = ContactHandler::new([PairId(0), PairId(1)]);
    let sample = |distance: f64, normal_velocity: f64| PairSample { distance, normal_velocity };
    handler.on_event(|p| if p == PairId(0) { sample(-1e-6, -3.0) } else { sample(1.0, -1.0) });
    for k in 0..5 {
        // The other pair comes and goes; the first one rebounds meanwhile.
        let other = if k % 2 == 0 { sample(-1e-6, -1.0 - f64::from(k)) } else { sample(1.0, 2.0) };
        handler.on_event(|p| if p == PairId(0) { sample(-1e-7, 0.5 * f64::from(k)) } else { other });
        assert_eq!(handler.contact(PairId(0)).unwrap().start_velocity, -3.0);
        let of_other = handler.contact(PairId(1)).map(|c| c.start_velocity);
        assert_eq!(of_other, (k % 2 == 0).then_some(-1.0 - f64::from(k)));
    }
    // Requests and stages between events do not touch it; a new contact of the pair has a new one.
    handler.crossing_functions(|_| sample(-1e-7, 9.0));
    handler.update(|_| sample(-1e-7, 9.0));
    assert_eq!(handler.contact(PairId(0)).unwrap().start_velocity, -3.0);
    handler.on_event(|_| sample(1e-9, 2.0));
    assert!(handler.contacts().is_empty());
    handler.on_event(|_| sample(-1e-6, -0.25));
    assert_eq!(handler.contact(PairId(0)).unwrap().start_velocity, -0.25);
}

#[test]
fn z1_is_the_largest_of_pairs_in_contact_and_z2_the_smallest_of_the_others() {
    let mut handler = after_event(&[-3.0, 5.0, -1.0, 2.0, -2.0]);
    let z = handler.crossing_functions(|p| at([-3.0, 5.0, -1.0, 2.0, -2.0][p.0 as usize]));
    assert_eq!((z.z1, z.z2), (Some(-1.0), Some(2.0 + 2.0 * Z_EPS)));
    // The flags are held: a contact that has opened counts in z1, a pair that has closed in z2.
    let z = handler.crossing_functions(|p| at([-3.0, -5.0, -1.0, 2.0, 0.5][p.0 as usize]));
    assert_eq!((z.z1, z.z2), (Some(0.5), Some(-5.0 + 2.0 * Z_EPS)));
}

#[test]
fn z1_and_z2_are_none_when_their_set_is_empty() {
    let nothing = ContactHandler::new([]).on_event(|_| at(0.0)).crossing;
    assert_eq!((nothing.z1, nothing.z2), (None, None));
    assert_eq!(after_event(&[1.0, 2.0]).crossing_functions(|_| at(1.0)).z1, None);
    assert_eq!(after_event(&[-1.0, -2.0]).crossing_functions(|_| at(-1.0)).z2, None);
}

/// A ball bobs through the surface of a half plane: located to rounding, its contact starts and ends where
/// the hysteresis says, once each in a period.
#[test]
fn events_of_a_bobbing_ball_lie_at_the_two_offsets() {
    let (ball, plane) = (Shape::circle(0.5).unwrap(), Shape::half_plane());
    let height = |t: f64| 0.5 + 1e-3 * engine2d_math::trig::cos(t);
    let time = Cell::new(0.0);
    let measure = |_: PairId| {
        let pose = Pose::new(0.0, height(time.get()), 0.0);
        at(distance(&ball, &pose, &plane, &Pose::IDENTITY).unwrap().distance)
    };
    let mut handler = ContactHandler::new([PairId(0)]);
    let mut z = handler.on_event(measure).crossing;
    let mut events = Vec::new();
    for k in 1..=2000 {
        let (before, now) = (time.get(), f64::from(k) * 0.01);
        time.set(now);
        let later = handler.crossing_functions(measure);
        let value = |z: engine2d_geometry::CrossingFunctions| z.z1.or(z.z2).unwrap();
        if (value(z) < 0.0) != (value(later) < 0.0) {
            let (mut low, mut high) = (before, now);
            for _ in 0..60 {
                time.set(0.5 * (low + high));
                let same = (value(handler.crossing_functions(measure)) < 0.0) == (value(z) < 0.0);
                if same { low = time.get() } else { high = time.get() }
            }
            time.set(high);
            events.push(measure(PairId(0)).distance);
            let change = handler.on_event(measure);
            assert_eq!(change.started.len() + change.ended.len(), 1);
            time.set(now);
            z = handler.crossing_functions(measure);
        } else {
            z = later;
        }
    }
    assert_eq!(events.len(), 6);
    for (k, d) in events.iter().enumerate() {
        let expected = if k % 2 == 0 { -2.0 * Z_EPS } else { 0.0 };
        assert!((d - expected).abs() < 1e-15, "{k}: {d:e}");
    }
}
