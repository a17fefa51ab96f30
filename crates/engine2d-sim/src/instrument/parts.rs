//! What of two bodies can collide at all: paths of which all edges are ignored are not there.

use engine2d_geometry::{CollisionBody, PathBuilder, PathDistance, PathShape, PathWorkspace, path_distance};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shapes of a pair without the paths that the other body ignores.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// `None` if nothing of one of them collides.
    shapes: Option<[Arc<PathShape>; 2]>,
}

impl Parts {
    /// `None` where the shapes are whole, as nearly everywhere.
    pub(super) fn new(bodies: &[CollisionBody], [a, b]: [u32; 2]) -> Option<Self> {
        let ignores =
            |one: u32, other: u32| bodies[one as usize].ignored_edges.iter().any(|e| e.body == other);
        if !ignores(a, b) && !ignores(b, a) {
            return None;
        }
        let left = |own: u32, other: u32| {
            let (shape, other) = (&bodies[own as usize].shape, &bodies[other as usize]);
            let collides = |edge: usize| !other.ignores_edge(own, edge as u32);
            let in_path = |path: usize, edge: usize| shape.edges()[edge].path() == path;
            let is_kept =
                |path: usize| (0..shape.edges().len()).any(|edge| in_path(path, edge) && collides(edge));
            if (0..shape.path_count()).all(is_kept) {
                return Some(shape.clone());
            }
            PathBuilder::of_paths(shape, is_kept).finish().ok().map(Arc::new)
        };
        Some(Self { shapes: left(a, b).zip(left(b, a)).map(|(a, b)| [a, b]) })
    }

    /// Those of all pairs of which not all edges collide.
    pub(super) fn of_all(bodies: &[CollisionBody]) -> BTreeMap<[u32; 2], Self> {
        let mut all = BTreeMap::new();
        for (own, body) in (0..).zip(bodies) {
            for edges in body.ignored_edges.iter().filter(|edges| (edges.body as usize) < bodies.len()) {
                let pair = [own.min(edges.body), own.max(edges.body)];
                all.extend(Self::new(bodies, pair).map(|parts| (pair, parts)));
            }
        }
        all
    }

    /// Signed distance of the parts, as [`path_distance`] has it.
    pub(super) fn distance(
        parts: Option<&Self>,
        [a, b]: [&CollisionBody; 2],
        reach: f64,
        workspace: &mut PathWorkspace,
    ) -> Option<PathDistance> {
        let (mut first, mut second) = (a.placed(), b.placed());
        if let Some(parts) = parts {
            let [own, other] = parts.shapes.as_ref()?;
            (first.shape, second.shape) = (own, other);
        }
        path_distance(&first, &second, reach, workspace)
    }
}

#[cfg(test)]
mod tests {
    use super::super::overlaps::Overlaps;
    use engine2d_geometry::{CollisionBody, IgnoredEdges, PathBuilder, PathShape, PathWorkspace};
    use engine2d_math::Pose;
    use std::sync::Arc;

    /// Two squares of one body, at x = 0 and x = 5, the second of which a block ignores.
    #[test]
    fn a_path_that_is_ignored_is_not_there() {
        let mut squares = PathBuilder::new();
        for x in [0.0, 5.0] {
            squares.start([x, 0.0]).unwrap();
            for (to, outside_is_up) in [([1.0, 0.0], false), ([1.0, 1.0], false), ([0.0, 1.0], true)] {
                squares.line_to([x + to[0], to[1]], outside_is_up).unwrap();
            }
            squares.line_to([x, 0.0], false).unwrap();
            squares.close().unwrap();
        }
        let squares = CollisionBody::new(Arc::new(squares.finish().unwrap()));
        let mut block = CollisionBody::new(Arc::new(PathShape::block(0.5, 0.5).unwrap()));
        let second = IgnoredEdges::of_path(0, &squares.shape, 6).unwrap();
        let origin = squares.to_world([0.0, 0.0]);
        let mut overlaps = Overlaps::default();
        let mut depth_at = |x: f64, ignored: &[IgnoredEdges]| {
            block.ignored_edges = ignored.to_vec();
            block.pose = Pose::new(origin.x + x, origin.y + 1.15, 0.0);
            overlaps.deepest(&[squares.clone(), block.clone()], &mut PathWorkspace::default()).depth
        };
        for ignored in [vec![], vec![second]] {
            let depth = depth_at(0.5, &ignored);
            assert!((depth - 0.1).abs() < 1e-12, "{depth}");
        }
        assert!((depth_at(5.5, &[]) - 0.1).abs() < 1e-12);
        assert_eq!(depth_at(5.5, &[second]), 0.0);
        // An edge of a path that is not ignored as a whole is there.
        let depth = depth_at(5.5, &[IgnoredEdges { last: second.last - 1, ..second }]);
        assert!((depth - 0.1).abs() < 1e-12, "{depth}");
        let all = IgnoredEdges { first: 0, ..second };
        assert_eq!(depth_at(0.5, &[all]), 0.0);
    }
}
