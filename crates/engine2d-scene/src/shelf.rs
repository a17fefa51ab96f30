//! Outlines at hand: bodies of equal shapes share one outline.

use crate::shape::Shape;
use engine2d_geometry::PathShape;
use std::sync::Arc;

/// Most outlines at hand. Scenes of many bodies have few shapes, or all different ones.
const ROOM: usize = 8;

/// The last few outlines, each with the shape it was built from.
#[derive(Default)]
pub(crate) struct Shelf<'a> {
    outlines: Vec<(&'a Shape, Arc<PathShape>)>,
    next: usize,
}

impl<'a> Shelf<'a> {
    /// The outline of a shape: that of an equal one if it is at hand, else what `build` makes.
    pub(crate) fn outline<E>(
        &mut self,
        shape: &'a Shape,
        build: impl FnOnce() -> Result<PathShape, E>,
    ) -> Result<Arc<PathShape>, E> {
        if let Some((_, outline)) = self.outlines.iter().find(|(other, _)| *other == shape) {
            return Ok(outline.clone());
        }
        let outline = Arc::new(build()?);
        let entry = (shape, outline.clone());
        if self.outlines.len() < ROOM {
            self.outlines.push(entry);
        } else {
            self.outlines[self.next % ROOM] = entry;
            self.next += 1;
        }
        Ok(outline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::ShapeError;

    #[test]
    fn equal_shapes_share_an_outline() {
        let shapes: Vec<Shape> = (0..40).map(|k| Shape::Ball { radius: 1.0 + f64::from(k % 20) }).collect();
        let mut shelf = Shelf::default();
        let built: Vec<_> = shapes.iter().map(|s| shelf.outline(s, || s.build()).expect("sound")).collect();
        for (shape, outline) in shapes.iter().zip(&built) {
            assert_eq!(outline.bounds(), shape.build().expect("sound").bounds());
        }
        let again = shelf.outline(&shapes[39], || -> Result<PathShape, ShapeError> { unreachable!() });
        assert!(Arc::ptr_eq(&again.expect("at hand"), &built[39]));
    }
}
