//! What moving pictures are drawn from: what stays the same in a run, and what each moment adds.
//!
//! The replay page and the lab draw the same data by the same script.

use crate::machine::{drawn, sort};
use crate::outline::{TieKind, curves, outline, ties};
use crate::palette::fill;
use engine2d_constraint::Stroke;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use engine2d_sim::{Attachment, World};
use serde::{Deserialize, Serialize};

/// Relative speed of two surfaces below which they are shown as sticking (length/time): far above rounding, far
/// below what an eye sees move.
const STICKING_SPEED: f64 = 1e-6;

/// What a picture shows all the time. Lists of points are flat: x, y, x, y, ….
#[derive(Clone, Debug, Default, Serialize)]
pub struct Model {
    /// The bodies in their order.
    pub bodies: Vec<BodyPicture>,
    /// Rods, ropes, springs and pins.
    pub ties: Vec<TiePicture>,
    /// Joints of the library.
    pub joints: Vec<JointPicture>,
    /// Curves that path joints follow.
    pub curves: Vec<Vec<f64>>,
}

/// A body as it is drawn.
#[derive(Clone, Debug, Serialize)]
pub struct BodyPicture {
    /// Its name.
    pub name: String,
    /// Whether it is immovable.
    pub fixed: bool,
    /// Whether it only tells who comes and goes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sensor: bool,
    /// Fill colour.
    pub color: &'static str,
    /// Whether it is a disc, whose turning a radius shows.
    pub round: bool,
    /// Mass.
    pub mass: f64,
    /// Moment of inertia about the centre of mass.
    pub moment: f64,
    /// Pose of an immovable body: x, y, angle.
    pub pose: [f64; 3],
    /// Centre of mass in the coordinates of the shape.
    pub center: [f64; 2],
    /// Closed paths about the centre of mass.
    pub paths: Vec<Vec<f64>>,
}

/// What is drawn between two bodies.
#[derive(Clone, Debug, Serialize)]
pub struct TiePicture {
    /// `rod`, `rope`, `spring` or `pin`.
    pub kind: &'static str,
    /// Body (−1 for the ground) and point relative to its centre of mass.
    pub ends: [(i64, f64, f64); 2],
    /// Length of the taut rope or rod, or of the relaxed spring.
    pub length: f64,
}

/// A joint of the library.
#[derive(Clone, Debug, Serialize)]
pub struct JointPicture {
    /// Its name, or its kind.
    pub name: String,
    /// `motor`, `spring` or `joint`.
    pub sort: &'static str,
    /// The bodies it joins, by number.
    pub bodies: Vec<usize>,
}

/// Numbers for each contact of a [`Frame`].
pub const CONTACT_NUMBERS: usize = 8;

/// What a picture shows at a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Simulated time.
    #[serde(rename = "t")]
    pub time: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy.
    pub potential: f64,
    /// x, y and angle of each movable body.
    pub poses: Vec<f64>,
    /// The two velocities and the angular velocity of each movable body.
    pub rates: Vec<f64>,
    /// For each contact x, y, the force with friction, how its friction is (0: none, 1: sticks, 2: slides), the body
    /// the force acts on, the other one (−1: the ground), and the gap.
    pub contacts: Vec<f64>,
    /// x, y and the two components of each force of a rod, rope or pin.
    pub pulls: Vec<f64>,
    /// For each joint that acts: its number, anchor, force and torque, the number of its segments and these, the
    /// number of its circles and these.
    pub machine: Vec<f64>,
}

impl Model {
    /// What stays the same in a run of `world`.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let bodies = world.bodies().map(|body| BodyPicture {
            name: body.name().to_owned(),
            fixed: body.is_fixed(),
            sensor: body.is_sensor(),
            color: fill(body.index(), body.is_fixed()),
            round: body.shape().edges().len() == 1,
            mass: finite(body.mass()),
            moment: finite(body.moment()),
            pose: [body.position().x, body.position().y, body.angle()],
            center: body.collision_body().center_of_mass.into(),
            paths: outline(&body).into_iter().map(flat).collect(),
        });
        let ties = ties(world).into_iter().map(|tie| TiePicture {
            kind: match tie.kind {
                TieKind::Rod => "rod",
                TieKind::Rope => "rope",
                TieKind::Spring => "spring",
                TieKind::Pin => "pin",
            },
            ends: tie.ends.map(|end| relative(world, end)),
            length: tie.length,
        });
        let joints = world.inspect().joints().iter().map(|joint| JointPicture {
            name: joint.label().to_owned(),
            sort: sort(joint),
            bodies: joint.bodies().into_iter().filter_map(|body| body.index()).collect(),
        });
        Self {
            bodies: bodies.collect(),
            ties: ties.collect(),
            joints: joints.collect(),
            curves: curves(world).into_iter().map(flat).collect(),
        }
    }
}

impl Frame {
    /// The present moment of `world`.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let energy = world.energy();
        let (time, kinetic, potential) = (world.time(), energy.kinetic(), energy.potential);
        let mut frame = Self { time, kinetic, potential, ..Self::default() };
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            let (p, v) = (body.position(), body.velocity());
            frame.poses.extend([p.x, p.y, body.angle()]);
            frame.rates.extend([v.x, v.y, body.angular_velocity()]);
        }
        frame.add_contacts(world);
        frame.machine = machine(world);
        frame
    }

    fn add_contacts(&mut self, world: &World) {
        for contact in world.contact_forces() {
            let along = Vec2::new(-contact.normal.y, contact.normal.x);
            let force = contact.normal * contact.force + along * contact.friction;
            if contact.bilateral {
                add_pull(&mut self.pulls, [contact.point.x, contact.point.y, force.x, force.y]);
                continue;
            }
            let bodies = [contact.id.primary, contact.id.normal_body].map(|body| body.index());
            if contact.force > 0.0 {
                self.add_contact(world, bodies, contact.point, [force, along], contact.friction, contact.gap);
            }
        }
        for touch in world.inspect().compliant_forces() {
            // The normal points out of the first body: the second one is pushed along it.
            let along = Vec2::new(-touch.normal.y, touch.normal.x);
            let (normal, friction) = (touch.response.normal, touch.response.tangential);
            let bodies = [touch.bodies[1], touch.bodies[0]].map(|body| BodyRef::Body(body).index());
            let force = touch.normal * normal + along * friction;
            if normal > 0.0 {
                self.add_contact(world, bodies, touch.point, [force, along], friction, -touch.deformation);
            }
        }
    }

    fn add_contact(
        &mut self,
        world: &World,
        bodies: [Option<usize>; 2],
        point: Vec2,
        [force, along]: [Vec2; 2],
        friction: f64,
        gap: f64,
    ) {
        let velocity = |body: Option<usize>| {
            body.and_then(|body| world.body(body).ok()).map_or(Vec2::zeros(), |body| {
                let arm = point - body.position();
                body.velocity() + body.angular_velocity() * Vec2::new(-arm.y, arm.x)
            })
        };
        let sliding = (velocity(bodies[0]) - velocity(bodies[1])).dot(&along);
        let state = match friction {
            0.0 => 0.0,
            _ if sliding.abs() <= STICKING_SPEED => 1.0,
            _ => 2.0,
        };
        let [a, b] = bodies.map(|body| body.map_or(-1.0, |body| body as f64));
        self.contacts.extend([point.x, point.y, force.x, force.y, state, a, b, gap]);
    }

    /// How many numbers the frame has.
    #[must_use]
    pub fn size(&self) -> usize {
        let lists = [&self.poses, &self.rates, &self.contacts, &self.pulls, &self.machine];
        3 + lists.iter().map(|list| list.len()).sum::<usize>()
    }

    /// Appends all numbers to a list: time, the two energies, the lengths of the five lists, then these in the order
    /// of the fields.
    pub fn pack(&self, into: &mut Vec<f64>) {
        let lists = [&self.poses, &self.rates, &self.contacts, &self.pulls, &self.machine];
        into.extend([self.time, self.kinetic, self.potential]);
        into.extend(lists.iter().map(|list| list.len() as f64));
        lists.iter().for_each(|list| into.extend_from_slice(list));
    }

    /// The frame with every number changed by `change`.
    #[must_use]
    pub(crate) fn map(mut self, change: impl Fn(f64) -> f64 + Copy) -> Self {
        let lists =
            [&mut self.poses, &mut self.rates, &mut self.contacts, &mut self.pulls, &mut self.machine];
        lists.into_iter().flatten().for_each(|value| *value = change(*value));
        let (time, kinetic, potential) = (change(self.time), change(self.kinetic), change(self.potential));
        Self { time, kinetic, potential, ..self }
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn relative(world: &World, end: Attachment) -> (i64, f64, f64) {
    let body = end.body.index().and_then(|index| Some((index, world.body(index).ok()?)));
    match body {
        Some((index, body)) => {
            let p = end.point - body.collision_body().center_of_mass;
            (index as i64, p.x, p.y)
        }
        None => (-1, end.point.x, end.point.y),
    }
}

fn flat(points: Vec<Vec2>) -> Vec<f64> {
    points.into_iter().flat_map(|p| [p.x, p.y]).collect()
}

/// Adds an arrow to a list, to the one at the same place if there is one: the rows of a pin are one force.
fn add_pull(pulls: &mut Vec<f64>, arrow: [f64; 4]) {
    let same = pulls.chunks_exact_mut(4).find(|known| known[..2] == arrow[..2]);
    match same {
        Some(known) => {
            known[2] += arrow[2];
            known[3] += arrow[3];
        }
        None => pulls.extend(arrow),
    }
}

/// The joints as they are now, as a list of numbers.
fn machine(world: &World) -> Vec<f64> {
    let mut list = Vec::new();
    for (place, joint) in drawn(world) {
        let (at, force) = (joint.anchor, joint.force);
        list.extend([place as f64, at.x, at.y, force.x, force.y, joint.torque]);
        let (mut segments, mut circles) = (Vec::new(), Vec::new());
        for stroke in &joint.strokes {
            match stroke {
                Stroke::Segment { from, to } => segments.extend([from.x, from.y, to.x, to.y]),
                Stroke::Circle { center, radius } => circles.extend([center.x, center.y, *radius]),
            }
        }
        list.push((segments.len() / 4) as f64);
        list.extend(segments);
        list.push((circles.len() / 3) as f64);
        list.extend(circles);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_scene::Scene;

    #[test]
    fn contacts_tell_who_pushes_whom_and_how_friction_is() {
        let mut world = Scene::built_in("rough_slope").unwrap().to_world().unwrap();
        let _report = world.advance(0.5).unwrap();
        let frame = Frame::of(&world);
        let contacts: Vec<&[f64]> = frame.contacts.chunks_exact(CONTACT_NUMBERS).collect();
        assert!(contacts.iter().any(|c| c[4] == 1.0), "some block sticks");
        assert!(contacts.iter().any(|c| c[4] == 2.0), "some block slides");
        // The contacts hold the weights but for what accelerates: forces on each body point up.
        for contact in contacts {
            let on_movable = !world.body(contact[5] as usize).unwrap().is_fixed();
            assert_eq!(contact[3] > 0.0, on_movable, "{contact:?}");
        }
        let mut packed = Vec::new();
        frame.pack(&mut packed);
        assert_eq!(packed.len(), frame.size() + 5);
        assert_eq!(packed[8..11], frame.poses[..3]);
    }
}
