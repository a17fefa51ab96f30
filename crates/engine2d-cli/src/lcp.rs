//! `engine2d lcp`: solves a complementarity problem given as a file.

use crate::{Failure, output};
use clap::{Args, ValueEnum};
use engine2d_lcp::file::ProblemFile;
use engine2d_lcp::{ForceSelection, Method, Policy, Run, Solution, Solver, Workspace};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use std::fs::File;
use std::path::PathBuf;

/// What to solve and how.
#[derive(Args)]
pub(crate) struct LcpArguments {
    /// Problem file; `-` reads standard input.
    problem: PathBuf,
    /// Which solver answers.
    #[arg(long, value_enum, default_value_t = SolverName::Auto)]
    solver: SolverName,
    /// In which order the pivoting solver takes up the rows.
    #[arg(long, value_enum)]
    policy: Option<PolicyName>,
    /// The order of `--policy pre-ordered`: row numbers separated by commas.
    #[arg(long, value_delimiter = ',')]
    order: Vec<usize>,
    /// Seed of the policies that draw.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Return the forces with the least norm.
    #[arg(long)]
    min_norm: bool,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SolverName {
    Auto,
    Pivoting,
    BlockPivoting,
    GaussSeidel,
    Lemke,
    InteriorPoint,
    Friction,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    Hybrid,
    MinAccel,
    Random,
    PreOrdered,
}

/// Solves and prints; fails if there is no certified solution.
pub(crate) fn lcp(arguments: &LcpArguments) -> Result<(), Failure> {
    let bad = |e: engine2d_lcp::Error| Failure::BadScene(e.to_string());
    let file = if arguments.problem.as_os_str() == "-" {
        ProblemFile::read(std::io::stdin().lock())
    } else {
        let open = File::open(&arguments.problem);
        let name = arguments.problem.display();
        ProblemFile::read(std::io::BufReader::new(open.map_err(|e| Failure::Other(format!("{name}: {e}")))?))
    };
    let problem = file.and_then(|f| f.problem()).map_err(bad)?;
    let mut solver = Solver::with(arguments.solver.method());
    if let Some(policy) = arguments.policy {
        solver = solver.policy(policy.policy());
    }
    if arguments.min_norm {
        solver = solver.forces(ForceSelection::MinNorm);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    let order = (!arguments.order.is_empty()).then_some(&arguments.order[..]);
    let mut run = Run { order, rng: Some(&mut rng), ..Run::default() };
    let mut solution = Solution::default();
    solver.run(&problem, &mut run, &mut Workspace::new(), &mut solution).map_err(bad)?;
    if arguments.json {
        let text = serde_json::to_string(&solution).map_err(|e| Failure::Other(e.to_string()))?;
        output::say(&text);
    } else {
        output::say(solution.to_string().trim_end());
        output::say(&format!("chosen because: {}", solution.reason));
        if !solution.ray.is_empty() {
            for row in 0..problem.len() {
                if let Some(why) = solution.explain(row).filter(|why| why.in_ray) {
                    output::say(&why.to_string());
                }
            }
        }
    }
    if solution.is_solved() {
        return Ok(());
    }
    Err(Failure::Other(format!("no certified solution: {:?}", solution.status)))
}

impl SolverName {
    fn method(self) -> Method {
        match self {
            Self::Auto => Method::Auto,
            Self::Pivoting => Method::Pivoting,
            Self::BlockPivoting => Method::BlockPivoting,
            Self::GaussSeidel => Method::GaussSeidel,
            Self::Lemke => Method::Lemke,
            Self::InteriorPoint => Method::InteriorPoint,
            Self::Friction => Method::Friction,
        }
    }
}

impl PolicyName {
    fn policy(self) -> Policy {
        match self {
            Self::Hybrid => Policy::Hybrid,
            Self::MinAccel => Policy::MinAccel,
            Self::Random => Policy::Random,
            Self::PreOrdered => Policy::PreOrdered,
        }
    }
}
