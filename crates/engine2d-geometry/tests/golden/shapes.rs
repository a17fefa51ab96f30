//! Measures of shapes: balls of all sizes, shapes with arcs, shifted centres of mass, random polygons.

use super::scene::*;
use engine2d_geometry::{Bounds, Curve, PathShape, Side, sizes};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use std::f64::consts::FRAC_PI_4;

#[test]
fn balls_of_all_sizes() {
    for (radius, vertices, chord_error, centroid_radius) in [
        (0.2, 8, 0.016066595613, 0.216066595613),
        (0.3, 8, 0.024099893420, 0.324099893420),
        (0.38, 8, 0.030526531665, 0.410526531665),
        (0.4, 9, 0.025160720930, 0.425160720930),
        (0.5, 11, 0.020825443737, 0.520825443737),
        (0.6, 13, 0.017783553457, 0.617783553457),
        (0.75, 16, 0.014599525757, 0.764599525757),
        (0.8, 17, 0.013779015403, 0.813779015403),
        (1.0, 21, 0.011253346570, 1.011253346570),
        (1.5, 32, 0.007246216713, 1.507246216713),
        (2.0, 42, 0.005602861848, 2.005602861848),
        (4.0, 84, 0.002798485857, 4.002798485857),
    ] {
        let shape = ball(radius);
        assert_eq!(shape.vertices().len(), vertices, "{radius}");
        near("ball", "chord error", shape.edges()[0].chord_error(), chord_error);
        near("ball", "centroid radius", shape.centroid_radius(), centroid_radius);
    }
    let expected = [
        [-0.5, 0.0],
        [-0.420626766, -0.270320409],
        [-0.207707507, -0.454815998],
        [0.071157419, -0.494910721],
        [0.327430367, -0.377874787],
        [0.479746487, -0.140866278],
    ];
    let shape = ball(0.5);
    for (i, p) in expected.into_iter().enumerate() {
        near_vector("ball vertex", "point", shape.vertices()[i].point(), p);
        if i > 0 {
            near_vector("ball vertex", "mirrored", shape.vertices()[11 - i].point(), [p[0], -p[1]]);
        }
    }
}

/// Vertices, edges, least height of the centre of mass, radius of the enclosing circle, proximity radii.
#[track_caller]
fn measures(id: &str, shape: &PathShape, counts: [usize; 2], height: f64, radius: f64, edges: &[f64]) {
    assert_eq!([shape.vertices().len(), shape.edges().len()], counts, "{id}");
    near(id, "height", shape.min_height(shape.center_of_mass()), height);
    // Computed circles are given to six digits.
    assert!((shape.centroid_radius() - radius).abs() < 1e-6, "{id}: {}", shape.centroid_radius());
    for (edge, expected) in shape.edges().iter().zip(edges) {
        near(id, "proximity radius", edge.proximity_circle().1, *expected);
    }
}

#[test]
fn shapes_with_arcs() {
    let shape = block_round_edge();
    measures("block-round-edge", &shape, [11, 4], 0.670060973343, 1.123553, &[1.25, 0.625, 1.0, 0.625]);
    let shape = concave_circle();
    measures("concave-circle", &shape, [15, 4], 0.322875655532, 1.682052, &[1.875, 0.9375, 1.8, 0.9375]);
    let Curve::Circular(arc) = shape.edges()[2].curve() else { panic!("the third edge is the bowl") };
    near("concave-circle", "low", arc.interval().0, -2.418858405776);
    near("concave-circle", "high", arc.interval().1, -0.722734247813);
    near("concave-circle", "depth", arc.depth(), 0.677124344468);
    assert!(arc.clockwise() && !arc.is_convex());
    let of_arc: Vec<f64> =
        shape.vertices().iter().map(|v| v.curvature_radius()).filter(|r| r.is_finite()).collect();
    assert_eq!(of_arc, [-2.0; 13]);
    let shape = PathShape::pendulum(sizes::Pendulum { half_width: 0.05, length: 3.0, radius: 0.6 }).unwrap();
    let radii = [1.53125, 0.0625, 1.53125, 0.602079728940];
    measures("pendulum", &shape, [16, 4], 0.602079728940, 1.837698, &radii);
    let Curve::Circular(arc) = shape.edges()[3].curve() else { panic!("the last edge is the disc") };
    near("pendulum", "low", arc.interval().0, 1.653937558683);
    near("pendulum", "high", arc.interval().1, 7.770840402086);
    let shape =
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 3.0, radius: 0.2 })
            .unwrap();
    let radii = [0.375, 0.141421356237, 1.625, 0.141421356237];
    measures("round-corner(1,3,0.2)", &shape, [12, 8], 0.5, 1.545772449691, &radii);
    let Curve::Circular(arc) = rounded(0.02).edges()[1].curve().to_owned() else { panic!("an arc") };
    near("round-corner(1,1,0.02)", "depth", arc.depth(), 0.005857864376);
    let shape = PathShape::round_block(1.0, 3.0).unwrap();
    measures("round block(1,3)", &shape, [14, 4], 0.5, 1.517438843112, &[0.5, 1.25, 0.5, 1.25]);
    let radii = [0.6, 0.014142135624, 0.6, 0.014142135624];
    measures("round-corner(1,1,0.02)", &rounded(0.02), [12, 8], 0.5, 0.700429169500, &radii);
}

#[test]
fn shapes_with_straight_edges() {
    measures("block(1,3)", &block(1.0, 3.0), [4, 4], 0.5, 1.581138830084, &[0.625, 1.875, 0.625, 1.875]);
    let shape = PathShape::diamond(sizes::Diamond { width: 1.0, height: 2.0, angle: -FRAC_PI_4 }).unwrap();
    measures("diamond(1,2,-pi/4)", &shape, [4, 4], 0.5, 1.118033988750, &[0.625, 1.25, 0.625, 1.25]);
    let shape = PathShape::frame(sizes::Frame { width: 2.0, height: 3.0, thickness: 0.2 }).unwrap();
    let radii = [1.75, 1.125, 1.75, 1.125, 1.375, 2.0, 1.375, 2.0];
    measures("frame(2,3,0.2)", &shape, [8, 8], 0.0, 1.941649, &radii);
    let shape = PathShape::hexagon(1.0).unwrap();
    measures("hexagon(1)", &shape, [6, 6], 0.866025403784, 1.0, &[0.625; 6]);
    near("hexagon(1)", "moment", shape.moment_factor(), 0.375);
    let shape = PathShape::wall(14.0, 1.0, Side::Top).unwrap();
    measures("wall(14,1,top)", &shape, [4, 4], 0.5, 0.5, &[0.0, 0.0, 8.75, 0.0]);
}

#[test]
fn heights_with_a_shifted_centre_of_mass() {
    near("ball", "height", ball(0.75).min_height(Vec2::new(0.0, 0.2)), 0.55);
    near("block", "height", block(1.0, 3.0).min_height(Vec2::new(0.2, 0.5)), 0.3);
}

#[test]
fn the_first_two_random_polygons() {
    let mut generator = Lcg32::new(0);
    for corners in [
        [
            [1.0, 0.0],
            [0.601858315560, 0.798602885038],
            [-0.386751342049, 0.922184037719],
            [-0.757536401006, -0.652792923638],
            [0.530862908111, -0.847457711507],
        ],
        [
            [1.0, 0.0],
            [0.443797507673, 0.896127095999],
            [-0.836424710328, 0.548081840561],
            [-0.893094704908, -0.449868700918],
            [0.408312787052, -0.912842082690],
        ],
    ] {
        let shape = PathShape::random_polygon(5, 1.0, &mut generator).unwrap();
        for (vertex, corner) in shape.vertices().iter().zip(corners) {
            near_vector("random polygon", "corner", vertex.point(), corner);
        }
    }
}

#[test]
fn points_to_take_hold_of_and_extents_in_the_world() {
    let tall = block(1.0, 3.0);
    near_vector("tall", "first", tall.drag_points()[0], [0.0, 0.9]);
    near_vector("tall", "second", tall.drag_points()[1], [0.0, -0.9]);
    near_vector("wide", "first", block(5.0, 3.0).drag_points()[0], [1.5, 0.0]);
    near_vector("square", "second", block(1.0, 1.0).drag_points()[1], [0.0, -0.3]);
    let pendulum =
        PathShape::pendulum(sizes::Pendulum { half_width: 0.05, length: 3.0, radius: 0.6 }).unwrap();
    assert_eq!(pendulum.drag_points(), [Vec2::zeros()]);
    let placed = at(tall, 2.0, 1.0, std::f64::consts::FRAC_PI_2).body;
    let extents = placed.world_extents();
    near_vector("turned", "least", extents.min, [0.5, 0.5]);
    near_vector("turned", "largest", extents.max, [3.5, 1.5]);
    near_vector("turned", "drag point", placed.world_drag_points().next().unwrap(), [1.1, 1.0]);
    // Of a ball the extents are those of its vertices.
    let extents = at(ball(0.5), 0.0, 0.0, 0.0).body.world_extents();
    near_vector("ball", "least", extents.min, [-0.5, -0.494910721]);
}

#[test]
fn four_walls_about_a_room() {
    let interior = Bounds { min: Vec2::new(-6.0, -5.0), max: Vec2::new(6.0, 5.0) };
    let walls = PathShape::room(&interior, 1.0).unwrap();
    let expected = [
        ([0.0, -5.5], [14.0, 1.0], 2),
        ([6.5, 0.0], [1.0, 12.0], 3),
        ([0.0, 5.5], [14.0, 1.0], 0),
        ([-6.5, 0.0], [1.0, 12.0], 1),
    ];
    for (wall, (position, [width, height], active)) in walls.iter().zip(expected) {
        near_vector("wall", "centre", wall.position, position);
        near("wall", "width", wall.shape.bounds().width(), width);
        near("wall", "height", wall.shape.bounds().height(), height);
        near("wall", "centroid radius", wall.shape.centroid_radius(), 0.5);
        near("wall", "least height", wall.shape.min_height(wall.shape.center_of_mass()), 0.5);
        assert_eq!(wall.shape.special_edge().unwrap().edge, active);
    }
    // The floor of the room is the level of no energy.
    near("walls", "floor", walls[0].position.y + 0.5, -5.0);
    assert!(PathShape::room(&Bounds::EMPTY, 1.0).is_err());
}
