//! What a running world is made of, changed: bodies, connectors and force laws come and go.

use crate::fault;
use crate::world::{Key, World};
use engine2d_scene::{LiveScene, SceneError};
use engine2d_sim::SimError;
use pyo3::prelude::*;

/// A mistake in a description is one of the scene, all else one of the simulation.
fn told(error: SceneError) -> PyErr {
    match error {
        SceneError::NotSimulable(error) => fault::simulation(&error),
        other => fault::scene(&other),
    }
}

impl World {
    /// Does something to the scene and its world.
    fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut LiveScene, &mut engine2d_sim::World) -> Result<T, SceneError>,
    ) -> PyResult<T> {
        let outcome = change(&mut self.live, &mut self.world);
        self.edited |= outcome.is_ok();
        self.changes.forget_missing(&self.world);
        self.name_bodies();
        self.gather();
        outcome.map_err(told)
    }
}

#[pymethods]
impl World {
    /// Adds a body, described as JSON text of the scene format; returns its name.
    fn add_body_text(&mut self, text: &str) -> PyResult<String> {
        let id = self.edit(|live, world| live.add_body(world, text))?;
        let body = self.world.body(id).map_err(|error: SimError| fault::simulation(&error))?;
        Ok(body.name().to_owned())
    }

    /// Removes a body with its joints and with the force laws and events that cannot do without it. All others keep their
    /// names, places and contacts.
    #[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
    fn remove_body(&mut self, body: Key) -> PyResult<()> {
        self.edit(|live, world| live.remove_body(world, &body))
    }

    /// Adds a connector, described as JSON text of the scene format; returns its name.
    fn add_connector_text(&mut self, text: &str) -> PyResult<String> {
        self.edit(|live, world| live.add_connector(world, text))
    }

    /// Removes a connector by its name; one without a name is called `connector` with its place in the scene. Bodies that it
    /// kept from colliding still ignore each other.
    fn remove_connector(&mut self, name: &str) -> PyResult<()> {
        self.edit(|live, world| live.remove_connector(world, name))
    }

    /// Adds a force law, described as JSON text of the scene format; returns its number.
    fn add_force_law_text(&mut self, text: &str) -> PyResult<u64> {
        self.edit(|live, world| live.add_force_law(world, text))
    }

    /// Removes a force law by its number: those of the scene are numbered from 0, later ones by what `add_force_law` gave.
    fn remove_force_law(&mut self, number: u64) -> PyResult<()> {
        self.edit(|live, world| live.remove_force_law(world, number))
    }

    /// The names of the connectors, in their order.
    #[getter]
    fn connectors(&self) -> Vec<&str> {
        self.live.connectors().collect()
    }

    /// The numbers of the force laws, in their order.
    #[getter]
    fn force_laws(&self) -> Vec<u64> {
        self.live.force_laws().to_vec()
    }

    /// The place of the body of each row of `state`: places stay as they are when others go, and `contacts.bodies` are places.
    #[getter]
    fn places(&self) -> Vec<usize> {
        self.world.bodies().map(|body| body.index()).collect()
    }

    /// What came and went since the scene, as text; `None` if nothing did: for pickling.
    fn edits(&self) -> PyResult<Option<String>> {
        self.edited.then(|| self.live.save()).transpose().map_err(told)
    }

    /// Takes up what came and went: for pickling.
    fn take_up_edits(&mut self, text: &str) -> PyResult<()> {
        let (live, world) = LiveScene::load(text).map_err(told)?;
        (self.live, self.world, self.edited) = (live, world, true);
        self.name_bodies();
        self.gather();
        Ok(())
    }
}
