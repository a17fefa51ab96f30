//! Pairs of bodies that may meet within a step: their signed gap, and the places where they touch.

use super::feature::contact_row;
use super::held::HeldSet;
use super::touch::{
    DEEPER, Passage, Touch, WATCHED_TILT, corners, identity, may_meet, passage, radius_of, separation, tips,
};
use crate::error::SimError;
use crate::model::Model;
use crate::one_way::passes;
use crate::scope::Focus;
use engine2d_geometry::{
    BodyRef, Bounds, CollisionBody, ContactBand, ContactId, PathContact, PathWorkspace, path_contacts,
    path_distance,
};
use engine2d_math::Vec2;
use engine2d_math::order::Order;

/// Depth (relative to the smaller body's radius) at which a pair with held contacts counts as penetrating whatever its
/// features say: far above what an interpolated state errs by, far below what one sees.
const GROSS: f64 = 1e-6;

/// Distance, in touching gaps, within which two contacts of a pair are at one place.
const ONE_PLACE: f64 = 1e2;

/// Distance, in touching gaps, up to which two corners that have passed each other are still taken to meet.
const PASSED: f64 = 1e3;

/// Looks at the gap of two discs while they overlap, of which one then sees that they do.
const LOOKS_IN_OVERLAP: f64 = 2.0;

/// Two bodies that may meet in this step.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    bodies: [u32; 2],
    /// Distance beyond which they cannot meet in this step (length).
    reach: f64,
    /// Gap when the step begins.
    start: f64,
    /// Gap below which they are taken to meet: below zero for those that start in touch.
    threshold: f64,
    /// Whether some contact of theirs is held.
    held: bool,
    /// How often to look at the gap in the step, where that is known.
    looks: Option<f64>,
}

/// The candidate pairs with the scratch of their queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// Where each body may be, by the lower end in x.
    boxes: Vec<(Bounds, u32)>,
    met: Vec<[u32; 2]>,
    list: Vec<Candidate>,
    workspace: PathWorkspace,
    contacts: Vec<PathContact>,
    /// Where the held contacts of a pair are.
    places: Vec<Vec2>,
    /// Gap that counts as none.
    touch: f64,
}

impl Pairs {
    /// Finds the pairs of the scope that may meet while no point of body `k` goes farther than `way(k)`; `touch` is the
    /// gap that counts as none.
    pub(crate) fn collect(
        &mut self,
        (model, bodies, focus): (&Model, &[CollisionBody], &Focus),
        way: impl Fn(usize) -> f64,
        held: &HeldSet,
        touch: f64,
    ) -> Result<(), SimError> {
        self.touch = touch;
        self.boxes.clear();
        for index in focus.present(bodies.len()) {
            let room = way(index) + touch;
            let bounds = if room.is_finite() {
                bodies[index].outline_bounds().inflated(room)
            } else {
                Bounds::EVERYTHING
            };
            if bounds.min.x.is_nan() || bounds.min.y.is_nan() {
                let p = bodies[index].pose.position();
                let value = if p.x.is_finite() { p.y } else { p.x };
                let allowed = "the place of a body must be a finite number";
                return Err(SimError::Value { path: format!("bodies[{index}].position"), value, allowed });
            }
            self.boxes.push((bounds, index as u32));
        }
        self.boxes.order_distinct_by(|(a, i), (b, j)| a.min.x.total_cmp(&b.min.x).then(i.cmp(j)));
        self.met.clear();
        for (k, (own, a)) in self.boxes.iter().enumerate() {
            let near = self.boxes[k + 1..].iter().take_while(|(other, _)| other.min.x <= own.max.x);
            for (_, b) in near.filter(|(other, _)| other.min.y <= own.max.y && own.min.y <= other.max.y) {
                let meet = model.is_rigid(*a, *b) && may_meet(bodies, *a, *b);
                if meet && (!passes(bodies, *a, *b, touch) || held.has_pair(*a, *b)) {
                    self.met.push([*a.min(b), *a.max(b)]);
                }
            }
        }
        self.met.order();
        self.list.clear();
        self.list.extend(self.met.iter().map(|&[a, b]| {
            let reach = way(a as usize) + way(b as usize) + touch;
            Candidate { bodies: [a, b], reach, start: reach, threshold: 0.0, held: false, looks: None }
        }));
        for (id, _) in held.contacts() {
            if let (BodyRef::Body(a), BodyRef::Body(b)) = (id.primary, id.normal_body)
                && let Ok(k) = self.list.binary_search_by_key(&[a.min(b), a.max(b)], |c| c.bodies)
            {
                self.list[k].held = true;
            }
        }
        Ok(())
    }

    /// Drops the pairs that are too far apart to meet, or that a line parts all along their courses, and notes which of the
    /// others start in touch. `courses` has how far each body goes and how far its points stray from going straight.
    pub(crate) fn keep_near(
        &mut self,
        bodies: &[CollisionBody],
        held: &HeldSet,
        touch: f64,
        courses: &[(Vec2, f64)],
    ) {
        let mut list = std::mem::take(&mut self.list);
        list.retain_mut(|candidate| {
            let [a, b] = candidate.bodies.map(|k| k as usize);
            // What is deep already is met again only when it has become deeper by a good part: no number of events is
            // spent on an overlap that none of them mends.
            let threshold_of = |gap: f64| if gap <= touch { (DEEPER * gap).min(-touch) } else { 0.0 };
            let gap = if candidate.held {
                self.gap(candidate, bodies, held)
            } else {
                let Some((gap, normal)) = self.apart(candidate, bodies) else { return false };
                let ((along_a, stray_a), (along_b, stray_b)) = (courses[a], courses[b]);
                let (way, stray) = (along_a - along_b, stray_a + stray_b);
                let pair = [&bodies[a], &bodies[b]];
                // Along a fixed direction bodies that go straight are never nearer than at both ends.
                let start = separation(pair, normal) - stray;
                let clear = if gap > touch { touch } else { threshold_of(gap) };
                if start.min(start + normal.dot(&way)) > clear {
                    return false;
                }
                if let Some(Passage { nearest, overlap }) = passage(pair, way, stray) {
                    if nearest > touch {
                        return false;
                    }
                    candidate.looks = (overlap > 0.0).then(|| LOOKS_IN_OVERLAP / overlap);
                }
                gap
            };
            candidate.start = gap;
            candidate.threshold = threshold_of(gap);
            // Beside what is held something may come up that does not face yet.
            candidate.held || gap < candidate.reach
        });
        self.list = list;
    }

    /// The bodies of each candidate, and how often to look at their gap in the step where that is known.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = ([usize; 2], Option<f64>)> + '_ {
        self.list.iter().map(|c| (c.bodies.map(|b| b as usize), c.looks))
    }

    /// Number of candidates.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// How far below zero the gap of each candidate counts as met: those that start in touch have not risen yet.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = f64> + '_ {
        self.list.iter().map(|c| -c.threshold)
    }

    /// Appends the gap of every candidate.
    pub(crate) fn values(&mut self, bodies: &[CollisionBody], held: &HeldSet, values: &mut Vec<f64>) {
        for k in 0..self.list.len() {
            values.push(self.value(k, bodies, held));
        }
    }

    /// The gap of every candidate when the step begins.
    pub(crate) fn starts(&self) -> impl Iterator<Item = f64> + '_ {
        self.list.iter().map(|candidate| candidate.start)
    }

    /// The gap of candidate `k`.
    pub(crate) fn value(&mut self, k: usize, bodies: &[CollisionBody], held: &HeldSet) -> f64 {
        let candidate = self.list[k];
        self.gap(&candidate, bodies, held)
    }

    /// The bodies of candidate `k` and the distance beyond which they cannot meet in this step.
    pub(crate) fn candidate(&self, k: usize) -> ([usize; 2], f64) {
        (self.list[k].bodies.map(|b| b as usize), self.list[k].reach)
    }

    /// Appends the features of candidate `k` that face each other up to a distance, without what is held.
    pub(crate) fn features(
        &mut self,
        k: usize,
        bodies: &[CollisionBody],
        held: &HeldSet,
        reach: f64,
        out: &mut Vec<ContactId>,
    ) {
        let [a, b] = self.list[k].bodies;
        let (first, second) = (bodies[a as usize].placed(), bodies[b as usize].placed());
        self.contacts.clear();
        let band = ContactBand { depth: reach, reach, tilt: WATCHED_TILT };
        path_contacts(&first, &second, &band, &mut self.workspace, &mut self.contacts);
        let ids = self.contacts.iter().filter(|c| !corners(c)).map(|c| identity([a, b], c.features, bodies));
        out.extend(ids.filter(|id| !held.contains(super::row::Source::Contact(*id))));
    }

    /// Signed gap of two bodies and the unit normal out of the second into the first where it is taken; `None` beyond the
    /// reach.
    fn apart(&mut self, candidate: &Candidate, bodies: &[CollisionBody]) -> Option<(f64, Vec2)> {
        let [first, second] = candidate.bodies.map(|k| &bodies[k as usize]);
        if let (Some((p, r)), Some((q, s))) = (first.shape.disc(), second.shape.disc()) {
            let between = first.to_world(p) - second.to_world(q);
            let gap = between.norm() - (r + s);
            let normal = between.try_normalize(0.0).unwrap_or_else(Vec2::y);
            return (gap < candidate.reach).then_some((gap, normal));
        }
        let beside = |body: &CollisionBody, disc: Option<(Vec2, f64)>, other: &CollisionBody| {
            disc.and_then(|(center, radius)| other.disc_distance(body.to_world(center), radius))
        };
        let found = beside(first, first.shape.disc(), second)
            .or_else(|| beside(second, second.shape.disc(), first).map(|(gap, normal)| (gap, -normal)));
        if let Some((gap, normal)) = found {
            return (gap < candidate.reach).then_some((gap, normal));
        }
        let found = path_distance(&first.placed(), &second.placed(), candidate.reach, &mut self.workspace)?;
        Some((found.gap, found.normal))
    }

    /// Signed gap of two bodies without what is held between them; no more than the reach.
    fn gap(&mut self, candidate: &Candidate, bodies: &[CollisionBody], held: &HeldSet) -> f64 {
        let Candidate { bodies: [a, b], reach, .. } = *candidate;
        let touch = self.touch;
        let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
        if !candidate.held {
            return self.apart(candidate, bodies).map_or(reach, |(gap, _)| gap);
        }
        let (first_path, second_path) = (first.placed(), second.placed());
        let mut distance =
            |reach| path_distance(&first_path, &second_path, reach, &mut self.workspace).map(|d| d.gap);
        let gross = GROSS * radius_of([first, second]);
        self.places.clear();
        let [p, q] = [a, b].map(BodyRef::Body);
        let mut parted = false;
        for (id, h) in held.of_pair(p, q).chain(held.of_pair(q, p)) {
            if let Some(row) = contact_row(id, h.normal, h.target, bodies) {
                self.places.push(row.point);
                let [x, y, _] = row.row.jacobian[0];
                let normal = Vec2::new(x, y);
                let support =
                    |body: BodyRef, way: Vec2| body.index().map_or(f64::INFINITY, |k| bodies[k].support(way));
                let [own, other] = row.row.bodies;
                parted |= -support(own, -normal) - support(other, normal) >= -gross;
            }
        }
        // Bodies that a line parts do not overlap. Only where none of the held normals' lines does, the depth is measured.
        if !parted {
            match distance(reach) {
                None => return reach,
                Some(gap) if gap < -gross => return gap,
                Some(_) => {}
            }
        }
        self.contacts.clear();
        let band = ContactBand { depth: gross, reach, tilt: WATCHED_TILT };
        path_contacts(&first_path, &second_path, &band, &mut self.workspace, &mut self.contacts);
        // Two corners are watched only where they are nearest to each other: a corner that slides along a side towards its
        // end does not meet the corner there. The sides of the two corners there say the same once more.
        let (places, one) = (&self.places, ONE_PLACE * touch);
        let source = |c: &PathContact| super::row::Source::Contact(identity([a, b], c.features, bodies));
        let at_held = |c: &PathContact| places.iter().any(|p| (p - c.point_a).norm() <= one);
        let beside =
            |c: &&PathContact| c.tilt > 0.0 && (corners(c) || at_held(c)) || held.contains(source(c));
        let free = self.contacts.iter().filter(|c| !beside(c));
        free.map(|c| c.gap).fold(reach, f64::min)
    }

    /// Appends all places where candidates touch: gaps up to `touch`, penetrations up to `deepest` (length).
    pub(crate) fn touches(
        &mut self,
        bodies: &[CollisionBody],
        touch: f64,
        deepest: f64,
        out: &mut Vec<Touch>,
    ) {
        for Candidate { bodies: [a, b], .. } in &self.list {
            let (first, second) = (&bodies[*a as usize], &bodies[*b as usize]);
            let sizes = first.shape.outline_circle().1 + second.shape.outline_circle().1;
            let depth = deepest.min(sizes);
            let band = ContactBand { depth, reach: touch, tilt: WATCHED_TILT };
            self.contacts.clear();
            let (first, second) = (first.placed(), second.placed());
            path_contacts(&first, &second, &band, &mut self.workspace, &mut self.contacts);
            // A corner that is no local minimum of the distance has met only where it is through.
            self.contacts.retain(|c| c.tilt == 0.0 || c.gap < -0.1 * touch && !corners(c));
            for c in &self.contacts {
                let id = identity([*a, *b], c.features, bodies);
                out.push(Touch::new(id, [*a, *b], c.gap, c.normal, [c.point_a, c.point_b]));
            }
            // An overlap that no single feature tells of still has a deepest point: where two corners have passed each
            // other by less than they are sharp, or an edge of each crosses the other.
            if self.contacts.is_empty()
                && let Some(d) = path_distance(&first, &second, 0.0, &mut self.workspace)
            {
                let corners = tips(&first, &second, d.point_a, PASSED * touch);
                let id = identity([*a, *b], corners.unwrap_or(d.features), bodies);
                out.push(Touch::new(id, [*a, *b], d.gap, d.normal, [d.point_a, d.point_b]));
            }
        }
    }
}
