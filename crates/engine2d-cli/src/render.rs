//! `engine2d render`.

use crate::limits::{LimitArguments, now};
use crate::output::say;
use crate::part::write_whole;
use crate::run::seconds;
use crate::{Failure, source};
use engine2d::record::{Course, SvgOptions, write_svg};
use engine2d::scene::View;
use std::path::PathBuf;

/// What to draw.
#[derive(clap::Args)]
pub(crate) struct RenderArguments {
    /// Scene file, `-` for standard input, or the name of a built-in scene.
    scene: PathBuf,
    /// Simulated time of the picture; the start if absent.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    at: Option<f64>,
    /// The picture.
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
    /// Width of the picture (pixels).
    #[arg(long, default_value_t = 800, value_parser = clap::value_parser!(u32).range(16..=16384))]
    width: u32,
    /// Part of the world shown, instead of the scene's own view.
    #[arg(long, value_name = "LEFT,BOTTOM,RIGHT,TOP", value_parser = view, allow_hyphen_values = true)]
    view: Option<View>,
    /// Leave out the contact forces.
    #[arg(long)]
    no_forces: bool,
    #[command(flatten)]
    limits: LimitArguments,
    /// Leave out contact points and normals.
    #[arg(long)]
    no_contacts: bool,
}

/// Reads a rectangle of the command line.
fn view(text: &str) -> Result<View, String> {
    let numbers: Vec<f64> = text.split(',').map_while(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        [left, bottom, right, top]
            if left < right && bottom < top && numbers.iter().all(|x| x.is_finite()) =>
        {
            Ok(View { left, bottom, right, top })
        }
        _ => Err("four numbers LEFT,BOTTOM,RIGHT,TOP are needed, left < right and bottom < top".to_owned()),
    }
}

pub(crate) fn render(arguments: &RenderArguments) -> Result<(), Failure> {
    let scene = source::load(&arguments.scene, &arguments.limits.of_scenes())?;
    let mut world = scene.to_world().map_err(|error| Failure::BadScene(error.to_string()))?;
    let at = arguments.at.unwrap_or(scene.start_time);
    arguments.limits.check_steps(at - scene.start_time, scene.settings.time_step)?;
    let limits = arguments.limits.of_runs();
    world.probe().set_deadline(Some((now, now() + limits.wall_time)));
    Course { limits, ..Course::new(at, scene.settings.time_step) }
        .run(&mut world, &mut [])
        .map_err(|error| Failure::Other(error.to_string()))?;
    let view = arguments.view.or(scene.view);
    let options = SvgOptions {
        view,
        width: f64::from(arguments.width),
        forces: !arguments.no_forces,
        contacts: !arguments.no_contacts,
        ..SvgOptions::default()
    };
    write_whole(&arguments.svg, |file| write_svg(file, &world, &options))?;
    say(&format!("{} is written", arguments.svg.display()));
    Ok(())
}
