//! A body of a world at a moment.

use crate::arrays::table;
use engine2d_sim::BodyView;
use numpy::PyArray2;
use pyo3::prelude::*;

/// Largest deviation of a drawn outline from a circular edge, as a part of the shape's radius.
const OUTLINE_ACCURACY: f64 = 1e-3;

/// A body as it was when it was asked for: it does not follow the world.
#[pyclass(frozen, module = "engine2d._native")]
pub(crate) struct Body {
    /// Place among the bodies of the world.
    #[pyo3(get)]
    index: usize,
    /// Name.
    #[pyo3(get)]
    name: String,
    /// Mass; infinite for an immovable body.
    #[pyo3(get)]
    mass: f64,
    /// Moment of inertia about the centre of mass (mass · length²).
    #[pyo3(get)]
    moment: f64,
    /// Whether the body is immovable.
    #[pyo3(get)]
    fixed: bool,
    /// Whether it is a sensor, which collides with nothing.
    #[pyo3(get)]
    sensor: bool,
    /// Coefficient of restitution.
    #[pyo3(get)]
    restitution: f64,
    /// Name of its material, if it has one.
    #[pyo3(get)]
    material: Option<String>,
    /// Position of the centre of mass (world, length).
    #[pyo3(get)]
    position: (f64, f64),
    /// Angle (radians, unwrapped).
    #[pyo3(get)]
    angle: f64,
    /// Velocity of the centre of mass (length/time).
    #[pyo3(get)]
    velocity: (f64, f64),
    /// Angular velocity (radians/time, counter-clockwise).
    #[pyo3(get)]
    angular_velocity: f64,
    /// The closed polygons of the outline (world, length).
    polygons: Vec<Vec<(f64, f64)>>,
}

impl From<BodyView<'_>> for Body {
    fn from(body: BodyView<'_>) -> Self {
        let (position, velocity) = (body.position(), body.velocity());
        let (shape, pose) = (body.shape(), &body.collision_body().pose);
        let world = |point| {
            let point = pose.transform(point);
            (point.x, point.y)
        };
        let outlines = match shape.is_unbounded() {
            true => Vec::new(),
            false => shape.outlines(OUTLINE_ACCURACY * shape.centroid_radius()),
        };
        Self {
            index: body.index(),
            name: body.name().to_owned(),
            mass: body.mass(),
            moment: body.moment(),
            fixed: body.is_fixed(),
            sensor: body.is_sensor(),
            restitution: body.restitution(),
            material: body.material().map(str::to_owned),
            position: (position.x, position.y),
            angle: body.angle(),
            velocity: (velocity.x, velocity.y),
            angular_velocity: body.angular_velocity(),
            polygons: outlines.into_iter().map(|path| path.into_iter().map(world).collect()).collect(),
        }
    }
}

#[pymethods]
impl Body {
    /// The closed polygons of the outline (world, length), each of shape (n, 2); circular edges are drawn to a thousandth
    /// of the body's size.
    #[getter]
    fn outlines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let polygons = self.polygons.iter();
        polygons.map(|path| table(py, path.iter().flat_map(|&(x, y)| [x, y]).collect(), 2)).collect()
    }

    fn __repr__(&self) -> String {
        let (x, y) = self.position;
        format!("Body({:?}, position=({x}, {y}), angle={})", self.name, self.angle)
    }
}
