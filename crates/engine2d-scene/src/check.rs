//! Judging a scene: ranges, references, shapes, and how bodies stand at the start.

mod assembled;
mod body;
mod connector;
mod force_law;
mod joint;
mod material_pair;
mod numbers;
mod overlap;
mod shape;
mod special;
mod time;

use crate::body::Body;
use crate::compliant::{Compliant, CompliantDamping};
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::limits::Limits;
use crate::mistake::{Log, MistakeKind, Mistakes};
use crate::names::Names;
use crate::scene::{FORMAT, Scene, VERSION, View};
use crate::settings::{
    AdaptiveSolver, Clock, ClockSettings, ContactModel, EventLocator, Fidelity, ImpactLaw, PreciseSolver,
    Profile, Settings, Sleeping, Solver,
};
use crate::shelf::Shelf;
use engine2d_geometry::PathShape;
use engine2d_sim::ClockKind;
use numbers::{Judge, Range};
use std::sync::Arc;

impl Scene {
    /// Whether the scene is sound, as reading it from a file would tell.
    ///
    /// # Errors
    /// Every mistake with its place.
    pub fn check(&self) -> Result<(), Mistakes> {
        let mut log = Log::default();
        check(self, &Limits::NONE, &mut log);
        log.verdict()
    }

    /// As [`check`](Self::check), and whether it holds no more than it may.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_within(&self, limits: &Limits) -> Result<(), Mistakes> {
        let mut log = Log::default();
        check(self, limits, &mut log);
        log.verdict()
    }
}

/// Notes every mistake of a scene that is not noted yet.
pub(crate) fn check(scene: &Scene, limits: &Limits, log: &mut Log) {
    let mut judge = Judge::new(log);
    if scene.bodies.len() > limits.bodies {
        let allowed =
            format!("at most {} bodies are accepted; raise the limit if more are meant", limits.bodies);
        return judge.not_allowed("bodies", format!("{} bodies", scene.bodies.len()), allowed);
    }
    let names = Names::new(scene);
    check_root(scene, &mut judge);
    time::check_times(scene, limits, &mut judge);
    check_settings(&scene.settings, &mut judge);
    check_impact_law(scene, &mut judge);
    for (name, material) in &scene.materials {
        body::check_material(&format!("materials.{name}"), material, scene, &mut judge);
    }
    for (k, pair) in scene.material_pairs.iter().enumerate() {
        material_pair::check_pair(&format!("material_pairs[{k}]"), pair, scene, &mut judge);
    }
    special::check_groups(scene, &mut judge);
    for (name, curve) in &scene.curves {
        connector::check_curve(&format!("curves.{name}"), curve, &mut judge);
    }
    let mut shelf = Shelf::default();
    let mut vertices = 0;
    let shapes: Vec<Option<Arc<PathShape>>> = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(i, each)| {
            if vertices > limits.vertices {
                return None;
            }
            let shape =
                body::check_body(&format!("bodies[{i}]"), each, scene, &names, &mut shelf, &mut judge);
            vertices += shape.as_ref().map_or(0, |shape| shape.vertices().len());
            shape
        })
        .collect();
    if vertices > limits.vertices {
        let allowed =
            format!("at most {} vertices are accepted; raise the limit if more are meant", limits.vertices);
        return judge.not_allowed("bodies", format!("{vertices} vertices and more"), allowed);
    }
    for (i, range) in edge_ranges(scene) {
        body::check_edges(&i, range, &names, &shapes, &mut judge);
    }
    for (i, law) in scene.force_laws.iter().enumerate() {
        force_law::check_force_law(&format!("force_laws[{i}]"), law, &names, &mut judge);
    }
    force_law::check_repeated(&scene.force_laws, &mut judge);
    for (i, each) in scene.connectors.iter().enumerate() {
        connector::check_connector(&format!("connectors[{i}]"), each, scene, &names, &shapes, &mut judge);
    }
    for (i, moment) in scene.events.iter().enumerate() {
        let path = format!("events[{i}]");
        body::check_body_reference(&format!("{path}.body"), &moment.body, &names, &mut judge);
        judge.number(format_args!("{path}.crosses"), moment.crosses, Range::Any);
        if judge.is_clean(&path) && scene.sim_settings().clock() == ClockKind::Backtracking {
            judge.note(&path, MistakeKind::NeedsLocatedClock);
        }
    }
    assembled::check_joints(scene, &names, &shapes, &mut judge);
    if !scene.allow_overlap && scene.settings.fidelity != Fidelity::Free {
        overlap::check_overlaps(scene, &names, &shapes, &mut judge);
    }
}

/// Judges a body that comes to those of a scene; its path is `bodies[0]`.
pub(crate) fn check_entry_body(entry: &Body, scene: &Scene, names: &Names, log: &mut Log) {
    body::check_body("bodies[0]", entry, scene, names, &mut Shelf::default(), &mut Judge::new(log));
}

/// Judges a connector that comes to a scene; its path is `connectors[0]`.
pub(crate) fn check_entry_connector(entry: &Connector, scene: &Scene, names: &Names, log: &mut Log) {
    let shapes = vec![None; scene.bodies.len()];
    connector::check_connector("connectors[0]", entry, scene, names, &shapes, &mut Judge::new(log));
}

/// Judges a force law that comes to a scene; its path is `force_laws[0]`.
pub(crate) fn check_entry_law(entry: &ForceLaw, names: &Names, log: &mut Log) {
    force_law::check_force_law("force_laws[0]", entry, names, &mut Judge::new(log));
}

fn edge_ranges(scene: &Scene) -> impl Iterator<Item = (String, &crate::body::EdgeRange)> {
    scene.bodies.iter().enumerate().flat_map(|(i, body)| {
        let place = move |k| format!("bodies[{i}].no_collide_edges[{k}]");
        body.no_collide_edges.iter().enumerate().map(move |(k, range)| (place(k), range))
    })
}

fn check_root(scene: &Scene, judge: &mut Judge<'_>) {
    if scene.format != FORMAT {
        judge.not_allowed(
            "format",
            format!("{:?}", scene.format),
            format!("the format of a scene is {FORMAT:?}"),
        );
    }
    if scene.version != VERSION {
        judge.not_allowed(
            "version",
            scene.version.to_string(),
            format!("this program reads version {VERSION}"),
        );
    }
    judge.number("start_time", scene.start_time, Range::Any);
    judge.number("duration", scene.duration, Range::AtLeastZero);
    if let Some(View { left, bottom, right, top }) = scene.view {
        for (name, value) in [("left", left), ("bottom", bottom), ("right", right), ("top", top)] {
            judge.number(format_args!("view.{name}"), value, Range::Any);
        }
        if right <= left {
            judge.not_allowed(
                "view.right",
                format!("{right:?}"),
                format!("it must be greater than left, {left:?}"),
            );
        }
        if top <= bottom {
            judge.not_allowed(
                "view.top",
                format!("{top:?}"),
                format!("it must be greater than bottom, {bottom:?}"),
            );
        }
    }
}

/// Judges the law of impacts by the clock.
fn check_impact_law(scene: &Scene, judge: &mut Judge<'_>) {
    let law = scene.settings.impact_law;
    if law != ImpactLaw::Poisson && scene.sim_settings().clock() != ClockKind::Located {
        let allowed =
            "laws of impacts other than Poisson's need the located clock: choose it, or leave this out";
        judge.not_allowed("settings.impact_law", format!("\"{law}\""), allowed.to_owned());
    }
}

/// Judges a clock of steps of a fixed length, and what does not go with it.
fn check_steps(settings: &Settings, judge: &mut Judge<'_>) {
    let Some(Clock::Own(ClockSettings::TimeStepping { substeps, budget_ms, sleeping, .. })) = settings.clock
    else {
        return;
    };
    judge.number("settings.clock.substeps", f64::from(substeps), Range::Between(1.0, 1000.0));
    judge.number("settings.clock.budget_ms", budget_ms, Range::Positive);
    if let Some(Sleeping { speed, time }) = sleeping {
        judge.number("settings.clock.sleeping.speed", speed, Range::AtLeastZero);
        judge.number("settings.clock.sleeping.time", time, Range::Positive);
    }
    let mut refuses = |what: &str, allowed: &str| {
        judge.not_allowed("settings.clock", format!("\"time_stepping\" with {what}"), allowed.to_owned());
    };
    if settings.contact_model == ContactModel::Compliant {
        refuses("compliant contact", "this contact needs the clock \"located\"");
    }
    if settings.profile == Profile::Reference {
        refuses("the profile of the recorded rules", "these need the clock \"backtracking\"");
    }
}

fn check_settings(settings: &Settings, judge: &mut Judge<'_>) {
    let (solver_path, tolerance_path) = match settings.clock {
        None => ("settings.solver", "settings.solver.tolerance"),
        Some(Clock::Own(ClockSettings::Backtracking { .. })) => {
            ("settings.clock", "settings.clock.solver.tolerance")
        }
        Some(_) => ("settings.clock", "settings.clock.tolerance"),
    };
    let settings = &settings.clone().resolved();
    check_steps(settings, judge);
    let positive = [
        ("time_step", Some(settings.time_step)),
        ("distance_tolerance", Some(settings.distance_tolerance)),
        ("velocity_tolerance", Some(settings.velocity_tolerance)),
        ("extra_acceleration_time_step", settings.extra_acceleration_time_step),
    ];
    for (name, value) in positive {
        if let Some(value) = value {
            judge.number(format_args!("settings.{name}"), value, Range::Positive);
        }
    }
    judge.number("settings.collision_accuracy", settings.collision_accuracy, Range::Fraction);
    judge.number("settings.rest_speed", settings.rest_speed, Range::AtLeastZero);
    judge.number("settings.compliant.z_eps", settings.compliant.z_eps, Range::Positive);
    let (CompliantDamping::Common { max } | CompliantDamping::Calibrated { max }) =
        settings.compliant.damping;
    judge.number("settings.compliant.damping.max", max, Range::Positive);
    if settings.contact_model == ContactModel::Rigid && settings.compliant != Compliant::default() {
        let allowed =
            "only compliant contact knows it: set \"contact_model\": \"compliant\", or leave this out"
                .to_owned();
        judge.not_allowed("settings.compliant", "this with rigid contact".to_owned(), allowed);
    }
    judge.number("settings.potential_offset", settings.potential_offset, Range::Any);
    let located = settings.contact_model == ContactModel::Compliant
        || settings.event_locator == EventLocator::ZeroCrossing;
    match settings.solver {
        Solver::Adaptive(AdaptiveSolver { tolerance, .. })
        | Solver::Precise(PreciseSolver { tolerance, .. }) => {
            judge.number(tolerance_path, tolerance, Range::Positive);
        }
        Solver::Fixed(_) => {}
    }
    if located && !matches!(settings.solver, Solver::Precise(_)) {
        judge.not_allowed(
            solver_path,
            "this solver".to_owned(),
            "compliant contact and zero crossings need {\"method\": \"dormand_prince\", \"tolerance\": 1e-9}"
                .to_owned(),
        );
    }
}
