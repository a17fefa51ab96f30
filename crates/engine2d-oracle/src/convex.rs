//! Kind `convex`: signed distances of convex pairs, and portal answers.

use crate::case::{CaseResult, Difference, Recording, judge_each};
use engine2d_geometry::{Distance, Pose, Shape, ShapeError, distance, mpr, sizes};
use engine2d_math::Vec2;
use serde::Deserialize;

/// Agreement of distances, normals and unique points (absolute).
const LIMIT: f64 = 1e-9;

#[derive(Deserialize)]
#[serde(tag = "kind", content = "params", rename_all = "snake_case")]
enum Kind {
    Circle { radius: f64 },
    Capsule { half_length: f64, radius: f64 },
    Box { half_extents: [f64; 2] },
    Polygon { vertices: Vec<[f64; 2]> },
    Ellipse { semi_x: f64, semi_y: f64 },
}

#[derive(Deserialize)]
struct Placed {
    #[serde(flatten)]
    kind: Kind,
    pose: [f64; 3],
}

#[derive(Deserialize)]
struct PortalRay {
    portal_normal_a_to_b: Vec2,
    distance: f64,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    a: Placed,
    b: Placed,
    distance: f64,
    normal: Vec2,
    point_a: Vec2,
    point_b: Vec2,
    points_unique: bool,
    competing_distance: Option<f64>,
    aabb_a: [f64; 4],
    aabb_b: [f64; 4],
    portal_ray: Option<PortalRay>,
}

impl Placed {
    fn shape(&self) -> Result<Shape, ShapeError> {
        match &self.kind {
            Kind::Circle { radius } => Shape::circle(*radius),
            Kind::Capsule { half_length, radius } => {
                Shape::capsule(sizes::Capsule { half_length: *half_length, radius: *radius })
            }
            Kind::Box { half_extents: [x, y] } => Shape::rectangle(*x, *y),
            Kind::Polygon { vertices } => Shape::polygon(vertices),
            Kind::Ellipse { semi_x, semi_y } => Shape::ellipse(*semi_x, *semi_y),
        }
    }

    fn pose(&self) -> Pose {
        let [x, y, angle] = self.pose;
        Pose::new(x, y, angle)
    }
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    judge_each(recording, "cases", sink, |case: &Case| case.id.clone(), judge_pair);
}

fn judge_pair(case: &Case, d: &mut Difference) -> Result<(), String> {
    let text = |e: ShapeError| e.to_string();
    let (a, b) = (case.a.shape().map_err(text)?, case.b.shape().map_err(text)?);
    let (pose_a, pose_b) = (case.a.pose(), case.b.pose());
    let gap = distance(&a, &pose_a, &b, &pose_b).map_err(|e| e.to_string())?;
    d.compare(gap.distance, case.distance, LIMIT, || "distance".to_owned());
    // A competing direction as good as the best leaves the normal open.
    let decided = case.competing_distance.is_none_or(|c| (c - case.distance).abs() > LIMIT);
    if decided {
        compare_normal("normal", &gap, case.normal, d);
    }
    if case.points_unique && decided {
        compare_vectors("point_a", gap.point_a, case.point_a, d);
        compare_vectors("point_b", gap.point_b, case.point_b, d);
    }
    for (shape, pose, expected) in [(&a, &pose_a, case.aabb_a), (&b, &pose_b, case.aabb_b)] {
        let bounds = shape.bounds(pose);
        compare_vectors("box corner", bounds.min, Vec2::new(expected[0], expected[1]), d);
        compare_vectors("box corner", bounds.max, Vec2::new(expected[2], expected[3]), d);
    }
    if let Some(expected) = &case.portal_ray {
        let portal = mpr(&a, &pose_a, &b, &pose_b).map_err(|e| e.to_string())?;
        d.compare(portal.gap.distance, expected.distance, LIMIT, || "portal distance".to_owned());
        compare_normal("portal normal", &portal.gap, expected.portal_normal_a_to_b, d);
    }
    Ok(())
}

/// Recorded normals point out of A into B, ours the other way.
fn compare_normal(name: &str, gap: &Distance, expected: Vec2, d: &mut Difference) {
    compare_vectors(name, -gap.normal, expected, d);
}

fn compare_vectors(name: &str, found: Vec2, expected: Vec2, d: &mut Difference) {
    d.compare(found.x, expected.x, LIMIT, || format!("{name}.x"));
    d.compare(found.y, expected.y, LIMIT, || format!("{name}.y"));
}
