//! Reading the scene itself and its settings.

use super::fields::{Cursor, Read, choose, word};
use super::wrong_type;
use crate::compliant::{Compliant, CompliantDamping, largest_damping};
use crate::joint::Coordinate;
use crate::mistake::MistakeKind;
use crate::moment::{Moment, Then};
use crate::scene::{FORMAT, Scene, VERSION, View};
use crate::settings::{
    AdaptiveSolver, Clock, ClockKind, ClockSettings, FixedSolver, PreciseMethod, PreciseSolver, Settings,
    Sleeping, Solver, SteppingSolver, default_budget, default_sleeping_speed, default_sleeping_time,
    default_substeps, default_tolerance, runge_kutta,
};
use crate::tree::Node;

impl Read for Scene {
    const EXPECTED: &'static str = "a scene (an object)";

    fn placeholder() -> Self {
        Self::default()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let scene = Self {
            schema: f.optional("$schema"),
            format: f.required::<FormatName>("format").0,
            version: f.required::<Version>("version").0,
            name: f.optional("name"),
            description: f.optional("description"),
            start_time: f.or("start_time", 0.0),
            duration: f.or("duration", Self::DEFAULT_DURATION),
            view: f.optional("view"),
            allow_overlap: f.or("allow_overlap", false),
            allow_open_connectors: f.or("allow_open_connectors", false),
            settings: f.or("settings", Settings::default()),
            materials: f.or("materials", Default::default()),
            material_pairs: f.or("material_pairs", Vec::new()),
            curves: f.or("curves", Default::default()),
            bodies: f.required("bodies"),
            force_laws: f.or("force_laws", Vec::new()),
            connectors: f.or("connectors", Vec::new()),
            events: f.or("events", Vec::new()),
        };
        f.knows("let");
        f.finish();
        scene
    }
}

impl Read for Moment {
    const EXPECTED: &'static str = "an event (an object with name, body, coordinate and crosses)";

    fn placeholder() -> Self {
        let (name, body) = (String::new(), Read::placeholder());
        Self { name, body, coordinate: Coordinate::X, crosses: f64::NAN, then: Then::Mark }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        if !cursor.has("coordinate") {
            let expected = "one of x, y, angle".to_owned();
            f.note_at("coordinate", MistakeKind::Missing { expected });
        }
        let moment = Self {
            name: f.required("name"),
            body: f.required("body"),
            coordinate: word(&mut f, "coordinate", Coordinate::X),
            crosses: f.required("crosses"),
            then: word(&mut f, "then", Then::Mark),
        };
        f.knows("repeat");
        f.finish();
        moment
    }
}

struct FormatName(String);

impl Read for FormatName {
    const EXPECTED: &'static str = "\"engine2d-scene\"";

    fn placeholder() -> Self {
        Self(FORMAT.to_owned())
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let text = String::read(cursor);
        if text != FORMAT {
            let allowed = format!("the format of a scene is {FORMAT:?}");
            cursor.note(MistakeKind::NotAllowed { value: format!("{text:?}"), allowed });
        }
        Self::placeholder()
    }
}

struct Version(u32);

impl Read for Version {
    const EXPECTED: &'static str = "1, the version of the format,";

    fn placeholder() -> Self {
        Self(VERSION)
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let version = u32::read(cursor);
        if version != VERSION {
            let allowed = format!("this program reads version {VERSION}");
            cursor.note(MistakeKind::NotAllowed { value: version.to_string(), allowed });
        }
        Self::placeholder()
    }
}

impl Read for View {
    const EXPECTED: &'static str = "an object with left, bottom, right and top";

    fn placeholder() -> Self {
        Self { left: f64::NAN, bottom: f64::NAN, right: f64::NAN, top: f64::NAN }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let view = Self {
            left: f.required("left"),
            bottom: f.required("bottom"),
            right: f.required("right"),
            top: f.required("top"),
        };
        f.finish();
        view
    }
}

impl Read for Settings {
    const EXPECTED: &'static str = "an object of settings";

    fn placeholder() -> Self {
        Self::default()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let default = Self::default();
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return default };
        let profile = word(&mut f, "profile", default.profile);
        let settings = Self {
            profile,
            fidelity: word(&mut f, "fidelity", default.fidelity),
            time_step: f.or("time_step", default.time_step),
            seed: f.or("seed", default.seed),
            distance_tolerance: f.or("distance_tolerance", default.distance_tolerance),
            velocity_tolerance: f.or("velocity_tolerance", default.velocity_tolerance),
            collision_accuracy: f.or("collision_accuracy", default.collision_accuracy),
            collision_handling: word(&mut f, "collision_handling", default.collision_handling),
            extra_acceleration: word(&mut f, "extra_acceleration", default.extra_acceleration),
            extra_acceleration_time_step: f.optional("extra_acceleration_time_step"),
            solver: f.or("solver", Solver::of(profile)),
            joint_small_impacts: f.or("joint_small_impacts", default.joint_small_impacts),
            group_contacts: f.or("group_contacts", default.group_contacts),
            potential_offset: f.or("potential_offset", default.potential_offset),
            contact_model: word(&mut f, "contact_model", default.contact_model),
            friction_rule: word(&mut f, "friction_rule", default.friction_rule),
            impact_law: word(&mut f, "impact_law", default.impact_law),
            event_locator: word(&mut f, "event_locator", default.event_locator),
            rest_speed: f.or("rest_speed", default.rest_speed),
            compliant: f.or("compliant", default.compliant),
            clock: f.optional("clock"),
        };
        if settings.clock.is_some() {
            // Beside steps of fixed length they are written with their defaults, and say nothing.
            let steps = matches!(settings.clock, Some(Clock::Own(ClockSettings::TimeStepping { .. })))
                && settings.solver == Solver::of(profile)
                && settings.event_locator == default.event_locator;
            for other in ["solver", "event_locator"].into_iter().filter(|name| !steps && cursor.has(name)) {
                let allowed = "the clock says it: give either the clock or this".to_owned();
                f.note_at(
                    other,
                    MistakeKind::NotAllowed { value: "this beside \"clock\"".to_owned(), allowed },
                );
            }
        }
        f.finish();
        settings
    }
}

impl Read for Compliant {
    const EXPECTED: &'static str = "an object with z_eps and damping";

    fn placeholder() -> Self {
        Self::default()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let default = Self::default();
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return default };
        let read = Self { z_eps: f.or("z_eps", default.z_eps), damping: f.or("damping", default.damping) };
        f.finish();
        read
    }
}

impl Read for CompliantDamping {
    const EXPECTED: &'static str = "a law of damping (an object with a type)";

    fn placeholder() -> Self {
        Self::default()
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let max = f.or("max", largest_damping());
        f.finish();
        if kind == "common" { Self::Common { max } } else { Self::Calibrated { max } }
    }
}

impl Read for Clock {
    const EXPECTED: &'static str = "a clock: a word, or an object with a type and its settings";

    fn placeholder() -> Self {
        Self::Kind(ClockKind::Located)
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match cursor.node {
            Node::String(_) => choose(cursor).map_or_else(Self::placeholder, Self::Kind),
            Node::Object(_) => cursor.fields(Self::EXPECTED).map_or_else(Self::placeholder, |mut f| {
                if !cursor.has("type") {
                    let expected =
                        "the clock, \"located\", \"backtracking\" or \"time_stepping\",".to_owned();
                    f.note_at("type", MistakeKind::Missing { expected });
                }
                let own = match word(&mut f, "type", ClockKind::Located) {
                    ClockKind::Located => {
                        ClockSettings::Located { tolerance: f.or("tolerance", default_tolerance()) }
                    }
                    ClockKind::Backtracking => {
                        ClockSettings::Backtracking { solver: f.or("solver", runge_kutta()) }
                    }
                    ClockKind::TimeStepping => {
                        let solver = word(&mut f, "solver", SteppingSolver::default());
                        let substeps = f.or("substeps", default_substeps());
                        let budget_ms = f.or("budget_ms", default_budget());
                        let sleeping = f.optional("sleeping");
                        ClockSettings::TimeStepping { solver, substeps, budget_ms, sleeping }
                    }
                };
                f.finish();
                Self::Own(own)
            }),
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}

impl Read for Sleeping {
    const EXPECTED: &'static str = "when bodies sleep (an object with speed and time)";

    fn placeholder() -> Self {
        Self { speed: default_sleeping_speed(), time: default_sleeping_time() }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let speed = f.or("speed", default_sleeping_speed());
        let time = f.or("time", default_sleeping_time());
        f.finish();
        Self { speed, time }
    }
}

impl Read for Solver {
    const EXPECTED: &'static str = "a solver: a word, or an object for an adaptive one";

    fn placeholder() -> Self {
        Self::Fixed(FixedSolver::RungeKutta4)
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        match cursor.node {
            Node::String(_) => choose(cursor).map_or_else(Self::placeholder, Self::Fixed),
            Node::Object(_) => cursor.fields(Self::EXPECTED).map_or_else(Self::placeholder, |mut f| {
                if cursor.has("method") {
                    let precise = PreciseSolver {
                        method: word(&mut f, "method", PreciseMethod::default()),
                        tolerance: f.required("tolerance"),
                    };
                    f.finish();
                    return Self::Precise(precise);
                }
                let adaptive = AdaptiveSolver {
                    inner: word(&mut f, "inner", FixedSolver::RungeKutta4),
                    tolerance: f.required("tolerance"),
                    second_difference: f.or("second_difference", true),
                };
                f.finish();
                Self::Adaptive(adaptive)
            }),
            _ => {
                wrong_type(cursor, Self::EXPECTED);
                Self::placeholder()
            }
        }
    }
}
