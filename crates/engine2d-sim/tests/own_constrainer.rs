//! A constrainer of one's own moves a mechanism and a world alike, and so does a trajectory between two bodies.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::constrainer::{Constrainer, Contributed, RowInfo, Update};
use engine2d_constraint::{Mass, Measure, Mechanism, Motions, Pose, Prescribed, Revolute, Vec2};
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{SparseBlockMatrix, cross, trig};
use engine2d_sim::{Body, BodyRef, World};

const G: f64 = 9.81;

/// Keeps a point of a body on the world's x axis.
#[derive(Clone)]
struct OnAxis {
    body: u32,
    point: Vec2,
    height: f64,
}

impl Constrainer for OnAxis {
    fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.push(1);
    }
    fn add_bilateral(
        &mut self,
        motions: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        let motion = motions.of(BodyRef::Body(self.body));
        let arm = motion.arm(self.point);
        let column = gt.append_column(1);
        gt.set(self.body as usize, column, &[0.0, 1.0, cross(arm, Vec2::new(0.0, 1.0))])?;
        dg[index] = motion.acceleration_bias_at(arm).y;
        Ok(index + 1)
    }
    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        info[index] = RowInfo { distance: self.height, ..RowInfo::default() };
        index + 1
    }
    fn update(&mut self, motions: Motions<'_>, _time: f64, _what: Update) -> Option<f64> {
        self.height = motions.of(BodyRef::Body(self.body)).position(self.point).y;
        Some(0.0)
    }
    fn components(&self, out: &mut Vec<BodyRef>) {
        out.push(BodyRef::Body(self.body));
    }
}

#[test]
fn a_constrainer_has_the_same_accelerations_and_reactions_in_both() {
    let (angle, omega, point) = (0.7, 1.5, Vec2::new(0.0, 1.0));
    let inertia = 2.0 * (0.1 * 0.1 + 2.0 * 2.0) / 12.0;
    let (sin, cos) = trig::sin_cos(angle);
    // The upper end stands on the axis and moves along it.
    let (place, velocity) = ([0.3 + sin, -cos], [0.4 + omega * cos, omega * sin]);
    let mine = || Contributed::new(OnAxis { body: 0, point, height: 0.0 });
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -G]).unwrap();
    let bar = m.add_body(Mass::new(2.0, inertia), Pose::new(place[0], place[1], angle)).unwrap();
    m.set_velocities(&[velocity[0], velocity[1], omega]).unwrap();
    let id = m.add(mine()).unwrap();
    let answer = m.solve_accelerations().unwrap();
    let body = Body::block(0.1, 2.0).mass(2.0).moment(inertia).at(place[0], place[1]).angle(angle);
    let mut world = World::builder()
        .gravity(G)
        .body(body.velocity(velocity[0], velocity[1]).spin(omega))
        .joint(mine())
        .build()
        .unwrap();
    let found = world.probe().accelerations(0.0, &mut |_| {}).unwrap();
    for (a, expected) in found.as_flattened().iter().zip(answer.accelerations()) {
        assert!((a - expected).abs() < 1e-9, "{found:?} {:?}", answer.accelerations());
    }
    let (ours, theirs) = (m.force_on(id, bar, &answer).unwrap(), world.reaction(0).unwrap().force);
    assert!((ours[0] - theirs.x).abs() < 1e-9 && (ours[1] - theirs.y).abs() < 1e-9);
    // The free momentum along the axis stays, and the point on the axis.
    let momentum = velocity[0];
    world.advance(3.0).unwrap();
    let body = world.body(0).unwrap();
    assert!((body.velocity().x - momentum).abs() < 1e-7);
    let height = body.position().y + trig::cos(body.angle());
    assert!(height.abs() < 1e-9, "{height}");
}

#[test]
fn a_trajectory_leads_one_body_against_another_in_a_world() {
    let swing = |t: f64| [0.4 * trig::sin(2.0 * t), 0.8 * trig::cos(2.0 * t), -1.6 * trig::sin(2.0 * t)];
    let (first, second) = (BodyRef::Body(0), BodyRef::Body(1));
    let mut world = World::builder()
        .body(Body::ball(0.2).at(-2.0, 0.0).spin(-0.2))
        .body(Body::ball(0.2).at(2.0, 0.0).spin(0.6))
        .joint(Revolute::new(first, [0.0, 0.0], BodyRef::Ground, [-2.0, 0.0]))
        .joint(Revolute::new(second, [0.0, 0.0], BodyRef::Ground, [2.0, 0.0]))
        .joint(Prescribed::trajectory(Measure::angle(second, first), swing))
        .build()
        .unwrap();
    for k in 1..=20 {
        world.advance(0.1).unwrap();
        let turned = world.body(1).unwrap().angle() - world.body(0).unwrap().angle();
        assert!((turned - swing(0.1 * f64::from(k))[0]).abs() < 1e-8, "{k}: {turned}");
    }
}
