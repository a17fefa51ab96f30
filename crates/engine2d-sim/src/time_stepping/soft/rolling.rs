//! Rolling resistance in the iterative solver: a torque between bodies, up to a length times their normal impulse.

use super::super::near::Near;
use super::motion::Motion;
use crate::model::Model;
use crate::road::resistance_of;
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;

/// Rolling resistance at a point.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    bodies: [u32; 2],
    /// The group of its pair, whether that has two points, its number among those, and the number of the point.
    at: (u32, (bool, usize, usize)),
    /// Place in the list of what is near.
    place: u32,
    /// Torque per normal force (length).
    resistance: f64,
    /// What a torque between the bodies changes their relative turning by.
    inverse_mass: f64,
    /// The longer arm of a body that can turn (length).
    arm: f64,
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

    /// Takes up the points of a pair: its group, whether they are two, and its number among those that have as many.
    pub(super) fn take(
        &mut self,
        (model, masses, bodies): (&Model, &[InverseMass], &[CollisionBody]),
        near: &[Near],
        place: usize,
        (group, both, number): (u32, bool, u32),
    ) {
        for (lane, near) in near.iter().enumerate() {
            let Some(resistance) = resistance_of(model, near.id) else { continue };
            let ends = near.pair().map(|body| body as usize);
            let (point, _) = near.meeting(bodies);
            let turned = ends.into_iter().filter(|&k| masses[k].angular > 0.0);
            let arm = turned.map(|k| (point - bodies[k].pose.position()).norm()).fold(0.0, f64::max);
            self.0.push(Rolling {
                bodies: near.pair(),
                at: (group, (both, number as usize, lane)),
                place: (place + lane) as u32,
                resistance,
                inverse_mass: ends.into_iter().map(|k| masses[k].angular).sum(),
                arm,
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
        pressing: impl Fn((u32, (bool, usize, usize))) -> f64,
    ) {
        for rolling in &mut self.0 {
            if rolling.inverse_mass > 0.0 {
                let most = rolling.resistance * pressing(rolling.at);
                let next = rolling.impulse - rolling.turning(motions) / rolling.inverse_mass;
                let next = next.min(most).max(-most);
                rolling.turn(next - rolling.impulse, (motions, masses));
                rolling.impulse = next;
            }
            rolling.total += rolling.impulse;
        }
    }

    /// Largest violation of the law of rolling resistance by the smaller of turning and what is left of the torque, as a speed at the
    /// longer arm.
    pub(super) fn residual(
        &self,
        motions: &[Motion],
        pressing: impl Fn((u32, (bool, usize, usize))) -> f64,
    ) -> f64 {
        self.0.iter().map(|rolling| rolling.violation(motions, pressing(rolling.at))).fold(0.0, f64::max)
    }

    /// Adds the impulses of the step to what loads each body.
    pub(super) fn add_loads(&self, loads: &mut [[f64; 3]]) {
        for rolling in &self.0 {
            let [a, b] = rolling.bodies.map(|body| body as usize);
            loads[a][2] -= rolling.total;
            loads[b][2] += rolling.total;
        }
    }

    /// The impulse of the last substep at a place of the list of what is near, and the sum over the step.
    pub(super) fn at(&self, place: usize) -> [f64; 2] {
        let found = self.0.binary_search_by_key(&(place as u32), |rolling| rolling.place);
        found.map_or([0.0; 2], |k| [self.0[k].impulse, self.0[k].total])
    }
}

impl Rolling {
    /// Angular velocity of the second body over the first's.
    fn turning(&self, motions: &[Motion]) -> f64 {
        let [a, b] = self.bodies.map(|body| motions[body as usize].v[2]);
        b - a
    }

    fn violation(&self, motions: &[Motion], pressing: f64) -> f64 {
        let free = self.impulse * self.inverse_mass;
        let most = self.resistance * pressing * self.inverse_mass;
        (free - (free - self.turning(motions)).min(most).max(-most)).abs() * self.arm
    }

    fn turn(&self, p: f64, (motions, masses): (&mut [Motion], &[InverseMass])) {
        let [a, b] = self.bodies.map(|body| body as usize);
        motions[a].v[2] -= masses[a].angular * p;
        motions[b].v[2] += masses[b].angular * p;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel that turns against the floor with a torque short of its limit violates the law by what the limit still allows; at
    /// its limit it does not, nor at rest below it.
    #[test]
    fn turning_against_too_small_a_torque_is_a_residual() {
        let (arm, inverse_mass, resistance) = (0.5, 2.0, 0.1);
        let residual = |turning: f64, impulse: f64| {
            let (bodies, at) = ([0, 1], (0, (false, 0, 0)));
            let rolling =
                Rolling { bodies, at, place: 0, resistance, inverse_mass, arm, impulse, total: 0.0 };
            let mut motions = [Motion::default(); 2];
            motions[1].v[2] = turning;
            Rollings(vec![rolling]).residual(&motions, |_| 1.0)
        };
        assert!(
            (residual(3.0, 0.0) - resistance * inverse_mass * arm).abs() < 1e-15,
            "what the limit allows"
        );
        assert!((residual(0.1, 0.0) - 0.1 * arm).abs() < 1e-15, "what turning asks for");
        assert_eq!(residual(3.0, -resistance), 0.0);
        assert_eq!(residual(0.0, 0.5 * resistance), 0.0);
    }
}
