//! SVG paths and documents: an error, or a shape whose area, insides and distances are those of its outline as polygons.

use super::bytes::Bytes;
use super::outline::Outline;
use super::verdict::Verdict;
use engine2d_geometry::{PathShape, Pose, ShapeError, SvgOptions, svg_shapes};
use engine2d_math::Vec2;
use std::fmt::Write;

/// Chords leave arcs by at most this part of the size of the shape.
const CHORD: f64 = 1e-3;

/// Rounding, relative to the size.
const ROUNDING: f64 = 1e-9;

/// Points at which insides and distances are compared.
const POINTS: usize = 12;

/// Sizes (length) for which the comparison means something; numbers in texts may be anything.
const SIZES: std::ops::Range<f64> = 1e-6..1e6;

pub(super) fn judge(input: &[u8]) -> Verdict {
    let mut bytes = Bytes::new(input);
    // What begins as a path or a document is one; anything else chooses a path.
    let text = match std::str::from_utf8(input) {
        Ok(text) if text.starts_with(['M', 'm', '<']) => text.to_owned(),
        _ => path(&mut bytes),
    };
    if text.starts_with('<') {
        let Ok(picture) = svg_shapes(&text, &SvgOptions::default()) else {
            return Verdict::Refused("no document");
        };
        for found in &picture.shapes {
            if let wrong @ Verdict::Wrong(_) = shape(&found.shape, &mut bytes) {
                return wrong;
            }
        }
        return if picture.shapes.is_empty() { Verdict::Refused("empty document") } else { Verdict::Sound };
    }
    match PathShape::from_svg_path(&text) {
        Ok(found) => match shape(&found, &mut bytes) {
            Verdict::Wrong(told) => Verdict::Wrong(format!("{told}: {text:?}")),
            verdict => verdict,
        },
        Err(ShapeError::SvgPath { .. }) => Verdict::Refused("no path"),
        Err(_) => Verdict::Refused("no shape"),
    }
}

/// Path data of some commands.
fn path(bytes: &mut Bytes<'_>) -> String {
    let mut text = String::new();
    for _ in 0..1 + bytes.below(2) {
        let number = |bytes: &mut Bytes<'_>| (bytes.between(-5.0, 5.0) * 8.0).round() / 8.0;
        let _written = write!(text, "M{} {}", number(bytes), number(bytes));
        for _ in 0..2 + bytes.below(5) {
            let (letter, count) =
                [('L', 2), ('H', 1), ('V', 1), ('C', 6), ('Q', 4), ('S', 4), ('T', 2), ('A', 7)]
                    [bytes.below(8)];
            let letter = if bytes.byte().is_multiple_of(2) { letter } else { letter.to_ascii_lowercase() };
            text.push(letter);
            for k in 0..count {
                let value = match (count, k) {
                    (7, 0 | 1) => number(bytes).abs(),
                    (7, 3 | 4) => f64::from(bytes.byte() % 2),
                    _ => number(bytes),
                };
                let _written = write!(text, " {value}");
            }
        }
        text.push('Z');
    }
    text
}

/// Whether a shape is what its outline says.
fn shape(shape: &PathShape, bytes: &mut Bytes<'_>) -> Verdict {
    let (area, bounds) = (shape.area_properties(), shape.bounds());
    let size = bounds.width() + bounds.height();
    if !(area.area.is_finite() && area.moment_factor.is_finite() && size.is_finite()) {
        return Verdict::Wrong(format!("numbers that are none: {area:?}"));
    }
    if !SIZES.contains(&size) || bounds.center().norm() > SIZES.end {
        return Verdict::Refused("out of proportion");
    }
    let chord = CHORD * size;
    let pose = {
        let c = shape.center_of_mass();
        Pose::new(c.x, c.y, 0.0)
    };
    let outline = Outline::new(shape, &pose, chord);
    let slack = chord * outline.length() + ROUNDING * size * size;
    if (outline.area() - area.area).abs() > slack {
        return Verdict::Wrong(format!("area {} of an outline of {}", area.area, outline.area()));
    }
    for _ in 0..POINTS {
        let part = Vec2::new(bytes.between(-0.2, 1.2), bytes.between(-0.2, 1.2));
        let point = bounds.min + Vec2::new(part.x * bounds.width(), part.y * bounds.height());
        let expected = outline.distance(point);
        let near = match shape.distance_to_point(point) {
            Ok(near) => near,
            Err(error) => return Verdict::Wrong(format!("distance of {point}: {error}")),
        };
        let slack = 2.0 * chord + ROUNDING * size;
        if (near.distance.abs() - expected).abs() > slack {
            return Verdict::Wrong(format!("{point} is {} away, its outline {expected}", near.distance));
        }
        if expected > slack && (near.distance < 0.0) != outline.contains(point) {
            return Verdict::Wrong(format!("{point} at {} is on the wrong side", near.distance));
        }
    }
    Verdict::Sound
}
