//! Describing a world, and checking the description.

use super::World;
use super::arrival::{check_overlap, check_rough};
use crate::backtracking::Backtracking;
use crate::body::{Body, check_tolerances};
use crate::connector::{Connector, Place, Tie};
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::instrument::Instrument;
use crate::located::Located;
use crate::model::Model;
use crate::named::named;
use crate::report::Totals;
use crate::road::frame_motions;
use crate::settings::{ClockKind, ContactModel, OdeMethod, Profile, Settings, Sleeping};
use crate::state::State;
use crate::time_stepping::TimeStepping;
use crate::work::Work;
use crate::world::company::Predicate;
use crate::world::identity::{BodyRegistry, Serials};
use engine2d_constraint::Joint;
use engine2d_constraint::Motions;
use engine2d_geometry::BodyRef;
use std::collections::BTreeSet;

/// Collects what a [`World`] is made of.
#[derive(Clone, Debug, Default)]
pub struct WorldBuilder {
    bodies: Vec<Body>,
    laws: Vec<ForceLaw>,
    connectors: Vec<Connector>,
    joints: Vec<Joint>,
    settings: Settings,
    time: f64,
    align: bool,
    allow_overlap: bool,
    pub(super) to_restore: bool,
    pub(super) predicate: Option<Predicate>,
}

impl World {
    /// A builder with default settings and nothing in it.
    #[must_use]
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }
}

impl WorldBuilder {
    /// Adds uniform gravity on every movable body (length/time²).
    #[must_use]
    pub fn gravity(self, strength: f64) -> Self {
        self.force_law(ForceLaw::gravity(strength))
    }

    /// Adds damping of every movable body (mass/time), with rotation ratio 0.15.
    #[must_use]
    pub fn damping(self, damping: f64) -> Self {
        self.force_law(ForceLaw::damping(damping))
    }

    /// Adds a body; its index is the number of bodies added before.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a force law.
    #[must_use]
    pub fn force_law(mut self, law: ForceLaw) -> Self {
        self.laws.push(law);
        self
    }

    /// Adds a connector.
    #[must_use]
    pub fn connector(mut self, connector: Connector) -> Self {
        self.connectors.push(connector);
        self
    }

    /// Adds a constraint of the library or of your own: a joint, motor, limit, gear or spring. Its place is the number of
    /// joints added before.
    #[must_use]
    pub fn joint(mut self, joint: impl Into<Joint>) -> Self {
        self.joints.push(joint.into());
        self
    }

    /// Replaces the settings.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the simulated time at the start.
    #[must_use]
    pub fn time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Moves bodies so that all connectors hold at the start, in the order of the connectors.
    #[must_use]
    pub fn aligned(mut self) -> Self {
        self.align = true;
        self
    }

    /// Accepts bodies that start inside each other. With located events they stay as deep as they are until they part;
    /// every report tells the depth.
    #[must_use]
    pub fn allow_overlap(mut self) -> Self {
        self.allow_overlap = true;
        self
    }

    /// The world described.
    ///
    /// # Errors
    /// [`SimError`] with the path of the first offending field.
    pub fn build(self) -> Result<World, SimError> {
        check_settings(&self.settings)?;
        let count = self.bodies.len();
        for (i, law) in self.laws.iter().enumerate() {
            check_law(&format!("force_laws[{i}]"), law, count, &self.laws[..i])?;
        }
        let mut bodies = Vec::with_capacity(count);
        for (i, body) in self.bodies.into_iter().enumerate() {
            bodies.push(body.build(i, self.settings.tolerances)?);
        }
        for (i, (_, body)) in bodies.iter().enumerate() {
            for &other in &body.ignored_bodies {
                check_body(&format!("bodies[{i}].ignored_bodies"), BodyRef::Body(other), count)?;
            }
        }
        let (data, bodies): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
        let generator = Generator::new(self.settings.profile, self.settings.seed);
        let mut model = Model::new(data, &bodies, self.laws, self.settings);
        let mut state = State::new(bodies, generator, self.time);
        check_rough(&model, &model.data, 0)?;
        let mut registry = BodyRegistry::default();
        for (place, data) in model.data.iter_mut().enumerate() {
            registry.check_name(&data.name, place)?;
            data.id = Some(registry.add(&data.name));
        }
        for (i, connector) in self.connectors.into_iter().enumerate() {
            let (tie, place) = attach(&mut model, &mut state, &format!("connectors[{i}]"), connector)?;
            model.ties.push(tie);
            state.places.push(place);
        }
        let mut joints = Serials::default();
        for (i, joint) in self.joints.into_iter().enumerate() {
            joints.check_name("joints", joint.name())?;
            joints.add(joint.name());
            add_joint(&mut model, &mut state, &format!("joints[{i}]"), joint)?;
        }
        let mut forces = Serials::default();
        model.laws.iter().for_each(|_| {
            forces.add(None);
        });
        let mut world = World {
            bodies: registry,
            joints,
            forces,
            allow_overlap: self.allow_overlap,
            is_watching: false,
            standing: None,
            watchers: Vec::new(),
            presence: Some(BTreeSet::new()),
            predicate: self.predicate,
            departed: Vec::new(),
            passing: Vec::new(),
            backtracking: Backtracking::new(model.settings.time_step),
            model,
            state,
            work: Work::default(),
            located: Located::default(),
            time_stepping: TimeStepping::default(),
            instrument: Instrument::default(),
            totals: Totals::default(),
            actions: Vec::new(),
        };
        for place in 0..count {
            world.take_up(place)?;
        }
        (0..count).for_each(|place| world.ask_predicate(place));
        world.is_watching = true;
        if self.align {
            world.align_connectors();
        }
        if !self.allow_overlap && !self.to_restore {
            check_overlap(&world.model, &world.state.bodies, &mut world.instrument)?;
        }
        Ok(world)
    }
}

pub(super) fn check_settings(s: &Settings) -> Result<(), SimError> {
    check_tolerances("settings.tolerances", s.tolerances)?;
    let check = |field: &str, value: f64, ok: bool| {
        let (path, allowed) = (format!("settings.{field}"), "must be a finite number > 0");
        if ok { Ok(()) } else { Err(SimError::Value { path, value, allowed }) }
    };
    check("time_step", s.time_step, s.time_step > 0.0 && s.time_step.is_finite())?;
    if let Some(h) = s.extra_acceleration_step {
        check("extra_acceleration_step", h, h > 0.0 && h.is_finite())?;
    }
    if let Some(interval) = s.aids.count_contacts_every {
        check("aids.count_contacts_every", interval, interval > 0.0 && interval.is_finite())?;
    }
    check("potential_offset", s.potential_offset, s.potential_offset.is_finite())?;
    check("rest_speed", s.rest_speed, s.rest_speed >= 0.0 && s.rest_speed.is_finite())?;
    for ([a, b], pair) in s.surfaces.iter() {
        if let Some((field, value, allowed)) = pair.fault() {
            let path = format!("settings.surfaces[{a}, {b}].{field}");
            return Err(SimError::Value { path, value, allowed });
        }
    }
    match s.method {
        OdeMethod::Fixed(_) => {}
        OdeMethod::EnergyAdaptive { tolerance, .. } => {
            check("method.tolerance", tolerance, tolerance > 0.0 && tolerance.is_finite())?;
        }
        OdeMethod::DormandPrince { relative_tolerance: r, absolute_tolerance: a } => {
            check("method.relative_tolerance", r, r >= 0.0 && r.is_finite())?;
            check("method.absolute_tolerance", a, a > 0.0 && a.is_finite())?;
        }
    }
    let unsupported =
        |field: &str, problem| Err(SimError::Unsupported { path: format!("settings.{field}"), problem });
    if s.is_located() && !matches!(s.method, OdeMethod::DormandPrince { .. }) {
        return unsupported("method", "located events and compliant contact need the Dormand-Prince method");
    }
    if s.is_located() && s.profile == Profile::Reference && s.contact_model == ContactModel::Rigid {
        return unsupported("event_locator", "the recorded rules find collisions by backtracking");
    }
    if let Some(own) = s.time_stepping {
        let substeps = f64::from(own.substeps);
        check("time_stepping.substeps", substeps, (1.0..=1000.0).contains(&substeps))?;
        check("time_stepping.budget_ms", own.budget_ms, own.budget_ms > 0.0)?;
        if let Some(Sleeping { speed, time }) = own.sleeping {
            check("time_stepping.sleeping.speed", speed, speed >= 0.0 && speed.is_finite())?;
            check("time_stepping.sleeping.time", time, time > 0.0 && time.is_finite())?;
        }
        if s.contact_model != ContactModel::Rigid {
            return unsupported("time_stepping", "compliant contact needs located events");
        }
        if s.profile == Profile::Reference {
            return unsupported("time_stepping", "the recorded rules find collisions by backtracking");
        }
        if s.energy_ledger {
            return unsupported("energy_ledger", "the work of each force is booked by the other clocks only");
        }
    }
    if s.clock() != ClockKind::Backtracking && s.aids.detect_only {
        let problem =
            "collisions are reported without acting on them only where events are found by backtracking";
        return unsupported("aids.detect_only", problem);
    }
    Ok(())
}

fn check_body(path: &str, body: BodyRef, count: usize) -> Result<(), SimError> {
    match body.index() {
        Some(index) if index >= count => Err(SimError::UnknownBody { path: path.to_owned(), index, count }),
        _ => Ok(()),
    }
}

/// Checks a law against the bodies, and that it does not act on everything a second time.
pub(super) fn check_law(
    path: &str,
    law: &ForceLaw,
    count: usize,
    others: &[ForceLaw],
) -> Result<(), SimError> {
    let problem = match law {
        ForceLaw::Gravity { bodies: None, .. } => {
            "there is already a uniform gravity of every body: change that one, or list the bodies of this one"
        }
        ForceLaw::Damping { bodies: None, .. } => {
            "there is already a damping of every body: change that one, or list the bodies of this one"
        }
        _ => "",
    };
    let same = |other: &ForceLaw| match (law, other) {
        (ForceLaw::Gravity { .. }, ForceLaw::Gravity { bodies, .. })
        | (ForceLaw::Damping { .. }, ForceLaw::Damping { bodies, .. }) => bodies.is_none(),
        _ => false,
    };
    if !problem.is_empty() && others.iter().any(same) {
        return Err(SimError::Unsupported { path: path.to_owned(), problem });
    }
    match law {
        ForceLaw::Gravity { bodies, .. }
        | ForceLaw::InverseSquareGravity { bodies, .. }
        | ForceLaw::Damping { bodies, .. } => {
            bodies.iter().flatten().try_for_each(|&b| check_body(path, BodyRef::Body(b), count))
        }
        other => named(other).into_iter().flatten().try_for_each(|body| check_body(path, body, count)),
    }
}

/// Checks a joint against the bodies and adds it; joined bodies stop colliding with each other.
pub(super) fn add_joint(
    model: &mut Model,
    state: &mut State,
    path: &str,
    joint: Joint,
) -> Result<u32, SimError> {
    if model.clock() == ClockKind::Backtracking {
        let problem = "joints of the library are not solved with the backtracking clock: choose another";
        return Err(SimError::Unsupported { path: path.to_owned(), problem });
    }
    let mut motions = Vec::new();
    frame_motions(&state.bodies, &mut motions);
    crate::joint::check(&joint, path, state.bodies.len(), Motions::new(&motions).at_time(state.time))?;
    let bodies = joint.bodies();
    for (k, first) in bodies.iter().enumerate() {
        for second in &bodies[k + 1..] {
            if let (Some(i), BodyRef::Body(other)) = (first.index(), *second)
                && !state.bodies[i].ignores_body(other)
            {
                state.bodies[i].ignored_bodies.push(other);
                model.ignoring.insert(i as u32);
            }
        }
    }
    model.joints.push(joint);
    Ok(model.joints.len() as u32 - 1)
}

/// Checks a connector against the bodies; joined bodies stop colliding with each other.
pub(super) fn attach(
    model: &mut Model,
    state: &mut State,
    path: &str,
    connector: Connector,
) -> Result<(Tie, Place), SimError> {
    let [a, b] = connector.bodies();
    check_body(path, a, state.bodies.len())?;
    check_body(path, b, state.bodies.len())?;
    let unsupported = |problem| Err(SimError::Unsupported { path: path.to_owned(), problem });
    let movable = |b: BodyRef| b.index().is_some_and(|i| !state.bodies[i].fixed);
    match &connector {
        Connector::Joint { normal, .. } => {
            if !((normal.norm() - 1.0).abs() <= crate::tolerance::UNIT_LENGTH) {
                let (value, allowed) = (normal.norm(), "the normal must have length 1");
                return Err(SimError::Value { path: format!("{path}.normal"), value, allowed });
            }
            if let (Some(i), BodyRef::Body(other)) = (a.index(), b) {
                state.bodies[i].ignored_bodies.push(other);
                model.ignoring.insert(i as u32);
            }
        }
        Connector::Rope { length, .. } | Connector::Rod { length, .. } => {
            if !movable(b) {
                return unsupported("the second body of a rope or rod must be movable: swap the ends");
            }
            if !(*length > 0.0 && length.is_finite()) {
                let allowed = "must be a finite number > 0";
                return Err(SimError::Value { path: format!("{path}.length"), value: *length, allowed });
            }
        }
        Connector::PathJoint { .. } | Connector::PathEndStop { .. } => {
            if !movable(a) {
                return unsupported("the body on a path must be movable");
            }
        }
    }
    Ok(Tie::new(connector, &state.bodies, model.is_recorded()))
}
