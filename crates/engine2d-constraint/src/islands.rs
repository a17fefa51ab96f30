//! Islands: bodies that constraints connect, with the ground connecting nothing.

use crate::error::MechanismError;
use crate::forest::Forest;
use crate::id::ConstraintId;
use crate::mechanism::Mechanism;
use engine2d_geometry::BodyRef;

/// Bodies connected with each other, and the constraints that connect them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Island {
    /// Bodies in order.
    pub bodies: Vec<BodyRef>,
    /// Places of its enabled constraints, in order.
    pub constraints: Vec<usize>,
}

impl Mechanism {
    fn forest(&self) -> Forest {
        let mut forest = Forest::default();
        forest.reset(self.body_count());
        self.connections().for_each(|(_, bodies)| forest.join(bodies));
        forest
    }

    /// The islands of the enabled constraints, ordered by their first bodies; a free body is one of its own.
    #[must_use]
    pub fn islands(&self) -> Vec<Island> {
        let mut forest = self.forest();
        let mut number = vec![usize::MAX; self.body_count()];
        let mut islands: Vec<Island> = Vec::new();
        for body in 0..self.body_count() {
            let root = forest.root(body);
            if number[root] == usize::MAX {
                number[root] = islands.len();
                islands.push(Island::default());
            }
            islands[number[root]].bodies.push(BodyRef::Body(body as u32));
        }
        for (constraint, bodies) in self.connections() {
            if let Some(body) = bodies.iter().find_map(|b| b.index()) {
                islands[number[forest.root(body)]].constraints.push(constraint);
            }
        }
        islands
    }

    /// Bodies whose motion a constraint may affect: those connected with its own, by it or by enabled constraints.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn affected_bodies<C>(&self, id: ConstraintId<C>) -> Result<Vec<BodyRef>, MechanismError> {
        let own = self.constrained_bodies(id)?;
        let mut forest = self.forest();
        forest.join(own.iter().copied());
        let Some(first) = own.iter().find_map(|b| b.index()) else { return Ok(Vec::new()) };
        let home = forest.root(first);
        let bodies = (0..self.body_count()).filter(|&b| forest.root(b) == home);
        Ok(bodies.map(|b| BodyRef::Body(b as u32)).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mass, Mechanism, Revolute, Rod};
    use engine2d_geometry::BodyRef::{Body, Ground};
    use engine2d_math::Pose;

    #[test]
    fn the_ground_connects_nothing_and_disabled_constraints_neither() {
        let mut m = Mechanism::new();
        let b: Vec<_> = (0..4)
            .map(|k| m.add_body(Mass::new(1.0, 1.0), Pose::new(f64::from(k), 0.0, 0.0)).unwrap())
            .collect();
        for &body in &b {
            m.add(Revolute::to_ground(body, [0.0, 0.0])).unwrap();
        }
        let link = m.add(Rod::new(b[2], [0.0, 0.0], b[0], [0.0, 0.0], 2.0)).unwrap();
        let islands = m.islands();
        let bodies: Vec<_> = islands.iter().map(|i| i.bodies.clone()).collect();
        assert_eq!(bodies, [vec![Body(0), Body(2)], vec![Body(1)], vec![Body(3)]]);
        assert_eq!(islands[0].constraints, [0, 2, 4]);
        m.set_enabled(link, false).unwrap();
        assert_eq!(m.islands().len(), 4);
        assert_eq!(m.affected_bodies(link).unwrap(), [Body(0), Body(2)]);
        assert_eq!(m.constrained_bodies(link).unwrap(), [Body(2), Body(0)]);
        let pin = m.add(Revolute::to_ground(b[1], [0.0, 0.0])).unwrap();
        assert_eq!(m.constrained_bodies(pin).unwrap(), [Body(1), Ground]);
    }
}
