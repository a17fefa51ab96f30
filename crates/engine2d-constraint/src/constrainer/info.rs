//! What is known of constraint rows and friction sets beside their Jacobians.

/// What is known of a constraint row beside its Jacobian.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RowInfo {
    /// Error of position (length or angle), signed so that `G dx = −distance` moves back.
    pub distance: f64,
    /// Compliance (displacement per force); 0 for a rigid row.
    pub compliance: f64,
    /// Damping (force·time per displacement).
    pub damping: f64,
    /// Force of a nonlinear law at this distance; 0 for a linear one.
    pub force: f64,
    /// Rate that a row with a position keeps: that of a moving target; 0 for others.
    #[serde(default)]
    pub rate: f64,
    /// For a row that holds a rate and no position (rolling, a motor): the rate `G v` that it keeps. Position
    /// corrections leave such rows out.
    #[serde(default)]
    pub drive: Option<f64>,
}

impl RowInfo {
    /// Regularization `R` and position term of the velocity row `G v + R λ = −h ġ − term` over a step `h`, with
    /// impulses `λ`.
    ///
    /// Rigid: both 0. Compliant: `s = 1/(h/2 + d c)`, `R = s c/h`, term `s · distance`. With a nonlinear force:
    /// `a = 1/(h/(2 c) + d)`, `R = a/h`, term `a · force`.
    #[must_use]
    pub fn regularization(&self, h: f64) -> (f64, f64) {
        if self.compliance == 0.0 {
            (0.0, 0.0)
        } else if self.force == 0.0 {
            let s = 1.0 / (0.5 * h + self.damping * self.compliance);
            (s * self.compliance / h, s * self.distance)
        } else {
            let a = 1.0 / (0.5 * h / self.compliance + self.damping);
            (a / h, a * self.force)
        }
    }

    /// Regularization `R` and right-hand side of the row `G v + R λ = target` over a step `h`, with the velocity-product
    /// term `product`.
    #[must_use]
    pub fn velocity_row(&self, h: f64, product: f64) -> (f64, f64) {
        match self.drive {
            Some(speed) => (0.0, -h * product + speed),
            None => {
                let (r, term) = self.regularization(h);
                (r, self.rate - h * product - term)
            }
        }
    }

    /// Regularization `R` and right-hand side of the row `G dx + R λ = target` of a position correction: rigid rows move
    /// back, compliant ones resist. `None` for a row without position.
    #[must_use]
    pub fn position_row(&self) -> Option<(f64, f64)> {
        match self.drive {
            Some(_) => None,
            None if self.compliance == 0.0 => Some((0.0, -self.distance)),
            None => Some((self.compliance, 0.0)),
        }
    }
}

/// One set of friction directions of a contact; in the plane a single direction.
///
/// While it sticks the row is `D v + (creep/h + compliance/h²) φ = speed − displacement/h` with an impulse `φ`: rigid
/// without creep and compliance, else a dashpot and a spring that is stretched by `displacement`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionInfo {
    /// Coefficient of friction.
    pub mu: f64,
    /// Row whose force presses the surfaces together: of `N`, or of `G` if [`bilateral`](Self::bilateral).
    pub contact: usize,
    /// A second pressing row of the same matrix, square to the first: the limit is `mu` times the length of both forces.
    pub second: Option<usize>,
    /// Whether the pressing rows are bilateral.
    pub bilateral: bool,
    /// Least and largest force of a row whose limits are fixed, as those of a motor; no row presses then.
    pub limits: Option<[f64; 2]>,
    /// Rate that the row keeps within its limits; 0 for friction.
    pub speed: f64,
    /// Velocity creep per unit force while sticking.
    pub creep: f64,
    /// Displacement per unit force while sticking.
    pub compliance: f64,
    /// Displacement of the sticking spring at the start of the step: `−compliance` times the force that it holds then.
    pub displacement: f64,
    /// Block column in `Dᵀ`; `None` if the set was pruned.
    pub block: Option<usize>,
}

impl FrictionInfo {
    /// Least and largest impulse over a step `h`, given the impulses of bilateral and unilateral rows.
    ///
    /// # Panics
    /// If a pressing row is not among them; assembly checks that it is.
    #[must_use]
    pub fn bounds(&self, h: f64, bilateral: &[f64], unilateral: &[f64]) -> [f64; 2] {
        if let Some(limits) = self.limits {
            return limits.map(|f| f * h);
        }
        let press = |row: usize| if self.bilateral { bilateral[row].abs() } else { unilateral[row].max(0.0) };
        let first = press(self.contact);
        let normal = self.second.map_or(first, |row| first.hypot(press(row)));
        [-self.mu * normal, self.mu * normal]
    }

    /// Regularization and right-hand side of the sticking row over a step `h`.
    #[must_use]
    pub fn sticking_row(&self, h: f64) -> (f64, f64) {
        (self.creep / h + self.compliance / (h * h), self.speed - self.displacement / h)
    }
}
