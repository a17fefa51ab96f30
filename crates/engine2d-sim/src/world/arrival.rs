//! What goes with a body that comes: constraints that lead it, damping of its own, and a place that is free.

use super::World;
use super::standing::Standing;
use crate::body::BodyData;
use crate::body::motion::leading;
use crate::error::SimError;
use crate::force::ForceLaw;
use crate::impact_law::ImpactLaw;
use crate::instrument::{Instrument, Overlap};
use crate::model::Model;
use crate::settings::{ClockKind, ContactModel};
use crate::surface::SurfacePair;
use crate::tolerance::PLACED_DEPTH;
use engine2d_constraint::Joint;
use engine2d_geometry::CollisionBody;

impl World {
    /// Adds what goes with a new body: the constraints that lead it, its damping, the functions of sensors and platforms.
    pub(super) fn take_up(&mut self, place: usize) -> Result<(), SimError> {
        let (data, body) = (&self.model.data[place], &self.state.bodies[place]);
        let (joints, law) = kinematic(&self.model, data, body, (place, self.state.time))?;
        if let Some([x, y, angle]) = joints {
            let led = [self.add_joint(x)?, self.add_joint(y)?, self.add_joint(angle)?];
            let data = &mut self.model.data[place];
            data.led = Some(led);
            if let Some(motion) = &data.motion {
                motion.begin(&mut self.state.bodies[place], self.state.time);
            }
        }
        if let Some(law) = law {
            self.add_force_law(law)?;
        }
        self.watch_body(place);
        Ok(())
    }
}

/// The constraints that lead a body, and the law that damps it alone; refuses what the clock does not know.
pub(super) fn kinematic(
    model: &Model,
    data: &BodyData,
    body: &CollisionBody,
    (place, time): (usize, f64),
) -> Result<(Option<[Joint; 3]>, Option<ForceLaw>), SimError> {
    let special = [
        (
            "motion",
            data.motion.is_some(),
            "bodies that are led need the located clock or fixed steps: choose one of these",
        ),
        (
            "sensor",
            data.senses.is_some(),
            "sensors need the located clock or fixed steps: choose one of these",
        ),
        (
            "one_way",
            body.one_way.is_some(),
            "one-way platforms need the located clock or fixed steps: choose one of these",
        ),
    ];
    let backtracks = model.clock() == ClockKind::Backtracking;
    if let Some((field, _, problem)) = special.into_iter().find(|(_, is, _)| *is && backtracks) {
        return Err(SimError::Unsupported { path: format!("bodies[{place}].{field}"), problem });
    }
    if model.clock() == ClockKind::TimeStepping && !body.ignored_edges.is_empty() {
        let problem =
            "single edges are ignored by the backtracking clock only: choose it, or ignore the whole body";
        return Err(SimError::Unsupported { path: format!("bodies[{place}].ignored_edges"), problem });
    }
    let law = (data.damping > 0.0).then(|| match ForceLaw::damping(data.damping) {
        ForceLaw::Damping { damping, rotate_ratio, .. } => {
            ForceLaw::Damping { damping, rotate_ratio, bodies: Some(vec![place as u32]) }
        }
        other => other,
    });
    let joints = data
        .motion
        .as_ref()
        .map(|motion| leading(&motion.path(body, time), place, body.center_of_mass, &data.name));
    Ok((joints, law))
}

/// Whether bodies may start inside each other, because nothing is done about it.
fn may_overlap(model: &Model) -> bool {
    model.is_recorded() || model.settings.aids.detect_only || !model.collides()
}

/// Refuses bodies that start inside each other, where they would collide.
pub(super) fn check_overlap(
    model: &Model,
    bodies: &[CollisionBody],
    instrument: &mut Instrument,
) -> Result<(), SimError> {
    if may_overlap(model) {
        return Ok(());
    }
    let Overlap { depth, bodies: [first, second] } = match model.settings.contact_model {
        ContactModel::Rigid => instrument.deepest(bodies),
        ContactModel::Compliant(_) => {
            let others = |place: usize| rigid_ones(model, place, (0..place as u32).collect());
            let each = (0..bodies.len()).map(|place| instrument.deepest_of(bodies, place, &others(place)));
            each.fold(Overlap::default(), |worst, new| if new.depth > worst.depth { new } else { worst })
        }
    };
    // Single edges that are ignored may well overlap.
    let partly = |a: u32, b: u32| bodies[a as usize].ignored_edges.iter().any(|e| e.body == b);
    if depth > PLACED_DEPTH && !partly(first, second) && !partly(second, first) {
        return Err(SimError::Overlap { path: format!("bodies[{second}]"), other: first, depth });
    }
    Ok(())
}

/// Those of some bodies that meet one as rigid ones.
fn rigid_ones(model: &Model, place: usize, mut others: Vec<u32>) -> Vec<u32> {
    others.retain(|&other| model.is_rigid(place as u32, other));
    others
}

/// Refuses a body that starts inside another, where they would collide.
pub(super) fn check_one_overlap(
    model: &Model,
    bodies: &[CollisionBody],
    place: usize,
    (instrument, standing): (&mut Instrument, &Standing),
) -> Result<(), SimError> {
    if may_overlap(model) {
        return Ok(());
    }
    let Overlap { depth, bodies: [other, _] } =
        instrument.deepest_of(bodies, place, &rigid_ones(model, place, standing.near(&bodies[place])));
    let partly = |a: usize, b: usize| bodies[a].ignored_edges.iter().any(|e| e.body as usize == b);
    if depth > PLACED_DEPTH && !partly(place, other as usize) && !partly(other as usize, place) {
        return Err(SimError::Overlap { path: format!("bodies[{place}]"), other, depth });
    }
    Ok(())
}

/// What to do about friction where there is none.
const ROUGH: &str = "coefficients of friction of bodies need rigid surfaces, and the located clock or steps of a fixed length: choose \
                     one of these, or give compliant contact its friction by materials";

/// What to do about a law of impacts that the clock does not know.
const LAW: &str = "laws of impacts with friction other than Poisson's need the located clock: choose it, or leave the law out";

/// What to do about tangential restitution where there is none.
pub(super) const TANGENTIAL: &str = "tangential restitution needs rigid surfaces and the located clock: choose it, or leave the restitution out";

/// What to do about rolling resistance where there is none.
const ROLLING: &str = "rolling resistance of bodies needs rigid surfaces, and the located clock or steps of a fixed length: choose \
                       one of these, or give compliant contact its rolling resistance by materials";

/// Refuses the names of materials that rigid contact does not know.
fn check_materials(model: &Model, data: &[BodyData]) -> Result<(), SimError> {
    if matches!(model.settings.contact_model, ContactModel::Compliant(_)) {
        return Ok(());
    }
    for body in data {
        let Some(name) = &body.material else { continue };
        let is_paired = |pair: [&str; 2]| pair.contains(&name.as_str());
        if let Err(error) = model.settings.materials.material(name)
            && !model.settings.surfaces.iter().any(|(pair, _)| is_paired(pair))
        {
            let message = format!("body {:?}: {error}, and no pair of settings.surfaces has it", body.name);
            return Err(SimError::Material { message });
        }
    }
    Ok(())
}

/// The first tangential restitution that is not understood: by another clock than the located one, or of what is compliant.
fn sideways(model: &Model, data: &[BodyData], first: usize) -> Option<String> {
    let located = model.clock() == ClockKind::Located;
    let odd =
        |data: &BodyData| data.tangential_restitution > 0.0 && !(located && model.takes_friction_of(data));
    if let Some(index) = data.iter().position(odd) {
        return Some(format!("bodies[{}].tangential_restitution", first + index));
    }
    let pairs = model.settings.surfaces.iter().map(|(_, pair)| pair).chain(model.pairs.values());
    (!located && pairs.into_iter().any(SurfacePair::bounces_tangentially))
        .then(|| "settings.surfaces".to_owned())
}

/// Refuses friction of the bodies from place `first` on where the clock knows none, and materials that mean nothing.
pub(super) fn check_rough(model: &Model, data: &[BodyData], first: usize) -> Result<(), SimError> {
    check_materials(model, data)?;
    if model.settings.impact_law != ImpactLaw::Poisson && model.clock() != ClockKind::Located {
        return Err(SimError::Unsupported { path: "settings.impact_law".to_owned(), problem: LAW });
    }
    if let Some(path) = sideways(model, data, first) {
        return Err(SimError::Unsupported { path, problem: TANGENTIAL });
    }
    let rough = |pair: &SurfacePair| pair.rough().is_some();
    let paired = || model.settings.surfaces.iter().any(|(_, p)| rough(p)) || model.pairs.values().any(rough);
    if !model.takes_friction() && !data.iter().any(|data| model.takes_friction_of(data)) && paired() {
        return Err(SimError::Unsupported { path: "settings.surfaces".to_owned(), problem: ROUGH });
    }
    let refused = |index: usize, field: &str, problem: &'static str| {
        Err(SimError::Unsupported { path: format!("bodies[{}].{field}", first + index), problem })
    };
    let smooth = |data: &BodyData| !model.takes_friction_of(data);
    if let Some(index) = data.iter().position(|data| data.friction.is_some() && smooth(data)) {
        return refused(index, "friction", ROUGH);
    }
    match data.iter().position(|data| data.rolling_resistance > 0.0 && smooth(data)) {
        None => Ok(()),
        Some(index) => refused(index, "rolling_resistance", ROLLING),
    }
}
