//! Detection between path bodies: pairs that rest on each other or are a little apart.

use super::beside;
use crate::measure::{median_time, within};
use crate::{TaskError, say};
use engine2d_geometry::{
    CollisionBody, Contact, ContactBand, PathShape, PathWorkspace, Pose, path_contacts, path_distance, sizes,
    test_pair,
};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::Arc;

const PAIRS: usize = 10_000;

/// How far signed distances and near places are looked for (length).
const REACH: f64 = 0.01;

/// Tilt up to which corners are near places (radians).
const TILT: f64 = 0.1;

pub(super) fn run(records: &mut Vec<Value>) -> Result<(), TaskError> {
    say(&format!("\n{:40}{:>10}", "10,000 pairs of path bodies", "ms"));
    for (name, shape) in [
        ("blocks", PathShape::block(1.0, 1.0)?),
        ("balls", PathShape::ball(0.5)?),
        (
            "rounded blocks",
            PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius: 0.1 })?,
        ),
    ] {
        let shape = Arc::new(shape);
        for (mode, moving) in [("still", false), ("moving", true)] {
            let bodies = pairs(&shape, moving);
            let mut found: Vec<Contact> = Vec::new();
            let mut count = 0;
            let time = median_time(|| {
                count = 0;
                for i in 0..PAIRS as u32 {
                    found.clear();
                    test_pair(black_box(&bodies), 2 * i, 2 * i + 1, 0.0, &mut found);
                    count += found.len();
                }
            }) / 1e3;
            let kind = format!("{name}, {mode}");
            say(&format!("{kind:40}{time:10.2}{}   {count} records", beside(time, None)));
            records.push(json!({ "bench": "paths", "kind": kind, "ms": time, "records": count }));
        }
        let bodies = pairs(&shape, false);
        measure_distances(name, &bodies, records);
        measure_contacts(name, &bodies, records);
    }
    Ok(())
}

/// Signed distances, as of a report, within a hundredth.
fn measure_distances(name: &str, bodies: &[CollisionBody], records: &mut Vec<Value>) {
    let mut workspace = PathWorkspace::default();
    let mut overlaps = 0;
    let time = median_time(|| {
        overlaps = 0;
        for pair in black_box(bodies).chunks_exact(2) {
            let found = path_distance(&pair[0].placed(), &pair[1].placed(), REACH, &mut workspace);
            overlaps += usize::from(found.is_some_and(|d| d.gap < 0.0));
        }
    }) / 1e3;
    let kind = format!("{name}, signed distance");
    say(&format!("{kind:40}{time:10.2}{}   {overlaps} overlaps", beside(time, None)));
    records.push(json!({ "bench": "paths", "kind": kind, "ms": time, "overlaps": overlaps }));
}

/// Near places within a hundredth.
fn measure_contacts(name: &str, bodies: &[CollisionBody], records: &mut Vec<Value>) {
    let mut workspace = PathWorkspace::default();
    let band = ContactBand { depth: REACH, reach: REACH, tilt: TILT };
    let mut found = Vec::new();
    let mut count = 0;
    let time = median_time(|| {
        count = 0;
        for pair in black_box(bodies).chunks_exact(2) {
            found.clear();
            path_contacts(&pair[0].placed(), &pair[1].placed(), &band, &mut workspace, &mut found);
            count += found.len();
        }
    }) / 1e3;
    let kind = format!("{name}, near places");
    say(&format!("{kind:40}{time:10.2}{}   {count} places", beside(time, None)));
    records.push(json!({ "bench": "paths", "kind": kind, "ms": time, "places": count }));
}

/// Pairs side by side, the second of each on or a little above the first.
fn pairs(shape: &Arc<PathShape>, moving: bool) -> Vec<CollisionBody> {
    let mut random = Lcg32::new(5);
    let body = |i: usize| {
        let mut body = CollisionBody::new(shape.clone());
        let height = if i.is_multiple_of(2) { 0.0 } else { 1.0 + within(&mut random, 0.0, 0.02) };
        let x = 3.0 * (i / 2) as f64 + within(&mut random, -0.3, 0.3);
        body.pose = Pose::new(x, height, within(&mut random, -0.004, 0.004));
        if moving {
            body.save_old_pose();
            body.translate(Vec2::new(0.0, -within(&mut random, 0.0, 0.01)));
        }
        body
    };
    (0..2 * PAIRS).map(body).collect()
}
