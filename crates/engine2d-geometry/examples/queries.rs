//! Questions to shapes: an outline from an SVG path, the distance of two bodies, a ray, a point, pairs that may touch.
//!
//! `cargo run --release -p engine2d-geometry --example queries`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d_geometry::{
    Bounds, BroadPhase, CollisionBody, CollisionFilter, PathShape, PathWorkspace, Ray, path_distance,
};
use engine2d_math::{Pose, Vec2};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A leaf of two Bézier curves: circular arcs stand for them, within a thousandth.
    let leaf = Arc::new(PathShape::from_svg_path("M-2 0C-1-1.5 1-1.5 2 0C1 1.5-1 1.5-2 0Z")?);
    println!("the leaf has {} edges and the area {:.4}", leaf.edges().len(), leaf.area_properties().area);
    let placed = |shape: &Arc<PathShape>, pose: Pose| {
        let mut body = CollisionBody::new(shape.clone());
        body.pose = pose;
        body
    };
    let a = placed(&leaf, Pose::IDENTITY);
    let b = placed(&Arc::new(PathShape::ball(0.5)?), Pose::new(0.0, 2.0, 0.0));
    let found = path_distance(&a.placed(), &b.placed(), f64::INFINITY, &mut PathWorkspace::default());
    let gap = found.map_or(f64::NAN, |found| found.gap);
    println!("a ball above it is {gap:.4} away");
    assert!((gap - 0.375).abs() < 2e-3, "the curve is highest at three quarters of its control points");

    let ray = Ray::new([-5.0, 0.1], [2.0, 0.0], 10.0)?;
    let hit = a.cast_ray(&ray)?.ok_or("the ray meets the leaf")?;
    println!(
        "a ray meets it after {:.4}, where its normal is ({:.3}, {:.3})",
        hit.distance, hit.normal.x, hit.normal.y
    );
    assert!(a.contains_point([0.0, 1.0])? && !a.contains_point([1.9, 0.5])?);

    let mut broad_phase = BroadPhase::new();
    for k in 0..1000 {
        let at = Vec2::new(f64::from(k % 40), f64::from(k / 40)) * 1.5;
        let bounds = Bounds { min: at - Vec2::repeat(0.8), max: at + Vec2::repeat(0.8) };
        broad_phase.insert(bounds, CollisionFilter::default())?;
    }
    println!("of 1000 boxes {} pairs may touch", broad_phase.update().len());
    Ok(())
}
