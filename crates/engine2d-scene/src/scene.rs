//! The root of the format: a whole scene as plain data.

use crate::body::Body;
use crate::connector::{Connector, Curve};
use crate::force_law::ForceLaw;
use crate::material::Material;
use crate::material_pair::MaterialPair;
use crate::moment::Moment;
use crate::point::is_default;
use crate::settings::{ContactModel, Settings};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The value of the `format` field of every scene file.
pub const FORMAT: &str = "engine2d-scene";

/// The value of the `version` field that this crate reads and writes.
pub const VERSION: u32 = 1;

/// A scene: what there is, how it starts, and how it is to be simulated.
///
/// Units are any consistent ones, nominally metres, kilograms, seconds and radians; x points right, y up,
/// angles are counter-clockwise. A scene may be edited freely; `Scene::check` and
/// `Scene::to_world` tell whether it is sound.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Where the JSON Schema of the format is, for editors; not used otherwise.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Always `"engine2d-scene"`.
    #[schemars(extend("const" = FORMAT))]
    pub format: String,
    /// Version of the format; 1.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// A short name, shown above pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What there is to see, in a sentence or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Simulated time at the start (time).
    #[serde(default, skip_serializing_if = "is_default")]
    pub start_time: f64,
    /// How much time to simulate unless the caller says otherwise (time, ≥ 0).
    #[serde(default = "default_duration")]
    pub duration: f64,
    /// What a picture should show; absent: everything that moves, and what stands still near it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// Accept bodies that overlap deeper than the distance tolerance at the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_overlap: bool,
    /// Accept connectors whose ends are further from their place than the distance tolerance at the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_open_connectors: bool,
    /// Tolerances, solvers and the like.
    #[serde(default)]
    pub settings: Settings,
    /// Surface properties by name, for bodies to refer to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub materials: BTreeMap<String, Material>,
    /// What pairs of materials do to each other, where it does not follow from both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub material_pairs: Vec<MaterialPair>,
    /// Curves by name, for path joints and path end stops.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub curves: BTreeMap<String, Curve>,
    /// The bodies; their order is part of the result.
    pub bodies: Vec<Body>,
    /// What pulls and pushes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub force_laws: Vec<ForceLaw>,
    /// What ties bodies together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connectors: Vec<Connector>,
    /// Moments to be told of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Moment>,
}

/// A rectangle of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Smallest x.
    pub left: f64,
    /// Smallest y.
    pub bottom: f64,
    /// Largest x; greater than `left`.
    pub right: f64,
    /// Largest y; greater than `bottom`.
    pub top: f64,
}

fn default_duration() -> f64 {
    Scene::DEFAULT_DURATION
}

impl Scene {
    /// How long a scene runs that does not say (time).
    pub const DEFAULT_DURATION: f64 = 10.0;

    /// A scene without bodies, laws or connectors, with default settings.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Whether some bodies meet as rigid ones: all do, or where contact is compliant those that say so.
    pub(crate) fn has_rigid_surfaces(&self) -> bool {
        self.settings.contact_model == ContactModel::Rigid || self.bodies.iter().any(|body| body.rigid)
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            schema: None,
            format: FORMAT.to_owned(),
            version: VERSION,
            name: None,
            description: None,
            start_time: 0.0,
            duration: Self::DEFAULT_DURATION,
            view: None,
            allow_overlap: false,
            allow_open_connectors: false,
            settings: Settings::default(),
            materials: BTreeMap::new(),
            material_pairs: Vec::new(),
            curves: BTreeMap::new(),
            bodies: Vec::new(),
            force_laws: Vec::new(),
            connectors: Vec::new(),
            events: Vec::new(),
        }
    }
}
