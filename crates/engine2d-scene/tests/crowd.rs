//! The built-in scenes in steps of a fixed length do what their names say, in any size.

use engine2d_scene::{Clock, ClockSettings, Scene, SteppingSolver};
use engine2d_sim::World;

/// Depth, certificate and error of joints in exact steps are below this.
const EXACT: f64 = 1e-8;

const NAMES: [&str; 10] = [
    "mixing_drum",
    "hopper",
    "granular_column",
    "chain_bridge",
    "wrecking_ball",
    "ragdoll_stairs",
    "rolling_wheels",
    "joint_grid",
    "tumbler",
    "smash",
];

fn begin(name: &str) -> World {
    Scene::built_in(name).expect("a scene").to_world().expect("a sound scene")
}

/// Goes on to a time in the scene's own steps.
fn go_on(world: &mut World, until: f64) {
    let step = world.settings().time_step;
    while world.time() < until - 0.5 * step {
        let report = world.advance(step).expect("a step");
        let worst = report.penetration.max(report.certificate).max(report.joint_error);
        assert!(worst <= EXACT, "{worst:e} at {}", world.time());
    }
}

fn at(world: &World, name: &str) -> [f64; 2] {
    let at = world.body(name).expect("a body").position();
    [at.x, at.y]
}

/// Places of the bodies whose names begin so.
fn places(world: &World, prefix: &str) -> Vec<[f64; 2]> {
    let named = world.bodies().filter(|body| body.name().starts_with(prefix));
    named.map(|body| [body.position().x, body.position().y]).collect()
}

fn mean(places: &[[f64; 2]], axis: usize) -> f64 {
    places.iter().map(|at| at[axis]).sum::<f64>() / places.len() as f64
}

#[test]
fn they_are_in_fixed_steps_and_as_large_as_wanted() {
    for name in NAMES {
        let scene = Scene::built_in(name).expect("a scene");
        let exact = Clock::Own(ClockSettings::stepping(SteppingSolver::Exact));
        assert_eq!(scene.settings.clock, Some(exact), "{name}");
        let mut bodies = 0;
        for rows in [1, 2, 5, 20] {
            let sized = Scene::built_in_sized(name, rows).expect("a size");
            assert!(sized.bodies.len() > bodies, "{name} of {rows}");
            bodies = sized.bodies.len();
            let mut world = sized.to_world().unwrap_or_else(|error| panic!("{name} of {rows}: {error}"));
            go_on(&mut world, 2.5 * sized.settings.time_step);
        }
    }
}

/// The grains of either side are where the drum takes them all.
#[test]
fn the_drum_mixes_its_grains() {
    let mut world = begin("mixing_drum");
    let apart = |world: &World| mean(&places(world, "large"), 0) - mean(&places(world, "small"), 0);
    let before = apart(&world);
    go_on(&mut world, 6.0);
    // They are carried round: what counts is where they are in the mean of two seconds.
    let after = (1..=8).map(|k| {
        go_on(&mut world, 6.0 + 0.25 * f64::from(k));
        apart(&world) / 8.0
    });
    let after: f64 = after.sum();
    assert!(before > 1.4 && after.abs() < 0.4, "{before} {after}");
    // Grains that fall onto it brake the drum for the rest of a step.
    let turned = world.body("drum").expect("a drum").angle();
    assert!((turned - 1.2 * 8.0).abs() < 0.2, "{turned}");
    let grains = [places(&world, "small"), places(&world, "large")].concat();
    assert!(grains.len() == 60 && mean(&grains, 1) < -0.5, "they lie in its lower half");
}

/// Some grains run out; then an arch holds all the others for good.
#[test]
fn the_hopper_jams() {
    let mut world = begin("hopper");
    let out = |world: &World| places(world, "grain").iter().filter(|at| at[1] < 1.8).count();
    go_on(&mut world, 2.0);
    let early = out(&world);
    go_on(&mut world, 4.0);
    assert!(early == out(&world) && (3..20).contains(&early), "{early} {}", out(&world));
    let held = world.bodies().filter(|body| body.position().y > 2.2 && body.name().starts_with("grain"));
    let speeds: Vec<f64> = held.map(|body| body.velocity().norm()).collect();
    assert!(speeds.len() > 12 && speeds.iter().all(|speed| *speed < 1e-6), "{speeds:?}");
}

#[test]
fn the_column_spreads() {
    let mut world = begin("granular_column");
    let size = |world: &World| {
        let grains = places(world, "grain");
        let of = |axis: usize| grains.iter().map(move |at| at[axis].abs()).fold(0.0, f64::max);
        [of(0), of(1)]
    };
    let [width, height] = size(&world);
    go_on(&mut world, 3.0);
    let [wide, high] = size(&world);
    assert!(wide > 4.0 * width && high < 0.5 * height, "{width} {height} {wide} {high}");
}

/// Two crates lie on the bridge and bear the third, and all three hang nearly still.
#[test]
fn the_bridge_bears_its_load() {
    let mut world = begin("chain_bridge");
    let unloaded = at(&world, "plank5")[1];
    go_on(&mut world, 6.0);
    let [lower, other, upper] = ["crate0", "crate1", "crate2"].map(|name| at(&world, name));
    assert!(
        (lower[1] - other[1]).abs() < 1e-3 && (upper[1] - lower[1] - 0.7).abs() < 0.02,
        "{lower:?} {upper:?}"
    );
    assert!(at(&world, "plank5")[1] < unloaded - 0.04);
    // Of the 75 J of their fall it keeps swinging with a hundredth of one, which nothing damps.
    let swing = (1..=10).map(|tenth| {
        go_on(&mut world, 6.0 + 0.1 * f64::from(tenth));
        world.energy().kinetic()
    });
    let most = swing.fold(0.0, f64::max);
    assert!(most < 0.02, "{most}");
}

#[test]
fn the_ball_wrecks_the_wall() {
    let mut world = begin("wrecking_ball");
    go_on(&mut world, 1.0);
    let stands = at(&world, "stone4_0");
    assert!((stands[1] - 2.25).abs() < 1e-6, "{stands:?}");
    go_on(&mut world, 4.0);
    let fallen = places(&world, "stone").iter().filter(|at| at[0] > 3.5).count();
    assert!(fallen > 3, "{fallen}");
}

#[test]
fn the_ragdolls_fall_down_the_stairs() {
    let mut world = begin("ragdoll_stairs");
    go_on(&mut world, 6.0);
    // Where each comes to lie is chance: a change of gravity by a millionth puts it on another stair.
    for (name, from) in [("ragdoll0_torso", 5.6), ("ragdoll1_torso", 8.2)] {
        let [x, y] = at(&world, name);
        assert!(x > 3.0 && y < from - 3.0, "{name}: {x} {y}");
    }
}

/// Wheels that roll go down a slope with `g sin α/(1 + k)`: `k` is a half for discs and one for hoops, whatever their size.
#[test]
fn wheels_roll_as_their_moments_say() {
    let mut world = begin("rolling_wheels");
    let wheels: Vec<String> =
        world.bodies().filter(|body| !body.is_fixed()).map(|body| body.name().to_owned()).collect();
    let start: Vec<[f64; 2]> = wheels.iter().map(|name| at(&world, name)).collect();
    go_on(&mut world, 3.0);
    assert_eq!(wheels.len(), 8);
    for (name, [x, y]) in wheels.iter().zip(start) {
        let k = if name.starts_with("disc") { 0.5 } else { 1.0 };
        let [x1, y1] = at(&world, name);
        let (way, expected) = (f64::hypot(x1 - x, y1 - y), 0.5 * 9.0 * 9.81 * f64::sin(0.3) / (1.0 + k));
        assert!((way - expected).abs() < 1e-6, "{name}: {way} {expected}");
    }
}

/// There are more pins than hold a grid in shape; what moves keeps its energy to the square of the step.
#[test]
fn the_grid_folds_and_swings() {
    let mut world = begin("joint_grid");
    let (start, corner) = (world.energy().total(), at(&world, "ball5_5"));
    go_on(&mut world, 5.0);
    assert!(
        (world.energy().total() - start).abs() < 1e-3 * start.abs(),
        "{} {start}",
        world.energy().total()
    );
    let moved = at(&world, "ball5_5");
    assert!(f64::hypot(moved[0] - corner[0], moved[1] - corner[1]) > 0.5, "{corner:?} {moved:?}");
    assert!(at(&world, "ball0_0").iter().all(|x| x.abs() < 1e-9));
}

#[test]
fn the_tumbler_lifts_its_blocks_and_keeps_them() {
    let mut world = begin("tumbler");
    let mut highest = f64::NEG_INFINITY;
    for second in 1..=8 {
        go_on(&mut world, f64::from(second));
        for [x, y] in places(&world, "block") {
            assert!(x.hypot(y) < 2.4, "{x} {y}");
            highest = if second > 3 { highest.max(y) } else { highest };
        }
    }
    assert!(highest > 0.2 && mean(&places(&world, "block"), 1) < -0.3, "{highest}");
}

/// Momentum is what the heavy block brought, and the blocks in its way are gone.
#[test]
fn the_heavy_block_smashes_the_square() {
    let mut world = begin("smash");
    let momentum =
        |world: &World| -> f64 { world.bodies().map(|body| body.mass() * body.velocity().x).sum() };
    let before = momentum(&world);
    go_on(&mut world, 1.5);
    assert!((momentum(&world) - before).abs() < 1e-9 * before, "{} {before}", momentum(&world));
    let away = places(&world, "block").iter().filter(|at| at[0] > 4.0).count();
    assert!(away > 20, "{away}");
}
