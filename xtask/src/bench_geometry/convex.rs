//! One convex pair query: signed distance, normal, witness points and features, by kinds of shapes.

use super::{beside, say_heading};
use crate::measure::{median, median_time, within};
use crate::{TaskError, say};
use engine2d_geometry::{Pose, Shape, ShapeError, distance, sizes};
use engine2d_math::random::Lcg32;
use engine2d_math::trig;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::hint::black_box;

/// Random pairs of each kind; half of them are about to touch or overlap.
const PAIRS: usize = 400;

/// Position and angle.
pub(super) type Place = [f64; 3];

/// A shape by its lengths, for any system.
#[derive(Clone)]
pub(super) enum Form {
    Ball(f64),
    /// Half width and half height.
    Block(f64, f64),
    /// Half length and radius.
    Capsule(f64, f64),
    Polygon(Vec<[f64; 2]>),
    /// Semi-axes.
    Ellipse(f64, f64),
}

impl Form {
    fn shape(&self) -> Result<Shape, ShapeError> {
        match self {
            Self::Ball(r) => Shape::circle(*r),
            Self::Block(x, y) => Shape::rectangle(*x, *y),
            Self::Capsule(half, r) => Shape::capsule(sizes::Capsule { half_length: *half, radius: *r }),
            Self::Polygon(points) => Shape::polygon(points),
            Self::Ellipse(a, b) => Shape::ellipse(*a, *b),
        }
    }
}

/// Corners on a circle, not quite evenly: the polygon keeps all of them.
fn polygon(corners: u32, random: &mut Lcg32) -> Form {
    let corner = |i: u32| {
        let (sin, cos) = trig::sin_cos((f64::from(i) + within(random, 0.0, 0.8)) * TAU / f64::from(corners));
        [cos, sin]
    };
    Form::Polygon((0..corners).map(corner).collect())
}

fn poses(random: &mut Lcg32) -> [Place; 2] {
    let (sin, cos) = trig::sin_cos(within(random, 0.0, TAU));
    let apart = within(random, 0.2, 3.0);
    let [x, y] = [(); 2].map(|()| within(random, -5.0, 5.0));
    let mut turn = || within(random, 0.0, TAU);
    [[x, y, turn()], [x + apart * cos, y + apart * sin, turn()]]
}

pub(super) fn run(records: &mut Vec<Value>) -> Result<(), TaskError> {
    let mut random = Lcg32::new(7);
    let kinds = [
        ("ball", Form::Ball(0.8)),
        ("box", Form::Block(0.9, 0.6)),
        ("capsule", Form::Capsule(0.7, 0.4)),
        ("triangle", polygon(3, &mut random)),
        ("octagon", polygon(8, &mut random)),
        ("32-gon", polygon(32, &mut random)),
        ("ellipse", Form::Ellipse(0.9, 0.5)),
    ];
    say_heading("convex pair query", "ns", "parry ns");
    let (mut all, mut all_peer) = (Vec::new(), Vec::new());
    for (i, (name_a, a)) in kinds.iter().enumerate() {
        for (name_b, b) in &kinds[i..] {
            let places: Vec<[Place; 2]> = (0..PAIRS).map(|_| poses(&mut random)).collect();
            let time = ours(a, b, &places)?;
            let peer = peer_time(a, b, &places);
            let kind = format!("{name_a} / {name_b}");
            say(&format!("{kind:40}{time:10.1}{}", beside(time, peer)));
            records.push(json!({ "bench": "convex", "kind": kind, "ns": time, "peer_ns": peer }));
            // The median compares what both have.
            if peer.is_some() || cfg!(not(feature = "peers")) {
                all.push(time);
                all_peer.extend(peer);
            }
        }
    }
    let (time, peer) = (median(&mut all), median(&mut all_peer));
    let peer = (!peer.is_nan()).then_some(peer);
    say(&format!("{:40}{time:10.1}{}", "median over kinds", beside(time, peer)));
    records.push(json!({ "bench": "convex", "kind": "median", "ns": time, "peer_ns": peer }));
    Ok(())
}

/// Nanoseconds of one query.
fn ours(a: &Form, b: &Form, places: &[[Place; 2]]) -> Result<f64, TaskError> {
    let (a, b) = (a.shape()?, b.shape()?);
    let poses: Vec<[Pose; 2]> = places.iter().map(|p| p.map(|[x, y, t]| Pose::new(x, y, t))).collect();
    let time = median_time(|| {
        for [p, q] in &poses {
            let _ = black_box(distance(black_box(&a), p, black_box(&b), q));
        }
    });
    Ok(time * 1e3 / PAIRS as f64)
}

/// Nanoseconds of parry's query; `None` where it has no such shape or does not take part.
#[cfg(feature = "peers")]
fn peer_time(a: &Form, b: &Form, places: &[[Place; 2]]) -> Option<f64> {
    super::peers::convex_time(a, b, places)
}

#[cfg(not(feature = "peers"))]
fn peer_time(_a: &Form, _b: &Form, _places: &[[Place; 2]]) -> Option<f64> {
    None
}
