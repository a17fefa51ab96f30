//! Judging pairs of materials.

use super::body::check_material;
use super::numbers::{Judge, Range};
use crate::material::Material;
use crate::material_pair::MaterialPair;
use crate::mistake::MistakeKind;
use crate::scene::Scene;
use crate::suggestion;

/// Judges what a pair of materials does.
pub(super) fn check_pair(path: &str, pair: &MaterialPair, scene: &Scene, judge: &mut Judge<'_>) {
    for (k, name) in pair.between.iter().enumerate().filter(|(_, name)| !scene.materials.contains_key(*name))
    {
        let known = scene.materials.keys();
        let kind = MistakeKind::UnknownName {
            what: "material",
            name: name.clone(),
            suggestion: suggestion::nearest(name, known.clone().map(String::as_str)),
            known: known.cloned().collect(),
        };
        judge.note(format_args!("{path}.between[{k}]"), kind);
    }
    judge.number_if(format_args!("{path}.elasticity"), pair.restitution, Range::Unit);
    let surface = Material {
        friction: pair.friction,
        rolling_resistance: pair.rolling_resistance,
        tangential_restitution: pair.tangential_restitution,
        ..Material::default()
    };
    check_material(path, &surface, scene, judge);
    let at = format!("{path}.surface_speed");
    judge.number_if(&at, pair.surface_speed, Range::Any);
    if pair.surface_speed.is_some() && !scene.has_rigid_surfaces() {
        let allowed =
            "compliant contact knows no surface speed: give bodies \"rigid\": true, or leave this out"
                .to_owned();
        judge.not_allowed(&at, "this".to_owned(), allowed);
    }
    let twin = |other: &MaterialPair| {
        let [a, b] = &pair.between;
        other.between == pair.between || other.between == [b.clone(), a.clone()]
    };
    let place = scene.material_pairs.iter().position(twin);
    if place.is_some_and(|place| path != format!("material_pairs[{place}]")) {
        judge.note(format_args!("{path}.between"), MistakeKind::Duplicate);
    }
}
