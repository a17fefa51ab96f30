//! What is near, taken up as pairs: arms, masses, surfaces and the impulses of the last step.

use super::super::near::Near;
use super::pair::{Ends, Pair};
use super::shapes::{Formed, Plain};
use super::together::AGREES;
use crate::model::Model;
use engine2d_constraint::InverseMass;
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{Vec2, cross, perp};

/// Approach, in what forces add to it in the step, above which bodies bounce.
pub(super) const BOUNCES: f64 = 2.0;

/// What a step needs of a pair only before and after its substeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<const N: usize> {
    /// Place of the first point in the list of what is near; the others follow.
    pub(super) place: u32,
    pub(super) restitution: f64,
    /// Approach above which it bounces.
    pub(super) threshold: f64,
    /// Rates at the beginning of the step, or before a point was struck, and those after that.
    pub(super) rates: [f64; N],
    pub(super) after: [Option<f64>; N],
    /// Largest speed that forces give one of the bodies in the step: bodies that fall together meet at no rate but that of rounding, which
    /// measures nothing.
    pub(super) pushed: f64,
}

/// Where two bodies meet.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    /// From the body with the lower number to the other.
    pub(super) normal: Vec2,
    pub(super) arms: [Vec2; 2],
    /// How far what turns with each body is from its centre of mass along the normal: the point, or the middle of a disc.
    pub(super) leans: [f64; 2],
    pub(super) gap: f64,
}

impl Placed {
    fn of(near: &Near, ends: [u32; 2], (bodies, shapes): Formed<'_>) -> Self {
        // Out of the body with the lower number.
        let out = near.id.primary == BodyRef::Body(ends[1]);
        let (points, gap) = near.meeting_points(bodies);
        let own = ends.map(|k| &bodies[k as usize]);
        let arms = [0, 1].map(|k| points[k] - own[k].pose.position());
        let normal = if out { near.normal } else { -near.normal };
        let leans = [0, 1].map(|k| match shapes.plain(ends[k]) {
            Plain::Disc { center, .. } => own[k].pose.rotate(center).dot(&normal),
            Plain::Polygon { .. } => arms[k].dot(&normal),
            // A disc that manifolds leave to the general way turns as one nevertheless.
            Plain::Other => {
                let disc = own[k].shape.disc();
                let middle = disc.map(|(center, _)| own[k].pose.rotate(center - own[k].center_of_mass));
                middle.unwrap_or(arms[k]).dot(&normal)
            }
        });
        Self { normal, arms, leans, gap }
    }
}

fn each<const N: usize>(points: &[Placed; N], of: impl Fn(&Placed) -> f64) -> [f64; N] {
    std::array::from_fn(|i| of(&points[i]))
}

/// Takes up the `N` points of a pair of bodies.
pub(super) fn take<const N: usize>(
    (model, masses, bodies): (&Model, &[InverseMass], Formed<'_>),
    near: [&Near; N],
    ends: [u32; 2],
) -> Pair<N> {
    let points = near.map(|near| Placed::of(near, ends, bodies));
    let refs = ends.map(BodyRef::Body);
    let masses = ends.map(|i| masses[i as usize]);
    let friction = model.friction_between(refs);
    let mu = near.map(|near| {
        let sticks = near.impulse[1].abs() < friction.at_rest * near.impulse[0];
        if sticks { friction.at_rest } else { friction.kinetic }
    });
    let Faces { normal, turns, slides, leans, start, inverse_mass, slide_mass, coupling, across, lever } =
        Faces::of(masses, &points);
    Pair {
        bodies: ends,
        standing: masses.iter().any(|m| !m.is_movable()),
        masses,
        normal,
        turns,
        slides,
        leans,
        start,
        gap: start,
        inverse_mass,
        slide_mass,
        coupling,
        across,
        mu,
        impulse: [near.map(|near| near.impulse[0]), near.map(|near| near.impulse[1])],
        total: [[0.0; N]; 2],
        most: [0.0; N],
        surface: model.surface_speed(refs),
        lever,
        spared: f64::NEG_INFINITY,
    }
}

/// What of a pair follows from where the bodies meet.
struct Faces<const N: usize> {
    normal: [[f64; N]; 2],
    turns: [[f64; N]; 2],
    slides: [[f64; N]; 2],
    leans: [[f64; N]; 2],
    start: [f64; N],
    inverse_mass: [f64; N],
    slide_mass: [f64; N],
    coupling: [f64; 2],
    across: [[f64; N]; N],
    lever: f64,
}

impl<const N: usize> Faces<N> {
    #[inline]
    fn of(masses: [InverseMass; 2], points: &[Placed; N]) -> Self {
        let turns = [0, 1].map(|k| each(points, |p| cross(p.arms[k], p.normal)));
        let slides = [0, 1].map(|k| each(points, |p| cross(p.arms[k], perp(p.normal))));
        let linear = masses[0].linear + masses[1].linear;
        // Rate of point i per impulse at point j along directions with the given moments and the given product.
        let rate = |moments: &[[f64; N]; 2], (i, j): (usize, usize), product: f64| {
            let turning = |k: usize| masses[k].angular * moments[k][i] * moments[k][j];
            linear * product + turning(0) + turning(1)
        };
        let across = |i: usize, j: usize| {
            let turning = |k: usize| masses[k].angular * slides[k][i] * turns[k][j];
            linear * perp(points[i].normal).dot(&points[j].normal) + turning(0) + turning(1)
        };
        let between = points[0].normal.dot(&points[N - 1].normal);
        let across: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| across(i, j)));
        let inverse_mass: [f64; N] = std::array::from_fn(|i| rate(&turns, (i, i), 1.0));
        let most = across.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let least = inverse_mass.iter().fold(f64::INFINITY, |least: f64, k| least.min(*k));
        Self {
            normal: [each(points, |p| p.normal.x), each(points, |p| p.normal.y)],
            leans: [0, 1].map(|k| each(points, |p| p.leans[k])),
            start: each(points, |p| p.gap),
            inverse_mass,
            slide_mass: std::array::from_fn(|i| 1.0 / rate(&slides, (i, i), 1.0)),
            coupling: [&turns, &slides].map(|moments| rate(moments, (0, N - 1), between)),
            across,
            lever: most / (AGREES * least),
            turns,
            slides,
        }
    }
}

impl<const N: usize> Pair<N> {
    /// Takes up where the bodies meet.
    pub(super) fn face(&mut self, points: &[Placed; N]) {
        let faces = Faces::of(self.masses, points);
        (self.normal, self.leans, self.start) = (faces.normal, faces.leans, faces.start);
        (self.turns, self.slides, self.across) = (faces.turns, faces.slides, faces.across);
        (self.inverse_mass, self.slide_mass) = (faces.inverse_mass, faces.slide_mass);
        (self.coupling, self.lever, self.gap) = (faces.coupling, faces.lever, faces.start);
    }
}

/// What the substeps do not need of a pair whose first point is at a place of the list of what is near.
pub(super) fn rest<const N: usize>(
    (model, bodies, changes): (&Model, &[CollisionBody], &[[f64; 3]]),
    pair: &Pair<N>,
    place: usize,
) -> Rest<N> {
    let restitution = model.restitution_between(pair.bodies.map(BodyRef::Body));
    let threshold = threshold((model, changes), pair, restitution);
    let given = pair.places().map(|k| Vec2::new(changes[k][0], changes[k][1]).norm());
    let pushed = given[0].max(given[1]);
    let v = pair.places().map(|k| velocity(&bodies[k]));
    Rest { place: place as u32, restitution, threshold, rates: pair.rates(&v), after: [None; N], pushed }
}

/// Approach above which a pair bounces.
fn threshold<const N: usize>(
    (model, changes): (&Model, &[[f64; 3]]),
    pair: &Pair<N>,
    restitution: f64,
) -> f64 {
    if restitution == 0.0 {
        return f64::INFINITY;
    }
    // What rests on what rests is pressed by forces that change no rate.
    let [a, b] = pair.places().map(|k| changes[k]);
    let change = |v: Ends| pair.rates(&v)[0].abs();
    (BOUNCES * change([a, [0.0; 3]]).max(change([[0.0; 3], b]))).max(model.settings.rest_speed)
}

/// Velocity of the centre of mass and angular velocity.
pub(super) fn velocity(body: &CollisionBody) -> [f64; 3] {
    if body.fixed { [0.0; 3] } else { [body.velocity.x, body.velocity.y, body.angular_velocity] }
}
