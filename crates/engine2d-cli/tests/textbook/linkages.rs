//! Linkages with published answers, and on their way through singular positions.

use super::{G, Run, block, body, force, run};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A point or a velocity.
type Pair = [f64; 2];

fn turned(angle: f64, [x, y]: Pair) -> Pair {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

fn plus(a: Pair, b: Pair) -> Pair {
    [a[0] + b[0], a[1] + b[1]]
}

/// A part of a linkage: name, mass, moment of inertia, and where its centre of mass is.
struct Part {
    name: &'static str,
    inertia: [f64; 2],
    position: Pair,
}

/// A pin at a place of the world between parts, or of one on the ground.
fn pin(parts: &[Part], ends: [Option<usize>; 2], at: Pair) -> Value {
    let name = |end: Option<usize>| end.map_or("ground", |k| parts[k].name);
    let own = |end: Option<usize>| end.map_or(at, |k| plus(at, parts[k].position.map(|x| -x)));
    json!({
        "type": "pin",
        "body_a": name(ends[0]), "point_a": own(ends[0]), "body_b": name(ends[1]), "point_b": own(ends[1]),
    })
}

/// The squeezing mechanism of Andrews, seven bodies in three loops, driven by a torque against a spring: data and the solution at 0.03 s,
/// found with an error of some 1e-12, of the Test Set for IVP Solvers [Mazzia, Magherini 2008]. The crank makes
/// two and a half turns in that time.
#[test]
fn seven_bodies_are_where_they_were_published() {
    let [a, b, c] = [[-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072]];
    let (beta, theta, gamma) = (-0.061_713_890_014_276_45, 0.0, 0.455_279_819_163_070_4);
    let (phi, delta) = (0.222_668_390_165_885_88, 0.487_364_979_543_842_55);
    let (omega, epsilon) = (-0.222_668_390_165_885_88, 1.230_547_444_549_821_2);
    // Directions of the parts, and where the five joints between them are.
    let crank = |along: f64| turned(beta, [along, 0.0]);
    let coupler = |along: f64| plus(crank(0.007), turned(beta + theta, [-along, 0.0]));
    let rocker = |x: f64, y: f64| plus(b, turned(gamma, [x, y]));
    let long = |x: f64, y: f64| plus(a, turned(delta, [x, y]));
    let short = |along: f64| plus(long(0.04, 0.0), turned(phi + delta, [0.0, -along]));
    let upper = |x: f64, y: f64| plus(a, turned(epsilon, [x, y]));
    let link = |along: f64| plus(upper(0.0, -0.04), turned(omega + epsilon, [along, 0.0]));
    let part = |name, mass, moment, position| Part { name, inertia: [mass, moment], position };
    let parts = [
        part("crank", 0.04325, 2.194e-6, crank(0.00092)),
        part("coupler", 0.00365, 4.410e-7, coupler(0.0115)),
        part("rocker", 0.02373, 5.255e-6, rocker(0.01043, -0.01874)),
        part("short", 0.00706, 5.667e-7, short(0.02 - 0.01421)),
        part("long", 0.07050, 1.169e-5, long(0.02308, 0.00916)),
        part("link", 0.00706, 5.667e-7, link(0.02 - 0.01421)),
        part("upper", 0.05498, 1.912e-5, upper(-0.00449, -0.01228)),
    ];
    let meet = coupler(0.028);
    let pins = [
        ([None, Some(0)], [0.0, 0.0]),
        ([Some(0), Some(1)], crank(0.007)),
        ([Some(1), Some(2)], meet),
        ([None, Some(2)], b),
        ([Some(1), Some(3)], meet),
        ([Some(3), Some(4)], long(0.04, 0.0)),
        ([None, Some(4)], a),
        ([Some(1), Some(5)], meet),
        ([Some(5), Some(6)], upper(0.0, -0.04)),
        ([None, Some(6)], a),
    ];
    let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    let bodies = parts.iter().map(|part| {
        let others: Vec<&&str> = names.iter().filter(|name| **name != part.name).collect();
        let [mass, moment] = part.inertia;
        let more = json!({ "mass": mass, "moment": moment, "gravity_scale": 0.0, "no_collide": others });
        body(part.name, block(1e-3, 1e-3), 0.0, part.position, &more)
    });
    let end = plus(rocker(0.02, -0.018), parts[2].position.map(|x| -x));
    let spring = json!({
        "type": "spring", "body_a": "ground", "point_a": c, "body_b": "rocker", "point_b": end,
        "rest_length": 0.07785, "stiffness": 4530.0,
    });
    let connectors: Vec<Value> = pins.iter().map(|&(ends, at)| pin(&parts, ends, at)).collect();
    let more = json!({ "connectors": connectors, "force_laws": [force("crank", [0.0, 0.0], 0.033), spring] });
    let run = run("andrews", 0.03, bodies.collect(), &more);
    let turn = |name: &str| run.last(&format!("{name}.angle"));
    let whole = [beta + turn("crank"), delta + turn("long"), epsilon + turn("upper")];
    let published = [
        ("beta", 15.810_771_196_299_04, whole[0]),
        ("theta", -15.756_371_059_842_98, beta + theta + turn("coupler") - whole[0]),
        ("gamma", 0.040_822_240_130_731_01, gamma + turn("rocker")),
        ("phi", -0.534_730_116_322_694_8, phi + delta + turn("short") - whole[1]),
        ("delta", 0.524_409_965_880_530_4, whole[1]),
        ("Omega", 0.534_730_116_322_694_8, omega + epsilon + turn("link") - whole[2]),
        ("epsilon", 1.048_080_741_042_263, whole[2]),
    ];
    for (name, expected, found) in published {
        super::same(found, expected, name);
    }
}

/// The most that a column is off what it should be by another one.
fn most_off(run: &Run, columns: [&str; 2], expected: impl Fn(f64) -> f64) -> f64 {
    let rows = run.column(columns[0]).iter().zip(run.column(columns[1]));
    rows.fold(0.0, |most: f64, (x, y)| most.max((y - expected(*x)).abs()))
}

/// Angle and speed after a time of what has one degree of freedom, by Runge and Kutta's rule in steps of 1e-5.
fn one_way(start: Pair, time: f64, acceleration: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-5;
    let rates = |[angle, speed]: Pair| [speed, acceleration(angle)];
    let ahead = |[x, v]: Pair, [dx, dv]: Pair, h: f64| [x + h * dx, v + h * dv];
    let mut y = start;
    for _ in 0..(time / h).round() as usize {
        let k1 = rates(y);
        let k2 = rates(ahead(y, k1, 0.5 * h));
        let k3 = rates(ahead(y, k2, 0.5 * h));
        let k4 = rates(ahead(y, k3, h));
        y = std::array::from_fn(|k| y[k] + h / 6.0 * (k1[k] + 2.0 * (k2[k] + k3[k]) + k4[k]));
    }
    y[0]
}

/// What a passage through a singular position may leave: of energy in its share, of an angle in radians. Rounding of the joints is there
/// divided by the square of how near the passage comes.
const PASSED: f64 = 2e-6;

/// `n` four-bar linkages side by side, all bars of one length and mass, upright and pushed over: the second problem of the multibody
/// benchmark of IFToMM [González, Dopico, Lugrís, Cuadrado 2006]. In each turn all bars come into one line twice, where each linkage
/// could go on crossed. With all bars at `θ`
///
/// ```text
/// ((n + 1)/3 + n) θ̈ = −g ((n + 1)/2 + n) cos θ
/// ```
#[test]
fn four_bar_linkages_pass_their_singular_positions() {
    for n in [1, 2, 6] {
        let upright: Vec<String> = (0..=n).map(|k| format!("bar{k}")).collect();
        let level: Vec<String> = (0..n).map(|k| format!("coupler{k}")).collect();
        let all: Vec<&String> = upright.iter().chain(&level).collect();
        let bar = |name: &String, position: Pair, angle: f64, [v, spin]: Pair| {
            let others: Vec<&&String> = all.iter().filter(|other| **other != name).collect();
            let more = json!({
                "moment": 1.0 / 12.0, "angle": angle, "velocity": [v, 0.0], "angular_velocity": spin, "no_collide": others,
            });
            body(name, block(1.0, 0.02), 0.0, position, &more)
        };
        let mut bodies = Vec::new();
        let mut connectors = Vec::new();
        let mut pin = |a: &str, point_a: Pair, b: &str, point_b: Pair| {
            connectors.push(json!({
                "type": "pin", "body_a": a, "point_a": point_a, "body_b": b, "point_b": point_b,
            }));
        };
        for (k, name) in upright.iter().enumerate() {
            bodies.push(bar(name, [k as f64, 0.5], FRAC_PI_2, [0.5, -1.0]));
            pin("ground", [k as f64, 0.0], name, [-0.5, 0.0]);
        }
        for (k, name) in level.iter().enumerate() {
            bodies.push(bar(name, [k as f64 + 0.5, 1.0], 0.0, [1.0, 0.0]));
            pin(&upright[k], [0.5, 0.0], name, [-0.5, 0.0]);
            pin(&upright[k + 1], [0.5, 0.0], name, [0.5, 0.0]);
        }
        let run = run(&format!("bars{n}"), 6.0, bodies.into(), &json!({ "connectors": connectors }));
        let count = f64::from(n);
        let pull = G * (0.5 * (count + 1.0) + count) / ((count + 1.0) / 3.0 + count);
        let expected = one_way([FRAC_PI_2, -1.0], 6.0, |angle| -pull * angle.cos());
        let found = run.last("bar0.angle");
        assert!(expected < -9.0, "it turns over and over: {expected}");
        assert!((found - expected).abs() <= 10.0 * PASSED, "{n}: {found} {expected}");
        let energy = run.column("total_energy");
        let lost = energy.iter().fold(0.0, |most: f64, e| most.max((e - energy[0]).abs()));
        assert!(lost <= PASSED * energy[0], "{n}: {lost:e} of {}", energy[0]);
        // None has crossed: couplers stay level.
        let off = run.moved("coupler0.angle");
        assert!(off <= PASSED, "{n}: {off:e}");
    }
}

/// A crank and a rod of one length drive a slider through the axle of the crank, where the rod could go on turning with the crank about it.
/// The slider is at `2 l cos θ` for the crank at `θ`, on both sides.
#[test]
fn a_slider_goes_through_the_axle_of_its_crank() {
    for (start, spin, turns) in [(FRAC_PI_4, -8.0, true), (0.5 - FRAC_PI_2, 0.0, false)] {
        let [x, y] = turned(start, [1.0, 0.0]);
        let names = ["crank", "rod", "slider"];
        let part = |k: usize, shape: Value, position: Pair, [angle, spin]: Pair, velocity: Pair| {
            let others: Vec<&str> = names.into_iter().filter(|name| *name != names[k]).collect();
            let more = json!({
                "angle": angle, "velocity": velocity, "angular_velocity": spin, "no_collide": others,
            });
            body(names[k], shape, 0.0, position, &more)
        };
        let bodies = json!([
            part(0, block(1.0, 0.02), [0.5 * x, 0.5 * y], [start, spin], [-0.5 * spin * y, 0.5 * spin * x]),
            part(1, block(1.0, 0.02), [1.5 * x, 0.5 * y], [-start, -spin], [-1.5 * spin * y, 0.5 * spin * x]),
            part(2, block(0.1, 0.1), [2.0 * x, 0.0], [0.0, 0.0], [-2.0 * spin * y, 0.0]),
        ]);
        let connectors = json!([
            { "type": "pin", "body_a": "ground", "point_a": [0, 0], "body_b": "crank", "point_b": [-0.5, 0] },
            { "type": "pin", "body_a": "crank", "point_a": [0.5, 0], "body_b": "rod", "point_b": [-0.5, 0] },
            { "type": "pin", "body_a": "rod", "point_a": [0.5, 0], "body_b": "slider", "point_b": [0, 0] },
            {
                "type": "prismatic", "body_a": "ground", "point_a": [0, 0], "body_b": "slider", "point_b": [0, 0],
                "axis": [1, 0],
            },
        ]);
        let run = run(&format!("axle{turns}"), 3.0, bodies, &json!({ "connectors": connectors }));
        let passed = run.moved("crank.angle");
        assert!(if turns { passed > 20.0 } else { passed > 0.99 && passed < 1.0 + PASSED }, "{passed}");
        let off = most_off(&run, ["crank.angle", "slider.x"], |angle| 2.0 * angle.cos());
        assert!(off <= 1e-9, "{off:e}");
        let energy = run.column("total_energy");
        let lost = energy.iter().fold(0.0, |most: f64, e| most.max((e - energy[0]).abs()));
        assert!(lost <= PASSED * energy[0].abs(), "{lost:e} of {}", energy[0]);
    }
}
