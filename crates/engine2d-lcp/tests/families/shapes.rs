//! Families of scenes with about a wished number of contacts.

use super::scene::{Mood, Scene};
use engine2d_lcp::{Lcp, Row};
use std::f64::consts::{FRAC_PI_2, PI};

/// Names of the families, in the order of their numbers.
pub(crate) const FAMILIES: [&str; 13] = [
    "stack",
    "pyramid",
    "wedged grid",
    "pile",
    "chain",
    "arch",
    "truss",
    "plate",
    "star",
    "ring",
    "motors",
    "twins",
    "tower",
];

const UP: f64 = FRAC_PI_2;

/// A problem of a family with about `n` contacts or joint rows.
pub(crate) fn problem(family: usize, n: usize, seed: u32, mood: Mood, load: u32) -> Lcp<'static> {
    let mut s = Scene::new(seed.wrapping_mul(2_654_435_761).wrapping_add(family as u32), mood);
    match FAMILIES[family] {
        "stack" => column(&mut s, n, 1.0),
        "tower" => column(&mut s, n, 0.05),
        "pyramid" => pyramid(&mut s, n),
        "wedged grid" => grid(&mut s, n),
        "pile" => pile(&mut s, n),
        "chain" => chain(&mut s, n),
        "arch" => arch(&mut s, n),
        "truss" => truss(&mut s, n),
        "plate" => plate(&mut s, n),
        "star" => star(&mut s, n),
        "ring" => ring(&mut s, n),
        "motors" => motors(&mut s, n),
        _ => twins(&mut s, n),
    }
    s.problem(load)
}

/// Two contacts on each interface, `half` apart from the middle.
fn column(s: &mut Scene, n: usize, half: f64) {
    let mut below = None;
    let mut y = 0.5;
    while s.rows() < n {
        let x = 0.05 * s.signed();
        let body = s.body(x, y);
        s.contact([body, below], (x - half, y - 0.5), UP);
        s.contact([body, below], (x + half, y - 0.5), UP);
        (below, y) = (body, y + 1.0);
    }
}

fn pyramid(s: &mut Scene, n: usize) {
    let k = ((n as f64 / 2.0).sqrt().round() as usize).max(1);
    let mut below: Vec<Option<usize>> = vec![None; k + 1];
    for level in 0..k {
        let y = level as f64 + 0.5;
        let row: Vec<Option<usize>> =
            (0..k - level).map(|i| s.body(i as f64 + 0.5 * level as f64, y)).collect();
        for (i, &body) in row.iter().enumerate() {
            let x = i as f64 + 0.5 * level as f64;
            s.contact([body, below[i]], (x - 0.4, y - 0.5), UP);
            s.contact([body, below[i + 1]], (x + 0.4, y - 0.5), UP);
        }
        below = row;
        below.push(None);
    }
}

/// Blocks between four walls, two contacts on each face: highly redundant, opposed.
fn grid(s: &mut Scene, n: usize) {
    let k = ((n as f64 / 4.0).sqrt().round() as usize).max(1);
    let body: Vec<Option<usize>> = (0..k * k).map(|i| s.body((i % k) as f64, (i / k) as f64)).collect();
    for i in 0..k * k {
        let (x, y) = ((i % k) as f64, (i / k) as f64);
        for d in [-0.5, 0.5] {
            s.contact([body[i], if i % k > 0 { body[i - 1] } else { None }], (x - 0.5, y + d), 0.0);
            s.contact([body[i], if i >= k { body[i - k] } else { None }], (x + d, y - 0.5), UP);
            if i % k == k - 1 {
                s.contact([body[i], None], (x + 0.5, y + d), PI);
            }
            if i >= k * (k - 1) {
                s.contact([body[i], None], (x + d, y + 0.5), -UP);
            }
        }
    }
}

/// Random neighbours with normals at random angles.
fn pile(s: &mut Scene, n: usize) {
    let width = ((n as f64 / 2.0).sqrt().ceil() as usize).max(2);
    let mut body = Vec::new();
    while s.rows() < n {
        let i = body.len();
        let (x, y) = ((i % width) as f64 + 0.3 * s.signed(), (i / width) as f64 + 0.3 * s.signed());
        let this = s.body(x, y);
        for (far, angle) in [(1, 0.0), (width, UP), (width + 1, 0.8), (width - 1, 2.3)] {
            let other = if i >= far { body[i - far] } else { None };
            if s.chance(0.6) {
                let (dx, dy, bend) = (s.signed(), s.signed(), 0.4 * s.signed());
                s.contact([this, other], (x + 0.5 * dx, y - 0.5 + 0.2 * dy), angle + bend);
            }
        }
        body.push(this);
    }
}

/// Hinged links, some on the ground, some hinges doubled, both ends held now and then.
fn chain(s: &mut Scene, n: usize) {
    let mut last = None;
    let mut x = 0.0;
    while s.rows() < n {
        let y = 0.1 * s.signed();
        let body = s.body(x + 0.5, y);
        s.pin([body, last], (x, 0.0));
        if s.chance(0.3) {
            s.pin([body, last], (x, 0.0));
        }
        if s.chance(0.4) {
            s.contact([body, None], (x + 0.7, -0.1), UP);
        }
        (last, x) = (body, x + 1.0);
    }
    if s.chance(0.5) {
        s.pin([last, None], (x, 0.0));
    }
}

/// Wedge blocks in a half circle between two abutments.
fn arch(s: &mut Scene, n: usize) {
    let k = (n / 2).max(2);
    let mut last = None;
    for i in 0..=k {
        let angle = PI * i as f64 / k as f64;
        let (sin, cos) = engine2d_math::trig::sin_cos(angle);
        let middle = PI * (i as f64 + 0.5) / k as f64;
        let (ms, mc) = engine2d_math::trig::sin_cos(middle);
        let body = if i < k { s.body(10.0 * mc, 10.0 * ms) } else { None };
        for r in [9.5, 10.5] {
            s.contact([body, last], (r * cos, r * sin), angle + UP);
        }
        last = body;
    }
}

/// A plane frame of rods with too many diagonals, and ropes.
fn truss(s: &mut Scene, n: usize) {
    let width = ((n as f64 / 4.0).sqrt().ceil() as usize).max(2);
    let mut body = Vec::new();
    while s.rows() < n {
        let i = body.len();
        let (column, level) = ((i % width) as f64, (i / width) as f64);
        let this = s.body(column, level);
        for (far, angle) in [(1, 0.0), (width, UP), (width + 1, UP / 2.0), (width - 1, 1.5 * UP)] {
            let other = if i >= far { body[i - far] } else { None };
            let kind = if s.chance(0.7) { Row::Bilateral } else { Row::Unilateral };
            s.row([this, other], (column, level), angle, kind);
        }
        body.push(this);
    }
}

/// One plate on many supports, bodies upon it: everything is linked to everything.
fn plate(s: &mut Scene, n: usize) {
    let plate = s.body(0.0, 0.0);
    while s.rows() < n {
        let x = 10.0 * s.signed();
        if s.chance(0.5) {
            s.contact([plate, None], (x, -0.5), UP);
        } else {
            let body = s.body(x, 1.0);
            s.contact([body, plate], (x - 0.3, 0.5), UP);
            s.contact([body, plate], (x + 0.3, 0.5), UP);
        }
    }
}

/// Bodies around a hub, squeezed from outside.
fn star(s: &mut Scene, n: usize) {
    let hub = s.body(0.0, 0.0);
    while s.rows() < n {
        let angle = PI * s.signed();
        let (sin, cos) = engine2d_math::trig::sin_cos(angle);
        let body = s.body(2.0 * cos, 2.0 * sin);
        s.contact([body, hub], (cos, sin), angle);
        s.contact([body, None], (3.0 * cos, 3.0 * sin), angle + PI);
    }
}

/// A closed ring of pinned bodies on the ground: one loop more than needed.
fn ring(s: &mut Scene, n: usize) {
    let k = (n / 3).max(3);
    let at = |i: usize| engine2d_math::trig::sin_cos(2.0 * PI * i as f64 / k as f64);
    let body: Vec<Option<usize>> = (0..k).map(|i| s.body(5.0 * at(i).1, 5.0 * at(i).0)).collect();
    for i in 0..k {
        let (sin, cos) = engine2d_math::trig::sin_cos(2.0 * PI * (i as f64 + 0.5) / k as f64);
        s.pin([body[i], body[(i + 1) % k]], (5.0 * cos, 5.0 * sin));
        s.contact([body[i], None], (5.0 * at(i).1, 5.0 * at(i).0 - 0.5), UP);
    }
}

/// A chain with limited motors at its hinges and end stops.
fn motors(s: &mut Scene, n: usize) {
    let mut last = None;
    let mut x = 0.0;
    while s.rows() < n {
        let body = s.body(x + 0.5, 0.0);
        s.pin([body, last], (x, 0.0));
        let limit = 10.0 * s.rng.next_unit();
        let high = if s.chance(0.2) { f64::INFINITY } else { limit };
        s.row([body, last], (x + 1.0, 0.0), UP, Row::Boxed { lo: -limit, hi: high });
        if s.chance(0.3) {
            s.row([body, None], (x, 0.3), 0.0, Row::Boxed { lo: 0.0, hi: 0.0 });
        }
        (last, x) = (body, x + 1.0);
    }
}

/// A stack whose contacts come twice, exactly or opposed; nearly so only where double precision can tell an answer from
/// its absence.
fn twins(s: &mut Scene, n: usize) {
    let mut below = None;
    let mut y = 0.5;
    while s.rows() < n {
        let body = s.body(0.0, y);
        for x in [-0.5, 0.5] {
            s.row([body, below], (x, y - 0.5), UP, Row::Unilateral);
            let bend = if n <= 100 && s.exact() {
                [0.0, 1e-6, 1e-5, 1e-4, 1e-3][(5.0 * s.rng.next_unit()) as usize % 5]
            } else {
                0.0
            };
            let opposed = s.chance(0.3);
            s.repeat(opposed, bend);
        }
        (below, y) = (body, y + 1.0);
    }
}
