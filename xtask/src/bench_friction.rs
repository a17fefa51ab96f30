//! `cargo xtask bench friction`: times of problems with Coulomb friction given by their Jacobian, cold, warm after a change of
//! the load, and at rest, as a table in Markdown.

mod scene;
mod settled;

use crate::measure::{clock, median, within};
use crate::{TaskError, say};
use engine2d_lcp::Stepper;
use engine2d_math::random::Lcg32;
use scene::Scene;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Numbers of contacts, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [200, 1000, 3000, 10_000, 30_000])]
    contacts: Vec<usize>,
    /// Only this family: pyramid or pile.
    #[arg(long)]
    only: Option<String>,
    /// Writes the table into the README of `engine2d-lcp`.
    #[arg(long)]
    readme: bool,
}

/// Makes a scene with about so many contacts.
type Family = fn(usize) -> Scene;
/// Steps of each kind whose median is told.
const STEPS: usize = 5;
/// The direction from below, as an angle.
const UP: f64 = std::f64::consts::FRAC_PI_2;

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let mut table = vec![
        "| family | contacts | cold, ms | factorizations | load turned by 0.01, ms | at rest, ms | residual |"
            .to_owned(),
        "|---|---|---|---|---|---|---|".to_owned(),
    ];
    table.iter().for_each(|line| say(line));
    let families: [(&str, Family); 4] =
        [("pyramid", pyramid), ("discs", settled::discs), ("blocks", settled::blocks), ("pile", pile)];
    for (name, make) in families {
        if options.only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let mut times = Vec::new();
        for &contacts in &options.contacts {
            let scene = make(contacts);
            let count = scene.rows.len() / 2;
            let (cold, line) = measure(name, &scene)?;
            say(&line);
            table.push(line);
            times.push(((count as f64).ln(), cold.ln()));
        }
        if let (Some(first), Some(last)) = (times.iter().find(|t| t.0 > 6.5), times.last()) {
            say(&format!("{name}: time ~ contacts^{:.2}", (last.1 - first.1) / (last.0 - first.0)));
        }
    }
    if options.readme {
        crate::readme::replace("engine2d-lcp", "bench friction", &table)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The time of a cold solve and a line of the table.
fn measure(name: &str, scene: &Scene) -> Result<(f64, String), TaskError> {
    let problem = scene.problem()?;
    let (mut cold, mut factorizations, mut residual) = (Vec::new(), 0, 0.0_f64);
    let mut stepper = Stepper::new(problem.clone());
    for _ in 0..if problem.len() > 10_000 { 2 } else { STEPS } {
        stepper = Stepper::new(problem.clone());
        let start = clock();
        let solution = stepper.solve()?;
        cold.push(clock() - start);
        factorizations = solution.stats.factorizations;
        residual = residual.max(solution.certificate.residual);
    }
    let (mut turned, mut rest) = (Vec::new(), Vec::new());
    for step in 1..=STEPS {
        stepper.set_bias(&scene.bias(0.01 * step as f64))?;
        let start = clock();
        residual = residual.max(stepper.solve()?.certificate.residual);
        turned.push(clock() - start);
        let start = clock();
        residual = residual.max(stepper.solve()?.certificate.residual);
        rest.push(clock() - start);
    }
    let [cold, turned, rest] = [&mut cold, &mut turned, &mut rest].map(|times| median(times) / 1000.0);
    let contacts = scene.rows.len() / 2;
    let unsolved = if residual <= engine2d_lcp::tolerance::SOLVED { "" } else { ", not solved" };
    let line = format!(
        "| {name} | {contacts} | {cold:.2} | {factorizations} | {turned:.2} | {rest:.2} | {residual:.0e}{unsolved} |"
    );
    Ok((cold, line))
}

/// Blocks on two blocks each.
fn pyramid(contacts: usize) -> Scene {
    let k = ((contacts as f64).sqrt().round() as usize).max(1);
    let mut scene = Scene::default();
    let mut below: Vec<Option<usize>> = vec![None; k + 1];
    for level in 0..k {
        let (y, shift) = (level as f64 + 0.5, 0.5 * level as f64);
        let row: Vec<usize> = (0..k - level).map(|i| scene.body(i as f64 + shift, y)).collect();
        for (i, &body) in row.iter().enumerate() {
            let x = i as f64 + shift;
            scene.contact(body, below[i], (x - 0.4, y - 0.5), (0.0, 1.0));
            scene.contact(body, below[i + 1], (x + 0.4, y - 0.5), (0.0, 1.0));
        }
        below = row.into_iter().map(Some).collect();
    }
    scene
}

/// Bodies beside and above each other in a bin, random contacts between neighbours at random angles.
fn pile(contacts: usize) -> Scene {
    let mut rng = Lcg32::new(7);
    let mut signed = move || within(&mut rng, -1.0, 1.0);
    let mut scene = Scene::default();
    let width = ((contacts as f64 / 2.0).sqrt().ceil() as usize).max(2);
    while scene.rows.len() < 2 * contacts {
        let i = scene.places.len();
        let (x, y) = ((i % width) as f64 + 0.3 * signed(), (i / width) as f64 + 0.3 * signed());
        let body = scene.body(x, y);
        for (far, angle) in [(1, 0.0), (width, UP), (width + 1, 0.8), (width - 1, 2.3)] {
            if signed() < 0.2 {
                let (s, c) = engine2d_math::trig::sin_cos(angle + 0.4 * signed());
                let point = (x + 0.5 * signed(), y - 0.5 + 0.2 * signed());
                scene.contact(body, i.checked_sub(far), point, (c, s));
            }
        }
    }
    scene
}
