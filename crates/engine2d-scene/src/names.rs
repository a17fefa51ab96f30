//! Which body a reference means.

use crate::body::BodyRef;
use crate::mistake::MistakeKind;
use crate::scene::Scene;
use crate::suggestion;
use std::collections::BTreeMap;

/// The names of a scene's bodies.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    by_name: BTreeMap<String, Vec<usize>>,
    count: usize,
}

impl Names {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for index in 0..scene.bodies.len() {
            by_name.entry(scene.body_name(index)).or_default().push(index);
        }
        Self { by_name, count: scene.bodies.len() }
    }

    /// Takes a body up that came.
    pub(crate) fn insert(&mut self, name: String, index: usize) {
        self.by_name.entry(name).or_default().push(index);
        self.count = self.count.max(index + 1);
    }

    /// Forgets a body that went.
    pub(crate) fn remove(&mut self, name: &str, index: usize) {
        if let Some(bodies) = self.by_name.get_mut(name) {
            bodies.retain(|body| *body != index);
            if bodies.is_empty() {
                self.by_name.remove(name);
            }
        }
    }

    /// The body meant, `None` for the ground.
    pub(crate) fn resolve(&self, reference: &BodyRef) -> Result<Option<usize>, MistakeKind> {
        match reference {
            BodyRef::Name(name) if name == BodyRef::GROUND => Ok(None),
            BodyRef::Name(name) => match self.by_name.get(name).map(Vec::as_slice) {
                Some([index]) => Ok(Some(*index)),
                Some(bodies) => {
                    Err(MistakeKind::AmbiguousName { name: name.clone(), bodies: bodies.to_vec() })
                }
                None => Err(MistakeKind::UnknownName {
                    what: "body",
                    name: name.clone(),
                    suggestion: suggestion::nearest(name, self.by_name.keys().map(String::as_str)),
                    known: self.by_name.keys().cloned().collect(),
                }),
            },
            BodyRef::Index(index) if (*index as usize) < self.count => Ok(Some(*index as usize)),
            BodyRef::Index(index) => Err(MistakeKind::NotAllowed {
                value: index.to_string(),
                allowed: match self.count {
                    0 => "the scene has no bodies".to_owned(),
                    n => format!("the scene has {n} bodies, numbered from 0 to {}", n - 1),
                },
            }),
        }
    }
}

impl Scene {
    /// The name of a body: its own, or `body` with its place in the list.
    #[must_use]
    pub fn body_name(&self, index: usize) -> String {
        self.bodies.get(index).and_then(|body| body.name.clone()).unwrap_or_else(|| format!("body{index}"))
    }
}
