//! What is known of a model while it is read.

use super::defaults::Defaults;
use super::placement::Compiler;
use crate::assembly::Assembly;
use crate::element::Element;
use crate::plane::Pose;
use crate::report::{NoteKind, Notes};
use engine2d_scene::Point;
use std::collections::BTreeMap;

/// What is known of a model while it is read.
pub(super) struct Model {
    pub(super) compiler: Compiler,
    pub(super) defaults: Defaults,
    pub(super) assembly: Assembly,
    /// Bodies by name: which rigid they are part of (`None` is the world), and where they are in the world.
    pub(super) bodies: BTreeMap<String, (Option<usize>, Pose)>,
    /// Joints by name.
    pub(super) joints: BTreeMap<String, Axis>,
}

/// A joint that a motor may drive.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// `None` is the world.
    pub(super) parent: Option<usize>,
    pub(super) child: usize,
    pub(super) at: Point,
    pub(super) way: Way,
}

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// The angle; 1 counts counter-clockwise, −1 clockwise.
    Turn(f64),
    /// The travel along a direction (world, at the start).
    Slide(Point),
}

/// Notes an element that nobody knows.
pub(super) fn untold(element: &Element<'_, '_>, notes: &mut Notes) {
    element.note("", NoteKind::NotUnderstood, "", notes);
}
