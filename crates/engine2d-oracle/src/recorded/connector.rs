//! Recorded connectors as engine2d's own.

use super::{Reason, attachment, reason};
use engine2d_math::Vec2;
use engine2d_math::sampled_curve::SampledCurve;
use engine2d_math::trig;
use engine2d_sim::{Connector, Frame};
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

#[derive(Deserialize)]
pub(super) struct RecordedPath {
    name: String,
    length: f64,
    closed_loop: bool,
    table_length: usize,
    points_p_x_y: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum RecordedConnector {
    Joint { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, normal: Vec2, normal_coords: Frame },
    Rope { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, rest_length: f64 },
    Rod { body1: i64, attach1: Vec2, body2: i64, attach2: Vec2, rest_length: f64 },
    PathJoint { body: i64, attach: Vec2, path: RecordedPath },
    PathEndPoint { body: i64, attach: Vec2, path_name: String, limit: f64, upper_limit: bool },
}

impl RecordedPath {
    /// The named curves from their formulas, others from the recorded samples.
    fn curve(&self) -> Result<Arc<SampledCurve>, Reason> {
        let curve = match self.name.as_str() {
            "HUMP" => {
                let at = |t: f64| Vec2::new(t, 3.0 + t * t * (-7.0 + t * t) / 6.0);
                SampledCurve::new(at, -3.0, 3.0, self.table_length, self.closed_loop)
            }
            "CIRCLE" => {
                // The recorded length is the sum of the table's chords.
                let chords = (self.table_length - 1) as f64;
                let r = self.length / (2.0 * chords * trig::sin(TAU / (2.0 * chords)));
                let at = move |t: f64| Vec2::new(r * trig::cos(t), r * trig::sin(t));
                SampledCurve::new(at, -3.0 * FRAC_PI_2, FRAC_PI_2, self.table_length, self.closed_loop)
            }
            _ => {
                let points: Vec<Vec2> = self.points_p_x_y.iter().map(|&[_, x, y]| Vec2::new(x, y)).collect();
                SampledCurve::from_points(&points, self.closed_loop)
            }
        };
        curve.map(Arc::new).map_err(reason)
    }
}

pub(super) fn connectors(recorded: Vec<RecordedConnector>) -> Result<Vec<Connector>, Reason> {
    let mut curves: Vec<(String, Arc<SampledCurve>)> = Vec::new();
    for c in &recorded {
        if let RecordedConnector::PathJoint { path, .. } = c {
            curves.push((path.name.clone(), path.curve()?));
        }
    }
    let curve_named = |name: &str| {
        let found = curves.iter().find(|(n, _)| n == name).map(|(_, c)| c.clone());
        found.ok_or_else(|| format!("no path is named {name}"))
    };
    recorded
        .into_iter()
        .map(|c| {
            Ok(match c {
                RecordedConnector::Joint { body1, attach1, body2, attach2, normal, normal_coords } => {
                    Connector::Joint {
                        ends: [attachment(body1, attach1), attachment(body2, attach2)],
                        normal,
                        frame: normal_coords,
                    }
                }
                RecordedConnector::Rope { body1, attach1, body2, attach2, rest_length } => Connector::Rope {
                    ends: [attachment(body1, attach1), attachment(body2, attach2)],
                    length: rest_length,
                },
                RecordedConnector::Rod { body1, attach1, body2, attach2, rest_length } => Connector::Rod {
                    ends: [attachment(body1, attach1), attachment(body2, attach2)],
                    length: rest_length,
                },
                RecordedConnector::PathJoint { body, attach, path } => Connector::PathJoint {
                    attachment: attachment(body, attach),
                    path: curve_named(&path.name)?,
                },
                RecordedConnector::PathEndPoint { body, attach, path_name, limit, upper_limit } => {
                    Connector::PathEndStop {
                        attachment: attachment(body, attach),
                        path: curve_named(&path_name)?,
                        limit,
                        upper: upper_limit,
                    }
                }
            })
        })
        .collect()
}
