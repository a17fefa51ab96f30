//! Path bodies in motion: when two first meet, and how far one can be pushed.

use crate::convex::QueryError;
use crate::path_pair::{PathDistance, PathWorkspace, PlacedPath, first_touch, path_distance};
use crate::time_of_impact::{Approach, MAX_ADVANCES, Motion};
use engine2d_math::{Pose, Vec2};

/// How near a pushed shape comes to what it meets, as a part of its size.
const ARRIVED: f64 = 1e-9;

/// How the motion of two path bodies ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathImpact {
    /// They stay further apart than the target.
    Clear,
    /// They come within target and tolerance at `time`, not before.
    At {
        /// When.
        time: f64,
        /// Where they face each other then.
        place: PathDistance,
    },
    /// They stay apart until `time`; what follows was not decided within the limit of advances.
    Unfinished {
        /// How far it is decided.
        time: f64,
    },
}

/// When two path bodies first come within the target of an [`Approach`] of each other, found to its tolerance. The motions
/// place their centres of mass. No point of one approaches any point of the other faster than the sum of the largest
/// speeds of both relative to each other: for the gap divided by that they are certainly apart, holes and bays included.
///
/// ```
/// use engine2d_geometry::{Approach, Motion, PathImpact, PathShape, PathWorkspace, Pose, Vec2, path_time_of_impact};
///
/// // A ball falls into a bowl, 0.4 thick.
/// let bowl = PathShape::from_svg_path("M-2 0 A2 2 0 0 0 2 0 H1.6 A1.6 1.6 0 0 1 -1.6 0 Z")?;
/// let ball = PathShape::ball(0.5)?;
/// let at = bowl.center_of_mass();
/// let rest = Motion { start: Pose::new(at.x, at.y, 0.0), velocity: Vec2::zeros(), angular_velocity: 0.0 };
/// let fall = Motion { start: Pose::new(0.0, 1.0, 0.0), velocity: Vec2::new(0.0, -1.0), angular_velocity: 0.0 };
/// let within = Approach { duration: 5.0, ..Approach::default() };
/// let found = path_time_of_impact((&ball, &fall), (&bowl, &rest), &within, &mut PathWorkspace::default())?;
/// assert!(matches!(found, PathImpact::At { time, .. } if (time - 2.1).abs() < 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`QueryError::NotFinite`] for motions that are not finite, [`QueryError::Approach`], and [`QueryError::Unbounded`] for a
/// body that turns about what is far away.
pub fn path_time_of_impact(
    (a, motion_a): (&crate::PathShape, &Motion),
    (b, motion_b): (&crate::PathShape, &Motion),
    within: &Approach,
    workspace: &mut PathWorkspace,
) -> Result<PathImpact, QueryError> {
    within.check()?;
    let mut rate = (motion_a.velocity - motion_b.velocity).norm();
    for (which, shape, motion) in [(0, a, motion_a), (1, b, motion_b)] {
        let start = motion.start.position();
        let numbers =
            [start.x, start.y, motion.start.angle(), motion.angular_velocity, motion.velocity.norm()];
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(QueryError::NotFinite { which });
        }
        if motion.angular_velocity != 0.0 {
            if shape.is_unbounded() {
                return Err(QueryError::Unbounded);
            }
            let (center, radius) = shape.outline_circle();
            rate += motion.angular_velocity.abs() * ((center - shape.center_of_mass()).norm() + radius);
        }
    }
    let Approach { duration, target, tolerance } = *within;
    // Half the tolerance is kept against rounding, and makes each advance one of at least that length.
    let aim = target + 0.5 * tolerance;
    let mut time = 0.0;
    for _ in 0..MAX_ADVANCES {
        let (here, there) = (PlacedPath::new(a, motion_a.at(time)), PlacedPath::new(b, motion_b.at(time)));
        let ahead = rate * (duration - time) + target + tolerance;
        let Some(place) = path_distance(&here, &there, ahead, workspace) else {
            return Ok(PathImpact::Clear);
        };
        if place.gap <= target + tolerance {
            return Ok(PathImpact::At { time, place });
        }
        let next = time + (place.gap - aim) / rate;
        if !(next <= duration) {
            return Ok(PathImpact::Clear);
        }
        if next == time {
            break;
        }
        time = next;
    }
    Ok(PathImpact::Unfinished { time })
}

/// How far a path body can be pushed by `way` (length) before it meets another one, without turning: the part of the way as
/// a length, and where they face each other then; `None` if it meets nothing. What overlaps at the start is met after 0.
/// The answer is short of the place by at most 1e-9 of the pushed body's size.
///
/// ```
/// use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, Pose, path_cast};
///
/// let (ball, block) = (PathShape::ball(0.5)?, PathShape::block(1.0, 4.0)?);
/// let ball = PlacedPath::new(&ball, Pose::IDENTITY);
/// let block = PlacedPath::new(&block, Pose::new(5.0, 1.0, 0.0));
/// let (distance, place) = path_cast(&ball, [10.0, 0.0], &block, &mut PathWorkspace::default())?.unwrap();
/// assert!((distance - 4.0).abs() < 1e-8 && place.normal.x == -1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`QueryError::NotFinite`] for a pose or way that is not finite.
pub fn path_cast(
    pushed: &PlacedPath<'_>,
    way: impl Into<Vec2>,
    other: &PlacedPath<'_>,
    workspace: &mut PathWorkspace,
) -> Result<Option<(f64, PathDistance)>, QueryError> {
    let (way, start) = (way.into(), pushed.pose.position());
    let length = way.norm();
    for (which, point, angle) in
        [(0, start + way, pushed.pose.angle()), (1, other.pose.position(), other.pose.angle())]
    {
        if !(point.norm().is_finite() && angle.is_finite()) {
            return Err(QueryError::NotFinite { which });
        }
    }
    let direction = way.try_normalize(0.0).unwrap_or_else(Vec2::zeros);
    let arrived = ARRIVED * pushed.shape.outline_circle().1;
    let place_after = |distance: f64, reach: f64, workspace: &mut PathWorkspace| {
        let at = start + direction * distance;
        let placed = PlacedPath { pose: Pose::new(at.x, at.y, pushed.pose.angle()), ..*pushed };
        path_distance(&placed, other, reach, workspace)
    };
    if let Some(place) = place_after(0.0, arrived, workspace) {
        return Ok(Some((0.0, place)));
    }
    let Some(touch) = first_touch(pushed, direction, length, other, workspace) else { return Ok(None) };
    let at_touch = place_after(touch, f64::INFINITY, workspace).map(|place| (touch, place));
    if at_touch.is_some_and(|(_, place)| place.gap >= 0.0) {
        return Ok(at_touch);
    }
    // Rounding has it a little too far, where outlines in overlap have a normal of their own.
    let before = (touch - 0.5 * arrived).max(0.0);
    Ok(place_after(before, f64::INFINITY, workspace).map(|place| (before, place)))
}
