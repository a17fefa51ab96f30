//! What leads a body bears its contacts: they do not move it, so that the rows that lead it know nothing of them.

use crate::model::Model;
use crate::road::{Row, Source};
use engine2d_constraint::Prescribed;
use engine2d_geometry::BodyRef;

/// Joints that lead a body together: of x, y and the angle.
pub(super) const LEADING: u8 = 3;

/// Counts for each body the joints that lead it now: they may be switched off or taken away, and what is left then yields to contacts.
pub(super) fn count_leading(model: &Model, out: &mut Vec<u8>) {
    out.clear();
    out.resize(model.data.len(), 0);
    for joint in model.joints.iter().filter(|joint| joint.is_enabled()) {
        let Some(leads) = joint.constraint::<Prescribed>() else { continue };
        let led = leads.measure().ends().map(BodyRef::from).into_iter().filter_map(|body| body.index());
        led.filter(|&k| model.data[k].led.is_some()).for_each(|k| out[k] += 1);
    }
}

/// The impulse of a row that bears its share of the `loads` of contacts on what is led (momentum, angular momentum by body), which is
/// taken off these: 0 for other rows. Rows that lead a body come in the order x, y, angle.
pub(super) fn borne(model: &Model, row: &Row, loads: &mut [[f64; 3]]) -> f64 {
    let Source::Equation { constraint, .. } = row.source else { return 0.0 };
    let joint = &model.joints[constraint as usize];
    let mut ends = row.row.bodies.iter().zip(&row.row.jacobian);
    let led = ends.find_map(|(body, j)| {
        let k = body.index()?;
        model.data[k].led.is_some().then_some((k, *j))
    });
    let Some((body, j)) = led else { return 0.0 };
    let Some(load) = loads.get_mut(body) else { return 0.0 };
    if joint.constraint::<Prescribed>().is_none() {
        return 0.0;
    }
    let linear = j[0] * j[0] + j[1] * j[1];
    let impulse = if linear > 0.0 {
        -(j[0] * load[0] + j[1] * load[1]) / linear
    } else if j[2] != 0.0 {
        -load[2] / j[2]
    } else {
        0.0
    };
    *load = std::array::from_fn(|i| load[i] + impulse * j[i]);
    impulse
}
