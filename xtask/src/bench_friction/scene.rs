//! Bodies and contacts as a problem.

use crate::TaskError;
use crate::measure::within;
use engine2d_lcp::{Lcp, Row, SparseRows};
use engine2d_math::random::Lcg32;

/// Coefficients of friction are between these.
const LEAST_MU: f64 = 0.1;
/// See [`LEAST_MU`].
const MU: f64 = 0.6;
/// Weight of a body of mass 1.
const WEIGHT: f64 = 10.0;

/// Bodies of mass 1 with contacts of two rows each.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) places: Vec<(f64, f64)>,
    pub(super) inverse_mass: Vec<f64>,
    /// Velocity of each coordinate before the load acts.
    pub(super) velocity: Vec<f64>,
    pub(super) rows: Vec<Vec<(usize, f64)>>,
    /// What the bias of each row has beside that.
    pub(super) extra: Vec<f64>,
    /// The same coefficient for all contacts, else they are drawn.
    pub(super) mu: Option<f64>,
}

impl Scene {
    /// A body of mass 1.
    pub(super) fn body(&mut self, x: f64, y: f64) -> usize {
        self.body_of(x, y, [1.0, 1.0, 6.0])
    }

    pub(super) fn body_of(&mut self, x: f64, y: f64, inverse_mass: [f64; 3]) -> usize {
        self.places.push((x, y));
        self.inverse_mass.extend(inverse_mass);
        self.velocity.extend([0.0; 3]);
        self.places.len() - 1
    }

    /// A contact at a point that pushes `upper` along the direction with these components.
    pub(super) fn contact(
        &mut self,
        upper: usize,
        lower: Option<usize>,
        point: (f64, f64),
        normal: (f64, f64),
    ) {
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
    pub(super) fn bias(&self, angle: f64) -> Vec<f64> {
        let (s, c) = engine2d_math::trig::sin_cos(angle);
        let load = [WEIGHT * s, -WEIGHT * c, 0.0];
        let motion = |row: &[(usize, f64)]| -> f64 {
            row.iter().map(|&(c, v)| v * (load[c % 3] + self.velocity[c])).sum()
        };
        self.rows.iter().zip(&self.extra).map(|(row, extra)| motion(row) + extra).collect()
    }

    pub(super) fn problem(&self) -> Result<Lcp<'static>, TaskError> {
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
