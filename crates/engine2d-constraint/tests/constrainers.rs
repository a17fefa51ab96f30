//! Constraints of the library behind the `Constrainer` trait: each kind conforms, broken ones are named, and assembly of
//! large systems allocates nothing once warm.

use super::table::cases::for_each_case;
use super::table::chain::chain;
use engine2d_constraint::constrainer::conformance::{Checks, Violation, check};
use engine2d_constraint::constrainer::*;
use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{Pose, SparseBlockMatrix, Vec2};

#[test]
fn every_kind_of_the_library_conforms() {
    let mut checked = 0;
    for_each_case(0.0, |name, mut m, _, _, _| {
        m.assemble().unwrap();
        let motions: Vec<FrameMotion> = m.bodies().map(|(_, motion)| motion).collect();
        for c in m.constrainers() {
            // Corrections of unilateral rows leave a slack; a prescribed acceleration is part of the term.
            let (distances, products) = (!is_unilateral(c, &motions), name != "constant acceleration");
            let checks = Checks { distances, products };
            let again = m.constrainers().remove(0);
            check(name, again, &motions, checks).unwrap();
            checked += 1;
        }
    });
    assert!(checked >= 28, "{checked}");
}

fn is_unilateral(mut c: Box<dyn Constrainer>, motions: &[FrameMotion]) -> bool {
    c.update(Motions::new(motions), 0.0, Update::Compute);
    let mut sizes = Vec::new();
    c.unilateral_sizes(&mut sizes);
    !sizes.is_empty()
}

fn at(x: f64, y: f64, velocity: [f64; 3]) -> FrameMotion {
    let [vx, vy, angular_velocity] = velocity;
    FrameMotion { pose: Pose::new(x, y, 0.0), velocity: Vec2::new(vx, vy), angular_velocity }
}

/// A disc of radius 0.5 on the x axis with friction.
fn rubbing() -> LibraryConstrainer {
    let contact = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), BodyRef::Body(0), [0.0, 0.0], 0.5);
    LibraryConstrainer::new(contact.unilateral().with_friction(0.4)).with_tolerance(0.0)
}

#[test]
fn a_contact_engages_at_a_detection_and_is_released_when_it_opens() {
    let mut c = rubbing();
    let mut update = |y: f64, vy: f64, what| {
        let motions = [at(0.0, y, [0.0, vy, 0.0])];
        let deepest = c.update(Motions::new(&motions), 0.0, what);
        let mut sizes = Vec::new();
        c.unilateral_sizes(&mut sizes);
        (deepest, sizes.len())
    };
    assert_eq!(update(0.6, -1.0, Update::Compute), (None, 0));
    // A refresh moves what is there and engages nothing.
    assert_eq!(update(0.4, -1.0, Update::Refresh), (None, 0));
    assert_eq!(update(0.25, -1.0, Update::Compute), (Some(0.25), 1));
    // Rounding above the line does not release a contact at rest, opening does.
    assert_eq!(update(0.5 + 1e-12, 0.0, Update::Compute), (Some(0.0), 1));
    assert_eq!(update(0.5 + 1e-12, 1.0, Update::Compute), (None, 0));
}

#[test]
fn friction_keeps_its_places_when_pruned_and_its_forces_and_states() {
    check(
        "rubbing",
        Box::new(rubbing()),
        &[at(0.0, 0.5, [1.0, 0.0, 2.0])],
        Checks { distances: false, ..Checks::default() },
    )
    .unwrap();
    let mut list: Vec<Box<dyn Constrainer>> =
        vec![Box::new(rubbing().with_stiction_creep(0.1).with_stiction_compliance(0.02))];
    let motions = [at(0.0, 0.5, [1.0, 0.0, 2.0])];
    let motions = Motions::new(&motions);
    list[0].update(motions, 0.0, Update::Compute);
    let n = assemble_rows(&mut list, motions, 1, true).unwrap();
    assert_eq!(n.transposed.to_dense_transposed(), [[0.0, 1.0, 0.0]]);
    list[0].set_unilateral_forces(&[3.0], 2.0, 0);
    list[0].set_friction_forces(&[1.5], 1.0, 0);
    list[0].set_friction_state(&[2], 0);
    let friction = assemble_friction(&mut list, motions, 1, [0, 1], true).unwrap();
    let set = friction.sets[0];
    assert_eq!((set.mu, set.contact, set.bilateral, set.block), (0.4, 0, false, Some(0)));
    // The spring of sticking remembers the force it held.
    assert_eq!((set.creep, set.compliance, set.displacement), (0.1, 0.02, -0.03));
    assert_eq!(set.sticking_row(0.1), (0.1 / 0.1 + 0.02 / (0.1 * 0.1), 0.3));
    assert_eq!(set.bounds(0.1, &[], &[2.0]), [-0.8, 0.8]);
    assert_eq!(friction.transposed.to_dense_transposed(), [[1.0, 0.0, 0.5]]);
    let mut state = [9];
    assert_eq!((list[0].friction_state(&mut state, 0), state), (1, [2]));
    list[0].zero_forces();
    let pruned = assemble_friction(&mut list, motions, 1, [0, 1], true).unwrap();
    assert_eq!((pruned.sets.len(), pruned.sets[0].block, pruned.transposed.columns()), (1, None, 0));
    // Two rows that press at right angles.
    let both = FrictionInfo { second: Some(1), bilateral: true, mu: 0.5, ..FrictionInfo::default() };
    assert_eq!(both.bounds(0.1, &[-3.0, 4.0], &[]), [-2.5, 2.5]);
}

#[test]
fn prescribed_rates_and_motors_are_driven_rows() {
    let body = BodyRef::Body(0);
    let motions = [at(0.0, 0.0, [0.7, 0.2, -0.4])];
    let motions = Motions::new(&motions);
    let mut list: Vec<Box<dyn Constrainer>> = vec![
        Box::new(LibraryConstrainer::new(Prescribed::speed((body, Coordinate::X), 2.0))),
        Box::new(LibraryConstrainer::new(Prescribed::acceleration((body, Coordinate::Y), 3.0))),
        Box::new(LibraryConstrainer::new(
            Joint::new(Motor::rotary(body, BodyId::GROUND, SpeedDrive { speed: 5.0, limit: 6.0 }))
                .named("motor"),
        )),
    ];
    list.iter_mut().for_each(|c| assert!(c.update(motions, 0.0, Update::Compute).unwrap_or(0.0) == 0.0));
    let g = assemble_rows(&mut list, motions, 1, false).unwrap();
    let h = 0.1;
    let targets: Vec<f64> = g.info.iter().zip(&g.rate).map(|(i, dg)| i.velocity_row(h, *dg).1).collect();
    // The acceleration starts from the present speed.
    assert!((targets[0] - 2.0).abs() < 1e-15 && (targets[1] - (0.2 + h * 3.0)).abs() < 1e-15);
    assert!(g.info.iter().all(|i| i.position_row().is_none()));
    // A moving target keeps its rate besides.
    let moving = RowInfo { rate: 2.0, distance: 0.5, ..RowInfo::default() };
    assert_eq!(
        (moving.velocity_row(h, 3.0), moving.position_row()),
        ((0.0, 2.0 - h * 3.0), Some((0.0, -0.5)))
    );
    let friction = assemble_friction(&mut list, motions, 1, [2, 0], true).unwrap();
    let set = friction.sets[0];
    assert_eq!(
        (set.bounds(h, &[0.0; 2], &[]), set.speed, list[2].name()),
        ([-0.6000000000000001, 0.6000000000000001], 5.0, "motor")
    );
}

#[test]
fn assembling_the_rows_of_a_thousand_bodies_again_allocates_nothing() {
    let m = chain(1000);
    let motions: Vec<FrameMotion> = m.bodies().map(|(_, motion)| motion).collect();
    let moved: Vec<FrameMotion> =
        motions.iter().map(|m| FrameMotion { angular_velocity: 0.1, ..*m }).collect();
    let mut constrainers = m.constrainers();
    // Contacts with friction too, at every link.
    for k in 0..1000 {
        let contact = CircleOnLine::new(BodyId::GROUND, Line::x_axis(), BodyRef::Body(k), [0.0, 0.0], 0.1);
        constrainers.push(Box::new(LibraryConstrainer::new(contact.unilateral().with_friction(0.3))));
    }
    let (mut g, mut n, mut d) = (Assembled::default(), Assembled::default(), AssembledFriction::default());
    let mut pass = |motions: &[FrameMotion]| {
        let motions = Motions::new(motions);
        for c in &mut constrainers {
            c.update(motions, 0.0, Update::Compute);
        }
        assemble_rows_into(&mut constrainers, motions, 1000, false, &mut g).unwrap();
        assemble_rows_into(&mut constrainers, motions, 1000, true, &mut n).unwrap();
        assemble_friction_into(&mut constrainers, motions, 1000, [2000, 1000], false, &mut d).unwrap();
        (g.info.len(), n.info.len(), d.sets.len())
    };
    assert_eq!(pass(&motions), (2000, 1000, 1000));
    let info = allocation_counter::measure(|| {
        pass(&moved);
        pass(&motions);
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

/// A constrainer with mistakes that only a look at all of its blocks finds.
struct Faulty(u8);

impl Constrainer for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }
    fn bilateral_sizes(&self, sizes: &mut Vec<usize>) {
        sizes.extend([1, 1]);
    }
    fn add_bilateral(
        &mut self,
        _: Motions<'_>,
        gt: &mut SparseBlockMatrix,
        dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        if self.0 == 0 {
            gt.append_column(2);
            return Ok(index + 2);
        }
        for _ in 0..2 {
            let column = gt.append_column(1);
            let value = if self.0 == 1 { f64::NAN } else { 1.0 };
            gt.set(if self.0 == 2 { 7 } else { 0 }, column, &[value, 0.0, 0.0])?;
        }
        dg[index] = if self.0 == 3 { f64::INFINITY } else { 0.0 };
        Ok(index + 2)
    }
    fn bilateral_info(&self, _: &mut [RowInfo], index: usize) -> usize {
        index + if self.0 == 4 { 1 } else { 2 }
    }
    fn max_friction_sets(&self) -> usize {
        usize::from(self.0 != 5)
    }
    fn add_friction(
        &mut self,
        _: Motions<'_>,
        dt: &mut SparseBlockMatrix,
        info: &mut Vec<FrictionInfo>,
        _: bool,
    ) -> Result<(), BlockError> {
        let column = dt.append_column(1);
        let block = if self.0 == 6 { None } else { Some(column) };
        let mu = if self.0 == 8 { -1.0 } else { 0.5 };
        info.push(FrictionInfo {
            mu,
            block,
            contact: if self.0 == 7 { 3 } else { 0 },
            ..FrictionInfo::default()
        });
        Ok(())
    }
    fn update(&mut self, _: Motions<'_>, _: f64, _: Update) -> Option<f64> {
        Some(0.0)
    }
    fn components(&self, out: &mut Vec<BodyRef>) {
        out.push(BodyRef::Body(0));
    }
}

#[test]
fn assembly_checks_everything_and_names_the_offender() {
    let motions = [at(0.0, 0.0, [0.0; 3])];
    let motions = Motions::new(&motions);
    let list = |mistake| -> Vec<Box<dyn Constrainer>> {
        let good = LibraryConstrainer::new(Prescribed::position((BodyRef::Body(0), Coordinate::X), 0.0));
        vec![Box::new(good), Box::new(Faulty(mistake))]
    };
    let rows = |mistake| assemble_rows(&mut list(mistake), motions, 1, false).map(|_| ());
    let friction = |mistake| assemble_friction(&mut list(mistake), motions, 1, [3, 1], false).map(|_| ());
    for (error, expected) in [
        (rows(0), Fault::Width { column: 0, got: 2, announced: 1 }),
        (rows(1), Fault::NotFinite),
        (rows(2), Fault::Block(BlockError::Row { row: 7, rows: 1 })),
        (rows(3), Fault::NotFinite),
        (rows(4), Fault::Rows { operation: "writing infos", got: 1, announced: 2 }),
        (friction(5), Fault::Sets { got: 1, most: 0 }),
        (friction(6), Fault::FrictionColumn { set: 1 }),
        (friction(7), Fault::Contact { set: 0, row: 3, rows: 1 }),
        (friction(8), Fault::Friction { set: 0 }),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.fault, expected);
        assert_eq!((error.constrainer, error.name.as_str()), (1, "faulty"));
        assert!(error.to_string().starts_with("constrainer 1 (faulty): "));
    }
    // The good one has no rows before its first update, and says so.
    assert_eq!(friction(9), Ok(()));
    // The harness finds what assembly finds.
    let harness = check("mine", Box::new(Faulty(4)), &[at(0.0, 0.0, [0.0; 3])], Checks::default());
    assert!(matches!(harness, Err(Violation::Rows { .. })));
}

/// A friction row within fixed limits, with mistakes.
#[derive(Default)]
struct OnlyFriction {
    mistake: u8,
    force: f64,
    state: u8,
}

impl Constrainer for OnlyFriction {
    fn max_friction_sets(&self) -> usize {
        1
    }
    fn add_friction(
        &mut self,
        _: Motions<'_>,
        dt: &mut SparseBlockMatrix,
        info: &mut Vec<FrictionInfo>,
        prune: bool,
    ) -> Result<(), BlockError> {
        if prune && self.mistake == 4 {
            return Ok(());
        }
        let column = dt.append_column(1);
        dt.set(if self.mistake == 5 { 1 } else { 0 }, column, &[1.0, 0.0, 0.0])?;
        info.push(FrictionInfo { limits: Some([-1.0, 1.0]), block: Some(column), ..FrictionInfo::default() });
        Ok(())
    }
    fn set_friction_forces(&mut self, phi: &[f64], scale: f64, index: usize) -> usize {
        self.force = phi[if self.mistake == 1 { 0 } else { index }] * scale;
        index + 1
    }
    fn friction_forces(&self, phi: &mut [f64], index: usize) -> usize {
        phi[index] = self.force;
        index + 1
    }
    fn set_friction_state(&mut self, state: &[u8], index: usize) -> usize {
        self.state = if self.mistake == 2 { 0 } else { state[index] };
        index + 1
    }
    fn friction_state(&self, state: &mut [u8], index: usize) -> usize {
        state[index] = self.state;
        index + 1
    }
    fn zero_forces(&mut self) {
        if self.mistake != 3 {
            self.force = 0.0;
        }
    }
    fn update(&mut self, _: Motions<'_>, _: f64, _: Update) -> Option<f64> {
        None
    }
    fn components(&self, out: &mut Vec<BodyRef>) {
        out.push(BodyRef::Body(0));
    }
}

#[test]
fn the_harness_finds_mistakes_of_friction() {
    let of = |mistake| {
        let mine = OnlyFriction { mistake, ..OnlyFriction::default() };
        let motions = [at(0.0, 0.0, [0.0; 3]), at(1.0, 0.0, [0.0; 3])];
        check("mine", Box::new(mine), &motions, Checks::default())
    };
    assert_eq!(of(0), Ok(()));
    assert!(matches!(of(1), Err(Violation::Force { operation: "friction_forces", .. })));
    assert!(matches!(of(2), Err(Violation::Force { operation: "friction_state", .. })));
    assert!(matches!(of(3), Err(Violation::Force { operation: "zero_forces", .. })));
    assert!(matches!(of(4), Err(Violation::Count { operation: "add_friction with pruning", .. })));
    assert!(matches!(of(5), Err(Violation::Component { body: 1, .. })));
}
