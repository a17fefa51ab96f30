//! Pairs of shapes: signed distances and casts against those of their outlines as polygons, and the queries of convex shapes against
//! those of the same shapes as paths, which are another algorithm.

use super::bytes::Bytes;
use super::outline::Outline;
use super::verdict::Verdict;
use engine2d_geometry::{
    PathShape, PathWorkspace, PlacedPath, Pose, Shape, distance, path_cast, path_distance, sizes,
};
use engine2d_math::{Vec2, trig};

/// Chords leave arcs by at most this (length); shapes are some units large.
const CHORD: f64 = 2e-3;

/// Rounding of distances of shapes some units large (length).
const ROUNDING: f64 = 1e-9;

/// Distance at which a cast has arrived, relative to the shape pushed.
const ARRIVED: f64 = 1e-8;

/// Distance (length) from which a depth is not the rounding of a touch.
const DEEP: f64 = 1e-6;

pub(super) fn judge(bytes: &mut Bytes<'_>) -> Verdict {
    if bytes.byte().is_multiple_of(3) { convex(bytes) } else { paths(bytes) }
}

fn pose(bytes: &mut Bytes<'_>) -> Pose {
    // Now and then exactly beside or upon each other.
    let step = if bytes.byte().is_multiple_of(4) { 2.0 } else { 1e4 };
    let mut place = |reach: f64| (bytes.between(-reach, reach) * step).round() / step;
    let (x, y) = (place(3.0), place(3.0));
    let angle = if bytes.byte().is_multiple_of(4) { 0.0 } else { bytes.between(-4.0, 4.0) };
    Pose::new(x, y, angle)
}

fn path(bytes: &mut Bytes<'_>) -> Option<PathShape> {
    let (w, h) = (bytes.between(0.2, 3.0), bytes.between(0.2, 3.0));
    let shape = match bytes.below(9) {
        0 => PathShape::ball(0.5 * w),
        1 => PathShape::block(w, h),
        2 => PathShape::round_block(w.min(0.9 * h), h),
        3 => PathShape::round_corner_block(sizes::RoundCornerBlock {
            width: w,
            height: h,
            radius: 0.3 * w.min(h),
        }),
        4 => PathShape::frame(sizes::Frame { width: w + 0.5, height: h + 0.5, thickness: 0.2 }),
        5 => PathShape::gear(sizes::Gear {
            teeth: 3 + bytes.below(9) as u32,
            outer: w + 0.3,
            inner: w,
            tip: 0.4,
        }),
        6 => PathShape::ellipse([w, h], 0.5 * CHORD),
        7 => PathShape::pendulum(sizes::Pendulum { half_width: 0.1 * w, length: h, radius: 0.3 * w }),
        _ => {
            let points: Vec<Vec2> = (0..3 + bytes.below(6))
                .map(|_| Vec2::new(bytes.between(-2.0, 2.0), bytes.between(-2.0, 2.0)))
                .collect();
            PathShape::hull(&points)
        }
    };
    shape.ok()
}

fn paths(bytes: &mut Bytes<'_>) -> Verdict {
    let (Some(a), Some(b)) = (path(bytes), path(bytes)) else { return Verdict::Refused("no shapes") };
    let (pose_a, pose_b) = (pose(bytes), pose(bytes));
    let (one, two) = (PlacedPath::new(&a, pose_a), PlacedPath::new(&b, pose_b));
    let mut workspace = PathWorkspace::default();
    let (Some(there), Some(back)) = (
        path_distance(&one, &two, f64::INFINITY, &mut workspace),
        path_distance(&two, &one, f64::INFINITY, &mut workspace),
    ) else {
        return Verdict::Wrong(format!("no distance of {pose_a:?} and {pose_b:?}"));
    };
    if (there.gap - back.gap).abs() > ROUNDING {
        return Verdict::Wrong(format!("{} one way, {} the other", there.gap, back.gap));
    }
    let (outline_a, outline_b) = (Outline::new(&a, &pose_a, CHORD), Outline::new(&b, &pose_b, CHORD));
    let apart = outline_a.apart(&outline_b);
    let slack = 2.0 * CHORD + ROUNDING;
    let within = outline_a.corners().any(|p| outline_b.contains(p) && outline_b.distance(p) > slack)
        || outline_b.corners().any(|p| outline_a.contains(p) && outline_a.distance(p) > slack);
    if there.gap > slack && (within || (there.gap - apart).abs() > slack) {
        return Verdict::Wrong(format!("a gap of {}, of the outlines {apart}, overlap {within}", there.gap));
    }
    if there.gap < -slack && apart > slack && !within {
        return Verdict::Wrong(format!("{} deep, outlines {apart} apart", -there.gap));
    }
    if there.gap <= slack {
        return Verdict::Sound;
    }
    // Pushed on, they meet where the cast says and not before.
    let (sin, cos) = trig::sin_cos(bytes.between(-4.0, 4.0));
    let direction = Vec2::new(cos, sin);
    let at = |way: f64| {
        let place = pose_a.position() + direction * way;
        Pose::new(place.x, place.y, pose_a.angle())
    };
    let reach = 10.0;
    let met = match path_cast(&one, direction * reach, &two, &mut workspace) {
        Ok(met) => met.map(|(way, _)| way),
        Err(error) => return Verdict::Wrong(format!("cast: {error}")),
    };
    if let Some(way) = met {
        let placed = PlacedPath::new(&a, at(way));
        let gap =
            path_distance(&placed, &two, f64::INFINITY, &mut workspace).map_or(f64::NAN, |found| found.gap);
        if !(gap.abs() <= ARRIVED * (1.0 + a.outline_circle().1)) {
            return Verdict::Wrong(format!("cast to a gap of {gap:e}"));
        }
    }
    for k in 0..16 {
        let way = met.unwrap_or(reach) * f64::from(k) / 16.0;
        let moved = Outline::new(&a, &at(way), CHORD);
        if moved.corners().any(|p| outline_b.contains(p) && outline_b.distance(p) > slack) {
            return Verdict::Wrong(format!("within after {way}, met after {met:?}"));
        }
    }
    Verdict::Sound
}

fn round(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let (w, h) = (bytes.between(0.1, 1.5), bytes.between(0.1, 1.5));
    let shape = match bytes.below(4) {
        0 => Shape::circle(w),
        1 => Shape::capsule(sizes::Capsule { half_length: w, radius: h }),
        2 => Shape::rectangle(w, h),
        _ => {
            let points: Vec<Vec2> = (0..3 + bytes.below(5))
                .map(|_| Vec2::new(bytes.between(-2.0, 2.0), bytes.between(-2.0, 2.0)))
                .collect();
            Shape::polygon(points)
        }
    };
    let is_rounded = bytes.byte().is_multiple_of(4);
    shape.and_then(|shape| if is_rounded { shape.rounded(0.2) } else { Ok(shape) }).ok()
}

fn convex(bytes: &mut Bytes<'_>) -> Verdict {
    let (Some(a), Some(b)) = (round(bytes), round(bytes)) else { return Verdict::Refused("no shapes") };
    let (Ok(path_a), Ok(path_b)) = (a.to_path(CHORD), b.to_path(CHORD)) else {
        return Verdict::Wrong("a shape without a path".to_owned());
    };
    let (pose_a, pose_b) = (pose(bytes), pose(bytes));
    let found = match distance(&a, &pose_a, &b, &pose_b) {
        Ok(found) => found,
        Err(error) => return Verdict::Wrong(format!("distance: {error}")),
    };
    // A path is placed by its centre of mass, a convex shape by its origin.
    let place = |path: &PathShape, pose: &Pose| {
        let center = pose.position() + pose.rotate(path.center_of_mass());
        Pose::new(center.x, center.y, pose.angle())
    };
    let (one, two) = (
        PlacedPath::new(&path_a, place(&path_a, &pose_a)),
        PlacedPath::new(&path_b, place(&path_b, &pose_b)),
    );
    let gap = path_distance(&one, &two, f64::INFINITY, &mut PathWorkspace::default())
        .map_or(f64::NAN, |found| found.gap);
    let agree = if found.distance > DEEP { (gap - found.distance).abs() <= ROUNDING } else { gap <= DEEP };
    if !agree {
        return Verdict::Wrong(format!("{} as convex shapes, {gap} as paths", found.distance));
    }
    // The least way out is one: pushed by it, they only touch.
    if found.distance < -DEEP {
        let out = pose_a.position() - found.normal * found.distance;
        match distance(&a, &Pose::new(out.x, out.y, pose_a.angle()), &b, &pose_b) {
            Ok(after) if after.distance.abs() <= DEEP => {}
            after => return Verdict::Wrong(format!("{} deep, after the way out {after:?}", -found.distance)),
        }
    }
    Verdict::Sound
}
