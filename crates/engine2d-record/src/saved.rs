//! State files: a run saved, resumed and branched.
//!
//! A file is one line of heading and a JSON text: `engine2d-state VERSION BYTES CHECKSUM`, then as many bytes as told, of
//! that checksum. What is cut short, damaged or of a newer version is refused as a whole.

use crate::digest::{Fingerprint, digest};
use crate::events::EventMemory;
use crate::replay::ReplayMemory;
use crate::summary::SummaryObserver;
use engine2d_scene::{Scene, SceneError};
use engine2d_sim::{SimError, Snapshot, World};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// The first word of a state file.
const FORMAT: &str = "engine2d-state";

/// The version that this crate reads and writes.
const VERSION: u32 = 1;

/// Longest heading that a state file can have (bytes).
const LONGEST_HEADING: u64 = 128;

/// Why a state file was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It could not be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It does not begin as a state file does.
    #[error("it does not begin with \"{FORMAT}\": this is no state file")]
    Foreign,
    /// It is of a version that this crate does not know.
    #[error(
        "it is of version {found}, this program reads version {VERSION}: take the program that wrote it, or a newer one"
    )]
    Version {
        /// The version found.
        found: u64,
    },
    /// It is shorter or longer than it says.
    #[error(
        "it should hold {expected} bytes after its heading and holds {found}: it was cut short or added to"
    )]
    Length {
        /// Bytes announced.
        expected: u64,
        /// Bytes there are; one more than announced stands for all above.
        found: u64,
    },
    /// Its bytes are not those that were written.
    #[error("its checksum is {found}, not {expected}: it is damaged")]
    Damaged {
        /// The checksum announced.
        expected: String,
        /// The checksum of the bytes.
        found: String,
    },
    /// It is longer than the reader accepts.
    #[error("it announces {announced} bytes, more than the {limit} accepted")]
    TooLarge {
        /// Bytes announced.
        announced: u64,
        /// The limit.
        limit: u64,
    },
    /// What it holds has no meaning.
    #[error("what it holds cannot be read: {0}")]
    Content(String),
    /// The scene in it is not usable.
    #[error("the scene in it: {0}")]
    Scene(#[from] SceneError),
    /// The scene's world does not take the state.
    #[error("the state does not fit the scene: {0}")]
    Unfit(#[from] SimError),
    /// The world is not in the state that was saved.
    #[error(
        "the state restored has the digest {found}, the one saved had {expected}: another version of the engine wrote it"
    )]
    Different {
        /// Digest of the state saved.
        expected: String,
        /// Digest of the state restored.
        found: String,
    },
}

/// What the recorders of a run remember, so that they go on as if nothing had been.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Records {
    /// Bytes of the table of the motion written so far.
    pub trajectory_bytes: u64,
    /// Pairs of bodies whose contact forces the table of the motion has.
    #[serde(default)]
    pub forces: Vec<[String; 2]>,
    /// Bytes of the record of events written so far.
    pub events_bytes: u64,
    /// What [`EventWriter`](crate::EventWriter) remembers.
    pub events: EventMemory,
    /// The figures so far.
    pub summary: SummaryObserver,
    /// What [`ReplayRecorder`](crate::ReplayRecorder) remembers.
    pub replay: ReplayMemory,
    /// Time between two saves (seconds by the wall clock).
    pub every_s: f64,
}

/// A run at the end of a step: the scene, the state, and where the run was going.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// The scene, as it was run.
    pub scene: Scene,
    /// The state.
    pub snapshot: Snapshot,
    /// Digest of the state.
    pub digest: String,
    /// Simulated time at which the run was to end.
    pub until: f64,
    /// Wall-clock time taken so far (seconds).
    pub wall_s: f64,
    /// What the recorders remember, in a checkpoint of a run.
    pub records: Option<Records>,
}

/// What a state file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    /// The text of the scene, as a scene file has it.
    scene: String,
    snapshot: Snapshot,
    digest: String,
    until: f64,
    wall_s: f64,
    records: Option<Records>,
}

impl SavedRun {
    /// The state of `world`, which runs `scene` until the time `until`.
    #[must_use]
    pub fn new(scene: &Scene, world: &World, until: f64) -> Self {
        let (snapshot, digest) = (world.snapshot(), digest(world));
        Self { scene: scene.clone(), snapshot, digest, until, wall_s: 0.0, records: None }
    }

    /// Writes a state file.
    ///
    /// # Errors
    /// [`StateError::Scene`] for a scene that is not sound, and what writing reports.
    pub fn write(&self, mut writer: impl Write) -> Result<(), StateError> {
        let Self { scene, snapshot, digest, until, wall_s, records } = self.clone();
        let scene = scene.to_json()?;
        let content = Content { scene, snapshot, digest, until, wall_s, records };
        let text = serde_json::to_vec(&content).map_err(|error| StateError::Content(error.to_string()))?;
        writeln!(writer, "{FORMAT} {VERSION} {} {}", text.len(), Fingerprint::of(&text))?;
        writer.write_all(&text)?;
        writer.flush()?;
        Ok(())
    }

    /// Reads a state file of at most `limit` bytes. Nothing is taken of a file that is not whole.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn read(reader: impl Read, limit: u64) -> Result<Self, StateError> {
        let mut reader = io::BufReader::new(reader);
        let mut heading = Vec::new();
        io::BufRead::read_until(&mut (&mut reader).take(LONGEST_HEADING), b'\n', &mut heading)?;
        let heading = String::from_utf8(heading).map_err(|_| StateError::Foreign)?;
        let words: Vec<&str> = heading.split_whitespace().collect();
        let Some((&FORMAT, words)) = words.split_first() else { return Err(StateError::Foreign) };
        let number = |place: usize| words.get(place).and_then(|word| word.parse::<u64>().ok());
        let version = number(0).ok_or(StateError::Foreign)?;
        if version != u64::from(VERSION) {
            return Err(StateError::Version { found: version });
        }
        let (expected, checksum) = number(1).zip(words.get(2)).ok_or(StateError::Foreign)?;
        if words.len() != 3 || !heading.ends_with('\n') {
            return Err(StateError::Foreign);
        }
        if expected > limit {
            return Err(StateError::TooLarge { announced: expected, limit });
        }
        let mut text = Vec::new();
        // One byte more than there should be tells that there is more.
        let found = reader.take(expected + 1).read_to_end(&mut text)? as u64;
        if found != expected {
            return Err(StateError::Length { expected, found });
        }
        let found = Fingerprint::of(&text).to_string();
        if found != *checksum {
            return Err(StateError::Damaged { expected: (*checksum).to_owned(), found });
        }
        let content: Content =
            serde_json::from_slice(&text).map_err(|error| StateError::Content(error.to_string()))?;
        let Content { scene, snapshot, digest, until, wall_s, records } = content;
        if !until.is_finite() {
            return Err(StateError::Content("the time of the end is not a number".to_owned()));
        }
        let scene = Scene::from_json(&scene)?;
        Ok(Self { scene, snapshot, digest, until, wall_s, records })
    }

    /// The world as it was saved.
    ///
    /// # Errors
    /// [`StateError::Unfit`] and [`StateError::Different`] when it is not to be had to the bit.
    pub fn world(&self) -> Result<World, StateError> {
        let world = self.world_of(&self.scene)?;
        let found = digest(&world);
        if found != self.digest {
            return Err(StateError::Different { expected: self.digest.clone(), found });
        }
        Ok(world)
    }

    /// The world of another scene with the same bodies, in the state saved: a branch.
    ///
    /// # Errors
    /// [`StateError::Scene`], and [`StateError::Unfit`] where bodies or connectors differ in number.
    pub fn world_of(&self, scene: &Scene) -> Result<World, StateError> {
        let mut world = scene.to_world()?;
        world.restore(&self.snapshot)?;
        Ok(world)
    }
}
