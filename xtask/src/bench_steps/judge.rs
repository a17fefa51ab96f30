//! How good a state is, whoever made it: by exact signed distances of the shapes at the poses told.

use super::scene::{Form, Scene};
use crate::TaskError;
use engine2d_geometry::{
    Bounds, BroadPhase, CollisionBody, CollisionFilter, PathShape, PathWorkspace, path_distance,
};
use engine2d_math::{Pose, Vec2};
use serde::Serialize;
use std::sync::Arc;

/// Gap up to which places count as touching (length).
const TOUCHING: f64 = 1e-6;

#[derive(Serialize)]
pub(super) struct Judgement {
    /// Fastest approach of places that touch, at the end (length/time).
    pub(super) residual: f64,
    /// Deepest overlap at the end (length).
    pub(super) penetration: f64,
    /// Farthest that a body is from where it began (length); of piles and chains it says nothing.
    pub(super) drift: f64,
    /// Highest energy of any step above that of the start, relative to the range of the potential energy.
    pub(super) energy: f64,
    /// Widest gap of a joint at the end (length).
    pub(super) joint_gap: f64,
}

pub(super) fn judge(
    scene: &Scene,
    start: &[[f64; 6]],
    end: &[[f64; 6]],
    highest: f64,
) -> Result<Judgement, TaskError> {
    let bodies = bodies(scene, end)?;
    let mut broad = BroadPhase::with_margin(0.0);
    for body in &bodies {
        let (center, radius) = body.shape.outline_circle();
        broad.insert(
            Bounds::of_circle(body.to_world(center), radius + TOUCHING),
            CollisionFilter::default(),
        )?;
    }
    let jointed = |a: u32, b: u32| {
        let both = [a as usize, b as usize];
        scene.pins.iter().any(|pin| pin.bodies == both || pin.bodies == [both[1], both[0]])
    };
    let mut workspace = PathWorkspace::default();
    let (mut residual, mut penetration) = (0.0_f64, 0.0_f64);
    for &(a, b) in broad.update() {
        let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
        if (first.fixed && second.fixed) || jointed(a, b) {
            continue;
        }
        let Some(found) = path_distance(&first.placed(), &second.placed(), TOUCHING, &mut workspace) else {
            continue;
        };
        penetration = penetration.max(-found.gap);
        if found.gap <= TOUCHING {
            let at = |body: &CollisionBody, p: Vec2| body.velocity_at(p - body.pose.position());
            let relative = at(first, found.point_a) - at(second, found.point_b);
            residual = residual.max(-found.normal.dot(&relative));
        }
    }
    let moved = |(a, b): (&[f64; 6], &[f64; 6])| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
    let before = scene.energy(start);
    let scale = before.abs().max(1.0);
    Ok(Judgement {
        residual,
        penetration,
        drift: start.iter().zip(end).map(moved).fold(0.0, f64::max),
        energy: (highest - before) / scale,
        joint_gap: scene.pins.iter().map(|pin| scene.gap(pin, end)).fold(0.0, f64::max),
    })
}

fn bodies(scene: &Scene, states: &[[f64; 6]]) -> Result<Vec<CollisionBody>, TaskError> {
    let place = |(item, s): (&super::scene::Item, &[f64; 6])| {
        let shape = match item.form {
            Form::Block(x, y) => PathShape::block(2.0 * x, 2.0 * y)?,
            Form::Disc(r) => PathShape::ball(r)?,
        };
        let mut body = CollisionBody::new(Arc::new(shape));
        body.pose = Pose::new(s[0], s[1], s[2]);
        body.velocity = Vec2::new(s[3], s[4]);
        body.angular_velocity = s[5];
        body.fixed = item.is_fixed();
        Ok(body)
    };
    scene.items.iter().zip(states).map(place).collect()
}
