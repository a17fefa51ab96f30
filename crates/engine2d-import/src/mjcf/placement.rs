//! The plane of a model, its angles, and where things are in it.

use crate::element::Element;
use crate::error::ImportError;
use crate::plane::Pose;
use crate::report::{NoteKind, Notes};
use engine2d_math::trig;
use engine2d_scene::Point;

/// The plane of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plane {
    /// x to the right, z up; angles count about −y.
    Xz,
    /// x to the right, y up; angles count about z.
    Xy,
}

impl Plane {
    /// The plane that hinges and slides of a model are for: x and y if a hinge turns about z and none about y.
    pub(super) fn of(root: roxmltree::Node<'_, '_>) -> Self {
        let mut about = [false; 2];
        let hinges = root.descendants().filter(|node| node.has_tag_name("joint"));
        for node in hinges.filter(|node| !matches!(node.attribute("type"), Some("slide" | "free" | "ball"))) {
            let axis = node.attribute("axis").unwrap_or("0 0 1");
            let zero = |word: &str| word.parse::<f64>().is_ok_and(|x| x == 0.0);
            let words: Vec<&str> = axis.split_whitespace().collect();
            match words[..] {
                [x, y, _] if zero(x) && zero(y) => about[0] = true,
                [x, _, z] if zero(x) && zero(z) => about[1] = true,
                _ => {}
            }
        }
        if about[0] && !about[1] { Self::Xy } else { Self::Xz }
    }

    /// What a vector is in the plane.
    pub(super) fn vector(self, [x, y, z]: [f64; 3]) -> Point {
        match self {
            Self::Xz => [x, z],
            Self::Xy => [x, y],
        }
    }

    /// What a vector has across the plane.
    pub(super) fn off(self, [_, y, z]: [f64; 3]) -> f64 {
        match self {
            Self::Xz => y,
            Self::Xy => z,
        }
    }

    /// What a turn about an axis is in the plane: 1 counter-clockwise, −1 clockwise, `None` if it leaves it.
    pub(super) fn sense(self, axis: [f64; 3]) -> Option<f64> {
        let [along, up] = self.vector(axis);
        let off = self.off(axis) * if self == Self::Xz { -1.0 } else { 1.0 };
        (along == 0.0 && up == 0.0 && off != 0.0).then(|| off.signum())
    }
}

/// How numbers of a model are to be read.
pub(super) struct Compiler {
    pub(super) plane: Plane,
    degrees: bool,
    pub(super) auto_limits: bool,
}

impl Compiler {
    pub(super) fn read(
        sections: &[Element<'_, '_>],
        plane: Plane,
        notes: &mut Notes,
    ) -> Result<Self, ImportError> {
        let mut compiler = Self { plane, degrees: true, auto_limits: true };
        for section in sections.iter().filter(|section| section.tag() == "compiler") {
            if let Some(angle) = section.text("angle") {
                compiler.degrees = match angle {
                    "degree" => true,
                    "radian" => false,
                    _ => return Err(section.wrong("angle", "degree or radian is needed")),
                };
            }
            compiler.auto_limits = section.text("autolimits").unwrap_or("true") == "true";
            if section.text("coordinate").is_some_and(|word| word != "local") {
                return Err(section.wrong("coordinate", "only local coordinates are had"));
            }
            section.skip(&["meshdir", "texturedir", "assetdir", "strippath"], notes);
            section.finish(notes);
        }
        Ok(compiler)
    }

    /// An angle of the model in radians.
    pub(super) fn angle(&self, angle: f64) -> f64 {
        if self.degrees { angle.to_radians() } else { angle }
    }

    /// Where an element says that it is.
    pub(super) fn pose(&self, element: &Element<'_, '_>, notes: &mut Notes) -> Result<Pose, ImportError> {
        let at = self.plane.vector(element.vector::<3>("pos")?.unwrap_or_default());
        Ok(Pose { at, angle: self.turned(element, notes)? })
    }

    /// The angle of an element's orientation; one that leaves the plane is noted, and not had.
    fn turned(&self, element: &Element<'_, '_>, notes: &mut Notes) -> Result<f64, ImportError> {
        let leaves = |name: &str, notes: &mut Notes| {
            element.note(name, NoteKind::NotUnderstood, "a turn out of the plane", notes);
            Ok(0.0)
        };
        if let Some([w, x, y, z]) = element.vector::<4>("quat")? {
            if x == 0.0 && y == 0.0 && z == 0.0 {
                return Ok(0.0);
            }
            let Some(sense) = self.plane.sense([x, y, z]) else { return leaves("quat", notes) };
            return Ok(2.0 * trig::atan2(sense * trig::hypot(trig::hypot(x, y), z), w));
        }
        if let Some([x, y, z, angle]) = element.vector::<4>("axisangle")? {
            let Some(sense) = self.plane.sense([x, y, z]) else { return leaves("axisangle", notes) };
            return Ok(sense * self.angle(angle));
        }
        if let Some(angles) = element.vector::<3>("euler")? {
            if angles == [0.0; 3] {
                return Ok(0.0);
            }
            let Some(sense) = self.plane.sense(angles) else { return leaves("euler", notes) };
            let size = self.plane.off(angles).abs();
            return Ok(sense * self.angle(size));
        }
        Ok(0.0)
    }
}
