//! From a scene to JSON text.

use crate::mistake::SceneError;
use crate::scene::Scene;
use std::io;

impl Scene {
    /// The scene as indented JSON text, which [`Scene::from_json`] reads back equal.
    ///
    /// # Errors
    /// [`SceneError::Invalid`] if the scene is not sound: text that could not be read back is not written.
    pub fn to_json(&self) -> Result<String, SceneError> {
        self.check().map_err(SceneError::Invalid)?;
        let mut scene = self.clone();
        scene.settings = scene.settings.resolved();
        let mut text = serde_json::to_string_pretty(&scene).map_err(io::Error::from)?;
        text.push('\n');
        Ok(text)
    }
}
