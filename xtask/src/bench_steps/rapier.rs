//! The scenes in rapier, in both precisions: its defaults, with sleeping off.

use super::engine::Engine;
use super::scene::Scene;
use crate::TaskError;

macro_rules! engine {
    ($module:ident, $rapier:ident, $real:ty) => {
        mod $module {
            use crate::TaskError;
            use crate::bench_steps::engine::Engine;
            use crate::bench_steps::scene::{Form, Scene};
            use $rapier::prelude::{
                ColliderBuilder, PhysicsWorld, RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle,
                Vector,
            };

            struct Peer {
                world: PhysicsWorld,
                handles: Vec<RigidBodyHandle>,
            }

            impl Engine for Peer {
                fn step(&mut self) -> Result<(), TaskError> {
                    self.world.step();
                    Ok(())
                }

                fn states(&self) -> Vec<[f64; 6]> {
                    let of = |handle: &RigidBodyHandle| {
                        let body = &self.world.bodies[*handle];
                        let (p, v) = (body.translation(), body.linvel());
                        let (angle, rate) = (body.rotation().angle(), body.angvel());
                        [p.x, p.y, angle, v.x, v.y, rate].map(|x| x.into())
                    };
                    self.handles.iter().map(of).collect()
                }
            }

            pub(in crate::bench_steps) fn build(scene: &Scene) -> Box<dyn Engine> {
                let real = |x: f64| x as $real;
                let mut world = PhysicsWorld::new();
                world.gravity = Vector::new(0.0, -real(scene.gravity));
                world.integration_parameters.dt = real(1.0 / 60.0);
                let mut handles = Vec::new();
                for item in &scene.items {
                    let body =
                        if item.is_fixed() { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
                    let body = body
                        .translation(Vector::new(real(item.at[0]), real(item.at[1])))
                        .linvel(Vector::new(real(item.velocity[0]), real(item.velocity[1])))
                        .can_sleep(false);
                    let shape = match item.form {
                        Form::Block(x, y) => ColliderBuilder::cuboid(real(x), real(y)),
                        Form::Disc(r) => ColliderBuilder::ball(real(r)),
                    };
                    let shape = shape.friction(real(scene.friction)).restitution(0.0);
                    let shape = if item.is_fixed() { shape } else { shape.mass(real(item.mass)) };
                    handles.push(world.insert(body, shape).0);
                }
                for pin in &scene.pins {
                    let [a, b] = pin.points.map(|p| Vector::new(real(p[0]), real(p[1])));
                    let joint = RevoluteJointBuilder::new()
                        .local_anchor1(a.into())
                        .local_anchor2(b.into())
                        .contacts_enabled(false);
                    world.insert_impulse_joint(handles[pin.bodies[0]], handles[pin.bodies[1]], joint);
                }
                Box::new(Peer { world, handles })
            }
        }
    };
}

engine!(f64s, rapier2d_f64, f64);
engine!(f32s, rapier2d, f32);

pub(super) fn double(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    Ok(f64s::build(scene))
}

pub(super) fn single(scene: &Scene) -> Result<Box<dyn Engine>, TaskError> {
    Ok(f32s::build(scene))
}
