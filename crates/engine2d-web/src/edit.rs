//! Changes of the scene: of its start, or of the present moment, which then is the start.

use crate::fault::Fault;
use crate::lab::Lab;
use crate::now::scene_now;
use engine2d_scene::{Body, Clock, ClockKind, ForceLaw, Friction, Scene, SceneError};
use serde_json::Value;

/// Fields that refer to one body.
const ONE_BODY: [&str; 3] = ["body", "body_a", "body_b"];

/// Fields that refer to several.
const SEVERAL_BODIES: [&str; 2] = ["bodies", "no_collide"];

impl Lab {
    /// The scene as text: as the world started.
    #[must_use]
    pub fn text(&self) -> String {
        self.scene.to_json().unwrap_or_default()
    }

    /// The scene of the present moment as text: poses and velocities of now. Where that cannot be said (a body is led from
    /// stop to stop, a nameless connector broke) it is the scene of the start.
    #[must_use]
    pub fn text_now(&self) -> String {
        self.present().to_json().unwrap_or_else(|_| self.text())
    }

    fn present(&self) -> Scene {
        let now = scene_now(&self.scene, &self.session).and_then(|now| {
            if self.broken.is_empty() {
                return Some(now);
            }
            let mut tree: Value = serde_json::from_str(&now.to_json().ok()?).ok()?;
            let connectors = tree.get_mut("connectors")?.as_array_mut()?;
            for name in &self.broken {
                let broken =
                    connectors.iter_mut().find(|c| c.get("name").and_then(Value::as_str) == Some(name))?;
                broken.as_object_mut()?.insert("enabled".to_owned(), false.into());
            }
            Scene::from_json(&tree.to_string()).ok()
        });
        now.unwrap_or_else(|| self.scene.clone())
    }

    /// Adds an entry to a list of the scene, `bodies`, `connectors` or `force_laws`: `entry` is its JSON. What is known of the
    /// present moment becomes the start.
    ///
    /// # Errors
    /// What is wrong with it; nothing is then changed.
    pub fn insert(&mut self, list: &str, entry: &str) -> Result<(), Vec<Fault>> {
        let entry: Value = serde_json::from_str(entry).map_err(|error| plain(&error.to_string()))?;
        self.change_tree(|tree| {
            let Some(fields) = tree.as_object_mut() else { return };
            let all = fields.entry(list).or_insert_with(|| Value::Array(Vec::new()));
            if let Some(all) = all.as_array_mut() {
                all.push(entry);
            }
        })
    }

    /// Removes an entry of a list of the scene: a body with everything that refers to it.
    ///
    /// # Errors
    /// Why it cannot be removed; nothing is then changed.
    pub fn remove(&mut self, list: &str, place: usize) -> Result<(), Vec<Fault>> {
        let name = self.session.body(place).map(|body| body.name().to_owned()).unwrap_or_default();
        let count = self.scene.bodies.len();
        self.change_tree(|tree| {
            if let Some(all) = tree.get_mut(list).and_then(Value::as_array_mut)
                && place < all.len()
            {
                all.remove(place);
            }
            if list == "bodies" && place < count {
                forget_body(tree, place, &name);
            }
        })
    }

    /// Places a body: centre of mass and angle (radians), at rest.
    ///
    /// # Errors
    /// Why it cannot stand there; nothing is then changed.
    pub fn place(&mut self, body: usize, x: f64, y: f64, angle: f64) -> Result<(), Vec<Fault>> {
        let mut scene = self.present();
        let Some(body) = scene.bodies.get_mut(body) else { return Err(plain("there is no such body")) };
        (body.position, body.origin, body.angle) = ([x, y], engine2d_scene::Origin::Centroid, angle);
        if body.moving.is_none() {
            (body.velocity, body.angular_velocity) = ([0.0, 0.0], 0.0);
        }
        self.adopt(scene)
    }

    /// Gives every body the same coefficient of friction.
    ///
    /// # Errors
    /// Why that cannot be; nothing is then changed.
    pub fn set_friction(&mut self, coefficient: f64) -> Result<(), Vec<Fault>> {
        self.change_bodies(|body| body.friction = Some(Friction::Same(coefficient)))
    }

    /// Gives every body the same coefficient of restitution.
    ///
    /// # Errors
    /// Why that cannot be; nothing is then changed.
    pub fn set_restitution(&mut self, coefficient: f64) -> Result<(), Vec<Fault>> {
        self.change_bodies(|body| body.elasticity = Some(coefficient))
    }

    fn change_bodies(&mut self, change: impl Fn(&mut Body)) -> Result<(), Vec<Fault>> {
        let mut scene = self.present();
        scene.bodies.iter_mut().for_each(change);
        self.adopt(scene)
    }

    /// Sets the strength of gravity (length/time²), of all laws of gravity; adds one if there is none.
    ///
    /// # Errors
    /// Why that cannot be; nothing is then changed.
    pub fn set_gravity(&mut self, gravity: f64) -> Result<(), Vec<Fault>> {
        let mut scene = self.present();
        let mut is_there = false;
        for law in &mut scene.force_laws {
            if let ForceLaw::Gravity { strength, .. } = law {
                (*strength, is_there) = (gravity, true);
            }
        }
        if !is_there {
            scene.force_laws.push(ForceLaw::Gravity {
                strength: gravity,
                zero_energy_level: 0.0,
                bodies: None,
            });
        }
        self.adopt(scene)
    }

    /// Sets the clock by its word, `located`, `time_stepping` or `backtracking`, with its default settings.
    ///
    /// # Errors
    /// Why the scene cannot run by it; nothing is then changed.
    pub fn set_clock(&mut self, clock: &str) -> Result<(), Vec<Fault>> {
        let kind = match clock {
            "located" => ClockKind::Located,
            "time_stepping" => ClockKind::TimeStepping,
            "backtracking" => ClockKind::Backtracking,
            _ => return Err(plain("the clocks are located, time_stepping and backtracking")),
        };
        let mut scene = self.present();
        scene.settings.clock = Some(Clock::Kind(kind));
        scene.settings = scene.settings.resolved();
        self.adopt(scene)
    }

    /// Sets the time step of the scene (time, > 0).
    ///
    /// # Errors
    /// Why that cannot be; nothing is then changed.
    pub fn set_time_step(&mut self, step: f64) -> Result<(), Vec<Fault>> {
        let mut scene = self.present();
        scene.settings.time_step = step;
        self.adopt(scene)
    }

    fn change_tree(&mut self, change: impl FnOnce(&mut Value)) -> Result<(), Vec<Fault>> {
        let present = self.present();
        let text = present.to_json().map_err(|error| Fault::of("", &error))?;
        let mut tree: Value = serde_json::from_str(&text).map_err(|error| plain(&error.to_string()))?;
        change(&mut tree);
        let scene = Scene::from_json(&tree.to_string()).map_err(|error| Fault::of("", &error))?;
        self.adopt(scene)
    }

    fn adopt(&mut self, scene: Scene) -> Result<(), Vec<Fault>> {
        // Read anew, so that what was changed is judged as a file is.
        let text = scene.to_json().map_err(|error| Fault::of("", &error))?;
        *self = Self::read(&text)?;
        Ok(())
    }
}

fn plain(message: &str) -> Vec<Fault> {
    Fault::of("", &SceneError::NotJson { message: message.to_owned(), line: 1, column: 1 })
}

/// Whether a reference is to the body of that place and name; a number beyond it counts down by one.
fn is_gone(reference: &mut Value, place: usize, name: &str) -> bool {
    if let Some(number) = reference.as_u64() {
        if number > place as u64 {
            *reference = (number - 1).into();
        }
        return number == place as u64;
    }
    reference.as_str().is_some_and(|word| engine2d_sim::name::same(word, name))
}

/// Removes what refers to a body that is gone.
fn forget_body(tree: &mut Value, place: usize, name: &str) {
    for list in ["connectors", "force_laws", "events"] {
        let Some(all) = tree.get_mut(list).and_then(Value::as_array_mut) else { continue };
        all.retain_mut(|entry| {
            let mut gone = false;
            for field in ONE_BODY {
                gone |= entry.get_mut(field).is_some_and(|reference| is_gone(reference, place, name));
            }
            !gone
        });
    }
    for list in ["bodies", "force_laws"] {
        let Some(all) = tree.get_mut(list).and_then(Value::as_array_mut) else { continue };
        for entry in all {
            for field in SEVERAL_BODIES {
                if let Some(several) = entry.get_mut(field).and_then(Value::as_array_mut) {
                    several.retain_mut(|reference| !is_gone(reference, place, name));
                }
            }
            if let Some(ranges) = entry.get_mut("no_collide_edges").and_then(Value::as_array_mut) {
                ranges.retain_mut(|range| {
                    !range.get_mut("body").is_some_and(|body| is_gone(body, place, name))
                });
            }
        }
    }
}
