//! What is plotted: series of points, and what their axes are.

use super::tables::{Run, flags, numbers, texts};
use crate::Failure;
use engine2d::scene::nearest;
use engine2d_table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to plot.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum What {
    /// Kinetic, potential and total energy against time.
    Energy,
    /// The way of a body's centre of mass.
    Trajectory,
    /// A coordinate of a body against its rate.
    Phase,
    /// The number of contacts against time.
    Contacts,
    /// The normal force of each contact against time.
    Forces,
    /// Events against time, a line for each kind.
    Events,
}

impl What {
    /// The word of the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Trajectory => "trajectory",
            Self::Phase => "phase",
            Self::Contacts => "contacts",
            Self::Forces => "forces",
            Self::Events => "events",
        }
    }
}

/// A coordinate against its rate.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Coordinate {
    X,
    Y,
    Angle,
}

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Line,
    Dots,
}

/// Points with a name.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<[f64; 2]>,
    pub(super) mark: Mark,
}

/// A plot before it is drawn.
pub(super) struct Figure {
    /// The axes: quantity and unit.
    pub(super) x: String,
    pub(super) y: String,
    pub(super) series: Vec<Series>,
    /// Whether a unit is as long along both axes.
    pub(super) equal: bool,
    /// What the whole numbers of y stand for, if they are no numbers.
    pub(super) rows: Vec<String>,
}

/// The figure of a run.
pub(super) fn of(
    run: &Run,
    what: What,
    body: Option<&str>,
    coordinate: Coordinate,
) -> Result<Figure, Failure> {
    let one = || body.ok_or_else(|| Failure::Usage(format!("--what {}: --body is needed", what.word())));
    if let (Some(body), What::Contacts | What::Forces | What::Events) = (body, what) {
        known(run, body)?;
    }
    match what {
        What::Energy => energy(run),
        What::Trajectory => {
            let body = one()?;
            let points = pairs(run, &format!("{body}.x"), &format!("{body}.y"), body)?;
            let series = vec![Series { name: body.to_owned(), points, mark: Mark::Line }];
            Ok(Figure { equal: true, ..figure("x (length)", "y (length)", series) })
        }
        What::Phase => {
            let body = one()?;
            let (place, rate, x, y) = match coordinate {
                Coordinate::X => ("x", "vx", "x (length)", "vx (length/time)"),
                Coordinate::Y => ("y", "vy", "y (length)", "vy (length/time)"),
                Coordinate::Angle => ("angle", "spin", "angle (radians)", "angular velocity (radians/time)"),
            };
            let points = pairs(run, &format!("{body}.{place}"), &format!("{body}.{rate}"), body)?;
            Ok(figure(x, y, vec![Series { name: body.to_owned(), points, mark: Mark::Line }]))
        }
        What::Contacts => contacts(run, body),
        What::Forces => forces(run, body),
        What::Events => events(run, body),
    }
}

fn figure(x: &str, y: &str, series: Vec<Series>) -> Figure {
    Figure { x: x.to_owned(), y: y.to_owned(), series, equal: false, rows: Vec::new() }
}

/// A column that every run has is missing.
fn missing(name: &str) -> Failure {
    Failure::Other(format!("the run has no column {name}: it is not as a run writes it"))
}

/// Two columns of the trajectory; a body that has none is told, with the one that may be meant.
fn pairs(run: &Run, x: &str, y: &str, body: &str) -> Result<Vec<[f64; 2]>, Failure> {
    match (numbers(&run.trajectory, x), numbers(&run.trajectory, y)) {
        (Some(x), Some(y)) => Ok(x.zip(y).map(|(x, y)| [x, y]).collect()),
        _ => Err(unknown(body, &movable(run))),
    }
}

/// The bodies of the trajectory.
fn movable(run: &Run) -> BTreeSet<String> {
    let names = run.trajectory.columns().iter().filter_map(|column| column.name().strip_suffix(".angle"));
    names.map(str::to_owned).collect()
}

/// Refuses a body that the run does not know.
fn known(run: &Run, body: &str) -> Result<(), Failure> {
    let mut all = movable(run);
    for table in run.contacts.iter().chain([&run.events]) {
        for name in ["body_a", "body_b"] {
            all.extend(texts(table, name).into_iter().flatten().flatten().cloned());
        }
    }
    if all.contains(body) { Ok(()) } else { Err(unknown(body, &all)) }
}

fn unknown(body: &str, all: &BTreeSet<String>) -> Failure {
    let hint = match nearest(body, all.iter().map(String::as_str)) {
        Some(name) => format!("; did you mean {name:?}?"),
        None => format!(" (there are: {})", all.iter().cloned().collect::<Vec<_>>().join(", ")),
    };
    Failure::Usage(format!("--body: no body is named {body:?}{hint}"))
}

fn times(table: &Table) -> Result<Vec<f64>, Failure> {
    Ok(numbers(table, "time").ok_or_else(|| missing("time"))?.collect())
}

fn energy(run: &Run) -> Result<Figure, Failure> {
    let time = times(&run.trajectory)?;
    let mut series = Vec::new();
    for name in ["kinetic_energy", "potential_energy", "total_energy"] {
        let values = numbers(&run.trajectory, name).ok_or_else(|| missing(name))?;
        let points = time.iter().zip(values).map(|(t, value)| [*t, value]).collect();
        series.push(Series { name: name.replace('_', " "), points, mark: Mark::Line });
    }
    Ok(figure("time (time)", "energy (energy)", series))
}

/// The rows of contacts that are no joints and of a body, if one is asked for: time, place in the table.
fn rows_of(run: &Run, body: Option<&str>) -> Result<(Vec<f64>, Vec<usize>), Failure> {
    let table = run.contacts.as_ref().ok_or_else(|| {
        let text = "the run has no table of contacts: write it with `engine2d run --format parquet`";
        Failure::Other(text.to_owned())
    })?;
    let joint = flags(table, "joint").ok_or_else(|| missing("joint"))?;
    let rows = (0..table.rows()).filter(|&k| joint[k] != Some(true));
    Ok((times(table)?, of_body(table, body, rows)?))
}

/// The rows in which a body has a part.
fn of_body(
    table: &Table,
    body: Option<&str>,
    rows: impl Iterator<Item = usize>,
) -> Result<Vec<usize>, Failure> {
    let [a, b] = ["body_a", "body_b"].map(|name| texts(table, name).ok_or_else(|| missing(name)));
    let (a, b) = (a?, b?);
    Ok(rows.filter(|&k| body.is_none() || a[k].as_deref() == body || b[k].as_deref() == body).collect())
}

fn contacts(run: &Run, body: Option<&str>) -> Result<Figure, Failure> {
    let (time, rows) = rows_of(run, body)?;
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for row in rows {
        *counts.entry(time[row].to_bits()).or_default() += 1;
    }
    let count = |t: f64| f64::from(counts.get(&t.to_bits()).copied().unwrap_or(0));
    let points: Vec<[f64; 2]> = times(&run.trajectory)?.into_iter().map(|t| [t, count(t)]).collect();
    let name = body.unwrap_or("all").to_owned();
    Ok(figure("time (time)", "contacts (number)", vec![Series { name, points, mark: Mark::Line }]))
}

fn forces(run: &Run, body: Option<&str>) -> Result<Figure, Failure> {
    let (time, rows) = rows_of(run, body)?;
    let table = run.contacts.as_ref().ok_or_else(|| missing("force"))?;
    let force: Vec<f64> = numbers(table, "force").ok_or_else(|| missing("force"))?.collect();
    let [a, b] = ["body_a", "body_b"].map(|name| texts(table, name).unwrap_or_default());
    let mut series: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for row in rows {
        let name = [&a[row], &b[row]].map(|name| name.clone().unwrap_or_default()).join(", ");
        series.entry(name).or_default().push([time[row], force[row]]);
    }
    let series = series.into_iter().map(|(name, points)| Series { name, points, mark: Mark::Dots });
    Ok(figure("time (time)", "force (force)", series.collect()))
}

fn events(run: &Run, body: Option<&str>) -> Result<Figure, Failure> {
    let time = times(&run.events)?;
    let kinds = texts(&run.events, "event").ok_or_else(|| missing("event"))?;
    let rows = of_body(&run.events, body, 0..run.events.rows())?;
    let mut series: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows {
        series.entry(kinds[row].clone().unwrap_or_default()).or_default().push(time[row]);
    }
    let names: Vec<String> = series.keys().cloned().collect();
    let series = series.into_values().zip(&names).zip(0_u32..).map(|((times, name), row)| Series {
        name: name.clone(),
        points: times.into_iter().map(|t| [t, f64::from(row)]).collect(),
        mark: Mark::Dots,
    });
    Ok(Figure { rows: names.clone(), ..figure("time (time)", "event (kind)", series.collect()) })
}
