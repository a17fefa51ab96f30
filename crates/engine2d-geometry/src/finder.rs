//! One detection pass: which pairs of bodies are examined, and in which order.

use crate::body::CollisionBody;
use crate::contact::Contact;
use crate::edge_edge::edges_against_edges;
use crate::vertex_edge::vertices_against_edges;
use engine2d_math::Vec2;

/// Per-body quantities of the pair test, recomputed in each pass.
#[derive(Clone, Copy, Debug)]
struct Proximity {
    centroid: Vec2,
    radius: f64,
    special_normal: Option<Vec2>,
    speed: f64,
}

/// Scratch of [`find_contacts`]; holds no state between calls.
#[derive(Clone, Debug, Default)]
pub struct FinderWorkspace {
    proximity: Vec<Proximity>,
}

/// Finds contacts and collisions between all pairs of `bodies`, appending to `records`, which may already
/// hold some: similar records are reduced to one.
///
/// * `time`: detection time of new records.
/// * `step`: the time the bodies moved since their old poses; it sets the speed above which a pair is
///   examined whatever its distance.
/// * `tolerance`: the distance tolerance of the pair test (length).
///
/// Bodies with old poses are followed along their motion; without, only gaps and overlapping arcs are
/// found. Pairs are examined in lexicographic order of their indices, vertices of the second against
/// edges of the first, then the reverse, then edges against edges.
pub fn find_contacts<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    time: f64,
    step: f64,
    tolerance: f64,
    workspace: &mut FinderWorkspace,
    records: &mut Vec<R>,
) {
    workspace.proximity.clear();
    workspace.proximity.extend(bodies.iter().map(proximity_of));
    for i in 0..bodies.len() {
        for j in i + 1..bodies.len() {
            if bodies[i].fixed && bodies[j].fixed {
                continue;
            }
            if !examined(bodies, &workspace.proximity, i, j, step, tolerance) {
                continue;
            }
            let (first, second) = (i as u32, j as u32);
            if bodies[i].ignores_body(second) || bodies[j].ignores_body(first) {
                continue;
            }
            test_pair(bodies, first, second, time, records);
        }
    }
}

/// Finds the records of one pair, in the order of [`find_contacts`] and without its proximity test.
pub fn test_pair<R: AsRef<Contact> + From<Contact>>(
    bodies: &[CollisionBody],
    first: u32,
    second: u32,
    time: f64,
    records: &mut Vec<R>,
) {
    vertices_against_edges(bodies, second, first, time, records);
    vertices_against_edges(bodies, first, second, time, records);
    edges_against_edges(bodies, first, second, time, records);
}

fn proximity_of(body: &CollisionBody) -> Proximity {
    let special_normal = body.shape.special_edge().and_then(|s| {
        let edge = &body.shape.edges()[s.edge as usize];
        edge.normal(edge.proximity_center).map(|n| body.pose.rotate(n))
    });
    Proximity {
        centroid: body.world_centroid(),
        radius: body.shape.centroid_radius(),
        special_normal,
        speed: body.velocity.x.abs() + body.velocity.y.abs(),
    }
}

/// The body proximity test: fast pairs always, others when their enclosing circles (or the half plane
/// before a wall's special edge) may overlap.
#[inline]
fn examined(
    bodies: &[CollisionBody],
    proximity: &[Proximity],
    i: usize,
    j: usize,
    step: f64,
    tolerance: f64,
) -> bool {
    let (a, b) = (&proximity[i], &proximity[j]);
    let apart = b.centroid - a.centroid;
    let reach = a.radius + b.radius + tolerance;
    let near = if let Some(n) = a.special_normal {
        apart.dot(&n) < reach
    } else if let Some(n) = b.special_normal {
        -apart.dot(&n) < reach
    } else {
        apart.norm_squared() < reach * reach
    };
    near || {
        // 2 (h_i + h_j) / 0 is infinite (or undefined): nothing exceeds it.
        let limit = 2.0 * (bodies[i].min_height + bodies[j].min_height) / step;
        a.speed + b.speed > limit
    }
}
