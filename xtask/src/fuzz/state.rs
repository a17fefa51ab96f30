//! State files: damaged ones are refused; those whose content was changed, with a checksum that is right, are refused or go on
//! without harm.

use super::bytes::Bytes;
use super::verdict::Verdict;
use engine2d_record::{Course, SavedRun};
use engine2d_scene::Scene;
use std::sync::OnceLock;

/// Largest file that is read (bytes).
const LIMIT: u64 = 1 << 24;

/// Scenes whose states are changed.
const SCENES: [&str; 4] = ["ball_on_floor", "rough_slope", "pendulum", "compliant_cradle"];

/// A whole state file of each scene.
fn whole(k: usize) -> Result<&'static [u8], String> {
    static FILES: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    let files = FILES.get_or_init(|| SCENES.iter().map(|name| file(name)).collect());
    files.as_ref().map(|files| &files[k][..]).map_err(Clone::clone)
}

fn file(name: &str) -> Result<Vec<u8>, String> {
    let scene = Scene::built_in(name).ok_or("no such scene")?;
    let mut world = scene.to_world().map_err(|error| error.to_string())?;
    let until = scene.start_time + 0.7;
    Course::new(until, scene.settings.time_step)
        .run(&mut world, &mut [])
        .map_err(|error| error.to_string())?;
    let mut file = Vec::new();
    SavedRun::new(&scene, &world, 2.0).write(&mut file).map_err(|error| error.to_string())?;
    Ok(file)
}

/// The checksum of state files, of its own definition [Fowler, Noll and Vo: FNV-1a of 64 bits].
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

pub(super) fn judge(bytes: &mut Bytes<'_>) -> Verdict {
    let whole = match whole(bytes.below(SCENES.len())) {
        Ok(whole) => whole,
        Err(error) => return Verdict::Wrong(error),
    };
    let sealed = bytes.byte().is_multiple_of(2);
    let begin = if sealed { whole.iter().position(|byte| *byte == b'\n').unwrap_or(0) + 1 } else { 0 };
    let mut changed = whole[begin..].to_vec();
    while !bytes.is_empty() {
        let (at, other) = (bytes.below(changed.len().max(1)), bytes.byte());
        match bytes.byte() % 8 {
            0 => changed.truncate(at),
            1 if at < changed.len() => drop(changed.remove(at)),
            2 => changed.insert(at.min(changed.len()), other),
            3 | 4 if at < changed.len() => changed[at] = b"0123456789.-e,[]{}\"ntf"[usize::from(other) % 22],
            _ if at < changed.len() => changed[at] ^= 1 << (other % 8),
            _ => {}
        }
    }
    if changed == whole[begin..] {
        return Verdict::Refused("as it was");
    }
    if sealed {
        let heading = format!("engine2d-state 1 {} {:016x}\n", changed.len(), checksum(&changed));
        changed.splice(0..0, heading.into_bytes());
    }
    match (SavedRun::read(&changed[..], LIMIT), sealed) {
        (Err(_), _) => Verdict::Sound,
        (Ok(_), false) => Verdict::Wrong("a damaged file was taken".to_owned()),
        (Ok(saved), true) => match saved.world() {
            Err(_) => Verdict::Refused("unfit"),
            Ok(mut world) => match world.advance(saved.scene.settings.time_step) {
                Ok(_) if world.state().iter().all(|value| value.is_finite()) => Verdict::Refused("goes on"),
                Ok(_) => Verdict::Wrong("numbers that are none after a step".to_owned()),
                Err(_) => Verdict::Refused("goes on to an error"),
            },
        },
    }
}
