//! Constraints of a mechanism: adding, editing, enabling, defaults.

use super::{Entry, Mechanism};
use crate::check::{check_bodies, check_rows};
use crate::compliance::Compliance;
use crate::constraint::{Constraint, Stroke};
use crate::error::MechanismError;
use crate::id::ConstraintId;
use crate::joint::Joint;
use crate::stage::Stage;
use engine2d_geometry::BodyRef;

impl Mechanism {
    /// Adds a constraint; its name is its kind and number.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`], [`MechanismError::SameBody`],
    /// [`MechanismError::Value`] for geometry that makes no finite rows, [`MechanismError::Broken`].
    pub fn add<C>(&mut self, constraint: C) -> Result<ConstraintId<C>, MechanismError>
    where
        C: Constraint + Clone + 'static,
    {
        self.add_joint(constraint).map(|id| ConstraintId::new(id.mechanism, id.index()))
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
        self.add_joint(Joint::new(constraint).named(name))
            .map(|id| ConstraintId::new(id.mechanism, id.index()))
    }

    /// Adds a constraint with what surrounds it: name, springs, restitution, strength.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_joint(&mut self, joint: impl Into<Joint>) -> Result<ConstraintId<Joint>, MechanismError> {
        let (mut joint, index) = (joint.into(), self.entries.len());
        if joint.name().is_none() {
            joint = {
                let name = format!("{} {index}", joint.kind());
                joint.named(name)
            };
        }
        check_bodies(joint.any(), self.number, self.bodies.len())?;
        self.check_joint(&joint)?;
        self.entries.push(Entry { default: joint.clone(), current: joint, conditional: false });
        self.stage = Stage::Topology;
        Ok(ConstraintId::new(self.number, index))
    }

    fn check_joint(&self, joint: &Joint) -> Result<(), MechanismError> {
        joint.check().map_err(|bad| bad.of(joint.label()))?;
        check_rows(joint.label(), joint.any(), self.motions())
    }

    /// Place of a constraint in this mechanism's list.
    pub(crate) fn entry<C>(&self, id: ConstraintId<C>) -> Result<usize, MechanismError> {
        let index = id.index();
        if id.mechanism == self.number { Ok(index) } else { Err(MechanismError::ForeignId { id: index }) }
    }

    /// The constraints in force with what surrounds them, in order.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = &Joint> + '_ {
        self.entries.iter().map(|e| &e.current)
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
        Ok(self.joint(id)?.label())
    }

    /// The constraint of an id with what surrounds it, as it is in force.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn joint<C>(&self, id: ConstraintId<C>) -> Result<&Joint, MechanismError> {
        Ok(&self.entries[self.entry(id)?].current)
    }

    /// The constraint of an id, as it is in force.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn constraint<C: Constraint + 'static>(&self, id: ConstraintId<C>) -> Result<&C, MechanismError> {
        self.joint(id)?.constraint().ok_or(MechanismError::ForeignId { id: id.index() })
    }

    /// The constraint of an id, as it is by default.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn default_of<C: Constraint + 'static>(&self, id: ConstraintId<C>) -> Result<&C, MechanismError> {
        let default = &self.entries[self.entry(id)?].default;
        default.constraint().ok_or(MechanismError::ForeignId { id: id.index() })
    }

    /// Changes the geometry of a constraint at run time; drops the mechanism to stage time. The default stays.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`]; [`MechanismError::BodiesChanged`] and [`MechanismError::Value`], which leave the
    /// constraint as it was.
    pub fn edit<C: Constraint + 'static>(
        &mut self,
        id: ConstraintId<C>,
        change: impl FnOnce(&mut C),
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        self.entries[index].current = self.changed(&self.entries[index].current, change)?;
        self.drop_to(Stage::Time);
        Ok(())
    }

    /// Changes the default of a constraint, and what is in force with it; drops the mechanism to stage topology.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn edit_default<C: Constraint + 'static>(
        &mut self,
        id: ConstraintId<C>,
        change: impl FnOnce(&mut C),
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        let default = self.changed(&self.entries[index].default, change)?;
        let entry = &mut self.entries[index];
        let mut current = default.clone();
        current.set_enabled(entry.current.is_enabled());
        current.set_compliance(entry.current.compliance().clone());
        (entry.default, entry.current) = (default, current);
        self.drop_to(Stage::Topology);
        Ok(())
    }

    fn changed<C: Constraint + 'static>(
        &self,
        from: &Joint,
        change: impl FnOnce(&mut C),
    ) -> Result<Joint, MechanismError> {
        let mut changed = from.clone();
        change(changed.constraint_mut().ok_or(MechanismError::ForeignId { id: 0 })?);
        if changed.any().bodies() != from.any().bodies() {
            return Err(MechanismError::BodiesChanged { constraint: from.label().to_owned() });
        }
        self.check_joint(&changed)?;
        Ok(changed)
    }

    /// Puts every constraint back to its default geometry, and enables those that are not disabled by default; drops
    /// the mechanism to stage topology.
    pub fn reset_to_defaults(&mut self) {
        for entry in &mut self.entries {
            // Springs stay as they were set.
            let compliance = entry.current.compliance().clone();
            entry.current = entry.default.clone();
            entry.current.set_compliance(compliance);
        }
        self.drop_to(Stage::Topology);
    }

    /// Enables or disables a constraint; drops the mechanism to stage model.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn set_enabled<C>(&mut self, id: ConstraintId<C>, enabled: bool) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        self.entries[index].current.set_enabled(enabled);
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// Whether a constraint acts.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn is_enabled<C>(&self, id: ConstraintId<C>) -> Result<bool, MechanismError> {
        Ok(self.joint(id)?.is_enabled())
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
        entry.current.set_enabled(!disabled);
        entry.default.set_enabled(!disabled);
        self.drop_to(Stage::Topology);
        Ok(())
    }

    /// Whether a constraint is disabled by default.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn is_disabled_by_default<C>(&self, id: ConstraintId<C>) -> Result<bool, MechanismError> {
        Ok(!self.entries[self.entry(id)?].default.is_enabled())
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

    /// Makes the holonomic equations of a constraint springs with dampers: of a linear [`SpringDamper`](crate::SpringDamper), or by a force law
    /// ([`Compliance::law`]); rigid again with compliance 0. Drops the mechanism to stage model. The multiplier becomes
    /// `−(error / compliance + damping · rate)`, or `−(f(error) + damping · rate)`.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`]; [`MechanismError::Value`] for a negative compliance or damping.
    pub fn set_compliance<C>(
        &mut self,
        id: ConstraintId<C>,
        compliance: impl Into<Compliance>,
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        let compliance = compliance.into();
        compliance.check().map_err(|bad| bad.of(self.entries[index].current.label()))?;
        self.entries[index].current.set_compliance(compliance);
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// The bodies of a constraint, the ground among them where it takes part.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn constrained_bodies<C>(&self, id: ConstraintId<C>) -> Result<Vec<BodyRef>, MechanismError> {
        Ok(self.joint(id)?.bodies())
    }

    /// Bodies of every enabled constraint, by its index.
    pub(crate) fn connections(&self) -> impl Iterator<Item = (usize, Vec<BodyRef>)> + '_ {
        let enabled = self.entries.iter().enumerate().filter(|(_, e)| e.current.is_enabled());
        enabled.map(|(i, e)| (i, e.current.bodies()))
    }

    /// A picture of every enabled constraint.
    #[must_use]
    pub fn draw(&self) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        for entry in self.entries.iter().filter(|e| e.current.is_enabled()) {
            entry.current.any().draw(self.motions(), &mut strokes);
        }
        strokes
    }
}
