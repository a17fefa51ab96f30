//! `cargo xtask first-chapter`: the first chapter of the book by copy and paste, as a reader has it: with the installed command in an
//! empty folder, and with a program in an empty crate; then the page on regression snapshots, with the same command and crate.

use crate::packages::profile;
use crate::{TaskError, lab, say, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The pages, in the workspace, in the order in which they are followed.
const PAGES: [&str; 2] = ["docs/book/src/first-scene.md", "docs/regression-snapshots.md"];

/// Where the pages take the checkout to be, seen from the new crate.
const CHECKOUT: &str = "../engine2d/";

/// The crate that the first page makes.
const CRATE: &str = "falling";

/// How to follow the pages.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Builds everything anew with the newest versions there are, as a reader does, not with what the workspace has built.
    #[arg(long)]
    anew: bool,
    /// Uses this command in the place of one that is installed.
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
}

/// A block of a page: what stands behind its fence, the line where it begins, its text.
#[derive(Debug, PartialEq)]
struct Block {
    info: String,
    line: usize,
    text: String,
}

/// Where a page is followed.
struct Reader<'a> {
    options: &'a Options,
    page: &'a str,
    folder: PathBuf,
    /// What the last block of commands printed.
    said: String,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let folder = std::env::temp_dir().join(format!("engine2d-first-chapter-{}", std::process::id()));
    fs::create_dir_all(folder.join("empty"))?;
    if !options.anew {
        // With the workspace's settings of its release profile a crate elsewhere can use what is built here.
        let manifest = fs::read_to_string(workspace().join("Cargo.toml"))?;
        fs::create_dir_all(folder.join(".cargo"))?;
        fs::write(folder.join(".cargo/config.toml"), profile(&manifest, "release")?)?;
    }
    let followed = PAGES.iter().try_fold(0, |all, page| Ok(all + follow(options, page, &folder)?));
    fs::remove_dir_all(&folder)?;
    followed.map(|blocks| {
        say(&format!("{blocks} blocks followed"));
        ExitCode::SUCCESS
    })
}

/// Follows a page; returns its number of blocks.
fn follow(options: &Options, page: &str, folder: &Path) -> Result<usize, TaskError> {
    let text = fs::read_to_string(workspace().join(page))?;
    let mut reader = Reader { options, page: &text, folder: folder.to_owned(), said: String::new() };
    let blocks = blocks(&text);
    for block in &blocks {
        reader.follow(block).map_err(|error| format!("{page}, line {}: {error}", block.line))?;
    }
    Ok(blocks.len())
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
            // What commands print, with places and numbers of another run.
            ("text", "") => {}
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

    /// Runs a program in the crate that the blocks before have made; its last line is told on the page.
    fn program(&mut self, folder: &Path, text: &str) -> Result<(), TaskError> {
        fs::write(folder.join("src/main.rs"), whole(text))?;
        if !self.options.anew {
            fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        }
        self.shell(folder, "cargo run --release\n", 0)?;
        match self.said.lines().last() {
            Some(last) if !self.page.contains(&format!("`{last}`")) => {
                Err(format!("the program ends with {last:?}, of which the page says nothing").into())
            }
            _ => Ok(()),
        }
    }
}

/// A block of Rust as a program: one without `main` is the inside of it, as in the documentation of a crate.
fn whole(text: &str) -> String {
    if text.contains("fn main()") {
        return text.to_owned();
    }
    let shown: String =
        text.lines().filter(|line| !line.starts_with("# ")).map(|line| format!("{line}\n")).collect();
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{shown}Ok(())\n}}\n")
}

/// Whether a line of a file begins as an object that a page shows.
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
    fn a_program_without_its_main_gets_one() {
        let program = whole("one()?;\n# Ok::<(), Error>(())\n");
        assert_eq!(program, "fn main() -> Result<(), Box<dyn std::error::Error>> {\none()?;\nOk(())\n}\n");
        assert_eq!(whole("fn main() {}\n"), "fn main() {}\n");
    }

    #[test]
    fn an_object_of_the_chapter_is_the_begin_of_a_line() {
        let lines =
            "{\"event\":\"begin\",\"time\":1.0}\n{\"event\":\"collision\",\"time\":2.0,\"impulse\":3.0}\n";
        assert!(told(lines, "{\"event\":\"collision\",\"time\":2.0}\n").is_ok());
        assert!(told(lines, "{\"event\":\"collision\",\"time\":2.5}\n").is_err());
    }
}
