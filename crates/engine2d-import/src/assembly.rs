//! Bodies and ties of any format, and the scene that they make.

mod tie;

use tie::Placed;
pub(crate) use tie::{Kind, Tie};

use crate::error::ImportError;
use crate::outline::disc;
use crate::plane::{Pose, sub, turn};
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Motion, Part, Rigid};
use crate::surface::{Filter, Surface};
use engine2d_scene::joint::{Ends, Fitting, Weld};
use engine2d_scene::{
    Body, BodyRef, Connector, ForceLaw, Frame, Material, MaterialPair, Moving, Origin, Point, Scene, Shape,
};
use std::collections::{BTreeMap, BTreeSet};

/// A scene under construction.
pub(crate) struct Assembly {
    pub(crate) scene: Scene,
    /// Acceleration of gravity.
    pub(crate) gravity: Point,
    pub(crate) rigids: Vec<Rigid>,
    /// Ties, in world coordinates of the start.
    pub(crate) ties: Vec<Tie>,
    /// Pairs of bodies that do not meet.
    pub(crate) apart: BTreeSet<(usize, usize)>,
}

/// A body of the scene, and which part of which rigid it is.
struct Piece {
    rigid: usize,
    filter: Filter,
    surface: Surface,
    moves: bool,
}

impl Assembly {
    pub(crate) fn new(name: &str) -> Self {
        let scene = Scene::new(name);
        let gravity = [0.0; 2];
        Self { scene, gravity, rigids: Vec::new(), ties: Vec::new(), apart: BTreeSet::new() }
    }

    /// Adds a body; its place in the list.
    pub(crate) fn add(&mut self, rigid: Rigid) -> usize {
        self.rigids.push(rigid);
        self.rigids.len() - 1
    }

    /// Keeps two bodies from meeting.
    pub(crate) fn part(&mut self, a: usize, b: usize) {
        self.apart.insert((a.min(b), a.max(b)));
    }

    /// The scene.
    pub(crate) fn finish(mut self, notes: &mut Notes) -> Result<Scene, ImportError> {
        let mut names = Names::default();
        let (mut placed, mut pieces) = (Vec::new(), Vec::new());
        let rigids = std::mem::take(&mut self.rigids);
        for (index, mut rigid) in rigids.into_iter().enumerate() {
            complete(&mut rigid, notes);
            placed.push(self.place(index, &rigid, &mut names, &mut pieces));
        }
        let ties = std::mem::take(&mut self.ties);
        for tie in ties {
            if let (Some(a), Some(b)) = (tie.a, tie.b)
                && !tie.meet
            {
                self.part(a, b);
            }
            tie::fasten(&mut self.scene, tie, &placed, notes);
        }
        self.weigh();
        self.separate(&pieces)?;
        dress(&mut self.scene, &pieces)?;
        Ok(self.scene)
    }

    /// Gravity: a law where it is downwards, and what it has along x as a force on each body.
    fn weigh(&mut self) {
        let [along, up] = self.gravity;
        if up != 0.0 {
            self.scene.force_laws.push(ForceLaw::gravity(-up));
        }
        if along == 0.0 {
            return;
        }
        for body in self.scene.bodies.iter().filter(|body| !body.fixed && body.moving.is_none()) {
            self.scene.force_laws.push(ForceLaw::ConstantForce {
                body: BodyRef::Name(body.name.clone().unwrap_or_default()),
                location: body.center_of_mass.unwrap_or_default(),
                location_frame: Frame::Body,
                force: [along * body.gravity_scale * body.mass.unwrap_or(Body::DEFAULT_MASS), 0.0],
                force_frame: Frame::World,
                torque: 0.0,
            });
        }
    }

    /// Puts the parts of a body into the scene, welded to the first.
    fn place(&mut self, index: usize, rigid: &Rigid, names: &mut Names, pieces: &mut Vec<Piece>) -> Placed {
        let moves = rigid.motion == Motion::Free;
        let whole = rigid.mass();
        let shares = if moves { rigid.shares().unwrap_or_default() } else { Vec::new() };
        let main_name = names.free(rigid.name.as_deref().unwrap_or(&format!("body{index}")));
        let mut first: Option<(String, Pose)> = None;
        for (k, part) in rigid.parts.iter().enumerate() {
            let pose = rigid.pose.then(part.pose);
            let name = match (k, &part.name) {
                (0, _) => main_name.clone(),
                (_, Some(name)) => names.free(&format!("{main_name}.{name}")),
                (_, None) => names.free(&format!("{main_name}.{k}")),
            };
            let mut body = Body::new(part.shape.clone()).named(&name);
            (body.position, body.angle, body.origin) = (pose.at, pose.angle, Origin::Shape);
            body.sensor = part.sensor;
            match rigid.motion {
                Motion::Fixed => body = body.fixed(),
                Motion::Led => {
                    // All parts turn about the origin of the body.
                    body.center_of_mass = Some(part.pose.inside([0.0; 2]));
                    let (velocity, angular_velocity) = (rigid.velocity, rigid.angular_velocity);
                    body.moving = Some(Moving::Steady { velocity, angular_velocity });
                }
                Motion::Free => {
                    let share = shares.get(k).copied().unwrap_or(part.solid.out(part.pose));
                    self.set_mass(&mut body, rigid, part, share, whole);
                    body = body.turning(rigid.angular_velocity);
                }
            }
            body.gravity_scale = rigid.gravity_scale;
            self.scene.bodies.push(body);
            pieces.push(Piece { rigid: index, filter: part.filter, surface: part.surface, moves });
            match &first {
                None => first = Some((name, pose)),
                Some((main, at)) if moves => {
                    let ends = Ends::new(main.as_str(), at.inside(pose.at), name.as_str(), [0.0; 2]);
                    let fitting = Fitting::named(format!("{name} on {main}"));
                    self.scene.connectors.push(Connector::Weld(Weld { ends, angle: None, fitting }));
                }
                Some(_) => {}
            }
        }
        match first {
            Some((name, pose)) => Placed { name: BodyRef::from(name.as_str()), pose, moves },
            None => Placed { name: BodyRef::ground(), pose: Pose::default(), moves: false },
        }
    }

    /// Gives a part its share of the mass and what goes with it.
    fn set_mass(&mut self, body: &mut Body, rigid: &Rigid, part: &Part, share: Mass, whole: Mass) {
        body.mass = Some(share.mass);
        body.moment = Some(share.moment);
        body.center_of_mass = Some(part.pose.inside(share.center));
        let arm = turn(sub(share.center, whole.center), rigid.pose.angle);
        let rate = rigid.angular_velocity;
        body.velocity = [rigid.velocity[0] - rate * arm[1], rigid.velocity[1] + rate * arm[0]];
        let [linear, angular] = rigid.damping;
        if linear > 0.0 {
            // The rate of the angle dies out by its own moment.
            let rotate_ratio = angular * share.moment / (linear * share.mass);
            let bodies = body.name.as_deref().map(|name| vec![BodyRef::from(name)]);
            let coefficient = linear * share.mass;
            self.scene.force_laws.push(ForceLaw::Damping { coefficient, rotate_ratio, bodies });
        }
    }

    /// Names the pairs that do not meet.
    fn separate(&mut self, pieces: &[Piece]) -> Result<(), ImportError> {
        let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (k, piece) in pieces.iter().enumerate() {
            of.entry(piece.rigid).or_default().push(k);
        }
        let mut pairs = BTreeSet::new();
        for own in of.values() {
            // A weld keeps the first part and each other apart.
            for (k, &a) in own.iter().enumerate().skip(1) {
                pairs.extend(own[k + 1..].iter().map(|&b| (a, b)));
            }
        }
        for (a, b) in &self.apart {
            let [a, b] = [a, b].map(|rigid| of.get(rigid).map_or(&[][..], Vec::as_slice));
            pairs.extend(a.iter().flat_map(|&a| b.iter().map(move |&b| (a.min(b), a.max(b)))));
        }
        let mut kinds: Vec<(Filter, Vec<usize>)> = Vec::new();
        for (k, piece) in pieces.iter().enumerate() {
            match kinds.iter().position(|(filter, _)| *filter == piece.filter) {
                Some(kind) => kinds[kind].1.push(k),
                None if kinds.len() == MOST_KINDS => {
                    return Err(ImportError::at("", format!("more than {MOST_KINDS} different filters")));
                }
                None => kinds.push((piece.filter, vec![k])),
            }
        }
        for (i, (filter, members)) in kinds.iter().enumerate() {
            for (other, others) in kinds[i..].iter().filter(|(other, _)| !filter.meets(*other)) {
                if pairs.len() + members.len() * others.len() > MOST_PAIRS {
                    return Err(ImportError::at("", format!("more than {MOST_PAIRS} pairs do not meet")));
                }
                let same = filter == other;
                let all = members.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
                pairs.extend(all.filter(|(a, b)| !same || a < b).map(|(a, b)| (a.min(b), a.max(b))));
            }
        }
        for (a, b) in pairs {
            if pieces[a].moves || pieces[b].moves {
                let other = self.scene.bodies[b].name.clone().unwrap_or_default();
                self.scene.bodies[a].no_collide.push(BodyRef::Name(other));
            }
        }
        Ok(())
    }
}

/// Sees to it that what moves has an outline and a mass.
fn complete(rigid: &mut Rigid, notes: &mut Notes) {
    if rigid.motion == Motion::Fixed {
        return;
    }
    if rigid.parts.is_empty() {
        notes.add(&rigid.path, NoteKind::Changed, "a body without outline is a small disc that meets nobody");
        rigid.parts.push(Part {
            shape: Shape::Ball { radius: POINT },
            pose: Pose { at: rigid.mass().center, angle: 0.0 },
            own: Mass::default(),
            solid: disc(POINT),
            surface: Surface { friction: 0.0, restitution: 0.0 },
            filter: Filter::Mujoco { kind: 0, affinity: 0 },
            sensor: false,
            name: None,
        });
    }
    if rigid.motion != Motion::Free {
        return;
    }
    if rigid.shares().is_none() {
        let solid = Mass::sum(rigid.parts.iter().map(|part| part.solid.out(part.pose)));
        let mass = rigid.mass().mass;
        let mass = if mass > 0.0 { mass } else { 1.0 };
        notes.add(
            &rigid.path,
            NoteKind::Changed,
            format!("a body without mass or moment has mass {mass} and the moment of its outlines"),
        );
        rigid.total = Some(solid.times(mass / solid.mass));
    }
    if !(rigid.damping[0] > 0.0) && rigid.damping[1] > 0.0 {
        let text = "damping of the angular velocity alone is not had";
        notes.add(&rigid.path, NoteKind::NotUnderstood, text);
    }
}

/// Gives bodies their surfaces: as materials, if the restitution of a pair does not follow from both.
fn dress(scene: &mut Scene, pieces: &[Piece]) -> Result<(), ImportError> {
    let surfaces: BTreeMap<[u64; 2], Surface> =
        pieces.iter().map(|piece| (piece.surface.key(), piece.surface)).collect();
    let surfaces: Vec<Surface> = surfaces.into_values().collect();
    if surfaces.len() > MOST_KINDS {
        return Err(ImportError::at("", format!("more than {MOST_KINDS} different surfaces")));
    }
    for (body, piece) in scene.bodies.iter_mut().zip(pieces) {
        *body = body.clone().restitution(piece.surface.restitution).friction(piece.surface.friction);
    }
    if surfaces.windows(2).all(|pair| pair[0].restitution == pair[1].restitution) {
        return Ok(());
    }
    // The materials only say which surface it is: pairs of them have the larger restitution, where scenes take the lesser.
    let name = |k: usize| format!("surface{k}");
    for (k, a) in surfaces.iter().enumerate() {
        scene.materials.insert(name(k), Material::default());
        for (l, b) in surfaces.iter().enumerate().skip(k + 1) {
            if a.restitution != b.restitution {
                let restitution = Some(a.restitution.max(b.restitution));
                let between = [name(k), name(l)];
                let pair = MaterialPair {
                    between,
                    restitution,
                    friction: None,
                    surface_speed: None,
                    rolling_resistance: None,
                    tangential_restitution: None,
                };
                scene.material_pairs.push(pair);
            }
        }
    }
    for (body, piece) in scene.bodies.iter_mut().zip(pieces) {
        body.material = surfaces.iter().position(|s| s.key() == piece.surface.key()).map(name);
    }
    Ok(())
}

/// Names that are taken.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    /// The name, with a number if it is taken.
    fn free(&mut self, name: &str) -> String {
        let mut text =
            if name.is_empty() || name == BodyRef::GROUND { format!("{name}_") } else { name.to_owned() };
        let mut number = 2;
        while !self.0.insert(text.clone()) {
            text = format!("{name}_{number}");
            number += 1;
        }
        text
    }
}

/// Radius of the disc that stands for a body without outline (length).
const POINT: f64 = 0.05;
/// Most different surfaces or filters in a file.
const MOST_KINDS: usize = 1000;
/// Most pairs of parts that do not meet.
const MOST_PAIRS: usize = 1_000_000;
