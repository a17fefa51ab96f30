//! How a point of a body moves with the drives of a mechanism: what inverse kinematics and statics of arms and linkages ask for.

use crate::body::BodyId;
use crate::equation::Level;
use crate::error::MechanismError;
use crate::id::ConstraintId;
use crate::mechanism::Mechanism;
use crate::tolerance::{CONTRADICTION, DEPENDENT};
use engine2d_math::kkt;
use engine2d_math::{Vec2, perp};

impl Mechanism {
    /// The Jacobian of a point of a body (body coordinates) over the rates of drives, at the present position: for each drive the
    /// velocity of the point and the angular velocity of the body, `[v_x, v_y, ω]` in length and radians for each unit of the
    /// drive's coordinate, while all other drives stand still. Drives are constraints of one equation that prescribe a
    /// coordinate: [`Prescribed`](crate::Prescribed) and its like, of positions or speeds; present rates do not matter.
    ///
    /// A step `δ` of the drives moves the point by `Σ column · δ`, to first order; a force `F` and torque `τ` at the point are
    /// held by the drives' forces `−column · (F_x, F_y, τ)`. Over the velocities of a body itself no call is needed: a point at
    /// `r` from its frame (world) moves at `v + ω perp(r)`, so that the row of `x` is `[1, 0, −r_y]` and that of `y` `[0, 1, r_x]`.
    ///
    /// ```
    /// use engine2d_constraint::{BodyRef, Mass, Measure, Mechanism, Pose, Prescribed, Revolute};
    ///
    /// // An arm of two links of length 1 reaches for (1, 1.2) by Newton's method.
    /// let mut m = Mechanism::new();
    /// let link = Mass::new(1.0, 0.1);
    /// let upper = m.add_body(link, Pose::new(0.0, 0.0, 0.0))?;
    /// let lower = m.add_body(link, Pose::new(1.0, 0.0, 0.0))?;
    /// m.add(Revolute::to_ground(upper, [0.0, 0.0]))?;
    /// m.add(Revolute::new(lower, [0.0, 0.0], upper, [1.0, 0.0]))?;
    /// let shoulder = m.add(Prescribed::position(Measure::angle(upper, BodyRef::Ground), 0.3))?;
    /// let elbow = m.add(Prescribed::position(Measure::angle(lower, upper), 0.9))?;
    /// let (mut q, target) = ([0.3, 0.9], [1.0, 1.2]);
    /// for _ in 0..8 {
    ///     m.edit(shoulder, |drive| drive.set_value(q[0]))?;
    ///     m.edit(elbow, |drive| drive.set_value(q[1]))?;
    ///     m.assemble()?;
    ///     let hand = m.motions().of(lower).position([1.0, 0.0].into());
    ///     let [a, b] = m.point_jacobian(lower, [1.0, 0.0], &[shoulder, elbow])?[..] else { unreachable!() };
    ///     let (dx, dy, det) = (target[0] - hand.x, target[1] - hand.y, a[0] * b[1] - a[1] * b[0]);
    ///     q = [q[0] + (dx * b[1] - dy * b[0]) / det, q[1] + (dy * a[0] - dx * a[1]) / det];
    /// }
    /// let hand = m.motions().of(lower).position([1.0, 0.0].into());
    /// assert!((hand.x - 1.0).abs() < 1e-12 && (hand.y - 1.2).abs() < 1e-12);
    /// # Ok::<(), engine2d_constraint::MechanismError>(())
    /// ```
    ///
    /// # Errors
    /// [`MechanismError::NotDriven`] where the drives leave the mechanism free, or one of them cannot move while the others stand
    /// still, as at a dead centre; [`MechanismError::Length`] for a constraint that is disabled or has more than one equation;
    /// [`MechanismError::ForeignId`], [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`].
    pub fn point_jacobian<C>(
        &mut self,
        body: impl Into<BodyId>,
        point: impl Into<Vec2>,
        drives: &[ConstraintId<C>],
    ) -> Result<Vec<[f64; 3]>, MechanismError> {
        let (what, count) = ("a point", self.bodies.len());
        let place = self.place_of(what, body)?;
        let unknown = MechanismError::UnknownBody { constraint: what, body: place, count };
        let slot = place.index().ok_or(unknown)?;
        self.realize_velocity();
        let coordinates = 3 * self.body_count();
        let rows = self.moving_rows();
        let mut jacobian = Vec::with_capacity(rows.len() * coordinates);
        for &row in &rows {
            let mut full = vec![0.0; coordinates];
            let equation = &self.equations[row].row;
            for (body, entries) in equation.bodies.iter().zip(&equation.jacobian) {
                if let Some(b) = body.index() {
                    full[3 * b..].iter_mut().zip(entries).for_each(|(f, j)| *f += j);
                }
            }
            jacobian.extend(full);
        }
        let mass = self.mass_matrix().concat();
        let still = vec![0.0; coordinates];
        let arm = self.bodies[slot].motion.arm(point.into());
        let mut columns = Vec::with_capacity(drives.len());
        for &drive in drives {
            let places = self.ranges[self.entry(drive)?].clone();
            let mut own = rows.iter().enumerate().filter(|(_, row)| places.contains(row)).map(|(k, _)| k);
            let (Some(k), None) = (own.next(), own.next()) else {
                let got = places.len();
                return Err(MechanismError::Length { what: "the equations of a drive", got, expected: 1 });
            };
            let mut rates = vec![0.0; rows.len()];
            rates[k] = 1.0;
            let name = || self.name(drive).unwrap_or_default().to_owned();
            let found = kkt::solve(&mass, &jacobian, &still, &rates, DEPENDENT)
                .map_err(|error| MechanismError::Broken { constraint: name(), reason: error.to_string() })?;
            let free = coordinates - found.rank;
            if free > 0 || found.inconsistency > CONTRADICTION {
                return Err(MechanismError::NotDriven { drive: name(), free });
            }
            let [vx, vy, turning] = [0, 1, 2].map(|c| found.q[3 * slot + c]);
            let velocity = Vec2::new(vx, vy) + perp(arm) * turning;
            columns.push([velocity.x, velocity.y, turning]);
        }
        Ok(columns)
    }

    /// Places of the rigid, bilateral equations of positions and velocities.
    fn moving_rows(&self) -> Vec<usize> {
        let mut rows = self.holding();
        rows.retain(|&i| self.equations[i].level != Level::Acceleration);
        rows
    }
}

#[cfg(test)]
mod tests {
    use crate::*;

    /// A crank of radius 0.3 with a rod of length 1 and a slide along x.
    fn slider_crank(angle: f64) -> (Mechanism, BodyId, BodyId, ConstraintId<Prescribed>) {
        let mut m = Mechanism::new();
        let lean = -(0.3 * angle.sin()).asin();
        let crank = m.add_body(Mass::new(1.0, 0.1), Pose::new(0.0, 0.0, angle)).unwrap();
        let pin = [0.3 * angle.cos(), 0.3 * angle.sin()];
        let rod = m.add_body(Mass::new(0.7, 0.2), Pose::new(pin[0], pin[1], lean)).unwrap();
        m.add(Revolute::to_ground(crank, [0.0, 0.0])).unwrap();
        m.add(Revolute::new(rod, [0.0, 0.0], crank, [0.3, 0.0])).unwrap();
        m.add(Slider::along_world(rod, [1.0, 0.0], BodyRef::Ground, [0.0, 0.0], [0.0, 1.0])).unwrap();
        let drive =
            m.add_named("crank drive", Prescribed::position(Measure::angle(crank, BodyRef::Ground), angle));
        (m, crank, rod, drive.unwrap())
    }

    #[test]
    fn a_linkage_moves_as_its_closed_form_says() {
        for k in 1..12 {
            let angle = 0.5 * f64::from(k);
            let (mut m, _, rod, drive) = slider_crank(angle);
            m.assemble().unwrap();
            let column = m.point_jacobian(rod, [1.0, 0.0], &[drive]).unwrap()[0];
            // x = r cos φ + √(1 − r² sin² φ)
            let (s, c) = (0.3 * angle.sin(), 0.3 * angle.cos());
            let lean = (1.0 - s * s).sqrt();
            let expected = [-s - s * c / lean, 0.0, -c / lean];
            assert!(column.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{angle}: {column:?}");
        }
    }

    #[test]
    fn what_is_free_or_stuck_is_told() {
        let (mut m, crank, rod, drive) = slider_crank(0.7);
        m.assemble().unwrap();
        m.set_enabled(drive, false).unwrap();
        assert!(matches!(
            m.point_jacobian(rod, [1.0, 0.0], &[drive]),
            Err(MechanismError::Length { got: 0, .. })
        ));
        m.set_enabled(drive, true).unwrap();
        // A second drive of the same crank: neither can move alone.
        let other = m.add(Prescribed::position(Measure::angle(crank, BodyRef::Ground), 0.7)).unwrap();
        let told = m.point_jacobian(rod, [1.0, 0.0], &[drive, other]).unwrap_err();
        assert!(matches!(&told, MechanismError::NotDriven { free: 0, .. }), "{told}");
        m.set_enabled(other, false).unwrap();
        let loose = m.add_body(Mass::new(1.0, 1.0), Pose::IDENTITY).unwrap();
        let told = m.point_jacobian(rod, [1.0, 0.0], &[drive]).unwrap_err();
        assert!(matches!(&told, MechanismError::NotDriven { free: 3, .. }), "{told}");
        assert!(told.to_string().contains("3 coordinates free"), "{told}");
        assert!(m.point_jacobian(BodyRef::Ground, [0.0, 0.0], &[drive]).is_err());
        assert!(m.point_jacobian(loose, [0.0, 0.0], &[] as &[ConstraintId<Prescribed>]).unwrap().is_empty());
    }
}
