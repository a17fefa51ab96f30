//! Immovable bodies that a disc in flight meets at times that have a closed form: convex ones with straight sides, and discs.

use super::flight::{Flight, Foreseen, MeetingPlace, falls_to_zero};
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// How far beyond its sides a vertex of a convex body may be (relative to the body): rounding.
const CONVEX: f64 = 1e-12;

/// An immovable body.
#[derive(Clone, Debug, Default)]
pub(super) enum Wall {
    /// It moves, or there is no closed form.
    #[default]
    Other,
    Disc(Vec2, f64),
    Convex(Vec<Side>),
}

/// A side of a convex body (world).
#[derive(Clone, Debug)]
pub(super) struct Side {
    edge: u32,
    /// The vertex at its beginning.
    corner: u32,
    start: Vec2,
    along: Vec2,
    length: f64,
    /// Out of the body.
    normal: Vec2,
}

impl Wall {
    /// What a body is to discs in flight.
    pub(super) fn of(body: &CollisionBody) -> Self {
        let shape = &body.shape;
        let special = shape.one_sided_edge().is_some() || shape.special_edge().is_some();
        if !body.fixed || body.one_way.is_some() || special || shape.is_unbounded() {
            return Self::Other;
        }
        if let Some((center, radius)) = shape.disc() {
            return Self::Disc(body.to_world(center), radius);
        }
        if shape.path_count() != 1 || !shape.edges().iter().all(|edge| edge.is_straight()) {
            return Self::Other;
        }
        let corner = |k: usize| body.to_world(shape.vertices()[k].point());
        let side = |(edge, own): (u32, &engine2d_geometry::Edge)| {
            let (start, end) = (corner(own.start_vertex()), corner(own.end_vertex()));
            let normal = body.pose.rotate(own.normal(Vec2::zeros())?);
            let (length, along) = ((end - start).norm(), (end - start).try_normalize(0.0)?);
            Some(Side { edge, corner: own.start_vertex() as u32, start, along, length, normal })
        };
        let sides: Option<Vec<Side>> = (0..).zip(shape.edges()).map(side).collect();
        let Some(sides) = sides else { return Self::Other };
        let slack = CONVEX * shape.outline_circle().1;
        let convex = sides.iter().all(|side| {
            let beyond = |k: usize| side.normal.dot(&(corner(k) - side.start)) > slack;
            !(0..shape.vertices().len()).any(beyond)
        });
        if convex { Self::Convex(sides) } else { Self::Other }
    }

    /// When a disc in flight meets it in its step.
    pub(super) fn meeting(&self, flight: &Flight, touch: f64) -> Foreseen {
        let sides = match self {
            Self::Other => return Foreseen::Perhaps,
            Self::Disc(center, radius) => {
                return flight.meeting_with_circle(
                    (*center, *radius),
                    flight.until,
                    touch,
                    MeetingPlace::Disc,
                );
            }
            Self::Convex(sides) => sides,
        };
        let (center, velocity) = (flight.at(flight.from), flight.velocity_at(flight.from));
        let (mut time, mut place) = (flight.until, None);
        for side in sides {
            let from_start = center - side.start;
            let gap = side.normal.dot(&from_start) - flight.radius();
            if gap < -touch {
                // Behind this side. If it faces the disc, they overlap.
                let foot = side.along.dot(&from_start);
                if gap > -flight.radius() && (0.0..=side.length).contains(&foot) {
                    return Foreseen::Perhaps;
                }
                continue;
            }
            let (rate, pull) = (side.normal.dot(&velocity), side.normal.dot(&flight.acceleration()));
            let Some(after) = falls_to_zero(gap, rate, pull) else { continue };
            let then = flight.from + after;
            let foot = side.along.dot(&(flight.at(then) - side.start));
            if then <= time && (0.0..=side.length).contains(&foot) {
                (time, place) = (then, Some(MeetingPlace::Side(side.edge)));
            }
        }
        for side in sides {
            let corner = MeetingPlace::Corner(side.corner);
            match flight.meeting_with_circle((side.start, 0.0), time, touch, corner) {
                Foreseen::At(then, at) if then < time => (time, place) = (then, Some(at)),
                Foreseen::Perhaps => return Foreseen::Perhaps,
                _ => {}
            }
        }
        place.map_or(Foreseen::Never, |place| Foreseen::At(time, place))
    }

    /// Whether a disc is within a distance of it.
    pub(super) fn is_near(&self, center: Vec2, radius: f64, distance: f64) -> bool {
        match self {
            Self::Other => true,
            Self::Disc(own, own_radius) => (center - own).norm() - (radius + own_radius) <= distance,
            Self::Convex(sides) => {
                let beyond = |side: &Side| side.normal.dot(&(center - side.start)) - radius > distance;
                !sides.iter().any(beyond)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flight::tests::disc;
    use super::*;
    use engine2d_geometry::PathShape;
    use std::sync::Arc;

    fn fixed(shape: PathShape) -> CollisionBody {
        let mut body = CollisionBody::new(Arc::new(shape));
        body.fixed = true;
        body
    }

    #[test]
    fn a_disc_meets_sides_and_corners_of_a_block_where_its_gap_is_none() {
        let mut block = fixed(PathShape::block(2.0, 1.0).expect("a block"));
        block.pose.set_angle(0.3);
        let wall = Wall::of(&block);
        let mut met = [0, 0, 0];
        for k in 0..200 {
            let turn = 0.1 * f64::from(k);
            let (sin, cos) = turn.sin_cos();
            let aside = 0.02 * f64::from(k) - 2.0;
            let flight =
                disc([3.0 * cos - aside * sin, 3.0 * sin + aside * cos], [-4.0 * cos, -4.0 * sin], 0.0);
            let gap = |time: f64| block.disc_distance(flight.at(time), 0.5).map_or(-1.0, |(gap, _)| gap);
            let least = (0..=1000).map(|n| gap(flight.until * f64::from(n) / 1000.0)).fold(9.0, f64::min);
            match wall.meeting(&flight, 1e-10) {
                Foreseen::At(time, place) => {
                    assert!(gap(time).abs() < 1e-14, "{k}: {:e} at {place:?}", gap(time));
                    assert!((0..100).all(|n| gap(time * f64::from(n) / 100.0) > 0.0), "{k}: not the first");
                    met[usize::from(matches!(place, MeetingPlace::Corner(_)))] += 1;
                }
                Foreseen::Never => {
                    assert!(least > 0.0, "{k}: comes as near as {least:e}");
                    met[2] += 1;
                }
                Foreseen::Perhaps => panic!("{k}: not seen"),
            }
        }
        assert!(met.iter().all(|&count| count > 10), "{met:?}");
    }

    #[test]
    fn what_falls_meets_a_floor_and_asks_elsewhere_about_a_corner() {
        let floor = Wall::of(&fixed(PathShape::block(20.0, 1.0).expect("a block")));
        let ball = disc([0.0, 2.0], [0.0, 0.0], 2.0);
        // 1 − t² = 0
        let seen = floor.meeting(&ball, 1e-10);
        assert!(
            matches!(seen, Foreseen::At(time, MeetingPlace::Side(_)) if (time - 1.0).abs() < 1e-15),
            "{seen:?}"
        );
        assert_eq!(floor.meeting(&disc([10.2, 1.2], [0.0, -1.0], 2.0), 1e-10), Foreseen::Perhaps);
        assert_eq!(floor.meeting(&disc([0.0, 0.8], [0.0, 0.0], 2.0), 1e-10), Foreseen::Perhaps, "within it");
    }

    #[test]
    fn what_has_no_closed_form_is_told() {
        let bent: Vec<Vec2> = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]].map(Vec2::from).to_vec();
        let bent = fixed(PathShape::polygon(&bent).expect("a polygon"));
        assert!(matches!(Wall::of(&bent), Wall::Other), "it is not convex");
        let ball = PathShape::ball(1.0).expect("a ball");
        assert!(matches!(Wall::of(&fixed(ball.clone())), Wall::Disc(..)));
        assert!(matches!(Wall::of(&CollisionBody::new(Arc::new(ball))), Wall::Other), "it moves");
        let mut block = fixed(PathShape::block(2.0, 1.0).expect("a block"));
        assert!(matches!(&Wall::of(&block), Wall::Convex(sides) if sides.len() == 4));
        block.one_way = Some(Vec2::y());
        assert!(matches!(Wall::of(&block), Wall::Other), "it lets pass from below");
    }
}
