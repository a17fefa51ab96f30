//! What two bodies do to each other at their contacts, together.

use super::World;
use super::identity::BodyKey;
use super::inspect::Inspect;
use crate::contact_force::ContactForce;
use crate::error::SimError;
use crate::road::{Source, may_meet, sliding_speed};
use engine2d_geometry::{BodyRef, Features};
use engine2d_math::{Vec2, perp};

/// Sliding speed (length/time) up to which surfaces count as sticking where no events of sticking and sliding are located: far above
/// what steps of a fixed length leave by rounding, far below any sliding that matters.
const STICKING: f64 = 1e-9;

/// How the surfaces of two bodies meet.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContactMode {
    /// Nothing presses.
    #[default]
    Open,
    /// Friction holds them.
    Stick,
    /// They slide, or nothing would keep them from it.
    Slide,
}

impl ContactMode {
    /// The number by which tables tell it: 0 open, 1 sticks, 2 slides.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Stick => 1,
            Self::Slide => 2,
        }
    }
}

/// The contacts of two bodies together, as the last evaluation found them. Connectors and joints between them do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairForce {
    /// Sum of the sizes of the normal forces (force).
    pub normal: f64,
    /// Sum of the friction (force), positive where it pushes each body to the left of the normal that points into it. It is the same for
    /// both bodies, since normal and force both turn round.
    pub tangential: f64,
    /// Sliding speed (length/time) of the contact that slides fastest, of the first body's surface over the second's along the normal
    /// that points into the first, turned a quarter to the left. It too is the same seen from either body.
    pub slip: f64,
    /// Slides if any contact that presses does, else sticks if any presses.
    pub mode: ContactMode,
}

/// What a contact carries.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactLoad {
    /// Its two bodies.
    pub bodies: [BodyRef; 2],
    /// Where it is (world).
    pub point: Vec2,
    /// Unit normal into the first body (world).
    pub normal: Vec2,
    /// Force on the first body along the normal (force).
    pub normal_force: f64,
    /// Force on the first body along the normal turned a quarter to the left (force).
    pub friction: f64,
    /// Velocity of the first body's surface over the second's, in the same direction (length/time).
    pub slip: f64,
    /// Whether it sticks or slides.
    pub mode: ContactMode,
}

impl ContactLoad {
    /// Force on the first body (world).
    #[must_use]
    pub fn force(&self) -> Vec2 {
        self.normal * self.normal_force + perp(self.normal) * self.friction
    }
}

impl PairForce {
    /// Names and units of its columns in tables, in the order of [`values`](Self::values).
    pub const COLUMNS: [(&'static str, &'static str); 4] = [
        ("normal_force", "force"),
        ("tangential_force", "force"),
        ("slip_speed", "length/time"),
        ("contact_mode", ""),
    ];

    /// Its figures as tables have them.
    #[must_use]
    pub fn values(&self) -> [f64; 4] {
        [self.normal, self.tangential, self.slip, f64::from(self.mode.number())]
    }

    fn add(&mut self, normal: f64, tangential: f64, (slip, mode): (f64, ContactMode)) {
        if normal <= 0.0 {
            return;
        }
        self.normal += normal;
        self.tangential += tangential;
        self.mode = self.mode.max(mode);
        if slip.abs() > self.slip.abs() {
            self.slip = slip;
        }
    }
}

impl Inspect<'_> {
    /// The forces of the contacts between two bodies, rigid and compliant, as the last evaluation found them: none before the first
    /// step.
    ///
    /// # Errors
    /// [`SimError`] for a body that is not there.
    pub fn pair_force<'k>(
        &self,
        first: impl Into<BodyKey<'k>>,
        second: impl Into<BodyKey<'k>>,
    ) -> Result<PairForce, SimError> {
        let World { bodies, .. } = self.world;
        let pair = [bodies.find(first.into())? as u32, bodies.find(second.into())? as u32];
        let [a, b] = pair.map(BodyRef::Body);
        let mut total = PairForce::default();
        for load in self.contact_loads(|ends| ends == [a, b] || ends == [b, a]) {
            total.add(load.normal_force, load.friction, (load.slip, load.mode));
        }
        Ok(total)
    }

    /// What the contacts of the wanted bodies carry, rigid and compliant, as the last evaluation found it: none before the first
    /// step.
    pub(super) fn contact_loads(
        &self,
        wanted: impl Fn([BodyRef; 2]) -> bool + Copy,
    ) -> impl Iterator<Item = ContactLoad> {
        let World { work, state, .. } = self.world;
        let is_surface = move |f: &&ContactForce| {
            !f.bilateral
                && !matches!(f.id.features, Features::Connector(_) | Features::Joint(_))
                && wanted([f.id.primary, f.id.normal_body])
        };
        let rigid = work.forces.last.iter().filter(is_surface).map(|force| {
            let (slip, mode) = self.grip(force);
            let ContactForce { id, point, normal, force: normal_force, friction, .. } = *force;
            ContactLoad {
                bodies: [id.primary, id.normal_body],
                point,
                normal,
                normal_force,
                friction,
                slip,
                mode,
            }
        });
        let compliant = state.compliant.forces.iter().filter_map(move |force| {
            let bodies = [force.bodies[1], force.bodies[0]].map(BodyRef::Body);
            if !wanted(bodies) {
                return None;
            }
            let slip = self.slip_at(bodies, force.point, force.normal);
            let (normal_force, friction) = (force.response.normal, force.response.tangential);
            let mode = mode_of(slip, friction != 0.0);
            Some(ContactLoad {
                bodies,
                point: force.point,
                normal: force.normal,
                normal_force,
                friction,
                slip,
                mode,
            })
        });
        rigid.chain(compliant)
    }

    /// The names of two bodies each that can meet, in the order of their places.
    #[must_use]
    pub fn pairs_that_can_meet(&self) -> Vec<[String; 2]> {
        let all: Vec<_> = self.world.bodies().collect();
        let collision = &self.world.state.bodies;
        let mut pairs = Vec::new();
        for (k, a) in all.iter().enumerate() {
            for b in &all[k + 1..] {
                let is_solid = !a.is_sensor() && !b.is_sensor();
                if is_solid && may_meet(collision, a.index() as u32, b.index() as u32) {
                    pairs.push([a, b].map(|body| body.name().to_owned()));
                }
            }
        }
        pairs
    }

    /// Sliding speed of a contact and what it is doing.
    fn grip(&self, force: &ContactForce) -> (f64, ContactMode) {
        let World { model, state, .. } = self.world;
        let held = state.held.get(Source::Contact(force.id));
        match held.and_then(|held| Some((held, held.grip?))) {
            Some((_, grip)) if grip.sticks() => (0.0, ContactMode::Stick),
            Some((held, grip)) => {
                (sliding_speed(force.id, held.normal, grip.surface, &state.bodies), ContactMode::Slide)
            }
            None => {
                let ends = [force.id.primary, force.id.normal_body];
                let slip = self.slip_at(ends, force.point, force.normal);
                (slip, mode_of(slip, model.friction_between(ends).is_some()))
            }
        }
    }

    /// Velocity of the first surface over the second at a point, along a normal into the first turned a quarter to the left.
    fn slip_at(&self, ends: [BodyRef; 2], point: Vec2, normal: Vec2) -> f64 {
        let World { model, state, .. } = self.world;
        let velocity = |end: BodyRef| {
            end.index().map_or(Vec2::zeros(), |i| {
                let body = &state.bodies[i];
                body.velocity + perp(point - body.pose.position()) * body.angular_velocity
            })
        };
        (velocity(ends[0]) - velocity(ends[1])).dot(&perp(normal)) - model.surface_speed(ends)
    }
}

fn mode_of(slip: f64, rough: bool) -> ContactMode {
    if rough && slip.abs() <= STICKING { ContactMode::Stick } else { ContactMode::Slide }
}
