//! Which bodies and rows belong to a window.

use super::bodies::Bodies;
use crate::tolerance::WINDOW_LAYERS;
use engine2d_math::order::Order;

/// Scratch of the windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    /// Rows of each body.
    start: Vec<usize>,
    rows: Vec<u32>,
    /// Whether a body was in the middle of a window.
    pub(super) done: Vec<bool>,
    /// Place of each body in the window, and of each row.
    pub(super) body_in: Vec<u32>,
    pub(super) row_in: Vec<u32>,
    pub(super) bodies: Vec<usize>,
    pub(super) list: Vec<usize>,
}

/// No place in the window.
const OUTSIDE: u32 = u32::MAX;

impl Windows {
    /// Takes over which bodies and rows belong together.
    pub(super) fn link(&mut self, rows: usize, bodies: &Bodies) {
        let count = bodies.count();
        self.start.clear();
        self.start.resize(count + 1, 0);
        let ends = |i: usize| bodies.bodies_of(i);
        for i in 0..rows {
            ends(i).for_each(|body| self.start[body + 1] += 1);
        }
        for body in 0..count {
            self.start[body + 1] += self.start[body];
        }
        self.rows.clear();
        self.rows.resize(self.start[count], 0);
        let mut next = self.start.clone();
        for i in 0..rows {
            for body in ends(i) {
                self.rows[next[body]] = i as u32;
                next[body] += 1;
            }
        }
        self.done.clear();
        self.done.resize(count, false);
        self.body_in.clear();
        self.body_in.resize(count, OUTSIDE);
        self.row_in.clear();
        self.row_in.resize(rows, OUTSIDE);
    }

    /// Gathers bodies about one that were in no window yet, then layers of any about them, and the rows among all these.
    pub(super) fn grow(&mut self, seed: usize, size: usize, bodies: &Bodies) {
        self.bodies.clear();
        self.add(seed);
        let (mut at, mut layers) = (0, 0);
        while at < self.bodies.len() && self.bodies.len() < size {
            self.add_neighbours(at, bodies, false);
            at += 1;
        }
        self.bodies.iter().for_each(|&body| self.done[body] = true);
        while layers < WINDOW_LAYERS {
            let end = self.bodies.len();
            while at < end {
                self.add_neighbours(at, bodies, true);
                at += 1;
            }
            layers += 1;
        }
        self.list.clear();
        for &body in &self.bodies {
            for &i in &self.rows[self.start[body]..self.start[body + 1]] {
                let inside = |body: usize| self.body_in[body] != OUTSIDE;
                if self.row_in[i as usize] == OUTSIDE && bodies.bodies_of(i as usize).all(inside) {
                    self.row_in[i as usize] = 0;
                    self.list.push(i as usize);
                }
            }
        }
        self.list.order();
        self.list.iter().enumerate().for_each(|(k, &i)| self.row_in[i] = k as u32);
    }

    fn add(&mut self, body: usize) {
        self.body_in[body] = self.bodies.len() as u32;
        self.bodies.push(body);
    }

    /// Adds the neighbours of a body of the window, also those done if `any`.
    fn add_neighbours(&mut self, at: usize, bodies: &Bodies, any: bool) {
        let body = self.bodies[at];
        for k in self.start[body]..self.start[body + 1] {
            for other in bodies.bodies_of(self.rows[k] as usize) {
                if self.body_in[other] == OUTSIDE && (any || !self.done[other]) {
                    self.add(other);
                }
            }
        }
    }

    /// Forgets the places of the window's bodies and rows.
    pub(super) fn leave(&mut self) {
        self.bodies.iter().for_each(|&body| self.body_in[body] = OUTSIDE);
        self.list.iter().for_each(|&i| self.row_in[i] = OUTSIDE);
    }
}
