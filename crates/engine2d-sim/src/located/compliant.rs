//! Compliant contacts that begin or end.

use crate::compliant::Touch;
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::settings::ContactModel;
use crate::state::State;
use engine2d_geometry::BodyRef;

/// Contacts start or end: the dictionary is rebuilt.
pub(super) fn touch(model: &Model, state: &mut State, report: &mut StepReport) -> Result<(), SimError> {
    let ContactModel::Compliant(compliant) = &model.settings.contact_model else { return Ok(()) };
    let (mut started, mut ended): (Vec<Touch>, Vec<Touch>) = (Vec::new(), Vec::new());
    let settings = (&model.settings, compliant);
    state.compliant.on_event(&state.bodies, &model.data, settings, &mut started, &mut ended)?;
    let time = state.time;
    for Touch { bodies, pair, .. } in ended {
        report.events.push(Event::TouchEnd { time, bodies, pair });
    }
    for Touch { bodies, pair, point, velocity, gentle } in started {
        report.events.push(Event::TouchBegin { time, bodies, pair, point, velocity });
        if gentle {
            report.events.push(Event::Sustained { time, bodies: bodies.map(BodyRef::Body), velocity });
        }
    }
    Ok(())
}
