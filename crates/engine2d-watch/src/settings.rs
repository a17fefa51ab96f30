//! The settings by name, for tools that show and set them.

use crate::parameter::{Parameter, ParameterKind, ParameterValue};
use engine2d_sim::name::same;
use engine2d_sim::{
    CollisionHandling, EventLocator, ExtraAcceleration, Fidelity, FixedStepMethod, OdeMethod, Profile,
    Settings,
};

/// The parameter whose setting starts the generator anew, also at the value it has.
pub(crate) const SEED: &str = "RANDOM_SEED";

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
                ParameterValue::Choice("OTHER".to_owned())
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
    choice!("FIDELITY", "what is computed", fidelity, [
        "FREE" => Fidelity::Free,
        "COLLISIONS" => Fidelity::Collisions,
        "CONTACTS" => Fidelity::Contacts,
    ]),
    choice!("PROFILE", "which implementation answers", profile, [
        "ENGINE2D" => Profile::Engine2d,
        "REFERENCE" => Profile::Reference,
    ]),
    choice!("COLLISION_HANDLING", "how simultaneous collisions are resolved", collision_handling, [
        "SIMULTANEOUS" => CollisionHandling::Simultaneous,
        "HYBRID" => CollisionHandling::Hybrid,
        "SERIAL_GROUPED" => CollisionHandling::SerialGrouped,
        "SERIAL_GROUPED_LASTPASS" => CollisionHandling::SerialGroupedLastPass,
        "SERIAL_SEPARATE" => CollisionHandling::SerialSeparate,
        "SERIAL_SEPARATE_LASTPASS" => CollisionHandling::SerialSeparateLastPass,
    ]),
    choice!("EXTRA_ACCEL", "extra acceleration at contacts and joints", extra_acceleration, [
        "NONE" => ExtraAcceleration::None,
        "VELOCITY" => ExtraAcceleration::Velocity,
        "VELOCITY_JOINTS" => ExtraAcceleration::VelocityJoints,
        "VELOCITY_AND_DISTANCE" => ExtraAcceleration::VelocityAndDistance,
        "VELOCITY_AND_DISTANCE_JOINTS" => ExtraAcceleration::VelocityAndDistanceJoints,
    ]),
    choice!("EVENT_LOCATOR", "how the time of an event is found", event_locator, [
        "AUTOMATIC" => EventLocator::Automatic,
        "BACKTRACKING" => EventLocator::Backtracking,
        "ZERO_CROSSING" => EventLocator::ZeroCrossing,
    ]),
    choice!("DIFF_EQ_SOLVER", "the integrator", method, [
        "EULER" => OdeMethod::Fixed(FixedStepMethod::Euler),
        "MODIFIED_EULER" => OdeMethod::Fixed(FixedStepMethod::ModifiedEuler),
        "RUNGE_KUTTA_4" => OdeMethod::Fixed(FixedStepMethod::RungeKutta4),
        "DORMAND_PRINCE" => OdeMethod::dormand_prince(1e-9),
        "DORMAND_PRINCE_12" => OdeMethod::dormand_prince(1e-12),
    ]),
    number!("DISTANCE_TOL", "gap below which features touch (length)", positive, tolerances.distance),
    number!(
        "VELOCITY_TOL",
        "normal speed below which a touching pair rests (length/time)",
        positive,
        tolerances.velocity
    ),
    number!(
        "COLLISION_ACCURACY",
        "fraction of the target gap within which a collision is located",
        fraction,
        tolerances.accuracy
    ),
    number!("TIME_STEP", "step that drivers are advised to take (time)", positive, time_step),
    number!(
        "REST_SPEED",
        "normal speed after a located collision below which contact lasts (length/time)",
        positive,
        rest_speed
    ),
    number!("PE_OFFSET", "constant added to the potential energy (energy)", any, potential_offset),
    switch!(
        "JOINT_SMALL_IMPACTS",
        "a pass of impulses at joints after steps without collision",
        joint_small_impacts
    ),
    switch!(
        "SUBSET_COLLISIONS",
        "whether independent groups of contacts are solved apart",
        independent_groups
    ),
    switch!("DETECT_ONLY", "whether collisions are reported and not acted on", aids.detect_only),
    switch!("TRACE_CONTACTS", "whether each contact found is a tracing event", aids.trace_contacts),
    switch!("SHOW_FORCES", "whether forces and impulses are put into the display list", aids.display_forces),
    Entry {
        name: "EXTRA_ACCEL_TIME_STEP",
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
