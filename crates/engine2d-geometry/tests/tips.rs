//! Tips and corners that touch sides and each other to rounding: no depth comes from edges that merely meet in a point.

use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, Pose, path_distance};
use engine2d_math::Vec2;

/// A wedge stands on its tip in the middle of a floor, deeper by rounding: its side leans but shares no normal with the
/// floor's.
#[test]
fn a_tip_in_the_middle_of_a_side_is_not_deep() {
    let floor = PathShape::block(10.0, 1.0).unwrap();
    let wedge = PathShape::polygon(&[[-1.0, 0.0], [0.0, 0.0], [-0.2, 0.8]].map(Vec2::from)).unwrap();
    let mut workspace = PathWorkspace::default();
    let below = PlacedPath::new(&floor, Pose::new(0.0, -0.5, 0.0));
    let tip = -wedge.center_of_mass();
    for across in [-1e-13, -1e-16, 0.0, 1e-16, 1e-13] {
        for depth in [-1e-15, 0.0, 1e-16, 1e-15, 1e-14] {
            let pose = Pose::new(across - tip.x, -tip.y - depth, 0.0);
            let wedge = PlacedPath::new(&wedge, pose);
            for [first, second] in [[&wedge, &below], [&below, &wedge]] {
                let found = path_distance(first, second, 1.0, &mut workspace).unwrap();
                assert!(found.gap.abs() < 1e-12, "{} across {across:e}, {depth:e} deep", found.gap);
            }
        }
    }
}
