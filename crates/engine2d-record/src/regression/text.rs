//! The text of a motion: one value or event a line, so that a difference is a difference of lines.

use super::motion::{DIGITS, FIELDS, MotionRecord, Sample, Told};
use std::fmt::Write;

/// What the heading says of the text.
const EXPRESSION: &str = "engine2d motion 1";

/// Why a text is not that of a motion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TextError {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// A number with all its digits, and with all that are 0.
fn number(value: f64) -> String {
    format!("{value:.*e}", DIGITS - 1)
}

/// A text in quotes, on one line.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl MotionRecord {
    /// The text to commit, in the format of insta's snapshots: a heading with where the scene comes from and why the motion is
    /// what it is, then the motion.
    #[must_use]
    pub fn to_text(&self, source: &str, reason: &str) -> String {
        let mut text = format!(
            "---\nsource: {}\ndescription: {}\nexpression: {EXPRESSION}\n---\n",
            quoted(source),
            quoted(reason)
        );
        // Writing to a string cannot fail.
        let out = &mut text;
        let _never = writeln!(out, "until {}\ninterval {}", number(self.until), number(self.interval));
        let _never = writeln!(out, "fields {}", FIELDS.join(" "));
        for name in &self.bodies {
            let _never = writeln!(out, "body {}", quoted(name));
        }
        for sample in &self.samples {
            let _never = writeln!(out, "sample {}", number(sample.time));
            for (name, values) in self.bodies.iter().zip(&sample.bodies) {
                let _never = writeln!(out, "  {} {}", values.map(number).join(" "), quoted(name));
            }
        }
        for Told { time, what, size } in &self.events {
            let size = size.map_or_else(|| "-".to_owned(), number);
            let _never = writeln!(out, "event {} {size} {what}", number(*time));
        }
        for (name, value) in &self.statistics {
            let _never = writeln!(out, "count {name}: {value}");
        }
        for (name, bits) in self.bodies.iter().zip(&self.bits) {
            let _never = writeln!(out, "bits {bits} {}", quoted(name));
        }
        text
    }

    /// Reads a text that [`to_text`](Self::to_text) wrote.
    ///
    /// # Errors
    /// [`TextError`] with the line.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let mut record = Self::default();
        let mut heading = 0;
        for (k, line) in text.lines().enumerate() {
            let wrong = |problem: &str| TextError { line: k + 1, problem: problem.to_owned() };
            if line == "---" && heading < 2 {
                heading += 1;
                continue;
            }
            if heading < 2 {
                if let Some(found) = line.strip_prefix("expression: ").filter(|found| *found != EXPRESSION) {
                    return Err(wrong(&format!("{found:?} found, {EXPRESSION:?} expected")));
                }
                continue;
            }
            record.read(line).map_err(|problem| wrong(&problem))?;
        }
        let of_all = record.samples.iter().all(|sample| sample.bodies.len() == record.bodies.len());
        if record.samples.is_empty() || !of_all || record.bits.len() != record.bodies.len() {
            let problem = "it ends too early: samples or bits of some bodies are missing".to_owned();
            return Err(TextError { line: text.lines().count(), problem });
        }
        Ok(record)
    }

    /// Reads a line of the motion.
    fn read(&mut self, line: &str) -> Result<(), String> {
        let value = |word: &str| word.parse::<f64>().map_err(|_| format!("{word:?} is not a number"));
        if let Some(values) = line.strip_prefix("  ") {
            let mut state = [0.0; 6];
            let mut words = values.split(' ');
            for slot in &mut state {
                *slot = value(words.next().unwrap_or_default())?;
            }
            let sample = self.samples.last_mut().ok_or("a state before the first sample")?;
            sample.bodies.push(state);
            return Ok(());
        }
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        match what {
            "until" => self.until = value(rest)?,
            "interval" => self.interval = value(rest)?,
            "fields" if rest == FIELDS.join(" ") => {}
            "body" => self
                .bodies
                .push(serde_json::from_str(rest).map_err(|_| format!("{rest} is not a name in quotes"))?),
            "sample" => self.samples.push(Sample { time: value(rest)?, bodies: Vec::new() }),
            "event" => {
                let mut words = rest.splitn(3, ' ');
                let time = value(words.next().unwrap_or_default())?;
                let size = match words.next().unwrap_or_default() {
                    "-" => None,
                    word => Some(value(word)?),
                };
                self.events.push(Told { time, what: words.next().unwrap_or_default().to_owned(), size });
            }
            "count" => {
                let (name, value) = rest.split_once(": ").ok_or("a count without a value")?;
                self.statistics.push((name.to_owned(), value.to_owned()));
            }
            "bits" => self.bits.push(rest.split(' ').next().unwrap_or_default().to_owned()),
            _ => return Err(format!("{what:?} is not known here")),
        }
        Ok(())
    }
}

/// The reason in the heading of a text, if it has one.
#[must_use]
pub fn reason(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("description: "))?;
    serde_json::from_str(line).ok()
}
