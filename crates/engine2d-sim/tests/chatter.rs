//! Piles that settle: islands whose events follow each other too closely go on in fixed steps.

use crate::rig::pile;
use engine2d_sim::{BodyRef, Event, Settings, Snapshot, World};
use std::collections::BTreeSet;

fn bits(world: &World) -> Vec<[u64; 6]> {
    let bodies = world.bodies().map(|body| {
        let (p, v) = (body.position(), body.velocity());
        [p.x, p.y, body.angle(), v.x, v.y, body.angular_velocity()].map(f64::to_bits)
    });
    bodies.collect()
}

/// A pile of rough bodies goes on in fixed steps, keeps the promises of the clock, and tells how long it went on so.
#[test]
fn a_pile_that_settles_is_not_followed_event_by_event() {
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    // Far from the pile a ball flies by itself.
    world.add_body(engine2d_sim::Body::ball(0.5).at(-1000.0, 0.0).named("far")).expect("a ball");
    let (mut energy, mut fixed, mut together) = (world.energy().total(), 0.0, 0);
    while world.time() < 4.0 {
        let report = world.advance(0.02).expect("an advance");
        assert!(report.penetration <= 1e-9 && report.certificate <= 1e-9, "{report:?}");
        assert!(report.energy <= energy + 1e-7 * energy, "{} after {energy}", report.energy);
        energy = report.energy;
        for event in &report.events {
            if let Event::FixedSteps { time, since, energy, bodies } = event {
                assert!(*energy > -1e-7, "{energy} J");
                let in_pile = |id: &engine2d_sim::BodyId| (3..23).contains(&id.index());
                // A body that leaves the pile goes on so alone for a while.
                assert!(!bodies.is_empty() && bodies.iter().all(in_pile), "{bodies:?}");
                together = together.max(bodies.len());
                assert!(bodies.iter().all(|&id| event.involves(id)) && !event.involves(BodyRef::Body(0)));
                fixed += time - since;
            }
        }
    }
    assert!(fixed > 0.1 && together > 2, "{fixed} s in fixed steps, {together} bodies together");
}

/// Where results are wanted changes nothing in the motion, in fixed steps either: the islands stand where they stood, bit for bit.
#[test]
fn times_of_results_change_nothing_in_fixed_steps() {
    let after = |step: f64| {
        let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
        // Within a fixed step: at its ends rounding would decide on which side a result lies.
        world.advance(0.0015).expect("an advance");
        for _ in 0..(1.2 / step).round() as usize {
            world.advance(step).expect("an advance");
        }
        let saved = serde_json::to_value(world.snapshot()).expect("a value");
        saved["located"]["islands"].clone()
    };
    let coarse = after(0.1);
    assert!(coarse.to_string().contains("\"chatter\":{"), "no fixed steps in the test of them");
    for step in [0.012, 0.04] {
        assert!(coarse == after(step), "other islands with results every {step} s");
    }
}

/// Islands in fixed steps meet and part all the time. What rests in them goes on to do so: it is not told to begin again, nor struck
/// anew, as it would be if nothing were known of it.
#[test]
fn contacts_in_fixed_steps_outlast_the_meetings_of_islands() {
    let mut world = pile::pile(Settings::default(), 40, 0.0, 2);
    let (mut open, mut begun, mut again) = (BTreeSet::new(), 0, 0);
    while world.time() < 2.0 {
        for event in world.advance(0.02).expect("an advance").events {
            match event {
                Event::ContactBegin { contact, .. } => {
                    begun += 1;
                    again += usize::from(!open.insert(contact));
                }
                Event::ContactEnd { contact, .. } => {
                    open.remove(&contact);
                }
                _ => {}
            }
        }
    }
    assert!(begun > 200 && 20 * again < begun, "{again} of {begun} begin that have not ended");
}

/// A world saved in the middle of fixed steps goes on bit for bit.
#[test]
fn a_world_saved_in_fixed_steps_goes_on_bit_for_bit() {
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    for _ in 0..45 {
        world.advance(0.02).expect("an advance");
    }
    let text = serde_json::to_string(&world.snapshot()).expect("a text");
    assert!(text.contains("\"chatter\":{"), "not in fixed steps");
    let saved: Snapshot = serde_json::from_str(&text).expect("a snapshot");
    let mut other = pile::pile(Settings::default(), 20, 0.5, 2);
    other.restore(&saved).expect("a world with the same bodies");
    for _ in 0..30 {
        world.advance(0.013).expect("an advance");
        other.advance(0.013).expect("an advance");
        assert_eq!(bits(&world), bits(&other));
    }
}

/// The forces of a report are those of the step around its moment: a world saved within a step, whose forces no file has, tells the
/// same ones, at the ends of steps and between.
#[test]
fn forces_in_fixed_steps_are_told_after_a_restore_too() {
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    for _ in 0..54 {
        world.advance(1.0 / 60.0).expect("an advance");
    }
    let mut told = 0;
    for _ in 0..96 {
        let saved = serde_json::to_string(&world.snapshot()).expect("a text");
        let saved: Snapshot = serde_json::from_str(&saved).expect("a snapshot");
        let mut other = pile::pile(Settings::default(), 20, 0.5, 2);
        other.restore(&saved).expect("a world with the same bodies");
        let goes_on = |world: &mut World| world.advance(1.0 / 1920.0).expect("an advance").contacts;
        let (expected, contacts) = (goes_on(&mut world), goes_on(&mut other));
        assert_eq!(contacts, expected, "at {} s", world.time());
        assert!(contacts.iter().all(|c| c.force >= 0.0 && c.friction.abs() <= 0.5 * c.force + 1e-9));
        told += contacts.len();
    }
    let text = serde_json::to_string(&world.snapshot()).expect("a text");
    assert!(text.contains("\"chatter\":{"), "not in fixed steps");
    assert!(told > 96 * 10, "{told} contacts in 96 reports");
}

/// A state whose fixed steps have no length is refused, not followed for ever.
#[test]
fn fixed_steps_without_a_length_are_refused() {
    let mut world = pile::pile(Settings::default(), 20, 0.5, 2);
    for _ in 0..45 {
        world.advance(0.02).expect("an advance");
    }
    let mut value = serde_json::to_value(world.snapshot()).expect("a value");
    let islands = value["located"]["islands"].as_object_mut().expect("islands");
    let mut chatters: Vec<_> = islands.values_mut().filter(|island| !island["chatter"].is_null()).collect();
    chatters.first_mut().expect("an island in fixed steps")["chatter"]["length"] = 0.0.into();
    let forged: Snapshot = serde_json::from_value(value).expect("a snapshot");
    let refused = world.restore(&forged).expect_err("a state that cannot be");
    assert!(refused.to_string().contains("snapshot.located"), "{refused}");
}

/// What the books may leave unexplained, relative to what moved: the tolerance of the integration between fixed steps.
const CLOSED: f64 = 1e-9;

/// The books close while a pile goes on in fixed steps, at their ends and within them: what the entries say is what became of the
/// kinetic energy, and what no force law holds is what friction, impulses and corrections took.
#[test]
fn the_books_close_in_fixed_steps() {
    let settings = Settings { energy_ledger: true, ..Settings::default() };
    let mut world = pile::pile(settings, 20, 0.5, 2);
    let (start, mut fixed, mut moved) = (world.energy().total(), 0, 0.0_f64);
    while world.time() < 2.5 {
        let report = world.advance(0.013).expect("an advance");
        fixed += report.events.iter().filter(|event| event.kind() == "fixed_steps").count();
        let books = world.inspect().energy_ledger().expect("books");
        moved = moved.max(books.force_laws[0].1.abs());
        let error = books.integration_error;
        assert!(error.abs() <= CLOSED * moved, "{error:e} of {moved} at {}", world.time());
        let taken = books.friction + books.impulses + books.corrections + books.constraint_forces;
        let lost = world.energy().total() - start;
        assert!((lost - taken).abs() <= CLOSED * moved, "{taken} of {lost} at {}", world.time());
        assert!(books.friction.max(books.impulses) <= CLOSED * moved, "{books:?}");
    }
    assert!(fixed > 0, "never in fixed steps");
}
