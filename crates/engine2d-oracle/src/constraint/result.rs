//! One constraint's part of a recorded state.

use super::recorded::AnyId;
use crate::case::Difference;
use engine2d_constraint::{Answer, Equation, Level, Mechanism, MechanismError};
use engine2d_geometry::BodyRef;
use serde::Deserialize;

/// Agreement of recorded quantities, relative to the scale of their row.
const LIMIT: f64 = 1e-9;

#[derive(Deserialize)]
pub(super) struct RecordedResult {
    mp: usize,
    mv: usize,
    ma: usize,
    #[serde(default)]
    perr: Vec<f64>,
    #[serde(default)]
    verr: Vec<f64>,
    #[serde(rename = "P", default)]
    p: Vec<Vec<f64>>,
    #[serde(rename = "Pt", default)]
    pt: Vec<Vec<f64>>,
    #[serde(rename = "V", default)]
    v: Vec<Vec<f64>>,
    #[serde(rename = "Vt", default)]
    vt: Vec<Vec<f64>>,
    #[serde(rename = "A", default)]
    a: Vec<Vec<f64>>,
    #[serde(rename = "At", default)]
    at: Vec<Vec<f64>>,
    #[serde(default)]
    aerr_given: Vec<f64>,
    #[serde(default)]
    abias: Vec<f64>,
    #[serde(default)]
    aerr: Vec<f64>,
    #[serde(default)]
    multipliers: Vec<f64>,
    body_forces: Option<Vec<[f64; 3]>>,
    ground_force: Option<[f64; 3]>,
    power: Option<f64>,
    contact_point: Option<[f64; 2]>,
    separation: Option<f64>,
    force_on_sphere: Option<[f64; 2]>,
    force_on_sphere_b: Option<[f64; 2]>,
    normal: Option<[f64; 2]>,
    tangent: Option<[f64; 2]>,
    position_error: Option<f64>,
    velocity_errors_xz: Option<[f64; 2]>,
    acceleration_errors_xz: Option<[f64; 2]>,
    multipliers_xz: Option<[f64; 2]>,
}

/// Compares vectors, relative to the largest entry recorded (at least 1).
pub(super) fn compare_all(name: &str, ours: &[f64], theirs: &[f64], d: &mut Difference) {
    d.require(ours.len() == theirs.len(), || {
        format!("{name} has {} entries, recorded {}", ours.len(), theirs.len())
    });
    let scale = theirs.iter().fold(1.0, |m: f64, t| m.max(t.abs()));
    for (k, (o, t)) in ours.iter().zip(theirs).enumerate() {
        d.compare(*o, *t, LIMIT * scale, || format!("{name}[{k}]"));
    }
}

/// One constraint's part of a state.
pub(super) struct ResultView<'a> {
    pub(super) m: &'a Mechanism,
    pub(super) id: &'a AnyId,
    pub(super) answer: &'a Answer,
    pub(super) u: &'a [f64],
    pub(super) i: usize,
}

impl ResultView<'_> {
    pub(super) fn equations(&self) -> Result<&[Equation], String> {
        self.id.equations(self.m)
    }

    /// Rows as full vectors over all coordinates.
    fn rows(&self, level: Level) -> Result<Vec<Vec<f64>>, String> {
        let n = self.u.len();
        Ok(self
            .equations()?
            .iter()
            .filter(|e| e.level == level)
            .map(|e| {
                let mut full = vec![0.0; n];
                for (body, jacobian) in e.row.bodies.iter().zip(&e.row.jacobian) {
                    if let Some(b) = body.index() {
                        for k in 0..3 {
                            full[3 * b + k] += jacobian[k];
                        }
                    }
                }
                full
            })
            .collect())
    }

    pub(super) fn compare(
        &self,
        result: &RecordedResult,
        udot_given: &[f64],
        redundant: bool,
        d: &mut Difference,
    ) -> Result<(), String> {
        let i = self.i;
        let equations = self.equations()?;
        let counts = [Level::Position, Level::Velocity, Level::Acceleration]
            .map(|level| equations.iter().filter(|e| e.level == level).count());
        d.require(counts == [result.mp, result.mv, result.ma], || {
            format!("equations of constraint {i}: {counts:?}")
        });
        for (name, level, theirs, transposed) in [
            ("P", Level::Position, &result.p, &result.pt),
            ("V", Level::Velocity, &result.v, &result.vt),
            ("A", Level::Acceleration, &result.a, &result.at),
        ] {
            let ours = self.rows(level)?;
            compare_rows(&format!("{name} of constraint {i}"), &ours, theirs, d);
            if !theirs.is_empty() {
                let ours = self.id.transposed(self.m, level)?;
                compare_rows(&format!("{name} transposed of constraint {i}"), &ours, transposed, d);
            }
        }
        let pick = |levels: &[Level], value: fn(&Equation) -> f64| -> Vec<f64> {
            equations.iter().filter(|e| levels.contains(&e.level)).map(value).collect()
        };
        compare_all("perr", &pick(&[Level::Position], |e| e.position_error), &result.perr, d);
        compare_all(
            "verr",
            &pick(&[Level::Position, Level::Velocity], |e| e.velocity_error),
            &result.verr,
            d,
        );
        let all = [Level::Position, Level::Velocity, Level::Acceleration];
        let bias = pick(&all, |e| e.acceleration_bias);
        compare_all("abias", &bias, &result.abias, d);
        let given: Vec<f64> = all
            .iter()
            .map(|&level| self.rows(level))
            .collect::<Result<Vec<_>, _>>()?
            .concat()
            .iter()
            .zip(&bias)
            .map(|(row, bias)| row.iter().zip(udot_given).map(|(j, a)| j * a).sum::<f64>() + bias)
            .collect();
        compare_all("aerr given", &given, &result.aerr_given, d);
        compare_all("aerr", &self.id.acceleration_errors(self.m)?, &result.aerr, d);
        self.compare_geometry(result, d)?;
        self.compare_forces(result, redundant, d)
    }

    /// Multipliers (recorded with the opposite sign), forces on all bodies and the ground, power.
    fn compare_forces(
        &self,
        result: &RecordedResult,
        redundant: bool,
        d: &mut Difference,
    ) -> Result<(), String> {
        // Where rows share a load, multipliers depend on the choice of norm.
        if redundant {
            return Ok(());
        }
        let multipliers = self.id.multipliers(self.m, self.answer)?;
        let recorded: Vec<f64> = result.multipliers.iter().map(|l| -l).collect();
        compare_all("multipliers", &multipliers, &recorded, d);
        let mut power = 0.0;
        for (b, theirs) in result.body_forces.iter().flatten().enumerate() {
            let ours = self.id.force_on(self.m, BodyRef::Body(b as u32), self.answer)?;
            compare_all("body force", &ours, theirs, d);
            power += ours.iter().zip(&self.u[3 * b..]).map(|(f, u)| f * u).sum::<f64>();
        }
        if let Some(theirs) = result.ground_force {
            let ours = self.id.force_on(self.m, BodyRef::Ground, self.answer)?;
            compare_all("ground force", &ours, &theirs, d);
        }
        if let Some(theirs) = result.power {
            compare_all("power", &[power], &[theirs], d);
        }
        let on_circle = result.force_on_sphere.or(result.force_on_sphere_b);
        if let (Some(theirs), Some((circle, other))) = (on_circle, self.id.circle(self.m)?) {
            let ours = match BodyRef::from(circle) {
                // A circle on the ground: the force is the opposite of that on the other body.
                BodyRef::Ground => self.id.force_on(self.m, other, self.answer)?.map(|f| -f),
                BodyRef::Body(_) => self.id.force_on(self.m, circle, self.answer)?,
            };
            compare_all("force on the circle", &ours[..2], &theirs, d);
        }
        if let (Some(theirs), AnyId::CircleOnLine(id)) = (result.multipliers_xz, self.id) {
            let circle = self.m.constraint(*id).map_err(|e| e.to_string())?;
            compare_all("multipliers by axes", &circle.multipliers(&multipliers), &theirs, d);
        }
        Ok(())
    }

    /// What circles say of themselves, enabled or not.
    pub(super) fn compare_geometry(&self, result: &RecordedResult, d: &mut Difference) -> Result<(), String> {
        let motions = self.m.motions();
        let text = |e: MechanismError| e.to_string();
        let (separation, point, axes) = match self.id {
            AnyId::CircleOnLine(id) => {
                let circle = self.m.constraint(*id).map_err(text)?;
                (circle.separation(motions), circle.contact_point(motions), None)
            }
            AnyId::CircleOnCircle(id) => {
                let circle = self.m.constraint(*id).map_err(text)?;
                (circle.separation(motions), circle.contact_point(motions), Some(circle.axes(motions)))
            }
            AnyId::Other(_) => return Ok(()),
        };
        for (name, theirs) in [("separation", result.separation), ("position error", result.position_error)] {
            if let Some(theirs) = theirs {
                compare_all(name, &[separation], &[theirs], d);
            }
        }
        let vectors = [
            ("contact point", Some(point), result.contact_point),
            ("tangent", axes.map(|[t, _]| t), result.tangent),
            ("normal", axes.map(|[_, n]| n), result.normal),
        ];
        for (name, ours, theirs) in vectors {
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                compare_all(name, &[ours.x, ours.y], &theirs, d);
            }
        }
        let AnyId::CircleOnLine(id) = self.id else { return Ok(()) };
        let circle = self.m.constraint(*id).map_err(text)?;
        if let Some(theirs) = result.velocity_errors_xz {
            let errors = self.m.velocity_errors(*id).map_err(text)?;
            compare_all("velocity errors by axes", &circle.along_axes(&errors), &theirs, d);
        }
        if let Some(theirs) = result.acceleration_errors_xz {
            let errors = self.m.acceleration_errors(*id).map_err(text)?;
            compare_all("acceleration errors by axes", &circle.along_axes(&errors), &theirs, d);
        }
        Ok(())
    }
}

/// Compares matrices row by row.
fn compare_rows(name: &str, ours: &[Vec<f64>], theirs: &[Vec<f64>], d: &mut Difference) {
    d.require(ours.len() == theirs.len(), || {
        format!("{name} has {} rows, recorded {}", ours.len(), theirs.len())
    });
    for (ours, theirs) in ours.iter().zip(theirs) {
        compare_all(name, ours, theirs, d);
    }
}
