//! One entry of a scene by itself: read, and judged beside what is there.

use crate::body::Body;
use crate::check::{check_entry_body, check_entry_connector, check_entry_law};
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::limits::Limits;
use crate::mistake::{Log, MistakeKind, SceneError};
use crate::names::Names;
use crate::read::read_unchecked;
use crate::scene::{FORMAT, Scene, VERSION};

/// A scene of one entry of a list, and the mistakes met so far.
fn fragment(list: &str, text: &str) -> Result<(Scene, Log), SceneError> {
    // By itself first, so that places in the text are its own, and so that it ends where it seems to.
    let entry: serde_json::Value = serde_json::from_str(text).map_err(|error| SceneError::NotJson {
        message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        line: error.line(),
        column: error.column(),
    })?;
    let none = if list == "bodies" { "" } else { "\"bodies\": []," };
    let whole = format!("{{\"format\": {FORMAT:?}, \"version\": {VERSION}, {none} {list:?}: [{entry}]}}");
    read_unchecked(&whole, &Limits::NONE)
}

/// The only entry of a list.
fn only<T>(list: &str, entries: Vec<T>, log: Log) -> Result<T, SceneError> {
    let count = entries.len();
    let mut log = log;
    let mut entries = entries.into_iter();
    let (first, None) = (entries.next(), entries.next()) else {
        let allowed = "one entry at a time".to_owned();
        log.note(
            format!("{list}[0]"),
            MistakeKind::NotAllowed { value: format!("{count} entries"), allowed },
        );
        return Err(log.verdict().err().map_or_else(none, SceneError::Invalid));
    };
    log.verdict().map_err(SceneError::Invalid)?;
    first.ok_or_else(none)
}

fn none() -> SceneError {
    crate::simulate::mistake("entry", MistakeKind::Missing { expected: "an entry".to_owned() })
}

/// A body beside those of a scene.
pub(super) fn body(text: &str, scene: &Scene, names: &Names) -> Result<Body, SceneError> {
    let (read, mut log) = fragment("bodies", text)?;
    if let [one] = &read.bodies[..] {
        check_entry_body(one, scene, names, &mut log);
    }
    only("bodies", read.bodies, log)
}

/// A connector of bodies of a scene.
pub(super) fn connector(text: &str, scene: &Scene, names: &Names) -> Result<Connector, SceneError> {
    let (read, mut log) = fragment("connectors", text)?;
    if let [one] = &read.connectors[..] {
        check_entry_connector(one, scene, names, &mut log);
    }
    only("connectors", read.connectors, log)
}

/// A force law on bodies of a scene.
pub(super) fn force_law(text: &str, names: &Names) -> Result<ForceLaw, SceneError> {
    let (read, mut log) = fragment("force_laws", text)?;
    if let [one] = &read.force_laws[..] {
        check_entry_law(one, names, &mut log);
    }
    only("force_laws", read.force_laws, log)
}
