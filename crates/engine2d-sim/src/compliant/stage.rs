//! Compliant contact within a system: which pieces are in contact, and what they exert.

use super::law::{ContactLaw, ContactMotion, ContactResponse};
use super::material::ContactSurface;
use super::pieces::{PairView, PieceSet, may_meet};
use crate::body::BodyData;
use crate::error::SimError;
use crate::settings::{CompliantContact, Settings};
use engine2d_constraint::InverseMass;
use engine2d_geometry::{
    CollisionBody, ContactHandler, CrossingFunctions, PairId, PairSample, TrackedContact,
};
use engine2d_math::order::Order;
use engine2d_math::{Vec2, cross};
use serde::{Deserialize, Serialize};

/// A compliant contact as the last evaluation found it: force and torque on the second body, the opposite on
/// the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompliantForce {
    /// The pair of pieces.
    pub pair: PairId,
    /// The two bodies by index.
    pub bodies: [u32; 2],
    /// Where (world).
    pub point: Vec2,
    /// Unit normal out of the first body.
    pub normal: Vec2,
    /// Depth of penetration (length).
    pub deformation: f64,
    /// Normal velocity at contact start (length/time; negative: approaching).
    pub start_velocity: f64,
    /// Normal force, friction, rolling torque, stored energy and dissipated power.
    pub response: ContactResponse,
}

/// The compliant contacts of a system.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompliantStage {
    pieces: PieceSet,
    handler: Option<ContactHandler>,
    /// The law of each contact, in the order of the handler's dictionary.
    laws: Vec<ContactLaw>,
    old_laws: Vec<(PairId, ContactLaw)>,
    /// Forces of the last evaluation.
    pub(crate) forces: Vec<CompliantForce>,
}

/// What an event changed: bodies, where, and the normal velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) pair: PairId,
    pub(crate) bodies: [u32; 2],
    pub(crate) point: Vec2,
    pub(crate) velocity: f64,
    /// Whether the speed is so small that the contact is to last.
    pub(crate) gentle: bool,
}

impl CompliantStage {
    /// Sets up the candidate pairs of the bodies; no pair is in contact yet.
    pub(crate) fn prepare(
        &mut self,
        data: &[BodyData],
        bodies: &[CollisionBody],
        settings: &CompliantContact,
    ) -> Result<(), SimError> {
        if let Some(index) = data.iter().position(|body| body.pieces.is_empty()) {
            return Err(SimError::Unsupported {
                path: format!("bodies[{index}].pieces"),
                problem: "compliant contact needs convex pieces for outlines other than discs and convex \
                          polygons",
            });
        }
        self.pieces.place(data);
        let mut pairs = Vec::new();
        let count = bodies.len() as u32;
        for a in 0..count {
            for b in a + 1..count {
                let rigid = data[a as usize].rigid && data[b as usize].rigid;
                if !rigid && may_meet(bodies, a, b) {
                    self.pieces.pairs_of(a, b, &mut pairs);
                }
            }
        }
        pairs.order();
        self.handler = Some(ContactHandler::new(pairs).with_z_eps(settings.z_eps));
        self.laws.clear();
        self.forces.clear();
        Ok(())
    }

    /// Contacts and their laws, for a snapshot.
    pub(crate) fn save(&self) -> Option<(ContactHandler, Vec<ContactLaw>)> {
        self.handler.clone().map(|handler| (handler, self.laws.clone()))
    }

    /// Goes on with the contacts of a snapshot; returns whether they can be those of the pairs set up.
    pub(crate) fn load(&mut self, (handler, laws): (ContactHandler, Vec<ContactLaw>)) -> bool {
        let known = self.handler.as_ref().map_or(&[][..], ContactHandler::pairs);
        let may = |contact: &TrackedContact| known.binary_search(&contact.pair).is_ok();
        if handler.pairs() != known || !handler.contacts().iter().all(may) {
            return false;
        }
        self.handler = Some(handler);
        self.laws = laws;
        true
    }

    /// Whether the candidate pairs are set up.
    pub(crate) fn is_prepared(&self) -> bool {
        self.handler.is_some()
    }

    /// Forgets candidates and contacts.
    pub(crate) fn forget(&mut self) {
        self.handler = None;
        self.laws.clear();
        self.forces.clear();
    }

    /// The dictionary: pairs in contact since which normal velocity.
    pub(crate) fn contacts(&self) -> &[TrackedContact] {
        self.handler.as_ref().map_or(&[], ContactHandler::contacts)
    }

    /// An event: rebuilds the dictionary and fixes the laws of new contacts. Started and ended contacts are
    /// appended to the lists.
    pub(crate) fn on_event(
        &mut self,
        bodies: &[CollisionBody],
        data: &[BodyData],
        (settings, compliant): (&Settings, &CompliantContact),
        started: &mut Vec<Touch>,
        ended: &mut Vec<Touch>,
    ) -> Result<(), SimError> {
        let Some(mut handler) = self.handler.take() else { return Ok(()) };
        self.old_laws.clear();
        self.old_laws.extend(handler.contacts().iter().map(|c| c.pair).zip(self.laws.iter().copied()));
        let change = handler.on_event(|pair| self.sample(pair, bodies));
        for &pair in &change.ended {
            ended.push(self.touch(pair, bodies, 0.0, false));
        }
        self.laws.clear();
        let mut result = Ok(());
        for contact in handler.contacts() {
            let known = self.old_laws.binary_search_by_key(&contact.pair, |(pair, _)| *pair);
            let law = match known {
                Ok(k) => self.old_laws[k].1,
                Err(_) => match self.law_of(contact, data, settings, compliant) {
                    Ok((law, gentle)) => {
                        started.push(self.touch(contact.pair, bodies, contact.start_velocity, gentle));
                        law
                    }
                    Err(error) => {
                        result = Err(error);
                        break;
                    }
                },
            };
            self.laws.push(law);
        }
        self.handler = Some(handler);
        result
    }

    fn law_of(
        &self,
        contact: &TrackedContact,
        data: &[BodyData],
        settings: &Settings,
        compliant: &CompliantContact,
    ) -> Result<(ContactLaw, bool), SimError> {
        let surface = |k: u32| {
            let piece = &self.pieces.get(k);
            let named = data[piece.body as usize].material.as_deref();
            ContactSurface {
                material: named.unwrap_or(&compliant.default_material),
                curvature: piece.piece.curvature,
            }
        };
        let (i, j) = contact.pair.shapes();
        let (a, b) = (surface(i), surface(j));
        let speed = contact.start_velocity.abs();
        let failed = |e: super::MaterialError| SimError::Material { message: e.to_string() };
        let law = settings.materials.law(a, b, speed, compliant.damping).map_err(failed)?;
        let pair = settings.materials.pair(a.material, b.material).map_err(failed)?;
        Ok((law, speed <= pair.small_speed))
    }

    fn touch(&self, pair: PairId, bodies: &[CollisionBody], velocity: f64, gentle: bool) -> Touch {
        let owners = self.pieces.owners(pair);
        let point = self.pieces.view(pair, bodies).map_or(Vec2::zeros(), |v| v.point);
        Touch { pair, bodies: owners, point, velocity, gentle }
    }

    /// The zero-crossing functions at the present poses; all candidate pairs are looked at.
    pub(crate) fn crossing_functions(&mut self, bodies: &[CollisionBody]) -> CrossingFunctions {
        let Some(mut handler) = self.handler.take() else { return CrossingFunctions::default() };
        let crossing = handler.crossing_functions(|pair| self.sample(pair, bodies));
        self.handler = Some(handler);
        crossing
    }

    /// The forces of the pairs in contact at the present state, into `self.forces`.
    pub(crate) fn evaluate(&mut self, bodies: &[CollisionBody]) {
        let mut forces = std::mem::take(&mut self.forces);
        forces.clear();
        for (contact, law) in self.contacts().iter().zip(&self.laws) {
            let Some(view) = self.pieces.view(contact.pair, bodies) else { continue };
            let (velocity, spin, owners) = self.relative_motion(contact.pair, &view, bodies);
            let tangent = Vec2::new(view.normal.y, -view.normal.x);
            let response = law.response(&ContactMotion {
                depth: -view.distance,
                depth_rate: -velocity.dot(&view.normal),
                sliding: velocity.dot(&tangent),
                spin,
            });
            forces.push(CompliantForce {
                pair: contact.pair,
                bodies: owners,
                point: view.point,
                normal: view.normal,
                deformation: -view.distance,
                start_velocity: contact.start_velocity,
                response,
            });
        }
        self.forces = forces;
    }

    /// Adds the accelerations by what the pairs in contact exert to `rates` (six per body).
    pub(crate) fn push(&mut self, bodies: &[CollisionBody], masses: &[InverseMass], rates: &mut [f64]) {
        self.evaluate(bodies);
        for contact in &self.forces {
            for index in contact.bodies.map(|b| b as usize) {
                let Some((force, torque)) = contact.wrench_on(index, &bodies[index]) else { continue };
                let m = masses[index];
                let slot = &mut rates[6 * index..6 * (index + 1)];
                slot[1] += force.x * m.linear;
                slot[3] += force.y * m.linear;
                slot[5] += torque * m.angular;
            }
        }
    }

    /// Elastic energy stored at the present poses.
    pub(crate) fn stored_energy(&self, bodies: &[CollisionBody]) -> f64 {
        let still = ContactMotion { depth: 0.0, depth_rate: 0.0, sliding: 0.0, spin: 0.0 };
        self.contacts()
            .iter()
            .zip(&self.laws)
            .filter_map(|(contact, law)| {
                let depth = -self.pieces.view(contact.pair, bodies)?.distance;
                Some(law.response(&ContactMotion { depth, ..still }).stored)
            })
            .sum()
    }

    fn sample(&self, pair: PairId, bodies: &[CollisionBody]) -> PairSample {
        let far = |distance| PairSample { distance, normal_velocity: 0.0 };
        if let Some(gap) = self.pieces.far_apart(pair, bodies) {
            return far(gap);
        }
        let Some(view) = self.pieces.view(pair, bodies) else { return far(f64::INFINITY) };
        let (velocity, _, _) = self.relative_motion(pair, &view, bodies);
        PairSample { distance: view.distance, normal_velocity: velocity.dot(&view.normal) }
    }

    /// Velocity and spin of the second body relative to the first at the contact point, and both bodies.
    fn relative_motion(
        &self,
        pair: PairId,
        view: &PairView,
        bodies: &[CollisionBody],
    ) -> (Vec2, f64, [u32; 2]) {
        let owners = self.pieces.owners(pair);
        let [(v1, w1), (v2, w2)] = owners.map(|k| {
            let body = &bodies[k as usize];
            if body.fixed {
                return (Vec2::zeros(), 0.0);
            }
            (body.velocity_at(view.point - body.pose.position()), body.angular_velocity)
        });
        (v2 - v1, w2 - w1, owners)
    }
}

impl CompliantForce {
    /// Force on the second body.
    #[must_use]
    pub fn force(&self) -> Vec2 {
        let tangent = Vec2::new(self.normal.y, -self.normal.x);
        self.normal * self.response.normal + tangent * self.response.tangential
    }

    /// Force and torque about the centre of mass on the body of that index; `None` for a third one.
    pub(crate) fn wrench_on(&self, index: usize, body: &CollisionBody) -> Option<(Vec2, f64)> {
        let sign = match self.bodies.map(|b| b as usize == index) {
            [_, true] => 1.0,
            [true, _] => -1.0,
            _ => return None,
        };
        let force = self.force() * sign;
        let arm = self.point - body.pose.position();
        Some((force, cross(arm, force) + sign * self.response.torque))
    }
}
