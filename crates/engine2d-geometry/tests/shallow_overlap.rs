//! Overlaps as shallow as rounding, of sides that are flush but for the last digits: the search for the deepest point
//! ends.

use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, Pose, path_distance, sizes};

#[test]
fn flush_sides_with_smooth_ends_have_a_depth() {
    let floor = PathShape::block(14.1, 2.3).unwrap();
    let block =
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 0.8, height: 0.5, radius: 0.13 })
            .unwrap();
    let mut workspace = PathWorkspace::default();
    let placed = PlacedPath::new(&floor, Pose::new(0.0, -1.15, 0.0));
    for k in 0..4000 {
        let x = -6.3 + 0.003_1 * f64::from(k);
        let tilt = 1e-13 * 1.003_f64.powi(k);
        for depth in [0.0, 1e-16, 1e-13] {
            let y = 0.25 - depth + 0.27 * tilt;
            let block = PlacedPath::new(&block, Pose::new(x, y, tilt));
            let gap = path_distance(&block, &placed, 1.0, &mut workspace).unwrap().gap;
            assert!(gap.abs() < 1e-7, "{gap}");
        }
    }
}
