//! What a disc in flight meets first, known before it happens, and the meeting itself.
//!
//! A disc that nothing but a constant force moves is an island of its own without an integrator ([`Flight`]). At the beginning of
//! each step it claims a box for its way, as every island does, and finds when it meets what is there in the time that both steps
//! cover; its step ends at the first meeting. If the other one has had an event by then, nothing happens. So an event costs two looks
//! around, in every world. What has no closed form is an island as any other while it lasts.

use super::flight::{Foreseen, Meeting, MeetingPlace};
use super::flights::Flights;
use super::sea::{AROUND, Islands, Sea};
use super::track::Track;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::{bounce, may_meet, reach_of};
use crate::state::State;
use engine2d_geometry::{BodyRef, Bounds, CollisionBody, ContactId, Features};
use engine2d_math::order::Order;

/// What a flight comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Course {
    /// It goes on, and so does the other one that it has met; so much energy was won.
    On { other: Option<u32>, won: f64 },
    /// It comes to what has no closed form, and to islands of these numbers.
    Lands(Vec<u32>),
}

/// Begins the next step of a flight, up to the first that it meets.
pub(super) fn look_ahead(
    (sea, others): (&mut Sea, &Islands),
    (bodies, touch): (&[CollisionBody], f64),
    body: u32,
) -> Course {
    let Sea { claims, owners, crowded, flights, .. } = sea;
    let Flights { of, walls, near, passages, .. } = flights;
    let k = body as usize;
    let mut flight = of[k].take().expect("a disc in flight");
    flight.set_out();
    let bounds = flight.bounds().inflated(AROUND * touch);
    claims.set(k, bounds);
    // Whatever their order, the same is found: nothing but the end is shortened on the way.
    claims.overlapping(&bounds, body, near);
    let (mut lands, mut met) = (false, Vec::new());
    let (mut until, mut meets): (f64, Option<Meeting>) = (flight.until, None);
    // All are read before the first is judged: where memory is far, they come together.
    passages.clear();
    passages.extend(near.iter().map(|&other| Some(flight.passage(of[other as usize].as_ref()?))));
    for (&other, passage) in near.iter().zip(&*passages) {
        let n = other as usize;
        let may_meet = || may_meet(bodies, body, other);
        let (foreseen, since) = if let Some(passage) = passage {
            // Few of those that are near meet: the others need no look at their bodies.
            let foreseen = flight.meeting(passage, touch);
            let foreseen = if foreseen == Foreseen::Never || may_meet() { foreseen } else { Foreseen::Never };
            if foreseen == Foreseen::Perhaps {
                met.push(other);
            }
            (foreseen, passage.since)
        } else if !may_meet() {
            (Foreseen::Never, 0.0)
        } else if bodies[n].fixed {
            (walls[n].meeting(&flight, touch), 0.0)
        } else {
            let track = others[&owners[n]].track(n).expect("a movable body in the island it is of");
            let room = flight.radius() + reach_of(&bodies[n]) + AROUND * touch;
            let meets = Track::Flight(&flight).meets(&track, room);
            if meets {
                met.push(owners[n]);
            } else {
                // In its next step it might.
                crowded[n] = true;
            }
            (if meets { Foreseen::Perhaps } else { Foreseen::Never }, 0.0)
        };
        match foreseen {
            Foreseen::Never => {}
            // Of several at one time the first by number.
            Foreseen::At(time, place) => {
                if time < until || time == until && meets.is_none_or(|first| other < first.other) {
                    (until, meets) = (time, Some(Meeting { other, since, place }));
                }
            }
            Foreseen::Perhaps => lands = true,
        }
    }
    // One that lands stands where this step begins.
    (flight.until, flight.meets) = if lands { (flight.from, None) } else { (until, meets) };
    of[k] = Some(flight);
    if lands {
        met.order();
        met.dedup();
        Course::Lands(met)
    } else {
        Course::On { other: None, won: 0.0 }
    }
}

/// Lets a flight meet what it comes to at the end of its step. What is more than a bounce of two is left for an island.
pub(super) fn meet(
    sea: &mut Sea,
    (model, state): (&Model, &mut State),
    (body, meeting): (u32, Meeting),
    report: &mut StepReport,
) -> Course {
    let Sea { claims, flights, .. } = sea;
    let Flights { of, walls, near, .. } = flights;
    let [k, n] = [body as usize, meeting.other as usize];
    let flight = of[k].as_ref().expect("a disc in flight");
    let time = flight.until;
    let partner = of[n].as_ref();
    let mut crowd = Vec::new();
    // Whoever touches one of the two takes part in it.
    let mut alone = flight.has_flown();
    for (own, flight) in std::iter::once((body, flight)).chain(partner.map(|there| (meeting.other, there))) {
        let distance = AROUND * state.touch;
        let here = Bounds::of_circle(flight.at(time), flight.radius() + distance);
        claims.overlapping(&here, own, near);
        for &other in near.iter().filter(|&&other| other != body && other != meeting.other) {
            let touches = match &of[other as usize] {
                Some(there) => flight.gap(there, time) <= distance,
                None => {
                    state.bodies[other as usize].fixed
                        && walls[other as usize].is_near(flight.at(time), flight.radius(), distance)
                }
            };
            // Few touch: the others need no look at their bodies.
            if touches && may_meet(&state.bodies, own, other) {
                match &of[other as usize] {
                    Some(_) => crowd.push(other),
                    None => alone = false,
                }
            }
        }
    }
    state.time = time;
    flight.show(body, time, state);
    if let Some(there) = partner {
        there.show(meeting.other, time, state);
    }
    let other = partner.is_some().then_some(meeting.other);
    let pair = || std::iter::once(k).chain(other.map(|_| n));
    let kinetic = |state: &State| pair().map(|k| kinetic(model, &state.bodies[k], k)).sum::<f64>();
    let before = kinetic(state);
    if alone && crowd.is_empty() && bounce(model, state, contact_of(body, meeting), report) {
        for k in pair() {
            let flight = of[k].as_mut().expect("a disc in flight");
            flight.turn(&state.bodies[k], time);
        }
        return Course::On { other, won: kinetic(state) - before };
    }
    crowd.extend(other);
    crowd.order();
    crowd.dedup();
    Course::Lands(crowd)
}

/// Kinetic energy of a body.
fn kinetic(model: &Model, body: &CollisionBody, k: usize) -> f64 {
    let data = &model.data[k];
    0.5 * (data.mass * body.velocity.norm_squared() + data.moment * body.angular_velocity.powi(2))
}

/// The contact of a meeting: circles come before straight sides.
fn contact_of(body: u32, Meeting { other, place, .. }: Meeting) -> ContactId {
    let of = |primary: u32, normal_body: u32, features| ContactId {
        primary: BodyRef::Body(primary),
        normal_body: BodyRef::Body(normal_body),
        features,
    };
    match place {
        MeetingPlace::Disc => of(body.min(other), body.max(other), Features::EdgeEdge { edge: 0, other: 0 }),
        MeetingPlace::Side(side) => of(body, other, Features::EdgeEdge { edge: 0, other: side }),
        MeetingPlace::Corner(vertex) => of(other, body, Features::VertexEdge { vertex, edge: 0 }),
    }
}
