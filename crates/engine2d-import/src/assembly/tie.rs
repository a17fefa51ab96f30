//! Ties between bodies, from world coordinates of the start to connectors.

use crate::plane::{Pose, turn};
use crate::report::{NoteKind, Notes};
use engine2d_scene::joint::{
    AngleLimit, Coordinate, Coupled, Coupler, Drive, Ends, Fitting, Motor, Prismatic, Pulley, SlideLimit,
    Slider, Weld, Wheel,
};
use engine2d_scene::{BodyRef, Connector, ForceLaw, Frame, Line, Point, Scene};

/// A tie of two bodies, or of a body and the ground.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    /// Where it is in the file.
    pub(crate) path: String,
    pub(crate) name: Option<String>,
    /// The first body; `None` is the ground.
    pub(crate) a: Option<usize>,
    /// Where it holds on to the first body (world).
    pub(crate) at_a: Point,
    pub(crate) b: Option<usize>,
    pub(crate) at_b: Point,
    /// Whether the bodies may still meet each other.
    pub(crate) meet: bool,
    pub(crate) kind: Kind,
}

/// What a tie does. Axes are those of the world at the start, and turn with the first body.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Pin,
    Weld,
    Prismatic {
        axis: Point,
    },
    Slider {
        axis: Point,
    },
    Rod {
        length: f64,
    },
    Rope {
        length: f64,
    },
    Spring {
        length: f64,
        stiffness: f64,
        damping: f64,
    },
    Motor {
        drive: Drive,
        axis: Option<Point>,
        speed: Option<f64>,
        place: Option<f64>,
        limit: Option<f64>,
        enabled: bool,
    },
    /// Limits of the change of the angle since the start.
    AngleLimit {
        low: Option<f64>,
        high: Option<f64>,
    },
    /// Limits of the travel.
    SlideLimit {
        axis: Point,
        low: Option<f64>,
        high: Option<f64>,
    },
    Wheel {
        axis: Point,
        stiffness: f64,
        damping: f64,
        speed: Option<f64>,
        limit: Option<f64>,
    },
    Pulley {
        roller_a: Point,
        roller_b: Point,
        ratio: f64,
    },
    /// The angles times their factors keep their sum.
    Angles {
        factor_a: f64,
        factor_b: f64,
    },
}

/// The first body of a rigid in the scene: what ties hold on to.
pub(super) struct Placed {
    pub(super) name: BodyRef,
    /// Its coordinates at the start.
    pub(super) pose: Pose,
    pub(super) moves: bool,
}

/// Puts a tie into the scene.
pub(super) fn fasten(scene: &mut Scene, tie: Tie, placed: &[Placed], notes: &mut Notes) {
    let end = |rigid: Option<usize>| match rigid {
        Some(k) => (placed[k].name.clone(), placed[k].pose, placed[k].moves),
        None => (BodyRef::ground(), Pose::default(), false),
    };
    let (mut a, mut b) = ((end(tie.a), tie.at_a), (end(tie.b), tie.at_b));
    if !a.0.2 && !b.0.2 {
        notes.add(&tie.path, NoteKind::NotUnderstood, "it ties nothing that moves");
        return;
    }
    let alike = matches!(
        tie.kind,
        Kind::Pin | Kind::Weld | Kind::Rod { .. } | Kind::Rope { .. } | Kind::Spring { .. }
    );
    if alike && !b.0.2 {
        std::mem::swap(&mut a, &mut b);
    }
    let ((body_a, pose_a, _), at_a) = a;
    let ((body_b, pose_b, _), at_b) = b;
    let ends = Ends {
        body_a: body_a.clone(),
        point_a: pose_a.inside(at_a),
        body_b: body_b.clone(),
        point_b: pose_b.inside(at_b),
    };
    let inside = |axis: Point| turn(axis, -pose_a.angle);
    let turned = pose_b.angle - pose_a.angle;
    let fitting = Fitting { name: tie.name.clone(), ..Fitting::default() };
    let line = |length: f64, fitting: Fitting| Line {
        body_a: ends.body_a.clone(),
        point_a: ends.point_a,
        body_b: ends.body_b.clone(),
        point_b: ends.point_b,
        length: Some(length),
        fitting,
    };
    let connector = match tie.kind {
        Kind::Pin => {
            let (point_a, point_b, frame) = (ends.point_a, ends.point_b, Frame::Body);
            Connector::Pin { body_a, point_a, body_b, point_b, frame, fitting }
        }
        Kind::Weld => Connector::Weld(Weld { ends, angle: None, fitting }),
        Kind::Prismatic { axis } => {
            Connector::Prismatic(Prismatic { ends, axis: inside(axis), angle: None, fitting })
        }
        Kind::Slider { axis } => {
            Connector::Slider(Slider { ends, axis: inside(axis), frame: Frame::Body, fitting })
        }
        Kind::Rod { length } => Connector::Rod(line(length, fitting)),
        Kind::Rope { length } => Connector::Rope(line(length, fitting)),
        Kind::Spring { length, stiffness, damping } => {
            scene.force_laws.push(ForceLaw::Spring {
                name: tie.name,
                body_a,
                point_a: ends.point_a,
                body_b,
                point_b: ends.point_b,
                rest_length: length,
                stiffness,
                damping,
                compress_only: false,
            });
            return;
        }
        Kind::Motor { drive, axis, speed, place, limit, enabled } => Connector::Motor(Motor {
            // An angle has no points.
            ends: if drive == Drive::Angle {
                Ends { point_a: [0.0; 2], point_b: [0.0; 2], ..ends }
            } else {
                ends
            },
            drive,
            axis: axis.map(inside),
            speed,
            // A servo's place is an angle of the bodies of the scene.
            place: place.map(|place| if drive == Drive::Angle { place + turned } else { place }),
            gain: None,
            top_speed: None,
            limit,
            fitting: Fitting { enabled, ..fitting },
        }),
        Kind::AngleLimit { low, high } => {
            let [low, high] = [low, high].map(|bound| bound.map(|angle| angle + turned));
            Connector::AngleLimit(AngleLimit { body_a, body_b, low, high, restitution: 0.0, fitting })
        }
        Kind::SlideLimit { axis, low, high } => Connector::SlideLimit(SlideLimit {
            ends,
            axis: inside(axis),
            low,
            high,
            restitution: 0.0,
            fitting,
        }),
        Kind::Wheel { axis, stiffness, damping, speed, limit } => Connector::Wheel(Wheel {
            ends,
            axis: inside(axis),
            stiffness,
            damping,
            rest: 0.0,
            speed,
            limit,
            name: tie.name,
            enabled: true,
        }),
        Kind::Pulley { roller_a, roller_b, ratio } => {
            Connector::Pulley(Pulley { ends, roller_a, roller_b, ratio, length: None, fitting })
        }
        Kind::Angles { factor_a, factor_b } => Connector::Coupler(Coupler {
            body_a,
            coordinate_a: Coordinate::Angle,
            factor_a,
            body_b,
            coordinate_b: Coordinate::Angle,
            factor_b,
            of: Coupled::Positions,
            constant: None,
            fitting,
        }),
    };
    scene.connectors.push(connector);
}
