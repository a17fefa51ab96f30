//! Scenes that gather many shapes, or bodies that move fast or attract each other.

use super::contact::add_box;
use crate::{Body, Edge, ForceLaw, Path, Scene, Shape, View};
use engine2d_math::trig;
use std::f64::consts::TAU;

/// Bodies bounded by arcs fall into a dish and onto each other.
#[must_use]
pub fn curved_shapes() -> Scene {
    let mut scene = Scene::new("curved_shapes");
    scene.settings.time_step = 0.0125;
    scene.view = Some(View { left: -5.3, bottom: -0.4, right: 5.3, top: 7.6 });
    add_box(&mut scene, [0.0, 4.0], 10.0, 8.0);
    // A dish: a block with a hollow of radius 4 in its upper side, off the floor by the gap of resting contacts.
    let path = Path {
        start: [-3.0, 0.0],
        edges: vec![
            Edge::Line { to: [3.0, 0.0], outside_is_up: false },
            Edge::Line { to: [3.0, 2.0], outside_is_up: true },
            Edge::Arc {
                to: [-3.0, 2.0],
                center: [0.0, 2.0 + 7f64.sqrt()],
                clockwise: true,
                outside_is_out: false,
            },
            Edge::Line { to: [-3.0, 0.0], outside_is_up: false },
        ],
    };
    let mut dish = Body::new(Shape::Paths { paths: vec![path], moment_factor: None }).named("dish").fixed();
    dish.center_of_mass = Some([0.0, 0.0]);
    dish.no_collide = vec!["floor".into()];
    scene.bodies.push(dish);
    let half_disc = Path {
        start: [-0.7, 0.0],
        edges: vec![
            Edge::Arc { to: [0.7, 0.0], center: [0.0, 0.0], clockwise: false, outside_is_out: true },
            Edge::Line { to: [-0.7, 0.0], outside_is_up: true },
        ],
    };
    let shapes = [
        ("stadium", Shape::RoundBlock { width: 0.6, height: 1.6 }, [-1.6, 3.2], 1.0),
        ("rounded_block", Shape::RoundCornerBlock { width: 1.4, height: 0.9, radius: 0.25 }, [0.2, 3.4], 0.3),
        ("half_disc", Shape::Paths { paths: vec![half_disc], moment_factor: None }, [1.9, 4.0], 0.5),
        ("ball", Shape::Ball { radius: 0.5 }, [-0.6, 5.2], 0.0),
        ("pendulum", Shape::Pendulum { width: 0.1, length: 0.8, radius: 0.4 }, [1.2, 5.6], 2.0),
    ];
    for (name, shape, [x, y], angle) in shapes {
        scene.bodies.push(Body::new(shape).named(name).at(x, y).angle(angle).restitution(0.3));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.4, rotate_ratio: 0.15, bodies: None });
    scene
}

/// Random polygons, of three corners and more, fall into a box.
#[must_use]
pub fn polygons(count: u32) -> Scene {
    let mut scene = Scene::new("polygons");
    let layers = count.div_ceil(4);
    let height = 2.0 * f64::from(layers) + 2.0;
    scene.duration = 15.0;
    scene.view = Some(View { left: -4.4, bottom: -0.4, right: 4.4, top: height });
    add_box(&mut scene, [0.0, 0.5 * height], 8.0, height);
    for index in 0..count {
        let (column, layer) = (index % 4, index / 4);
        let shape = Shape::RandomPolygon { sides: 3 + index % 5, radius: 0.85, seed: index };
        let body = Body::new(shape).named(format!("polygon{index}")).restitution(0.4);
        scene.bodies.push(body.at(2.0 * f64::from(column) - 3.0, 2.0 * f64::from(layer) + 1.2));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.5, rotate_ratio: 0.15, bodies: None });
    scene
}

/// A small ball so fast that it crosses ten of its diameters a step, among light blocks in a box.
#[must_use]
pub fn fast_ball(speed: f64) -> Scene {
    let mut scene = Scene::new("fast_ball");
    scene.duration = 3.0;
    scene.view = Some(View { left: -5.4, bottom: -3.4, right: 5.4, top: 3.4 });
    add_box(&mut scene, [0.0, 0.0], 10.0, 6.0);
    scene
        .bodies
        .push(Body::new(Shape::Ball { radius: 0.2 }).named("ball").at(-4.0, 0.1).velocity(speed, 3.0));
    for (index, x) in [-1.0, 1.0, 3.0].into_iter().enumerate() {
        let block = Body::new(Shape::Block { width: 0.3, height: 2.0 }).named(format!("block{index}"));
        scene.bodies.push(block.at(x, 0.4 * f64::from(index as u32) - 0.5));
    }
    scene
}

/// Balls that attract each other gather in a heap; the damping takes what the collisions leave.
#[must_use]
pub fn mutual_attraction(count: u32) -> Scene {
    let mut scene = Scene::new("mutual_attraction");
    scene.duration = 15.0;
    scene.view = Some(View { left: -5.0, bottom: -4.5, right: 5.0, top: 4.5 });
    for index in 0..count {
        let (sin, cos) = trig::sin_cos(TAU * f64::from(index) / f64::from(count));
        let radius = 0.4 + 0.05 * f64::from(index % 4);
        let ball =
            Body::new(Shape::Ball { radius }).named(format!("ball{index}")).mass(radius * radius * 4.0);
        let reach = 3.0 + 0.2 * f64::from(index % 3);
        scene.bodies.push(ball.at(reach * cos, reach * sin).velocity(-0.6 * sin, 0.6 * cos).restitution(0.6));
    }
    scene.force_laws.push(ForceLaw::InverseSquareGravity { strength: 4.0, bodies: None });
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.25, rotate_ratio: 0.15, bodies: None });
    scene
}
