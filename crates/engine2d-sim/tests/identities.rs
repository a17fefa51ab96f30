//! Identities last while others come and go, and nobody's contacts are lost.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::{Motor, Revolute, SpeedDrive};
use engine2d_sim::{Body, BodyRef, Event, Joint, Settings, SimError, SurfacePair, World};

/// A row of blocks at rest on a floor.
fn row(count: u32) -> World {
    let mut builder =
        World::builder().gravity(10.0).body(Body::block(100.0, 1.0).fixed().at(0.0, -0.5).named("floor"));
    for k in 0..count {
        builder = builder.body(Body::block(1.0, 1.0).at(2.0 * f64::from(k), 0.5).named(format!("block {k}")));
    }
    builder.build().unwrap()
}

#[test]
fn removing_a_body_keeps_the_contacts_of_the_others() {
    let mut world = row(4);
    world.advance(0.1).unwrap();
    assert_eq!(world.contact_forces().len(), 8);
    let kept = world.body("block 3").unwrap().id();
    world.remove_body("block 1").unwrap();
    let added = world.add_body(Body::ball(0.2).at(2.0, 5.0).named("ball")).unwrap();
    let report = world.advance(0.1).unwrap();
    assert!(report.events.is_empty(), "nothing is found anew: {:?}", report.events);
    assert_eq!(world.contact_forces().len(), 6);
    assert_eq!(world.body(kept).unwrap().name(), "block 3");
    assert_eq!(added.index(), 2, "the vacant place is used again");
    assert_eq!(world.bodies().len(), 5);
    assert!(
        world.bodies().map(|b| b.name().to_owned()).eq(["floor", "block 0", "ball", "block 2", "block 3"])
    );
}

#[test]
fn a_stale_identity_is_a_typed_error_everywhere() {
    let mut world = row(2);
    let gone = world.body("block 0").unwrap().id();
    world.remove_body(gone).unwrap();
    let next = world.add_body(Body::ball(0.3).at(0.0, 3.0)).unwrap();
    assert_eq!(next.index(), gone.index());
    assert_ne!(next, gone);
    for error in [
        world.body(gone).err(),
        world.remove_body(gone).err(),
        world.set_velocity(gone, [1.0, 0.0], 0.0).err(),
        world.apply_impulse(gone, [1.0, 0.0], [0.0, 0.0]).err(),
        world.apply_force(gone, [1.0, 0.0], [0.0, 0.0]).err(),
        world.set_pose(gone, [1.0, 9.0], 0.0).err(),
        world.query().without(gone).err(),
    ] {
        assert!(matches!(error, Some(SimError::Stale { .. })), "{error:?}");
    }
    assert!(matches!(world.body("block 0"), Err(SimError::UnknownName { .. })));
    assert!(world.body(gone.index()).is_ok(), "the place has a body again");
}

#[test]
fn what_is_vacant_takes_no_part() {
    for settings in [Settings::default(), Settings::backtracking()] {
        let mut world = World::builder()
            .settings(settings)
            .gravity(10.0)
            .body(Body::block(10.0, 1.0).fixed().at(0.0, -0.5).named("shelf"))
            .body(Body::ball(0.5).at(0.0, 2.0).named("ball"))
            .build()
            .unwrap();
        world.remove_body("shelf").unwrap();
        world.advance(1.0).unwrap();
        assert!((world.body("ball").unwrap().position().y + 3.0).abs() < 1e-9, "it falls past");
        let energy = world.energy();
        assert!((energy.kinetic() - 50.0).abs() < 1e-9);
    }
}

#[test]
fn joints_of_later_bodies_stay_when_an_earlier_body_goes() {
    let mut world = World::builder()
        .body(Body::ball(0.2).at(5.0, 0.0).named("bystander"))
        .body(Body::ball(0.2).at(9.0, 0.0).named("other"))
        .body(Body::ball(0.5).named("wheel"))
        .joint(
            Joint::new(Revolute::new(BodyRef::Body(0), [0.0, 0.0], BodyRef::Ground, [5.0, 0.0])).named("peg"),
        )
        .joint(
            Joint::new(Revolute::new(BodyRef::Body(2), [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
                .named("axle"),
        )
        .joint(
            Joint::new(Motor::rotary(
                BodyRef::Body(2),
                BodyRef::Ground,
                SpeedDrive { speed: 1.0, limit: 10.0 },
            ))
            .named("drive"),
        )
        .build()
        .unwrap();
    world.advance(1.0).unwrap();
    let (peg, drive) = (world.joint("peg").unwrap(), world.joint("drive").unwrap());
    let removed = world.remove_body("bystander").unwrap();
    assert_eq!(removed.joints, 1);
    assert!(matches!(world.reaction(peg), Err(SimError::Stale { .. })));
    world.edit_joint(drive, |motor: &mut Motor| motor.set_speed(3.0)).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.body("wheel").unwrap().spin() - 3.0).abs() < 1e-9);
    world.remove_joint(drive).unwrap();
    world.apply_impulse("wheel", [0.0, 1.0], [0.5, 0.0]).unwrap();
    let before = world.body("wheel").unwrap().spin();
    world.advance(1.0).unwrap();
    let after = world.body("wheel").unwrap();
    assert!(before > 3.0 && (after.spin() - before).abs() < 1e-9, "no motor holds it");
    assert!(after.position().norm() < 1e-9, "the axle does");
}

#[test]
fn a_snapshot_fits_only_where_the_places_are_taken_alike() {
    let mut world = row(2);
    let before = world.snapshot();
    world.remove_body("block 0").unwrap();
    assert!(matches!(world.restore(&before), Err(SimError::Value { .. })));
    let after = world.snapshot();
    world.advance(0.5).unwrap();
    world.restore(&after).unwrap();
    assert_eq!(world.snapshot(), after);
}

#[test]
fn the_motion_of_the_others_is_that_of_a_world_without_the_removed_body() {
    let scene = |with: bool| {
        let mut builder = World::builder().gravity(10.0).body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5));
        if with {
            builder = builder.body(Body::ball(0.5).at(-5.0, 1.0).named("extra"));
        }
        builder.body(Body::ball(0.5).at(0.0, 2.0).restitution(0.7).named("ball")).build().unwrap()
    };
    let (mut alone, mut both) = (scene(false), scene(true));
    both.remove_body("extra").unwrap();
    let mut bounces = [0, 0];
    for _ in 0..100 {
        for (world, bounces) in [&mut alone, &mut both].into_iter().zip(&mut bounces) {
            let events = world.advance(0.02).unwrap().events;
            *bounces += events.iter().filter(|e| matches!(e, Event::Collision { .. })).count();
        }
    }
    let height = |world: &World| world.body("ball").unwrap().position().y;
    assert!(bounces[0] >= 3);
    assert_eq!(bounces[0], bounces[1]);
    assert!((height(&alone) - height(&both)).abs() < 1e-12);
}

#[test]
fn materials_that_rigid_contact_does_not_know_are_refused() {
    let mut settings = Settings::default();
    let pair = SurfacePair { restitution: Some(0.5), ..SurfacePair::default() };
    settings.surfaces.set("felt", "ice", pair);
    let built = |name: &str, settings: &Settings| {
        World::builder().settings(settings.clone()).body(Body::ball(1.0).material(name)).build()
    };
    assert!(built("felt", &settings).is_ok() && built("wood", &settings).is_ok());
    let told = built("woood", &settings).unwrap_err().to_string();
    assert!(told.contains("no material is named \"woood\"; the table holds aluminium,"), "{told}");
    assert!(built("felt", &Settings::default()).is_err());
    let mut world = built("felt", &settings).unwrap();
    let lost = world.add_body(Body::ball(1.0).at(5.0, 0.0).material("iec"));
    assert!(matches!(lost, Err(SimError::Material { .. })));
    assert!(world.edit().set_settings(Settings::default()).is_err(), "the table with its material is gone");
}
