//! The page of the command in the book is what the command says of itself. `BLESS=1 cargo test -p engine2d-cli --test reference`
//! writes it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands before the list.
const HEADING: &str = "# The command\n\n<!-- Written by `BLESS=1 cargo test -p engine2d-cli --test reference`. -->\n\n\
    What `engine2d help COMMAND` says. Exit codes: 0; 1 if something went wrong; 2 for a bad scene or a wrong command line; 130 after Ctrl-C.\n";

fn help(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("the command starts");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn the_page_of_the_command_is_what_it_says() {
    let summary = help(&["--help"]);
    let listed = summary.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands = listed.lines().filter_map(|line| line.split_whitespace().next());
    let mut page = HEADING.to_owned();
    for command in commands.filter(|command| *command != "help") {
        let text = help(&["help", command]);
        write!(page, "\n## {command}\n\n```text\n{text}\n```\n").unwrap();
    }
    assert!(page.matches("\n## ").count() >= 7);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/command.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(page, fs::read_to_string(&path).unwrap(), "the page differs: bless it");
}
