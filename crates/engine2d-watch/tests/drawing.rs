//! Contacts counted, forces and impulses drawn.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_math::Vec2;
use engine2d_sim::{Aids, Body, ForceLaw, Frame, Settings, World};
use engine2d_watch::{Changes, ForceSource, News, Session, Shown};
use std::sync::{Arc, Mutex};

/// A ball that falls on a floor from a height of 1 below it.
fn drop(settings: Settings) -> Session {
    let world = World::builder()
        .settings(settings)
        .gravity(10.0)
        .body(Body::wall(20.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(0.0, 1.5).named("ball").restitution(0.5))
        .build()
        .unwrap();
    Session::new(world)
}

fn with_aids(aids: Aids) -> Settings {
    Settings { aids, ..Settings::backtracking() }
}

#[test]
fn contacts_are_counted_at_most_once_in_the_time_set() {
    let mut world = drop(with_aids(Aids { count_contacts_every: Some(0.1), ..Aids::default() }));
    world.set_restitution(0.0).unwrap();
    let counts = Arc::new(Mutex::new(Vec::new()));
    let told = counts.clone();
    world.subscribe(move |time: f64, news: &News<'_>, _: &mut Changes| {
        if let News::ContactCount(count) = news {
            told.lock().unwrap().push((time, *count));
        }
    });
    for _ in 0..64 {
        world.advance(1.0 / 64.0).unwrap();
    }
    let counts = counts.lock().unwrap();
    assert!(counts.windows(2).all(|w| w[1].0 - w[0].0 >= 0.1), "{counts:?}");
    assert!(counts.len() >= 9, "{counts:?}");
    assert_eq!((counts[0].1, counts.last().unwrap().1), (0, 1));
    let mut settings = world.settings().clone();
    settings.aids.count_contacts_every = Some(0.0);
    let error = world.world_mut().edit().set_settings(settings).unwrap_err().to_string();
    assert!(error.contains("settings.aids.count_contacts_every"), "{error}");
}

#[test]
fn forces_and_impulses_are_shown_for_their_time() {
    let mut world = drop(with_aids(Aids { display_forces: true, ..Aids::default() }));
    world.set_restitution(0.0).unwrap();
    world
        .world_mut()
        .add_force_law(ForceLaw::ConstantForce {
            body: 1,
            location: Vec2::zeros(),
            location_frame: Frame::Body,
            force: Vec2::new(0.5, 0.0),
            force_frame: Frame::World,
            torque: 0.0,
        })
        .unwrap();
    let impulses =
        |world: &Session| world.display_items().filter(|i| matches!(i.shown, Shown::Impulse { .. })).count();
    let (mut first, mut last) = (None, None);
    for _ in 0..40 {
        world.advance(0.025).unwrap();
        if impulses(&world) > 0 {
            first.get_or_insert(world.time());
            last = Some(world.time());
        }
    }
    let (first, last) = (first.unwrap(), last.unwrap());
    assert!((first - 0.2_f64.sqrt()).abs() < 0.03, "{first}");
    assert!((0.05..=0.15).contains(&(last - first)), "gone after 0.1: {first} {last}");
    let forces: Vec<_> = world
        .display_items()
        .filter_map(|i| match i.shown {
            Shown::Force { source, vector, .. } if i.expires >= world.time() => Some((source, vector)),
            _ => None,
        })
        .collect();
    assert_eq!(forces.len(), 2, "{forces:?}");
    let weight = 10.0 * world.body(1).unwrap().mass();
    assert!(matches!(forces[0].0, ForceSource::Contact(_)));
    assert!((forces[0].1 - Vec2::new(0.0, weight)).norm() < 1e-6 * weight);
    assert_eq!(forces[1], (ForceSource::Law(1), Vec2::new(0.5, 0.0)));
    assert!((world.inspect().recent_largest_forces()[3] - weight).abs() < 1e-2 * weight);
    world.display_mut().clear();
    assert_eq!(world.display_items().count(), 2, "the bodies stay");
}

#[test]
fn the_display_has_no_influence() {
    let run = |aids: Aids| {
        let mut world = drop(with_aids(aids));
        for _ in 0..40 {
            world.advance(0.025).unwrap();
        }
        world.state()
    };
    let all = Aids {
        trace_contacts: true,
        count_contacts_every: Some(0.01),
        display_forces: true,
        ..Aids::default()
    };
    assert_eq!(run(Aids::default()), run(all));
}
