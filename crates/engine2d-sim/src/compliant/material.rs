//! Materials, pairs of materials, and the law of a contact between two surfaces.

use super::law::{ContactLaw, DampingLaw};
use crate::by_pair::ByPair;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A material by its elastic constants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Young's modulus (force/length²).
    pub young: f64,
    /// Poisson's ratio, in `(−1, 0.5]`.
    pub poisson: f64,
    /// Density (mass/length³).
    pub density: f64,
}

impl Material {
    /// `E / (1 − ν²)`, the modulus of plane contact.
    #[must_use]
    pub fn contact_modulus(&self) -> f64 {
        self.young / (1.0 - self.poisson * self.poisson)
    }
}

/// What two materials do to each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMaterial {
    /// Coefficient of restitution in `[0, 1]`.
    pub restitution: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Coefficient of rolling resistance.
    pub rolling: f64,
    /// Factor on the stiffness, 1 for real materials; smaller values soften stiff contacts for speed.
    pub softening: f64,
    /// Speed (length/time) below which friction is regularized and restitution counts as zero.
    pub small_speed: f64,
    /// Angular velocity (1/time) below which rolling resistance is regularized.
    pub small_spin: f64,
}

impl Default for PairMaterial {
    /// Neither restitution nor friction nor rolling resistance, with the customary regularization (0.01 m/s, 0.01 1/s).
    fn default() -> Self {
        Self {
            restitution: 0.0,
            friction: 0.0,
            rolling: 0.0,
            softening: 1.0,
            small_speed: 0.01,
            small_spin: 0.01,
        }
    }
}

/// Curvature of a surface at the contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Curvature {
    /// A flat surface, for which the other's radius counts. The length serves against another flat one.
    Flat(f64),
    /// A round surface of that radius.
    Round(f64),
}

/// One of the two surfaces of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSurface<'a> {
    /// Name of its material.
    pub material: &'a str,
    /// Its curvature.
    pub curvature: Curvature,
}

/// A material that a table does not hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("no material is named {name:?}; the table holds {known}")]
pub struct MaterialError {
    /// The name looked for.
    pub name: String,
    /// The names there are.
    pub known: String,
}

/// Materials and pairs by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialTable {
    materials: BTreeMap<String, Material>,
    #[serde(with = "pair_list")]
    pairs: ByPair<PairMaterial>,
}

/// The pairs as a list: keys of two names have no place in most formats.
mod pair_list {
    use crate::compliant::material::{ByPair, PairMaterial};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Entry {
        between: [String; 2],
        #[serde(flatten)]
        pair: PairMaterial,
    }

    type Pairs = ByPair<PairMaterial>;

    pub(super) fn serialize<S: Serializer>(pairs: &Pairs, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = |(names, pair): ([&str; 2], &PairMaterial)| Entry {
            between: names.map(str::to_owned),
            pair: *pair,
        };
        serializer.collect_seq(pairs.iter().map(entry))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        let mut pairs = Pairs::default();
        for Entry { between: [a, b], pair } in Vec::<Entry>::deserialize(deserializer)? {
            pairs.set(&a, &b, pair);
        }
        Ok(pairs)
    }
}

impl Default for MaterialTable {
    /// Steel, aluminium, wood, rubber, ice and billiard goods with customary handbook values.
    fn default() -> Self {
        let mut table = Self { materials: BTreeMap::new(), pairs: ByPair::default() };
        for (name, young, poisson, density) in [
            ("steel", 2e11, 0.3, 8000.0),
            ("aluminium", 6.9e10, 0.32, 2700.0),
            ("wood", 1.1e10, 0.4, 700.0),
            ("rubber", 5e7, 0.49, 1100.0),
            ("ice", 9.3e9, 0.33, 917.0),
            ("billiard ball", 5.4e9, 0.34, 1768.0),
            ("billiard cloth", 1.1e10, 0.4, 700.0),
        ] {
            table.set_material(name, Material { young, poisson, density });
        }
        for (a, b, restitution, friction, rolling) in [
            ("steel", "steel", 0.7, 0.5, 0.001),
            ("aluminium", "aluminium", 0.6, 0.8, 0.001),
            ("wood", "wood", 0.6, 0.3, 0.001),
            ("rubber", "rubber", 0.8, 1.0, 0.01),
            ("ice", "ice", 0.3, 0.03, 0.0005),
            ("steel", "ice", 0.4, 0.02, 0.0005),
            ("steel", "wood", 0.6, 0.4, 0.001),
            ("rubber", "steel", 0.7, 0.8, 0.005),
            ("billiard ball", "billiard ball", 0.95, 0.05, 0.0005),
            ("billiard ball", "billiard cloth", 0.5, 0.2, 0.01),
            ("billiard cloth", "billiard cloth", 0.5, 0.5, 0.01),
        ] {
            table.set_pair(a, b, PairMaterial { restitution, friction, rolling, ..PairMaterial::default() });
        }
        table
    }
}

impl MaterialTable {
    /// A table with nothing in it.
    #[must_use]
    pub fn empty() -> Self {
        Self { materials: BTreeMap::new(), pairs: ByPair::default() }
    }

    /// Adds or replaces a material.
    pub fn set_material(&mut self, name: &str, material: Material) {
        self.materials.insert(name.to_owned(), material);
    }

    /// Adds or replaces what two materials do to each other, in either order.
    pub fn set_pair(&mut self, a: &str, b: &str, pair: PairMaterial) {
        self.pairs.set(a, b, pair);
    }

    /// A material by name.
    ///
    /// # Errors
    /// [`MaterialError`].
    pub fn material(&self, name: &str) -> Result<&Material, MaterialError> {
        self.materials.get(name).ok_or_else(|| self.unknown(name))
    }

    /// What two materials do to each other: the entry of the pair, else the mean of each with itself.
    ///
    /// # Errors
    /// [`MaterialError`] when neither is known.
    pub fn pair(&self, a: &str, b: &str) -> Result<PairMaterial, MaterialError> {
        if let Some(pair) = self.pairs.get(a, b) {
            return Ok(*pair);
        }
        let own = |name: &str| self.pairs.get(name, name).ok_or_else(|| self.unknown(name));
        let (p, q) = (own(a)?, own(b)?);
        let mean = |f: fn(&PairMaterial) -> f64| 0.5 * (f(p) + f(q));
        Ok(PairMaterial {
            restitution: mean(|m| m.restitution),
            friction: mean(|m| m.friction),
            rolling: mean(|m| m.rolling),
            softening: mean(|m| m.softening),
            small_speed: mean(|m| m.small_speed),
            small_spin: mean(|m| m.small_spin),
        })
    }

    fn unknown(&self, name: &str) -> MaterialError {
        let known: Vec<&str> = self.materials.keys().map(String::as_str).collect();
        MaterialError { name: name.to_owned(), known: known.join(", ") }
    }

    /// The law of a contact that starts with normal speed `speed` ≥ 0 between two surfaces.
    ///
    /// # Errors
    /// [`MaterialError`].
    pub fn law(
        &self,
        a: ContactSurface<'_>,
        b: ContactSurface<'_>,
        speed: f64,
        damping: DampingLaw,
    ) -> Result<ContactLaw, MaterialError> {
        let pair = self.pair(a.material, b.material)?;
        let (p, q) = (self.material(a.material)?, self.material(b.material)?);
        Ok(pair.law(p, q, effective_radius(a.curvature, b.curvature), speed, damping))
    }
}

impl PairMaterial {
    /// The damping (time/length) by `law` of a contact that starts with normal speed `speed` ≥ 0; the restitution counts as zero at
    /// speeds up to the small speed.
    #[must_use]
    pub fn damping(&self, law: DampingLaw, speed: f64) -> f64 {
        let e = if speed > self.small_speed { self.restitution } else { 0.0 };
        law.of_impact(e, speed)
    }

    /// The law of a contact of materials `p` and `q` with the given effective radius (length) that starts at
    /// normal speed `speed`: `c = k E* 4/3 √r` with `1/E* = (1 − ν_p²)/E_p + (1 − ν_q²)/E_q`
    /// \[Johnson 1985, §4.2\].
    #[must_use]
    pub fn law(
        &self,
        p: &Material,
        q: &Material,
        radius: f64,
        speed: f64,
        damping: DampingLaw,
    ) -> ContactLaw {
        let modulus = self.softening / (1.0 / p.contact_modulus() + 1.0 / q.contact_modulus());
        ContactLaw {
            stiffness: modulus * 4.0 / 3.0 * radius.sqrt(),
            damping: self.damping(damping, speed),
            friction: self.friction,
            rolling: self.rolling * radius,
            small_speed: self.small_speed,
            small_spin: self.small_spin,
        }
    }
}

/// `r_1 r_2 / (r_1 + r_2)` of two surfaces of one kind, the round one's radius of a mixed pair.
pub(crate) fn effective_radius(a: Curvature, b: Curvature) -> f64 {
    match (a, b) {
        (Curvature::Flat(_), Curvature::Round(r)) | (Curvature::Round(r), Curvature::Flat(_)) => r,
        (Curvature::Flat(r), Curvature::Flat(s)) | (Curvature::Round(r), Curvature::Round(s)) => {
            r * s / (r + s)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_damping_is_the_published_formula_and_bounded() {
        let law = DampingLaw::default();
        let of = |restitution| PairMaterial { restitution, ..PairMaterial::default() };
        assert!((of(0.7).damping(law, 4.429446962364607) - 0.1548081039327369).abs() < 1e-13);
        assert_eq!(of(0.7).damping(law, 0.005), 2000.0);
        assert_eq!(of(0.0).damping(law, 1.0), 2000.0);
        assert_eq!(of(1.0).damping(law, 1.0), 0.0);
    }

    #[test]
    fn steel_on_steel_has_the_published_stiffness() {
        let table = MaterialTable::default();
        let ball = ContactSurface { material: "steel", curvature: Curvature::Round(0.1) };
        let ground = ContactSurface { material: "steel", curvature: Curvature::Flat(1.0) };
        let law = table.law(ball, ground, 1.0, DampingLaw::default()).unwrap();
        assert!((law.stiffness - 46_333_738_610.525_7).abs() < 1.0);
    }

    #[test]
    fn a_table_survives_a_file() {
        let mut table = MaterialTable::default();
        table.set_pair(
            "wood",
            "ice",
            PairMaterial { restitution: 0.2, friction: 0.05, rolling: 0.001, ..PairMaterial::default() },
        );
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<MaterialTable>(&text).unwrap(), table);
    }

    #[test]
    fn an_unlisted_pair_is_the_mean_of_its_materials() {
        let table = MaterialTable::default();
        let pair = table.pair("ice", "wood").unwrap();
        assert!((pair.restitution - 0.45).abs() < 1e-15);
        assert!(table.pair("ice", "cheese").is_err());
    }
}
