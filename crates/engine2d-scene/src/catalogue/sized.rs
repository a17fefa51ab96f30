//! The scenes that are as large as wanted.

use super::contact::{newtons_cradle, stack};
use super::friction::dominoes;
use super::granular::{granular_column, hopper, mixing_drum, rolling_wheels, smash, tumbler};
use super::holding::leaning_tower;
use super::linked::{chain_bridge, joint_grid, ragdoll_stairs, wrecking_ball};
use super::masonry::{arch, card_house, pyramid, wall};
use super::pile::pile;
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
    ("mixing_drum", "grains", 10_000, |grains| mixing_drum(grains, 1.2)),
    ("hopper", "grains", 10_000, |grains| hopper(grains, 2.1)),
    ("granular_column", "rows of grains", 400, |rows| granular_column(rows, 0.5)),
    ("chain_bridge", "planks", 1_000, |planks| chain_bridge(planks, 30.0)),
    ("wrecking_ball", "courses", 200, |rows| wrecking_ball(rows, 120.0)),
    ("ragdoll_stairs", "ragdolls", 100, |ragdolls| ragdoll_stairs(ragdolls, 0.4)),
    ("rolling_wheels", "wheels", 1_000, |wheels| rolling_wheels(wheels, 0.3)),
    ("joint_grid", "rows of balls", 100, |rows| joint_grid(rows, 0.6)),
    ("tumbler", "blocks", 10_000, |blocks| tumbler(blocks, 0.8)),
    ("smash", "rows of blocks", 200, |rows| smash(rows, 12.0)),
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
        let usual = Self::built_in(name).ok_or(SizeError::Unknown)?;
        let &(_, what, most, build) =
            SIZED.iter().find(|(sized, ..)| *sized == name).ok_or(SizeError::Fixed)?;
        if !(1..=most).contains(&rows) {
            return Err(SizeError::Count { rows, what, most });
        }
        let mut scene = build(rows);
        scene.name = Some(format!("{name}_{rows}"));
        scene.description = usual.description;
        Ok(scene)
    }
}
