//! Changing what a world is made of while it runs.
//!
//! Bodies keep their places and identities whatever else comes and goes. A removed body leaves a vacant place, which the next
//! body takes; the contacts of the others last, and so do the solver's earlier answers.

use super::World;
use super::arrival::{check_one_overlap, check_rough, kinematic};
use super::builder::{check_law, check_settings};
use super::identity::{BodyId, BodyKey, ForceId, ForceKey};
use super::standing::Standing;
use crate::body::Body;
use crate::connector::Connector;
use crate::energy::open_ledger;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::model::Model;
use crate::road::haste::Haste;
use crate::settings::{Profile, Settings};
use engine2d_geometry::{BodyRef, CollisionFilter};

/// Contacts that may be looked through for each body that goes.
const PER_DEPARTURE: usize = 256;

/// What went with a removed body.
#[derive(Clone, Debug, Default)]
pub struct Removed {
    /// Connectors of the body.
    pub connectors: Vec<Connector>,
    /// Laws that acted on the body alone or tied it to another.
    pub force_laws: Vec<ForceLaw>,
    /// Number of constraints of the library that held it.
    pub joints: usize,
}

impl World {
    /// Adds a body; returns its identity. It takes the place of a body that is gone, or one behind all others.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let mut world = World::builder().body(Body::ball(0.5).named("first")).build()?;
    /// let second = world.add_body(Body::ball(0.5).at(3.0, 0.0).named("second"))?;
    /// world.remove_body("first")?;
    /// assert_eq!(world.body(second)?.name(), "second");
    /// let third = world.add_body(Body::ball(0.5).named("third"))?;
    /// world.remove_body(second)?;
    /// assert!(matches!(world.body(second), Err(SimError::Stale { .. })));
    /// assert_eq!(world.body("third")?.id(), third);
    /// # Ok::<(), SimError>(())
    /// ```
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the description, [`SimError::Overlap`] for one that starts inside another; the world is
    /// then as before.
    pub fn add_body(&mut self, body: Body) -> Result<BodyId, SimError> {
        let place = self.bodies.next();
        let count = self.state.bodies.len();
        let (data, collision) = body.build(place, self.model.settings.tolerances)?;
        self.bodies.check_name(&data.name, place)?;
        let unknown = |b: u32| b as usize != place && !self.bodies.is_taken(b as usize);
        if let Some(&b) = collision.ignored_bodies.iter().find(|&&b| unknown(b)) {
            let path = format!("bodies[{place}].ignored_bodies");
            return Err(SimError::UnknownBody { path, index: b as usize, count });
        }
        check_rough(&self.model, std::slice::from_ref(&data), place)?;
        kinematic(&self.model, &data, &collision, (place, self.state.time))?;
        let ignores_edges = !collision.ignored_edges.is_empty();
        let before = self.state.bodies.get(place).cloned();
        let known = (self.model.data.get(place).cloned(), self.model.masses.get(place).copied());
        if place == count {
            self.model.masses.push(data.inverse_mass());
            self.model.data.push(data);
            self.state.bodies.push(collision);
        } else {
            self.model.masses[place] = data.inverse_mass();
            self.model.data[place] = data;
            self.state.bodies[place] = collision;
        }
        self.model.data[place].id = Some(self.bodies.next_id());
        self.ask_predicate(place);
        let apart = if self.allow_overlap {
            Ok(())
        } else {
            let standing = self.standing.get_or_insert_with(|| {
                let others = &self.state.bodies[..count];
                let mut standing = Standing::of(others);
                standing.remove(place);
                standing
            });
            check_one_overlap(&self.model, &self.state.bodies, place, (&mut self.instrument, standing))
        };
        if let Err(error) = apart {
            self.model.ignoring.remove(&(place as u32));
            if let (Some(body), (Some(data), Some(mass))) = (before, known) {
                self.state.bodies[place] = body;
                self.model.data[place] = data;
                self.model.masses[place] = mass;
            } else {
                self.model.masses.pop();
                self.model.data.pop();
                self.state.bodies.pop();
            }
            return Err(error);
        }
        self.model.ignores_edges |= ignores_edges;
        if self.state.bodies[place].ignores_some() {
            self.model.ignoring.insert(place as u32);
        }
        let id = self.bodies.add(&self.model.data[place].name);
        self.model.data[place].id = Some(id);
        if let Some(standing) = &mut self.standing {
            standing.insert(place, &self.state.bodies[place]);
        }
        self.changed_at(place);
        self.take_up(place)?;
        Ok(id)
    }

    /// Removes a body with its connectors and constraints and with the laws that cannot do without it. All others stay as
    /// they are, at their places and with their contacts.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`] or [`SimError::UnknownBody`].
    pub fn remove_body<'a>(&mut self, body: impl Into<BodyKey<'a>>) -> Result<Removed, SimError> {
        let place = self.bodies.find(body.into())?;
        let gone = BodyRef::Body(place as u32);
        let mut removed = Removed::default();
        for joint in (0..self.model.joints.len()).rev() {
            if self.model.joints[joint].bodies().contains(&gone) {
                self.take_joint(joint);
                removed.joints += 1;
            }
        }
        self.detach(place as u32, &mut removed);
        self.unwatch_body(place as u32);
        if let Some(haste) = self.state.haste.get_mut(place) {
            *haste = Haste::default();
        }
        if let Some(standing) = &mut self.standing {
            standing.remove(place);
        }
        if let Some(presence) = &mut self.presence {
            presence.retain(|pair| !pair.contains(&(place as u32)));
        }
        if !self.model.pairs.is_empty() {
            self.model.pairs.retain(|pair, _| !pair.contains(&(place as u32)));
        }
        // What is left at the place takes no part in anything.
        let left = &mut self.state.bodies[place];
        left.fixed = true;
        left.velocity = engine2d_math::Vec2::zeros();
        left.angular_velocity = 0.0;
        left.filter = CollisionFilter { categories: 0, mask: 0 };
        left.ignored_bodies.clear();
        left.ignored_edges.clear();
        let data = &mut self.model.data[place];
        data.id = None;
        (data.mass, data.moment) = (f64::INFINITY, f64::INFINITY);
        data.pieces.clear();
        self.model.masses[place] = data.inverse_mass();
        self.bodies.remove(place);
        self.departed.push(place as u32);
        let remembered = self.state.held.len() + self.backtracking.resting().len();
        if remembered <= PER_DEPARTURE * self.departed.len() {
            self.settle_departures();
        }
        if removed.connectors.is_empty() {
            self.changed_at(place);
        } else {
            // Connectors are known by their places in the list.
            self.changed();
        }
        Ok(removed)
    }

    /// Forgets the contacts of bodies that are gone, and gives their places to those that come.
    pub(super) fn settle_departures(&mut self) {
        if self.departed.is_empty() {
            return;
        }
        let mut held = std::mem::take(&mut self.state.held);
        held.retain(|held| !held.source.is_of_any(|body| self.is_gone(body)));
        self.state.held = held;
        let resting = self.backtracking.resting();
        if !resting.is_empty() {
            let stays = |id: &engine2d_geometry::ContactId| {
                !self.is_gone(id.primary) && !self.is_gone(id.normal_body)
            };
            let kept: Vec<_> = resting.iter().filter(|(id, _)| stays(id)).copied().collect();
            self.backtracking.set_resting(&kept);
        }
        for place in std::mem::take(&mut self.departed) {
            self.bodies.release(place);
        }
    }

    /// Whether nobody stands any more where a body stood.
    pub(super) fn is_gone(&self, body: BodyRef) -> bool {
        body.index()
            .is_some_and(|place| self.state.bodies.get(place).is_some() && !self.bodies.is_taken(place))
    }

    /// Takes the connectors and laws of a body away, and its mention in those of others.
    fn detach(&mut self, gone: u32, removed: &mut Removed) {
        let map = |b: u32| (b != gone).then_some(b);
        self.model.ignoring.remove(&gone);
        for &place in &self.model.ignoring {
            let body = &mut self.state.bodies[place as usize];
            body.ignored_bodies.retain(|&b| b != gone);
            body.ignored_edges.retain(|edges| edges.body != gone);
        }
        for place in (0..self.model.laws.len()).rev() {
            let before = self.model.laws[place].clone();
            if !self.model.laws[place].renumber(&map) {
                removed.force_laws.insert(0, before);
                self.model.laws.remove(place);
                self.forces.remove(place);
            }
        }
        let before = self.model.ties.len();
        for place in (0..before).rev() {
            let connector = self.model.ties[place].connector.clone();
            if !self.model.ties[place].connector.renumber(&map) {
                self.model.ties.remove(place);
                self.state.places.remove(place);
                removed.connectors.insert(0, connector);
            }
        }
        if self.model.ties.len() < before {
            self.state.held.retain(|held| !held.source.is_connector());
        }
    }

    /// What follows from a change of the bodies or of what they do: the motion in progress ends, contacts stay.
    pub(super) fn changed(&mut self) {
        self.end_motion();
        self.forget_motion();
    }

    /// The same where one body alone changed: fixed steps go on with what they know of the others.
    pub(super) fn changed_at(&mut self, place: usize) {
        self.end_motion();
        self.located.invalidate();
        self.time_stepping.disturb(place as u32);
    }

    fn end_motion(&mut self) {
        if !self.model.is_located() {
            self.state.erase_old_poses();
        }
        open_ledger(&self.model, &mut self.state);
        self.state.compliant.forget();
        self.state.placed = true;
    }

    /// Forgets what is tied to the numbering of connectors: resting contacts and the solver's earlier answers.
    pub(super) fn forget_contacts(&mut self) {
        self.work.lcp.forget();
        self.state.forget_contacts();
        self.backtracking.forget_contacts();
        self.changed();
    }

    /// Adds a force law behind the others; returns its identity.
    ///
    /// # Errors
    /// [`SimError`] for an unknown body or a second law of a kind that acts on every body once.
    pub fn add_force_law(&mut self, law: ForceLaw) -> Result<ForceId, SimError> {
        check_law("force_law", &law, self.state.bodies.len(), &self.model.laws)?;
        self.time_stepping.disturb_by(&law);
        self.model.laws.push(law);
        self.forces.add(None);
        // Fixed steps ask for the forces anew in each.
        self.located.invalidate();
        Ok(self.forces.force(self.model.laws.len() - 1))
    }

    /// Removes a force law.
    ///
    /// # Errors
    /// [`SimError::Stale`], or [`SimError::Value`] for a place beyond the laws.
    pub(crate) fn remove_force_law<'a>(
        &mut self,
        force: impl Into<ForceKey<'a>>,
    ) -> Result<ForceLaw, SimError> {
        let index = self.forces.find_force(force.into())?;
        self.located.invalidate();
        self.forces.remove(index);
        self.time_stepping.disturb_by(&self.model.laws[index]);
        Ok(self.model.laws.remove(index))
    }

    /// Adds a connector behind the others; returns its index. Nothing is moved: see
    /// [`Edit::align_connectors`](crate::Edit::align_connectors).
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the connector.
    pub(crate) fn add_connector(&mut self, connector: Connector) -> Result<usize, SimError> {
        let index = self.model.ties.len();
        self.edit().insert_connector(index, connector)?;
        Ok(index)
    }

    /// Removes the connector of that index. Bodies that it kept from colliding still ignore each other.
    ///
    /// # Errors
    /// [`SimError::Value`] for an index beyond the connectors.
    pub(crate) fn remove_connector(&mut self, index: usize) -> Result<Connector, SimError> {
        check_place("connectors", index, self.model.ties.len())?;
        self.forget_contacts();
        self.state.places.remove(index);
        Ok(self.model.ties.remove(index).connector)
    }

    /// Replaces the settings. Tolerances are given to every body when they change; the generator starts anew when
    /// its seed or the profile changes.
    ///
    /// # Errors
    /// [`SimError::Value`] for a value that is not allowed, [`SimError::Unsupported`] for a clock that does not know the
    /// friction of the bodies; the settings are then as before.
    pub(crate) fn set_settings(&mut self, settings: Settings) -> Result<(), SimError> {
        check_settings(&settings)?;
        let changed = Model { settings, ..self.model.clone() };
        check_rough(&changed, &changed.data, 0)?;
        let settings = changed.settings;
        let old = &self.model.settings;
        if (settings.seed, settings.profile) != (old.seed, old.profile) {
            self.state.generator = Generator::new(settings.profile, settings.seed);
        }
        if settings.tolerances != old.tolerances {
            for body in &mut self.state.bodies {
                body.tolerances = settings.tolerances;
            }
        }
        for tie in &mut self.model.ties {
            tie.recorded = settings.profile == Profile::Reference;
        }
        self.model.settings = settings;
        self.work.lcp.forget();
        self.state.forget_contacts();
        self.forget_motion();
        Ok(())
    }
}

pub(super) fn check_place(list: &str, index: usize, end: usize) -> Result<(), SimError> {
    if index < end {
        return Ok(());
    }
    let (path, allowed) = (format!("{list}[{index}]"), "the list has no such place");
    Err(SimError::Value { path, value: index as f64, allowed })
}
