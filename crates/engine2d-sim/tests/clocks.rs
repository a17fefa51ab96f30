//! What bodies and events can be, in each clock that knows it: the same scene, the same outcome.

use engine2d_constraint::{Joint, Revolute};
use engine2d_geometry::IgnoredEdges;
use engine2d_sim::{
    Body, CollisionFilter, Event, Settings, SimError, SteppingSolver, SurfacePair, TimeStepping, UserEvent,
    World, WorldBuilder,
};

const G: f64 = 10.0;
const H: f64 = 1.0 / 60.0;

fn fixed(solver: SteppingSolver) -> Settings {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

/// Looks at a scene in all three clocks; `check` gets what answers may be off by: one that is second order in the step, and the
/// depth to which soft contacts yield.
fn everywhere(check: impl Fn(WorldBuilder, f64)) {
    check(World::builder().gravity(G), 1e-8);
    check(World::builder().settings(fixed(SteppingSolver::Exact)).gravity(G), 2e-3);
    check(World::builder().settings(fixed(SteppingSolver::Iterative)).gravity(G), 2e-2);
}

fn floor() -> Body {
    Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.5).named("floor")
}

fn sensed(world: &mut World, time: f64) -> Vec<(&'static str, f64)> {
    let mut told = Vec::new();
    while world.time() < time - 1e-9 {
        let report = world.advance(0.1).expect("an advance");
        let sensed = report.events.iter().filter(|event| event.kind().starts_with("sensor"));
        told.extend(sensed.map(|event| (event.kind(), event.time())));
    }
    told
}

#[test]
fn sensors_tell_who_comes_and_goes() {
    everywhere(|scene, exact| {
        // A ball falls through a gate, 0.7 to 1.2 below its lowest and 1.2 below its highest point.
        let gate = Body::block(2.0, 0.5).fixed().at(0.0, -1.45).sensor().named("gate");
        let mut world = scene.body(gate).body(Body::ball(0.5).named("ball")).build().expect("a world");
        let told = sensed(&mut world, 1.0);
        let at = |depth: f64| (2.0 * depth / G).sqrt();
        let expected = [("sensor_begin", at(0.7)), ("sensor_end", at(2.2))];
        assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), expected.map(|e| e.0));
        for ((_, time), (_, expected)) in told.iter().zip(expected) {
            assert!((time - expected).abs() <= exact, "{time} instead of {expected}");
        }
    });
}

/// What has just been put into a sensor, and what is in one at the start, has not been told of: a state restored tells of it too.
#[test]
fn a_state_restored_tells_of_the_same_bodies_in_sensors() {
    everywhere(|scene, _| {
        let gate = Body::block(4.0, 4.0).fixed().sensor().named("gate");
        let ball = |x: f64| Body::ball(0.1).at(x, 0.0).gravity_scale(0.0);
        let mut world = scene.body(gate).body(ball(-1.0).named("first")).build().expect("a world");
        for name in ["first", "second", "third"] {
            if name != "first" {
                world.add_body(ball(if name == "third" { 1.0 } else { 0.0 }).named(name)).expect("a ball");
            }
            let saved = world.snapshot();
            let told = world.advance(0.1).expect("an advance").events;
            assert_eq!(told.len(), 1, "{name}: {told:?}");
            world.restore(&saved).expect("the state before");
            assert_eq!(world.advance(0.1).expect("an advance").events, told, "{name}");
            assert!(world.advance(0.1).expect("an advance").events.is_empty(), "{name}");
        }
    });
}

#[test]
fn a_bullet_is_sensed_however_thin_the_gate() {
    everywhere(|scene, _| {
        let gate = Body::block(0.01, 2.0).fixed().at(2.5, 0.0).sensor().named("gate");
        let bullet = Body::ball(0.02).velocity(200.0, 0.0).gravity_scale(0.0).named("bullet");
        let mut world = scene.body(gate).body(bullet).build().expect("a world");
        let told = sensed(&mut world, 0.1);
        assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), ["sensor_begin", "sensor_end"]);
        for (time, x) in [(told[0].1, 2.475), (told[1].1, 2.525)] {
            assert!((time - x / 200.0).abs() <= 1e-9, "{time} for {x}");
        }
    });
}

#[test]
fn events_of_the_user_are_told_stop_and_act() {
    everywhere(|scene, exact| {
        let mut world =
            scene.body(Body::ball(0.5).velocity(2.0, 0.0).named("ball")).build().expect("a world");
        let below =
            |y: f64| move |set: &engine2d_sim::BodySet<'_>| set.get(0).map_or(1.0, |b| b.position().y - y);
        world.add_event(UserEvent::new("told", below(-0.8))).expect("an event");
        world.add_event(UserEvent::new("stopped", below(-1.8)).stopping()).expect("an event");
        let back = |world: &mut World| {
            let v = world.body("ball")?.velocity();
            world.set_velocity("ball", [-v.x, v.y], 0.0)
        };
        world.add_event(UserEvent::new("turned", below(-1.25)).with_action(back)).expect("an event");
        let report = world.advance(2.0).expect("an advance");
        let user = |event: &Event| match event {
            Event::User { name, rising: false, .. } => Some((name.clone(), event.time())),
            _ => None,
        };
        let told: Vec<_> = report.events.iter().filter_map(user).collect();
        let expected = [("told", 0.4), ("turned", 0.5), ("stopped", 0.6)];
        assert_eq!(told.len(), 3, "{told:?}");
        for ((name, time), (expected, at)) in told.iter().zip(expected) {
            assert!(name == expected && (time - at).abs() <= exact, "{name} at {time}, not {at}");
        }
        assert_eq!(report.stopped_by.as_deref(), Some("stopped"));
        // In fixed steps the run ends with the step.
        assert!((world.time() - 0.6).abs() <= 2.0 * H, "{}", world.time());
        let x = world.body("ball").expect("the ball").position().x;
        assert!((x - 2.0 * (1.0 - world.time())).abs() <= 4.0 * H, "{x}");
    });
}

#[test]
fn one_way_platforms_let_pass_from_below() {
    everywhere(|scene, exact| {
        let platform = Body::block(4.0, 0.2).fixed().at(0.0, 1.0).one_way([0.0, 1.0]).named("platform");
        let jumper = Body::block(0.4, 0.4).velocity(0.0, 7.0).restitution(0.0).named("jumper");
        let hopper = Body::block(0.4, 0.4).at(1.0, 0.0).velocity(0.0, 4.5).named("hopper");
        let crate_ = Body::block(0.4, 0.4).at(-1.0, 1.3).restitution(0.0).named("crate");
        let mut world = scene.body(platform).body(jumper).body(hopper).body(crate_).build().expect("a world");
        world.advance(3.0).expect("an advance");
        let height = |name: &str| world.body(name).expect("a body").position().y;
        for name in ["jumper", "crate"] {
            assert!((height(name) - 1.3).abs() <= exact, "{name} at {}", height(name));
        }
        assert!(
            (height("hopper") - (4.5 * 3.0 - 45.0)).abs() <= 50.0 * exact,
            "it comes back: {}",
            height("hopper")
        );
    });
}

#[test]
fn bodies_that_are_led_carry_what_lies_on_them() {
    everywhere(|scene, exact| {
        let lift = Body::block(4.0, 1.0).at(0.0, -0.5).moving([0.5, 1.0], 0.0).friction(1.0).named("lift");
        let swing = Body::block(4.0, 1.0)
            .at(10.0, -0.5)
            .led_by(|t| {
                let (s, c) = t.sin_cos();
                [[10.0, 0.0, 0.0], [0.3 * s - 0.5, 0.3 * c, -0.3 * s], [0.0; 3]]
            })
            .named("swing");
        let load = Body::block(1.0, 1.0).mass(1000.0).at(0.0, 0.5).friction(1.0).named("load");
        let rider = Body::block(1.0, 1.0).at(10.0, 0.5).named("rider");
        let mut world = scene.body(lift).body(swing).body(load).body(rider).build().expect("a world");
        world.set_velocity("load", [0.5, 1.0], 0.0).expect("a velocity");
        world.set_velocity("rider", [0.0, 0.3], 0.0).expect("a velocity");
        let report = world.advance(2.0).expect("an advance");
        let at = |name: &str| world.body(name).expect("a body").position();
        assert!((at("lift") - engine2d_math::Vec2::new(1.0, 1.5)).norm() <= 1e-8, "{}", at("lift"));
        assert!((at("load") - engine2d_math::Vec2::new(1.0, 2.5)).norm() <= exact, "{}", at("load"));
        let height = 0.3 * 2.0_f64.sin();
        assert!((at("swing").y - height + 0.5).abs() <= 1e-8, "{}", at("swing"));
        assert!((at("rider").y - height - 0.5).abs() <= exact, "{} for {height}", at("rider"));
        assert!(report.penetration <= exact && report.joint_error <= 1e-8, "{}", report.penetration);
        // What leads the lift bears its weight and that of the load, off its middle by what this came late.
        let (x, y) =
            (world.reaction("lift x").expect("a reaction"), world.reaction("lift y").expect("a reaction"));
        let (weight, arm) = (1001.0 * G, at("load").x - at("lift").x);
        let borne = x.force + y.force;
        assert!((borne - engine2d_math::Vec2::new(0.0, weight)).norm() <= 1e-6 * weight, "{borne}");
        let angle = world.reaction("lift angle").expect("a reaction");
        let torque = x.torque + y.torque + angle.torque - 1000.0 * G * arm;
        assert!(torque.abs() <= 1e-5 * weight, "{torque}");
    });
}

#[test]
fn belts_filters_and_predicates_are_known() {
    everywhere(|scene, exact| {
        let belt = floor().surface_speed(-1.0);
        let box_ = |x: f64| Body::block(1.0, 1.0).friction(0.5).at(x, 0.5);
        let none = CollisionFilter { categories: 0, mask: 0 };
        let mut world = scene
            .body(belt)
            .body(box_(0.0).named("parcel"))
            .body(box_(3.0).collides(none).named("ghost"))
            .body(box_(6.0).ignoring_bodies([0]).named("other"))
            .build()
            .expect("a world");
        world
            .edit()
            .set_surfaces(
                "floor",
                "parcel",
                SurfacePair { surface_speed: Some(-2.0), ..SurfacePair::default() },
            )
            .expect("surfaces");
        world.advance(1.0).expect("an advance");
        let of = |name: &str| world.body(name).expect("a body");
        assert!((of("parcel").velocity().x - 2.0).abs() <= exact, "{}", of("parcel").velocity().x);
        for name in ["ghost", "other"] {
            assert!((of(name).position().y - (0.5 - 0.5 * G)).abs() <= 10.0 * exact, "{name}");
        }
    });
}

#[test]
fn thin_walls_stop_bullets() {
    everywhere(|scene, exact| {
        let wall = Body::block(0.05, 4.0).fixed().at(5.0, 0.0).named("wall");
        let bullet = Body::block(0.1, 0.1).velocity(300.0, 0.0).gravity_scale(0.0).restitution(0.0);
        let mut world = scene.body(wall).body(bullet.named("bullet")).build().expect("a world");
        world.advance(0.1).expect("an advance");
        let x = world.body("bullet").expect("the bullet").position().x;
        assert!((x - 4.925).abs() <= exact, "{x}");
    });
}

#[test]
fn joints_break() {
    everywhere(|scene, _| {
        let pin = Revolute::new(
            engine2d_sim::BodyRef::Ground,
            [0.0, 0.0],
            engine2d_sim::BodyRef::Body(0),
            [0.0, 0.0],
        );
        let weak = Joint::from(pin).break_force(5.0);
        let mut world = scene.body(Body::ball(0.5).named("ball")).joint(weak).build().expect("a world");
        let report = world.advance(0.5).expect("an advance");
        assert!(
            report.events.iter().any(|event| matches!(event, Event::Broken { .. })),
            "{:?}",
            report.events
        );
        assert!(world.body("ball").expect("the ball").position().y < -1.0);
    });
}

/// What the clock of fixed steps does not know it refuses, with the way out.
#[test]
fn what_fixed_steps_do_not_know_is_refused() {
    let ledger = |settings: &mut Settings| settings.energy_ledger = true;
    let compliant = |settings: &mut Settings| {
        settings.contact_model = engine2d_sim::ContactModel::Compliant(Default::default());
    };
    let law = |settings: &mut Settings| settings.impact_law = engine2d_sim::ImpactLaw::Newton;
    let looks_only = |settings: &mut Settings| settings.aids.detect_only = true;
    type Change<'a> = &'a dyn Fn(&mut Settings);
    let cases: [(&str, Change<'_>); 4] = [
        ("settings.energy_ledger", &ledger),
        ("settings.time_stepping", &compliant),
        ("settings.impact_law", &law),
        ("settings.aids.detect_only", &looks_only),
    ];
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        for (field, change) in &cases {
            let mut settings = fixed(solver);
            change(&mut settings);
            let refused = World::builder().settings(settings.clone()).body(floor()).build();
            let is = |error: &SimError| matches!(error, SimError::Unsupported { path, .. } if path == field);
            assert!(refused.as_ref().is_err_and(is), "{field}: {refused:?}");
        }
        let edges = IgnoredEdges { body: 0, first: 0, last: 0 };
        let partly = Body::ball(0.5).at(0.0, 2.0).ignoring_edges(edges);
        let scene = World::builder().settings(fixed(solver)).body(floor());
        let refused = scene.clone().body(partly.clone()).build();
        let is = |error: &SimError| matches!(error, SimError::Unsupported { path, .. } if path == "bodies[1].ignored_edges");
        assert!(refused.as_ref().is_err_and(is), "{refused:?}");
        let refused = scene.build().expect("a world").add_body(partly);
        assert!(refused.as_ref().is_err_and(is), "{refused:?}");
    }
}

/// A lift that is led against the floor: what cannot be is no panic, and the lift follows its path.
#[test]
fn what_is_led_goes_its_way_through_what_does_not_move() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let lift = Body::block(1.0, 1.0).at(0.0, 1.0).moving([0.0, -1.0], 0.0).named("lift");
        let scene = World::builder().settings(fixed(solver)).gravity(G);
        let mut world = scene.body(floor()).body(lift).build().expect("a world");
        world.advance(1.0).expect("an advance");
        let y = world.body("lift").expect("the lift").position().y;
        assert!(y.abs() <= 1e-8, "{solver:?}: {y}");
    }
}

/// Sensors, platforms and what is led go on from a saved state bit for bit, with the same events.
#[test]
fn saved_worlds_go_on_with_the_same_events() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let scene = || {
            let platform = Body::block(4.0, 0.2).fixed().at(0.0, 1.0).one_way([0.0, 1.0]).named("platform");
            let gate = Body::block(4.0, 0.6).fixed().at(0.0, 1.6).sensor().named("gate");
            let lift = Body::block(4.0, 0.2).at(0.0, -1.0).moving([0.0, 0.3], 0.0).named("lift");
            let ball = Body::ball(0.3).velocity(0.3, 6.5).restitution(0.7).named("ball");
            let scene = World::builder().settings(fixed(solver)).gravity(G);
            let mut world = scene.body(platform).body(gate).body(lift).body(ball).build().expect("a world");
            let right = |set: &engine2d_sim::BodySet<'_>| set.get(3).map_or(1.0, |b| b.position().x - 0.31);
            world.add_event(UserEvent::new("right", right)).expect("an event");
            world
        };
        let run = |world: &mut World, steps: usize| {
            let mut events = Vec::new();
            for _ in 0..steps {
                events.extend(world.advance(H).expect("a step").events);
            }
            events
        };
        let mut world = scene();
        run(&mut world, 10);
        let saved = serde_json::to_string(&world.snapshot()).expect("text");
        let expected = run(&mut world, 80);
        let kinds: Vec<_> = expected.iter().map(Event::kind).collect();
        assert!(kinds.contains(&"sensor_begin") && kinds.contains(&"user"), "{kinds:?}");
        let mut resumed = scene();
        resumed.restore(&serde_json::from_str(&saved).expect("a snapshot")).expect("a state");
        assert_eq!(run(&mut resumed, 80), expected, "{solver:?}");
        assert_eq!(resumed.state(), world.state(), "{solver:?}");
    }
}
