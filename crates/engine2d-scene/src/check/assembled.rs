//! Judging whether connectors are assembled at the start.

use super::numbers::Judge;
use crate::assembly::Assembly;
use crate::body::{Body, BodyRef};
use crate::connector::Connector;
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::point::Point;
use crate::scene::Scene;
use engine2d_constraint::{FrameMotion, Joint, Level, Motions, RowKind};
use engine2d_geometry::PathShape;
use engine2d_math::{Pose, Vec2};
use engine2d_sim::ClockKind;
use std::sync::Arc;

/// How the bodies stand at the start.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Scene,
    pub(super) names: &'a Names,
    pub(super) shapes: &'a [Option<Arc<PathShape>>],
}

impl Stage<'_> {
    /// From the second attachment to the first, if everything involved is sound.
    pub(super) fn offset(
        &self,
        path: &str,
        bodies: [&BodyRef; 2],
        points: [Point; 2],
        judge: &Judge<'_>,
    ) -> Option<Vec2> {
        if !judge.is_clean(path) {
            return None;
        }
        Some(self.place(bodies[0], points[0], judge)? - self.place(bodies[1], points[1], judge)?)
    }

    /// Where a point of a body is, if everything involved is sound.
    pub(super) fn place(&self, body: &BodyRef, point: Point, judge: &Judge<'_>) -> Option<Vec2> {
        let Some(index) = self.names.resolve(body).ok()? else { return Some(point.into()) };
        if !judge.is_clean(format_args!("bodies[{index}]")) {
            return None;
        }
        let shape = self.shapes[index].as_ref()?;
        Some(self.scene.bodies[index].frame(shape).transform(point))
    }

    /// Notes two places that are apart at the start; `what` names them.
    pub(super) fn check_gap(&self, path: &str, gap: f64, what: &str, judge: &mut Judge<'_>) {
        self.check_off(path, gap, &format!("{what} are {gap:.6} apart"), judge);
    }

    /// Notes what is beyond a limit at the start.
    pub(super) fn check_limit(&self, path: &str, beyond: f64, judge: &mut Judge<'_>) {
        self.check_off(path, beyond, &format!("it is {beyond:.6} beyond its limit"), judge);
    }

    /// Notes a deviation beyond the tolerance; `words` tell it.
    fn check_off(&self, path: &str, gap: f64, words: &str, judge: &mut Judge<'_>) {
        let tolerance = self.scene.settings.distance_tolerance;
        if !self.scene.allow_open_connectors
            && gap > tolerance
            && judge.is_clean("settings.distance_tolerance")
        {
            let reason = format!(
                "{words} at the start, more than the distance tolerance {tolerance:?} \
                 (assemble the bodies, or set \"allow_open_connectors\": true)"
            );
            judge.note(path, MistakeKind::Shape { reason });
        }
    }
}

/// Notes joints of the library that are further from their place at the start than the distance tolerance, and
/// connectors that the clock cannot take.
pub(super) fn check_joints(
    scene: &Scene,
    names: &Names,
    shapes: &[Option<Arc<PathShape>>],
    judge: &mut Judge<'_>,
) {
    if !scene.connectors.iter().any(Connector::needs_located_clock) {
        return;
    }
    let takes_joints = scene.sim_settings().clock() != ClockKind::Backtracking;
    let stage = Stage { scene, names, shapes };
    let bodies = scene.bodies.iter().zip(shapes);
    let frame = |(body, shape): (&Body, &Option<Arc<PathShape>>)| {
        let pose = shape.as_ref().map_or(Pose::IDENTITY, |shape| body.frame(shape));
        FrameMotion { pose, ..FrameMotion::default() }
    };
    let frames: Vec<FrameMotion> = bodies.map(frame).collect();
    let assembly = Assembly { names, frames: &frames };
    for (k, connector) in scene.connectors.iter().enumerate() {
        let path = format!("connectors[{k}]");
        let of_bodies = connector.bodies().into_iter().filter_map(|body| names.resolve(body).ok().flatten());
        let ready = judge.is_clean(&path)
            && of_bodies
                .into_iter()
                .all(|i| shapes[i].is_some() && judge.is_clean(format_args!("bodies[{i}]")));
        if !ready {
            continue;
        }
        if connector.needs_located_clock() && !takes_joints {
            judge.note(&path, MistakeKind::NeedsLocatedClock);
            continue;
        }
        match assembly.joints(k, connector) {
            Ok(joints) => {
                let motions = assembly.motions().at_time(scene.start_time);
                let gap = joints.iter().map(|joint| gap(joint, motions)).fold(0.0, f64::max);
                let words = match connector {
                    Connector::AngleLimit(_) => format!("it is {gap:.6} (radians) beyond its limit"),
                    Connector::SlideLimit(_) => format!("it is {gap:.6} beyond its limit"),
                    _ => format!("its parts are {gap:.6} apart"),
                };
                stage.check_off(&path, gap, &words, judge);
            }
            Err(kind) => judge.note(&path, kind),
        }
    }
}

/// How far a joint is from where its equations hold: the largest of its position errors, infinite where it has no value.
fn gap(joint: &Joint, motions: Motions<'_>) -> f64 {
    let mut equations = Vec::new();
    joint.equations(motions, &mut equations);
    let errors = equations.iter().filter(|e| e.level == Level::Position && e.spring.is_rigid()).map(|e| {
        match e.kind {
            _ if !e.is_finite() => f64::INFINITY,
            RowKind::Unilateral => -e.position_error,
            _ => e.position_error.abs(),
        }
    });
    errors.fold(0.0, f64::max)
}
