//! Corners that pass each other tip on tip: whatever their outlines overlap by, the contacts tell of it.

use engine2d_geometry::{
    ContactBand, PathContact, PathShape, PathWorkspace, PlacedPath, Pose, path_contacts, path_distance,
};
use engine2d_math::{Vec2, trig};
use proptest::prelude::*;

/// A wedge of two sides of length 1, of which the one leaves its tip in the direction `from` and the other `angle` further
/// counterclockwise (radians).
fn wedge(tip: Vec2, from: f64, angle: f64) -> (PathShape, Pose) {
    let end = |way: f64| tip + Vec2::new(trig::cos(way), trig::sin(way));
    let shape = PathShape::polygon(&[tip, end(from), end(from + angle)]).expect("a wedge");
    let center = shape.center_of_mass();
    (shape, Pose::new(center.x, center.y, 0.0))
}

fn contacts(a: &PlacedPath<'_>, b: &PlacedPath<'_>) -> Vec<PathContact> {
    let band = ContactBand { depth: 0.1, reach: 0.1, tilt: 1.3 };
    let mut found = Vec::new();
    path_contacts(a, b, &band, &mut PathWorkspace::default(), &mut found);
    found
}

/// The first lies with a side on that of the second, tilted a little, tip beside tip, and is pushed through by less than the tips
/// are apart: neither tip is within the other wedge.
#[test]
fn a_side_past_the_tip_of_another_keeps_its_contact() {
    let (below, at) = wedge(Vec2::zeros(), -2.3, 1.1);
    let below = PlacedPath::new(&below, at);
    // The upper side of the one below leaves its tip in this direction.
    let along = -2.3 + 1.1;
    let out = Vec2::new(-trig::sin(along), trig::cos(along));
    let depth = 1e-6;
    for tilt in [1e-7, 1e-5, 1e-3] {
        let (above, at) = wedge(out * -depth, along + tilt, 1.1);
        let above = PlacedPath::new(&above, at);
        let measured =
            path_distance(&above, &below, 0.0, &mut PathWorkspace::default()).expect("an overlap").gap;
        assert!(measured < -0.2 * depth, "{measured}");
        for (found, sign) in [(contacts(&above, &below), 1.0), (contacts(&below, &above), -1.0)] {
            let deepest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).expect("a contact");
            assert!((deepest.gap + depth).abs() < 1e-3 * depth, "{deepest:?}");
            assert!(sign * deepest.normal.dot(&out) > 0.999, "{deepest:?}");
        }
    }
}

proptest! {
    #[test]
    fn shallow_overlaps_of_tips_are_told(
        from in -3.0..3.0_f64,
        angles in [0.3..2.6_f64, 0.3..2.6_f64],
        tilt in -9.0..-4.0_f64,
        turned in any::<bool>(),
        shift in [-1.0..1.0_f64, -1.0..1.0_f64],
        size in -9.0..-3.0_f64,
    ) {
        let tilt = trig::pow(10.0, tilt) * if turned { -1.0 } else { 1.0 };
        let tip = Vec2::from(shift) * trig::pow(10.0, size);
        let (below, at) = wedge(Vec2::zeros(), from, angles[0]);
        let below = PlacedPath::new(&below, at);
        let (above, at) = wedge(tip, from + angles[0] + tilt, angles[1]);
        let above = PlacedPath::new(&above, at);
        let measured = path_distance(&above, &below, 0.0, &mut PathWorkspace::default());
        let depth = measured.map_or(0.0, |d| -d.gap);
        let told = contacts(&above, &below).iter().fold(0.0_f64, |told, c| told.max(-c.gap));
        prop_assert!(depth < 1e-11 || told >= 0.3 * depth, "{told:e} of {depth:e}");
    }
}
