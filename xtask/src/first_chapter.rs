//! `cargo xtask first-chapter`: the first chapter of the book by copy and paste, as a reader has it: with the installed command in an
//! empty folder, and with a program in an empty crate.

use crate::packages::profile;
use crate::{TaskError, lab, say, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The chapter, in the workspace.
const CHAPTER: &str = "docs/book/src/first-scene.md";

/// Where the chapter takes the checkout to be, seen from the new crate.
const CHECKOUT: &str = "../engine2d/";

/// The crate that the chapter makes.
const CRATE: &str = "falling";

/// How to follow the chapter.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Builds everything anew with the newest versions there are, as a reader does, not with what the workspace has built.
    #[arg(long)]
    anew: bool,
    /// Uses this command in the place of one that is installed.
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
}

/// A block of the chapter: what stands behind its fence, the line where it begins, its text.
#[derive(Debug, PartialEq)]
struct Block {
    info: String,
    line: usize,
    text: String,
}

/// Where the chapter is followed.
struct Reader<'a> {
    options: &'a Options,
    chapter: &'a str,
    folder: PathBuf,
    /// What the last block of commands printed.
    said: String,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let chapter = fs::read_to_string(workspace().join(CHAPTER))?;
    let folder = std::env::temp_dir().join(format!("engine2d-first-chapter-{}", std::process::id()));
    fs::create_dir_all(folder.join("empty"))?;
    if !options.anew {
        // With the workspace's settings of its release profile a crate elsewhere can use what is built here.
        let manifest = fs::read_to_string(workspace().join("Cargo.toml"))?;
        fs::create_dir_all(folder.join(".cargo"))?;
        fs::write(folder.join(".cargo/config.toml"), profile(&manifest, "release")?)?;
    }
    let mut reader = Reader { options, chapter: &chapter, folder, said: String::new() };
    let blocks = blocks(&chapter);
    let followed = blocks.iter().try_for_each(|block| {
        reader.follow(block).map_err(|error| format!("{CHAPTER}, line {}: {error}", block.line).into())
    });
    fs::remove_dir_all(&reader.folder)?;
    followed.map(|()| {
        say(&format!("{} blocks followed", blocks.len()));
        ExitCode::SUCCESS
    })
}

impl Reader<'_> {
    fn follow(&mut self, block: &Block) -> Result<(), TaskError> {
        let empty = self.folder.join("empty");
        match block.info.split_once(' ').unwrap_or((&block.info, "")) {
            ("sh", "install") if block.text.contains("cargo install") => match &self.options.command {
                Some(command) => {
                    let place = self.folder.join("installed/bin");
                    fs::create_dir_all(&place)?;
                    fs::copy(command, place.join(format!("engine2d{}", std::env::consts::EXE_SUFFIX)))?;
                }
                None => self.shell(&workspace(), &block.text, 0)?,
            },
            ("sh", "install") => {
                let checkout = format!("{}/", workspace().canonicalize()?.display());
                self.shell(&empty, &block.text.replace(CHECKOUT, &checkout), 0)?;
            }
            ("sh", "") => self.shell(&empty, &block.text, 0)?,
            ("sh", rest) => {
                let code = rest.strip_prefix("exit ").and_then(|code| code.parse().ok());
                self.shell(&empty, &block.text, code.ok_or("an exit code is needed")?)?;
            }
            ("json", "") => told(&fs::read_to_string(empty.join("first/events.jsonl"))?, &block.text)?,
            ("json", file) => fs::write(empty.join(file), &block.text)?,
            ("text", "output") => {
                if let Some(line) = block.text.lines().find(|line| !self.said.contains(line)) {
                    return Err(format!("{line:?} is not in what was printed:\n{}", self.said).into());
                }
            }
            ("rust", _) => self.program(&empty.join(CRATE), &block.text)?,
            (other, _) => return Err(format!("what is {other:?}?").into()),
        }
        Ok(())
    }

    /// Runs commands in a folder, with the installed command on the path.
    fn shell(&mut self, folder: &Path, commands: &str, code: i32) -> Result<(), TaskError> {
        let installed = self.folder.join("installed");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(installed.join("bin")).chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", commands]).current_dir(folder).stdin(Stdio::null());
        shell.env("PATH", std::env::join_paths(path)?).env("CARGO_INSTALL_ROOT", &installed);
        if !self.options.anew {
            // Cargo builds in the folder of the workspace what has been built there.
            let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(lab::target, PathBuf::from);
            shell.env("CARGO_TARGET_DIR", std::path::absolute(target)?);
        }
        let output = shell.output()?;
        self.said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() == Some(code) {
            return Ok(());
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{commands}ends with {}, not with {code}:\n{}{errors}", output.status, self.said).into())
    }

    /// Runs the program of the chapter in the crate that the blocks before have made; its last line is told in the chapter.
    fn program(&mut self, folder: &Path, text: &str) -> Result<(), TaskError> {
        fs::write(folder.join("src/main.rs"), text)?;
        if !self.options.anew {
            fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        }
        self.shell(folder, "cargo run --release\n", 0)?;
        let last = self.said.lines().last().unwrap_or_default();
        if self.chapter.contains(&format!("`{last}`")) {
            return Ok(());
        }
        Err(format!("the program ends with {last:?}, of which the chapter says nothing").into())
    }
}

/// Whether a line of a file begins as an object that the chapter shows.
fn told(lines: &str, object: &str) -> Result<(), TaskError> {
    let begin = object.trim_end().trim_end_matches('}');
    if lines.lines().any(|line| line.starts_with(begin)) {
        return Ok(());
    }
    Err(format!("no line begins with {begin}").into())
}

/// The fenced blocks of a page.
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
            block.text += line;
            block.text.push('\n');
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_blocks() {
        let page = "text\n```json a.json\n{}\n```\n\n```sh exit 2\none\ntwo\n```\n";
        let block = |info: &str, line, text: &str| Block { info: info.into(), line, text: text.into() };
        assert_eq!(blocks(page), [block("json a.json", 2, "{}\n"), block("sh exit 2", 6, "one\ntwo\n")]);
    }

    #[test]
    fn an_object_of_the_chapter_is_the_begin_of_a_line() {
        let lines =
            "{\"event\":\"begin\",\"time\":1.0}\n{\"event\":\"collision\",\"time\":2.0,\"impulse\":3.0}\n";
        assert!(told(lines, "{\"event\":\"collision\",\"time\":2.0}\n").is_ok());
        assert!(told(lines, "{\"event\":\"collision\",\"time\":2.5}\n").is_err());
    }
}
