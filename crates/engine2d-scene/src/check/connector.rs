//! Judging connectors and curves.

use super::assembled::Stage;
use super::body::{check_body_reference, check_pair, reference_text};
use super::joint::{SHORTEST_DIRECTION, check_joint};
use super::numbers::{At, Judge, Range};
use crate::body::BodyRef;
use crate::connector::{Connector, Curve, Line};
use crate::force_law::Frame;
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::point::Point;
use crate::scene::Scene;
use crate::suggestion;
use engine2d_geometry::PathShape;
use engine2d_math::sampled_curve::SampledCurve;
use engine2d_math::{Pose, Vec2};
use std::sync::Arc;

/// Judges a connector, and whether it is assembled at the start.
pub(super) fn check_connector(
    path: &str,
    connector: &Connector,
    scene: &Scene,
    names: &Names,
    shapes: &[Option<Arc<PathShape>>],
    judge: &mut Judge<'_>,
) {
    // What stands for a connector that could not be read says nothing.
    if !judge.is_clean(format_args!("{path}.type")) {
        return;
    }
    let at = |field| At(path, field);
    let stage = Stage { scene, names, shapes };
    check_joint(path, connector, names, judge);
    match connector {
        Connector::Joint { body_a, point_a, body_b, point_b, normal, frame } => {
            check_ends(path, [body_a, body_b], [*point_a, *point_b], names, judge);
            judge.point(at("normal"), *normal);
            let length = Vec2::from(*normal).norm();
            if length < SHORTEST_DIRECTION {
                let allowed = "a normal has a direction".to_owned();
                judge.not_allowed(at("normal"), format!("{normal:?}"), allowed);
            }
            if let Some(offset) = stage.offset(path, [body_a, body_b], [*point_a, *point_b], judge) {
                let turned = match (frame, names.resolve(body_b)) {
                    (Frame::Body, Ok(Some(b))) => Pose::new(0.0, 0.0, scene.bodies[b].angle).rotate(*normal),
                    _ => (*normal).into(),
                };
                stage.check_gap(path, offset.dot(&turned).abs() / length, "its ends", judge);
            }
        }
        Connector::Pin { body_a, point_a, body_b, point_b, .. } => {
            check_ends(path, [body_a, body_b], [*point_a, *point_b], names, judge);
            if let Some(offset) = stage.offset(path, [body_a, body_b], [*point_a, *point_b], judge) {
                stage.check_gap(path, offset.norm(), "its ends", judge);
            }
        }
        Connector::Rod(line) => {
            if let Some((length, distance)) = check_line(path, line, false, &stage, judge) {
                stage.check_gap(
                    path,
                    (distance - length).abs(),
                    "its length and the distance of its ends",
                    judge,
                );
            }
        }
        Connector::Rope(line) => {
            if let Some((length, distance)) = check_line(path, line, true, &stage, judge) {
                stage.check_gap(path, distance - length, "its length and the distance of its ends", judge);
            }
        }
        Connector::PathJoint { body, point, curve } => {
            check_body_reference(&at("body").to_string(), body, names, judge);
            judge.point(at("point"), *point);
            check_curve_name(&at("curve").to_string(), curve, scene, judge);
        }
        Connector::PathEndStop { body, point, curve, limit, upper } => {
            check_body_reference(&at("body").to_string(), body, names, judge);
            judge.point(at("point"), *point);
            check_curve_name(&at("curve").to_string(), curve, scene, judge);
            judge.number(at("limit"), *limit, Range::Any);
            if judge.is_clean(path)
                && let Some(length) = length_to(&stage, (body, *point), curve, judge)
            {
                let beyond = if *upper { length - limit } else { limit - length };
                stage.check_limit(path, beyond, judge);
            }
        }
        _ => {}
    }
}

/// Judges two attachments.
fn check_ends(path: &str, bodies: [&BodyRef; 2], points: [Point; 2], names: &Names, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    check_pair(path, "a connector", bodies, names, judge);
    judge.point(at("point_a"), points[0]);
    judge.point(at("point_b"), points[1]);
}

/// Judges a rod, or a rope, which may be slack; its length and the distance of its ends at the start.
fn check_line(
    path: &str,
    line: &Line,
    is_rope: bool,
    stage: &Stage<'_>,
    judge: &mut Judge<'_>,
) -> Option<(f64, f64)> {
    let at = |field| At(path, field);
    let (bodies, points) = ([&line.body_a, &line.body_b], [line.point_a, line.point_b]);
    check_ends(path, bodies, points, stage.names, judge);
    judge.number_if(at("length"), line.length, Range::Positive);
    let movable = stage.names.resolve(&line.body_b).map(|b| b.is_some_and(|b| !stage.scene.bodies[b].fixed));
    if movable == Ok(false) && judge.is_clean(at("body_b")) {
        let allowed = "the second body of a rod or rope must be movable (exchange the ends)".to_owned();
        judge.not_allowed(at("body_b"), reference_text(&line.body_b), allowed);
    }
    let distance = stage.offset(path, bodies, points, judge)?.norm();
    let is_slack = is_rope && line.length.is_some_and(|length| length > SHORTEST_DIRECTION);
    if distance < SHORTEST_DIRECTION && !is_slack {
        let reason =
            "the ends are at the same place at the start: a rod or taut rope needs a direction".to_owned();
        judge.note(path, MistakeKind::Shape { reason });
        return None;
    }
    Some((line.length.unwrap_or(distance), distance))
}

/// Arc length at which a point of a body is on an open curve at the start.
fn length_to(
    stage: &Stage<'_>,
    (body, point): (&BodyRef, Point),
    curve: &str,
    judge: &Judge<'_>,
) -> Option<f64> {
    let curve = stage.scene.curves.get(curve).filter(|curve| !curve.is_closed())?;
    let place = stage.place(body, point, judge)?;
    let table = SampledCurve::from_points(&curve.points(), false).ok()?;
    Some(table.smooth(table.smooth_nearest(place, table.nearest_table_point(place)).s).1)
}

fn check_curve_name(path: &str, curve: &str, scene: &Scene, judge: &mut Judge<'_>) {
    if !scene.curves.contains_key(curve) {
        let known = scene.curves.keys();
        judge.note(
            path,
            MistakeKind::UnknownName {
                what: "curve",
                name: curve.to_owned(),
                suggestion: suggestion::nearest(curve, known.clone().map(String::as_str)),
                known: known.cloned().collect(),
            },
        );
    }
}

/// Judges a curve.
pub(super) fn check_curve(path: &str, curve: &Curve, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    let check_table = |length: u32, judge: &mut Judge<'_>| {
        if length < Curve::MIN_TABLE_LENGTH {
            let allowed = format!("at least {} are needed", Curve::MIN_TABLE_LENGTH);
            judge.not_allowed(at("table_length"), length.to_string(), allowed);
        }
        if length > Curve::MAX_TABLE_LENGTH {
            let allowed = format!("at most {} are supported", Curve::MAX_TABLE_LENGTH);
            judge.not_allowed(at("table_length"), length.to_string(), allowed);
        }
    };
    match curve {
        Curve::Circle { radius, table_length } => {
            judge.number(at("radius"), *radius, Range::Positive);
            check_table(*table_length, judge);
        }
        Curve::Polynomial { x, y, from, to, table_length } => {
            for (name, coefficients) in [("x", x), ("y", y)] {
                for (k, &c) in coefficients.iter().enumerate() {
                    judge.number(format_args!("{path}.{name}[{k}]"), c, Range::Any);
                }
            }
            judge.number(at("from"), *from, Range::Any);
            judge.number(at("to"), *to, Range::Any);
            if to <= from {
                let allowed = format!("it must be greater than from, {from:?}");
                judge.not_allowed(at("to"), format!("{to:?}"), allowed);
            }
            check_table(*table_length, judge);
        }
        Curve::Points { points, closed } => check_points(path, points, *closed, judge),
    }
    if judge.is_clean(path)
        && let Err(reason) = curve.check_table()
    {
        judge.note(path, MistakeKind::Shape { reason });
    }
}

fn check_points(path: &str, points: &[Point], closed: bool, judge: &mut Judge<'_>) {
    let at = format!("{path}.points");
    if points.len() < Curve::MIN_TABLE_LENGTH as usize {
        let reason =
            format!("{} points found, at least {} are needed", points.len(), Curve::MIN_TABLE_LENGTH);
        judge.note(&at, MistakeKind::Shape { reason });
    }
    for (k, &point) in points.iter().enumerate() {
        judge.point(format_args!("{at}[{k}]"), point);
    }
    if let (true, Some(&first), Some(&last)) = (closed, points.first(), points.last())
        && (Vec2::from(first) - Vec2::from(last)).norm() > SHORTEST_DIRECTION
    {
        let reason = "a closed curve ends with its first point".to_owned();
        judge.note(&at, MistakeKind::Shape { reason });
    }
}
