//! Recorded outlines as engine2d's own.

use super::{Reason, reason};
use engine2d_geometry::{PathBuilder, PathShape};
use engine2d_math::Vec2;
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct RecordedVertex {
    p: Vec2,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum RecordedEdge {
    Straight { p2: Vec2, v1: usize, outside_is_up: bool },
    Circular { v1: usize, v2: usize, center: Vec2, clockwise: bool, outside_is_out: bool },
}

#[derive(Deserialize)]
pub(crate) struct RecordedGeometry {
    vertices: Vec<RecordedVertex>,
    edges: Vec<RecordedEdge>,
    paths: Vec<Vec<usize>>,
    special_edge: Option<u32>,
    centroid_radius: f64,
    /// Present in files that keep shapes apart from bodies.
    pub(crate) cm: Option<Vec2>,
}

impl RecordedGeometry {
    pub(crate) fn shape(&self) -> Result<PathShape, Reason> {
        let mut builder = PathBuilder::new();
        for path in &self.paths {
            for (k, &index) in path.iter().enumerate() {
                let edge = &self.edges[index];
                let (RecordedEdge::Straight { v1, .. } | RecordedEdge::Circular { v1, .. }) = edge;
                if k == 0 {
                    builder.start(self.vertices[*v1].p).map_err(reason)?;
                }
                match edge {
                    RecordedEdge::Straight { p2, outside_is_up, .. } => builder.line_to(*p2, *outside_is_up),
                    RecordedEdge::Circular { v2, center, clockwise, outside_is_out, .. } => {
                        builder.arc_to(self.vertices[*v2].p, *center, *clockwise, *outside_is_out)
                    }
                }
                .map_err(reason)?;
            }
            builder.close().map_err(reason)?;
        }
        let shape = builder.finish().map_err(reason)?;
        if shape.vertices().len() != self.vertices.len() {
            return Err(format!("{} vertices, recorded {}", shape.vertices().len(), self.vertices.len()));
        }
        Ok(match self.special_edge {
            Some(edge) => shape.with_special_edge(edge, self.centroid_radius),
            None => shape,
        })
    }
}
