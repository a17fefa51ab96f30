//! The replay: one HTML page that plays a run without any network.

use crate::machine::{drawn, sort};
use crate::outline::{TieKind, curves, outline, ties};
use crate::palette::fill;
use crate::view::Extent;
use engine2d_constraint::Stroke;
use engine2d_math::Vec2;
use engine2d_scene::{Scene, View};
use engine2d_sim::{Attachment, Event, StepReport, World};
use engine2d_watch::{DisplayItem, Observer, Shown};
use serde::Serialize;
use std::io::{self, Write};

/// The page; `{{title}}` and `{{data}}` are filled in.
const PAGE: &str = include_str!("replay/page.html");

/// Most frames a replay keeps; longer runs are thinned out evenly.
const MOST_FRAMES: f64 = 2400.0;

/// Most collisions a replay shows.
const MOST_HITS: usize = 5000;

/// Significant digits of numbers in the page: enough for a picture, short enough for a file.
const DIGITS: usize = 6;

/// Keeps the motion of a run and writes it as a page.
pub struct ReplayRecorder {
    data: Data,
    interval: f64,
    next: f64,
    extent: Extent,
    view: Option<View>,
    /// What stays for a while on the display.
    shown: Vec<DisplayItem>,
}

/// What the page's script reads. Lists of points are flat: x, y, x, y, ….
#[derive(Default, Serialize)]
struct Data {
    title: String,
    description: String,
    view: [f64; 4],
    bodies: Vec<BodyData>,
    ties: Vec<TieData>,
    joints: Vec<JointData>,
    curves: Vec<Vec<f64>>,
    times: Vec<f64>,
    /// For each frame x, y and angle of each movable body.
    poses: Vec<Vec<f64>>,
    /// For each frame the two velocities and the angular velocity of each movable body.
    rates: Vec<Vec<f64>>,
    /// For each frame and joint that acts: its number, anchor, force and torque, the number of its segments and these, the
    /// number of its circles and these.
    machine: Vec<Vec<f64>>,
    /// For each frame x, y and the two components of each force of a rod, rope or pin.
    pulls: Vec<Vec<f64>>,
    kinetic: Vec<f64>,
    potential: Vec<f64>,
    /// For each frame x, y and the two components of each contact force.
    forces: Vec<Vec<f64>>,
    /// For each frame x, y and radius of each circle shown.
    circles: Vec<Vec<f64>>,
    /// For each frame the two ends of each line shown.
    lines: Vec<Vec<f64>>,
    /// Time, x, y and impulse of each collision.
    hits: Vec<[f64; 4]>,
}

#[derive(Serialize)]
struct BodyData {
    name: String,
    fixed: bool,
    color: &'static str,
    round: bool,
    mass: f64,
    moment: f64,
    /// Pose of an immovable body: x, y, angle.
    pose: [f64; 3],
    paths: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct TieData {
    kind: &'static str,
    /// Body (−1 for the ground) and point relative to its centre of mass.
    ends: [(i64, f64, f64); 2],
    length: f64,
}

#[derive(Serialize)]
struct JointData {
    name: String,
    sort: &'static str,
    /// The bodies it joins, by number.
    bodies: Vec<usize>,
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
        let interval = duration / MOST_FRAMES;
        Self {
            data,
            interval,
            next: f64::NEG_INFINITY,
            extent: Extent::empty(),
            view: scene.view,
            shown: Vec::new(),
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// What writing reports.
    pub fn write(mut self, mut writer: impl Write) -> io::Result<()> {
        let View { left, bottom, right, top } = self.view.unwrap_or_else(|| self.extent.view());
        self.data.view = [left, bottom, right, top];
        // Within a script element only "<" could end it early; JSON has it nowhere but in texts.
        let json = serde_json::to_string(&self.data)?.replace('<', "\\u003c");
        let title = escaped(&self.data.title);
        let mut rest = PAGE;
        while let Some(start) = rest.find("{{") {
            let (before, after) = rest.split_at(start);
            writer.write_all(before.as_bytes())?;
            rest = if let Some(rest) = after.strip_prefix("{{title}}") {
                writer.write_all(title.as_bytes())?;
                rest
            } else if let Some(rest) = after.strip_prefix("{{data}}") {
                writer.write_all(json.as_bytes())?;
                rest
            } else {
                writer.write_all(b"{{")?;
                &after[2..]
            };
        }
        writer.write_all(rest.as_bytes())
    }

    fn frame(&mut self, world: &World) {
        self.extent.include(world);
        let energy = world.energy();
        let data = &mut self.data;
        data.times.push(rounded(world.time()));
        let (mut poses, mut rates) = (Vec::new(), Vec::new());
        for body in world.bodies().filter(|body| !body.is_fixed()) {
            let p = body.position();
            let v = body.velocity();
            poses.extend([p.x, p.y, body.angle()].map(rounded));
            rates.extend([v.x, v.y, body.collision_body().angular_velocity].map(rounded));
        }
        data.poses.push(poses);
        data.rates.push(rates);
        data.machine.push(machine(world));
        data.kinetic.push(rounded(energy.kinetic()));
        data.potential.push(rounded(energy.potential));
        let (mut forces, mut pulls) = (Vec::new(), Vec::new());
        for contact in world.contact_forces() {
            let force = contact.normal * contact.force;
            let arrow = [contact.point.x, contact.point.y, force.x, force.y].map(rounded);
            if contact.bilateral {
                add_pull(&mut pulls, arrow);
            } else if contact.force > 0.0 {
                forces.extend(arrow);
            }
        }
        for contact in world.inspect().compliant_forces() {
            let (at, force) = (contact.point, contact.force());
            forces.extend([at.x, at.y, force.x, force.y].map(rounded));
        }
        data.forces.push(forces);
        data.pulls.push(pulls);
        let (mut circles, mut lines) = (Vec::new(), Vec::new());
        for item in &self.shown {
            match item.shown {
                Shown::Circle { center, radius } => circles.extend([center.x, center.y, radius].map(rounded)),
                Shown::Line { ends: [a, b] } => lines.extend([a.x, a.y, b.x, b.y].map(rounded)),
                _ => {}
            }
        }
        data.circles.push(circles);
        data.lines.push(lines);
        self.next = world.time() + self.interval * (1.0 - FRAME_SLACK);
    }
}

/// Part of a frame's interval by which a frame may come early, so that rounding drops none.
const FRAME_SLACK: f64 = 1e-6;

impl Observer for ReplayRecorder {
    fn display(&mut self, items: &[DisplayItem]) {
        self.shown.clear();
        self.shown.extend_from_slice(items);
    }

    fn start(&mut self, world: &World) -> io::Result<()> {
        self.data.bodies = world
            .bodies()
            .map(|body| BodyData {
                name: body.name().to_owned(),
                fixed: body.is_fixed(),
                color: fill(body.index(), body.is_fixed()),
                round: body.shape().edges().len() == 1,
                mass: rounded(body.mass()),
                moment: rounded(body.moment()),
                pose: [body.position().x, body.position().y, body.angle()],
                paths: outline(&body).into_iter().map(flat).collect(),
            })
            .collect();
        self.data.ties = ties(world)
            .into_iter()
            .map(|tie| TieData {
                kind: match tie.kind {
                    TieKind::Rod => "rod",
                    TieKind::Rope => "rope",
                    TieKind::Spring => "spring",
                    TieKind::Pin => "pin",
                },
                ends: tie.ends.map(|end| relative(world, end)),
                length: tie.length,
            })
            .collect();
        self.data.joints = world
            .inspect()
            .joints()
            .iter()
            .map(|joint| JointData {
                name: joint.label().to_owned(),
                sort: sort(joint),
                bodies: joint.bodies().into_iter().filter_map(|body| body.index()).collect(),
            })
            .collect();
        self.data.curves = curves(world).into_iter().map(flat).collect();
        self.frame(world);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        for event in report.events() {
            if let (Event::Collision { time, point, impulse, .. }, true) =
                (event, self.data.hits.len() < MOST_HITS)
            {
                self.data.hits.push([*time, point.x, point.y, *impulse].map(rounded));
            }
        }
        if world.time() >= self.next {
            self.frame(world);
        }
        Ok(())
    }
}

fn relative(world: &World, end: Attachment) -> (i64, f64, f64) {
    let body = end.body.index().and_then(|index| Some((index, world.body(index).ok()?)));
    match body {
        Some((index, body)) => {
            let p = end.point - body.collision_body().center_of_mass;
            (index as i64, p.x, p.y)
        }
        None => (-1, end.point.x, end.point.y),
    }
}

fn flat(points: Vec<Vec2>) -> Vec<f64> {
    points.into_iter().flat_map(|p| [rounded(p.x), rounded(p.y)]).collect()
}

/// Adds an arrow to a list, to the one at the same place if there is one: the rows of a pin are one force.
fn add_pull(pulls: &mut Vec<f64>, arrow: [f64; 4]) {
    let same = pulls.chunks_exact_mut(4).find(|known| known[..2] == arrow[..2]);
    match same {
        Some(known) => {
            known[2] += arrow[2];
            known[3] += arrow[3];
        }
        None => pulls.extend(arrow),
    }
}

/// The joints as they are now, as a list of numbers.
fn machine(world: &World) -> Vec<f64> {
    let mut list = Vec::new();
    for (place, joint) in drawn(world) {
        let (at, force) = (joint.anchor, joint.force);
        list.push(place as f64);
        list.extend([at.x, at.y, force.x, force.y, joint.torque].map(rounded));
        let (mut segments, mut circles) = (Vec::new(), Vec::new());
        for stroke in &joint.strokes {
            match stroke {
                Stroke::Segment { from, to } => segments.extend([from.x, from.y, to.x, to.y].map(rounded)),
                Stroke::Circle { center, radius } => {
                    circles.extend([center.x, center.y, *radius].map(rounded));
                }
            }
        }
        list.push((segments.len() / 4) as f64);
        list.extend(segments);
        list.push((circles.len() / 3) as f64);
        list.extend(circles);
    }
    list
}

/// The number with [`DIGITS`] significant digits.
fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return 0.0;
    }
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
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
    fn titles_cannot_break_the_page() {
        assert_eq!(escaped("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
