//! Random clusters of contacts: no law gains energy, in whichever order their impacts follow each other.

use crate::impact_law::ImpactLaw;
use crate::lcp::LcpDriver;
use crate::road::feature::friction_row;
use crate::road::impact::{ImpactRules, Impacts};
use crate::road::multipliers::Multipliers;
use crate::road::row::{Row, Source, rate_of};
use engine2d_constraint::{ConstraintRow, InverseMass, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Features, PathShape};
use engine2d_math::Vec2;
use std::sync::Arc;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Single,
    Cluster,
    /// Clusters with tangential restitution.
    Sideways,
}

/// Energy gained, as a share of what there was, that is rounding.
const ROUNDING: f64 = 1e-12;

/// Numbers between 0 and 1 (\[Knuth, The Art of Computer Programming 2, §3.3.4\], line 26 of the table).
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.between(0.0, 1.0) * count as f64) as usize
    }
}

/// Bodies, their masses and moments, and the contacts of some of them, each with its restitution.
struct Cluster {
    bodies: Vec<CollisionBody>,
    inertia: Vec<[f64; 2]>,
    rows: Vec<Row>,
    restitution: Vec<f64>,
}

impl Cluster {
    /// Up to four bodies and up to six contacts between them and the ground, with coefficients of friction up to 2; one
    /// restitution for all, or each its own. Or one contact.
    fn random(numbers: &mut Numbers, kind: Kind, shape: &Arc<PathShape>) -> Self {
        let count = 1 + numbers.below(4);
        let mut bodies = vec![CollisionBody::new(Arc::clone(shape)); count];
        for body in &mut bodies {
            body.velocity = Vec2::new(numbers.between(-2.0, 2.0), numbers.between(-2.0, 2.0));
            body.angular_velocity = numbers.between(-3.0, 3.0);
        }
        let inertia: Vec<[f64; 2]> = (0..count)
            .map(|_| {
                let (mass, gyration) = (numbers.between(0.2, 5.0), numbers.between(0.2, 1.0));
                [mass, mass * gyration * gyration]
            })
            .collect();
        let shared = (numbers.between(0.0, 1.0) < 0.5).then(|| numbers.between(0.0, 1.0));
        let (mut rows, mut restitution, mut rough) = (Vec::new(), Vec::new(), Vec::new());
        let contacts = if kind == Kind::Single { 1 } else { 1 + numbers.below(6) as u32 };
        for k in 0..contacts {
            let first = numbers.below(count);
            let other = numbers.below(count + 1);
            let is_ground = other == count || other == first;
            let ends = [
                BodyRef::Body(first as u32),
                if is_ground { BodyRef::Ground } else { BodyRef::Body(other as u32) },
            ];
            let arm =
                |numbers: &mut Numbers| Vec2::new(numbers.between(-1.0, 1.0), numbers.between(-1.0, 1.0));
            let (sin, cos) = numbers.between(-3.2, 3.2).sin_cos();
            let (arm_a, arm_b) = (arm(numbers), arm(numbers));
            let separation = ConstraintRow::separation(ends, Vec2::new(cos, sin), arm_a, arm_b);
            let id = ContactId {
                primary: ends[0],
                normal_body: ends[1],
                features: Features::VertexEdge { vertex: k, edge: 0 },
            };
            let row = Row {
                source: Source::Contact(id),
                row: separation,
                kind: RowKind::Unilateral,
                error: 0.0,
                rate: rate_of(&separation, &bodies),
                bias: 0.0,
                holonomic: true,
                // Both bodies stand at the origin, where their arms differ: the friction's are made below.
                point: arm_a,
            };
            let kind = RowKind::Friction { normal: k as usize, mu: numbers.between(0.0, 2.0) };
            let along = Vec2::new(-sin, cos);
            let tangential = ConstraintRow::separation(ends, along, arm_a, arm_b);
            let friction = friction_row(&row, kind, 0.0, &bodies);
            rough.push(Row { row: tangential, rate: rate_of(&tangential, &bodies), ..friction });
            rows.push(row);
            restitution.push(shared.unwrap_or_else(|| numbers.between(0.0, 1.0)));
        }
        restitution.extend(rough.iter().map(|_| match kind {
            Kind::Sideways => numbers.between(0.0, 1.0),
            Kind::Single | Kind::Cluster => 0.0,
        }));
        rows.extend(rough);
        Self { bodies, inertia, rows, restitution }
    }

    fn energy(&self) -> f64 {
        let of = |(body, [mass, moment]): (&CollisionBody, &[f64; 2])| {
            let spin = body.angular_velocity;
            0.5 * mass * body.velocity.norm_squared() + 0.5 * moment * spin * spin
        };
        self.bodies.iter().zip(&self.inertia).map(of).sum()
    }

    /// Resolves its impacts; returns the energy gained as a share, and how many were reduced.
    fn resolve(&mut self, law: ImpactLaw, simultaneous: bool) -> (f64, usize) {
        let before = self.energy();
        let masses: Vec<InverseMass> = self.inertia.iter().map(|[m, i]| InverseMass::new(*m, *i)).collect();
        let rules = ImpactRules { simultaneous, rest_speed: 1e-6, law, time: 0.0 };
        let mut impacts = Impacts::default();
        let (mut solver, mut lcp) = (Multipliers::default(), LcpDriver::default());
        impacts
            .resolve(
                (&self.rows, &self.restitution),
                (&mut self.bodies, &masses),
                rules,
                &mut solver,
                &mut lcp,
                &mut Vec::new(),
            )
            .expect("impulses exist");
        (self.energy() / before - 1.0, impacts.reduced.len())
    }
}

/// One law on `count` clusters, or on as many single contacts; returns the largest gain, where it was, and how many impacts were
/// reduced.
fn worst_of(law: ImpactLaw, kind: Kind, count: u64) -> (f64, u64, usize) {
    let shape = Arc::new(PathShape::ball(1.0).expect("a ball"));
    let mut numbers = Numbers(3);
    let (mut worst, mut at, mut reduced) = (0.0_f64, 0, 0);
    for trial in 0..count {
        let (gain, less) = Cluster::random(&mut numbers, kind, &shape).resolve(law, trial % 2 == 0);
        if gain > worst {
            (worst, at) = (gain, trial);
        }
        reduced += less;
    }
    (worst, at, reduced)
}

/// How many impacts of each kind each law is asked for; a million, by `IMPACTS=1000000`, take half an hour.
const IMPACTS: u64 = 20_000;

/// Tries a law; returns how many impacts of each kind were reduced.
fn gains_nothing(law: ImpactLaw) -> [usize; 3] {
    let count = std::env::var("IMPACTS").map_or(IMPACTS, |count| count.parse().expect("a number"));
    [Kind::Single, Kind::Cluster, Kind::Sideways].map(|kind| {
        let (gain, at, reduced) = worst_of(law, kind, count);
        assert!(gain <= ROUNDING, "{law:?}, {kind:?} {at} of {count}: {gain:e}; {reduced} reduced");
        reduced
    })
}

#[test]
fn poisson_gains_nothing() {
    let [single, ..] = gains_nothing(ImpactLaw::Poisson);
    assert_eq!(single, 0, "single contacts need no guard");
}

#[test]
fn newton_gains_nothing() {
    let reduced = gains_nothing(ImpactLaw::Newton);
    assert!(
        reduced.iter().all(|count| *count > 100),
        "it would have, and what was reduced is told: {reduced:?}"
    );
}

#[test]
fn stronge_gains_nothing() {
    let [single, ..] = gains_nothing(ImpactLaw::Stronge);
    assert_eq!(single, 0, "single contacts need no guard");
}
