//! What is watched in a step: the functions whose zeros are events.

use super::graze::Graze;
use super::pending::Pending;
use crate::adaptive::{Crossing, CrossingLocator, Direction, DormandPrince, Interval, Watched};
use crate::error::SimError;
use crate::force::{BodySet, ForceLaw};
use crate::model::Model;
use crate::road::{Road, look, margin, reach_of, sliding_speed, turning_speed};
use crate::settings::{ContactModel, Fidelity};
use crate::stages::Stage;
use crate::state::{PER_BODY, State, place};
use crate::watched::WatchedFunction;
use crate::work::Work;
use engine2d_geometry::{Bounds, CollisionBody};
use engine2d_math::Vec2;
use std::cell::RefCell;

/// Fraction of the thinner body of a pair that the two may go between two looks at their gap.
const TRAVEL: f64 = 0.125;

/// How far bodies go in a step at most where a law of the user's acts, of which nothing is known, in their size: it may act in some places only.
const ACROSS: f64 = 8.0;

/// Fewest and most looks within a step.
const LOOKS: (u32, u32) = (4, 64);

/// Speed (length or radians per time) beyond standstill at which a contact that slides or rolls is seen to have stopped: half
/// of what counts as sticking.
const STOPPED: f64 = 5e-10;

/// Places within a step at which displacements are measured.
const PROBES: u32 = 4;

/// How much farther than seen at those places a body may have gone.
const ROOM: f64 = 1.5;

/// The functions of a step, in their order: two of compliant contact, those of open rows, margins of held contacts,
/// speeds of those that slide and of those that roll against a resistance, kinks of forces, those of the user, gaps of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Added to the error of each open row: those that start in touch have met when they are deeper.
    offsets: Vec<f64>,
    /// Whether each open row is a motor, whose rate is watched.
    motors: Vec<bool>,
    compliant: usize,
    margins: usize,
    slides: usize,
    /// The laws whose force has a kink.
    kinks: Vec<usize>,
    users: usize,
    pairs: usize,
    ways: Vec<f64>,
    /// From where each body starts to where it ends, and how far a point of it strays from going straight along.
    courses: Vec<(Vec2, f64)>,
    /// Where each body's centre of mass goes in the step, with room.
    boxes: Vec<Bounds>,
    state: Vec<f64>,
    start: Vec<f64>,
}

impl Watch {
    /// Longest step in which the looks there are suffice at the present speeds.
    pub(super) fn longest_step(&self, model: &Model, state: &State) -> f64 {
        let State { bodies, focus, .. } = state;
        let unknown = model.laws.iter().any(|law| matches!(law, ForceLaw::User(_)));
        let across = if unknown { ACROSS * least_crossing(state) } else { f64::INFINITY };
        if !can_meet(model, bodies) && !can_yield(model, bodies) {
            return across;
        }
        let movable = focus.bodies(bodies.len()).map(|k| &bodies[k]).filter(|b| !b.fixed);
        let fastest =
            movable.map(|b| b.velocity.norm() + b.angular_velocity.abs() * reach_of(b)).fold(0.0, f64::max);
        let present = focus.present(bodies.len()).map(|k| &bodies[k]);
        let thinnest = present.map(thickness).fold(f64::INFINITY, f64::min);
        across.min(f64::from(LOOKS.1) * TRAVEL * thinnest / (2.0 * fastest))
    }

    /// Sets up the functions of the step just taken, whose ways have been measured; returns how often to look, `None` if a shorter step is needed.
    pub(super) fn prepare(
        &mut self,
        model: &Model,
        state: &mut State,
        road: &mut Road,
    ) -> Result<Option<u32>, SimError> {
        state.write(&self.start);
        look(model, state, road)?;
        let touch = state.touch;
        self.offsets.clear();
        self.motors.clear();
        for (error, _, motor) in road.open_rows() {
            self.offsets.push(if motor || error > touch { 0.0 } else { touch - error.min(0.0) });
            self.motors.push(motor);
        }
        self.compliant = if is_compliant(model) { 2 } else { 0 };
        self.margins = state.held.contacts().count();
        self.slides = state.held.sliding().count() + state.held.turning().count();
        let laws = state.focus.laws(model.laws.len());
        let has_kink = |k: &usize| model.at(state).slack(&model.laws[*k]).is_some();
        self.kinks.clear();
        self.kinks.extend(laws.filter(has_kink));
        self.users = model.watched.len();
        self.pairs = 0;
        let spatial = !self.kinks.is_empty() || model.watched.iter().any(WatchedFunction::is_spatial);
        let mut looks = if spatial { LOOKS.1 } else { LOOKS.0 };
        if can_yield(model, &state.bodies) {
            // Of bodies that yield no pairs are collected: any two may meet.
            let present = || state.focus.present(state.bodies.len());
            let way = 2.0 * present().map(|k| self.ways[k]).fold(0.0, f64::max);
            let thin = present().map(|k| thickness(&state.bodies[k])).fold(f64::INFINITY, f64::min);
            match looks_within(way / (TRAVEL * thin)) {
                Some(needed) => looks = looks.max(needed),
                None => return Ok(None),
            }
        }
        if can_meet(model, &state.bodies) {
            let State { bodies, focus, held, .. } = state;
            road.pairs.collect((model, bodies, focus), |k| self.ways[k], held, touch)?;
            road.pairs.keep_near(bodies, held, touch, &self.courses);
            self.pairs = road.pairs.len();
            for ([a, b], known) in road.pairs.bodies() {
                let way = self.ways[a] + self.ways[b];
                let thin = TRAVEL * thickness(&bodies[a]).min(thickness(&bodies[b]));
                match looks_within(known.unwrap_or(f64::INFINITY).min(way / thin)) {
                    Some(needed) => looks = looks.max(needed),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(looks))
    }

    /// How far the points of each body go in the step.
    pub(super) fn measure_ways(&mut self, state: &State, integrator: &DormandPrince) {
        let State { bodies, focus, .. } = state;
        integrator.interpolate(integrator.last_time(), &mut self.start);
        self.boxes.resize(bodies.len(), Bounds::EMPTY);
        self.ways.resize(bodies.len(), 0.0);
        self.courses.resize(bodies.len(), (Vec2::zeros(), 0.0));
        focus
            .present(bodies.len())
            .for_each(|k| (self.ways[k], self.courses[k]) = (0.0, (Vec2::zeros(), 0.0)));
        let (from, to) = (integrator.last_time(), integrator.time());
        for probe in 0..=PROBES {
            let share = f64::from(probe) / f64::from(PROBES);
            let time = from + (to - from) * share;
            integrator.interpolate(time, &mut self.state);
            let movable = focus.bodies(bodies.len()).enumerate().filter(|&(_, k)| !bodies[k].fixed);
            for (slot, index) in movable {
                let (at, body) = (1 + PER_BODY * slot, &bodies[index]);
                let moved = |k: usize| self.state[at + k] - self.start[at + k];
                let turn = moved(4).abs() * reach_of(body);
                let way = moved(0).hypot(moved(2)) + turn;
                self.ways[index] = self.ways[index].max(ROOM * way);
                let end = &integrator.state()[at..];
                let course = Vec2::new(end[0] - self.start[at], end[2] - self.start[at + 2]);
                let aside = (Vec2::new(moved(0), moved(2)) - course * share).norm();
                // Turning moves no point of the outline of a disc elsewhere.
                let is_disc = body.shape.disc().is_some_and(|(center, _)| center == body.center_of_mass);
                let stray = ROOM * (aside + if is_disc { 0.0 } else { turn });
                self.courses[index] = (course, self.courses[index].1.max(stray));
                let place = Vec2::new(self.state[at], self.state[at + 2]);
                let place = Bounds { min: place, max: place };
                self.boxes[index] = if probe == 0 { place } else { self.boxes[index].union(&place) };
            }
        }
    }

    /// Where the centre of mass of a body of the scope goes in the step, with room.
    pub(super) fn bounds(&self, body: usize) -> Bounds {
        self.boxes[body].inflated(self.ways[body] / f64::from(PROBES))
    }

    /// Whether nothing is watched.
    pub(super) fn is_empty(&self) -> bool {
        self.first_pair() + self.pairs == 0
    }

    /// Tells the locator which sign changes count.
    pub(super) fn direct(&self, locator: &mut CrossingLocator, thresholds: impl Iterator<Item = f64>) {
        let compliant = [Direction::Rising, Direction::Falling].into_iter().take(self.compliant);
        let open = self.motors.iter().map(|&m| if m { Direction::Any } else { Direction::Falling });
        let margins = std::iter::repeat_n(Direction::Falling, self.margins + self.slides);
        let users = std::iter::repeat_n(Direction::Any, self.kinks.len() + self.users);
        let pairs = std::iter::repeat_n(Direction::Falling, self.pairs);
        locator.set_directions(compliant.chain(open).chain(margins).chain(users).chain(pairs));
        let none = |count: usize| std::iter::repeat_n(0.0, count);
        let open = self.offsets.iter().copied();
        let slides = std::iter::repeat_n(STOPPED, self.slides);
        let held = none(self.margins).chain(slides);
        let others = held.chain(none(self.kinks.len() + self.users));
        locator.set_offsets(none(self.compliant).chain(open).chain(others).chain(thresholds));
    }

    /// The values of all functions at a state.
    pub(super) fn values(
        &self,
        (model, state, road, work): (&Model, &mut State, &mut Road, &mut Work),
        y: &[f64],
        values: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        values.clear();
        state.write(y);
        if self.compliant > 0 {
            let z = state.compliant.crossing_functions(&state.bodies);
            // Functions of empty sets never cross.
            values.extend([z.z1.unwrap_or(-1.0), z.z2.unwrap_or(1.0)]);
        }
        if !self.motors.is_empty() {
            look(model, state, road)?;
            for (error, rate, motor) in road.open_rows() {
                values.push(if motor { rate } else { error });
            }
        }
        let touch = state.touch;
        let held = state.held.contacts();
        values.extend(held.map(|(id, h)| margin(id, h.normal, &state.bodies) + touch));
        let sliding = state.held.sliding();
        values.extend(
            sliding
                .map(|(id, h, grip)| grip.slides * sliding_speed(id, h.normal, grip.surface, &state.bodies)),
        );
        let turning = state.held.turning();
        values.extend(turning.map(|(id, roll)| roll.turns * turning_speed(id, &state.bodies)));
        let bodies = BodySet { context: model.at(state) };
        values.extend(self.kinks.iter().filter_map(|&k| bodies.context.slack(&model.laws[k])));
        values.extend(model.watched.iter().map(|event| (event.function)(&bodies)));
        if self.pairs > 0 {
            let before = work.stages.enter(Stage::Detection);
            if y[0] == self.start[0] {
                values.extend(road.pairs.starts());
            } else {
                road.pairs.values(&state.bodies, &state.held, values);
            }
            work.stages.leave(before);
        }
        match values.iter().position(|v| v.is_nan()) {
            None => Ok(()),
            Some(bad) => {
                Err(SimError::NotFinite { what: format!("crossing function {bad}"), time: state.time })
            }
        }
    }

    /// The value of a function at a state, if it is the gap of a pair.
    pub(super) fn pair(&self, state: &mut State, road: &mut Road, y: &[f64], index: usize) -> Option<f64> {
        let k = index.checked_sub(self.first_pair())?;
        for body in road.pairs.candidate(k).0 {
            if let Some(slot) = state.focus.slot(body) {
                place(&mut state.bodies[body], &y[1 + PER_BODY * slot..]);
            }
        }
        Some(road.pairs.value(k, &state.bodies, &state.held))
    }

    /// Index of the first function of a pair.
    fn first_pair(&self) -> usize {
        self.compliant + self.motors.len() + self.margins + self.slides + self.kinks.len() + self.users
    }

    /// A time between two looks at which something has happened that cannot be seen at either.
    pub(super) fn between(
        &self,
        graze: &mut Graze,
        (model, state, road): (&Model, &mut State, &mut Road),
        integrator: &DormandPrince,
        interval: &Interval<'_>,
    ) -> Result<Option<f64>, SimError> {
        let met = graze.earliest(state, road, integrator, interval, self.pairs);
        let (low, high) = interval.ends;
        let own = self.first_pair() - self.users - self.kinks.len()..self.first_pair();
        let values = (&interval.values.0[own.clone()], &interval.values.1[own]);
        let until = (low, met.unwrap_or(high));
        let value = |k: usize, state: &State| match self.kinks.get(k) {
            Some(&law) => model.at(state).slack(&model.laws[law]).unwrap_or(1.0),
            None => (model.watched[k - self.kinks.len()].function)(&BodySet { context: model.at(state) }),
        };
        let met = graze.turned(&mut *state, value, integrator, until, values).or(met);
        if self.motors.iter().all(|&motor| motor) {
            return Ok(met);
        }
        let offset_of = |row: usize| (!self.motors[row]).then(|| interval.offsets[self.compliant + row]);
        Ok(graze.taut((model, state, road), integrator, (low, met.unwrap_or(high)), offset_of)?.or(met))
    }

    /// What has happened by the index of the function that crossed.
    pub(super) fn event(&self, hit: Crossing) -> Pending {
        let first_user = self.first_pair() - self.users;
        if hit.index < self.compliant {
            Pending::Compliant(hit.time)
        } else if (first_user..self.first_pair()).contains(&hit.index) {
            Pending::User(Crossing { index: hit.index - first_user, ..hit })
        } else if (first_user - self.kinks.len()..first_user).contains(&hit.index) {
            Pending::Kink(hit.time)
        } else {
            Pending::Rigid(hit.time)
        }
    }
}

/// What rates and functions take turns at.
pub(super) struct Moving<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a mut State,
    pub(super) road: &'a mut Road,
    pub(super) work: &'a mut Work,
    pub(super) rates: &'a mut Vec<f64>,
}

/// The functions of a step.
pub(super) struct Functions<'a, 'b> {
    pub(super) watch: &'a Watch,
    pub(super) graze: &'a mut Graze,
    pub(super) shared: &'a RefCell<Moving<'b>>,
    pub(super) failure: &'a RefCell<Option<SimError>>,
}

impl Watched for Functions<'_, '_> {
    fn all(&mut self, _: f64, y: &[f64], values: &mut Vec<f64>) {
        let Moving { model, state, road, work, .. } = &mut *self.shared.borrow_mut();
        if let Err(error) = self.watch.values((model, state, road, work), y, values) {
            self.failure.borrow_mut().get_or_insert(error);
        }
    }

    fn one(&mut self, time: f64, y: &[f64], index: usize, values: &mut Vec<f64>) -> f64 {
        let gap = {
            let Moving { state, road, .. } = &mut *self.shared.borrow_mut();
            self.watch.pair(state, road, y, index)
        };
        if let Some(gap) = gap {
            return gap;
        }
        self.all(time, y, values);
        values[index]
    }

    fn between(&mut self, integrator: &DormandPrince, interval: &Interval<'_>) -> Option<f64> {
        let Moving { model, state, road, .. } = &mut *self.shared.borrow_mut();
        match self.watch.between(self.graze, (model, state, road), integrator, interval) {
            Ok(time) => time,
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// Whether there are rigid bodies that can collide at all.
fn can_meet(model: &Model, bodies: &[CollisionBody]) -> bool {
    model.collides() && bodies.len() > 1
}

fn is_compliant(model: &Model) -> bool {
    matches!(model.settings.contact_model, ContactModel::Compliant(_))
}

/// Whether there are bodies that can meet and yield.
fn can_yield(model: &Model, bodies: &[CollisionBody]) -> bool {
    is_compliant(model) && model.settings.fidelity != Fidelity::Free && bodies.len() > 1
}

/// How often to look within a step where so many looks are needed; `None` if it has to be shorter.
fn looks_within(needed: f64) -> Option<u32> {
    (needed <= 2.0 * f64::from(LOOKS.1)).then(|| (needed.ceil() as u32).min(LOOKS.1))
}

/// Least time in which a movable body goes as far as it is large.
fn least_crossing(state: &State) -> f64 {
    let movable = state.focus.bodies(state.bodies.len()).map(|k| &state.bodies[k]).filter(|b| !b.fixed);
    movable.map(|b| reach_of(b) / b.velocity.norm()).fold(f64::INFINITY, f64::min)
}

/// Least width or height of a body.
fn thickness(body: &CollisionBody) -> f64 {
    let bounds = body.shape.bounds();
    bounds.width().min(bounds.height())
}
