//! Where everything is and how it moves, with what constraints remember: all that a bit-equal resume needs.

use crate::compliant::CompliantStage;
use crate::connector::Place;
use crate::generator::Generator;
use crate::ledger::Ledger;
use crate::road::haste::Haste;
use crate::road::held::HeldSet;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// Number of state variables of a body: x, v_x, y, v_y, angle, angular velocity.
pub(crate) const PER_BODY: usize = 6;

/// The state of a world.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) time: f64,
    pub(crate) bodies: Vec<CollisionBody>,
    /// What each connector remembers.
    pub(crate) places: Vec<Place>,
    /// Which unilateral rows are closed, and how motors are.
    pub(crate) held: HeldSet,
    /// How often each body has had events lately.
    pub(crate) haste: Vec<Haste>,
    /// Gap that counts as touching (length), measured when the integration began.
    pub(crate) touch: f64,
    /// Error of position that is left alone (length or radians), measured with it.
    pub(crate) exact: f64,
    /// Compliant contacts.
    pub(crate) compliant: CompliantStage,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) generator: Generator,
    /// Whether bodies or connectors were placed since the last advance, and may touch.
    pub(crate) placed: bool,
}

/// Moves a body to its six variables.
pub(crate) fn place(body: &mut CollisionBody, v: &[f64]) {
    body.pose.set_position(Vec2::new(v[0], v[2]));
    body.velocity = Vec2::new(v[1], v[3]);
    body.pose.set_angle(v[4]);
    body.angular_velocity = v[5];
}

impl State {
    pub(crate) fn new(bodies: Vec<CollisionBody>, generator: Generator, time: f64) -> Self {
        Self {
            time,
            bodies,
            places: Vec::new(),
            held: HeldSet::default(),
            haste: Vec::new(),
            touch: 0.0,
            exact: 0.0,
            compliant: CompliantStage::default(),
            ledger: None,
            generator,
            placed: true,
        }
    }

    /// The state vector: time, then six variables per body, then the entries of the energy ledger.
    pub(crate) fn read(&self, y: &mut Vec<f64>) {
        y.clear();
        y.push(self.time);
        for b in &self.bodies {
            let p = b.pose.position();
            y.extend([p.x, b.velocity.x, p.y, b.velocity.y, b.pose.angle(), b.angular_velocity]);
        }
        y.extend(self.ledger.iter().flat_map(|ledger| &ledger.work));
    }

    /// Moves clock and bodies to a state vector.
    pub(crate) fn write(&mut self, y: &[f64]) {
        let bodies = PER_BODY * self.bodies.len();
        debug_assert!(y.len() > bodies, "a state of {} variables for {bodies} of bodies", y.len());
        self.time = y[0];
        for (b, v) in self.bodies.iter_mut().zip(y[1..].chunks_exact(PER_BODY)) {
            place(b, v);
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.work.iter_mut().zip(&y[1 + bodies..]).for_each(|(work, value)| *work = *value);
        }
    }

    /// Remembers the present frames as the beginning of a motion.
    pub(crate) fn save_old_poses(&mut self) {
        self.bodies.iter_mut().for_each(CollisionBody::save_old_pose);
    }

    /// Forgets the beginning of the motion: detection then sees the present only.
    pub(crate) fn erase_old_poses(&mut self) {
        self.bodies.iter_mut().for_each(|b| b.old = None);
    }

    /// Forgets all contacts of located events.
    pub(crate) fn forget_contacts(&mut self) {
        self.compliant.forget();
        self.held.clear();
        self.haste.clear();
    }
}
