//! Scenes that any engine can take up: discs and blocks, fixed or not, and pins.

use engine2d_math::Vec2;

/// Gravity of all scenes that have some.
pub(super) const GRAVITY: f64 = 9.81;

/// A shape by its half sizes or its radius.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Block(f64, f64),
    Disc(f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) form: Form,
    pub(super) at: [f64; 2],
    pub(super) angle: f64,
    pub(super) velocity: [f64; 2],
    /// Infinite where it is fixed.
    pub(super) mass: f64,
}

impl Item {
    pub(super) fn is_fixed(&self) -> bool {
        self.mass.is_infinite()
    }

    /// Moment of inertia about the centre.
    pub(super) fn moment(&self) -> f64 {
        match self.form {
            Form::Block(x, y) => self.mass * (x * x + y * y) / 3.0,
            Form::Disc(r) => 0.5 * self.mass * r * r,
        }
    }
}

/// A pin of two bodies at points of theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    pub(super) bodies: [usize; 2],
    pub(super) points: [[f64; 2]; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) items: Vec<Item>,
    pub(super) pins: Vec<Pin>,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) gravity: f64,
    pub(super) steps: usize,
    /// Steps at the end that count as settled.
    pub(super) settled: usize,
}

impl Scene {
    /// What takes more than some seconds.
    pub(super) fn is_large(&self) -> bool {
        self.items.len() > 1100
    }

    /// Whether the exact solver ends within the time that a run may take.
    pub(super) fn is_for_exact(&self) -> bool {
        self.items.len() < 20_000 && !(self.name.starts_with("pile") && self.is_large())
    }

    /// Kinetic and potential energy.
    pub(super) fn energy(&self, states: &[[f64; 6]]) -> f64 {
        let of = |(item, s): (&Item, &[f64; 6])| {
            let kinetic = 0.5 * item.mass * (s[3] * s[3] + s[4] * s[4]) + 0.5 * item.moment() * s[5] * s[5];
            kinetic + item.mass * self.gravity * s[1]
        };
        self.items.iter().zip(states).filter(|(item, _)| !item.is_fixed()).map(of).sum()
    }

    /// The gap between the points of a pin.
    pub(super) fn gap(&self, pin: &Pin, states: &[[f64; 6]]) -> f64 {
        let at = |k: usize| {
            let (s, [x, y]) = (&states[pin.bodies[k]], pin.points[k]);
            let (sin, cos) = s[2].sin_cos();
            Vec2::new(s[0] + cos * x - sin * y, s[1] + sin * x + cos * y)
        };
        (at(0) - at(1)).norm()
    }
}

/// Numbers in `[0, 1)` by a linear congruential generator, the same on every machine.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

pub(super) fn fixed(form: Form, at: [f64; 2]) -> Item {
    Item { form, at, angle: 0.0, velocity: [0.0; 2], mass: f64::INFINITY }
}

fn block(at: [f64; 2]) -> Item {
    Item { mass: 1.0, ..fixed(Form::Block(0.5, 0.5), at) }
}

fn ground() -> Item {
    fixed(Form::Block(1000.0, 10.0), [0.0, -10.0])
}

pub(super) fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    all.extend([10, 20, 40, 80].map(pyramid));
    all.extend([20, 50].map(stack));
    all.extend([1_000, 5_000, 10_000].map(pile));
    all.push(chain(100));
    all.extend([1_000, 10_000, 50_000].map(sparse));
    all
}

/// A scene of bodies that fall and do not bounce, without pins, for so many steps, the last ones `settled`.
pub(super) fn scene(
    name: String,
    items: Vec<Item>,
    friction: f64,
    (steps, settled): (usize, usize),
) -> Scene {
    Scene { name, items, pins: Vec::new(), friction, restitution: 0.0, gravity: GRAVITY, steps, settled }
}

fn pyramid(base: usize) -> Scene {
    let mut items = vec![ground()];
    for row in 0..base {
        for k in 0..base - row {
            let x = (k as f64 - 0.5 * (base - row - 1) as f64) * 1.1;
            items.push(block([x, 0.5 + row as f64]));
        }
    }
    let name = format!("pyramid {base}");
    scene(name, items, 0.6, (300, 150))
}

fn stack(count: usize) -> Scene {
    let mut items = vec![ground()];
    items.extend((0..count).map(|k| block([0.0, 0.5 + k as f64])));
    let name = format!("stack {count}");
    scene(name, items, 0.6, (1200, 600))
}

fn pile(count: usize) -> Scene {
    let columns = (count as f64).sqrt().ceil();
    let half = 0.6 * columns;
    let tall = 4.0 * columns + 20.0;
    let mut items = vec![
        fixed(Form::Block(half + 5.0, 2.5), [0.0, -2.5]),
        fixed(Form::Block(2.5, tall), [-half - 2.5, tall]),
        fixed(Form::Block(2.5, tall), [half + 2.5, tall]),
    ];
    let mut numbers = Numbers(12345);
    for k in 0..count {
        let (column, row) = (k as f64 % columns, (k as f64 / columns).floor());
        let (dx, dy) = (0.2 * numbers.next() - 0.1, 0.2 * numbers.next() - 0.1);
        let at = [(column + 0.5) * 1.2 - half + dx, row * 1.2 + 0.8 + dy];
        let size = |u: f64| 0.25 + 0.25 * u;
        let (form, mass) = if k % 2 == 0 {
            let (x, y) = (0.8 * size(numbers.next()), 0.8 * size(numbers.next()));
            (Form::Block(x, y), 4.0 * x * y)
        } else {
            let r = size(numbers.next());
            (Form::Disc(r), std::f64::consts::PI * r * r)
        };
        items.push(Item { mass, ..fixed(form, at) });
    }
    let (name, steps) = (format!("pile {count}"), if count > 5_000 { 1200 } else { 900 });
    scene(name, items, 0.5, (steps, 100))
}

/// Links held out straight, a heavy disc at the end, let go.
fn chain(links: usize) -> Scene {
    let mut items = vec![fixed(Form::Disc(0.01), [0.0, 0.0])];
    let mut pins = Vec::new();
    for k in 0..links {
        let form = Form::Block(0.25, 0.05);
        items.push(Item { mass: 1.0, ..fixed(form, [0.25 + 0.5 * k as f64, 0.0]) });
        let from = if k == 0 { [0.0, 0.0] } else { [0.25, 0.0] };
        pins.push(Pin { bodies: [k, k + 1], points: [from, [-0.25, 0.0]] });
    }
    let at = [0.5 * links as f64, 0.0];
    items.push(Item { mass: 100.0, ..fixed(Form::Disc(0.5), at) });
    pins.push(Pin { bodies: [links, links + 1], points: [[0.25, 0.0], [0.0, 0.0]] });
    Scene { pins, ..scene(format!("chain {links}"), items, 0.0, (600, 300)) }
}

fn sparse(count: usize) -> Scene {
    let side = (count as f64).sqrt().ceil();
    let mut numbers = Numbers(777);
    let item = |k: usize| {
        let at = [4.0 * (k as f64 % side), 4.0 * (k as f64 / side).floor()];
        let velocity = [2.0 * numbers.next() - 1.0, 2.0 * numbers.next() - 1.0];
        Item { mass: 1.0, velocity, ..fixed(Form::Disc(0.5), at) }
    };
    let items = (0..count).map(item).collect();
    let name = format!("sparse {count}");
    Scene { gravity: 0.0, ..scene(name, items, 0.0, (120, 60)) }
}
