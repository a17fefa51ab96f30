//! Everything that can be chosen about a simulation.

mod stepping;

pub use stepping::{Sleeping, SteppingSolver, TimeStepping};

use crate::compliant::law::DampingLaw;
use crate::compliant::material::MaterialTable;
use crate::friction::FrictionRule;
use crate::impact_law::ImpactLaw;
use crate::surface::SurfaceTable;
use engine2d_geometry::Tolerances;
use serde::{Deserialize, Serialize};

/// What the simulation computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fidelity {
    /// Forces only: bodies pass through each other.
    Free,
    /// Forces and collisions; no contact forces, no connectors.
    Collisions,
    /// Forces, collisions, contact forces and connectors.
    #[default]
    Contacts,
}

/// How simultaneous collisions are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CollisionHandling {
    /// All at once, one complementarity problem.
    Simultaneous,
    /// One random focus after another, each with the joints and the colliding neighbours of its bodies.
    Hybrid,
    /// One random focus after another, each with the joints of its bodies.
    SerialGrouped,
    /// As [`SerialGrouped`](Self::SerialGrouped), and a last pass that removes what is left.
    #[default]
    SerialGroupedLastPass,
    /// One random focus after another, alone.
    SerialSeparate,
    /// As [`SerialSeparate`](Self::SerialSeparate), and a last pass.
    SerialSeparateLastPass,
}

impl CollisionHandling {
    /// Whether joints of the focus's bodies are solved with it.
    pub(crate) fn groups_joints(self) -> bool {
        matches!(self, Self::Hybrid | Self::SerialGrouped | Self::SerialGroupedLastPass)
    }

    /// Whether a pass over all records ends the handling.
    pub(crate) fn has_last_pass(self) -> bool {
        matches!(self, Self::Hybrid | Self::SerialGroupedLastPass | Self::SerialSeparateLastPass)
    }
}

/// Extra acceleration that pulls gaps to their target and damps their rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraAcceleration {
    /// None.
    None,
    /// `v/h` at contacts.
    Velocity,
    /// `v/h` at contacts and joints.
    VelocityJoints,
    /// `(2 v h + x)/h²` at contacts.
    VelocityAndDistance,
    /// `(2 v h + x)/h²` at contacts and joints.
    #[default]
    VelocityAndDistanceJoints,
}

/// A one-step method of fixed step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FixedStepMethod {
    /// Explicit Euler, order 1.
    Euler,
    /// Heun's two-stage method, order 2.
    ModifiedEuler,
    /// The classical four-stage method, order 4.
    #[default]
    RungeKutta4,
}

/// How the equations of motion are integrated between events.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OdeMethod {
    /// A fixed-step method.
    Fixed(FixedStepMethod),
    /// A fixed-step method whose step is divided by 5 until the change of energy over the step settles.
    EnergyAdaptive {
        /// The inner method.
        inner: FixedStepMethod,
        /// Accepted value of the criterion (energy). Default 1e-6.
        tolerance: f64,
        /// Whether the criterion is the change of the energy difference between refinements (default), or
        /// the difference itself.
        second_difference: bool,
    },
    /// The adaptive Dormand–Prince 5(4) pair.
    DormandPrince {
        /// Error per step relative to the size of each variable.
        relative_tolerance: f64,
        /// Error per step of variables near zero, in their own units.
        absolute_tolerance: f64,
    },
}

impl OdeMethod {
    /// Dormand–Prince with one tolerance for both kinds of error.
    #[must_use]
    pub fn dormand_prince(tolerance: f64) -> Self {
        Self::DormandPrince { relative_tolerance: tolerance, absolute_tolerance: tolerance }
    }
}

impl Default for OdeMethod {
    fn default() -> Self {
        Self::Fixed(FixedStepMethod::RungeKutta4)
    }
}

/// Which implementation answers inside: the fast, certified one or the recorded one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The certified solver, joints projected after each step (so that extra acceleration acts on contacts only),
    /// random choices from ChaCha.
    #[default]
    Engine2d,
    /// The recorded solver and generator, draw for draw.
    Reference,
}

/// How the time of an event is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventLocator {
    /// Zero crossings where the method is [`OdeMethod::DormandPrince`], under our own rules; backtracking elsewhere.
    #[default]
    Automatic,
    /// Steps that end in penetration are taken back, and the next aims at half the distance tolerance. Works with
    /// every method and is the recorded way.
    Backtracking,
    /// The functions that announce events (gaps, pressing forces, lengths of ropes) are watched along the dense
    /// output of the adaptive method, and their zeros located to rounding; what rests keeps the gap it came to rest with.
    /// Needs [`OdeMethod::DormandPrince`].
    ZeroCrossing,
}

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClockKind {
    /// Steps that end in penetration are taken back: the recorded engine's way.
    Backtracking,
    /// Events are located along the dense output of an adaptive method.
    Located,
    /// Fixed steps at the level of velocities, whatever happens within them.
    TimeStepping,
}

/// Where contact forces come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContactModel {
    /// Rigid bodies: complementarity of force and gap, impulses at collisions.
    #[default]
    Rigid,
    /// Compliant surfaces: force from the depth of penetration. Implies located events, and needs
    /// [`OdeMethod::DormandPrince`].
    Compliant(CompliantContact),
}

/// Choices of the compliant contact model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompliantContact {
    /// Half width of the hysteresis (length): contact starts at the depth of twice this. Default 1e-8.
    pub z_eps: f64,
    /// How the damping follows from restitution.
    pub damping: DampingLaw,
    /// Material of bodies that name none. Default "steel".
    pub default_material: String,
}

impl Default for CompliantContact {
    fn default() -> Self {
        Self {
            z_eps: engine2d_geometry::hysteresis::Z_EPS,
            damping: DampingLaw::default(),
            default_material: "steel".to_owned(),
        }
    }
}

/// Most work that one advance may take. A system that needs more (a step that never settles, collisions that pile
/// up in time) ends with [`SimError::WorkLimit`](crate::SimError::WorkLimit) instead of running on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Integrator steps attempted. Default 100,000.
    pub steps: u64,
    /// Returns to the state before a step. Default 10,000.
    pub backups: u64,
    /// Evaluations of the equations of motion. Default 1,000,000.
    pub evaluations: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 100_000, backups: 10_000, evaluations: 1_000_000 }
    }
}

/// Aids for those who look for a fault in a scene or watch one closely. All are off by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Aids {
    /// Collisions are reported, each when it begins and with an impulse of 0, but not acted on: bodies pass through
    /// each other, joints hold. For events found by backtracking.
    pub detect_only: bool,
    /// Each contact found is a `tracing` event of level TRACE.
    pub trace_contacts: bool,
    /// The number of contacts is told to observers and as a `tracing` event at most once in this time (simulated);
    /// `None`: never.
    pub count_contacts_every: Option<f64>,
    /// Forces and impulses are put into the display list for a while.
    pub display_forces: bool,
}

/// Error per step of the default integrator, relative and in the units of each variable: joints and resting bodies then
/// keep to 1e-10, and the energy of a swinging chain to 1e-6 over minutes.
const DEFAULT_TOLERANCE: f64 = 1e-9;

/// All settings of a simulation. Times in seconds, lengths in metres by convention; any consistent units
/// will do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is computed.
    pub fidelity: Fidelity,
    /// Which implementation answers.
    pub profile: Profile,
    /// Tolerances given to bodies that have none of their own.
    pub tolerances: Tolerances,
    /// How collisions are resolved.
    pub collision_handling: CollisionHandling,
    /// Extra acceleration at contacts and joints.
    pub extra_acceleration: ExtraAcceleration,
    /// The `h` of the extra acceleration (time); by default the length of the requested step.
    pub extra_acceleration_step: Option<f64>,
    /// The integrator.
    pub method: OdeMethod,
    /// Seed of the random choices in collision handling and the recorded solver.
    pub seed: u32,
    /// Step that drivers are advised to take (time).
    pub time_step: f64,
    /// Whether joints get a pass of impulses after steps without collision, which removes their velocity.
    pub joint_small_impacts: bool,
    /// Constant added to the potential energy.
    pub potential_offset: f64,
    /// Whether independent groups of contacts are solved apart.
    pub independent_groups: bool,
    /// Most work that one advance may take.
    pub limits: Limits,
    /// How the time of an event is found.
    pub event_locator: EventLocator,
    /// Fixed steps of [`time_step`](Self::time_step) at the level of velocities instead: events are not located, `method` and
    /// `event_locator` say nothing then. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_stepping: Option<TimeStepping>,
    /// Where contact forces come from.
    pub contact_model: ContactModel,
    /// Normal speed after a collision below which the pair stays in contact when events are located by zero
    /// crossings (length/time): the end of ever shorter bounces. Default 1e-3.
    pub rest_speed: f64,
    /// How the coefficients of friction of two bodies make that of the pair. Default: the geometric mean.
    pub friction_rule: FrictionRule,
    /// What the coefficient of restitution means where friction takes part. Default: Poisson's law; another one needs the
    /// located clock.
    #[serde(skip_serializing_if = "ImpactLaw::is_default")]
    pub impact_law: ImpactLaw,
    /// Restitution, friction and surface speed of pairs of materials of rigid bodies.
    pub surfaces: SurfaceTable,
    /// Whether the work of every force is integrated with the state, for
    /// [`Inspect::energy_ledger`](crate::Inspect::energy_ledger).
    pub energy_ledger: bool,
    /// Materials and pairs: compliant contacts take all from it, rigid ones the restitution of pairs of bodies
    /// that both name a material.
    pub materials: MaterialTable,
    /// Aids for looking closely.
    pub aids: Aids,
}

impl Settings {
    /// The recorded engine's rules: steps of Runge and Kutta of the time step's length, collisions found by backtracking,
    /// the recorded solver and generator.
    #[must_use]
    pub fn reference() -> Self {
        Self { profile: Profile::Reference, ..Self::backtracking() }
    }

    /// Steps of Runge and Kutta of the time step's length, collisions found by backtracking, our own solver.
    #[must_use]
    pub fn backtracking() -> Self {
        Self { method: OdeMethod::default(), event_locator: EventLocator::Backtracking, ..Self::default() }
    }

    /// Fixed steps at the level of velocities, with exact answers: for many bodies, and where nobody asks for the moment of
    /// an event.
    #[must_use]
    pub fn time_stepping() -> Self {
        Self { time_stepping: Some(TimeStepping::default()), ..Self::default() }
    }

    /// How time advances under these settings.
    #[must_use]
    pub fn clock(&self) -> ClockKind {
        if self.time_stepping.is_some() {
            ClockKind::TimeStepping
        } else if self.is_located() {
            ClockKind::Located
        } else {
            ClockKind::Backtracking
        }
    }

    /// Whether events are located by zero crossings, which compliant contact always needs.
    #[must_use]
    pub fn is_located(&self) -> bool {
        if self.time_stepping.is_some() {
            return false;
        }
        if matches!(self.contact_model, ContactModel::Compliant(_)) {
            return true;
        }
        match self.event_locator {
            EventLocator::ZeroCrossing => true,
            EventLocator::Backtracking => false,
            EventLocator::Automatic => {
                matches!(self.method, OdeMethod::DormandPrince { .. })
                    && self.profile == Profile::Engine2d
                    && !self.aids.detect_only
            }
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            fidelity: Fidelity::default(),
            profile: Profile::default(),
            tolerances: Tolerances::default(),
            collision_handling: CollisionHandling::default(),
            extra_acceleration: ExtraAcceleration::default(),
            extra_acceleration_step: None,
            method: OdeMethod::dormand_prince(DEFAULT_TOLERANCE),
            seed: 0,
            time_step: 0.025,
            joint_small_impacts: false,
            potential_offset: 0.0,
            independent_groups: true,
            limits: Limits::default(),
            event_locator: EventLocator::default(),
            time_stepping: None,
            contact_model: ContactModel::default(),
            rest_speed: 1e-3,
            friction_rule: FrictionRule::default(),
            impact_law: ImpactLaw::default(),
            surfaces: SurfaceTable::default(),
            energy_ledger: false,
            materials: MaterialTable::default(),
            aids: Aids::default(),
        }
    }
}
