//! Changing what a world is made of while it runs.
//!
//! Bodies are known by their index. Inserting or removing one renumbers those behind it, here and in every
//! law, connector and list that names them; contacts that were resting are then found anew.

use super::World;
use super::builder::{attach, check_law, check_rough, check_settings};
use crate::backtracking::Backtracking;
use crate::body::{Body, BodyData};
use crate::connector::Connector;
use crate::energy::open_ledger;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::located::Located;
use crate::model::Model;
use crate::report::Totals;
use crate::settings::{Profile, Settings};
use crate::state::State;
use crate::work::Work;

/// What went with a removed body.
#[derive(Clone, Debug, Default)]
pub struct Removed {
    /// Connectors of the body, with the indices of bodies before the removal.
    pub connectors: Vec<Connector>,
    /// Laws that acted on the body alone or tied it to another, with the indices before the removal.
    pub force_laws: Vec<ForceLaw>,
}

impl World {
    /// Adds a body behind the others; returns its index.
    ///
    /// # Errors
    /// As [`insert_body`](Self::insert_body).
    pub fn add_body(&mut self, body: Body) -> Result<usize, SimError> {
        let index = self.state.bodies.len();
        self.insert_body(index, body)?;
        Ok(index)
    }

    /// Inserts a body before the one of that index; the bodies behind it move up by one. Bodies that the new one
    /// ignores are named by their indices after the insertion.
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the description or an index beyond the number of bodies; the world is then
    /// as before.
    pub fn insert_body(&mut self, index: usize, body: Body) -> Result<(), SimError> {
        let count = self.state.bodies.len();
        check_place("bodies", index, count)?;
        let (data, collision) = body.build(index, self.model.settings.tolerances)?;
        if let Some(&unknown) = collision.ignored_bodies.iter().find(|&&b| b as usize > count) {
            let path = format!("bodies[{index}].ignored_bodies");
            return Err(SimError::UnknownBody { path, index: unknown as usize, count: count + 1 });
        }
        check_rough(&self.model, std::slice::from_ref(&data), index)?;
        self.check_joints_stay(index, None)?;
        self.renumber(&|b| Some(if b as usize >= index { b + 1 } else { b }));
        self.model.masses.insert(index, data.inverse_mass());
        self.model.data.insert(index, data);
        self.model.ignores_edges |= !collision.ignored_edges.is_empty();
        self.state.bodies.insert(index, collision);
        self.forget_contacts();
        Ok(())
    }

    /// Removes a body with its connectors and with the laws that cannot do without it; the bodies behind it move
    /// down by one.
    ///
    /// # Errors
    /// [`SimError::UnknownBody`].
    pub fn remove_body(&mut self, index: usize) -> Result<Removed, SimError> {
        let count = self.state.bodies.len();
        if index >= count {
            return Err(SimError::UnknownBody { path: "index".to_owned(), index, count });
        }
        self.check_joints_stay(index, Some(index))?;
        self.model.joints.retain(|joint| joint.bodies().iter().all(|b| b.index() != Some(index)));
        self.model.data.remove(index);
        self.state.bodies.remove(index);
        self.model.masses.remove(index);
        let removed = self.renumber(&|b| match (b as usize).cmp(&index) {
            std::cmp::Ordering::Less => Some(b),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(b - 1),
        });
        self.forget_contacts();
        Ok(removed)
    }

    /// Joints name their bodies by place: those of bodies that would move up or down stand in the way, unless they go
    /// with the body `removed`.
    fn check_joints_stay(&self, from: usize, removed: Option<usize>) -> Result<(), SimError> {
        let stays = |bodies: &[engine2d_geometry::BodyRef]| {
            let goes = removed.is_some() && bodies.iter().any(|b| b.index() == removed);
            goes || bodies.iter().all(|b| b.index().is_none_or(|i| i < from))
        };
        match self.model.joints.iter().position(|joint| !stays(&joint.bodies())) {
            None => Ok(()),
            Some(k) => Err(SimError::Unsupported {
                path: format!("joints[{k}]"),
                problem: "a joint names its bodies by place, and this body would be renumbered: add joints of later \
                          bodies last, or build the world anew",
            }),
        }
    }

    /// Follows a renumbering of the bodies everywhere; returns what lost its body.
    fn renumber(&mut self, map: &dyn Fn(u32) -> Option<u32>) -> Removed {
        let Model { laws, ties, .. } = &mut self.model;
        for body in &mut self.state.bodies {
            body.ignored_bodies = body.ignored_bodies.iter().filter_map(|&b| map(b)).collect();
            body.ignored_edges.retain_mut(|edges| map(edges.body).map(|b| edges.body = b).is_some());
        }
        let mut removed = Removed::default();
        laws.retain_mut(|law| {
            let before = law.clone();
            let kept = law.renumber(map);
            if !kept {
                removed.force_laws.push(before);
            }
            kept
        });
        let mut places = std::mem::take(&mut self.state.places).into_iter();
        ties.retain_mut(|tie| {
            let before = tie.connector.clone();
            let kept = tie.connector.renumber(map);
            let place = places.next().expect("a place for each connector");
            if kept {
                self.state.places.push(place);
            } else {
                removed.connectors.push(before);
            }
            kept
        });
        removed
    }

    /// Forgets what is tied to the numbering or the place of bodies: motion in progress, resting contacts, the
    /// solver's earlier answers.
    fn forget_contacts(&mut self) {
        self.state.erase_old_poses();
        self.work.lcp.forget();
        open_ledger(&self.model, &mut self.state);
        self.state.forget_contacts();
        self.state.placed = true;
        self.backtracking.forget_contacts();
        self.located.invalidate();
    }

    /// Adds a force law behind the others; returns its index.
    ///
    /// # Errors
    /// [`SimError`] for an unknown body or a second law of a kind that acts on every body once.
    pub fn add_force_law(&mut self, law: ForceLaw) -> Result<usize, SimError> {
        let index = self.model.laws.len();
        check_law("force_law", &law, self.state.bodies.len(), &self.model.laws)?;
        self.model.laws.push(law);
        self.located.invalidate();
        Ok(index)
    }

    /// Replaces the force law of that index; returns the old one.
    ///
    /// # Errors
    /// [`SimError`] as [`add_force_law`](Self::add_force_law), and for an index beyond the laws.
    pub fn replace_force_law(&mut self, index: usize, law: ForceLaw) -> Result<ForceLaw, SimError> {
        let laws = &self.model.laws;
        check_index("force_laws", index, laws.len())?;
        let others: Vec<ForceLaw> =
            laws.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, law)| law.clone()).collect();
        check_law("force_law", &law, self.state.bodies.len(), &others)?;
        self.located.invalidate();
        Ok(std::mem::replace(&mut self.model.laws[index], law))
    }

    /// Removes the force law of that index.
    ///
    /// # Errors
    /// [`SimError::Value`] for an index beyond the laws.
    pub fn remove_force_law(&mut self, index: usize) -> Result<ForceLaw, SimError> {
        check_index("force_laws", index, self.model.laws.len())?;
        self.located.invalidate();
        Ok(self.model.laws.remove(index))
    }

    /// Removes all force laws.
    pub fn clear_force_laws(&mut self) {
        self.model.laws.clear();
        self.located.invalidate();
    }

    /// Adds a connector behind the others; returns its index. Nothing is moved: see
    /// [`align_connectors`](Self::align_connectors).
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the connector.
    pub fn add_connector(&mut self, connector: Connector) -> Result<usize, SimError> {
        let index = self.model.ties.len();
        self.insert_connector(index, connector)?;
        Ok(index)
    }

    /// Inserts a connector before the one of that index: the order is that of alignment and of detection.
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the connector or an index beyond the number of connectors.
    pub fn insert_connector(&mut self, index: usize, connector: Connector) -> Result<(), SimError> {
        check_place("connectors", index, self.model.ties.len())?;
        let (tie, place) = attach(&self.model, &mut self.state, "connector", connector)?;
        self.model.ties.insert(index, tie);
        self.state.places.insert(index, place);
        self.forget_contacts();
        Ok(())
    }

    /// Removes the connector of that index. Bodies that it kept from colliding still ignore each other.
    ///
    /// # Errors
    /// [`SimError::Value`] for an index beyond the connectors.
    pub fn remove_connector(&mut self, index: usize) -> Result<Connector, SimError> {
        check_index("connectors", index, self.model.ties.len())?;
        self.forget_contacts();
        self.state.places.remove(index);
        Ok(self.model.ties.remove(index).connector)
    }

    /// Removes everything and sets the time to 0. The settings stay, and so does the state of the generator.
    pub fn clear(&mut self) {
        let mut settings = self.model.settings.clone();
        settings.potential_offset = 0.0;
        self.model = Model::new(Vec::new(), &[], Vec::new(), settings);
        self.state = State::new(Vec::new(), self.state.generator.clone(), 0.0);
        let clock = self.work.stages.clock;
        self.work = Work::default();
        self.work.stages.clock = clock;
        self.totals = Totals::default();
        self.actions.clear();
        self.backtracking = Backtracking::new(self.model.settings.time_step);
        self.located = Located::default();
    }

    /// Replaces the settings. Tolerances are given to every body when they change; the generator starts anew when
    /// its seed or the profile changes.
    ///
    /// # Errors
    /// [`SimError::Value`] for a value that is not allowed, [`SimError::Unsupported`] for a clock that does not know the
    /// friction of the bodies; the settings are then as before.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SimError> {
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
            tie.recorded_arms = settings.profile == Profile::Reference;
        }
        self.model.settings = settings;
        self.work.lcp.forget();
        self.state.forget_contacts();
        self.located.invalidate();
        Ok(())
    }

    /// Starts the generator of random choices anew, at the beginning of the settings' seed.
    pub fn restart_generator(&mut self) {
        let settings = &self.model.settings;
        self.state.generator = Generator::new(settings.profile, settings.seed);
    }

    /// Gives every body the same coefficient of restitution.
    ///
    /// # Errors
    /// [`SimError::Value`] outside `[0, 1]`, or when there are no bodies.
    pub fn set_elasticity(&mut self, elasticity: f64) -> Result<(), SimError> {
        if !(0.0..=1.0).contains(&elasticity) {
            let allowed = "elasticity must lie in [0, 1]";
            return Err(SimError::Value { path: "elasticity".to_owned(), value: elasticity, allowed });
        }
        if self.model.data.is_empty() {
            let problem = "there are no bodies to set it on: add them first";
            return Err(SimError::Unsupported { path: "elasticity".to_owned(), problem });
        }
        self.model.data.iter_mut().for_each(|data: &mut BodyData| data.elasticity = elasticity);
        Ok(())
    }

    /// Makes the present height of a body's centre of mass its height of zero potential energy of gravity.
    ///
    /// # Errors
    /// [`SimError::UnknownBody`].
    pub fn set_zero_level_here(&mut self, index: usize) -> Result<(), SimError> {
        let level = self.body(index)?.position().y;
        self.model.data[index].zero_level = Some(level);
        Ok(())
    }
}

fn check_place(list: &str, index: usize, count: usize) -> Result<(), SimError> {
    if index <= count {
        return Ok(());
    }
    let (path, allowed) = (format!("{list}[{index}]"), "the place must not lie beyond the end of the list");
    Err(SimError::Value { path, value: index as f64, allowed })
}

fn check_index(list: &str, index: usize, count: usize) -> Result<(), SimError> {
    if index < count {
        return Ok(());
    }
    let (path, allowed) = (format!("{list}[{index}]"), "the list has no element of that index");
    Err(SimError::Value { path, value: index as f64, allowed })
}
