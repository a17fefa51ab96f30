//! Where a scene comes from: a file, standard input or the catalogue.

use crate::output::{cannot, complain};
use crate::{Arguments, Failure};
use clap::CommandFactory;
use engine2d::scene::catalogue::{self, CATALOGUE, SizeError};
use engine2d::scene::{Limits, Scene, SceneError, nearest};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// The command that the parser adds to ours.
const HELP: &str = "help";

/// The built-in scene of that name; else the scene of a file, or of standard input for `-`. A file or folder that bears the
/// name of a built-in scene is read by its path, as `./pile`.
pub(crate) fn load(path: &Path, limits: &Limits) -> Result<Scene, Failure> {
    if path.as_os_str() == "-" {
        return read(io::stdin().lock(), path, limits);
    }
    if let Some(scene) = path.to_str().and_then(Scene::built_in) {
        if path.exists() {
            let name = path.display();
            complain(&format!("note: the built-in scene {name} is meant; write ./{name} for what is here"));
        }
        return Ok(scene);
    }
    match File::open(path) {
        Ok(file) => read(file, path, limits),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Other(unknown(path))),
        Err(error) => Err(cannot("read", path, &error)),
    }
}

/// The built-in scene of that name with as many rows, blocks or stones.
pub(crate) fn sized(path: &Path, rows: u32) -> Result<Scene, Failure> {
    Scene::built_in_sized(&path.to_string_lossy(), rows).map_err(|error| match error {
        SizeError::Unknown => Failure::Other(format!("--rows is for built-in scenes: {}", unknown(path))),
        error => Failure::Other(format!("--rows: {error}")),
    })
}

/// What to say of a name that is neither a file nor a built-in scene.
fn unknown(path: &Path) -> String {
    let name = path.display();
    let known = path
        .to_str()
        .map(|text| (nearest(text, commands().iter().map(String::as_str)), catalogue::nearest(text)));
    let hint = match known {
        Some((_, Some(scene))) => format!("; did you mean {scene}?"),
        Some((Some(command), None)) => format!("; did you mean the command {command}?"),
        _ => {
            let names: Vec<&str> = CATALOGUE.iter().map(|entry| entry.name).collect();
            format!(" (built-in: {})", names.join(", "))
        }
    };
    format!("no file or built-in scene is named {name}{hint}")
}

/// What to say of the first word of a command line that does not fit together, if it is neither a command nor a scene.
pub(crate) fn no_command(word: &OsStr) -> Option<String> {
    let (path, commands) = (Path::new(word), commands());
    let text = word.to_str()?;
    let known = text.starts_with('-') || path.exists() || Scene::built_in(text).is_some();
    if known || text == HELP || commands.iter().any(|command| command == text) {
        return None;
    }
    let hint = match nearest(text, commands.iter().map(String::as_str)) {
        Some(command) => format!("; did you mean {command}?"),
        None => format!(" (there are: {})", commands.join(", ")),
    };
    Some(format!("there is no command named {text}{hint}"))
}

/// The words that are commands.
fn commands() -> Vec<String> {
    Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

fn read(reader: impl io::Read, path: &Path, limits: &Limits) -> Result<Scene, Failure> {
    Scene::from_reader_within(reader, limits).map_err(|error| match error {
        SceneError::Unreadable(error) if error.kind() != io::ErrorKind::InvalidData => {
            cannot("read", path, &error)
        }
        error => Failure::BadScene(error.to_string()),
    })
}
