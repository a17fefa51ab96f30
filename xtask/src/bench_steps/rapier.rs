//! The scenes in rapier, in both precisions: its defaults, with sleeping off.

use super::engine::Engine;
use super::scene::{Form, Scene};
use crate::TaskError;

macro_rules! engine {
    ($name:ident, $rapier:ident, $real:ty) => {
        struct $name {
            world: $rapier::prelude::PhysicsWorld,
            handles: Vec<$rapier::prelude::RigidBodyHandle>,
        }

        impl Engine for $name {
            fn step(&mut self) -> Result<(), TaskError> {
                self.world.step();
                Ok(())
            }

            fn states(&self) -> Vec<[f64; 6]> {
                let of = |handle: &$rapier::prelude::RigidBodyHandle| {
                    let body = &self.world.bodies[*handle];
                    let (p, v) = (body.translation(), body.linvel());
                    let (angle, rate) = (body.rotation().angle(), body.angvel());
                    [p.x, p.y, angle, v.x, v.y, rate].map(|x| x.into())
                };
                self.handles.iter().map(of).collect()
            }
        }

        impl $name {
            fn build(scene: &Scene) -> Box<dyn Engine> {
                let real = |x: f64| x as $real;
                let mut world = $rapier::prelude::PhysicsWorld::new();
                world.gravity = $rapier::prelude::Vector::new(0.0, -real(scene.gravity));
                world.integration_parameters.dt = real(1.0 / 60.0);
                let mut handles = Vec::new();
                for item in &scene.items {
                    let body = if item.is_fixed() {
                        $rapier::prelude::RigidBodyBuilder::fixed()
                    } else {
                        $rapier::prelude::RigidBodyBuilder::dynamic()
                    };
                    let body = body
                        .translation($rapier::prelude::Vector::new(real(item.at[0]), real(item.at[1])))
                        .rotation(real(item.angle))
                        .linvel($rapier::prelude::Vector::new(real(item.velocity[0]), real(item.velocity[1])))
                        .can_sleep(false);
                    let shape = match item.form {
                        Form::Block(x, y) => $rapier::prelude::ColliderBuilder::cuboid(real(x), real(y)),
                        Form::Disc(r) => $rapier::prelude::ColliderBuilder::ball(real(r)),
                    };
                    let shape = shape.friction(real(scene.friction)).restitution(real(scene.restitution));
                    let shape = if item.is_fixed() { shape } else { shape.mass(real(item.mass)) };
                    handles.push(world.insert(body, shape).0);
                }
                for pin in &scene.pins {
                    let [a, b] = pin.points.map(|p| $rapier::prelude::Vector::new(real(p[0]), real(p[1])));
                    let joint = $rapier::prelude::RevoluteJointBuilder::new()
                        .local_anchor1(a.into())
                        .local_anchor2(b.into())
                        .contacts_enabled(false);
                    world.insert_impulse_joint(handles[pin.bodies[0]], handles[pin.bodies[1]], joint);
                }
                Box::new($name { world, handles })
            }
        }
    };
}

engine!(Double, rapier2d_f64, f64);
engine!(Single, rapier2d, f32);

pub(super) fn double(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    Ok(Double::build(scene))
}

pub(super) fn single(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    Ok(Single::build(scene))
}
