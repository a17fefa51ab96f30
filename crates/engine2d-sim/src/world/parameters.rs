//! The settings by name, for tools that show and set them; and parameters of the user's own.

use super::World;

use crate::error::SimError;
use crate::name::{normalized, same};
use crate::observer::Notification;
use crate::parameter::{Parameter, ParameterKind, ParameterValue};
use crate::settings::{
    CollisionHandling, EventLocator, ExtraAcceleration, Fidelity, FixedStepMethod, OdeMethod, Profile,
    Settings,
};

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
        name: "RANDOM_SEED",
        description: "seed of the random choices, a whole number",
        kind: seed,
        get: |s| ParameterValue::Number(f64::from(s.seed)),
        set: |s, value| {
            if let ParameterValue::Number(v) = value {
                s.seed = *v as u32;
            }
        },
    },
];

impl World {
    /// All parameters with their values: those of the settings, then the user's own in the order of registration.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let settings = &self.model.settings;
        let built_in = ENTRIES.iter().map(|e| Parameter {
            name: e.name.to_owned(),
            description: e.description.to_owned(),
            kind: (e.kind)(),
            value: (e.get)(settings),
        });
        built_in.chain(self.own_parameters.iter().cloned()).collect()
    }

    /// The parameter of that name.
    ///
    /// # Errors
    /// [`SimError::UnknownParameter`].
    pub fn parameter(&self, name: &str) -> Result<Parameter, SimError> {
        let mut all = self.parameters();
        match all.iter().position(|p| same(&p.name, name)) {
            Some(index) => Ok(all.swap_remove(index)),
            None => Err(unknown(name)),
        }
    }

    /// Sets a parameter by name and tells the observers.
    ///
    /// # Errors
    /// [`SimError`] for an unknown name or a value of another kind or beyond the limits; nothing is then changed.
    pub fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), SimError> {
        let parameter = self.parameter(name)?;
        if !parameter.accepts(&value) {
            return Err(SimError::ParameterValue { name: parameter.name, value: value.to_string() });
        }
        if let Some(entry) = ENTRIES.iter().find(|e| e.name == parameter.name) {
            let mut settings = self.model.settings.clone();
            (entry.set)(&mut settings, &value);
            self.set_settings(settings)?;
        } else if let Some(own) = self.own_parameters.iter_mut().find(|p| p.name == parameter.name) {
            own.value = value;
        }
        self.announce_parameter(&parameter.name)
    }

    /// Registers a parameter of the user's own.
    ///
    /// # Errors
    /// [`SimError::DuplicateParameter`], or [`SimError::ParameterValue`] for a value that its kind does not allow.
    pub fn add_parameter(&mut self, parameter: Parameter) -> Result<(), SimError> {
        let parameter = Parameter { name: normalized(&parameter.name), ..parameter };
        if self.parameter(&parameter.name).is_ok() {
            return Err(SimError::DuplicateParameter { name: parameter.name });
        }
        if !parameter.accepts(&parameter.value) {
            return Err(SimError::ParameterValue {
                name: parameter.name,
                value: parameter.value.to_string(),
            });
        }
        self.own_parameters.push(parameter);
        Ok(())
    }

    /// Removes a parameter of the user's own.
    ///
    /// # Errors
    /// [`SimError::UnknownParameter`], also for those of the settings, which stay.
    pub fn remove_parameter(&mut self, name: &str) -> Result<Parameter, SimError> {
        let index =
            self.own_parameters.iter().position(|p| same(&p.name, name)).ok_or_else(|| unknown(name))?;
        Ok(self.own_parameters.remove(index))
    }

    /// Tells the observers that a parameter has changed.
    ///
    /// # Errors
    /// [`SimError::UnknownParameter`].
    pub fn announce_parameter(&mut self, name: &str) -> Result<(), SimError> {
        let parameter = self.parameter(name)?;
        let time = self.state.time;
        let news = Notification::ParameterChanged { name: &parameter.name, value: &parameter.value };
        self.observers.notify(time, &news);
        Ok(())
    }
}

fn unknown(name: &str) -> SimError {
    let known = ENTRIES.iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
    SimError::UnknownParameter { name: name.to_owned(), known }
}
