//! The replay: one HTML page that plays a run without any network.

use crate::digits;
use crate::picture::{Frame, Model};
use crate::view::Extent;
use engine2d_scene::{Scene, View};
use engine2d_sim::{Event, StepReport, World};
use engine2d_watch::{DisplayItem, Observer, Shown};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Write};

/// The page; `{{title}}`, `{{data}}` and the scripts are filled in.
const PAGE: &str = include_str!("replay/page.html");

/// Draws a world: shared with the lab, which imports it as a module.
const DRAW: &str = include_str!("replay/draw.js");

/// Plays the run.
const PLAY: &str = include_str!("replay/play.js");

/// Most frames a replay keeps; longer runs are thinned out evenly.
const MOST_FRAMES: f64 = 2400.0;

/// Most numbers that the frames of a replay hold; beyond, every other frame is left out. A number is about eight letters
/// of the file, so that no replay is larger than 20 MB.
const MOST_NUMBERS: usize = 2_000_000;

/// Most collisions a replay shows, and most other events: these are rarer, and must not be crowded out.
const MOST_MARKS: usize = 5000;

/// Significant digits of numbers in the page: enough for a picture, short enough for a file.
const DIGITS: usize = 6;

/// Keeps the motion of a run and writes it as a page.
pub struct ReplayRecorder {
    data: Data,
    interval: f64,
    next: f64,
    /// Numbers in the frames kept.
    numbers: usize,
    /// Other events and collisions kept.
    marked: [usize; 2],
    extent: Extent,
    view: Option<View>,
    /// What stays for a while on the display.
    shown: Vec<DisplayItem>,
}

/// What the page's script reads.
#[derive(Default, Serialize)]
struct Data {
    title: String,
    description: String,
    view: [f64; 4],
    #[serde(flatten)]
    model: Model,
    frames: Vec<Kept>,
    marks: Vec<Mark>,
    /// How many states the run had.
    states: u64,
    /// How many events were left out.
    unmarked: u64,
}

/// What a [`ReplayRecorder`] remembers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayMemory {
    frames: Vec<Kept>,
    marks: Vec<Mark>,
    states: u64,
    unmarked: u64,
    interval: f64,
    next: f64,
    marked: [usize; 2],
    /// Where the bodies were at the start.
    poses: Vec<[f64; 3]>,
    /// Least and greatest coordinates seen; nothing where there was nothing to see.
    extent: Option<[f64; 4]>,
}

/// A frame with what was on the display.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    frame: Frame,
    /// x, y and radius of each circle shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    circles: Vec<f64>,
    /// The two ends of each line shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<f64>,
}

impl Kept {
    fn size(&self) -> usize {
        self.frame.size() + self.circles.len() + self.lines.len()
    }
}

/// An event on the time line.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mark {
    t: f64,
    kind: Cow<'static, str>,
    text: String,
    /// Place and impulse of a collision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hit: Option<[f64; 3]>,
}

impl ReplayRecorder {
    /// A recorder of a run of `scene` for `duration` (simulated time).
    #[must_use]
    pub fn new(scene: &Scene, duration: f64) -> Self {
        let data = Data {
            title: scene.name.clone().unwrap_or_else(|| "scene".to_owned()),
            description: scene.description.clone().unwrap_or_default(),
            ..Data::default()
        };
        Self {
            data,
            interval: duration / MOST_FRAMES,
            next: f64::NEG_INFINITY,
            numbers: 0,
            marked: [0; 2],
            extent: Extent::empty(),
            view: scene.view,
            shown: Vec::new(),
        }
    }

    /// A recorder that goes on with a run of `scene` in `world`, as it was when `memory` was taken.
    #[must_use]
    pub fn resumed(scene: &Scene, world: &World, memory: ReplayMemory) -> Self {
        let mut new = Self::new(scene, 0.0);
        let ReplayMemory { frames, marks, states, unmarked, interval, next, marked, extent, poses } = memory;
        let mut model = model(world);
        model.bodies.iter_mut().zip(poses).for_each(|(body, pose)| body.pose = pose);
        new.numbers = frames.iter().map(Kept::size).sum();
        new.data = Data { model, frames, marks, states, unmarked, ..new.data };
        (new.interval, new.next, new.marked, new.extent) = (interval, next, marked, Extent::of(extent));
        new
    }

    /// What is remembered of the run so far; nothing of what is on the display for a while.
    #[must_use]
    pub fn memory(&self) -> ReplayMemory {
        ReplayMemory {
            frames: self.data.frames.clone(),
            marks: self.data.marks.clone(),
            states: self.data.states,
            unmarked: self.data.unmarked,
            interval: self.interval,
            next: self.next,
            marked: self.marked,
            poses: self.data.model.bodies.iter().map(|body| body.pose).collect(),
            extent: self.extent.corners(),
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// What writing reports.
    pub fn write(self, mut writer: impl Write) -> io::Result<()> {
        let title = escaped(&self.data.title);
        let json = self.data()?;
        // What the page has in one script, the lab has as a module.
        let draw = DRAW.lines().filter(|line| !line.starts_with("export ")).fold(String::new(), joined);
        let parts = [("title}}", title.as_str()), ("data}}", &json), ("draw}}", &draw), ("play}}", PLAY)];
        let mut pieces = PAGE.split("{{");
        writer.write_all(pieces.next().unwrap_or_default().as_bytes())?;
        for piece in pieces {
            match parts.iter().find_map(|(name, text)| Some((text, piece.strip_prefix(name)?))) {
                Some((text, rest)) => {
                    writer.write_all(text.as_bytes())?;
                    writer.write_all(rest.as_bytes())?;
                }
                None => write!(writer, "{{{{{piece}")?,
            }
        }
        Ok(())
    }

    /// What the page plays, as JSON that may stand in a script element: for those who have the page itself elsewhere.
    ///
    /// # Errors
    /// What writing reports.
    pub fn data(mut self) -> io::Result<String> {
        let View { left, bottom, right, top } = self.view.unwrap_or_else(|| self.extent.view());
        self.data.view = [left, bottom, right, top];
        // Within a script element only "<" could end it early; JSON has it nowhere but in texts.
        Ok(serde_json::to_string(&self.data)?.replace('<', "\\u003c"))
    }

    fn frame(&mut self, world: &World) {
        self.extent.include(world);
        let (mut circles, mut lines) = (Vec::new(), Vec::new());
        for item in &self.shown {
            match item.shown {
                Shown::Circle { center, radius } => circles.extend([center.x, center.y, radius].map(rounded)),
                Shown::Line { ends: [a, b] } => lines.extend([a.x, a.y, b.x, b.y].map(rounded)),
                _ => {}
            }
        }
        let kept = Kept { frame: Frame::of(world).map(rounded), circles, lines };
        self.numbers += kept.size();
        self.data.frames.push(kept);
        self.next = world.time() + self.interval * (1.0 - FRAME_SLACK);
        if self.numbers > MOST_NUMBERS {
            self.thin_out();
        }
    }

    /// Leaves out every other frame, from now on as well.
    fn thin_out(&mut self) {
        let mut place = 0;
        self.data.frames.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.numbers = self.data.frames.iter().map(Kept::size).sum();
        let span = self.data.frames.last().map_or(0.0, |last| last.frame.time)
            - self.data.frames.first().map_or(0.0, |first| first.frame.time);
        self.interval = self.interval.max(span / self.data.frames.len().max(2) as f64);
    }

    fn mark(&mut self, event: &Event) {
        if matches!(event, Event::ContactBegin { .. } | Event::ContactEnd { .. }) {
            return;
        }
        let marked = &mut self.marked[usize::from(matches!(event, Event::Collision { .. }))];
        if *marked >= MOST_MARKS {
            self.data.unmarked += 1;
            return;
        }
        *marked += 1;
        let hit = match event {
            Event::Collision { point, impulse, .. } => Some([point.x, point.y, *impulse].map(rounded)),
            _ => None,
        };
        // Collisions are many, and their picture says more than their text.
        let text = if hit.is_some() { String::new() } else { event.to_string() };
        self.data.marks.push(Mark { t: rounded(event.time()), kind: event.kind().into(), text, hit });
    }
}

fn joined(mut text: String, line: &str) -> String {
    text.push_str(line);
    text.push('\n');
    text
}

/// Part of a frame's interval by which a frame may come early, so that rounding drops none.
const FRAME_SLACK: f64 = 1e-6;

impl Observer for ReplayRecorder {
    fn display(&mut self, items: &[DisplayItem]) {
        self.shown.clear();
        self.shown.extend_from_slice(items);
    }

    fn start(&mut self, world: &World) -> io::Result<()> {
        self.data.model = model(world);
        self.data.states = 1;
        self.frame(world);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        report.events().iter().for_each(|event| self.mark(event));
        self.data.states += 1;
        if world.time() >= self.next {
            self.frame(world);
        }
        Ok(())
    }
}

/// What stays the same, in few digits.
fn model(world: &World) -> Model {
    let mut model = Model::of(world);
    for body in &mut model.bodies {
        body.paths.iter_mut().flatten().for_each(|value| *value = rounded(*value));
        (body.mass, body.moment) = (rounded(body.mass), rounded(body.moment));
    }
    model.curves.iter_mut().flatten().for_each(|value| *value = rounded(*value));
    model
}

/// The number with [`DIGITS`] significant digits.
fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return 0.0;
    }
    digits::rounded(value, DIGITS)
}

/// Text as HTML shows it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shortened() {
        assert_eq!(rounded(1.0 / 3.0), 0.333333);
        assert_eq!(rounded(-12345.6789), -12345.7);
        assert_eq!(rounded(0.0), 0.0);
    }

    #[test]
    fn a_long_replay_stays_small_and_says_what_it_left_out() {
        let scene = Scene::built_in("stack").unwrap();
        let mut world = scene.to_world().unwrap();
        let mut replay = ReplayRecorder::new(&scene, 1.0);
        replay.start(&world).unwrap();
        let report = world.advance(0.1).unwrap();
        // As if each moment were another one, and none came too soon.
        for _ in 0..30_000 {
            (replay.interval, replay.next) = (0.0, f64::NEG_INFINITY);
            replay.step(&world, &report).unwrap();
        }
        assert!(replay.numbers <= MOST_NUMBERS && replay.numbers > MOST_NUMBERS / 3);
        assert_eq!(replay.data.states, 30_001);
        assert!(replay.data.frames.len() < 20_000);
        assert_eq!(replay.data.frames[0].frame.time, 0.0, "the start stays");
        let mut page = Vec::new();
        replay.write(&mut page).unwrap();
        assert!(page.len() < 20_000_000, "{} bytes", page.len());
    }

    #[test]
    fn titles_cannot_break_the_page() {
        assert_eq!(escaped("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
