//! Judging what only some bodies have: prescribed motion, groups, sensors, one-way sides.

use super::numbers::{At, Judge, Range};
use crate::body::Body;
use crate::mistake::MistakeKind;
use crate::scene::Scene;
use crate::settings::ContactModel;
use crate::special::Moving;
use crate::suggestion;
use engine2d_sim::ClockKind;
use std::collections::BTreeMap;

/// Most collision groups of a scene.
const MOST_GROUPS: usize = 32;

/// Judges what only some bodies have.
pub(super) fn check_special(path: &str, body: &Body, scene: &Scene, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    judge.number(at("gravity_scale"), body.gravity_scale, Range::Any);
    judge.number(at("damping"), body.damping, Range::AtLeastZero);
    if let Some(normal) = body.one_way {
        judge.point(at("one_way"), normal);
        if normal == [0.0; 2] {
            let allowed = "the direction needs a length".to_owned();
            judge.not_allowed(at("one_way"), "[0, 0]".to_owned(), allowed);
        }
    }
    check_soft(path, body, scene, judge);
    if let Some(moving) = &body.moving {
        check_moving(&at("moving").to_string(), moving, judge);
    }
    if !body.no_collide_edges.is_empty() && scene.sim_settings().clock() == ClockKind::TimeStepping {
        let allowed =
            "fixed steps ignore whole bodies only: name them in no_collide, or choose another clock"
                .to_owned();
        judge.not_allowed(at("no_collide_edges"), "single edges".to_owned(), allowed);
    }
    let needs =
        [("moving", body.moving.is_some()), ("sensor", body.sensor), ("one_way", body.one_way.is_some())];
    for (field, _) in needs.into_iter().filter(|(_, is)| *is) {
        if judge.is_clean(at(field)) && scene.sim_settings().clock() == ClockKind::Backtracking {
            judge.note(at(field), MistakeKind::NeedsLocatedClock);
        }
    }
}

/// Refuses what only rigid surfaces know for a body that yields.
fn check_soft(path: &str, body: &Body, scene: &Scene, judge: &mut Judge<'_>) {
    if body.rigid || scene.settings.contact_model == ContactModel::Rigid {
        return;
    }
    let own = [
        ("surface_speed", body.surface_speed != 0.0),
        ("rolling_resistance", body.rolling_resistance.is_some_and(|length| length > 0.0)),
        ("tangential_restitution", body.tangential_restitution.is_some_and(|share| share > 0.0)),
    ];
    for (field, _) in own.into_iter().filter(|(_, is)| *is) {
        let at = At(path, field);
        if judge.is_clean(at) {
            let allowed =
                "compliant surfaces do not know it: give the body \"rigid\": true, or leave this out";
            judge.not_allowed(at, "this".to_owned(), allowed.to_owned());
        }
    }
}

fn check_moving(path: &str, moving: &Moving, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    match moving {
        Moving::Steady { velocity, angular_velocity } => {
            judge.point(at("velocity"), *velocity);
            judge.number(at("angular_velocity"), *angular_velocity, Range::Any);
        }
        Moving::Oscillation { amplitude, turn, period, phase } => {
            judge.point(at("amplitude"), *amplitude);
            judge.number(at("turn"), *turn, Range::Any);
            judge.number(at("period"), *period, Range::Positive);
            judge.number(at("phase"), *phase, Range::Any);
        }
        Moving::Stops { stops, again } => {
            let mut before = 0.0;
            for (k, stop) in stops.iter().enumerate() {
                let at = |field: &str| format!("{path}.stops[{k}].{field}");
                judge.number(at("time"), stop.time, Range::Positive);
                judge.point(at("by"), stop.by);
                judge.number(at("turn"), stop.turn, Range::Any);
                if stop.time <= before && judge.is_clean(at("time")) {
                    let allowed = format!("it must be later than the stop before, at {before:?}");
                    judge.not_allowed(at("time"), format!("{:?}", stop.time), allowed);
                }
                before = stop.time;
            }
            match stops.last() {
                None => {
                    judge.note(at("stops"), MistakeKind::Missing { expected: "a stop".to_owned() });
                }
                Some(last) if *again && (last.by != [0.0; 2] || last.turn != 0.0) => {
                    let value = format!("{:?}", last.by);
                    let allowed = "with \"again\" the last stop is where the body started, [0, 0]".to_owned();
                    judge.not_allowed(at(&format!("stops[{}].by", stops.len() - 1)), value, allowed);
                }
                Some(_) => {}
            }
        }
    }
}

/// Judges the collision groups of all bodies.
pub(super) fn check_groups(scene: &Scene, judge: &mut Judge<'_>) {
    let groups = scene.groups();
    if groups.len() > MOST_GROUPS {
        let allowed = format!("a scene has at most {MOST_GROUPS} groups");
        judge.not_allowed("bodies", format!("{} groups", groups.len()), allowed);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        for (k, name) in body.collides_with.iter().flatten().enumerate() {
            if !groups.contains_key(name.as_str()) {
                let known = groups.keys().copied();
                let kind = MistakeKind::UnknownName {
                    what: "group",
                    name: name.clone(),
                    suggestion: suggestion::nearest(name, known.clone()),
                    known: known.map(str::to_owned).collect(),
                };
                judge.note(format_args!("bodies[{i}].collides_with[{k}]"), kind);
            }
        }
    }
}

impl Scene {
    /// The collision groups that bodies are of, with the bit of each.
    pub(crate) fn groups(&self) -> BTreeMap<&str, u32> {
        let mut groups = BTreeMap::new();
        for name in self.bodies.iter().flat_map(|body| &body.groups) {
            let next = groups.len() as u32;
            groups.entry(name.as_str()).or_insert_with(|| 1_u32.checked_shl(next).unwrap_or(0));
        }
        groups
    }
}
