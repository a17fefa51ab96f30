//! Texts as scenes: an error, or a scene that can be written and read back equal, soon.

use super::verdict::Verdict;
use engine2d_scene::{Limits, Scene, SceneError};
use std::time::Instant;

/// Longest time that reading may take (seconds): the limits are there for that.
const LONGEST: f64 = 5.0;

pub(super) fn judge(input: &[u8]) -> Verdict {
    let began = Instant::now();
    let read = Scene::from_reader_within(input, &Limits::default());
    let seconds = began.elapsed().as_secs_f64();
    if seconds > LONGEST {
        return Verdict::Wrong(format!("reading took {seconds:.1} s"));
    }
    let scene = match read {
        Ok(scene) => scene,
        Err(SceneError::NotJson { .. }) => return Verdict::Refused("not JSON"),
        Err(SceneError::Invalid(_)) => return Verdict::Refused("with mistakes"),
        Err(_) => return Verdict::Refused("unreadable"),
    };
    match scene.to_json() {
        Ok(text) => match Scene::from_json(&text) {
            Ok(again) if again == scene => Verdict::Sound,
            Ok(_) => Verdict::Wrong("what was written is read otherwise".to_owned()),
            Err(error) => Verdict::Wrong(format!("what was written cannot be read: {error}")),
        },
        Err(error) => Verdict::Wrong(format!("what was read cannot be written: {error}")),
    }
}
