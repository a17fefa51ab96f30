//! `engine2d import`.

use crate::Failure;
use crate::output::{cannot, complain, say};
use crate::part::PartFile;
use engine2d_import::{Format, ImportError, Options, import as read};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What to import, and where to.
#[derive(clap::Args)]
pub(crate) struct ImportArguments {
    /// A file of MJCF, R.U.B.E. or Tiled; `-` for standard input.
    file: PathBuf,
    /// The scene file to write; standard output if absent.
    #[arg(long, value_name = "SCENE")]
    out: Option<PathBuf>,
    /// The format of the file, if it is not told by its text.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<From>,
    /// Pixels that are a unit of length, for maps of Tiled.
    #[arg(long, value_name = "NUMBER")]
    pixels_per_meter: Option<f64>,
    /// Exit code 2, and no scene, if anything that the motion may depend on is not in the scene as it was.
    #[arg(long)]
    strict: bool,
}

/// Formats by the word that stands for them.
#[derive(Clone, Copy, clap::ValueEnum)]
enum From {
    Mjcf,
    Rube,
    Tiled,
}

/// Most bytes of a file.
const MOST_BYTES: u64 = 1 << 26;

pub(crate) fn import(arguments: &ImportArguments) -> Result<(), Failure> {
    let text = text(&arguments.file)?;
    let format = match arguments.from {
        Some(From::Mjcf) => Format::Mjcf,
        Some(From::Rube) => Format::Rube,
        Some(From::Tiled) => Format::Tiled,
        None => Format::of(&text).ok_or_else(|| bad(&arguments.file, &ImportError::UnknownFormat))?,
    };
    let options = Options { pixels_per_meter: arguments.pixels_per_meter };
    let found = read(&text, format, &options).map_err(|error| bad(&arguments.file, &error))?;
    for note in &found.notes {
        complain(&format!("{}: {note}", arguments.file.display()));
    }
    let (all, matter) = (found.notes.len(), found.notes.iter().filter(|note| note.kind.matters()).count());
    if arguments.strict && matter > 0 {
        return Err(Failure::BadScene(format!(
            "{matter} of {all} notes matter, which --strict does not accept"
        )));
    }
    let scene = found.scene.to_json().map_err(|error| Failure::BadScene(error.to_string()))?;
    let Some(out) = &arguments.out else {
        say(scene.trim_end());
        return Ok(());
    };
    let mut file = PartFile::create(out)?;
    file.write_all(scene.as_bytes()).map_err(|error| cannot("write", out, &error))?;
    file.finish()?;
    let (bodies, connectors) = (found.scene.bodies.len(), found.scene.connectors.len());
    say(&format!(
        "{}: {bodies} bodies, {connectors} connectors; {all} notes, {matter} that the motion may depend on",
        out.display()
    ));
    Ok(())
}

/// The text of a file that is not too large.
fn text(path: &Path) -> Result<String, Failure> {
    let failed = |error: &io::Error| cannot("read", path, error);
    let mut text = String::new();
    let size = if path.as_os_str() == "-" {
        io::stdin().lock().take(MOST_BYTES + 1).read_to_string(&mut text)
    } else {
        File::open(path).map_err(|error| failed(&error))?.take(MOST_BYTES + 1).read_to_string(&mut text)
    };
    if size.map_err(|error| failed(&error))? as u64 > MOST_BYTES {
        return Err(Failure::BadScene(format!("{}: more than {MOST_BYTES} bytes", path.display())));
    }
    Ok(text)
}

fn bad(path: &Path, error: &ImportError) -> Failure {
    Failure::BadScene(format!("{}: {error}", path.display()))
}
