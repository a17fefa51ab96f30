//! Where a body starts.

use crate::body::{Body, Origin};
use engine2d_geometry::PathShape;
use engine2d_math::{Pose, Vec2};

impl Body {
    /// The placement of the body's frame at the start: its centre of mass, or its own origin, is at `position`.
    #[must_use]
    pub fn frame(&self, shape: &PathShape) -> Pose {
        let mut frame = Pose::new(0.0, 0.0, self.angle);
        let at = Vec2::from(self.position);
        frame.set_position(match self.origin {
            Origin::Centroid => at - frame.rotate(self.centroid(shape)),
            Origin::Shape => at,
        });
        frame
    }

    /// Where the centre of mass starts.
    pub(crate) fn start(&self, shape: &PathShape) -> Vec2 {
        match self.origin {
            Origin::Centroid => self.position.into(),
            Origin::Shape => self.frame(shape).transform(self.centroid(shape)),
        }
    }

    /// The centre of mass, in body coordinates.
    fn centroid(&self, shape: &PathShape) -> Vec2 {
        self.center_of_mass.map_or(shape.center_of_mass(), Vec2::from)
    }
}
