//! The compliant contact model in a world, against analytic results and the laws it promises.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::compliant::{Curvature, DampingLaw, Material, MaterialTable, PairMaterial, Piece};
use engine2d_sim::{
    Body, CompliantContact, ContactModel, Event, OdeMethod, Settings, SimError, Snapshot, UserEvent, World,
};
use std::sync::{Arc, Mutex};

const G: f64 = 9.81;

/// Wood with the given restitution against itself, so that impacts are not too short.
fn settings(restitution: f64, damping: DampingLaw, z_eps: f64, tolerance: f64) -> Settings {
    let mut materials = MaterialTable::default();
    materials.set_pair("wood", "wood", PairMaterial { restitution, ..PairMaterial::default() });
    Settings {
        method: OdeMethod::dormand_prince(tolerance),
        contact_model: ContactModel::Compliant(CompliantContact {
            z_eps,
            damping,
            default_material: "wood".to_owned(),
        }),
        materials,
        ..Settings::default()
    }
}

/// A disc of 1 kg and 5 cm that meets an immovable one of 10 m at `speed`, without gravity.
fn impact(speed: f64, settings: Settings) -> World {
    World::builder()
        .settings(settings)
        .body(Body::ball(10.0).fixed().at(0.0, -10.0))
        .body(Body::ball(0.05).mass(1.0).at(0.0, 0.06).velocity(0.0, -speed))
        .build()
        .unwrap()
}

fn effective_restitution(speed: f64, settings: Settings) -> f64 {
    let mut world = impact(speed, settings);
    world.advance(0.05 / speed).unwrap();
    world.body(1).unwrap().velocity().y / speed
}

#[test]
fn an_elastic_impact_has_the_analytic_duration_depth_and_energy() {
    for speed in [1.0, 4.0] {
        let mut world = impact(speed, settings(1.0, DampingLaw::default(), 1e-12, 1e-13));
        let lowest = Arc::new(Mutex::new(0.0));
        let kept = lowest.clone();
        // The turning point: velocity zero.
        world
            .add_event(
                UserEvent::new("deepest", |bodies| bodies.get(1).map_or(1.0, |b| b.velocity().y))
                    .with_action(move |world| {
                        *kept.lock().unwrap() = world.body(1)?.position().y;
                        Ok(())
                    }),
            )
            .unwrap();
        let events = world.advance(0.03 / speed).unwrap().events;
        let times: Vec<f64> =
            events.iter().filter(|e| !matches!(e, Event::User { .. })).map(Event::time).collect();
        let deepest = 0.05 - *lowest.lock().unwrap();
        assert_eq!(times.len(), 2);
        // m v²/2 = 2/5 c δ^{5/2}; duration 2.9432750 δ/v [Johnson 1985, §11.4].
        let wood = Material { young: 1.1e10, poisson: 0.4, density: 700.0 };
        let radius = 10.0 * 0.05 / 10.05;
        let law = PairMaterial { restitution: 1.0, ..PairMaterial::default() }.law(
            &wood,
            &wood,
            radius,
            speed,
            DampingLaw::default(),
        );
        let depth = engine2d_math::trig::pow(1.25 * speed * speed / law.stiffness, 0.4);
        let duration = 2.943_275_003_1 * depth / speed;
        assert!(
            (times[1] - times[0] - duration).abs() < 1e-6 * duration,
            "{:e}",
            times[1] - times[0] - duration
        );
        assert!((deepest - depth).abs() < 1e-6 * depth, "{deepest:e} {depth:e}");
        let mut world = impact(speed, settings(1.0, DampingLaw::default(), 1e-12, 1e-10));
        world.advance(0.03 / speed).unwrap();
        let energy = world.energy().total();
        assert!(
            (energy / (0.5 * speed * speed) - 1.0).abs() < 1e-8,
            "{:e}",
            energy / (0.5 * speed * speed) - 1.0
        );
    }
}

#[test]
fn the_calibrated_damping_returns_the_nominal_restitution() {
    for e in [0.2, 0.5, 0.8, 1.0] {
        for speed in [0.1, 1.0, 10.0] {
            let damping = DampingLaw::Calibrated { max: 1e9 };
            let effective = effective_restitution(speed, settings(e, damping, 1e-12, 1e-10));
            assert!((effective - e).abs() < 1e-3 * e, "e = {e}, {speed} m/s: {effective}");
        }
    }
}

#[test]
fn a_bouncing_ball_comes_to_rest_within_sixty_events() {
    for e in [0.1, 0.4, 0.7] {
        let mut world = World::builder()
            .gravity(G)
            .settings(settings(e, DampingLaw::default(), 1e-8, 1e-9))
            .body(Body::wall(4.0, 1.0).at(0.0, -0.5))
            .body(Body::ball(0.05).mass(1.0).at(0.0, 0.06).velocity(0.0, -5.0))
            .build()
            .unwrap();
        let mut events = 0;
        for _ in 0..60 {
            let report = world.advance(0.1).unwrap();
            events += report.events.iter().filter(|e| !matches!(e, Event::Sustained { .. })).count();
        }
        let ball = world.body(1).unwrap();
        assert!(events <= 60, "e = {e}: {events} events");
        assert!(events % 2 == 1, "the last contact does not end: {events} events");
        assert!(ball.velocity().norm() < 1e-3, "e = {e}: {}", ball.velocity());
        let weight: f64 = world.inspect().compliant_forces().iter().map(|c| c.response.normal).sum();
        assert!((weight - G).abs() < 0.05 * G, "e = {e}: {weight}");
    }
}

#[test]
fn contact_starts_at_twice_the_hysteresis_and_ends_at_zero() {
    let (speed, z_eps) = (2.0, 1e-6);
    let mut world = impact(speed, settings(0.6, DampingLaw::default(), z_eps, 1e-12));
    let mut events = Vec::new();
    for _ in 0..20 {
        events.extend(world.advance(0.001).unwrap().events);
    }
    let Event::TouchBegin { time, velocity, .. } = events[0] else { panic!("{events:?}") };
    assert!((time - (0.01 + 2.0 * z_eps) / speed).abs() < 1e-10, "{time}");
    assert!((velocity + speed).abs() < 1e-9);
    assert!(matches!(events[1], Event::TouchEnd { .. }));
    assert_eq!(events.len(), 2, "no second event of the same crossing: {events:?}");
}

#[test]
fn friction_brings_a_sliding_block_to_rest_and_it_stays_level() {
    let mut set = settings(0.0, DampingLaw::default(), 1e-8, 1e-8);
    set.materials.set_pair(
        "wood",
        "wood",
        PairMaterial {
            softening: 1e-3,
            ..PairMaterial { restitution: 0.1, friction: 0.4, ..PairMaterial::default() }
        },
    );
    let mut world = World::builder()
        .gravity(G)
        .settings(set)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::block(0.2, 0.1).mass(1.0).at(0.0, 0.05).velocity(1.0, 0.0))
        .build()
        .unwrap();
    for _ in 0..10 {
        world.advance(0.1).unwrap();
    }
    let block = world.body(1).unwrap();
    // v²/(2 µ g), softened near rest.
    let slid = 1.0 / (2.0 * 0.4 * G);
    assert!((block.position().x - slid).abs() < 0.03 * slid, "{} {slid}", block.position().x);
    assert!(block.angle().abs() < 1e-3 && block.velocity().x.abs() < 5e-3);
}

#[test]
fn momentum_is_kept_and_what_contacts_dissipate_is_not_created() {
    let mut world = World::builder()
        .settings(settings(0.5, DampingLaw::default(), 1e-8, 1e-10))
        .body(Body::ball(0.1).mass(1.0).at(-0.3, 0.02).velocity(2.0, 0.0).spin(5.0))
        .body(Body::ball(0.1).mass(2.0).at(0.0, 0.0))
        .build()
        .unwrap();
    let before = (world.inspect().momentum(), world.energy().total());
    world.advance(0.5).unwrap();
    let after = world.inspect().momentum();
    assert!((after.0 - before.0.0).norm() < 1e-9 && (after.1 - before.0.1).abs() < 1e-9);
    assert!(world.energy().total() < before.1);
    assert!(world.body(1).unwrap().velocity().x > 0.5);
}

#[test]
fn a_run_resumed_in_the_middle_of_a_contact_repeats_every_bit() {
    let scene = || impact(3.0, settings(0.7, DampingLaw::default(), 1e-8, 1e-10));
    let mut world = scene();
    while world.inspect().compliant_forces().is_empty() {
        world.advance(1e-5).unwrap();
    }
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    world.advance(0.01).unwrap();
    let mut resumed = scene();
    resumed.restore(&serde_json::from_str::<Snapshot>(&text).unwrap()).unwrap();
    resumed.advance(0.01).unwrap();
    let bits = |w: &World| w.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&world), bits(&resumed));
}

#[test]
fn outlines_without_pieces_and_unknown_materials_are_typed_errors() {
    let set = || settings(0.5, DampingLaw::default(), 1e-8, 1e-9);
    let frame = engine2d_geometry::PathShape::frame(engine2d_geometry::sizes::Frame {
        width: 2.0,
        height: 2.0,
        thickness: 0.2,
    })
    .unwrap();
    let world =
        |body: Body| World::builder().settings(set()).body(body).body(Body::ball(1.0)).build().unwrap();
    assert!(matches!(world(Body::new(frame.clone())).advance(0.1), Err(SimError::Unsupported { .. })));
    let side = Piece::new(engine2d_geometry::Shape::rectangle(0.1, 1.0).unwrap(), Curvature::Flat(1.0));
    let pieces = [side.clone().at([-0.9, 0.0], 0.0), side.at([0.9, 0.0], 0.0)];
    assert!(world(Body::new(frame).pieces(pieces).at(5.0, 5.0)).advance(0.01).is_ok());
    let unknown = world(Body::ball(1.0).material("cheese")).advance(0.1);
    assert!(matches!(unknown, Err(SimError::Material { .. })));
}

#[test]
fn rigid_collisions_take_the_restitution_of_the_pair_of_materials() {
    let mut world = World::builder()
        .body(Body::ball(0.5).at(-1.0, 0.0).velocity(1.0, 0.0).material("steel"))
        .body(Body::ball(0.5).fixed().at(1.0, 0.0).material("steel"))
        .build()
        .unwrap();
    for _ in 0..80 {
        world.advance(0.025).unwrap();
    }
    assert!((world.body(0).unwrap().velocity().x + 0.7).abs() < 1e-12);
}

#[test]
fn blocks_stacked_flush_hold() {
    for offset in [0.0, 1e-13, 1e-9, -1e-6] {
        let mut world = World::builder()
            .gravity(9.81)
            .settings(Settings {
                contact_model: ContactModel::Compliant(CompliantContact::default()),
                method: OdeMethod::dormand_prince(1e-8),
                ..Settings::default()
            })
            .body(Body::block(12.0, 1.0).fixed().at(0.0, -0.5).material("wood"))
            .body(Body::block(1.0, 1.0).at(0.0, 0.505).material("wood"))
            .body(Body::block(1.0, 1.0).at(offset, 1.51).material("wood"))
            .build()
            .unwrap();
        for _ in 0..40 {
            world.advance(0.025).unwrap();
        }
        let (lower, upper) = (world.body(1).unwrap(), world.body(2).unwrap());
        assert!((lower.position().y - 0.5).abs() < 1e-3, "{offset:e}: {lower}");
        assert!((upper.position().y - 1.5).abs() < 1e-3, "{offset:e}: {upper}");
        assert!(upper.angle().abs() < 1e-3 && upper.position().x.abs() < 1e-2, "{offset:e}: {upper}");
        assert!(world.inspect().compliant_forces().len() >= 4, "{offset:e}: contacts are told");
    }
}

/// Two discs meet off their centres after a flight of many diameters: however fast, the struck one leaves along the normal with what rigid elastic
/// discs exchange, `v cos²θ`, to how far the other goes on while they press.
#[test]
fn discs_that_come_fast_do_not_pass_each_other() {
    let radius = 0.1;
    for speed in [1.0, 10.0, 30.0, 100.0] {
        for way in [3.0, 20.0, 50.0] {
            let still = Body::ball(radius).mass(1.0).at(0.0, 0.0).named("still");
            let fast = Body::ball(radius).mass(1.0).at(-way, 0.3 * radius).velocity(speed, 0.0);
            let settings = settings(1.0, DampingLaw::default(), 1e-8, 1e-9);
            let mut world = World::builder().settings(settings).body(fast).body(still).build().unwrap();
            world.advance((way + 2.0) / speed).unwrap();
            let share = world.body("still").unwrap().velocity().x / speed;
            let expected = 1.0 - 0.15 * 0.15;
            assert!((share - expected).abs() <= 0.01, "{share} of {speed} after {way}");
        }
    }
}
