//! Rigid and compliant surfaces in one world: each pair obeys its own laws, and they push each other.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::compliant::{Material, MaterialTable, PairMaterial};
use engine2d_sim::{
    Body, CompliantContact, ContactModel, Event, OdeMethod, Settings, SimError, Snapshot, StepReport, World,
    WorldBuilder,
};

const G: f64 = 10.0;

/// A world of compliant contact of a soft material that returns `restitution` of the speed.
fn soft(restitution: f64) -> WorldBuilder {
    let mut materials = MaterialTable::empty();
    materials.set_material("soft", Material { young: 1e6, poisson: 0.3, density: 1000.0 });
    materials.set_pair("soft", "soft", PairMaterial { restitution, ..PairMaterial::default() });
    let compliant = CompliantContact { default_material: "soft".to_owned(), ..CompliantContact::default() };
    World::builder().settings(Settings {
        method: OdeMethod::dormand_prince(1e-10),
        contact_model: ContactModel::Compliant(compliant),
        materials,
        ..Settings::default()
    })
}

fn floor() -> Body {
    Body::block(40.0, 1.0).fixed().at(0.0, -0.5).rigid()
}

fn collisions(report: &StepReport) -> usize {
    report.events().iter().filter(|event| matches!(event, Event::Collision { .. })).count()
}

/// A rigid block with friction slides beside a soft ball that bounces: it stops where it would alone.
#[test]
fn rigid_surfaces_keep_coulombs_friction() {
    let (v, mu) = (3.0, 0.4);
    let mut world = soft(0.5)
        .gravity(G)
        .body(floor().friction(mu))
        .body(Body::block(1.0, 0.5).at(0.0, 0.25).velocity(v, 0.0).friction(mu).rigid())
        .body(Body::ball(0.3).at(-5.0, 1.0))
        .build()
        .unwrap();
    let report = world.advance(2.0).unwrap();
    let way = v * v / (2.0 * mu * G);
    assert!((world.body(1).unwrap().position().x - way).abs() < 1e-9);
    let touches = |e: &&Event| matches!(e, Event::TouchBegin { bodies: [0, 2], .. });
    assert!(report.events().iter().filter(touches).count() >= 1, "the ball meets the floor as a soft one");
    assert_eq!(collisions(&report), 0);
}

/// A soft ball comes to rest on a rigid block on a rigid floor: the block carries both weights, the ball sinks in by its
/// static depth.
#[test]
fn a_soft_ball_rests_on_rigid_ones() {
    let (block, ball) = (3.0, 2.0);
    let mut world = soft(0.0)
        .gravity(G)
        .body(floor())
        .body(Body::block(2.0, 1.0).mass(block).at(0.0, 0.5).rigid())
        .body(Body::ball(0.5).mass(ball).at(0.0, 1.55))
        .build()
        .unwrap();
    world.advance(10.0).unwrap();
    let report = world.advance(0.01).unwrap();
    assert!((world.body(1).unwrap().position().y - 0.5).abs() < 1e-9, "the rigid block stays");
    let carried: f64 = report.contacts.iter().map(|contact| contact.force).sum();
    assert!((carried - (block + ball) * G).abs() < 1e-5, "{carried}");
    let pressed: f64 = report.touches.iter().map(|touch| touch.response.normal).sum();
    assert!((pressed - ball * G).abs() < 1e-5, "{pressed}");
    let sunk = 1.5 - world.body(2).unwrap().position().y;
    assert!(sunk > 1e-6 && (sunk - report.touches[0].deformation).abs() < 1e-9, "{sunk}");
    assert!(report.touches.iter().all(|touch| touch.bodies == [1, 2]));
}

/// Rigid elastic balls swap velocities at once, soft ones take their time, and both keep energy and momentum.
#[test]
fn collisions_are_of_the_kind_of_the_surfaces() {
    let build = |rigid: bool| {
        let kind = |body: Body| if rigid { body.rigid() } else { body };
        soft(1.0)
            .body(kind(Body::ball(0.5).restitution(1.0).velocity(1.0, 0.0)))
            .body(kind(Body::ball(0.5).restitution(1.0).at(2.0, 0.0)))
            .body(Body::ball(0.5).at(4.0, 0.0))
            .build()
            .unwrap()
    };
    let mut world = build(true);
    let report = world.advance(1.5).unwrap();
    assert_eq!(world.body(0).unwrap().velocity().x, 0.0);
    assert!((world.body(1).unwrap().velocity().x - 1.0).abs() < 1e-15);
    assert_eq!(collisions(&report), 1);
    // Then a rigid one meets a soft one.
    let report = world.advance(2.5).unwrap();
    assert_eq!(collisions(&report), 0);
    assert!(report.events().iter().any(|e| matches!(e, Event::TouchBegin { bodies: [1, 2], .. })));
    assert!((world.body(2).unwrap().velocity().x - 1.0).abs() < 1e-6);
    assert!((world.energy().kinetic() - 0.5).abs() < 1e-6);
    let mut world = build(false);
    assert_eq!(collisions(&world.advance(1.5).unwrap()), 0);
}

/// The table of materials is that of compliant surfaces: rigid ones return what the bodies bring along.
#[test]
fn rigid_surfaces_have_a_restitution_of_their_own() {
    let ball = || Body::ball(0.5).restitution(0.5).material("soft").rigid();
    let mut world = soft(1.0).body(ball().velocity(1.0, 0.0)).body(ball().at(2.0, 0.0)).build().unwrap();
    world.advance(2.0).unwrap();
    assert!((world.body(1).unwrap().velocity().x - 0.75).abs() < 1e-15);
}

/// Rigid bodies that overlap by permission exert no compliant force.
#[test]
fn rigid_surfaces_never_yield() {
    let ball = || Body::ball(0.5).rigid();
    let mut world = soft(1.0).body(ball()).body(ball().at(0.9, 0.0)).allow_overlap().build().unwrap();
    let report = world.advance(0.1).unwrap();
    assert!(report.touches.is_empty());
    assert!(!report.events().iter().any(|event| matches!(event, Event::TouchBegin { .. })));
}

#[test]
fn a_mixed_world_goes_on_from_a_snapshot_with_the_same_bits() {
    let build = || {
        soft(0.6)
            .gravity(G)
            .body(floor().friction(0.3))
            .body(Body::block(1.0, 0.5).at(0.0, 0.6).velocity(2.0, 0.0).friction(0.3).rigid())
            .body(Body::ball(0.3).at(1.5, 0.4))
            .body(Body::ball(0.2).at(1.5, 1.2).rigid())
            .build()
            .unwrap()
    };
    let mut whole = build();
    whole.advance(0.7).unwrap();
    let saved = serde_json::to_string(&whole.snapshot()).unwrap();
    whole.advance(0.8).unwrap();
    let mut resumed = build();
    resumed.restore(&serde_json::from_str::<Snapshot>(&saved).unwrap()).unwrap();
    resumed.advance(0.8).unwrap();
    for place in 1..4 {
        let [a, b] = [&whole, &resumed].map(|world| world.body(place).unwrap().position());
        assert_eq!([a.x.to_bits(), a.y.to_bits()], [b.x.to_bits(), b.y.to_bits()], "body {place}");
    }
}

#[test]
fn only_rigid_surfaces_have_to_start_apart_and_can_be_rough() {
    let on = |body: Body| soft(0.5).body(floor()).body(body.at(0.0, 0.45)).build();
    assert!(on(Body::block(1.0, 1.0)).is_ok(), "a soft block starts at its depth");
    assert!(matches!(on(Body::block(1.0, 1.0).rigid()), Err(SimError::Overlap { .. })));
    let mut world = on(Body::block(1.0, 1.0)).unwrap();
    assert!(matches!(world.add_body(Body::ball(0.5).at(5.0, 0.4).rigid()), Err(SimError::Overlap { .. })));
    world.add_body(Body::ball(0.5).at(5.0, 0.5).rigid().friction(0.5)).unwrap();
    let refused = world.add_body(Body::ball(0.5).at(-5.0, 0.5).friction(0.5)).unwrap_err();
    assert!(refused.to_string().contains("bodies[3].friction"), "{refused}");
    let refused = soft(0.5).body(Body::ball(0.5).rolling_resistance(0.1)).build().unwrap_err();
    assert!(refused.to_string().contains("bodies[0].rolling_resistance"), "{refused}");
}
