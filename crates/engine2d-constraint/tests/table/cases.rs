//! A case for every kind of constraint between two bodies in motion.

use engine2d_constraint::*;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2, trig};

pub(crate) const A: BodyRef = BodyRef::Body(0);
pub(crate) const B: BodyRef = BodyRef::Body(1);

fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// Two bodies in motion, in a frame turned by `turn`.
pub(crate) fn scene(turn: f64) -> Mechanism {
    let (sin, cos) = trig::sin_cos(turn);
    let turned = |x: f64, y: f64| [x * cos - y * sin, x * sin + y * cos];
    let mut m = Mechanism::new();
    let [x, y] = turned(0.3, 1.1);
    m.add_body(Mass::new(2.0, 0.4).centered_at([0.1, -0.2]), Pose::new(x, y, 0.4 + turn)).unwrap();
    let [x, y] = turned(-0.9, 0.2);
    m.add_body(Mass::new(1.5, 0.3).centered_at([-0.1, 0.3]), Pose::new(x, y, -0.7 + turn)).unwrap();
    let ([ax, ay], [bx, by]) = (turned(0.8, -0.5), turned(0.2, 0.9));
    m.set_velocities(&[ax, ay, 1.3, bx, by, -0.6]).unwrap();
    let [gx, gy] = turned(0.0, -9.81);
    m.set_gravity([gx, gy]).unwrap();
    m
}

/// Where the rows of a case are checked.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum At {
    /// Errors are exact functions of the state everywhere.
    Anywhere,
    /// Rows are the recorded ones, derivatives of the errors on the constraint only.
    Assembled,
}

/// Calls `check` with a scene, the id, and where the rows hold, for every kind of constraint between two bodies.
pub(crate) fn for_each_case(
    turn: f64,
    mut check: impl FnMut(&str, Mechanism, &dyn Fn(&Mechanism) -> Vec<Equation>, At, bool),
) {
    macro_rules! case {
        ($name:literal, $at:expr, $ideal:expr, $constraint:expr) => {{
            let mut m = scene(turn);
            let id = m.add($constraint).unwrap();
            check($name, m, &|m: &Mechanism| m.equations(id).unwrap().to_vec(), $at, $ideal);
        }};
    }
    let line = Line::new([0.2, -0.3], [0.6, 0.8]);
    let samples: Vec<Vec2> = (0..40)
        .map(|k| {
            let x = f64::from(k) * 0.1 - 2.0;
            v(x, 0.3 * trig::sin(2.0 * x))
        })
        .collect();
    case!("revolute", At::Assembled, true, Revolute::new(A, [0.2, 0.1], B, [0.5, 0.4]));
    case!("weld", At::Assembled, true, Weld::new((A, v(0.2, 0.1), 0.3), (B, v(0.5, 0.4), 1.1)));
    case!("rod", At::Anywhere, true, Rod::new(A, [0.2, 0.1], B, [0.5, 0.4], 1.3));
    case!("rope", At::Anywhere, true, Rope::new(A, [0.2, 0.1], B, [0.5, 0.4], 0.6));
    case!(
        "slider in the world",
        At::Anywhere,
        false,
        Slider::along_world(A, [0.2, 0.1], B, [0.5, 0.4], [0.6, 0.8])
    );
    case!(
        "slider in a body",
        At::Anywhere,
        true,
        Slider::along_body(A, [0.2, 0.1], B, [0.5, 0.4], [0.6, 0.8])
    );
    case!("prismatic", At::Anywhere, true, Prismatic::new(A, [0.2, 0.1], B, [0.5, 0.4], [0.8, -0.6], 0.9));
    case!("point on line", At::Anywhere, true, PointOnLine::new(B, line, A, [0.4, 0.3]));
    case!("point stuck to line", At::Anywhere, true, PointOnLine::new(B, line, A, [0.4, 0.3]).sticking());
    case!("circle on line", At::Anywhere, true, CircleOnLine::new(B, line, A, [0.1, 0.2], 0.5));
    case!(
        "circle rolling on line",
        At::Assembled,
        true,
        CircleOnLine::new(B, line, A, [0.1, 0.2], 0.5).rolling()
    );
    let circles = CircleOnCircle::new((A, v(0.1, 0.2), 0.5), (B, v(-0.2, 0.1), 0.7));
    case!("circle on circle", At::Anywhere, true, circles.clone());
    case!("circle rolling on circle", At::Assembled, true, circles.rolling());
    case!(
        "contact",
        At::Anywhere,
        true,
        Contact::new([A, B], [0.1, 0.6], [0.6, 0.8], -0.1, scene(turn).motions())
    );
    let contact = Contact::new([A, B], [0.1, 0.6], [0.6, 0.8], -0.1, scene(turn).motions());
    case!("contact with friction", At::Anywhere, false, contact.with_friction(0.4));
    case!(
        "path along an arc",
        At::Assembled,
        true,
        PathJoint::new(
            A,
            [0.2, 0.1],
            B,
            Arc { center: Vec2::from([0.1, 0.0]), radius: 1.2, start: 0.2, sweep: 3.0 }
        )
        .with_end_stops()
    );
    case!(
        "path along a circle",
        At::Assembled,
        true,
        PathJoint::new(
            A,
            [0.2, 0.1],
            B,
            Arc { center: Vec2::from([0.1, 0.0]), radius: 1.2, start: 0.0, sweep: std::f64::consts::TAU }
        )
    );
    case!(
        "path along a spline",
        At::Assembled,
        true,
        PathJoint::new(A, [0.2, 0.1], B, Spline::new(samples, false).unwrap()).with_end_stops()
    );
    case!("constant angle", At::Anywhere, true, ConstantAngle::new((A, 0.3), (B, 0.1), 1.0));
    case!("angle limit", At::Anywhere, true, AngleLimit::new(A, B, -0.2, 0.9));
    case!(
        "slide limit",
        At::Anywhere,
        true,
        SlideLimit::new((A, v(0.2, 0.1)), (B, v(0.5, 0.4)), [0.8, -0.6], [0.1, 0.6])
    );
    let mesh = [(A, v(0.1, 0.2), 0.5), (B, v(-0.2, 0.1), 0.7)];
    case!("gear mesh", At::Anywhere, true, GearMesh::external(mesh[0], mesh[1]).with_phase(0.3));
    case!("gear in a ring", At::Anywhere, true, GearMesh::internal(mesh[0], mesh[1]).with_phase(-0.2));
    case!("gear", At::Anywhere, false, Coupler::gear(A, B, Gearing { ratio: -2.0, phase: 0.3 }));
    case!("rack", At::Anywhere, false, Coupler::rack(A, Coordinate::X, B, 0.5));
    case!(
        "speed coupler",
        At::Anywhere,
        false,
        Coupler::speeds([(A, Coordinate::Angle, 1.0), (B, Coordinate::Y, 2.0)], 0.4)
    );
    case!("constant coordinate", At::Anywhere, false, Prescribed::position((A, Coordinate::Angle), 0.2));
    case!("constant speed", At::Anywhere, false, Prescribed::speed((A, Coordinate::X), 0.2));
    case!("constant acceleration", At::Anywhere, false, Prescribed::acceleration((A, Coordinate::X), 0.2));
    case!("motor", At::Anywhere, false, Motor::rotary(A, B, SpeedDrive { speed: 0.4, limit: 5.0 }));
    case!(
        "linear motor",
        At::Anywhere,
        false,
        Motor::linear(A, [0.2, 0.1], B, [0.6, 0.8], SpeedDrive { speed: 0.4, limit: 5.0 })
    );
    let travel = || Measure::travel((A, [0.2, 0.1]), (B, [0.5, 0.4]), [0.8, -0.6]);
    let distance = || Measure::distance((A, [0.2, 0.1]), (B, [0.5, 0.4]));
    let swing = |t: f64| [0.3 + t * (0.7 - 0.4 * t), 0.7 - 0.8 * t, -0.8];
    case!("travel along a trajectory", At::Anywhere, false, Prescribed::trajectory(travel(), swing));
    case!("distance along a trajectory", At::Anywhere, false, Prescribed::trajectory(distance(), swing));
    case!(
        "servo motor",
        At::Anywhere,
        false,
        Motor::servo(travel(), Servo { place: 0.7, gain: 3.0, limit: 5.0 })
    );
    case!(
        "servo motor after a trajectory",
        At::Anywhere,
        false,
        Motor::following(distance(), swing, Tracking { gain: 3.0, limit: 5.0 })
    );
    let slow =
        Motor::servo(Measure::angle(A, B), Servo { place: 0.7, gain: 3.0, limit: 5.0 }).with_top_speed(0.1);
    case!("servo motor at its top speed", At::Anywhere, false, slow);
    case!("brake of a motor", At::Anywhere, false, Motor::brake(distance(), 2.0));
}
