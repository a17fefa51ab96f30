//! A crank and a rod of one length that drive a slider through the axle of the crank: there both are in line, and the rod could go on
//! turning with the crank.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::{Prismatic, Revolute};
use engine2d_geometry::CollisionFilter;
use engine2d_sim::{Body, BodyRef, Event, Snapshot, World};
use std::f64::consts::FRAC_PI_2;

/// Bars of length and mass 1 in a line upon each other, the slider at their end in the axle at their beginning.
fn trammel() -> World {
    let spin = -5.0;
    let apart = CollisionFilter { categories: 1, mask: 0 };
    let bar = |x: f64, y: f64, angle: f64| {
        Body::block(1.0, 0.02).mass(1.0).moment(1.0 / 12.0).at(x, y).angle(angle)
    };
    let [crank, rod, slider] = [0, 1, 2].map(BodyRef::Body);
    let (sin, cos) = (0.25 * FRAC_PI_2).sin_cos();
    let half = [0.5 * cos, 0.5 * sin];
    World::builder()
        .gravity(9.81)
        .body(bar(half[0], half[1], 0.25 * FRAC_PI_2).velocity(-spin * half[1], spin * half[0]).spin(spin))
        .body(
            bar(3.0 * half[0], half[1], -0.25 * FRAC_PI_2)
                .velocity(-3.0 * spin * half[1], spin * half[0])
                .spin(-spin),
        )
        .body(
            Body::block(0.1, 0.1)
                .mass(1.0)
                .collides(apart)
                .at(4.0 * half[0], 0.0)
                .velocity(-4.0 * spin * half[1], 0.0),
        )
        .joint(Revolute::new(crank, [-0.5, 0.0], BodyRef::Ground, [0.0, 0.0]))
        .joint(Revolute::new(rod, [-0.5, 0.0], crank, [0.5, 0.0]))
        .joint(Revolute::new(rod, [0.5, 0.0], slider, [0.0, 0.0]))
        .joint(Prismatic::new(slider, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], [1.0, 0.0], 0.0))
        .build()
        .unwrap()
}

fn bits(world: &World) -> Vec<[u64; 3]> {
    world.bodies().map(|b| [b.position().x, b.position().y, b.angle()].map(f64::to_bits)).collect()
}

#[test]
fn a_passage_is_told_and_goes_on_bit_for_bit_from_every_moment() {
    let until = 2.0;
    let mut whole = trammel();
    let mut told = Vec::new();
    while whole.time() < until {
        let report = whole.advance(0.125).unwrap();
        told.extend(report.events.into_iter().filter_map(|event| match event {
            Event::FixedSteps { time, since, .. } => Some([since, time]),
            _ => None,
        }));
    }
    let &[since, time] = told.first().expect("a passage in fixed steps");
    let mut saved = Vec::new();
    let mut world = trammel();
    let moments = [0.5 * since, 0.9 * since]
        .into_iter()
        .chain((1..5).map(|k| since + 0.2 * f64::from(k) * (time - since)));
    for moment in moments {
        world.advance(moment - world.time()).unwrap();
        saved.push(serde_json::to_string(&world.snapshot()).unwrap());
    }
    assert_eq!(saved.iter().filter(|text| text.contains("\"passage\":")).count(), 4);
    world.advance(until - world.time()).unwrap();
    assert_eq!(bits(&world), bits(&whole), "times of results");
    for text in saved {
        let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
        let mut other = trammel();
        other.restore(&snapshot).unwrap();
        other.advance(until - other.time()).unwrap();
        assert_eq!(bits(&other), bits(&whole));
    }
}
