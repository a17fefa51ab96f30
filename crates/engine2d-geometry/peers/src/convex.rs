//! One convex pair query: signed distance, normal and witness points.

use crate::measure::{Random, median, median_us};
use engine2d_geometry::{Pose, Shape, distance};
use parry2d_f64::math::{Pose as PeerPose, Vector};
use parry2d_f64::query::contact;
use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid, Shape as PeerShape};
use std::hint::black_box;

/// Random pairs of each kind; half of them are about to touch or overlap.
const PAIRS: usize = 400;

type Both = (Shape, Box<dyn PeerShape>);

fn ball(r: f64) -> Both {
    (Shape::circle(r).unwrap(), Box::new(Ball::new(r)))
}

fn block(x: f64, y: f64) -> Both {
    (Shape::rectangle(x, y).unwrap(), Box::new(Cuboid::new(Vector::new(x, y))))
}

fn capsule(half: f64, r: f64) -> Both {
    (Shape::capsule(half, r).unwrap(), Box::new(Capsule::new_x(half, r)))
}

fn polygon(corners: usize, random: &mut Random) -> Both {
    // Corners on a circle keep the polygon convex with all of them.
    let mut angles: Vec<f64> = (0..corners)
        .map(|i| (i as f64 + random.within(0.0, 0.8)) * std::f64::consts::TAU / corners as f64)
        .collect();
    angles.sort_by(f64::total_cmp);
    let points: Vec<[f64; 2]> = angles.iter().map(|a| [a.cos(), a.sin()]).collect();
    let peer = ConvexPolygon::from_convex_polyline(points.iter().map(|&p| Vector::from(p)).collect());
    (Shape::polygon(&points).unwrap(), Box::new(peer.unwrap()))
}

pub fn run() {
    let mut random = Random(7);
    let kinds: Vec<(&str, Both)> = vec![
        ("ball", ball(0.8)),
        ("box", block(0.9, 0.6)),
        ("capsule", capsule(0.7, 0.4)),
        ("triangle", polygon(3, &mut random)),
        ("octagon", polygon(8, &mut random)),
        ("32-gon", polygon(32, &mut random)),
    ];
    println!("convex pair, ns per query            ours   parry  ratio   largest disagreement");
    let (mut all_ours, mut all_theirs) = (Vec::new(), Vec::new());
    for (i, (name_a, a)) in kinds.iter().enumerate() {
        for (name_b, b) in &kinds[i..] {
            let poses: Vec<[(f64, f64, f64); 2]> = (0..PAIRS)
                .map(|_| {
                    let turn = random.within(0.0, 6.28);
                    let r = random.within(0.2, 3.0);
                    let here = (random.within(-5.0, 5.0), random.within(-5.0, 5.0), random.within(0.0, 6.28));
                    let there = (here.0 + r * turn.cos(), here.1 + r * turn.sin(), random.within(0.0, 6.28));
                    [here, there]
                })
                .collect();
            let ours: Vec<[Pose; 2]> = poses.iter().map(|p| p.map(|(x, y, t)| Pose::new(x, y, t))).collect();
            let theirs: Vec<[PeerPose; 2]> =
                poses.iter().map(|p| p.map(|(x, y, t)| PeerPose::new(Vector::new(x, y), t))).collect();
            let mut worst = 0.0_f64;
            for (o, t) in ours.iter().zip(&theirs) {
                let gap = distance(&a.0, &o[0], &b.0, &o[1]).unwrap().distance;
                if let Ok(Some(c)) = contact(&t[0], &*a.1, &t[1], &*b.1, 1e9) {
                    worst = worst.max((gap - c.dist).abs());
                }
            }
            let mine = median_us(|| {
                for o in &ours {
                    let _ = black_box(distance(black_box(&a.0), &o[0], black_box(&b.0), &o[1]));
                }
            }) * 1e3
                / PAIRS as f64;
            let peer = median_us(|| {
                for t in &theirs {
                    let _ = black_box(contact(&t[0], black_box(&*a.1), &t[1], black_box(&*b.1), 1e9));
                }
            }) * 1e3
                / PAIRS as f64;
            let name = format!("{name_a} / {name_b}");
            println!("{name:32} {mine:8.1} {peer:7.1} {:6.2}   {worst:.1e}", mine / peer);
            all_ours.push(mine);
            all_theirs.push(peer);
        }
    }
    let (m, p) = (median(&mut all_ours), median(&mut all_theirs));
    println!("{:32} {m:8.1} {p:7.1} {:6.2}\n", "median over kinds", m / p);
}
