//! SVG paths: areas by formulas, mistakes with their places.

use super::*;
use std::f64::consts::PI;

#[test]
fn pictures_keep_their_look_and_area() {
    for (d, edges, area) in [
        ("M0 0h2v1h-2z", 4, 2.0),
        ("M0,0 L0,-1 2,-1 2,0", 4, 2.0),
        ("m-1-1H1A1 1 0 011 1H-1A1 1 0 01-1-1Z", 4, 4.0 + PI),
        // A quarter removed from a square; a disc of two half circles with a square hole.
        ("M0 0H2V2H1A1 1 0 0 0 0 1Z", 5, 4.0 - PI / 4.0),
        ("M-2 0A2 2 0 0 1 2 0A2 2 0 0 1-2 0ZM-1-1V1H1V-1Z", 6, 4.0 * PI - 4.0),
        (".5.5-.5.5", 0, 0.0),
    ] {
        match PathShape::from_svg_path(d) {
            Ok(shape) => {
                assert_eq!(shape.edges().len(), edges, "{d}");
                assert!((shape.area_properties().area - area).abs() < 1e-13, "{d}");
            }
            Err(e) => assert!(edges == 0, "{d}: {e}"),
        }
    }
    // Down in the text is down in the world.
    let low = PathShape::from_svg_path("M0 3h1v1h-1z").unwrap();
    assert_eq!((low.bounds().min.y, low.bounds().max.y), (-4.0, -3.0));
}

#[test]
fn mistakes_name_their_place() {
    for (d, expected) in [
        ("L1 1", 0),
        ("M0 0 B1 1 2 2 3 3", 5),
        ("M0 0 C1 1 2 2", 13),
        ("M0 0 L1", 7),
        ("M0 0 A1 1 0 2 1 2 0", 12),
        ("M0 0 L1e999 1", 6),
        ("M0 0 H1 Z 5", 10),
    ] {
        match PathShape::from_svg_path(d) {
            Err(ShapeError::SvgPath { position, .. }) => assert_eq!(position, expected, "{d}"),
            other => panic!("{d}: {other:?}"),
        }
    }
    assert!(matches!(PathShape::from_svg_path(""), Err(ShapeError::NoArea { .. })));
    assert!(matches!(PathShape::from_svg_path("M0 0H1Z"), Err(ShapeError::NoArea { .. })));
}

fn with(d: &str, options: SvgOptions) -> PathShape {
    PathShape::from_svg_path_with(d, &options).unwrap_or_else(|e| panic!("{d}: {e}"))
}

#[test]
fn curves_are_kept_within_the_tolerance() {
    // An ellipse of two arcs; a circle of four Bézier curves, 3e-4 off at most; the area below a parabola and its mirror.
    const ROUND: &str =
        "M1 0C1 .5522847498 .5522847498 1 0 1S-1 .5522847498-1 0-.5522847498-1 0-1 1-.5522847498 1 0Z";
    for (d, area, exact) in [
        ("M-3 0A3 1 0 0 1 3 0A3 1 0 0 1-3 0Z", 3.0 * PI, 1e-3),
        ("M-3 0A3 1 0 0 1 3 0A3 1 0 0 1-3 0Z", 3.0 * PI, 1e-6),
        (ROUND, 3.142472333, 1e-6),
        ("M0 0Q2 4 4 0T8 0V-9H0Z", 8.0 * 9.0 + 16.0 / 3.0 - 16.0 / 3.0, 1e-6),
    ] {
        let shape = with(d, SvgOptions { tolerance: exact, ..SvgOptions::default() });
        let length = 2.0 * (shape.bounds().width() + shape.bounds().height());
        let found = shape.area_properties().area;
        assert!(
            (found - area).abs() < length * exact,
            "{d}: {found} instead of {area}, {} edges",
            shape.edges().len()
        );
        assert!(shape.edges().len() < 400, "{}", shape.edges().len());
    }
    // An ellipse turned by 30 degrees is as wide as it is.
    let turned =
        with("M-2 0A2 1 0 0 1 2 0A2 1 0 0 1-2 0Z", SvgOptions { tolerance: 1e-6, ..SvgOptions::default() });
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let turn =
        SvgOptions { tolerance: 1e-6, transform: [cos, sin, -sin, cos, 0.0, 0.0], ..SvgOptions::default() };
    let wide = with("M-2 0A2 1 0 0 1 2 0A2 1 0 0 1-2 0Z", turn).bounds().width();
    assert!((wide - 2.0 * (4.0 * cos * cos + sin * sin).sqrt()).abs() < 1e-5, "{wide}");
    let same = with(
        &format!(
            "M{} {}A2 1 30 0 1 {} {}A2 1 30 0 1 {} {}Z",
            -2.0 * cos,
            -1.0,
            2.0 * cos,
            1.0,
            -2.0 * cos,
            -1.0
        ),
        SvgOptions { tolerance: 1e-6, ..SvgOptions::default() },
    );
    assert!((same.bounds().width() - wide).abs() < 1e-5);
    assert!((same.area_properties().area - turned.area_properties().area).abs() < 1e-4);
}

#[test]
fn what_is_within_follows_the_fill_rule() {
    let inner_same = "M0,0 h4 v3 h-4 z m1,1 h1 v1 h-1 z";
    let inner_other = "M0,0 h4 v3 h-4 z m1,1 v1 h1 v-1 z";
    let three = "M0 0H9V9H0ZM1 1V8H8V1ZM2 2H7V7H2Z";
    let area = |d: &str, fill_rule| {
        with(d, SvgOptions { fill_rule, ..SvgOptions::default() }).area_properties().area
    };
    assert!((area(inner_same, FillRule::NonZero) - 12.0).abs() < 1e-12, "it counted twice: 13");
    assert!((area(inner_same, FillRule::EvenOdd) - 11.0).abs() < 1e-12);
    assert!((area(inner_other, FillRule::NonZero) - 11.0).abs() < 1e-12);
    assert!((area(inner_other, FillRule::EvenOdd) - 11.0).abs() < 1e-12);
    assert!((area(three, FillRule::NonZero) - (81.0 - 49.0 + 25.0)).abs() < 1e-12);
    // The hole may come first.
    assert!((area("M1 1v1h1v-1zM0 0h4v3h-4z", FillRule::NonZero) - 11.0).abs() < 1e-12);
    for crossing in ["M0 0L3 3H0L2 0Z", "M0 0H2V2H0ZM1 1H3V3H1Z"] {
        let told = PathShape::from_svg_path(crossing).map(|_| ()).map_err(|e| e.to_string());
        assert!(told.as_ref().is_err_and(|told| told.contains("cross")), "{crossing}: {told:?}");
    }
}

#[test]
fn transforms_keep_circles_round() {
    let disc = "M-2 0A2 2 0 0 1 2 0A2 2 0 0 1-2 0Z";
    let mirrored = SvgOptions { transform: [-0.5, 0.0, 0.0, 0.5, 3.0, 1.0], ..SvgOptions::default() };
    let shape = with(disc, mirrored);
    assert_eq!(shape.edges().len(), 2);
    assert!((shape.area_properties().area - PI).abs() < 1e-13);
    assert!((shape.area_properties().centroid - Vec2::new(3.0, -1.0)).norm() < 1e-13);
    let oval = with(disc, SvgOptions { transform: [1.0, 0.0, 0.0, 0.5, 0.0, 0.0], ..SvgOptions::default() });
    assert!((oval.area_properties().area - 2.0 * PI).abs() < 1e-2);
    let wrong = SvgOptions { tolerance: 0.0, ..SvgOptions::default() };
    assert!(matches!(PathShape::from_svg_path_with(disc, &wrong), Err(ShapeError::NotPositive { .. })));
}
