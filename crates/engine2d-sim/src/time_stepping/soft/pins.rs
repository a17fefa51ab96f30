//! Rows of a world whose joints are all rigid pins: only arms and gaps change from substep to substep, and they follow from how the
//! bodies have moved, without the general look and without the state.

use super::motion::Motion;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Row, Source};
use crate::state::State;
use engine2d_constraint::{Compliance, ConstraintRow, Revolute, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{Vec2, trig};

/// Two points that coincide, each from its body's centre of mass (body coordinates), or of the ground.
#[derive(Clone, Copy, Debug)]
struct Pin {
    joint: u32,
    bodies: [BodyRef; 2],
    arms: [Vec2; 2],
}

/// Where a body is: its centre of mass, and cosine and sine of its angle.
#[derive(Clone, Copy, Debug)]
struct Spot {
    center: Vec2,
    rotation: Vec2,
}

/// The ground.
const ORIGIN: Spot = Spot { center: Vec2::new(0.0, 0.0), rotation: Vec2::new(1.0, 0.0) };

impl Spot {
    fn of(body: &CollisionBody) -> Self {
        Self { center: body.pose.position(), rotation: body.pose.rotate([1.0, 0.0]) }
    }

    /// A point from the centre, in world axes.
    fn arm(&self, arm: Vec2) -> Vec2 {
        let (cos, sin) = (self.rotation.x, self.rotation.y);
        Vec2::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos)
    }
}

/// The pins of a world that has no other joints.
#[derive(Clone, Debug, Default)]
pub(super) struct Pins {
    pins: Vec<Pin>,
    spots: Vec<Spot>,
    alone: bool,
}

impl Pins {
    /// Takes up the joints of the world; nothing of them is known if one is not a rigid pin.
    pub(super) fn take(&mut self, model: &Model, state: &State) {
        self.pins.clear();
        self.alone = model.has_constraints() && model.ties.is_empty() && state.focus.is_whole();
        if !self.alone {
            return;
        }
        for (number, joint) in model.joints.iter().enumerate().filter(|(_, joint)| joint.is_enabled()) {
            let rigid = matches!(joint.compliance(), Compliance::Rigid);
            let Some(pin) = joint.constraint::<Revolute>().filter(|_| rigid) else {
                self.alone = false;
                return;
            };
            let ends = pin.ends().map(|(body, point)| (BodyRef::from(body), point));
            let arm = |(body, point): (BodyRef, Vec2)| {
                body.index().map_or(point, |k| point - state.bodies[k].center_of_mass)
            };
            self.pins.push(Pin { joint: number as u32, bodies: ends.map(|end| end.0), arms: ends.map(arm) });
        }
    }

    /// Whether there are no other joints.
    pub(super) fn are_alone(&self) -> bool {
        self.alone
    }

    /// Takes the bodies to be where the state has them.
    pub(super) fn place(&mut self, bodies: &[CollisionBody]) {
        self.spots.clear();
        self.spots.extend(bodies.iter().map(Spot::of));
    }

    /// Takes the bodies to be where they have moved to from there.
    pub(super) fn move_on(&mut self, bodies: &[CollisionBody], motions: &[Motion]) {
        self.spots.clear();
        self.spots.extend(bodies.iter().zip(motions).map(|(body, motion)| {
            let (sin, cos) = trig::sin_cos(motion.turn);
            let center = body.pose.position() + Vec2::new(motion.way[0], motion.way[1]);
            Spot { center, rotation: body.pose.rotate([cos, sin]) }
        }));
    }

    /// Writes down the rows at the bodies' places, two of each pin, into those of before if they are these pins'.
    pub(super) fn write(&self, rows: &mut Vec<Row>, time: f64) -> Result<(), SimError> {
        let all = self.pins.iter().flat_map(|pin| [(pin, 0), (pin, 1)]);
        if rows.len() != 2 * self.pins.len()
            || all.clone().zip(&*rows).any(|((pin, axis), row)| !pin.has(axis, row))
        {
            rows.clear();
            rows.extend(all.map(|(pin, axis)| pin.blank_row(axis)));
        }
        let spot = |body: BodyRef| body.index().map_or(ORIGIN, |k| self.spots[k]);
        let mut sum = 0.0;
        for (pin, pair) in self.pins.iter().zip(rows.chunks_exact_mut(2)) {
            let [a, b] = pin.bodies.map(spot);
            let first = a.arm(pin.arms[0]);
            // The second body is held at its point below the first one's.
            let point = a.center + first;
            let second = point - b.center;
            let open = second - b.arm(pin.arms[1]);
            let turns = [[-first.y, second.y], [first.x, -second.x]];
            for (k, row) in pair.iter_mut().enumerate() {
                row.error = open[k];
                (row.row.jacobian[0][2], row.row.jacobian[1][2]) = (turns[k][0], turns[k][1]);
                row.point = a.center;
            }
            sum += open.x + open.y;
        }
        // One that is none makes the sum none.
        if sum.is_finite() {
            Ok(())
        } else {
            Err(SimError::NotFinite { what: "a row of a pin".into(), time })
        }
    }
}

impl Pin {
    /// Whether a row is this pin's of an axis but for what is written anew from step to step.
    fn has(&self, axis: usize, row: &Row) -> bool {
        let [first, second] = row.row.jacobian.map(|j| j[axis]);
        let plain =
            [first, second, row.rate, row.bias] == [1.0, -1.0, 0.0, 0.0] && row.kind == RowKind::Bilateral;
        plain && row.source == self.source(axis) && row.row.bodies == self.bodies
    }

    fn source(&self, axis: usize) -> Source {
        Source::Equation { constraint: self.joint, equation: axis as u32 }
    }

    /// The row of an axis of the world, without arms.
    fn blank_row(&self, axis: usize) -> Row {
        let (mut first, mut second) = ([0.0; 3], [0.0; 3]);
        (first[axis], second[axis]) = (1.0, -1.0);
        Row {
            source: self.source(axis),
            row: ConstraintRow { bodies: self.bodies, jacobian: [first, second] },
            kind: RowKind::Bilateral,
            error: 0.0,
            rate: 0.0,
            bias: 0.0,
            holonomic: true,
            point: Vec2::zeros(),
        }
    }
}
