//! Reading pieces.

use super::fields::{Cursor, Read};
use crate::piece::Piece;

impl Read for Piece {
    const EXPECTED: &'static str = "a piece (an object with a type)";

    fn placeholder() -> Self {
        Self::Disc { center: [0.0; 2], radius: f64::NAN }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        let Some(mut f) = cursor.fields(Self::EXPECTED) else { return Self::placeholder() };
        let Some(kind) = f.tag(Self::TYPES) else { return Self::placeholder() };
        let piece = match kind {
            "disc" => Self::Disc { center: f.required("center"), radius: f.required("radius") },
            _ => Self::Polygon { points: f.required("points") },
        };
        f.finish();
        piece
    }
}
