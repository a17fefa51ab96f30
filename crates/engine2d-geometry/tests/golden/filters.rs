//! The proximity filters that decide records: of edges behind a fast ball, and of the passive edges of a wall.

use super::scene::*;
use engine2d_geometry::{CollisionBody, Contact, FinderWorkspace, Pass, Pose, Rules, find_contacts};
use engine2d_geometry::{PathShape, Side};

#[test]
fn an_arc_far_behind_an_edge_is_not_tested_against_it() {
    let falling = |y: f64| at(ball(0.5), 0.3, y, 0.0).velocity(0.0, -200.0, 0.0).old(0.3, 0.53, 0.0);
    let depths = [0.270320408728, 0.454815997677, 0.49491072094, 0.377874787177];
    let vertices = |depth: f64| (1..=4).zip(depths).map(move |(v, d)| (ve(0, v, 2), -depth - d));
    let found = records(falling(-2.0), floor(4.0), 1.0);
    let expected: Vec<_> = vertices(2.0).chain([(ee(0, 0, 2), -2.5)]).collect();
    check("ball at -2", &found, &expected);
    let found = records(falling(-5.0), floor(4.0), 1.0);
    check("ball at -5", &found, &vertices(5.0).collect::<Vec<_>>());
}

#[test]
fn a_vertex_meets_a_passive_edge_of_a_wall_at_its_middle_or_when_it_comes_far() {
    let wall = || at(PathShape::wall(12.02, 0.01, Side::Top).unwrap(), 0.0, -0.005, 0.0);
    let below = |x: f64| at(block(1.0, 1.0), x, -0.515, 0.0);
    let expected = [(ve(1, 3, 0), 0.005)];
    let found = records(wall(), below(0.5), 0.0);
    check("middle", &found, &expected);
    near_vector("middle", "normal", found[0].normal, [0.0, -1.0]);
    check("beside", &records(wall(), below(0.7), 0.0), &[]);
    check("from afar", &records(wall(), below(0.7).old(0.7, -1.2, 0.0), 0.0), &expected);
}

#[test]
fn the_rules_of_a_pass_are_settings() {
    let bodies = |angle: f64| {
        let ball = at(ball(0.5), 0.3, 0.504, angle).velocity(0.0, -0.1, 0.0);
        [ball.body, floor(10.0).body]
    };
    let found = |bodies: &[CollisionBody], rules: Rules| {
        let mut records: Vec<Contact> = Vec::new();
        let pass = Pass { time: 0.0, step: 0.025, tolerance: 0.01, rules };
        find_contacts(bodies, &pass, &mut FinderWorkspace::default(), &mut records);
        records
    };
    let usual = Rules::REFERENCE;
    let vertices_only = Rules { edges_against_edges: false, ..usual };
    let auxiliary_only = Rules { auxiliary_contacts: true, ..vertices_only };
    // A twelfth of a turn brings no vertex of the ball near the floor; two elevenths from below, the second one.
    check("usual", &found(&bodies(0.0), usual), &[(ee(0, 0, 2), 0.004)]);
    check("vertices only", &found(&bodies(0.0), vertices_only), &[]);
    let lowest = std::f64::consts::FRAC_PI_2 - 2.0 * std::f64::consts::TAU / 11.0;
    check("vertices only", &found(&bodies(lowest), vertices_only), &[]);
    check("auxiliary", &found(&bodies(lowest), auxiliary_only), &[(ve(0, 2, 2), 0.004)]);
    // The pair test keeps bodies apart that have separated since they met.
    let mut apart = bodies(0.0);
    apart[0].pose = Pose::new(0.3, -3.0, 0.0);
    apart.iter_mut().for_each(CollisionBody::save_old_pose);
    apart[0].pose = Pose::new(0.3, 9.0, 0.0);
    assert_eq!(found(&apart, usual).len(), 0);
    assert!(!found(&apart, Rules { proximity_test: false, ..usual }).is_empty());
}
