//! Looking for what is allowed and most likely not meant.

use crate::body::Body;
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::names::Names;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::warning::{Warning, WarningKind};
use engine2d_math::Vec2;
use engine2d_sim::name::normalized;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Part of the smallest body that the distance tolerance should not exceed.
const TOLERATED_PART: f64 = 1.0 / 20.0;

/// Ratio of sizes or densities above which their units are likely not the same.
const UNLIKE: f64 = 1000.0;

/// Ratio of tied masses above which digits are lost.
const UNLIKE_MASSES: f64 = 1e6;

/// Strengths of gravity that are those of the Earth in metres and seconds.
const EARTH: std::ops::Range<f64> = 9.7..10.1;

/// Words of a name that say that a body is to stay.
const STAYING: [&str; 5] = ["floor", "wall", "walls", "ceiling", "road"];

impl Scene {
    /// What is allowed in the scene and most likely not meant, in the order of its places; nothing for a scene that is not
    /// sound.
    ///
    /// ```
    /// use engine2d_scene::{Body, Scene, Shape};
    ///
    /// let mut scene = Scene::new("tilted");
    /// scene.bodies.push(Body::new(Shape::Block { width: 1.0, height: 1.0 }).angle(30.0));
    /// let warnings = scene.warnings();
    /// assert_eq!(
    ///     warnings[0].to_string(),
    ///     "bodies[0].angle: 30.0 is more than a turn: angles are in radians (0.5236 if degrees are meant)"
    /// );
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        if self.check().is_err() {
            return Vec::new();
        }
        let names = Names::new(self);
        let mut found = Found { list: Vec::new() };
        let boxes: Vec<Option<Extent>> = self.bodies.iter().map(Extent::of).collect();
        for (k, body) in self.bodies.iter().enumerate() {
            self.look_at_body(k, body, &mut found);
        }
        self.look_at_sizes(&boxes, &mut found);
        self.look_at_view(&boxes, &mut found);
        self.look_at_gravity(&names, &mut found);
        self.look_at_names(&mut found);
        self.look_at_uses(&mut found);
        self.look_at_angles(&mut found);
        self.look_at_masses(&names, &mut found);
        found.list
    }

    fn look_at_body(&self, k: usize, body: &Body, found: &mut Found) {
        found.turn(format!("bodies[{k}].angle"), body.angle);
        let name = self.body_name(k);
        let says_so = name
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| STAYING.contains(&word.to_lowercase().as_str()));
        if !body.fixed && (says_so || matches!(body.shape, Shape::Wall { .. })) {
            found.note(format!("bodies[{k}]"), WarningKind::MovableWall { name });
        }
    }

    /// Sizes among each other, against the tolerance and against gravity; densities among each other.
    fn look_at_sizes(&self, boxes: &[Option<Extent>], found: &mut Found) {
        let movable = |&(k, _): &(usize, Extent)| !self.bodies[k].fixed;
        let sizes: Vec<(usize, Extent)> =
            boxes.iter().enumerate().filter_map(|(k, b)| Some((k, (*b)?))).filter(movable).collect();
        let by_length: Vec<(usize, f64)> = sizes.iter().map(|(k, b)| (*k, b.length())).collect();
        let density = |(k, b): &(usize, Extent)| Some((*k, self.bodies[*k].mass? / b.area()));
        let by_density: Vec<(usize, f64)> = sizes.iter().filter_map(density).collect();
        if let Some(&(k, size)) = by_length.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
            let tolerance = self.bodies[k].distance_tolerance.unwrap_or(self.settings.distance_tolerance);
            if tolerance > TOLERATED_PART * size {
                let body = self.body_name(k);
                let path = match self.bodies[k].distance_tolerance {
                    Some(_) => format!("bodies[{k}].distance_tolerance"),
                    None => "settings.distance_tolerance".to_owned(),
                };
                found.note(path, WarningKind::CoarseTolerance { tolerance, body, size });
            }
        }
        for (what, values) in [("its length", &by_length), ("its density", &by_density)] {
            self.look_for_units(what, values, found);
        }
        let strength = self.force_laws.iter().find_map(|law| match law {
            ForceLaw::Gravity { strength, .. } if EARTH.contains(strength) => Some(*strength),
            _ => None,
        });
        if let Some(strength) = strength {
            for &(k, size) in &by_length {
                if !(1.0 / UNLIKE..=UNLIKE).contains(&size) {
                    found.note(format!("bodies[{k}].shape"), WarningKind::NotMetres { size, strength });
                }
            }
        }
    }

    fn look_for_units(&self, what: &'static str, values: &[(usize, f64)], found: &mut Found) {
        let least = values.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let most = values.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let (Some(&(small, least)), Some(&(large, value))) = (least, most)
            && value >= UNLIKE * least
        {
            let (ratio, other) = (value / least, self.body_name(small));
            found.note(
                format!("bodies[{large}]"),
                WarningKind::UnlikeUnits { what, value, ratio, other, least },
            );
        }
    }

    fn look_at_view(&self, boxes: &[Option<Extent>], found: &mut Found) {
        let Some(view) = self.view else { return };
        for (k, extent) in boxes.iter().enumerate() {
            let Some(Extent { low, high, .. }) = extent else { continue };
            let outside =
                low.x > view.right || high.x < view.left || low.y > view.top || high.y < view.bottom;
            if outside && !self.bodies[k].fixed {
                found.note(format!("bodies[{k}]"), WarningKind::OutsideView);
            }
        }
    }

    fn look_at_gravity(&self, names: &Names, found: &mut Found) {
        let held = self.bodies.iter().any(|body| body.fixed)
            || self.connectors.iter().any(|c| c.is_tied_to_ground())
            || self.force_laws.iter().any(|law| {
                matches!(law, ForceLaw::Spring { body_a, body_b, .. } if body_a.is_ground() || body_b.is_ground())
            });
        for (k, law) in self.force_laws.iter().enumerate() {
            if let ForceLaw::InverseSquareGravity { bodies: Some(bodies), .. } = law {
                for (at, body) in bodies.iter().enumerate() {
                    if let Ok(Some(number)) = names.resolve(body)
                        && self.bodies[number].fixed
                    {
                        let kind = WarningKind::AttractsNothing { name: self.body_name(number) };
                        found.note(format!("force_laws[{k}].bodies[{at}]"), kind);
                    }
                }
            }
            let ForceLaw::Gravity { strength, .. } = law else { continue };
            if *strength < 0.0 {
                let kind = WarningKind::GravityUpwards { strength: *strength };
                found.note(format!("force_laws[{k}].strength"), kind);
            }
            if *strength > 0.0 && !held && !self.bodies.is_empty() {
                found.note(format!("force_laws[{k}]"), WarningKind::NothingHolds);
            }
        }
    }

    fn look_at_names(&self, found: &mut Found) {
        let bodies = (0..self.bodies.len()).map(|k| (format!("bodies[{k}]"), Some(self.body_name(k))));
        let ties = self.connectors.iter().enumerate();
        let ties = ties.map(|(k, c)| (format!("connectors[{k}]"), c.name().map(str::to_owned)));
        let laws = self.force_laws.iter().enumerate().map(|(k, law)| match law {
            ForceLaw::Spring { name, .. } => (format!("force_laws[{k}]"), name.clone()),
            _ => (format!("force_laws[{k}]"), None),
        });
        for list in [bodies.collect::<Vec<_>>(), ties.collect(), laws.collect()] {
            let mut first: BTreeMap<String, String> = BTreeMap::new();
            for (path, name) in list {
                let Some(name) = name else { continue };
                let key = normalized(&name);
                match first.get(&key) {
                    Some(first) => {
                        let kind = WarningKind::NameTwice { name, first: first.clone() };
                        found.note(format!("{path}.name"), kind);
                    }
                    None => {
                        first.insert(key, path);
                    }
                }
            }
        }
    }

    fn look_at_uses(&self, found: &mut Found) {
        for name in self.materials.keys() {
            if !self.bodies.iter().any(|body| body.material.as_ref() == Some(name)) {
                found.note(format!("materials.{name}"), WarningKind::Unused { user: "body" });
            }
        }
        let follows = |connector: &Connector, name: &str| match connector {
            Connector::PathJoint { curve, .. } | Connector::PathEndStop { curve, .. } => curve == name,
            _ => false,
        };
        for name in self.curves.keys() {
            if !self.connectors.iter().any(|connector| follows(connector, name)) {
                found.note(format!("curves.{name}"), WarningKind::Unused { user: "connector" });
            }
        }
    }

    fn look_at_angles(&self, found: &mut Found) {
        for (k, connector) in self.connectors.iter().enumerate() {
            let angles = match connector {
                Connector::Weld(weld) => [("angle", weld.angle), ("", None)],
                Connector::Prismatic(prismatic) => [("angle", prismatic.angle), ("", None)],
                Connector::AngleLimit(limit) => [("low", limit.low), ("high", limit.high)],
                _ => continue,
            };
            for (name, angle) in angles {
                found.turn(format!("connectors[{k}].{name}"), angle.unwrap_or(0.0));
            }
        }
    }

    /// The lightest and the heaviest of each group of movable bodies that connectors tie together.
    fn look_at_masses(&self, names: &Names, found: &mut Found) {
        let mut group: Vec<usize> = (0..self.bodies.len()).collect();
        for connector in &self.connectors {
            let tied: Vec<usize> = connector
                .bodies()
                .into_iter()
                .filter_map(|body| names.resolve(body).ok().flatten())
                .filter(|&k| !self.bodies[k].fixed)
                .collect();
            if let [a, b] = tied[..] {
                let (from, to) = (first_of(&mut group, a), first_of(&mut group, b));
                group[from.max(to)] = from.min(to);
            }
        }
        let mut groups: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (k, body) in self.bodies.iter().enumerate() {
            if let Some(mass) = body.mass.filter(|_| !body.fixed) {
                groups.entry(first_of(&mut group, k)).or_default().push((k, mass));
            }
        }
        for members in groups.values() {
            let light = members.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let heavy = members.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            if let (Some(&(light, least)), Some(&(heavy, most))) = (light, heavy)
                && most > UNLIKE_MASSES * least
            {
                let (heavy, ratio) = (self.body_name(heavy), most / least);
                found.note(format!("bodies[{light}].mass"), WarningKind::UnlikeMasses { heavy, ratio });
            }
        }
    }
}

/// The first body of a group, to which each member leads; the way there is halved.
fn first_of(group: &mut [usize], mut k: usize) -> usize {
    while group[k] != k {
        group[k] = group[group[k]];
        k = group[k];
    }
    k
}

/// The warnings so far.
struct Found {
    list: Vec<Warning>,
}

impl Found {
    fn note(&mut self, path: String, kind: WarningKind) {
        self.list.push(Warning { path, kind });
    }

    /// Notes an angle beyond a turn.
    fn turn(&mut self, path: String, angle: f64) {
        if angle.abs() > TAU {
            self.note(path, WarningKind::BeyondTurn { angle });
        }
    }
}

/// The box around a body at the start (world), and its sides in body coordinates.
#[derive(Clone, Copy)]
struct Extent {
    low: Vec2,
    high: Vec2,
    sides: [f64; 2],
}

impl Extent {
    fn of(body: &Body) -> Option<Self> {
        let shape = body.shape.build().ok()?;
        let (frame, bounds) = (body.frame(&shape), shape.bounds());
        let [a, b] = [bounds.min, bounds.max];
        let corners = [a, b, Vec2::new(a.x, b.y), Vec2::new(b.x, a.y)].map(|corner| frame.transform(corner));
        Some(Self {
            low: corners.iter().fold(Vec2::repeat(f64::INFINITY), |low, c| low.inf(c)),
            high: corners.iter().fold(Vec2::repeat(f64::NEG_INFINITY), |high, c| high.sup(c)),
            sides: [bounds.width(), bounds.height()],
        })
    }

    /// The longer side.
    fn length(&self) -> f64 {
        self.sides[0].max(self.sides[1])
    }

    fn area(&self) -> f64 {
        self.sides[0] * self.sides[1]
    }
}
