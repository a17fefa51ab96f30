//! What steps of whole mechanisms reuse, and what of it constrainers remember from step to step.

use super::rows::{ImpulseSolver, Rows, State};
use engine2d_constraint::constrainer::{Assembled, AssembledFriction, Constrainer};
use engine2d_geometry::BodyRef;

/// Storage that steps reuse.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) bilateral: Assembled,
    pub(super) unilateral: Assembled,
    pub(super) friction: AssembledFriction,
    pub(super) rows: Rows,
    /// Velocities without constraints.
    pub(super) free: Vec<f64>,
    /// Impulses of bilateral, then unilateral rows.
    pub(super) impulses: Vec<f64>,
    /// Friction impulses of all sets, pruned ones zero.
    pub(super) phi: Vec<f64>,
    states: Vec<u8>,
    pub(super) bodies: Vec<BodyRef>,
}

impl Scratch {
    /// Hands the solver the states that constrainers remember.
    pub(super) fn warm_start(
        &mut self,
        (constrainers, solver): (&[Box<dyn Constrainer>], &mut ImpulseSolver),
        [bilateral, unilateral]: [usize; 2],
        friction: usize,
    ) {
        let s = self;
        s.states.clear();
        s.states.resize(unilateral, 0);
        let mut index = 0;
        for c in constrainers {
            index = c.unilateral_state(&mut s.states, index);
        }
        solver.start_states(bilateral, &s.states);
        if friction == 0 {
            return;
        }
        s.states.clear();
        s.states.resize(s.friction.sets.len(), 0);
        index = 0;
        for c in constrainers {
            index = c.friction_state(&mut s.states, index);
        }
        let active = s.states.iter().zip(&s.friction.sets).filter(|(_, i)| i.block.is_some());
        solver.add_states(active.map(|(state, _)| *state));
    }

    /// Stores forces and states of the velocity solve.
    pub(super) fn store(
        &mut self,
        (constrainers, solver): (&mut [Box<dyn Constrainer>], &ImpulseSolver),
        [bilateral, unilateral]: [usize; 2],
        h: f64,
    ) {
        let s = self;
        let (lambda, theta) = s.impulses.split_at(bilateral);
        s.states.clear();
        s.states.extend((bilateral..bilateral + unilateral).map(|row| solver.state(row)));
        let (mut b, mut u, mut v) = (0, 0, 0);
        for c in constrainers {
            b = c.set_bilateral_forces(lambda, 1.0 / h, b);
            u = c.set_unilateral_forces(theta, 1.0 / h, u);
            v = c.set_unilateral_state(&s.states, v);
        }
    }

    /// Stores forces and states of all friction sets, those of pruned ones zero.
    pub(super) fn store_friction(
        &mut self,
        (constrainers, solver): (&mut [Box<dyn Constrainer>], &ImpulseSolver),
        [bilateral, unilateral]: [usize; 2],
        h: f64,
    ) {
        let s = self;
        s.states.clear();
        let mut row = bilateral + unilateral;
        for (info, phi) in s.friction.sets.iter().zip(&mut s.phi) {
            let mut state: State = 0;
            if info.block.is_some() {
                (*phi, state) = (solver.impulses()[row], solver.state(row));
                row += 1;
            }
            s.states.push(state);
        }
        let (mut f, mut v) = (0, 0);
        for c in constrainers {
            f = c.set_friction_forces(&s.phi, 1.0 / h, f);
            v = c.set_friction_state(&s.states, v);
        }
    }
}
