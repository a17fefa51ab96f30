//! Compliant contact between events and at them.

use crate::compliant::Touch;
use crate::error::SimError;
use crate::report::{Event, StepReport};
use crate::settings::ContactModel;
use crate::system::{PER_BODY, System};
use engine2d_geometry::BodyRef;

impl System {
    /// Adds what the pairs in contact exert.
    pub(super) fn compliant_rates(&mut self, rates: &mut [f64]) {
        self.compliant.evaluate(&self.bodies);
        for contact in &self.compliant.forces {
            for index in contact.bodies.map(|b| b as usize) {
                let Some((force, torque)) = contact.wrench_on(index, &self.bodies[index]) else { continue };
                let m = self.inverse_masses[index];
                let slot = &mut rates[PER_BODY * index..PER_BODY * (index + 1)];
                slot[1] += force.x * m.linear;
                slot[3] += force.y * m.linear;
                slot[5] += torque * m.angular;
            }
        }
    }

    /// Contacts start or end: the dictionary is rebuilt.
    pub(super) fn touch_event(&mut self, report: &mut StepReport) -> Result<(), SimError> {
        let ContactModel::Compliant(compliant) = &self.settings.contact_model else { return Ok(()) };
        let (mut started, mut ended): (Vec<Touch>, Vec<Touch>) = (Vec::new(), Vec::new());
        let settings = (&self.settings, compliant);
        self.compliant.on_event(&self.bodies, &self.data, settings, &mut started, &mut ended)?;
        let time = self.time;
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
}
