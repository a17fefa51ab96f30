//! Variables over time, with marks where they jump, for plots that must not join what was apart.

use engine2d_geometry::Features;
use engine2d_sim::{Event, StepReport, World};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Impulses below this do not break plots of velocity (impulse).
const SMALL_IMPULSE: f64 = 1e-4;

/// Variables of a body, in the order of the state.
const BODY_VARIABLES: [&str; 6] = ["x", "vx", "y", "vy", "angle", "spin"];

/// Variables that come before those of the bodies.
const ENERGIES: [&str; 3] = ["kinetic energy", "potential energy", "total energy"];

/// The variables at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryRow {
    /// Simulated time.
    pub time: f64,
    /// Kinetic, potential and total energy, then six values for each body.
    pub values: Vec<f64>,
    /// Whether each value has jumped since the row before: an impulse changed it.
    pub jumps: Vec<bool>,
}

/// The last rows of a run.
///
/// ```
/// use engine2d_sim::{Body, SimError, World};
/// use engine2d_watch::History;
///
/// let mut world = World::builder()
///     .gravity(9.81)
///     .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
///     .body(Body::ball(0.5).at(0.0, 1.0).named("ball"))
///     .build()?;
/// let mut history = History::new(1000);
/// for _ in 0..20 {
///     let report = world.advance(0.025)?;
///     history.record(&world, &report);
/// }
/// let height = History::variables(&world).iter().position(|name| name == "ball y").unwrap();
/// let velocity = height + 1;
/// assert!(history.rows().any(|row| row.jumps[velocity]), "it bounced");
/// assert!(history.rows().all(|row| !row.jumps[height]), "it was nowhere else at once");
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    capacity: usize,
    rows: VecDeque<HistoryRow>,
}

impl History {
    /// An empty history that keeps the last `capacity` rows (at least one).
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), rows: VecDeque::new() }
    }

    /// Names of the variables of a world in the order of the rows, the bodies' with their names before.
    #[must_use]
    pub fn variables(world: &World) -> Vec<String> {
        let bodies = world
            .bodies()
            .flat_map(|body| BODY_VARIABLES.map(|variable| format!("{} {variable}", body.name())));
        ENERGIES.iter().map(|&name| name.to_owned()).chain(bodies).collect()
    }

    /// Adds a row for the present state; `report` is that of the advance which led to it.
    pub fn record(&mut self, world: &World, report: &StepReport) {
        let mut row = if self.rows.len() >= self.capacity { self.rows.pop_front() } else { None }
            .unwrap_or_else(|| HistoryRow { time: 0.0, values: Vec::new(), jumps: Vec::new() });
        let energy = world.energy();
        row.time = world.time();
        row.values.clear();
        row.values.extend([energy.kinetic(), energy.potential, energy.total()]);
        let mut columns = Vec::new();
        for body in world.bodies() {
            columns.resize(body.index() + 1, None);
            columns[body.index()] = Some(row.values.len()).filter(|_| !body.is_fixed());
            let (p, v) = (body.position(), body.velocity());
            row.values.extend([p.x, v.x, p.y, v.y, body.angle(), body.angular_velocity()]);
        }
        row.jumps.clear();
        row.jumps.resize(row.values.len(), false);
        for event in &report.events {
            let Event::Collision { contact, impulse, .. } = event else { continue };
            if impulse.abs() < SMALL_IMPULSE {
                continue;
            }
            for index in [contact.primary, contact.normal_body].into_iter().filter_map(|b| b.index()) {
                // The three velocities of the body.
                let Some(first) = columns.get(index).copied().flatten() else { continue };
                for variable in [first + 1, first + 3, first + 5] {
                    row.jumps[variable] = true;
                }
            }
            if !matches!(contact.features, Features::Connector(_) | Features::Joint(_)) {
                row.jumps[0] = true;
                row.jumps[2] = true;
            }
        }
        self.rows.push_back(row);
    }

    /// The rows from the oldest to the newest.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &HistoryRow> {
        self.rows.iter()
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_sim::Body;

    #[test]
    fn the_oldest_rows_are_forgotten() {
        let mut world = World::builder().body(Body::ball(1.0).velocity(1.0, 0.0)).build().unwrap();
        let mut history = History::new(3);
        for _ in 0..5 {
            let report = world.advance(0.5).unwrap();
            history.record(&world, &report);
        }
        let times: Vec<f64> = history.rows().map(|row| row.time).collect();
        assert_eq!(times, [1.5, 2.0, 2.5]);
        assert_eq!(History::variables(&world).len(), history.rows().next().unwrap().values.len());
        assert!(history.rows().all(|row| !row.jumps.contains(&true)));
    }
}
