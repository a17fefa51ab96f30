//! Steps of what is at rest are not taken again, and nobody can tell.

use engine2d_sim::{Body, ForceLaw, Settings, StepReport, SteppingSolver, SurfacePair, TimeStepping, World};

const H: f64 = 1.0 / 60.0;

fn settings() -> Settings {
    let choice = TimeStepping { solver: SteppingSolver::Exact, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

/// A wall of bricks, without what happened to it.
fn wall() -> World {
    let rough = |body: Body| body.friction(0.6);
    let mut scene = World::builder()
        .settings(settings())
        .gravity(9.81)
        .body(rough(Body::block(20.0, 2.0).fixed().at(0.0, -1.0)));
    for row in 0..4 {
        for k in 0..4 - row % 2 {
            let x = 1.02 * f64::from(k) + 0.51 * f64::from(row % 2);
            scene = scene.body(rough(Body::block(1.0, 0.5).at(x, 0.25 + 0.5 * f64::from(row))));
        }
    }
    scene.build().expect("a wall")
}

/// The wall when it has come to rest.
fn rests() -> World {
    let mut world = wall();
    (0..200).for_each(|_| drop(world.advance(H).expect("a step")));
    assert!(
        world.bodies().all(|body| body.velocity().norm() == 0.0 && body.angular_velocity() == 0.0),
        "it stands to the bit"
    );
    world
}

/// Another world in the same state, which has taken no step of its own.
fn fresh(of: &World) -> World {
    let mut world = wall();
    world.restore(&of.snapshot()).expect("the same bodies");
    world
}

fn bits(world: &World) -> Vec<u64> {
    world.state().into_iter().map(f64::to_bits).collect()
}

/// All that is told, but for the largest problem of the world's life.
fn told(report: StepReport) -> String {
    serde_json::to_string(&StepReport { lcp_size_max: 0, ..report }).expect("text")
}

#[test]
fn what_is_at_rest_has_the_bits_and_reports_of_steps_that_are_all_taken() {
    let mut world = rests();
    // Past a power of two of the clock, where its rounding changes the lengths.
    for _ in 0..80 {
        let mut other = fresh(&world);
        let (kept, taken) = (world.advance(H).expect("a step"), other.advance(H).expect("a step"));
        assert_eq!(told(kept), told(taken), "at {}", world.time());
        assert_eq!(bits(&world), bits(&other));
    }
    assert!(world.time() > 4.0);
}

#[test]
fn whatever_is_changed_is_seen_at_once() {
    type Change = (&'static str, fn(&mut World));
    let changes: &[Change] = &[
        ("nothing", |_| {}),
        ("gravity", |world| {
            world.edit().clear_force_laws();
            world.add_force_law(ForceLaw::gravity(3.0)).expect("a law");
        }),
        ("a force", |world| world.apply_force(14, [60.0, 0.0], [0.5, 1.7]).expect("a force")),
        ("an impulse", |world| world.apply_impulse(9, [0.4, 0.0], [0.5, 1.6]).expect("an impulse")),
        ("a velocity", |world| world.set_velocity(14, [0.3, 0.0], 0.0).expect("a velocity")),
        ("a pose", |world| world.set_pose(14, [0.6, 2.6], 0.0).expect("a pose")),
        ("a body", |world| {
            world.add_body(Body::ball(0.3).at(1.0, 2.4).velocity(0.0, -4.0)).expect("a body");
        }),
        ("a body less", |world| drop(world.remove_body(1).expect("a body"))),
        ("surfaces", |world| {
            let belt = SurfacePair { surface_speed: Some(1.0), ..SurfacePair::default() };
            world.edit().set_surfaces(0, 1, belt).expect("surfaces");
        }),
        ("who meets", |world| world.edit().set_colliding(0, 3, false).expect("a pair")),
        ("settings", |world| {
            let settings = Settings { rest_speed: 0.5, ..world.settings().clone() };
            world.edit().set_settings(settings).expect("settings");
        }),
    ];
    let rests = rests();
    let mut moved = 0;
    for (what, change) in changes {
        let (mut world, mut other) = (rests.clone(), fresh(&rests));
        // A step of which it is known that it changes nothing.
        world.advance(H).expect("a step");
        other.restore(&world.snapshot()).expect("the same bodies");
        let before = bits(&world);
        for world in [&mut world, &mut other] {
            change(world);
        }
        for _ in 0..6 {
            let (kept, taken) = (world.advance(H).expect("a step"), other.advance(H).expect("a step"));
            assert_eq!(told(kept), told(taken), "{what}");
            assert_eq!(bits(&world), bits(&other), "{what}");
        }
        moved += usize::from(bits(&world)[..before.len() - 1] != before[..before.len() - 1]);
    }
    assert!(moved >= 8, "{moved} of the changes move something");
}

#[test]
fn an_advance_that_may_not_take_its_work_ends_with_the_same_error() {
    let rests = rests();
    let mut worlds = [rests.clone(), fresh(&rests)];
    for world in &mut worlds {
        let mut settings = world.settings().clone();
        settings.limits.evaluations = 20;
        world.edit().set_settings(settings).expect("settings");
    }
    // Steps of which it is known that they change nothing; the other world has them from a snapshot.
    (0..3).for_each(|_| drop(worlds[0].advance(H).expect("a step")));
    let snapshot = worlds[0].snapshot();
    worlds[1].restore(&snapshot).expect("the same bodies");
    let errors = worlds.each_mut().map(|world| world.advance(1.0).expect_err("too much").to_string());
    assert_eq!(errors[0], errors[1]);
    assert_eq!(bits(&worlds[0]), bits(&worlds[1]));
}

/// What a factorization leaves of so many forces is more than what rounding excuses at the top: it is corrected.
#[test]
fn a_pyramid_of_eighty_rows_stands_to_the_bit() {
    let rough = |body: Body| body.friction(0.6);
    let mut scene = World::builder()
        .settings(settings())
        .gravity(9.81)
        .body(rough(Body::block(200.0, 2.0).fixed().at(0.0, -1.0)));
    for row in 0..80_u32 {
        for k in 0..80 - row {
            let x = 1.1 * (f64::from(k) - 0.5 * f64::from(79 - row));
            scene = scene.body(rough(Body::block(1.0, 1.0).at(x, 0.5 + f64::from(row))));
        }
    }
    let mut world = scene.build().expect("a pyramid");
    (0..4).for_each(|_| drop(world.advance(H).expect("a step")));
    assert!(world.bodies().all(|body| body.velocity().norm() == 0.0 && body.angular_velocity() == 0.0));
}
