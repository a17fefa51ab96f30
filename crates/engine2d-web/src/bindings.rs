//! The lab as a class of JavaScript.

use crate::{Fault, Lab};
use wasm_bindgen::prelude::wasm_bindgen;

/// A scene and its world.
#[wasm_bindgen(js_name = Lab)]
pub struct JsLab {
    lab: Lab,
}

fn thrown(faults: Vec<Fault>) -> String {
    serde_json::to_string(&faults).unwrap_or_default()
}

/// Functions that read a scene throw the mistakes as JSON text, those that advance the message.
#[wasm_bindgen(js_class = Lab)]
impl JsLab {
    /// Reads a scene.
    #[wasm_bindgen(constructor)]
    pub fn read(text: &str) -> Result<JsLab, String> {
        Lab::read(text).map(|lab| Self { lab }).map_err(thrown)
    }

    /// What a picture shows all the time.
    pub fn model(&self) -> String {
        self.lab.model()
    }

    /// What a picture shows now.
    pub fn frame(&self) -> Vec<f64> {
        self.lab.frame()
    }

    /// Simulated time.
    pub fn time(&self) -> f64 {
        self.lab.world().time()
    }

    /// One time step.
    pub fn step(&mut self) -> Result<bool, String> {
        self.lab.step()
    }

    /// Steps until a time.
    pub fn run_until(&mut self, until: f64) -> Result<bool, String> {
        self.lab.run_until(until)
    }

    /// One step back.
    pub fn back(&mut self) -> bool {
        self.lab.back()
    }

    /// Back to the start.
    pub fn reset(&mut self) -> bool {
        self.lab.reset()
    }

    /// Takes hold of a body.
    pub fn take(&mut self, body: usize, x: f64, y: f64) -> bool {
        self.lab.take(body, x, y)
    }

    /// Pulls it.
    pub fn drag_to(&mut self, x: f64, y: f64) {
        self.lab.drag_to(x, y);
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.lab.release();
    }

    /// The events since they were taken last.
    pub fn take_events(&mut self) -> String {
        self.lab.take_events()
    }

    /// The parameters of the settings.
    pub fn parameters(&self) -> String {
        self.lab.parameters()
    }

    /// Sets one of them.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.lab.set_parameter(name, value)
    }

    /// The fingerprint of the state.
    pub fn digest(&self) -> String {
        self.lab.digest()
    }

    /// The scene of the start.
    pub fn text(&self) -> String {
        self.lab.text()
    }

    /// The scene of now.
    pub fn text_now(&self) -> String {
        self.lab.text_now()
    }

    /// Adds an entry to a list of the scene.
    pub fn insert(&mut self, list: &str, entry: &str) -> Result<(), String> {
        self.lab.insert(list, entry).map_err(thrown)
    }

    /// Removes an entry.
    pub fn remove(&mut self, list: &str, place: usize) -> Result<(), String> {
        self.lab.remove(list, place).map_err(thrown)
    }

    /// Places a body.
    pub fn place(&mut self, body: usize, x: f64, y: f64, angle: f64) -> Result<(), String> {
        self.lab.place(body, x, y, angle).map_err(thrown)
    }

    /// Friction of all bodies.
    pub fn set_friction(&mut self, coefficient: f64) -> Result<(), String> {
        self.lab.set_friction(coefficient).map_err(thrown)
    }

    /// Restitution of all bodies.
    pub fn set_restitution(&mut self, coefficient: f64) -> Result<(), String> {
        self.lab.set_restitution(coefficient).map_err(thrown)
    }

    /// Strength of gravity.
    pub fn set_gravity(&mut self, gravity: f64) -> Result<(), String> {
        self.lab.set_gravity(gravity).map_err(thrown)
    }

    /// The clock.
    pub fn set_clock(&mut self, clock: &str) -> Result<(), String> {
        self.lab.set_clock(clock).map_err(thrown)
    }

    /// The time step.
    pub fn set_time_step(&mut self, step: f64) -> Result<(), String> {
        self.lab.set_time_step(step).map_err(thrown)
    }

    /// The run as a table.
    pub fn table(&self, until: f64) -> Result<String, String> {
        self.lab.table(until)
    }

    /// The run as a list of events.
    pub fn event_lines(&self, until: f64) -> Result<String, String> {
        self.lab.event_lines(until)
    }

    /// What the replay page of the run plays; the page stands beside that of the lab.
    pub fn replay_data(&self, until: f64) -> Result<String, String> {
        self.lab.replay_data(until)
    }
}

/// The built-in scenes.
#[cfg(feature = "catalogue")]
#[wasm_bindgen(js_class = Lab)]
impl JsLab {
    /// Names and summaries of the built-in scenes.
    pub fn catalogue() -> String {
        Lab::catalogue()
    }

    /// The text of a built-in scene.
    pub fn catalogue_text(name: &str) -> Option<String> {
        Lab::catalogue_text(name)
    }
}
