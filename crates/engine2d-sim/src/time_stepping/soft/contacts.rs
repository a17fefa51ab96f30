//! Contacts of the iterative solver: what is near taken up as pairs, swept in substeps, and told of.
//!
//! Contacts are soft ([`pair`](super::pair)); what bounces is struck before ([`bounce`](super::bounce)), rolling resistance after friction. Where there are many bodies
//! they are cut into ranges by their numbers, the same on every machine: pairs within a range are swept in their order, side by
//! side with those of other ranges, and those across borders after them.

use super::super::near::Near;
use super::group::{Group, Parts, Told};
use super::motion::Motion;
use super::pair::Compliance;
use super::rolling::Rollings;
use super::shapes::Formed;
use crate::model::Model;
use crate::parallel;
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;

/// Frequency of soft contacts (1/time); never above the share of the substeps' that they can follow.
const FREQUENCY: f64 = 30.0;

/// Most that the frequency is of that of the substeps.
const SHARE: f64 = 0.125;

/// Damping ratio of soft contacts.
const DAMPING: f64 = 10.0;

/// Fewest bodies of a range: far more than there are at its borders.
const RANGE: usize = 2048;

/// Most ranges: more pairs lie across the borders of more.
const RANGES: usize = 8;

/// A pair in the order of what is near: its group, whether it has two points, and its number in the group among those of as many.
#[derive(Clone, Copy, Debug)]
struct Member {
    group: u32,
    both: bool,
    number: u32,
}

/// All contacts of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// Those within each range of bodies, then those across borders.
    pub(super) groups: Vec<Group>,
    /// Number of bodies in a range.
    range: usize,
    members: Vec<Member>,
    rollings: Rollings,
    /// How contacts yield, and how those at bodies that do not move.
    soft: [Compliance; 2],
    points: usize,
    /// When each body first meets another in a substep.
    pub(super) firsts: Vec<f64>,
}

impl Contacts {
    /// Takes up what is near, pair after pair; in one range where a body is led: others do not see how it moves.
    pub(super) fn prepare(
        &mut self,
        (model, masses, leads): (&Model, &[InverseMass], bool),
        (bodies, shapes): Formed<'_>,
        near: &[Near],
        changes: &[[f64; 3]],
        part: f64,
    ) {
        let frequency = FREQUENCY.min(SHARE / part);
        self.soft = [frequency, 2.0 * frequency].map(|f| Compliance::new(f, DAMPING, part));
        self.points = near.len();
        let ranges = if leads { 1 } else { (bodies.len() / RANGE).clamp(1, RANGES) };
        self.range = bodies.len().div_ceil(ranges).max(1);
        self.groups.resize_with(ranges + 1, Group::default);
        self.assign((model, masses, bodies), near);
        let parts: Parts<'_> = (model, masses, (bodies, shapes), changes, near);
        if ranges == 1 {
            self.groups.iter_mut().for_each(|group| group.fill(parts));
        } else {
            parallel::each(&mut self.groups, |group| group.fill(parts));
        }
    }

    /// Assigns the pairs to their groups.
    fn assign(&mut self, (model, masses, bodies): (&Model, &[InverseMass], &[CollisionBody]), near: &[Near]) {
        let Self { groups, range, members, rollings, .. } = self;
        let border = groups.len() - 1;
        groups.iter_mut().for_each(Group::clear);
        members.clear();
        rollings.clear();
        let mut place = 0;
        while place < near.len() {
            let ends = near[place].pair();
            let both = near.get(place + 1).is_some_and(|next| next.pair() == ends);
            let count = 1 + usize::from(both);
            let moves = ends.map(|k| masses[k as usize].is_movable());
            let [a, b] = ends.map(|k| k as usize / *range);
            let group = match moves {
                [false, false] => {
                    place += count;
                    continue;
                }
                [true, false] => a,
                [false, true] => b,
                [true, true] if a == b => a,
                [true, true] => border,
            };
            let number = groups[group].note(place, both);
            let member = Member { group: group as u32, both, number };
            members.push(member);
            rollings.take(
                (model, masses, bodies),
                &near[place..place + count],
                place,
                (member.group, both, number),
            );
            place += count;
        }
    }

    /// Does something with each range and the motions of its bodies, side by side, and with those across borders after that.
    fn sweep(&mut self, motions: &mut [Motion], work: impl Fn(&mut Group, (&mut [Motion], usize)) + Sync) {
        let Some((border, ranges)) = self.groups.split_last_mut() else { return };
        parallel::each_range(ranges, motions, self.range, 0, &work);
        work(border, (motions, 0));
    }

    /// Gives the bodies the impulses that are known.
    pub(super) fn warm_start(&mut self, motions: &mut [Motion], masses: &[InverseMass]) {
        self.sweep(motions, |group, motions| group.warm_start(motions));
        self.rollings.warm_start(motions, masses);
    }

    /// A sweep with the push-out over all pairs, in a substep of length `h`.
    pub(super) fn push_out(&mut self, motions: &mut [Motion], h: f64) {
        let soft = self.soft;
        self.sweep(motions, |group, motions| group.push_out(motions, (&soft, 1.0 / h)));
    }

    /// A sweep without it, after the bodies have moved: with it ends the substep.
    pub(super) fn relax(&mut self, motions: &mut [Motion], masses: &[InverseMass], h: f64) {
        self.sweep(motions, |group, motions| group.relax(motions, 1.0 / h));
        let Self { groups, rollings, .. } = self;
        rollings.roll((motions, masses), |(group, at)| groups[group as usize].pressing(at));
    }

    /// Shows what is told of each point, in the order of what is near. Returns the largest violation of the conditions of contact by
    /// velocities, in the largest speed that contacts and forces change: by the smaller of rate and impulse of each row.
    pub(super) fn tell(&self, motions: &[Motion], mut show: impl FnMut(Told)) -> f64 {
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for &Member { group, both, number } in &self.members {
            let group = &self.groups[group as usize];
            let (violation, speed) = group.tell((both, number as usize), motions, &self.rollings, &mut show);
            worst = worst.max(violation);
            scale = scale.max(speed);
        }
        let pressing = |(group, at): (u32, _)| self.groups[group as usize].pressing(at);
        worst = worst.max(self.rollings.residual(motions, pressing));
        if scale > 0.0 { worst / scale } else { 0.0 }
    }

    /// Sets what the contacts of the step loaded onto each body: momentum and angular momentum.
    pub(super) fn loads(&self, loads: &mut [[f64; 3]]) {
        loads.fill([0.0; 3]);
        self.groups.iter().for_each(|group| group.add_loads(loads));
        self.rollings.add_loads(loads);
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.points
    }
}
