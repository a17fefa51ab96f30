//! Questions to a world about where its bodies are.

use crate::fault;
use crate::world::{Key, World};
use engine2d_geometry::{Bounds, PathWorkspace, PlacedPath, Vec2, path_distance};
use engine2d_sim::{BodyId, SimError};
use pyo3::prelude::*;

/// Body by name, distance, point, normal.
type Met = (String, f64, (f64, f64), (f64, f64));

/// Gap, the nearest points of both bodies, the normal out of the second.
type Apart = (f64, (f64, f64), (f64, f64), (f64, f64));

fn pair(v: Vec2) -> (f64, f64) {
    (v.x, v.y)
}

impl World {
    fn named(&self, body: BodyId) -> Result<String, SimError> {
        self.world.body(body).map(|view| view.name().to_owned())
    }
}

fn said(error: SimError) -> PyErr {
    fault::simulation(&error)
}

#[pymethods]
impl World {
    /// The first body that a ray meets within `reach` (length): `(name, distance, point, normal)`, or `None`.
    #[pyo3(signature = (origin, direction, reach=f64::INFINITY))]
    fn ray(&self, origin: [f64; 2], direction: [f64; 2], reach: f64) -> PyResult<Option<Met>> {
        let hit = self.world.query().ray(origin, direction, reach).map_err(said)?;
        hit.map(|hit| {
            Ok((self.named(hit.body).map_err(said)?, hit.distance, pair(hit.point), pair(hit.normal)))
        })
        .transpose()
    }

    /// The body nearest to a point within `reach` (length): `(name, distance, point, normal)`, or `None`; the distance is
    /// negative inside.
    #[pyo3(signature = (point, reach=f64::INFINITY))]
    fn nearest(&self, point: [f64; 2], reach: f64) -> PyResult<Option<Met>> {
        let near = self.world.query().nearest(point, reach).map_err(said)?;
        near.map(|near| {
            Ok((self.named(near.body).map_err(said)?, near.distance, pair(near.point), pair(near.normal)))
        })
        .transpose()
    }

    /// The names of the bodies that a point is within.
    fn at_point(&self, point: [f64; 2]) -> PyResult<Vec<String>> {
        let bodies = self.world.query().at_point(point).map_err(said)?;
        bodies.into_iter().map(|body| self.named(body).map_err(said)).collect()
    }

    /// The names of the bodies with a point in a box.
    fn in_region(&self, left: f64, bottom: f64, right: f64, top: f64) -> PyResult<Vec<String>> {
        let region = Bounds { min: Vec2::new(left, bottom), max: Vec2::new(right, top) };
        let bodies = self.world.query().in_region(region).map_err(said)?;
        bodies.into_iter().map(|body| self.named(body).map_err(said)).collect()
    }

    /// The signed distance of two bodies: `(gap, point_a, point_b, normal)`, the normal out of the second body, the gap
    /// negative where they overlap.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn distance(&self, first: Key, second: Key) -> PyResult<Option<Apart>> {
        let first = self.world.body(&first).map_err(said)?;
        let second = self.world.body(&second).map_err(said)?;
        let a = PlacedPath::new(first.shape(), first.collision_body().pose);
        let b = PlacedPath::new(second.shape(), second.collision_body().pose);
        let found = path_distance(&a, &b, f64::INFINITY, &mut PathWorkspace::default());
        Ok(found.map(|d| (d.gap, pair(d.point_a), pair(d.point_b), pair(d.normal))))
    }
}
