//! Constraints and constrainers of one's own: the same laws by both interfaces move a mechanism alike, and the harness
//! finds what is wrong with one.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::table::cases::for_each_case;
use engine2d_constraint::conformance::{Flaw, check_constraint};
use engine2d_constraint::constrainer::{
    Constrainer, Contributed, FrictionInfo, LibraryConstrainer, RowInfo, Update, assemble_rows,
};
use engine2d_constraint::*;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{SparseBlockMatrix, cross, trig};

/// A point of a body on or above the world's x axis, with friction: as a constrainer.
#[derive(Clone)]
struct OnAxis {
    body: u32,
    point: Vec2,
    above: bool,
    mu: f64,
    engaged: bool,
    height: f64,
    forces: [f64; 2],
    broken: bool,
}

fn on_axis(point: [f64; 2], above: bool, mu: f64) -> OnAxis {
    let point = Vec2::from(point);
    OnAxis { body: 0, point, above, mu, engaged: true, height: 0.0, forces: [0.0; 2], broken: false }
}

impl OnAxis {
    fn add(
        &self,
        m: Motions<'_>,
        axis: Vec2,
        transposed: &mut SparseBlockMatrix,
    ) -> Result<(usize, f64), BlockError> {
        let arm = m.of(BodyRef::Body(self.body)).arm(self.point);
        let column = transposed.append_column(1);
        transposed.set(self.body as usize, column, &[axis.x, axis.y, cross(arm, axis)])?;
        Ok((column, m.of(BodyRef::Body(self.body)).acceleration_bias_at(arm).dot(&axis)))
    }

    fn info(&self, on: bool, info: &mut [RowInfo], index: usize) -> usize {
        if on {
            info[index] = RowInfo { distance: self.height, ..RowInfo::default() };
        }
        index + usize::from(on) + usize::from(self.broken && on)
    }
}

impl Constrainer for OnAxis {
    fn name(&self) -> &str {
        "on axis"
    }
    fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend((!self.above).then_some(1));
    }
    fn unilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend((self.above && self.engaged).then_some(1));
    }
    fn add_bilateral(
        &mut self,
        m: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        if self.above {
            return Ok(index);
        }
        dg[index] = self.add(m, Vec2::new(0.0, 1.0), gt)?.1;
        Ok(index + 1)
    }
    fn add_unilateral(
        &mut self,
        m: Motions<'_>,
        nt: &mut SparseBlockMatrix,
        dn: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        if !(self.above && self.engaged) {
            return Ok(index);
        }
        dn[index] = self.add(m, Vec2::new(0.0, 1.0), nt)?.1;
        Ok(index + 1)
    }
    fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        self.info(!self.above, info, index)
    }
    fn unilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
        self.info(self.above && self.engaged, info, index)
    }
    fn set_bilateral_forces(&mut self, lambda: &[f64], scale: f64, index: usize) -> usize {
        self.forces[0] = lambda[index] * scale;
        index + 1
    }
    fn max_friction_sets(&self) -> usize {
        1
    }
    fn add_friction(
        &mut self,
        m: Motions<'_>,
        dt: &mut SparseBlockMatrix,
        info: &mut Vec<FrictionInfo>,
        _prune: bool,
    ) -> Result<(), BlockError> {
        if self.above && self.engaged && self.mu > 0.0 {
            let block = Some(self.add(m, Vec2::new(1.0, 0.0), dt)?.0);
            info.push(FrictionInfo { mu: self.mu, block, ..FrictionInfo::default() });
        }
        Ok(())
    }
    fn update(&mut self, m: Motions<'_>, _time: f64, what: Update) -> Option<f64> {
        self.height = m.of(BodyRef::Body(self.body)).position(self.point).y;
        if what == Update::Compute {
            self.engaged = self.height <= 0.0;
        }
        Some((-self.height).max(0.0))
    }
    fn components(&self, out: &mut Vec<BodyRef>) {
        out.push(BodyRef::Body(self.body));
    }
}

/// A bar with its point on the axis, turning.
fn bar(angle: f64, u: [f64; 3], point: Vec2) -> (Mechanism, BodyId) {
    let mut m = Mechanism::new();
    m.set_gravity([1.0, -9.81]).unwrap();
    let (sin, cos) = trig::sin_cos(angle);
    let height = -(sin * point.x + cos * point.y);
    let mass = Mass::new(2.0, 0.3).centered_at([0.1, 0.2]);
    let body = m.add_body(mass, Pose::new(0.3, height, angle)).unwrap();
    m.set_velocities(&u).unwrap();
    (m, body)
}

#[test]
fn a_constrainer_moves_a_mechanism_as_the_library_does() {
    let point = Vec2::new(0.5, 0.2);
    for (above, mu, u) in [
        (false, 0.0, [0.4, 0.0, 1.5]),
        (true, 0.0, [0.4, 0.0, 0.0]),
        (true, 0.3, [0.0, 0.0, 0.0]),
        (true, 5.0, [0.0, 0.0, 0.0]),
        (true, 0.3, [0.7, 0.0, 0.0]),
        // It turns about the point, which sticks: v = −ω × r.
        (
            true,
            5.0,
            [
                0.9 * 0.2 * 0.4_f64.cos() + 0.9 * 0.5 * 0.4_f64.sin(),
                -0.9 * 0.5 * 0.4_f64.cos() + 0.9 * 0.2 * 0.4_f64.sin(),
                0.9,
            ],
        ),
    ] {
        let own = |m: &mut Mechanism, body: BodyId| {
            let mine = Contributed::new(on_axis([0.5, 0.2], above, mu));
            assert!(format!("{mine:?}").contains("on axis"));
            let id = m.add(mine).unwrap();
            m.assemble().unwrap();
            let answer = m.solve_accelerations().unwrap();
            (answer.clone(), m.force_on(id, body, &answer).unwrap())
        };
        let library = |m: &mut Mechanism, body: BodyId| {
            let line = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), body, point, 0.0);
            let line = if above { line.unilateral() } else { line };
            let id = m.add(if mu > 0.0 { line.with_friction(mu) } else { line }).unwrap();
            m.assemble().unwrap();
            let answer = m.solve_accelerations().unwrap();
            (answer.clone(), m.force_on(id, body, &answer).unwrap())
        };
        let (mut m, body) = bar(0.4, u, point);
        let (ours, our_force) = own(&mut m, body);
        let (mut m, body) = bar(0.4, u, point);
        let (theirs, their_force) = library(&mut m, body);
        // Friction's velocity-product term is a difference.
        let near = if mu > 0.0 { 1e-8 } else { 1e-12 };
        for (a, b) in ours.accelerations().iter().zip(theirs.accelerations()) {
            assert!((a - b).abs() < near, "{above} {mu}: {a} {b}");
        }
        for (a, b) in our_force.iter().zip(their_force) {
            assert!((a - b).abs() < near, "{above} {mu}: {a} {b}");
        }
    }
}

/// What moves bodies through time reads joints: the rows of a constrainer stand there as any others do.
#[test]
fn a_constrainer_is_a_joint_like_any_other() {
    let point = Vec2::new(0.5, 0.2);
    let (m, body) = bar(0.4, [0.4, 0.0, 1.5], point);
    let boxed: Box<dyn AnyConstraint> = Box::new(Contributed::new(on_axis([0.5, 0.2], false, 0.0)));
    let joint = Joint::boxed(boxed).named("axis").compliant(SpringDamper { compliance: 0.01, damping: 0.0 });
    let shared: std::sync::Arc<dyn Send + Sync> = std::sync::Arc::new(joint.clone());
    drop(shared);
    let mut rows = Vec::new();
    joint.clone().equations(m.motions(), &mut rows);
    assert_eq!((rows.len(), rows[0].spring.compliance, joint.bodies()), (1, 0.01, vec![BodyRef::Body(0)]));
    assert_eq!(rows[0].row.jacobian[0][..2], [0.0, 1.0]);
    // And back through the other interface.
    let motions: Vec<FrameMotion> = m.bodies().map(|(_, motion)| motion).collect();
    let mut list: Vec<Box<dyn Constrainer>> = vec![Box::new(LibraryConstrainer::new(joint))];
    list[0].update(Motions::new(&motions), 0.0, Update::Compute);
    let g = assemble_rows(&mut list, Motions::new(&motions), 1, false).unwrap();
    assert_eq!(g.transposed.to_dense_transposed()[0], rows[0].row.jacobian[0]);
    assert_eq!((g.info[0].compliance, g.rate[0]), (0.01, rows[0].acceleration_bias));
    assert_eq!(body, BodyRef::Body(0));
}

#[test]
fn a_constrainer_that_breaks_its_contract_is_told_by_its_own_fault() {
    let (mut m, _) = bar(0.4, [0.0; 3], Vec2::new(0.5, 0.2));
    let broken = OnAxis { broken: true, ..on_axis([0.5, 0.2], false, 0.0) };
    let error = m.add(Contributed::new(broken.clone())).unwrap_err();
    assert!(
        matches!(&error, MechanismError::Broken { reason, .. } if reason.contains("writing infos")),
        "{error}"
    );
    // Broken later, it stops the solve and not the process.
    let id = m.add(Contributed::new(on_axis([0.5, 0.2], false, 0.0))).unwrap();
    assert!(m.edit(id, |c: &mut Contributed<OnAxis>| *c.constrainer_mut() = broken).is_err());
    assert!(m.solve_accelerations().is_ok());
}

/// A point of the first body on a circle about the world's origin, with a mistake of the given kind.
#[derive(Clone, Debug)]
struct OnCircle(u8);

impl Constraint for OnCircle {
    fn kind(&self) -> &'static str {
        "on a circle"
    }
    fn bodies(&self) -> Vec<BodyId> {
        let body = BodyId::from(BodyRef::Body(0));
        if self.0 == 1 { vec![body, body] } else { vec![body] }
    }
    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let body = BodyRef::Body(if self.0 == 2 { 1 } else { 0 });
        let m = motions.of(body);
        let (p, v) = (m.pose.position(), m.velocity);
        let scale = if self.0 == 3 { 1.0 } else { 2.0 };
        let row = ConstraintRow {
            bodies: [body, BodyRef::Ground],
            jacobian: [[scale * p.x, 2.0 * p.y, 0.0], [0.0; 3]],
        };
        let bias = if self.0 == 4 { 0.0 } else { 2.0 * v.norm_squared() };
        let radius = if self.0 == 5 { f64::NAN } else { 1.0 };
        let mut e = Equation::holonomic(row, p.norm_squared() - radius, bias, motions);
        if self.0 == 6 {
            e.velocity_error = 0.0;
        }
        if self.0 == 7 {
            out.push(Equation::nonholonomic(row, 0.0, bias, motions));
        }
        let count = if self.0 == 8 && p.x > 0.3 { 2 } else { 1 };
        out.extend(std::iter::repeat_n(e, count));
    }
}

#[test]
fn the_harness_finds_each_mistake_of_a_constraint() {
    let moving = |x: f64| FrameMotion {
        pose: Pose::new(x, 0.7, 0.4),
        velocity: Vec2::new(0.8, -0.3),
        angular_velocity: 1.1,
    };
    let motions = [moving(0.3), moving(1.0)];
    let of = |mistake| check_constraint(&OnCircle(mistake), Motions::new(&motions));
    assert_eq!(of(0), Ok(()));
    assert!(matches!(of(1), Err(Flaw::Body { .. })));
    assert!(matches!(of(2), Err(Flaw::Stray { .. })));
    assert!(matches!(of(3), Err(Flaw::Derivative { what: "velocity error", .. })));
    assert!(matches!(of(4), Err(Flaw::Derivative { what: "bias", .. })));
    assert!(matches!(of(5), Err(Flaw::NotFinite { row: 0 })));
    assert!(matches!(of(6), Err(Flaw::Derivative { what: "velocity error", .. })));
    assert!(matches!(of(7), Err(Flaw::Order { row: 1 })));
    assert!(matches!(of(8), Err(Flaw::Count { .. })));
    assert!(matches!(
        check_constraint(
            &AngleLimit::new(BodyRef::Body(0), BodyRef::Body(1), 1.0, 0.0),
            Motions::new(&motions)
        ),
        Err(Flaw::Value { .. })
    ));
}

#[test]
fn the_library_has_no_flaws() {
    for_each_case(0.3, |name, mut m, _, _, _| {
        m.assemble().unwrap();
        let joint = m.joints().next().unwrap();
        check_constraint(joint.any(), m.motions()).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
    });
}

#[test]
fn nearness_to_a_singularity_goes_through_zero_at_the_change_point() {
    // A parallelogram: its change point is at the angle 0.
    let least = |angle: f64| {
        let (sin, cos) = trig::sin_cos(angle);
        let mut m = Mechanism::new();
        let bar = Mass::new(1.0, 0.1);
        let left = m.add_body(bar, Pose::new(0.0, 0.0, angle)).unwrap();
        let right = m.add_body(bar, Pose::new(2.0, 0.0, angle)).unwrap();
        let top = m.add_body(bar, Pose::new(cos, sin, 0.0)).unwrap();
        m.add(Revolute::to_ground(left, [0.0, 0.0])).unwrap();
        m.add(Revolute::new(right, [0.0, 0.0], BodyId::GROUND, [2.0, 0.0])).unwrap();
        m.add(Revolute::new(top, [0.0, 0.0], left, [1.0, 0.0])).unwrap();
        m.add(Revolute::new(top, [2.0, 0.0], right, [1.0, 0.0])).unwrap();
        let values = m.singular_values();
        assert_eq!(values.len(), 8);
        assert!(values.windows(2).all(|w| w[0] >= w[1]));
        m.least_singular_value()
    };
    assert!(least(0.0) < 1e-15);
    let [near, nearer] = [1e-3, 1e-4].map(least);
    assert!((near / nearer - 10.0).abs() < 1e-4, "{near} {nearer}");
    assert!(least(1.0) > 0.1);
    // A third crank makes it redundant everywhere.
    assert_eq!(Mechanism::new().least_singular_value(), f64::INFINITY);
}
