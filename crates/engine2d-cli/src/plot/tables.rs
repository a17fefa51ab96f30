//! The tables of a run's folder: Parquet where there is, else text.

use crate::Failure;
use crate::folder::{EVENTS, TABLES, TRAJECTORY};
use crate::output::cannot;
use engine2d_table::{Column, Table, Values};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// What a run wrote.
pub(super) struct Run {
    pub(super) trajectory: Table,
    /// Only in runs of `--format parquet`.
    pub(super) contacts: Option<Table>,
    pub(super) events: Table,
}

impl Run {
    /// Reads a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let [trajectory, contacts, events] = TABLES.map(|name| folder.join(name));
        if trajectory.is_file() {
            return Ok(Self {
                trajectory: parquet(&trajectory)?,
                contacts: Some(parquet(&contacts)?),
                events: parquet(&events)?,
            });
        }
        let path = folder.join(TRAJECTORY);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let folder = folder.display();
                Failure::Other(format!(
                    "{folder} is no folder of a run: `engine2d run SCENE --out {folder}` makes one"
                ))
            }
            _ => cannot("read", &path, &error),
        })?;
        let table = csv(&text).ok_or_else(|| damaged(&path))?;
        let path = folder.join(EVENTS);
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        let events = lines(&text).ok_or_else(|| damaged(&path))?;
        Ok(Self { trajectory: table, contacts: None, events })
    }
}

fn damaged(path: &Path) -> Failure {
    Failure::Other(format!("{} is not as a run writes it", path.display()))
}

fn parquet(path: &Path) -> Result<Table, Failure> {
    let file = File::open(path).map_err(|error| cannot("read", path, &error))?;
    Table::read_parquet(file).map_err(|error| Failure::Other(format!("{}: {error}", path.display())))
}

/// The table of `trajectory.csv`.
fn csv(text: &str) -> Option<Table> {
    let (names, rows) = heading(text)?;
    let mut columns = vec![Vec::new(); names.len()];
    for row in rows.lines() {
        let mut numbers = row.split(',').map(str::parse::<f64>);
        for column in &mut columns {
            column.push(numbers.next()?.ok()?);
        }
    }
    let columns = names.into_iter().zip(columns).map(|(name, values)| Column::numbers(name, "", values));
    Table::new(columns.collect()).ok()
}

/// The names of the first row, some in quotes, and what follows it.
fn heading(text: &str) -> Option<(Vec<String>, &str)> {
    let (mut names, mut name, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' if quoted && characters.peek().is_some_and(|(_, next)| *next == '"') => {
                characters.next();
                name.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => names.push(std::mem::take(&mut name)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                names.push(name);
                return Some((names, &text[at + 1..]));
            }
            other => name.push(other),
        }
    }
    None
}

/// The columns of `events.jsonl` that plots are of.
fn lines(text: &str) -> Option<Table> {
    let (mut kinds, mut times, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for line in text.lines() {
        let event: serde_json::Value = serde_json::from_str(line).ok()?;
        kinds.push(Some(event.get("event")?.as_str()?.to_owned()));
        times.push(event.get("time")?.as_f64()?);
        let body = |k: usize| event.get("bodies")?.get(k)?.as_str().map(str::to_owned);
        first.push(body(0));
        second.push(body(1));
    }
    let columns = vec![
        Column::texts("event", kinds),
        Column::numbers("time", "time", times),
        Column::texts("body_a", first),
        Column::texts("body_b", second),
    ];
    Table::new(columns).ok()
}

/// A column of numbers, those that are absent left as not-a-numbers.
pub(super) fn numbers<'t>(table: &'t Table, name: &str) -> Option<impl Iterator<Item = f64> + 't> {
    match table.columns().iter().find(|column| column.name() == name)?.values() {
        Values::Numbers(values) => Some(values.iter().map(|value| value.unwrap_or(f64::NAN))),
        _ => None,
    }
}

/// A column of texts.
pub(super) fn texts<'t>(table: &'t Table, name: &str) -> Option<&'t [Option<String>]> {
    match table.columns().iter().find(|column| column.name() == name)?.values() {
        Values::Texts(values) => Some(values),
        _ => None,
    }
}

/// A column of flags.
pub(super) fn flags<'t>(table: &'t Table, name: &str) -> Option<&'t [Option<bool>]> {
    match table.columns().iter().find(|column| column.name() == name)?.values() {
        Values::Flags(values) => Some(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_quotes_are_read() {
        let table = csv("time,\"a,b.x\",\"say \"\"hi\"\".y\"\n0,1,2\n1,3,4\n").unwrap();
        let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
        assert_eq!(names, ["time", "a,b.x", "say \"hi\".y"]);
        assert_eq!(numbers(&table, "a,b.x").unwrap().collect::<Vec<_>>(), [1.0, 3.0]);
        assert!(csv("time,x\n0\n").is_none() && csv("time,x").is_none() && csv("time\nlate\n").is_none());
    }
}
