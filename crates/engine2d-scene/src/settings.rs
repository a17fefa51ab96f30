//! How a scene is to be simulated.

mod choices;
mod defaults;

pub use choices::{CollisionHandling, ContactModel, ExtraAcceleration, Fidelity, FixedSolver, Profile};
pub(crate) use defaults::{
    DEFAULT_TOLERANCE, default_budget, default_sleeping_speed, default_sleeping_time, default_substeps,
    default_tolerance,
};

use crate::choice::choice;
use crate::compliant::Compliant;
use crate::point::is_default;
use schemars::JsonSchema;
use serde::Serialize;

/// Tolerances, solvers and rules of a run. Absent fields have the defaults of the profile.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which set of rules: the fast and accurate default, or the recorded engine's to the letter.
    #[serde(skip_serializing_if = "is_default")]
    pub profile: Profile,
    /// How much physics: free motion, collisions, or collisions and resting contact.
    #[serde(skip_serializing_if = "is_default")]
    pub fidelity: Fidelity,
    /// Length of a step (time, > 0).
    pub time_step: f64,
    /// Start of the random number generator.
    pub seed: u32,
    /// Gap below which two features may touch (length, > 0). Bodies may overlap no deeper at the start.
    pub distance_tolerance: f64,
    /// Normal speed below which a touching point rests (length/time, > 0).
    pub velocity_tolerance: f64,
    /// How close to the target gap a collision is resolved, as a fraction of it (0 exclusive, 1 inclusive).
    pub collision_accuracy: f64,
    /// In which order simultaneous collisions are resolved.
    pub collision_handling: CollisionHandling,
    /// What contact forces do about the velocity and distance left at a contact.
    pub extra_acceleration: ExtraAcceleration,
    /// Time in which the extra acceleration acts (time, > 0); absent: the length of each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_acceleration_time_step: Option<f64>,
    /// Integrator of the equations of motion. Absent: `dormand_prince` with tolerance 1e-9, under the rules of the
    /// recorded runs `runge_kutta4`.
    pub solver: Solver,
    /// After a step without collision, remove leftover velocity at joints by impulses.
    #[serde(skip_serializing_if = "is_default")]
    pub joint_small_impacts: bool,
    /// Solve independent groups of contacts separately.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub group_contacts: bool,
    /// Constant added to the reported potential energy (energy).
    #[serde(skip_serializing_if = "is_default")]
    pub potential_offset: f64,
    /// Where contact forces come from.
    #[serde(skip_serializing_if = "is_default")]
    pub contact_model: ContactModel,
    /// How the coefficients of friction of two rigid bodies make that of the pair.
    #[serde(skip_serializing_if = "is_default")]
    pub friction_rule: FrictionRule,
    /// What `elasticity` is the ratio of where friction takes part in an impact; without friction all are one.
    #[serde(skip_serializing_if = "is_default")]
    pub impact_law: ImpactLaw,
    /// How the time of an event is found; compliant contact always locates zero crossings.
    #[serde(skip_serializing_if = "is_default")]
    pub event_locator: EventLocator,
    /// Normal speed after a collision below which the pair stays in contact with the located clock (length/time, ≥ 0): the
    /// end of ever shorter bounces.
    pub rest_speed: f64,
    /// What only compliant contact asks for.
    #[serde(skip_serializing_if = "is_default")]
    pub compliant: Compliant,
    /// How time advances: `located`, `backtracking`, `time_stepping`, or one of them with its settings. The first two stand for
    /// `solver` and `event_locator`, which must not be given beside it, and are written as these; for the third they say
    /// nothing.
    #[serde(skip_serializing_if = "is_written_otherwise")]
    pub clock: Option<Clock>,
}

impl Settings {
    /// Steps of Runge and Kutta of the time step's length, collisions found by backtracking.
    #[must_use]
    pub fn backtracking() -> Self {
        Self {
            solver: Solver::Fixed(FixedSolver::RungeKutta4),
            event_locator: EventLocator::Backtracking,
            ..Self::default()
        }
    }

    /// The same settings with the clock put into solver and event locator, which have their defaults beside steps of fixed
    /// length.
    #[must_use]
    pub fn resolved(mut self) -> Self {
        match self.clock.take() {
            None => {}
            Some(Clock::Kind(ClockKind::Located)) => self.locate(DEFAULT_TOLERANCE),
            Some(Clock::Own(ClockSettings::Located { tolerance })) => self.locate(tolerance),
            Some(Clock::Kind(ClockKind::Backtracking)) => {
                self.backtrack(Solver::Fixed(FixedSolver::RungeKutta4))
            }
            Some(Clock::Own(ClockSettings::Backtracking { solver })) => self.backtrack(solver),
            Some(Clock::Kind(ClockKind::TimeStepping)) => {
                self.step(ClockSettings::stepping(SteppingSolver::default()));
            }
            Some(Clock::Own(own @ ClockSettings::TimeStepping { .. })) => self.step(own),
        }
        self
    }

    fn step(&mut self, clock: ClockSettings) {
        // What another clock left there would be refused beside this one when the scene is read back.
        (self.solver, self.event_locator) = (Solver::of(self.profile), EventLocator::default());
        self.clock = Some(Clock::Own(clock));
    }

    fn locate(&mut self, tolerance: f64) {
        self.solver = Solver::Precise(PreciseSolver { method: PreciseMethod::DormandPrince, tolerance });
        self.event_locator = EventLocator::ZeroCrossing;
    }

    fn backtrack(&mut self, solver: Solver) {
        (self.solver, self.event_locator) = (solver, EventLocator::Backtracking);
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            fidelity: Fidelity::default(),
            time_step: 0.025,
            seed: 0,
            distance_tolerance: 0.01,
            velocity_tolerance: 0.5,
            collision_accuracy: 0.6,
            collision_handling: CollisionHandling::SerialGroupedLastPass,
            extra_acceleration: ExtraAcceleration::VelocityAndDistanceJoints,
            extra_acceleration_time_step: None,
            solver: Solver::default(),
            joint_small_impacts: false,
            group_contacts: true,
            potential_offset: 0.0,
            contact_model: ContactModel::default(),
            friction_rule: FrictionRule::default(),
            impact_law: ImpactLaw::default(),
            event_locator: EventLocator::default(),
            rest_speed: REST_SPEED,
            compliant: Compliant::default(),
            clock: None,
        }
    }
}

choice! {
    /// How the coefficients of friction of two bodies make that of the pair.
    #[derive(Default)]
    FrictionRule {
        /// The root of their product: a smooth body slides on everything.
        #[default]
        GeometricMean = "geometric_mean",
        /// The smaller one.
        Minimum = "minimum",
        /// The larger one.
        Maximum = "maximum",
        /// Their product.
        Product = "product",
    }
}

choice! {
    /// What the elasticity of a pair with friction means.
    #[derive(Default)]
    ImpactLaw {
        /// The ratio of normal impulses: expansion gives back that share of the impulse of compression. Never gains energy.
        #[default]
        Poisson = "poisson",
        /// The ratio of normal velocities. What would gain energy is resolved by Poisson's law. Needs the located clock.
        Newton = "newton",
        /// The root of the ratio of the works of the normal impulse; where several contacts touch, or joints take part, Poisson's
        /// law. Needs the located clock.
        Stronge = "stronge",
    }
}

choice! {
    /// How the time of an event is found.
    #[derive(Default)]
    EventLocator {
        /// Zero crossings with the solver `dormand_prince` under our own rules, else backtracking.
        #[default]
        Automatic = "automatic",
        /// Steps that end in penetration are taken back.
        Backtracking = "backtracking",
        /// Zeros of gaps and forces along the dense output; what rests keeps its gap. Needs the solver `dormand_prince`.
        ZeroCrossing = "zero_crossing",
    }
}

choice! {
    /// A clock with its default settings.
    ClockKind {
        /// Events at the zeros of gaps and forces along an adaptive integration; what rests keeps its gap.
        Located = "located",
        /// Steps of a fixed length; those that end in penetration are taken back.
        Backtracking = "backtracking",
        /// Steps of a fixed length at the level of velocities, whatever happens within them: for many bodies.
        TimeStepping = "time_stepping",
    }
}

choice! {
    /// How the impulses of a step of fixed length are found.
    #[derive(Default)]
    SteppingSolver {
        /// The complementarity problem of the whole step, island by island, to a certificate.
        #[default]
        Exact = "exact",
        /// Soft contacts in substeps, swept once each, as fast engines take them; joints are solved directly.
        Iterative = "iterative",
        /// Exact while that fits `budget_ms`; else the iterative solver takes some steps before the exact one is tried again.
        Auto = "auto",
    }
}

/// A clock with settings of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSettings {
    /// Events at the zeros of gaps and forces along the dense output of the Dormand-Prince pair.
    Located {
        /// Error per step, relative and absolute (> 0). Default 1e-9.
        #[serde(default = "default_tolerance")]
        tolerance: f64,
    },
    /// Steps that end in penetration are taken back.
    Backtracking {
        /// Integrator of the equations of motion. Default `runge_kutta4`.
        #[serde(default = "runge_kutta")]
        solver: Solver,
    },
    /// Steps of the length `time_step` at the level of velocities.
    TimeStepping {
        /// How the impulses of a step are found. Default `exact`.
        #[serde(default)]
        solver: SteppingSolver,
        /// Parts of a step of the iterative solver (1 to 1000). Default 4.
        #[serde(default = "default_substeps")]
        substeps: u32,
        /// Work that the exact solver may take in a step before `auto` leaves steps to the iterative one (> 0; milliseconds of a
        /// machine of 2026, by counts, the same on every machine). Default 16.
        #[serde(default = "default_budget")]
        budget_ms: f64,
        /// When bodies fall asleep. Default: never.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sleeping: Option<Sleeping>,
    },
}

/// When bodies fall asleep under the clock `time_stepping`: an island of bodies that lie near each other does once each of them has been
/// slow for a time. It is left out of steps until a moving body comes near it or something of it is changed; forces on its contacts are those of
/// its last step awake. What joints, connectors or springs hold does not sleep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sleeping {
    /// Speed of the fastest point of a body up to which it is slow (≥ 0). Default 0.05.
    #[serde(default = "default_sleeping_speed")]
    pub speed: f64,
    /// How long it must have been (> 0). Default 0.5.
    #[serde(default = "default_sleeping_time")]
    pub time: f64,
}

impl ClockSettings {
    /// Steps of a fixed length with a solver at its defaults.
    #[must_use]
    pub fn stepping(solver: SteppingSolver) -> Self {
        Self::TimeStepping {
            solver,
            substeps: default_substeps(),
            budget_ms: default_budget(),
            sleeping: None,
        }
    }
}

pub(crate) fn runge_kutta() -> Solver {
    Solver::Fixed(FixedSolver::RungeKutta4)
}

/// Whether a clock is written as solver and event locator.
fn is_written_otherwise(clock: &Option<Clock>) -> bool {
    !matches!(
        clock,
        Some(Clock::Kind(ClockKind::TimeStepping) | Clock::Own(ClockSettings::TimeStepping { .. }))
    )
}

/// How simulated time advances: a word, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Clock {
    /// With its default settings.
    Kind(ClockKind),
    /// With its own settings.
    Own(ClockSettings),
}

choice! {
    /// An integrator that controls its own error.
    #[derive(Default)]
    PreciseMethod {
        /// The Dormand-Prince 5(4) pair.
        #[default]
        DormandPrince = "dormand_prince",
    }
}

/// An integrator with steps of its own: as long as its tolerance allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreciseSolver {
    /// The method.
    pub method: PreciseMethod,
    /// Error per step, relative and absolute (> 0).
    pub tolerance: f64,
}

/// An integrator: a word for a fixed step, an object for an adaptive one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Solver {
    /// Steps of the time step's length.
    Fixed(FixedSolver),
    /// Steps of the method's own choice.
    Precise(PreciseSolver),
    /// Steps divided by 5 until the energy is kept.
    Adaptive(AdaptiveSolver),
}

/// Divides the step by 5 until the change of energy settles within a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdaptiveSolver {
    /// The integrator of each part.
    #[serde(default = "usual_inner")]
    pub inner: FixedSolver,
    /// Accepted change of energy over a step (energy, > 0).
    pub tolerance: f64,
    /// Judge the change of the change of energy between refinements (default) instead of the change itself, which
    /// never settles where energy is dissipated.
    #[serde(default = "yes")]
    pub second_difference: bool,
}

fn yes() -> bool {
    true
}

fn usual_inner() -> FixedSolver {
    FixedSolver::RungeKutta4
}

impl Default for Solver {
    fn default() -> Self {
        Self::Precise(PreciseSolver { method: PreciseMethod::DormandPrince, tolerance: DEFAULT_TOLERANCE })
    }
}

impl Solver {
    /// The solver of a scene that names none.
    pub(crate) fn of(profile: Profile) -> Self {
        match profile {
            Profile::Engine2d => Self::default(),
            Profile::Reference => Self::Fixed(FixedSolver::RungeKutta4),
        }
    }
}

/// Default speed at which bounces end (length/time).
const REST_SPEED: f64 = 1e-3;
