//! Requests that make no sense, refused before anything is solved.

use super::{ForceSelection, Run, Solver};
use crate::deadline::CLOCK;
use crate::{Error, Lcp, Method, Policy};
use std::borrow::Cow;

impl Solver {
    /// The solver of some rows of a problem: weights of forces are those of its own rows.
    pub(crate) fn of_rows(&self, problem: &Lcp<'_>, rows: &[usize]) -> Result<Cow<'_, Self>, Error> {
        let ForceSelection::Weighted(weights) = &self.forces else { return Ok(Cow::Borrowed(self)) };
        crate::problem::check_length("weights", weights.len(), problem.len())?;
        let own = rows.iter().map(|&i| weights[i]).collect();
        Ok(Cow::Owned(self.clone().forces(ForceSelection::Weighted(own))))
    }

    /// Refuses requests that make no sense.
    pub(super) fn check(&self, problem: &Lcp<'_>, run: &Run<'_>) -> Result<(), Error> {
        if !self.applies(problem) {
            let what = match self.method {
                Method::GaussSeidel if !cfg!(feature = "gauss-seidel") => {
                    "anything: it needs the feature `gauss-seidel`"
                }
                Method::Lemke if !cfg!(feature = "lemke") => "anything: it needs the feature `lemke`",
                Method::InteriorPoint if !cfg!(feature = "sparse") => {
                    "anything: it needs the feature `sparse`"
                }
                Method::Auto => {
                    "friction rows with a matrix that is not symmetric: it needs the feature `lemke`"
                }
                _ if !problem.is_symmetric() => "a matrix that is not symmetric",
                _ if problem.has_friction() => "friction rows",
                _ => "problems without friction rows",
            };
            return Err(Error::Unsupported { solver: self.method.name(), what });
        }
        if self.forces != ForceSelection::Any && problem.has_friction() {
            return Err(Error::Unsupported { solver: "the least-norm selection", what: "friction rows" });
        }
        if !problem.is_symmetric() {
            let asked = match () {
                () if self.forces != ForceSelection::Any => Some("the least-norm selection"),
                () if self.policy.is_some() => Some("an order of rows"),
                () if self.psd_slack != 0.0 => Some("a slack"),
                () => None,
            };
            if let Some(solver) = asked {
                return Err(Error::Unsupported { solver, what: "a matrix that is not symmetric" });
            }
        }
        if self.time_limit.is_some() && !CLOCK {
            return Err(Error::Unsupported {
                solver: "this platform, which has no clock,",
                what: "a time limit",
            });
        }
        if !(self.psd_slack >= 0.0 && self.psd_slack < 1.0) {
            return Err(Error::NonFinite {
                what: "the slack (it must be at least 0 and less than 1)",
                index: 0,
            });
        }
        if let ForceSelection::Weighted(weights) = &self.forces {
            crate::problem::check_length("weights", weights.len(), problem.len())?;
            if let Some(index) = weights.iter().position(|w| !(*w > 0.0 && w.is_finite())) {
                return Err(Error::NonFinite { what: "weights", index });
            }
        }
        if self.policy.is_some() && !matches!(self.method, Method::Auto | Method::Pivoting) {
            return Err(Error::Unsupported { solver: self.method.name(), what: "an order of rows" });
        }
        if self.sweeps.is_some() && !matches!(self.method, Method::Auto | Method::GaussSeidel) {
            return Err(Error::Unsupported { solver: self.method.name(), what: "a budget of sweeps" });
        }
        if let Some(warm) = run.warm {
            crate::problem::check_length("warm start", warm.len(), problem.len())?;
        }
        if let Some(forces) = run.forces {
            crate::problem::check_length("forces", forces.len(), problem.len())?;
            crate::problem::check_numbers("forces", forces)?;
        }
        match self.policy {
            Some(Policy::PreOrdered) => check_order(run.order, problem.len()),
            Some(Policy::Hybrid | Policy::Random) if run.rng.is_none() => Err(Error::MissingGenerator),
            _ => Ok(()),
        }
    }
}

fn check_order(order: Option<&[usize]>, rows: usize) -> Result<(), Error> {
    let order = order.ok_or(Error::MissingOrder)?;
    let mut seen = vec![false; rows];
    for &row in order {
        match seen.get_mut(row) {
            None => return Err(Error::OrderRange { row, rows }),
            Some(true) => return Err(Error::OrderRepeats { row }),
            Some(seen) => *seen = true,
        }
    }
    seen.iter().position(|s| !s).map_or(Ok(()), |row| Err(Error::OrderOmits { row }))
}
