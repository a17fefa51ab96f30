//! The colours of bodies, the same in every picture.

/// Fill colours, chosen to stay apart for readers with colour-blindness.
const FILLS: [&str; 10] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7", "#9c755f",
    "#86bcb6",
];

/// The colour of immovable bodies.
const FIXED: &str = "#8d96a3";

/// The colour of the body at a place in the list.
pub(crate) fn fill(index: usize, fixed: bool) -> &'static str {
    if fixed { FIXED } else { FILLS[index % FILLS.len()] }
}
