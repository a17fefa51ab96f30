//! The scenes as worlds of this engine.

use super::engine::Engine;
use super::scene::{Form, Scene};
use crate::TaskError;
use engine2d_constraint::Revolute;
use engine2d_sim::{Body, BodyRef, Settings, StepReport, SteppingSolver, TimeStepping, World};

/// Time of a step.
const STEP: f64 = 1.0 / 60.0;

struct Own {
    world: World,
    report: StepReport,
}

impl Engine for Own {
    fn step(&mut self) -> Result<(), TaskError> {
        self.world.probe().advance_into(STEP, &mut self.report)?;
        Ok(())
    }

    fn states(&self) -> Vec<[f64; 6]> {
        let of = |body: engine2d_sim::BodyView<'_>| {
            let (p, v) = (body.position(), body.velocity());
            [p.x, p.y, body.angle(), v.x, v.y, body.angular_velocity()]
        };
        self.world.bodies().map(of).collect()
    }
}

pub(super) fn located(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    build(scene, Settings::default())
}

pub(super) fn exact(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    build(scene, stepping(SteppingSolver::Exact))
}

pub(super) fn iterative(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    build(scene, stepping(SteppingSolver::Iterative))
}

fn stepping(solver: SteppingSolver) -> Settings {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    Settings { time_step: STEP, time_stepping: Some(choice), ..Settings::default() }
}

fn build(scene: &Scene, settings: Settings) -> Result<Box<dyn Engine>, TaskError> {
    let mut builder = World::builder().settings(settings);
    if scene.gravity > 0.0 {
        builder = builder.gravity(scene.gravity);
    }
    for item in &scene.items {
        let body = match item.form {
            Form::Block(x, y) => Body::block(2.0 * x, 2.0 * y),
            Form::Disc(r) => Body::ball(r),
        };
        let body = body.at(item.at[0], item.at[1]).angle(item.angle);
        let body = body.friction(scene.friction).restitution(scene.restitution);
        let [x, y] = item.velocity;
        builder =
            builder.body(if item.is_fixed() { body.fixed() } else { body.mass(item.mass).velocity(x, y) });
    }
    for pin in &scene.pins {
        let [a, b] = pin.bodies.map(|k| BodyRef::Body(k as u32));
        builder = builder.joint(Revolute::new(a, pin.points[0], b, pin.points[1]));
    }
    Ok(Box::new(Own { world: builder.build()?, report: StepReport::default() }))
}
