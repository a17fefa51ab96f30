//! From a point near a solution to one, set by set, where Newton finds no end.
//!
//! **Method.** The forces at hand, put within their bounds, solve the problem exactly for another bias `b + (1 − θ) δ`, `θ = 0`. From
//! there `θ` is followed to 1: between two changes of a set the forces are linear in `θ`; where a contact opens, closes, sticks or
//! begins to slip its set changes, and the new unknown must move into its range, which tells whether `θ` grows or falls (the
//! problem is not monotone: the way may turn back, and Newton, which wants to go straight on, cycles there). This is Lemke's
//! method with `δ` as its covering vector, started near the answer. **Promise.** None: the way may end in a ray or be too
//! long.
//!
//! Redundant contacts are kept regular by a proximal term centred at the first point; Newton takes it away at the end.

use super::Friction;
use super::bodies::Entry;
use super::by_bodies::held;
use super::contacts::TANGENTS;
use super::path::Path;
use super::start::Goal;
use crate::tolerance::{NEWTON_STEPS, PATH_CHANGES, PATH_EVENTS, PATH_HELD, PROXIMAL};
use crate::{Lcp, Row, Set, Stats};
use engine2d_math::kernel::larger;

/// What a contact does on the way: its normal row, or one of friction, told by its number at the contact.
#[derive(Clone, Copy)]
enum Turn {
    Opens(u32),
    Closes(u32),
    /// Friction comes to one of its limits.
    Slips(usize, Set),
    /// Friction leaves one of them.
    Sticks(usize, Set),
}

/// A contact that changes the sets of its rows.
#[derive(Clone, Copy)]
struct Event {
    contact: usize,
    turn: Turn,
}

impl Friction {
    /// Follows the way that begins at `trial` over so many events at most, with ties of some strength to `centre`; whether it ends there.
    pub(super) fn follow(
        &mut self,
        problem: &Lcp<'_>,
        (ties, events): (f64, usize),
        stats: &mut Stats,
    ) -> bool {
        self.begin_path(problem, ties);
        let kinds = problem.kinds();
        self.block_sets(kinds, ties);
        let (mut theta, mut sense) = (0.0, 1.0);
        if !self.path_direction(kinds, ties, stats) {
            return false;
        }
        for _ in 0..events {
            if self.deadline.passed() {
                return false;
            }
            let left = if sense > 0.0 { 1.0 - theta } else { f64::INFINITY };
            let (length, event) = self.next_event(sense, left);
            if !length.is_finite() {
                return false;
            }
            stats.pivots += 1;
            theta += sense * length;
            let Path { room, way, turn, .. } = &mut self.path;
            self.trial.iter_mut().zip(way).for_each(|(f, d)| *f += sense * length * *d);
            room.iter_mut().zip(turn).for_each(|(a, d)| *a += sense * length * *d);
            let Some(event) = event else { return true };
            if !self.pass(kinds, ties, event, stats) {
                return false;
            }
            sense = if self.moves_in(event) >= 0.0 { 1.0 } else { -1.0 };
        }
        false
    }

    /// As [`Friction::follow`] with the weakest ties, then Newton; keeps the best point.
    pub(super) fn follow_to_the_end(
        &mut self,
        problem: &Lcp<'_>,
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        self.path.centre.clone_from(&self.trial);
        if self.follow(problem, (PROXIMAL, PATH_EVENTS), stats) {
            let reached = self.newton_by_bodies(problem, goal, NEWTON_STEPS, stats);
            self.keep(reached, best);
        }
    }

    /// Puts the forces `trial` within their bounds, with accelerations as their sets ask for, and takes what the bias lacks of it as
    /// `δ`.
    fn begin_path(&mut self, problem: &Lcp<'_>, ties: f64) {
        let n = problem.len();
        self.tied_accelerations(problem, ties);
        let Self { path, trial, a, sets, diagonal, .. } = self;
        for v in [&mut path.gap, &mut path.room, &mut path.way, &mut path.turn] {
            v.clear();
            v.resize(n, 0.0);
        }
        // Limits of friction are those of the normal forces taken over.
        for follows in [false, true] {
            for (i, kind) in problem.kinds().iter().enumerate() {
                if kind.normal().is_some() != follows {
                    continue;
                }
                let d = diagonal[i].max(f64::MIN_POSITIVE);
                let (lo, hi) = kind.bounds(kind.normal().map_or(0.0, |normal| trial[normal]));
                let wish = trial[i] - a[i] / d;
                sets[i] = match wish {
                    _ if wish <= lo => Set::Lower,
                    _ if wish >= hi => Set::Upper,
                    _ => Set::Clamped,
                };
                trial[i] = wish.clamp(lo, hi);
                path.room[i] = d * (trial[i] - wish);
            }
        }
        self.tied_accelerations(problem, ties);
        let Self { path, a, .. } = self;
        path.gap.iter_mut().zip(&path.room).zip(&*a).for_each(|((gap, room), a)| *gap = room - a);
    }

    /// Takes over the sets after an event; `false` if the way has no direction any more.
    fn pass(&mut self, kinds: &[Row], ties: f64, event: Event, stats: &mut Stats) -> bool {
        let contact = self.contacts[event.contact];
        match event.turn {
            Turn::Opens(n) => self.sets[n as usize] = Set::Lower,
            Turn::Closes(n) => {
                self.sets[n as usize] = Set::Clamped;
                for t in contact.tangents() {
                    let slips = if self.path.room[t.row as usize] > 0.0 { Set::Lower } else { Set::Upper };
                    self.sets[t.row as usize] = slips;
                }
            }
            Turn::Slips(k, limit) => self.sets[contact.tangents()[k].row as usize] = limit,
            Turn::Sticks(k, _) => self.sets[contact.tangents()[k].row as usize] = Set::Clamped,
        }
        contact.normal.into_iter().for_each(|n| self.block_row(kinds, ties, n as usize));
        contact.tangents().iter().for_each(|t| self.block_row(kinds, ties, t.row as usize));
        let change = self.change_of(event, ties);
        let Self { path, bodies, .. } = self;
        let Path { gap, way, changes, .. } = path;
        let few = changes.count() < PATH_CHANGES;
        if few && changes.add(bodies, change, gap, way) && self.path_turn(kinds, ties) {
            return true;
        }
        self.path_direction(kinds, ties, stats)
    }

    /// What an event adds to the block of its contact, as `c wᵀ`.
    fn change_of(&self, event: Event, ties: f64) -> (Entry, Entry) {
        let contact = &self.contacts[event.contact];
        let held = |i: u32| held(ties, self.diagonal[i as usize]);
        let mut c = [(0, 0.0); 1 + TANGENTS];
        let mut w = c;
        match event.turn {
            Turn::Opens(n) | Turn::Closes(n) => {
                let opens = matches!(event.turn, Turn::Opens(_));
                c[0] = (n, 1.0);
                w[0] = (n, if opens { -held(n) } else { held(n) });
                for (c, t) in c[1..].iter_mut().zip(contact.tangents()) {
                    *c = (t.row, t.share(self.sets[t.row as usize]));
                }
            }
            Turn::Slips(k, limit) | Turn::Sticks(k, limit) => {
                let t = contact.tangents()[k];
                let sign = if matches!(event.turn, Turn::Slips(..)) { 1.0 } else { -1.0 };
                c[1] = (t.row, 1.0);
                w[0] = contact.normal.map_or((0, 0.0), |n| (n, sign * t.share(limit) * held(n)));
                w[1] = (t.row, -sign * held(t.row));
            }
        }
        (c, w)
    }

    /// Factors the system of the present sets, and what the forces and accelerations do as `θ` grows.
    fn path_direction(&mut self, kinds: &[Row], ties: f64, stats: &mut Stats) -> bool {
        stats.factorizations += 1;
        if !self.bodies.factor() {
            return false;
        }
        let Self { path, bodies, .. } = self;
        let Path { gap, way, changes, .. } = path;
        changes.begin(bodies, gap, way);
        self.path_turn(kinds, ties);
        true
    }

    /// What the accelerations do as the forces go their way; whether the rows that are held stay where they are.
    fn path_turn(&mut self, kinds: &[Row], ties: f64) -> bool {
        let Self { path, bodies, diagonal, rhs, .. } = self;
        let Path { gap, way, turn, .. } = path;
        rhs.iter_mut().zip(&*gap).for_each(|(r, gap)| *r = -gap);
        bodies.accelerations(way, rhs, turn);
        for ((turn, way), d) in turn.iter_mut().zip(&*way).zip(&*diagonal) {
            *turn += ties * *d * way;
        }
        let (mut moved, mut most) = (0.0_f64, 0.0_f64);
        for (i, kind) in kinds.iter().enumerate() {
            // What has a weight of its own is held.
            if bodies.own[i] != 0.0 || *kind == Row::Bilateral {
                moved = larger(turn[i].abs(), moved);
            }
            most = larger(gap[i].abs(), most);
        }
        moved <= PATH_HELD * most
    }

    /// How fast what an event has set free moves into its range as `θ` grows.
    fn moves_in(&self, event: Event) -> f64 {
        let Path { way, turn, .. } = &self.path;
        let contact = &self.contacts[event.contact];
        match event.turn {
            Turn::Opens(n) => turn[n as usize],
            Turn::Closes(n) => way[n as usize],
            Turn::Slips(k, limit) => -limit_sign(limit) * turn[contact.tangents()[k].row as usize],
            Turn::Sticks(k, limit) => {
                let t = contact.tangents()[k];
                let presses = contact.normal.map_or(0.0, |n| t.share(limit) * way[n as usize]);
                limit_sign(limit) * (presses - way[t.row as usize])
            }
        }
    }

    /// The first contact to change its sets within `left`, and the length of the way to it.
    fn next_event(&self, sense: f64, left: f64) -> (f64, Option<Event>) {
        let Path { room, way, turn, .. } = &self.path;
        let (mut length, mut next) = (left, None);
        for (contact, at) in self.contacts.iter().zip(0..) {
            let mut meet = |value: f64, change: f64, turn: Turn| {
                let reached = value.max(0.0) / (-sense * change);
                if sense * change < 0.0 && reached < length {
                    (length, next) = (reached, Some(Event { contact: at, turn }));
                }
            };
            let (mut force, mut change) = (1.0, 0.0);
            if let Some(row) = contact.normal {
                let n = row as usize;
                if self.sets[n] != Set::Clamped {
                    meet(room[n], turn[n], Turn::Closes(row));
                    continue;
                }
                (force, change) = (self.trial[n], way[n]);
                // What sticks comes to a limit before the contact opens.
                if contact.tangents().iter().all(|t| self.sets[t.row as usize] != Set::Clamped) {
                    meet(force, change, Turn::Opens(row));
                }
            }
            for (k, t) in contact.tangents().iter().enumerate() {
                let i = t.row as usize;
                match self.sets[i] {
                    Set::Clamped => {
                        let (along, moves) = (self.trial[i], way[i]);
                        if t.hi < f64::INFINITY {
                            meet(t.hi * force - along, t.hi * change - moves, Turn::Slips(k, Set::Upper));
                        }
                        if t.lo > f64::NEG_INFINITY {
                            meet(along - t.lo * force, moves - t.lo * change, Turn::Slips(k, Set::Lower));
                        }
                    }
                    limit if t.may_stick() => {
                        let sign = -limit_sign(limit);
                        meet(sign * room[i], sign * turn[i], Turn::Sticks(k, limit));
                    }
                    _ => {}
                }
            }
        }
        (length, next)
    }
}

/// The way to a limit of friction.
fn limit_sign(limit: Set) -> f64 {
    if limit == Set::Upper { 1.0 } else { -1.0 }
}
