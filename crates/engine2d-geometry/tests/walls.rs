//! Walls: solid from all sides, or taking part from one side only.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::{
    CollisionBody, Contact, ContactBand, FinderWorkspace, Pass, PathShape, PathWorkspace, PlacedPath, Pose,
    Rules, Side, find_contacts, path_contacts, path_distance,
};
use engine2d_math::Vec2;
use std::sync::Arc;

/// What is found when a body moves from one place to another against a wall 10 by 1 about the origin, facing up.
fn found(wall: &PathShape, body: &PathShape, from: [f64; 2], to: [f64; 2], rules: Rules) -> Vec<Contact> {
    let mut bodies = [CollisionBody::new(Arc::new(wall.clone())), CollisionBody::new(Arc::new(body.clone()))];
    bodies[0].fixed = true;
    bodies[1].pose = Pose::new(from[0], from[1], 0.0);
    bodies.iter_mut().for_each(CollisionBody::save_old_pose);
    bodies[1].pose = Pose::new(to[0], to[1], 0.0);
    bodies[1].velocity = (Vec2::from(to) - Vec2::from(from)) / 0.025;
    let pass = Pass { time: 0.0, step: 0.025, tolerance: 0.01, rules };
    let mut records = Vec::new();
    find_contacts(&bodies, &pass, &mut FinderWorkspace::default(), &mut records);
    records
}

fn collides(wall: &PathShape, body: &PathShape, from: [f64; 2], to: [f64; 2]) -> bool {
    found(wall, body, from, to, Rules::default()).iter().any(Contact::is_illegal)
}

fn bodies() -> [PathShape; 3] {
    [
        PathShape::ball(0.3).unwrap(),
        PathShape::block(0.6, 0.6).unwrap(),
        PathShape::round_block(0.6, 0.6).unwrap(),
    ]
}

#[test]
fn a_wall_is_solid_from_all_sides() {
    let wall = PathShape::wall(10.0, 1.0, Side::Top).unwrap();
    let block = PathShape::block(10.0, 1.0).unwrap();
    for body in bodies() {
        for k in -9..=9 {
            let x = 0.5 * f64::from(k);
            for (from, to) in [
                ([x, 0.85], [x, 0.75]),
                ([x, -0.85], [x, -0.75]),
                ([5.35, 0.1 * x], [5.25, 0.1 * x]),
                ([-5.35, 0.1 * x], [-5.25, 0.1 * x]),
            ] {
                assert!(collides(&wall, &body, from, to), "{from:?}");
                let as_block = found(&block, &body, from, to, Rules::default());
                let as_wall = found(&wall, &body, from, to, Rules::default());
                assert_eq!(format!("{as_wall:?}"), format!("{as_block:?}"));
            }
        }
    }
}

#[test]
fn by_the_reference_rules_what_comes_from_behind_collides_at_some_places_only() {
    let wall = PathShape::wall(10.0, 1.0, Side::Top).unwrap();
    let ball = PathShape::ball(0.3).unwrap();
    let collides = |x: f64| {
        found(&wall, &ball, [x, -0.85], [x, -0.75], Rules::REFERENCE).iter().any(Contact::is_illegal)
    };
    let places: Vec<bool> = (-9..=9).map(|k| collides(0.5 * f64::from(k))).collect();
    assert!(places.contains(&true) && places.contains(&false), "{places:?}");
}

#[test]
fn a_one_sided_wall_holds_from_before_and_lets_pass_from_behind() {
    let wall = PathShape::wall(10.0, 1.0, Side::Top).unwrap().one_sided();
    for body in bodies() {
        for k in -9..=9 {
            let x = 0.5 * f64::from(k);
            assert!(collides(&wall, &body, [x, 0.85], [x, 0.75]));
            // From below, up to being through, and falling back before that.
            for (from, to) in [(-0.85, -0.75), (-0.75, 0.1), (0.1, 0.6), (0.6, 0.9), (0.6, 0.5)] {
                let records = found(&wall, &body, [x, from], [x, to], Rules::default());
                assert!(records.is_empty(), "{x} {from} {to} {records:?}");
            }
            // At rest on it.
            let resting = found(&wall, &body, [x, 0.804], [x, 0.804], Rules::default());
            assert!(!resting.is_empty() && resting.iter().all(Contact::is_contact));
        }
        assert!(!collides(&wall, &body, [5.35, 0.0], [5.25, 0.0]));
        // Half over its end it rests on the end.
        let resting = found(&wall, &body, [5.0, 0.804], [5.0, 0.804], Rules::default());
        assert!(!resting.is_empty(), "{body:?}");
    }
}

#[test]
fn of_a_one_sided_wall_there_is_only_the_active_side() {
    let wall = PathShape::wall(10.0, 1.0, Side::Top).unwrap().one_sided();
    let ball = PathShape::ball(0.3).unwrap();
    let mut workspace = PathWorkspace::default();
    for (y, expected) in [(1.0, 0.2), (0.8, 0.0), (0.5, 0.0), (0.0, 0.2), (-1.0, 1.2)] {
        let (a, b) = (PlacedPath::new(&ball, Pose::new(1.0, y, 0.0)), PlacedPath::new(&wall, Pose::IDENTITY));
        let gap = path_distance(&a, &b, f64::INFINITY, &mut workspace).unwrap().gap;
        assert!((gap - expected).abs() < 1e-15, "{y} {gap}");
    }
    // A block half over its end rests on the end and on its own corner.
    let block = PathShape::block(1.0, 1.0).unwrap();
    for x in [-5.0, 5.0] {
        let (a, b) =
            (PlacedPath::new(&block, Pose::new(x, 1.0, 0.0)), PlacedPath::new(&wall, Pose::IDENTITY));
        let band = ContactBand { depth: 0.01, reach: 0.01, tilt: 0.1 };
        let mut list = Vec::new();
        path_contacts(&a, &b, &band, &mut workspace, &mut list);
        assert!(list.len() == 2 && list.iter().all(|c| c.normal.y == 1.0), "{list:?}");
    }
}
