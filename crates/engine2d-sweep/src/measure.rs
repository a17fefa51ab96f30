//! What is measured: a quantity of each state or event, reduced to one number.

use crate::error::SweepError;
use engine2d_sim::{Event, StepReport, World};
use engine2d_watch::Observer;
use std::io;

/// A quantity of a state.
#[derive(Clone, Debug, PartialEq)]
enum Quantity {
    Time,
    Energy,
    KineticEnergy,
    PotentialEnergy,
    Certificate,
    Penetration,
    JointError,
    Contacts,
    LargestForce,
    /// A number of a body by its name.
    Body(String, BodyNumber),
    /// A number of each event of a kind; no kind means all.
    Events(Option<String>, EventNumber),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum BodyNumber {
    X,
    Y,
    Angle,
    Vx,
    Vy,
    AngularVelocity,
    Speed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum EventNumber {
    Time,
    Impulse,
}

/// How a series becomes one number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reduction {
    First,
    Last,
    Min,
    Max,
    Mean,
    Sum,
    Rms,
    Count,
    TimeOfMin,
    TimeOfMax,
}

const OF_A_STATE: [(&str, Quantity); 9] = [
    ("time", Quantity::Time),
    ("energy", Quantity::Energy),
    ("kinetic_energy", Quantity::KineticEnergy),
    ("potential_energy", Quantity::PotentialEnergy),
    ("certificate", Quantity::Certificate),
    ("penetration", Quantity::Penetration),
    ("joint_error", Quantity::JointError),
    ("contacts", Quantity::Contacts),
    ("largest_force", Quantity::LargestForce),
];

const OF_A_BODY: [(&str, BodyNumber); 8] = [
    ("x", BodyNumber::X),
    ("y", BodyNumber::Y),
    ("angle", BodyNumber::Angle),
    ("vx", BodyNumber::Vx),
    ("vy", BodyNumber::Vy),
    ("angular_velocity", BodyNumber::AngularVelocity),
    // As the column of the trajectory is called.
    ("spin", BodyNumber::AngularVelocity),
    ("speed", BodyNumber::Speed),
];

const REDUCTIONS: [(&str, Reduction); 10] = [
    ("first", Reduction::First),
    ("last", Reduction::Last),
    ("min", Reduction::Min),
    ("max", Reduction::Max),
    ("mean", Reduction::Mean),
    ("sum", Reduction::Sum),
    ("rms", Reduction::Rms),
    ("count", Reduction::Count),
    ("time_of_min", Reduction::TimeOfMin),
    ("time_of_max", Reduction::TimeOfMax),
];

/// What is measured of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    /// Its column.
    pub(crate) name: String,
    quantity: Quantity,
    reduction: Reduction,
}

fn words<T>(list: &[(&str, T)]) -> String {
    list.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}

impl Quantity {
    /// Reads `energy`, `bodies[plank].x`, `events[collision].impulse`, `events`.
    fn read(text: &str, at: &str) -> Result<Self, SweepError> {
        if let Some((_, quantity)) = OF_A_STATE.iter().find(|(word, _)| *word == text) {
            return Ok(quantity.clone());
        }
        if let Some((name, number)) = text.strip_prefix("bodies[").and_then(|rest| rest.rsplit_once("].")) {
            let found = OF_A_BODY.iter().find(|(word, _)| *word == number);
            let problem = || format!("{number:?} is no number of a body: {}", words(&OF_A_BODY));
            let (_, number) = found.ok_or_else(|| SweepError::at(at, problem()))?;
            return Ok(Self::Body(name.to_owned(), *number));
        }
        if let Some(rest) = text.strip_prefix("events") {
            let (kind, rest) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
                Some((kind, rest)) => (Some(kind.to_owned()), rest),
                None => (None, rest),
            };
            match rest {
                "" | ".time" => return Ok(Self::Events(kind, EventNumber::Time)),
                ".impulse" => return Ok(Self::Events(kind, EventNumber::Impulse)),
                _ => {}
            }
        }
        let known = words(&OF_A_STATE);
        let problem = format!(
            "{text:?} cannot be measured: {known}, bodies[NAME].x and the like, events[KIND].time or .impulse"
        );
        Err(SweepError::at(at, problem))
    }

    fn of_state(&self, world: &World, report: Option<&StepReport>) -> Option<f64> {
        let energy = || world.energy();
        Some(match self {
            Self::Time => world.time(),
            Self::Energy => energy().total(),
            Self::KineticEnergy => energy().kinetic(),
            Self::PotentialEnergy => energy().potential,
            Self::Certificate => report?.certificate,
            Self::Penetration => report?.penetration,
            Self::JointError => report?.joint_error,
            Self::Contacts => report?.contacts.iter().filter(|c| !c.bilateral).count() as f64,
            Self::LargestForce => {
                let forces = report?.contacts.iter().filter(|c| !c.bilateral);
                forces.fold(0.0, |most: f64, c| most.max(c.force))
            }
            Self::Body(name, number) => {
                let body = match name.parse::<usize>() {
                    Ok(place) => world.body(place),
                    Err(_) => world.body(name),
                };
                let body = body.ok()?;
                match number {
                    BodyNumber::X => body.position().x,
                    BodyNumber::Y => body.position().y,
                    BodyNumber::Angle => body.angle(),
                    BodyNumber::Vx => body.velocity().x,
                    BodyNumber::Vy => body.velocity().y,
                    BodyNumber::AngularVelocity => body.angular_velocity(),
                    BodyNumber::Speed => body.velocity().norm(),
                }
            }
            Self::Events(..) => return None,
        })
    }
}

impl EventNumber {
    fn of(self, event: &Event) -> Option<f64> {
        match (self, event) {
            (Self::Time, event) => Some(event.time()),
            (Self::Impulse, Event::Collision { impulse, .. } | Event::Jam { impulse, .. }) => Some(*impulse),
            (Self::Impulse, _) => None,
        }
    }
}

impl Measure {
    /// Reads a measure.
    pub(crate) fn read(name: &str, of: &str, reduce: &str, at: &str) -> Result<Self, SweepError> {
        let found = REDUCTIONS.iter().find(|(word, _)| *word == reduce);
        let problem = || format!("{reduce:?} is no reduction: {}", words(&REDUCTIONS));
        let (_, reduction) = found.ok_or_else(|| SweepError::at(format!("{at}.reduce"), problem()))?;
        let quantity = Quantity::read(of, &format!("{at}.of"))?;
        Ok(Self { name: name.to_owned(), quantity, reduction: *reduction })
    }
}

/// A series being reduced.
#[derive(Clone, Copy, Debug, Default)]
struct Series {
    count: u64,
    first: f64,
    last: f64,
    least: (f64, f64),
    most: (f64, f64),
    sum: f64,
    squares: f64,
}

impl Series {
    fn add(&mut self, time: f64, value: f64) {
        if self.count == 0 {
            (self.first, self.least, self.most) = (value, (value, time), (value, time));
        }
        if value < self.least.0 {
            self.least = (value, time);
        }
        if value > self.most.0 {
            self.most = (value, time);
        }
        (self.last, self.count) = (value, self.count + 1);
        self.sum += value;
        self.squares += value * value;
    }

    fn reduce(&self, reduction: Reduction) -> Option<f64> {
        let count = self.count as f64;
        match reduction {
            Reduction::Count => return Some(count),
            Reduction::Sum => return Some(self.sum),
            _ if self.count == 0 => return None,
            _ => {}
        }
        let value = match reduction {
            Reduction::First => self.first,
            Reduction::Last => self.last,
            Reduction::Min => self.least.0,
            Reduction::Max => self.most.0,
            Reduction::TimeOfMin => self.least.1,
            Reduction::TimeOfMax => self.most.1,
            Reduction::Mean => self.sum / count,
            Reduction::Rms => (self.squares / count).sqrt(),
            Reduction::Count | Reduction::Sum => return None,
        };
        value.is_finite().then_some(value)
    }
}

/// Measures a run.
pub(crate) struct Meter<'m> {
    measures: &'m [Measure],
    series: Vec<Series>,
}

impl<'m> Meter<'m> {
    pub(crate) fn new(measures: &'m [Measure]) -> Self {
        Self { measures, series: vec![Series::default(); measures.len()] }
    }

    /// What was measured.
    pub(crate) fn results(&self) -> Vec<Option<f64>> {
        self.measures.iter().zip(&self.series).map(|(m, series)| series.reduce(m.reduction)).collect()
    }

    fn look(&mut self, world: &World, report: Option<&StepReport>) {
        for (measure, series) in self.measures.iter().zip(&mut self.series) {
            if let Some(value) = measure.quantity.of_state(world, report) {
                series.add(world.time(), value);
            }
            let Quantity::Events(kind, number) = &measure.quantity else { continue };
            for event in report.into_iter().flat_map(StepReport::events) {
                if kind.as_deref().is_none_or(|kind| kind == event.kind())
                    && let Some(value) = number.of(event)
                {
                    series.add(event.time(), value);
                }
            }
        }
    }
}

impl Observer for Meter<'_> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.look(world, None);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        self.look(world, Some(report));
        Ok(())
    }
}
