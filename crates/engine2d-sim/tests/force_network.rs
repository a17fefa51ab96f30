//! What contact forces make of islands as wholes, against what statics says without them.

use engine2d_sim::{Body, ContactMode, Settings, World};

const GRAVITY: f64 = 10.0;

fn floor() -> Body {
    Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.5)
}

/// Blocks of 2 kg, `height` high, on each other at `x`.
fn column(x: f64, count: u32, height: f64) -> impl Iterator<Item = Body> {
    let block = move |k: u32| Body::block(1.0, height).mass(2.0).at(x, (f64::from(k) + 0.5) * height);
    (0..count).map(move |k| block(k).friction(0.0).restitution(0.0))
}

fn world(settings: Settings, bodies: impl IntoIterator<Item = Body>) -> World {
    let builder = World::builder().settings(settings).gravity(GRAVITY).body(floor());
    bodies.into_iter().fold(builder, |builder, body| builder.body(body)).build().expect("a world")
}

/// In a column of `n` blocks the k-th from the top carries `k − 1` and hands on `k` weights, each along half its height:
/// together `m g h n² / 2`. Without friction, which could press a block along its sides as it likes.
#[test]
fn columns_are_pressed_by_the_weights_above() {
    for settings in [Settings::default(), Settings::time_stepping()] {
        let mut world = world(settings, column(-3.0, 5, 0.4).chain(column(3.0, 2, 0.8)));
        assert_eq!(world.inspect().force_network(), Default::default(), "before the first step");
        world.advance(0.05).expect("an advance");
        let network = world.inspect().force_network();
        assert_eq!(network.islands.len(), 2);
        for (island, (count, height)) in network.islands.iter().zip([(5.0, 0.4), (2.0, 0.8)]) {
            let expected = 2.0 * GRAVITY * height * count * count / 2.0;
            let [[xx, _], [_, yy]] = island.moment;
            assert!((yy - expected).abs() < 1e-9 * expected && xx.abs() < 1e-9 * expected, "{island:?}");
            assert_eq!(island.bodies.len() as f64, count);
            // The lowest has the floor and, as all but the highest, one above it.
            assert!((island.coordination - (1.0 + 2.0 * (count - 1.0)) / count).abs() < 1e-15, "{island:?}");
            assert!((island.solid_area - count * height).abs() < 1e-12);
            let pressure = expected / (2.0 * count * height);
            assert!((island.pressure() - pressure).abs() < 1e-9 * pressure);
            assert!((island.anisotropy() - 1.0).abs() < 1e-9, "pressed upright only: {island:?}");
        }
        assert!(network.contacts.iter().all(|load| load.mode == ContactMode::Slide), "nothing holds them");
        let text = serde_json::to_string(&network).expect("JSON");
        assert_eq!(serde_json::from_str::<engine2d_sim::ForceNetwork>(&text).expect("a network"), network);
    }
}

/// What rests on a floor at height 0 has `Σ m g y` as its upright internal moment, whatever its contacts are, and the tensor
/// is symmetric: nothing turns.
#[test]
fn what_rests_has_the_moment_of_its_weight() {
    let mut bodies = Vec::new();
    for row in 0..6_u32 {
        for k in 0..6 - row {
            let x = f64::from(k) - 0.5 * f64::from(5 - row);
            let mass = 1.0 + f64::from((3 * row + k) % 4);
            let body = Body::block(0.9, 0.5).mass(mass).at(x, 0.25 + 0.5 * f64::from(row));
            bodies.push(body.friction(0.6).restitution(0.0));
        }
    }
    let mut world = world(Settings::time_stepping(), bodies);
    for _ in 0..60 {
        world.advance(1.0 / 60.0).expect("an advance");
    }
    let network = world.inspect().force_network();
    let [island] = &network.islands[..] else { panic!("{} islands", network.islands.len()) };
    let weight: f64 = world.bodies().skip(1).map(|body| body.mass() * GRAVITY * body.position().y).sum();
    let [[_, xy], [yx, yy]] = island.moment;
    assert!((yy - weight).abs() < 1e-8 * weight, "{yy} instead of {weight}");
    assert!((xy - yx).abs() < 1e-8 * weight, "{xy} {yx}");
    assert!((0.0..=1.0).contains(&island.anisotropy()) && island.sliding == 0.0);
}
