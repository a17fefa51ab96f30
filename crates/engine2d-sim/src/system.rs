//! Bodies, laws and connectors with the operations an advance is made of: evaluate, find, handle.

use crate::after_move::AfterMove;
use crate::body::BodyData;
use crate::collision::Collision;
use crate::compliant::CompliantStage;
use crate::connector::ConnectorState;
use crate::contact_force::{ContactForceStage, GroupObserver};
use crate::corner::straighten_flush_corners;
use crate::energy::Energy;
use crate::error::SimError;
use crate::force::{ForceContext, ForceLaw};
use crate::generator::Generator;
use crate::impulse::ImpulseStage;
use crate::instrument::Instrument;
use crate::lcp::LcpDriver;
use crate::ledger::Ledger;
use crate::located::UserEvent;
use crate::road::{Haste, Road};
use crate::settings::{Fidelity, Profile, Settings};
use crate::stages::{Stage, StageMeter};
use engine2d_constraint::InverseMass;
use engine2d_constraint::Joint;
use engine2d_geometry::{CollisionBody, Contact, Features, FinderWorkspace, Pass, Rules, find_contacts_with};
use engine2d_math::Vec2;

/// Number of state variables of a body: x, v_x, y, v_y, angle, angular velocity.
pub(crate) const PER_BODY: usize = 6;

/// Everything that moves, and how.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) data: Vec<BodyData>,
    pub(crate) bodies: Vec<CollisionBody>,
    pub(crate) inverse_masses: Vec<InverseMass>,
    pub(crate) laws: Vec<ForceLaw>,
    pub(crate) connectors: Vec<ConnectorState>,
    pub(crate) settings: Settings,
    pub(crate) time: f64,
    /// Length of the advance in progress, the default `h` of the extra acceleration.
    pub(crate) current_step: f64,
    pub(crate) generator: Generator,
    pub(crate) lcp: LcpDriver,
    pub(crate) finder: FinderWorkspace,
    pub(crate) contact_stage: ContactForceStage,
    pub(crate) impulse_stage: ImpulseStage,
    pub(crate) compliant: CompliantStage,
    pub(crate) joints: Vec<Joint>,
    pub(crate) road: Road,
    pub(crate) instrument: Instrument,
    /// How often each body has had events lately.
    pub(crate) haste: Vec<Haste>,
    pub(crate) user_events: Vec<UserEvent>,
    pub(crate) ledger: Option<Ledger>,
    /// Whether some body ignores single edges of another, which only detection by motion can.
    pub(crate) ignores_edges: bool,
    /// Whether bodies or connectors were placed since the last advance, and may touch.
    pub(crate) placed: bool,
    /// Evaluations in the advance in progress.
    pub(crate) evaluations: u64,
    pub(crate) stages: StageMeter,
    pub(crate) after_move: AfterMove,
    /// Records of the evaluation in progress.
    evaluation_records: Vec<Collision>,
}

/// How an evaluation or a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was completed.
    Done,
    /// Bodies penetrate: the records found are handed over, the bodies stay at the trial state.
    Collided,
}

/// Moves a body to its six variables.
pub(crate) fn place(body: &mut CollisionBody, v: &[f64]) {
    body.pose.set_position(Vec2::new(v[0], v[2]));
    body.velocity = Vec2::new(v[1], v[3]);
    body.pose.set_angle(v[4]);
    body.angular_velocity = v[5];
}

/// Ends an advance that took more work than it may.
pub(crate) fn check_limit(what: &'static str, count: u64, limit: u64, time: f64) -> Result<(), SimError> {
    if count > limit { Err(SimError::WorkLimit { what, limit, time }) } else { Ok(()) }
}

impl System {
    pub(crate) fn new(
        bodies: Vec<(BodyData, CollisionBody)>,
        laws: Vec<ForceLaw>,
        settings: Settings,
        time: f64,
    ) -> Self {
        let (data, bodies): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
        let inverse_masses = data.iter().map(BodyData::inverse_mass).collect();
        let ignores_edges = bodies.iter().any(|b| !b.ignored_edges.is_empty());
        let generator = Generator::new(settings.profile, settings.seed);
        let current_step = settings.time_step;
        Self {
            data,
            bodies,
            inverse_masses,
            laws,
            connectors: Vec::new(),
            settings,
            time,
            current_step,
            generator,
            lcp: LcpDriver::default(),
            finder: FinderWorkspace::default(),
            contact_stage: ContactForceStage::default(),
            impulse_stage: ImpulseStage::default(),
            compliant: CompliantStage::default(),
            joints: Vec::new(),
            road: Road::default(),
            instrument: Instrument::default(),
            haste: Vec::new(),
            user_events: Vec::new(),
            ledger: None,
            ignores_edges,
            placed: true,
            evaluations: 0,
            stages: StageMeter::default(),
            after_move: AfterMove::default(),
            evaluation_records: Vec::new(),
        }
    }

    /// The state vector: time, then six variables per body, then the entries of the energy ledger.
    pub(crate) fn read_state(&self, y: &mut Vec<f64>) {
        y.clear();
        y.push(self.time);
        for b in &self.bodies {
            let p = b.pose.position();
            y.extend([p.x, b.velocity.x, p.y, b.velocity.y, b.pose.angle(), b.angular_velocity]);
        }
        y.extend(self.ledger.iter().flat_map(|ledger| &ledger.work));
    }

    /// Moves clock and bodies to a state vector.
    pub(crate) fn write_state(&mut self, y: &[f64]) {
        self.time = y[0];
        for (b, v) in self.bodies.iter_mut().zip(y[1..].chunks_exact(PER_BODY)) {
            place(b, v);
        }
        if let Some(ledger) = &mut self.ledger {
            let booked = y.get(1 + PER_BODY * self.bodies.len()..).unwrap_or_default();
            ledger.work.iter_mut().zip(booked).for_each(|(work, value)| *work = *value);
        }
    }

    /// Remembers the present frames as the beginning of a motion.
    pub(crate) fn save_old_poses(&mut self) {
        for b in &mut self.bodies {
            b.save_old_pose();
        }
    }

    /// Forgets the beginning of the motion: detection then sees the present only.
    pub(crate) fn erase_old_poses(&mut self) {
        for b in &mut self.bodies {
            b.old = None;
        }
    }

    pub(crate) fn force_context(&self) -> ForceContext<'_> {
        ForceContext { data: &self.data, bodies: &self.bodies, time: self.time }
    }

    /// The rates of change of `y`, evaluated `offset` after the last complete state. On
    /// [`Outcome::Collided`] the bodies are left at the trial state and `records` holds what was found.
    pub(crate) fn evaluate(
        &mut self,
        y: &[f64],
        offset: f64,
        rates: &mut Vec<f64>,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        self.evaluate_observed(y, offset, rates, records, None)
    }

    pub(crate) fn evaluate_observed(
        &mut self,
        y: &[f64],
        offset: f64,
        rates: &mut Vec<f64>,
        records: &mut Vec<Collision>,
        observer: Option<GroupObserver<'_>>,
    ) -> Result<Outcome, SimError> {
        self.evaluations += 1;
        check_limit("evaluations", self.evaluations, self.settings.limits.evaluations, y[0])?;
        self.write_state(y);
        rates.clear();
        rates.resize(y.len(), 0.0);
        rates[0] = 1.0;
        for (b, r) in self.bodies.iter().zip(rates[1..].chunks_exact_mut(PER_BODY)) {
            if !b.fixed {
                (r[0], r[2], r[4]) = (b.velocity.x, b.velocity.y, b.angular_velocity);
            }
        }
        let integration = self.stages.enter(Stage::ForceLaws);
        let context = self.force_context();
        // Power so far; each part books what it adds.
        let mut power = 0.0;
        let entries = 1 + PER_BODY * self.bodies.len();
        for (k, law) in self.laws.iter().enumerate() {
            context.apply(law, &mut rates[1..])?;
            if self.ledger.is_some() {
                let now = self.power(&rates[1..]);
                rates[entries + k] = now - power;
                power = now;
            }
        }
        self.stages.leave(integration);
        if self.settings.fidelity != Fidelity::Contacts {
            return Ok(Outcome::Done);
        }
        let outcome = self.constraint_rates(offset, rates, records, observer)?;
        if self.ledger.is_some() {
            let slot = entries + self.laws.len();
            rates[slot + 1] = self.power(&rates[1..]) - power - rates[slot];
        }
        Ok(outcome)
    }

    /// Adds the accelerations by contacts and connectors.
    fn constraint_rates(
        &mut self,
        offset: f64,
        rates: &mut [f64],
        records: &mut Vec<Collision>,
        observer: Option<GroupObserver<'_>>,
    ) -> Result<Outcome, SimError> {
        if self.is_located() {
            self.located_rates(rates)?;
            return Ok(Outcome::Done);
        }
        let mut found = std::mem::take(&mut self.evaluation_records);
        found.clear();
        let result = self.contact_rates(offset, &mut rates[1..], &mut found, observer);
        if matches!(result, Ok(Outcome::Collided)) {
            std::mem::swap(records, &mut found);
        }
        self.evaluation_records = found;
        result
    }

    /// The contact level of an evaluation: find, reject penetration, add contact forces.
    fn contact_rates(
        &mut self,
        offset: f64,
        rates: &mut [f64],
        found: &mut Vec<Collision>,
        observer: Option<GroupObserver<'_>>,
    ) -> Result<Outcome, SimError> {
        self.find_collisions(offset, found)?;
        if self.settings.aids.detect_only {
            found.retain(Collision::is_connector);
        }
        if found.iter().any(|r| r.contact.is_illegal()) {
            return Ok(Outcome::Collided);
        }
        found.retain(|r| r.contact.is_contact());
        self.apply_contact_forces(found, rates, observer)?;
        Ok(Outcome::Done)
    }

    /// Appends to `records` all collisions and contacts at the present state; `step` is the time the bodies
    /// moved since their old poses. Connector rows come to the front, the last connector's first.
    pub(crate) fn find_collisions(
        &mut self,
        step: f64,
        records: &mut Vec<Collision>,
    ) -> Result<(), SimError> {
        let before = self.stages.enter(Stage::Detection);
        let result = self.find_all(step, records);
        self.stages.leave(before);
        result
    }

    fn find_all(&mut self, step: f64, records: &mut Vec<Collision>) -> Result<(), SimError> {
        self.find_between_bodies(step, records);
        if self.settings.fidelity == Fidelity::Contacts {
            for (number, state) in self.connectors.iter_mut().enumerate() {
                let row = state.geometry(number as u32, &self.bodies, self.time)?;
                if state.is_reported(&row, &self.bodies) {
                    records.insert(0, Collision::from(Contact::new(&row, &self.bodies, self.time)));
                }
            }
        }
        if let Some(bad) =
            records.iter().find(|r| !(r.contact.distance.is_finite() && r.contact.velocity.is_finite()))
        {
            return Err(SimError::NotFinite {
                what: format!("the gap of {}", bad.contact.id),
                time: self.time,
            });
        }
        Ok(())
    }

    /// Appends what touches or crosses; `step` is the time the bodies moved since their old poses.
    pub(crate) fn find_between_bodies(&mut self, step: f64, records: &mut Vec<Collision>) {
        let tolerance = self.settings.tolerances.distance;
        let rules = match self.settings.profile {
            Profile::Reference => Rules::REFERENCE,
            Profile::Engine2d => Rules::default(),
        };
        let pass = Pass { time: self.time, step, tolerance, rules };
        find_contacts_with(&self.bodies, &pass, &mut self.finder, records);
        if self.settings.profile == Profile::Engine2d {
            straighten_flush_corners(records, &self.bodies, self.time);
        }
        if self.settings.aids.trace_contacts {
            for c in records.iter().map(|r| &r.contact) {
                tracing::trace!(time = self.time, contact = %c.id, gap = c.distance, velocity = c.velocity, "found");
            }
        }
    }

    /// Brings a record up to date after the bodies have moved or changed velocity.
    pub(crate) fn update_record(&mut self, record: &mut Collision) -> Result<(), SimError> {
        if let Features::Connector(number) = record.contact.id.features {
            let row = self.connectors[number as usize].geometry(number, &self.bodies, self.time)?;
            record.contact.update_connector(&row, &self.bodies, self.time, record.must_handle);
        } else {
            record.contact.update(&self.bodies, self.time, record.must_handle);
        }
        Ok(())
    }

    /// The energies of the present state.
    pub(crate) fn energy(&self) -> Energy {
        let mut translational = 0.0;
        let mut rotational = 0.0;
        for (data, b) in self.data.iter().zip(&self.bodies) {
            if data.is_movable() {
                translational += 0.5 * data.mass * b.velocity.norm_squared();
                rotational += 0.5 * data.moment * b.angular_velocity * b.angular_velocity;
            }
        }
        let context = self.force_context();
        let held: f64 = self.laws.iter().map(|law| context.potential_energy(law)).sum();
        let stored = self.compliant.stored_energy(&self.bodies);
        Energy { translational, rotational, potential: held + stored + self.settings.potential_offset }
    }
}
