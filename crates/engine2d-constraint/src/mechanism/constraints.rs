//! Constraints of a mechanism: adding, editing, enabling, defaults.

use super::Mechanism;
use super::check::check_rows;
use crate::constrainer::LibraryConstrainer;
use crate::equation::{Equation, Motions};
use crate::error::MechanismError;
use crate::law::Give;
use crate::library::{AnyConstraint, Constraint, Stroke};
use crate::stage::Stage;
use engine2d_geometry::BodyRef;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

/// Identity of a constraint of a mechanism, typed by its kind; another mechanism does not accept it.
pub struct ConstraintId<C> {
    mechanism: u32,
    index: u32,
    kind: PhantomData<fn() -> C>,
}

impl<C> Clone for ConstraintId<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ConstraintId<C> {}

impl<C> PartialEq for ConstraintId<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.mechanism, self.index) == (other.mechanism, other.index)
    }
}

impl<C> Eq for ConstraintId<C> {}

impl<C> fmt::Debug for ConstraintId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "constraint {} of mechanism {}", self.index, self.mechanism)
    }
}

impl<C> ConstraintId<C> {
    /// Place in the list of constraints.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A constraint with its name and whether it acts.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    enabled: bool,
    enabled_by_default: bool,
    conditional: bool,
    give: Give,
    /// What a mechanism put back to its defaults starts from.
    default: Box<dyn AnyConstraint>,
    current: Box<dyn AnyConstraint>,
}

impl Entry {
    /// Appends the equations in use: none when disabled.
    pub(super) fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        if !self.enabled {
            return;
        }
        let start = out.len();
        self.current.equations(motions, out);
        self.give.give_way(&mut out[start..]);
    }

    /// Places of its bodies.
    pub(super) fn places(&self) -> Vec<BodyRef> {
        self.current.bodies().into_iter().map(BodyRef::from).collect()
    }

    pub(super) fn constraint(&self) -> &dyn Constraint {
        self.current.as_ref()
    }

    /// Drives the constraint through the trait of constrainers; `None` when it is disabled.
    pub(super) fn constrainer(&self) -> Option<LibraryConstrainer> {
        self.enabled.then(|| {
            let constraint: Box<dyn Constraint> = self.current.copy();
            LibraryConstrainer::of(self.name.clone(), constraint, self.give.clone())
        })
    }
}

impl Mechanism {
    /// Adds a constraint; its name is its kind and number.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`], [`MechanismError::SameBody`],
    /// [`MechanismError::Value`] for geometry that makes no finite rows.
    pub fn add<C>(&mut self, constraint: C) -> Result<ConstraintId<C>, MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        let name = format!("{} {}", constraint.kind(), self.entries.len());
        self.add_named(name, constraint)
    }

    /// Adds a constraint with a name for reports.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_named<C>(
        &mut self,
        name: impl Into<String>,
        constraint: C,
    ) -> Result<ConstraintId<C>, MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        let index = self.entries.len() as u32;
        let name = name.into();
        self.check_bodies(&constraint)?;
        check_rows(&name, &constraint, self.motions())?;
        self.entries.push(Entry {
            name,
            enabled: true,
            enabled_by_default: true,
            conditional: false,
            give: Give::default(),
            default: constraint.copy(),
            current: Box::new(constraint),
        });
        self.stage = Stage::Topology;
        Ok(ConstraintId { mechanism: self.number, index, kind: PhantomData })
    }

    fn check_bodies(&self, constraint: &dyn Constraint) -> Result<(), MechanismError> {
        let bodies = constraint.bodies();
        let constraint = constraint.kind();
        for (i, &id) in bodies.iter().enumerate() {
            let body = self.place_of(constraint, id)?;
            if bodies[..i].iter().any(|b| *b == body) {
                return Err(MechanismError::SameBody { constraint, body });
            }
        }
        Ok(())
    }

    /// Place of a constraint in this mechanism's list.
    pub(super) fn entry<C>(&self, id: ConstraintId<C>) -> Result<usize, MechanismError> {
        let index = id.index();
        if id.mechanism == self.number { Ok(index) } else { Err(MechanismError::ForeignId { id: index }) }
    }

    /// Number of constraints.
    #[must_use]
    pub fn constraint_count(&self) -> usize {
        self.entries.len()
    }

    /// Name of a constraint.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn name<C>(&self, id: ConstraintId<C>) -> Result<&str, MechanismError> {
        Ok(&self.entries[self.entry(id)?].name)
    }

    /// The constraint of an id, as it is in force.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn constraint<C: Constraint + 'static>(&self, id: ConstraintId<C>) -> Result<&C, MechanismError> {
        let any: &dyn Any = self.entries[self.entry(id)?].current.as_ref();
        any.downcast_ref::<C>().ok_or(MechanismError::ForeignId { id: id.index() })
    }

    /// The constraint of an id, as it is by default.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn default_of<C: Constraint + 'static>(&self, id: ConstraintId<C>) -> Result<&C, MechanismError> {
        let any: &dyn Any = self.entries[self.entry(id)?].default.as_ref();
        any.downcast_ref::<C>().ok_or(MechanismError::ForeignId { id: id.index() })
    }

    /// Changes the geometry of a constraint at run time; drops the mechanism to stage time. The default stays.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`]; [`MechanismError::BodiesChanged`] and [`MechanismError::Value`], which leave the
    /// constraint as it was.
    pub fn edit<C>(&mut self, id: ConstraintId<C>, change: impl FnOnce(&mut C)) -> Result<(), MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        let changed = self.changed(id, self.constraint(id)?, change)?;
        self.entries[id.index()].current = changed;
        self.drop_to(Stage::Time);
        Ok(())
    }

    /// Changes the default of a constraint, and what is in force with it; drops the mechanism to stage topology.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn edit_default<C>(
        &mut self,
        id: ConstraintId<C>,
        change: impl FnOnce(&mut C),
    ) -> Result<(), MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        let changed = self.changed(id, self.default_of(id)?, change)?;
        let entry = &mut self.entries[id.index()];
        entry.current = changed.copy();
        entry.default = changed;
        self.drop_to(Stage::Topology);
        Ok(())
    }

    fn changed<C>(
        &self,
        id: ConstraintId<C>,
        from: &C,
        change: impl FnOnce(&mut C),
    ) -> Result<Box<dyn AnyConstraint>, MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        let mut changed = from.clone();
        change(&mut changed);
        let name = &self.entries[id.index()].name;
        if changed.bodies() != from.bodies() {
            return Err(MechanismError::BodiesChanged { constraint: name.clone() });
        }
        check_rows(name, &changed, self.motions())?;
        Ok(Box::new(changed))
    }

    /// Puts every constraint back to its default geometry, and enables those that are not disabled by default; drops
    /// the mechanism to stage topology.
    pub fn reset_to_defaults(&mut self) {
        for entry in &mut self.entries {
            entry.current = entry.default.copy();
            entry.enabled = entry.enabled_by_default;
        }
        self.drop_to(Stage::Topology);
    }

    /// Enables or disables a constraint; drops the mechanism to stage model.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn set_enabled<C>(&mut self, id: ConstraintId<C>, enabled: bool) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        self.entries[index].enabled = enabled;
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// Whether a constraint acts.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn is_enabled<C>(&self, id: ConstraintId<C>) -> Result<bool, MechanismError> {
        Ok(self.entries[self.entry(id)?].enabled)
    }

    /// Disables a constraint by default, or no longer, and at once; drops the mechanism to stage topology.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn set_disabled_by_default<C>(
        &mut self,
        id: ConstraintId<C>,
        disabled: bool,
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        let entry = &mut self.entries[index];
        (entry.enabled, entry.enabled_by_default) = (!disabled, !disabled);
        self.drop_to(Stage::Topology);
        Ok(())
    }

    /// Whether a constraint is disabled by default.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn is_disabled_by_default<C>(&self, id: ConstraintId<C>) -> Result<bool, MechanismError> {
        Ok(!self.entries[self.entry(id)?].enabled_by_default)
    }

    /// Marks a constraint as active under conditions only, which its user watches: nothing here depends on it.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn set_conditional<C>(&mut self, id: ConstraintId<C>, on: bool) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        self.entries[index].conditional = on;
        Ok(())
    }

    /// Whether a constraint is marked as conditional.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn is_conditional<C>(&self, id: ConstraintId<C>) -> Result<bool, MechanismError> {
        Ok(self.entries[self.entry(id)?].conditional)
    }

    /// Makes the holonomic equations of a constraint springs with dampers: of a linear [`Softness`](crate::Softness), or by a force law
    /// ([`Give::law`]); rigid again with compliance 0. Drops the mechanism to stage model. The multiplier becomes
    /// `−(error / compliance + damping · rate)`, or `−(f(error) + damping · rate)`.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`]; [`MechanismError::Value`] for a negative compliance or damping.
    pub fn set_softness<C>(
        &mut self,
        id: ConstraintId<C>,
        give: impl Into<Give>,
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        let give = give.into();
        give.check().map_err(|bad| bad.of(&self.entries[index].name))?;
        self.entries[index].give = give;
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// The bodies of a constraint, the ground among them where it takes part.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn constrained_bodies<C>(&self, id: ConstraintId<C>) -> Result<Vec<BodyRef>, MechanismError> {
        Ok(self.entries[self.entry(id)?].places())
    }

    /// Bodies of every enabled constraint, by its index.
    pub(crate) fn connections(&self) -> impl Iterator<Item = (usize, Vec<BodyRef>)> + '_ {
        let enabled = self.entries.iter().enumerate().filter(|(_, e)| e.enabled);
        enabled.map(|(i, e)| (i, e.places()))
    }

    /// A picture of every enabled constraint.
    #[must_use]
    pub fn draw(&self) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        for entry in self.entries.iter().filter(|e| e.enabled) {
            entry.current.draw(self.motions(), &mut strokes);
        }
        strokes
    }
}
