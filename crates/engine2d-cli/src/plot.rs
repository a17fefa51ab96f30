//! `engine2d plot`.

mod draw;
mod figure;
mod glyphs;
mod raster;
mod tables;

use crate::Failure;
use crate::output::{cannot, say};
use figure::{Coordinate, What};
use std::fs;
use std::path::PathBuf;
use tables::Run;

/// What to plot of which run.
#[derive(clap::Args)]
pub(crate) struct PlotArguments {
    /// Folder of a run, as `engine2d run --out` writes it.
    run: PathBuf,
    /// What to plot; contacts and forces need a run of --format parquet.
    #[arg(long, value_enum)]
    what: What,
    /// The body whose trajectory, phase, contacts, forces or events are meant; the first two need one.
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// The coordinate of a phase.
    #[arg(long, value_enum, default_value = "angle")]
    coordinate: Coordinate,
    /// The SVG or PNG file to write; what it plots, as energy.svg, if absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn plot(arguments: &PlotArguments) -> Result<(), Failure> {
    let run = Run::read(&arguments.run)?;
    let figure = figure::of(&run, arguments.what, arguments.body.as_deref(), arguments.coordinate)?;
    let out =
        arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.svg", arguments.what.word())));
    let is = |wanted: &str| out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
    let picture = match () {
        () if is("svg") => draw::svg(&figure).map(String::into_bytes),
        () if is("png") => draw::png(&figure),
        () => {
            let found = out.display();
            let message = format!("--out {found}: SVG and PNG files are written, as {found}.svg");
            return Err(Failure::Usage(message));
        }
    };
    let picture = picture.map_err(Failure::Other)?;
    fs::write(&out, picture).map_err(|error| cannot("write", &out, &error))?;
    let points: usize = figure.series.iter().map(|series| series.points.len()).sum();
    say(&format!("{}: {points} points, {} against {}", out.display(), figure.y, figure.x));
    Ok(())
}
