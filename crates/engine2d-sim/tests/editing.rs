//! Changing, saving and restoring a world while it runs.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{
    Attachment, Body, Connector, ExtraAcceleration, ForceLaw, Frame, Limits, OdeMethod, Settings, SimError,
    Snapshot, World,
};

/// Three discs over a floor, the last two tied by a rope and pulled by a spring.
fn scene() -> World {
    World::builder()
        .gravity(9.81)
        .body(Body::wall(20.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(-3.0, 1.0).named("left"))
        .body(Body::ball(0.5).at(0.0, 2.0).named("middle one").restitution(0.9))
        .body(Body::block(1.0, 0.6).at(3.0, 3.0).angle(0.2).named("right"))
        .connector(Connector::Rope {
            ends: [Attachment::body(2, [0.0, 0.0]), Attachment::body(3, [0.0, 0.0])],
            length: 4.0,
        })
        .force_law(ForceLaw::Spring {
            ends: [Attachment::ground([0.0, 4.0]), Attachment::body(3, [0.5, 0.0])],
            rest_length: 1.0,
            stiffness: 3.0,
            damping: 0.1,
            compress_only: false,
        })
        .build()
        .unwrap()
}

fn bits(world: &World) -> Vec<u64> {
    world.state().iter().map(|v| v.to_bits()).collect()
}

#[test]
fn a_removed_body_takes_its_connectors_and_laws_along_and_the_rest_stays() {
    let mut world = scene();
    let removed = world.remove_body(2).unwrap();
    assert_eq!((removed.connectors.len(), removed.force_laws.len()), (1, 0));
    assert_eq!(world.body("right").unwrap().index(), 3);
    assert_eq!((world.inspect().connectors().len(), world.inspect().force_laws().len()), (0, 2));
    let ForceLaw::Spring { ends, .. } = &world.inspect().force_laws()[1] else { panic!("the spring stays") };
    assert_eq!(ends[1].body.index(), Some(3));
    let removed = world.remove_body("right").unwrap();
    assert_eq!(removed.force_laws.len(), 1);
    world.advance(0.1).unwrap();
}

#[test]
fn a_world_built_in_two_orders_moves_alike() {
    let mut whole = scene();
    let mut grown = scene();
    let middle = grown.remove_body(2).unwrap();
    grown.add_body(Body::ball(0.5).at(0.0, 2.0).named("middle one").restitution(0.9)).unwrap();
    grown.edit().insert_connector(0, middle.connectors[0].clone()).unwrap();
    for _ in 0..60 {
        whole.advance(0.025).unwrap();
        grown.advance(0.025).unwrap();
    }
    assert_eq!(bits(&whole), bits(&grown));
}

#[test]
fn names_are_compared_in_normal_form_and_unknown_ones_are_errors() {
    let world = scene();
    assert_eq!(world.body("MIDDLE_ONE").unwrap().index(), 2);
    assert!(matches!(world.body("centre"), Err(SimError::UnknownName { .. })));
}

#[test]
fn a_second_gravity_of_everything_is_refused() {
    let mut world = scene();
    assert!(matches!(world.add_force_law(ForceLaw::gravity(1.0)), Err(SimError::Unsupported { .. })));
    world.edit().replace_force_law(0, ForceLaw::gravity(1.0)).unwrap();
    let listed = ForceLaw::Gravity { strength: 2.0, zero_level: 0.0, bodies: Some(vec![1]) };
    let listed = world.add_force_law(listed).unwrap();
    assert!(world.edit().remove_force_law(3).is_err());
    world.edit().remove_force_law(0).unwrap();
    world.edit().remove_force_law(listed).unwrap();
    let stale = world.edit().remove_force_law(listed).unwrap_err();
    assert!(matches!(stale, SimError::Stale { .. }), "{stale}");
}

#[test]
fn mistakes_leave_the_world_as_it_was() {
    let mut world = scene();
    let before = bits(&world);
    assert!(world.add_body(Body::ball(-1.0)).is_err());
    let inside = world.add_body(Body::ball(1.0).at(-3.0, 1.2)).unwrap_err();
    assert!(matches!(inside, SimError::Overlap { other: 1, .. }), "{inside}");
    assert!(world.remove_body(4).is_err());
    let lost = Connector::Rod {
        ends: [Attachment::body(1, [0.0, 0.0]), Attachment::body(8, [0.0, 0.0])],
        length: 1.0,
    };
    assert!(matches!(world.edit().add_connector(lost), Err(SimError::UnknownBody { index: 8, .. })));
    assert!(world.edit().set_restitution(1.5).is_err());
    assert!(world.edit().set_settings(Settings { time_step: 0.0, ..Settings::default() }).is_err());
    assert_eq!((world.bodies().len(), bits(&world)), (4, before));
}

#[test]
fn clearing_leaves_nothing_but_the_settings() {
    let mut world = scene();
    world.edit().set_settings(Settings { seed: 7, ..Settings::default() }).unwrap();
    world.advance(0.5).unwrap();
    world.edit().clear();
    assert_eq!(
        (world.bodies().len(), world.inspect().connectors().len(), world.inspect().force_laws().len()),
        (0, 0, 0)
    );
    assert_eq!((world.time(), world.settings().seed), (0.0, 7));
    assert!(world.edit().set_restitution(0.5).is_err(), "there is nothing to set it on");
    world.add_body(Body::ball(1.0).velocity(1.0, 0.0)).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.body(0).unwrap().position().x - 1.0).abs() < 1e-12);
}

#[test]
fn a_run_resumed_from_a_file_repeats_every_bit() {
    let mut world = scene();
    for _ in 0..50 {
        world.advance(0.025).unwrap();
    }
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    for _ in 0..100 {
        world.advance(0.025).unwrap();
    }
    let mut resumed = scene();
    let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
    resumed.restore(&snapshot).unwrap();
    for _ in 0..100 {
        resumed.advance(0.025).unwrap();
    }
    assert_eq!(bits(&world), bits(&resumed));
    assert_eq!(world.snapshot(), resumed.snapshot());
}

#[test]
fn a_snapshot_of_another_world_is_refused() {
    let mut other = World::builder().body(Body::ball(1.0)).build().unwrap();
    assert!(matches!(other.restore(&scene().snapshot()), Err(SimError::Value { .. })));
}

#[test]
fn a_restart_returns_to_a_state_and_zeroes_the_counters() {
    let mut world = scene();
    let initial = world.snapshot();
    let start = bits(&world);
    for _ in 0..80 {
        world.advance(0.025).unwrap();
    }
    assert!(world.inspect().totals().collisions > 0);
    world.edit().restart(&initial).unwrap();
    assert_eq!((bits(&world), world.time(), world.inspect().totals().steps), (start, 0.0, 0));
}

#[test]
fn work_beyond_the_limit_is_a_typed_error() {
    let limits = Limits { evaluations: 500, ..Limits::default() };
    let settings = Settings {
        method: OdeMethod::dormand_prince(1e-13),
        limits,
        extra_acceleration: ExtraAcceleration::None,
        ..Settings::default()
    };
    let mut world = World::builder()
        .gravity(9.81)
        .settings(settings)
        .body(Body::block(0.1, 1.0).at(0.5, 0.0).angle(1.5))
        .connector(
            Connector::pin(Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.5]), Frame::World)[0]
                .clone(),
        )
        .force_law(ForceLaw::Spring {
            ends: [Attachment::ground([0.0, 1.0]), Attachment::body(0, [0.0, -0.5])],
            rest_length: 0.5,
            stiffness: 1e6,
            damping: 0.0,
            compress_only: false,
        })
        .build()
        .unwrap();
    let error = world.advance(10.0).unwrap_err();
    assert!(matches!(error, SimError::WorkLimit { what: "evaluations", limit: 500, .. }), "{error}");
}
