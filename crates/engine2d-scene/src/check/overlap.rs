//! Judging whether bodies that may collide overlap at the start.

use super::numbers::Judge;
use crate::body::Body;
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::scene::Scene;
use crate::settings::{ContactModel, Profile};
use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, path_distance};
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use engine2d_sim::tolerance::PLACED_DEPTH;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Notes bodies that overlap at the start, at the later one of each two.
pub(super) fn check_overlaps(
    scene: &Scene,
    names: &Names,
    shapes: &[Option<Arc<PathShape>>],
    judge: &mut Judge<'_>,
) {
    if !judge.is_clean("settings.distance_tolerance") {
        return;
    }
    let mut placed: Vec<Placed<'_>> = Vec::new();
    for (index, shape) in shapes.iter().enumerate() {
        if let (Some(shape), true) = (shape, judge.is_clean(format_args!("bodies[{index}]"))) {
            placed.push(Placed::new(index, &scene.bodies[index], shape));
        }
    }
    let apart = non_colliding(scene, names);
    let groups = scene.groups();
    let filters: Vec<_> = scene.bodies.iter().map(|body| body.filter(&groups)).collect();
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    let mut workspace = PathWorkspace::default();
    // Sweep along x: only boxes that overlap in x are compared.
    placed.order_by(|a, b| a.low.x.total_cmp(&b.low.x).then(a.index.cmp(&b.index)));
    for (k, a) in placed.iter().enumerate() {
        for b in placed[k + 1..].iter().take_while(|b| b.low.x <= a.high.x) {
            let (first, second) = (a.index.min(b.index), a.index.max(b.index));
            let (one, other) = (&scene.bodies[first], &scene.bodies[second]);
            let tolerance = tolerance(scene, one).max(tolerance(scene, other));
            // Which side of a platform a body is on is judged by the world.
            let passes = |body: &Body| body.sensor || body.one_way.is_some();
            let never_collide = (one.fixed && other.fixed)
                || passes(one)
                || passes(other)
                || !filters[first].meets(&filters[second])
                || apart.contains(&(first, second));
            if never_collide {
                continue;
            }
            if let Some(depth) = a.overlap(b, tolerance, &mut workspace) {
                found.push((second, first, depth));
            }
        }
    }
    found.order_by_key(|&(second, first, _)| (second, first));
    for (second, first, depth) in found {
        let other = match &scene.bodies[first].name {
            Some(name) => format!("bodies[{first}] ({name:?})"),
            None => format!("bodies[{first}]"),
        };
        judge.note(format_args!("bodies[{second}]"), MistakeKind::Overlap { other, depth });
    }
}

/// How deep a body may start in another: by the digits of its position, or where contact has a depth of its own by the
/// distance tolerance.
fn tolerance(scene: &Scene, body: &Body) -> f64 {
    let settings = &scene.settings;
    let rigid = settings.contact_model == ContactModel::Rigid || body.rigid;
    if settings.profile == Profile::Engine2d && rigid {
        return PLACED_DEPTH;
    }
    body.distance_tolerance.unwrap_or(scene.settings.distance_tolerance)
}

/// Pairs of bodies, smaller index first, that never collide or do so only with some edges.
fn non_colliding(scene: &Scene, names: &Names) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut insert = |a: usize, b: usize| {
        pairs.insert((a.min(b), a.max(b)));
    };
    for (index, body) in scene.bodies.iter().enumerate() {
        let ranges = body.no_collide_edges.iter().map(|range| &range.body);
        for other in body.no_collide.iter().chain(ranges) {
            if let Ok(Some(other)) = names.resolve(other) {
                insert(index, other);
            }
        }
    }
    for connector in &scene.connectors {
        if connector.parts_its_bodies()
            && let [body_a, body_b] = connector.bodies()[..]
            && let (Ok(Some(a)), Ok(Some(b))) = (names.resolve(body_a), names.resolve(body_b))
        {
            insert(a, b);
        }
    }
    pairs
}

/// A body where it starts.
struct Placed<'a> {
    index: usize,
    path: PlacedPath<'a>,
    low: Vec2,
    high: Vec2,
}

impl<'a> Placed<'a> {
    fn new(index: usize, body: &Body, shape: &'a PathShape) -> Self {
        let frame = body.frame(shape);
        let bounds = shape.bounds();
        let corners = [
            bounds.min,
            bounds.max,
            Vec2::new(bounds.min.x, bounds.max.y),
            Vec2::new(bounds.max.x, bounds.min.y),
        ]
        .map(|corner| frame.transform(corner));
        let low = corners.iter().fold(Vec2::repeat(f64::INFINITY), |low, c| low.inf(c));
        let high = corners.iter().fold(Vec2::repeat(f64::NEG_INFINITY), |high, c| high.sup(c));
        let path = PlacedPath { shape, center_of_mass: Vec2::zeros(), pose: frame };
        Self { index, path, low, high }
    }

    /// How deep the two overlap (length), if deeper than the tolerance.
    fn overlap(&self, other: &Self, tolerance: f64, workspace: &mut PathWorkspace) -> Option<f64> {
        // Two boxes that share less than the tolerance in one direction hold no deeper overlap.
        let shared = self.high.inf(&other.high) - self.low.sup(&other.low);
        if !(shared.x > tolerance && shared.y > tolerance) {
            return None;
        }
        let distance = path_distance(&self.path, &other.path, -tolerance, workspace)?;
        (distance.gap < -tolerance).then_some(-distance.gap)
    }
}
