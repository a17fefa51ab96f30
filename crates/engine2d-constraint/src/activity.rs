//! Which equations act at a state, and how: what a linear solve may keep, what is known beforehand, what has limits.

use crate::equation::{Equation, Level, RowKind};
use crate::tolerance::{RESTING, TOUCHING};
use std::ops::Range;

/// How an equation acts on accelerations at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    /// Not at all: an open contact, a slack rope.
    Off,
    /// It holds exactly.
    Rigid,
    /// Its multiplier follows from the state: a spring, a motor that cannot keep its speed.
    Known(f64),
    /// It has limits, which a complementarity solver decides.
    Limited(RowKind),
    /// Friction at this speed under a two-sided row: which side presses is not known.
    Sliding(f64),
}

/// Appends the activity of every equation; `ranges` are the equations of each constraint.
pub fn activities(equations: &[Equation], ranges: &[Range<usize>], out: &mut Vec<Activity>) {
    for range in ranges {
        let first = out.len();
        for e in &equations[range.clone()] {
            let normal = match e.kind {
                RowKind::Friction { normal, .. } => out.get(first + normal).copied(),
                _ => None,
            };
            out.push(activity(e, normal));
        }
    }
}

fn activity(e: &Equation, normal: Option<Activity>) -> Activity {
    if e.level == Level::Position && !e.spring.is_rigid() {
        let force = e.spring_force();
        return match e.kind {
            RowKind::Unilateral if e.position_error > 0.0 => Activity::Off,
            RowKind::Unilateral => Activity::Known(force.max(0.0)),
            RowKind::Boxed { lo, hi } => Activity::Known(force.clamp(lo, hi)),
            _ => Activity::Known(force),
        };
    }
    let resting = e.velocity_error.abs() <= RESTING;
    let slides = e.velocity_error;
    match e.kind {
        RowKind::Bilateral => Activity::Rigid,
        RowKind::Unilateral if e.position_error > TOUCHING || slides > RESTING => Activity::Off,
        RowKind::Boxed { lo, hi } if !resting => Activity::Known(if slides > 0.0 { lo } else { hi }),
        RowKind::Friction { normal: row, mu } => match normal {
            Some(Activity::Known(force)) => {
                let limit = mu * force.abs();
                if resting {
                    Activity::Limited(RowKind::Boxed { lo: -limit, hi: limit })
                } else {
                    Activity::Known(-limit * slides.signum())
                }
            }
            Some(Activity::Off) => Activity::Off,
            _ if resting => Activity::Limited(e.kind),
            // Kinetic friction follows the normal force against the sliding.
            Some(Activity::Limited(RowKind::Unilateral)) => {
                Activity::Limited(RowKind::Sliding { normal: row, mu, sign: -slides.signum() })
            }
            _ => Activity::Sliding(slides),
        },
        kind => Activity::Limited(kind),
    }
}
