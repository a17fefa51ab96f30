//! The broad phase against all pairs, over random histories.

use engine2d_geometry::{Bounds, BroadPhase, BroadPhaseError, CollisionFilter};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use proptest::prelude::*;

/// What the test knows of a proxy.
#[derive(Clone, Copy)]
struct Known {
    exact: Bounds,
    filter: CollisionFilter,
}

#[derive(Clone, Debug)]
enum Change {
    Insert { x: f64, y: f64, size: f64, group: u32 },
    Remove(usize),
    Move { which: usize, dx: f64, dy: f64 },
    Unbound(usize),
    Ignore(usize, usize),
    Allow(usize, usize),
    Update,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (-5.0..5.0, -5.0..5.0, 0.01..2.0, 0_u32..3)
            .prop_map(|(x, y, size, group)| Change::Insert { x, y, size, group }),
        1 => (0_usize..40).prop_map(Change::Remove),
        8 => (0_usize..40, -1.0..1.0, -1.0..1.0).prop_map(|(which, dx, dy)| Change::Move { which, dx, dy }),
        1 => (0_usize..40).prop_map(Change::Unbound),
        1 => (0_usize..40, 0_usize..40).prop_map(|(a, b)| Change::Ignore(a, b)),
        1 => (0_usize..40, 0_usize..40).prop_map(|(a, b)| Change::Allow(a, b)),
        4 => Just(Change::Update),
    ]
}

/// Compares the pairs with those of all stored boxes; all pairs of exact boxes must be among them.
fn check(phase: &mut BroadPhase, known: &[Option<Known>], ignored: &[(u32, u32)]) {
    let pairs = phase.update().to_vec();
    assert!(pairs.is_sorted() && pairs.iter().all(|(i, j)| i < j));
    let mut expected = Vec::new();
    for i in 0..known.len() {
        for j in i + 1..known.len() {
            let (Some(a), Some(b)) = (&known[i], &known[j]) else { continue };
            let pair = (i as u32, j as u32);
            if !a.filter.meets(&b.filter) || ignored.contains(&pair) {
                continue;
            }
            let stored = |n: u32| *phase.stored_bounds(n).expect("the proxy is in use");
            if stored(pair.0).overlaps(&stored(pair.1)) {
                expected.push(pair);
            }
            assert!(!a.exact.overlaps(&b.exact) || pairs.contains(&pair), "{pair:?} is missing");
        }
    }
    assert_eq!(pairs, expected);
}

proptest! {
    #[test]
    fn pairs_are_those_of_all_boxes_after_any_history(changes in prop::collection::vec(change(), 1..150)) {
        let mut phase = BroadPhase::new();
        let mut known: Vec<Option<Known>> = Vec::new();
        let mut ignored: Vec<(u32, u32)> = Vec::new();
        for change in changes {
            let used: Vec<usize> = (0..known.len()).filter(|&i| known[i].is_some()).collect();
            let pick = |i: usize| (!used.is_empty()).then(|| used[i % used.len()]);
            match change {
                Change::Insert { x, y, size, group } => {
                    let exact = Bounds::of_circle(Vec2::new(x, y), size);
                    let filter = CollisionFilter { categories: 1 << group, mask: 0b101 | 1 << group };
                    let proxy = phase.insert(exact, filter).unwrap() as usize;
                    known.resize(known.len().max(proxy + 1), None);
                    known[proxy] = Some(Known { exact, filter });
                }
                Change::Remove(i) => if let Some(i) = pick(i) {
                    phase.remove(i as u32).unwrap();
                    known[i] = None;
                    ignored.retain(|&(a, b)| a as usize != i && b as usize != i);
                },
                Change::Move { which, dx, dy } => if let Some(i) = pick(which) {
                    let k = known[i].as_mut().unwrap();
                    let by = Vec2::new(dx, dy);
                    k.exact = Bounds { min: k.exact.min + by, max: k.exact.max + by };
                    phase.set_bounds(i as u32, k.exact).unwrap();
                },
                Change::Unbound(i) => if let Some(i) = pick(i) {
                    let k = known[i].as_mut().unwrap();
                    k.exact.min.y = f64::NEG_INFINITY;
                    phase.set_bounds(i as u32, k.exact).unwrap();
                },
                Change::Ignore(i, j) => if let (Some(i), Some(j)) = (pick(i), pick(j)) {
                    let (i, j) = (i.min(j) as u32, i.max(j) as u32);
                    phase.ignore_pair(j, i);
                    ignored.push((i, j));
                },
                Change::Allow(i, j) => if let (Some(i), Some(j)) = (pick(i), pick(j)) {
                    let pair = (i.min(j) as u32, i.max(j) as u32);
                    phase.allow_pair(pair.0, pair.1);
                    ignored.retain(|p| *p != pair);
                },
                Change::Update => check(&mut phase, &known, &ignored),
            }
        }
        check(&mut phase, &known, &ignored);
    }
}

/// `n` discs on a square where each has about one neighbour, drifting.
struct Drift {
    boxes: Vec<(Vec2, Vec2)>,
}

impl Drift {
    fn new(n: usize) -> Self {
        let mut generator = Lcg32::new(3);
        let side = (n as f64).sqrt();
        let mut next = || generator.next_unit() - 0.5;
        let boxes =
            (0..n).map(|_| (Vec2::new(next(), next()) * side, Vec2::new(next(), next()) * 0.1)).collect();
        Self { boxes }
    }

    fn step(&mut self, phase: &mut BroadPhase) {
        for (i, (position, velocity)) in self.boxes.iter_mut().enumerate() {
            *position += *velocity;
            phase.set_bounds(i as u32, Bounds::of_circle(*position, 0.5)).expect("a box of a proxy");
        }
    }
}

#[test]
fn moving_boxes_allocate_nothing_after_the_first_steps() {
    let mut drift = Drift::new(500);
    let mut phase = BroadPhase::new();
    for (position, _) in &drift.boxes {
        phase.insert(Bounds::of_circle(*position, 0.5), CollisionFilter::default()).unwrap();
    }
    let mut pairs = 0;
    for _ in 0..20 {
        drift.step(&mut phase);
        pairs = pairs.max(phase.update().len());
    }
    let mut seen = 0;
    let counted = allocation_counter::measure(|| {
        for _ in 0..20 {
            drift.step(&mut phase);
            seen += phase.update().len();
            phase.in_region(&Bounds::of_circle(Vec2::zeros(), 2.0), |_| seen += 1);
            phase.along_ray(Vec2::zeros(), Vec2::new(0.6, 0.8), 10.0, |_, limit| limit);
        }
    });
    assert_eq!(counted.count_total, 0);
    assert!(pairs > 100 && seen > 2000);
}

#[test]
fn rays_see_every_box_on_their_way_up_to_the_limit() {
    let drift = Drift::new(300);
    let mut phase = BroadPhase::new();
    for (position, _) in &drift.boxes {
        phase.insert(Bounds::of_circle(*position, 0.5), CollisionFilter::default()).unwrap();
    }
    phase.update();
    for k in 0..100 {
        let angle = f64::from(k) * 0.0628;
        let direction = Vec2::new(angle.cos(), angle.sin());
        let mut seen = Vec::new();
        phase.along_ray(Vec2::new(0.3, 0.1), direction, 5.0, |p, limit| {
            seen.push(p);
            limit
        });
        for (i, _) in drift.boxes.iter().enumerate() {
            let bounds = phase.stored_bounds(i as u32).unwrap();
            // Points along the ray, a second algorithm.
            let inside = |p: Vec2| bounds.contains_point(p);
            let met = (0..=5000).any(|s| inside(Vec2::new(0.3, 0.1) + direction * (f64::from(s) * 1e-3)));
            assert!(!met || seen.contains(&(i as u32)));
        }
    }
}

#[test]
fn wrong_boxes_and_numbers_are_errors() {
    let mut phase = BroadPhase::new();
    let filter = CollisionFilter::default();
    let bad = Bounds { min: Vec2::new(f64::NAN, 0.0), max: Vec2::new(1.0, 1.0) };
    assert_eq!(phase.insert(bad, filter), Err(BroadPhaseError::NotABox { proxy: 0 }));
    assert!(phase.is_empty());
    assert_eq!(phase.remove(0), Err(BroadPhaseError::Unknown { proxy: 0 }));
    let proxy = phase.insert(Bounds::of_circle(Vec2::zeros(), 1.0), filter).unwrap();
    assert_eq!(phase.set_bounds(proxy, Bounds::EMPTY), Err(BroadPhaseError::NotABox { proxy }));
    phase.remove(proxy).unwrap();
    assert_eq!(phase.set_bounds(proxy, bad), Err(BroadPhaseError::Unknown { proxy }));
    assert_eq!(phase.stored_bounds(proxy), None);
}
