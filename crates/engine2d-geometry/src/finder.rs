//! One detection pass: which pairs of bodies are examined, and in which order.

mod candidates;

use crate::body::CollisionBody;
use crate::contact::Contact;
use crate::edge_edge::edges_against_edges;
use crate::rules::{Judging, Pass, Rules};
use crate::vertex_edge::vertices_against_edges;
use candidates::Candidates;
use engine2d_math::Vec2;

/// Per-body quantities of the pair test, recomputed in each pass.
#[derive(Clone, Copy, Debug)]
struct Proximity {
    centroid: Vec2,
    radius: f64,
    special_normal: Option<Vec2>,
    speed: f64,
}

/// Scratch of [`find_contacts`], and the tree of boxes it keeps up to date from pass to pass. It changes
/// the time a pass takes, never its records.
#[derive(Clone, Debug, Default)]
pub struct FinderWorkspace {
    proximity: Vec<Proximity>,
    candidates: Candidates,
}

/// Finds contacts and collisions between all pairs of `bodies`, appending to `records`, which may already
/// hold some: similar records are reduced to one.
///
/// Bodies with old poses are followed along their motion; without, only gaps and overlapping arcs are
/// found. Pairs are examined in lexicographic order of their indices, vertices of the second against
/// edges of the first, then the reverse, then edges against edges.
pub fn find_contacts<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    pass: &Pass,
    workspace: &mut FinderWorkspace,
    records: &mut Vec<R>,
) {
    let FinderWorkspace { proximity, candidates } = workspace;
    proximity.clear();
    proximity.extend(bodies.iter().map(|b| proximity_of(b, pass.rules.judging)));
    // Bodies with a larger tolerance of their own are looked for as far as that reaches.
    let own = bodies.iter().map(|b| b.tolerances.distance).fold(0.0, f64::max);
    let tolerance = match pass.rules.judging {
        Judging::Curves => pass.tolerance,
        Judging::Outlines => pass.tolerance.max(own),
    };
    let mut examine = |i: usize, j: usize| {
        let (first, second) = (i as u32, j as u32);
        let ignored = bodies[i].ignores_body(second) || bodies[j].ignores_body(first);
        if !ignored && bodies[i].filter.meets(&bodies[j].filter) {
            test_pair_with(bodies, [first, second], pass.time, &pass.rules, records);
        }
    };
    if !pass.rules.proximity_test {
        for i in 0..bodies.len() {
            (i + 1..bodies.len()).filter(|&j| !(bodies[i].fixed && bodies[j].fixed)).for_each(|j| {
                examine(i, j);
            });
        }
        return;
    }
    candidates.visit(bodies, proximity, pass.step, tolerance, |i, j| {
        let (a, b) = (&proximity[i], &proximity[j]);
        // 2 (h_i + h_j) / 0 is infinite (or undefined): nothing exceeds it.
        let limit = 2.0 * (bodies[i].min_height + bodies[j].min_height) / pass.step;
        if a.is_near(b, tolerance) || a.speed + b.speed > limit {
            examine(i, j);
        }
    });
}

/// Finds the records of one pair, in the order of [`find_contacts`] and without its proximity test.
pub fn test_pair<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    first: u32,
    second: u32,
    time: f64,
    records: &mut Vec<R>,
) {
    test_pair_with(bodies, [first, second], time, &Rules::default(), records);
}

/// As [`test_pair`], by other rules; their pair test plays no part.
pub fn test_pair_with<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    [first, second]: [u32; 2],
    time: f64,
    rules: &Rules,
    records: &mut Vec<R>,
) {
    let (a, b) = (&bodies[first as usize], &bodies[second as usize]);
    if rules.judging == Judging::Outlines && !(comes_from_before(a, b) && comes_from_before(b, a)) {
        return;
    }
    vertices_against_edges(bodies, [second, first], time, rules, records);
    vertices_against_edges(bodies, [first, second], time, rules, records);
    if rules.edges_against_edges {
        edges_against_edges(bodies, [first, second], time, rules, records);
    }
}

/// Whether `body` was before `wall` when the step began, if that is a one-sided wall: no point of it was deeper behind
/// the active side than the distance tolerance.
fn comes_from_before(wall: &CollisionBody, body: &CollisionBody) -> bool {
    let Some(active) = wall.shape.one_sided_edge() else { return true };
    let edge = &wall.shape.edges()[active as usize];
    let Some(normal) = edge.normal(edge.proximity_center) else { return true };
    let (start, _) = edge.ends();
    let place = |p: Vec2| match (&wall.old, &body.old) {
        (Some(wall_old), Some(body_old)) => {
            wall.old_to_body(wall_old, body.old_to_world(body_old, p)) - start
        }
        _ => wall.to_body(body.to_world(p)) - start,
    };
    body.shape.lowest(normal, place) >= -wall.tolerances.distance.max(body.tolerances.distance)
}

fn proximity_of(body: &CollisionBody, judging: Judging) -> Proximity {
    let special_normal = body.shape.searched_edge(judging).and_then(|s| {
        let edge = &body.shape.edges()[s.edge as usize];
        edge.normal(edge.proximity_center).map(|n| body.pose.rotate(n))
    });
    Proximity {
        centroid: body.world_centroid(),
        radius: body.shape.search_radius(judging),
        special_normal,
        speed: body.velocity.x.abs() + body.velocity.y.abs(),
    }
}
