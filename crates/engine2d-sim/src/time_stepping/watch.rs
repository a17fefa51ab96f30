//! What is watched in fixed steps: functions that are on the other side of zero when a step ends, and when between its ends
//! they crossed.
//!
//! Between the ends of a step a body is on the parabola of its velocities, as it flies, or where it was struck on the straight way.
//! Sensors are looked for within the step too: a gap changes by no more than the bodies move, so that an interval whose ends are
//! farther from zero than that has none. Of other functions nothing is known but the ends.

use crate::adaptive::Crossing;
use crate::force::BodySet;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::reach_of;
use crate::state::{PER_BODY, State, place};
use crate::tolerance::PLACED_DEPTH;
use crate::watched::{WatchedFunction, WatchedKind};
use engine2d_math::order::Order;

/// Deviation of a way from the mean of the velocities, in what these change in the step, up to which a body moved freely: a
/// quarter is that of two substeps.
const FREE: f64 = 0.25;

/// Most looks for a place within a step where a body may have come into a sensor and left it.
const LOOKS: usize = 64;

/// Rounds of the search for the time of a crossing: each halves the interval at least every other time.
const ROUNDS: u32 = 60;

/// Share of a step to which that is found.
const EXACT: f64 = 1e-12;

/// What is known of the functions watched within a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// State at the beginning of the step, and at its end.
    start: Vec<f64>,
    end: Vec<f64>,
    /// Values at the beginning, those of sensors no farther from zero than they are; empty where nothing is known.
    values: Vec<f64>,
    /// How fast any point of each body goes at most (length/time).
    speeds: Vec<f64>,
    hits: Vec<Crossing>,
    crossed: Vec<usize>,
}

/// Value up to which a sensor's function is on no side of zero, in a world that is stepped by itself: who lies on one neither comes nor
/// goes. Between located events, which have no such room, there is none.
pub(super) const ROOM: f64 = PLACED_DEPTH;

/// Value up to which a function is on no side of zero.
fn slack_of(watched: &WatchedFunction, room: f64) -> f64 {
    if matches!(watched.kind, WatchedKind::Sensor { .. }) { room } else { 0.0 }
}

/// On which side of zero a value is.
fn side(value: f64, slack: f64) -> i8 {
    i8::from(value > slack) - i8::from(value < -slack)
}

impl Watch {
    /// Takes up where a step begins; sensors have so much `room`.
    pub(super) fn begin(&mut self, (model, state): (&Model, &State), room: f64, sides: &mut Vec<i8>) {
        self.crossed.clear();
        if model.watched.is_empty() {
            sides.clear();
            return;
        }
        state.read(&mut self.start);
        if sides.len() == model.watched.len() && self.values.len() == sides.len() {
            return;
        }
        let set = BodySet { context: model.at(state) };
        self.values.clear();
        self.values.extend(model.watched.iter().map(|watched| value(watched, &set)));
        if sides.len() != model.watched.len() {
            sides.clear();
            sides.extend(model.watched.iter().zip(&self.values).map(|(watched, &value)| {
                let slack = slack_of(watched, room);
                let side = side(value, slack);
                // Who touches a sensor is not in it.
                if side == 0 && slack > 0.0 { 1 } else { side }
            }));
        }
    }

    /// Finds what crossed zero in the step that ends here.
    pub(super) fn look(&mut self, (model, state): (&Model, &mut State), room: f64, sides: &mut [i8]) {
        self.hits.clear();
        if model.watched.is_empty() {
            return;
        }
        state.read(&mut self.end);
        self.measure_speeds(state);
        let h = self.end[0] - self.start[0];
        for (index, (watched, own)) in model.watched.iter().zip(sides).enumerate() {
            if let WatchedKind::OneWay { .. } = watched.kind {
                continue;
            }
            let way = match watched.kind {
                WatchedKind::Sensor { sensor, body } => {
                    h * [sensor, body].iter().map(|id| self.speeds[id.index()]).sum::<f64>()
                }
                _ => f64::INFINITY,
            };
            let slack = slack_of(watched, room);
            let before = self.values[index];
            if before.abs() > way + slack {
                self.values[index] = before - before.signum() * way;
                continue;
            }
            let mut probe = Probe { model, state: &mut *state, watched, start: &self.start, end: &self.end };
            let now = probe.at(1.0);
            self.values[index] = now;
            let next = side(now, slack);
            if next != 0 && next == -*own {
                let time = probe.crossing([0.0, 1.0], *own);
                self.hits.push(Crossing { index, time, rising: next > 0 });
            } else if way.is_finite()
                && *own != 0
                && let Some(inner) = probe.beyond(now, way, (*own, slack))
            {
                for (span, from) in [([0.0, inner], *own), ([inner, 1.0], -*own)] {
                    let time = probe.crossing(span, from);
                    self.hits.push(Crossing { index, time, rising: from < 0 });
                }
            }
            if next != 0 {
                *own = next;
            }
        }
        self.hits.order_by(|a, b| a.time.total_cmp(&b.time).then(a.index.cmp(&b.index)));
    }

    /// Tells of what was found, all of it.
    pub(super) fn end(&mut self, model: &Model, report: &mut StepReport) {
        for &hit in &self.hits {
            let watched = &model.watched[hit.index];
            report.events.extend(watched.event(hit));
            if watched.kind == WatchedKind::User {
                self.crossed.push(hit.index);
            }
        }
    }

    /// The first function of the user's that was found.
    pub(super) fn first_of_user(&self, model: &Model) -> Option<Crossing> {
        self.hits.iter().find(|hit| model.watched[hit.index].kind == WatchedKind::User).copied()
    }

    /// Tells of what was found but functions of the user's.
    pub(super) fn tell_others(&self, model: &Model, report: &mut StepReport) {
        let others = self.hits.iter().map(|&hit| (&model.watched[hit.index], hit));
        let others = others.filter(|(watched, _)| watched.kind != WatchedKind::User);
        report.events.extend(others.filter_map(|(watched, hit)| watched.event(hit)));
    }

    /// The functions of the user's that crossed zero in the last step, in the order of time.
    pub(super) fn crossed(&self) -> &[usize] {
        &self.crossed
    }

    /// Forgets the values: the bodies are where others have put them.
    pub(super) fn forget(&mut self) {
        self.values.clear();
    }

    fn measure_speeds(&mut self, state: &State) {
        let h = self.end[0] - self.start[0];
        let ends = self.start[1..].chunks_exact(PER_BODY).zip(self.end[1..].chunks_exact(PER_BODY));
        self.speeds.clear();
        self.speeds.extend(ends.zip(&state.bodies).map(|((a, b), body)| {
            let linear = a[1].hypot(a[3]).max(b[1].hypot(b[3])).max((b[0] - a[0]).hypot(b[2] - a[2]) / h);
            let angular = a[5].abs().max(b[5].abs()).max((b[4] - a[4]).abs() / h);
            // Of a body without bounds no part is nearer than others.
            let reach = if body.shape.is_unbounded() { f64::INFINITY } else { reach_of(body) };
            let turning = if angular == 0.0 { 0.0 } else { angular * reach };
            if body.fixed { 0.0 } else { linear + turning }
        }));
    }
}

fn value(watched: &WatchedFunction, set: &BodySet<'_>) -> f64 {
    (watched.function)(set)
}

/// A function watched, asked for within a step.
struct Probe<'a> {
    model: &'a Model,
    /// At the end of the step whenever nothing is asked.
    state: &'a mut State,
    watched: &'a WatchedFunction,
    start: &'a [f64],
    end: &'a [f64],
}

impl Probe<'_> {
    /// The value at a share of the step.
    fn at(&mut self, share: f64) -> f64 {
        if share < 1.0 {
            self.put(share);
        }
        let found = value(self.watched, &BodySet { context: self.model.at(self.state) });
        if share < 1.0 {
            self.put(1.0);
        }
        found
    }

    /// Puts the bodies that the function sees where they are at a share of the step.
    fn put(&mut self, share: f64) {
        let time = self.time(share);
        let Self { state, start, end, .. } = self;
        let (h, bodies) = (end[0] - start[0], state.bodies.len());
        let mut put = |k: usize| {
            let from = 1 + PER_BODY * k;
            let ends = [&start[from..from + PER_BODY], &end[from..from + PER_BODY]];
            if !state.bodies[k].fixed {
                place(&mut state.bodies[k], &between(ends, h, share));
            }
        };
        match self.watched.kind {
            WatchedKind::Sensor { sensor, body } => [sensor, body].iter().for_each(|id| put(id.index())),
            // Behind the bodies there may be entries of the ledger.
            _ => (0..bodies).for_each(put),
        }
        state.time = time;
    }

    fn time(&self, share: f64) -> f64 {
        let [start, end] = [self.start[0], self.end[0]];
        if share < 1.0 { start + share * (end - start) } else { end }
    }

    /// The time at which a function that begins on the side `from` is on it no longer: regula falsi \[Illinois\].
    fn crossing(&mut self, [mut a, mut b]: [f64; 2], from: i8) -> f64 {
        let sign = f64::from(from);
        let (mut at_a, mut at_b) = (sign * self.at(a), sign * self.at(b));
        // Of a sensor it may have begun a little on the other side.
        if !(at_a > 0.0) {
            return self.time(a);
        }
        for round in 0..ROUNDS {
            if b - a <= EXACT || !(at_b < 0.0) {
                break;
            }
            let middle = if round % 3 == 2 { 0.5 * (a + b) } else { a + (b - a) * at_a / (at_a - at_b) };
            let found = sign * self.at(middle);
            if found > 0.0 {
                (a, at_a, at_b) = (middle, found, 0.5 * at_b);
            } else {
                (b, at_b, at_a) = (middle, found, 0.5 * at_a);
            }
        }
        self.time(b)
    }

    /// A share of the step at which the function is beyond the `slack` of zero, seen from the side where it begins and ends, where it is
    /// `now`; it changes by no more than `way` in the whole step. The lowest that it can be so is looked at first, and its two sides
    /// are after that \[Piyavskii 1972; Shubert 1972\]: who flies straight through is found at once, however thin the sensor is.
    fn beyond(&mut self, now: f64, way: f64, (from, slack): (i8, f64)) -> Option<f64> {
        let sign = f64::from(from);
        let mut valleys = [Valley::default(); LOOKS + 1];
        valleys[0] = Valley { ends: [0.0, 1.0], values: [sign * self.at(0.0), sign * now] };
        for count in 1..=LOOKS {
            let deepest =
                (1..count).fold(
                    0,
                    |best: usize, k| {
                        if valleys[k].floor(way) < valleys[best].floor(way) { k } else { best }
                    },
                );
            let Valley { ends: [a, b], values: [at_a, at_b] } = valleys[deepest];
            if !(valleys[deepest].floor(way) < -slack) {
                return None;
            }
            let bottom = valleys[deepest].bottom(way);
            let found = sign * self.at(bottom);
            if found < -slack {
                return Some(bottom);
            }
            valleys[deepest] = Valley { ends: [a, bottom], values: [at_a, found] };
            valleys[count] = Valley { ends: [bottom, b], values: [found, at_b] };
        }
        None
    }
}

/// An interval of shares of a step with the values of a function at its ends.
#[derive(Clone, Copy, Default)]
struct Valley {
    ends: [f64; 2],
    values: [f64; 2],
}

impl Valley {
    /// The least that the function can be in it if it changes by no more than `way` from 0 to 1.
    fn floor(&self, way: f64) -> f64 {
        let Self { ends: [a, b], values: [at_a, at_b] } = self;
        0.5 * (at_a + at_b - way * (b - a))
    }

    /// Where it would be so low.
    fn bottom(&self, way: f64) -> f64 {
        let Self { ends: [a, b], values: [at_a, at_b] } = self;
        let middle = 0.5 * (a + b);
        let bottom = middle + 0.5 * (at_a - at_b) / way;
        if *a < bottom && bottom < *b { bottom } else { middle }
    }
}

/// The six variables of a body at a share of a step of length `h`.
fn between([start, end]: [&[f64]; 2], h: f64, share: f64) -> [f64; PER_BODY] {
    let (t, rest) = (share, 1.0 - share);
    let mut v = [0.0; PER_BODY];
    for k in [0, 2, 4] {
        let (q, u) = ([start[k], end[k]], [start[k + 1], end[k + 1]]);
        let way = q[1] - q[0];
        let free = (way - 0.5 * h * (u[0] + u[1])).abs() <= FREE * h * (u[1] - u[0]).abs();
        v[k] = if free {
            // Cubic of Hermite: the parabola where the way is that of the mean velocity.
            let [a, b] = [h * u[0] - way, way - h * u[1]];
            rest * q[0] + t * q[1] + t * rest * (a * rest + b * t)
        } else {
            rest * q[0] + t * q[1]
        };
        v[k + 1] = rest * u[0] + t * u[1];
    }
    v
}
