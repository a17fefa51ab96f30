//! Joints of Box2D.

use crate::assembly::{Assembly, Kind, Tie};
use crate::error::ImportError;
use crate::fields::Fields;
use crate::plane::{cross, length, scale, sub, turn};
use crate::report::{NoteKind, Notes};
use crate::rigid::Motion;
use engine2d_scene::Point;
use engine2d_scene::joint::Drive;
use std::f64::consts::TAU;

/// Adds the ties that a joint is.
pub(super) fn read(
    fields: Fields<'_>,
    assembly: &mut Assembly,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let kind = fields.text("type")?.unwrap_or_default();
    let [a, b] = [body(&fields, "bodyA", assembly)?, body(&fields, "bodyB", assembly)?];
    let point = |name: &str, rigid: usize| {
        Ok::<Point, ImportError>(assembly.rigids[rigid].pose.out(fields.vector(name)?.unwrap_or_default()))
    };
    let (at_a, at_b) = (point("anchorA", a)?, point("anchorB", b)?);
    let axis = fields.vector("localAxisA")?.filter(|axis| length(*axis) > 0.0).unwrap_or([1.0, 0.0]);
    let axis = turn(scale(axis, 1.0 / length(axis)), assembly.rigids[a].pose.angle);
    let frame = Frame { a, b, at_a, at_b, axis };
    let Some(kinds) = kinds(&fields, kind, &frame, assembly, notes)? else {
        let what = if kind.is_empty() {
            "a joint without a type".to_owned()
        } else {
            format!("a joint of type {kind}")
        };
        notes.add(&fields.path, NoteKind::NotUnderstood, what);
        return Ok(());
    };
    let meet = fields.flag("collideConnected")?.unwrap_or(false);
    let name = fields.text("name")?.map(str::to_owned);
    for (k, kind) in kinds.into_iter().enumerate() {
        // Further ties of a joint, such as its motor, have names of their own.
        let name = name.clone().map(|name| if k == 0 { name } else { format!("{name} {}", word(&kind)) });
        let path = fields.path.clone();
        let meet = meet && matches!(kind, Kind::Spring { .. });
        assembly.ties.push(Tie { path, name, a: Some(a), at_a, b: Some(b), at_b, meet, kind });
    }
    if meet && kind != "distance" {
        let text = "bodies that a joint ties do not collide with each other";
        notes.add(fields.at("collideConnected"), NoteKind::Changed, text);
    }
    fields.skip(&["customProperties", "jointSpeed"], notes);
    fields.finish(notes);
    Ok(())
}

/// Where a joint is at the start (world).
struct Frame {
    a: usize,
    b: usize,
    at_a: Point,
    at_b: Point,
    axis: Point,
}

/// What a joint does; `None` for a type that is not had.
fn kinds(
    fields: &Fields<'_>,
    kind: &str,
    frame: &Frame,
    assembly: &Assembly,
    notes: &mut Notes,
) -> Result<Option<Vec<Kind>>, ImportError> {
    let angle = assembly.rigids[frame.b].pose.angle - assembly.rigids[frame.a].pose.angle;
    let axis = frame.axis;
    let bounds = || {
        let limited = fields.flag("enableLimit")? == Some(true);
        let [low, high] = [fields.number("lowerLimit")?, fields.number("upperLimit")?];
        Ok::<_, ImportError>(limited.then(|| [low.unwrap_or(0.0), high.unwrap_or(0.0)]))
    };
    let motor = |drive: Drive, limit: &str| {
        let enabled = fields.flag("enableMotor")?.unwrap_or(false);
        let (speed, limit) =
            (fields.number("motorSpeed")?.unwrap_or(0.0), fields.size(limit)?.unwrap_or(0.0));
        let axis = (drive == Drive::Travel).then_some(axis);
        // A motor that is off or has no force does nothing.
        let motor =
            Kind::Motor { drive, axis, speed: Some(speed), place: None, limit: Some(limit), enabled: true };
        Ok::<_, ImportError>((enabled && limit > 0.0).then_some(motor))
    };
    let reference = fields.number("refAngle")?.unwrap_or(0.0);
    Ok(Some(match kind {
        "revolute" => {
            // Limits count from the reference angle, those of a tie from the start.
            let limits = bounds()?.map(|[low, high]| {
                let now = angle - reference;
                Kind::AngleLimit { low: Some(low - now), high: Some(high - now) }
            });
            let motor = motor(Drive::Angle, "maxMotorTorque")?;
            [Some(Kind::Pin), limits, motor].into_iter().flatten().collect()
        }
        "prismatic" => {
            let limits =
                bounds()?.map(|[low, high]| Kind::SlideLimit { axis, low: Some(low), high: Some(high) });
            let motor = motor(Drive::Travel, "maxMotorForce")?;
            [Some(Kind::Prismatic { axis }), limits, motor].into_iter().flatten().collect()
        }
        "weld" => {
            if fields.number("frequency")?.unwrap_or(0.0) > 0.0 {
                notes.add(fields.at("frequency"), NoteKind::Changed, "a soft weld is stiff");
            }
            fields.number("dampingRatio")?;
            vec![Kind::Weld]
        }
        "distance" => vec![distance(fields, frame, assembly)?],
        "rope" => {
            let length = fields.number("maxLength")?.filter(|length| *length > 0.0);
            let missing = || ImportError::at(fields.at("maxLength"), "a number above 0 is needed");
            vec![Kind::Rope { length: length.ok_or_else(missing)? }]
        }
        "wheel" => {
            let frequency = fields.size("springFrequency")?.unwrap_or(0.0);
            let ratio = fields.size("springDampingRatio")?.unwrap_or(0.0);
            let [stiffness, damping] = spring(effective_mass(frame, axis, assembly), frequency, ratio);
            let motor = motor(Drive::Angle, "maxMotorTorque")?;
            if stiffness == 0.0 {
                // Nothing holds the wheel along the axis.
                return Ok(Some([Some(Kind::Slider { axis }), motor].into_iter().flatten().collect()));
            }
            let (speed, limit) = match motor {
                Some(Kind::Motor { speed, limit, .. }) => (speed, limit),
                _ => (None, None),
            };
            vec![Kind::Wheel { axis, stiffness, damping, speed, limit }]
        }
        "pulley" => {
            let roller = |name: &str| {
                let missing = || ImportError::at(fields.at(name), "a point is needed");
                fields.vector(name)?.ok_or_else(missing)
            };
            let (roller_a, roller_b) = (roller("groundAnchorA")?, roller("groundAnchorB")?);
            let ratio = fields.number("ratio")?.filter(|ratio| *ratio > 0.0).unwrap_or(1.0);
            for name in ["lengthA", "lengthB"] {
                fields.number(name)?;
            }
            vec![Kind::Pulley { roller_a, roller_b, ratio }]
        }
        _ => return Ok(None),
    }))
}

/// A rod, or the spring that a frequency makes of it.
fn distance(fields: &Fields<'_>, frame: &Frame, assembly: &Assembly) -> Result<Kind, ImportError> {
    let apart = sub(frame.at_b, frame.at_a);
    let rest = fields.number("length")?.unwrap_or_else(|| length(apart));
    let frequency = fields.size("frequency")?.unwrap_or(0.0);
    let ratio = fields.size("dampingRatio")?.unwrap_or(0.0);
    if !(rest > 0.0 && length(apart) > 0.0) {
        return Err(ImportError::at(fields.at("length"), "the anchors must be apart"));
    }
    if frequency == 0.0 {
        return Ok(Kind::Rod { length: rest });
    }
    let along = scale(apart, 1.0 / length(apart));
    let [stiffness, damping] = spring(effective_mass(frame, along, assembly), frequency, ratio);
    Ok(Kind::Spring { length: rest, stiffness, damping })
}

/// The mass that swings along a direction between two points.
fn effective_mass(frame: &Frame, along: Point, assembly: &Assembly) -> f64 {
    let inverse: f64 = [(frame.a, frame.at_a), (frame.b, frame.at_b)]
        .into_iter()
        .map(|(rigid, at)| {
            let rigid = &assembly.rigids[rigid];
            let mass = rigid.mass().out(rigid.pose);
            if rigid.motion != Motion::Free || !(mass.mass > 0.0) {
                return 0.0;
            }
            let lever = cross(sub(at, mass.center), along);
            1.0 / mass.mass + if mass.moment > 0.0 { lever * lever / mass.moment } else { 0.0 }
        })
        .sum();
    if inverse > 0.0 { 1.0 / inverse } else { 0.0 }
}

/// Stiffness and damping of a spring by its frequency and the part of critical damping.
fn spring(mass: f64, frequency: f64, ratio: f64) -> [f64; 2] {
    let rate = TAU * frequency;
    [mass * rate * rate, 2.0 * mass * ratio * rate]
}

/// The body that a joint refers to by its place.
fn body(fields: &Fields<'_>, name: &str, assembly: &Assembly) -> Result<usize, ImportError> {
    let count = assembly.rigids.len();
    let found =
        fields.whole(name)?.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < count);
    found.ok_or_else(|| {
        ImportError::at(
            fields.at(name),
            format!("the place of a body is needed, from 0 to less than {count}"),
        )
    })
}

/// A word for what a further tie of a joint does.
fn word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Motor { .. } => "motor",
        Kind::AngleLimit { .. } | Kind::SlideLimit { .. } => "limit",
        _ => "tie",
    }
}
