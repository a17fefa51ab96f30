//! What only some bodies have, as the simulation takes it.

use crate::body::Body;
use crate::scene::Scene;
use crate::special::Moving;
use engine2d_sim as sim;
use engine2d_sim::name::normalized;
use std::collections::{BTreeMap, HashSet};

impl Scene {
    /// The body with what only some have; `since` is when the way of one that is led begins.
    pub(crate) fn with_special(
        &self,
        index: usize,
        built: sim::Body,
        groups: &BTreeMap<&str, u32>,
        since: f64,
    ) -> sim::Body {
        let body = &self.bodies[index];
        let mut built =
            built.gravity_scale(body.gravity_scale).damping(body.damping).collides(body.filter(groups));
        if body.sensor {
            built = built.sensor();
        }
        if let Some(normal) = body.one_way {
            built = built.one_way(normal);
        }
        match &body.moving {
            None => built,
            // What moves steadily begins with the world; a way that begins later is led.
            Some(Moving::Steady { velocity, angular_velocity }) if since == self.start_time => {
                built.moving(*velocity, *angular_velocity)
            }
            Some(moving) => led(body, moving, built, since),
        }
    }

    /// Whether a pair has the material. Others have said all they have by the friction and elasticity of their bodies.
    pub(super) fn is_paired(&self, material: &String) -> bool {
        self.material_pairs.iter().any(|pair| pair.between.contains(material))
    }
}

/// The body led along its way from where it starts.
fn led(body: &Body, moving: &Moving, built: sim::Body, since: f64) -> sim::Body {
    let moving = moving.clone();
    let Ok(shape) = body.shape.build() else { return built };
    let start = body.start(&shape);
    let from = [start.x, start.y, body.angle];
    built.led_by(move |time| {
        let mut led = moving.displacement(time - since);
        led.iter_mut().zip(from).for_each(|(of, from)| of[0] += from);
        led
    })
}

impl Body {
    /// The groups of the body and those it collides with.
    pub(crate) fn filter(&self, groups: &BTreeMap<&str, u32>) -> sim::CollisionFilter {
        let bits = |names: &[String]| {
            names.iter().filter_map(|name| groups.get(name.as_str())).fold(0, |all, bit| all | bit)
        };
        sim::CollisionFilter {
            categories: if self.groups.is_empty() { u32::MAX } else { bits(&self.groups) },
            mask: self.collides_with.as_deref().map_or(u32::MAX, bits),
        }
    }
}

/// A name that nothing else of its kind has: the name itself, or with the least number behind it that makes it so.
pub(crate) fn free_name(taken: &mut HashSet<String>, name: String) -> String {
    if taken.insert(normalized(&name)) {
        return name;
    }
    let numbered = (2..).map(|number: u64| format!("{name} {number}"));
    let mut free = numbered.filter(|name| taken.insert(normalized(name)));
    free.next().unwrap_or(name)
}
