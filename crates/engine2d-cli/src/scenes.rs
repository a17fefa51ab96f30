//! `engine2d scenes`.

use crate::Failure;
use crate::output::say;
use crate::part::write_whole;
use engine2d::scene::Scene;
use engine2d::scene::catalogue::{self, CATALOGUE};
use std::io::Write;
use std::path::PathBuf;

/// What to do with the catalogue.
#[derive(clap::Args)]
pub(crate) struct ScenesArguments {
    /// Save the built-in scene of this name as NAME.json.
    #[arg(long, value_name = "NAME")]
    write: Option<String>,
    /// Where to save it instead; `-` writes standard output.
    #[arg(long, value_name = "FILE", requires = "write")]
    to: Option<PathBuf>,
}

pub(crate) fn scenes(arguments: &ScenesArguments) -> Result<(), Failure> {
    let Some(name) = &arguments.write else {
        let width = CATALOGUE.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        for entry in CATALOGUE {
            say(&format!("{:width$}  {}", entry.name, entry.summary));
        }
        return Ok(());
    };
    let scene = Scene::built_in(name).ok_or_else(|| {
        let hint = catalogue::nearest(name)
            .map_or("`engine2d scenes` lists them".to_owned(), |near| format!("did you mean {near:?}?"));
        Failure::Other(format!("no built-in scene is named {name:?}; {hint}"))
    })?;
    let text = scene.to_json().map_err(|error| Failure::BadScene(error.to_string()))?;
    let path = arguments.to.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.json")));
    if path.as_os_str() == "-" {
        say(text.trim_end());
        return Ok(());
    }
    write_whole(&path, |file| file.write_all(text.as_bytes()))?;
    say(&format!("{} is written", path.display()));
    Ok(())
}
