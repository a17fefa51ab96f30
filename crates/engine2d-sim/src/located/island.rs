//! Bodies that move on together, with a clock of their own.

use super::chatter::{Chatter, Pace};
use super::pending::Pending;
use super::track::Track;
use crate::adaptive::DormandPrince;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::named::named;
use crate::road::held::HeldSet;
use crate::road::{Source, reach_of, root};
use crate::scope::Scope;
use crate::settings::ContactModel;
use crate::state::{PER_BODY, State};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::order::Order;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far a body may go in a step of its island: in its own radii, at first, at least and at most. What meets nobody goes
/// farther the next time.
const ROAM: f64 = 4.0;
const LEAST_ROAM: f64 = 0.5;
const MOST_ROAM: f64 = 64.0;

/// Growth of that length.
const FARTHER: f64 = 2.0;

/// Growth of a step over the last one, and its decline where an event was sooner: what lies behind an event is computed in
/// vain.
const STRIDE: f64 = 8.0;
const DECLINE: f64 = 2.0;

/// An island.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Island {
    /// What belongs to it; `None`: the whole world.
    pub(super) scope: Option<Scope>,
    pub(super) integrator: DormandPrince,
    /// The event at which the integration stands, not yet dealt with.
    pub(super) pending: Option<Pending>,
    pub(super) held: HeldSet,
    /// Time since which it is what it is.
    pub(super) since: f64,
    /// How far its bodies go in a step, in their radii.
    roam: f64,
    /// Longest next step, by how soon there were events (time; 0: not known).
    stride: f64,
    /// Energy when it was last looked at.
    pub(super) energy: f64,
    /// Its fixed steps, where events follow each other too closely.
    #[serde(default)]
    pub(super) chatter: Option<Box<Chatter>>,
    /// How fast its events follow each other.
    #[serde(default)]
    pub(super) pace: Pace,
}

impl Island {
    /// The whole world, at its present state.
    pub(super) fn whole(state: &State) -> Self {
        let mut y = Vec::new();
        state.read(&mut y);
        let mut integrator = DormandPrince::default();
        integrator.start(state.time, &y);
        Self { integrator, held: state.held.clone(), since: state.time, roam: ROAM, ..Self::default() }
    }

    /// One of a body in flight that lands, beside immovable ones, where the body is.
    pub(super) fn landed(body: u32, fixed: Vec<u32>, (model, state): (&Model, &State)) -> Self {
        let laws = (0..).zip(&model.laws).filter(|(_, law)| matches!(home_of_law(law, model), Home::All));
        let laws = laws.map(|(k, _)| k).collect();
        let scope = Scope { bodies: vec![body], fixed, laws, ..Scope::default() };
        let b = &state.bodies[body as usize];
        let (p, v) = (b.pose.position(), b.velocity);
        let mut integrator = DormandPrince::default();
        let y = [state.time, p.x, v.x, p.y, v.y, b.pose.angle(), b.angular_velocity];
        integrator.start_with(state.time, &y, 0.0);
        Self { scope: Some(scope), integrator, since: state.time, roam: ROAM, ..Self::default() }
    }

    /// Whether it can be one of a world, with so many entries of the ledger: what a file says need not be.
    pub(super) fn fits(&self, model: &Model, entries: usize) -> bool {
        let bodies = model.data.len();
        if self.chatter.as_ref().is_some_and(|chatter| !chatter.fits(bodies)) {
            return false;
        }
        let Some(scope) = &self.scope else { return self.integrator.is_of(1 + PER_BODY * bodies + entries) };
        let below = |list: &[u32], count: usize| list.iter().all(|place| (*place as usize) < count);
        below(&scope.bodies, bodies)
            && below(&scope.fixed, bodies)
            && below(&scope.laws, model.laws.len())
            && below(&scope.ties, model.ties.len())
            && below(&scope.joints, model.joints.len())
            && self.integrator.is_of(1 + PER_BODY * scope.bodies.len() + entries)
    }

    /// Makes it what stages work on.
    pub(super) fn enter(&mut self, state: &mut State) {
        state.focus.turn_to(self.scope.take(), state.bodies.len());
        std::mem::swap(&mut state.held, &mut self.held);
    }

    /// Takes it back from there.
    pub(super) fn leave(&mut self, state: &mut State) {
        self.scope = state.focus.turn_to(None, state.bodies.len());
        std::mem::swap(&mut state.held, &mut self.held);
    }

    /// Moves its bodies to where it stands.
    pub(super) fn stand(&mut self, state: &mut State) {
        self.enter(state);
        state.write(self.integrator.state());
        self.leave(state);
    }

    /// Time that it has reached.
    pub(super) fn time(&self) -> f64 {
        self.integrator.time()
    }

    /// Whether a step has ended where it is, and no event has happened there.
    pub(super) fn has_stepped(&self) -> bool {
        self.pending.is_none() && self.integrator.last_time() < self.time()
    }

    /// The number by which it is known: that of its first body.
    pub(super) fn number(&self) -> u32 {
        self.scope.as_ref().and_then(|scope| scope.bodies.first().copied()).unwrap_or(0)
    }

    /// The way of one of its bodies in its last step.
    pub(super) fn track(&self, body: usize) -> Option<Track<'_>> {
        let slot = self.scope.as_ref()?.bodies.binary_search(&(body as u32)).ok()?;
        Some(Track::Step { integrator: &self.integrator, slot })
    }

    /// Longest step in which no body of the scope goes farther than it may.
    pub(super) fn longest_step(&self, state: &State) -> f64 {
        let own = state.focus.bodies(state.bodies.len()).map(|k| &state.bodies[k]);
        let times = own.filter(|b| !b.fixed).map(|b| {
            let reach = reach_of(b);
            reach / (b.velocity.norm() + b.angular_velocity.abs() * reach)
        });
        self.roam * times.fold(f64::INFINITY, f64::min)
    }

    /// Longest step that is worth while where events follow each other.
    pub(super) fn stride(&self) -> f64 {
        if self.stride > 0.0 { self.stride } else { f64::INFINITY }
    }

    /// Notes how far a step has led, to its end or to an event.
    pub(super) fn advanced(&mut self) {
        let length = self.integrator.time() - self.integrator.last_time();
        let patience = if self.stride > 0.0 { self.stride / DECLINE } else { 0.0 };
        self.stride = (STRIDE * length).max(patience);
    }

    /// Notes whether it has met another one in its step.
    pub(super) fn roamed(&mut self, met: bool) {
        let factor = if met { 0.5 } else { FARTHER };
        self.roam = (self.roam * factor).clamp(LEAST_ROAM, MOST_ROAM);
    }

    /// Goes on in fixed steps as the island of which it is a part.
    pub(super) fn chatter_as(&mut self, whole: &Chatter, model: &Model) {
        let Some(scope) = &self.scope else { return };
        let own = |body: u32| scope.bodies.binary_search(&body).is_ok();
        let belongs = |source: Source| home_of_row(source, model).is_some_and(own);
        self.chatter = Some(Box::new(whole.of_part(belongs, (self.integrator.time(), self.energy))));
    }

    /// Takes in another island; both stand at the same time.
    pub(super) fn join(&mut self, other: Self) {
        if let (Some(own), Some(more)) = (&mut self.scope, other.scope) {
            let lists = [
                (&mut own.bodies, more.bodies),
                (&mut own.fixed, more.fixed),
                (&mut own.laws, more.laws),
                (&mut own.ties, more.ties),
                (&mut own.joints, more.joints),
            ];
            for (list, more) in lists {
                list.extend(more);
                list.order();
                list.dedup();
            }
        }
        other.held.iter().for_each(|h| self.held.insert(*h));
        self.pending = self.pending.or(other.pending);
        self.roam = self.roam.min(other.roam);
        let began = |chatter: Option<&Chatter>, now: f64| chatter.map_or(now, |chatter| chatter.energy);
        let (own, more) = (self.chatter.as_deref(), other.chatter.as_deref());
        let energy = began(own, self.energy) + began(more, other.energy);
        self.chatter = Chatter::of_both(own, more, &self.held, (self.integrator.time(), energy));
        if self.chatter.is_some() {
            self.held.clear();
        }
        self.energy += other.energy;
    }

    /// Its parts, where `part_of` tells the part of each body.
    pub(super) fn parts(&self, model: &Model, part_of: impl Fn(u32) -> u32) -> BTreeMap<u32, Box<Self>> {
        let mut parts: BTreeMap<u32, Box<Self>> = BTreeMap::new();
        let Some(scope) = &self.scope else { return parts };
        let empty = || {
            let scope = Scope { fixed: scope.fixed.clone(), ..Scope::default() };
            Box::new(Self { scope: Some(scope), roam: self.roam, stride: self.stride, ..Self::default() })
        };
        for &body in &scope.bodies {
            let part = parts.entry(part_of(body)).or_insert_with(empty);
            part.scope.iter_mut().for_each(|scope| scope.bodies.push(body));
        }
        let mut hand_out = |home: Home, to: &dyn Fn(&mut Self)| match home {
            Home::All => parts.values_mut().for_each(|part| to(part)),
            Home::Body(body) => {
                let part = body.and_then(|body| parts.get_mut(&part_of(body)));
                part.into_iter().for_each(|part| to(part));
            }
        };
        for &k in &scope.laws {
            let add = |part: &mut Self| part.scope.iter_mut().for_each(|scope| scope.laws.push(k));
            hand_out(home_of_law(&model.laws[k as usize], model), &add);
        }
        for &k in &scope.ties {
            let add = |part: &mut Self| part.scope.iter_mut().for_each(|scope| scope.ties.push(k));
            hand_out(Home::Body(movable(&model.ties[k as usize].connector.bodies(), model)), &add);
        }
        for &k in &scope.joints {
            let add = |part: &mut Self| part.scope.iter_mut().for_each(|scope| scope.joints.push(k));
            hand_out(Home::Body(movable(&model.joints[k as usize].bodies(), model)), &add);
        }
        for held in self.held.iter() {
            hand_out(Home::Body(home_of_row(held.source, model)), &|part| part.held.insert(*held));
        }
        parts
    }
}

/// Where something belongs.
enum Home {
    /// To every island.
    All,
    /// To that of a body; `None`: it moves nothing.
    Body(Option<u32>),
}

/// The first movable body of some.
fn movable(bodies: &[BodyRef], model: &Model) -> Option<u32> {
    let mut own = bodies.iter().filter_map(|b| b.index()).filter(|&b| model.data[b].is_movable());
    own.next().map(|b| b as u32)
}

fn home_of_law(law: &ForceLaw, model: &Model) -> Home {
    named(law).map_or(Home::All, |bodies| Home::Body(movable(&bodies, model)))
}

fn home_of_row(source: Source, model: &Model) -> Option<u32> {
    match source {
        Source::Connector(k) => movable(&model.ties[k as usize].connector.bodies(), model),
        Source::Equation { constraint, .. } => movable(&model.joints[constraint as usize].bodies(), model),
        Source::Law { law, .. } => movable(&named(model.laws.get(law as usize)?)?, model),
        Source::Contact(id) | Source::Friction(id) | Source::Rolling(id) => {
            movable(&[id.primary, id.normal_body], model)
        }
    }
}

/// All that moves in a world, and all that acts on it.
pub(super) fn whole_scope(model: &Model, bodies: &[CollisionBody]) -> Scope {
    let (movable, fixed) = (0..bodies.len() as u32).partition(|&b| !bodies[b as usize].fixed);
    let all = |count: usize| (0..count as u32).collect();
    Scope {
        bodies: movable,
        fixed,
        laws: all(model.laws.len()),
        ties: all(model.ties.len()),
        joints: all(model.joints.len()),
    }
}

/// The first body of the group that each body always moves with, by joints and springs. `None` where the world has to be
/// moved as one: by forces or functions that see all of it, by books kept of all of it, by bodies without end.
pub(super) fn groups(model: &Model, state: &State) -> Option<Vec<u32>> {
    let sees_all = |law: &ForceLaw| matches!(law, ForceLaw::InverseSquareGravity { .. } | ForceLaw::User(_));
    if !model.watched.is_empty()
        || state.ledger.is_some()
        || matches!(model.settings.contact_model, ContactModel::Compliant(_))
        || model.laws.iter().any(sees_all)
        || state.bodies.iter().any(|b| !b.fixed && b.shape.is_unbounded())
    {
        return None;
    }
    let mut parents: Vec<u32> = (0..model.data.len() as u32).collect();
    let mut join = |bodies: &[BodyRef]| {
        let own = bodies.iter().filter_map(|b| b.index()).filter(|&b| model.data[b].is_movable());
        let own: Vec<u32> = own.map(|b| root(&mut parents, b as u32)).collect();
        let first = own.iter().copied().min();
        own.iter().for_each(|&b| parents[b as usize] = first.unwrap_or(b));
    };
    model.ties.iter().for_each(|tie| join(&tie.connector.bodies()));
    model.joints.iter().for_each(|joint| join(&joint.bodies()));
    model.laws.iter().filter_map(named).for_each(|bodies| join(&bodies));
    let homes: Vec<u32> = (0..parents.len() as u32).map(|b| root(&mut parents, b)).collect();
    let movable = (0..homes.len()).filter(|&b| model.data[b].is_movable());
    let mut firsts: Vec<u32> = movable.map(|b| homes[b]).collect();
    firsts.order();
    firsts.dedup();
    (firsts.len() > 1).then_some(homes)
}
