//! The constraints that a mechanism takes, each with the place it gets. Points are in the axes of their bodies; no body means
//! the ground.

use super::{Mechanism, body_of, motion_of, said};
use engine2d_constraint::{
    AngleLimit, GearMesh, Joint, Measure, Motor, Prismatic, Revolute, Rod, Rope, Slider, SpeedDrive, Vec2,
    Weld,
};
use pyo3::prelude::*;

/// A body by its place, or the ground, with a point of it.
type End = (Option<usize>, [f64; 2]);

/// A body by its place, or the ground, with a point of it and another number: an angle or a radius.
type Mark = (Option<usize>, [f64; 2], f64);

impl Mechanism {
    fn hold(&mut self, joint: impl Into<Joint>, name: Option<String>) -> PyResult<usize> {
        let mut joint: Joint = joint.into();
        if let Some(name) = name {
            joint = joint.named(name);
        }
        let id = self.inner.add_joint(joint).map_err(said)?;
        Ok(self.keep_joint(id))
    }

    fn prescribe(&mut self, measure: Measure, motion: [f64; 3], name: Option<String>) -> PyResult<usize> {
        let still = motion_of(measure.clone(), motion);
        let id = match name {
            Some(name) => self.inner.add_named(name, still),
            None => self.inner.add(still),
        };
        Ok(self.keep_drive(id.map_err(said)?, measure))
    }
}

/// The difference of the angles of two bodies.
fn angle(first: Option<usize>, second: Option<usize>) -> Measure {
    Measure::angle(body_of(first), body_of(second))
}

/// The travel of a point from another along an axis of the second body.
fn travel((a, p): End, (b, q): End, axis: [f64; 2]) -> Measure {
    Measure::travel((body_of(a), p), (body_of(b), q), axis)
}

#[pymethods]
impl Mechanism {
    /// Joins a point of one body to a point of another: a pin.
    #[pyo3(signature = (first, second, *, name=None))]
    fn revolute(&mut self, first: End, second: End, name: Option<String>) -> PyResult<usize> {
        self.hold(Revolute::new(body_of(first.0), first.1, body_of(second.0), second.1), name)
    }

    /// Joins point and angle of one body to those of another: `(body, point, angle)` each.
    #[pyo3(signature = (first, second, *, name=None))]
    fn weld(&mut self, first: Mark, second: Mark, name: Option<String>) -> PyResult<usize> {
        let end = |(body, point, angle): Mark| (body_of(body), Vec2::from(point), angle);
        self.hold(Weld::new(end(first), end(second)), name)
    }

    /// Holds the distance of two points (length).
    #[pyo3(signature = (first, second, length, *, name=None))]
    fn rod(&mut self, first: End, second: End, length: f64, name: Option<String>) -> PyResult<usize> {
        self.hold(Rod::new(body_of(first.0), first.1, body_of(second.0), second.1, length), name)
    }

    /// Keeps the distance of two points from growing beyond a length.
    #[pyo3(signature = (first, second, length, *, name=None))]
    fn rope(&mut self, first: End, second: End, length: f64, name: Option<String>) -> PyResult<usize> {
        self.hold(Rope::new(body_of(first.0), first.1, body_of(second.0), second.1, length), name)
    }

    /// Keeps a point of the first body on a line through a point of the second, whose normal turns with the second.
    #[pyo3(signature = (first, second, normal, *, name=None))]
    fn slider(&mut self, first: End, second: End, normal: [f64; 2], name: Option<String>) -> PyResult<usize> {
        let (a, b) = (body_of(first.0), body_of(second.0));
        self.hold(Slider::along_body(a, first.1, b, second.1, normal), name)
    }

    /// Lets the first body slide along an axis of the second at a fixed angle (radians) between them.
    #[pyo3(signature = (first, second, axis, angle=0.0, *, name=None))]
    fn prismatic(
        &mut self,
        first: End,
        second: End,
        axis: [f64; 2],
        angle: f64,
        name: Option<String>,
    ) -> PyResult<usize> {
        let (a, b) = (body_of(first.0), body_of(second.0));
        self.hold(Prismatic::new(a, first.1, b, second.1, axis, angle), name)
    }

    /// Keeps the angle of the first body against the second within limits (radians).
    #[pyo3(signature = (first, second, low, high, *, name=None))]
    fn angle_limit(
        &mut self,
        first: Option<usize>,
        second: Option<usize>,
        low: f64,
        high: f64,
        name: Option<String>,
    ) -> PyResult<usize> {
        self.hold(AngleLimit::new(body_of(first), body_of(second), low, high), name)
    }

    /// Gears in mesh, `(body, centre, pitch radius)` each; a ring gear comes second, with a negative radius.
    #[pyo3(signature = (first, second, *, name=None))]
    fn gears(&mut self, first: Mark, second: Mark, name: Option<String>) -> PyResult<usize> {
        let is_ring = second.2 < 0.0;
        let end = |(body, center, radius): Mark| (body_of(body), Vec2::from(center), radius);
        let (first, (body, center, radius)) = (end(first), end(second));
        let mesh = if is_ring {
            GearMesh::internal(first, (body, center, -radius))
        } else {
            GearMesh::external(first, (body, center, radius))
        };
        self.hold(mesh, name)
    }

    /// Turns the first body against the second at a speed (radians/time) with at most a torque.
    #[pyo3(signature = (first, second, speed, limit, *, name=None))]
    fn motor(
        &mut self,
        first: Option<usize>,
        second: Option<usize>,
        speed: f64,
        limit: f64,
        name: Option<String>,
    ) -> PyResult<usize> {
        self.hold(Motor::rotary(body_of(first), body_of(second), SpeedDrive { speed, limit }), name)
    }

    /// Drives a point along an axis of the second body at a speed (length/time) with at most a force.
    #[pyo3(signature = (first, second, axis, speed, limit, *, name=None))]
    fn linear_motor(
        &mut self,
        first: End,
        second: End,
        axis: [f64; 2],
        speed: f64,
        limit: f64,
        name: Option<String>,
    ) -> PyResult<usize> {
        self.hold(Motor::new(travel(first, second, axis), SpeedDrive { speed, limit }), name)
    }

    /// Prescribes the angle of the first body against the second: value (radians), rate, acceleration. `inverse_dynamics`
    /// finds the torque it needs.
    #[pyo3(signature = (first, second, motion=[0.0; 3], *, name=None))]
    fn prescribe_angle(
        &mut self,
        first: Option<usize>,
        second: Option<usize>,
        motion: [f64; 3],
        name: Option<String>,
    ) -> PyResult<usize> {
        self.prescribe(angle(first, second), motion, name)
    }

    /// Prescribes the travel of a point along an axis of the second body: value (length), rate, acceleration.
    /// `inverse_dynamics` finds the force it needs.
    #[pyo3(signature = (first, second, axis, motion=[0.0; 3], *, name=None))]
    fn prescribe_travel(
        &mut self,
        first: End,
        second: End,
        axis: [f64; 2],
        motion: [f64; 3],
        name: Option<String>,
    ) -> PyResult<usize> {
        self.prescribe(travel(first, second, axis), motion, name)
    }
}
