//! Scenes about contact and collision.

use crate::{Body, CollisionHandling, Connector, ForceLaw, Line, Scene, Shape, View};

/// `count` unit blocks at rest on a floor, each on the one below.
#[must_use]
pub fn stack(count: u32) -> Scene {
    let mut scene = Scene::new("stack");
    scene.duration = 5.0;
    scene.view = Some(View { left: -4.0, bottom: -0.6, right: 4.0, top: f64::from(count) + 1.0 });
    push_floor(&mut scene, 10.0);
    for index in 0..count {
        let y = 0.5 + f64::from(index);
        scene.bodies.push(Body::new(unit_block()).named(format!("block{index}")).at(0.0, y));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A ball of radius 0.5 dropped from a height of its lowest point (length), with a restitution (0 to 1).
#[must_use]
pub fn ball_on_floor(height: f64, restitution: f64) -> Scene {
    let mut scene = Scene::new("ball_on_floor");
    scene.duration = 8.0;
    scene.view = Some(View { left: -3.0, bottom: -0.6, right: 3.0, top: height + 1.5 });
    push_floor(&mut scene, 10.0);
    let ball = Body::new(Shape::Ball { radius: 0.5 }).named("ball").at(0.0, height + 0.5);
    scene.bodies.push(ball.restitution(restitution));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// `count` balls on rods side by side, the first one drawn back.
#[must_use]
pub fn newtons_cradle(count: u32) -> Scene {
    const RADIUS: f64 = 0.5;
    const LENGTH: f64 = 3.0;
    const DRAWN_BACK: f64 = 0.8;
    let mut scene = Scene::new("newtons_cradle");
    scene.settings.collision_handling = CollisionHandling::SerialSeparate;
    // The balls hang at the distance of resting contacts, so that none pushes another.
    let spacing = 2.0 * RADIUS + 0.5 * scene.settings.distance_tolerance;
    let half = 0.5 * spacing * f64::from(count.saturating_sub(1));
    scene.view = Some(View { left: -half - 3.5, bottom: -LENGTH - 1.0, right: half + 3.5, top: 0.6 });
    for index in 0..count {
        let x = f64::from(index) * spacing - half;
        let angle = if index == 0 { -DRAWN_BACK } else { 0.0 };
        let (sin, cos) = engine2d_math::trig::sin_cos(angle);
        let ball = Body::new(Shape::Ball { radius: RADIUS }).named(format!("ball{index}"));
        scene.bodies.push(ball.at(x + LENGTH * sin, -LENGTH * cos).restitution(1.0));
        let name = format!("ball{index}");
        let rod = Line::new("ground", [x, 0.0], name.as_str(), [0.0, 0.0]).length(LENGTH);
        scene.connectors.push(Connector::Rod(rod));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A fast ball and a triangular rack of balls with so many rows, on a table seen from above.
#[must_use]
pub fn billiards(rows: u32) -> Scene {
    const RADIUS: f64 = 0.3;
    const GAP: f64 = 0.02;
    let mut scene = Scene::new("billiards");
    add_box(&mut scene, [0.0, 0.0], 12.0, 6.0);
    scene.view = Some(View { left: -6.4, bottom: -3.4, right: 6.4, top: 3.4 });
    let ball = || Body::new(Shape::Ball { radius: RADIUS }).restitution(0.95);
    scene.bodies.push(ball().named("cue").at(-4.0, 0.05).velocity(8.0, 0.0));
    let spacing = 2.0 * RADIUS + GAP;
    for row in 0..rows {
        for place in 0..=row {
            let x = 1.0 + f64::from(row) * spacing * 0.75f64.sqrt();
            let y = (f64::from(place) - 0.5 * f64::from(row)) * spacing;
            scene.bodies.push(ball().named(format!("ball{row}_{place}")).at(x, y));
        }
    }
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.2, rotate_ratio: 0.15, bodies: None });
    scene
}

fn unit_block() -> Shape {
    Shape::Block { width: 1.0, height: 1.0 }
}

/// An immovable floor with its surface at height 0.
pub(super) fn push_floor(scene: &mut Scene, width: f64) {
    let shape = Shape::Wall { width, height: 1.0, side: crate::Side::Top };
    scene.bodies.push(Body::new(shape).named("floor").fixed().at(0.0, -0.5));
}

/// Adds immovable walls around an interior rectangle, one length unit thick, facing inwards.
pub(super) fn add_box(scene: &mut Scene, center: crate::Point, width: f64, height: f64) {
    use crate::{Body, Shape, Side};
    let [x, y] = center;
    let (w, h) = (width / 2.0 + 0.5, height / 2.0 + 0.5);
    let walls = [
        ("floor", width + 2.0, 1.0, Side::Top, [x, y - h]),
        ("right_wall", 1.0, height + 2.0, Side::Left, [x + w, y]),
        ("ceiling", width + 2.0, 1.0, Side::Bottom, [x, y + h]),
        ("left_wall", 1.0, height + 2.0, Side::Right, [x - w, y]),
    ];
    for (name, width, height, side, [x, y]) in walls {
        scene.bodies.push(Body::new(Shape::Wall { width, height, side }).named(name).fixed().at(x, y));
    }
}
