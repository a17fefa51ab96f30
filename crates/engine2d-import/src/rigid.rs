//! Rigid bodies as the formats have them: several outlines, one mass.

use crate::plane::{Pose, dot, sub};
use crate::surface::{Filter, Surface};
use engine2d_scene::{Point, Shape};

/// Mass, centre of mass and moment of inertia about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mass {
    pub(crate) mass: f64,
    pub(crate) center: Point,
    pub(crate) moment: f64,
}

impl Mass {
    /// The moment about another point.
    pub(crate) fn moment_about(self, point: Point) -> f64 {
        let arm = sub(self.center, point);
        self.moment + self.mass * dot(arm, arm)
    }

    /// All of them as one.
    pub(crate) fn sum(masses: impl Iterator<Item = Self> + Clone) -> Self {
        let mass: f64 = masses.clone().map(|m| m.mass).sum();
        if !(mass > 0.0) {
            return Self::default();
        }
        let [x, y] = masses.clone().fold([0.0; 2], |at: Point, m| {
            [at[0] + m.mass * m.center[0] / mass, at[1] + m.mass * m.center[1] / mass]
        });
        Self { mass, center: [x, y], moment: masses.map(|m| m.moment_about([x, y])).sum() }
    }

    /// Seen from outside of a pose.
    pub(crate) fn out(self, pose: Pose) -> Self {
        Self { center: pose.out(self.center), ..self }
    }

    /// A part of it, where it is.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { mass: self.mass * factor, moment: self.moment * factor, ..self }
    }
}

/// One outline of a body.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The outline, in coordinates of its own.
    pub(crate) shape: Shape,
    /// Where they are in the body's coordinates.
    pub(crate) pose: Pose,
    /// Its own mass, in its coordinates; 0 if it has none of its own.
    pub(crate) own: Mass,
    /// What it weighs if it must have a mass: that of density 1, in its coordinates.
    pub(crate) solid: Mass,
    pub(crate) surface: Surface,
    pub(crate) filter: Filter,
    pub(crate) sensor: bool,
    pub(crate) name: Option<String>,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motion {
    Fixed,
    /// At a velocity and an angular velocity that nothing changes.
    Led,
    Free,
}

/// A body.
#[derive(Clone, Debug)]
pub(crate) struct Rigid {
    /// Where it is in the file.
    pub(crate) path: String,
    pub(crate) name: Option<String>,
    pub(crate) pose: Pose,
    pub(crate) motion: Motion,
    /// Velocity of the centre of mass (of the origin of one that is led), and angular velocity.
    pub(crate) velocity: Point,
    pub(crate) angular_velocity: f64,
    /// The mass that the file gives to the whole, in the body's coordinates; absent: that of the parts.
    pub(crate) total: Option<Mass>,
    pub(crate) parts: Vec<Part>,
    /// Rates at which velocity and angular velocity die out (1/time).
    pub(crate) damping: [f64; 2],
    pub(crate) gravity_scale: f64,
}

impl Rigid {
    /// A body at rest without parts.
    pub(crate) fn new(path: impl Into<String>, name: Option<String>, pose: Pose, motion: Motion) -> Self {
        Self {
            path: path.into(),
            name,
            pose,
            motion,
            velocity: [0.0; 2],
            angular_velocity: 0.0,
            total: None,
            parts: Vec::new(),
            damping: [0.0; 2],
            gravity_scale: 1.0,
        }
    }

    /// Its mass, in its coordinates.
    pub(crate) fn mass(&self) -> Mass {
        self.total.unwrap_or_else(|| Mass::sum(self.parts.iter().map(|part| part.own.out(part.pose))))
    }

    /// The mass of each part, in the body's coordinates, so that their sum is that of the body: the first one has what the others
    /// leave. `None` if the mass cannot be shared so.
    pub(crate) fn shares(&self) -> Option<Vec<Mass>> {
        let whole = self.mass();
        let Some((_, others)) = self.parts.split_first() else { return Some(Vec::new()) };
        if !(whole.mass > 0.0 && whole.moment > 0.0) {
            return None;
        }
        let solid: f64 = self.parts.iter().map(|part| part.solid.mass).sum();
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let mut shares: Vec<Mass> = others
                .iter()
                .map(|part| {
                    let own = if part.own.mass > 0.0 {
                        part.own
                    } else {
                        part.solid.times(LENT * whole.mass / solid)
                    };
                    own.times(share).out(part.pose)
                })
                .collect();
            let first = remainder(whole, &shares);
            if first.mass > LEAST_LEFT * whole.mass && first.moment > LEAST_LEFT * whole.moment {
                shares.insert(0, first);
                return Some(shares);
            }
            share /= 2.0;
        }
        None
    }
}

/// What is left of a mass without others.
fn remainder(whole: Mass, others: &[Mass]) -> Mass {
    if others.is_empty() {
        return whole;
    }
    let mass = whole.mass - others.iter().map(|m| m.mass).sum::<f64>();
    let moment_of = |axis: usize| others.iter().map(|m| m.mass * m.center[axis]).sum::<f64>();
    let center = [0, 1].map(|axis| (whole.mass * whole.center[axis] - moment_of(axis)) / mass);
    let moment = whole.moment_about(center) - others.iter().map(|m| m.moment_about(center)).sum::<f64>();
    Mass { mass, center, moment }
}

/// How often the mass of the further parts is halved until something is left for the first one.
const HALVINGS: usize = 40;
/// The first part has at least this part of the body's mass and moment: less would be lost in rounding.
const LEAST_LEFT: f64 = 1e-3;
/// Part of the body's mass that parts without a mass of their own are lent, if all are such.
const LENT: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_mass_are_the_whole() {
        let part = |x: f64, mass: f64| Part {
            shape: Shape::Ball { radius: 1.0 },
            pose: Pose { at: [x, 0.0], angle: 0.3 },
            own: Mass { mass, center: [0.0; 2], moment: mass / 2.0 },
            solid: Mass { mass: 3.0, center: [0.0; 2], moment: 1.5 },
            surface: Surface { friction: 0.0, restitution: 0.0 },
            filter: Filter::All,
            sensor: false,
            name: None,
        };
        let mut body = Rigid::new("body", None, Pose::default(), Motion::Free);
        body.parts = vec![part(0.0, 0.0), part(2.0, 5.0), part(-1.0, 0.0)];
        for total in [
            Mass { mass: 5.0, center: [2.0, 0.0], moment: 2.5 },
            Mass { mass: 0.7, center: [-3.0, 1.0], moment: 0.2 },
        ] {
            body.total = Some(total);
            let shares = body.shares().unwrap();
            let sum = Mass::sum(shares.iter().copied());
            assert!(shares.iter().all(|m| m.mass > 0.0 && m.moment > 0.0), "{shares:?}");
            assert!((sum.mass - total.mass).abs() < 1e-12 && (sum.moment - total.moment).abs() < 1e-12);
            assert!((0..2).all(|k| (sum.center[k] - total.center[k]).abs() < 1e-12), "{sum:?}");
        }
    }
}
