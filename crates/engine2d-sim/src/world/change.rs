//! Changes beyond those that every program makes.

use super::World;
use super::arrival::TANGENTIAL;
use super::builder::{attach, check_law};
use super::edit::check_place;
use super::identity::{BodyKey, BodyRegistry, ForceKey, Serials};
use super::push::check_finite;
use crate::backtracking::Backtracking;
use crate::body::BodyData;
use crate::body::motion::{Led, Motion};
use crate::connector::Connector;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::generator::Generator;
use crate::located::Located;
use crate::model::Model;
use crate::report::Totals;
use crate::settings::ClockKind;
use crate::state::State;
use crate::surface::SurfacePair;
use crate::time_stepping::TimeStepping;
use crate::watched::{WatchedFunction, WatchedKind};
use crate::work::Work;
use std::sync::Arc;

/// A world that is changed: [`World::edit`].
#[derive(Debug)]
pub struct Edit<'w> {
    pub(super) world: &'w mut World,
}

impl World {
    /// Changes beyond those that every program makes.
    #[must_use]
    pub fn edit(&mut self) -> Edit<'_> {
        Edit { world: self }
    }
}

impl Edit<'_> {
    /// Moves bodies so that all connectors hold, in their order.
    pub fn align_connectors(&mut self) {
        self.world.align_connectors();
    }

    /// Opens the energy ledger anew at the present state.
    pub fn open_ledger(&mut self) {
        self.world.open_ledger();
    }

    /// Sets the counters back to zero and forgets which contacts were resting.
    pub fn reset_totals(&mut self) {
        self.world.reset_totals();
    }

    /// Removes all force laws.
    pub fn clear_force_laws(&mut self) {
        for law in std::mem::take(&mut self.world.model.laws) {
            self.world.time_stepping.disturb_by(&law);
        }
        self.world.forces.clear();
        self.world.located.invalidate();
    }

    /// Replaces a force law; returns the old one. The identity stays.
    ///
    /// # Errors
    /// [`SimError`] as [`add_force_law`](World::add_force_law), and for a law that is not there.
    pub fn replace_force_law<'a>(
        &mut self,
        force: impl Into<ForceKey<'a>>,
        law: ForceLaw,
    ) -> Result<ForceLaw, SimError> {
        let index = self.world.forces.find_force(force.into())?;
        let laws = &self.world.model.laws;
        let others: Vec<ForceLaw> =
            laws.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, law)| law.clone()).collect();
        check_law("force_law", &law, self.world.state.bodies.len(), &others)?;
        self.world.located.invalidate();
        self.world.time_stepping.disturb_by(&law);
        self.world.time_stepping.disturb_by(&self.world.model.laws[index]);
        Ok(std::mem::replace(&mut self.world.model.laws[index], law))
    }

    /// Inserts a connector before the one of that index: the order is that of alignment and of detection.
    ///
    /// # Errors
    /// [`SimError`] for a mistake in the connector or an index beyond the number of connectors.
    pub fn insert_connector(&mut self, index: usize, connector: Connector) -> Result<(), SimError> {
        check_place("connectors", index, self.world.model.ties.len() + 1)?;
        let (tie, place) = attach(&mut self.world.model, &mut self.world.state, "connector", connector)?;
        self.world.model.ties.insert(index, tie);
        self.world.state.places.insert(index, place);
        self.world.forget_contacts();
        Ok(())
    }

    /// Starts the generator of random choices anew, at the beginning of the settings' seed.
    pub fn restart_generator(&mut self) {
        let settings = &self.world.model.settings;
        self.world.state.generator = Generator::new(settings.profile, settings.seed);
    }

    /// Makes the present height of a body's centre of mass its height of zero potential energy of gravity.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`] or [`SimError::UnknownBody`].
    pub fn set_zero_level_here<'a>(&mut self, body: impl Into<BodyKey<'a>>) -> Result<(), SimError> {
        let place = self.world.bodies.find(body.into())?;
        self.world.model.data[place].zero_level = Some(self.world.state.bodies[place].pose.position().y);
        Ok(())
    }

    /// Gives every body the same coefficient of restitution.
    ///
    /// # Errors
    /// [`SimError::Value`] outside `[0, 1]`, or when there are no bodies.
    pub fn set_restitution(&mut self, restitution: f64) -> Result<(), SimError> {
        if !(0.0..=1.0).contains(&restitution) {
            let allowed = "restitution must lie in [0, 1]";
            return Err(SimError::Value { path: "restitution".to_owned(), value: restitution, allowed });
        }
        if self.world.bodies.len() == 0 {
            let problem = "there are no bodies to set it on: add them first";
            return Err(SimError::Unsupported { path: "restitution".to_owned(), problem });
        }
        self.world.model.data.iter_mut().for_each(|data: &mut BodyData| data.restitution = restitution);
        Ok(())
    }

    /// Removes everything and sets the time to 0. The settings stay, and so does the state of the generator.
    pub fn clear(&mut self) {
        let mut settings = self.world.model.settings.clone();
        settings.potential_offset = 0.0;
        self.world.model = Model::new(Vec::new(), &[], Vec::new(), settings);
        self.world.state = State::new(Vec::new(), self.world.state.generator.clone(), 0.0);
        let clock = self.world.work.stages.clock;
        self.world.work = Work::default();
        self.world.work.stages.clock = clock;
        self.world.totals = Totals::default();
        self.world.actions.clear();
        self.world.bodies = BodyRegistry::default();
        self.world.standing = None;
        self.world.watchers.clear();
        self.world.presence = Some(std::collections::BTreeSet::new());
        self.world.departed.clear();
        (self.world.joints, self.world.forces) = (Serials::default(), Serials::default());
        self.world.backtracking = Backtracking::new(self.world.model.settings.time_step);
        self.world.located = Located::default();
        self.world.time_stepping = TimeStepping::default();
    }

    /// Lets two bodies collide with each other or not, from now on. Their groups, sensors and the like still count.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, World};
    ///
    /// let mut world = World::builder()
    ///     .gravity(10.0)
    ///     .body(Body::block(4.0, 1.0).fixed().at(0.0, -0.5).named("trapdoor"))
    ///     .body(Body::ball(0.5).at(0.0, 0.5).named("villain"))
    ///     .build()?;
    /// world.advance(1.0)?;
    /// world.edit().set_colliding("trapdoor", "villain", false)?;
    /// world.advance(1.0)?;
    /// assert!((world.body("villain")?.position().y + 4.5).abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    ///
    /// # Errors
    /// [`SimError`] for a body that is not there.
    pub fn set_colliding<'a, 'b>(
        &mut self,
        a: impl Into<BodyKey<'a>>,
        b: impl Into<BodyKey<'b>>,
        collide: bool,
    ) -> Result<(), SimError> {
        let (a, b) = (self.world.bodies.find(a.into())?, self.world.bodies.find(b.into())?);
        for (own, other) in [(a, b), (b, a)] {
            let list = &mut self.world.state.bodies[own].ignored_bodies;
            list.retain(|&known| known as usize != other);
            if !collide {
                list.push(other as u32);
                self.world.model.ignoring.insert(own as u32);
            }
        }
        self.world.let_go_of_pair(a as u32, b as u32);
        Ok(())
    }

    /// Sets what two bodies do to each other, before their materials and what each brings along: restitution, friction,
    /// speed of the surfaces. An empty pair takes it back.
    ///
    /// ```
    /// use engine2d_sim::{Body, SimError, SurfacePair, World};
    ///
    /// let mut world = World::builder()
    ///     .gravity(10.0)
    ///     .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.5).named("belt"))
    ///     .body(Body::block(1.0, 1.0).at(0.0, 0.5).friction(0.5).named("parcel"))
    ///     .body(Body::block(1.0, 1.0).at(3.0, 0.5).friction(0.5).named("crate"))
    ///     .build()?;
    /// // The belt runs for parcels only.
    /// let runs = SurfacePair { surface_speed: Some(-1.0), ..SurfacePair::default() };
    /// world.edit().set_surfaces("belt", "parcel", runs)?;
    /// world.advance(1.0)?;
    /// assert!((world.body("parcel")?.velocity().x - 1.0).abs() < 1e-9);
    /// assert!(world.body("crate")?.velocity().x.abs() < 1e-9);
    /// # Ok::<(), SimError>(())
    /// ```
    ///
    /// # Errors
    /// [`SimError`] for a body that is not there, for a value that is not allowed, and for friction where the clock knows
    /// none.
    pub fn set_surfaces<'a, 'b>(
        &mut self,
        a: impl Into<BodyKey<'a>>,
        b: impl Into<BodyKey<'b>>,
        pair: SurfacePair,
    ) -> Result<(), SimError> {
        let (a, b) = (self.world.bodies.find(a.into())? as u32, self.world.bodies.find(b.into())? as u32);
        let path = |field: &str| format!("surfaces[{a}, {b}].{field}");
        if let Some((field, value, allowed)) = pair.fault() {
            return Err(SimError::Value { path: path(field), value, allowed });
        }
        if let Some(field) = pair.rough().filter(|_| !self.world.model.takes_friction()) {
            let problem = "friction and rolling resistance need rigid surfaces and located events: choose the located clock";
            return Err(SimError::Unsupported { path: path(field), problem });
        }
        if pair.bounces_tangentially() && self.world.model.clock() != ClockKind::Located {
            return Err(SimError::Unsupported { path: path("tangential_restitution"), problem: TANGENTIAL });
        }
        if pair == SurfacePair::default() {
            self.world.model.pairs.remove(&[a.min(b), a.max(b)]);
        } else {
            self.world.model.pairs.insert([a.min(b), a.max(b)], pair);
        }
        self.world.let_go_of_pair(a, b);
        Ok(())
    }

    /// Removes all events of that name; returns how many there were.
    pub fn remove_events(&mut self, name: &str) -> usize {
        self.world.located.invalidate();
        self.world.time_stepping.forget_watched();
        let before = self.world.actions.len();
        let stays = |watched: &WatchedFunction| watched.kind != WatchedKind::User || watched.name != name;
        let mut kept = self.world.model.watched.iter().map(stays);
        self.world.actions.retain(|_| kept.next().unwrap_or(true));
        self.world.model.watched.retain(stays);
        before - self.world.actions.len()
    }

    /// Leads a body that was made as one that is led along another path from now on, as [`Body::led_by`](crate::Body::led_by).
    ///
    /// # Errors
    /// [`SimError::Value`] for a path that is not finite now, [`SimError::Unsupported`] for a body that is not led, and for a
    /// body that is not there.
    pub fn set_path<'a>(
        &mut self,
        body: impl Into<BodyKey<'a>>,
        path: impl Fn(f64) -> Led + Send + Sync + 'static,
    ) -> Result<(), SimError> {
        let place = self.world.bodies.find(body.into())?;
        check_finite(place, "motion", path(self.world.state.time).as_flattened())?;
        self.world.lead(place, Motion::Path(Arc::new(path)))
    }
}
