//! The rows of all constraints of a world at a state: connectors, joints of the library, held contacts.

use super::contact::{force_row, velocity_terms};
use super::feature::{contact_row, friction_row};
use super::held::{Grip, Held, HeldSet, Mode};
use super::rolling::{roll_kind, rolling_row};
use super::row::{Row, Source};
use crate::connector::{Place, Tie};
use crate::error::SimError;
use crate::scope::Focus;
use engine2d_constraint::Joint;
use engine2d_constraint::{Equation, FrameMotion, Level, Motions, RowKind, SpringDamper};
use engine2d_geometry::{BodyRef, CollisionBody, Contact};
use engine2d_math::Vec2;

/// What a world is made of, as far as constraints ask.
pub(crate) struct Parts<'a> {
    pub(crate) bodies: &'a [CollisionBody],
    pub(crate) focus: &'a Focus,
    pub(crate) ties: &'a [Tie],
    pub(crate) places: &'a mut [Place],
    pub(crate) joints: &'a [Joint],
    pub(crate) time: f64,
}

/// Scratch of gathering.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathering {
    motions: Vec<FrameMotion>,
    equations: Vec<Equation>,
}

/// A row with a multiplier that follows from the state: a spring, a motor at the limit of its force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) row: Row,
    pub(crate) multiplier: f64,
    /// The law it follows from, linear about the state; rigid for a motor at its limit.
    pub(crate) spring: SpringDamper,
}

/// All rows of a state, told apart by how they act.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Rows that act: bilateral ones, held unilateral ones, locked motors.
    pub(crate) acting: Vec<Row>,
    /// Rows whose multiplier is known.
    pub(crate) known: Vec<Known>,
    /// Unilateral rows that are open, and motors that do not hold their speed: they are watched.
    pub(crate) open: Vec<Row>,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.acting.clear();
        self.known.clear();
        self.open.clear();
    }
}

/// Motion of the frames of all bodies, whose origins are those of the bodies' coordinates.
pub(crate) fn frame_motions(bodies: &[CollisionBody], out: &mut Vec<FrameMotion>) {
    out.clear();
    out.extend(bodies.iter().map(frame_motion));
}

/// The same where only bodies of the scope have moved.
fn update_motions(focus: &Focus, bodies: &[CollisionBody], out: &mut Vec<FrameMotion>) {
    if focus.is_whole() || out.len() != bodies.len() {
        frame_motions(bodies, out);
    } else {
        focus.bodies(bodies.len()).for_each(|k| out[k] = frame_motion(&bodies[k]));
    }
}

fn frame_motion(b: &CollisionBody) -> FrameMotion {
    let origin = b.to_world(Vec2::zeros());
    let mut pose = b.pose;
    pose.set_position(origin);
    let spin = if b.fixed { 0.0 } else { b.angular_velocity };
    FrameMotion { pose, velocity: b.velocity_at(origin - b.pose.position()), angular_velocity: spin }
}

/// Collects the rows of a state. Which unilateral rows are held is in `held`, by their identity.
pub(crate) fn gather(
    parts: &mut Parts<'_>,
    held: &HeldSet,
    scratch: &mut Gathering,
    out: &mut Rows,
) -> Result<(), SimError> {
    out.clear();
    let focus = parts.focus;
    for number in focus.ties(parts.ties.len()) {
        let (tie, place) = (&parts.ties[number], &mut parts.places[number]);
        let source = Source::Connector(number as u32);
        let geometry = tie.geometry(place, number as u32, parts.bodies, parts.time)?;
        let contact = Contact::new(&geometry, parts.bodies, parts.time);
        let row = connector_row(source, &contact, parts.bodies);
        if row.is_bilateral() {
            out.acting.push(row);
        } else {
            sort_unilateral(row, held.get(source), out);
        }
    }
    let mut joints = focus.joints(parts.joints.len()).peekable();
    if joints.peek().is_some() {
        update_motions(focus, parts.bodies, &mut scratch.motions);
    }
    for number in joints {
        let joint = &parts.joints[number];
        scratch.equations.clear();
        let motions = Motions::new(&scratch.motions).at_time(parts.time);
        joint.equations(motions, &mut scratch.equations);
        for (k, e) in scratch.equations.iter().enumerate() {
            let source = Source::Equation { constraint: number as u32, equation: k as u32 };
            sort_equation(equation_row(source, e, parts.bodies), e, held.get(source), out);
        }
    }
    for Held { source, target, normal, grip, roll, .. } in held.iter() {
        let Source::Contact(id) = *source else { continue };
        let Some(row) = contact_row(id, *normal, *target, parts.bodies) else { continue };
        let place = out.acting.len();
        out.acting.push(row);
        if let Some(grip) = grip {
            out.acting.push(friction_row(&row, grip_kind(*grip, place), grip.surface, parts.bodies));
        }
        if let Some(roll) = roll {
            out.acting.push(rolling_row(&row, roll_kind(*roll, place), parts.bodies));
        }
    }
    let finite = |r: &Row| r.error.is_finite() && r.rate.is_finite() && r.bias.is_finite();
    match out.acting.iter().chain(&out.open).find(|r| !finite(r)) {
        None => Ok(()),
        Some(bad) => {
            Err(SimError::NotFinite { what: format!("a row of {:?}", bad.source), time: parts.time })
        }
    }
}

/// What a friction row demands; its contact's row stands at place `normal`.
fn grip_kind(grip: Grip, normal: usize) -> RowKind {
    if grip.sticks() {
        RowKind::Friction { normal, mu: grip.friction.at_rest }
    } else {
        RowKind::Sliding { normal, mu: grip.friction.kinetic, sign: -grip.slides }
    }
}

fn sort_unilateral(mut row: Row, held: Option<&Held>, out: &mut Rows) {
    match held {
        Some(held) => {
            row.error -= held.target;
            out.acting.push(row);
        }
        None => out.open.push(row),
    }
}

/// Puts the row of an equation where it acts.
fn sort_equation(row: Row, e: &Equation, held: Option<&Held>, out: &mut Rows) {
    if e.level == Level::Position && !e.spring.is_rigid() {
        let force = e.spring_force();
        match e.kind {
            RowKind::Unilateral if e.position_error > 0.0 => {}
            RowKind::Unilateral => {
                out.known.push(Known { row, multiplier: force.max(0.0), spring: e.spring });
            }
            _ => out.known.push(Known { row, multiplier: force, spring: e.spring }),
        }
        return;
    }
    match e.kind {
        RowKind::Unilateral => sort_unilateral(row, held, out),
        RowKind::Boxed { lo, hi } if lo.is_finite() || hi.is_finite() => match held.map(|h| h.mode) {
            Some(Mode::Pushing { upwards }) => {
                let multiplier = if upwards { hi } else { lo };
                out.known.push(Known { row, multiplier, spring: SpringDamper::default() });
                out.open.push(row);
            }
            _ => out.acting.push(row),
        },
        _ => out.acting.push(Row { kind: RowKind::Bilateral, ..row }),
    }
}

fn connector_row(source: Source, c: &Contact, bodies: &[CollisionBody]) -> Row {
    let row = force_row(c);
    let centripetal = |body: BodyRef, u: Vec2| super::row::centripetal_at(body, u, bodies).dot(&c.normal);
    // What moves along a normal from point to point does not turn it: of the whole velocity, which is that of a taut rope, only the part
    // across does. A path has its own rate.
    let between_points = c.normal_curved && c.normal_rate.is_none();
    let along = if between_points { c.velocity * c.velocity / c.normal_radius } else { 0.0 };
    let turning = velocity_terms(c, bodies) - along;
    let bias = turning + centripetal(c.id.primary, c.u1) - centripetal(c.id.normal_body, c.u2);
    let kind = if c.bilateral { RowKind::Bilateral } else { RowKind::Unilateral };
    Row { source, row, kind, error: c.distance, rate: c.velocity, bias, holonomic: true, point: c.point }
}

/// The row of an equation about the centres of mass instead of the frames' origins.
fn equation_row(source: Source, e: &Equation, bodies: &[CollisionBody]) -> Row {
    let arm = |body: BodyRef| {
        body.index().map_or(Vec2::zeros(), |i| bodies[i].pose.rotate(bodies[i].center_of_mass))
    };
    let row = e.row.centered(arm);
    // The origin's acceleration is that of the centre of mass less α × r and plus ω² r.
    let shift: f64 = e
        .row
        .bodies
        .iter()
        .zip(&e.row.jacobian)
        .map(|(&body, j)| {
            let back = super::row::centripetal_at(body, -arm(body), bodies);
            j[0] * back.x + j[1] * back.y
        })
        .sum();
    let point = e.row.bodies[0].index().map_or(Vec2::zeros(), |i| bodies[i].pose.position());
    Row {
        source,
        row,
        kind: e.kind,
        error: if e.level == Level::Position { e.position_error } else { 0.0 },
        rate: e.velocity_error,
        bias: e.acceleration_bias + shift,
        holonomic: e.level == Level::Position,
        point,
    }
}
