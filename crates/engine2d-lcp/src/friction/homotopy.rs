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
use super::bodies::Pair;
use super::by_bodies::held;
use super::path::Path;
use crate::tolerance::{NEWTON_STEPS, PATH_CHANGES, PATH_EVENTS, PATH_HELD, PROXIMAL};
use crate::{Lcp, Row, Set, Stats};
use engine2d_math::kernel::larger;

/// A contact changes the sets of its rows, normal and tangent.
#[derive(Clone, Copy)]
struct Event {
    cone: usize,
    from: (Set, Set),
    to: (Set, Set),
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
        tolerance: f64,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        self.path.centre.clone_from(&self.trial);
        if self.follow(problem, (PROXIMAL, PATH_EVENTS), stats) {
            let reached = self.newton_by_bodies(problem, tolerance, NEWTON_STEPS, stats);
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
        let cone = &self.cones[event.cone];
        let (n, slip) = (cone.normal as usize, cone.slip);
        self.sets[n] = event.to.0;
        self.block_row(kinds, ties, n);
        if let Some((t, _)) = slip {
            self.sets[t as usize] = event.to.1;
            self.block_row(kinds, ties, t as usize);
        }
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
    fn change_of(&self, event: Event, ties: f64) -> (Pair, Pair) {
        let cone = &self.cones[event.cone];
        let n = cone.normal;
        let held = |i: u32| held(ties, self.diagonal[i as usize]);
        let presses = event.to.0 == Set::Clamped;
        let closes = if presses { held(n) } else { -held(n) };
        let Some((t, mu)) = cone.slip else { return ([(n, 1.0), (n, 0.0)], [(n, closes), (n, 0.0)]) };
        let share = |slips: Set| if slips == Set::Upper { mu } else { -mu };
        if !presses || event.from.0 != Set::Clamped {
            let slips = if presses { event.to.1 } else { event.from.1 };
            ([(n, 1.0), (t, share(slips))], [(n, closes), (t, 0.0)])
        } else if event.to.1 == Set::Clamped {
            ([(n, 0.0), (t, 1.0)], [(n, -share(event.from.1) * held(n)), (t, held(t))])
        } else {
            ([(n, 0.0), (t, 1.0)], [(n, share(event.to.1) * held(n)), (t, -held(t))])
        }
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
        let cone = &self.cones[event.cone];
        let n = cone.normal as usize;
        if event.to.0 != Set::Clamped {
            return turn[n];
        }
        let Some((t, mu)) = cone.slip.filter(|_| event.from.0 == Set::Clamped) else { return way[n] };
        let sign = |set| if set == Set::Upper { 1.0 } else { -1.0 };
        if event.to.1 == Set::Clamped {
            mu * way[n] - sign(event.from.1) * way[t as usize]
        } else {
            -sign(event.to.1) * turn[t as usize]
        }
    }

    /// The first contact to change its sets within `left`, and the length of the way to it.
    fn next_event(&self, sense: f64, left: f64) -> (f64, Option<Event>) {
        let Path { room, way, turn, .. } = &self.path;
        let (mut length, mut next) = (left, None);
        for (k, cone) in self.cones.iter().enumerate() {
            let n = cone.normal as usize;
            let from = (self.sets[n], cone.slip.map_or(Set::Lower, |(t, _)| self.sets[t as usize]));
            let mut meet = |value: f64, change: f64, to: (Set, Set)| {
                let at = value.max(0.0) / (-sense * change);
                if sense * change < 0.0 && at < length {
                    (length, next) = (at, Some(Event { cone: k, from, to }));
                }
            };
            let force = (self.trial[n], way[n]);
            match (cone.slip, from) {
                (Some((t, _)), (set, _)) if set != Set::Clamped => {
                    let slips = if room[t as usize] > 0.0 { Set::Lower } else { Set::Upper };
                    meet(room[n], turn[n], (Set::Clamped, slips));
                }
                (None, (Set::Clamped, slips)) => meet(force.0, force.1, (Set::Lower, slips)),
                (None, (_, slips)) => meet(room[n], turn[n], (Set::Clamped, slips)),
                (Some((t, mu)), (_, Set::Clamped)) => {
                    let (limit, change) = (mu * force.0, mu * force.1);
                    let (along, moves) = (self.trial[t as usize], way[t as usize]);
                    meet(limit - along, change - moves, (Set::Clamped, Set::Upper));
                    meet(limit + along, change + moves, (Set::Clamped, Set::Lower));
                }
                (Some((t, _)), (_, slips)) => {
                    meet(force.0, force.1, (Set::Lower, slips));
                    let sign = if slips == Set::Upper { -1.0 } else { 1.0 };
                    let (speed, change) = (room[t as usize], turn[t as usize]);
                    meet(sign * speed, sign * change, (Set::Clamped, Set::Clamped));
                }
            }
        }
        (length, next)
    }
}
