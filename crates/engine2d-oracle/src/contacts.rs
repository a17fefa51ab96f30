//! Kind `contacts`: the records found between two bodies at given poses.

use crate::case::{CaseResult, Difference, Recording};
use crate::recorded::RecordedGeometry;
use engine2d_geometry::{
    BodyRef, CollisionBody, Contact, Features, OldPose, PathShape, Rules, Tolerances, test_pair_with,
};
use engine2d_math::{Pose, Vec2};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Agreement demanded of every number.
const LIMIT: f64 = 1e-9;

#[derive(Deserialize)]
struct RecordedPose {
    x: f64,
    y: f64,
    angle: f64,
    vx: f64,
    vy: f64,
    w: f64,
}

#[derive(Deserialize)]
struct RecordedOldPose {
    x: f64,
    y: f64,
    sin: f64,
    cos: f64,
}

#[derive(Deserialize)]
struct RecordedBody {
    shape: String,
    fixed: bool,
    distance_tol: f64,
    velocity_tol: f64,
    accuracy: f64,
    pose: RecordedPose,
    old_pose: Option<RecordedOldPose>,
}

/// A recorded contact record, as in geometry files, evaluations and final contacts.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RecordedContact {
    pub(crate) primary: i64,
    pub(crate) normal_body: i64,
    pub(crate) distance: f64,
    pub(crate) normal: Vec2,
    pub(crate) impact1: Vec2,
    impact2: Option<Vec2>,
    pub(crate) normal_velocity: f64,
    contact: bool,
    joint: bool,
    r1: Option<Vec2>,
    r2: Option<Vec2>,
    u1: Option<Vec2>,
    u2: Option<Vec2>,
    ball_object: bool,
    ball_normal: bool,
    radius1: Option<f64>,
    radius2: Option<f64>,
    estimated_dt: Option<f64>,
    is_colliding: Option<bool>,
    illegal: Option<bool>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Configuration {
    id: String,
    body1: RecordedBody,
    body2: RecordedBody,
    results: Vec<RecordedContact>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let fail = |case: &str, reason: String| {
        let mut d = Difference::default();
        d.fail(reason);
        d.verdict(recording.name, case)
    };
    let mut shapes: BTreeMap<String, (Arc<PathShape>, Vec2)> = BTreeMap::new();
    for (id, value) in recording.value.get("shapes").and_then(Value::as_object).into_iter().flatten() {
        let shape = RecordedGeometry::deserialize(value)
            .map_err(|e| e.to_string())
            .and_then(|g| Ok((Arc::new(g.shape()?), g.cm.unwrap_or_else(Vec2::zeros))));
        match shape {
            Ok(shape) => drop(shapes.insert(id.clone(), shape)),
            Err(reason) => sink(fail(id, reason)),
        }
    }
    for value in recording.value.get("configurations").and_then(Value::as_array).into_iter().flatten() {
        match Configuration::deserialize(value) {
            Ok(c) => sink(judge_configuration(recording.name, &c, &shapes)),
            Err(e) => sink(fail("unreadable", e.to_string())),
        }
    }
}

fn judge_configuration(
    file: &str,
    c: &Configuration,
    shapes: &BTreeMap<String, (Arc<PathShape>, Vec2)>,
) -> CaseResult {
    let mut d = Difference::default();
    let bodies: Vec<CollisionBody> =
        [&c.body1, &c.body2].iter().filter_map(|b| collision_body(b, shapes)).collect();
    if bodies.len() != 2 {
        d.fail("a shape is missing");
        return d.verdict(file, &c.id);
    }
    let mut found: Vec<Contact> = Vec::new();
    test_pair_with(&bodies, [0, 1], 0.0, &Rules::REFERENCE, &mut found);
    compare_records(&found, &c.results, LIMIT, &mut d);
    d.verdict(file, &c.id)
}

fn collision_body(
    b: &RecordedBody,
    shapes: &BTreeMap<String, (Arc<PathShape>, Vec2)>,
) -> Option<CollisionBody> {
    let (shape, cm) = shapes.get(&b.shape)?;
    let mut body = CollisionBody::new(shape.clone());
    body.center_of_mass = *cm;
    body.pose = Pose::new(b.pose.x, b.pose.y, b.pose.angle);
    body.velocity = Vec2::new(b.pose.vx, b.pose.vy);
    body.angular_velocity = b.pose.w;
    body.fixed = b.fixed;
    body.tolerances = Tolerances { distance: b.distance_tol, velocity: b.velocity_tol, accuracy: b.accuracy };
    body.old = b.old_pose.as_ref().map(|o| OldPose { position: Vec2::new(o.x, o.y), sin: o.sin, cos: o.cos });
    Some(body)
}

/// Compares records in order, up to the exchange of roles of two corners at the same gap.
pub(crate) fn compare_records(
    found: &[Contact],
    expected: &[RecordedContact],
    limit: f64,
    d: &mut Difference,
) {
    if found.len() != expected.len() {
        let kinds = |f: &Contact| format!("{}", f.id);
        let ours: Vec<String> = found.iter().map(kinds).collect();
        let theirs: Vec<String> =
            expected.iter().map(|e| format!("{} {}-{}", e.kind, e.primary, e.normal_body)).collect();
        d.fail(format!("{} records, recorded {}: {ours:?} / {theirs:?}", found.len(), expected.len()));
        return;
    }
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        compare_record(f, e, limit, i, d);
    }
}

fn body_number(body: BodyRef) -> i64 {
    body.index().map_or(-1, |i| i as i64)
}

fn kind_of(features: Features) -> &'static str {
    match features {
        Features::VertexEdge { .. } => "corner_edge",
        Features::VertexVertex { .. } => "corner_corner",
        Features::EdgeEdge { .. } => "edge_edge",
        Features::Connector(_) | Features::Joint(_) => "connector",
    }
}

pub(crate) fn compare_record(f: &Contact, e: &RecordedContact, limit: f64, i: usize, d: &mut Difference) {
    let roles = (body_number(f.id.primary), body_number(f.id.normal_body));
    let swapped = roles != (e.primary, e.normal_body);
    if kind_of(f.id.features) != e.kind || (swapped && roles != (e.normal_body, e.primary)) {
        d.fail(format!("record {i} is {}, recorded {} {}-{}", f.id, e.kind, e.primary, e.normal_body));
        return;
    }
    let mut compare = |name: &str, found: f64, expected: f64| {
        d.compare(found, expected, limit * expected.abs().max(1.0), || format!("{name} of record {i}"));
    };
    compare("distance", f.distance, e.distance);
    compare("normal velocity", f.velocity, e.normal_velocity);
    // Equal gaps found from both sides may exchange the roles: then the normal is reversed and the points
    // belong to the other body.
    let sign = if swapped { -1.0 } else { 1.0 };
    compare("normal.x", sign * f.normal.x, e.normal.x);
    compare("normal.y", sign * f.normal.y, e.normal.y);
    if swapped {
        return;
    }
    for (name, ours, theirs) in [
        ("impact1", f.point, Some(e.impact1)),
        ("impact2", f.normal_point, Some(e.impact2.unwrap_or(e.impact1))),
        ("r1", f.r1, e.r1),
        ("r2", f.r2, e.r2),
        ("u1", f.u1, e.u1),
        ("u2", f.u2, e.u2),
    ] {
        // Arms on the ground are not recorded.
        let Some(theirs) = theirs else { continue };
        compare(name, ours.x, theirs.x);
        compare(name, ours.y, theirs.y);
    }
    if let (Some(radius), Some(ours)) = (e.radius1, f.primary_radius.filter(|r| r.is_finite())) {
        compare("radius1", ours, radius);
    }
    if let Some(radius) = e.radius2.filter(|_| f.normal_radius.is_finite()) {
        compare("radius2", f.normal_radius, radius);
    }
    if let (Some(ours), Some(theirs)) = (f.estimate, e.estimated_dt) {
        compare("estimated time", ours - f.detection.time, theirs);
    }
    for (name, ours, theirs) in [
        ("contact", f.is_contact(), Some(e.contact)),
        ("joint", f.bilateral, Some(e.joint)),
        ("curved primary", f.primary_curved, Some(e.ball_object)),
        ("curved normal", f.normal_curved, Some(e.ball_normal)),
        ("colliding", f.is_colliding(), e.is_colliding),
        ("illegal", f.is_illegal(), e.illegal),
    ] {
        d.require(theirs.is_none_or(|t| t == ours), || format!("{name} of record {i} is {ours}"));
    }
    let has_estimate = e.estimated_dt.is_some();
    let comparable = e.is_colliding.is_some();
    d.require(!comparable || f.estimate.is_some() == has_estimate, || {
        format!("record {i} has estimate {:?}, recorded {:?}", f.estimate, e.estimated_dt)
    });
}
