//! The boxes that islands claim for their bodies, and who is met in them.

use super::claims::Claims;
use super::flights::Flights;
use super::island::Island;
use super::track::Track;
use super::watch::Watch;
use crate::adaptive::DormandPrince;
use crate::road::{may_meet, reach_of, root};
use crate::state::State;
use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::order::Order;
use std::collections::BTreeMap;

/// Room about the way of a body within which it needs no look around (relative to its radius).
const ROOM: f64 = 0.1;

/// Gap within which bodies belong to one island, in touching gaps.
pub(super) const AROUND: f64 = 8.0;

/// All islands but the one at work, by their numbers.
pub(super) type Islands = BTreeMap<u32, Box<Island>>;

/// The boxes of all islands, and whose each body is.
#[derive(Clone, Debug, Default)]
pub(super) struct Sea {
    pub(super) claims: Claims,
    /// Number of the island of each movable body.
    pub(super) owners: Vec<u32>,
    /// Part of each body of an island that falls apart.
    pub(super) parts: Vec<u32>,
    /// The bodies that always move together: by the first one.
    pub(super) groups: Vec<u32>,
    /// Whether the box of each body overlaps those of other islands that it passes at other times.
    pub(super) crowded: Vec<bool>,
    /// The discs that fly free.
    pub(super) flights: Flights,
}

/// What a look around finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    near: Vec<u32>,
    fixed: Vec<u32>,
    islands: Vec<u32>,
}

/// What is met on a way.
#[derive(Debug, PartialEq)]
pub(super) enum Met {
    /// Nobody.
    Nobody,
    /// Bodies of the islands of these numbers.
    Islands(Vec<u32>),
    /// Not even each other: the island falls apart, into the parts that the sea has noted.
    Apart,
}

impl Sea {
    /// Of a world whose bodies always move together as `groups` says.
    pub(super) fn new(groups: Vec<u32>, flights: Flights) -> Self {
        let count = groups.len();
        Self {
            parts: groups.clone(),
            owners: vec![0; count],
            crowded: vec![true; count],
            groups,
            flights,
            ..Self::default()
        }
    }

    /// Claims the places where the bodies are, and notes which belong together.
    pub(super) fn open(&mut self, bodies: &[CollisionBody], touch: f64) {
        let around = |body: &CollisionBody| {
            if body.shape.is_unbounded() {
                return Bounds::EVERYTHING;
            }
            if body.fixed {
                return body.outline_bounds().inflated(AROUND * touch);
            }
            let reach = reach_of(body);
            Bounds::of_circle(body.pose.position(), reach + ROOM * reach + AROUND * touch)
        };
        self.claims.open(bodies, bodies.iter().map(around));
        let mut met = Vec::new();
        for k in (0..bodies.len()).filter(|&k| !bodies[k].fixed) {
            self.claims.around(k, &mut met);
            for &other in met.iter().filter(|&&other| !bodies[other as usize].fixed) {
                if may_meet(bodies, k as u32, other) {
                    let [a, b] = [k as u32, other].map(|body| root(&mut self.parts, body));
                    self.parts[a.max(b) as usize] = a.min(b);
                }
            }
        }
    }

    /// Notes whose the bodies of an island are.
    pub(super) fn own(&mut self, island: &Island, number: u32) {
        for &body in island.scope.iter().flat_map(|scope| &scope.bodies) {
            self.owners[body as usize] = number;
        }
    }
}

/// Whether all bodies of an island stay within their boxes in the step just taken. Where one does not, all get new ones,
/// and what is met there decides; an island falls apart no sooner than a step after it has become what it is.
pub(super) fn look_around(
    state: &mut State,
    watch: &Watch,
    (sea, others): (&mut Sea, &Islands),
    integrator: &DormandPrince,
    may_part: bool,
    Around { near, fixed, islands }: &mut Around,
) -> Met {
    let State { bodies, focus, touch, .. } = state;
    let own = || focus.bodies(bodies.len());
    let Sea { claims, owners, parts, groups, crowded, flights } = sea;
    let bounds = |k: usize| watch.bounds(k).inflated(reach_of(&bodies[k]) + AROUND * *touch);
    let stays = own().all(|k| claims.of(k).contains(&bounds(k)));
    if stays && own().all(|k| !crowded[k]) {
        return Met::Nobody;
    }
    for k in own() {
        if !stays {
            claims.set(k, bounds(k).inflated(ROOM * reach_of(&bodies[k])));
        }
        (parts[k], crowded[k]) = (k as u32, false);
    }
    let mut join = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|body| root(parts, body));
        parts[a.max(b) as usize] = a.min(b);
    };
    own().for_each(|k| join(k as u32, groups[k]));
    fixed.clear();
    islands.clear();
    for k in own() {
        claims.around(k, near);
        for &other in near.iter().filter(|&&other| may_meet(bodies, k as u32, other)) {
            if bodies[other as usize].fixed {
                fixed.push(other);
            } else {
                let (other, number) = (other as usize, owners[other as usize]);
                let room = reach_of(&bodies[k]) + reach_of(&bodies[other]) + AROUND * *touch;
                let track = |body: usize| match focus.slot(body) {
                    Some(slot) => Track::Step { integrator, slot },
                    None => match flights.get(body as u32) {
                        Some(flight) => Track::Flight(flight),
                        None => {
                            others[&owners[body]].track(body).expect("a movable body in the island it is of")
                        }
                    },
                };
                if !track(k).meets(&track(other), room) {
                    // In the next step they might.
                    (crowded[k], crowded[other]) = (true, true);
                } else if number == owners[k] {
                    join(k as u32, other as u32);
                } else {
                    islands.push(number);
                }
            }
        }
    }
    let whole = own().map(|k| root(parts, k as u32)).is_sorted_by(|a, b| a == b);
    focus.set_fixed(fixed);
    if !islands.is_empty() {
        islands.order();
        islands.dedup();
        return Met::Islands(islands.clone());
    }
    if whole || stays || !may_part { Met::Nobody } else { Met::Apart }
}
