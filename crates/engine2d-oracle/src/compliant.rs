//! Kind `compliant`: discs under the compliant contact law, with located events.

use crate::case::{CaseResult, Difference, Recording, judge_each};
use engine2d_geometry::{ContactHandler, PairId, PairSample};
use engine2d_math::{Vec2, cross, perp, trig};
use engine2d_sim::compliant::{ContactLaw, ContactMotion, DampingLaw, Material, PairMaterial};
use engine2d_sim::{AdaptiveSettings, CrossingLocator, DormandPrince, SimError};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Agreement of event times (time).
const EVENT_LIMIT: f64 = 1e-7;
/// Agreement of samples, relative to the larger of 1 and the value.
const SAMPLE_LIMIT: f64 = 1e-6;
/// Tolerance of the integration: a hundredth of what the recorded runs agree to.
const TOLERANCE: f64 = 1e-13;

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum RecordedBody {
    Free { mass: f64, inertia: f64, radius: f64 },
    Vertical { mass: f64, radius: f64 },
    Pendulum { mass: f64, inertia: f64, radius: f64, length: f64, pivot: Vec2 },
}

#[derive(Deserialize)]
struct RecordedPair {
    object1: i64,
    object2: i64,
    solid1: String,
    solid2: String,
    coefficient_of_restitution: f64,
    mu_k: f64,
    mu_r: f64,
    k_red: f64,
    v_small: f64,
    w_small: f64,
}

#[derive(Deserialize)]
struct RecordedEvent {
    t: f64,
    pair: u64,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Sample {
    t: f64,
    y: Vec<f64>,
    in_contact: Vec<Value>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    gravity: Vec2,
    z_eps: f64,
    maximum_contact_damping: f64,
    bodies: Vec<RecordedBody>,
    pairs: Vec<RecordedPair>,
    initial: Vec<f64>,
    events: Vec<RecordedEvent>,
    event_count: usize,
    samples: Vec<Sample>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    judge_each(recording, "cases", sink, |case: &Case| case.id.clone(), judge_trajectory);
}

fn material(name: &str) -> Result<Material, String> {
    let (young, poisson, density) = match name {
        "Steel" => (2e11, 0.3, 8000.0),
        "DryWood" => (1.1e10, 0.4, 700.0),
        "Aluminium" => (6.9e10, 0.32, 2700.0),
        "BilliardBall" => (5.4e9, 0.34, 1768.0),
        "BilliardTable" => (1.1e10, 0.4, 700.0),
        other => return Err(format!("unknown material {other:?}")),
    };
    Ok(Material { young, poisson, density })
}

/// A disc's place and motion.
#[derive(Clone, Copy)]
struct Disc {
    center: Vec2,
    velocity: Vec2,
    spin: f64,
    radius: f64,
}

impl RecordedBody {
    fn size(&self) -> usize {
        match self {
            Self::Free { .. } => 6,
            Self::Vertical { .. } | Self::Pendulum { .. } => 2,
        }
    }

    fn disc(&self, y: &[f64]) -> Disc {
        match self {
            Self::Free { radius, .. } => Disc {
                center: Vec2::new(y[0], y[1]),
                velocity: Vec2::new(y[3], y[4]),
                spin: y[5],
                radius: *radius,
            },
            Self::Vertical { radius, .. } => Disc {
                center: Vec2::new(0.0, y[0]),
                velocity: Vec2::new(0.0, y[1]),
                spin: 0.0,
                radius: *radius,
            },
            Self::Pendulum { radius, length, pivot, .. } => {
                let (sin, cos) = trig::sin_cos(y[0]);
                let arm = Vec2::new(sin, -cos) * *length;
                Disc { center: pivot + arm, velocity: perp(arm) * y[1], spin: y[1], radius: *radius }
            }
        }
    }

    /// Rates under gravity and the contact wrench (force and torque about the centre).
    fn rates(&self, y: &[f64], gravity: Vec2, force: Vec2, torque: f64, dy: &mut [f64]) {
        match self {
            Self::Free { mass, inertia, .. } => {
                let a = gravity + force / *mass;
                dy.copy_from_slice(&[y[3], y[4], y[5], a.x, a.y, torque / inertia]);
            }
            Self::Vertical { mass, .. } => dy.copy_from_slice(&[y[1], gravity.y + force.y / mass]),
            Self::Pendulum { mass, inertia, length, .. } => {
                let (sin, cos) = trig::sin_cos(y[0]);
                let arm = Vec2::new(sin, -cos) * *length;
                let moment = cross(arm, gravity * *mass + force) + torque;
                dy.copy_from_slice(&[y[1], moment / (inertia + mass * length * length)]);
            }
        }
    }
}

/// A disc as seen from a pair: the ground is a disc without radius below it, its normal up.
struct PairView {
    distance: f64,
    /// From the first object to the second.
    normal: Vec2,
    point: Vec2,
}

impl Case {
    fn disc(&self, index: i64, y: &[f64]) -> Option<Disc> {
        let index = usize::try_from(index).ok()?;
        let start: usize = self.bodies[..index].iter().map(RecordedBody::size).sum();
        Some(self.bodies[index].disc(&y[start..]))
    }

    fn view(&self, pair: &RecordedPair, y: &[f64]) -> PairView {
        let up = Vec2::new(0.0, 1.0);
        match (self.disc(pair.object1, y), self.disc(pair.object2, y)) {
            (Some(a), Some(b)) => {
                let apart = b.center - a.center;
                let length = apart.norm();
                let normal = apart / length;
                let (p, q) = (a.center + normal * a.radius, b.center - normal * b.radius);
                PairView { distance: length - a.radius - b.radius, normal, point: (p + q) * 0.5 }
            }
            (None, Some(b)) => {
                let distance = b.center.y - b.radius;
                PairView { distance, normal: up, point: Vec2::new(b.center.x, distance * 0.5) }
            }
            (Some(a), None) => {
                let distance = a.center.y - a.radius;
                PairView { distance, normal: -up, point: Vec2::new(a.center.x, distance * 0.5) }
            }
            (None, None) => PairView { distance: f64::INFINITY, normal: up, point: Vec2::zeros() },
        }
    }

    /// Velocity and spin of the second object relative to the first at `point`.
    fn relative(&self, pair: &RecordedPair, y: &[f64], point: Vec2) -> (Vec2, f64) {
        let at = |disc: Option<Disc>| {
            disc.map_or((Vec2::zeros(), 0.0), |d| (d.velocity + perp(point - d.center) * d.spin, d.spin))
        };
        let ((v1, w1), (v2, w2)) = (at(self.disc(pair.object1, y)), at(self.disc(pair.object2, y)));
        (v2 - v1, w2 - w1)
    }

    fn sample(&self, pair: PairId, y: &[f64]) -> PairSample {
        let pair = &self.pairs[pair.0 as usize];
        let view = self.view(pair, y);
        let (v, _) = self.relative(pair, y, view.point);
        PairSample { distance: view.distance, normal_velocity: v.dot(&view.normal) }
    }

    fn law(&self, pair: &RecordedPair, start_velocity: f64) -> Result<ContactLaw, String> {
        let radius = |index: i64| self.disc(index, &self.initial).map(|d| d.radius);
        let effective = match (radius(pair.object1), radius(pair.object2)) {
            (Some(r), Some(s)) => r * s / (r + s),
            (Some(r), None) | (None, Some(r)) => r,
            (None, None) => return Err("a pair of two grounds".to_owned()),
        };
        let rules = PairMaterial {
            restitution: pair.coefficient_of_restitution,
            friction: pair.mu_k,
            rolling: pair.mu_r,
            softening: pair.k_red,
            small_speed: pair.v_small,
            small_spin: pair.w_small,
        };
        let damping = DampingLaw::Common { max: self.maximum_contact_damping };
        let (p, q) = (material(&pair.solid1)?, material(&pair.solid2)?);
        Ok(rules.law(&p, &q, effective, start_velocity.abs(), damping))
    }

    fn rates(&self, laws: &BTreeMap<PairId, ContactLaw>, y: &[f64], dy: &mut [f64]) {
        let mut wrenches = vec![(Vec2::zeros(), 0.0); self.bodies.len()];
        for (id, law) in laws {
            let pair = &self.pairs[id.0 as usize];
            let view = self.view(pair, y);
            let (v, spin) = self.relative(pair, y, view.point);
            let tangent = Vec2::new(view.normal.y, -view.normal.x);
            let motion = ContactMotion {
                depth: -view.distance,
                depth_rate: -v.dot(&view.normal),
                sliding: v.dot(&tangent),
                spin,
            };
            let response = law.response(&motion);
            let force = view.normal * response.normal + tangent * response.tangential;
            for (object, sign) in [(pair.object2, 1.0), (pair.object1, -1.0)] {
                if let (Ok(index), Some(disc)) = (usize::try_from(object), self.disc(object, y)) {
                    wrenches[index].0 += force * sign;
                    wrenches[index].1 += sign * (cross(view.point - disc.center, force) + response.torque);
                }
            }
        }
        let mut start = 0;
        for (body, (force, torque)) in self.bodies.iter().zip(wrenches) {
            let end = start + body.size();
            body.rates(&y[start..end], self.gravity, force, torque, &mut dy[start..end]);
            start = end;
        }
    }
}

fn judge_trajectory(case: &Case, d: &mut Difference) -> Result<(), String> {
    let settings = AdaptiveSettings {
        relative_tolerance: TOLERANCE,
        absolute_tolerance: TOLERANCE,
        ..AdaptiveSettings::default()
    };
    let mut integrator = DormandPrince::new(settings);
    let mut locator = CrossingLocator::new();
    let ids: Vec<PairId> = (0..case.pairs.len() as u64).map(PairId).collect();
    let mut handler = ContactHandler::new(ids).with_z_eps(case.z_eps);
    let mut laws: BTreeMap<PairId, ContactLaw> = BTreeMap::new();
    integrator.start(0.0, &case.initial);
    update_laws(case, &mut handler, &mut laws, &case.initial, 0.0, &mut Vec::new())?;
    let mut events = Vec::new();
    for sample in &case.samples {
        while integrator.time() < sample.t {
            let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
                case.rates(&laws, y, dy);
                Ok(())
            };
            let mut crossing = |_: f64, y: &[f64], g: &mut Vec<f64>| {
                let z = handler.crossing_functions(|pair| case.sample(pair, y));
                g.clear();
                // Functions of empty sets never cross.
                g.extend([z.z1.unwrap_or(-1.0), z.z2.unwrap_or(1.0)]);
            };
            let hit = locator
                .step(&mut integrator, &mut rates, &mut crossing, sample.t)
                .map_err(|e| e.to_string())?;
            if hit.is_some() {
                let (time, state) = (integrator.time(), integrator.state().to_vec());
                update_laws(case, &mut handler, &mut laws, &state, time, &mut events)?;
                integrator.start(time, &state);
            }
        }
        for (i, (ours, theirs)) in integrator.state().iter().zip(&sample.y).enumerate() {
            let limit = SAMPLE_LIMIT * theirs.abs().max(1.0);
            d.compare(*ours, *theirs, limit, || format!("y[{i}] at t = {:.3}", sample.t));
        }
        let count = handler.contacts().len();
        d.require(count == sample.in_contact.len(), || format!("{count} contacts at t = {:.3}", sample.t));
    }
    d.require(events.len() == case.event_count, || {
        format!("{} events, recorded {}", events.len(), case.event_count)
    });
    for (i, (ours, theirs)) in events.iter().zip(&case.events).enumerate() {
        let (time, pair, started) = *ours;
        d.compare(time, theirs.t, EVENT_LIMIT, || format!("time of event {i}"));
        let same = pair == PairId(theirs.pair) && started == (theirs.kind == "start");
        d.require(same, || format!("event {i} is of {pair}, recorded {} {}", theirs.kind, theirs.pair));
    }
    Ok(())
}

/// An event: rebuilds the dictionary and fixes the law of each contact that started.
fn update_laws(
    case: &Case,
    handler: &mut ContactHandler,
    laws: &mut BTreeMap<PairId, ContactLaw>,
    y: &[f64],
    time: f64,
    events: &mut Vec<(f64, PairId, bool)>,
) -> Result<(), String> {
    let change = handler.on_event(|pair| case.sample(pair, y));
    for pair in &change.ended {
        laws.remove(pair);
        events.push((time, *pair, false));
    }
    for pair in &change.started {
        let velocity = handler.contact(*pair).map_or(0.0, |c| c.start_velocity);
        laws.insert(*pair, case.law(&case.pairs[pair.0 as usize], velocity)?);
        events.push((time, *pair, true));
    }
    Ok(())
}
