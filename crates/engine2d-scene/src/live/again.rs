//! A changed scene as text, and its world made anew.

use super::{LiveScene, Part, frame, vacant_name};
use crate::assembly::Assembly;
use crate::mistake::{MistakeKind, SceneError};
use crate::names::Names;
use crate::scene::Scene;
use crate::simulate::{mistake, sim_law, user_event};
use engine2d_constraint::FrameMotion;
use engine2d_sim::{self as sim, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    scene: serde_json::Value,
    vacant: Vec<usize>,
    since: BTreeMap<usize, f64>,
    groups: BTreeMap<String, u32>,
    parts: Vec<Part>,
    laws: Vec<u64>,
    next_law: u64,
}

fn spoiled(reason: impl ToString) -> SceneError {
    mistake(
        "live scene",
        MistakeKind::NotAllowed { value: reason.to_string(), allowed: "what was saved".to_owned() },
    )
}

impl LiveScene {
    /// The scene with everything that came and went, as JSON text for [`LiveScene::load`].
    ///
    /// # Errors
    /// [`SceneError`] for a scene that has no text, as one with numbers that are none.
    pub fn save(&self) -> Result<String, SceneError> {
        let kept = Kept {
            scene: serde_json::from_str(&self.scene.to_json()?).map_err(spoiled)?,
            vacant: self.vacant.clone(),
            since: self.since.clone(),
            groups: self.groups.clone(),
            parts: self.parts.clone(),
            laws: self.laws.clone(),
            next_law: self.next_law,
        };
        serde_json::to_string(&kept).map_err(spoiled)
    }

    /// A scene from [`LiveScene::save`], with a world of the same parts whose bodies stand where each began: restore a
    /// [`Snapshot`](sim::Snapshot) of the world that was saved before anything else.
    ///
    /// # Errors
    /// [`SceneError`] for a text that was not saved.
    pub fn load(text: &str) -> Result<(Self, World), SceneError> {
        let kept: Kept = serde_json::from_str(text).map_err(spoiled)?;
        let mut scene = kept.scene;
        // Bodies stand where each began, at times of its own: that they would overlap says nothing.
        let allowed = scene.get("allow_overlap").cloned();
        if let Some(fields) = scene.as_object_mut() {
            fields.insert("allow_overlap".to_owned(), true.into());
        }
        let mut scene = Scene::from_json(&scene.to_string())?;
        scene.allow_overlap = allowed.and_then(|allowed| allowed.as_bool()).unwrap_or(false);
        let fits = kept.parts.len() == scene.connectors.len() && kept.laws.len() == scene.force_laws.len();
        if !fits || kept.vacant.iter().any(|&place| place >= scene.bodies.len()) {
            return Err(spoiled("lists of different lengths"));
        }
        let mut names = Names::new(&scene);
        kept.vacant.iter().for_each(|&place| names.remove(&scene.body_name(place), place));
        let Kept { vacant, since, groups, parts, laws, next_law, .. } = kept;
        let live = Self { scene, names, vacant, since, groups, parts, laws, next_law };
        let world = live.world()?;
        Ok((live, world))
    }

    fn world(&self) -> Result<World, SceneError> {
        let scene = &self.scene;
        let mut builder =
            sim::World::builder().settings(scene.sim_settings()).time(scene.start_time).to_restore();
        if scene.allow_overlap {
            builder = builder.allow_overlap();
        }
        let vacant: BTreeSet<usize> = self.vacant.iter().copied().collect();
        for place in 0..scene.bodies.len() {
            builder = builder.body(if vacant.contains(&place) {
                sim::Body::ball(1.0).fixed().named(vacant_name(place))
            } else {
                let since = self.since.get(&place).copied().unwrap_or(scene.start_time);
                self.sim_body(place, since)?
            });
        }
        for (k, law) in scene.force_laws.iter().enumerate() {
            builder = builder.force_law(sim_law(&format!("force_laws[{k}]"), law, &self.names)?);
        }
        let start = scene.frames()?;
        for (k, (connector, part)) in scene.connectors.iter().zip(&self.parts).enumerate() {
            let path = format!("connectors[{k}]");
            let mut frames = start.clone();
            frames.resize(scene.bodies.len(), FrameMotion::default());
            for &(place, pose) in part.frames.iter().filter(|(place, _)| *place < scene.bodies.len()) {
                frames[place] = frame(pose);
            }
            let assembly = Assembly { names: &self.names, frames: &frames };
            let joints = assembly.joints(k, connector).map_err(|kind| mistake(&path, kind))?;
            for (joint, name) in joints.into_iter().zip(&part.joints) {
                builder = builder.joint(joint.named(name.clone()));
            }
            for tie in scene.sim_connectors(&path, connector, &self.names)? {
                builder = builder.connector(tie);
            }
        }
        let mut world = builder.build()?;
        for &place in &self.vacant {
            world.remove_body(place)?;
        }
        for (k, moment) in scene.events.iter().enumerate() {
            world.add_event(user_event(k, moment, &self.names)?)?;
        }
        Ok(world)
    }
}
