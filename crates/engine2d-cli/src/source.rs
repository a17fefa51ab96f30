//! Where a scene comes from: a file, standard input or the catalogue.

use crate::Failure;
use crate::output::cannot;
use engine2d::scene::{Scene, SceneError, catalogue::CATALOGUE};
use std::fs::File;
use std::io;
use std::path::Path;

/// Reads the scene of a file, of standard input for `-`, or the built-in one of that name if there is no
/// such file.
pub(crate) fn load(path: &Path) -> Result<Scene, Failure> {
    if path.as_os_str() == "-" {
        return read(io::stdin().lock(), path);
    }
    match File::open(path) {
        Ok(file) => read(file, path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.to_str().and_then(Scene::built_in).ok_or_else(|| {
                let names: Vec<&str> = CATALOGUE.iter().map(|entry| entry.name).collect();
                let names = names.join(", ");
                Failure::Other(format!(
                    "no file or built-in scene is named {} (built-in: {names})",
                    path.display()
                ))
            })
        }
        Err(error) => Err(cannot("read", path, &error)),
    }
}

fn read(reader: impl io::Read, path: &Path) -> Result<Scene, Failure> {
    Scene::from_reader(reader).map_err(|error| match error {
        SceneError::Unreadable(error) if error.kind() != io::ErrorKind::InvalidData => {
            cannot("read", path, &error)
        }
        error => Failure::BadScene(error.to_string()),
    })
}
