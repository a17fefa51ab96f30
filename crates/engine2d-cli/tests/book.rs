//! The scenes and commands of the book: every page is tried in an empty folder, from its first block to its last, as a reader
//! would; and the links of all pages lead somewhere.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the documents.
fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A fenced block of a page: what stands behind the fence, the line where it begins, and its text.
struct Block {
    info: String,
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            if !inside {
                found.push(Block { info: info.trim().to_owned(), line: number + 1, text: String::new() });
            }
            inside = !inside;
        } else if let (true, Some(block)) = (inside, found.last_mut()) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    found
}

/// The Markdown files of a folder, by name.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// Runs a block of commands in a folder with the command of this build, and gives what it said.
fn run(folder: &Path, commands: &str, expected: i32, place: &str) -> String {
    let built = Path::new(env!("CARGO_BIN_EXE_engine2d")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", commands]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{place}: {commands}\n{said}\n{complained}");
    said
}

/// Whether a line in the events of a run in the folder begins as an object that the page shows.
fn happened(folder: &Path, object: &str) -> bool {
    let begin = object.trim_end().trim_end_matches('}');
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("events.jsonl"));
    let mut events = files.filter_map(|path| fs::read_to_string(path).ok());
    events.any(|text| text.lines().any(|line| line.starts_with(begin)))
}

/// Tries the blocks of a page; gives how many scenes were read and how many blocks of commands were run.
fn try_page(path: &Path) -> (usize, usize) {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(&name);
    let _none = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (mut scenes, mut commands, mut said) = (0, 0, String::new());
    let mut text = fs::read_to_string(path).unwrap();
    if name == "regression-snapshots" {
        text = fs::read_to_string(documents().join("regression-snapshots.md")).unwrap();
    }
    for block in blocks(&text) {
        let place = format!("{name}.md, line {}", block.line);
        let (language, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        match (language, rest) {
            ("json", "") => {
                let object: serde_json::Value =
                    serde_json::from_str(&block.text).unwrap_or_else(|error| panic!("{place}: {error}"));
                if object.get("event").is_some() {
                    assert!(happened(&folder, &block.text), "{place}: no line of events begins so");
                }
            }
            ("json", file) => {
                fs::write(folder.join(file), &block.text).unwrap();
                scenes += 1;
                // What is meant to be wrong says so, and a command after it shows the mistakes.
                if !file.starts_with("wrong") && !file.starts_with("sweep") {
                    run(&folder, &format!("engine2d validate --strict {file}"), 0, &place);
                }
            }
            ("sh", "") => {
                said = run(&folder, &block.text, 0, &place);
                commands += 1;
            }
            ("sh", "install") => {} // tried by hand: it needs a registry
            ("sh", exit) => {
                let code = exit.strip_prefix("exit ").and_then(|code| code.parse().ok());
                said = run(&folder, &block.text, code.unwrap_or_else(|| panic!("{place}: {exit}?")), &place);
                commands += 1;
            }
            ("text", "output") => {
                for line in block.text.lines() {
                    assert!(said.contains(line), "{place}: {line:?} is not in\n{said}");
                }
            }
            ("rust" | "text" | "python", "") => {}
            (other, _) => panic!("{place}: what is {other:?}?"),
        }
    }
    (scenes, commands)
}

#[test]
fn scenes_are_read_and_commands_do_what_the_book_says() {
    let tried: Vec<(usize, usize)> =
        pages(&documents().join("book/src")).iter().map(|path| try_page(path)).collect();
    let (scenes, commands) = tried.iter().fold((0, 0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
    assert!(scenes >= 4 && commands >= 6, "{scenes} scenes, {commands} blocks of commands");
}

#[test]
fn every_page_is_in_the_summary_and_every_chapter_is_there() {
    let folder = documents().join("book/src");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    for path in pages(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is in no list");
    }
    for line in summary.lines() {
        if let Some((_, rest)) = line.split_once("](") {
            assert!(folder.join(rest.trim_end_matches(')')).is_file(), "{line}");
        }
    }
    // A page that stands for another one names a file that is there.
    for path in pages(&folder) {
        let text = fs::read_to_string(&path).unwrap();
        if let Some(file) = text.trim().strip_prefix("{{#include ") {
            assert!(folder.join(file.trim_end_matches("}}")).is_file(), "{}: {file}", path.display());
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut checked = 0;
    let files = [documents(), documents().join("book/src"), documents().join("..")];
    for path in files.iter().flat_map(|folder| pages(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        for (start, _) in text.match_indices("](") {
            let Some((target, _)) = text[start + 2..].split_once(')') else { continue };
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.contains([' ', '`']) {
                continue;
            }
            let place = path.parent().unwrap().join(file);
            assert!(place.exists(), "{}: {target} leads nowhere", path.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} links");
}
