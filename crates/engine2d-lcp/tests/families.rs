//! Families of contact problems that no recorded set contains: every problem without friction ends solved or with a
//! proof that it has no solution. A few sizes here; many with the feature `stress`.

mod scene;
mod shapes;

use engine2d_lcp::{Certificate, Lcp, Run, Solution, Solver, Status, Workspace, infeasibility_bound};
use scene::Mood;
use shapes::FAMILIES;

/// The same problem with its matrix worked out.
fn dense(problem: &Lcp<'_>) -> Lcp<'static> {
    let mut a = Vec::new();
    problem.matrix().to_dense(&mut a);
    let dense = Lcp::from_dense(a, problem.bias().to_vec()).and_then(|p| p.rows(problem.kinds().to_vec()));
    dense.expect("a valid problem")
}

/// Whether the answer is what it says, by the inputs alone; for problems without friction, whether it is one.
fn wrong(problem: &Lcp<'_>, solution: &Solution, scaled: bool) -> Option<String> {
    if solution.f.iter().any(|f| !f.is_finite()) {
        return Some("not finite".to_owned());
    }
    let mut a = vec![0.0; problem.len()];
    let certificate = Certificate::compute(problem, &solution.f, 1e-8, &mut a);
    let good = match solution.status {
        Status::Solved => certificate.holds(1e-8) && (scaled || certificate.residual <= 1e-8),
        Status::Infeasible => infeasibility_bound(problem, &solution.ray).is_some_and(|bound| bound > 1e-8),
        _ => false,
    };
    let what = || {
        format!("{:?} {certificate} excess {:.1e} {}", solution.status, certificate.excess, solution.reason)
    };
    (!good).then(what)
}

/// Runs all families; returns the complaints.
fn run(sizes: &[usize], seeds: u32, moods: &[(&str, Mood)], solvers: &[Solver]) -> Vec<String> {
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let mut complaints = Vec::new();
    for (name, mood) in moods {
        for (family, title) in FAMILIES.iter().enumerate() {
            for &n in sizes {
                for seed in 0..seeds {
                    let problem = shapes::problem(family, n, seed, *mood, seed % 5);
                    let given = if n <= 400 { dense(&problem) } else { problem };
                    let scaled = mood.mass_decades > 3.0 || mood.row_decades > 3.0;
                    for solver in solvers.iter().filter(|s| s.applies(&given)) {
                        let end = solver.solve_into(&given, None, &mut workspace, &mut solution);
                        let complaint = match end {
                            Err(error) => Some(error.to_string()),
                            Ok(_) => wrong(&given, &solution, scaled),
                        };
                        if let Some(complaint) = complaint {
                            let rows = given.len();
                            complaints.push(format!(
                                "{name}: {title} n {n} ({rows} rows) seed {seed}: {complaint}"
                            ));
                        }
                    }
                }
            }
        }
    }
    complaints
}

const PLAIN: Mood = Mood { mass_decades: 0.6, row_decades: 0.0, size: 1.0, bias_noise: 0.0, mu: 0.0 };

/// Masses, rows and accelerations of all sizes; demands that contradict each other.
fn moods() -> Vec<(&'static str, Mood)> {
    vec![
        ("plain", PLAIN),
        ("mass ratios of a million", Mood { mass_decades: 6.0, ..PLAIN }),
        ("scaled rows", Mood { row_decades: 6.0, ..PLAIN }),
        ("tiny", Mood { size: 1e-9, ..PLAIN }),
        ("huge", Mood { size: 1e9, ..PLAIN }),
        ("contradicting", Mood { bias_noise: 0.3, ..PLAIN }),
        ("hardly contradicting", Mood { bias_noise: 1e-9, ..PLAIN }),
        ("slightly contradicting", Mood { bias_noise: 1e-5, ..PLAIN }),
    ]
}

fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_problem_without_friction_is_decided() {
    let stress = cfg!(feature = "stress");
    let (sizes, seeds): (&[usize], u32) =
        if stress { (&[1, 3, 8, 20, 50, 100, 200, 400], 10) } else { (&[5, 30, 90], 2) };
    none(&run(sizes, seeds, &moods(), &[Solver::auto()]));
    let alike = |mood: &(&str, Mood)| mood.1.mass_decades < 3.0;
    let moods: Vec<_> = moods().into_iter().filter(alike).collect();
    let sizes = &sizes[..sizes.len().min(7)];
    none(&run(sizes, seeds, &moods, &[Solver::pivoting()]));
}

#[cfg(feature = "stress")]
#[test]
fn large_problems_are_decided() {
    none(&run(&[600, 1600, 3200], 1, &moods(), &[Solver::auto()]));
}

/// Friction has no theorem: one problem in fifty may end without an answer, and must say so.
#[test]
fn nearly_all_problems_with_friction_up_to_two_hundred_contacts_are_solved() {
    let mood = Mood { mu: 0.9, ..PLAIN };
    let stress = cfg!(feature = "stress");
    let (sizes, seeds): (&[usize], u32) =
        if stress { (&[5, 10, 20, 50, 100, 200], 5) } else { (&[5, 20], 2) };
    let complaints = run(sizes, seeds, &[("friction", mood)], &[Solver::auto()]);
    let (open, wrong): (Vec<String>, Vec<String>) =
        complaints.into_iter().partition(|complaint| complaint.contains("NotConverged"));
    none(&wrong);
    let problems = FAMILIES.len() * sizes.len() * seeds as usize;
    assert!(50 * open.len() <= problems, "of {problems} {}:\n{}", open.len(), open.join("\n"));
}

/// Given by their Jacobian, problems of many contacts are solved by bodies; warm from their own answer nothing is left to do.
#[test]
fn friction_of_many_contacts_is_solved_by_the_jacobian() {
    let mood = Mood { mu: 0.6, ..PLAIN };
    let stress = cfg!(feature = "stress");
    let (sizes, seeds): (&[usize], u32) = if stress { (&[200, 1000, 3000], 3) } else { (&[150, 500], 1) };
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let (mut open, mut count) = (Vec::new(), 0);
    for (family, title) in FAMILIES.iter().enumerate() {
        for (&n, seed) in sizes.iter().flat_map(|n| (0..seeds).map(move |seed| (n, seed))) {
            let problem = shapes::problem(family, n, seed, mood, 0);
            Solver::auto()
                .solve_into(&problem, None, &mut workspace, &mut solution)
                .expect("a valid problem");
            count += 1;
            if solution.status != Status::Solved {
                open.push(format!("{title} {n} {seed}: {:?} {}", solution.status, solution.certificate));
                continue;
            }
            assert!(wrong(&problem, &solution, true).is_none(), "{title} {n} {seed}");
            let (sets, forces) = (solution.sets.clone(), solution.f.clone());
            let mut run = Run { warm: Some(&sets), forces: Some(&forces), ..Run::default() };
            Solver::auto().run(&problem, &mut run, &mut workspace, &mut solution).expect("a valid problem");
            assert!(solution.is_solved(), "{title} {n} {seed} warm: {}", solution.certificate);
        }
    }
    assert!(50 * open.len() <= count, "of {count} {}:\n{}", open.len(), open.join("\n"));
}
