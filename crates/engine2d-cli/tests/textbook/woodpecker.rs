//! The woodpecker toy: a sleeve with play on a pole, and a bird on a spring that pecks the pole. Friction jams the sleeve, the bird swings back,
//! pecks, and lets it slide on [Pfeiffer 1984; Glocker 1995, with these data]. Its period is beside that of the same machine in three
//! coordinates, in small steps of Moreau's.

use super::{G, block, body, run};
use serde_json::{Value, json};

const MASSES: [f64; 2] = [3e-4, 4.5e-3];
const MOMENTS: [f64; 2] = [5e-9, 7e-7];
const STIFFNESS: f64 = 5.6e-3;
/// Radius of the pole; half width and half height of the hole.
const POLE: f64 = 2.5e-3;
const HOLE: [f64; 2] = [3.1e-3, 5.8e-3];
/// From the sleeve's middle to the pivot, from there to the bird's middle, and from there to its beak.
const ARMS: [f64; 2] = [0.010, 0.015];
const BEAK: [f64; 2] = [-0.0201, 0.02];
const FRICTION: f64 = 0.3;
const RESTITUTION: [f64; 3] = [0.5, 0.0, 0.0];
/// Height, angle of the sleeve, angle of the bird: how fast they change at first, and the last.
const START: [f64; 3] = [-0.3411, 0.0, -7.4583];
const BIRD: f64 = -0.2788;
/// The spring is two, so far above and below the pivot, and so long that they stay level.
const LEVER: f64 = 0.02;
const REACH: f64 = 2.0;

/// The angle of the sleeve at which its lower corner touches the pole.
fn jammed() -> f64 {
    let mut angle = -0.1_f64;
    for _ in 0..50 {
        let (sin, cos) = angle.sin_cos();
        angle -= (HOLE[0] * cos + HOLE[1] * sin - POLE) / (HOLE[1] * cos - HOLE[0] * sin);
    }
    angle + 1e-9
}

/// Time between the last two moments at which the bird's angle grows through −0.1, and how far the sleeve came down.
#[derive(Default)]
struct Cycle {
    last: Option<[f64; 2]>,
    known: [f64; 3],
    period: f64,
    way: f64,
}

impl Cycle {
    fn look(&mut self, time: f64, height: f64, angle: f64) {
        let [before, high, was] = self.known;
        if was < -0.1 && angle >= -0.1 {
            let share = (-0.1 - was) / (angle - was);
            let now = [before + share * (time - before), high + share * (height - high)];
            if let Some([time, height]) = self.last {
                (self.period, self.way) = (now[0] - time, height - now[1]);
            }
            self.last = Some(now);
        }
        self.known = [time, height, angle];
    }
}

/// The same in the coordinates height, angle of the sleeve and angle of the bird: compression and expansion at each step's middle.
fn in_three_coordinates(duration: f64, h: f64) -> Cycle {
    let (mut q, mut u) = ([0.0, jammed(), BIRD], START);
    let mut cycle = Cycle::default();
    for step in 0..(duration / h) as usize {
        let m = [0, 1, 2].map(|i| q[i] + 0.5 * h * u[i]);
        let ([sm, cm], [sb, cb]) = ([m[1].sin(), m[1].cos()], [m[2].sin(), m[2].cos()]);
        let bird = [[0.0, -ARMS[0] * sm, -ARMS[1] * sb], [1.0, ARMS[0] * cm, ARMS[1] * cb]];
        let mut mass = [[MASSES[0], 0.0, 0.0], [0.0, MOMENTS[0], 0.0], [0.0, 0.0, MOMENTS[1]]];
        for (i, row) in mass.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += MASSES[1] * (bird[0][i] * bird[0][j] + bird[1][i] * bird[1][j]);
            }
        }
        let inverse = inverse(mass);
        let [wm, wb] = [u[1] * u[1], u[2] * u[2]];
        let pull = [ARMS[0] * cm * wm + ARMS[1] * cb * wb, ARMS[0] * sm * wm + ARMS[1] * sb * wb - G];
        let torque = 0.5 * STIFFNESS * (2.0 * (m[1] - m[2])).sin();
        let own = [-MASSES[0] * G, -torque, torque];
        let force = [0, 1, 2].map(|i| own[i] + MASSES[1] * (bird[0][i] * pull[0] + bird[1][i] * pull[1]));
        let mut v = [0, 1, 2].map(|i| u[i] + h * dot(inverse[i], force));
        let beak = [BEAK[0] * cb - BEAK[1] * sb, BEAK[0] * sb + BEAK[1] * cb];
        let corner = |y: f64| [HOLE[0] * cm - y * sm, HOLE[0] * sm + y * cm];
        let [low, high] = [corner(-HOLE[1]), corner(HOLE[1])];
        let across = |at: [f64; 2]| ([0.0, -at[1], 0.0], [1.0, at[0], 0.0]);
        let pecks = ([0.0, bird[0][1], bird[0][2] - beak[1]], [1.0, bird[1][1], bird[1][2] + beak[0]]);
        let contacts = [
            (ARMS[0] * cm + ARMS[1] * cb + beak[0] - POLE, pecks),
            (low[0] - POLE, across(low)),
            (high[0] - POLE, across(high)),
        ];
        let closed = contacts.map(|(gap, _)| gap <= 0.0);
        if closed.contains(&true) {
            let compression = strike(&contacts, closed, [0.0; 3], inverse, &mut v);
            let given = [0, 1, 2].map(|k| RESTITUTION[k] * compression[k]);
            if given.iter().any(|p| *p > 0.0) {
                strike(&contacts, closed, given, inverse, &mut v);
            }
        }
        q = [0, 1, 2].map(|i| m[i] + 0.5 * h * v[i]);
        u = v;
        cycle.look((step + 1) as f64 * h, q[0], q[2]);
    }
    cycle
}

type Contact = (f64, ([f64; 3], [f64; 3]));

/// The impulses, at least `given`, with which no closed contact approaches, in sweeps; they change the velocities.
fn strike(
    contacts: &[Contact; 3],
    closed: [bool; 3],
    given: [f64; 3],
    inverse: [[f64; 3]; 3],
    v: &mut [f64; 3],
) -> [f64; 3] {
    let (mut normal, mut along) = ([0.0; 3], [0.0; 3]);
    let push = |row: [f64; 3], p: f64, v: &mut [f64; 3]| {
        (0..3).for_each(|i| v[i] += p * dot(inverse[i], row));
    };
    let weight = |row: [f64; 3]| dot(row, inverse.map(|i| dot(i, row)));
    for _ in 0..400 {
        let mut moved = 0.0_f64;
        for k in (0..3).filter(|&k| closed[k]) {
            let (n, t) = contacts[k].1;
            let p = (normal[k] - dot(n, *v) / weight(n)).max(given[k]);
            moved = moved.max((p - normal[k]).abs());
            push(n, p - normal[k], v);
            normal[k] = p;
            let limit = FRICTION * p;
            let p = (along[k] - dot(t, *v) / weight(t)).clamp(-limit, limit);
            moved = moved.max((p - along[k]).abs());
            push(t, p - along[k], v);
            along[k] = p;
        }
        if moved <= 1e-16 {
            break;
        }
    }
    normal
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn inverse(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant = dot(m[0], [minor(0, 0), minor(0, 1), minor(0, 2)]);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| minor(j, i) / determinant))
}

/// The toy as a scene, with more settings, and its last cycle.
fn in_a_scene(name: &str, duration: f64, settings: &Value) -> Cycle {
    let angle = jammed();
    let ([sm, cm], [sb, cb]) = ([angle.sin(), angle.cos()], [BIRD.sin(), BIRD.cos()]);
    let fixed = json!({ "fixed": true, "elasticity": 1.0 });
    let pole = body("pole", block(2.0 * POLE, 4.0), FRICTION, [0.0, 0.0], &fixed);
    let [x, y] = HOLE;
    let plate = json!({ "type": "polygon", "points": [[x, -y], [x + 0.002, -y], [x + 0.002, y], [x, y]] });
    let more = json!({
        "center_of_mass": [0.0, 0.0], "mass": MASSES[0], "moment": MOMENTS[0], "angle": angle,
        "velocity": [0.0, START[0]], "no_collide": ["bird"],
    });
    let sleeve = body("sleeve", plate, FRICTION, [0.0, 1.9], &more);
    let [x, y] = BEAK;
    let beak = json!({ "type": "polygon", "points": [[x, y], [x + 0.01, y - 0.001], [x + 0.01, y + 0.001]] });
    let more = json!({
        "center_of_mass": [0.0, 0.0], "mass": MASSES[1], "moment": MOMENTS[1], "angle": BIRD, "angular_velocity": START[2],
        "velocity": [-START[2] * ARMS[1] * sb, START[0] + START[2] * ARMS[1] * cb], "elasticity": RESTITUTION[0],
    });
    let middle = [ARMS[0] * cm + ARMS[1] * cb, 1.9 + ARMS[0] * sm + ARMS[1] * sb];
    let bird = body("bird", beak, FRICTION, middle, &more);
    let spring = |side: f64| {
        json!({
            "type": "spring", "body_a": "sleeve", "point_a": [ARMS[0] - REACH, side * LEVER],
            "body_b": "bird", "point_b": [-ARMS[1], side * LEVER],
            "rest_length": REACH, "stiffness": STIFFNESS / (2.0 * LEVER * LEVER),
        })
    };
    let more = json!({
        "connectors": [
            { "type": "point_on_line", "body_a": "ground", "body_b": "sleeve", "axis": [0, 1] },
            { "type": "pin", "body_a": "sleeve", "point_a": [ARMS[0], 0.0], "body_b": "bird", "point_b": [-ARMS[1], 0.0] },
        ],
        "force_laws": [spring(1.0), spring(-1.0)],
        "settings": settings,
    });
    let run = run(name, duration, json!([pole, sleeve, bird]), &more);
    let mut cycle = Cycle::default();
    let angles = run.column("bird.angle");
    for ((time, height), angle) in run.column("time").iter().zip(run.column("sleeve.y")).zip(angles) {
        cycle.look(*time, *height, *angle);
    }
    cycle
}

/// The located clock with both laws, and exact steps with the first.
#[test]
fn a_woodpecker_comes_down_its_pole_in_the_known_rhythm() {
    let settings = |step: f64| json!({ "time_step": step, "distance_tolerance": 1e-5, "rest_speed": 1e-4 });
    let known = in_three_coordinates(2.2, 4e-6);
    assert!((known.period - 0.2010).abs() < 1e-4, "{}", known.period);
    let located = in_a_scene("woodpecker", 2.2, &settings(1e-3));
    assert!((located.period - known.period).abs() < 6e-5, "{} {}", located.period, known.period);
    assert!((located.way - known.way).abs() < 6e-5, "{} {}", located.way, known.way);
    let mut steps = settings(1e-4);
    steps["clock"] = json!({ "type": "time_stepping", "solver": "exact" });
    let exact = in_a_scene("woodpecker_in_steps", 2.2, &steps);
    assert!((exact.period - known.period).abs() < 3e-3, "{} {}", exact.period, known.period);
    println!(
        "{} {} {} {} {} {}",
        known.period, located.period, exact.period, known.way, located.way, exact.way
    );
}
