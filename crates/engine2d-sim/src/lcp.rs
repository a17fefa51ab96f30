//! The one place where rows meet the complementarity solver.

use crate::error::SimError;
use crate::generator::Generator;
use crate::settings::Profile;
use crate::spans;
use crate::tolerance::{ACCEPTED_VIOLATION, SOFTENING};
use engine2d_geometry::{BodyRef, ContactId};
use engine2d_lcp::{
    Certificate, Lcp, Method, Policy, Row, Set, Solution, Solver, Status, Workspace, reference,
};
use engine2d_math::order::Order;

/// What the solver has been asked so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LcpStatistics {
    /// Problems solved.
    pub solves: u64,
    /// Rows of the largest problem.
    pub largest: usize,
    /// Pivoting steps in all.
    pub pivots: u64,
    /// Largest certificate of any answer: scaled violation of the complementarity conditions.
    pub worst_certificate: f64,
    /// Problems without solution that were answered by their softened form.
    pub softened: u64,
}

/// A problem without solution that was answered by its softened form.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Conflict {
    /// Simulated time.
    pub time: f64,
    /// The bodies in the proof that there is no solution: their demands contradict each other.
    pub bodies: Vec<BodyRef>,
    /// The bound that the proof puts under the scaled residual of every answer.
    pub bound: f64,
    /// Certificate of the answer used, for the problem as it was.
    pub certificate: f64,
    /// Largest unwanted acceleration (or velocity, of impulses) of the answer used.
    pub violation: f64,
}

/// Sets of the contacts of the last evaluations: the solver's warm starts.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct KnownSets {
    known: Vec<(ContactId, Set)>,
    found: Vec<(ContactId, Set)>,
}

/// Largest scaled violation sought of an answer with friction, and the largest that is taken where nothing better is found.
const FRICTION: f64 = 1e-11;
const FRICTION_AT_LEAST: f64 = 1e-9;

/// Rows with friction up to which long ways are gone for the last digits, between those two: of more they take tenths of a second.
const POLISHED_ROWS: usize = 64;

/// Both solvers and the scratch they share.
#[derive(Clone, Debug)]
pub(crate) struct LcpDriver {
    recorded: reference::Solver,
    solver: Solver,
    /// For rows of friction, what is asked when it does not end, and for many of them.
    rough: [Solver; 2],
    many: Solver,
    workspace: Workspace,
    solution: Solution,
    /// An answer with friction that misses its tolerance.
    nearly: Solution,
    kinds: Vec<Row>,
    start_sets: Vec<Set>,
    accelerations: Vec<f64>,
    softened: Vec<f64>,
    /// Sets of the contacts of the last evaluation, sorted by identity once the next one begins.
    known: Vec<(ContactId, Set)>,
    /// Sets found in the evaluation in progress.
    found: Vec<(ContactId, Set)>,
    pub(crate) statistics: LcpStatistics,
    /// Conflicts of the advance in progress, the worst of each set of bodies.
    pub(crate) conflicts: Vec<Conflict>,
    /// Whether there were any since this was last asked.
    pub(crate) contradicted: bool,
}

impl Default for LcpDriver {
    fn default() -> Self {
        Self {
            recorded: reference::Solver::new(),
            solver: Solver::pivoting(),
            rough: [Solver::auto().tolerance(FRICTION), Solver::with(Method::Lemke)],
            many: Solver::auto().tolerance(FRICTION_AT_LEAST).aim(FRICTION),
            workspace: Workspace::new(),
            solution: Solution::default(),
            nearly: Solution::default(),
            kinds: Vec::new(),
            start_sets: Vec::new(),
            accelerations: Vec::new(),
            softened: Vec::new(),
            known: Vec::new(),
            found: Vec::new(),
            statistics: LcpStatistics::default(),
            conflicts: Vec::new(),
            contradicted: false,
        }
    }
}

/// A problem `a = A f + b` with bilateral rows marked.
pub(crate) struct Rows<'a> {
    /// "contact forces" or "impulses".
    pub(crate) what: &'static str,
    pub(crate) time: f64,
    pub(crate) matrix: &'a [f64],
    pub(crate) bias: &'a [f64],
    /// Identities of the rows, where earlier answers may help.
    pub(crate) ids: Option<&'a [ContactId]>,
    /// The two bodies of a row.
    pub(crate) bodies: &'a dyn Fn(usize) -> [BodyRef; 2],
}

impl Rows<'_> {
    fn unsolved(&self, status: String, violation: f64, bodies: Vec<BodyRef>) -> SimError {
        SimError::Unsolved {
            what: self.what,
            time: self.time,
            size: self.bias.len(),
            status,
            violation,
            bodies,
        }
    }

    /// The movable or immovable bodies of the rows in a ray, each once.
    fn bodies_in(&self, ray: &[f64]) -> Vec<BodyRef> {
        let rows = ray.iter().enumerate().filter(|(_, v)| **v != 0.0);
        let mut bodies: Vec<BodyRef> = rows.flat_map(|(row, _)| (self.bodies)(row)).collect();
        bodies.order();
        bodies.dedup();
        bodies
    }
}

/// Largest unwanted acceleration of an answer: `|a|` where force acts or must hold, `−a` elsewhere; at a limit of a force
/// the acceleration may have its sign.
fn violation_of(kinds: &[Row], all: &[f64], a: &[f64]) -> f64 {
    kinds.iter().zip(all.iter().zip(a)).fold(0.0, |worst: f64, (kind, (f, a))| {
        worst.max(match *kind {
            Row::Boxed { lo, .. } if *f <= lo => -a,
            Row::Boxed { hi, .. } if *f >= hi => *a,
            Row::Unilateral if f.abs() <= reference::EPSILON => -a,
            Row::Sliding { .. } => 0.0,
            Row::Friction { normal, mu } if *f <= -mu * all[normal] => -a,
            Row::Friction { normal, mu } if *f >= mu * all[normal] => *a,
            _ => a.abs(),
        })
    })
}

impl LcpDriver {
    /// A new evaluation begins: what the last one found becomes the warm start.
    pub(crate) fn begin_evaluation(&mut self) {
        if !self.found.is_empty() {
            std::mem::swap(&mut self.known, &mut self.found);
            self.found.clear();
            self.known.order_distinct_by_key(|(id, _)| *id);
        }
    }

    /// The warm starts in store.
    pub(crate) fn known_sets(&self) -> KnownSets {
        KnownSets { known: self.known.clone(), found: self.found.clone() }
    }

    /// Replaces the warm starts in store.
    pub(crate) fn set_known(&mut self, sets: &KnownSets) {
        self.known.clone_from(&sets.known);
        self.found.clone_from(&sets.found);
    }

    /// Forgets earlier answers.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
        self.found.clear();
    }

    /// Solves for `f`. An answer that misses its tolerance is used only if its largest unwanted acceleration is within the accepted violation.
    pub(crate) fn solve(
        &mut self,
        profile: Profile,
        rows: &Rows<'_>,
        bilateral: &[bool],
        rng: &mut Generator,
        f: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        self.count(rows.bias.len());
        self.kinds.clear();
        self.kinds.extend(bilateral.iter().map(|&b| if b { Row::Bilateral } else { Row::Unilateral }));
        let span = spans::solve(rows.what, rows.time, rows.bias.len());
        let inside = span.enter();
        match profile {
            Profile::Reference => {
                let result = self.solve_recorded(rows, bilateral, rng, f);
                drop(inside);
                spans::ended(&span, &result);
                result
            }
            Profile::Engine2d => {
                let result = self.solve_certified(rows, false, f);
                drop(inside);
                spans::answered(&span, &self.solution);
                result
            }
        }
    }

    /// As [`solve`](Self::solve), by the certified solver, for rows of any kind. Where [`solve_sparse`](Self::solve_sparse) was
    /// `tried` in vain, what is left is the method whose ways end.
    pub(crate) fn solve_mixed(
        &mut self,
        rows: &Rows<'_>,
        kinds: &[Row],
        tried: bool,
        f: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        self.count(rows.bias.len());
        self.kinds.clear();
        self.kinds.extend_from_slice(kinds);
        let span = spans::solve(rows.what, rows.time, rows.bias.len());
        let result = span.in_scope(|| self.solve_certified(rows, tried, f));
        spans::answered(&span, &self.solution);
        result
    }

    /// Solves a problem with friction that is given by its Jacobian, from nothing; returns whether it found an answer.
    pub(crate) fn solve_sparse(
        &mut self,
        (what, time): (&'static str, f64),
        problem: &Lcp<'_>,
        f: &mut Vec<f64>,
    ) -> Result<bool, engine2d_lcp::Error> {
        let span = spans::solve(what, time, problem.len());
        let solver = if problem.len() <= POLISHED_ROWS { &self.rough[0] } else { &self.many };
        let status =
            span.in_scope(|| solver.solve_into(problem, None, &mut self.workspace, &mut self.solution))?;
        spans::answered(&span, &self.solution);
        self.statistics.pivots += self.solution.stats.pivots as u64;
        let residual = self.solution.certificate.residual;
        let solved = status == Status::Solved || residual <= FRICTION_AT_LEAST;
        if solved {
            self.count(problem.len());
            self.keep(residual, f);
        }
        Ok(solved)
    }

    /// Books a problem that was solved without the complementarity solver, with its certificate.
    pub(crate) fn note(&mut self, size: usize, certificate: f64) {
        self.count(size);
        self.statistics.worst_certificate = self.statistics.worst_certificate.max(certificate);
    }

    fn count(&mut self, size: usize) {
        self.statistics.solves += 1;
        self.statistics.largest = self.statistics.largest.max(size);
    }

    fn solve_recorded(
        &mut self,
        rows: &Rows<'_>,
        bilateral: &[bool],
        rng: &mut Generator,
        f: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        let n = rows.bias.len();
        f.clear();
        f.resize(n, 0.0);
        let problem = reference::Problem {
            a: rows.matrix,
            b: rows.bias,
            joint: bilateral,
            policy: Policy::Hybrid,
            order: None,
            // Impulses are checked only after an error code.
            tolerance: rows.ids.map(|_| ACCEPTED_VIOLATION),
        };
        let outcome = self.recorded.solve(&problem, rng, f);
        let problem = malformed(rows, Lcp::borrowed(rows.matrix, rows.bias, &self.kinds))?;
        self.accelerations.clear();
        self.accelerations.resize(n, 0.0);
        let certificate = Certificate::compute(&problem, f, ACCEPTED_VIOLATION, &mut self.accelerations);
        self.statistics.worst_certificate = self.statistics.worst_certificate.max(certificate.residual);
        let status = match outcome {
            Ok(report) => {
                self.statistics.pivots += report.inner_steps as u64;
                if report.code == reference::Code::Finished {
                    return Ok(());
                }
                report.code.number().to_string()
            }
            Err(error) => error.to_string(),
        };
        let violation = violation_of(&self.kinds, f, &self.accelerations);
        if violation <= ACCEPTED_VIOLATION {
            Ok(())
        } else {
            Err(rows.unsolved(status, violation, Vec::new()))
        }
    }

    fn solve_certified(&mut self, rows: &Rows<'_>, tried: bool, f: &mut Vec<f64>) -> Result<(), SimError> {
        let problem = malformed(rows, Lcp::borrowed(rows.matrix, rows.bias, &self.kinds))?;
        let warm = rows.ids.map(|ids| {
            self.start_sets.clear();
            self.start_sets.extend(ids.iter().map(|id| {
                self.known.binary_search_by_key(id, |(i, _)| *i).map_or(Set::Untreated, |k| self.known[k].1)
            }));
            &self.start_sets[..]
        });
        let rough = self.kinds.iter().any(|kind| kind.normal().is_some());
        let solver = if rough { &self.rough[0] } else { &self.solver };
        let mut status = Status::NotConverged;
        if !tried {
            status =
                malformed(rows, solver.solve_into(&problem, warm, &mut self.workspace, &mut self.solution))?;
        }
        if rough && status != Status::Solved {
            self.nearly.clone_from(&self.solution);
            let last = &self.rough[1];
            status =
                malformed(rows, last.solve_into(&problem, None, &mut self.workspace, &mut self.solution))?;
            if status != Status::Solved && self.nearly.certificate.residual <= FRICTION_AT_LEAST {
                std::mem::swap(&mut self.nearly, &mut self.solution);
                status = Status::Solved;
            }
        }
        self.statistics.pivots += self.solution.stats.pivots as u64;
        if let Some(ids) = rows.ids {
            self.found.extend(ids.iter().copied().zip(self.solution.sets.iter().copied()));
        }
        if status == Status::Solved {
            self.keep(self.solution.certificate.residual, f);
            return Ok(());
        }
        self.solve_softened(rows, status, f)
    }

    /// The problem has no solution (wedged gaps below their target, contradicting joints): the answer of
    /// `(A + ε I) f + b` is used if it violates the original conditions by no more than is accepted.
    fn solve_softened(&mut self, rows: &Rows<'_>, status: Status, f: &mut Vec<f64>) -> Result<(), SimError> {
        let problem = malformed(rows, Lcp::borrowed(rows.matrix, rows.bias, &self.kinds))?;
        let n = rows.bias.len();
        let bodies = rows.bodies_in(&self.solution.ray);
        let bound = self.solution.ray_bound(rows.bias);
        let rough = self.kinds.iter().any(|kind| kind.normal().is_some());
        let solver = if rough { &self.rough[1] } else { &self.solver };
        self.softened.clear();
        self.softened.extend_from_slice(rows.matrix);
        let largest = (0..n).map(|i| rows.matrix[i * n + i]).fold(0.0, f64::max);
        for i in 0..n {
            self.softened[i * n + i] += SOFTENING * largest;
        }
        let softened = malformed(rows, Lcp::borrowed(&self.softened, rows.bias, &self.kinds))?;
        malformed(rows, solver.solve_into(&softened, None, &mut self.workspace, &mut self.solution))?;
        self.accelerations.clear();
        self.accelerations.resize(n, 0.0);
        let certificate =
            Certificate::compute(&problem, &self.solution.f, ACCEPTED_VIOLATION, &mut self.accelerations);
        let violation = violation_of(&self.kinds, &self.solution.f, &self.accelerations);
        if violation > ACCEPTED_VIOLATION {
            return Err(rows.unsolved(format!("{status:?}"), violation, bodies));
        }
        self.keep(certificate.residual, f);
        self.statistics.softened += 1;
        self.contradicted = true;
        let conflict =
            Conflict { time: rows.time, bodies, bound, certificate: certificate.residual, violation };
        spans::tell!(debug, ?conflict, "problem without solution softened");
        match self.conflicts.iter_mut().find(|known| known.bodies == conflict.bodies) {
            Some(known) if known.violation >= conflict.violation => {}
            Some(known) => *known = conflict,
            None => self.conflicts.push(conflict),
        }
        Ok(())
    }

    fn keep(&mut self, residual: f64, f: &mut Vec<f64>) {
        self.statistics.worst_certificate = self.statistics.worst_certificate.max(residual);
        f.clone_from(&self.solution.f);
    }
}

fn malformed<T>(rows: &Rows<'_>, result: Result<T, engine2d_lcp::Error>) -> Result<T, SimError> {
    result.map_err(|e| SimError::Problem { time: rows.time, message: format!("{}: {e}", rows.what) })
}
