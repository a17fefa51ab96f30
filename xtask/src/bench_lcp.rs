//! `cargo xtask bench lcp DIR`: times of the solvers on contact problems. With the feature `peers`, that is
//! `cargo run --release -p xtask --features peers -- bench lcp DIR`, those of `clarabel` beside them.

#[cfg(feature = "peers")]
mod clarabel;

use crate::measure::median_time;
use crate::{TaskError, say};
#[cfg(feature = "peers")]
use engine2d_lcp::tolerance::SOLVED;
use engine2d_lcp::{Lcp, Method, Set, Solution, Solver, Status, Workspace};
use engine2d_oracle::{Instance, contact_instances};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of contact problems.
    dir: PathBuf,
    /// Only these families, separated by commas.
    #[arg(long, value_delimiter = ',')]
    families: Vec<String>,
    /// Only files up to this size.
    #[arg(long)]
    max_n: Option<usize>,
    /// Only `auto`.
    #[arg(long)]
    auto: bool,
    /// Writes the medians of `auto` by family and size to the baseline, beside which later ones are shown.
    #[arg(long)]
    bless: bool,
    /// Writes the medians of `auto`, and with the feature `peers` how many times longer they take, into the README of
    /// `engine2d-lcp`.
    #[arg(long)]
    readme: bool,
    /// Writes the measurements as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Name of the time of one factorization of the clamped rows and one product.
const FLOOR: &str = "factorization+product";
/// Rows up to which problems are given by their matrix, and dense methods are tried.
const DENSE: usize = 400;
/// Contacts up to which Lemke's tableau is tried.
const LEMKE: usize = 100;
/// Rows up to which a dense Cholesky factorization is timed.
const CHOLESKY: usize = 1600;
/// Medians by family and solver: size the file is named after, number of rows, microseconds.
type Table = BTreeMap<(String, &'static str), Vec<(usize, f64, f64)>>;

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let mut records = Vec::new();
    let mut table = Table::new();
    for path in files(options)? {
        let value = read(&path)?;
        for instance in contact_instances(&value) {
            match instance {
                Ok(instance) => measure(&instance, options.auto, &mut records, &mut table)?,
                Err((name, reason)) => say(&format!("{name}: {reason}")),
            }
        }
    }
    for ((family, solver), points) in &table {
        if let Some(exponent) = exponent(points) {
            say(&format!("{family:16} {solver:22} time ~ n^{exponent:.2} from n = 50"));
        }
    }
    say_warm_ratios(&table);
    compare(&table, options.bless)?;
    #[cfg(feature = "peers")]
    say_ratios(&table);
    if options.readme {
        let times = markdown(&table, |family, target| median(&table, family, Method::Auto.name(), target));
        crate::readme::replace("engine2d-lcp", "bench lcp", &times)?;
        #[cfg(feature = "peers")]
        crate::readme::replace("engine2d-lcp", "bench lcp peers", &markdown(&table, ratio(&table)))?;
    }
    if let Some(path) = &options.json {
        std::fs::write(path, serde_json::to_string_pretty(&records)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The files asked for, by family and size.
fn files(options: &Options) -> Result<Vec<PathBuf>, TaskError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&options.dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".gz").trim_end_matches(".json");
        let Some((family, size)) = stem.rsplit_once("_n") else { continue };
        let Ok(size) = size.parse::<usize>() else { continue };
        let wanted = options.families.is_empty() || options.families.iter().any(|f| f == family);
        if wanted && options.max_n.is_none_or(|max| size <= max) {
            found.push(((family.to_owned(), size), path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn read(path: &Path) -> Result<Value, TaskError> {
    let bytes = std::fs::read(path)?;
    if path.extension().is_some_and(|e| e == "gz") {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text)?;
        return Ok(serde_json::from_slice(&text)?);
    }
    Ok(serde_json::from_slice(&bytes)?)
}

fn measure(
    instance: &Instance,
    only_auto: bool,
    records: &mut Vec<Value>,
    table: &mut Table,
) -> Result<(), TaskError> {
    let dense = if instance.n <= DENSE { Some(instance.dense()?) } else { None };
    let problem = dense.as_ref().unwrap_or(&instance.problem);
    let cholesky = cholesky_time(problem.len());
    let mut line = format!("{:28} n {:5}", instance.id, instance.n);
    let mut right: Option<Vec<Set>> = None;
    for method in Method::ALL {
        if only_auto && method != Method::Auto || !worthwhile(method, problem, instance) {
            continue;
        }
        let (record, text) =
            time(instance, problem, method.name(), Solver::with(method), None, cholesky, table)?;
        line.push_str(&text);
        if method == Method::Auto && record["status"] == "solved" {
            right = serde_json::from_value(record["sets"].clone()).ok();
        }
        records.push(without_sets(record));
    }
    if let Some(sets) = right.filter(|_| dense.is_some() && !problem.has_friction()) {
        let solver = Solver::with(Method::Pivoting);
        let (mut record, text) = time(instance, problem, "warm", solver, Some(&sets), cholesky, table)?;
        line.push_str(&text);
        // What no warm start can do without: one factorization of the clamped rows and one product.
        let clamped = sets.iter().filter(|s| **s == Set::Clamped).count();
        let (f, mut a) = (vec![1.0; problem.len()], vec![0.0; problem.len()]);
        let floor = cholesky_time(clamped).unwrap_or(0.0) + median_time(|| problem.accelerations(&f, &mut a));
        let key = (instance.family.clone(), FLOOR);
        table.entry(key).or_default().push((instance.target, instance.n as f64, floor));
        record["floor_us"] = json!(floor);
        records.push(without_sets(record));
    }
    #[cfg(feature = "peers")]
    if !problem.has_friction() && (dense.is_some() || !instance.family.starts_with("rand")) {
        for peer in clarabel::measure(&instance.problem)? {
            line.push_str(&format!(" | {} {:.2} us {:.0e}", peer.solver, peer.median, peer.residual));
            let key = (instance.family.clone(), peer.solver);
            table.entry(key).or_default().push((instance.target, instance.n as f64, peer.median));
            let status = if peer.residual <= SOLVED { "solved" } else { "tolerance-missed" };
            records.push(json!({
                "id": instance.id, "family": instance.family, "n": instance.n,
                "target_n": instance.target, "solver": peer.solver, "median_us": peer.median,
                "certificate": peer.residual, "status": status, "iterations": peer.iterations,
            }));
        }
    }
    say(&line);
    Ok(())
}

/// How many times longer the faster form of `clarabel` takes than `auto`, by family and size.
#[cfg(feature = "peers")]
fn say_ratios(table: &Table) {
    say_quotients(table, "clarabel / auto", ratio(table));
}

/// See [`say_ratios`].
#[cfg(feature = "peers")]
fn ratio(table: &Table) -> impl Fn(&str, usize) -> Option<f64> {
    |family, target| {
        let forces = median(table, family, "clarabel-forces", target)?;
        let accelerations = median(table, family, "clarabel-accelerations", target)?;
        Some(forces.min(accelerations) / median(table, family, Method::Auto.name(), target)?)
    }
}

/// A table of numbers by family and size, with two digits.
fn markdown(table: &Table, number: impl Fn(&str, usize) -> Option<f64>) -> Vec<String> {
    let sizes: BTreeSet<usize> = table.values().flatten().map(|point| point.0).collect();
    let families: BTreeSet<&String> = table.keys().map(|(family, _)| family).collect();
    let cells = |title: &str, cell: &dyn Fn(usize) -> String| {
        let line: String = sizes.iter().map(|&size| format!(" {} |", cell(size))).collect();
        format!("| {title} |{line}")
    };
    let mut lines = vec![cells("family", &|size| size.to_string()), cells("---", &|_| "---".to_owned())];
    for family in families {
        let line = cells(family, &|size| number(family, size).map_or(String::new(), two_digits));
        if line.chars().any(|c| c.is_ascii_digit()) {
            lines.push(line);
        }
    }
    lines
}

/// A positive number with two digits at least.
fn two_digits(value: f64) -> String {
    if value < 1.0 {
        format!("{value:.2}")
    } else if value < 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// How many times longer a warm start takes than what it cannot do without, by family and size.
fn say_warm_ratios(table: &Table) {
    say_quotients(table, "warm / (factorization + product)", |family, target| {
        Some(median(table, family, "warm", target)? / median(table, family, FLOOR, target)?)
    });
}

/// The committed medians of `auto`.
fn baseline() -> PathBuf {
    crate::workspace().join("xtask/bench-lcp.json")
}

/// The medians of `auto` beside those of the baseline: the ratio of each cell, their geometric mean and the largest.
fn compare(table: &Table, bless: bool) -> Result<(), TaskError> {
    let mut cells: BTreeMap<String, BTreeMap<usize, f64>> = BTreeMap::new();
    for ((family, solver), points) in table {
        for (target, ..) in points.iter().filter(|_| *solver == Method::Auto.name()) {
            let Some(time) = median(table, family, solver, *target) else { continue };
            cells.entry(family.clone()).or_default().insert(*target, (time * 1000.0).round() / 1000.0);
        }
    }
    if bless {
        std::fs::write(baseline(), serde_json::to_string_pretty(&cells)? + "\n")?;
        return Ok(());
    }
    let text = std::fs::read_to_string(baseline())?;
    let before: BTreeMap<String, BTreeMap<usize, f64>> = serde_json::from_str(&text)?;
    let (mut sum, mut count, mut worst) = (0.0, 0.0, (0.0, String::new()));
    for (family, sizes) in &cells {
        let mut line = String::new();
        for (target, time) in sizes {
            let Some(before) = before.get(family).and_then(|sizes| sizes.get(target)) else { continue };
            let ratio = time / before;
            line.push_str(&format!(" {target}:{ratio:.2}"));
            (sum, count) = (sum + ratio.ln(), count + 1.0);
            if ratio > worst.0 {
                worst = (ratio, format!("{family} {target}"));
            }
        }
        say(&format!("{family:16} time / baseline by n:{line}"));
    }
    let mean = if count > 0.0 { f64::exp(sum / count) } else { f64::NAN };
    say(&format!("geometric mean of {count} ratios {mean:.3}, largest {:.2} ({})", worst.0, worst.1));
    Ok(())
}

fn median(table: &Table, family: &str, solver: &'static str, target: usize) -> Option<f64> {
    let points = table.get(&(family.to_owned(), solver))?;
    let mut times: Vec<f64> = points.iter().filter(|p| p.0 == target).map(|p| p.2).collect();
    times.sort_by(f64::total_cmp);
    // Of an even number the mean of the two in the middle.
    let (low, high) = (times.len().checked_sub(1)? / 2, times.len() / 2);
    Some(0.5 * (times[low] + times[high]))
}

/// A line for each family with a quotient for each size.
fn say_quotients(table: &Table, title: &str, quotient: impl Fn(&str, usize) -> Option<f64>) {
    for ((family, _), points) in table.iter().filter(|((_, solver), _)| *solver == Method::Auto.name()) {
        let mut targets: Vec<usize> = points.iter().map(|p| p.0).collect();
        targets.sort_unstable();
        targets.dedup();
        let part = |target: usize| Some(format!(" {target}:{:.1}", quotient(family, target)?));
        let text: String = targets.into_iter().filter_map(part).collect();
        if !text.is_empty() {
            say(&format!("{family:16} {title} by n:{text}"));
        }
    }
}

fn without_sets(mut record: Value) -> Value {
    if let Some(fields) = record.as_object_mut() {
        fields.remove("sets");
    }
    record
}

/// Whether a method is worth its time on a problem of this size.
fn worthwhile(method: Method, problem: &Lcp<'_>, instance: &Instance) -> bool {
    Solver::with(method).applies(problem)
        && match method {
            Method::Auto => true,
            Method::Lemke => instance.n <= LEMKE,
            Method::InteriorPoint => !instance.family.starts_with("rand"),
            Method::Friction => false,
            _ => instance.n <= DENSE,
        }
}

/// Times one solver; the record and what to print of it.
fn time(
    instance: &Instance,
    problem: &Lcp<'_>,
    name: &'static str,
    solver: Solver,
    warm: Option<&[Set]>,
    cholesky: Option<f64>,
    table: &mut Table,
) -> Result<(Value, String), TaskError> {
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    solver.solve_into(problem, warm, &mut workspace, &mut solution)?;
    // Large problems are timed with their ordering and analysis, which a used workspace would keep.
    let fresh = instance.n > DENSE;
    let median = median_time(|| {
        // The forces of the last solve must not help an iterative method.
        if name == Method::GaussSeidel.name() {
            solution.f.clear();
        }
        if fresh {
            workspace = Workspace::new();
        }
        let _ = solver.solve_into(problem, warm, &mut workspace, &mut solution);
    });
    let status = serde_json::to_value(solution.status)?;
    if solution.status == Status::Solved {
        let key = (instance.family.clone(), name);
        table.entry(key).or_default().push((instance.target, instance.n as f64, median));
    }
    let certificate = solution.certificate;
    let times = cholesky.map(|c| median / c);
    let record = json!({
        "id": instance.id, "family": instance.family, "n": instance.n, "target_n": instance.target,
        "solver": name, "method": solution.method.name(), "median_us": median,
        "certificate": certificate.residual, "excess": certificate.excess, "status": status,
        "pivots": solution.stats.pivots, "factorizations": solution.stats.factorizations,
        "iterations": solution.stats.iterations, "cholesky_us": cholesky, "times_cholesky": times,
        "sets": solution.sets,
    });
    let mark = if solution.status == Status::Solved { "" } else { "!" };
    let factor = times.map_or(String::new(), |t| format!(" {t:.1}xCh"));
    let text = format!(
        " | {name} {median:.2} us{factor} p{} {:.0e}{mark}",
        solution.stats.pivots, certificate.residual
    );
    Ok((record, text))
}

/// Time of one dense Cholesky factorization by faer, in place, one thread.
fn cholesky_time(n: usize) -> Option<f64> {
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
    if n == 0 || n > CHOLESKY {
        return None;
    }
    let entry = |i: usize, j: usize| if i == j { n as f64 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
    let original = faer::Mat::from_fn(n, n, entry);
    let mut work = original.clone();
    let request = cholesky_in_place_scratch::<f64>(n, faer::Par::Seq, Default::default());
    let mut memory = MemBuffer::new(request);
    Some(median_time(|| {
        work.copy_from(&original);
        let stack = MemStack::new(&mut memory);
        let _ =
            cholesky_in_place(work.as_mut(), Default::default(), faer::Par::Seq, stack, Default::default());
    }))
}

/// Slope of log time over log size for the larger problems.
fn exponent(points: &[(usize, f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(_, n, _)| *n >= 45.0).map(|(_, n, t)| (n.ln(), t.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / count, s.1 + p.1 / count));
    let (xx, xy) =
        logs.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - x).powi(2), s.1 + (p.0 - x) * (p.1 - y)));
    (xx > 0.1).then_some(xy / xx)
}
