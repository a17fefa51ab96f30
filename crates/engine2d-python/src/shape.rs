//! Convex shapes by themselves, and their distances.

use crate::fault;
use engine2d_geometry::{Pose, Ray, Vec2, sizes};
use pyo3::prelude::*;

/// x, y and angle of a shape.
type Place = (f64, f64, f64);

/// Signed distance, normal, and the nearest points of both shapes.
type Apart = (f64, (f64, f64), (f64, f64), (f64, f64));

/// A convex shape in axes of its own; its place is given with each question.
#[pyclass(frozen, module = "engine2d._native")]
#[derive(Clone)]
pub(crate) struct Shape {
    shape: engine2d_geometry::Shape,
}

fn pose((x, y, angle): Place) -> Pose {
    Pose::new(x, y, angle)
}

fn pair(v: Vec2) -> (f64, f64) {
    (v.x, v.y)
}

#[pymethods]
impl Shape {
    /// A disc (length).
    #[staticmethod]
    fn circle(radius: f64) -> PyResult<Self> {
        Ok(Self { shape: engine2d_geometry::Shape::circle(radius).map_err(|e| fault::shape(&e))? })
    }

    /// A segment of `2 half_length` along x with a rounding (length).
    #[staticmethod]
    fn capsule(half_length: f64, radius: f64) -> PyResult<Self> {
        let shape = engine2d_geometry::Shape::capsule(sizes::Capsule { half_length, radius })
            .map_err(|e| fault::shape(&e))?;
        Ok(Self { shape })
    }

    /// A rectangle about its centre (length).
    #[staticmethod]
    fn rectangle(half_width: f64, half_height: f64) -> PyResult<Self> {
        let shape =
            engine2d_geometry::Shape::rectangle(half_width, half_height).map_err(|e| fault::shape(&e))?;
        Ok(Self { shape })
    }

    /// A convex polygon by its corners, counter-clockwise (length).
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn polygon(corners: Vec<[f64; 2]>) -> PyResult<Self> {
        let shape = engine2d_geometry::Shape::polygon(corners).map_err(|e| fault::shape(&e))?;
        Ok(Self { shape })
    }

    /// An ellipse by its half axes along x and y (length).
    #[staticmethod]
    fn ellipse(a: f64, b: f64) -> PyResult<Self> {
        Ok(Self { shape: engine2d_geometry::Shape::ellipse(a, b).map_err(|e| fault::shape(&e))? })
    }

    /// Everything below the x axis.
    #[staticmethod]
    fn half_plane() -> Self {
        Self { shape: engine2d_geometry::Shape::half_plane() }
    }

    /// The shape grown by a radius (length).
    fn rounded(&self, radius: f64) -> PyResult<Self> {
        let shape = self.shape.clone().rounded(radius).map_err(|e| fault::shape(&e))?;
        Ok(Self { shape })
    }

    /// Whether a point (world) is within the shape at a place `(x, y, angle)`.
    fn contains(&self, place: Place, point: [f64; 2]) -> PyResult<bool> {
        self.shape.contains_point(&pose(place), point).map_err(|e| fault::query(&e))
    }

    /// Where a ray meets the shape at a place: `(distance, point, normal)`, or `None`.
    #[pyo3(signature = (place, origin, direction, reach=f64::INFINITY))]
    #[allow(clippy::type_complexity, reason = "a tuple is what Python unpacks")]
    fn cast_ray(
        &self,
        place: Place,
        origin: [f64; 2],
        direction: [f64; 2],
        reach: f64,
    ) -> PyResult<Option<(f64, (f64, f64), (f64, f64))>> {
        let ray = Ray::new(origin, direction, reach).map_err(|e| fault::query(&e))?;
        let hit = self.shape.cast_ray(&pose(place), &ray).map_err(|e| fault::query(&e))?;
        Ok(hit.map(|hit| (hit.distance, pair(hit.point), pair(hit.normal))))
    }
}

/// The signed distance of two convex shapes at places `(x, y, angle)`: `(distance, normal, point_a, point_b)`. The normal
/// points out of the second; moving the first by `-distance` along it makes them just touch.
#[pyfunction]
pub(crate) fn distance(a: &Shape, place_a: Place, b: &Shape, place_b: Place) -> PyResult<Apart> {
    let found = engine2d_geometry::distance(&a.shape, &pose(place_a), &b.shape, &pose(place_b))
        .map_err(|e| fault::query(&e))?;
    Ok((found.distance, pair(found.normal), pair(found.point_a), pair(found.point_b)))
}
