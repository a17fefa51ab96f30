//! Piles that several tests let fall.

use engine2d_sim::{Body, BodyView, Settings, World};

/// Numbers in [0, 1), the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Blocks and balls that fall into a bin.
pub(crate) fn pile(settings: Settings, count: usize, friction: f64, seed: u64) -> World {
    let columns = (count as f64).sqrt().ceil() as usize;
    let (width, height) = (1.2 * columns as f64, 4.0 * columns as f64 + 20.0);
    let mut numbers = Numbers(seed);
    let body = |body: Body| body.friction(friction).restitution(0.0);
    let mut scene = World::builder()
        .settings(settings)
        .gravity(9.81)
        .body(body(Body::block(width + 20.0, 5.0).fixed().at(0.0, -2.5)))
        .body(body(Body::block(5.0, height).fixed().at(-0.5 * width - 2.5, 0.5 * height)))
        .body(body(Body::block(5.0, height).fixed().at(0.5 * width + 2.5, 0.5 * height)));
    for k in 0..count {
        let (column, row) = ((k % columns) as f64, (k / columns) as f64);
        let x = (column + 0.5) * 1.2 - 0.5 * width + 0.2 * numbers.next() - 0.1;
        let y = row * 1.2 + 0.8 + 0.2 * numbers.next() - 0.1;
        let size = 0.25 + 0.25 * numbers.next();
        let shape = if k % 2 == 0 {
            let (w, h) = (1.6 * size, 0.4 + 0.4 * numbers.next());
            Body::block(w, h).mass(w * h)
        } else {
            Body::ball(size).mass(3.0 * size * size)
        };
        scene = scene.body(body(shape.at(x, y)));
    }
    scene.build().expect("a pile")
}

/// The blocks of a pile: floor and walls come first, then every second body is one.
pub(crate) fn blocks(world: &World) -> impl Iterator<Item = BodyView<'_>> {
    world.bodies().skip(3).step_by(2)
}
