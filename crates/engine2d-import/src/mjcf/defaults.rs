//! Classes of defaults.

use crate::element::{Attributes, Element};
use crate::error::ImportError;
use std::collections::BTreeMap;

/// What elements have that do not say, by class and by tag.
#[derive(Default)]
pub(super) struct Defaults {
    classes: BTreeMap<String, BTreeMap<String, Attributes>>,
}

/// The class of those that name none.
const MAIN: &str = "main";
/// Most classes within each other.
const DEEPEST: usize = 100;

impl Defaults {
    /// The defaults of a model.
    pub(super) fn read(sections: &[Element<'_, '_>]) -> Result<Self, ImportError> {
        let mut defaults = Self::default();
        for section in sections.iter().filter(|section| section.tag() == "default") {
            let class = section.text("class").unwrap_or(MAIN).to_owned();
            let inherited = defaults.classes.get(&class).cloned().unwrap_or_default();
            defaults.class(section, &class, inherited, 0)?;
        }
        Ok(defaults)
    }

    fn class(
        &mut self,
        element: &Element<'_, '_>,
        name: &str,
        mut own: BTreeMap<String, Attributes>,
        depth: usize,
    ) -> Result<(), ImportError> {
        if depth > DEEPEST {
            return Err(element.wrong("", format!("classes deeper than {DEEPEST}")));
        }
        let children = element.children();
        for child in children.iter().filter(|child| child.tag() != "default") {
            let attributes = own.entry(child.tag().to_owned()).or_default();
            attributes.extend(child.node.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())));
        }
        self.classes.insert(name.to_owned(), own.clone());
        for child in children.iter().filter(|child| child.tag() == "default") {
            let class =
                child.text("class").ok_or_else(|| child.wrong("class", "a name is needed"))?.to_owned();
            self.class(child, &class, own.clone(), depth + 1)?;
        }
        Ok(())
    }

    /// An element with the defaults of its class, or of the class of the bodies around it.
    pub(super) fn dress<'d, 'i>(
        &self,
        element: Element<'d, 'i>,
        around: &str,
    ) -> Result<Element<'d, 'i>, ImportError> {
        let class = match element.text("class") {
            Some(class) => class.to_owned(),
            None if around.is_empty() => MAIN.to_owned(),
            None => around.to_owned(),
        };
        let Some(tags) = self.classes.get(&class) else {
            if class == MAIN {
                return Ok(element);
            }
            return Err(element.wrong("class", format!("no class of defaults is named {class:?}")));
        };
        let usual = tags.get(element.tag()).cloned().unwrap_or_default();
        Ok(element.with(usual))
    }
}
