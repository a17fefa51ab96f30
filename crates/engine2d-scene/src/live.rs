//! A scene beside the running world it describes: entries come and go in both.
//!
//! Bodies of the scene keep the places of the world's, vacant ones too, so that what refers to a body by its name or place means
//! the same in both. What was added while the world ran remembers where bodies stood then, so that the world can be made anew
//! from the scene, and a snapshot restored in it.

mod again;
mod entry;

use crate::assembly::Assembly;
use crate::body::{Body, BodyRef};
use crate::connector::{Connector, Line};
use crate::mistake::{MistakeKind, SceneError};
use crate::names::Names;
use crate::scene::Scene;
use crate::settings::ContactModel;
use crate::shelf::Shelf;
use crate::simulate::{free_name, mistake, sim_law};
use engine2d_constraint::FrameMotion;
use engine2d_math::Pose;
use engine2d_sim::name::normalized;
use engine2d_sim::{self as sim, BodyId, BodyKey, SimError, World};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Groups of bodies that a filter tells apart.
const GROUPS: usize = 32;

/// A scene that is changed together with the world it describes.
///
/// ```
/// use engine2d_scene::{LiveScene, Scene};
///
/// let scene = r#"{"format": "engine2d-scene", "version": 1, "force_laws": [{"type": "gravity", "strength": 9.81}], "bodies": [
///     {"name": "floor", "shape": {"type": "wall", "width": 9, "height": 1}, "fixed": true, "position": [0, -0.5]}]}"#;
/// let (mut live, mut world) = LiveScene::new(Scene::from_json(scene)?)?;
/// world.advance(1.0)?;
/// let ball = r#"{"name": "ball", "shape": {"type": "ball", "radius": 0.5}, "mass": 1, "position": [0, 4]}"#;
/// let id = live.add_body(&mut world, ball)?;
/// world.advance(0.5)?;
/// assert!(world.body(id)?.position().y < 3.0);
/// live.remove_body(&mut world, "ball")?;
/// assert_eq!(world.bodies().count(), 1);
/// # Ok::<(), engine2d_scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveScene {
    /// Its bodies are at their places in the world.
    scene: Scene,
    names: Names,
    /// In the order in which they became so: the world gives the last one first.
    vacant: Vec<usize>,
    /// Time at which bodies that are led along a way were added.
    since: BTreeMap<usize, f64>,
    groups: BTreeMap<String, u32>,
    /// Of each connector of the scene.
    parts: Vec<Part>,
    /// Of each force law.
    laws: Vec<u64>,
    next_law: u64,
}

/// What a connector became in the world.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct Part {
    name: String,
    /// Names of its joints.
    joints: Vec<String>,
    /// How many connectors of the simulation's own it stands for.
    ties: usize,
    /// Where its bodies stood when it was added: place, and x, y and angle of the frame. Nothing for those of the start.
    frames: Vec<(usize, [f64; 3])>,
}

impl LiveScene {
    /// The scene and its world, at its start.
    ///
    /// # Errors
    /// As [`Scene::to_world`].
    pub fn new(mut scene: Scene) -> Result<(Self, World), SceneError> {
        let world = scene.to_world()?;
        let groups = scene.groups().into_iter().map(|(name, bit)| (name.to_owned(), bit)).collect();
        let names = Names::new(&scene);
        let frames = scene.frames()?;
        let assembly = Assembly { names: &names, frames: &frames };
        let mut joints = world.joints().iter().filter_map(|joint| joint.name().map(str::to_owned));
        let (mut parts, mut taken) = (Vec::new(), HashSet::new());
        for (k, connector) in scene.connectors.iter().enumerate() {
            let path = format!("connectors[{k}]");
            let count = assembly.joints(k, connector).map_err(|kind| mistake(&path, kind))?.len();
            let ties = scene.sim_connectors(&path, connector, &names)?.len();
            let name = connector.name().map_or_else(|| format!("connector{k}"), str::to_owned);
            let name = free_name(&mut taken, name);
            parts.push(Part {
                name,
                joints: joints.by_ref().take(count).collect(),
                ties,
                frames: Vec::new(),
            });
        }
        // The world's names tell bodies apart that share one in the scene.
        for body in world.bodies() {
            scene.bodies[body.index()].name = Some(body.name().to_owned());
        }
        let laws: Vec<u64> = (0..scene.force_laws.len() as u64).collect();
        let (names, next_law) = (Names::new(&scene), laws.len() as u64);
        let (vacant, since) = (Vec::new(), BTreeMap::new());
        Ok((Self { scene, names, vacant, since, groups, parts, laws, next_law }, world))
    }

    /// Adds a body, described as an entry of `bodies` in JSON text; one that does not say its name gets one. It takes a vacant
    /// place or one behind all others. What leads it along a way begins now.
    ///
    /// # Errors
    /// [`SceneError::NotJson`], [`SceneError::Invalid`] with every mistake at its path, which begins with `bodies[0]`;
    /// [`SceneError::NotSimulable`] for a name that is taken, for a body that stands inside another, and with compliant contact,
    /// whose table of surfaces is made at the start. The world is then as before.
    pub fn add_body(&mut self, world: &mut World, text: &str) -> Result<BodyId, SceneError> {
        if self.scene.settings.contact_model == ContactModel::Compliant {
            let problem =
                "compliant contact takes no bodies while it runs: its table of surfaces is made at the start";
            return Err(SimError::Unsupported { path: "bodies".to_owned(), problem }.into());
        }
        let mut body = entry::body(text, &self.scene, &self.names)?;
        let name = body.name.clone().unwrap_or_else(|| {
            let numbered = (self.scene.bodies.len()..).map(|k| format!("body{k}"));
            numbered.into_iter().find(|name| world.body(name).is_err()).unwrap_or_default()
        });
        body.name = Some(name.clone());
        self.number_groups(&body)?;
        let (last, now) = (self.scene.bodies.len(), world.time());
        self.scene.bodies.push(body);
        let built = self.sim_body(last, now);
        let body = self.scene.bodies.pop();
        let id = world.add_body(built?)?;
        let (place, Some(body)) = (id.index(), body) else { return Ok(id) };
        if place < last {
            self.scene.bodies[place] = body;
        } else {
            self.scene.bodies.push(body);
        }
        self.vacant.retain(|vacant| *vacant != place);
        self.since.insert(place, now);
        self.names.insert(name, place);
        Ok(id)
    }

    /// Removes a body with its connectors and with the laws and events that cannot do without it; all others stay as they are.
    ///
    /// # Errors
    /// [`SceneError::NotSimulable`] for a body that is not there.
    pub fn remove_body<'k>(
        &mut self,
        world: &mut World,
        body: impl Into<BodyKey<'k>>,
    ) -> Result<(), SceneError> {
        let place = world.body(body)?.index();
        let names = &self.names;
        let is_gone = |reference: &BodyRef| names.resolve(reference) == Ok(Some(place));
        let kept = |k: usize| !self.scene.connectors[k].bodies().into_iter().any(is_gone);
        let kept: Vec<bool> = (0..self.parts.len()).map(kept).collect();
        world.remove_body(place)?;
        let Scene { bodies, connectors, force_laws, events, .. } = &mut self.scene;
        let stays: Vec<bool> = force_laws.iter_mut().map(|law| law.without(&is_gone)).collect();
        keep(connectors, &kept);
        keep(&mut self.parts, &kept);
        keep(force_laws, &stays);
        keep(&mut self.laws, &stays);
        events.retain(|event| !is_gone(&event.body));
        for other in bodies.iter_mut() {
            other.no_collide.retain(|reference| !is_gone(reference));
            other.no_collide_edges.retain(|range| !is_gone(&range.body));
        }
        let name = bodies[place].name.replace(vacant_name(place)).unwrap_or_default();
        bodies[place].no_collide.clear();
        bodies[place].no_collide_edges.clear();
        self.names.remove(&name, place);
        self.vacant.push(place);
        self.since.remove(&place);
        Ok(())
    }

    /// Adds a connector, described as an entry of `connectors` in JSON text; returns its name. Lengths and angles that it does not
    /// tell are those of now.
    ///
    /// # Errors
    /// [`SceneError::NotJson`], [`SceneError::Invalid`] with paths that begin with `connectors[0]`;
    /// [`SceneError::NotSimulable`] for what the clock cannot take. The world is then as before.
    pub fn add_connector(&mut self, world: &mut World, text: &str) -> Result<String, SceneError> {
        let mut connector = entry::connector(text, &self.scene, &self.names)?;
        let path = "connectors[0]";
        let mut taken: HashSet<String> = self.parts.iter().map(|part| normalized(&part.name)).collect();
        let wanted = connector.name().map_or_else(|| format!("connector{}", self.parts.len()), str::to_owned);
        if connector.name().is_some() && taken.contains(&normalized(&wanted)) {
            let other = "another connector".to_owned();
            return Err(SimError::NameTaken { path: format!("{path}.name"), name: wanted, other }.into());
        }
        let name = free_name(&mut taken, wanted);
        let mut frames = vec![FrameMotion::default(); self.scene.bodies.len()];
        for body in world.bodies() {
            frames[body.index()].pose = body.collision_body().pose;
        }
        self.set_length(&mut connector, &frames);
        let assembly = Assembly { names: &self.names, frames: &frames };
        let joints = assembly.joints(self.parts.len(), &connector).map_err(|kind| mistake(path, kind))?;
        let ties = self.scene.sim_connectors(path, &connector, &self.names)?;
        let mut named: HashSet<String> =
            world.joints().iter().filter_map(|joint| joint.name().map(normalized)).collect();
        let mut part = Part { name: name.clone(), ties: ties.len(), ..Part::default() };
        for (k, joint) in joints.into_iter().enumerate() {
            let wanted = if k == 0 { name.clone() } else { joint.name().unwrap_or(&name).to_owned() };
            let own = free_name(&mut named, wanted);
            if let Err(error) = world.add_joint(joint.named(own.clone())) {
                part.joints.iter().for_each(|joint| drop(world.remove_joint(joint)));
                return Err(error.into());
            }
            part.joints.push(own);
        }
        let first: usize = self.parts.iter().map(|part| part.ties).sum();
        for (k, tie) in ties.into_iter().enumerate() {
            if let Err(error) = world.edit().add_connector(tie) {
                (0..k).rev().for_each(|k| drop(world.edit().remove_connector(first + k)));
                return Err(error.into());
            }
        }
        for place in connector.bodies().into_iter().filter_map(|body| self.names.resolve(body).ok().flatten())
        {
            let (position, angle) = (frames[place].pose.position(), frames[place].pose.angle());
            part.frames.push((place, [position.x, position.y, angle]));
        }
        self.parts.push(part);
        self.scene.connectors.push(connector);
        Ok(name)
    }

    /// Removes a connector by its name; one without a name is called `connector` with its place in the scene. Bodies that it
    /// kept from colliding still ignore each other.
    ///
    /// # Errors
    /// [`SceneError::NotSimulable`] for a name that none has.
    pub fn remove_connector(&mut self, world: &mut World, name: &str) -> Result<(), SceneError> {
        let wanted = normalized(name);
        let Some(k) = self.parts.iter().position(|part| normalized(&part.name) == wanted) else {
            return Err(SimError::UnknownName { name: name.to_owned() }.into());
        };
        let first: usize = self.parts[..k].iter().map(|part| part.ties).sum();
        for tie in (first..first + self.parts[k].ties).rev() {
            world.edit().remove_connector(tie)?;
        }
        for joint in &self.parts[k].joints {
            world.remove_joint(joint)?;
        }
        self.parts.remove(k);
        self.scene.connectors.remove(k);
        Ok(())
    }

    /// The names of the connectors, in their order.
    pub fn connectors(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.parts.iter().map(|part| part.name.as_str())
    }

    /// Adds a force law, described as an entry of `force_laws` in JSON text; returns its number, which is never another's. Those
    /// of the scene are numbered from 0.
    ///
    /// # Errors
    /// [`SceneError::NotJson`], [`SceneError::Invalid`] with paths that begin with `force_laws[0]`; [`SceneError::NotSimulable`]
    /// for a second law of a kind that acts on every body once.
    pub fn add_force_law(&mut self, world: &mut World, text: &str) -> Result<u64, SceneError> {
        let law = entry::force_law(text, &self.names)?;
        world.add_force_law(sim_law("force_laws[0]", &law, &self.names)?)?;
        self.scene.force_laws.push(law);
        let number = self.next_law;
        self.next_law += 1;
        self.laws.push(number);
        Ok(number)
    }

    /// Removes a force law by its number.
    ///
    /// # Errors
    /// [`SceneError::NotSimulable`] for a number that none has.
    pub fn remove_force_law(&mut self, world: &mut World, number: u64) -> Result<(), SceneError> {
        let Some(k) = self.laws.iter().position(|law| *law == number) else {
            return Err(SimError::Stale { what: format!("force law {number}") }.into());
        };
        world.edit().remove_force_law(k)?;
        self.laws.remove(k);
        self.scene.force_laws.remove(k);
        Ok(())
    }

    /// The numbers of the force laws, in their order.
    #[must_use]
    pub fn force_laws(&self) -> &[u64] {
        &self.laws
    }

    /// The body of a place as the simulation takes it; `since` is when its way begins.
    fn sim_body(&self, place: usize, since: f64) -> Result<sim::Body, SceneError> {
        let built = self.scene.sim_body(place, &self.names, &mut Shelf::default())?;
        let groups = self.groups.iter().map(|(name, bit)| (name.as_str(), *bit)).collect();
        let built = built.named(self.scene.body_name(place));
        Ok(self.scene.with_special(place, built, &groups, since))
    }

    /// Gives numbers to groups that are new.
    fn number_groups(&mut self, body: &Body) -> Result<(), SceneError> {
        let new: BTreeSet<&String> =
            body.groups.iter().filter(|name| !self.groups.contains_key(*name)).collect();
        if self.groups.len() + new.len() > GROUPS {
            let allowed = format!("there may be {GROUPS} groups, those that have been used among them");
            let value = format!("{:?}", body.groups);
            return Err(mistake("bodies[0].groups", MistakeKind::NotAllowed { value, allowed }));
        }
        let first = self.groups.len();
        let new: Vec<(String, u32)> =
            new.into_iter().zip(first..).map(|(name, k)| (name.clone(), 1 << k)).collect();
        self.groups.extend(new);
        Ok(())
    }

    /// The length that a rod or rope does not tell, from where its ends are.
    fn set_length(&self, connector: &mut Connector, frames: &[FrameMotion]) {
        let located = connector.needs_located_clock();
        let (Connector::Rod(line) | Connector::Rope(line)) = &*connector else { return };
        if located || line.length.is_some() {
            return;
        }
        let end = |body: &BodyRef, point| match self.names.resolve(body) {
            Ok(Some(place)) => frames[place].pose.transform(point),
            _ => point,
        };
        let Line { body_a, point_a, body_b, point_b, .. } = line;
        let span = (end(body_a, (*point_a).into()) - end(body_b, (*point_b).into())).norm();
        let gap = self.scene.target_gap(line, &self.names);
        match connector {
            Connector::Rod(line) => line.length = Some(span),
            Connector::Rope(line) => line.length = Some(span + gap),
            _ => {}
        }
    }
}

/// Keeps what is marked.
fn keep<T>(list: &mut Vec<T>, marked: &[bool]) {
    let mut marked = marked.iter();
    list.retain(|_| marked.next().is_none_or(|stays| *stays));
}

/// What is left at a place without a body is called so in the scene.
fn vacant_name(place: usize) -> String {
    format!("vacant place {place} of a running scene")
}

fn frame([x, y, angle]: [f64; 3]) -> FrameMotion {
    FrameMotion { pose: Pose::new(x, y, angle), ..FrameMotion::default() }
}

#[cfg(test)]
mod tests;
