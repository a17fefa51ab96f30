//! What there is: bodies, force laws, constraints, settings. It changes between steps only.

use crate::body::BodyData;
use crate::connector::Tie;
use crate::force::{ForceContext, ForceLaw};
use crate::friction::Friction;
use crate::settings::{ClockKind, ContactModel, EventLocator, Fidelity, Profile, Settings};
use crate::state::State;
use crate::surface::SurfacePair;
use crate::watched::WatchedFunction;
use engine2d_constraint::{InverseMass, Joint};
use engine2d_geometry::{BodyRef, CollisionBody};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a world. Where they are and how they move is in [`State`].
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) data: Vec<BodyData>,
    pub(crate) masses: Vec<InverseMass>,
    pub(crate) laws: Vec<ForceLaw>,
    pub(crate) ties: Vec<Tie>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) watched: Vec<WatchedFunction>,
    pub(crate) settings: Settings,
    /// What two bodies, by place, do to each other before all else.
    pub(crate) pairs: BTreeMap<[u32; 2], SurfacePair>,
    /// Places of the bodies that ignore others or edges of others.
    pub(crate) ignoring: BTreeSet<u32>,
    /// Whether some body ignores single edges of another, which only detection by motion can.
    pub(crate) ignores_edges: bool,
}

impl Model {
    /// Bodies under laws, without constraints.
    pub(crate) fn new(
        data: Vec<BodyData>,
        bodies: &[CollisionBody],
        laws: Vec<ForceLaw>,
        settings: Settings,
    ) -> Self {
        Self {
            masses: data.iter().map(BodyData::inverse_mass).collect(),
            data,
            laws,
            ties: Vec::new(),
            joints: Vec::new(),
            watched: Vec::new(),
            pairs: BTreeMap::new(),
            ignoring: (0..)
                .zip(bodies)
                .filter(|(_, body)| body.ignores_some())
                .map(|(place, _)| place)
                .collect(),
            settings,
            ignores_edges: bodies.iter().any(|b| !b.ignored_edges.is_empty()),
        }
    }

    /// Whether events are located by zero crossings: chosen, or by default where nothing asks for backtracking.
    pub(crate) fn is_located(&self) -> bool {
        self.settings.is_located()
            && !(self.ignores_edges && self.settings.event_locator == EventLocator::Automatic)
    }

    /// How time advances.
    pub(crate) fn clock(&self) -> ClockKind {
        match self.settings.clock() {
            ClockKind::Located if !self.is_located() => ClockKind::Backtracking,
            clock => clock,
        }
    }

    /// Whether surfaces can be rough.
    pub(crate) fn takes_friction(&self) -> bool {
        self.clock() != ClockKind::Backtracking && self.collides()
    }

    /// Whether the surface of a body, which may be none of these yet, can be rough.
    pub(crate) fn takes_friction_of(&self, body: &BodyData) -> bool {
        self.takes_friction() && self.settings.contact_model == ContactModel::Rigid
            || self.clock() == ClockKind::Located && self.settings.fidelity != Fidelity::Free && body.rigid
    }

    /// Whether connectors, joints and contact forces act at all.
    pub(crate) fn has_constraints(&self) -> bool {
        self.settings.fidelity == Fidelity::Contacts
    }

    /// Whether rigid bodies can collide.
    pub(crate) fn collides(&self) -> bool {
        let some = || self.settings.contact_model == ContactModel::Rigid || self.data.iter().any(|b| b.rigid);
        self.settings.fidelity != Fidelity::Free && some()
    }

    /// Whether two bodies by place meet as rigid ones: all do, or where contact is compliant those of rigid surfaces.
    pub(crate) fn is_rigid(&self, a: u32, b: u32) -> bool {
        self.settings.contact_model == ContactModel::Rigid
            || self.data[a as usize].rigid && self.data[b as usize].rigid
    }

    /// Whether the rules are those of the recorded engine.
    pub(crate) fn is_recorded(&self) -> bool {
        self.settings.profile == Profile::Reference
    }

    /// The bodies at a state, for force laws.
    pub(crate) fn at<'a>(&'a self, state: &'a State) -> ForceContext<'a> {
        ForceContext { data: &self.data, bodies: &state.bodies, focus: &state.focus, time: state.time }
    }

    /// What two bodies do to each other besides what each brings along: as set for them, else for their materials.
    fn pair(&self, [first, second]: [BodyRef; 2]) -> Option<&SurfacePair> {
        // Asked for every contact of every step.
        if self.pairs.is_empty() && self.settings.surfaces.is_empty() {
            return None;
        }
        let (a, b) = (first.index()?, second.index()?);
        if let Some(pair) = self.pairs.get(&[a.min(b) as u32, a.max(b) as u32]) {
            return Some(pair);
        }
        if self.settings.surfaces.is_empty() {
            return None;
        }
        let material = |i: usize| self.data[i].material.as_deref();
        self.settings.surfaces.get(material(a)?, material(b)?)
    }

    /// The restitution of two bodies: that of the pair or of the pair of their materials if a table has it, else the smaller
    /// coefficient; the ground's is 1.
    pub(crate) fn restitution_between(&self, [first, second]: [BodyRef; 2]) -> f64 {
        if let Some(restitution) = self.pair([first, second]).and_then(|pair| pair.restitution) {
            return restitution;
        }
        let material = |b: BodyRef| b.index().and_then(|i| self.data[i].material.as_deref());
        // Where contact is compliant the table is that of the compliant surfaces.
        if self.settings.contact_model == ContactModel::Rigid
            && let (Some(a), Some(b)) = (material(first), material(second))
            && let Ok(pair) = self.settings.materials.pair(a, b)
        {
            return pair.restitution;
        }
        let of = |b: BodyRef| b.index().map_or(1.0, |i| self.data[i].restitution);
        of(first).min(of(second))
    }

    /// The tangential restitution of two bodies: that of the pair if a table has it, else the smaller coefficient.
    pub(crate) fn tangential_restitution_between(&self, bodies: [BodyRef; 2]) -> f64 {
        if let Some(restitution) = self.pair(bodies).and_then(|pair| pair.tangential_restitution) {
            return restitution;
        }
        let of = |b: BodyRef| b.index().map_or(0.0, |i| self.data[i].tangential_restitution);
        of(bodies[0]).min(of(bodies[1]))
    }

    /// The coefficients of friction of two bodies.
    pub(crate) fn friction_between(&self, bodies: [BodyRef; 2]) -> Friction {
        if let Some(friction) = self.pair(bodies).and_then(|pair| pair.friction) {
            return friction;
        }
        let [a, b] = bodies.map(|b| b.index().map_or(Friction::NONE, |i| self.data[i].friction));
        self.settings.friction_rule.combine(a, b)
    }

    /// The rolling resistance of two bodies (length): the larger of both, as that of the softer surface.
    pub(crate) fn rolling_between(&self, bodies: [BodyRef; 2]) -> f64 {
        if let Some(resistance) = self.pair(bodies).and_then(|pair| pair.rolling_resistance) {
            return resistance;
        }
        let of = |b: BodyRef| b.index().map_or(0.0, |i| self.data[i].rolling_resistance);
        of(bodies[0]).max(of(bodies[1]))
    }

    /// Speed of the surfaces of two bodies in contact along their outlines, together: each goes round its own body
    /// counter-clockwise, so that both count alike.
    pub(crate) fn surface_speed(&self, bodies: [BodyRef; 2]) -> f64 {
        if let Some(speed) = self.pair(bodies).and_then(|pair| pair.surface_speed) {
            return speed;
        }
        bodies.iter().filter_map(|b| Some(self.data[b.index()?].surface_speed)).sum()
    }
}
