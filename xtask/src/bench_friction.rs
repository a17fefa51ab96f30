//! `cargo xtask bench friction`: times of problems with Coulomb friction given by their Jacobian, cold, warm after a change of
//! the load, and at rest, as a table in Markdown.

mod settled;

use crate::measure::{clock, median, within};
use crate::{TaskError, say};
use engine2d_lcp::{Lcp, Row, SparseRows, Stepper};
use engine2d_math::random::Lcg32;
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
/// Coefficients of friction are between these.
const LEAST_MU: f64 = 0.1;
/// See [`LEAST_MU`].
const MU: f64 = 0.6;
/// Weight of a body of mass 1.
const WEIGHT: f64 = 10.0;
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

/// Bodies of mass 1 with contacts of two rows each.
#[derive(Default)]
struct Scene {
    places: Vec<(f64, f64)>,
    inverse_mass: Vec<f64>,
    /// Velocity of each coordinate before the load acts.
    velocity: Vec<f64>,
    rows: Vec<Vec<(usize, f64)>>,
    /// What the bias of each row has beside that.
    extra: Vec<f64>,
    /// The same coefficient for all contacts, else they are drawn.
    mu: Option<f64>,
}

impl Scene {
    /// A body of mass 1.
    fn body(&mut self, x: f64, y: f64) -> usize {
        self.body_of(x, y, [1.0, 1.0, 6.0])
    }

    fn body_of(&mut self, x: f64, y: f64, inverse_mass: [f64; 3]) -> usize {
        self.places.push((x, y));
        self.inverse_mass.extend(inverse_mass);
        self.velocity.extend([0.0; 3]);
        self.places.len() - 1
    }

    /// A contact at a point that pushes `upper` along the direction with these components.
    fn contact(&mut self, upper: usize, lower: Option<usize>, point: (f64, f64), normal: (f64, f64)) {
        for (c, s) in [normal, (-normal.1, normal.0)] {
            let mut row = Vec::with_capacity(6);
            for (body, sign) in [(Some(upper), 1.0), (lower, -1.0)] {
                let Some(body) = body else { continue };
                let (x, y) = (point.0 - self.places[body].0, point.1 - self.places[body].1);
                let arm = x * s - y * c;
                row.extend([(3 * body, sign * c), (3 * body + 1, sign * s), (3 * body + 2, sign * arm)]);
            }
            self.rows.push(row);
            self.extra.push(0.0);
        }
    }

    /// Accelerations of the rows by a weight turned by an angle.
    fn bias(&self, angle: f64) -> Vec<f64> {
        let (s, c) = engine2d_math::trig::sin_cos(angle);
        let load = [WEIGHT * s, -WEIGHT * c, 0.0];
        let motion = |row: &[(usize, f64)]| -> f64 {
            row.iter().map(|&(c, v)| v * (load[c % 3] + self.velocity[c])).sum()
        };
        self.rows.iter().zip(&self.extra).map(|(row, extra)| motion(row) + extra).collect()
    }

    fn problem(&self) -> Result<Lcp<'static>, TaskError> {
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        for row in &self.rows {
            jacobian.column.extend(row.iter().map(|e| e.0));
            jacobian.value.extend(row.iter().map(|e| e.1));
            jacobian.start.push(jacobian.column.len());
        }
        let mut rng = Lcg32::new(3);
        let mut friction = |normal| {
            let mu = self.mu.unwrap_or_else(|| within(&mut rng, LEAST_MU, MU));
            Row::Friction { normal, mu }
        };
        let kinds: Vec<Row> = (0..self.rows.len())
            .map(|i| if i % 2 == 0 { Row::Unilateral } else { friction(i - 1) })
            .collect();
        Ok(Lcp::jacobian(jacobian, self.inverse_mass.clone(), self.bias(0.0))?.rows(kinds)?)
    }
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
