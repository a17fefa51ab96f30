//! The same input for parry's contact query and rapier's broad phase.

use super::broad::{Drift, RADIUS, STEPS};
use super::convex::{Form, Place};
use crate::measure::{clock, median_time};
use parry2d_f64::bounding_volume::Aabb;
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::contact;
use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid, Shape};
use rapier2d_f64::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, RigidBodySet,
};
use std::hint::black_box;

/// Reach of parry's contact query: any distance is reported.
const PREDICTION: f64 = 1e9;

fn shape(form: &Form) -> Option<Box<dyn Shape>> {
    Some(match form {
        Form::Ball(r) => Box::new(Ball::new(*r)),
        Form::Block(x, y) => Box::new(Cuboid::new(Vector::new(*x, *y))),
        Form::Capsule(half, r) => Box::new(Capsule::new_x(*half, *r)),
        Form::Polygon(points) => {
            let points = points.iter().map(|&p| Vector::from(p)).collect();
            Box::new(ConvexPolygon::from_convex_polyline(points)?)
        }
        Form::Ellipse(..) => return None,
    })
}

/// Nanoseconds of one contact query; `None` for shapes parry does not have.
pub(super) fn convex_time(a: &Form, b: &Form, places: &[[Place; 2]]) -> Option<f64> {
    let (a, b) = (shape(a)?, shape(b)?);
    let poses: Vec<[Pose; 2]> =
        places.iter().map(|p| p.map(|[x, y, t]| Pose::new(Vector::new(x, y), t))).collect();
    let time = median_time(|| {
        for [p, q] in &poses {
            let _ = black_box(contact(p, black_box(&*a), q, black_box(&*b), PREDICTION));
        }
    });
    Some(time * 1e3 / poses.len() as f64)
}

/// Mean microseconds of a step of the broad phase.
pub(super) fn broad_time(n: usize, travel: f64) -> f64 {
    let mut drift = Drift::new(n, travel);
    let (mut colliders, bodies) = (ColliderSet::new(), RigidBodySet::new());
    let parameters = IntegrationParameters::default();
    let handles: Vec<_> = drift
        .positions
        .iter()
        .map(|p| {
            let ball = ColliderBuilder::ball(RADIUS).translation(Vector::new(p.x, p.y));
            colliders.insert(ball.active_collision_types(ActiveCollisionTypes::all()))
        })
        .collect();
    let mut phase = BroadPhaseBvh::new();
    let mut events = Vec::new();
    let modified = colliders.take_modified();
    phase.update(&parameters, &colliders, &bodies, &modified, &[], &mut events);
    let mut total = 0.0;
    for _ in 0..STEPS {
        drift.step();
        let start = clock();
        for (handle, p) in handles.iter().zip(&drift.positions) {
            let (center, half) = (Vector::new(p.x, p.y), Vector::new(RADIUS, RADIUS));
            phase.set_aabb(&parameters, *handle, Aabb::new(center - half, center + half));
        }
        events.clear();
        phase.update(&parameters, &colliders, &bodies, &[], &[], &mut events);
        total += clock() - start;
    }
    total / STEPS as f64
}
