//! The network of contact forces: what each contact carries, and what that makes of islands as wholes.

use super::inspect::Inspect;
use super::pair_force::{ContactLoad, ContactMode};
use crate::road::root;
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use std::collections::{BTreeMap, BTreeSet};

/// The contacts that carry a force, with the islands that they make of the movable bodies.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ForceNetwork {
    /// The contacts, as the last evaluation found them.
    pub contacts: Vec<ContactLoad>,
    /// The islands, by their first bodies. Bodies that touch nothing are in none.
    pub islands: Vec<LoadedIsland>,
}

/// Movable bodies that hang together by contacts that carry a force.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LoadedIsland {
    /// Their places, ascending.
    pub bodies: Vec<usize>,
    /// Contacts that carry a force, those with immovable bodies included.
    pub contacts: usize,
    /// Share of the contacts at which surfaces slide.
    pub sliding: f64,
    /// Coordination number: bodies that a body of the island is pressed by, on average, immovable ones included. Two
    /// bodies that press each other at two places count once.
    pub coordination: f64,
    /// Area of the bodies together (length²).
    pub solid_area: f64,
    /// Internal moment tensor `Σ (x_i − c) ⊗ F` (force × length): over all bodies of the island and their contacts, of
    /// the force `F` on the body at `c` and its centre of mass `x_i`; row: direction of `x_i − c`, column: of the force.
    /// Positive where bodies are pressed together. Symmetric where no body turns faster and faster.
    pub moment: [[f64; 2]; 2],
}

impl LoadedIsland {
    /// Mean stress in the bodies (force/length in the plane), positive in compression: the internal moment tensor by the
    /// area of the bodies. That of the packing, voids included, is this times the share of the area that bodies fill.
    ///
    /// Source: J. Christoffersen, M. M. Mehrabadi, S. Nemat-Nasser, "A micromechanical description of granular material
    /// behavior", J. Appl. Mech. 48 (1981), section 2; by single bodies: J. J. Moreau, "Numerical investigation of shear
    /// zones in granular materials" (1997), the internal moment.
    #[must_use]
    pub fn stress(&self) -> [[f64; 2]; 2] {
        self.moment.map(|row| row.map(|entry| entry / self.solid_area))
    }

    /// Mean pressure in the bodies (force/length in the plane): half the trace of [`stress`](Self::stress).
    #[must_use]
    pub fn pressure(&self) -> f64 {
        (self.moment[0][0] + self.moment[1][1]) / (2.0 * self.solid_area)
    }

    /// Difference of the principal stresses relative to their sum: 0 where pressure is the same in all directions, 1 where
    /// there is one in a single direction. From the symmetric part. 0 without pressure.
    #[must_use]
    pub fn anisotropy(&self) -> f64 {
        let [[xx, xy], [yx, yy]] = self.moment;
        let sum = xx + yy;
        if sum == 0.0 { 0.0 } else { (xx - yy).hypot(xy + yx) / sum.abs() }
    }
}

impl Inspect<'_> {
    /// The contacts that carry a force and what they make of islands, as the last evaluation found them: nothing before the
    /// first step. Forces of joints and connectors do not belong to it, though they may load the bodies too.
    ///
    /// ```
    /// use engine2d_sim::{Body, World};
    ///
    /// // Two blocks of 2 kg, 0.5 high, on each other.
    /// let block = |y: f64| Body::block(1.0, 0.5).mass(2.0).at(0.0, y);
    /// let floor = Body::block(4.0, 1.0).fixed().at(0.0, -0.5);
    /// let scene = World::builder().gravity(10.0).body(floor).body(block(0.25)).body(block(0.75));
    /// let mut world = scene.build()?;
    /// world.advance(0.1)?;
    /// let network = world.inspect().force_network();
    /// let island = &network.islands[0];
    /// assert_eq!((island.bodies.len(), island.coordination), (2, 1.5));
    /// // The lower one carries 20 N and hands on 40 N, the upper one hands on 20 N, each along 0.25 m.
    /// assert!((island.moment[1][1] - 20.0).abs() < 1e-9);
    /// # Ok::<(), engine2d_sim::SimError>(())
    /// ```
    #[must_use]
    pub fn force_network(&self) -> ForceNetwork {
        let state = &self.world.state;
        let contacts: Vec<ContactLoad> =
            self.contact_loads(|_| true).filter(|load| load.normal_force > 0.0).collect();
        let movable = |load: &ContactLoad| {
            load.bodies
                .map(|end| end.index().filter(|&body| !state.bodies[body].fixed).map(|body| body as u32))
        };
        let mut parents: Vec<u32> = (0..state.bodies.len() as u32).collect();
        for load in &contacts {
            if let [Some(a), Some(b)] = movable(load) {
                let [a, b] = [a, b].map(|body| root(&mut parents, body));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        let mut islands: BTreeMap<u32, (LoadedIsland, BTreeSet<[usize; 2]>)> = BTreeMap::new();
        for load in &contacts {
            let ends = movable(load);
            let Some(first) = ends.iter().flatten().next() else { continue };
            let (island, pairs) = islands.entry(root(&mut parents, *first)).or_insert_with(empty);
            island.contacts += 1;
            island.sliding += f64::from(u8::from(load.mode == ContactMode::Slide));
            for (end, sign) in ends.into_iter().zip([1.0, -1.0]) {
                let Some(body) = end.map(|body| body as usize) else { continue };
                let (arm, force) = (state.bodies[body].pose.position() - load.point, load.force() * sign);
                add_outer(&mut island.moment, arm, force);
                island.bodies.push(body);
            }
            let [a, b] = load.bodies.map(|end| end.index().unwrap_or(usize::MAX));
            pairs.insert([a.min(b), a.max(b)]);
        }
        let finish = |(mut island, pairs): (LoadedIsland, BTreeSet<[usize; 2]>)| {
            island.bodies.order();
            island.bodies.dedup();
            let is_own = |body: &&usize| island.bodies.binary_search(body).is_ok();
            let neighbours = pairs.iter().map(|pair| pair.iter().filter(is_own).count()).sum::<usize>();
            island.coordination = neighbours as f64 / island.bodies.len() as f64;
            island.sliding /= island.contacts as f64;
            island.solid_area =
                island.bodies.iter().map(|&body| state.bodies[body].shape.area_properties().area).sum();
            island
        };
        ForceNetwork { contacts, islands: islands.into_values().map(finish).collect() }
    }
}

fn empty() -> (LoadedIsland, BTreeSet<[usize; 2]>) {
    let island = LoadedIsland {
        bodies: Vec::new(),
        contacts: 0,
        sliding: 0.0,
        coordination: 0.0,
        solid_area: 0.0,
        moment: [[0.0; 2]; 2],
    };
    (island, BTreeSet::new())
}

/// Adds `left ⊗ right`.
fn add_outer(tensor: &mut [[f64; 2]; 2], left: Vec2, right: Vec2) {
    for (row, l) in tensor.iter_mut().zip([left.x, left.y]) {
        row[0] += l * right.x;
        row[1] += l * right.y;
    }
}
