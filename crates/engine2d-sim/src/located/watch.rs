//! What is watched in a step: the functions whose zeros are events.

use super::Pending;
use super::graze::Graze;
use crate::adaptive::{Crossing, CrossingLocator, Direction, DormandPrince, Interval, Watched};
use crate::error::SimError;
use crate::force::BodySet;
use crate::road::{look, margin, reach_of};
use crate::settings::{ContactModel, Fidelity};
use crate::stages::Stage;
use crate::system::{PER_BODY, System, place};
use std::cell::RefCell;

/// Fraction of the thinner body of a pair that the two may go between two looks at their gap.
const TRAVEL: f64 = 0.125;

/// Fewest and most looks within a step.
const LOOKS: (u32, u32) = (4, 64);

/// Places within a step at which displacements are measured.
const PROBES: u32 = 4;

/// How much farther than seen at those places a body may have gone.
const ROOM: f64 = 1.5;

/// The functions of a step, in their order: two of compliant contact, those of open rows, margins of held contacts,
/// those of the user, gaps of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Added to the error of each open row: those that start in touch have met when they are deeper.
    offsets: Vec<f64>,
    /// Whether each open row is a motor, whose rate is watched.
    motors: Vec<bool>,
    compliant: usize,
    margins: usize,
    users: usize,
    pairs: usize,
    ways: Vec<f64>,
    farthest: Vec<f64>,
    state: Vec<f64>,
    start: Vec<f64>,
}

impl Watch {
    /// Longest step in which the looks there are suffice at the present speeds.
    pub(super) fn longest_step(&self, system: &System) -> f64 {
        if !collides(system) {
            return f64::INFINITY;
        }
        let movable = system.bodies.iter().filter(|b| !b.fixed);
        let fastest =
            movable.map(|b| b.velocity.norm() + b.angular_velocity.abs() * reach_of(b)).fold(0.0, f64::max);
        let thinnest = system.bodies.iter().map(thickness).fold(f64::INFINITY, f64::min);
        f64::from(LOOKS.1) * TRAVEL * thinnest / (2.0 * fastest)
    }

    /// Sets up the functions of the step just taken; returns how often to look, `None` if a shorter step is needed.
    pub(super) fn prepare(
        &mut self,
        system: &mut System,
        integrator: &DormandPrince,
    ) -> Result<Option<u32>, SimError> {
        integrator.interpolate(integrator.last_time(), &mut self.start);
        self.measure_ways(system, integrator);
        system.write_state(&self.start);
        look(system)?;
        let touch = system.road.touch;
        self.offsets.clear();
        self.motors.clear();
        for (error, _, motor) in system.road.open_rows() {
            self.offsets.push(if motor || error > touch { 0.0 } else { touch - error.min(0.0) });
            self.motors.push(motor);
        }
        self.compliant =
            if matches!(system.settings.contact_model, ContactModel::Compliant(_)) { 2 } else { 0 };
        self.margins = system.road.held.contacts().count();
        self.users = system.user_events.len();
        self.pairs = 0;
        let mut looks = LOOKS.0;
        if collides(system) {
            let System { bodies, road, .. } = system;
            road.pairs.collect(bodies, &self.ways, &road.held, touch)?;
            road.pairs.keep_near(bodies, &road.held, touch);
            self.pairs = road.pairs.len();
            for [a, b] in road.pairs.bodies() {
                let way = self.ways[a] + self.ways[b];
                let thin = TRAVEL * thickness(&bodies[a]).min(thickness(&bodies[b]));
                let needed = way / thin;
                if needed > 2.0 * f64::from(LOOKS.1) {
                    return Ok(None);
                }
                looks = looks.max((needed.ceil() as u32).min(LOOKS.1));
            }
        }
        Ok(Some(looks))
    }

    /// How far the points of each body go in the step.
    fn measure_ways(&mut self, system: &System, integrator: &DormandPrince) {
        let count = system.bodies.len();
        self.farthest.clear();
        self.farthest.resize(count, 0.0);
        let (from, to) = (integrator.last_time(), integrator.time());
        for probe in 1..=PROBES {
            let time = from + (to - from) * f64::from(probe) / f64::from(PROBES);
            integrator.interpolate(time, &mut self.state);
            for (index, body) in system.bodies.iter().enumerate().filter(|(_, b)| !b.fixed) {
                let at = 1 + PER_BODY * index;
                let moved = |k: usize| self.state[at + k] - self.start[at + k];
                let turn = moved(4).abs() * reach_of(body);
                let way = moved(0).hypot(moved(2)) + turn;
                self.farthest[index] = self.farthest[index].max(way);
            }
        }
        self.ways.clear();
        self.ways.extend(self.farthest.iter().map(|way| ROOM * way));
    }

    /// Tells the locator which sign changes count.
    pub(super) fn direct(&self, locator: &mut CrossingLocator, thresholds: impl Iterator<Item = f64>) {
        let compliant = [Direction::Rising, Direction::Falling].into_iter().take(self.compliant);
        let open = self.motors.iter().map(|&m| if m { Direction::Any } else { Direction::Falling });
        let margins = std::iter::repeat_n(Direction::Falling, self.margins);
        let users = std::iter::repeat_n(Direction::Any, self.users);
        let pairs = std::iter::repeat_n(Direction::Falling, self.pairs);
        locator.set_directions(compliant.chain(open).chain(margins).chain(users).chain(pairs));
        let none = |count: usize| std::iter::repeat_n(0.0, count);
        let open = self.offsets.iter().copied();
        let others = none(self.margins + self.users);
        locator.set_offsets(none(self.compliant).chain(open).chain(others).chain(thresholds));
    }

    /// The values of all functions at a state.
    pub(super) fn values(
        &self,
        system: &mut System,
        y: &[f64],
        values: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        values.clear();
        system.write_state(y);
        if self.compliant > 0 {
            let z = system.compliant.crossing_functions(&system.bodies);
            // Functions of empty sets never cross.
            values.extend([z.z1.unwrap_or(-1.0), z.z2.unwrap_or(1.0)]);
        }
        if !self.motors.is_empty() {
            look(system)?;
            for (error, rate, motor) in system.road.open_rows() {
                values.push(if motor { rate } else { error });
            }
        }
        let touch = system.road.touch;
        let held = system.road.held.contacts();
        values.extend(held.map(|(id, h)| margin(id, h.normal, &system.bodies) + touch));
        let bodies = BodySet { context: system.force_context() };
        values.extend(system.user_events.iter().map(|event| event.value(&bodies)));
        if self.pairs > 0 {
            let before = system.stages.enter(Stage::Detection);
            let System { bodies, road, .. } = system;
            road.pairs.values(bodies, &road.held, values);
            system.stages.leave(before);
        }
        match values.iter().position(|v| v.is_nan()) {
            None => Ok(()),
            Some(bad) => {
                Err(SimError::NotFinite { what: format!("crossing function {bad}"), time: system.time })
            }
        }
    }

    /// The value of a function at a state, if it is the gap of a pair.
    pub(super) fn pair(&self, system: &mut System, y: &[f64], index: usize) -> Option<f64> {
        let k = index.checked_sub(self.first_pair())?;
        let System { bodies, road, .. } = system;
        for body in road.pairs.candidate(k).0 {
            place(&mut bodies[body], &y[1 + PER_BODY * body..]);
        }
        Some(road.pairs.value(k, bodies, &road.held))
    }

    /// Index of the first function of a pair.
    fn first_pair(&self) -> usize {
        self.compliant + self.motors.len() + self.margins + self.users
    }

    /// A time between two looks at which something has happened that cannot be seen at either.
    pub(super) fn between(
        &self,
        graze: &mut Graze,
        system: &mut System,
        integrator: &DormandPrince,
        interval: &Interval<'_>,
    ) -> Result<Option<f64>, SimError> {
        let met = graze.earliest(system, integrator, interval, self.pairs);
        if self.motors.iter().all(|&motor| motor) {
            return Ok(met);
        }
        let (low, high) = interval.ends;
        let offset_of = |row: usize| (!self.motors[row]).then(|| interval.offsets[self.compliant + row]);
        Ok(graze.taut(system, integrator, (low, met.unwrap_or(high)), offset_of)?.or(met))
    }

    /// What has happened by the index of the function that crossed.
    pub(super) fn event(&self, hit: Crossing) -> Pending {
        let first_user = self.first_pair() - self.users;
        if hit.index < self.compliant {
            Pending::Compliant(hit.time)
        } else if (first_user..self.first_pair()).contains(&hit.index) {
            Pending::User(Crossing { index: hit.index - first_user, ..hit })
        } else {
            Pending::Rigid(hit.time)
        }
    }
}

/// The functions of a step, which take turns with the rates at the system.
pub(super) struct Functions<'a, 'b> {
    pub(super) watch: &'a Watch,
    pub(super) graze: &'a mut Graze,
    pub(super) shared: &'a RefCell<(&'b mut System, &'b mut Vec<f64>)>,
    pub(super) failure: &'a RefCell<Option<SimError>>,
}

impl Watched for Functions<'_, '_> {
    fn all(&mut self, _: f64, state: &[f64], values: &mut Vec<f64>) {
        if let Err(error) = self.watch.values(self.shared.borrow_mut().0, state, values) {
            self.failure.borrow_mut().get_or_insert(error);
        }
    }

    fn one(&mut self, time: f64, state: &[f64], index: usize, values: &mut Vec<f64>) -> f64 {
        if let Some(value) = self.watch.pair(self.shared.borrow_mut().0, state, index) {
            return value;
        }
        self.all(time, state, values);
        values[index]
    }

    fn between(&mut self, integrator: &DormandPrince, interval: &Interval<'_>) -> Option<f64> {
        let system = &mut *self.shared.borrow_mut().0;
        match self.watch.between(self.graze, system, integrator, interval) {
            Ok(time) => time,
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// Whether rigid bodies can collide at all.
fn collides(system: &System) -> bool {
    system.settings.fidelity != Fidelity::Free
        && system.settings.contact_model == ContactModel::Rigid
        && system.bodies.len() > 1
}

/// Least width or height of a body.
fn thickness(body: &engine2d_geometry::CollisionBody) -> f64 {
    let bounds = body.shape.bounds();
    bounds.width().min(bounds.height())
}
