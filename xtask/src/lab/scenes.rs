//! The built-in scenes as a file beside the page.

use crate::TaskError;
use engine2d_scene::catalogue::{CATALOGUE, Entry};
use serde_json::{Value, json};

/// Name, summary and text of each: `[{"name": …, "summary": …, "text": …}, …]`. The texts are written without spaces: the page indents what
/// it shows.
pub(super) fn texts() -> Result<String, TaskError> {
    let entry = |entry: &Entry| {
        let mut scene = entry.scene();
        scene.settings = scene.settings.resolved();
        let text = serde_json::to_string(&scene)?;
        Ok(json!({ "name": entry.name, "summary": entry.summary, "text": text }))
    };
    let all: Result<Vec<Value>, TaskError> = CATALOGUE.iter().map(entry).collect();
    Ok(serde_json::to_string(&all?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_scene::Scene;

    #[test]
    fn every_built_in_scene_is_there_and_reads_back_equal() {
        let all: Vec<Value> = serde_json::from_str(&texts().unwrap()).unwrap();
        assert_eq!(all.len(), CATALOGUE.len());
        for (one, entry) in all.iter().zip(CATALOGUE) {
            assert_eq!(one["name"], entry.name);
            let read = Scene::from_json(one["text"].as_str().unwrap()).unwrap();
            assert_eq!(read.to_json().unwrap(), entry.scene().to_json().unwrap(), "{}", entry.name);
        }
    }
}
