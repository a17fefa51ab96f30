//! Built-in scenes that are as large as wanted.

use super::{
    CATALOGUE, arch, card_house, dominoes, leaning_tower, newtons_cradle, pile, pyramid, stack, wall,
};
use crate::scene::Scene;

/// A scene that is as large as wanted: its name, what its number counts, the largest, and how it is made.
type Sized = (&'static str, &'static str, u32, fn(u32) -> Scene);

/// The scenes that are as large as wanted; none has more than some 100,000 bodies.
const SIZED: &[Sized] = &[
    ("pile", "bodies", 100_000, |count| pile(count, 6)),
    ("stack", "blocks", 10_000, stack),
    ("newtons_cradle", "balls", 1_000, newtons_cradle),
    ("dominoes", "pieces", 10_000, dominoes),
    ("pyramid", "rows of blocks", 400, pyramid),
    ("wall", "courses", 300, wall),
    ("arch", "stones", 1_000, arch),
    ("card_house", "stories", 150, card_house),
    ("leaning_tower", "bricks", 1_000, |bricks| leaning_tower(bricks, 0.95)),
];

fn sized_names() -> String {
    SIZED.iter().map(|sized| sized.0).collect::<Vec<_>>().join(", ")
}

/// Why a built-in scene cannot be had in a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// There is no such scene.
    #[error("there is no built-in scene of that name")]
    Unknown,
    /// It is always the same.
    #[error("that scene has no number of rows; those that have one: {}", sized_names())]
    Fixed,
    /// The number is not possible.
    #[error("{rows} {what}: from 1 to {most} are possible")]
    Count {
        /// The number asked for.
        rows: u32,
        /// What it counts.
        what: &'static str,
        /// The largest that is possible.
        most: u32,
    },
}

impl Scene {
    /// The built-in scene of a name, of `rows` rows, blocks, stones or whatever it is made of.
    ///
    /// # Errors
    /// [`SizeError`] where there is none of that name, or it has no such number.
    pub fn built_in_sized(name: &str, rows: u32) -> Result<Self, SizeError> {
        let entry = CATALOGUE.iter().find(|entry| entry.name == name).ok_or(SizeError::Unknown)?;
        let &(_, what, most, build) =
            SIZED.iter().find(|(sized, ..)| *sized == name).ok_or(SizeError::Fixed)?;
        if !(1..=most).contains(&rows) {
            return Err(SizeError::Count { rows, what, most });
        }
        let mut scene = build(rows);
        scene.name = Some(format!("{name}_{rows}"));
        scene.description = Some(entry.summary.to_owned());
        Ok(scene)
    }
}
