//! Which lines were run, from the lcov format, without those of tests.

use std::collections::BTreeMap;
use std::path::Path;

/// Lines of code by number, and how many of them were run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lines {
    pub(super) all: usize,
    pub(super) run: usize,
    pub(super) missed: Vec<u32>,
}

impl Lines {
    /// Counts those of another file too.
    pub(super) fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.run += other.run;
    }

    /// Share that was run (%); all of nothing.
    pub(super) fn percent(&self) -> f64 {
        if self.all == 0 { 100.0 } else { 100.0 * self.run as f64 / self.all as f64 }
    }

    /// Stretches of lines that were not run, as `from-to`.
    pub(super) fn missed(&self) -> String {
        let mut stretches: Vec<[u32; 2]> = Vec::new();
        for &line in &self.missed {
            match stretches.last_mut() {
                Some([_, last]) if *last + 1 == line => *last = line,
                _ => stretches.push([line, line]),
            }
        }
        let told =
            |&[from, to]: &[u32; 2]| if from == to { from.to_string() } else { format!("{from}-{to}") };
        stretches.iter().map(told).collect::<Vec<_>>().join(" ")
    }
}

/// The files of the libraries in a report, by their paths within the workspace.
pub(super) fn read(report: &str, workspace: &Path) -> BTreeMap<String, Lines> {
    let mut files = BTreeMap::new();
    for record in report.split("end_of_record") {
        let Some(path) = record.lines().find_map(|line| line.strip_prefix("SF:")) else { continue };
        let Ok(own) = Path::new(path).strip_prefix(workspace) else { continue };
        let own = own.to_string_lossy().replace('\\', "/");
        if !is_library(&own) {
            continue;
        }
        let tests = std::fs::read_to_string(path).map_or(u32::MAX, |text| first_of_tests(&text));
        files.insert(own, count(record, tests));
    }
    files
}

/// Whether a file is a part of a library that is not a test.
fn is_library(path: &str) -> bool {
    let mut parts = path.split('/');
    let source = parts.next() == Some("crates") && parts.nth(1) == Some("src");
    source && !parts.any(|part| part == "tests.rs" || part == "tests")
}

/// The line at which the tests of a file begin, which end it.
fn first_of_tests(text: &str) -> u32 {
    let lines: Vec<&str> = text.lines().collect();
    let is_module =
        |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{');
    lines.windows(2).position(is_module).map_or(u32::MAX, |at| at as u32 + 1)
}

/// The lines of a record before some line.
fn count(record: &str, before: u32) -> Lines {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let data = record.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(','));
    for (line, hits) in data {
        if let (Ok(line), Ok(hits)) = (line.parse(), hits.parse::<u64>()) {
            *counts.entry(line).or_insert(0) += hits;
        }
    }
    let counts: Vec<(u32, u64)> = counts.into_iter().filter(|(line, _)| *line < before).collect();
    let missed: Vec<u32> = counts.iter().filter(|(_, hits)| *hits == 0).map(|(line, _)| *line).collect();
    Lines { all: counts.len(), run: counts.len() - missed.len(), missed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_before_the_tests_are_counted_once_each() {
        let record = "SF:a.rs\nDA:1,3\nDA:2,0\nDA:3,0\nDA:3,1\nDA:5,0\nDA:6,0\nDA:9,4\n";
        let lines = count(record, 9);
        assert_eq!((lines.all, lines.run), (5, 2));
        assert_eq!(lines.missed(), "2 5-6");
        assert!((lines.percent() - 40.0).abs() < 1e-12);
    }

    #[test]
    fn tests_at_the_end_of_a_file_and_in_files_of_their_own_are_left_out() {
        assert_eq!(first_of_tests("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n"), 3);
        assert_eq!(first_of_tests("#[cfg(test)]\nmod tests;\nfn a() {}\n"), u32::MAX);
        assert!(is_library("crates/engine2d-lcp/src/friction/newton.rs"));
        assert!(!is_library("crates/engine2d-lcp/src/stepper/tests.rs"));
        assert!(!is_library("crates/engine2d-lcp/tests/stress.rs"));
        assert!(!is_library("xtask/src/main.rs"));
    }
}
