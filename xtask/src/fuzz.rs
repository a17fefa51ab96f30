//! `cargo xtask fuzz`: random inputs, and those of the committed corpora changed at random, for everything that takes what it is
//! given; each answer is judged by something that shares no code with what gave it.

mod bytes;
mod lcp;
mod mechanism;
mod outline;
mod pair;
mod scene;
mod state;
mod svg;
mod verdict;
mod world;

use crate::{TaskError, complain, say, workspace};
use bytes::Bytes;
use engine2d_math::random::Lcg32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use verdict::Verdict;

/// Longest random input (bytes).
const LONGEST: usize = 400;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// Texts as scenes, within the limits for everyone.
    Scene,
    /// State files, damaged and with what they hold changed.
    State,
    /// Complementarity problems, their answers checked by the definition.
    Lcp,
    /// SVG paths and documents, the shapes compared with their outlines.
    Svg,
    /// Pairs of shapes: distances and casts, compared with outlines and with a second algorithm.
    Pair,
    /// Mechanisms at a moment, their accelerations judged by the motion.
    Mechanism,
    /// Worlds of random bodies for a hundred steps, under each clock.
    World,
}

/// What to try, and how often.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// What is tried; all if absent.
    #[arg(value_enum)]
    targets: Vec<Target>,
    /// Inputs of each target.
    #[arg(long, default_value_t = 1000)]
    runs: u64,
    /// Seed of the inputs.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Files with inputs to judge again, in place of random ones.
    #[arg(long, num_args = 1..)]
    again: Vec<PathBuf>,
    /// Keeps the inputs that end in a typed error of this kind too, as the counts name it.
    #[arg(long)]
    keep: Option<String>,
}

impl Target {
    const ALL: [Self; 7] =
        [Self::Scene, Self::State, Self::Lcp, Self::Svg, Self::Pair, Self::Mechanism, Self::World];

    fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::State => "state",
            Self::Lcp => "lcp",
            Self::Svg => "svg",
            Self::Pair => "pair",
            Self::Mechanism => "mechanism",
            Self::World => "world",
        }
    }

    /// Tries one input; a panic is a fault.
    fn judge(self, input: &[u8]) -> Verdict {
        let mut bytes = Bytes::new(input);
        let judged = catch_unwind(AssertUnwindSafe(|| match self {
            Self::Scene => scene::judge(input),
            Self::State => state::judge(&mut bytes),
            Self::Lcp => lcp::judge(&mut bytes),
            Self::Svg => svg::judge(input),
            Self::Pair => pair::judge(&mut bytes),
            Self::Mechanism => mechanism::judge(&mut bytes),
            Self::World => world::judge(&mut bytes),
        }));
        judged.unwrap_or_else(|panic| {
            let told = panic.downcast_ref::<String>().map(String::as_str);
            let told = told.or(panic.downcast_ref::<&str>().copied()).unwrap_or("");
            Verdict::Wrong(format!("panic: {told}"))
        })
    }

    /// Where inputs are kept that every change is tried with.
    fn corpus(self) -> PathBuf {
        workspace().join("fixtures/fuzz").join(self.name())
    }

    /// The inputs of the corpus, by name.
    fn seeds(self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(self.corpus()).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        files.sort();
        let read = |path: PathBuf| Some((path.display().to_string(), std::fs::read(&path).ok()?));
        files.into_iter().filter_map(read).collect()
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let targets = if options.targets.is_empty() { &Target::ALL[..] } else { &options.targets };
    if !options.again.is_empty() {
        return again(targets, &options.again);
    }
    let mut faults = 0;
    for target in targets {
        let seeds = target.seeds();
        let mut random = Lcg32::new(options.seed);
        let began = Instant::now();
        let mut counts = std::collections::BTreeMap::new();
        for k in 0..options.runs {
            let input = input(&mut random, &seeds);
            match target.judge(&input) {
                Verdict::Sound => *counts.entry("sound").or_insert(0_u64) += 1,
                Verdict::Refused(kind) => {
                    *counts.entry(kind).or_insert(0) += 1;
                    if options.keep.as_deref() == Some(kind) {
                        say(&format!("{}: {kind}\n  {}", target.name(), kept(*target, k, &input)?.display()));
                    }
                }
                Verdict::Wrong(told) => {
                    faults += 1;
                    complain(&format!(
                        "{}: {told}\n  {}",
                        target.name(),
                        kept(*target, k, &input)?.display()
                    ));
                }
            }
        }
        let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let seconds = began.elapsed().as_secs_f64();
        say(&format!("{}: {} inputs in {seconds:.0} s: {}", target.name(), options.runs, counts.join(", ")));
    }
    say(&format!("{faults} faults"));
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The file in which an input is kept.
fn kept(target: Target, k: u64, input: &[u8]) -> Result<PathBuf, TaskError> {
    let folder = workspace().join("target");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}-{k}.input", target.name()));
    std::fs::write(&path, input)?;
    Ok(path)
}

/// Judges inputs that are there.
fn again(targets: &[Target], files: &[PathBuf]) -> Result<ExitCode, TaskError> {
    let mut faults = 0;
    for path in files {
        let input = std::fs::read(path)?;
        for target in targets {
            let told = match target.judge(&input) {
                Verdict::Sound => "sound".to_owned(),
                Verdict::Refused(kind) => kind.to_owned(),
                Verdict::Wrong(told) => {
                    faults += 1;
                    format!("FAULT: {told}")
                }
            };
            say(&format!("{}, {}: {told}", path.display(), target.name()));
        }
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Random bytes, or a seed with some of its bytes changed.
fn input(random: &mut Lcg32, seeds: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut below = |n: usize| (random.next_unit() * n as f64) as usize;
    if seeds.is_empty() || below(4) == 0 {
        let length = below(LONGEST);
        return (0..length).map(|_| below(256) as u8).collect();
    }
    let mut bytes = seeds[below(seeds.len())].1.clone();
    for _ in 0..below(12) {
        let at = below(bytes.len() + 1);
        match below(4) {
            0 => bytes.insert(at, below(256) as u8),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 if at < bytes.len() => bytes.truncate(at.max(bytes.len() / 2)),
            _ if at < bytes.len() => bytes[at] = below(256) as u8,
            _ => {}
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpora_and_some_random_inputs_are_without_fault() {
        for target in Target::ALL {
            let seeds = target.seeds();
            assert!(!seeds.is_empty(), "{} has a corpus", target.name());
            for (name, input) in &seeds {
                if let Verdict::Wrong(told) = target.judge(input) {
                    panic!("{name}: {told}");
                }
            }
            let mut random = Lcg32::new(7);
            for k in 0..if target == Target::World { 4 } else { 40 } {
                if let Verdict::Wrong(told) = target.judge(&input(&mut random, &seeds)) {
                    panic!("{} input {k}: {told}", target.name());
                }
            }
        }
    }
}
