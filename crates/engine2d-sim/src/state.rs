//! Where everything is and how it moves, with what constraints remember: all that a bit-equal resume needs.

use crate::compliant::CompliantStage;
use crate::connector::Place;
use crate::generator::Generator;
use crate::ledger::Ledger;
use crate::road::haste::Haste;
use crate::road::held::HeldSet;
use crate::scope::Focus;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// Number of state variables of a body: x, v_x, y, v_y, angle, angular velocity.
pub(crate) const PER_BODY: usize = 6;

/// The state of a world.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) time: f64,
    pub(crate) bodies: Vec<CollisionBody>,
    /// The part that is worked on: the whole world, but while islands move on by themselves.
    pub(crate) focus: Focus,
    /// What each connector remembers.
    pub(crate) places: Vec<Place>,
    /// Which unilateral rows are closed, and how motors are.
    pub(crate) held: HeldSet,
    /// How often each body has had events lately.
    pub(crate) haste: Vec<Haste>,
    /// Gap that counts as touching (length), measured when the integration began.
    pub(crate) touch: f64,
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
            focus: Focus::default(),
            places: Vec::new(),
            held: HeldSet::default(),
            haste: Vec::new(),
            touch: 0.0,
            compliant: CompliantStage::default(),
            ledger: None,
            generator,
            placed: true,
        }
    }

    /// The state vector: time, then six variables per body of the scope, then the entries of the energy ledger.
    pub(crate) fn read(&self, y: &mut Vec<f64>) {
        y.clear();
        y.push(self.time);
        for b in self.focus.bodies(self.bodies.len()).map(|k| &self.bodies[k]) {
            let p = b.pose.position();
            y.extend([p.x, b.velocity.x, p.y, b.velocity.y, b.pose.angle(), b.angular_velocity]);
        }
        y.extend(self.ledger.iter().flat_map(|ledger| &ledger.work));
    }

    /// The rates of the scope's variables, out of those of the whole world.
    pub(crate) fn gather(&self, rates: &[f64], dy: &mut [f64]) {
        let count = self.bodies.len();
        if self.focus.is_whole() {
            dy.copy_from_slice(rates);
            return;
        }
        dy[0] = rates[0];
        for (slot, k) in self.focus.bodies(count).enumerate() {
            let [to, from] = [slot, k].map(|at| 1 + PER_BODY * at);
            dy[to..to + PER_BODY].copy_from_slice(&rates[from..from + PER_BODY]);
        }
    }

    /// Moves clock and bodies to a state vector.
    pub(crate) fn write(&mut self, y: &[f64]) {
        let Self { bodies, focus, ledger, time, .. } = self;
        *time = y[0];
        let (mut variables, mut count) = (y[1..].chunks_exact(PER_BODY), 0);
        for k in focus.bodies(bodies.len()) {
            let v = variables.next();
            debug_assert!(v.is_some(), "a state of {} variables for more bodies", y.len());
            v.into_iter().for_each(|v| place(&mut bodies[k], v));
            count += 1;
        }
        if let Some(ledger) = ledger {
            ledger.work.iter_mut().zip(&y[1 + PER_BODY * count..]).for_each(|(work, value)| *work = *value);
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
