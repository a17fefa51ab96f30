//! A world at the hand: read, advanced, taken back, dragged, looked at.

use crate::drag::Drag;
use crate::fault::Fault;
use engine2d_math::Vec2;
use engine2d_record::picture::{Frame, Model};
use engine2d_record::{EventWriter, Observer, ReplayRecorder, TrajectoryWriter, digest, run, write_svg};
use engine2d_scene::Scene;
#[cfg(feature = "catalogue")]
use engine2d_scene::catalogue::CATALOGUE;
use engine2d_sim::{Event, Snapshot, StepReport, World};
use engine2d_watch::{ParameterValue, Session};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Numbers before the packed [`Frame`]: certificate, penetration, joint error, whether a body is held (0 or 1), where it is
/// held (x, y), where it is pulled to (x, y), snapshots kept.
pub const FRAME_START: usize = 9;

/// Bodies in all snapshots kept together: bounds the memory of stepping back.
const SNAPSHOT_BODIES: usize = 40_000;

/// Fewest and most snapshots kept.
const SNAPSHOTS: [usize; 2] = [60, 1200];

/// Most events kept until they are taken.
const MOST_EVENTS: usize = 10_000;

/// Part of a time step that is not taken as a step of its own: it would only be rounding.
const STEP_SLACK: f64 = 1e-6;

/// A scene and its world.
#[derive(Debug)]
pub struct Lab {
    pub(crate) scene: Scene,
    pub(crate) session: Session,
    start: Snapshot,
    past: VecDeque<Snapshot>,
    drag: Option<Drag>,
    report: StepReport,
    events: Vec<Event>,
    /// Names of the connectors that broke.
    pub(crate) broken: Vec<String>,
    failure: Option<String>,
}

impl Lab {
    /// A lab with the scene of a JSON text at its start.
    ///
    /// # Errors
    /// Every mistake with its line.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let faults = |error| Fault::of(text, &error);
        let scene = Scene::from_json(text).map_err(faults)?;
        Self::new(scene).map_err(faults)
    }

    pub(crate) fn new(scene: Scene) -> Result<Self, engine2d_scene::SceneError> {
        let world = scene.to_world()?;
        let start = world.snapshot();
        Ok(Self {
            scene,
            session: Session::new(world),
            start,
            past: VecDeque::new(),
            drag: None,
            report: StepReport::default(),
            events: Vec::new(),
            broken: Vec::new(),
            failure: None,
        })
    }

    /// Names and summaries of the built-in scenes as JSON: `[{"name": …, "summary": …}, …]`.
    #[cfg(feature = "catalogue")]
    #[must_use]
    pub fn catalogue() -> String {
        let entries: Vec<_> =
            CATALOGUE.iter().map(|entry| json!({ "name": entry.name, "summary": entry.summary })).collect();
        json!(entries).to_string()
    }

    /// The text of a built-in scene.
    #[cfg(feature = "catalogue")]
    #[must_use]
    pub fn catalogue_text(name: &str) -> Option<String> {
        Scene::built_in(name)?.to_json().ok()
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.session
    }

    /// What a picture shows all the time, as JSON: bodies, ties, joints and curves as the replay page has them, name,
    /// description, duration, time step and start time of the scene, its view if it has one.
    #[must_use]
    pub fn model(&self) -> String {
        let scene = &self.scene;
        let view = scene.view.map(|view| [view.left, view.bottom, view.right, view.top]);
        let scene = json!({
            "name": scene.name, "description": scene.description, "duration": scene.duration,
            "time_step": scene.settings.time_step, "start": scene.start_time, "view": view,
        });
        // Two objects made one. As a tree the second would be written by code of its own for each type in it.
        let picture = serde_json::to_string(&Model::of(&self.session)).unwrap_or_default();
        let (mut text, picture) = (scene.to_string(), picture.strip_prefix('{').unwrap_or("}"));
        text.pop();
        text + if picture == "}" { "" } else { "," } + picture
    }

    /// What a picture shows now, as numbers: [`FRAME_START`] of them, then the packed [`Frame`].
    #[must_use]
    pub fn frame(&self) -> Vec<f64> {
        let report = &self.report;
        let mut list = vec![report.certificate, report.penetration, report.joint_error];
        let held = self.drag.and_then(|drag| Some((drag.point(&self.session)?, drag.target)));
        let (point, target) = held.unwrap_or_default();
        list.extend([f64::from(u8::from(held.is_some())), point.x, point.y, target.x, target.y]);
        list.push(self.past.len() as f64);
        Frame::of(&self.session).pack(&mut list);
        list
    }

    /// Advances by one time step of the scene; returns whether an event of the scene's stops the run here.
    ///
    /// # Errors
    /// Why the simulation cannot go on; the world stays where it stopped, and can be taken back.
    pub fn step(&mut self) -> Result<bool, String> {
        self.advance(self.scene.settings.time_step)
    }

    /// Advances by steps of the scene's time step to a time, as `engine2d run` does: the last one may be shorter.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn run_until(&mut self, until: f64) -> Result<bool, String> {
        let step = self.scene.settings.time_step;
        while until - self.world().time() > STEP_SLACK * step {
            let left = until - self.world().time();
            if self.advance(if left < (1.0 + STEP_SLACK) * step { left } else { step })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn advance(&mut self, step: f64) -> Result<bool, String> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let most = (SNAPSHOT_BODIES / self.world().bodies().len().max(1)).clamp(SNAPSHOTS[0], SNAPSHOTS[1]);
        if self.past.len() >= most {
            self.past.pop_front();
        }
        self.past.push_back(self.session.snapshot());
        let pulled = self.drag.map_or(Ok(()), |drag| drag.pull(self.session.world_mut()));
        let outcome = pulled.map_err(Into::into).and_then(|()| self.session.advance(step));
        match outcome {
            Ok(report) => {
                let room = MOST_EVENTS.saturating_sub(self.events.len());
                self.events.extend(report.events.iter().take(room).cloned());
                for event in &report.events {
                    if let Event::Broken { name, .. } = event {
                        self.broken.push(name.clone());
                    }
                }
                self.report = report;
                Ok(self.report.stopped_by.is_some())
            }
            Err(error) => {
                let failure = error.to_string();
                self.failure = Some(failure.clone());
                Err(failure)
            }
        }
    }

    /// Goes back by one step; returns whether there was one to go back.
    pub fn back(&mut self) -> bool {
        let Some(snapshot) = self.past.pop_back() else { return false };
        self.restore(&snapshot)
    }

    /// Returns to the start of the scene.
    pub fn reset(&mut self) -> bool {
        self.past.clear();
        self.drag = None;
        self.broken.clear();
        let start = self.start.clone();
        self.restore(&start)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let restored = self.session.world_mut().restore(snapshot).is_ok();
        self.failure = None;
        self.report = StepReport { time: snapshot.time(), ..StepReport::default() };
        self.events.clear();
        restored
    }

    /// Takes hold of a body at a world point; it is pulled to where [`drag_to`](Self::drag_to) says. Returns whether there is
    /// a body that can be moved.
    pub fn take(&mut self, body: usize, x: f64, y: f64) -> bool {
        self.drag =
            Drag::take(&self.session, body, Vec2::new(x, y)).filter(|_| x.is_finite() && y.is_finite());
        self.drag.is_some()
    }

    /// Pulls the body that is held to a world point.
    pub fn drag_to(&mut self, x: f64, y: f64) {
        if let Some(drag) = self.drag.as_mut().filter(|_| x.is_finite() && y.is_finite()) {
            drag.target = Vec2::new(x, y);
        }
    }

    /// Lets go: the body keeps the velocity that it has.
    pub fn release(&mut self) {
        self.drag = None;
    }

    /// The events since they were taken last, as JSON: `[{"time": …, "kind": …, "text": …, "hit": [x, y, impulse]}, …]`.
    #[must_use]
    pub fn take_events(&mut self) -> String {
        let events = std::mem::take(&mut self.events);
        let told = events.iter().map(|event| {
            let hit = match event {
                Event::Collision { point, impulse, .. } => Some([point.x, point.y, *impulse]),
                _ => None,
            };
            json!({ "time": event.time(), "kind": event.kind(), "text": event.to_string(), "hit": hit })
        });
        json!(told.collect::<Vec<_>>()).to_string()
    }

    /// The parameters of the settings with their kinds and values, as JSON.
    #[must_use]
    pub fn parameters(&self) -> String {
        serde_json::to_string(&self.session.parameters()).unwrap_or_default()
    }

    /// Sets a parameter of the running world; `value` is a number, true, false or a word as JSON. The scene's text stays as it is.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        let value = match serde_json::from_str(value).map_err(|error| error.to_string())? {
            Value::Bool(flag) => ParameterValue::Flag(flag),
            Value::String(word) => ParameterValue::Choice(word),
            Value::Number(number) => ParameterValue::Number(number.as_f64().unwrap_or(f64::NAN)),
            _ => return Err("a parameter is a number, true, false or a word".to_owned()),
        };
        self.session.set_parameter(name, value).map_err(|error| error.to_string())
    }

    /// The fingerprint of the state, as `summary.json` has it.
    #[must_use]
    pub fn digest(&self) -> String {
        digest(&self.session)
    }

    /// The run from the start of the scene to a time as `trajectory.csv`; the world itself stays as it is.
    ///
    /// # Errors
    /// Why the run could not go on or be written.
    pub fn table(&self, until: f64) -> Result<String, String> {
        let mut table = Vec::new();
        self.record(until, &mut TrajectoryWriter::new(&mut table))?;
        Ok(String::from_utf8_lossy(&table).into_owned())
    }

    /// The run from the start of the scene to a time as `events.jsonl`.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn event_lines(&self, until: f64) -> Result<String, String> {
        let mut lines = Vec::new();
        self.record(until, &mut EventWriter::new(&mut lines))?;
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// The run from the start of the scene to a time as a replay page.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn replay(&self, until: f64) -> Result<String, String> {
        let mut page = Vec::new();
        self.recorded(until)?.write(&mut page).map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    /// What the replay page of a run plays, as JSON: the page of the lab puts it into the file of the page beside it.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn replay_data(&self, until: f64) -> Result<String, String> {
        self.recorded(until)?.data().map_err(|error| error.to_string())
    }

    fn recorded(&self, until: f64) -> Result<ReplayRecorder, String> {
        let mut replay = ReplayRecorder::new(&self.scene, until - self.scene.start_time);
        self.record(until, &mut replay)?;
        Ok(replay)
    }

    /// A picture of now as SVG.
    #[must_use]
    pub fn picture(&self) -> String {
        let options = engine2d_record::SvgOptions { view: self.scene.view, ..Default::default() };
        let mut picture = Vec::new();
        // Writing to memory cannot fail.
        let _written = write_svg(&mut picture, &self.session, &options);
        String::from_utf8_lossy(&picture).into_owned()
    }

    fn record(&self, until: f64, observer: &mut dyn Observer) -> Result<(), String> {
        let mut world = self.scene.to_world().map_err(|error| error.to_string())?;
        run(&mut world, until, self.scene.settings.time_step, &mut [observer])
            .map_err(|error| error.to_string())
    }
}
