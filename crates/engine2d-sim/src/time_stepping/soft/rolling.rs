//! Rolling resistance in the iterative solver: a torque between bodies, up to a length times their normal impulse.

use super::super::memory::Near;
use super::motion::Motion;
use crate::model::Model;
use crate::road::resistance_of;
use engine2d_constraint::InverseMass;

/// Rolling resistance at a point.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    bodies: [u32; 2],
    /// Whether its pair has two points, the pair's number among those, and the number of the point.
    at: (bool, usize, usize),
    /// Place in the list of what is near.
    place: u32,
    /// Torque per normal force (length).
    resistance: f64,
    /// On the second body: in a substep, and the sum over the step.
    impulse: f64,
    total: f64,
}

/// All points with rolling resistance.
#[derive(Clone, Debug, Default)]
pub(super) struct Rollings(Vec<Rolling>);

impl Rollings {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes up the points of a pair: whether they are two, and its number among those that have as many.
    pub(super) fn take(&mut self, model: &Model, near: &[Near], place: usize, (both, number): (bool, usize)) {
        for (lane, near) in near.iter().enumerate() {
            let Some(resistance) = resistance_of(model, near.id) else { continue };
            self.0.push(Rolling {
                bodies: near.pair(),
                at: (both, number, lane),
                place: (place + lane) as u32,
                resistance,
                impulse: near.rolling,
                total: 0.0,
            });
        }
    }

    /// Gives the bodies the impulses that are known.
    pub(super) fn warm_start(&self, motions: &mut [Motion], masses: &[InverseMass]) {
        for rolling in &self.0 {
            rolling.turn(rolling.impulse, (motions, masses));
        }
    }

    /// A sweep; `pressing` tells the normal impulse of a point.
    pub(super) fn roll(
        &mut self,
        (motions, masses): (&mut [Motion], &[InverseMass]),
        pressing: impl Fn((bool, usize, usize)) -> f64,
    ) {
        for rolling in &mut self.0 {
            let [a, b] = rolling.bodies.map(|body| body as usize);
            let inverse = masses[a].angular + masses[b].angular;
            if inverse > 0.0 {
                let most = rolling.resistance * pressing(rolling.at);
                let next = rolling.impulse - (motions[b].v[2] - motions[a].v[2]) / inverse;
                let next = next.min(most).max(-most);
                rolling.turn(next - rolling.impulse, (motions, masses));
                rolling.impulse = next;
            }
            rolling.total += rolling.impulse;
        }
    }

    /// The impulse of the last substep at a place of the list of what is near, and the sum over the step.
    pub(super) fn at(&self, place: usize) -> [f64; 2] {
        let found = self.0.binary_search_by_key(&(place as u32), |rolling| rolling.place);
        found.map_or([0.0; 2], |k| [self.0[k].impulse, self.0[k].total])
    }
}

impl Rolling {
    fn turn(&self, p: f64, (motions, masses): (&mut [Motion], &[InverseMass])) {
        let [a, b] = self.bodies.map(|body| body as usize);
        motions[a].v[2] -= masses[a].angular * p;
        motions[b].v[2] += masses[b].angular * p;
    }
}
