//! From a JSON tree to a sweep: each mistake with its path.

use crate::error::SweepError;
use crate::fingerprint::fingerprint;
use crate::measure::Measure;
use crate::path::steps;
use crate::plan::{FORMAT, Parameter, Repeats, Sweep, VERSION, Variation};
use crate::sampling::{Method, samples};
use serde_json::{Map, Value};

/// Most runs of a sweep: more than any machine would finish.
const MOST_RUNS: u64 = 1_000_000_000;

/// Most samples, and most values of a parameter: they are held in memory.
const MOST_VALUES: u64 = 10_000_000;

type Fields = Map<String, Value>;

fn object<'t>(tree: &'t Value, at: &str, allowed: &[&str]) -> Result<&'t Fields, SweepError> {
    let fields = tree.as_object().ok_or_else(|| SweepError::at(at, "an object is needed"))?;
    match fields.keys().find(|key| !allowed.contains(&key.as_str())) {
        Some(key) => {
            let path = if at == ROOT { key.clone() } else { format!("{at}.{key}") };
            Err(SweepError::at(path, format!("unknown field (allowed here: {})", allowed.join(", "))))
        }
        None => Ok(fields),
    }
}

/// Where the whole sweep is.
const ROOT: &str = "sweep";

fn text<'t>(fields: &'t Fields, name: &str, at: &str) -> Result<&'t str, SweepError> {
    let found = fields.get(name).and_then(Value::as_str);
    found.ok_or_else(|| SweepError::at(format!("{at}.{name}"), "a text is needed"))
}

fn number(fields: &Fields, name: &str, at: &str) -> Result<f64, SweepError> {
    let found = fields.get(name).and_then(Value::as_f64);
    found.ok_or_else(|| SweepError::at(format!("{at}.{name}"), "a number is needed"))
}

fn whole(value: &Value, at: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, SweepError> {
    let problem = || format!("a whole number from {} to {} is needed", range.start(), range.end());
    value.as_u64().filter(|n| range.contains(n)).ok_or_else(|| SweepError::at(at, problem()))
}

/// A point of a range: evenly, or evenly in the logarithm.
fn between([from, to]: [f64; 2], share: f64, log: bool) -> f64 {
    if log { from * (to / from).powf(share) } else { from + (to - from) * share }
}

/// Whether a range is spaced by its logarithm.
fn is_log(fields: &Fields, at: &str, [from, to]: [f64; 2]) -> Result<bool, SweepError> {
    match fields.get("scale").map(Value::as_str) {
        None | Some(Some("linear")) => Ok(false),
        Some(Some("log")) if from > 0.0 && to > 0.0 => Ok(true),
        Some(Some("log")) => Err(SweepError::at(format!("{at}.scale"), "log needs ends > 0")),
        _ => Err(SweepError::at(format!("{at}.scale"), "linear or log is needed")),
    }
}

/// What a parameter does before the samples are drawn.
enum Drawn {
    Listed(Vec<Value>),
    Range([f64; 2], bool),
}

fn variation(fields: &Fields, at: &str) -> Result<Drawn, SweepError> {
    if let Some(values) = fields.get("values") {
        let list = values.as_array().filter(|list| !list.is_empty());
        let list =
            list.ok_or_else(|| SweepError::at(format!("{at}.values"), "a list of values is needed"))?;
        return Ok(Drawn::Listed(list.clone()));
    }
    if let Some(range) = fields.get("range") {
        let ends = range.as_array().and_then(|ends| match &ends[..] {
            [a, b] => Some([a.as_f64()?, b.as_f64()?]),
            _ => None,
        });
        let ends = ends.filter(|[a, b]| a <= b);
        let problem = "two numbers are needed, the smaller one first";
        let ends = ends.ok_or_else(|| SweepError::at(format!("{at}.range"), problem))?;
        return Ok(Drawn::Range(ends, is_log(fields, at, ends)?));
    }
    if fields.contains_key("from") {
        let ends = [number(fields, "from", at)?, number(fields, "to", at)?];
        let path = format!("{at}.count");
        let count = whole(fields.get("count").unwrap_or(&Value::Null), &path, 2..=MOST_VALUES)?;
        let log = is_log(fields, at, ends)?;
        let value = |k: u64| match k {
            0 => ends[0],
            k if k + 1 == count => ends[1],
            k => between(ends, k as f64 / (count - 1) as f64, log),
        };
        return Ok(Drawn::Listed((0..count).map(|k| value(k).into()).collect()));
    }
    Err(SweepError::at(at, "one of values, range, or from, to and count is needed"))
}

fn parameters(tree: &Fields) -> Result<(Vec<Parameter>, u64), SweepError> {
    let none = Value::Array(Vec::new());
    let list = tree.get("parameters").unwrap_or(&none).as_array();
    let list = list.ok_or_else(|| SweepError::at("parameters", "a list is needed"))?;
    let mut read = Vec::new();
    for (k, entry) in list.iter().enumerate() {
        let at = format!("parameters[{k}]");
        let fields =
            object(entry, &at, &["path", "name", "values", "range", "from", "to", "count", "scale"])?;
        let path = text(fields, "path", &at)?;
        let name = if fields.contains_key("name") { text(fields, "name", &at)? } else { path };
        read.push((name.to_owned(), steps(path, &format!("{at}.path"))?, variation(fields, &at)?));
    }
    let dimensions = read.iter().filter(|(_, _, drawn)| matches!(drawn, Drawn::Range(..))).count();
    let mut drawn = Vec::new();
    let mut count = 1;
    if dimensions > 0 {
        let sampling = tree.get("sampling").unwrap_or(&Value::Null);
        let fields = object(sampling, "sampling", &["method", "count", "seed"])?;
        let word = text(fields, "method", "sampling")?;
        let found = Method::ALL.iter().find(|(name, _)| *name == word);
        let known = "random, latin_hypercube or sobol is needed";
        let (_, method) = found.ok_or_else(|| SweepError::at("sampling.method", known))?;
        count = whole(fields.get("count").unwrap_or(&Value::Null), "sampling.count", 1..=MOST_VALUES)?;
        let seed = fields.get("seed").map_or(Ok(0), |seed| whole(seed, "sampling.seed", 0..=u64::MAX))?;
        drawn = samples(*method, dimensions, count as usize, seed)?;
    } else if tree.contains_key("sampling") {
        return Err(SweepError::at("sampling", "no parameter has a range: remove this, or give one"));
    }
    let mut drawn = drawn.into_iter();
    let finished = read.into_iter().map(|(name, steps, variation)| {
        let variation = match variation {
            Drawn::Listed(values) => Variation::Listed(values),
            Drawn::Range(ends, log) => {
                let shares = drawn.next().unwrap_or_default();
                Variation::Sampled(shares.into_iter().map(|share| between(ends, share, log)).collect())
            }
        };
        Parameter { name, steps, variation }
    });
    Ok((finished.collect(), count))
}

fn measures(tree: &Fields) -> Result<Vec<Measure>, SweepError> {
    let none = Value::Array(Vec::new());
    let list = tree.get("measures").unwrap_or(&none).as_array();
    let list = list.ok_or_else(|| SweepError::at("measures", "a list is needed"))?;
    let read = |(k, entry): (usize, &Value)| {
        let at = format!("measures[{k}]");
        let fields = object(entry, &at, &["name", "of", "reduce"])?;
        let (of, reduce) = (text(fields, "of", &at)?, text(fields, "reduce", &at)?);
        let name = match fields.contains_key("name") {
            true => text(fields, "name", &at)?.to_owned(),
            false => format!("{of}.{reduce}"),
        };
        Measure::read(&name, of, reduce, &at)
    };
    list.iter().enumerate().map(read).collect()
}

/// No column may have the name of another.
fn check_names(parameters: &[Parameter], measures: &[Measure]) -> Result<(), SweepError> {
    let mut seen = vec!["run", "repeat", "digest", "error"];
    let parameters =
        parameters.iter().enumerate().map(|(k, p)| (format!("parameters[{k}]"), p.name.as_str()));
    let measures = measures.iter().enumerate().map(|(k, m)| (format!("measures[{k}]"), m.name.as_str()));
    for (at, name) in parameters.chain(measures) {
        if seen.contains(&name) {
            return Err(SweepError::at(
                at,
                format!("there is a column {name:?} already: give another \"name\""),
            ));
        }
        seen.push(name);
    }
    Ok(())
}

impl Sweep {
    /// Reads a sweep from JSON text. Where its `scene` is a text, `scene` gives the JSON tree that is meant: a file's, or a
    /// built-in scene's.
    ///
    /// # Errors
    /// [`SweepError`] with the path of the first mistake.
    pub fn read(source: &str, scene: impl FnOnce(&str) -> Result<Value, String>) -> Result<Self, SweepError> {
        let tree: Value = serde_json::from_str(source).map_err(SweepError::NotJson)?;
        let known = [
            "$schema",
            "format",
            "version",
            "name",
            "scene",
            "parameters",
            "sampling",
            "repeats",
            "until",
            "measures",
        ];
        let fields = object(&tree, ROOT, &known)?;
        if fields.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(SweepError::at("format", format!("{FORMAT:?} is needed")));
        }
        if fields.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(SweepError::at("version", format!("{VERSION} is needed")));
        }
        let scene = match fields.get("scene") {
            Some(Value::String(name)) => scene(name).map_err(|problem| SweepError::at("scene", problem))?,
            Some(tree @ Value::Object(_)) => tree.clone(),
            _ => return Err(SweepError::at("scene", "a scene, or the name or path of one is needed")),
        };
        let (parameters, samples) = parameters(fields)?;
        let measures = measures(fields)?;
        check_names(&parameters, &measures)?;
        let until = match fields.get("until") {
            Some(until) => {
                Some(until.as_f64().ok_or_else(|| SweepError::at("until", "a number of seconds is needed"))?)
            }
            None => None,
        };
        let repeats = fields.get("repeats").map_or(Ok(1), |n| whole(n, "repeats", 1..=MOST_RUNS))?;
        let repeats = Repeats { count: repeats, seed: steps("settings.seed", "repeats")? };
        let mut listed = parameters.iter().filter_map(Parameter::listed);
        let count = listed.try_fold(samples.saturating_mul(repeats.count), u64::checked_mul);
        let count = count.filter(|count| *count <= MOST_RUNS);
        let count =
            count.ok_or_else(|| SweepError::at("parameters", format!("more than {MOST_RUNS} runs")))?;
        let (outside, digest) = (Vec::new(), digest_of(&tree));
        Ok(Self { scene, parameters, samples, repeats, until, measures, outside, count, digest })
    }
}

/// A fingerprint of the sweep's tree.
fn digest_of(tree: &Value) -> String {
    fingerprint([tree.to_string()].iter())
}
