//! Bodies of Box2D.

use super::fixture;
use crate::error::ImportError;
use crate::fields::Fields;
use crate::plane::{Pose, dot};
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Motion, Rigid};

/// A body with its fixtures.
pub(super) fn read(fields: &Fields<'_>, notes: &mut Notes) -> Result<Rigid, ImportError> {
    let motion = match fields.whole("type")?.unwrap_or(0) {
        0 => Motion::Fixed,
        1 => Motion::Led,
        2 => Motion::Free,
        other => {
            let problem = format!("0 (static), 1 (kinematic) or 2 (dynamic) is needed, not {other}");
            return Err(ImportError::at(fields.at("type"), problem));
        }
    };
    let pose = Pose {
        at: fields.vector("position")?.unwrap_or_default(),
        angle: fields.number("angle")?.unwrap_or(0.0),
    };
    let name = fields.text("name")?.map(str::to_owned);
    let mut rigid = Rigid::new(fields.path.clone(), name, pose, motion);
    rigid.velocity = fields.vector("linearVelocity")?.unwrap_or_default();
    rigid.angular_velocity = fields.number("angularVelocity")?.unwrap_or(0.0);
    rigid.damping =
        [fields.size("linearDamping")?.unwrap_or(0.0), fields.size("angularDamping")?.unwrap_or(0.0)];
    rigid.gravity_scale = fields.number("gravityScale")?.unwrap_or(1.0);
    for (path, value) in fields.list("fixture")? {
        fixture::read(Fields::of(value, path)?, motion, &mut rigid.parts, notes)?;
    }
    rigid.total = mass(fields)?.filter(|_| motion == Motion::Free);
    if fields.flag("fixedRotation")? == Some(true) && motion == Motion::Free {
        let mut whole = rigid.mass();
        whole.mass = if whole.mass > 0.0 { whole.mass } else { 1.0 };
        whole.moment = UNTURNED * whole.mass;
        rigid.total = Some(whole);
        let text = format!("a body that does not turn has a moment of {UNTURNED} times its mass");
        notes.add(fields.at("fixedRotation"), NoteKind::Changed, text);
    }
    if fields.flag("active")? == Some(false) {
        notes.add(fields.at("active"), NoteKind::NotUnderstood, "the body takes part");
    }
    fields.skip(&["awake", "allowSleep", "bullet", "customProperties"], notes);
    Ok(rigid)
}

/// The mass that is written down: its moment is about the origin of the body.
fn mass(fields: &Fields<'_>) -> Result<Option<Mass>, ImportError> {
    let mass = fields.size("massData-mass")?;
    let center = fields.vector("massData-center")?.unwrap_or_default();
    let about_origin = fields.size("massData-I")?;
    Ok(mass.filter(|mass| *mass > 0.0).map(|mass| {
        let moment = about_origin.unwrap_or(0.0) - mass * dot(center, center);
        Mass { mass, center, moment: moment.max(0.0) }
    }))
}

/// Moment by mass of a body that is not to turn (length²): a lever of a kilometre.
const UNTURNED: f64 = 1e6;
