//! The settings by name, for tools that show and set them.

use crate::parameter::{Parameter, ParameterKind, ParameterValue, listed};
use engine2d_sim::name::same;
use engine2d_sim::{
    CollisionHandling, EventLocator, ExtraAcceleration, Fidelity, FixedStepMethod, OdeMethod, Profile,
    Settings,
};

/// The parameter whose setting starts the generator anew, also at the value it has.
pub(crate) const SEED: &str = "seed";

/// A parameter of the settings: how it is read and written.
struct Entry {
    name: &'static str,
    description: &'static str,
    kind: fn() -> ParameterKind,
    get: fn(&Settings) -> ParameterValue,
    set: fn(&mut Settings, &ParameterValue),
}

fn any() -> ParameterKind {
    ParameterKind::Number { lower: None, upper: None }
}

fn positive() -> ParameterKind {
    ParameterKind::Number { lower: Some(0.0), upper: None }
}

fn fraction() -> ParameterKind {
    ParameterKind::Number { lower: Some(0.0), upper: Some(1.0) }
}

fn seed() -> ParameterKind {
    ParameterKind::Number { lower: Some(0.0), upper: Some(f64::from(u32::MAX)) }
}

fn flag() -> ParameterKind {
    ParameterKind::Flag
}

/// A parameter that is one field holding a number.
macro_rules! number {
    ($name:literal, $description:literal, $kind:ident, $($field:ident).+) => {
        Entry {
            name: $name,
            description: $description,
            kind: $kind,
            get: |s| ParameterValue::Number(s.$($field).+),
            set: |s, value| {
                if let ParameterValue::Number(v) = value {
                    s.$($field).+ = *v;
                }
            },
        }
    };
}

/// A parameter that is one field holding a flag.
macro_rules! switch {
    ($name:literal, $description:literal, $($field:ident).+) => {
        Entry {
            name: $name,
            description: $description,
            kind: flag,
            get: |s| ParameterValue::Flag(s.$($field).+),
            set: |s, value| {
                if let ParameterValue::Flag(v) = value {
                    s.$($field).+ = *v;
                }
            },
        }
    };
}

/// A parameter that is one field holding one of a few words.
macro_rules! choice {
    ($name:literal, $description:literal, $field:ident, [$($word:literal => $value:expr),+ $(,)?]) => {
        Entry {
            name: $name,
            description: $description,
            kind: || ParameterKind::Choice(vec![$($word.to_owned()),+]),
            get: |s| {
                $(if s.$field == $value {
                    return ParameterValue::Choice($word.to_owned());
                })+
                ParameterValue::Choice("other".to_owned())
            },
            set: |s, value| {
                if let ParameterValue::Choice(word) = value {
                    $(if same(word, $word) {
                        s.$field = $value;
                    })+
                }
            },
        }
    };
}

const ENTRIES: &[Entry] = &[
    choice!("fidelity", "what is computed", fidelity, [
        "free" => Fidelity::Free,
        "collisions" => Fidelity::Collisions,
        "contacts" => Fidelity::Contacts,
    ]),
    choice!("profile", "which implementation answers", profile, [
        "engine2d" => Profile::Engine2d,
        "reference" => Profile::Reference,
    ]),
    choice!("collision_handling", "how simultaneous collisions are resolved", collision_handling, [
        "simultaneous" => CollisionHandling::Simultaneous,
        "hybrid" => CollisionHandling::Hybrid,
        "serial_grouped" => CollisionHandling::SerialGrouped,
        "serial_grouped_lastpass" => CollisionHandling::SerialGroupedLastPass,
        "serial_separate" => CollisionHandling::SerialSeparate,
        "serial_separate_lastpass" => CollisionHandling::SerialSeparateLastPass,
    ]),
    choice!("extra_acceleration", "extra acceleration at contacts and joints", extra_acceleration, [
        "none" => ExtraAcceleration::None,
        "velocity" => ExtraAcceleration::Velocity,
        "velocity_joints" => ExtraAcceleration::VelocityJoints,
        "velocity_and_distance" => ExtraAcceleration::VelocityAndDistance,
        "velocity_and_distance_joints" => ExtraAcceleration::VelocityAndDistanceJoints,
    ]),
    choice!("event_locator", "how the time of an event is found", event_locator, [
        "automatic" => EventLocator::Automatic,
        "backtracking" => EventLocator::Backtracking,
        "zero_crossing" => EventLocator::ZeroCrossing,
    ]),
    choice!("method", "the integrator", method, [
        "euler" => OdeMethod::Fixed(FixedStepMethod::Euler),
        "modified_euler" => OdeMethod::Fixed(FixedStepMethod::ModifiedEuler),
        "runge_kutta_4" => OdeMethod::Fixed(FixedStepMethod::RungeKutta4),
        "dormand_prince" => OdeMethod::dormand_prince(1e-9),
        "dormand_prince_12" => OdeMethod::dormand_prince(1e-12),
    ]),
    number!("distance_tolerance", "gap below which features touch (length)", positive, tolerances.distance),
    number!(
        "velocity_tolerance",
        "normal speed below which a touching pair rests (length/time)",
        positive,
        tolerances.velocity
    ),
    number!(
        "collision_accuracy",
        "fraction of the target gap within which a collision is located",
        fraction,
        tolerances.accuracy
    ),
    number!("time_step", "step that drivers are advised to take (time)", positive, time_step),
    number!(
        "rest_speed",
        "normal speed after a located collision below which contact lasts (length/time)",
        positive,
        rest_speed
    ),
    number!("potential_offset", "constant added to the potential energy (energy)", any, potential_offset),
    switch!(
        "joint_small_impacts",
        "a pass of impulses at joints after steps without collision",
        joint_small_impacts
    ),
    switch!(
        "independent_groups",
        "whether independent groups of contacts are solved apart",
        independent_groups
    ),
    switch!("detect_only", "whether collisions are reported and not acted on", aids.detect_only),
    switch!("trace_contacts", "whether each contact found is a tracing event", aids.trace_contacts),
    switch!(
        "display_forces",
        "whether forces and impulses are put into the display list",
        aids.display_forces
    ),
    Entry {
        name: "extra_acceleration_step",
        description: "time in which the extra acceleration acts; 0: the length of the step (time)",
        kind: positive,
        get: |s| ParameterValue::Number(s.extra_acceleration_step.unwrap_or(0.0)),
        set: |s, value| {
            if let ParameterValue::Number(v) = value {
                s.extra_acceleration_step = Some(*v).filter(|v| *v > 0.0);
            }
        },
    },
    Entry {
        name: SEED,
        description: "seed of the random choices, a whole number; setting it starts the generator anew",
        kind: seed,
        get: |s| ParameterValue::Number(f64::from(s.seed)),
        set: |s, value| {
            if let ParameterValue::Number(v) = value {
                s.seed = *v as u32;
            }
        },
    },
];

/// Names that parameters had before those of their fields; they are still understood.
const FORMER: [(&str, &str); 9] = [
    ("extra_accel", "extra_acceleration"),
    ("diff_eq_solver", "method"),
    ("distance_tol", "distance_tolerance"),
    ("velocity_tol", "velocity_tolerance"),
    ("pe_offset", "potential_offset"),
    ("subset_collisions", "independent_groups"),
    ("show_forces", "display_forces"),
    ("extra_accel_time_step", "extra_acceleration_step"),
    ("random_seed", "seed"),
];

/// The name of a parameter as it is now, in the form in which all are listed.
pub(crate) fn current(name: &str) -> String {
    match FORMER.iter().find(|(former, _)| same(former, name)) {
        Some((_, now)) => (*now).to_owned(),
        None => listed(name),
    }
}

/// The parameters of the settings with their values.
pub(crate) fn parameters(settings: &Settings) -> impl Iterator<Item = Parameter> + '_ {
    ENTRIES.iter().map(|e| Parameter {
        name: e.name.to_owned(),
        description: e.description.to_owned(),
        kind: (e.kind)(),
        value: (e.get)(settings),
    })
}

/// The settings with a parameter changed; `None` if none of theirs has that name (in normal form).
pub(crate) fn changed(settings: &Settings, name: &str, value: &ParameterValue) -> Option<Settings> {
    let entry = ENTRIES.iter().find(|e| e.name == name)?;
    let mut settings = settings.clone();
    (entry.set)(&mut settings, value);
    Some(settings)
}

/// The names there are.
pub(crate) fn names() -> String {
    ENTRIES.iter().map(|e| e.name).collect::<Vec<_>>().join(", ")
}
