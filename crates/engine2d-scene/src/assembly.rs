//! From connectors of a scene to joints of the constraint library.

use crate::body::BodyRef;
use crate::connector::{Connector, Line};
use crate::force_law::Frame;
use crate::joint::{self, Coordinate, Coupled, Coupler, DEFAULT_GAIN, Drive, Ends, Fitting};
use crate::mistake::MistakeKind;
use crate::names::Names;
use crate::point::Point;
use crate::pulley::PulleyRope;
use engine2d_constraint::{
    AngleLimit, BodyId, CircleOnLine, FrameMotion, GearMesh, Joint, Line as WorldLine, Measure, Motions,
    Motor, PointOnLine, Prescribed, Prismatic, Revolute, Rod, Rope, Servo, SlideLimit, Slider, SpeedDrive,
    SpringDamper, Weld,
};
use engine2d_geometry::BodyRef as Place;
use engine2d_math::{Vec2, perp};

/// The bodies of a scene where they start.
pub(crate) struct Assembly<'a> {
    pub(crate) names: &'a Names,
    /// Frames of the bodies, in order.
    pub(crate) frames: &'a [FrameMotion],
}

/// A body with a point in its coordinates.
type End = (BodyId, Vec2);

impl Assembly<'_> {
    /// The motions at the start; velocities do not count.
    pub(crate) fn motions(&self) -> Motions<'_> {
        Motions::new(self.frames)
    }

    /// The joints that a connector stands for, none if the simulation has it among its own; `index` is its place in the
    /// list.
    pub(crate) fn joints(&self, index: usize, connector: &Connector) -> Result<Vec<Joint>, MistakeKind> {
        if !connector.needs_located_clock() {
            return Ok(Vec::new());
        }
        let name = connector.name().map_or_else(|| format!("connector{index}"), str::to_owned);
        let one = |joint: Joint| connector.fitting().map_or(joint.clone(), |fitting| fitted(joint, fitting));
        Ok(match connector {
            Connector::Wheel(wheel) => self.wheel(wheel, &name)?,
            Connector::Mouse(mouse) => self.mouse(mouse, &name)?,
            other => self.single(other)?.map(|joint| one(joint.named(name))).into_iter().collect(),
        })
    }

    /// The joint of a connector that is a single one.
    fn single(&self, connector: &Connector) -> Result<Option<Joint>, MistakeKind> {
        Ok(Some(match connector {
            Connector::Pin { body_a, point_a, body_b, point_b, .. } => {
                let [(a, pa), (b, pb)] = self.both([body_a, body_b], [*point_a, *point_b])?;
                Revolute::new(b, pb, a, pa).into()
            }
            Connector::Rod(line) => {
                let [(a, pa), (b, pb)] = self.line(line)?;
                Rod::new(b, pb, a, pa, self.length([(a, pa), (b, pb)], line)).into()
            }
            Connector::Rope(line) => {
                let [(a, pa), (b, pb)] = self.line(line)?;
                Rope::new(b, pb, a, pa, self.length([(a, pa), (b, pb)], line)).into()
            }
            Connector::Weld(joint::Weld { ends, angle, .. }) => {
                let [(a, pa), (b, pb)] = self.ends(ends)?;
                Weld::new((b, pb, 0.0), (a, pa, angle.unwrap_or(self.angle(a, b)))).into()
            }
            Connector::Prismatic(joint::Prismatic { ends, axis, angle, .. }) => {
                let [(a, pa), (b, pb)] = self.ends(ends)?;
                Prismatic::new(b, pb, a, pa, unit(*axis), angle.unwrap_or(self.angle(a, b))).into()
            }
            Connector::Slider(joint::Slider { ends, axis, frame, .. }) => {
                let ([(a, pa), (b, pb)], normal) = (self.ends(ends)?, perp(unit(*axis)));
                match frame {
                    Frame::Body => Slider::along_body(b, pb, a, pa, normal).into(),
                    Frame::World => Slider::along_world(b, pb, a, pa, normal).into(),
                }
            }
            Connector::PointOnLine(joint::PointOnLine { ends, axis, sticking, .. }) => {
                let [(a, pa), (b, pb)] = self.ends(ends)?;
                let follower = PointOnLine::new(a, WorldLine::new(pa, perp(unit(*axis))), b, pb);
                if *sticking { follower.sticking().into() } else { follower.into() }
            }
            Connector::CircleOnLine(circle) => self.circle_on_line(circle)?,
            Connector::Gear(gear) => self.gear(gear)?,
            Connector::Coupler(coupler) => self.coupler(coupler)?,
            Connector::Motor(motor) => self.motor(motor)?,
            Connector::AngleLimit(joint::AngleLimit { body_a, body_b, low, high, restitution, .. }) => {
                let (a, b) = (self.body(body_a)?, self.body(body_b)?);
                let [low, high] = range(*low, *high);
                Joint::new(AngleLimit::new(b, a, low, high)).restitution(*restitution)
            }
            Connector::SlideLimit(joint::SlideLimit { ends, axis, low, high, restitution, .. }) => {
                let [a, b] = self.ends(ends)?;
                Joint::new(SlideLimit::new(b, a, unit(*axis), range(*low, *high))).restitution(*restitution)
            }
            Connector::Pulley(pulley) => self.pulley(pulley)?,
            Connector::Joint { .. } | Connector::PathJoint { .. } | Connector::PathEndStop { .. } => {
                return Ok(None);
            }
            Connector::Wheel(_) | Connector::Mouse(_) => return Ok(None),
        }))
    }

    fn circle_on_line(&self, circle: &joint::CircleOnLine) -> Result<Joint, MistakeKind> {
        let [(a, pa), (b, pb)] = self.ends(&circle.ends)?;
        let mut follower =
            CircleOnLine::new(a, WorldLine::new(pa, unit(circle.normal)), b, pb, circle.radius);
        if circle.rolling {
            follower = follower.rolling();
        }
        if circle.unilateral {
            follower = follower.unilateral();
        }
        Ok(follower.into())
    }

    fn gear(&self, gear: &joint::Gear) -> Result<Joint, MistakeKind> {
        let [(a, pa), (b, pb)] = self.ends(&gear.ends)?;
        let (first, second) = ((a, pa, gear.radius_a), (b, pb, gear.radius_b));
        let mesh =
            if gear.internal { GearMesh::internal(first, second) } else { GearMesh::external(first, second) };
        Ok(match gear.phase {
            Some(phase) => mesh.with_phase(phase),
            None => mesh.meshed_at(self.motions()),
        }
        .into())
    }

    fn coupler(&self, coupler: &Coupler) -> Result<Joint, MistakeKind> {
        let (a, b) = (self.body(&coupler.body_a)?, self.body(&coupler.body_b)?);
        let terms = [
            (a, coordinate(coupler.coordinate_a), coupler.factor_a),
            (b, coordinate(coupler.coordinate_b), coupler.factor_b),
        ];
        Ok(match coupler.of {
            Coupled::Positions => {
                let value = |(body, coordinate, factor): (BodyId, _, f64)| {
                    factor * Measure::from((body, coordinate)).value(self.motions())
                };
                let start: f64 = terms.into_iter().map(value).sum();
                engine2d_constraint::Coupler::positions(terms, coupler.constant.unwrap_or(-start)).into()
            }
            Coupled::Speeds => {
                engine2d_constraint::Coupler::speeds(terms, coupler.constant.unwrap_or(0.0)).into()
            }
        })
    }

    fn motor(&self, motor: &joint::Motor) -> Result<Joint, MistakeKind> {
        let [a, b] = self.ends(&motor.ends)?;
        let measure = match motor.drive {
            Drive::Angle => Measure::angle(b.0, a.0),
            Drive::Travel => Measure::travel(b, a, unit(motor.axis.unwrap_or_default())),
            Drive::Distance => Measure::distance(b, a),
        };
        let limit = motor.limit.unwrap_or(f64::INFINITY);
        Ok(match motor.place {
            Some(place) => {
                let gain = motor.gain.unwrap_or(DEFAULT_GAIN);
                let top_speed = motor.top_speed.unwrap_or(f64::INFINITY);
                Motor::servo(measure, Servo { place, gain, limit }).with_top_speed(top_speed).into()
            }
            None => Motor::new(measure, SpeedDrive { speed: motor.speed.unwrap_or(0.0), limit }).into(),
        })
    }

    fn pulley(&self, pulley: &joint::Pulley) -> Result<Joint, MistakeKind> {
        let [(a, pa), (b, pb)] = self.ends(&pulley.ends)?;
        let mut rope = PulleyRope {
            bodies: [a, b],
            points: [pa, pb],
            rollers: [pulley.roller_a.into(), pulley.roller_b.into()],
            ratio: pulley.ratio,
            length: 0.0,
        };
        rope.length = pulley.length.unwrap_or_else(|| rope.taut(self.motions()));
        Ok(rope.into())
    }

    /// A slider, its spring and its motor.
    fn wheel(&self, wheel: &joint::Wheel, name: &str) -> Result<Vec<Joint>, MistakeKind> {
        let ([(a, pa), (b, pb)], axis) = (self.ends(&wheel.ends)?, unit(wheel.axis));
        let spring = SpringDamper { compliance: 1.0 / wheel.stiffness, damping: wheel.damping };
        let travel = Measure::travel((b, pb), (a, pa), axis);
        let mut joints = vec![
            Joint::new(Slider::along_body(b, pb, a, pa, perp(axis))).named(name),
            Joint::new(Prescribed::position(travel, wheel.rest))
                .compliant(spring)
                .named(format!("{name} spring")),
        ];
        if let Some(speed) = wheel.speed {
            let motor =
                Motor::rotary(b, a, SpeedDrive { speed, limit: wheel.limit.unwrap_or(f64::INFINITY) });
            joints.push(Joint::new(motor).named(format!("{name} motor")));
        }
        Ok(joints.into_iter().map(|joint| switched(joint, wheel.enabled)).collect())
    }

    /// Two servos, along x and along y.
    fn mouse(&self, mouse: &joint::Mouse, name: &str) -> Result<Vec<Joint>, MistakeKind> {
        let held = (self.body(&mouse.body)?, mouse.point);
        let along = |axis: Point, word: &str| {
            let travel = Measure::travel(held, (BodyId::GROUND, mouse.target), axis);
            let servo = Motor::servo(travel, Servo { place: 0.0, gain: mouse.gain, limit: mouse.limit });
            switched(Joint::new(servo).named(format!("{name} {word}")), mouse.enabled)
        };
        Ok(vec![along([1.0, 0.0], "x"), along([0.0, 1.0], "y")])
    }

    fn ends(&self, ends: &Ends) -> Result<[End; 2], MistakeKind> {
        self.both([&ends.body_a, &ends.body_b], [ends.point_a, ends.point_b])
    }

    fn line(&self, line: &Line) -> Result<[End; 2], MistakeKind> {
        self.both([&line.body_a, &line.body_b], [line.point_a, line.point_b])
    }

    fn both(&self, bodies: [&BodyRef; 2], points: [Point; 2]) -> Result<[End; 2], MistakeKind> {
        Ok([(self.body(bodies[0])?, points[0].into()), (self.body(bodies[1])?, points[1].into())])
    }

    fn body(&self, reference: &BodyRef) -> Result<BodyId, MistakeKind> {
        let index = self.names.resolve(reference)?;
        Ok(index.map_or(BodyId::GROUND, |index| Place::Body(index as u32).into()))
    }

    /// The length of a rod or rope: its own, else the distance of its ends.
    fn length(&self, ends: [End; 2], line: &Line) -> f64 {
        line.length.unwrap_or_else(|| Measure::distance(ends[0], ends[1]).value(self.motions()))
    }

    /// The angle of the second body less that of the first at the start (radians).
    fn angle(&self, first: BodyId, second: BodyId) -> f64 {
        Measure::angle(second, first).value(self.motions())
    }
}

fn unit(direction: Point) -> Vec2 {
    Vec2::from(direction).normalize()
}

fn range(low: Option<f64>, high: Option<f64>) -> [f64; 2] {
    [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)]
}

fn coordinate(coordinate: Coordinate) -> engine2d_constraint::Coordinate {
    match coordinate {
        Coordinate::X => engine2d_constraint::Coordinate::X,
        Coordinate::Y => engine2d_constraint::Coordinate::Y,
        Coordinate::Angle => engine2d_constraint::Coordinate::Angle,
    }
}

fn fitted(joint: Joint, fitting: &Fitting) -> Joint {
    let strength = |value: Option<f64>| value.unwrap_or(f64::INFINITY);
    let joint = joint.break_force(strength(fitting.break_force)).break_torque(strength(fitting.break_torque));
    switched(joint, fitting.enabled)
}

fn switched(joint: Joint, enabled: bool) -> Joint {
    if enabled { joint } else { joint.disabled() }
}
