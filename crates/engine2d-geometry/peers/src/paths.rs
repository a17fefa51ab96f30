//! Detection between path bodies: blocks near each other.

use crate::measure::{Random, median_us};
use engine2d_geometry::{CollisionBody, Contact, PathShape, Pose, test_pair};
use engine2d_math::Vec2;
use std::hint::black_box;
use std::sync::Arc;

const PAIRS: usize = 10_000;

pub fn run() {
    for (name, shape) in [
        ("block", PathShape::block(1.0, 1.0).unwrap()),
        ("ball", PathShape::ball(0.5).unwrap()),
        ("rounded block", PathShape::round_corner_block(1.0, 1.0, 0.1).unwrap()),
    ] {
        let shape = Arc::new(shape);
        for moving in [false, true] {
            let mut random = Random(5);
            let bodies: Vec<CollisionBody> = (0..2 * PAIRS)
                .map(|i| {
                    let mut body = CollisionBody::new(shape.clone());
                    // The second of each pair rests on the first or is a little off it.
                    let height = if i % 2 == 0 { 0.0 } else { 1.0 + random.within(0.0, 0.02) };
                    let x = 3.0 * (i / 2) as f64 + random.within(-0.3, 0.3);
                    body.pose = Pose::new(x, height, random.within(-0.004, 0.004));
                    if moving {
                        body.save_old_pose();
                        body.pose
                            .set_position(body.pose.position() - Vec2::new(0.0, random.within(0.0, 0.01)));
                    }
                    body
                })
                .collect();
            let mut records: Vec<Contact> = Vec::new();
            let mut count = 0;
            let time = median_us(|| {
                count = 0;
                for i in 0..PAIRS as u32 {
                    records.clear();
                    test_pair(black_box(&bodies), 2 * i, 2 * i + 1, 0.0, &mut records);
                    count += records.len();
                }
            });
            let mode = if moving { "moving" } else { "still" };
            println!("10,000 {name} pairs, {mode}: {:.2} ms, {count} records", time / 1e3);
        }
    }
    println!();
}
